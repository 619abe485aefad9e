//! The assembly of another formulation: the same poses in its coordinates.

use super::assemble::guess;
use super::numbers::{State, local};
use super::pose::posed;
use super::samples::samples;
use super::{Assembly, redundancy};
use crate::formulation::System;
use crate::model::Model;
use crate::symbolic::Equations;

/// What `body`, the assembly in absolute coordinates, is in the coordinates that `formulate` makes.
/// Freedoms are those of the mechanism; which rows repeat others is asked anew, because the rows are
/// others.
pub fn transfer(
    model: &Model,
    body: &Assembly,
    equations: &Equations,
    formulate: impl Fn(&Model) -> Option<System>,
) -> Option<Assembly> {
    let states: Option<Vec<State>> = body
        .states
        .iter()
        .map(|state| Some(guess(model, &formulate(&posed(model, state))?)))
        .collect();
    let states = states?;
    let first = states.first()?;
    Some(Assembly {
        coordinates: first.q.clone(),
        velocities: first.v.clone(),
        redundant: redundant(model, equations, &states),
        freedoms: body.freedoms,
        size: body.size,
        samples: samples(model, equations, &states, body.size),
        states,
    })
}

/// Rows that repeat others at the state of the largest rank.
fn redundant(model: &Model, equations: &Equations, states: &[State]) -> Vec<u32> {
    let n_rows = equations.phi.len();
    let order: Vec<usize> = (0..n_rows).collect();
    let kept = |state: &State| {
        let now = local(model, equations, state);
        redundancy::independent(&now.rows[..n_rows], &order)
    };
    let best = states
        .iter()
        .map(kept)
        .max_by_key(Vec::len)
        .unwrap_or_default();
    redundancy::others(n_rows, &best)
}
