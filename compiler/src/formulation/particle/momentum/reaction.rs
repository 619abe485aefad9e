//! The reaction of each joint: the rate of the outboard momentum less the outboard loads.

use super::super::super::kinematics::BodyKinematics;
use super::super::super::rows::{Reaction, multiplier};
use super::super::super::vector::{add, cross, scale, sub};
use super::super::super::{Owner, Screw, Tree};
use super::super::layout::Layout;
use super::reference;
use crate::expr::Expr;
use crate::model::Vector;
use crate::topology::Topology;

/// Force and torque on the second body of every joint. `known` is the part from the multipliers of the joints' own
/// constraint equations. The reaction of a joint of the tree is the rate of the outboard momentum less the outboard
/// loads.
pub fn reactions(
    kinematics: &mut BodyKinematics,
    topology: &Topology,
    layout: &Layout,
    tree: &Tree,
    known: Vec<Reaction>,
) -> Vec<[Expr; 6]> {
    let model = kinematics.model;
    let mut needed = vec![Screw::default(); model.bodies.len()];
    for (body, link) in topology.order.iter().zip(&tree.links) {
        // With all of the acceleration as deformation, the inertia force of the deformation is the rate of momentum.
        let sum = &mut needed[body.0 as usize];
        *sum = link.drag.clone();
        subtract(sum, &link.load);
    }
    for &cut in &topology.cuts {
        let joint = &model.joints[cut.0 as usize];
        let reaction = &known[cut.0 as usize];
        for (body, sign) in [(joint.second.body, 1.0), (joint.first.body, -1.0)] {
            if let Some(body) = body {
                let about = kinematics.point(&joint.second);
                let on_body = shifted(reaction, &sub(&about, reference(layout, body)), sign);
                subtract(&mut needed[body.0 as usize], &on_body);
            }
        }
    }
    for closing in &tree.closing {
        let row = &kinematics.system.rows[closing.row];
        if let Owner::Coupling(_) = row.owner {
            let lambda = multiplier(closing.row);
            for (place, wrench) in &closing.ends {
                let body = topology.order[*place];
                subtract(&mut needed[body.0 as usize], &scaled(&lambda, wrench));
            }
        }
    }
    let mut total = known;
    for &body in topology.order.iter().rev() {
        let parent = topology.parents[body.0 as usize];
        let wrench = needed[body.0 as usize].clone();
        let Some(joint_id) = parent.joint else {
            continue;
        };
        if let Some(inboard) = parent.body {
            let arm = sub(reference(layout, body), reference(layout, inboard));
            let sum = &mut needed[inboard.0 as usize];
            sum.angular = add(
                &sum.angular,
                &add(&wrench.angular, &cross(&arm, &wrench.linear)),
            );
            sum.linear = add(&sum.linear, &wrench.linear);
        }
        let joint = &model.joints[joint_id.0 as usize];
        let about = kinematics.point(&joint.second);
        let arm = sub(reference(layout, body), &about);
        let sign = match joint.second.body == Some(body) {
            true => Expr::one(),
            false => -Expr::one(),
        };
        let torque = add(&wrench.angular, &cross(&arm, &wrench.linear));
        let reaction = &mut total[joint_id.0 as usize];
        reaction.force = scale(&sign, &wrench.linear);
        reaction.torque = scale(&sign, &torque);
    }
    total.into_iter().map(Reaction::components).collect()
}

/// A reaction on the second body, or its opposite, about another point: `arm` leads there from it.
fn shifted(reaction: &Reaction, arm: &Vector, sign: f64) -> Screw {
    let sign = Expr::constant(sign);
    let torque = add(&reaction.torque, &cross(arm, &reaction.force));
    Screw {
        angular: scale(&sign, &torque),
        linear: scale(&sign, &reaction.force),
    }
}

fn scaled(factor: &Expr, wrench: &Screw) -> Screw {
    Screw {
        angular: scale(factor, &wrench.angular),
        linear: scale(factor, &wrench.linear),
    }
}

fn subtract(sum: &mut Screw, wrench: &Screw) {
    sum.angular = sub(&sum.angular, &wrench.angular);
    sum.linear = sub(&sum.linear, &wrench.linear);
}
