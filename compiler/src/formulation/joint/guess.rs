//! The guess of joint coordinates and their rates, from the guess of the bodies.

use std::f64::consts::TAU;

use super::super::absolute::rotation_columns;
use super::super::constraint::plain_sides;
use super::super::kinematics::{BodyFrame, BodyKinematics, Turning};
use super::super::vector::{cross, unit, zero};
use crate::description::Space;
use crate::expr::Expr;
use crate::model::{Body, BodyId, CountedAngle, JointCoordinate, JointId, Model};

/// The bodies at the guess of the description.
pub struct GuessedBodies<'a> {
    kinematics: BodyKinematics<'a>,
}

/// Value and rate.
pub type Guessed = (Expr, Expr);

impl<'a> GuessedBodies<'a> {
    /// The guess of every body.
    pub fn new(model: &'a Model) -> Self {
        let mut kinematics = BodyKinematics::empty(model);
        for body in &model.bodies {
            kinematics.add_frame(frame(model, body));
        }
        Self { kinematics }
    }

    /// A coordinate of a joint. A planar angle keeps its whole turns. A spatial angle whose turns matter is on the turn
    /// that the model gives.
    pub fn coordinate(&mut self, id: JointId, which: JointCoordinate) -> Guessed {
        let model = self.kinematics.model;
        let joint = &model.joints[id.0 as usize];
        let sides = plain_sides(&mut self.kinematics, joint);
        let found = (joint.kind.kind().coordinate)(&sides, which);
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

    fn body(&self, id: BodyId) -> &Body {
        &self.kinematics.model.bodies[id.0 as usize]
    }
}

/// An angle of a spatial joint, on the turn that the model gives.
fn on_turn(model: &Model, (id, which): (JointId, JointCoordinate), value: Expr) -> Expr {
    let counts = |turns: &&CountedAngle| turns.joint == id && turns.coordinate == which;
    match model.turns.iter().find(counts) {
        None => value,
        Some(turns) => {
            let turn = (turns.near - model.at_defaults(&value)) / TAU;
            value + Expr::constant(TAU * turn.round())
        }
    }
}

/// A frame of numbers and parameters. It is marked as linear, so that none of its vectors becomes an auxiliary.
fn frame(model: &Model, body: &Body) -> BodyFrame {
    let guess = &body.guess;
    let axes = match model.space {
        Space::Planar => {
            let (cos, sin) = (guess.angle.cos(), guess.angle.sin());
            let x = [cos.clone(), sin.clone(), Expr::zero()];
            [x, [-sin, cos, Expr::zero()], unit(2)]
        }
        Space::Spatial => rotation_columns(&body.orientation.map(Expr::constant)),
    };
    let rates = axes
        .each_ref()
        .map(|axis| cross(&guess.angular_velocity, axis));
    BodyFrame {
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
