//! Chooses the formulations that are lowered to be compared.
//!
//! A small mechanism is lowered in all requested formulations. For a large mechanism that would take most of the time
//! from text to code. There `auto` leaves out formulations that `models/FORMULATIONS.md` never shows as the cheapest:
//!
//! - Along a tree whose joint coordinates need no rows, nothing is solved for but the motions that are there. All
//!   others have several unknowns and rows for each of them.
//! - In space a body in points has three or four of them with six rows or more, which takes some 1500 operations of an
//!   acceleration more than joint coordinates take for a body. These have a full factor for the rows that close loops
//!   instead, which takes less as long as there are few.
//! - With loops, joint coordinates and `particle/momentum` differ in how many coordinates go through the same
//!   recursion, and absolute coordinates, `particle/multiplier` and `particle/swing` in how many go through the same
//!   factor.
//!
//! If none of the remaining formulations is available, all are lowered.

use super::unavailable::unserved;
use super::{Coordinates, Request};
use crate::description::{Formulation, Space};
use crate::topology::Topology;

/// Bodies up to which a tree is lowered in all formulations.
const FEW: usize = 12;

/// Bodies up to which loops are lowered in all formulations.
const MANY: usize = 48;

/// Further operations of an acceleration for each spatial body in points, compared with joint coordinates. The value is
/// somewhat below that of the chains in `models/FORMULATIONS.md`, because mechanisms with loops share points.
const SPARED: usize = 1000;

/// The formulations that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contenders {
    /// Coordinates along the tree.
    pub coordinates: &'static [Coordinates],
    /// Whether absolute coordinates are compared.
    pub has_body: bool,
    /// The reason why other formulations are not compared, if they were requested.
    pub note: Option<&'static str>,
}

impl Contenders {
    /// All requested formulations.
    pub fn all(asked: Formulation) -> Self {
        let coordinates: &[Coordinates] = match asked {
            Formulation::Auto => &[
                Coordinates::MULTIPLIER,
                Coordinates::MOMENTUM,
                Coordinates::SWING,
                Coordinates::Joint,
            ],
            Formulation::Particle => &[
                Coordinates::MULTIPLIER,
                Coordinates::MOMENTUM,
                Coordinates::SWING,
            ],
            Formulation::Multiplier => &[Coordinates::MULTIPLIER],
            Formulation::Momentum => &[Coordinates::MOMENTUM],
            Formulation::Swing => &[Coordinates::SWING],
            Formulation::Joint => &[Coordinates::Joint],
            Formulation::Body | Formulation::Discrete => &[],
        };
        Self {
            coordinates,
            has_body: matches!(asked, Formulation::Body | Formulation::Auto),
            note: None,
        }
    }

    /// The formulations that are worth lowering.
    pub fn of(request: &Request) -> Self {
        let Request {
            asked,
            model,
            topology,
            options,
        } = *request;
        let n_bodies = model.bodies.len();
        let is_joint_served = || unserved(Coordinates::Joint, model, options).is_none();
        if asked != Formulation::Auto || n_bodies <= FEW || !is_joint_served() {
            return Self::all(asked);
        }
        let joint = Coordinates::Joint.formulate(model, topology);
        match joint.map(|system| system.rows.len()) {
            Some(0) => Self {
                coordinates: &[Coordinates::Joint],
                has_body: false,
                note: Some(
                    "Others were not lowered: in joint coordinates this tree has no constraint equations to solve for.",
                ),
            },
            Some(rows) if model.space == Space::Spatial && rows.pow(3) / 3 < SPARED * n_bodies => {
                Self {
                    coordinates: &[Coordinates::Joint],
                    has_body: false,
                    note: Some(
                        "Others were not lowered: in space they take more operations than joint coordinates if so few constraint equations close the loops.",
                    ),
                }
            }
            Some(_) if n_bodies > MANY => Self {
                coordinates: &[
                    Coordinates::MULTIPLIER,
                    Coordinates::SWING,
                    Coordinates::Joint,
                ],
                has_body: false,
                note: Some(
                    "`particle/momentum` and `body` were not lowered: they take more than these in smaller mechanisms with loops.",
                ),
            },
            _ => Self::all(asked),
        }
    }
}

/// The requested coordinates, the likeliest choice first, for callers that have no time to lower them. Joint
/// coordinates of a tree have no constraint equations. With loops, bodies that swing about ground leave the fewest.
pub fn likeliest(asked: Formulation, topology: &Topology) -> &'static [Coordinates] {
    match asked {
        Formulation::Auto if topology.cuts.is_empty() => &[Coordinates::Joint],
        Formulation::Auto => &[Coordinates::SWING, Coordinates::Joint],
        Formulation::Particle => &[Coordinates::SWING, Coordinates::MULTIPLIER],
        _ => Contenders::all(asked).coordinates,
    }
}
