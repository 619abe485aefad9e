//! The guess of joint coordinates and their rates: what the guess of the bodies says about them.

use std::f64::consts::TAU;

use nalgebra::{Matrix3, Quaternion, Rotation3, UnitQuaternion, Vector3};

use super::super::constraint::{kind, plain_sides};
use super::super::kinematics::{Frame, Kinematics, Turning, rotation_columns};
use super::super::vector::{constant, cross, dot, sub, unit, zero};
use crate::description::Space;
use crate::expr::Expr;
use crate::model::{Body, BodyId, JointCoordinate, JointId, Model, Turns, Vector};

/// The bodies where the description has them.
pub struct Guess<'a> {
    kinematics: Kinematics<'a>,
}

/// Value and rate.
pub type Guessed = (Expr, Expr);

impl<'a> Guess<'a> {
    /// Every body as it is guessed.
    pub fn new(model: &'a Model) -> Self {
        let mut kinematics = Kinematics::empty(model);
        for body in &model.bodies {
            kinematics.add_frame(frame(model, body));
        }
        Self { kinematics }
    }

    /// A coordinate of a joint. A planar angle keeps its whole turns, and one that counts is on the turn that the model
    /// says.
    pub fn coordinate(&mut self, id: JointId, which: JointCoordinate) -> Guessed {
        let model = self.kinematics.model;
        let joint = &model.joints[id.0 as usize];
        let sides = plain_sides(&mut self.kinematics, joint);
        let found = (kind(joint.kind).coordinate)(&sides, which);
        let (value, rate) = found.map_or_else(Default::default, |one| (one.value, one.rate));
        match (which, self.kinematics.model.space) {
            (JointCoordinate::Angle, Space::Planar) => {
                let angle = |body: Option<BodyId>| match body {
                    Some(id) => self.body(id).guess.angle.clone(),
                    None => Expr::zero(),
                };
                (angle(joint.second.body) - angle(joint.first.body), rate)
            }
            _ => (on_turn(model, (id, which), value), rate),
        }
    }

    /// Position and velocity of the centre of a body, along an axis of the world.
    pub fn center(&self, body: BodyId, axis: usize) -> Guessed {
        let guess = &self.body(body).guess;
        (guess.position[axis].clone(), guess.velocity[axis].clone())
    }

    /// Angle and angular rate of a planar body.
    pub fn angle(&self, body: BodyId) -> Guessed {
        let guess = &self.body(body).guess;
        (guess.angle.clone(), guess.angular_velocity[2].clone())
    }

    /// Euler parameters of a body against axes of its inboard one, given in the axes of that body, and the
    /// relative angular velocity along these.
    pub fn turn(
        &self,
        inboard: Option<BodyId>,
        basis: Option<[[f64; 3]; 3]>,
        body: BodyId,
    ) -> ([f64; 4], Vector) {
        let orientation = |id: BodyId| {
            let [w, x, y, z] = self.body(id).orientation;
            UnitQuaternion::from_quaternion(Quaternion::new(w, x, y, z))
        };
        let outer = inboard.map_or_else(UnitQuaternion::identity, orientation);
        let against = basis.map_or_else(UnitQuaternion::identity, |axes| {
            let columns = axes.map(Vector3::from);
            let rotation = Rotation3::from_matrix_unchecked(Matrix3::from_columns(&columns));
            UnitQuaternion::from_rotation_matrix(&rotation)
        });
        let axes = outer * against;
        let relative = axes.inverse() * orientation(body);
        let spin = |id: Option<BodyId>| self.kinematics.angular_velocity(id);
        let spin = sub(&spin(Some(body)), &spin(inboard));
        let along = [Vector3::x(), Vector3::y(), Vector3::z()]
            .map(|axis| dot(&constant((axes * axis).into()), &spin));
        let q = relative.quaternion();
        ([q.w, q.i, q.j, q.k], along)
    }

    fn body(&self, id: BodyId) -> &Body {
        &self.kinematics.model.bodies[id.0 as usize]
    }
}

/// An angle of a spatial joint on the turn that the model says.
fn on_turn(model: &Model, (id, which): (JointId, JointCoordinate), value: Expr) -> Expr {
    let counts = |turns: &&Turns| turns.joint == id && turns.coordinate == which;
    match model.turns.iter().find(counts) {
        None => value,
        Some(turns) => {
            let turn = (turns.near - model.at_defaults(&value)) / TAU;
            value + Expr::constant(TAU * turn.round())
        }
    }
}

/// A frame of numbers and parameters. It is a linear one, so that nothing of it becomes an auxiliary.
fn frame(model: &Model, body: &Body) -> Frame {
    let guess = &body.guess;
    let axes = match model.space {
        Space::Planar => {
            let (cos, sin) = (guess.angle.cos(), guess.angle.sin());
            let x = [cos.clone(), sin.clone(), Expr::zero()];
            [x, [-sin, cos, Expr::zero()], unit(2)]
        }
        Space::Spatial => rotation_columns(&body.orientation.map(Expr::constant)),
    };
    let rates = axes.each_ref().map(|axis| cross(&guess.angular_velocity, axis));
    Frame {
        base: zero(),
        position: guess.position.clone(),
        velocity: guess.velocity.clone(),
        acceleration: zero(),
        spin: guess.angular_velocity.clone(),
        basis: None,
        axes,
        turning: Turning::Linear {
            rates,
            accelerations: [zero(), zero(), zero()],
        },
        angle: None,
        wound: None,
        parameters: None,
        turned: Vec::new(),
    }
}
