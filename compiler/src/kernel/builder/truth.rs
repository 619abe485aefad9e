//! Conditions and choices: a [`Truth`] that two numbers decide never reaches the machine.

use crate::kernel::builder::instructions::Builder;
use crate::kernel::{Instruction, Value};

/// The value of a condition, if it is not known already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// Decided while compiling.
    Known(bool),
    /// Decided by the machine.
    Asked(Value),
}

impl Builder {
    /// a < b, known for two numbers.
    pub fn less(&mut self, a: Value, b: Value) -> Truth {
        self.compare(a, b, |x, y| x < y, Instruction::Less(a, b))
    }

    /// a ≤ b, known for two numbers.
    pub fn less_equal(&mut self, a: Value, b: Value) -> Truth {
        self.compare(a, b, |x, y| x <= y, Instruction::LessEqual(a, b))
    }

    /// a = b, known for two numbers.
    pub fn equal(&mut self, a: Value, b: Value) -> Truth {
        self.compare(a, b, |x, y| x == y, Instruction::Equal(a, b))
    }

    fn compare(
        &mut self,
        a: Value,
        b: Value,
        holds: fn(f64, f64) -> bool,
        asked: Instruction,
    ) -> Truth {
        match (self.as_constant(a), self.as_constant(b)) {
            (Some(x), Some(y)) => Truth::Known(holds(x, y)),
            _ => Truth::Asked(self.insert(asked)),
        }
    }

    /// a ∧ b, with true ∧ x = x ∧ x = x, false ∧ x = false.
    pub fn and(&mut self, a: Truth, b: Truth) -> Truth {
        match (a, b) {
            (Truth::Known(true), x) | (x, Truth::Known(true)) => x,
            (Truth::Known(false), _) | (_, Truth::Known(false)) => Truth::Known(false),
            (x, y) if x == y => x,
            (Truth::Asked(x), Truth::Asked(y)) => Truth::Asked(self.insert(Instruction::And(x, y))),
        }
    }

    /// a ∨ b, with false ∨ x = x ∨ x = x, true ∨ x = true.
    pub fn or(&mut self, a: Truth, b: Truth) -> Truth {
        match (a, b) {
            (Truth::Known(false), x) | (x, Truth::Known(false)) => x,
            (Truth::Known(true), _) | (_, Truth::Known(true)) => Truth::Known(true),
            (x, y) if x == y => x,
            (Truth::Asked(x), Truth::Asked(y)) => Truth::Asked(self.insert(Instruction::Or(x, y))),
        }
    }

    /// ¬a, with ¬¬x = x.
    pub fn not(&mut self, a: Truth) -> Truth {
        match a {
            Truth::Known(known) => Truth::Known(!known),
            Truth::Asked(x) => match self.instruction(x) {
                Instruction::Not(y) => Truth::Asked(y),
                _ => Truth::Asked(self.insert(Instruction::Not(x))),
            },
        }
    }

    /// if c then a else b, with (if c then x else x) = x.
    pub fn select(&mut self, condition: Truth, yes: Value, no: Value) -> Value {
        match condition {
            _ if yes == no => yes,
            Truth::Known(true) => yes,
            Truth::Known(false) => no,
            Truth::Asked(c) => self.insert(Instruction::Select(c, yes, no)),
        }
    }
}
