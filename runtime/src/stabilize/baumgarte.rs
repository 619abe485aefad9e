//! Baumgarte's stabilization.

use crate::{Acceleration, Baumgarted, Gains, Real, Stabilizer, StateView, Stop, Workspace};

/// Accelerations that counteract violations as a damped spring would,
///
/// ```text
/// Φ̈ + 2 α Φ̇ + β² Φ = 0
/// ```
///
/// so that violations stay bounded, but do not vanish.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Baumgarte {
    /// α, in 1/s.
    pub alpha: f64,
    /// β, in 1/s; α = β is critical damping.
    pub beta: f64,
}

impl Default for Baumgarte {
    /// α = β = 5, as Marques, Souto and Flores take it.
    fn default() -> Self {
        Self {
            alpha: 5.0,
            beta: 5.0,
        }
    }
}

impl Baumgarte {
    /// α = 1/h and β = √2/h: the values that remove a violation in one step, to second order. RK4 becomes unstable at
    /// about α h = 1.
    pub fn for_step(step: f64) -> Self {
        Self {
            alpha: 1.0 / step,
            beta: core::f64::consts::SQRT_2 / step,
        }
    }

    fn gains<T: Real>(&self) -> Gains<T> {
        Gains {
            damping: T::from_f64(2.0 * self.alpha),
            stiffness: T::from_f64(self.beta * self.beta),
            compliance: T::ZERO,
        }
    }
}

impl<M: Baumgarted> Stabilizer<M> for Baumgarte {
    type Memory = ();

    const PLAIN: bool = false;

    fn memory(&self) {}

    #[inline]
    fn evaluate<'w>(
        &self,
        m: &M,
        state: StateView<'_, M>,
        workspace: &'w mut Workspace<M>,
        (): &mut (),
    ) -> Result<&'w Acceleration<M>, Stop> {
        let gains = self.gains();
        let accelerate = |out: &mut Acceleration<M>| m.accelerate_baumgarte(state, &gains, out);
        let evaluated = workspace.evaluate_with(m, state, &gains, accelerate)?;
        Ok(evaluated)
    }
}
