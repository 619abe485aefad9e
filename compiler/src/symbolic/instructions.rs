//! Expressions out of Symbolica's instructions.
//!
//! An instruction writes a slot, and a slot is written again when its value is spent. A factor with a negative
//! exponent goes below the fraction bar of the one product that it is in; if it is in several, one quotient serves all.

use std::collections::HashMap;

use symbolica::domains::float::Complex;
use symbolica::domains::rational::Rational;
use symbolica::evaluate::{ExportedInstructions, Instruction, Slot};

use crate::expr::{Binary, Expr, Unary};

/// The first `n` outputs, of these parameters; an error names the construct that has no counterpart.
pub fn outputs(
    exported: &ExportedInstructions<Complex<Rational>>,
    parameters: &[Expr],
    n: usize,
) -> Result<Vec<Expr>, String> {
    let mut slots = Slots::new(exported, parameters);
    let uses = uses(&exported.instructions)?;
    for (instruction, uses) in exported.instructions.iter().zip(uses) {
        let value = slots.value(instruction)?;
        let is_factor = uses == 1;
        let value = if is_factor {
            value
        } else {
            value.whole().into()
        };
        slots.values.insert(target(instruction)?, value);
    }
    let outputs = (0..n).map(|index| slots.whole(&Slot::Out(index)));
    Ok(outputs.collect())
}

/// Number of uses of the value of each instruction.
fn uses(instructions: &[Instruction]) -> Result<Vec<usize>, String> {
    let mut writers = HashMap::new();
    let mut uses = vec![0; instructions.len()];
    for (index, instruction) in instructions.iter().enumerate() {
        for slot in operands(instruction) {
            if let Some(&writer) = writers.get(slot) {
                uses[writer] += 1;
            }
        }
        writers.insert(target(instruction)?, index);
    }
    Ok(uses)
}

fn target(instruction: &Instruction) -> Result<Slot, String> {
    match instruction {
        Instruction::Add(slot, ..)
        | Instruction::Mul(slot, ..)
        | Instruction::Pow(slot, ..)
        | Instruction::Powf(slot, ..)
        | Instruction::Fun(slot, ..)
        | Instruction::Assign(slot, _) => Ok(*slot),
        _ => Err(unknown(instruction)),
    }
}

fn operands(instruction: &Instruction) -> Vec<&Slot> {
    match instruction {
        Instruction::Add(_, slots, _) | Instruction::Mul(_, slots, _) => slots.iter().collect(),
        Instruction::Pow(_, base, ..) => vec![base],
        Instruction::Powf(_, base, exponent, _) => vec![base, exponent],
        Instruction::Fun(_, function, _) => function.2.iter().collect(),
        Instruction::Assign(_, slot) => vec![slot],
        _ => Vec::new(),
    }
}

fn unknown(instruction: &Instruction) -> String {
    format!("the instruction `{instruction}`")
}

/// over / under
#[derive(Clone)]
struct Fraction {
    over: Expr,
    under: Expr,
}

impl Fraction {
    fn whole(&self) -> Expr {
        &self.over / &self.under
    }

    /// aⁿ, or 1 / a⁻ⁿ.
    fn power(base: &Expr, exponent: f64) -> Self {
        let magnitude = magnitude(base, exponent.abs());
        match exponent < 0.0 {
            true => Self {
                over: Expr::one(),
                under: magnitude,
            },
            false => magnitude.into(),
        }
    }
}

impl From<Expr> for Fraction {
    fn from(over: Expr) -> Self {
        let under = Expr::one();
        Self { over, under }
    }
}

/// aⁿ, with roots for halves.
fn magnitude(base: &Expr, exponent: f64) -> Expr {
    let whole = base.power(exponent as i32);
    match exponent.fract() {
        0.0 => whole,
        0.5 => whole * base.sqrt(),
        _ => Expr::binary(Binary::Pow, base.clone(), Expr::constant(exponent)),
    }
}

struct Slots<'a> {
    parameters: &'a [Expr],
    constants: Vec<Expr>,
    values: HashMap<Slot, Fraction>,
}

impl<'a> Slots<'a> {
    fn new(exported: &ExportedInstructions<Complex<Rational>>, parameters: &'a [Expr]) -> Self {
        let constants = exported.constants.iter();
        Self {
            parameters,
            constants: constants.map(|c| Expr::constant(c.re.to_f64())).collect(),
            values: HashMap::new(),
        }
    }

    fn get(&self, slot: &Slot) -> Fraction {
        match slot {
            Slot::Param(index) => self.parameters[*index].clone().into(),
            Slot::Const(index) => self.constants[*index].clone().into(),
            Slot::Temp(_) | Slot::Out(_) => self.values[slot].clone(),
        }
    }

    fn whole(&self, slot: &Slot) -> Expr {
        self.get(slot).whole()
    }

    fn value(&self, instruction: &Instruction) -> Result<Fraction, String> {
        Ok(match instruction {
            Instruction::Add(_, slots, _) => {
                slots.iter().map(|s| self.whole(s)).sum::<Expr>().into()
            }
            Instruction::Mul(_, slots, _) => self.product(slots),
            Instruction::Pow(_, base, exponent, _) => {
                Fraction::power(&self.whole(base), *exponent as f64)
            }
            Instruction::Powf(_, base, exponent, _) => {
                let (base, exponent) = (self.whole(base), self.whole(exponent));
                match exponent.as_constant() {
                    Some(number) => Fraction::power(&base, number),
                    None => Expr::binary(Binary::Pow, base, exponent).into(),
                }
            }
            Instruction::Fun(_, function, _) => {
                let (name, _, arguments) = &**function;
                let function =
                    unary(name.get_stripped_name()).ok_or_else(|| unknown(instruction))?;
                Expr::unary(function, self.whole(&arguments[0])).into()
            }
            Instruction::Assign(_, slot) => self.get(slot),
            _ => return Err(unknown(instruction)),
        })
    }

    /// Numbers folded, one division by all denominators, and the sign outside, so that sums can subtract.
    fn product(&self, slots: &[Slot]) -> Fraction {
        let (mut number, mut over, mut under) = (1.0, Expr::one(), Expr::one());
        for factor in slots.iter().map(|slot| self.get(slot)) {
            match factor.over.as_constant() {
                Some(constant) => number *= constant,
                None => over = over * factor.over,
            }
            under = under * factor.under;
        }
        let magnitude = Expr::constant(f64::abs(number)) * over / under;
        let product = if number < 0.0 { -magnitude } else { magnitude };
        product.into()
    }
}

fn unary(name: &str) -> Option<Unary> {
    match name {
        "sin" => Some(Unary::Sin),
        "cos" => Some(Unary::Cos),
        "sqrt" => Some(Unary::Sqrt),
        _ => None,
    }
}
