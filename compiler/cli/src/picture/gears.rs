//! Wheels of couplings, by their pitch circles.
//!
//! Gears whose angles turn by θ₂ = k θ₁ roll on each other with r₁ |θ₁| = r₂ |θ₂|; their axes are r₁ + r₂ apart if they
//! turn against each other, and |r₁ − r₂| if not. A rack moves by its pinion's radius for each radian.

use super::motion::{Pose, RecordedMotion, located};
use super::scene::{Anchor, DrawnCoupling, Scene};
use super::vector::{V, dot, norm, sub, turned};

/// Axes are parallel if the cosine of their angle differs from one by less than this.
const PARALLEL: f64 = 1e-3;

/// A wheel on a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Wheel {
    /// Its middle.
    pub(super) place: Anchor,
    /// Its axis, in the frame of the body.
    pub(super) axis: V,
    /// Radius of its pitch circle.
    pub(super) radius: f64,
}

/// The wheels of all couplings, at the start.
pub(super) fn wheels(scene: &Scene, motion: &RecordedMotion) -> Vec<Wheel> {
    let Some(frame) = motion.frames.first() else {
        return Vec::new();
    };
    let couplings = scene.couplings.iter();
    couplings.flat_map(|coupling| of(coupling, frame)).collect()
}

fn of(coupling: &DrawnCoupling, frame: &[Pose]) -> Vec<Wheel> {
    match coupling {
        DrawnCoupling::Rack {
            wheel,
            axis,
            radius,
        } => vec![Wheel {
            place: *wheel,
            axis: *axis,
            radius: *radius,
        }],
        DrawnCoupling::Gear {
            wheels,
            axes,
            ratio,
        } => gears(*wheels, *axes, *ratio, frame),
    }
}

/// Two wheels; empty if the axes are not parallel, or coincide.
fn gears(places: [Anchor; 2], axes: [V; 2], ratio: f64, frame: &[Pose]) -> Vec<Wheel> {
    let directions = [0, 1].map(|k| match places[k].on {
        None => axes[k],
        Some(body) => turned(frame[body].turn, axes[k]),
    });
    let cosine = dot(directions[0], directions[1]);
    let [a, b] = places.map(|place| located(frame, place));
    let along = dot(sub(b, a), directions[0]);
    let apart = (norm(sub(b, a)).powi(2) - along * along).max(0.0).sqrt();
    if cosine.abs() < 1.0 - PARALLEL || apart == 0.0 {
        return Vec::new();
    }
    let against = ratio * cosine < 0.0;
    let shares = match against {
        true => [ratio.abs(), 1.0].map(|share| share / (1.0 + ratio.abs())),
        false => [ratio.abs(), 1.0].map(|share| share / (ratio.abs() - 1.0).abs()),
    };
    let wheel = |k: usize| Wheel {
        place: places[k],
        axis: axes[k],
        radius: apart * shares[k],
    };
    let found = [0, 1].map(wheel);
    let finite = found.iter().all(|wheel| wheel.radius.is_finite());
    found.into_iter().filter(|_| finite).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn radii(ratio: f64) -> Vec<f64> {
        let places = [0.0, 3.0].map(|x| Anchor {
            on: None,
            at: [x, 0.0, 0.0],
        });
        let wheels = gears(places, [[0.0, 0.0, 1.0]; 2], ratio, &[]);
        wheels.iter().map(|wheel| wheel.radius).collect()
    }

    #[test]
    fn pitch_circles_touch() {
        assert_eq!(radii(-0.5), [1.0, 2.0]);
        assert_eq!(radii(0.5), [3.0, 6.0]);
        // A belt between equal wheels has no pitch point.
        assert!(radii(1.0).is_empty());
    }
}
