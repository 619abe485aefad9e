//! Where it starts and what is redundant: a consistent state at the default parameters, the rank of the
//! constraint rows at several such states, and from it the freedoms and the rows that repeat others.

mod assemble;
mod close;
mod numbers;
mod redundancy;

pub use assemble::assemble;
pub use numbers::{Numbers, State, at, moved, numbers, symbols_at};

use serde::{Deserialize, Serialize};

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Assembly {
    /// Consistent coordinates at the start.
    pub coordinates: Vec<f64>,
    /// Consistent velocities at the start.
    pub velocities: Vec<f64>,
    /// Rows that repeat others at every state that was tried, growing; left out of the unrolled solve.
    pub redundant: Vec<u32>,
    /// Degrees of freedom: velocities less the rank of all rows.
    pub freedoms: usize,
    /// Length that makes Φ comparable to 1.
    pub size: f64,
}
