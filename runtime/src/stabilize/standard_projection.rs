//! The standard projection of Euler parameters.

use super::contract::{ConstraintLevel, Corrector, Goals};
use super::plain_correction::PlainSteps;
use crate::arithmetic::add;
use crate::{
    Projection, Real, Stabilizer, Standard, StandardFactorization, State, Stop, Vector, Workspace,
};

/// Constraints and norms of Euler parameters together, in all coordinates,
///
/// ```text
/// H Δq = −(f, Φ)        H = ∂(f, Φ)/∂q        f = p · p − 1        D Δv = −Φ̇
/// ```
///
/// with steps of the smallest norm. Needs two factors a step, one of H Hᵀ and one of D Dᵀ. In points and in the
/// plane there are no norms, and H is D.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StandardProjection {
    /// When its passes end.
    pub goals: Goals,
}

impl<M: Standard> Stabilizer<M> for StandardProjection {
    type Memory = ();

    #[inline]
    fn projects(&self) -> bool {
        true
    }

    fn memory(&self) {}

    /// Norms are left to the passes, which leave only round-off of them. If the constraint equations need no pass,
    /// norms are restored nevertheless, because not every constraint equation depends on them.
    #[inline]
    fn project(
        &self,
        m: &M,
        state: &mut State<M>,
        workspace: &mut Workspace<M>,
        (): &mut (),
    ) -> Result<Projection<M::Scalar>, Stop> {
        let mut corrector = Together {
            plain: PlainSteps::new(workspace),
            factor: None,
        };
        let goals = &self.goals;
        let (mut position_passes, mut phi) =
            goals.contract(m, state, ConstraintLevel::Position, &mut corrector)?;
        m.normalize(&mut state.q);
        if position_passes == 0 {
            (position_passes, phi) =
                goals.contract(m, state, ConstraintLevel::Position, &mut corrector)?;
        }
        let (velocity_passes, phi_dot) =
            goals.contract(m, state, ConstraintLevel::Velocity, &mut corrector)?;
        Ok(Projection {
            position_passes,
            velocity_passes,
            phi,
            phi_dot,
        })
    }
}

/// Passes with one factor for each level, which is made when it is first needed.
struct Together<'w, M: Standard> {
    plain: PlainSteps<'w, M>,
    factor: Option<StandardFactorization<M>>,
}

impl<M: Standard> Together<'_, M> {
    #[inline]
    fn factorize(&mut self, m: &M, state: &State<M>) {
        let factor = self.factor.insert(StandardFactorization::zero());
        m.standard_factor(state.time, &state.q, factor);
        self.plain.workspace.counts.factorizations += 1;
    }

    /// If the margin of H Hᵀ is not positive, norms and constraint equations are corrected one after the other.
    #[inline]
    fn correct_position(
        &mut self,
        m: &M,
        state: &mut State<M>,
        residual: &M::Multipliers,
    ) -> Result<(), Stop> {
        if self.factor.is_none() {
            self.factorize(m, state);
        }
        let regular = |one: &&StandardFactorization<M>| one.margin > M::Scalar::ZERO;
        let Some(factor) = self.factor.as_ref().filter(regular) else {
            m.normalize(&mut state.q);
            return self
                .plain
                .correct(m, state, ConstraintLevel::Position, residual);
        };
        let mut dq = M::Coordinates::zero();
        m.standard_correction(&state.q, &factor.factor, residual, &mut dq);
        add(&mut state.q, &dq);
        Ok(())
    }
}

impl<M: Standard> Corrector<M> for Together<'_, M> {
    #[inline]
    fn correct(
        &mut self,
        m: &M,
        state: &mut State<M>,
        level: ConstraintLevel,
        residual: &M::Multipliers,
    ) -> Result<(), Stop> {
        match level {
            ConstraintLevel::Position => self.correct_position(m, state, residual),
            ConstraintLevel::Velocity => self.plain.correct(m, state, level, residual),
        }
    }

    #[cold]
    fn refactor(&mut self, m: &M, state: &State<M>, least: M::Scalar) -> Result<(), Stop> {
        self.factorize(m, state);
        self.plain.refactor(m, state, least)
    }
}
