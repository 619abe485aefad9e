//! The pose, the twist and the acceleration at q̈ = 0 of each body, from the root outwards along the joints.

use nalgebra::Vector3;

use super::super::kinematics::{BodyFrame, BodyKinematics, Turning, combine, without_round_off};
use super::super::turns::in_guess;
use super::super::vector::{add, constant, cross, dot, scale, sub, unit, zero};
use super::super::{OwnTurn, Screw};
use super::asked::asked;
use super::guess::{Guessed, GuessedBodies};
use super::steps::Carrier;
use crate::expr::{Expr, Symbol};
use crate::joints::{RelativeTurns, Wound, shift};
use crate::model::{BodyId, JointCoordinate, Vector};
use crate::topology::Topology;

/// A coordinate of a joint with its rate.
#[derive(Clone, Debug)]
pub struct JointRate {
    /// The coordinate of the joint, if it is one.
    pub which: Option<JointCoordinate>,
    /// Its value, if it is known with its whole turns.
    pub value: Option<Expr>,
    /// An angle with its whole turns by themselves.
    pub wound: Option<Wound>,
    /// Its rate.
    pub velocity: u32,
}

/// A body, as the joint to its inboard body carries it.
#[derive(Clone, Debug, Default)]
pub struct Carried {
    /// Coordinates that are displacements or angles.
    pub coordinates: Vec<JointRate>,
    /// Motions that the joint leaves, about the reference point.
    pub freedoms: Vec<Screw>,
    /// Velocities of these motions, without the turn about every axis.
    pub rates: Vec<u32>,
    /// A turn about every axis, which comes after the other motions.
    pub turn: Option<OwnTurn>,
    /// From the reference point of the inboard body to that of this one.
    pub arm: Vector,
    /// The moves of the joint, outwards.
    pub moves: Vec<JointStep>,
    /// The motion of the body.
    pub motion: BodyMotion,
}

/// Something that a joint does between the triads of its two bodies, in the axes that have been reached.
#[derive(Clone, Debug)]
pub enum JointStep {
    /// A turn about z.
    Turn {
        /// Cosine and sine of the angle.
        by: [Expr; 2],
        /// The place of its rate.
        rate: usize,
    },
    /// A shift along an axis.
    Slide {
        /// Index of the axis.
        along: usize,
        /// By how much.
        by: Expr,
        /// The place of its rate.
        rate: usize,
    },
    /// The shift that belongs to the turn before.
    Thread {
        /// By how much.
        by: Expr,
        /// Shift for each unit of the turn.
        pitch: Expr,
    },
    /// From the axes of the first shaft of a universal joint to those of its second one: x is z, and z is x.
    Cross,
    /// A turn any way.
    Freely,
}

impl Carried {
    /// True if it moves along axes that an angular velocity of its own has turned.
    pub fn slides_turned(&self) -> bool {
        let is_turn = |step: &JointStep| matches!(step, JointStep::Freely);
        let turn = self.moves.iter().position(is_turn);
        turn.is_some_and(|turn| turn + 1 < self.moves.len())
    }
}

/// The motion of a body: its angular velocity, the velocity of its reference point, and their rates, in all and with
/// constant joint rates.
#[derive(Clone, Debug, Default)]
pub struct BodyMotion {
    /// ω
    pub spin: Vector,
    /// ẋ
    pub velocity: Vector,
    /// ω̇ at q̈ = 0
    pub spin_bias: Vector,
    /// ẍ at q̈ = 0
    pub bias: Vector,
    /// ω̇
    pub spin_rate: Vector,
    /// ẍ
    pub acceleration: Vector,
}

/// All bodies, by their id.
pub fn carry(
    kinematics: &mut BodyKinematics,
    topology: &Topology,
    carriers: &[Carrier],
) -> Vec<Carried> {
    let mut guess = GuessedBodies::new(kinematics.model);
    let mut carried = vec![Carried::default(); carriers.len()];
    let asked = asked(kinematics.model, carriers);
    for &body in &topology.order {
        let carrier = carriers[body.0 as usize];
        let inboard = carrier
            .inboard
            .map(|id| carried[id.0 as usize].motion.clone());
        let walk = Walk {
            kinematics,
            guess: &mut guess,
            carrier,
            body,
            counted: asked[body.0 as usize],
            at: inboard.unwrap_or_default(),
            carried: Carried::default(),
        };
        carried[body.0 as usize] = walk.joint();
    }
    carried
}

/// B with B r = ω̇ × r + ω × (ω × r): the acceleration of a point of the body against the reference point.
pub fn swing(spin_rate: &Vector, spin: &Vector) -> [Vector; 3] {
    let ([x, y, z], [a, b, c]) = (spin, spin_rate);
    let square = |one: &Expr, two: &Expr| -(one.square() + two.square());
    [
        [square(y, z), x * y - c, x * z + b],
        [x * y + c, square(x, z), y * z - a],
        [x * z - b, y * z + a, square(x, y)],
    ]
}

/// B r
pub fn times(matrix: &[Vector; 3], r: &Vector) -> Vector {
    matrix.each_ref().map(|row| dot(row, r))
}

/// The axes of the outboard body, as its frame has them.
pub(super) struct Outboard {
    pub basis: Option<[[f64; 3]; 3]>,
    pub axes: [Vector; 3],
    pub angle: Option<Expr>,
    pub parameters: Option<[Expr; 4]>,
}

/// A step across one joint.
pub(super) struct Walk<'k, 'a> {
    pub kinematics: &'k mut BodyKinematics<'a>,
    pub guess: &'k mut GuessedBodies<'a>,
    pub carrier: Carrier,
    pub body: BodyId,
    /// True if the model uses the angles of the joint.
    pub counted: bool,
    /// The motion of the body or triad that has been reached, at first that of the inboard body.
    pub at: BodyMotion,
    pub carried: Carried,
}

impl Walk<'_, '_> {
    /// From the inboard body to the outboard one.
    fn joint(mut self) -> Carried {
        let model = self.kinematics.model;
        let left = self.carrier.left(model);
        let (from, base) = match self.carrier.ends(model) {
            Some((inner, outer)) => (Some(inner.clone()), outer.point.clone()),
            None => (None, zero()),
        };
        let mut position = from
            .as_ref()
            .map_or_else(zero, |at| self.kinematics.point(at));
        if let (Some(at), Some(inboard)) = (&from, self.carrier.inboard) {
            let base = self.frame(inboard).base.clone();
            let r = self.kinematics.turn(Some(inboard), &sub(&at.point, &base));
            self.carried.arm = r.clone();
            self.swing(&r);
        }
        let outboard = match self.carrier.forward {
            true => {
                self.shifts(&left.shifts, &mut position, None);
                self.turns(left.turns)
            }
            false => {
                let outboard = self.turns(left.turns);
                self.shifts(&left.shifts, &mut position, Some(&outboard));
                outboard
            }
        };
        if left.turns == RelativeTurns::Screwing {
            self.thread(&mut position, &outboard);
        }
        if self.carrier.inboard.is_none() {
            self.carried.arm = zero();
        }
        self.finish(position, base, outboard)
    }

    /// The frame of a body that has been reached before.
    fn frame(&self, body: BodyId) -> &BodyFrame {
        self.kinematics
            .frame(Some(body))
            .expect("a body has a frame")
    }

    /// Goes to a point of the body that has been reached.
    fn swing(&mut self, r: &Vector) {
        let at = &mut self.at;
        at.velocity = add(&at.velocity, &cross(&at.spin, r));
        at.bias = add(&at.bias, &times(&swing(&at.spin_bias, &at.spin), r));
        at.acceleration = add(&at.acceleration, &times(&swing(&at.spin_rate, &at.spin), r));
    }

    /// The sign of joint coordinates on the way outwards.
    pub(super) fn sign(&self) -> Expr {
        Expr::constant(if self.carrier.forward { 1.0 } else { -1.0 })
    }

    /// Shifts along axes of the joint's first body, which is the outboard one if its axes are given.
    fn shifts(
        &mut self,
        shifts: &[(usize, Option<JointCoordinate>)],
        position: &mut Vector,
        outboard: Option<&Outboard>,
    ) {
        for &(axis, which) in shifts {
            let displacement = self.displacement(axis, which);
            let along = scale(&self.sign(), &self.axis(axis, outboard));
            let r = scale(&displacement[0], &along);
            for freedom in &mut self.carried.freedoms {
                freedom.linear = add(&freedom.linear, &cross(&freedom.angular, &r));
            }
            self.slide(&along, position, displacement.clone());
            // Its rate is the last one so far; a turn any way stays behind it.
            let place = self.carried.rates.len() - 1;
            self.carried.freedoms.insert(place, shift(along));
            self.carried.moves.push(JointStep::Slide {
                along: axis,
                by: self.sign() * &displacement[0],
                rate: place,
            });
        }
    }

    /// Goes along the axis of a screw: s = p θ + (s₀ − p θ₀), with s₀ and θ₀ as in the guess.
    fn thread(&mut self, position: &mut Vector, outboard: &Outboard) {
        let model = self.kinematics.model;
        let Some(id) = self.carrier.joint else { return };
        let pitch = &model.joints[id.0 as usize].pitch;
        let way = in_guess(model, (id, JointCoordinate::Displacement));
        let angle = in_guess(model, (id, JointCoordinate::Angle));
        let JointRate {
            value, velocity, ..
        } = self.carried.coordinates[0].clone();
        let q = value.unwrap_or_default();
        let v = Expr::symbol(Symbol::Velocity(velocity));
        let a = Expr::symbol(Symbol::Acceleration(velocity));
        let along = scale(&self.sign(), &outboard.axes[2]);
        let way = pitch * &q + (way - pitch * angle);
        self.carried.moves.push(JointStep::Thread {
            by: self.sign() * &way,
            pitch: pitch.clone(),
        });
        self.slide(&along, position, [way, pitch * v, pitch * a]);
        for freedom in &mut self.carried.freedoms {
            freedom.linear = scale(pitch, &freedom.angular);
        }
    }

    /// Goes along an axis that is fixed in what has been reached, by a displacement with its derivatives.
    fn slide(&mut self, along: &Vector, position: &mut Vector, [q, v, a]: [Expr; 3]) {
        let r = scale(&q, along);
        *position = add(position, &r);
        self.carried.arm = add(&self.carried.arm, &r);
        self.swing(&r);
        let slide = scale(&v, along);
        let coriolis = scale(&Expr::constant(2.0), &cross(&self.at.spin, &slide));
        let at = &mut self.at;
        at.velocity = add(&at.velocity, &slide);
        at.bias = add(&at.bias, &coriolis);
        at.acceleration = add(&at.acceleration, &add(&coriolis, &scale(&a, along)));
    }

    /// An axis of the joint's first body; of the world, for a body that flies freely.
    fn axis(&mut self, axis: usize, outboard: Option<&Outboard>) -> Vector {
        let Some(joint) = self.carrier.of(self.kinematics.model) else {
            return unit(axis);
        };
        let direction = joint.first_frame[axis];
        match outboard {
            None => self.kinematics.direction(joint.first.body, direction),
            Some(outboard) => {
                let along = Vector3::from(direction);
                let local = outboard.basis.map_or(direction, |basis| {
                    basis.map(|one| without_round_off(Vector3::from(one).dot(&along), 1.0))
                });
                combine(&constant(local), &outboard.axes)
            }
        }
    }

    /// A coordinate of the joint with its first two derivatives.
    fn scalar(
        &mut self,
        names: [String; 2],
        which: Option<JointCoordinate>,
        guess: &Guessed,
    ) -> [Expr; 3] {
        let velocity = self.kinematics.system.velocities.len() as u32;
        let [name, rate] = names;
        let q = self.kinematics.coordinates([name], [&guess.0]).remove(0);
        let (mut v, mut a) = self.kinematics.velocities([rate], [&guess.1]);
        let (v, a) = (v.remove(0), a.remove(0));
        self.kinematics.system.rates.push(v.clone());
        self.carried.coordinates.push(JointRate {
            which,
            value: Some(q.clone()),
            wound: None,
            velocity,
        });
        self.carried.rates.push(velocity);
        [q, v, a]
    }

    /// A displacement of the joint, or of a body along an axis of the world.
    fn displacement(&mut self, axis: usize, which: Option<JointCoordinate>) -> [Expr; 3] {
        let model = self.kinematics.model;
        let axes = ["x", "y", "z"];
        let (names, guess) = match (self.carrier.joint, which) {
            (Some(id), Some(which)) => {
                let joint = &model.joints[id.0 as usize];
                let names = match which {
                    JointCoordinate::X => ["x", "vx"],
                    JointCoordinate::Y => ["y", "vy"],
                    _ => ["displacement", "speed"],
                };
                let names = names.map(|name| format!("{}.{name}", joint.name));
                (names, self.guess.coordinate(id, which))
            }
            _ => {
                let body = &model.bodies[self.body.0 as usize].name;
                let names = [
                    format!("{body}.{}", axes[axis]),
                    format!("{body}.v{}", axes[axis]),
                ];
                (names, self.guess.center(self.body, axis))
            }
        };
        self.scalar(names, which, &guess)
    }

    /// Names the expressions, so that larger expressions stay small.
    fn finish(mut self, position: Vector, base: Vector, outboard: Outboard) -> Carried {
        let mut named = |value: &Vector, rate: &Vector| self.kinematics.named(value.clone(), rate);
        let bias = named(&self.at.bias, &zero());
        let motion = BodyMotion {
            velocity: named(&self.at.velocity, &bias),
            acceleration: named(&self.at.acceleration, &zero()),
            bias,
            ..self.at.clone()
        };
        let position = named(&position, &motion.velocity);
        let frame = BodyFrame {
            base,
            position,
            velocity: motion.velocity.clone(),
            acceleration: motion.acceleration.clone(),
            spin: motion.spin.clone(),
            basis: outboard.basis,
            axes: outboard.axes,
            turning: Turning::Spinning {
                spin_rate: motion.spin_rate.clone(),
            },
            angle: outboard.angle,
            wound: None,
            parameters: outboard.parameters,
            turned: Vec::new(),
        };
        self.kinematics.place_frame(self.body, frame);
        self.carried.motion = motion;
        self.carried
    }
}
