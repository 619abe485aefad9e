//! Euler's method with the new velocity in the position.

use crate::arithmetic::add_scaled;
use crate::{Integrator, Mechanism, State, Stop, Vector, Workspace};

/// Order 1, one evaluation a step. Without constraint rows it keeps the energy of conservative motion in
/// bounds. With them it does not: the constraint forces are those at the beginning of the step, which
/// adds about (h ω)² of the kinetic energy in each step to whatever turns at ω.
///
/// ```text
/// v₁ = v₀ + h v̇(t, q₀, v₀)      q₁ = q₀ + h T(q₀) v₁
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SemiImplicitEuler<T> {
    step: T,
}

impl<T> SemiImplicitEuler<T> {
    /// With this step.
    pub const fn new(step: T) -> Self {
        Self { step }
    }
}

impl<M: Mechanism> Integrator<M> for SemiImplicitEuler<M::Scalar> {
    fn step_size(&self) -> M::Scalar {
        self.step
    }

    #[inline]
    fn step(
        &self,
        m: &M,
        state: &mut State<M>,
        step: M::Scalar,
        workspace: &mut Workspace<M>,
    ) -> Result<(), Stop> {
        let acceleration = workspace.begin(m, state)?;
        add_scaled(&mut state.v, step, &acceleration.accelerations);
        state.work += step * acceleration.power;
        let mut rates = M::Coordinates::zero();
        m.rates(&state.q, &state.v, &mut rates);
        add_scaled(&mut state.q, step, &rates);
        state.time += step;
        Ok(())
    }
}
