//! The joint graph: its spanning tree from ground, and the joints that close loops, which are cut. After this point
//! each joint is in the tree or cut. Degrees of freedom are counted later, by `assembly`, because they depend on
//! lengths and directions.

mod exchanges;
mod loops;
mod print;
mod spanning_tree;

pub use exchanges::exchanges;
pub use print::print;
pub use spanning_tree::{spanning_tree, with_cuts};

use crate::diagnostics::Diagnostics;
use crate::model::{BodyId, JointId, Model};

/// The spanning tree of a model and its closed loops.
pub fn analyze(model: &Model) -> Result<Topology, Diagnostics> {
    spanning_tree(model)
}

/// The joint graph with ground as its root.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Topology {
    /// For each body the joint that carries it and its inboard body (`None` is ground); no joint for
    /// the base of a group that flies freely.
    pub parents: Vec<Parent>,
    /// Bodies from the root outwards: a body stands after its parent.
    pub order: Vec<BodyId>,
    /// Joints that close loops, in the order of the model.
    pub cuts: Vec<JointId>,
    /// The joints of the loop that each cut closes, the cut first.
    pub loops: Vec<Vec<JointId>>,
}

/// The joint that carries a body, and the inboard body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parent {
    /// The joint; `None` for the base of a group that flies freely.
    pub joint: Option<JointId>,
    /// The inboard body; `None` is ground.
    pub body: Option<BodyId>,
}
