//! The model with its bodies in the poses of a state.

use super::State;
use crate::description::Space;
use crate::expr::Expr;
use crate::model::{Guess, Model};

/// The model whose guess is a state of its absolute coordinates.
pub fn posed(model: &Model, state: &State) -> Model {
    let mut model = model.clone();
    let planar = model.space == Space::Planar;
    let constants = |list: [f64; 3]| list.map(Expr::constant);
    for (index, body) in model.bodies.iter_mut().enumerate() {
        if planar {
            let (q, v) = (&state.q[3 * index..][..3], &state.v[3 * index..][..3]);
            body.angle = q[2];
            body.guess = Guess {
                position: constants([q[0], q[1], 0.0]),
                angle: Expr::constant(q[2]),
                velocity: constants([v[0], v[1], 0.0]),
                angular_velocity: constants([0.0, 0.0, v[2]]),
            };
        } else {
            let (q, v) = (&state.q[7 * index..][..7], &state.v[6 * index..][..6]);
            body.orientation = [q[3], q[4], q[5], q[6]];
            body.guess = Guess {
                position: constants([q[0], q[1], q[2]]),
                angle: Expr::zero(),
                velocity: constants([v[0], v[1], v[2]]),
                angular_velocity: constants([v[3], v[4], v[5]]),
            };
        }
    }
    // The angles whose turns are counted come after the bodies.
    let first = if planar { 3 } else { 7 } * model.bodies.len();
    for (turns, angle) in model.turns.iter_mut().zip(&state.q[first..]) {
        turns.near = *angle;
    }
    model
}
