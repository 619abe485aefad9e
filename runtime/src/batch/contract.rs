//! Direct correction in lanes: the passes of [`Goals`]. Each lane takes as many passes as it would alone. A lane is
//! not good any more if it needs a fresh factor, or if its violation stays too large.

use crate::arithmetic::add;
use crate::redundant::{When, largest};
use crate::stabilize::contract::{ConstraintLevel, FLOOR, FROZEN, SLOW, TERMS};
use crate::{Goals, Lanes, Mechanism, Real, State, Vector, Workspace};

/// Norms of Euler parameters, then positions, then velocities. Returns the lanes that succeeded.
#[inline]
pub fn project<E: Real, L: Lanes<E>, W: Mechanism<Scalar = L>>(
    goals: &Goals,
    m: &W,
    state: &mut State<W>,
    workspace: &Workspace<W>,
    good: L::Mask,
) -> L::Mask {
    m.normalize(&mut state.q);
    if W::Multipliers::LEN == 0 {
        return good;
    }
    let good = contract(goals, m, state, ConstraintLevel::Position, workspace, good);
    contract(goals, m, state, ConstraintLevel::Velocity, workspace, good)
}

#[inline]
fn contract<E: Real, L: Lanes<E>, W: Mechanism<Scalar = L>>(
    goals: &Goals,
    m: &W,
    state: &mut State<W>,
    level: ConstraintLevel,
    workspace: &Workspace<W>,
    mut good: L::Mask,
) -> L::Mask {
    let scale = scale(state, level);
    let goal = L::EPSILON * L::from_f64(goals.goal) * scale;
    let mut residual = W::Multipliers::zero();
    let mut violation = violation(m, state, level, &mut residual);
    let mut active = good & !violation.less_equal(goal);
    let mut passes = 0;
    while L::bits(active) != 0 && passes < goals.max_passes {
        let before = violation;
        correct(m, state, level, workspace, &residual, active);
        violation = self::violation(m, state, level, &mut residual);
        passes += 1;
        active = active & !violation.less_equal(goal);
        let mut slow = active & !violation.less_equal(before * L::from_f64(SLOW));
        let stuck = slow;
        if passes % FROZEN == 0 {
            slow = active;
        }
        if L::bits(slow) != 0 {
            let floor = (goal * L::from_f64(FLOOR)).max(round_off(state, level));
            // Round-off that the goal did not foresee ends the passes; anything else wants a fresh factor.
            let ended = stuck & before.less_equal(floor);
            good = good & !(slow & !ended);
            active = active & !slow;
        }
    }
    let limit = L::from_f64(goals.limit).max(L::EPSILON * L::from_f64(1e3));
    good = good & violation.less_equal(limit * scale);
    if W::ROUNDED {
        let speed = scale - L::from_f64(W::SIZE);
        good = good & norm(&residual).less_equal(largest::<W>(When::Later, speed));
    }
    good
}

/// One pass in the lanes that need it.
#[inline]
fn correct<E: Real, L: Lanes<E>, W: Mechanism<Scalar = L>>(
    m: &W,
    state: &mut State<W>,
    level: ConstraintLevel,
    workspace: &Workspace<W>,
    residual: &W::Multipliers,
    active: L::Mask,
) {
    let evaluation = &workspace.evaluation;
    match level {
        ConstraintLevel::Position => {
            let mut dq = W::Coordinates::zero();
            evaluation.position_correction(m, &state.q, residual, &mut dq);
            let mut moved = state.q;
            add(&mut moved, &dq);
            let size = norm(&dq);
            let far = !(size * size).less_equal(L::EPSILON * L::from_f64(0.01));
            if L::bits(active & far) != 0 {
                let mut unit = moved;
                m.normalize(&mut unit);
                blend(&mut moved, &unit, far);
            }
            blend(&mut state.q, &moved, active);
        }
        ConstraintLevel::Velocity => {
            let mut dv = W::Velocities::zero();
            evaluation.velocity_correction(m, residual, &mut dv);
            let mut moved = state.v;
            add(&mut moved, &dv);
            blend(&mut state.v, &moved, active);
        }
    }
}

/// Takes the other values where the mask holds.
#[inline]
fn blend<E: Real, L: Lanes<E>, V: Vector<L>>(values: &mut V, other: &V, mask: L::Mask) {
    for (value, other) in values.as_mut_slice().iter_mut().zip(other.as_slice()) {
        *value = L::choose(mask, *other, *value);
    }
}

#[inline]
fn scale<E: Real, L: Lanes<E>, W: Mechanism<Scalar = L>>(
    state: &State<W>,
    level: ConstraintLevel,
) -> L {
    let size = L::from_f64(W::SIZE);
    match level {
        ConstraintLevel::Position => size,
        ConstraintLevel::Velocity => size + norm(&state.v),
    }
}

fn round_off<E: Real, L: Lanes<E>, W: Mechanism<Scalar = L>>(
    state: &State<W>,
    level: ConstraintLevel,
) -> L {
    let size = match level {
        ConstraintLevel::Position => norm(&state.q),
        ConstraintLevel::Velocity => norm(&state.v),
    };
    L::EPSILON * L::from_f64(TERMS) * size
}

#[inline]
fn violation<E: Real, L: Lanes<E>, W: Mechanism<Scalar = L>>(
    m: &W,
    state: &State<W>,
    level: ConstraintLevel,
    residual: &mut W::Multipliers,
) -> L {
    match level {
        ConstraintLevel::Position => m.constraints(state.time, &state.q, residual),
        ConstraintLevel::Velocity => m.velocity_constraints(state.view(), residual),
    }
    if !W::ROUNDED {
        return norm(residual);
    }
    let mut rest = *residual;
    for &row in W::REDUNDANT {
        rest[row] = L::ZERO;
    }
    norm(&rest)
}

/// ‖x‖∞ in each lane, and NaN where any component is NaN or infinite.
#[inline]
fn norm<E: Real, L: Lanes<E>, V: Vector<L>>(x: &V) -> L {
    let (mut most, mut nothing) = ([L::ZERO; 2], [L::ZERO; 2]);
    for (k, x) in x.as_slice().iter().enumerate() {
        let size = x.abs();
        most[k % 2] = L::choose(most[k % 2].less(size), size, most[k % 2]);
        nothing[k % 2] += *x * L::ZERO;
    }
    let largest = L::choose(most[0].less(most[1]), most[1], most[0]);
    largest + (nothing[0] + nothing[1])
}
