//! The bodies as links of a tree: moments about the point where the joint holds them, and the forces that act there.
//!
//! ```text
//! F = m ẍ + B h        τ = h × ẍ + I ω̇ + ω × (I ω)        B r = ω̇ × r + ω × (ω × r)
//! ```

use nalgebra::Matrix3;

use super::super::body::tensor;
use super::super::kinematics::{BodyKinematics, Share, without_round_off};
use super::super::particle::is_solid;
use super::super::vector::{add, constant, cross, dot, scale, sub, unit, zero};
use super::super::wrench::wrench;
use super::super::{RigidLink, Screw, Tree};
use super::motion::{BodyMotion, Carried, swing, times};
use super::steps::Carrier;
use crate::description::Space;
use crate::expr::Expr;
use crate::model::{BodyId, Vector};
use crate::topology::Topology;

/// Moments of this part of the largest one are round-off.
const SAME: f64 = 1e-14;

/// The links, from the root outwards, without the constraint equations that close loops.
pub fn links(
    kinematics: &mut BodyKinematics,
    topology: &Topology,
    carriers: &[Carrier],
    carried: &[Carried],
) -> Tree {
    let mut place = vec![0; topology.order.len()];
    let mut tree = Tree {
        relative: true,
        ..Tree::default()
    };
    for (index, &body) in topology.order.iter().enumerate() {
        place[body.0 as usize] = index;
        let one = &carried[body.0 as usize];
        let mut link = moments(kinematics, body);
        let inboard = carriers[body.0 as usize].inboard;
        link.parent = inboard.map(|id| place[id.0 as usize]);
        link.arm = one.arm.clone();
        link.freedoms = one.freedoms.clone();
        link.rates = one.rates.clone();
        link.turn = one.turn.clone();
        link.efforts = one.rates.iter().map(|v| effort(kinematics, *v)).collect();
        link.velocity = Screw {
            angular: one.motion.spin.clone(),
            linear: one.motion.velocity.clone(),
        };
        let applied = load(kinematics, body, |share| share.along.is_none());
        let taken = inertial(&link, &one.motion, &one.motion.spin_bias, &one.motion.bias);
        link.load = without(&applied, &taken);
        tree.links.push(link);
    }
    tree
}

/// ½ m ẋ² + ẋ · (ω × h) + ½ ω · I ω of every body.
pub fn kinetic(kinematics: &mut BodyKinematics, topology: &Topology, carried: &[Carried]) -> Expr {
    let mut sum = Expr::zero();
    let half = Expr::constant(0.5);
    for &body in &topology.order {
        let link = moments(kinematics, body);
        let BodyMotion { spin, velocity, .. } = &carried[body.0 as usize].motion;
        let linear = &half * &link.mass * dot(velocity, velocity);
        let both = dot(velocity, &cross(spin, &link.first_moment));
        let angular = &half * dot(spin, &times(&link.inertia, spin));
        sum = sum + (linear + both + angular);
    }
    sum
}

/// Inertia force and torque of a link with these accelerations, about its reference point.
pub fn inertial(
    link: &RigidLink,
    motion: &BodyMotion,
    spin_rate: &Vector,
    acceleration: &Vector,
) -> Screw {
    let (h, spin) = (&link.first_moment, &motion.spin);
    let force = scale(&link.mass, acceleration);
    let momentum = times(&link.inertia, spin);
    let torque = add(&times(&link.inertia, spin_rate), &cross(spin, &momentum));
    Screw {
        angular: add(&cross(h, acceleration), &torque),
        linear: add(&force, &times(&swing(spin_rate, spin), h)),
    }
}

/// Force and torque on a body, about its reference point, from the shares that `counts` admits.
pub fn load(kinematics: &mut BodyKinematics, id: BodyId, counts: impl Fn(&Share) -> bool) -> Screw {
    let base = kinematics.frame(Some(id)).map(|frame| frame.base.clone());
    wrench(kinematics, id, &base.unwrap_or_default(), counts)
}

/// a − b
pub fn without(a: &Screw, b: &Screw) -> Screw {
    Screw {
        angular: sub(&a.angular, &b.angular),
        linear: sub(&a.linear, &b.linear),
    }
}

/// The effort along a joint rate.
fn effort(kinematics: &BodyKinematics, velocity: u32) -> Expr {
    let efforts = kinematics.efforts.iter();
    let efforts = efforts.filter(|(along, _)| *along == velocity);
    efforts.map(|(_, effort)| effort.clone()).sum()
}

/// Mass and moments of a body about its reference point, in world axes.
fn moments(kinematics: &mut BodyKinematics, id: BodyId) -> RigidLink {
    let model = kinematics.model;
    let body = &model.bodies[id.0 as usize];
    let base = kinematics.frame(Some(id)).map(|frame| frame.base.clone());
    let center = sub(&zero(), &base.unwrap_or_default());
    let inertia = match model.space {
        Space::Planar => {
            let moment = &tensor(body)[2][2] + &body.mass * dot(&center, &center);
            let mut inertia = <[[Expr; 3]; 3]>::default();
            inertia[2][2] = moment;
            inertia
        }
        Space::Spatial => {
            let about = about(&tensor(body), &body.mass, &center);
            in_world(kinematics, id, &about)
        }
    };
    RigidLink {
        mass: body.mass.clone(),
        first_moment: kinematics.turn(Some(id), &scale(&body.mass, &center)),
        inertia,
        solid: is_solid(body, model.space),
        ..RigidLink::default()
    }
}

/// J + m (c·c 1 − c cᵀ)
pub fn about(own: &[[Expr; 3]; 3], mass: &Expr, center: &Vector) -> [[Expr; 3]; 3] {
    let square = dot(center, center);
    std::array::from_fn(|k| {
        std::array::from_fn(|l| {
            let product = &center[k] * &center[l];
            let moved = match k == l {
                true => &square - product,
                false => -product,
            };
            &own[k][l] + mass * moved
        })
    })
}

/// A tensor of numbers is j 1 ± g gᵀ ± g' g'ᵀ with two vectors along its principal axes, or with one if two moments
/// are the same; any other one is Σ J_kl a_k a_lᵀ.
fn in_world(
    kinematics: &mut BodyKinematics,
    id: BodyId,
    tensor: &[[Expr; 3]; 3],
) -> [[Expr; 3]; 3] {
    let numbers: Option<Vec<f64>> = tensor.iter().flatten().map(Expr::as_constant).collect();
    let Some(numbers) = numbers else {
        let axes = [0, 1, 2].map(|k| kinematics.turn(Some(id), &unit(k)));
        return std::array::from_fn(|i| {
            std::array::from_fn(|j| {
                let (i, j) = (i.max(j), i.min(j));
                let row = |k: usize| -> Expr { (0..3).map(|l| &tensor[k][l] * &axes[l][j]).sum() };
                (0..3).map(|k| &axes[k][i] * row(k)).sum()
            })
        });
    };
    let (rest, vectors) = principal(&Matrix3::from_row_slice(&numbers));
    let turned: Vec<(f64, Vector)> = vectors
        .into_iter()
        .map(|(sign, g)| (sign, kinematics.turn(Some(id), &constant(g))))
        .collect();
    std::array::from_fn(|i| {
        std::array::from_fn(|j| {
            let (i, j) = (i.max(j), i.min(j));
            let start = Expr::constant(if i == j { rest } else { 0.0 });
            turned.iter().fold(start, |sum, (sign, g)| {
                let product = &g[i] * &g[j];
                match *sign > 0.0 {
                    true => sum + product,
                    false => sum - product,
                }
            })
        })
    })
}

/// j and the vectors ± g with J = j 1 + Σ ± g gᵀ.
fn principal(tensor: &Matrix3<f64>) -> (f64, Vec<(f64, [f64; 3])>) {
    let eigen = tensor.symmetric_eigen();
    let size = eigen.eigenvalues.amax();
    let is_same = |a: f64, b: f64| (a - b).abs() <= SAME * size;
    let moments = eigen.eigenvalues;
    let twin = |k: &usize| (0..3).any(|l| l != *k && is_same(moments[l], moments[*k]));
    let rest = (0..3).find(twin).map_or(moments[0], |k| moments[k]);
    let mut vectors = Vec::new();
    for (moment, axis) in moments.iter().zip(eigen.eigenvectors.column_iter()) {
        if !is_same(*moment, rest) {
            let off = moment - rest;
            let g = axis.map(|x| without_round_off(x, 1.0)) * off.abs().sqrt();
            vectors.push((off.signum(), g.into()));
        }
    }
    (rest, vectors)
}
