//! Passes of a projection until a violation is round-off. All projections share them; they differ in the way in which
//! a pass moves the state.

use crate::arithmetic::{add, exceeds, norm};
use crate::redundant::{When, independent_norm, largest, whole_norm};
use crate::{Mechanism, Projection, Real, State, Stop, Vector};

/// When the passes of a projection end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Goals {
    /// Violation to reach, in units of round-off at the size of the mechanism.
    pub goal: f64,
    /// Violation above which the projection has failed, relative to the size of the mechanism.
    pub limit: f64,
    /// Most passes at each level.
    pub max_passes: usize,
}

impl Default for Goals {
    fn default() -> Self {
        Self {
            goal: 16.0,
            limit: 1e-8,
            max_passes: 10,
        }
    }
}

/// The level at which the constraints are violated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ConstraintLevel {
    /// Φ
    Position,
    /// Φ̇
    Velocity,
}

/// Moves the state by a pass, with a factor that it holds or finds.
pub(crate) trait Corrector<M: Mechanism> {
    /// One pass against Φ or Φ̇ at this state.
    fn correct(
        &mut self,
        m: &M,
        state: &mut State<M>,
        level: ConstraintLevel,
        residual: &M::Multipliers,
    ) -> Result<(), Stop>;

    /// Computes a fresh factor at the state that the passes have reached, because they contract too slowly. If rows
    /// depend on each other, the factor has all rows of which at least this part is new.
    fn refactor(&mut self, m: &M, state: &State<M>, least: M::Scalar) -> Result<(), Stop>;

    /// True if passes take redundant constraint equations as well, so that all share the contradiction.
    fn takes_all(&self) -> bool {
        false
    }
}

/// Number of large coordinates that a row adds up, each rounded.
pub(crate) const TERMS: f64 = 2.0;

/// A pass that leaves more than this share of the violation causes a fresh factor.
pub(crate) const SLOW: f64 = 0.25;
/// Passes with one factor; more cost as much as a fresh one.
pub(crate) const FROZEN: usize = 4;
/// A violation below this many goals that falls no further is round-off that the goal did not foresee.
pub(crate) const FLOOR: f64 = 64.0;
/// Fresh factors at each level.
const MAX_REFACTORS: usize = 3;

impl Goals {
    /// Norms of Euler parameters, then positions, then velocities.
    #[inline]
    pub(crate) fn project<M: Mechanism>(
        &self,
        m: &M,
        state: &mut State<M>,
        corrector: &mut impl Corrector<M>,
    ) -> Result<Projection<M::Scalar>, Stop> {
        m.normalize(&mut state.q);
        if M::Multipliers::LEN == 0 {
            return Ok(Projection::default());
        }
        let (position_passes, phi) =
            self.contract(m, state, ConstraintLevel::Position, corrector)?;
        let (velocity_passes, phi_dot) =
            self.contract(m, state, ConstraintLevel::Velocity, corrector)?;
        Ok(Projection {
            position_passes,
            velocity_passes,
            phi,
            phi_dot,
        })
    }

    /// Repeats passes until the violation at one level is round-off. Returns their number and the remaining
    /// violation. A violation that already is round-off costs one residual.
    #[inline]
    pub(super) fn contract<M: Mechanism>(
        &self,
        m: &M,
        state: &mut State<M>,
        level: ConstraintLevel,
        corrector: &mut impl Corrector<M>,
    ) -> Result<(usize, M::Scalar), Stop> {
        let scale = scale(state, level);
        let goal = M::Scalar::EPSILON * M::Scalar::from_f64(self.goal) * scale;
        let mut residual = M::Multipliers::zero();
        let mut violation = violation(m, state, level, &mut residual);
        let (mut passes, mut refactors) = (0, 0);
        while exceeds(violation, goal) && passes < self.max_passes {
            let before = violation;
            corrector.correct(m, state, level, &residual)?;
            violation = self::violation(m, state, level, &mut residual);
            passes += 1;
            let stuck = exceeds(violation, before * M::Scalar::from_f64(SLOW));
            if violation <= goal || !(stuck || passes % FROZEN == 0) {
                continue;
            }
            let floor = (goal * M::Scalar::from_f64(FLOOR)).max(round_off(state, level));
            if stuck && (before <= floor || refactors == MAX_REFACTORS) {
                break;
            }
            corrector.refactor(m, state, least(level, violation / scale))?;
            refactors += 1;
        }
        let limit =
            M::Scalar::from_f64(self.limit).max(M::Scalar::EPSILON * M::Scalar::from_f64(1e3));
        let speed = scale - M::Scalar::from_f64(M::SIZE);
        let mut limit = limit * scale;
        if M::ROUNDED && corrector.takes_all() {
            limit = limit.max(largest::<M>(When::Later, speed));
        }
        if violation <= limit {
            let whole = whole_norm::<M>(When::Later, state.time, &residual, violation, speed)?;
            return Ok((passes, whole));
        }
        Err(Stop::ProjectionFailed {
            time: state.time.to_f64(),
            residual: violation.to_f64(),
            passes,
        })
    }
}

/// The least part of a row that can still be corrected. A move Δ = Φ/σ along a row of which σ is new also changes Φ
/// by Δ², so σ² must exceed Φ. Velocities are linear, so all of the row counts there.
fn least<T: Real>(level: ConstraintLevel, violation: T) -> T {
    match level {
        ConstraintLevel::Position => violation.sqrt(),
        ConstraintLevel::Velocity => T::ZERO,
    }
}

/// Digits of Φ that are lost in coordinates that have become large, such as the angle of a gear after many turns.
fn round_off<M: Mechanism>(state: &State<M>, level: ConstraintLevel) -> M::Scalar {
    let size = match level {
        ConstraintLevel::Position => norm(&state.q),
        ConstraintLevel::Velocity => norm(&state.v),
    };
    M::Scalar::EPSILON * M::Scalar::from_f64(TERMS) * size
}

/// Largest sizes of Φ and Φ̇: the size of the mechanism, and that size per second plus the speed.
#[inline]
fn scale<M: Mechanism>(state: &State<M>, level: ConstraintLevel) -> M::Scalar {
    let size = M::Scalar::from_f64(M::SIZE);
    match level {
        ConstraintLevel::Position => size,
        ConstraintLevel::Velocity => size + norm(&state.v),
    }
}

/// ‖Φ‖∞ or ‖Φ̇‖∞ over the equations that are not redundant.
#[inline]
fn violation<M: Mechanism>(
    m: &M,
    state: &State<M>,
    level: ConstraintLevel,
    residual: &mut M::Multipliers,
) -> M::Scalar {
    match level {
        ConstraintLevel::Position => m.constraints(state.time, &state.q, residual),
        ConstraintLevel::Velocity => m.velocity_constraints(state.view(), residual),
    }
    independent_norm::<M>(residual)
}

/// Moves the state by a step of its velocities: q ← q + T Δ at unit norms, or v ← v + Δ.
#[inline]
pub(crate) fn move_by<M: Mechanism>(
    m: &M,
    state: &mut State<M>,
    level: ConstraintLevel,
    step: &M::Velocities,
) {
    match level {
        ConstraintLevel::Position => {
            let mut dq = M::Coordinates::zero();
            m.rates(&state.q, step, &mut dq);
            move_position(m, state, &dq);
        }
        ConstraintLevel::Velocity => add(&mut state.v, step),
    }
}

/// q ← q + Δq. The move is along T, so it changes norms by its square only. If that is less than round-off, they stay
/// as they are.
#[inline]
pub(super) fn move_position<M: Mechanism>(m: &M, state: &mut State<M>, dq: &M::Coordinates) {
    add(&mut state.q, dq);
    let moved = norm(dq);
    if exceeds(
        moved * moved,
        M::Scalar::EPSILON * M::Scalar::from_f64(0.01),
    ) {
        m.normalize(&mut state.q);
    }
}
