//! The trapezoidal rule on index 3 with an augmented Lagrangian.

use super::jump::explained;
use super::newton::{EndOfStep, Iterate, NewtonMatrix, NewtonScheme, StepEquations, settle};
use crate::arithmetic::{add, add_scaled, norm, scaled, sum_scaled};
use crate::{Integrator, Projecting, Real, State, StepContext, Stop, Tangent, Vector};

/// Order 2, without damping of its own: the trapezoidal rule
///
/// ```text
/// q₁ = q₀ moved along h/2 (v₀ + v₁)        v₁ = v₀ + h/2 (v̇₀ + v̇₁)        M v̇₁ = Q − Dᵀ (λ* + α Φ)
/// ```
///
/// with λ* ← λ* + α Φ in each iteration until Φ is round-off. Then velocities and accelerations are projected in the
/// metric of the same matrix, because the rule alone would not keep them on the manifold. In the matrix the
/// constraint equations have the compliance 1/α. It is equivalent to M + h/2 C + h²/4 (K + α DᵀD), without the large
/// numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AugmentedLagrangianIndex3<T> {
    step: T,
    /// α, in units of force for each unit of violation. Constraint equations that would converge too slowly get a
    /// larger value.
    pub penalty: T,
}

impl<T: Real> AugmentedLagrangianIndex3<T> {
    /// With this step and α = 1e8.
    pub fn new(step: T) -> Self {
        Self {
            step,
            penalty: T::from_f64(1e8),
        }
    }

    /// With another α.
    #[must_use]
    pub const fn with_penalty(mut self, penalty: T) -> Self {
        self.penalty = penalty;
        self
    }
}

/// Memory of the method from step to step.
pub struct TrapezoidalMemory<M: Tangent> {
    motion: Option<EndOfStep<M>>,
    matrix: NewtonMatrix<M>,
    compliance: M::Scalar,
}

impl<M: Tangent> Clone for TrapezoidalMemory<M> {
    fn clone(&self) -> Self {
        Self {
            motion: self.motion,
            matrix: self.matrix.clone(),
            compliance: self.compliance,
        }
    }
}

impl<M: Tangent, S: Projecting<M>> Integrator<M, S> for AugmentedLagrangianIndex3<M::Scalar> {
    type Memory = TrapezoidalMemory<M>;

    fn memory(&self) -> Self::Memory {
        TrapezoidalMemory {
            motion: None,
            matrix: NewtonMatrix::none(),
            compliance: M::Scalar::ONE / self.penalty,
        }
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
        let last = match memory.motion {
            Some(motion) => motion,
            None => EndOfStep::of(run.begin(state)?),
        };
        let (two, half) = (M::Scalar::from_f64(2.0), M::Scalar::from_f64(0.5));
        let v = sum_scaled(&state.v, step, &last.accelerations);
        let mut travel = scaled(&state.v, half * step);
        add_scaled(&mut travel, half * step, &v);
        let mut point = Iterate {
            time: state.time + step,
            q: state.q,
            v,
            accelerations: last.accelerations,
            multipliers: last.multipliers,
        };
        let mut scheme = NewtonScheme {
            velocity: two / step,
            acceleration: two * two / (step * step),
            compliance: memory.compliance,
            form: StepEquations::Index3,
        };
        let (m, matrix) = (run.mechanism, &mut memory.matrix);
        let counts = &mut run.workspace.counts;
        settle(m, &state.q, travel, &mut point, &mut scheme, matrix, counts)
            .map_err(|stop| explained(run, state, step, stop))?;
        let counts = &mut run.workspace.counts;
        memory.compliance = scheme.compliance;
        // An old matrix still converges, but it would project along the constraint forces of another pose.
        matrix.factorize(m, &point, &scheme.weights(), counts);
        project_velocities(m, matrix, &mut point);
        let now = run.evaluate(point.view())?;
        project_accelerations(m, matrix, &mut point, &now.accelerations);
        memory.motion = Some(EndOfStep {
            accelerations: point.accelerations,
            multipliers: point.multipliers,
            power: now.power,
        });
        state.work += half * step * (last.power + now.power);
        (state.time, state.q, state.v) = (point.time, point.q, point.v);
        Ok(step)
    }
}

/// Passes of a projection. The violation that the compliance leaves falls fast.
const PASSES: usize = 20;
/// A violation that falls no further is round-off.
const STALLED: f64 = 0.5;

/// v ← v + x, A x = Dᵀ y, D x = −Φ̇
fn project_velocities<M: Tangent>(m: &M, matrix: &NewtonMatrix<M>, point: &mut Iterate<M>) {
    let mut time = *point;
    repeat(m, matrix, |step| {
        add(&mut time.v, step);
        time.phi_dot(m)
    });
    point.v = time.v;
}

/// v̇ ← v̇ + x, A x = Dᵀ y, D x = γ − D v̇, where γ is D times the accelerations that the state has by itself.
fn project_accelerations<M: Tangent>(
    m: &M,
    matrix: &NewtonMatrix<M>,
    point: &mut Iterate<M>,
    own: &M::Velocities,
) {
    let rates = |v: &M::Velocities| Iterate { v: *v, ..*point }.phi_dot(m);
    let gamma = rates(own);
    let mut accelerations = point.accelerations;
    repeat(m, matrix, |step| {
        add(&mut accelerations, step);
        sum_scaled(&rates(&accelerations), -M::Scalar::ONE, &gamma)
    });
    point.accelerations = accelerations;
}

/// Repeats steps against a violation until it is round-off; `moved` makes a step and returns the remaining violation.
fn repeat<M: Tangent>(
    m: &M,
    matrix: &NewtonMatrix<M>,
    mut moved: impl FnMut(&M::Velocities) -> M::Multipliers,
) {
    let none = M::Velocities::zero();
    let mut left = moved(&none);
    for _ in 0..PASSES {
        let before = norm(&left);
        let (step, _) = matrix.solve(m, &none, &scaled(&left, -M::Scalar::ONE));
        left = moved(&step);
        let falls = norm(&left) < before * M::Scalar::from_f64(STALLED);
        if !falls {
            break;
        }
    }
}
