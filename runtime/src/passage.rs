//! A step through a singular position, or from or to one.
//!
//! Where constraint equations come to depend on each other, accelerations cannot be found from the state alone, but the motion goes
//! on smoothly if its velocity says on which branch. So the step is made from accelerations at other times: a polynomial
//! through the slopes at [`NODES`] times that stay away from the singular position, found by iteration,
//!
//! ```text
//! y_j = y₀ + H Σ_i a_ji f_i        f_j = f(t_j, projected y_j)        y(τ) = y₀ + H Σ_i b_i(τ) f_i
//! ```
//!
//! where a_ji and b_i are integrals of Lagrange's polynomials. The nodes lie on the manifold, so what the iteration
//! leaves across the motion does not grow. The error is of the order of H⁶, below that of every method here.

use crate::arithmetic::{exceeds, norm, scaled, sum_scaled};
use crate::integrate::Slope;
use crate::redundant::{When, largest};
use crate::stabilize::contract::{Level, move_by};
use crate::stabilize::{MassWeighted, violation};
use crate::{Goals, Mechanism, Projection, Real, RowValues, State, Stop, Vector, Workspace};

/// Times that are tried; the one that is nearest to the singular position is left out.
const TRIED: usize = 6;
/// Times through which the polynomial goes.
const NODES: usize = TRIED - 1;
/// The margin that a node should have: a thousandth of the usual distance from the singular position.
const CLEAR: f64 = 1e-6;
/// How often the span may be doubled until nodes have it.
const MAX_DOUBLINGS: usize = 10;
/// Iterations of one span.
const MAX_SWEEPS: usize = 40;
/// Margin above which a step ends like any other: a ten-thousandth of the usual distance.
const PLAIN: f64 = 1e-8;
/// Passes of the projection where a step ends nearer than that.
const PASSES: usize = 2;
/// What slopes may still change by, as a share of the speed, once they get no better.
const ROUGH: f64 = 1e-7;

/// The state after a step with what its projection left, and `None` if the iteration does not settle: then velocities do
/// not say where to go. The workspace holds an evaluation at the start.
#[cold]
#[inline(never)]
pub fn pass<M: Mechanism>(
    m: &M,
    workspace: &mut Workspace<M>,
    start: &State<M>,
    step: M::Scalar,
    time: M::Scalar,
) -> Option<Passed<M>> {
    let first = &workspace.evaluation.acceleration;
    // The dense solve knows nothing of the branch.
    let acceleration = match first.margin > M::Scalar::ZERO {
        true => first.accelerations,
        false => M::Velocities::zero(),
    };
    let mut span = 1.0;
    for _ in 0..=MAX_DOUBLINGS {
        let mut polynomial = Polynomial::new(start, acceleration, step, span);
        match polynomial.settle(m, workspace) {
            Settled::Well => return polynomial.end(m, workspace, 1.0 / span, time).ok(),
            Settled::TooNear => span *= 2.0,
            Settled::No => return None,
        }
    }
    None
}

/// Where a step through a singular position leads.
pub struct Passed<M: Mechanism> {
    pub state: State<M>,
    pub projection: Projection<M::Scalar>,
}

/// How an iteration ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Settled {
    Well,
    /// Nodes are nearer to the singular position than they should be.
    TooNear,
    No,
}

/// Slopes at the nodes, times as shares of the span.
struct Polynomial<M: Mechanism> {
    start: State<M>,
    /// v̇ at the start, or zero where it is not known.
    acceleration: M::Velocities,
    /// H
    span: M::Scalar,
    times: [f64; NODES],
    slopes: [Slope<M>; NODES],
}

impl<M: Mechanism> Polynomial<M> {
    /// Over so many steps.
    fn new(start: &State<M>, acceleration: M::Velocities, step: M::Scalar, span: f64) -> Self {
        Self {
            start: *start,
            acceleration,
            span: step * M::Scalar::from_f64(span),
            times: [0.0; NODES],
            slopes: [Slope::zero(); NODES],
        }
    }

    /// Iterates until the slopes stay what they are.
    fn settle(&mut self, m: &M, workspace: &mut Workspace<M>) -> Settled {
        let margin = self.place(m, workspace);
        if margin < M::Scalar::from_f64(CLEAR) {
            return Settled::TooNear;
        }
        let speed = M::Scalar::from_f64(M::SIZE) + norm(&self.start.v);
        let goal = M::Scalar::EPSILON * speed;
        let mut before = M::Scalar::from_f64(f64::INFINITY);
        for _ in 0..MAX_SWEEPS {
            let Ok(change) = self.sweep(m, workspace) else {
                return Settled::No;
            };
            let change = change * self.span;
            let is_rough = change > speed * M::Scalar::from_f64(ROUGH);
            // Another sweep gains nothing where what is left is round-off of the nodes.
            let stays = change > before / M::Scalar::from_f64(2.0);
            if change <= goal || (stays && !is_rough) {
                return Settled::Well;
            }
            before = change;
        }
        Settled::No
    }

    /// Chooses the nodes along the parabola that the start knows, and evaluates there; gives the least of their margins.
    fn place(&mut self, m: &M, workspace: &mut Workspace<M>) -> M::Scalar {
        let mut tried = [(0.0, Slope::zero(), M::Scalar::ZERO); TRIED];
        let mut nearest = 0;
        for n in 0..TRIED {
            let time = (n as f64 + 0.5) / TRIED as f64;
            let length = self.span * M::Scalar::from_f64(time);
            // At the singular position itself nothing may come out.
            let found = on_manifold(m, workspace, self.along(m, length));
            let (slope, margin) = found.unwrap_or((Slope::zero(), -M::Scalar::ONE));
            tried[n] = (time, slope, margin);
            if margin < tried[nearest].2 {
                nearest = n;
            }
        }
        let mut least = M::Scalar::ONE;
        let kept = (0..TRIED).filter(|n| *n != nearest);
        for (node, n) in kept.enumerate() {
            let (time, slope, margin) = tried[n];
            (self.times[node], self.slopes[node]) = (time, slope);
            least = least.min(margin);
        }
        least
    }

    /// q₀ + T (v₀ t + ½ v̇ t²), v₀ + v̇ t
    fn along(&self, m: &M, length: M::Scalar) -> State<M> {
        let half = length / M::Scalar::from_f64(2.0);
        let middle = sum_scaled(&self.start.v, half, &self.acceleration);
        let mut rates = M::Coordinates::zero();
        m.rates(&self.start.q, &middle, &mut rates);
        let mut state = self.start;
        state.time += length;
        state.q = sum_scaled(&state.q, length, &rates);
        state.v = sum_scaled(&state.v, length, &self.acceleration);
        state
    }

    /// New slopes at all nodes from the old ones; gives the largest change of an acceleration.
    fn sweep(&mut self, m: &M, workspace: &mut Workspace<M>) -> Result<M::Scalar, Stop> {
        let mut change = M::Scalar::ZERO;
        for node in 0..NODES {
            let state = self.moved(self.times[node]);
            let (slope, _) = on_manifold(m, workspace, state)?;
            let difference = sum_scaled(&slope.v, -M::Scalar::ONE, &self.slopes[node].v);
            change = change.max(norm(&difference));
            self.slopes[node] = slope;
        }
        Ok(change)
    }

    /// y₀ + H Σ b_i(τ) f_i
    fn moved(&self, time: f64) -> State<M> {
        let weights = self.weights(time);
        let sum = Slope::sum(self.span, &weights, &self.slopes);
        let length = self.span * M::Scalar::from_f64(time);
        sum.moved(&self.start, self.start.time + length)
    }

    /// The state at this share of the span, projected as far as there is something to project on.
    fn end(
        &self,
        m: &M,
        workspace: &mut Workspace<M>,
        share: f64,
        time: M::Scalar,
    ) -> Result<Passed<M>, Stop> {
        let mut state = self.moved(share);
        state.time = time;
        m.normalize(&mut state.q);
        let evaluated = workspace.evaluate(m, time, &state.q, &state.v);
        if evaluated.is_ok_and(|there| there.margin > M::Scalar::from_f64(PLAIN)) {
            let goals = Goals::default();
            let projection = goals.project(m, &mut state, &mut MassWeighted(workspace))?;
            return Ok(Passed { state, projection });
        }
        for _ in 0..PASSES {
            let usual = self.return_to_branch(m, workspace, share, &mut state)?;
            restore(m, workspace, &mut state, &usual)?;
        }
        let (phi, phi_dot) = violation(m, &state);
        let mut limit = M::Scalar::from_f64(Goals::default().limit * M::SIZE);
        if !M::REDUNDANT.is_empty() {
            limit = limit.max(largest::<M>(When::Later, M::Scalar::ZERO));
        }
        if exceeds(phi, limit) {
            return Err(Stop::ProjectionFailed {
                time: time.to_f64(),
                residual: phi.to_f64(),
                passes: PASSES,
            });
        }
        let projection = Projection {
            position_passes: PASSES,
            velocity_passes: PASSES,
            phi,
            phi_dot,
        };
        Ok(Passed { state, projection })
    }

    /// Moves the position across the motion until velocities satisfy the constraint equations. At a singular position Φ̇ tells
    /// what Φ does not: along the motion the rows that vanish there are D ≈ (t − t*) Ḋ, so with the factor of a node at
    /// t_n, D_n Δ = −Φ̇ gives Ḋ Δq = −Φ̇ for Δq = (t_n − t*) Δ. Gives how large the rows usually are, as far as the node
    /// tells.
    fn return_to_branch(
        &self,
        m: &M,
        workspace: &mut Workspace<M>,
        share: f64,
        state: &mut State<M>,
    ) -> Result<RowValues<M>, Stop> {
        let node = self.nearest(share);
        let there = self.moved(node);
        let (_, margin) = on_manifold(m, workspace, there)?;
        let mut residual = M::Multipliers::zero();
        m.velocity_constraints(state.time, &state.q, &state.v, &mut residual);
        let mut step = M::Velocities::zero();
        workspace
            .evaluation
            .velocity_correction(m, &residual, &mut step);
        let away = self.span * M::Scalar::from_f64(node - share);
        move_by(m, state, Level::Position, &scaled(&step, away));
        let evaluation = &mut workspace.evaluation;
        evaluation.factorize(m, there.time, &there.q, &there.v, &RowValues::zero())?;
        let mut usual = evaluation.diagonal();
        for row in 0..M::Multipliers::LEN {
            usual[row] /= margin;
        }
        Ok(usual)
    }

    /// The node next to a share of the span.
    fn nearest(&self, share: f64) -> f64 {
        let nearer = |a: f64, b: f64| match (b - share).abs() < (a - share).abs() {
            true => b,
            false => a,
        };
        self.times.iter().copied().fold(f64::INFINITY, nearer)
    }

    /// b_i(τ) = ∫₀^τ ℓ_i
    fn weights(&self, time: f64) -> [f64; NODES] {
        let mut weights = [0.0; NODES];
        for (i, weight) in weights.iter_mut().enumerate() {
            *weight = integral(&lagrange(&self.times, i), time);
        }
        weights
    }
}

/// The slope on the manifold near a state, and the margin there.
fn on_manifold<M: Mechanism>(
    m: &M,
    workspace: &mut Workspace<M>,
    mut state: State<M>,
) -> Result<(Slope<M>, M::Scalar), Stop> {
    m.normalize(&mut state.q);
    workspace.evaluate(m, state.time, &state.q, &state.v)?;
    // Positions to round-off itself: what is left of Φ is divided by the square of the distance to the singular position.
    let goals = Goals {
        goal: 1.0,
        ..Goals::default()
    };
    goals.project(m, &mut state, &mut MassWeighted(workspace))?;
    let found = workspace.evaluate(m, state.time, &state.q, &state.v)?;
    Ok((Slope::of(found), found.margin))
}

/// Projects on those constraint equations that do not depend on others here.
fn restore<M: Mechanism>(
    m: &M,
    workspace: &mut Workspace<M>,
    state: &mut State<M>,
    usual: &RowValues<M>,
) -> Result<(), Stop> {
    let mut residual = M::Multipliers::zero();
    let evaluation = &mut workspace.evaluation;
    evaluation.factorize(m, state.time, &state.q, &state.v, usual)?;
    m.constraints(state.time, &state.q, &mut residual);
    let step = evaluation.dense_correction(&residual);
    move_by(m, state, Level::Position, &step);
    m.velocity_constraints(state.time, &state.q, &state.v, &mut residual);
    let step = evaluation.dense_correction(&residual);
    move_by(m, state, Level::Velocity, &step);
    Ok(())
}

/// The coefficients of the polynomial that is 1 at one of the times and 0 at the others, the constant one first.
fn lagrange(times: &[f64; NODES], at: usize) -> [f64; NODES] {
    let mut coefficients = [0.0; NODES];
    coefficients[0] = 1.0;
    for (n, time) in times.iter().enumerate().filter(|(n, _)| *n != at) {
        let scale = times[at] - times[n];
        let mut below = 0.0;
        for coefficient in &mut coefficients {
            let own = *coefficient;
            *coefficient = (below - time * own) / scale;
            below = own;
        }
    }
    coefficients
}

/// ∫₀^x of a polynomial.
fn integral(coefficients: &[f64; NODES], x: f64) -> f64 {
    let terms = coefficients.iter().enumerate().rev();
    let sum = terms.fold(0.0, |sum, (n, c)| sum * x + c / (n + 1) as f64);
    sum * x
}
