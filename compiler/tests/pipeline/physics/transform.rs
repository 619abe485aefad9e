//! The same mechanism elsewhere, and its mirror image.

use nalgebra::{Matrix3, Quaternion, UnitQuaternion};

use super::mechanism::{Body, Element, Joint, Marker, Mechanism, Vector};

/// The plane y = 0 is the mirror, in the plane and in space.
pub const MIRROR: Vector = Vector::new(1.0, -1.0, 1.0);

/// A rotation about the origin, with its angle in the plane, and then a shift.
#[derive(Clone, Copy, Debug)]
pub struct Placement {
    pub rotation: UnitQuaternion<f64>,
    pub angle: f64,
    pub shift: Vector,
}

impl Mechanism {
    /// Everything that is given in world axes is moved.
    pub fn moved(&self, to: &Placement) -> Self {
        let marker = |end: &Marker| match end.body {
            None => Marker {
                body: None,
                point: to.rotation * end.point + to.shift,
            },
            Some(_) => *end,
        };
        let joint = |joint: &Joint| {
            let turned = |k: usize| match joint.ends[k].body {
                None => to.rotation * joint.axes[k],
                Some(_) => joint.axes[k],
            };
            Joint {
                ends: joint.ends.each_ref().map(marker),
                axes: [turned(0), turned(1)],
                ..joint.clone()
            }
        };
        Self {
            space: self.space,
            gravity: to.rotation * self.gravity,
            bodies: self
                .bodies
                .iter()
                .map(|body| moved_body(body, to))
                .collect(),
            joints: self.joints.iter().map(joint).collect(),
            couplings: self.couplings.clone(),
            elements: self
                .elements
                .iter()
                .map(|e| moved_element(e, to, marker))
                .collect(),
        }
    }

    /// Everything is mirrored, the frames of the bodies too: polar vectors change the sign of y, axial
    /// ones those of x and z, and so do angles.
    pub fn mirrored(&self) -> Self {
        Self {
            space: self.space,
            gravity: polar(self.gravity),
            bodies: self.bodies.iter().map(mirrored_body).collect(),
            joints: self.joints.iter().map(mirrored_joint).collect(),
            couplings: self.couplings.clone(),
            elements: self.elements.iter().map(mirrored_element).collect(),
        }
    }
}

fn polar(v: Vector) -> Vector {
    v.component_mul(&MIRROR)
}

fn axial(v: Vector) -> Vector {
    -polar(v)
}

fn moved_body(body: &Body, to: &Placement) -> Body {
    Body {
        position: to.rotation * body.position + to.shift,
        rotation: to.rotation * body.rotation,
        angle: body.angle + to.angle,
        velocity: to.rotation * body.velocity,
        spin: to.rotation * body.spin,
        ..body.clone()
    }
}

fn moved_element(element: &Element, to: &Placement, marker: impl Fn(&Marker) -> Marker) -> Element {
    let mut element = element.clone();
    match &mut element {
        Element::Between { ends, .. } => *ends = ends.each_ref().map(marker),
        Element::Force {
            force,
            follows: false,
            ..
        } => *force = to.rotation * *force,
        Element::Torque {
            torque,
            follows: false,
            ..
        } => *torque = to.rotation * *torque,
        _ => {}
    }
    element
}

fn mirrored_body(body: &Body) -> Body {
    let mirror = Matrix3::from_diagonal(&MIRROR);
    let e = body.rotation.quaternion();
    let vector = axial(e.imag());
    Body {
        inertia: mirror * body.inertia * mirror,
        center: polar(body.center),
        position: polar(body.position),
        rotation: UnitQuaternion::new_unchecked(Quaternion::from_parts(e.w, vector)),
        angle: -body.angle,
        velocity: polar(body.velocity),
        spin: axial(body.spin),
        ..body.clone()
    }
}

fn mirrored_marker(marker: &Marker) -> Marker {
    Marker {
        point: polar(marker.point),
        ..*marker
    }
}

fn mirrored_joint(joint: &Joint) -> Joint {
    Joint {
        ends: joint.ends.each_ref().map(mirrored_marker),
        axes: joint.axes.map(polar),
        ..joint.clone()
    }
}

fn mirrored_element(element: &Element) -> Element {
    let mut element = element.clone();
    let turns = |coordinate: &str| coordinate != "displacement";
    match &mut element {
        Element::Between { ends, .. } => *ends = ends.each_ref().map(mirrored_marker),
        Element::Spring {
            coordinate, free, ..
        } if turns(coordinate) => *free = -*free,
        Element::Push {
            coordinate, effort, ..
        } if turns(coordinate) => *effort = -*effort,
        Element::Force { at, force, .. } => {
            *at = mirrored_marker(at);
            *force = polar(*force);
        }
        Element::Torque { torque, .. } => *torque = axial(*torque),
        Element::Spring { .. } | Element::Push { .. } => {}
    }
    element
}
