//! Mass-weighted direct correction.

use super::contract::{ConstraintLevel, Corrector, Goals, move_position};
use crate::arithmetic::add;
use crate::{Mechanism, Projection, SolvePath, Stabilizer, State, Stop, Vector, Workspace};

/// Repeats, with the factor that the integrator left,
///
/// ```text
/// q ← q − T M⁻¹ Dᵀ (D M⁻¹ Dᵀ)⁻¹ Φ        v ← v − M⁻¹ Dᵀ (D M⁻¹ Dᵀ)⁻¹ Φ̇
/// ```
///
/// until the violation is round-off: the smallest move in the mass metric.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DirectCorrection {
    /// When its passes end.
    pub goals: Goals,
}

impl<M: Mechanism> Stabilizer<M> for DirectCorrection {
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
        self.goals.project(m, state, &mut MassWeighted(workspace))
    }
}

/// Passes with the factor of the last evaluation.
pub(crate) struct MassWeighted<'w, M: Mechanism>(pub(crate) &'w mut Workspace<M>);

impl<M: Mechanism> Corrector<M> for MassWeighted<'_, M> {
    #[inline]
    fn correct(
        &mut self,
        m: &M,
        state: &mut State<M>,
        level: ConstraintLevel,
        residual: &M::Multipliers,
    ) -> Result<(), Stop> {
        let evaluation = &self.0.evaluation;
        match level {
            ConstraintLevel::Position => {
                let mut dq = M::Coordinates::zero();
                evaluation.position_correction(m, &state.q, residual, &mut dq);
                move_position(m, state, &dq);
            }
            ConstraintLevel::Velocity => {
                let mut dv = M::Velocities::zero();
                evaluation.velocity_correction(m, residual, &mut dv);
                add(&mut state.v, &dv);
            }
        }
        Ok(())
    }

    #[cold]
    fn refactor(&mut self, m: &M, state: &State<M>, least: M::Scalar) -> Result<(), Stop> {
        self.0.evaluate(m, state.view())?;
        self.0.evaluation.refine(least);
        Ok(())
    }

    fn takes_all(&self) -> bool {
        self.0.evaluation.path != SolvePath::Unrolled
    }
}
