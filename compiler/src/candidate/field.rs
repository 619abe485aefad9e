//! Which ways are lowered to be compared.
//!
//! A small mechanism is lowered in all ways that are asked for. In a large one that would take most of the time
//! from text to code, so there `auto` leaves out what `models/FORMULATIONS.md` never shows as the cheapest:
//!
//! - Along a tree whose joint coordinates need no rows, nothing is solved for but the motions that are there. All
//!   others have several unknowns and rows for each of them.
//! - With loops, joint coordinates and `particle/momentum` differ in how many coordinates go through the same
//!   recursion, and absolute coordinates, `particle/multiplier` and `particle/swing` in how many go through the same factor.
//!
//! If what is left cannot be had, all ways are lowered after all.

use super::{MOMENTUM, MULTIPLIER, SWING, Way, unserved};
use crate::Options;
use crate::description::Formulation;
use crate::model::Model;
use crate::topology::Topology;

/// Bodies up to which a tree is lowered in all ways.
const FEW: usize = 12;

/// Bodies up to which loops are lowered in all ways.
const MANY: usize = 48;

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Ways along the tree.
    pub ways: &'static [Way],
    /// Whether absolute coordinates are among what is compared.
    pub has_body: bool,
    /// Why others are not, if they were asked for.
    pub note: Option<&'static str>,
}

impl Field {
    /// All that is asked for.
    pub fn whole(asked: Option<Formulation>) -> Self {
        let ways: &[Way] = match asked {
            Some(Formulation::Body | Formulation::Discrete) => &[],
            Some(Formulation::Multiplier) => &[MULTIPLIER],
            Some(Formulation::Momentum) => &[MOMENTUM],
            Some(Formulation::Swing) => &[SWING],
            Some(Formulation::Joint) => &[Way::Joint],
            None | Some(Formulation::Particle) => &[MULTIPLIER, MOMENTUM],
            Some(Formulation::Auto) => &[MULTIPLIER, MOMENTUM, SWING, Way::Joint],
        };
        Self {
            ways,
            has_body: matches!(asked, Some(Formulation::Body | Formulation::Auto)),
            note: None,
        }
    }

    /// What of it is worth lowering.
    pub fn of(
        asked: Option<Formulation>,
        model: &Model,
        topology: &Topology,
        options: &Options,
    ) -> Self {
        let n_bodies = model.bodies.len();
        let is_joint_served = || unserved(Way::Joint, model, options).is_none();
        if asked != Some(Formulation::Auto) || n_bodies <= FEW || !is_joint_served() {
            return Self::whole(asked);
        }
        let joint = Way::Joint.formulate(model, topology);
        match joint.map(|system| system.rows.is_empty()) {
            Some(true) => Self {
                ways: &[Way::Joint],
                has_body: false,
                note: Some(
                    "Others were not lowered: in joint coordinates this tree has no rows to solve for.",
                ),
            },
            Some(false) if n_bodies > MANY => Self {
                ways: &[MULTIPLIER, SWING, Way::Joint],
                has_body: false,
                note: Some(
                    "`particle/momentum` and `body` were not lowered: they take more than these in smaller mechanisms with loops.",
                ),
            },
            _ => Self::whole(asked),
        }
    }
}
