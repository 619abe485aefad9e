//! The reaction of each joint. For cut joints it follows from the multipliers. For a joint of the tree it is the
//! inertia force of all that is outboard, less the forces that act there.

use super::super::kinematics::BodyKinematics;
use super::super::rows::Reaction;
use super::super::vector::{add, cross, scale, sub, zero};
use super::super::{Screw, Tree};
use super::links::{inertial, load, without};
use super::motion::Carried;
use super::steps::Carrier;
use crate::expr::Expr;
use crate::model::{BodyId, JointId, Marker, Vector};
use crate::topology::Topology;

/// Force and torque on the second body of every joint; `known` is the part from the multipliers of its own constraint
/// equations.
pub fn reactions(
    kinematics: &mut BodyKinematics,
    topology: &Topology,
    carriers: &[Carrier],
    carried: &[Carried],
    tree: &Tree,
    known: Vec<Reaction>,
) -> Vec<[Expr; 6]> {
    let model = kinematics.model;
    let mut needed = vec![Screw::default(); model.bodies.len()];
    for (&body, link) in topology.order.iter().zip(&tree.links) {
        let motion = &carried[body.0 as usize].motion;
        let taken = inertial(link, motion, &motion.spin_rate, &motion.acceleration);
        needed[body.0 as usize] = without(&taken, &load(kinematics, body, |_| true));
    }
    let carries = |id: JointId| carriers.iter().any(|carrier| carrier.joint == Some(id));
    for (index, (joint, reaction)) in model.joints.iter().zip(&known).enumerate() {
        if carries(JointId(index as u32)) {
            continue;
        }
        for (body, sign) in [(joint.second.body, 1.0), (joint.first.body, -1.0)] {
            if let Some(body) = body {
                let arm = from_reference(kinematics, body, &joint.second);
                let sum = &mut needed[body.0 as usize];
                *sum = without(sum, &shifted(reaction, &arm, sign));
            }
        }
    }
    let mut total = known;
    for &body in topology.order.iter().rev() {
        let wrench = name(kinematics, &needed[body.0 as usize]);
        let carrier = carriers[body.0 as usize];
        if let Some(inboard) = carrier.inboard {
            let sum = &mut needed[inboard.0 as usize];
            let lever = cross(&carried[body.0 as usize].arm, &wrench.linear);
            sum.angular = add(&sum.angular, &add(&wrench.angular, &lever));
            sum.linear = add(&sum.linear, &wrench.linear);
        }
        let Some(id) = carrier.joint else { continue };
        let arm = from_reference(kinematics, body, &model.joints[id.0 as usize].second);
        let torque = sub(&wrench.angular, &cross(&arm, &wrench.linear));
        let sign = Expr::constant(if carrier.forward { 1.0 } else { -1.0 });
        let reaction = &mut total[id.0 as usize];
        reaction.force = scale(&sign, &wrench.linear);
        reaction.torque = scale(&sign, &torque);
    }
    total.into_iter().map(Reaction::components).collect()
}

/// From the reference point of a body to a point; nothing if it is that point.
fn from_reference(kinematics: &mut BodyKinematics, body: BodyId, to: &Marker) -> Vector {
    let frame = kinematics.frame(Some(body));
    let (base, position) = frame.map_or_else(Default::default, |frame| {
        (frame.base.clone(), frame.position.clone())
    });
    match to.body == Some(body) {
        true => kinematics.turn(Some(body), &sub(&to.point, &base)),
        false => sub(&kinematics.point(to), &position),
    }
}

/// A screw that is carried inwards gets a name, so that expressions stay small.
fn name(kinematics: &mut BodyKinematics, screw: &Screw) -> Screw {
    Screw {
        angular: kinematics.named(screw.angular.clone(), &zero()),
        linear: kinematics.named(screw.linear.clone(), &zero()),
    }
}

/// A reaction on the second body, or its opposite, about another point, from which `arm` leads to it.
fn shifted(reaction: &Reaction, arm: &Vector, sign: f64) -> Screw {
    let sign = Expr::constant(sign);
    let torque = add(&reaction.torque, &cross(arm, &reaction.force));
    Screw {
        angular: scale(&sign, &torque),
        linear: scale(&sign, &reaction.force),
    }
}
