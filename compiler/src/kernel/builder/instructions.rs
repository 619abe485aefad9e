//! Builds the instructions of one function: a value is computed once, and each rewrite below is local,
//! named, and has its line of maths.
//!
//! Normal form: a factor that is a number is positive; a minus sign stands outside of
//! products, quotients and odd functions and is taken up by the next sum; a difference has the earlier
//! value first. So a · b, b · a and −a · b share one product. A rewrite never makes a number that is
//! not finite: such an operation is left to the machine.

use crate::expr::{Binary, Unary};
use crate::kernel::language::instruction::{Dependence, InstructionKey};
use crate::kernel::{Instruction, Slot, Value};
use crate::small_keys::SmallKeyMap;

/// The instructions of a function under construction.
#[derive(Clone, Debug, Default)]
pub struct Builder {
    instructions: Vec<Instruction>,
    dependence: Vec<Dependence>,
    known: SmallKeyMap<InstructionKey, Value>,
}

impl Builder {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The instructions so far.
    pub fn instructions(&self) -> &[Instruction] {
        &self.instructions
    }

    /// The instruction that computes a value.
    pub fn instruction(&self, value: Value) -> Instruction {
        self.instructions[value.0 as usize]
    }

    /// The inputs that a value depends on.
    pub fn dependence(&self, value: Value) -> Dependence {
        self.dependence[value.0 as usize]
    }

    /// The number, if the value is one.
    pub fn as_constant(&self, value: Value) -> Option<f64> {
        match self.instruction(value) {
            Instruction::Constant(number) => Some(number),
            _ => None,
        }
    }

    /// True for the structural zero.
    pub fn is_zero(&self, value: Value) -> bool {
        self.as_constant(value) == Some(0.0)
    }

    /// The value of an instruction as it stands: found if it is known, else added.
    pub fn insert(&mut self, instruction: Instruction) -> Value {
        let instruction = instruction.ordered();
        let key = instruction.key();
        if let Some(&value) = self.known.get(&key) {
            return value;
        }
        let value = Value(u32::try_from(self.instructions.len()).expect("fewer than 2³² values"));
        let dependence = instruction.dependence(|operand| self.dependence(operand));
        self.dependence.push(dependence);
        self.instructions.push(instruction);
        self.known.insert(key, value);
        value
    }

    /// A number; −0 = 0.
    pub fn constant(&mut self, number: f64) -> Value {
        self.insert(Instruction::Constant(number + 0.0))
    }

    /// The structural zero.
    pub fn zero(&mut self) -> Value {
        self.constant(0.0)
    }

    /// Reads an input.
    pub fn load(&mut self, slot: Slot) -> Value {
        self.insert(Instruction::Load(slot))
    }

    fn fold(&mut self, number: f64, otherwise: Instruction) -> Value {
        if number.is_finite() {
            self.constant(number)
        } else {
            self.insert(otherwise)
        }
    }

    /// a + b, with 0 + x = x, a + (−b) = a − b, (−a) + b = b − a, (−a) + (−b) = −(a + b), c₁ x + c₂ x = (c₁ + c₂) x,
    /// c x + c y = c (x + y), (s + c₁ x) + c₂ x = s + (c₁ + c₂) x.
    pub fn add(&mut self, a: Value, b: Value) -> Value {
        use Instruction::{Add, Constant, Neg};
        match (self.instruction(a), self.instruction(b)) {
            (Constant(x), Constant(y)) => self.fold(x + y, Add(a, b)),
            (Constant(0.0), _) => b,
            (_, Constant(0.0)) => a,
            (Neg(x), Neg(y)) => {
                let sum = self.add(x, y);
                self.neg(sum)
            }
            (_, Neg(y)) => self.sub(a, y),
            (Neg(x), _) => self.sub(b, x),
            _ if let Some((c, d, x)) = self.like_terms(a, b) => self.scale(c + d, x),
            _ if let Some((c, x, y)) = self.like_factors(a, b) => {
                let sum = self.add(x, y);
                self.scale(c, sum)
            }
            (Add(s, t), _) if self.like_terms(t, b).is_some() => {
                let terms = self.add(t, b);
                self.add(s, terms)
            }
            _ => self.insert(Add(a, b)),
        }
    }

    /// a − b, with x − 0 = x, 0 − x = −x, x − x = 0, a − (−b) = a + b, (−a) − b = −(a + b),
    /// c₁ x − c₂ x = (c₁ − c₂) x, c x − c y = c (x − y), and a − b = −(b − a) if b is the earlier value.
    pub fn sub(&mut self, a: Value, b: Value) -> Value {
        use Instruction::{Constant, Neg, Sub};
        match (self.instruction(a), self.instruction(b)) {
            _ if a == b => self.zero(),
            (Constant(x), Constant(y)) => self.fold(x - y, Sub(a, b)),
            (_, Constant(0.0)) => a,
            (Constant(0.0), _) => self.neg(b),
            (_, Neg(y)) => self.add(a, y),
            (Neg(x), _) => {
                let sum = self.add(x, b);
                self.neg(sum)
            }
            _ if let Some((c, d, x)) = self.like_terms(a, b) => self.scale(c - d, x),
            _ if let Some((c, x, y)) = self.like_factors(a, b) => {
                let difference = self.sub(x, y);
                self.scale(c, difference)
            }
            _ if b < a => {
                let difference = self.insert(Sub(b, a));
                self.neg(difference)
            }
            _ => self.insert(Sub(a, b)),
        }
    }

    /// Numbers c₁, c₂ and x if a = c₁ x and b = c₂ x, of which a sum makes one product.
    fn like_terms(&self, a: Value, b: Value) -> Option<(f64, f64, Value)> {
        let ((c, x), (d, y)) = (self.term(a), self.term(b));
        (x == y && (c + d).is_normal() && (c - d).is_normal()).then_some((c, d, x))
    }

    /// A number c, x and y if a = c x and b = c y, of which a sum needs one product.
    fn like_factors(&self, a: Value, b: Value) -> Option<(f64, Value, Value)> {
        let ((c, x), (d, y)) = (self.term(a), self.term(b));
        (c == d && c != 1.0).then_some((c, x, y))
    }

    /// c and x if the value is a product c x with a number, else 1 and itself.
    fn term(&self, value: Value) -> (f64, Value) {
        let Instruction::Mul(p, q) = self.instruction(value) else {
            return (1.0, value);
        };
        match (self.as_constant(p), self.as_constant(q)) {
            (Some(c), _) => (c, q),
            (_, Some(c)) => (c, p),
            _ => (1.0, value),
        }
    }

    /// −a, with −(−x) = x.
    pub fn neg(&mut self, a: Value) -> Value {
        match self.instruction(a) {
            Instruction::Constant(x) => self.constant(-x),
            Instruction::Neg(x) => x,
            _ => self.insert(Instruction::Neg(a)),
        }
    }

    /// a · b, with 0 · x = 0, 1 · x = x, c₁ · (c₂ · x) = (c₁ c₂) · x, (−a) · b = −(a · b),
    /// (−c) · x = −(c · x).
    pub fn mul(&mut self, a: Value, b: Value) -> Value {
        use Instruction::{Constant, Mul, Neg};
        match (self.instruction(a), self.instruction(b)) {
            (Constant(x), Constant(y)) => self.fold(x * y, Mul(a, b)),
            (Constant(c), _) => self.scale(c, b),
            (_, Constant(c)) => self.scale(c, a),
            (Neg(x), Neg(y)) => self.mul(x, y),
            (Neg(x), _) => {
                let product = self.mul(x, b);
                self.neg(product)
            }
            (_, Neg(y)) => {
                let product = self.mul(a, y);
                self.neg(product)
            }
            _ => self.insert(Mul(a, b)),
        }
    }

    /// c · x for an x that is not a number.
    fn scale(&mut self, c: f64, x: Value) -> Value {
        if c == 0.0 {
            return self.zero();
        }
        if c < 0.0 {
            let product = self.scale(-c, x);
            return self.neg(product);
        }
        match self.instruction(x) {
            _ if c == 1.0 => x,
            Instruction::Neg(y) => {
                let product = self.scale(c, y);
                self.neg(product)
            }
            Instruction::Mul(p, q) => self.scale_product(c, x, p, q),
            _ => self.scaled(c, x),
        }
    }

    /// c₁ · (c₂ · x) = (c₁ c₂) · x
    fn scale_product(&mut self, c: f64, product: Value, p: Value, q: Value) -> Value {
        let (inner, rest) = match (self.as_constant(p), self.as_constant(q)) {
            (Some(inner), _) => (inner, q),
            (_, Some(inner)) => (inner, p),
            _ => return self.scaled(c, product),
        };
        let both = c * inner;
        if both.is_normal() {
            self.scale(both, rest)
        } else {
            self.scaled(c, product)
        }
    }

    fn scaled(&mut self, c: f64, x: Value) -> Value {
        let c = self.constant(c);
        self.insert(Instruction::Mul(c, x))
    }

    /// a / b, with 0 / x = 0, x / c = (1/c) · x where 1/c is exact, (−a) / b = a / (−b) = −(a / b).
    pub fn div(&mut self, a: Value, b: Value) -> Value {
        use Instruction::{Constant, Div, Neg};
        match (self.instruction(a), self.instruction(b)) {
            (Constant(x), Constant(y)) => self.fold(x / y, Div(a, b)),
            (Constant(0.0), _) => a,
            (_, Constant(c)) if has_exact_reciprocal(c) => self.scale(c.recip(), a),
            (Neg(x), Neg(y)) => self.div(x, y),
            (_, Constant(c)) if c < 0.0 => {
                let positive = self.constant(-c);
                self.negative_quotient(a, positive)
            }
            (Constant(c), _) if c < 0.0 => {
                let positive = self.constant(-c);
                self.negative_quotient(positive, b)
            }
            (Neg(x), _) => self.negative_quotient(x, b),
            (_, Neg(y)) => self.negative_quotient(a, y),
            _ => self.insert(Div(a, b)),
        }
    }

    fn negative_quotient(&mut self, a: Value, b: Value) -> Value {
        let quotient = self.div(a, b);
        self.neg(quotient)
    }

    /// 1 / a
    pub fn reciprocal(&mut self, a: Value) -> Value {
        let one = self.constant(1.0);
        self.div(one, a)
    }

    /// xⁿ by repeated squaring: x²ᵏ = (xᵏ)², x²ᵏ⁺¹ = x · (xᵏ)², x⁻ⁿ = 1 / xⁿ.
    pub fn power(&mut self, x: Value, exponent: i32) -> Value {
        if exponent < 0 {
            let positive = self.whole_power(x, exponent.unsigned_abs());
            return self.reciprocal(positive);
        }
        self.whole_power(x, exponent.unsigned_abs())
    }

    fn whole_power(&mut self, x: Value, exponent: u32) -> Value {
        match exponent {
            0 => self.constant(1.0),
            1 => x,
            n => {
                let half = self.whole_power(x, n / 2);
                let even = self.mul(half, half);
                if n % 2 == 0 { even } else { self.mul(x, even) }
            }
        }
    }

    /// f(a), with f(−x) = −f(x) for odd functions and f(−x) = f(x) for even ones.
    pub fn unary(&mut self, function: Unary, a: Value) -> Value {
        let plain = Instruction::Unary(function, a);
        match (self.instruction(a), parity(function)) {
            (Instruction::Constant(x), _) => self.fold(function.apply(x), plain),
            (Instruction::Neg(x), Some(Parity::Even)) => self.unary(function, x),
            (Instruction::Neg(x), Some(Parity::Odd)) => {
                let positive = self.unary(function, x);
                self.neg(positive)
            }
            _ => self.insert(plain),
        }
    }

    /// f(a, b), with min(x, x) = max(x, x) = x.
    pub fn binary(&mut self, function: Binary, a: Value, b: Value) -> Value {
        let plain = Instruction::Binary(function, a, b);
        match (self.as_constant(a), self.as_constant(b)) {
            (Some(x), Some(y)) => self.fold(function.apply(x, y), plain),
            _ if a == b && matches!(function, Binary::Min | Binary::Max) => a,
            _ => self.insert(plain),
        }
    }

    /// The n-th derivative of a table.
    pub fn table(&mut self, table: u32, derivative: u8, a: Value) -> Value {
        self.insert(Instruction::Table(table, derivative, a))
    }
}

enum Parity {
    Even,
    Odd,
}

fn parity(function: Unary) -> Option<Parity> {
    match function {
        Unary::Cos | Unary::Cosh | Unary::Abs => Some(Parity::Even),
        Unary::Sin
        | Unary::Tan
        | Unary::Asin
        | Unary::Atan
        | Unary::Sinh
        | Unary::Tanh
        | Unary::Sign => Some(Parity::Odd),
        Unary::Sqrt | Unary::Exp | Unary::Ln | Unary::Acos | Unary::Floor => None,
    }
}

/// True for ±2ᵏ: a zero mantissa, and a reciprocal that is neither subnormal nor infinite.
fn has_exact_reciprocal(c: f64) -> bool {
    const MANTISSA: u64 = (1 << 52) - 1;
    c.is_normal() && c.recip().is_normal() && c.to_bits() & MANTISSA == 0
}
