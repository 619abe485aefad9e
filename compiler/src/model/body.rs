//! Bodies: everything about the centre of mass.
//!
//! The description speaks of the frame's origin, the model of the centre of mass c, at r_c from the
//! origin: x_c = x + R r_c and v_c = v + ω × R r_c.

use nalgebra::Vector3;

use super::context::{Context, Resolved};
use super::dimension::MASS;
use super::inertia::inertia;
use super::number::{evaluate_vector, number};
use super::shape::Shape;
use super::{Body, Vector, check};
use crate::description;
use crate::diagnostics::Path;
use crate::expr::Expr;

/// A body whose shape is known.
pub(super) fn body(
    cx: &mut Context,
    name: &str,
    written: &description::Body,
    shape: &Shape,
    path: &Path,
) -> Resolved<Body> {
    let mass = mass(cx, written, &path.key("mass"));
    let inertia = inertia(
        cx,
        &written.inertia,
        mass.clone(),
        shape,
        &path.key("inertia"),
    );
    let (center, pose) = (shape.center.clone()?, shape.pose?);
    let arm = pose.rotation * Vector3::from(evaluate_vector(cx, &center));
    let from_center = |p: &Vector| [0, 1, 2].map(|k| &p[k] - &center[k]);
    let mut points = Vec::new();
    for point in written.points.keys() {
        let at = shape.points[point.as_str()].clone()?;
        points.push((point.clone(), from_center(&at)));
    }
    let e = pose.rotation.quaternion();
    Ok(Body {
        name: name.to_owned(),
        path: path.clone(),
        mass: mass?,
        inertia: inertia?,
        position: (pose.origin + arm).into(),
        orientation: [e.w, e.i, e.j, e.k],
        angle: pose.angle,
        velocity: (pose.velocity + pose.spin.cross(&arm)).into(),
        angular_velocity: pose.spin.into(),
        origin: [0, 1, 2].map(|k| Expr::zero() - &center[k]),
        points,
        free: written.free,
    })
}

fn mass(cx: &mut Context, written: &description::Body, path: &Path) -> Resolved<Expr> {
    let mass = number(cx, &written.mass, path, MASS)?;
    check::mass(cx, &mass, path)?;
    Ok(mass)
}
