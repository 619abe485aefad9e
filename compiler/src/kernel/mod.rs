//! The functions that the machine computes: straight-line code in static single assignment, with the linear solve
//! unrolled.
//!
//! The kernel has four parts: its language, the builder of functions, the solves, and the passes over finished
//! functions. `lower` uses them in turn.

/// The language: functions, instructions, arrays; their rules, their text and their value.
mod language;

/// Builds functions from expressions.
mod builder;

/// The solves of the linear system.
mod solve;

/// Passes over finished functions.
mod passes;

/// Equations → Kernel.
mod lower;

/// Coordinates moved by a step.
mod advance;

/// Functions that only some methods need.
mod extra;

/// Normalizes coordinates: Euler parameters, axes, counted angles.
mod normalize;

#[cfg(test)]
mod tests;

pub use builder::{Builder, Truth};
pub use language::counts::{Counts, counts};
pub use language::instruction::{Dependence, InstructionKey};
pub use language::interpret::{Memory, interpret};
pub use language::verify::{Verified, verify};
pub use language::{Argument, Array, Function, Instruction, Kernel, Name, Sizes, Slot, Value};
pub use lower::{LoweringSettings, lower};
pub use solve::Solve;
