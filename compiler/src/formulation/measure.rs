//! Measures of the model in terms of coordinates.

use super::constraint;
use super::kinematics::BodyKinematics;
use super::rows::multiplier;
use super::turns::{in_guess, on_turn};
use super::whole::{Whole, whole};
use super::{Owner, System};
use crate::expr::{Expr, Symbol};
use crate::joints::{JointCoordinateValue, Sides};
use crate::model::{Action, CouplingId, ElementId, JointCoordinate, JointId, Measure, Model};

/// The measures that are expressed so far.
pub struct ExpressedMeasures<'a> {
    model: &'a Model,
    sides: &'a [Sides],
    known: Vec<Option<Expr>>,
    whole: Option<Whole>,
}

impl<'a> ExpressedMeasures<'a> {
    /// Nothing known yet.
    pub fn new(model: &'a Model, sides: &'a [Sides]) -> Self {
        Self {
            model,
            sides,
            known: vec![None; model.measures.len()],
            whole: None,
        }
    }

    /// An expression with every measure replaced; reactions stay, for `derive` to replace.
    pub fn resolve(&mut self, kinematics: &mut BodyKinematics, expr: &Expr) -> Expr {
        expr.substitute(&mut |symbol| match symbol {
            Symbol::Measure(index) => Some(self.measure(kinematics, index)),
            _ => None,
        })
    }

    fn measure(&mut self, kinematics: &mut BodyKinematics, index: u32) -> Expr {
        if let Some(expr) = &self.known[index as usize] {
            return expr.clone();
        }
        let expr = self.express(kinematics, index);
        self.known[index as usize] = Some(expr.clone());
        expr
    }

    fn express(&mut self, kinematics: &mut BodyKinematics, index: u32) -> Expr {
        let model = self.model;
        match &model.measures[index as usize] {
            Measure::Position(at, i) => kinematics.point(at)[*i as usize].clone(),
            Measure::Velocity(at, i) => kinematics.velocity(at)[*i as usize].clone(),
            Measure::Acceleration(at, i) => kinematics.acceleration(at)[*i as usize].clone(),
            Measure::BodyAngle(body) => kinematics.angle(*body),
            Measure::AngularVelocity(body, i) => {
                kinematics.angular_velocity(Some(*body))[*i as usize].clone()
            }
            Measure::AngularAcceleration(body, i) => {
                kinematics.angular_acceleration(Some(*body))[*i as usize].clone()
            }
            Measure::EulerParameter(body, i) => kinematics.euler_parameter(*body, *i),
            Measure::JointCoordinate(joint, which) => {
                self.joint_coordinate(kinematics, *joint, *which)
            }
            Measure::JointRate(joint, which) => self.coordinate(*joint, *which).rate,
            Measure::JointAcceleration(joint, which) => {
                let found = self.coordinate(*joint, *which);
                match self.sides[joint.0 as usize].own(*which) {
                    Some(own) => Expr::symbol(Symbol::Acceleration(own.velocity)),
                    None => {
                        let ends = &model.joints[joint.0 as usize];
                        kinematics.acceleration_along(ends, &found.terms)
                    }
                }
            }
            Measure::Distance(a, b) => kinematics.distance(a, b),
            Measure::DistanceRate(a, b) => kinematics.distance_rate(a, b),
            // Known when everything else is; see `reactions`.
            Measure::ReactionForce(..) | Measure::ReactionTorque(..) => {
                Expr::symbol(Symbol::Measure(index))
            }
            Measure::CouplingForce(coupling) => effort(kinematics, *coupling),
            Measure::DriveForce(joint, which) => drive(kinematics, *joint, *which),
            Measure::ElementForce(element) => self.element_force(kinematics, *element),
            Measure::KineticEnergy => kinematics.system.kinetic.clone(),
            Measure::PotentialEnergy => kinematics.system.potential.clone(),
            Measure::Momentum(i) => self.whole(kinematics).momentum[*i as usize].clone(),
            Measure::AngularMomentum(i) => {
                self.whole(kinematics).angular_momentum[*i as usize].clone()
            }
        }
    }

    /// Angles count whole turns in every formulation. One that is only held is on the turn of its guess.
    fn joint_coordinate(
        &self,
        kinematics: &BodyKinematics,
        joint: JointId,
        which: JointCoordinate,
    ) -> Expr {
        let ends = &self.model.joints[joint.0 as usize];
        let own = self.sides[joint.0 as usize].own(which);
        let angle = match which {
            JointCoordinate::Angle if own.is_none() => {
                kinematics.relative_angle(ends.first.body, ends.second.body)
            }
            _ => None,
        };
        let wound = || Some(self.sides[joint.0 as usize].wound(which)?.value());
        let near_guess = || self.near_guess(joint, which);
        angle
            .or_else(wound)
            .or_else(near_guess)
            .unwrap_or_else(|| self.coordinate(joint, which).value)
    }

    /// An angle that is known up to whole turns, on the turn of its guess.
    fn near_guess(&self, joint: JointId, which: JointCoordinate) -> Option<Expr> {
        let found = self.coordinate(joint, which);
        found.turn?;
        let guess = in_guess(self.model, (joint, which));
        Some(on_turn(&guess, found.value))
    }

    /// Found once, for all components.
    fn whole(&mut self, kinematics: &mut BodyKinematics) -> &Whole {
        self.whole.get_or_insert_with(|| whole(kinematics))
    }

    fn coordinate(&self, joint: JointId, which: JointCoordinate) -> JointCoordinateValue {
        let index = joint.0 as usize;
        constraint::coordinate(self.model.joints[index].kind, &self.sides[index], which)
            .expect("the model only refers to coordinates that the joint has")
    }

    fn element_force(&mut self, kinematics: &mut BodyKinematics, element: ElementId) -> Expr {
        let model = self.model;
        match &model.elements[element.0 as usize].action {
            Action::Between { force, .. } | Action::Joint { force, .. } => {
                self.resolve(kinematics, force)
            }
            Action::Force { .. } | Action::Torque { .. } => Expr::zero(),
        }
    }
}

/// Replaces the measures of reactions in the outputs and events.
pub fn reactions(model: &Model, system: &mut System, reactions: &[[Expr; 6]]) {
    let mut replace = |symbol| {
        match symbol {
            Symbol::Measure(index) => match &model.measures[index as usize] {
                Measure::ReactionForce(joint, i) => Some((joint, *i)),
                Measure::ReactionTorque(joint, i) => Some((joint, 3 + *i)),
                _ => None,
            },
            _ => None,
        }
        .map(|(joint, i)| reactions[joint.0 as usize][i as usize].clone())
    };
    let (outputs, events) = (system.outputs.iter_mut(), system.events.iter_mut());
    for output in outputs.chain(events).chain(&mut system.transitions) {
        *output = output.substitute(&mut replace);
    }
}

/// The multiplier of a coupling is its effort along its second coordinate.
fn effort(kinematics: &BodyKinematics, coupling: CouplingId) -> Expr {
    let mut rows = kinematics.system.rows.iter();
    let row = rows.position(|row| row.owner == Owner::Coupling(coupling));
    row.map_or_else(Expr::zero, multiplier)
}

/// The multiplier of the driver of a coordinate is its force or torque.
fn drive(kinematics: &BodyKinematics, joint: JointId, which: JointCoordinate) -> Expr {
    let drivers = kinematics
        .system
        .rows
        .iter()
        .enumerate()
        .filter(|(_, row)| row.owner == Owner::Joint(joint) && row.driver);
    let motions = &kinematics.model.joints[joint.0 as usize].motions;
    motions
        .iter()
        .zip(drivers)
        .find(|(motion, _)| motion.coordinate == which)
        .map_or_else(Expr::zero, |(_, (row, _))| multiplier(row))
}
