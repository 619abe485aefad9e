//! Brings the equations that hold to their values, and velocities to those that the equations allow.

use std::f64::consts::TAU;

use nalgebra::DVector;

use super::mechanism::Mechanism;
use super::motions::Motions;
use crate::front_end::Role;
use crate::numeric::{self, Closed, Closing, State};

/// Loops count as closed below this share of the mechanism's size.
const CLOSED: f64 = 1e-9;

/// An equation that holds, with its value. Rows after those of joints are the holds of the description.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeldRow {
    /// The row of the equation.
    pub row: usize,
    /// Its value.
    pub value: f64,
}

/// True if each violation is too small for a person to see.
pub fn all_closed(mechanism: &Mechanism, closed: &Closed) -> bool {
    closed
        .residual
        .iter()
        .all(|left| is_closed(mechanism, *left))
}

/// True if a violation is that small; NaN counts as open.
pub fn is_closed(mechanism: &Mechanism, left: f64) -> bool {
    left.abs() <= CLOSED * mechanism.size().max(1.0)
}

/// Joints and prescribed motions, with their required values.
pub fn joints(mechanism: &Mechanism) -> Vec<HeldRow> {
    let rows = mechanism.held_rows().into_iter();
    rows.map(|row| HeldRow { row, value: 0.0 }).collect()
}

/// The rows of holds.
pub fn rows(held: &[HeldRow]) -> Vec<usize> {
    held.iter().map(|hold| hold.row).collect()
}

/// A state near the guess at which the rows hold to round-off, as far as there is one.
pub fn close(mechanism: &Mechanism, guess: &State, held: &[HeldRow]) -> Closed {
    let enough = f64::EPSILON * mechanism.size();
    numeric::close(&mut Held { mechanism, held }, guess.clone(), enough)
}

/// Rows that hold on a mechanism.
struct Held<'a, 'o> {
    mechanism: &'a Mechanism<'o>,
    held: &'a [HeldRow],
}

impl Closing for Held<'_, '_> {
    fn residual(&mut self, state: &State) -> DVector<f64> {
        residual(self.mechanism, state, self.held)
    }

    fn step(&mut self, state: &State, residual: &DVector<f64>) -> Option<DVector<f64>> {
        let local = self.mechanism.local(state);
        let motions = Motions::new(self.mechanism, state, &local, &rows(self.held))?;
        Some(-motions.to(residual))
    }

    fn moved(&mut self, state: &State, step: &DVector<f64>) -> State {
        self.mechanism.moved(state, step)
    }
}

/// The same state with the allowed velocities that are nearest to those of the guess.
pub fn close_velocities(mechanism: &Mechanism, state: &State, held: &[HeldRow]) -> State {
    let local = mechanism.local(state);
    let v = DVector::from_column_slice(&state.v);
    let rows = rows(held);
    let Some(motions) = Motions::new(mechanism, state, &local, &rows) else {
        return state.clone();
    };
    let n = local.phi_t.len();
    let moving = |row: &usize| match row < &n {
        true => -local.phi_t[*row],
        // A hold of the description keeps its rate.
        false => local.rows.row(*row).transpose().dot(&v),
    };
    let wanted = DVector::from_iterator(rows.len(), rows.iter().map(moving));
    let wanted = wanted.resize_vertically(motions.rows.nrows(), 0.0);
    let change = motions.to(&(wanted - &motions.rows * &v));
    State {
        v: (v + change).as_slice().to_vec(),
        ..state.clone()
    }
}

/// Violations of the equations; angles in space are compared on the same turn.
pub fn residual(mechanism: &Mechanism, state: &State, held: &[HeldRow]) -> DVector<f64> {
    let phi = mechanism.phi(state);
    let kept = mechanism.held(state);
    let left = |hold: &HeldRow| match phi.get(hold.row) {
        Some(phi) => difference(mechanism, hold.row, phi - hold.value),
        None => kept[hold.row - phi.len()] - hold.value,
    };
    DVector::from_iterator(held.len(), held.iter().map(left))
}

/// A difference of two values of a row. An angle in space is known up to whole turns.
pub fn difference(mechanism: &Mechanism, row: usize, difference: f64) -> f64 {
    let part = &mechanism.elements.rows[row];
    let wraps = part.role == Role::Watched && part.is_angle && !mechanism.is_planar();
    match wraps {
        true => difference - TAU * (difference / TAU).round(),
        false => difference,
    }
}
