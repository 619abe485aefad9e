//! The camera: the direction from which a mechanism is seen.
//!
//! In space the eye turns about the vertical by an azimuth and rises by an elevation. Let r point to the right, f
//! away from the eye in the horizontal plane, and u up. A point p, measured from the middle of the picture, is then
//! at
//!
//! ```text
//! x = k r·p        y = k (u·p cos e + f·p sin e)        depth = f·p cos e − u·p sin e        k = D / (D + depth)
//! ```

use serde::Serialize;

use super::vector::{V, add, cross, dot, scale, sub, unit};
use crate::description::Space;

/// Distance of the eye, as a multiple of the size of the mechanism.
const DISTANCE: f64 = 2.6;
/// Angle by which the eye is turned away from the broadest view, to show depth.
const ASIDE: f64 = 0.45;
/// Elevation of the eye, and its elevation for a flat mechanism.
const ELEVATION: f64 = 0.3;
const ELEVATION_FLAT: f64 = 0.75;
/// A mechanism is flat if its height is below this share of its smaller width.
const FLAT: f64 = 0.35;

/// The eye.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Camera {
    /// Plane or space.
    pub space: Space,
    /// Two horizontal directions and the vertical.
    pub basis: [V; 3],
    /// The point that it looks at.
    pub target: V,
    /// Rotation about the vertical.
    pub azimuth: f64,
    /// Rise above the horizontal plane.
    pub elevation: f64,
    /// Distance from the target.
    pub distance: f64,
}

/// A point as the eye sees it: to the right, up, away.
pub(super) type Seen = [f64; 3];

impl Camera {
    /// A camera that sees all points, with the mechanism's breadth from the front and a little from the side.
    pub(super) fn new(space: Space, up: V, points: &[V]) -> Self {
        let (low, high) = bounds(points);
        let target = scale(add(low, high), 0.5);
        let basis = basis(up);
        let size = dot(sub(high, low), sub(high, low))
            .sqrt()
            .max(f64::MIN_POSITIVE);
        let [a, b, h] = basis.map(|direction| spread(points, target, direction));
        let flat = h < FLAT * a.min(b);
        Self {
            space,
            basis,
            target,
            azimuth: breadth(points, target, basis) + ASIDE,
            elevation: if flat { ELEVATION_FLAT } else { ELEVATION },
            distance: DISTANCE * size,
        }
    }

    pub(super) fn see(&self, point: V) -> Seen {
        let p = sub(point, self.target);
        if self.space == Space::Planar {
            return [p[0], p[1], 0.0];
        }
        let (sin, cos) = self.azimuth.sin_cos();
        let [a, b, h] = self.basis.map(|direction| dot(p, direction));
        let (right, away) = (a * cos + b * sin, b * cos - a * sin);
        let (sin, cos) = self.elevation.sin_cos();
        let depth = away * cos - h * sin;
        let k = self.distance / (self.distance + depth).max(0.05 * self.distance);
        [k * right, k * (h * cos + away * sin), depth]
    }
}

/// Two opposite corners of the box around all points.
pub(super) fn bounds(points: &[V]) -> (V, V) {
    let fold = |start: f64, of: fn(f64, f64) -> f64| {
        [0, 1, 2].map(|k| points.iter().map(|p| p[k]).fold(start, of))
    };
    match points.is_empty() {
        true => ([0.0; 3], [0.0; 3]),
        false => (
            fold(f64::INFINITY, f64::min),
            fold(f64::NEG_INFINITY, f64::max),
        ),
    }
}

fn basis(up: V) -> [V; 3] {
    let start = match up[0].abs() < 0.9 {
        true => [1.0, 0.0, 0.0],
        false => [0.0, 1.0, 0.0],
    };
    let first = unit(sub(start, scale(up, dot(start, up))), start);
    [first, cross(up, first), up]
}

fn spread(points: &[V], from: V, direction: V) -> f64 {
    let along = points.iter().map(|p| dot(sub(*p, from), direction).abs());
    along.fold(0.0, f64::max)
}

/// The horizontal direction of the largest spread of the points, as an angle of at most a right angle from the first
/// direction: tan 2θ = 2 Σab / (Σa² − Σb²).
fn breadth(points: &[V], from: V, basis: [V; 3]) -> f64 {
    let mut sums = [0.0; 3];
    for point in points {
        let p = sub(*point, from);
        let (a, b) = (dot(p, basis[0]), dot(p, basis[1]));
        sums = add(sums, [a * a, b * b, a * b]);
    }
    let [aa, bb, ab] = sums;
    let alike = (aa - bb).abs() + ab.abs() < 0.1 * (aa + bb);
    match alike {
        true => 0.0,
        false => 0.5 * (2.0 * ab).atan2(aa - bb),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A mechanism in the plane of x and z is seen with x to the right, z up and a little from the side.
    #[test]
    fn the_broad_side_is_in_front() {
        let corners = [[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
        let camera = Camera::new(Space::Spatial, [0.0, 0.0, 1.0], &corners);
        let [left, right, top] = corners.map(|corner| camera.see(corner));
        assert!(right[0] - left[0] > 1.6 && top[1] > left[1].max(right[1]));
        assert!(camera.see([0.0, 1.0, 0.0])[2] > camera.see([0.0, -1.0, 0.0])[2]);
    }

    #[test]
    fn the_plane_is_seen_as_it_is() {
        let camera = Camera::new(Space::Planar, [0.0, 1.0, 0.0], &[[0.0; 3], [2.0, 4.0, 0.0]]);
        assert_eq!(camera.see([2.0, 1.0, 0.0]), [1.0, -1.0, 0.0]);
    }
}
