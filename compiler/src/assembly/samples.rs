//! M and D as numbers at several states. The kernel chooses its pivots by them.
//!
//! The states that assembly reached show the usual size of each entry. Scattered states, which no motion need reach,
//! show entries that are large only in some directions. A rod that is level at the start, for example, has the same
//! gradient there as one that can move along x only.

use super::State;
use super::numbers::{at, normalize, values};
use super::probes::Random;
use super::sparse::SparseRowValues;
use crate::model::Model;
use crate::symbolic::Equations;

/// Scattered states for each of two lengths.
const SCATTERED: usize = 12;

/// M and D at one state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sample {
    /// M, all entries of the symmetric matrix.
    pub mass: Vec<SparseRowValues>,
    /// D
    pub jacobian: Vec<SparseRowValues>,
    /// True for a state that assembly reached.
    pub reached: bool,
}

/// M and D at the given states, and around the first of them. The coordinates there are off by up to
/// twice the size of a body, which scatters lengths, or by up to 2, which scatters angles.
pub fn samples(model: &Model, equations: &Equations, states: &[State]) -> Vec<Sample> {
    let mut samples: Vec<Sample> = states
        .iter()
        .map(|state| sample(model, equations, state, true))
        .collect();
    let mut random = Random::new();
    for range in [2.0 * lever(model), 2.0] {
        for _ in 0..SCATTERED {
            let mut state = states[0].clone();
            for q in &mut state.q {
                *q += range * random.next();
            }
            normalize(equations, &mut state.q);
            samples.push(sample(model, equations, &state, false));
        }
    }
    samples.retain(is_finite);
    samples
}

/// The largest distance of a joint from the centre of its body; the size of the mechanism would tear a
/// long chain apart.
fn lever(model: &Model) -> f64 {
    let ends = model.joints.iter();
    let ends = ends.flat_map(|joint| [&joint.first, &joint.second]);
    let levers = ends.filter(|end| end.body.is_some());
    let levers = levers.map(|end| model.lever(end));
    let largest = levers.filter(|lever| lever.is_finite()).fold(0.0, f64::max);
    if largest > 0.0 { largest } else { 1.0 }
}

fn sample(model: &Model, equations: &Equations, state: &State, reached: bool) -> Sample {
    at(model, equations, state, |evaluator| Sample {
        mass: values(evaluator, &equations.mass),
        jacobian: values(evaluator, &equations.jacobian),
        reached,
    })
}

fn is_finite(sample: &Sample) -> bool {
    let entries = sample.mass.iter().chain(&sample.jacobian).flatten();
    entries.into_iter().all(|(_, value)| value.is_finite())
}
