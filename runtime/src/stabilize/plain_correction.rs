//! Projections in the metric of the velocities themselves.

use super::contract::{ConstraintLevel, Corrector, Goals, move_by};
use crate::{
    Plain, PlainFactorization, Projection, Real, Stabilizer, State, Stop, Vector, Workspace,
};

/// Direct correction without the masses,
///
/// ```text
/// q ← q − T Dᵀ (D Dᵀ)⁻¹ Φ        v ← v − Dᵀ (D Dᵀ)⁻¹ Φ̇
/// ```
///
/// with one factor a step: the smallest move in metres and radians.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlainCorrection {
    /// When its passes end.
    pub goals: Goals,
}

impl<M: Plain> Stabilizer<M> for PlainCorrection {
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
        let mut corrector = PlainSteps::new(workspace);
        self.goals.project(m, state, &mut corrector)
    }
}

/// Passes with one factor of D Dᵀ, which is made when it is first needed.
pub(super) struct PlainSteps<'w, M: Plain> {
    pub(super) workspace: &'w mut Workspace<M>,
    factor: Option<PlainFactorization<M>>,
}

impl<'w, M: Plain> PlainSteps<'w, M> {
    pub(super) fn new(workspace: &'w mut Workspace<M>) -> Self {
        Self {
            workspace,
            factor: None,
        }
    }

    /// The factor at this state, or the present one; `None` if its margin is not positive and the dense factor
    /// replaces it.
    #[inline]
    pub(super) fn factor(
        &mut self,
        m: &M,
        state: &State<M>,
    ) -> Result<Option<&M::PlainFactor>, Stop> {
        if self.factor.is_none() {
            self.factorize(m, state)?;
        }
        let regular = |one: &&PlainFactorization<M>| one.margin > M::Scalar::ZERO;
        Ok(self.factor.as_ref().filter(regular).map(|one| &one.factor))
    }

    #[inline]
    fn factorize(&mut self, m: &M, state: &State<M>) -> Result<(), Stop> {
        let factor = self.factor.insert(PlainFactorization::zero());
        m.plain_factor(state.time, &state.q, factor);
        self.workspace.counts.factorizations += 1;
        let regular = factor.margin > M::Scalar::ZERO;
        if !regular {
            self.workspace.evaluation.factorize_plain(m, state)?;
        }
        Ok(())
    }

    /// −Dᵀ (D Dᵀ)⁺ r
    #[inline]
    pub(super) fn step(
        &mut self,
        m: &M,
        state: &State<M>,
        residual: &M::Multipliers,
    ) -> Result<M::Velocities, Stop> {
        if let Some(factor) = self.factor(m, state)? {
            let mut step = M::Velocities::zero();
            m.plain_correction(factor, residual, &mut step);
            return Ok(step);
        }
        Ok(self.workspace.evaluation.dense_correction(residual))
    }
}

impl<M: Plain> Corrector<M> for PlainSteps<'_, M> {
    #[inline]
    fn correct(
        &mut self,
        m: &M,
        state: &mut State<M>,
        level: ConstraintLevel,
        residual: &M::Multipliers,
    ) -> Result<(), Stop> {
        let step = self.step(m, state, residual)?;
        move_by(m, state, level, &step);
        Ok(())
    }

    #[cold]
    fn refactor(&mut self, m: &M, state: &State<M>, least: M::Scalar) -> Result<(), Stop> {
        self.factorize(m, state)?;
        if self.factor(m, state)?.is_none() {
            self.workspace.evaluation.orthogonalize(least);
        }
        Ok(())
    }
}
