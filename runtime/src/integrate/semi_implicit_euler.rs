//! Euler's method with the new velocity in the position.

use crate::arithmetic::{add_scaled, scaled};
use crate::{Integrator, Mechanism, Stabilizer, State, StepContext, Stop};

/// Order 1, one evaluation a step. Without constraint equations the energy of conservative motion stays within
/// bounds. With them it does not: the constraint forces are those at the beginning of the step, which adds about (h
/// ω)² of the kinetic energy in each step to parts that rotate at ω.
///
/// ```text
/// v₁ = v₀ + h v̇(t, q₀, v₀)      q₁ = q₀ moved along h v₁, rotations exactly
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SemiImplicitEuler<T> {
    step: T,
}

/// Rotations are exact, so Euler parameters and axes drift by round-off only. After this many evaluations the drift
/// is removed.
const RENEWED: u32 = 1024;

impl<T> SemiImplicitEuler<T> {
    /// With this step.
    pub const fn new(step: T) -> Self {
        Self { step }
    }
}

impl<M: Mechanism, S: Stabilizer<M>> Integrator<M, S> for SemiImplicitEuler<M::Scalar> {
    /// Steps so far.
    type Memory = u32;

    const ONE_STEP: bool = true;

    fn memory(&self) -> u32 {
        0
    }

    fn step_size(&self) -> M::Scalar {
        self.step
    }

    #[inline]
    fn step(
        &self,
        run: &mut StepContext<M, S>,
        steps: &mut u32,
        state: &mut State<M>,
        step: M::Scalar,
    ) -> Result<M::Scalar, Stop> {
        let acceleration = run.begin(state)?;
        add_scaled(&mut state.v, step, &acceleration.accelerations);
        state.work += step * acceleration.power;
        let travel = scaled(&state.v, step);
        run.mechanism.advance(&mut state.q, &travel);
        *steps = (*steps + 1) % RENEWED;
        if *steps == 0 {
            run.mechanism.normalize(&mut state.q);
        }
        state.time += step;
        Ok(step)
    }
}
