//! Finds redundant constraint equations: exactly redundant, or redundant up to the digits that a description was
//! rounded to.
//!
//! A row of D of which less than 10⁻⁷ is new is redundant. CAD programs round lengths and directions. The new part of a
//! redundant row is then about the rounding ε, and its equation is violated by about ε along the motion while the
//! others hold. A row of which less than [`LITTLE`] is new therefore also counts as redundant if its equation stays
//! within [`TOLERANCE`] at states that the others allow.

use super::State;
use super::assemble::constraint_rows;
use super::deviation::{Deviation, deviation};
use super::probes::Near;
use super::redundancy::{self, NEW};
use super::sparse;
use crate::formulation::{Owner, System};
use crate::model::Model;
use crate::symbolic::Equations;
use crate::topology::Topology;

/// By how much redundant constraint equations may contradict each other, in radians or as part of the mechanism's size.
/// Loops of real files are closed to 10⁻⁸, and directions are often written with six to eight digits. No machine is
/// made to 10⁻⁶ of its size, so none depends on a constraint that is as small.
pub const TOLERANCE: f64 = 1e-6;

/// A row of which less than this is new may be redundant within the tolerance: rounding by ε makes it new by some ε.
const LITTLE: f64 = 1e-5;

/// A row of which less than this is new was perhaps meant to be redundant.
const SUSPECT: f64 = 1e-2;

/// The new part that a redundant row may have at a violation r is this factor times r. In a mechanism that locks at a
/// singular position the new part is √r.
const OPEN: f64 = 100.0;

/// The redundant constraint equations and the rank.
pub struct Redundancy {
    /// Redundant constraint equations, in growing order.
    pub redundant: Vec<u32>,
    /// Rank of all constraint equations.
    pub rank: usize,
    /// Rank of the constraint equations that are no drivers.
    pub joints_alone: usize,
    /// By how much the redundant equations are violated where the others hold.
    pub deviation: Deviation,
}

/// The mechanism whose constraint equations are examined.
pub struct RankQuestion<'a> {
    pub model: &'a Model,
    pub topology: &'a Topology,
    pub system: &'a System,
    pub equations: &'a Equations,
    pub size: f64,
}

/// The redundant rows at the state of the largest rank, tree joints first so that repeated rows are found in the joints
/// that close loops, or in couplings.
pub fn rank(subject: &RankQuestion, near: &Near) -> Redundancy {
    let n_rows = subject.system.rows.len();
    let exact = subject.most(near, NEW, n_rows);
    let redundant = redundancy::others(n_rows, &exact.kept);
    let little = subject.most(near, LITTLE, exact.kept.len());
    if little.kept.len() < exact.kept.len() {
        let nearly = redundancy::others(n_rows, &little.kept);
        let deviation = deviation(subject, &near.states[0], &nearly);
        if deviation.is_within(subject, &nearly) {
            return little.found(subject, nearly, deviation, LITTLE);
        }
    }
    let measured = deviation(subject, &near.states[0], &redundant);
    exact.found(subject, redundant, measured, NEW)
}

/// Independent rows at the state where there are most.
#[derive(Default)]
struct Most {
    kept: Vec<usize>,
    rows: Vec<sparse::SparseRowValues>,
}

impl Most {
    fn found(
        self,
        subject: &RankQuestion,
        redundant: Vec<u32>,
        deviation: Deviation,
        new: f64,
    ) -> Redundancy {
        let joints = |i: usize| !subject.system.rows[i].driver;
        Redundancy {
            redundant,
            rank: self.kept.len(),
            joints_alone: redundancy::rank(&self.rows, joints, new),
            deviation,
        }
    }
}

impl RankQuestion<'_> {
    /// Tree joints, cut joints, couplings, drivers.
    fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.system.rows.len()).collect();
        order.sort_by_key(|&i| {
            let row = &self.system.rows[i];
            (
                row.driver,
                matches!(row.owner, Owner::Coupling(_)),
                row.joint()
                    .is_some_and(|joint| self.topology.cuts.contains(&joint)),
                i,
            )
        });
        order
    }

    /// The largest number of rows of which more than `new` is new at one state. The search ends as soon as that number
    /// cannot grow.
    fn most(&self, near: &Near, new: f64, can_be: usize) -> Most {
        let order = self.order();
        let closed = near.states.iter().map(|state| (state, 0.0));
        let rough = near.rough.iter().map(|(state, gap)| (state, *gap));
        let mut most: Option<Most> = None;
        for (state, gap) in closed.chain(rough.filter(|_| new > NEW)) {
            let new = new.max(OPEN * gap / self.size.max(1.0));
            let rows = constraint_rows(self.model, self.equations, state, self.size);
            let kept = redundancy::independent(&rows, &order, 0.0, new);
            let n_known = most.as_ref().map(|most| most.kept.len());
            if n_known.is_none_or(|known| kept.len() > known) {
                most = Some(Most { kept, rows });
            }
            if most.as_ref().is_some_and(|most| most.kept.len() >= can_be) {
                break;
            }
        }
        most.unwrap_or_default()
    }

    /// Rows of which little is new at a state, and the deviations of their equations.
    pub fn suspect(&self, state: &State) -> (Vec<u32>, Deviation) {
        let rows = constraint_rows(self.model, self.equations, state, self.size);
        let kept = redundancy::independent(&rows, &self.order(), 0.0, SUSPECT);
        let suspect = redundancy::others(rows.len(), &kept);
        let deviation = deviation(self, state, &suspect);
        (suspect, deviation)
    }
}
