//! No projection.

use crate::arithmetic::norm;
use crate::{Mechanism, Stabilizer, State, Vector};

/// Lets the state drift, and only measures the violation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoStabilizer;

impl<M: Mechanism> Stabilizer<M> for NoStabilizer {
    type Memory = ();

    fn memory(&self) {}
}

/// ‖Φ‖∞ and ‖Φ̇‖∞
pub(crate) fn violation<M: Mechanism>(m: &M, state: &State<M>) -> (M::Scalar, M::Scalar) {
    let (mut phi, mut phi_dot) = (M::Multipliers::zero(), M::Multipliers::zero());
    m.constraints(state.time, &state.q, &mut phi);
    m.velocity_constraints(state.view(), &mut phi_dot);
    (norm(&phi), norm(&phi_dot))
}
