//! A consistent start from a rough guess.
//!
//! With E = (D; H) the rows of the constraint equations and of the holds, steps of the smallest size in the mass
//! metric bring the residual r = (Φ; h − h₀) to zero:
//!
//! ```text
//! Δ = −M⁻¹ Eᵀ (E M⁻¹ Eᵀ + μ diag)⁺ r        q ← q + α T Δ
//! ```
//!
//! μ is 0 as long as some α gives at least half of the decrease that the linear model promises. The velocities follow
//! from D v = −Φ_t and H v = ḣ₀, with the smallest change in the same metric. Constraint equations that springs
//! replace are brought to zero, too.
//!
//! Redundant constraint equations that contradict the others by rounding keep r from zero. The passes then continue
//! without them.

use crate::arithmetic::{add, exceeds, norm, sum_scaled};
use crate::redundant::{When, independent_norm, largest, whole_norm};
use crate::solve::{check_rows, push};
use crate::{
    Dense, Mechanism, RankFactor, Real, Reduced, RowValues, State, StateView, Stop, Vector,
};

/// Result of an assembly, with the work that it took.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AssemblyReport<T> {
    /// Steps of the position.
    pub iterations: usize,
    /// Largest violation of a constraint or hold afterwards.
    pub phi: T,
    /// Largest violation of their rates afterwards.
    pub phi_dot: T,
    /// Rank of all constraint equations and holds at the start that was found.
    pub rank: usize,
}

/// Brings the guess to a position and velocity that satisfy all constraints. The coordinates of holds keep their
/// values.
pub fn assemble<M: Mechanism>(
    m: &M,
    t: M::Scalar,
    q: &mut M::Coordinates,
    v: &mut M::Velocities,
) -> Result<AssemblyReport<M::Scalar>, Stop> {
    let mut closing = Closing::new(m, t, q, v);
    let (iterations, phi) = closing.close_position(q, v)?;
    let phi_dot = closing.close_velocity(q, v)?;
    Ok(AssemblyReport {
        iterations,
        phi,
        phi_dot,
        rank: closing.factor.rank(),
    })
}

const MAX_ITERATIONS: usize = 100;
const VELOCITY_PASSES: usize = 4;
/// Goal in units of round-off at the size of the mechanism.
const GOAL: f64 = 16.0;
/// Largest violation that counts as closed, relative to the size of the mechanism.
const CLOSED: f64 = 1e-10;
/// μ, tried in this order until one gives a decrease.
const DAMPINGS: [f64; 6] = [0.0, 1e-4, 1e-2, 1.0, 1e2, 1e4];
/// Halvings of α for each μ.
const HALVINGS: usize = 6;

/// The largest violation that counts as closed.
pub(crate) fn closed<M: Mechanism>() -> M::Scalar {
    let noise = M::Scalar::EPSILON * M::Scalar::from_f64(1e3);
    M::Scalar::from_f64(CLOSED).max(noise) * M::Scalar::from_f64(M::SIZE)
}

/// True if a state satisfies its constraint equations, and redundant ones up to rounding.
pub(crate) fn is_consistent<M: Mechanism>(m: &M, state: &State<M>) -> bool {
    is_closed(m, state) && {
        let (mut rates, limit) = (M::Multipliers::zero(), closed::<M>());
        m.velocity_constraints(state.view(), &mut rates);
        independent_norm::<M>(&rates) <= limit
            && norm(&rates) <= largest::<M>(When::Start, norm(&state.v)).max(limit)
    }
}

/// The same for the positions alone.
pub(crate) fn is_closed<M: Mechanism>(m: &M, state: &State<M>) -> bool {
    let (mut phi, limit) = (M::Multipliers::zero(), closed::<M>());
    m.constraints(state.time, &state.q, &mut phi);
    independent_norm::<M>(&phi) <= limit
        && norm(&phi) <= largest::<M>(When::Start, M::Scalar::ZERO).max(limit)
}

struct Closing<'a, M: Mechanism> {
    m: &'a M,
    t: M::Scalar,
    dense: Dense<M>,
    reduced: Reduced<M>,
    factor: RankFactor<M>,
    held: M::Holds,
    held_rates: M::Holds,
    /// True if redundant constraint equations are left out.
    without: bool,
}

impl<'a, M: Mechanism> Closing<'a, M> {
    fn new(m: &'a M, t: M::Scalar, q: &M::Coordinates, v: &M::Velocities) -> Self {
        let (mut held, mut held_rates) = (M::Holds::zero(), M::Holds::zero());
        m.holds(StateView { t, q, v }, &mut held, &mut held_rates);
        for row in M::Holds::LEN - M::COMPLIANT..M::Holds::LEN {
            held[row] = M::Scalar::ZERO;
            held_rates[row] = M::Scalar::ZERO;
        }
        Self {
            m,
            t,
            dense: Dense::zero(),
            reduced: Reduced::zero(),
            factor: RankFactor::zero(),
            held,
            held_rates,
            without: false,
        }
    }

    fn at<'s>(&self, q: &'s M::Coordinates, v: &'s M::Velocities) -> StateView<'s, M> {
        StateView { t: self.t, q, v }
    }

    fn close_position(
        &mut self,
        q: &mut M::Coordinates,
        v: &M::Velocities,
    ) -> Result<(usize, M::Scalar), Stop> {
        self.m.normalize(q);
        let mut iterations = self.descend(q, v)?;
        let is_open = self.residual(q).norm() > closed::<M>();
        if is_open && M::ROUNDED {
            self.without = true;
            iterations += self.descend(q, v)?;
        }
        let phi = accept(&self.residual(q), iterations, closed::<M>())?;
        Ok((iterations, self.whole(q, phi)?))
    }

    /// Steps until the residual is round-off or falls no further; how many.
    fn descend(&mut self, q: &mut M::Coordinates, v: &M::Velocities) -> Result<usize, Stop> {
        let goal = M::Scalar::EPSILON * M::Scalar::from_f64(GOAL * M::SIZE);
        let mut residual = self.residual(q);
        let mut iterations = 0;
        while exceeds(residual.norm(), goal) && iterations < MAX_ITERATIONS {
            self.reduce(q, v)?;
            let improved = DAMPINGS
                .iter()
                .find_map(|damping| self.search(q, &residual, *damping));
            let Some((better, rest)) = improved else {
                break;
            };
            (*q, residual) = (better, rest);
            iterations += 1;
        }
        Ok(iterations)
    }

    /// ‖Φ‖∞ with the redundant constraint equations, if these are within their tolerance.
    fn whole(&self, q: &M::Coordinates, phi: M::Scalar) -> Result<M::Scalar, Stop> {
        let mut residual = M::Multipliers::zero();
        self.m.constraints(self.t, q, &mut residual);
        whole_norm::<M>(When::Start, self.t, &residual, phi, M::Scalar::ZERO)
    }

    fn reduce(&mut self, q: &M::Coordinates, v: &M::Velocities) -> Result<(), Stop> {
        self.m.dense(self.at(q, v), &mut self.dense);
        self.reduced.reduce(&mut self.dense);
        check_rows::<M>(self.t, &self.reduced.schur)?;
        if self.without {
            for &row in M::REDUNDANT {
                for other in 0..RowValues::<M>::LEN {
                    self.reduced.schur[(row, other)] = M::Scalar::ZERO;
                    self.reduced.schur[(other, row)] = M::Scalar::ZERO;
                }
            }
        }
        Ok(())
    }

    /// Removes redundant constraint equations from a residual if they are left out.
    fn asked(&self, mut residual: RowValues<M>) -> RowValues<M> {
        if self.without {
            for &row in M::REDUNDANT {
                residual[row] = M::Scalar::ZERO;
            }
        }
        residual
    }

    /// D v = −Φ_t, H v = ḣ₀
    fn close_velocity(
        &mut self,
        q: &M::Coordinates,
        v: &mut M::Velocities,
    ) -> Result<M::Scalar, Stop> {
        let scale = self.velocity_scale(v);
        let limit = closed::<M>() * scale / M::Scalar::from_f64(M::SIZE);
        self.correct_velocity(q, v, scale)?;
        let is_open = self.velocity_residual(q, v).norm() > limit;
        if is_open && M::ROUNDED && !self.without {
            self.without = true;
            self.correct_velocity(q, v, scale)?;
        }
        accept(&self.velocity_residual(q, v), VELOCITY_PASSES, limit)
    }

    /// Passes until the residual is round-off.
    fn correct_velocity(
        &mut self,
        q: &M::Coordinates,
        v: &mut M::Velocities,
        scale: M::Scalar,
    ) -> Result<(), Stop> {
        self.reduce(q, v)?;
        self.factor
            .decompose(&self.reduced.schur, RowValues::<M>::LEN, M::Scalar::ZERO);
        let goal = M::Scalar::EPSILON * M::Scalar::from_f64(GOAL) * scale;
        for _ in 0..VELOCITY_PASSES {
            let residual = self.velocity_residual(q, v);
            if residual.norm() <= goal {
                break;
            }
            add(v, &self.correction(&residual));
        }
        Ok(())
    }

    /// The size of the mechanism a second, plus the speed.
    fn velocity_scale(&self, v: &M::Velocities) -> M::Scalar {
        let speeds = v.as_slice().iter().chain(self.held_rates.as_slice());
        let speed = speeds.fold(M::Scalar::ZERO, |speed, v| speed.max(v.abs()));
        M::Scalar::from_f64(M::SIZE) + speed
    }

    /// The first α that gives half of the promised decrease of ‖r‖, from 1 downwards.
    fn search(
        &mut self,
        q: &M::Coordinates,
        residual: &RowValues<M>,
        damping: f64,
    ) -> Option<(M::Coordinates, RowValues<M>)> {
        let damping = M::Scalar::from_f64(damping);
        self.factor
            .decompose(&self.reduced.schur, RowValues::<M>::LEN, damping);
        let step = self.correction(residual);
        let mut rates = M::Coordinates::zero();
        self.m.rates(q, &step, &mut rates);
        let half = M::Scalar::from_f64(0.5);
        let (now, mut share) = (length(residual), M::Scalar::ONE);
        for _ in 0..=HALVINGS {
            let promised = now - length(&self.linear(residual, share, &step));
            let mut there = sum_scaled(q, share, &rates);
            self.m.normalize(&mut there);
            let rest = self.residual(&there);
            if promised > M::Scalar::ZERO && length(&rest) <= now - half * promised {
                return Some((there, rest));
            }
            share *= half;
        }
        None
    }

    /// −M⁻¹ Eᵀ A⁺ r
    fn correction(&self, residual: &RowValues<M>) -> M::Velocities {
        let y = self.factor.solve(&self.reduced.schur, residual);
        push(&self.reduced, RowValues::<M>::LEN, |row| -y[row])
    }

    /// r + α E Δ
    fn linear(
        &self,
        residual: &RowValues<M>,
        share: M::Scalar,
        step: &M::Velocities,
    ) -> RowValues<M> {
        let mut linear = RowValues::zero();
        for row in 0..RowValues::<M>::LEN {
            let terms = step.as_slice().iter().enumerate();
            let products = terms.map(|(j, step)| self.dense.rows[(row, j)] * share * *step);
            linear[row] = products.fold(residual[row], |sum, product| sum + product);
        }
        self.asked(linear)
    }

    /// (Φ; h − h₀)
    fn residual(&self, q: &M::Coordinates) -> RowValues<M> {
        let mut residual = RowValues::zero();
        let mut rates = M::Holds::zero();
        self.m.constraints(self.t, q, &mut residual.constraints);
        let still = M::Velocities::zero();
        self.m
            .holds(self.at(q, &still), &mut residual.holds, &mut rates);
        residual.holds = sum_scaled(&residual.holds, -M::Scalar::ONE, &self.held);
        self.asked(residual)
    }

    /// (Φ̇; ḣ − ḣ₀)
    fn velocity_residual(&self, q: &M::Coordinates, v: &M::Velocities) -> RowValues<M> {
        let mut residual = RowValues::zero();
        let mut values = M::Holds::zero();
        let state = self.at(q, v);
        self.m
            .velocity_constraints(state, &mut residual.constraints);
        self.m.holds(state, &mut values, &mut residual.holds);
        residual.holds = sum_scaled(&residual.holds, -M::Scalar::ONE, &self.held_rates);
        self.asked(residual)
    }
}

/// The norm of the remaining violation, or the equation that does not close.
fn accept<M: Mechanism>(
    residual: &RowValues<M>,
    iterations: usize,
    limit: M::Scalar,
) -> Result<M::Scalar, Stop> {
    let norm = residual.norm();
    if norm <= limit {
        return Ok(norm);
    }
    Err(Stop::AssemblyFailed {
        row: residual.worst(),
        residual: norm.to_f64(),
        iterations,
    })
}

/// ‖r‖₂
fn length<M: Mechanism>(residual: &RowValues<M>) -> M::Scalar {
    let squares = (0..RowValues::<M>::LEN).map(|row| residual[row] * residual[row]);
    squares
        .fold(M::Scalar::ZERO, |sum, square| sum + square)
        .sqrt()
}
