//! Constraint equations of joints, drivers and couplings, written by hand from their definitions, in absolute
//! coordinates.

use bellcrank_compiler::description::JointType;

use super::jet::{Jet, Path, dot, minus, path};
use nalgebra::UnitQuaternion;

use crate::physics::machine::Motion;
use crate::physics::mechanism::{Joint, LEAD, Marker, Mechanism, Vector};

/// Bodies along a motion of constant velocities and angular velocities.
pub struct Moving<'a> {
    pub mechanism: &'a Mechanism,
    pub motions: Vec<Motion>,
}

impl Moving<'_> {
    fn point(&self, marker: &Marker) -> Path {
        let Some(body) = marker.body else {
            return path(marker.point, Vector::zeros(), Vector::zeros());
        };
        let now = &self.motions[body];
        let arm = now.rotation * (marker.point - self.mechanism.bodies[body].center);
        let swing = now.spin.cross(&arm);
        path(
            now.center + arm,
            now.velocity + swing,
            0.5 * now.spin.cross(&swing),
        )
    }

    fn direction(&self, body: Option<usize>, local: Vector) -> Path {
        let Some(body) = body else {
            return path(local, Vector::zeros(), Vector::zeros());
        };
        let now = &self.motions[body];
        let direction = now.rotation * local;
        let swing = now.spin.cross(&direction);
        path(direction, swing, 0.5 * now.spin.cross(&swing))
    }

    /// From the first point of a joint to the second.
    fn between(&self, joint: &Joint) -> Path {
        let [first, second] = &joint.ends;
        minus(&self.point(second), &self.point(first))
    }

    /// x, y and z of both bodies: z along their axes, and x where both agree in the drawn poses.
    fn triads(&self, joint: &Joint) -> [[Path; 3]; 2] {
        let mechanism = self.mechanism;
        let [one, two] = joint.ends.map(|end| end.body);
        let across = |axis: Vector| axis.cross(&Vector::ith(axis.iamin(), 1.0)).normalize();
        let (z, other) = (joint.axes[0], joint.axes[1]);
        let x = across(z);
        let in_world = mechanism.pose(one).1 * x;
        let shafts = [(one, z), (two, other)].map(|(body, axis)| mechanism.pose(body).1 * axis);
        let seen = match joint.kind {
            // The drawn poses bend the joint without a turn.
            JointType::ConstantVelocity => {
                let bend = UnitQuaternion::rotation_between(&shafts[0], &shafts[1]);
                mechanism.local(two, bend.unwrap_or_default() * in_world)
            }
            // The axes of the cross are perpendicular, so x of the first is not across the second.
            JointType::Universal => across(other),
            _ => mechanism.local(two, in_world),
        };
        let triad =
            |body, x: Vector, z: Vector| [x, z.cross(&x), z].map(|axis| self.direction(body, axis));
        [triad(one, x, z), triad(two, seen, other)]
    }

    /// Φ of each row that a joint keeps, up to constants. A rod whose length is driven keeps none.
    pub fn kept(&self, joint: &Joint) -> Vec<Jet> {
        let d = self.between(joint);
        match (joint.kind, self.mechanism.planar()) {
            (JointType::Distance, _) if joint.motion.is_empty() => vec![dot(&d, &d).sqrt()],
            (JointType::Distance, _) => Vec::new(),
            (_, true) => self.kept_in_plane(joint, &d),
            (_, false) => self.kept_in_space(joint, &d),
        }
    }

    fn kept_in_plane(&self, joint: &Joint, d: &Path) -> Vec<Jet> {
        let [one, two] = joint.ends.map(|end| end.body);
        let normal = self.direction(one, Vector::z().cross(&joint.axes[0]));
        let along = self.direction(two, joint.axes[1]);
        let (slide, turn) = (dot(&normal, d), dot(&normal, &along));
        match joint.kind {
            JointType::Revolute => vec![d[0], d[1]],
            JointType::Prismatic => vec![slide, turn],
            JointType::PinSlot => vec![slide],
            JointType::Fixed => vec![d[0], d[1], turn],
            other => unreachable!("{other:?} is not drawn in the plane"),
        }
    }

    fn kept_in_space(&self, joint: &Joint, d: &Path) -> Vec<Jet> {
        let [[x, y, z], [second_x, second_y, second_z]] = self.triads(joint);
        let point = d.to_vec();
        let on_line = vec![dot(&x, d), dot(&y, d)];
        let parallel = vec![dot(&x, &second_z), dot(&y, &second_z)];
        let turn = vec![dot(&x, &second_y)];
        match joint.kind {
            JointType::Revolute => [point, parallel].concat(),
            JointType::Prismatic => [on_line, parallel, turn].concat(),
            JointType::Cylindrical => [on_line, parallel].concat(),
            JointType::Spherical => point,
            JointType::Universal => [point, vec![dot(&z, &second_z)]].concat(),
            JointType::ConstantVelocity => {
                [point, vec![dot(&x, &second_y) - dot(&y, &second_x)]].concat()
            }
            JointType::Planar => [vec![dot(&z, d)], parallel].concat(),
            JointType::PinSlot => on_line,
            JointType::Fixed => [point, parallel, turn].concat(),
            JointType::Screw => {
                let way = self.coordinate(joint, "displacement");
                let angle = self.coordinate(joint, "angle");
                let thread = way - (LEAD / std::f64::consts::TAU) * angle;
                [on_line, parallel, vec![thread]].concat()
            }
            JointType::PointInPlane => vec![dot(&z, d)],
            JointType::RevoluteSpherical => vec![dot(&z, d), dot(d, d).sqrt()],
            JointType::Distance => unreachable!("a distance is the same in the plane"),
        }
    }

    /// A joint coordinate. Angles in space are up to a constant and whole turns.
    pub fn coordinate(&self, joint: &Joint, name: &str) -> Jet {
        let d = self.between(joint);
        if name == "length" {
            return dot(&d, &d).sqrt();
        }
        if name == "angle" && self.mechanism.planar() {
            return self.angle_in_plane(joint);
        }
        if name == "displacement" {
            let along = self.direction(joint.ends[0].body, joint.axes[0]);
            return dot(&along, &d);
        }
        let [first, second] = self.triads(joint);
        let seen = |[x, y, _]: &[Path; 3], what: &Path| dot(y, what).atan2(dot(x, what));
        match (joint.kind, name) {
            // The axis of the other body, as a body sees it turn about its own.
            (JointType::Universal, "angle") => seen(&first, &second[2]),
            (JointType::Universal, "second_angle") => -seen(&second, &first[2]),
            (_, "angle") => seen(&first, &second[0]),
            (_, other) => unreachable!("{other} of a {:?} is not drawn", joint.kind),
        }
    }

    fn angle_in_plane(&self, joint: &Joint) -> Jet {
        let [one, two] = joint.ends.map(|end| {
            let turn = |i: usize| (self.motions[i].angle, self.motions[i].spin.z);
            end.body.map_or((0.0, 0.0), turn)
        });
        Jet([two.0 - one.0, two.1 - one.1, 0.0])
    }
}
