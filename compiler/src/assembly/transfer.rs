//! The assembly of another formulation: the same poses in its coordinates.

use std::collections::BTreeSet;

use super::assemble::guess;
use super::numbers::{State, local};
use super::pose::posed;
use super::samples::samples;
use super::shares::shares;
use super::{Assembly, redundancy};
use crate::expr::Expr;
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
        .map(|state| {
            let there = guess(model, &formulate(&posed(model, state))?);
            // Rows of drivers depend on time.
            Some(State {
                t: state.t,
                ..there
            })
        })
        .collect();
    let states = states?;
    let first = states.first()?;
    Some(Assembly {
        coordinates: first.q.clone(),
        velocities: first.v.clone(),
        redundant: redundant(model, equations, &states, body.size),
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

/// True if velocities are rates of turns, by which the derivative of a row vanishes in some poses.
fn has_turns(equations: &Equations) -> bool {
    let tree = equations.tree.as_ref();
    tree.is_some_and(|tree| tree.relative) || !equations.rotations.is_empty()
}

/// Makes the start the guess, moved by as much as parameters move what was guessed: a point that bodies
/// share has one guess, where each of them may have been guessed on its own, so what is held would not
/// start at what the description says.
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

/// Rows that repeat others at the state of the largest rank.
fn redundant(model: &Model, equations: &Equations, states: &[State], size: f64) -> Vec<u32> {
    let n_rows = equations.phi.len();
    let mut order: Vec<usize> = (0..n_rows).collect();
    // What a tree keeps by itself cannot be left out.
    let closing = equations.tree.iter().flat_map(|tree| &tree.closing);
    let closing: BTreeSet<usize> = closing.map(|closing| closing.row).collect();
    order.sort_by_key(|row| closing.contains(row));
    // Rows in joint coordinates are made of directions and of arms, which cancel where a joint is there twice.
    let terms = size.max(1.0);
    let kept = |state: &State| {
        let now = local(model, equations, state);
        redundancy::independent(&now.rows[..n_rows], &order, terms)
    };
    let best = states
        .iter()
        .map(kept)
        .max_by_key(Vec::len)
        .unwrap_or_default();
    redundancy::others(n_rows, &best)
}
