//! Bodies: everything about the centre of mass.
//!
//! The description speaks of the frame's origin, the model of the centre of mass c, at r_c from the
//! origin: x_c = x + R r_c and v_c = v + ω × R r_c.

use nalgebra::{UnitQuaternion, Vector3};

use super::context::{Context, Resolved};
use super::dimension::MASS;
use super::inertia::{Tensor, inertia};
use super::number::{evaluate_vector, number};
use super::shape::PlacedShape;
use super::{Body, Extent, Guess, Vector, check};
use crate::description;
use crate::diagnostics::Path;
use crate::expr::Expr;

/// A body whose shape is known.
pub(super) fn body(
    cx: &mut Context,
    name: &str,
    written: &description::Body,
    shape: &PlacedShape,
    path: &Path,
) -> Resolved<Body> {
    let (mass, inertia, missing) = match &shape.matter {
        Some(matter) => {
            let matter = matter.clone()?;
            (Ok(matter.mass), Ok(matter.inertia), [].as_slice())
        }
        None => weighed(cx, written, shape, path),
    };
    let (center, pose) = (shape.center.clone()?, shape.pose?);
    let arm = pose.rotation * Vector3::from(evaluate_vector(cx, &center));
    let guess = about_center(shape.guess.clone()?, &center, pose.rotation);
    let from_center = |p: &Vector| [0, 1, 2].map(|k| &p[k] - &center[k]);
    let solids = match &shape.matter {
        Some(Ok(matter)) => matter
            .solids
            .iter()
            .map(|solid| solid.seen_from(&center))
            .collect(),
        _ => Vec::new(),
    };
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
        solids,
        free: written.free,
        missing,
        // It is decided when joints, forces and measures are known.
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

/// Mass and inertia as they are written, and the keys that are not.
fn weighed(
    cx: &mut Context,
    written: &description::Body,
    shape: &PlacedShape,
    path: &Path,
) -> (Resolved<Expr>, Resolved<Tensor>, &'static [&'static str]) {
    let missing: &[&str] = match (&written.mass, &written.inertia) {
        (Some(_), Some(_)) => &[],
        (Some(_), None) => &["inertia"],
        (None, Some(_)) => &["mass"],
        (None, None) => &["mass", "inertia"],
    };
    let mass = match &written.mass {
        Some(mass) => {
            let path = path.key("mass");
            let mass = number(cx, mass, &path, MASS);
            mass.and_then(|mass| check::mass(cx, &mass, &path).map(|()| mass))
        }
        None => Ok(Expr::one()),
    };
    let inertia = match &written.inertia {
        Some(moments) => inertia(cx, moments, mass.clone(), shape, &path.key("inertia")),
        None => Ok(even(reach(cx, shape))),
    };
    (mass, inertia, missing)
}

/// A tensor for the metric of assembly: a turn by which points of the body move a metre counts about as much as a
/// metre.
fn even(reach: f64) -> Tensor {
    let moment = Expr::constant(reach * reach);
    let entry = |i: usize, j: usize| if i == j { moment.clone() } else { Expr::zero() };
    [0, 1, 2].map(|i| [0, 1, 2].map(|j| entry(i, j)))
}

/// The largest distance of a point of the body from its origin; a metre if it has no other.
fn reach(cx: &Context, shape: &PlacedShape) -> f64 {
    let points = shape
        .points
        .values()
        .filter_map(|point| point.as_ref().ok());
    let far = points.map(|point| Vector3::from(evaluate_vector(cx, point)).norm());
    match far.fold(0.0, f64::max) {
        0.0 => 1.0,
        far => far,
    }
}
