//! The classical method of Runge and Kutta.

use crate::arithmetic::{add_scaled, sum_scaled};
use crate::{Integrator, Mechanism, Real, Stabilizer, State, StateView, StepContext, Stop};

/// Order 4, four evaluations a step.
///
/// ```text
/// y₁ = y₀ + h/6 (k₁ + 2 k₂ + 2 k₃ + k₄)
/// k₁ = f(t, y₀)   k₂ = f(t + h/2, y₀ + h/2 k₁)   k₃ = f(t + h/2, y₀ + h/2 k₂)   k₄ = f(t + h, y₀ + h k₃)
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rk4<T> {
    step: T,
}

impl<T> Rk4<T> {
    /// With this step.
    pub const fn new(step: T) -> Self {
        Self { step }
    }
}

impl<M: Mechanism, S: Stabilizer<M>> Integrator<M, S> for Rk4<M::Scalar> {
    type Memory = ();

    const ONE_STEP: bool = true;

    fn memory(&self) {}

    fn step_size(&self) -> M::Scalar {
        self.step
    }

    #[inline]
    fn step(
        &self,
        run: &mut StepContext<M, S>,
        (): &mut (),
        state: &mut State<M>,
        step: M::Scalar,
    ) -> Result<M::Scalar, Stop> {
        let two = M::Scalar::ONE + M::Scalar::ONE;
        let half = step / two;
        let mut k = run.first_slope(state)?;
        let mut sum = k;
        for (offset, weight) in [(half, two), (half, two), (step, M::Scalar::ONE)] {
            let q = sum_scaled(&state.q, offset, &k.q);
            let v = sum_scaled(&state.v, offset, &k.v);
            let t = state.time + offset;
            k = run.slope(StateView { t, q: &q, v: &v })?;
            sum.add(weight, &k);
        }
        let sixth = step / M::Scalar::from_f64(6.0);
        add_scaled(&mut state.q, sixth, &sum.q);
        add_scaled(&mut state.v, sixth, &sum.v);
        state.work += sixth * sum.work;
        state.time += step;
        Ok(step)
    }
}
