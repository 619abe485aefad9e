//! Gear's backward differences.

use super::differences::{Differences, MAX_ORDER, count, gamma};
use super::dormand_prince::stages;
use super::jump::{Pace, find_jump};
use super::newton::{Convergence, Iterate, NewtonMatrix, Next, no_convergence};
use super::slope::Slope;
use super::{check_moves, check_tolerable, fitted};
use crate::arithmetic::{add, add_scaled, norm, scaled, sum_scaled};
use crate::{
    Integrator, Mechanism, Projecting, Real, State, StateView, StepContext, Stop, Tangent, Vector,
    Weights,
};

/// Orders 1 to 5, for stiff mechanisms, on the stabilised index-2 form: with c = h/((1 − κ_k) γ_k), and ψ the part of
/// c ẏ that follows from the differences,
///
/// ```text
/// (q₁ − q̂ + ψ_q)/c = T (v₁ + u)      (v₁ − v̂ + ψ_v)/c = v̇₁      M v̇₁ = Q + Dᵀ λ      Φ = 0      Φ̇ = 0
/// ```
///
/// where u lies along the constraint forces. The distance from the prediction measures the error. Step and order are
/// chosen such that this error stays within the tolerance, or all steps have one length and one order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bdf<T> {
    /// Allowed error, relative to the size of the mechanism.
    pub tolerance: T,
    /// The longest step; the only one if the order is fixed.
    pub longest: T,
    /// The fixed order, if there is one.
    pub order: Option<usize>,
    /// The highest order that is chosen.
    pub highest: usize,
    /// κ of each order: the weight of the prediction in a step. Zero gives Gear's formulas.
    pub kappas: [T; MAX_ORDER],
}

impl<T: Real> Bdf<T> {
    /// Steps and orders that the tolerance determines.
    pub fn new(tolerance: T) -> Self {
        Self {
            tolerance,
            longest: T::from_f64(f64::INFINITY),
            order: None,
            highest: MAX_ORDER,
            kappas: [T::ZERO; MAX_ORDER],
        }
    }

    /// This order, the nearest one from 1 to 5, with steps of this length. The first of them are made by
    /// Dormand and Prince's method in eighths, so that they are far more exact than those that follow.
    pub fn fixed(order: usize, step: T) -> Self {
        let order = order.clamp(1, MAX_ORDER);
        Self {
            tolerance: step,
            longest: step,
            order: Some(order),
            highest: order,
            kappas: [T::ZERO; MAX_ORDER],
        }
    }

    /// With other κ, as [`SHAMPINE_REICHELT`] has them.
    #[must_use]
    pub const fn with_kappas(mut self, kappas: [T; MAX_ORDER]) -> Self {
        self.kappas = kappas;
        self
    }

    /// With the κ that make steps longer than Gear's by this share, for the same error of a step, at every order. A
    /// step's error is (1/(k + 1) + κ_k γ_k) hᵏ⁺¹ y⁽ᵏ⁺¹⁾, so
    ///
    /// ```text
    /// κ_k = −(1 − (1 + share)⁻⁽ᵏ⁺¹⁾) / ((k + 1) γ_k)
    /// ```
    ///
    /// 0.26 gives what Shampine and Reichelt take at orders 1 to 3, and goes on with it. They take less at order 4 and
    /// nothing at order 5, for the sake of swinging modes that are stiff: formulas are stable up to so many degrees
    /// from the negative axis,
    ///
    /// | order | 1 | 2 | 3 | 4 | 5 |
    /// | --- | --- | --- | --- | --- | --- |
    /// | Gear | 90 | 90 | 86 | 73 | 52 |
    /// | Shampine and Reichelt | 90 | 90 | 80 | 66 | 52 |
    /// | 0.26 | 90 | 90 | 80 | 60 | 28 |
    ///
    /// so this is for mechanisms whose stiff parts are dampers.
    #[must_use]
    pub fn with_longer_steps(mut self, share: T) -> Self {
        for (n, kappa) in self.kappas.iter_mut().enumerate() {
            let order = n + 1;
            let left = (T::ONE + share).powf(-count::<T>(order + 1));
            *kappa = (left - T::ONE) / (count::<T>(order + 1) * gamma(order));
        }
        self
    }

    /// No order above this.
    #[must_use]
    pub fn with_highest(mut self, order: usize) -> Self {
        self.highest = order.clamp(1, MAX_ORDER);
        self
    }

    /// No step longer than this.
    #[must_use]
    pub const fn with_longest(mut self, step: T) -> Self {
        self.longest = step;
        self
    }
}

/// The numerical differentiation formulas of Shampine and Reichelt (1997): κ at orders 1 to 5.
pub const SHAMPINE_REICHELT: [f64; MAX_ORDER] = [-0.1850, -1.0 / 9.0, -0.0823, -0.0415, 0.0];

/// The error of a step may be this share of the tolerance, times its sixth root: the errors of all steps add
/// up, and at order 5 there are as many more of them as that root is smaller.
const SHARE: f64 = 0.12;
/// An iteration has converged when its error is this share of the error that a step may make.
const CONVERGED: f64 = 0.01;
/// The next step aims at this share of the step that the estimate would allow.
const SAFETY: f64 = 0.8;
/// One estimate may change the step by these factors.
const FACTORS: (f64, f64) = (0.2, 8.0);
/// Changes of the step that are not worth another matrix.
const KEPT: (f64, f64) = (0.9, 1.2);
/// Steps of Dormand and Prince for each of the first ones of a fixed order.
const EIGHTHS: usize = 8;
/// Passes of q = … + c T(q) (v + u); nothing changes after the first where T is constant.
const PASSES: usize = 4;
/// A step may be rejected this many times, with no step well within the tolerance between them, before its error is
/// tested for round-off.
const PATIENCE: u32 = 3;
/// Room above the round-off that was seen, which changes from step to step.
const ROOM: f64 = 2.0;
/// Share of that round-off that is expected in the next step.
const FADES: f64 = 0.9;

/// Memory of [`Bdf`] from step to step.
pub struct BdfMemory<M: Tangent> {
    differences: Differences<M>,
    /// Of the polynomial that the differences are.
    order: usize,
    /// Time and length of the last step; the differences are of this length.
    time: M::Scalar,
    step: M::Scalar,
    /// The step to try next.
    next: M::Scalar,
    /// States that are known; none at the start.
    known: usize,
    /// Steps since the length or the order has changed.
    alike: usize,
    kappas: [M::Scalar; MAX_ORDER],
    /// Steps that were given up since one was well within the tolerance.
    given_up: u32,
    /// The error of a step by round-off alone, if it exceeds the error that a step may otherwise have.
    round_off: M::Scalar,
    matrix: NewtonMatrix<M>,
    pace: Pace<M::Scalar>,
}

impl<M: Tangent> Clone for BdfMemory<M> {
    fn clone(&self) -> Self {
        Self {
            matrix: self.matrix.clone(),
            ..*self
        }
    }
}

impl<M: Tangent, S: Projecting<M>> Integrator<M, S> for Bdf<M::Scalar> {
    type Memory = BdfMemory<M>;

    const ADAPTIVE: bool = true;
    const DENSE: bool = true;

    fn memory(&self) -> Self::Memory {
        BdfMemory {
            differences: Differences::zero(),
            order: 1,
            time: M::Scalar::ZERO,
            step: M::Scalar::ZERO,
            next: M::Scalar::ZERO,
            known: 0,
            alike: 0,
            kappas: self.kappas,
            given_up: 0,
            round_off: M::Scalar::ZERO,
            matrix: NewtonMatrix::none(),
            pace: Pace::new(),
        }
    }

    fn tolerance(&self) -> Option<M::Scalar> {
        Some(self.tolerance)
    }

    fn step_size(&self) -> M::Scalar {
        self.longest
    }

    fn step(
        &self,
        run: &mut StepContext<M, S>,
        memory: &mut Self::Memory,
        state: &mut State<M>,
        limit: M::Scalar,
    ) -> Result<M::Scalar, Stop> {
        match memory.known {
            0 => self.start(run, memory, state)?,
            _ => memory.differences.align(state),
        }
        match self.order {
            None => self.step_freely(run, memory, state, limit),
            Some(order) => self.step_fixed(run, memory, state, limit, order),
        }
    }

    fn interpolate(&self, memory: &Self::Memory, time: M::Scalar) -> Option<State<M>> {
        let theta = (time - memory.time) / memory.step;
        let Slope { q, v, work } = memory.differences.at(memory.order, theta);
        Some(State { time, q, v, work })
    }
}

impl<T: Real> Bdf<T> {
    /// The first difference is a step along the slope; so short that the curvature of the motion stays
    /// within the tolerance.
    fn start<M: Tangent<Scalar = T>, S: Projecting<M>>(
        &self,
        run: &mut StepContext<M, S>,
        memory: &mut BdfMemory<M>,
        state: &State<M>,
    ) -> Result<(), Stop> {
        let now = run.begin(state)?;
        let (slope, multipliers) = (Slope::of(now), now.multipliers);
        let step = match self.order {
            Some(_) => self.longest,
            None => self.first_step(run, state, &slope)?,
        };
        memory.differences = Differences::new(state, &multipliers, step, &slope);
        (memory.time, memory.step, memory.next) = (state.time, step, step);
        (memory.known, memory.order, memory.alike) = (1, 1, 0);
        Ok(())
    }

    fn first_step<M: Tangent<Scalar = T>, S: Projecting<M>>(
        &self,
        run: &mut StepContext<M, S>,
        state: &State<M>,
        slope: &Slope<M>,
    ) -> Result<T, Stop> {
        let rate = slope.size(state).max(T::from_f64(1e-3));
        let trial = T::from_f64(1e-3) / rate;
        let mut moved = Slope::zero();
        moved.add(trial, slope);
        let ahead = moved.moved(state, state.time + trial);
        let mut curvature = Slope::of(run.evaluate(ahead.view())?);
        curvature.add(-T::ONE, slope);
        let curvature = curvature.size(state) / trial;
        let allowed = (self.allowed() / curvature).sqrt();
        Ok(match allowed.is_finite() {
            true => allowed.min(trial).min(self.longest),
            false => trial.min(self.longest),
        })
    }

    /// A step as long as the tolerance allows.
    fn step_freely<M: Tangent<Scalar = T>, S: Projecting<M>>(
        &self,
        run: &mut StepContext<M, S>,
        memory: &mut BdfMemory<M>,
        state: &mut State<M>,
        limit: T,
    ) -> Result<T, Stop> {
        let mut wanted = memory.next.min(self.longest);
        let longer = memory.step * T::from_f64(FACTORS.1);
        memory.resize(fitted(wanted.min(longer), limit));
        loop {
            let step = memory.step;
            check_tolerable(state.time, step, self.tolerance)?;
            memory.pace.check(run, state, step)?;
            let allowed = self.allowed().max(memory.round_off);
            let goal = T::from_f64(CONVERGED) * allowed;
            let corrected = memory.correct(run, state.time + step, goal);
            let factor = match corrected {
                Err(_) => T::from_f64(0.5),
                Ok((point, off)) => {
                    let size = self.error(&point, &off, memory.order);
                    let error = size / allowed;
                    if error <= T::ONE {
                        memory.accept(run, state, &point, off)?;
                        self.plan(memory, state, wanted, error);
                        memory.round_off *= T::from_f64(FADES);
                        if error < T::from_f64(0.1) {
                            memory.given_up = 0;
                        }
                        return Ok(step);
                    }
                    limited(error, memory.order).min(T::ONE)
                }
            };
            run.workspace.counts.rejections += 1;
            memory.given_up += 1;
            if memory.given_up.is_multiple_of(PATIENCE)
                && self.is_round_off(run, memory, state, allowed)?
            {
                continue;
            }
            memory.resize(step * factor);
            wanted = memory.step;
        }
    }

    /// Whether steps are rejected for errors that are round-off, which no shorter step makes smaller. A larger error
    /// is then allowed.
    ///
    /// A light body may pass a position in which constraint equations hardly hold it, as a light cart does above its
    /// pendulum. Round-off of a position is then an error of its velocity that is many times as large. Errors of
    /// steps usually stay far below the tolerance, because they add up. Such a step may have the whole tolerance as
    /// its error. If that is not enough, the tolerance is too tight. A force that jumps within the step, as dry
    /// friction does at rest, also makes much of a small change. That is not round-off: steps get shorter until
    /// [`Pace`] ends the run.
    #[cold]
    fn is_round_off<M: Tangent<Scalar = T>, S: Projecting<M>>(
        &self,
        run: &mut StepContext<M, S>,
        memory: &mut BdfMemory<M>,
        state: &State<M>,
        allowed: T,
    ) -> Result<bool, Stop> {
        if find_jump(run, state, memory.step).is_some() {
            return Ok(false);
        }
        let goal = T::from_f64(CONVERGED) * allowed;
        let end = state.time + memory.step;
        let Some(jitter) = memory.jitter(run, end, goal, self.tolerance) else {
            return Ok(false);
        };
        // Differences of order k + 1 have 2ᵏ⁺¹ terms, each with its own.
        let terms = T::from_f64(ROOM * f64::from(1_u32 << (memory.order + 1)));
        let round_off = jitter * terms * self.constant(memory.order);
        if !round_off.is_finite() || round_off <= allowed {
            return Ok(false);
        }
        if allowed >= self.tolerance {
            return Err(Stop::RoundOff {
                time: state.time.to_f64(),
                error: round_off.to_f64(),
                tolerance: self.tolerance.to_f64(),
            });
        }
        memory.round_off = round_off.min(self.tolerance);
        Ok(true)
    }

    /// Error that a step may make.
    fn allowed(&self) -> T {
        T::from_f64(SHARE) * self.tolerance * self.tolerance.powf(T::from_f64(1.0 / 6.0))
    }

    /// Share of the distance from the prediction that is error: 1/(k + 1) + κ_k γ_k.
    fn constant(&self, order: usize) -> T {
        T::ONE / count(order + 1) + self.kappas[order - 1] * gamma(order)
    }

    /// Error of a step.
    fn error<M: Tangent<Scalar = T>>(&self, point: &Iterate<M>, off: &Slope<M>, order: usize) -> T {
        let end = State::new(point.time, point.q, point.v);
        let error = off.size(&end) * self.constant(order);
        match error.is_finite() {
            true => error,
            false => T::from_f64(1e9),
        }
    }

    /// Length and order of the next step, as soon as enough equal steps have been made to judge them.
    fn plan<M: Tangent<Scalar = T>>(
        &self,
        memory: &mut BdfMemory<M>,
        state: &State<M>,
        wanted: T,
        error: T,
    ) {
        // A step that was cut short, to end at a given time, does not show how long a step may be.
        memory.next = wanted;
        if memory.alike <= memory.order {
            return;
        }
        let allowed = self.allowed().max(memory.round_off);
        let order = memory.order;
        let of = |other: usize| {
            let size = memory.differences.get(other + 1).size(state);
            limited(size * self.constant(other) / allowed, other)
        };
        let mut best = (order, limited(error, order));
        for other in [order - 1, order + 1] {
            if (1..=self.highest).contains(&other) && of(other) > best.1 {
                best = (other, of(other));
            }
        }
        let (order, factor) = best;
        let same = factor > T::from_f64(KEPT.0) && factor < T::from_f64(KEPT.1);
        if order == memory.order && same {
            return;
        }
        memory.order = order;
        memory.alike = 0;
        memory.next = memory.step * factor;
    }

    /// A step of the fixed order and length.
    fn step_fixed<M: Tangent<Scalar = T>, S: Projecting<M>>(
        &self,
        run: &mut StepContext<M, S>,
        memory: &mut BdfMemory<M>,
        state: &mut State<M>,
        limit: T,
        order: usize,
    ) -> Result<T, Stop> {
        let step = fitted(self.longest, limit);
        check_moves(state.time, step)?;
        if memory.known <= order {
            return memory.begin_with(run, state, step);
        }
        memory.order = order;
        memory.resize(step);
        let (point, off) = memory.correct(run, state.time + step, T::ZERO)?;
        memory.accept(run, state, &point, off)?;
        Ok(step)
    }
}

/// Factor by which a step may be longer if its error is this many times the error that it may make.
fn limited<T: Real>(error: T, order: usize) -> T {
    let error = error.max(T::from_f64(1e-12));
    let factor = T::from_f64(SAFETY) * error.powf(-T::ONE / count(order + 1));
    factor
        .max(T::from_f64(FACTORS.0))
        .min(T::from_f64(FACTORS.1))
}

impl<M: Tangent> BdfMemory<M> {
    /// h / ((1 − κ_k) γ_k)
    fn c(&self) -> M::Scalar {
        self.step / ((M::Scalar::ONE - self.kappa()) * gamma(self.order))
    }

    /// κ_k
    fn kappa(&self) -> M::Scalar {
        self.kappas[self.order - 1]
    }

    /// Makes the differences those of another step.
    fn resize(&mut self, step: M::Scalar) {
        if step != self.step {
            self.differences.rescale(self.order, step / self.step);
            self.step = step;
            self.alike = 0;
        }
    }

    /// One of the first steps of a fixed order.
    fn begin_with<S: Projecting<M>>(
        &mut self,
        run: &mut StepContext<M, S>,
        state: &mut State<M>,
        step: M::Scalar,
    ) -> Result<M::Scalar, Stop> {
        let (begin, part) = (state.time, step / count(EIGHTHS));
        for n in 0..EIGHTHS {
            let first = Slope::of(run.evaluate(state.view())?);
            *state = stages(run, state, first, part)?.1;
            state.time = begin + part * count(n + 1);
        }
        let multipliers = &run.workspace.evaluation.acceleration.multipliers;
        self.differences.append(state, multipliers, self.known);
        (self.time, self.known, self.order) = (state.time, self.known + 1, self.known);
        if step != self.step {
            // A step that was cut short does not fit to the others: they begin anew.
            self.known = 0;
        }
        Ok(step)
    }

    /// The end of a step, and its distance from the prediction.
    fn correct<S: Projecting<M>>(
        &mut self,
        run: &mut StepContext<M, S>,
        time: M::Scalar,
        goal: M::Scalar,
    ) -> Result<(Iterate<M>, Slope<M>), Stop> {
        let (m, one) = (run.mechanism, M::Scalar::ONE);
        let counts = &mut run.workspace.counts;
        let predicted = self.differences.predicted(self.order);
        let mut step = Implicit::new(m, self, &predicted, time);
        let weights = step.weights();
        if !self.matrix.serves(&weights) {
            self.matrix.factorize(m, &step.point, &weights, counts);
        }
        let mut progress = Convergence::towards(goal, one).above(self.round_off);
        loop {
            counts.iterations += 1;
            let size = step.iterate(m, &self.matrix);
            match progress.judge(size) {
                Next::Converged => break,
                Next::Iterate => {}
                Next::Refresh => {
                    self.matrix.factorize(m, &step.point, &weights, counts);
                    progress.refreshed();
                }
                Next::GiveUp => return Err(no_convergence(time, size, &progress)),
            }
        }
        let point = step.point;
        let off = Slope {
            q: sum_scaled(&point.q, -one, &predicted.q),
            v: sum_scaled(&point.v, -one, &predicted.v),
            work: M::Scalar::ZERO,
        };
        Ok((point, off))
    }

    /// Effect of round-off on the end of a step: the change of the end when the last state is perturbed by round-off.
    /// If the iterations do not converge, it is the size of their last changes, if that is at most `most`.
    fn jitter<S: Projecting<M>>(
        &self,
        run: &mut StepContext<M, S>,
        time: M::Scalar,
        goal: M::Scalar,
        most: M::Scalar,
    ) -> Option<M::Scalar> {
        let (point, _) = match self.clone().correct(run, time, goal) {
            Ok(found) => found,
            // The iteration runs in a cycle.
            Err(Stop::NoConvergence { residual, .. }) => {
                let residual = M::Scalar::from_f64(residual);
                return (residual <= most).then_some(residual);
            }
            Err(_) => return None,
        };
        let mut other = self.clone();
        let nudge = other.differences.nudge();
        let (nudged, _) = other.correct(run, time, goal).ok()?;
        let minus = -M::Scalar::ONE;
        let moved = Slope::<M> {
            q: sum_scaled(&sum_scaled(&nudged.q, minus, &point.q), minus, &nudge),
            v: sum_scaled(&nudged.v, minus, &point.v),
            work: M::Scalar::ZERO,
        };
        Some(moved.size(&State::new(time, point.q, point.v)))
    }

    /// Goes on to the end of a step.
    fn accept<S: Projecting<M>>(
        &mut self,
        run: &mut StepContext<M, S>,
        state: &mut State<M>,
        point: &Iterate<M>,
        mut off: Slope<M>,
    ) -> Result<(), Stop> {
        let order = self.order;
        let mut q = point.q;
        run.mechanism.normalize(&mut q);
        let normal = StateView {
            q: &q,
            ..point.view()
        };
        let power = run.evaluate(normal)?.power;
        off.work = self.c() * power - self.differences.history(order, self.kappa()).work;
        self.differences.push(order, &off, &point.multipliers);
        (self.time, self.known, self.alike) = (point.time, self.known + 1, self.alike + 1);
        *state = State {
            time: point.time,
            q,
            v: point.v,
            work: self.differences.get(0).work,
        };
        run.workspace.keep(state);
        Ok(())
    }
}

/// A step while it is solved.
struct Implicit<M: Mechanism> {
    c: M::Scalar,
    point: Iterate<M>,
    /// The move along the constraint forces, as a velocity.
    u: M::Velocities,
    /// q̂ − ψ_q
    base: M::Coordinates,
}

impl<M: Tangent> Implicit<M> {
    fn new(m: &M, memory: &BdfMemory<M>, predicted: &Slope<M>, time: M::Scalar) -> Self {
        let history = memory.differences.history(memory.order, memory.kappa());
        let c = memory.c();
        let mut implicit = Self {
            c,
            point: Iterate {
                time,
                q: predicted.q,
                v: predicted.v,
                accelerations: scaled(&history.v, M::Scalar::ONE / c),
                multipliers: memory.differences.predicted_multipliers(memory.order),
            },
            u: M::Velocities::zero(),
            base: sum_scaled(&predicted.q, -M::Scalar::ONE, &history.q),
        };
        implicit.place(m);
        implicit
    }

    /// Those of M/c + C + c K, scaled so that M has none.
    fn weights(&self) -> Weights<M::Scalar> {
        Weights {
            mass: M::Scalar::ONE,
            damping: self.c,
            stiffness: self.c * self.c,
            compliance: M::Scalar::ZERO,
        }
    }

    /// q = q̂ − ψ_q + c T(q) (v + u)
    fn place(&mut self, m: &M) {
        let velocity = sum_scaled(&self.point.v, M::Scalar::ONE, &self.u);
        for _ in 0..PASSES {
            let mut rates = M::Coordinates::zero();
            m.rates(&self.point.q, &velocity, &mut rates);
            let q = sum_scaled(&self.base, self.c, &rates);
            if q == self.point.q {
                break;
            }
            self.point.q = q;
        }
    }

    /// (M/c + C + c K) δv − Dᵀ δλ = −r, D δv = −Φ̇, and D c (δv + δu) = −Φ; gives how large the moves were.
    fn iterate(&mut self, m: &M, matrix: &NewtonMatrix<M>) -> M::Scalar {
        let (point, c, one) = (&mut self.point, self.c, M::Scalar::ONE);
        let forces = scaled(&point.residual(m), -c);
        let rows = scaled(&point.phi_dot(m), -one);
        let mut left = scaled(&point.phi(m), -one / c);
        add_scaled(&mut left, -one, &rows);
        let (dv, multipliers) = matrix.solve(m, &forces, &rows);
        let (du, _) = matrix.solve(m, &M::Velocities::zero(), &left);
        add_scaled(&mut point.multipliers, one / c, &multipliers);
        add_scaled(&mut point.accelerations, one / c, &dv);
        add(&mut point.v, &dv);
        add(&mut self.u, &du);
        let (before, size) = (self.point.q, M::Scalar::from_f64(M::SIZE));
        self.place(m);
        let dq = sum_scaled(&self.point.q, -one, &before);
        let of_q = norm(&dq) / size.max(norm(&self.point.q));
        of_q.max(norm(&dv) / size.max(norm(&self.point.v)))
    }
}
