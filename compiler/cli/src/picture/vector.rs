//! The vector algebra that pictures need.

use nalgebra::{Quaternion, UnitQuaternion, Vector3};

/// A place or a direction.
pub(super) type V = [f64; 3];

pub(super) fn add(a: V, b: V) -> V {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub(super) fn sub(a: V, b: V) -> V {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(super) fn scale(a: V, factor: f64) -> V {
    a.map(|c| c * factor)
}

pub(super) fn dot(a: V, b: V) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn cross(a: V, b: V) -> V {
    Vector3::from(a).cross(&Vector3::from(b)).into()
}

pub(super) fn norm(a: V) -> f64 {
    dot(a, a).sqrt()
}

/// The direction of a vector; that of `otherwise` if it has none.
pub(super) fn unit(a: V, otherwise: V) -> V {
    let length = norm(a);
    match length > 1e-12 {
        true => scale(a, 1.0 / length),
        false => otherwise,
    }
}

/// Two directions perpendicular to a unit vector and to each other.
pub(super) fn across(axis: V) -> [V; 2] {
    let least = (0..3).min_by(|a, b| axis[*a].abs().total_cmp(&axis[*b].abs()));
    let mut other = [0.0; 3];
    other[least.unwrap_or(0)] = 1.0;
    let first = unit(cross(axis, other), [1.0, 0.0, 0.0]);
    [first, cross(axis, first)]
}

/// A vector rotated by Euler parameters of unit length.
pub(super) fn turned([w, x, y, z]: [f64; 4], a: V) -> V {
    let turn = UnitQuaternion::new_unchecked(Quaternion::new(w, x, y, z));
    (turn * Vector3::from(a)).into()
}
