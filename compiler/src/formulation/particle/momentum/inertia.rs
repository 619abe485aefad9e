//! Mass, moments and loads of a link.
//!
//! With g_j the vectors from the first point of a body to its other ones and the normal, every vector of
//! the body is Σ c_j g_j with constant c, and W_ij = ∫ c_i c_j dm:
//!
//! ```text
//! h = Σ μ_j g_j        y_i = Σ_j W_ij g_j        Q = Σ g_i y_iᵀ        I = tr(Q) 1 − Q
//! Σ m d = m d_1 + Σ μ_j δ_j        Σ r × m d = h × d_1 + Σ y_j × δ_j        δ_j = d_j − d_1
//! ```

use nalgebra::{Matrix3, Vector3};

use super::super::super::kinematics::BodyKinematics;
use super::super::super::vector::{add, constant, cross, dot, scale, sub, zero};
use super::super::super::wrench::wrench;
use super::super::super::{RigidLink, Screw};
use super::super::inertia::weights;
use super::super::layout::Layout;
use super::super::points::{BodyPoint, BodyPoints, Derivative};
use crate::description::Space;
use crate::expr::Expr;
use crate::model::{Body, BodyId, Extent, NO_MOMENT, Vector};

/// Mass, moments, and the inertia force of a deformation.
pub(super) fn inertia(
    kinematics: &BodyKinematics,
    layout: &Layout,
    id: BodyId,
) -> Option<RigidLink> {
    let model = kinematics.model;
    let body = &model.bodies[id.0 as usize];
    let points = &layout.bodies[id.0 as usize];
    let arm = generators(points, model.space, Derivative::Position);
    let deformation = generators(points, model.space, Derivative::Acceleration);
    let first = &points.points[0];
    let from_first = constant(first.at.map(|x| -x));
    let center = coefficients(points, model.space, &from_first);
    let moments: Vec<Expr> = center.iter().map(|c| &body.mass * c).collect();
    let first_moment = sum(&moments, &arm);
    let mut linear = scale(&body.mass, &first.acceleration);
    linear = add(&linear, &sum(&moments, &deformation));
    let mut angular = cross(&first_moment, &first.acceleration);
    let moment = |of: &Expr| of + &body.mass * dot(&from_first, &from_first);
    let mut turn = |moment: &Expr| {
        let second = Vector3::from(points.points[1].at) - Vector3::from(first.at);
        let factor = moment / Expr::constant(second.norm_squared());
        let turn = cross(&scale(&factor, &arm[0]), &deformation[0]);
        angular = add(&angular, &turn);
    };
    let inertia = match (body.extent, model.space) {
        // Nothing turns it, so its moment may be any number.
        (Extent::Point, _) => diagonal([0, 1, 2].map(|_| body.mass.clone())),
        // Nothing turns it about its axis, so its moment there may be the one across.
        (Extent::Line(_), _) => {
            let moment = moment(&body.moment_across());
            turn(&moment);
            diagonal([0, 1, 2].map(|_| moment.clone()))
        }
        (Extent::Body, Space::Planar) => {
            let moment = moment(&body.inertia[2][2]);
            turn(&moment);
            diagonal([Expr::zero(), Expr::zero(), moment])
        }
        (Extent::Body, Space::Spatial) => {
            // The vectors start at the first point.
            let weights = weights(body, points);
            let rows = weights[1..].iter();
            let weighted: Vec<Vector> = rows.map(|row| sum(&row[1..], &arm)).collect();
            for (y, delta) in weighted.iter().zip(&deformation) {
                angular = add(&angular, &cross(y, delta));
            }
            tensor(&arm, &weighted)
        }
    };
    Some(RigidLink {
        mass: body.mass.clone(),
        first_moment,
        inertia,
        solid: is_solid(body, model.space),
        drag: Screw { angular, linear },
        ..RigidLink::default()
    })
}

/// Force and torque on a body, about its reference point.
pub(super) fn load(kinematics: &mut BodyKinematics, layout: &Layout, id: BodyId) -> Screw {
    let base = constant(layout.bodies[id.0 as usize].points[0].at);
    wrench(kinematics, id, &base, |_| true)
}

/// g_j, and δ_j in terms of accelerations; in the plane g and J g.
fn generators(points: &BodyPoints, space: Space, level: Derivative) -> Vec<Vector> {
    let of = |point: &BodyPoint| point.at_level(level).clone();
    let first = of(&points.points[0]);
    let mut list: Vec<Vector> = points.points[1..]
        .iter()
        .map(|point| sub(&of(point), &first))
        .collect();
    list.extend(points.normal.as_ref().map(of));
    if let (Space::Planar, [[x, y, _]]) = (space, list.as_slice()) {
        let turned = [-y, x.clone(), Expr::zero()];
        list.push(turned);
    }
    list
}

/// c_j of a body-fixed vector.
fn coefficients(points: &BodyPoints, space: Space, vector: &Vector) -> Vec<Expr> {
    let list = points.vector(vector).into_iter().skip(1);
    match space {
        Space::Planar => list.flat_map(|(a, b)| [a, b]).collect(),
        Space::Spatial => list.map(|(a, _)| a).collect(),
    }
}

/// True if mass and moments are numbers, and all of them are there.
pub fn is_solid(body: &Body, space: Space) -> bool {
    let moments = match (body.extent, space) {
        (Extent::Point, _) => vec![body.mass.clone()],
        (Extent::Line(_), _) => vec![body.moment_across()],
        (Extent::Body, Space::Planar) => vec![body.inertia[2][2].clone()],
        (Extent::Body, Space::Spatial) => body.inertia.as_flattened().to_vec(),
    };
    let numbers: Option<Vec<f64>> = moments.iter().map(Expr::as_constant).collect();
    let is_constant = body.mass.as_constant().is_some_and(|mass| mass > 0.0);
    match numbers.as_deref() {
        Some(&[moment]) => is_constant && moment > 0.0,
        Some(tensor) => {
            let tensor = Matrix3::from_row_slice(tensor);
            let least = (tensor / tensor.amax()).symmetric_eigenvalues().min();
            is_constant && least > NO_MOMENT
        }
        None => false,
    }
}

/// tr(Q) 1 − Q with Q = Σ g_i y_iᵀ
fn tensor(arm: &[Vector], weighted: &[Vector]) -> [[Expr; 3]; 3] {
    let entry = |k: usize, l: usize| -> Expr {
        let pairs = arm.iter().zip(weighted);
        pairs.map(|(g, y)| &g[k] * &y[l]).sum()
    };
    let squares = [0, 1, 2].map(|k| entry(k, k));
    std::array::from_fn(|k| {
        std::array::from_fn(|l| match k == l {
            true => &squares[(k + 1) % 3] + &squares[(k + 2) % 3],
            false => -entry(k.max(l), k.min(l)),
        })
    })
}

fn diagonal([x, y, z]: [Expr; 3]) -> [[Expr; 3]; 3] {
    let zero = Expr::zero;
    [
        [x, zero(), zero()],
        [zero(), y, zero()],
        [zero(), zero(), z],
    ]
}

fn sum(factors: &[Expr], vectors: &[Vector]) -> Vector {
    let pairs = factors.iter().zip(vectors);
    pairs.fold(zero(), |sum, (factor, vector)| {
        add(&sum, &scale(factor, vector))
    })
}
