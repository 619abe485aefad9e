//! Reactions in joints that shared points realise.
//!
//! Point i of a body obeys Σ_j W_ij r̈_j = f_i + Σ λ ∂Φ/∂r_i + F_i. f_i is its share of the forces on the body (applied
//! forces, the multipliers of other joints, and the reactions of outboard bodies), and F_i the force of the body on the
//! other side of the point. Bodies are taken from the leaves inwards, so that everything but F_i is known. Shares are
//! the same as in the equations of motion, because the split of a force between the points decides the multipliers of
//! their distances: a force F on r = Σ c_i r_i has the share c_i F, a torque τ with the power τ·½ Σ e_k × ė_k the share
//! ½ Σ C_ik τ × e_k.

use super::super::coupling::Effect;
use super::super::kinematics::{Attack, BodyKinematics, Share};
use super::super::rows::{Reaction, Wanted, multiplier};
use super::super::vector::{add, cross, scale, sub, zero};
use super::layout::Layout;
use super::points::{BodyPoints, Derivative};
use super::second_moments;
use crate::description::Space;
use crate::expr::Expr;
use crate::model::{BodyId, JointId, Marker, Vector};
use crate::topology::Topology;

/// Force and torque on the second body of every joint. `known` is the part from the multipliers of the joints' own
/// constraint equations, `effects` are the efforts of couplings on joints.
pub fn reactions(
    kinematics: &mut BodyKinematics,
    topology: &Topology,
    layout: &Layout,
    first_distance: usize,
    known: Vec<Reaction>,
    effects: &[Effect],
) -> Vec<[Expr; 6]> {
    let model = kinematics.model;
    for effect in effects {
        let joint = &model.joints[effect.joint.0 as usize];
        kinematics.act_along(joint, &Expr::one(), &effect.terms, None);
    }
    for (joint, reaction) in model.joints.iter().zip(&known) {
        kinematics.act_along(joint, &Expr::one(), &reaction.terms, None);
    }
    let mut total = known;
    for &body in topology.order.iter().rev() {
        for joint in joints_through(layout, body) {
            let forces = through(kinematics, layout, first_distance, body, joint);
            feel(kinematics, layout, body, joint, &forces, &mut total);
        }
    }
    total.into_iter().map(Reaction::components).collect()
}

/// Joints that a body feels through its points.
fn joints_through(layout: &Layout, body: BodyId) -> Vec<JointId> {
    let joints = layout.through.iter().enumerate();
    joints
        .filter(|(index, entry)| {
            let feels = entry.as_ref().is_some_and(|(who, _)| *who == body);
            feels && layout.wanted[*index] != Wanted::All
        })
        .map(|(index, _)| JointId(index as u32))
        .collect()
}

/// F_i for the points of a joint: where each is on the other body's side is the same place.
fn through(
    kinematics: &mut BodyKinematics,
    layout: &Layout,
    first_distance: usize,
    body: BodyId,
    joint: JointId,
) -> Vec<(usize, Vector)> {
    let points = &layout.bodies[body.0 as usize];
    let indices = layout.through[joint.0 as usize].as_ref();
    let indices = indices.map_or(&[][..], |(_, list)| list);
    let shares: Vec<Share> = kinematics
        .shares
        .iter()
        .filter(|share| share.body == body)
        .cloned()
        .collect();
    let mut forces = Vec::new();
    for &i in indices {
        // The hinge of a body that swings holds all of it: no distance has a multiplier.
        let held = match layout.swing(body) {
            Some(_) => 0..points.points.len(),
            None => i..i + 1,
        };
        let mut force = zero();
        for k in held {
            force = add(&force, &inertia(kinematics, points, body, k));
            for share in &shares {
                force = sub(&force, &part(kinematics.model.space, points, share, k));
            }
        }
        for (row, pair) in layout.distances.iter().enumerate() {
            if pair.body != body || (pair.first != i && pair.second != i) {
                continue;
            }
            let other = if pair.first == i {
                pair.second
            } else {
                pair.first
            };
            let d = sub(&points.points[i].position, &points.points[other].position);
            let factor = multiplier(first_distance + row) / Expr::constant(pair.length);
            force = sub(&force, &scale(&factor, &d));
        }
        forces.push((i, force));
    }
    forces
}

/// Adds the forces to the joint's reaction, and their opposites to the forces on the other body.
fn feel(
    kinematics: &mut BodyKinematics,
    layout: &Layout,
    body: BodyId,
    joint: JointId,
    forces: &[(usize, Vector)],
    total: &mut [Reaction],
) {
    let model = kinematics.model;
    let ends = &model.joints[joint.0 as usize];
    let is_second = ends.second.body == Some(body);
    let (own, other) = match is_second {
        true => (&ends.second, &ends.first),
        false => (&ends.first, &ends.second),
    };
    let about = kinematics.point(&ends.second);
    let points = &layout.bodies[body.0 as usize].points;
    for (n, (i, force)) in forces.iter().enumerate() {
        let on_second = match is_second {
            true => force.clone(),
            false => sub(&zero(), force),
        };
        let arm = sub(&points[*i].position, &about);
        let sum = &mut total[joint.0 as usize];
        sum.force = add(&sum.force, &on_second);
        sum.torque = add(&sum.torque, &cross(&arm, &on_second));
        if let Some(body) = other.body {
            let there = layout.opposite(model, ends, own, other, n, points[*i].at);
            kinematics.shares.push(Share {
                body,
                what: Attack::Point(super::super::vector::constant(there)),
                force: sub(&zero(), force),
                along: None,
            });
        }
    }
}

/// Σ_j W_ij r̈_j
fn inertia(kinematics: &mut BodyKinematics, points: &BodyPoints, id: BodyId, i: usize) -> Vector {
    let model = kinematics.model;
    let body = &model.bodies[id.0 as usize];
    let center = points.point(&Vector::default());
    let acceleration = kinematics.acceleration(&Marker::center(id));
    let mut force = points.spread(&center, i, &scale(&body.mass, &acceleration));
    for (k, l, moment) in second_moments(model.space, &body.inertia) {
        let rate = points.combine(&points.direction(l), Derivative::Acceleration);
        let share = points.spread(&points.direction(k), i, &scale(&moment, &rate));
        force = add(&force, &share);
    }
    force
}

/// The part of point i in a share.
fn part(space: Space, points: &BodyPoints, share: &Share, i: usize) -> Vector {
    match &share.what {
        Attack::Mass => points.spread(&points.point(&Vector::default()), i, &share.force),
        Attack::Point(at) => points.spread(&points.point(at), i, &share.force),
        Attack::Direction(v) => points.spread(&points.vector(v), i, &share.force),
        Attack::Spin => twist(space, points, &share.force, i),
    }
}

/// ½ Σ_k C_ik τ × e_k; in the plane e_x alone, without the half.
fn twist(space: Space, points: &BodyPoints, torque: &Vector, i: usize) -> Vector {
    let (n, half) = match space {
        Space::Planar => (1, 1.0),
        Space::Spatial => (3, 0.5),
    };
    let mut sum = zero();
    for k in 0..n {
        let direction = points.direction(k);
        let axis = points.combine(&direction, Derivative::Position);
        let force = scale(&Expr::constant(half), &cross(torque, &axis));
        sum = add(&sum, &points.spread(&direction, i, &force));
    }
    sum
}
