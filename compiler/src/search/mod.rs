//! Searches the formulations and cuts for the one whose steps take the fewest operations.
//!
//! Absolute coordinates always come first. In them a consistent start is found, and redundancy is reported in the words
//! of the model. Other formulations take their start from there. A candidate is a formulation with its cuts, lowered to
//! its kernel. The caller passes the function that makes a candidate, and the search decides which candidates are made.
//! It keeps the one with the fewest weighted operations in a step.

/// One formulation with its cuts, down to its kernel.
mod candidate;
/// The cheapest of the requested formulations.
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

/// The mechanism and the requested formulation.
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

/// Makes a candidate in these coordinates with the cuts of this tree; `None` if it is not available.
pub type Stages<'a> = dyn Fn(Coordinates, &Topology) -> Result<Option<Candidate>, Diagnostics> + 'a;

/// The formulation that the caller requests, else that of the description, else `auto`.
pub fn asked(model: &Model, options: &Options) -> Formulation {
    let asked = options.formulation.or(model.formulation);
    asked.unwrap_or_default()
}

/// The equations of the requested formulation, as far as they are known without algebra. If several formulations are
/// requested, the choice among them and their cuts depends on operations that are not counted yet. The equations are
/// then those of the likeliest formulation with its first cuts.
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
