//! Brings the equations that hold to their values, and velocities to those that the equations allow.

use std::f64::consts::TAU;

use nalgebra::DVector;

use super::mechanism::{Mechanism, State};
use super::motions::Motions;
use crate::door::Role;

const ITERATIONS: usize = 100;

/// Loops count as closed below this share of the mechanism's size.
const CLOSED: f64 = 1e-9;

/// An equation that holds, with its value. Rows after those of joints are the holds of the description.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hold {
    /// The row of the equation.
    pub row: usize,
    /// Its value.
    pub value: f64,
}

/// The result of closing.
pub struct Closed {
    /// The state.
    pub state: State,
    /// Violation of each equation that holds.
    pub left: DVector<f64>,
}

impl Closed {
    /// True if the violation is too small for a person to see.
    pub fn is_closed(&self, mechanism: &Mechanism) -> bool {
        self.left.iter().all(|left| is_closed(mechanism, *left))
    }
}

/// True if a violation is that small; NaN counts as open.
pub fn is_closed(mechanism: &Mechanism, left: f64) -> bool {
    left.abs() <= CLOSED * mechanism.size().max(1.0)
}

/// Joints and prescribed motions, with their required values.
pub fn joints(mechanism: &Mechanism) -> Vec<Hold> {
    let rows = mechanism.held_rows().into_iter();
    rows.map(|row| Hold { row, value: 0.0 }).collect()
}

/// The rows of holds.
pub fn rows(held: &[Hold]) -> Vec<usize> {
    held.iter().map(|hold| hold.row).collect()
}

/// Gauss–Newton with steps of least norm in the mass metric, halved until the residual falls, down to
/// round-off.
pub fn close(mechanism: &Mechanism, guess: &State, held: &[Hold]) -> Closed {
    let mut state = guess.clone();
    let mut left = residual(mechanism, &state, held);
    for _ in 0..ITERATIONS {
        if left.amax() <= f64::EPSILON * mechanism.size() {
            break;
        }
        let local = mechanism.local(&state);
        let Some(motions) = Motions::new(mechanism, &state, &local, &rows(held)) else {
            break;
        };
        let step = -motions.to(&left);
        let Some(next) = shortened(mechanism, &state, &step, held, left.norm()) else {
            break;
        };
        (state, left) = next;
    }
    Closed { state, left }
}

/// The same state with the allowed velocities that are nearest to those of the guess.
pub fn close_velocities(mechanism: &Mechanism, state: &State, held: &[Hold]) -> State {
    let local = mechanism.local(state);
    let rows = rows(held);
    let Some(motions) = Motions::new(mechanism, state, &local, &rows) else {
        return state.clone();
    };
    let n = local.phi_t.len();
    let moving = |row: &usize| match row < &n {
        true => -local.phi_t[*row],
        // A hold of the description keeps its rate.
        false => local.rows.row(*row).transpose().dot(&state.v),
    };
    let wanted = DVector::from_iterator(rows.len(), rows.iter().map(moving));
    let wanted = wanted.resize_vertically(motions.rows.nrows(), 0.0);
    let change = motions.to(&(wanted - &motions.rows * &state.v));
    State {
        v: &state.v + change,
        ..state.clone()
    }
}

/// Violations of the equations; angles in space are compared on the same turn.
pub fn residual(mechanism: &Mechanism, state: &State, held: &[Hold]) -> DVector<f64> {
    let phi = mechanism.phi(state);
    let kept = mechanism.held(state);
    let left = |hold: &Hold| match phi.get(hold.row) {
        Some(phi) => difference(mechanism, hold.row, phi - hold.value),
        None => kept[hold.row - phi.len()] - hold.value,
    };
    DVector::from_iterator(held.len(), held.iter().map(left))
}

/// A difference of two values of a row. An angle in space is known up to whole turns.
pub fn difference(mechanism: &Mechanism, row: usize, difference: f64) -> f64 {
    let part = &mechanism.anatomy.rows[row];
    let wraps = part.role == Role::Watched && part.is_angle && !mechanism.is_planar();
    match wraps {
        true => difference - TAU * (difference / TAU).round(),
        false => difference,
    }
}

fn shortened(
    mechanism: &Mechanism,
    state: &State,
    step: &DVector<f64>,
    held: &[Hold],
    before: f64,
) -> Option<(State, DVector<f64>)> {
    const HALVINGS: usize = 30;
    let mut scale = 1.0;
    for _ in 0..HALVINGS {
        let next = mechanism.moved(state, &(step * scale));
        let left = residual(mechanism, &next, held);
        if left.norm() < before {
            return Some((next, left));
        }
        scale *= 0.5;
    }
    None
}
