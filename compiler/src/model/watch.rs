//! Quantities that analyses watch beside those of a description.
//!
//! Each coordinate of a joint gets a further motion with the law 0: a constraint equation whose Φ is the coordinate
//! itself, with its gradient and its curvature. The analysis decides which of these equations hold. Origins of bodies,
//! ends of joints and forces of elements become outputs, after those of the description.

use super::{
    Action, Element, ElementId, Joint, JointCoordinate, Marker, Measure, Model, Motion, Output,
};
use crate::description::Space;
use crate::diagnostics::Path;
use crate::expr::{Expr, Symbol};

impl Model {
    /// Adds a motion for each coordinate of each joint, and outputs for bodies, joints and elements.
    pub fn watch(&mut self) {
        for joint in &mut self.joints {
            let path = joint.path.clone();
            let motion = |coordinate| Motion {
                coordinate,
                law: Expr::zero(),
                path: path.clone(),
            };
            let added: Vec<Motion> = watched(joint, self.space).into_iter().map(motion).collect();
            joint.motions.extend(added);
        }
        let places = self.places();
        let positions = places
            .into_iter()
            .flat_map(|place| [0, 1, 2].map(|k| Measure::Position(place.clone(), k)));
        let forces = self.elements.iter().enumerate();
        let forces = forces.filter(|(_, element)| has_force(element));
        let forces = forces.map(|(index, _)| Measure::ElementForce(ElementId(index as u32)));
        for measure in positions.chain(forces).collect::<Vec<_>>() {
            self.report(measure);
        }
    }

    /// The origins of all bodies, then both ends of all joints.
    fn places(&self) -> Vec<Marker> {
        let bodies = (0..).zip(&self.bodies);
        let origins = bodies.map(|(id, body)| Marker {
            body: Some(super::BodyId(id)),
            point: body.origin.clone(),
        });
        let joints = self.joints.iter();
        let ends = joints.flat_map(|joint| [joint.first.clone(), joint.second.clone()]);
        origins.chain(ends).collect()
    }

    fn report(&mut self, measure: Measure) {
        let index = self.measures.len() as u32;
        self.measures.push(measure);
        self.outputs.push(Output {
            name: format!("watched_{index}"),
            path: Path::root(),
            value: Expr::symbol(Symbol::Measure(index)),
        });
    }
}

/// The coordinates of a joint that are watched: all of them, but a length only where it is driven, because a
/// driver takes the place of the rod.
pub fn watched(joint: &Joint, space: Space) -> Vec<JointCoordinate> {
    let list = joint.kind.facts(space).coordinates.iter().copied();
    let driven = !joint.motions.is_empty();
    list.filter(|coordinate| driven || *coordinate != JointCoordinate::Length)
        .collect()
}

/// Whether an element has a force that is one number.
pub fn has_force(element: &Element) -> bool {
    matches!(
        element.action,
        Action::Between { .. } | Action::Joint { .. }
    )
}
