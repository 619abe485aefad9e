//! The stabilised index-2 form of Gear, Gupta and Leimkuhler.

use super::contract::Goals;
use super::direct_correction::MassWeighted;
use crate::arithmetic::sum_scaled;
use crate::{
    Acceleration, Mechanism, Projection, Real, Stabilizer, State, StateView, Stop, Vector,
    Workspace,
};

/// Positions that move along the manifold, with multipliers η of their own:
///
/// ```text
/// q̇ = T (v + M⁻¹ Dᵀ η)        M v̇ = Q + Dᵀ λ        Φ = 0        Φ̇ = 0
/// ```
///
/// The method is half explicit. At a stage η solves D (v + M⁻¹ Dᵀ η) + Φ_t = 0 with the factor that gave λ. At the end
/// of a step η and λ are corrected so that Φ = 0 and Φ̇ = 0. η vanishes with the step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ggl {
    /// When the passes at the end of a step end.
    pub goals: Goals,
}

impl<M: Mechanism> Stabilizer<M> for Ggl {
    type Memory = ();

    const PLAIN: bool = false;

    #[inline]
    fn projects(&self) -> bool {
        true
    }

    fn memory(&self) {}

    #[inline]
    fn evaluate<'w>(
        &self,
        m: &M,
        state: StateView<'_, M>,
        workspace: &'w mut Workspace<M>,
        (): &mut (),
    ) -> Result<&'w Acceleration<M>, Stop> {
        workspace.evaluate(m, state)?;
        let evaluation = &mut workspace.evaluation;
        let (mut phi_dot, mut change) = (M::Multipliers::zero(), M::Velocities::zero());
        m.velocity_constraints(state, &mut phi_dot);
        evaluation.velocity_correction(m, &phi_dot, &mut change);
        let along = sum_scaled(state.v, M::Scalar::ONE, &change);
        m.rates(state.q, &along, &mut evaluation.acceleration.rates);
        Ok(&evaluation.acceleration)
    }

    #[inline]
    fn project(
        &self,
        m: &M,
        state: &mut State<M>,
        workspace: &mut Workspace<M>,
        (): &mut (),
    ) -> Result<Projection<M::Scalar>, Stop> {
        self.goals.project(m, state, &mut MassWeighted(workspace))
    }
}
