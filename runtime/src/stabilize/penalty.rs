//! Constraint equations as stiff damped springs.

use crate::{Acceleration, Gains, Penalized, Real, Stabilizer, StateView, Stop, Vector, Workspace};

/// Every constraint equation is a spring and damper with an inertia of its own,
///
/// ```text
/// (M + α DᵀD) v̇ = Q − α Dᵀ(−γ + 2 µ ω Φ̇ + ω² Φ)
/// ```
///
/// which leaves a violation of the order 1/α. It is solved as M v̇ = Q + Dᵀ λ, D v̇ + λ/α = γ − 2 µ ω Φ̇ − ω² Φ, so
/// that a large α loses no digits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Penalty {
    /// α, for constraint equations in metres or radians.
    pub penalty: f64,
    /// ω, the frequency of the springs, in 1/s.
    pub frequency: f64,
    /// µ, their damping; 1 is critical.
    pub damping: f64,
}

impl Default for Penalty {
    /// α = 10⁷, ω = 10, µ = 1, as Marques, Souto and Flores take them.
    fn default() -> Self {
        Self {
            penalty: 1e7,
            frequency: 10.0,
            damping: 1.0,
        }
    }
}

impl Penalty {
    /// 2 µ ω, ω² and 1/α.
    pub(super) fn gains<T: Real>(&self) -> Gains<T> {
        Gains {
            damping: T::from_f64(2.0 * self.damping * self.frequency),
            stiffness: T::from_f64(self.frequency * self.frequency),
            compliance: T::from_f64(1.0 / self.penalty),
        }
    }
}

/// Memory of the last evaluation.
pub struct PenaltyMemory<M: Penalized> {
    /// The factor for further solves.
    pub(super) factor: M::PenaltyFactor,
    /// λ*
    pub(super) multipliers: M::Multipliers,
    /// Share of a change of λ that the next repetition adds, as it was last measured.
    pub(super) ratio: M::Scalar,
}

impl<M: Penalized> PenaltyMemory<M> {
    /// Nothing known yet.
    pub(super) fn new() -> Self {
        Self {
            factor: M::PenaltyFactor::zero(),
            multipliers: M::Multipliers::zero(),
            ratio: M::Scalar::ONE,
        }
    }

    /// Accelerations and the factor that they leave.
    #[inline]
    pub(super) fn accelerate<'w>(
        &mut self,
        gains: &Gains<M::Scalar>,
        m: &M,
        state: StateView<'_, M>,
        workspace: &'w mut Workspace<M>,
    ) -> Result<&'w mut Acceleration<M>, Stop> {
        let (lambda, factor) = (&self.multipliers, &mut self.factor);
        let accelerate = |out: &mut Acceleration<M>| {
            m.accelerate_penalty(state, lambda, gains, out, factor);
        };
        workspace.evaluate_with(m, state, gains, accelerate)
    }
}

impl<M: Penalized> Clone for PenaltyMemory<M> {
    fn clone(&self) -> Self {
        Self { ..*self }
    }
}

impl<M: Penalized> Stabilizer<M> for Penalty {
    type Memory = PenaltyMemory<M>;

    const PLAIN: bool = false;

    fn memory(&self) -> PenaltyMemory<M> {
        PenaltyMemory::new()
    }

    #[inline]
    fn evaluate<'w>(
        &self,
        m: &M,
        state: StateView<'_, M>,
        workspace: &'w mut Workspace<M>,
        memory: &mut PenaltyMemory<M>,
    ) -> Result<&'w Acceleration<M>, Stop> {
        let evaluated = memory.accelerate(&self.gains(), m, state, workspace)?;
        Ok(evaluated)
    }
}
