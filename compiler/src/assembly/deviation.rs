//! By how much redundant constraint equations are violated where the others hold.

use nalgebra::DVector;

use super::State;
use super::assemble::closed_enough;
use super::close::{Asked, close_positions_to, close_velocities, least_norm};
use super::numbers::{local, moved};
use super::probes::{KICK, PROBES, Random, kick, later};
use super::rank::{RankQuestion, TOLERANCE};
use super::sparse::times;
use crate::description::Space;
use crate::formulation::System;

/// A deviation below this part of the mechanism's size is round-off of the closing.
const EXACT: f64 = 1e-11;

/// The largest violations, in the order of the redundant constraint equations.
pub struct Deviation {
    /// |Φ| of each.
    pub of_rows: Vec<f64>,
    /// At how many states besides the start they were seen.
    n_states: usize,
}

/// The violations at the start and at states that the mechanism can move to, if the redundant constraint equations are
/// left out.
pub fn deviation(subject: &RankQuestion, start: &State, redundant: &[u32]) -> Deviation {
    let RankQuestion {
        model, equations, ..
    } = *subject;
    let mut deviation = Deviation {
        of_rows: vec![0.0; redundant.len()],
        n_states: 0,
    };
    if redundant.is_empty() {
        return deviation;
    }
    let asked = Asked {
        without: redundant,
        hold: false,
    };
    let enough = 0.01 * EXACT * subject.size.max(1.0);
    let closed = close_positions_to(enough, model, equations, start, asked);
    deviation.see(&closed.phi, redundant);
    for state in moves(subject, &closed.state, redundant) {
        let closed = close_positions_to(enough, model, equations, &state, asked);
        if closed.open(asked) <= closed_enough(subject.size) {
            deviation.see(&closed.phi, redundant);
            deviation.n_states += 1;
        }
    }
    deviation
}

impl Deviation {
    fn see(&mut self, phi: &DVector<f64>, redundant: &[u32]) {
        for (most, row) in self.of_rows.iter_mut().zip(redundant) {
            *most = most.max(phi[*row as usize].abs());
        }
    }

    /// True if no equation is violated by more than round-off.
    pub fn is_exact(&self, size: f64) -> bool {
        self.of_rows.iter().all(|gap| *gap <= EXACT * size.max(1.0))
    }

    /// True if no equation is violated by more than the tolerance, wherever the mechanism was seen to move.
    pub fn is_within(&self, subject: &RankQuestion, redundant: &[u32]) -> bool {
        let mut gaps = self.of_rows.iter().zip(redundant);
        self.n_states > 0
            && gaps.all(|(gap, row)| {
                let is_angle = subject.system.rows[*row as usize].is_angle();
                let unit = if is_angle { 1.0 } else { subject.size };
                *gap <= TOLERANCE * unit
            })
    }

    /// `3.0e-9 m and 1.0e-9 rad`, of the constraint equations that `which` admits; nothing for round-off.
    pub fn words(
        &self,
        system: &System,
        redundant: &[u32],
        which: impl Fn(usize) -> bool,
    ) -> String {
        let most = |angles: bool| {
            let rows = redundant.iter().map(|row| *row as usize).zip(&self.of_rows);
            let rows =
                rows.filter(|(row, _)| which(*row) && system.rows[*row].is_angle() == angles);
            rows.map(|(_, gap)| *gap).fold(0.0, f64::max)
        };
        let lengths = Some((most(false), "m")).filter(|(gap, _)| *gap > EXACT);
        let angles = Some((most(true), "rad")).filter(|(gap, _)| *gap > EXACT);
        let words = lengths.into_iter().chain(angles);
        let words: Vec<String> = words
            .map(|(gap, unit)| format!("{gap:.1e} {unit}"))
            .collect();
        words.join(" and ")
    }
}

/// States to which the mechanism moves if these rows are left out: kicked along its degrees of freedom, and along its
/// drivers.
fn moves(subject: &RankQuestion, start: &State, without: &[u32]) -> Vec<State> {
    let RankQuestion {
        model,
        system,
        equations,
        size,
        ..
    } = *subject;
    let now = local(model, equations, start);
    let kept = (0..now.phi.len()).filter(|i| without.binary_search(&(*i as u32)).is_err());
    let rows: Vec<_> = kept.map(|i| now.rows[i].clone()).collect();
    let mut random = Random::new();
    let mut states = Vec::new();
    for _ in 0..PROBES {
        let kick = kick(model, equations, size, &mut random);
        let Some(back) = least_norm(&now.mass, &rows, &times(&rows, &kick)) else {
            continue;
        };
        let kick = kick - back;
        let largest = largest(model.space, &kick, size);
        if largest > EXACT {
            states.push(moved(model, equations, start, &(kick * KICK / largest)));
        }
    }
    if system.rows.iter().any(|row| row.driver) {
        let no_holds = DVector::zeros(0);
        let (start, _) = close_velocities(model, equations, start, &no_holds, without);
        states.extend(later(model, equations, &start, size, without));
    }
    states
}

/// The largest turn in radians, or displacement as part of the mechanism's size.
fn largest(space: Space, kick: &DVector<f64>, size: f64) -> f64 {
    let (each, linear) = match space {
        Space::Planar => (3, 2),
        Space::Spatial => (6, 3),
    };
    let scaled = kick
        .iter()
        .enumerate()
        .map(|(i, x)| match i % each < linear {
            true => x.abs() / size,
            false => x.abs(),
        });
    scaled.fold(0.0, f64::max)
}
