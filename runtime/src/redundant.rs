//! Violations of redundant constraint equations.
//!
//! If lengths and directions of a description are rounded, equations that are meant to be redundant contradict the
//! others slightly. They are left out of every solve, so no projection can satisfy them. A projection therefore
//! brings the other equations to round-off, and checks that the redundant ones stay within their tolerance. Reports
//! have the largest violation of all equations.

use crate::arithmetic::norm;
use crate::{Mechanism, Real, RowValues, Stop, Vector};

/// Allowed violation of a redundant equation at the start, in radians and as a share of the mechanism's size, or in
/// metres if it is smaller than that. The compiler leaves out equations that deviate by at most a tenth of this near
/// the start.
const AT_START: f64 = 1e-5;

/// The same during a run. Where the other equations come to a singular position, a deviation δ becomes √(2 δ), with
/// δ up to the compiler's tolerance of 10⁻⁶.
const IN_A_RUN: f64 = 2e-3;

/// The time of a check.
#[derive(Clone, Copy)]
pub enum When {
    /// A state that the run starts from.
    Start,
    /// Any later one.
    Later,
}

/// ‖·‖∞ over the equations that are not redundant.
#[inline]
pub fn independent_norm<M: Mechanism>(residual: &M::Multipliers) -> M::Scalar {
    if !M::ROUNDED {
        return norm(residual);
    }
    let mut rest = *residual;
    for &row in M::REDUNDANT {
        rest[row] = M::Scalar::ZERO;
    }
    norm(&rest)
}

/// The largest violation that a redundant equation may have, where speeds of this size are added for a rate.
#[inline]
pub fn largest<M: Mechanism>(when: When, speed: M::Scalar) -> M::Scalar {
    let share = match when {
        When::Start => AT_START,
        When::Later => IN_A_RUN,
    };
    let share = M::Scalar::from_f64(share).max(M::Scalar::EPSILON * M::Scalar::from_f64(1e3));
    share * (M::Scalar::from_f64(M::SIZE).max(M::Scalar::ONE) + speed)
}

/// ‖·‖∞ over all equations, if the redundant ones are within their tolerance.
#[inline]
pub fn whole_norm<M: Mechanism>(
    when: When,
    time: M::Scalar,
    residual: &M::Multipliers,
    independent: M::Scalar,
    speed: M::Scalar,
) -> Result<M::Scalar, Stop> {
    if !M::ROUNDED {
        return Ok(independent);
    }
    let whole = norm(residual);
    let most = largest::<M>(when, speed);
    if whole <= most.max(independent) {
        return Ok(whole);
    }
    Err(contradiction::<M>(time, residual, whole, most))
}

#[cold]
fn contradiction<M: Mechanism>(
    time: M::Scalar,
    residual: &M::Multipliers,
    whole: M::Scalar,
    most: M::Scalar,
) -> Stop {
    let values = RowValues::<M> {
        constraints: *residual,
        holds: M::Holds::zero(),
    };
    Stop::Contradiction {
        time: time.to_f64(),
        row: values.worst(),
        residual: whole.to_f64(),
        tolerance: most.to_f64(),
    }
}
