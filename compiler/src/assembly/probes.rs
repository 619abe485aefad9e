//! States near the start at which constraint equations are examined.

use nalgebra::DVector;

use super::State;
use super::assemble::{USUAL, closed_enough, is_translation, round_off};
use super::close::{Asked, close_positions_to, close_velocities, least_norm};
use super::numbers::{local, moved};
use super::rank::TOLERANCE;
use super::sparse::times;
use crate::model::Model;
use crate::symbolic::Equations;

/// States besides the start at which the rank is taken.
pub const PROBES: usize = 4;

/// Distance by which a probe is kicked, in metres or radians.
pub const KICK: f64 = 0.3;

/// Distance of a driven mechanism from one probe to the next, in metres or radians.
const PACE: f64 = 0.2;

/// States around the start.
pub struct Near {
    /// The start, and states that are closed well enough to show redundant rows.
    pub states: Vec<State>,
    /// States with the violation that they still have, which is at most the tolerance.
    pub rough: Vec<(State, f64)>,
}

/// The start and a few states around it. If the only state is singular, as in a stretched triangle of bars, Φ vanishes
/// with the square of the distance. At 1e-9 in Φ a state is still 1e-5 away, where D shows its rank. At round-off it is
/// not.
pub fn near(model: &Model, equations: &Equations, start: &State, size: f64) -> Near {
    let mut near = Near {
        states: vec![start.clone()],
        rough: Vec::new(),
    };
    let mut random = Random::new();
    let now = local(model, equations, start);
    let rows = &now.rows[..now.phi.len()];
    let (all, unit) = (Asked::all(false), size.max(1.0));
    for _ in 0..PROBES {
        let kick = kick(model, equations, size, &mut random);
        let forbidden = times(rows, &kick);
        let Some(back) = least_norm(&now.mass, rows, &forbidden) else {
            continue;
        };
        let moved = moved(model, equations, start, &(kick - back));
        let rough = close_positions_to(TOLERANCE * unit, model, equations, &moved, all);
        let violation = rough.open(all);
        if violation <= TOLERANCE * unit {
            near.rough.push((rough.state.clone(), violation));
        }
        let enough = closed_enough(size);
        let closed = close_positions_to(enough, model, equations, &rough.state, all);
        if closed.open(all) <= enough {
            near.states.push(closed.state);
        }
    }
    near
}

/// A random motion. If the mechanism's size is far from a metre, translations are scaled to that size.
pub fn kick(model: &Model, equations: &Equations, size: f64, random: &mut Random) -> DVector<f64> {
    let far = |k: usize| match is_translation(model, k) && !USUAL.contains(&size) {
        true => size,
        false => 1.0,
    };
    DVector::from_fn(equations.n_velocities, |k, _| KICK * far(k) * random.next())
}

/// States that a driven mechanism reaches soon. At the start its drivers may leave only one position, and that position
/// may be singular.
pub fn later(
    model: &Model,
    equations: &Equations,
    start: &State,
    size: f64,
    without: &[u32],
) -> Vec<State> {
    let asked = Asked {
        without,
        hold: false,
    };
    let speed = start.v.iter().fold(0.0, |speed: f64, v| speed.max(v.abs()));
    let span = (model.simulation.until / PROBES as f64).min(PACE / speed);
    let mut states = Vec::new();
    let mut state = start.clone();
    for _ in 0..PROBES {
        let way = DVector::from_column_slice(&state.v) * span;
        let ahead = State {
            t: state.t + span,
            ..moved(model, equations, &state, &way)
        };
        let enough = closed_enough(size);
        let closed = close_positions_to(enough, model, equations, &ahead, asked);
        let is_closed = closed.open(asked) <= enough;
        if !is_closed {
            break;
        }
        let no_holds = DVector::zeros(0);
        (state, _) = close_velocities(model, equations, &closed.state, &no_holds, without);
        states.push(state.clone());
    }
    states
}

/// The same states, closed to round-off.
pub fn reached(
    model: &Model,
    equations: &Equations,
    near: Vec<State>,
    size: f64,
    without: &[u32],
) -> Vec<State> {
    let asked = Asked {
        without,
        hold: false,
    };
    let close = |state: State| close_positions_to(round_off(size), model, equations, &state, asked);
    let mut near = near.into_iter();
    let start = near.next();
    let others = near.map(close);
    let others = others.filter(|closed| closed.open(asked) <= closed_enough(size));
    start
        .into_iter()
        .chain(others.map(|closed| closed.state))
        .collect()
}

/// A small deterministic generator (xorshift): the same mechanism is probed at the same states.
pub struct Random(u64);

impl Random {
    pub fn new() -> Self {
        Self(0x9e37_79b9_7f4a_7c15)
    }

    /// A number in [−1, 1).
    pub fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}
