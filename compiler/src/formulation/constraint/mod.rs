//! Joints, one file a kind: the rows that a joint keeps and the coordinates that it leaves.
//!
//! A new joint is one file here with its [`Kind`], and its line in [`kind`].

mod cylindrical;
mod distance;
mod fixed;
mod pin_slot;
mod planar;
mod prismatic;
mod revolute;
mod spherical;
mod universal;

use super::kinematics::Kinematics;
use super::vector::{cross, dot, sub};
use crate::description::{JointType, Space};
use crate::expr::{Binary, Expr};
use crate::model::{Joint, JointCoordinate, Vector};

/// What a kind of joint keeps and leaves.
pub struct Kind {
    /// Rows Φ with what each keeps, in words.
    pub rows: fn(&Sides) -> Vec<(Expr, &'static str)>,
    /// A coordinate with its rate; `None` if the joint has no such coordinate.
    pub coordinate: fn(&Sides, JointCoordinate) -> Option<Coordinate>,
}

/// A joint coordinate.
#[derive(Clone, Debug)]
pub struct Coordinate {
    /// Its value.
    pub value: Expr,
    /// Its rate, linear in v.
    pub rate: Expr,
    /// (sin, cos) of the value where it is an angle that is only known up to whole turns.
    pub turn: Option<(Expr, Expr)>,
}

/// Both sides of a joint in world axes.
pub struct Sides {
    /// Whether the mechanism is planar.
    pub planar: bool,
    /// From the first body's point to the second body's.
    pub d: Vector,
    /// Its rate.
    pub d_rate: Vector,
    /// Triad of the first body: x, y, z.
    pub first: [Vector; 3],
    /// Triad of the second body: x, y, z.
    pub second: [Vector; 3],
    /// Angular velocity of the first body.
    pub first_spin: Vector,
    /// Angular velocity of the second body relative to the first.
    pub spin: Vector,
    /// Angle of the second planar body relative to the first.
    pub angle: Expr,
    /// The same, where both triads coincide, on the turn of the guess.
    pub locked_angle: f64,
    /// The distance of the points, and its rate, of a `distance` joint.
    pub distance: Option<(Expr, Expr)>,
    /// The length that a `distance` joint keeps; `None` where it is driven.
    pub length: Option<Expr>,
}

/// The file of a kind.
pub fn kind(joint: JointType) -> &'static Kind {
    match joint {
        JointType::Revolute => &revolute::KIND,
        JointType::Prismatic => &prismatic::KIND,
        JointType::Cylindrical => &cylindrical::KIND,
        JointType::Spherical => &spherical::KIND,
        JointType::Universal => &universal::KIND,
        JointType::Planar => &planar::KIND,
        JointType::Fixed => &fixed::KIND,
        JointType::PinSlot => &pin_slot::KIND,
        JointType::Distance => &distance::KIND,
    }
}

/// Both sides of a joint.
pub fn sides(kinematics: &mut Kinematics, joint: &Joint) -> Sides {
    let (one, two) = (joint.first.body, joint.second.body);
    let (v1, v2) = (
        kinematics.velocity(&joint.first),
        kinematics.velocity(&joint.second),
    );
    let first_spin = kinematics.angular_velocity(one);
    let driven = joint
        .motions
        .iter()
        .any(|m| m.coordinate == JointCoordinate::Length);
    Sides {
        planar: kinematics.model.space == Space::Planar,
        d: kinematics.between(&joint.first, &joint.second),
        d_rate: sub(&v2, &v1),
        first: joint
            .first_frame
            .map(|axis| kinematics.direction(one, axis)),
        second: joint
            .second_frame
            .map(|axis| kinematics.direction(two, axis)),
        spin: sub(&kinematics.angular_velocity(two), &first_spin),
        first_spin,
        angle: kinematics.angle(two) - kinematics.angle(one),
        locked_angle: locked_angle(kinematics, joint),
        distance: (joint.kind == JointType::Distance).then(|| {
            (
                kinematics.distance(&joint.first, &joint.second),
                kinematics.distance_rate(&joint.first, &joint.second),
            )
        }),
        length: (!driven).then(|| joint.length.clone()),
    }
}

/// Relative angle at which both planar triads coincide, on the turn nearest to the guess.
fn locked_angle(kinematics: &Kinematics, joint: &Joint) -> f64 {
    let direction = |frame: &[[f64; 3]; 3]| {
        let in_plane = if frame[2][2].abs() < 0.5 {
            frame[2]
        } else {
            frame[0]
        };
        in_plane[1].atan2(in_plane[0])
    };
    let guess = |body: Option<crate::model::BodyId>| {
        body.map_or(0.0, |id| kinematics.model.bodies[id.0 as usize].angle)
    };
    let locked = direction(&joint.first_frame) - direction(&joint.second_frame);
    let guessed = guess(joint.second.body) - guess(joint.first.body);
    locked + std::f64::consts::TAU * ((guessed - locked) / std::f64::consts::TAU).round()
}

impl Sides {
    /// d = 0: the points coincide.
    fn coincide(&self) -> Vec<(Expr, &'static str)> {
        let names = ["x of the point", "y of the point", "z of the point"];
        let n = if self.planar { 2 } else { 3 };
        self.d.iter().cloned().zip(names).take(n).collect()
    }

    /// x1·z2 = y1·z2 = 0: the axes are parallel.
    fn parallel(&self) -> Vec<(Expr, &'static str)> {
        vec![
            (
                dot(&self.first[0], &self.second[2]),
                "tilt of the axis about y",
            ),
            (
                dot(&self.first[1], &self.second[2]),
                "tilt of the axis about x",
            ),
        ]
    }

    /// x1·d = y1·d = 0: the second point is on the line along z through the first.
    fn on_line(&self) -> Vec<(Expr, &'static str)> {
        vec![
            (
                dot(&self.first[0], &self.d),
                "distance from the line along x",
            ),
            (
                dot(&self.first[1], &self.d),
                "distance from the line along y",
            ),
        ]
    }

    /// The bodies do not turn relative to each other.
    fn locked(&self) -> Vec<(Expr, &'static str)> {
        if self.planar {
            let angle = &self.angle - Expr::constant(self.locked_angle);
            return vec![(angle, "relative angle")];
        }
        let mut rows = self.parallel();
        rows.push((dot(&self.first[0], &self.second[1]), "turn about the axis"));
        rows
    }

    /// Displacement along axis `k` of the first triad: a·d with rate a·ḋ + (ω1 × a)·d
    fn displacement(&self, k: usize) -> Coordinate {
        let axis = &self.first[k];
        Coordinate {
            value: dot(axis, &self.d),
            rate: dot(axis, &self.d_rate) + dot(&cross(&self.first_spin, axis), &self.d),
            turn: None,
        }
    }

    /// Angle about the common axis: atan2(x2·y1, x2·x1) with rate z1·ω; in the plane the difference of
    /// the angles, which counts whole turns.
    fn rotation(&self) -> Coordinate {
        if self.planar {
            return Coordinate {
                value: self.angle.clone(),
                rate: self.spin[2].clone(),
                turn: None,
            };
        }
        turning(
            dot(&self.second[0], &self.first[1]),
            dot(&self.second[0], &self.first[0]),
            dot(&self.first[2], &self.spin),
        )
    }
}

/// An angle by its sine and cosine.
fn turning(sin: Expr, cos: Expr, rate: Expr) -> Coordinate {
    Coordinate {
        value: Expr::binary(Binary::Atan2, sin.clone(), cos.clone()),
        rate,
        turn: Some((sin, cos)),
    }
}
