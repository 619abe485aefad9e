//! The steps of a joint from the inboard body to the outboard one: shifts along axes of the joint's first body, and turns. Seen
//! from the first body the shifts come first, seen from the second one the turns do.

use crate::description::{JointType, Space};
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

/// Turns of the outboard body relative to the inboard one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turns {
    /// Not at all.
    None,
    /// About z of the joint's triads.
    Once,
    /// About z of the first triad and about z of the second one.
    Twice,
    /// Any way.
    Freely,
    /// About z of the joint's triads, and along it by the pitch.
    Screwing,
}

/// Motions that a joint leaves.
#[derive(Clone, Debug)]
pub struct Left {
    /// Shifts along axes of the first body's triad.
    pub shifts: Vec<(usize, Option<JointCoordinate>)>,
    /// Turns.
    pub turns: Turns,
}

/// The carrier of a body that hangs on `parent`. A massless rod carries nothing.
pub fn carrier(model: &Model, parent: Parent) -> Carrier {
    let joint = parent
        .joint
        .filter(|id| !model.joints[id.0 as usize].kind.is_rod());
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
        use JointCoordinate::{Displacement, X, Y};
        let along = |list: &[(usize, JointCoordinate)]| {
            let shifts = list.iter().map(|(axis, which)| (*axis, Some(*which)));
            shifts.collect()
        };
        let Some(joint) = self.of(model) else {
            let (n, turns) = match model.space {
                Space::Planar => (2, Turns::Once),
                Space::Spatial => (3, Turns::Freely),
            };
            let shifts = (0..n).map(|axis| (axis, None)).collect();
            return Left { shifts, turns };
        };
        let (shifts, turns) = match (joint.kind, model.space) {
            (JointType::Revolute, _) => (Vec::new(), Turns::Once),
            (JointType::Prismatic, _) => (along(&[(2, Displacement)]), Turns::None),
            (JointType::Screw, _) => (Vec::new(), Turns::Screwing),
            (JointType::Cylindrical, _) | (JointType::PinSlot, Space::Planar) => {
                (along(&[(2, Displacement)]), Turns::Once)
            }
            (JointType::PinSlot, Space::Spatial) => (along(&[(2, Displacement)]), Turns::Freely),
            (JointType::Universal, _) => (Vec::new(), Turns::Twice),
            (JointType::Planar, _) => (along(&[(0, X), (1, Y)]), Turns::Once),
            (JointType::PointInPlane, _) => (along(&[(0, X), (1, Y)]), Turns::Freely),
            (JointType::Spherical, _) => (Vec::new(), Turns::Freely),
            (JointType::Fixed | JointType::Distance | JointType::RevoluteSpherical, _) => {
                (Vec::new(), Turns::None)
            }
        };
        Left { shifts, turns }
    }
}
