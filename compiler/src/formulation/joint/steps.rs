//! The steps of a joint from the inboard body to the outboard one: shifts along axes of the joint's first body, and
//! turns. Seen from the first body the shifts come first, seen from the second one the turns do.

use crate::description::Space;
use crate::joints::RelativeTurns;
use crate::model::{BodyId, Joint, JointCoordinate, JointId, Marker, Model};
use crate::topology::Parent;

/// The joint that carries a body in joint coordinates, and the inboard body.
#[derive(Clone, Copy, Debug)]
pub struct Carrier {
    /// The joint; `None` for a body that flies freely.
    pub joint: Option<JointId>,
    /// The inboard body; `None` is ground.
    pub inboard: Option<BodyId>,
    /// True if the inboard body is the joint's first.
    pub forward: bool,
}

/// Motions that a joint leaves.
#[derive(Clone, Debug)]
pub struct Left {
    /// Shifts along axes of the first body's triad.
    pub shifts: Vec<(usize, Option<JointCoordinate>)>,
    /// Turns.
    pub turns: RelativeTurns,
}

/// The carrier of a body that hangs on `parent`. A joint whose motions have no coordinates, such as a massless rod,
/// carries nothing.
pub fn carrier(model: &Model, parent: Parent) -> Carrier {
    let has_coordinates = |joint: &Joint| joint.kind.facts(model.space).motions.is_some();
    let joint = parent
        .joint
        .filter(|id| has_coordinates(&model.joints[id.0 as usize]));
    match joint {
        None => Carrier {
            joint: None,
            inboard: None,
            forward: true,
        },
        Some(id) => Carrier {
            joint,
            inboard: parent.body,
            forward: model.joints[id.0 as usize].first.body == parent.body,
        },
    }
}

impl Carrier {
    /// Its ends: inboard and outboard.
    pub fn ends<'m>(&self, model: &'m Model) -> Option<(&'m Marker, &'m Marker)> {
        let joint = self.of(model)?;
        Some(match self.forward {
            true => (&joint.first, &joint.second),
            false => (&joint.second, &joint.first),
        })
    }

    /// The joint, if there is one.
    pub fn of<'m>(&self, model: &'m Model) -> Option<&'m Joint> {
        self.joint.map(|id| &model.joints[id.0 as usize])
    }

    /// Motions that the carrier leaves. A body that flies freely has all motions.
    pub fn left(&self, model: &Model) -> Left {
        let Some(joint) = self.of(model) else {
            let (n, turns) = match model.space {
                Space::Planar => (2, RelativeTurns::Once),
                Space::Spatial => (3, RelativeTurns::Freely),
            };
            let shifts = (0..n).map(|axis| (axis, None)).collect();
            return Left { shifts, turns };
        };
        let facts = joint.kind.facts(model.space);
        let left = facts.motions.expect("only such a joint carries a body");
        let shifts = left.shifts.iter();
        Left {
            shifts: shifts.map(|(axis, which)| (*axis, Some(*which))).collect(),
            turns: left.turns,
        }
    }
}
