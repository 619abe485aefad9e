//! The assembly of another formulation: the same poses in its coordinates.

use std::collections::BTreeSet;

use nalgebra::DVector;

use super::State;
use super::assemble::{guess, round_off};
use super::close::{Asked, close_positions_to, close_velocities};
use super::numbers::local;
use super::pose::posed;
use super::redundancy::NEW;
use super::samples::samples;
use super::shares::shares;
use super::{Assembly, redundancy};
use crate::expr::Expr;
use crate::formulation::System;
use crate::model::Model;
use crate::symbolic::Equations;

/// Translates `body`, the assembly in absolute coordinates, to the coordinates that `formulate` makes. The degrees of
/// freedom are those of the mechanism. Redundant rows are found anew, because the rows differ.
pub fn transfer(
    model: &Model,
    body: &Assembly,
    equations: &Equations,
    formulate: impl Fn(&Model) -> Option<System>,
) -> Option<Assembly> {
    let states: Option<Vec<State>> = body
        .states
        .iter()
        .map(|state| {
            let there = guess(model, &formulate(&posed(model, state))?);
            // Rows of drivers depend on time.
            Some(State {
                t: state.t,
                ..there
            })
        })
        .collect();
    let mut states = states?;
    let redundant = redundant(model, body, equations, &states);
    if body.rounded {
        let close = |state: &State| consistent(model, equations, state, body.size, &redundant);
        states = states.iter().map(close).collect();
    }
    let first = states.first()?;
    Some(Assembly {
        coordinates: first.q.clone(),
        velocities: first.v.clone(),
        redundant,
        rounded: body.rounded,
        shares: match has_turns(equations) {
            true => shares(model, equations, &states),
            false => Vec::new(),
        },
        freedoms: body.freedoms,
        size: body.size,
        parameters: body.parameters.clone(),
        // Along a tree every pivot is positive by itself, but not in the matrix of a Newton step.
        samples: match (&equations.tree, &equations.tangents) {
            (Some(_), None) => Vec::new(),
            _ => samples(model, equations, &states),
        },
        states,
    })
}

/// True if velocities are rates of turns, by which the derivative of a constraint equation vanishes in some poses.
fn has_turns(equations: &Equations) -> bool {
    let tree = equations.tree.as_ref();
    tree.is_some_and(|tree| tree.relative) || !equations.rotations.is_empty()
}

/// Makes the start the guess, moved by as much as parameters move the guess of the description. A point that bodies
/// share has one guess, where each body may have been guessed on its own, so a held coordinate would not start at the
/// value of the description.
pub fn guess_from_start(model: &Model, equations: &mut Equations, assembly: &Assembly) {
    let lists = [
        (&mut equations.guess_coordinates, &assembly.coordinates),
        (&mut equations.guess_velocities, &assembly.velocities),
    ];
    for (guesses, start) in lists {
        for (guess, start) in guesses.iter_mut().zip(start) {
            let moved = match guess.as_constant() {
                Some(_) => Expr::zero(),
                None => &*guess - Expr::constant(model.at_defaults(guess)),
            };
            *guess = Expr::constant(*start) + moved;
        }
    }
}

/// Largest new part of redundant rows. Where rows are redundant only within the tolerance, states are off by as much,
/// and lengths may amplify that.
const NEWS: [f64; 4] = [NEW, 1e-6, 1e-5, 1e-4];

/// Redundant rows at the state of the largest rank. If they are redundant only within the tolerance, their number
/// follows from the degrees of freedom.
fn redundant(model: &Model, body: &Assembly, equations: &Equations, states: &[State]) -> Vec<u32> {
    let n_rows = equations.phi.len();
    let mut order: Vec<usize> = (0..n_rows).collect();
    // A constraint equation that a tree keeps by itself cannot be left out.
    let closing = equations.tree.iter().flat_map(|tree| &tree.closing);
    let closing: BTreeSet<usize> = closing.map(|closing| closing.row).collect();
    order.sort_by_key(|row| closing.contains(row));
    // Rows in joint coordinates are made of directions and of arms, which cancel where a joint is there twice.
    let terms = body.size.max(1.0);
    let kept = |new: f64| {
        let kept = states.iter().map(|state| {
            let now = local(model, equations, state);
            redundancy::independent(&now.rows[..n_rows], &order, terms, new)
        });
        kept.max_by_key(Vec::len).unwrap_or_default()
    };
    let is_right = |kept: &Vec<usize>| {
        let left = equations.n_velocities.checked_sub(kept.len());
        let idle = [0, model.idle_turns()];
        idle.iter().any(|idle| left == Some(body.freedoms + idle))
    };
    let found = match body.rounded {
        true => NEWS.iter().map(|new| kept(*new)).find(is_right),
        false => None,
    };
    redundancy::others(n_rows, &found.unwrap_or_else(|| kept(NEW)))
}

/// The state with all equations but these satisfied to round-off.
fn consistent(
    model: &Model,
    equations: &Equations,
    state: &State,
    size: f64,
    without: &[u32],
) -> State {
    let asked = Asked {
        without,
        hold: false,
    };
    let closed = close_positions_to(round_off(size), model, equations, state, asked).state;
    let (closed, _) = close_velocities(model, equations, &closed, &DVector::zeros(0), without);
    closed
}
