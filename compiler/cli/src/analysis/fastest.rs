//! The fastest motion near the start. It limits the steps of an explicit method.

use nalgebra::DVector;

use super::assemble::start;
use super::close::{all_closed, close, joints, rows};
use super::equilibrium::reach;
use super::linearize::linearize;
use super::mechanism::Mechanism;
use super::modes::modes;
use super::motions::Motions;
use crate::numeric::State;

/// The largest |μ| of the motions exp(μ t) about the start and places near it: a spring across the motion has no
/// effect at the start, but has one a moment later. `None` if nothing moves, or something is not finite.
pub fn fastest(mechanism: &Mechanism) -> Option<f64> {
    let state = start(mechanism).ok()?;
    let places = std::iter::once(state.clone()).chain(near(mechanism, &state));
    let fastest = places.filter_map(|place| {
        let linear = linearize(mechanism, &place, &joints(mechanism))?;
        let all = modes(&linear, mechanism);
        all.iter()
            .map(|mode| mode.eigenvalue.norm())
            .reduce(f64::max)
    });
    let fastest = fastest.fold(0.0, f64::max);
    (fastest > 0.0 && fastest.is_finite()).then_some(fastest)
}

/// Places that the mechanism can come to along its first motions.
fn near(mechanism: &Mechanism, state: &State) -> Vec<State> {
    /// Motion of the body that moves furthest, in metres or radians.
    const WAYS: [f64; 6] = [-1.0, -0.5, -0.2, 0.2, 0.5, 1.0];
    const MOTIONS: usize = 4;
    let held = joints(mechanism);
    let local = mechanism.local(state);
    let Some(motions) = Motions::new(mechanism, state, &local, &rows(&held)) else {
        return Vec::new();
    };
    let mut places = Vec::new();
    for column in motions.free.column_iter().take(MOTIONS) {
        let kick: DVector<f64> = column.into();
        let unit = &kick / reach(mechanism, &kick);
        for way in WAYS {
            let closed = close(mechanism, &mechanism.moved(state, &(&unit * way)), &held);
            if all_closed(mechanism, &closed) {
                places.push(closed.state.at_rest());
            }
        }
    }
    places
}
