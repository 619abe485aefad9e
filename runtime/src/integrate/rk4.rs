//! The classical method of Runge and Kutta.

use crate::arithmetic::{add_scaled, sum_scaled};
use crate::{Integrator, Mechanism, Real, Run, Stabilizer, State, Stop};

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

    fn memory(&self) {}

    fn step_size(&self) -> M::Scalar {
        self.step
    }

    #[inline]
    fn step(
        &self,
        run: &mut Run<M, S>,
        (): &mut (),
        state: &mut State<M>,
        step: M::Scalar,
    ) -> Result<M::Scalar, Stop> {
        let two = M::Scalar::ONE + M::Scalar::ONE;
        let half = step / two;
        let mut k = run.begin(state)?;
        let (mut q_sum, mut v_sum, mut power_sum) = (k.rates, k.accelerations, k.power);
        for (offset, weight) in [(half, two), (half, two), (step, M::Scalar::ONE)] {
            let q = sum_scaled(&state.q, offset, &k.rates);
            let v = sum_scaled(&state.v, offset, &k.accelerations);
            k = run.evaluate(state.time + offset, &q, &v)?;
            add_scaled(&mut q_sum, weight, &k.rates);
            add_scaled(&mut v_sum, weight, &k.accelerations);
            power_sum += weight * k.power;
        }
        let sixth = step / M::Scalar::from_f64(6.0);
        add_scaled(&mut state.q, sixth, &q_sum);
        add_scaled(&mut state.v, sixth, &v_sum);
        state.work += sixth * power_sum;
        state.time += step;
        Ok(step)
    }
}
