//! Functions of a kernel along a curve: every value with its first two derivatives.
//!
//! Every instruction has known derivatives. A function that is evaluated on jets therefore gives exact rates of its
//! results, even of outputs for which no derivatives were derived.

use std::collections::BTreeMap;

use crate::expr::{Binary, Unary};
use crate::kernel::{Array, Function, Instruction, Slot, Value};
use crate::model::Table;

/// A value, its derivative and its second derivative along a curve.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Jet {
    /// f
    pub value: f64,
    /// ḟ
    pub rate: f64,
    /// f̈
    pub curve: f64,
}

impl Jet {
    /// A constant.
    pub fn constant(value: f64) -> Self {
        Self::new(value, 0.0, 0.0)
    }

    /// Value, derivative and second derivative.
    pub fn new(value: f64, rate: f64, curve: f64) -> Self {
        Self { value, rate, curve }
    }

    /// Numbers with their derivatives; missing derivatives are zero.
    pub fn list(values: &[f64], rates: &[f64], curves: &[f64]) -> Vec<Self> {
        let at = |list: &[f64], k: usize| list.get(k).copied().unwrap_or(0.0);
        let jet = |(k, value): (usize, &f64)| Self::new(*value, at(rates, k), at(curves, k));
        values.iter().enumerate().map(jet).collect()
    }

    fn is_constant(self) -> bool {
        self.rate == 0.0 && self.curve == 0.0
    }

    /// f(x): f′ẋ and f″ẋ² + f′ẍ. A constant has no derivatives, even where f has none.
    fn through(self, [value, first, second]: [f64; 3]) -> Self {
        match self.is_constant() {
            true => Self::constant(value),
            false => Self::new(
                value,
                first * self.rate,
                second * self.rate * self.rate + first * self.curve,
            ),
        }
    }

    fn add(self, other: Self, sign: f64) -> Self {
        Self::new(
            self.value + sign * other.value,
            self.rate + sign * other.rate,
            self.curve + sign * other.curve,
        )
    }

    fn mul(self, other: Self) -> Self {
        Self::new(
            self.value * other.value,
            self.rate * other.value + self.value * other.rate,
            self.curve * other.value + 2.0 * self.rate * other.rate + self.value * other.curve,
        )
    }

    /// c = a / b from a = c b, differentiated twice.
    fn div(self, other: Self) -> Self {
        let value = self.value / other.value;
        let rate = (self.rate - value * other.rate) / other.value;
        let curve = self.curve - 2.0 * rate * other.rate - value * other.curve;
        Self::new(value, rate, curve / other.value)
    }
}

/// Arrays of jets by name; an array that was never set is zero.
#[derive(Clone, Debug, Default)]
pub struct Jets(BTreeMap<Array, Vec<Jet>>);

impl Jets {
    /// The same with one array set.
    pub fn with(mut self, array: Array, jets: Vec<Jet>) -> Self {
        self.0.insert(array, jets);
        self
    }

    /// The array.
    pub fn get(&self, array: Array) -> &[Jet] {
        self.0.get(&array).map_or(&[], Vec::as_slice)
    }

    fn slot(&self, slot: Slot) -> Jet {
        let jet = self.get(slot.array).get(slot.index as usize);
        jet.copied().unwrap_or_default()
    }

    fn set(&mut self, slot: Slot, jet: Jet) {
        let array = self.0.entry(slot.array).or_default();
        let index = slot.index as usize;
        if array.len() <= index {
            array.resize(index + 1, Jet::default());
        }
        array[index] = jet;
    }
}

/// The outputs of a function.
pub fn along(function: &Function, inputs: &Jets, tables: &[Table]) -> Jets {
    let mut values: Vec<Jet> = Vec::with_capacity(function.instructions.len());
    for instruction in &function.instructions {
        values.push(evaluate(instruction, &values, inputs, tables));
    }
    let mut outputs = Jets::default();
    for &(slot, value) in &function.outputs {
        outputs.set(slot, values[value.0 as usize]);
    }
    outputs
}

fn evaluate(instruction: &Instruction, values: &[Jet], inputs: &Jets, tables: &[Table]) -> Jet {
    let at = |value: Value| values[value.0 as usize];
    let truth = |holds: bool| Jet::constant(f64::from(u8::from(holds)));
    match *instruction {
        Instruction::Constant(number) => Jet::constant(number),
        Instruction::Load(slot) => inputs.slot(slot),
        Instruction::Add(a, b) => at(a).add(at(b), 1.0),
        Instruction::Sub(a, b) => at(a).add(at(b), -1.0),
        Instruction::Mul(a, b) => at(a).mul(at(b)),
        Instruction::Div(a, b) => at(a).div(at(b)),
        Instruction::Neg(a) => Jet::default().add(at(a), -1.0),
        Instruction::Unary(function, a) => at(a).through(unary(function, at(a).value)),
        Instruction::Binary(function, a, b) => binary(function, at(a), at(b)),
        Instruction::Table(id, n, a) => match tables.get(id as usize) {
            Some(table) => at(a).through([0, 1, 2].map(|k| table.value(n + k, at(a).value))),
            None => Jet::constant(f64::NAN),
        },
        Instruction::Less(a, b) => truth(at(a).value < at(b).value),
        Instruction::LessEqual(a, b) => truth(at(a).value <= at(b).value),
        Instruction::Equal(a, b) => truth(at(a).value == at(b).value),
        Instruction::And(a, b) => truth(at(a).value * at(b).value != 0.0),
        Instruction::Or(a, b) => truth(at(a).value.max(at(b).value) != 0.0),
        Instruction::Not(a) => truth(at(a).value == 0.0),
        Instruction::Select(c, _, b) if at(c).value == 0.0 => at(b),
        Instruction::Select(_, a, _) => at(a),
    }
}

/// f, f′ and f″; kinks have the derivative of one side.
fn unary(function: Unary, x: f64) -> [f64; 3] {
    let f = function.apply(x);
    let [first, second] = match function {
        Unary::Sqrt => [0.5 / f, -0.25 / (x * f)],
        Unary::Exp => [f, f],
        Unary::Ln => [1.0 / x, -1.0 / (x * x)],
        Unary::Sin => [x.cos(), -f],
        Unary::Cos => [-x.sin(), -f],
        Unary::Tan => [1.0 + f * f, 2.0 * f * (1.0 + f * f)],
        Unary::Asin => arcsine(x),
        Unary::Acos => arcsine(x).map(|derivative| -derivative),
        Unary::Atan => {
            let square = 1.0 + x * x;
            [1.0 / square, -2.0 * x / (square * square)]
        }
        Unary::Sinh => [x.cosh(), f],
        Unary::Cosh => [x.sinh(), f],
        Unary::Tanh => [1.0 - f * f, -2.0 * f * (1.0 - f * f)],
        Unary::Abs => [Unary::Sign.apply(x), 0.0],
        Unary::Sign | Unary::Floor => [0.0, 0.0],
    };
    [f, first, second]
}

/// (1 − x²)^−½ and x (1 − x²)^−3/2
fn arcsine(x: f64) -> [f64; 2] {
    let square = 1.0 - x * x;
    [1.0 / square.sqrt(), x / (square * square.sqrt())]
}

fn binary(function: Binary, a: Jet, b: Jet) -> Jet {
    match function {
        Binary::Atan2 => arctangent(a, b),
        Binary::Min if a.value < b.value => a,
        Binary::Min => b,
        Binary::Max if a.value < b.value => b,
        Binary::Max => a,
        Binary::Mod => {
            let turns = Jet::constant((a.value / b.value).floor());
            a.add(b.mul(turns), -1.0)
        }
        Binary::Pow => power(a, b),
    }
}

/// θ̇ = (x ẏ − y ẋ) / r², differentiated once more.
fn arctangent(y: Jet, x: Jet) -> Jet {
    let value = y.value.atan2(x.value);
    if x.is_constant() && y.is_constant() {
        return Jet::constant(value);
    }
    let square = x.value * x.value + y.value * y.value;
    let rate = (x.value * y.rate - y.value * x.rate) / square;
    let along = x.value * x.rate + y.value * y.rate;
    let curve = (x.value * y.curve - y.value * x.curve - 2.0 * rate * along) / square;
    Jet::new(value, rate, curve)
}

/// aᵇ, as a power of a where b does not change, else as exp(b ln a).
fn power(a: Jet, b: Jet) -> Jet {
    let (x, n) = (a.value, b.value);
    if b.is_constant() {
        let second = n * (n - 1.0) * x.powf(n - 2.0);
        return a.through([x.powf(n), n * x.powf(n - 1.0), second]);
    }
    let exponent = b.mul(a.through(unary(Unary::Ln, x)));
    exponent.through([x.powf(n); 3])
}

/// How a value depends on the motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MotionDependence {
    /// It depends on positions.
    Position,
    /// It depends on velocities.
    Velocity,
    /// It depends on forces.
    Force,
}

/// The level of each output of a function.
pub fn levels(function: &Function, n_outputs: usize) -> Vec<MotionDependence> {
    let mut known: Vec<MotionDependence> = Vec::with_capacity(function.instructions.len());
    for instruction in &function.instructions {
        let own = match instruction {
            Instruction::Load(slot) => level(slot.array),
            _ => MotionDependence::Position,
        };
        let operands = instruction.operands().map(|value| known[value.0 as usize]);
        known.push(operands.fold(own, MotionDependence::max));
    }
    let mut levels = vec![MotionDependence::Position; n_outputs];
    for (slot, value) in &function.outputs {
        if let Some(place) = levels.get_mut(slot.index as usize) {
            *place = known[value.0 as usize];
        }
    }
    levels
}

fn level(array: Array) -> MotionDependence {
    match array {
        Array::Velocities => MotionDependence::Velocity,
        Array::Accelerations | Array::Multipliers => MotionDependence::Force,
        _ => MotionDependence::Position,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every function against differences of its values along x = 0.4 + 0.7 s + 0.3 s².
    #[test]
    fn derivatives_are_those_of_the_values() {
        let x = |s: f64| Jet::new(0.4 + 0.7 * s + 0.3 * s * s, 0.7 + 0.6 * s, 0.6);
        let y = |s: f64| Jet::new(1.1 - 0.2 * s, -0.2, 0.0);
        let all = [
            Unary::Sqrt,
            Unary::Exp,
            Unary::Ln,
            Unary::Sin,
            Unary::Cos,
            Unary::Tan,
            Unary::Asin,
            Unary::Acos,
            Unary::Atan,
            Unary::Sinh,
            Unary::Cosh,
            Unary::Tanh,
            Unary::Abs,
        ];
        for function in all {
            check(
                |s| x(s).through(unary(function, x(s).value)),
                &format!("{function:?}"),
            );
        }
        for function in [
            Binary::Atan2,
            Binary::Min,
            Binary::Max,
            Binary::Pow,
            Binary::Mod,
        ] {
            check(|s| binary(function, x(s), y(s)), &format!("{function:?}"));
        }
        check(|s| x(s).div(y(s)), "div");
        check(|s| x(s).mul(y(s)), "mul");
    }

    fn check(f: impl Fn(f64) -> Jet, name: &str) {
        let h = 1e-4;
        let (before, now, after) = (f(-h), f(0.0), f(h));
        let rate = (after.value - before.value) / (2.0 * h);
        let curve = (after.value - 2.0 * now.value + before.value) / (h * h);
        // Central differences err by h² times a derivative of order one, and by round-off over h².
        assert!(
            (now.rate - rate).abs() < 1e-6,
            "{name}: {} {rate}",
            now.rate
        );
        assert!(
            (now.curve - curve).abs() < 1e-5,
            "{name}: {} {curve}",
            now.curve
        );
    }
}
