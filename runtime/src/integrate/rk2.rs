//! The midpoint rule.

use crate::arithmetic::{add_scaled, sum_scaled};
use crate::{Integrator, Mechanism, Real, Stabilizer, State, StateView, StepContext, Stop};

/// Order 2, two evaluations a step.
///
/// ```text
/// y₁ = y₀ + h f(t + h/2, y₀ + h/2 f(t, y₀))
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rk2<T> {
    step: T,
}

impl<T> Rk2<T> {
    /// With this step.
    pub const fn new(step: T) -> Self {
        Self { step }
    }
}

impl<M: Mechanism, S: Stabilizer<M>> Integrator<M, S> for Rk2<M::Scalar> {
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
        let half = step / M::Scalar::from_f64(2.0);
        let k = run.begin(state)?;
        let q = sum_scaled(&state.q, half, &k.rates);
        let v = sum_scaled(&state.v, half, &k.accelerations);
        let t = state.time + half;
        let k = run.evaluate(StateView { t, q: &q, v: &v })?;
        add_scaled(&mut state.q, step, &k.rates);
        add_scaled(&mut state.v, step, &k.accelerations);
        state.work += step * k.power;
        state.time += step;
        Ok(step)
    }
}
