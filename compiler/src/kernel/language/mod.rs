//! The language of a kernel: straight-line functions in static single assignment.
//!
//! A `Function` is a list of instructions; the value of an instruction is known by its index, and an
//! instruction refers to earlier ones only. Values are real numbers, or truth values made by
//! comparisons and used by `Select`, `And`, `Or` and `Not`. Inputs are loaded from `Slot`s, outputs
//! are a list of slots with the value that each gets. Instructions are hash-consed: a value is computed
//! once in a function.

/// The arrays that a function may read and write, and their lengths.
mod arrays;
/// Numbers by their bits.
mod bits;
/// Operation counts of a function.
pub mod counts;
/// The functions of a mechanism, each declared once.
mod functions;
/// Operands, identity, type and dependence of an instruction.
pub mod instruction;
/// The functions evaluated directly.
pub mod interpret;
/// The text form.
mod print;
/// After this point every rule of a kernel holds, by type.
pub mod verify;

pub use arrays::{Array, Sizes, Slot};
pub use functions::{Argument, Name};

use serde::{Deserialize, Serialize};

use super::solve::Solve;
use crate::options::Extra;

/// All functions of a mechanism.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Kernel {
    /// One for each [`Name`] that is asked for, in the order of [`Name::ALL`].
    pub functions: Vec<Function>,
    /// Functions beyond those that every method needs.
    pub extras: Vec<Extra>,
    /// Lengths of the arrays that depend on the mechanism.
    pub sizes: Sizes,
    /// The solve of the linear system.
    pub solve: Solve,
}

/// The value of an instruction of the same function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Value(pub u32);

/// A straight-line function.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Function {
    /// Name of the function.
    pub name: Name,
    /// The instructions, in order.
    pub instructions: Vec<Instruction>,
    /// Every output slot once, in growing order; slots that are not listed are zero.
    pub outputs: Vec<(Slot, Value)>,
}

/// One operation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Instruction {
    /// A number.
    Constant(#[serde(with = "bits")] f64),
    /// Reads an input.
    Load(Slot),
    /// `a + b`
    Add(Value, Value),
    /// `a − b`
    Sub(Value, Value),
    /// `a · b`
    Mul(Value, Value),
    /// `a / b`
    Div(Value, Value),
    /// `−a`
    Neg(Value),
    /// A function of one argument.
    Unary(crate::expr::Unary, Value),
    /// A function of two arguments.
    Binary(crate::expr::Binary, Value, Value),
    /// The n-th derivative of a table.
    Table(u32, u8, Value),
    /// `a < b`
    Less(Value, Value),
    /// `a ≤ b`
    LessEqual(Value, Value),
    /// `a = b`
    Equal(Value, Value),
    /// Both truths.
    And(Value, Value),
    /// At least one truth.
    Or(Value, Value),
    /// The opposite truth.
    Not(Value),
    /// `if truth then a else b`
    Select(Value, Value, Value),
}

impl Function {
    /// Number of uses of each value.
    pub fn uses(&self) -> Vec<u32> {
        let mut uses = vec![0; self.instructions.len()];
        let operands = self.instructions.iter().flat_map(Instruction::operands);
        for value in operands.chain(self.outputs.iter().map(|&(_, v)| v)) {
            uses[value.0 as usize] += 1;
        }
        uses
    }
}
