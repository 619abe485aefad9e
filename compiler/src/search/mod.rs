//! Searches the formulations and cuts for the one whose steps take the fewest operations.
//!
//! Absolute coordinates come first in every case: in them a consistent start is found, and redundancy is reported in
//! the words of the model. Other formulations take their start from there. A candidate is a formulation with its cuts,
//! lowered to its kernel. The caller says how a candidate is made, the search says which ones are made, and the one
//! with the fewest weighted operations in a step is kept.

/// One formulation with its cuts, down to its kernel.
mod candidate;
/// The cheapest of the formulations that are asked for.
mod cheapest;
/// The formulations that are lowered to be compared.
mod contenders;
/// The coordinates of the formulations that follow the tree.
mod coordinates;
/// The cost of a step.
mod cost;
/// The cheapest cuts of one formulation.
mod cuts;
/// Tables of candidates.
mod figures;
/// Tables of chains.
mod growth;
/// The cheapest way to write the equations that were kept.
mod rewrite;
/// Springs for joints, which are never chosen by their cost.
mod springs;
/// Formulations that a mechanism or a method rules out.
mod unavailable;

pub use candidate::{Assembled, Candidate, settings};
pub use cheapest::{Choice, cheapest};
pub use coordinates::Coordinates;
pub use figures::{CandidateFigures, aligned, by_model, markdown};
pub use growth::{Grown, by_chain};
pub use rewrite::{LoweredFunctions, rewrite};
pub use springs::{springs, without_effect};

use crate::Options;
use crate::description::Formulation;
use crate::diagnostics::Diagnostics;
use crate::formulation::{self, System};
use crate::model::Model;
use crate::topology::Topology;
use unavailable::unserved;

/// The mechanism and the formulation that is asked for.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// The formulation, or a family of them.
    pub asked: Formulation,
    /// The model.
    pub model: &'a Model,
    /// Its tree, breadth first.
    pub topology: &'a Topology,
    /// Options of the caller.
    pub options: &'a Options,
}

/// Makes a candidate in these coordinates with the cuts of this tree; `None` if it cannot be had.
pub type Stages<'a> = dyn Fn(Coordinates, &Topology) -> Result<Option<Candidate>, Diagnostics> + 'a;

/// The formulation that the caller asks for, else that of the description; `auto` if neither says anything.
pub fn asked(model: &Model, options: &Options) -> Formulation {
    let asked = options.formulation.or(model.formulation);
    asked.unwrap_or_default()
}

/// The equations of the formulation that is asked for, as far as no algebra is needed to know it: what
/// is kept of several, and with which cuts, depends on operations that are not counted yet, so these are
/// those of the likeliest one with the first cuts.
pub fn outline(model: &Model, topology: &Topology, options: &Options) -> System {
    let asked = asked(model, options);
    if asked == Formulation::Discrete {
        return springs::outline(model);
    }
    let likeliest = contenders::likeliest(asked, topology).iter();
    likeliest
        .filter(|one| unserved(**one, model, options).is_none())
        .find_map(|one| one.formulate(model, topology))
        .unwrap_or_else(|| formulation::formulate(model))
}
