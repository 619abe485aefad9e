//! Chooses the formulations that are lowered to be compared.
//!
//! A small mechanism is lowered in all formulations that are asked for. In a large one that would take most of the time from
//! text to code, so there `auto` leaves out formulations that `models/FORMULATIONS.md` never shows as the cheapest:
//!
//! - Along a tree whose joint coordinates need no rows, nothing is solved for but the motions that are there. All
//!   others have several unknowns and rows for each of them.
//! - In space a body in points has three or four of them with six rows or more, which takes some 1500 operations of an
//!   acceleration more than joint coordinates take for a body. These have a full factor for the rows that close loops instead,
//!   which takes less as long as there are few.
//! - With loops, joint coordinates and `particle/momentum` differ in how many coordinates go through the same
//!   recursion, and absolute coordinates, `particle/multiplier` and `particle/swing` in how many go through the same factor.
//!
//! If none of the remaining formulations can be had, all are lowered after all.

use super::{MOMENTUM, MULTIPLIER, SWING, Way, unserved};
use crate::Options;
use crate::description::{Formulation, Space};
use crate::model::Model;
use crate::topology::Topology;

/// Bodies up to which a tree is lowered in all ways.
const FEW: usize = 12;

/// Bodies up to which loops are lowered in all ways.
const MANY: usize = 48;

/// Operations of an acceleration that a body in space takes more in points than in joint coordinates, by the chains of
/// `models/FORMULATIONS.md`; less than all of it, because those with loops share points.
const SPARED: usize = 1000;

/// The formulations that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Ways along the tree.
    pub ways: &'static [Way],
    /// Whether absolute coordinates are compared.
    pub has_body: bool,
    /// The reason why others are not compared, if they were asked for.
    pub note: Option<&'static str>,
}

impl Field {
    /// All that is asked for.
    pub fn whole(asked: Formulation) -> Self {
        let ways: &[Way] = match asked {
            Formulation::Auto => &[MULTIPLIER, MOMENTUM, SWING, Way::Joint],
            Formulation::Particle => &[MULTIPLIER, MOMENTUM, SWING],
            Formulation::Multiplier => &[MULTIPLIER],
            Formulation::Momentum => &[MOMENTUM],
            Formulation::Swing => &[SWING],
            Formulation::Joint => &[Way::Joint],
            Formulation::Body | Formulation::Discrete => &[],
        };
        Self {
            ways,
            has_body: matches!(asked, Formulation::Body | Formulation::Auto),
            note: None,
        }
    }

    /// The formulations that are worth lowering.
    pub fn of(asked: Formulation, model: &Model, topology: &Topology, options: &Options) -> Self {
        let n_bodies = model.bodies.len();
        let is_joint_served = || unserved(Way::Joint, model, options).is_none();
        if asked != Formulation::Auto || n_bodies <= FEW || !is_joint_served() {
            return Self::whole(asked);
        }
        let joint = Way::Joint.formulate(model, topology);
        match joint.map(|system| system.rows.len()) {
            Some(0) => Self {
                ways: &[Way::Joint],
                has_body: false,
                note: Some(
                    "Others were not lowered: in joint coordinates this tree has no rows to solve for.",
                ),
            },
            Some(rows) if model.space == Space::Spatial && rows.pow(3) / 3 < SPARED * n_bodies => {
                Self {
                    ways: &[Way::Joint],
                    has_body: false,
                    note: Some(
                        "Others were not lowered: in space they take more than joint coordinates with so few rows to close loops.",
                    ),
                }
            }
            Some(_) if n_bodies > MANY => Self {
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

/// The ways that are asked for, the likeliest to be kept first, where there is no time to lower them. Joint
/// coordinates of a tree have no rows, and with loops bodies that swing about ground leave the fewest.
pub fn likeliest(asked: Formulation, topology: &Topology) -> &'static [Way] {
    match asked {
        Formulation::Auto if topology.cuts.is_empty() => &[Way::Joint],
        Formulation::Auto => &[SWING, Way::Joint],
        Formulation::Particle => &[SWING, MULTIPLIER],
        _ => Field::whole(asked).ways,
    }
}
