//! A step through a singular position, or from or to one.
//!
//! Where constraint equations come to depend on each other, accelerations cannot be found from the state alone, but the
//! motion goes on smoothly if its velocity says on which branch. So the step is made from accelerations at other times:
//! a polynomial through the slopes at [`NODES`] times that stay away from the singular position, found by iteration,
//!
//! ```text
//! y_j = y₀ + H Σ_i a_ji f_i        f_j = f(t_j, projected y_j)        y(τ) = y₀ + H Σ_i b_i(τ) f_i
//! ```
//!
//! where a_ji and b_i are integrals of Lagrange's polynomials. The nodes lie on the manifold, so what the iteration
//! leaves across the motion does not grow. The error is of the order of H⁶, below that of every method here.

use crate::arithmetic::{add_scaled, exceeds, norm, scaled, sum_scaled};
use crate::integrate::Slope;
use crate::redundant::{When, largest};
use crate::stabilize::contract::{ConstraintLevel, Corrector, move_by};
use crate::stabilize::{MassWeighted, violation};
use crate::{Goals, Mechanism, Projection, Real, RowValues, State, Stop, Vector, Workspace};

/// Times that are tried; the one that is nearest to the singular position is left out.
const TRIED: usize = 6;
/// Times through which the polynomial goes.
const NODES: usize = TRIED - 1;
/// The margin that a node should have: a thousandth of the usual distance from the singular position.
const CLEAR: f64 = 1e-6;
/// Most doublings of the span until nodes have that margin.
const MAX_DOUBLINGS: usize = 10;
/// Iterations of one span.
const MAX_SWEEPS: usize = 40;
/// Margin above which a step ends like any other: a ten-thousandth of the usual distance.
const PLAIN: f64 = 1e-8;
/// Passes of the projection where a step ends nearer than that.
const PASSES: usize = 2;
/// Change of slopes that is still allowed once slopes get no better, as a share of the speed.
const ROUGH: f64 = 1e-7;
/// The part of a velocity that the projection of a node may change in the end. Along a branch it is the error of the
/// polynomial, far below; a start whose velocity is along none of them keeps the angle between both, some tenths.
const TURNED: f64 = 1e-2;
/// The margin that nodes of a limit should have: a thirtieth of the usual distance. Round-off ε of a position is ε/σ³
/// in multipliers across the motion, 1e-11 there.
const CLEAR_OF_LIMIT: f64 = 1e-3;
/// The first span of a limit, as the share of the mechanism's size that it moves by.
const SHORTEST: f64 = 1e-3;
/// Largest difference between multipliers and their prediction from the other nodes, as a share of the largest
/// multiplier. Where multipliers have a limit it is the error of a polynomial over a short way, 1e-4 and less; a pole
/// leaves more than all of it.
const SMOOTH: f64 = 1e-2;

/// Violations below this many units of round-off may be larger after a pass than before.
const ROUND_OFF: f64 = 1e3;

/// Positions to round-off itself, because the remaining Φ is divided by the square of the distance to the singular
/// position.
const EXACT: Goals = Goals {
    goal: 1.0,
    limit: 1e-8,
    max_passes: 10,
};

/// The state after a step with what its projection left, and `None` if the iteration does not settle: then velocities
/// do not say where to go. The workspace holds an evaluation at the start.
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
    let ways = [NodeSolve::Unrolled, NodeSolve::Orthogonal];
    ways.into_iter()
        .find_map(|way| pass_by(way, m, workspace, start, acceleration, step, time))
}

/// The same with accelerations by one of the solves.
fn pass_by<M: Mechanism>(
    way: NodeSolve,
    m: &M,
    workspace: &mut Workspace<M>,
    start: &State<M>,
    acceleration: M::Velocities,
    step: M::Scalar,
    time: M::Scalar,
) -> Option<Passed<M>> {
    let mut span = 1.0;
    for _ in 0..=MAX_DOUBLINGS {
        let mut polynomial = Polynomial::new(way, start, acceleration, step, span);
        match polynomial.settle(m, workspace) {
            Settled::Well => return polynomial.end(m, workspace, 1.0 / span, time).ok(),
            Settled::TooNear => span *= 2.0,
            Settled::No => return None,
        }
    }
    None
}

/// v̇ and λ at a state that is as good as singular, as the limit along the motion: through the values at nodes before
/// and after. `None` if the motion is not determined, or if λ has no limit, as where a mechanism has to push through a
/// dead centre. The workspace is left as it comes.
#[cold]
#[inline(never)]
pub fn limit<M: Mechanism>(
    m: &M,
    workspace: &mut Workspace<M>,
    state: &State<M>,
) -> Option<(M::Velocities, M::Multipliers)> {
    let speed = norm(&state.v);
    let is_moving = speed > M::Scalar::ZERO;
    if !is_moving {
        return None;
    }
    let mut span = M::Scalar::from_f64(SHORTEST * M::SIZE) / speed;
    for _ in 0..=MAX_DOUBLINGS {
        let mut polynomial = Polynomial::around(state, span);
        match polynomial.settle(m, workspace) {
            Settled::Well => return polynomial.limit(m, workspace),
            Settled::TooNear => span += span,
            Settled::No => return None,
        }
    }
    None
}

/// The solve that gives the accelerations at the nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NodeSolve {
    /// That of the generated code. The pivots that it takes in its fixed order may fall faster than the distance to the
    /// singular position: where redundant constraint equations were left out, the others may come to depend on each
    /// other twice.
    Unrolled,
    /// Rows of D that are made orthonormal, the one of which most is left first. It takes all of them.
    Orthogonal,
}

impl NodeSolve {
    /// Evaluates, and gives the margin.
    fn evaluate<M: Mechanism>(
        self,
        m: &M,
        workspace: &mut Workspace<M>,
        state: &State<M>,
    ) -> Result<M::Scalar, Stop> {
        match self {
            NodeSolve::Unrolled => workspace
                .evaluate(m, state.view())
                .map(|found| found.margin),
            NodeSolve::Orthogonal => workspace.evaluate_orthogonally(m, state),
        }
    }

    /// Projects a state with the factor of its evaluation.
    fn project<M: Mechanism>(
        self,
        m: &M,
        workspace: &mut Workspace<M>,
        state: &mut State<M>,
        goals: Goals,
    ) -> Result<Projection<M::Scalar>, Stop> {
        match self {
            NodeSolve::Unrolled => goals.project(m, state, &mut MassWeighted(workspace)),
            NodeSolve::Orthogonal => goals.project(m, state, &mut OrthonormalRows(workspace)),
        }
    }
}

/// Passes with rows that are made orthonormal.
struct OrthonormalRows<'w, M: Mechanism>(&'w mut Workspace<M>);

impl<M: Mechanism> Corrector<M> for OrthonormalRows<'_, M> {
    fn correct(
        &mut self,
        m: &M,
        state: &mut State<M>,
        level: ConstraintLevel,
        residual: &M::Multipliers,
    ) -> Result<(), Stop> {
        let step = self.0.evaluation.dense_correction(residual);
        move_by(m, state, level, &step);
        Ok(())
    }

    fn refactor(&mut self, m: &M, state: &State<M>, _least: M::Scalar) -> Result<(), Stop> {
        self.0.evaluate_orthogonally(m, state).map(|_| ())
    }
}

/// The end of a step through a singular position.
pub struct Passed<M: Mechanism> {
    pub state: State<M>,
    pub projection: Projection<M::Scalar>,
}

/// The end of an iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Settled {
    Well,
    /// Nodes are nearer to the singular position than they should be.
    TooNear,
    No,
}

/// Changes that a sweep over the nodes made.
struct PassageSweep<T> {
    /// The largest change of an acceleration.
    change: T,
    /// The largest part of a velocity that a projection changed.
    turned: T,
}

/// Slopes at the nodes, times as shares of the span.
struct Polynomial<M: Mechanism> {
    way: NodeSolve,
    start: State<M>,
    /// v̇ at the start, or zero where it is not known.
    acceleration: M::Velocities,
    /// H
    span: M::Scalar,
    /// Place of the start in the span, as a share of the span.
    origin: f64,
    /// The margin that nodes should have.
    clear: f64,
    /// From the start.
    times: [f64; NODES],
    slopes: [Slope<M>; NODES],
}

impl<M: Mechanism> Polynomial<M> {
    /// Over so many steps.
    fn new(
        way: NodeSolve,
        start: &State<M>,
        acceleration: M::Velocities,
        step: M::Scalar,
        span: f64,
    ) -> Self {
        Self {
            way,
            start: *start,
            acceleration,
            span: step * M::Scalar::from_f64(span),
            origin: 0.0,
            clear: CLEAR,
            times: [0.0; NODES],
            slopes: [Slope::zero(); NODES],
        }
    }

    /// Before and after a state, for its limits.
    fn around(state: &State<M>, span: M::Scalar) -> Self {
        let (way, unknown) = (NodeSolve::Unrolled, M::Velocities::zero());
        Self {
            origin: 0.5,
            clear: CLEAR_OF_LIMIT,
            ..Self::new(way, state, unknown, span, 1.0)
        }
    }

    /// Iterates until the slopes no longer change.
    fn settle(&mut self, m: &M, workspace: &mut Workspace<M>) -> Settled {
        let margin = self.place(m, workspace);
        if margin < M::Scalar::from_f64(self.clear) {
            return Settled::TooNear;
        }
        let speed = M::Scalar::from_f64(M::SIZE) + norm(&self.start.v);
        let goal = M::Scalar::EPSILON * speed;
        let mut before = M::Scalar::from_f64(f64::INFINITY);
        for _ in 0..MAX_SWEEPS {
            let Ok(PassageSweep { change, turned }) = self.sweep(m, workspace) else {
                return Settled::No;
            };
            let change = change * self.span;
            let is_rough = change > speed * M::Scalar::from_f64(ROUGH);
            // Another sweep gains nothing if the remaining change is round-off of the nodes.
            let stays = change > before / M::Scalar::from_f64(2.0);
            if change <= goal || (stays && !is_rough) {
                let is_along = turned < M::Scalar::from_f64(TURNED);
                return if is_along { Settled::Well } else { Settled::No };
            }
            before = change;
        }
        Settled::No
    }

    /// Chooses the nodes along the parabola that the start knows, and evaluates there; gives the least of their
    /// margins.
    fn place(&mut self, m: &M, workspace: &mut Workspace<M>) -> M::Scalar {
        let mut tried = [(0.0, Slope::zero(), M::Scalar::ZERO); TRIED];
        let mut nearest = 0;
        for n in 0..TRIED {
            let time = (n as f64 + 0.5) / TRIED as f64 - self.origin;
            let length = self.span * M::Scalar::from_f64(time);
            // At the singular position itself nothing may come out.
            let found = on_manifold(self.way, m, workspace, self.along(m, length));
            let (slope, margin) = match found {
                Ok(node) => (node.slope, node.margin),
                Err(_) => (Slope::zero(), -M::Scalar::ONE),
            };
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

    /// New slopes at all nodes from the old ones.
    fn sweep(
        &mut self,
        m: &M,
        workspace: &mut Workspace<M>,
    ) -> Result<PassageSweep<M::Scalar>, Stop> {
        let (mut change, mut turned) = (M::Scalar::ZERO, M::Scalar::ZERO);
        for node in 0..NODES {
            let state = self.moved(self.times[node]);
            let found = on_manifold(self.way, m, workspace, state)?;
            let difference = sum_scaled(&found.slope.v, -M::Scalar::ONE, &self.slopes[node].v);
            change = change.max(norm(&difference));
            turned = turned.max(found.turned);
            self.slopes[node] = found.slope;
        }
        Ok(PassageSweep { change, turned })
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
        let margin = self.way.evaluate(m, workspace, &state);
        if margin.is_ok_and(|margin| margin > M::Scalar::from_f64(PLAIN)) {
            let way = self.way;
            let projection = way.project(m, workspace, &mut state, Goals::default())?;
            return Ok(Passed { state, projection });
        }
        for _ in 0..PASSES {
            let before = state;
            let usual = self.return_to_branch(m, workspace, share, &mut state)?;
            restore(m, workspace, &mut state, &usual)?;
            if is_further_off(m, &state, &before) {
                state = before;
                break;
            }
        }
        let (phi, phi_dot) = violation(m, &state);
        let mut limit = M::Scalar::from_f64(Goals::default().limit * M::SIZE);
        if M::ROUNDED {
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

    /// Moves the position across the motion until velocities satisfy the constraint equations. At a singular position
    /// Φ̇ measures a deviation that Φ does not: along the motion the rows that vanish there are D ≈ (t − t*) Ḋ, so with
    /// the factor of a node at t_n, D_n Δ = −Φ̇ gives Ḋ Δq = −Φ̇ for Δq = (t_n − t*) Δ. Returns the usual size of the
    /// rows, as far as the node shows it.
    fn return_to_branch(
        &self,
        m: &M,
        workspace: &mut Workspace<M>,
        share: f64,
        state: &mut State<M>,
    ) -> Result<RowValues<M>, Stop> {
        let node = self.nearest(share);
        let there = self.moved(node);
        let margin = on_manifold(self.way, m, workspace, there)?.margin;
        let mut residual = M::Multipliers::zero();
        m.velocity_constraints(state.view(), &mut residual);
        let mut step = M::Velocities::zero();
        workspace
            .evaluation
            .velocity_correction(m, &residual, &mut step);
        let away = self.span * M::Scalar::from_f64(node - share);
        move_by(m, state, ConstraintLevel::Position, &scaled(&step, away));
        let evaluation = &mut workspace.evaluation;
        evaluation.factorize(m, there.view(), &RowValues::zero())?;
        let mut usual = evaluation.diagonal();
        for row in 0..M::Multipliers::LEN {
            usual[row] /= margin;
        }
        Ok(usual)
    }

    /// v̇ and λ at the start, if the latter have a limit there.
    fn limit(
        &self,
        m: &M,
        workspace: &mut Workspace<M>,
    ) -> Option<(M::Velocities, M::Multipliers)> {
        let mut nodes = [M::Multipliers::zero(); NODES];
        for (node, multipliers) in nodes.iter_mut().enumerate() {
            let state = self.moved(self.times[node]);
            *multipliers = multipliers_at(m, workspace, state).ok()?;
        }
        if !self.is_smooth(&nodes) {
            return None;
        }
        let (mut accelerations, mut multipliers) = (M::Velocities::zero(), M::Multipliers::zero());
        for (i, (node, slope)) in nodes.iter().zip(&self.slopes).enumerate() {
            let weight = M::Scalar::from_f64(lagrange(&self.times, i)[0]);
            add_scaled(&mut accelerations, weight, &slope.v);
            add_scaled(&mut multipliers, weight, node);
        }
        Some((accelerations, multipliers))
    }

    /// True if the values at nodes are those of a smooth function, judged at each node by the error of the polynomial
    /// through the others.
    fn is_smooth(&self, nodes: &[M::Multipliers; NODES]) -> bool {
        let largest = nodes.iter().map(norm).fold(M::Scalar::ZERO, M::Scalar::max);
        let limit = largest * M::Scalar::from_f64(SMOOTH);
        (0..NODES).all(|left_out| {
            let mut off = nodes[left_out];
            for (i, node) in nodes.iter().enumerate().filter(|(i, _)| *i != left_out) {
                let others = (0..NODES).filter(|n| *n != i && *n != left_out);
                let weight = others.fold(1.0, |product, n| {
                    let (at, own) = (self.times[left_out], self.times[i]);
                    product * (at - self.times[n]) / (own - self.times[n])
                });
                add_scaled(&mut off, M::Scalar::from_f64(-weight), node);
            }
            !exceeds(norm(&off), limit)
        })
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

/// Slope and margin on the manifold near a state.
#[derive(Clone, Copy)]
struct PassageNode<M: Mechanism> {
    slope: Slope<M>,
    margin: M::Scalar,
    /// The part of the velocity that the projection changed.
    turned: M::Scalar,
}

/// Projects a state and evaluates there.
fn on_manifold<M: Mechanism>(
    way: NodeSolve,
    m: &M,
    workspace: &mut Workspace<M>,
    mut state: State<M>,
) -> Result<PassageNode<M>, Stop> {
    m.normalize(&mut state.q);
    way.evaluate(m, workspace, &state)?;
    let before = state.v;
    way.project(m, workspace, &mut state, EXACT)?;
    let margin = way.evaluate(m, workspace, &state)?;
    let change = norm(&sum_scaled(&state.v, -M::Scalar::ONE, &before));
    Ok(PassageNode {
        slope: Slope::of(&workspace.evaluation.acceleration),
        margin,
        turned: change
            / (norm(&before) + norm(&state.v)).max(M::Scalar::EPSILON * M::Scalar::EPSILON),
    })
}

/// λ on the manifold near a state, the one with the smallest reactions.
fn multipliers_at<M: Mechanism>(
    m: &M,
    workspace: &mut Workspace<M>,
    mut state: State<M>,
) -> Result<M::Multipliers, Stop> {
    m.normalize(&mut state.q);
    let way = NodeSolve::Unrolled;
    way.evaluate(m, workspace, &state)?;
    way.project(m, workspace, &mut state, EXACT)?;
    workspace.multipliers_at(m, &state)
}

/// True if a pass moved the state away from the manifold. Where many constraint equations vanish at once, as in a
/// hundred level parallelograms, nothing but round-off is left of the smallest pivots, and a pass divides by it.
fn is_further_off<M: Mechanism>(m: &M, state: &State<M>, before: &State<M>) -> bool {
    let (phi, phi_dot) = violation(m, state);
    let (phi_before, phi_dot_before) = violation(m, before);
    let size = M::Scalar::from_f64(M::SIZE);
    let round_off = M::Scalar::EPSILON * M::Scalar::from_f64(ROUND_OFF);
    exceeds(phi, phi_before.max(round_off * size))
        || exceeds(
            phi_dot,
            phi_dot_before.max(round_off * (size + norm(&before.v))),
        )
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
    evaluation.factorize(m, state.view(), usual)?;
    m.constraints(state.time, &state.q, &mut residual);
    let step = evaluation.dense_correction(&residual);
    move_by(m, state, ConstraintLevel::Position, &step);
    m.velocity_constraints(state.view(), &mut residual);
    let step = evaluation.dense_correction(&residual);
    move_by(m, state, ConstraintLevel::Velocity, &step);
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
