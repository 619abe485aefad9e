//! The start and the redundant constraint equations. Assembly finds a consistent state at the default parameters and
//! the rank of the constraint equations at several such states. From the rank follow the degrees of freedom and the
//! redundant constraint equations.

mod assemble;
mod close;
mod deviation;
mod far;
mod inertia;
mod metric;
mod numbers;
mod order;
mod pose;
mod probes;
mod rank;
mod redundancy;
mod samples;
mod shares;
mod sparse;
mod stiffness;
mod transfer;
mod triangle;

pub use crate::numeric::State;
pub use assemble::{as_guessed, assemble};
pub use metric::{Metric, light_velocities, metric};
pub use numbers::{FullEquations, at, moved, numbers, symbols_at};
pub use pose::posed;
pub use samples::Sample;
pub use stiffness::{SpringStiffness, stiffest, stiffness};
pub use transfer::{guess_from_start, transfer};

use serde::{Deserialize, Serialize};

/// Result of assembly.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Assembly {
    /// Consistent coordinates at the start.
    pub coordinates: Vec<f64>,
    /// Consistent velocities at the start.
    pub velocities: Vec<f64>,
    /// The default parameters.
    #[serde(skip)]
    pub parameters: Vec<f64>,
    /// The states at which the rank was taken, the start first.
    #[serde(skip)]
    pub states: Vec<State>,
    /// Rows that are redundant at every state that was tried, in growing order. The unrolled solve leaves them out.
    pub redundant: Vec<u32>,
    /// Shares of the rows in D M⁻¹ Dᵀ, if rows may vanish; otherwise none.
    #[serde(skip)]
    pub shares: Vec<f64>,
    /// True if some of these are redundant only within the tolerance.
    #[serde(skip)]
    pub rounded: bool,
    /// Degrees of freedom: velocities less the rank of all rows.
    pub freedoms: usize,
    /// Length that makes Φ comparable to 1.
    pub size: f64,
    /// M and D at some states, by which the kernel chooses its pivots.
    #[serde(skip)]
    pub samples: Vec<Sample>,
}

impl Assembly {
    /// The redundant rows as indices.
    pub fn redundant_rows(&self) -> Vec<usize> {
        self.redundant.iter().map(|row| *row as usize).collect()
    }
}
