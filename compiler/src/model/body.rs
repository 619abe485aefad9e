//! Bodies: everything about the centre of mass.
//!
//! The description speaks of the frame's origin, the model of the centre of mass c, at r_c from the
//! origin: x_c = x + R r_c and v_c = v + ω × R r_c.

use nalgebra::{UnitQuaternion, Vector3};

use super::context::{Context, Resolved};
use super::dimension::MASS;
use super::inertia::inertia;
use super::number::{evaluate_vector, number};
use super::shape::Shape;
use super::{Body, Extent, Guess, Vector, check};
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
    let guess = about_center(shape.guess.clone()?, &center, pose.rotation);
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
        guess,
        origin: [0, 1, 2].map(|k| Expr::zero() - &center[k]),
        points,
        free: written.free,
        // Told when joints, forces and measures are known.
        extent: Extent::Body,
    })
}

/// x_c = x + R r_c and v_c = v + ω × R r_c, with R a turn about z by the guessed angle in the plane and
/// a constant in space.
fn about_center(guess: Guess, center: &Vector, rotation: UnitQuaternion<f64>) -> Guess {
    let arm = match guess.angle.as_constant() {
        Some(_) => {
            let matrix = rotation.to_rotation_matrix();
            [0, 1, 2].map(|i| {
                let terms = (0..3).map(|k| Expr::constant(matrix[(i, k)]) * &center[k]);
                terms.sum()
            })
        }
        None => {
            let (sin, cos) = (guess.angle.sin(), guess.angle.cos());
            [
                &cos * &center[0] - &sin * &center[1],
                &sin * &center[0] + &cos * &center[1],
                Expr::zero(),
            ]
        }
    };
    let [wx, wy, wz] = &guess.angular_velocity;
    let swing = [
        wy * &arm[2] - wz * &arm[1],
        wz * &arm[0] - wx * &arm[2],
        wx * &arm[1] - wy * &arm[0],
    ];
    Guess {
        position: [0, 1, 2].map(|k| &guess.position[k] + &arm[k]),
        velocity: [0, 1, 2].map(|k| &guess.velocity[k] + &swing[k]),
        ..guess
    }
}

fn mass(cx: &mut Context, written: &description::Body, path: &Path) -> Resolved<Expr> {
    let mass = number(cx, &written.mass, path, MASS)?;
    check::mass(cx, &mass, path)?;
    Ok(mass)
}
