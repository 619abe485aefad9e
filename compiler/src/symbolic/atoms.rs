//! Expressions into atoms and back.
//!
//! Every leaf, and every number that is not a small whole one, becomes a symbol `s0`, `s1`, … in the
//! order of its first use in the job. Symbolica orders terms by the order in which symbols were
//! registered, and that is always s0, s1, …, whatever ran before in this process: same input, same
//! output. Numbers come back as they went in, so nothing is ever rounded here.
//!
//! Functions that Symbolica does not differentiate keep their names (`bc_atan2`); their derivatives come
//! back as `der(n₁, …, f, x₁, …)` and are translated by [`super::rules`].

use std::collections::HashMap;
use std::sync::Arc;

use symbolica::atom::{Atom, AtomCore, AtomView, FunctionBuilder, Symbol as Name};
use symbolica::coefficient::CoefficientView;

use super::rules;
use crate::expr::{Binary, Condition, Expr, Node, Symbol, Unary};

/// Whole numbers up to this size are numbers for Symbolica too.
const SMALL: f64 = 16.0;

/// The translation of one job.
#[derive(Default)]
pub struct Atoms {
    leaves: Vec<Expr>,
    names: Vec<Name>,
    by_symbol: HashMap<Symbol, usize>,
    by_number: HashMap<u64, usize>,
    by_name: HashMap<Name, usize>,
    conditions: Vec<Arc<Condition>>,
    memo: HashMap<usize, (Expr, Atom)>,
    opaque_leaves: bool,
}

/// A function that Symbolica only knows by name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Opaque {
    /// Of one argument.
    Unary(Unary),
    /// Of two arguments.
    Binary(Binary),
    /// `select(condition, a, b)`
    Select,
    /// `table(id, order, x)`
    Table,
}

impl Atoms {
    /// An empty translation. The functions are registered before any leaf, so that the order of
    /// registration does not depend on which job needs them first.
    pub fn new() -> Self {
        for (name, _) in OPAQUE {
            symbolica::symbol!(*name);
        }
        Self::default()
    }

    /// The same, in which functions that Symbolica only knows by name are leaves.
    pub fn with_opaque_leaves() -> Self {
        Self {
            opaque_leaves: true,
            ..Self::new()
        }
    }

    /// The leaves with their names.
    pub fn leaves(&self) -> (&[Name], &[Expr]) {
        (&self.names, &self.leaves)
    }

    /// An expression as an atom.
    pub fn atom(&mut self, expr: &Expr) -> Atom {
        if let Some((_, atom)) = self.memo.get(&expr.address()) {
            return atom.clone();
        }
        let atom = self.build(expr);
        self.memo
            .insert(expr.address(), (expr.clone(), atom.clone()));
        atom
    }

    /// The symbol that stands for a leaf.
    pub fn name(&mut self, symbol: Symbol) -> Name {
        if let Some(&index) = self.by_symbol.get(&symbol) {
            return self.names[index];
        }
        let index = self.register(Expr::symbol(symbol));
        self.by_symbol.insert(symbol, index);
        self.names[index]
    }

    /// The leaves that occur in an atom, in the order of their registration.
    pub fn leaves_of(&self, atom: &Atom) -> Vec<Symbol> {
        let mut indices: Vec<usize> = atom
            .get_all_symbols(false)
            .into_iter()
            .filter_map(|name| self.by_name.get(&name).copied())
            .collect();
        indices.sort_unstable();
        indices
            .into_iter()
            .filter_map(|index| match self.leaves[index].node() {
                Node::Symbol(symbol) => Some(*symbol),
                _ => None,
            })
            .collect()
    }

    /// An atom as an expression; an error names the construct that has no counterpart.
    pub fn expr(&self, atom: &Atom) -> Result<Expr, String> {
        self.read(atom.as_view())
    }

    /// The value of an atom by Symbolica's own evaluation.
    pub fn evaluate(&self, atom: &Atom, symbols: &dyn Fn(Symbol) -> f64) -> Result<f64, String> {
        let values = self
            .names
            .iter()
            .zip(&self.leaves)
            .map(|(name, leaf)| {
                let value = match leaf.node() {
                    Node::Symbol(symbol) => symbols(*symbol),
                    _ => leaf.as_constant().unwrap_or(f64::NAN),
                };
                (Atom::var(*name), value)
            })
            .collect();
        atom.evaluate(&values).map_err(|error| error.to_string())
    }

    fn register(&mut self, leaf: Expr) -> usize {
        let index = self.leaves.len();
        let name = symbolica::symbol!(format!("s{index}"));
        self.leaves.push(leaf);
        self.names.push(name);
        self.by_name.insert(name, index);
        index
    }

    fn number(&mut self, value: f64) -> Atom {
        if value.fract() == 0.0 && value.abs() <= SMALL {
            return Atom::num(value as i64);
        }
        // A number and its negative share a symbol, so that their terms can cancel.
        let index = match self.by_number.get(&value.abs().to_bits()) {
            Some(&index) => index,
            None => {
                let index = self.register(Expr::constant(value.abs()));
                self.by_number.insert(value.abs().to_bits(), index);
                index
            }
        };
        let atom = Atom::var(self.names[index]);
        if value < 0.0 { -atom } else { atom }
    }

    /// A leaf that is an expression.
    fn leaf(&mut self, expr: &Expr) -> Atom {
        let known = self.leaves.iter().position(|leaf| leaf == expr);
        let index = known.unwrap_or_else(|| self.register(expr.clone()));
        Atom::var(self.names[index])
    }

    fn build(&mut self, expr: &Expr) -> Atom {
        match expr.node() {
            _ if self.opaque_leaves && is_opaque(expr) => self.leaf(expr),
            Node::Constant(value) => self.number(*value),
            Node::Symbol(symbol) => Atom::var(self.name(*symbol)),
            Node::Add(a, b) => self.atom(a) + self.atom(b),
            Node::Sub(a, b) => self.atom(a) - self.atom(b),
            Node::Mul(a, b) => self.atom(a) * self.atom(b),
            Node::Div(a, b) => self.atom(a) * self.atom(b).pow(Atom::num(-1)),
            Node::Neg(a) => -self.atom(a),
            Node::Power(a, n) => self.atom(a).pow(Atom::num(i64::from(*n))),
            Node::Unary(Unary::Sqrt, a) => self.atom(a).pow(Atom::num((1, 2))),
            Node::Unary(Unary::Sin, a) => self.atom(a).sin(),
            Node::Unary(Unary::Cos, a) => self.atom(a).cos(),
            Node::Unary(function, a) => {
                let a = self.atom(a);
                opaque(Opaque::Unary(*function), &[a])
            }
            Node::Binary(function, a, b) => {
                let arguments = [self.atom(a), self.atom(b)];
                opaque(Opaque::Binary(*function), &arguments)
            }
            Node::Select(condition, a, b) => {
                self.conditions.push(condition.clone());
                let which = Atom::num(self.conditions.len() as i64 - 1);
                let arguments = [which, self.atom(a), self.atom(b)];
                opaque(Opaque::Select, &arguments)
            }
            Node::Table(id, order, a) => {
                let arguments = [
                    Atom::num(i64::from(*id)),
                    Atom::num(i64::from(*order)),
                    self.atom(a),
                ];
                opaque(Opaque::Table, &arguments)
            }
        }
    }

    fn read(&self, view: AtomView) -> Result<Expr, String> {
        match view {
            AtomView::Num(number) => match number.get_coeff_view() {
                CoefficientView::Natural(n, d, 0, _) => Ok(Expr::constant(n as f64 / d as f64)),
                _ => Err(format!("the number {view}")),
            },
            AtomView::Var(variable) => match self.by_name.get(&variable.get_symbol()) {
                Some(&index) => Ok(self.leaves[index].clone()),
                None => Err(format!("the symbol {view}")),
            },
            AtomView::Add(sum) => {
                let mut total = Expr::zero();
                for term in sum.iter() {
                    total = total + self.read(term)?;
                }
                Ok(total)
            }
            AtomView::Mul(product) => self.read_product(product.iter()),
            AtomView::Pow(_) => self.read_product(std::iter::once(view)),
            AtomView::Fun(function) => {
                let arguments: Vec<AtomView> = function.iter().collect();
                self.read_function(function.get_symbol(), &arguments)
            }
        }
    }

    /// Numbers first and folded, then numerators, then one division by all denominators.
    fn read_product<'v>(
        &self,
        factors: impl Iterator<Item = AtomView<'v>>,
    ) -> Result<Expr, String> {
        let (mut number, mut over, mut under) = (1.0, Expr::one(), Expr::one());
        for factor in factors {
            let (value, inverse) = match factor {
                AtomView::Pow(power) => {
                    let (base, exponent) = power.get_base_exp();
                    self.read_power(base, exponent)?
                }
                _ => (self.read(factor)?, false),
            };
            match (value.as_constant(), inverse) {
                (Some(constant), false) => number *= constant,
                (Some(constant), true) => number /= constant,
                (None, false) => over = over * value,
                (None, true) => under = under * value,
            }
        }
        // The sign stays outside, so that sums can subtract.
        let magnitude = Expr::constant(f64::abs(number)) * over / under;
        Ok(if number < 0.0 { -magnitude } else { magnitude })
    }

    /// The power, and whether it belongs under the fraction bar.
    fn read_power(&self, base: AtomView, exponent: AtomView) -> Result<(Expr, bool), String> {
        let base = self.read(base)?;
        let AtomView::Num(number) = exponent else {
            let exponent = self.read(exponent)?;
            return Ok((Expr::binary(Binary::Pow, base, exponent), false));
        };
        match number.get_coeff_view() {
            CoefficientView::Natural(n, 1, 0, _) => {
                let magnitude = i32::try_from(n.abs()).map_err(|e| e.to_string())?;
                Ok((base.power(magnitude), n < 0))
            }
            CoefficientView::Natural(n, 2, 0, _) => {
                let magnitude = i32::try_from(n.abs()).map_err(|e| e.to_string())?;
                let whole = base.power(magnitude / 2);
                Ok((whole * base.sqrt(), n < 0))
            }
            CoefficientView::Natural(n, d, 0, _) => {
                let exponent = Expr::constant(n as f64 / d as f64);
                Ok((Expr::binary(Binary::Pow, base, exponent), false))
            }
            _ => Err(format!("the exponent {exponent}")),
        }
    }

    fn read_function(&self, name: Name, arguments: &[AtomView]) -> Result<Expr, String> {
        if name == Name::DERIVATIVE {
            return self.read_derivative(arguments);
        }
        let first = |this: &Self| this.read(arguments[0]);
        let known = [
            (Name::SIN, Unary::Sin),
            (Name::COS, Unary::Cos),
            (Name::LOG, Unary::Ln),
        ];
        if let Some((_, function)) = known.iter().find(|(builtin, _)| *builtin == name) {
            return Ok(Expr::unary(*function, first(self)?));
        }
        let function = by_name(name).ok_or_else(|| format!("the function {name}"))?;
        match function {
            Opaque::Select => {
                let condition = &self.conditions[whole(arguments[0])?];
                let (yes, no) = (self.read(arguments[1])?, self.read(arguments[2])?);
                Ok(Expr::select(Condition::clone(condition), yes, no))
            }
            Opaque::Table => {
                let (id, order) = (whole(arguments[0])?, whole(arguments[1])?);
                Ok(Expr::table(
                    id as u32,
                    order as u8,
                    self.read(arguments[2])?,
                ))
            }
            Opaque::Unary(function) => Ok(Expr::unary(function, first(self)?)),
            Opaque::Binary(function) => Ok(Expr::binary(
                function,
                first(self)?,
                self.read(arguments[1])?,
            )),
        }
    }

    /// `der(n₁, …, f, x₁, …)`
    fn read_derivative(&self, arguments: &[AtomView]) -> Result<Expr, String> {
        let count = (arguments.len() - 1) / 2;
        let orders: Vec<usize> = arguments[..count]
            .iter()
            .map(|order| whole(*order))
            .collect::<Result<_, _>>()?;
        let AtomView::Var(name) = arguments[count] else {
            return Err("a derivative of no function".to_owned());
        };
        let function = by_name(name.get_symbol())
            .ok_or_else(|| format!("the function {}", arguments[count]))?;
        let rest = &arguments[count + 1..];
        match function {
            Opaque::Select => {
                let condition = Condition::clone(&self.conditions[whole(rest[0])?]);
                Ok(rules::select(condition, orders[1], orders[2]))
            }
            Opaque::Table => {
                let order = whole(rest[1])? + orders[2];
                Ok(Expr::table(
                    whole(rest[0])? as u32,
                    order as u8,
                    self.read(rest[2])?,
                ))
            }
            Opaque::Unary(function) => rules::unary(function, orders[0], &self.read(rest[0])?),
            Opaque::Binary(function) => rules::binary(
                function,
                (orders[0], orders[1]),
                &self.read(rest[0])?,
                &self.read(rest[1])?,
            ),
        }
    }
}

const OPAQUE: &[(&str, Opaque)] = &[
    ("bc_exp", Opaque::Unary(Unary::Exp)),
    ("bc_ln", Opaque::Unary(Unary::Ln)),
    ("bc_tan", Opaque::Unary(Unary::Tan)),
    ("bc_asin", Opaque::Unary(Unary::Asin)),
    ("bc_acos", Opaque::Unary(Unary::Acos)),
    ("bc_atan", Opaque::Unary(Unary::Atan)),
    ("bc_sinh", Opaque::Unary(Unary::Sinh)),
    ("bc_cosh", Opaque::Unary(Unary::Cosh)),
    ("bc_tanh", Opaque::Unary(Unary::Tanh)),
    ("bc_abs", Opaque::Unary(Unary::Abs)),
    ("bc_sign", Opaque::Unary(Unary::Sign)),
    ("bc_floor", Opaque::Unary(Unary::Floor)),
    ("bc_atan2", Opaque::Binary(Binary::Atan2)),
    ("bc_min", Opaque::Binary(Binary::Min)),
    ("bc_max", Opaque::Binary(Binary::Max)),
    ("bc_pow", Opaque::Binary(Binary::Pow)),
    ("bc_mod", Opaque::Binary(Binary::Mod)),
    ("bc_select", Opaque::Select),
    ("bc_table", Opaque::Table),
];

fn is_opaque(expr: &Expr) -> bool {
    match expr.node() {
        Node::Unary(Unary::Sqrt | Unary::Sin | Unary::Cos, _) => false,
        Node::Unary(..) | Node::Binary(..) | Node::Select(..) | Node::Table(..) => true,
        _ => false,
    }
}

fn opaque(function: Opaque, arguments: &[Atom]) -> Atom {
    let (name, _) = OPAQUE
        .iter()
        .find(|(_, known)| *known == function)
        .expect("every opaque function is listed");
    let builder = FunctionBuilder::new(symbolica::symbol!(*name));
    arguments
        .iter()
        .fold(builder, |builder, argument| builder.add_arg(argument))
        .finish()
}

fn by_name(name: Name) -> Option<Opaque> {
    OPAQUE
        .iter()
        .find(|(text, _)| name.get_stripped_name() == *text)
        .map(|(_, function)| *function)
}

fn whole(view: AtomView) -> Result<usize, String> {
    match view {
        AtomView::Num(number) => match number.get_coeff_view() {
            CoefficientView::Natural(n, 1, 0, _) if n >= 0 => Ok(n as usize),
            _ => Err(format!("the index {view}")),
        },
        _ => Err(format!("the index {view}")),
    }
}
