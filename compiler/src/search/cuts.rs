//! Chooses the joints where loops are opened: the cuts of a form that follows the tree, for the fewest operations.
//!
//! The search starts at the breadth-first tree. For each cut, in the order of the model, it opens the loop at each of
//! its other joints in turn, lowers the form, and keeps the cheapest. It repeats this until no cut is exchanged. Forced
//! cuts stay.
//!
//! A count bounds the effort, and never a time, so that the same input gives the same bytes. At most [`ALTERNATIVES`]
//! are lowered. In a large mechanism n unknowns allow [`EFFORT`] / n. The search does not rule out trees with more
//! unknowns, because these may couple them less.

use super::{Candidate, CandidateFigures, Coordinates, Request, Stages};
use crate::diagnostics::Diagnostics;
use crate::formulation::System;
use crate::kernel::Solve;
use crate::model::{JointId, Model};
use crate::topology::{Topology, exchanges};

/// Most alternatives that are lowered.
const ALTERNATIVES: usize = 24;

/// The product of unknowns and alternatives: lowering takes a time that grows with the unknowns.
const EFFORT: usize = 1200;

/// The cheapest cuts of a form.
pub struct Cheapest {
    /// The figures with the breadth-first cuts, if others are cheaper.
    pub first: Option<CandidateFigures>,
    /// The form with the cheapest cuts.
    pub best: Candidate,
    /// Number of alternatives that were lowered.
    pub n_lowered: usize,
}

/// The form with its cheapest cuts; `None` if it is not available.
pub fn cuts(
    coordinates: Coordinates,
    request: &Request,
    stages: &Stages,
) -> Result<Option<Cheapest>, Diagnostics> {
    let mut search = CutSearch {
        coordinates,
        model: request.model,
        stages,
        tried: Vec::new(),
        n_lowered: 0,
    };
    let Some(mut best) = search.any(request.topology)? else {
        return Ok(None);
    };
    let first = best.figures(request.model);
    let first_cuts = best.topology.cuts.clone();
    while search.exchange_all(&mut best)? {}
    Ok(Some(Cheapest {
        first: (best.topology.cuts != first_cuts).then_some(first),
        best,
        n_lowered: search.n_lowered,
    }))
}

struct CutSearch<'a> {
    coordinates: Coordinates,
    model: &'a Model,
    stages: &'a Stages<'a>,
    /// Cuts that were examined.
    tried: Vec<Vec<JointId>>,
    n_lowered: usize,
}

impl CutSearch<'_> {
    /// The form with the first cuts, or with one cut exchanged if the first cuts do not serve.
    fn any(&mut self, topology: &Topology) -> Result<Option<Candidate>, Diagnostics> {
        if let Some(first) = self.lowered(topology.clone())? {
            return Ok(Some(first));
        }
        for &cut in &topology.cuts {
            for other in exchanges(self.model, topology, cut) {
                if let Some(found) = self.lowered(other)? {
                    return Ok(Some(found));
                }
            }
        }
        Ok(None)
    }

    /// Goes through the cuts once; true if one was exchanged.
    fn exchange_all(&mut self, best: &mut Candidate) -> Result<bool, Diagnostics> {
        let mut exchanged = false;
        for cut in best.topology.cuts.clone() {
            for topology in exchanges(self.model, &best.topology, cut) {
                let most = alternatives(&best.assembled.system);
                if self.n_lowered > most || self.tried.contains(&topology.cuts) {
                    continue;
                }
                if let Some(other) = self.lowered(topology)?
                    && other.cost() < best.cost()
                {
                    *best = other;
                    exchanged = true;
                }
            }
        }
        Ok(exchanged)
    }

    /// The form with these cuts, if it is available.
    fn lowered(&mut self, topology: Topology) -> Result<Option<Candidate>, Diagnostics> {
        self.tried.push(topology.cuts.clone());
        let Some(candidate) = (self.stages)(self.coordinates, &topology)? else {
            return Ok(None);
        };
        self.n_lowered += 1;
        let is_solved =
            !self.coordinates.is_recursive() || candidate.kernel.solve == Solve::Momentum;
        Ok(is_solved.then_some(candidate))
    }
}

/// Number of alternatives that may be lowered.
fn alternatives(system: &System) -> usize {
    let n = system.velocities.len() + system.rows.len();
    ALTERNATIVES.min(EFFORT / n.max(1))
}
