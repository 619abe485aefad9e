//! Generalised-α, on the stabilised index-2 form and on index 3.

use super::jump::explained;
use super::newton::{EndOfStep, Iterate, NewtonMatrix, NewtonScheme, StepEquations, settle};
use crate::arithmetic::{add_scaled, sum_scaled};
use crate::{Integrator, Projecting, Real, State, StepContext, Stop, Tangent, Vector};

/// Order 2, for stiff mechanisms. Oscillations that are too fast for the step are damped, in the limit by the factor
/// ρ∞ in each step. Both Φ = 0 and Φ̇ = 0 hold after each step.
///
/// ```text
/// q₁ = q₀ moved along h v₀ + h² (½ − β) a₀ + h² β a₁ + u        v₁ = v₀ + h (1 − γ) a₀ + h γ a₁
/// (1 − α_m) a₁ + α_m a₀ = (1 − α_f) v̇₁ + α_f v̇₀                 M v̇₁ = Q + Dᵀ λ
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GeneralizedAlpha<T> {
    step: T,
    /// ρ∞: the factor by which a step damps an oscillation that is much faster than the step. It is clamped to the
    /// range from 0 to 1.
    pub rho: T,
}

/// The same on index 3, without u: Φ = 0 holds after each step, Φ̇ = 0 up to the error of the method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GeneralizedAlphaIndex3<T> {
    step: T,
    /// ρ∞: the factor by which a step damps an oscillation that is much faster than the step. It is clamped to the
    /// range from 0 to 1.
    pub rho: T,
}

/// Memory of generalised-α from step to step.
pub struct AlphaMemory<M: Tangent> {
    last: Option<Last<M>>,
    matrix: NewtonMatrix<M>,
}

impl<M: Tangent> Clone for AlphaMemory<M> {
    fn clone(&self) -> Self {
        Self {
            last: self.last,
            matrix: self.matrix.clone(),
        }
    }
}

/// The end of a step, with its averaged acceleration a.
struct Last<M: Tangent> {
    motion: EndOfStep<M>,
    averaged: M::Velocities,
}

impl<M: Tangent> Clone for Last<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: Tangent> Copy for Last<M> {}

/// α_m = (2ρ − 1)/(ρ + 1), α_f = ρ/(ρ + 1), γ = ½ + α_f − α_m, β = ¼ (γ + ½)²
struct AlphaCoefficients<T> {
    mass: T,
    force: T,
    gamma: T,
    beta: T,
}

impl<T: Real> AlphaCoefficients<T> {
    fn new(rho: T) -> Self {
        let rho = rho.max(T::ZERO).min(T::ONE);
        let half = T::from_f64(0.5);
        let mass = (rho + rho - T::ONE) / (rho + T::ONE);
        let force = rho / (rho + T::ONE);
        let gamma = half + force - mass;
        let root = half * (gamma + half);
        Self {
            mass,
            force,
            gamma,
            beta: root * root,
        }
    }

    /// ((1 − α_f) v̇₁ + α_f v̇₀ − α_m a₀) / (1 − α_m)
    fn averaged<M: Tangent<Scalar = T>>(
        &self,
        last: &Last<M>,
        accelerations: &M::Velocities,
    ) -> M::Velocities {
        let share = T::ONE / (T::ONE - self.mass);
        let mut averaged = M::Velocities::zero();
        add_scaled(&mut averaged, share * (T::ONE - self.force), accelerations);
        add_scaled(
            &mut averaged,
            share * self.force,
            &last.motion.accelerations,
        );
        add_scaled(&mut averaged, -share * self.mass, &last.averaged);
        averaged
    }

    /// a₁ = v̇₁ (1 − α_f)/(1 − α_m) + …, q₁ = … + h² β a₁, v₁ = … + h γ a₁
    fn scheme(&self, step: T, form: StepEquations) -> NewtonScheme<T> {
        let share = (T::ONE - self.mass) / (T::ONE - self.force);
        NewtonScheme {
            velocity: self.gamma / (step * self.beta),
            acceleration: share / (step * step * self.beta),
            compliance: T::ZERO,
            form,
        }
    }
}

fn advance<M: Tangent, S: Projecting<M>>(
    run: &mut StepContext<M, S>,
    memory: &mut AlphaMemory<M>,
    state: &mut State<M>,
    step: M::Scalar,
    rho: M::Scalar,
    form: StepEquations,
) -> Result<M::Scalar, Stop> {
    let last = match memory.last {
        Some(last) => last,
        None => {
            let motion = EndOfStep::of(run.begin(state)?);
            Last {
                motion,
                averaged: motion.accelerations,
            }
        }
    };
    let motion = &last.motion;
    let c = AlphaCoefficients::new(rho);
    let half = M::Scalar::from_f64(0.5);
    let averaged = c.averaged(&last, &motion.accelerations);
    let mut travel = M::Velocities::zero();
    add_scaled(&mut travel, step, &state.v);
    add_scaled(&mut travel, step * step * (half - c.beta), &last.averaged);
    add_scaled(&mut travel, step * step * c.beta, &averaged);
    let rest = step * (M::Scalar::ONE - c.gamma);
    let mut v = sum_scaled(&state.v, rest, &last.averaged);
    add_scaled(&mut v, step * c.gamma, &averaged);
    let mut point = Iterate {
        time: state.time + step,
        q: state.q,
        v,
        accelerations: motion.accelerations,
        multipliers: motion.multipliers,
    };
    let (m, counts) = (run.mechanism, &mut run.workspace.counts);
    let mut scheme = c.scheme(step, form);
    settle(
        m,
        &state.q,
        travel,
        &mut point,
        &mut scheme,
        &mut memory.matrix,
        counts,
    )
    .map_err(|stop| explained(run, state, step, stop))?;
    let power = run.evaluate(point.view())?.power;
    state.work += half * step * (motion.power + power);
    memory.last = Some(Last {
        averaged: c.averaged(&last, &point.accelerations),
        motion: EndOfStep {
            accelerations: point.accelerations,
            multipliers: point.multipliers,
            power,
        },
    });
    (state.time, state.q, state.v) = (point.time, point.q, point.v);
    Ok(step)
}

macro_rules! method {
    ($($name:ident, $form:expr;)*) => {$(
        impl<T: Real> $name<T> {
            /// With this step and ρ∞ = 0.9.
            pub fn new(step: T) -> Self {
                Self { step, rho: T::from_f64(0.9) }
            }

            /// With another ρ∞.
            #[must_use]
            pub const fn with_rho(mut self, rho: T) -> Self {
                self.rho = rho;
                self
            }
        }

        impl<M: Tangent, S: Projecting<M>> Integrator<M, S> for $name<M::Scalar> {
            type Memory = AlphaMemory<M>;

            fn memory(&self) -> Self::Memory {
                AlphaMemory { last: None, matrix: NewtonMatrix::none() }
            }

            fn step_size(&self) -> M::Scalar {
                self.step
            }

            fn step(
                &self,
                run: &mut StepContext<M, S>,
                memory: &mut Self::Memory,
                state: &mut State<M>,
                step: M::Scalar,
            ) -> Result<M::Scalar, Stop> {
                advance(run, memory, state, step, self.rho, $form)
            }
        }
    )*};
}

method! {
    GeneralizedAlpha, StepEquations::Index2;
    GeneralizedAlphaIndex3, StepEquations::Index3;
}
