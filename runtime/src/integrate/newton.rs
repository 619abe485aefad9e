//! The Newton iterations of implicit integrators, with a matrix that is kept as long as it converges well.

use crate::arithmetic::{add, add_scaled, norm, scaled};
use crate::saddle::{Both, SaddleFactor};
use crate::{
    Acceleration, Counts, Dense, Mechanism, Real, StateView, Stop, Tangent, TangentFactorization,
    Tangents, Vector, Weights,
};

/// Current point of an iteration: a state with its accelerations and multipliers.
pub struct Iterate<M: Mechanism> {
    pub time: M::Scalar,
    pub q: M::Coordinates,
    pub v: M::Velocities,
    pub accelerations: M::Velocities,
    pub multipliers: M::Multipliers,
}

impl<M: Mechanism> Clone for Iterate<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: Mechanism> Copy for Iterate<M> {}

impl<M: Mechanism> Iterate<M> {
    /// Its state.
    #[inline]
    pub fn view(&self) -> StateView<'_, M> {
        StateView {
            t: self.time,
            q: &self.q,
            v: &self.v,
        }
    }
}

impl<M: Tangent> Iterate<M> {
    /// M v̇ − Q − Dᵀ λ
    pub fn residual(&self, m: &M) -> M::Velocities {
        let mut forces = M::Velocities::zero();
        m.residual(
            self.view(),
            &self.accelerations,
            &self.multipliers,
            &mut forces,
        );
        forces
    }

    /// Φ
    pub fn phi(&self, m: &M) -> M::Multipliers {
        let mut phi = M::Multipliers::zero();
        m.constraints(self.time, &self.q, &mut phi);
        phi
    }

    /// Φ̇
    pub fn phi_dot(&self, m: &M) -> M::Multipliers {
        let mut phi_dot = M::Multipliers::zero();
        m.velocity_constraints(self.view(), &mut phi_dot);
        phi_dot
    }
}

/// v̇, λ and the power at the end of a step.
pub struct EndOfStep<M: Mechanism> {
    pub accelerations: M::Velocities,
    pub multipliers: M::Multipliers,
    pub power: M::Scalar,
}

impl<M: Mechanism> Clone for EndOfStep<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: Mechanism> Copy for EndOfStep<M> {}

impl<M: Mechanism> EndOfStep<M> {
    /// The motion of a state that has been evaluated.
    pub fn of(now: &Acceleration<M>) -> Self {
        Self {
            accelerations: now.accelerations,
            multipliers: now.multipliers,
            power: now.power,
        }
    }
}

/// [A, −Dᵀ; D, ε] factorised, by generated code, or densely if the unrolled factor is not good.
pub struct NewtonMatrix<M: Tangent> {
    weights: Option<Weights<M::Scalar>>,
    unrolled: TangentFactorization<M>,
    is_unrolled: bool,
    dense: SaddleFactor<M>,
}

impl<M: Tangent> Clone for NewtonMatrix<M> {
    fn clone(&self) -> Self {
        Self {
            weights: self.weights,
            unrolled: TangentFactorization {
                factor: self.unrolled.factor,
                margin: self.unrolled.margin,
            },
            is_unrolled: self.is_unrolled,
            dense: self.dense.clone(),
        }
    }
}

impl<M: Tangent> NewtonMatrix<M> {
    /// None yet.
    pub fn none() -> Self {
        Self {
            weights: None,
            unrolled: TangentFactorization::zero(),
            is_unrolled: true,
            dense: SaddleFactor::zero(),
        }
    }

    /// Whether there is a matrix for these weights.
    pub fn serves(&self, weights: &Weights<M::Scalar>) -> bool {
        self.weights == Some(*weights)
    }

    /// Factorises at a point.
    pub fn factorize(
        &mut self,
        m: &M,
        point: &Iterate<M>,
        weights: &Weights<M::Scalar>,
        counts: &mut Counts,
    ) {
        let Iterate {
            accelerations,
            multipliers,
            ..
        } = point;
        let out = &mut self.unrolled;
        m.tangent_factor(point.view(), accelerations, multipliers, weights, out);
        self.is_unrolled = out.margin > M::Scalar::ZERO;
        if !self.is_unrolled {
            self.factorize_densely(m, point, weights);
            counts.dense += 1;
        }
        counts.factorizations += 1;
        self.weights = Some(*weights);
    }

    #[cold]
    #[inline(never)]
    fn factorize_densely(&mut self, m: &M, point: &Iterate<M>, weights: &Weights<M::Scalar>) {
        let Iterate {
            accelerations,
            multipliers,
            ..
        } = point;
        let (mut dense, mut tangents) = (Dense::zero(), Tangents::zero());
        m.dense(point.view(), &mut dense);
        m.tangents(point.view(), accelerations, multipliers, &mut tangents);
        self.dense.factorize(&dense, &tangents, weights);
    }

    /// A x − Dᵀ y = forces, D x + ε y = phi
    #[inline]
    pub fn solve(
        &self,
        m: &M,
        forces: &M::Velocities,
        phi: &M::Multipliers,
    ) -> (M::Velocities, M::Multipliers) {
        if self.is_unrolled {
            let (mut x, mut y) = (M::Velocities::zero(), M::Multipliers::zero());
            m.tangent_solve(&self.unrolled.factor, forces, phi, &mut x, &mut y);
            return (x, y);
        }
        let right = Both {
            velocities: *forces,
            multipliers: *phi,
        };
        let solution = self.dense.solve(&right);
        (solution.velocities, solution.multipliers)
    }
}

/// Iterations for one step.
const MAX_ITERATIONS: usize = 50;
/// Fresh matrices for one step.
const MAX_REFRESHED: usize = 4;
/// Share of the compliance of its constraint equations that a fresh matrix keeps.
const STIFFER: f64 = 0.01;
/// An iteration whose step exceeds this share of the step before it needs a fresh matrix.
const SLOW: f64 = 0.2;
/// Remaining error when an iteration has converged to round-off, in units of round-off.
const GOAL: f64 = 4.0;
/// Below this many units of round-off, steps that fall no further are round-off.
const FLOOR: f64 = 4e4;

/// Progress of an iteration, judged by the sizes of its steps.
pub struct Convergence<T> {
    goal: T,
    /// Below this a step may be round-off.
    floor: T,
    last: Option<T>,
    iterations: usize,
    refreshed: usize,
}

/// Next action after an iteration.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// The last step was round-off, or the one after it would be.
    Converged,
    /// Go on.
    Iterate,
    /// Go on with a fresh matrix.
    Refresh,
    /// The iteration does not converge.
    GiveUp,
}

impl<T: Real> Convergence<T> {
    /// No iteration yet; it has converged when the error of a quantity of this size is round-off.
    pub fn to_round_off(size: T) -> Self {
        let unit = T::EPSILON * size;
        Self {
            goal: unit * T::from_f64(GOAL),
            floor: unit * T::from_f64(FLOOR),
            last: None,
            iterations: 0,
            refreshed: 0,
        }
    }

    /// The same, or when the error is below `goal`.
    pub fn towards(goal: T, size: T) -> Self {
        let exact = Self::to_round_off(size);
        Self {
            goal: goal.max(exact.goal),
            ..exact
        }
    }

    /// The same, where steps of this size are known to be round-off.
    #[must_use]
    pub fn above(self, round_off: T) -> Self {
        Self {
            floor: self.floor.max(round_off),
            ..self
        }
    }

    /// Judges a step of this size.
    pub fn judge(&mut self, size: T) -> Next {
        self.iterations += 1;
        let last = self.last.replace(size);
        if size <= self.goal {
            return Next::Converged;
        }
        if !size.is_finite() || self.iterations == MAX_ITERATIONS {
            return Next::GiveUp;
        }
        let Some(last) = last else {
            return Next::Iterate;
        };
        let share = size / last;
        if share < T::from_f64(0.5) && share * size <= self.goal {
            return Next::Converged;
        }
        if share > T::from_f64(0.5) && size <= self.floor {
            return Next::Converged;
        }
        let slow = share > T::from_f64(SLOW);
        match slow && self.refreshed < MAX_REFRESHED {
            true => Next::Refresh,
            false => Next::Iterate,
        }
    }

    /// Number of iterations so far.
    pub fn iterations(&self) -> usize {
        self.iterations
    }

    /// A matrix that was just made: the next step says how good it is, not the last one.
    pub fn refreshed(&mut self) {
        self.last = None;
        self.refreshed += 1;
    }
}

/// Change of v and v̇ with the position: δv = velocity · δs, δv̇ = acceleration · δs.
#[derive(Clone, Copy)]
pub struct NewtonScheme<T> {
    pub velocity: T,
    pub acceleration: T,
    /// Compliance: how far a constraint equation gives way to its multiplier from one iteration to the next.
    pub compliance: T,
    pub form: StepEquations,
}

/// The constraints that hold after the step.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum StepEquations {
    /// Φ = 0
    Index3,
    /// Φ = 0 and Φ̇ = 0
    Index2,
}

impl<T: Real> NewtonScheme<T> {
    /// Scaled so that the matrix does not change with the step but for its small terms.
    pub fn weights(&self) -> Weights<T> {
        Weights {
            mass: T::ONE,
            damping: self.velocity / self.acceleration,
            stiffness: T::ONE / self.acceleration,
            compliance: self.compliance * self.acceleration,
        }
    }
}

/// Moves a point, which lies at `begin` advanced by `travel`, until it is in balance and the constraints hold: with a
/// and b for the rates of the scheme,
///
/// ```text
/// (b M + a C + K) δs − Dᵀ δλ = −r        D δs = −Φ
/// ```
///
/// on index 3, where constraint equations whose compliance makes them converge slowly are made stiffer. On the
/// stabilised index-2 form the second equation is D a δs = −Φ̇. A further displacement u along the constraint forces
/// keeps Φ = 0; it does not contribute to the velocity.
pub fn settle<M: Tangent>(
    m: &M,
    begin: &M::Coordinates,
    mut travel: M::Velocities,
    point: &mut Iterate<M>,
    scheme: &mut NewtonScheme<M::Scalar>,
    matrix: &mut NewtonMatrix<M>,
    counts: &mut Counts,
) -> Result<(), Stop> {
    let mut progress = Convergence::to_round_off(M::Scalar::from_f64(M::SIZE));
    place(m, begin, &travel, point);
    if !matrix.serves(&scheme.weights()) {
        matrix.factorize(m, point, &scheme.weights(), counts);
    }
    loop {
        counts.iterations += 1;
        let step = iterate(m, point, scheme, matrix);
        add(&mut travel, &step);
        place(m, begin, &travel, point);
        match progress.judge(norm(&step)) {
            Next::Converged => return Ok(()),
            Next::Iterate => {}
            Next::Refresh => {
                scheme.compliance *= M::Scalar::from_f64(STIFFER);
                matrix.factorize(m, point, &scheme.weights(), counts);
                progress.refreshed();
            }
            Next::GiveUp => return Err(no_convergence(point.time, norm(&step), &progress)),
        }
    }
}

/// The error of an iteration that does not converge.
pub fn no_convergence<T: Real>(time: T, step: T, progress: &Convergence<T>) -> Stop {
    Stop::NoConvergence {
        time: time.to_f64(),
        residual: step.to_f64(),
        iterations: progress.iterations(),
    }
}

/// One iteration: moves velocities, accelerations and multipliers, and gives the move of the position.
#[inline]
fn iterate<M: Tangent>(
    m: &M,
    point: &mut Iterate<M>,
    scheme: &NewtonScheme<M::Scalar>,
    matrix: &NewtonMatrix<M>,
) -> M::Velocities {
    let forces = scaled(&point.residual(m), -M::Scalar::ONE / scheme.acceleration);
    let mut phi = scaled(&point.phi(m), -M::Scalar::ONE);
    let rows = match scheme.form {
        StepEquations::Index3 => phi,
        StepEquations::Index2 => scaled(&point.phi_dot(m), -M::Scalar::ONE / scheme.velocity),
    };
    let (mut step, multipliers) = matrix.solve(m, &forces, &rows);
    add_scaled(&mut point.multipliers, scheme.acceleration, &multipliers);
    add_scaled(&mut point.accelerations, scheme.acceleration, &step);
    add_scaled(&mut point.v, scheme.velocity, &step);
    if scheme.form == StepEquations::Index2 {
        add_scaled(&mut phi, -M::Scalar::ONE, &rows);
        let (along, _) = matrix.solve(m, &M::Velocities::zero(), &phi);
        add(&mut step, &along);
    }
    step
}

fn place<M: Tangent>(
    m: &M,
    begin: &M::Coordinates,
    travel: &M::Velocities,
    point: &mut Iterate<M>,
) {
    point.q = *begin;
    m.advance(&mut point.q, travel);
}
