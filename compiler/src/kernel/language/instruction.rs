//! Questions that every pass asks of an instruction: its operands, its identity, its type and its dependence.

use std::mem::{Discriminant, discriminant};

use crate::kernel::{Array, Instruction, Value};

/// Identity of an instruction for hash-consing; a number is known by its bits.
pub type InstructionKey = (Discriminant<Instruction>, u64, [u32; 3]);

/// The inputs that a value depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Dependence {
    /// It is the same in every run.
    Nothing,
    /// It changes only when a parameter is set.
    Parameters,
    /// It changes from call to call.
    State,
    /// It changes with the violation, or the residual, that is corrected at one state.
    Violation,
}

impl Instruction {
    /// The values that it uses, in order.
    pub fn operands(&self) -> impl DoubleEndedIterator<Item = Value> + use<> {
        let operands = match *self {
            Self::Constant(_) | Self::Load(_) => [None; 3],
            Self::Neg(a) | Self::Not(a) | Self::Unary(_, a) | Self::Table(_, _, a) => {
                [Some(a), None, None]
            }
            Self::Add(a, b)
            | Self::Sub(a, b)
            | Self::Mul(a, b)
            | Self::Div(a, b)
            | Self::Binary(_, a, b)
            | Self::Less(a, b)
            | Self::LessEqual(a, b)
            | Self::Equal(a, b)
            | Self::And(a, b)
            | Self::Or(a, b) => [Some(a), Some(b), None],
            Self::Select(c, a, b) => [Some(c), Some(a), Some(b)],
        };
        operands.into_iter().flatten()
    }

    /// The same operation on other values.
    pub fn map(&self, mut to: impl FnMut(Value) -> Value) -> Self {
        match *self {
            Self::Constant(_) | Self::Load(_) => *self,
            Self::Add(a, b) => Self::Add(to(a), to(b)),
            Self::Sub(a, b) => Self::Sub(to(a), to(b)),
            Self::Mul(a, b) => Self::Mul(to(a), to(b)),
            Self::Div(a, b) => Self::Div(to(a), to(b)),
            Self::Neg(a) => Self::Neg(to(a)),
            Self::Unary(f, a) => Self::Unary(f, to(a)),
            Self::Binary(f, a, b) => Self::Binary(f, to(a), to(b)),
            Self::Table(id, n, a) => Self::Table(id, n, to(a)),
            Self::Less(a, b) => Self::Less(to(a), to(b)),
            Self::LessEqual(a, b) => Self::LessEqual(to(a), to(b)),
            Self::Equal(a, b) => Self::Equal(to(a), to(b)),
            Self::And(a, b) => Self::And(to(a), to(b)),
            Self::Or(a, b) => Self::Or(to(a), to(b)),
            Self::Not(a) => Self::Not(to(a)),
            Self::Select(c, a, b) => Self::Select(to(c), to(a), to(b)),
        }
    }

    /// True if the value is a truth, false if it is a real number.
    pub fn is_truth(&self) -> bool {
        matches!(
            self,
            Self::Less(..)
                | Self::LessEqual(..)
                | Self::Equal(..)
                | Self::And(..)
                | Self::Or(..)
                | Self::Not(_)
        )
    }

    /// The inputs that the value depends on, given the dependence of its operands.
    pub fn dependence(&self, of: impl Fn(Value) -> Dependence) -> Dependence {
        match self {
            Self::Load(slot) => match slot.array {
                Array::Parameters | Array::Derived => Dependence::Parameters,
                Array::Constraints | Array::Forces => Dependence::Violation,
                _ => Dependence::State,
            },
            other => other
                .operands()
                .map(of)
                .max()
                .unwrap_or(Dependence::Nothing),
        }
    }

    /// The same instruction with commuting operands in growing order: a + b = b + a.
    pub fn ordered(self) -> Self {
        match self {
            Self::Add(a, b) if b < a => Self::Add(b, a),
            Self::Mul(a, b) if b < a => Self::Mul(b, a),
            Self::Equal(a, b) if b < a => Self::Equal(b, a),
            Self::And(a, b) if b < a => Self::And(b, a),
            Self::Or(a, b) if b < a => Self::Or(b, a),
            other => other,
        }
    }

    /// Two instructions compute the same value if and only if their keys are equal.
    pub fn key(&self) -> InstructionKey {
        let ordered = self.ordered();
        let detail = match ordered {
            Self::Constant(number) => number.to_bits(),
            Self::Load(slot) => (slot.array as u64) << 32 | u64::from(slot.index),
            Self::Unary(function, _) => function as u64,
            Self::Binary(function, _, _) => function as u64,
            Self::Table(id, derivative, _) => u64::from(id) << 8 | u64::from(derivative),
            _ => 0,
        };
        let mut values = [u32::MAX; 3];
        for (place, operand) in values.iter_mut().zip(ordered.operands()) {
            *place = operand.0;
        }
        (discriminant(self), detail, values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::Unary;

    #[test]
    fn commuted_operands_have_one_key() {
        let (a, b) = (Value(3), Value(7));
        assert_eq!(Instruction::Mul(a, b).key(), Instruction::Mul(b, a).key());
        assert_ne!(Instruction::Sub(a, b).key(), Instruction::Sub(b, a).key());
        assert_ne!(Instruction::Add(a, b).key(), Instruction::Mul(a, b).key());
        assert_ne!(
            Instruction::Unary(Unary::Sin, a).key(),
            Instruction::Unary(Unary::Cos, a).key()
        );
    }
}
