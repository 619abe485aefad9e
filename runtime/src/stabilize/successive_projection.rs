//! Vlasenko and Kasper's successive projection.

use super::contract::{ConstraintLevel, Corrector, Goals, move_by};
use super::plain_correction::PlainSteps;
use crate::{Plain, Projection, Stabilizer, State, Stop, Vector, Workspace};

/// Each pass restores the norms inside bodies first and then the joints, along directions that keep the norms:
///
/// ```text
/// p ← p/|p|        D Δ = −Φ        q ← q + T Δ        (Δ of the smallest norm)
/// ```
///
/// T Δ does not change the norm of Euler parameters to first order, so the second half does not spoil the
/// first. In points the norms are the distances within each body, D_b Δ = −Φ_b. One factor of D Dᵀ, whose
/// leading block is D_b D_bᵀ, serves all passes and the velocities.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SuccessiveProjection {
    /// When its passes end.
    pub goals: Goals,
}

impl<M: Plain> Stabilizer<M> for SuccessiveProjection {
    type Memory = ();

    #[inline]
    fn projects(&self) -> bool {
        true
    }

    fn memory(&self) {}

    #[inline]
    fn project(
        &self,
        m: &M,
        state: &mut State<M>,
        workspace: &mut Workspace<M>,
        (): &mut (),
    ) -> Result<Projection<M::Scalar>, Stop> {
        let mut corrector = Successive(PlainSteps::new(workspace));
        self.goals.project(m, state, &mut corrector)
    }
}

/// Passes in two halves; norms of Euler parameters are restored at the end of each, for the next one.
struct Successive<'w, M: Plain>(PlainSteps<'w, M>);

impl<M: Plain> Successive<'_, M> {
    /// q ← q − D_bᵀ (D_b D_bᵀ)⁻¹ Φ_b, and the remaining violation. Where the factor is no good there is no first half.
    #[inline]
    fn restore_bodies(
        &mut self,
        m: &M,
        state: &mut State<M>,
        residual: &mut M::Multipliers,
    ) -> Result<(), Stop> {
        if let Some(factor) = self.0.factor(m, state)? {
            let mut step = M::Velocities::zero();
            m.inner_correction(factor, residual, &mut step);
            move_by(m, state, ConstraintLevel::Position, &step);
            m.constraints(state.time, &state.q, residual);
        }
        Ok(())
    }
}

impl<M: Plain> Corrector<M> for Successive<'_, M> {
    #[inline]
    fn correct(
        &mut self,
        m: &M,
        state: &mut State<M>,
        level: ConstraintLevel,
        residual: &M::Multipliers,
    ) -> Result<(), Stop> {
        let mut residual = *residual;
        if M::INNER > 0 && level == ConstraintLevel::Position {
            self.restore_bodies(m, state, &mut residual)?;
        }
        self.0.correct(m, state, level, &residual)
    }

    #[cold]
    fn refactor(&mut self, m: &M, state: &State<M>, least: M::Scalar) -> Result<(), Stop> {
        self.0.refactor(m, state, least)
    }
}
