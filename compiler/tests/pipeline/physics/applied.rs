//! The effect of the force elements on each body, by hand.

use std::ops::AddAssign;

use nalgebra::UnitQuaternion;

use super::machine::Motion;
use super::mechanism::{Element, Joint, Marker, Mechanism, Vector};

/// A force and a torque about some point.
#[derive(Clone, Copy, Debug)]
pub struct Wrench {
    pub force: Vector,
    pub torque: Vector,
}

impl Wrench {
    pub fn zero() -> Self {
        Self::from_slice(&[0.0; 6])
    }

    pub fn from_slice(list: &[f64]) -> Self {
        Self {
            force: Vector::from_column_slice(&list[..3]),
            torque: Vector::from_column_slice(&list[3..]),
        }
    }

    /// The same wrench about another point.
    pub fn moved(self, from: Vector, to: Vector) -> Self {
        let torque = self.torque + (from - to).cross(&self.force);
        Self { torque, ..self }
    }

    pub fn reversed(self) -> Self {
        Self {
            force: -self.force,
            torque: -self.torque,
        }
    }
}

impl AddAssign for Wrench {
    fn add_assign(&mut self, other: Self) {
        self.force += other.force;
        self.torque += other.torque;
    }
}

/// The wrench on each body about its centre of mass, without gravity.
pub fn applied(mechanism: &Mechanism, motions: &[Motion]) -> Vec<Wrench> {
    let mut total = vec![Wrench::zero(); mechanism.bodies.len()];
    for element in &mechanism.elements {
        act(mechanism, element, motions, &mut total);
    }
    total
}

/// Adds the effect of an element.
pub fn act(mechanism: &Mechanism, element: &Element, motions: &[Motion], total: &mut [Wrench]) {
    for (body, at, wrench) in mechanism.actions(element, motions) {
        if let Some(body) = body {
            total[body] += wrench.moved(at, motions[body].center);
        }
    }
}

type Actions = Vec<(Option<usize>, Vector, Wrench)>;

impl Mechanism {
    /// Where a point is now.
    pub fn now(&self, marker: &Marker, motions: &[Motion]) -> Vector {
        marker.body.map_or(marker.point, |i| {
            motions[i].center + motions[i].rotation * (marker.point - self.bodies[i].center)
        })
    }

    fn velocity_now(&self, marker: &Marker, motions: &[Motion]) -> Vector {
        marker.body.map_or(Vector::zeros(), |i| {
            let arm = self.now(marker, motions) - motions[i].center;
            motions[i].velocity + motions[i].spin.cross(&arm)
        })
    }

    /// Bodies, points and wrenches of an element.
    fn actions(&self, element: &Element, motions: &[Motion]) -> Actions {
        match element {
            Element::Force { at, force, follows } => {
                let force = turned(at.body, *follows, motions) * force;
                let torque = Vector::zeros();
                vec![(at.body, self.now(at, motions), Wrench { force, torque })]
            }
            Element::Torque {
                body,
                torque,
                follows,
            } => {
                let torque = turned(Some(*body), *follows, motions) * torque;
                let force = Vector::zeros();
                vec![(Some(*body), motions[*body].center, Wrench { force, torque })]
            }
            Element::Between {
                ends,
                stiffness,
                damping,
                free,
            } => {
                let d = self.now(&ends[1], motions) - self.now(&ends[0], motions);
                let d_rate =
                    self.velocity_now(&ends[1], motions) - self.velocity_now(&ends[0], motions);
                let (length, along) = (d.norm(), d.normalize());
                let pull = stiffness * (length - free) + damping * along.dot(&d_rate);
                let (force, torque) = (pull * along, Vector::zeros());
                let wrench = Wrench { force, torque };
                let at = self.now(&ends[0], motions);
                vec![
                    (ends[0].body, at, wrench),
                    (ends[1].body, at, wrench.reversed()),
                ]
            }
            Element::Spring {
                joint,
                coordinate,
                stiffness,
                damping,
                free,
            } => {
                let joint = &self.joints[*joint];
                let (value, rate) = self.coordinate(joint, coordinate, motions);
                let pull = if *stiffness == 0.0 {
                    0.0
                } else {
                    stiffness * (value - free)
                };
                self.effort(joint, coordinate, -pull - damping * rate, motions)
            }
            Element::Push {
                joint,
                coordinate,
                effort,
            } => self.effort(&self.joints[*joint], coordinate, *effort, motions),
        }
    }

    /// An effort on a coordinate acts on the second body at its point, and back on the first.
    fn effort(&self, joint: &Joint, coordinate: &str, effort: f64, motions: &[Motion]) -> Actions {
        let along = effort * self.direction(joint, coordinate, motions);
        let (force, torque) = match coordinate {
            "displacement" => (along, Vector::zeros()),
            _ => (Vector::zeros(), along),
        };
        let wrench = Wrench { force, torque };
        let at = self.now(&joint.ends[1], motions);
        vec![
            (joint.ends[1].body, at, wrench),
            (joint.ends[0].body, at, wrench.reversed()),
        ]
    }

    /// The axis that a coordinate slides along or turns about.
    fn direction(&self, joint: &Joint, coordinate: &str, motions: &[Motion]) -> Vector {
        let end = usize::from(coordinate == "second_angle");
        if self.planar() && coordinate == "angle" {
            return Vector::z();
        }
        turned(joint.ends[end].body, true, motions) * joint.axes[end]
    }

    /// Value and rate. Only planar angles are asked for by value.
    fn coordinate(&self, joint: &Joint, coordinate: &str, motions: &[Motion]) -> (f64, f64) {
        let [first, second] = &joint.ends;
        let along = self.direction(joint, coordinate, motions);
        let spin = |end: &Marker| end.body.map_or(Vector::zeros(), |i| motions[i].spin);
        let angle = |end: &Marker| end.body.map_or(0.0, |i| motions[i].angle);
        if coordinate != "displacement" {
            let rate = along.dot(&(spin(second) - spin(first)));
            return (angle(second) - angle(first), rate);
        }
        let d = self.now(second, motions) - self.now(first, motions);
        let d_rate = self.velocity_now(second, motions) - self.velocity_now(first, motions);
        let rate = along.dot(&(d_rate - spin(first).cross(&d)));
        (along.dot(&d), rate)
    }
}

/// The rotation of a body, for vectors that turn with it.
fn turned(body: Option<usize>, follows: bool, motions: &[Motion]) -> UnitQuaternion<f64> {
    match body {
        Some(i) if follows => motions[i].rotation,
        _ => UnitQuaternion::identity(),
    }
}
