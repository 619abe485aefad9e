//! Bodies as bars, plates, discs and boxes.

use super::drawing::{DrawnPart, Look};
use super::gears::Wheel;
use super::scene::{DrawnBody, Scene};
use super::vector::{V, across, add, cross, dot, norm, scale, sub, unit};
use crate::description::Space;
use crate::model::Extent;

/// Corners of a disc.
const CORNERS: usize = 28;
/// A body without length has at least this many units, and at most this share of the mechanism.
const LEAST: f64 = 2.5;
const MOST: f64 = 0.12;
/// Places lie on a line if they are off by less than this share of its length.
const SLENDER: f64 = 0.02;

/// The outlines of all bodies.
pub(super) fn outlines(scene: &Scene, wheels: &[Wheel], unit: f64, size: f64) -> Vec<DrawnPart> {
    let one = |index| {
        Outline {
            scene,
            wheels,
            index,
            unit,
            size,
        }
        .parts()
    };
    (0..scene.bodies.len()).flat_map(one).collect()
}

struct Outline<'s> {
    scene: &'s Scene,
    wheels: &'s [Wheel],
    index: usize,
    unit: f64,
    size: f64,
}

impl Outline<'_> {
    fn body(&self) -> &DrawnBody {
        &self.scene.bodies[self.index]
    }

    /// Wheels first, because the parts that they carry lie on them.
    fn parts(&self) -> Vec<DrawnPart> {
        let wheels = self.own_wheels();
        let wheels = wheels.flat_map(|wheel| self.disc(wheel.place.at, wheel.axis, wheel.radius));
        wheels.chain(self.shape()).collect()
    }

    fn own_wheels(&self) -> impl Iterator<Item = &Wheel> {
        let here = |wheel: &&Wheel| wheel.place.on == Some(self.index);
        self.wheels.iter().filter(here)
    }

    fn shape(&self) -> Vec<DrawnPart> {
        let mut spots = self.body().spots.clone();
        let held_aside = match spots.as_slice() {
            [only] => norm(*only) > 0.5 * self.unit,
            _ => false,
        };
        if held_aside {
            spots.push([0.0; 3]);
        }
        match spots.as_slice() {
            [] | [_] => self.compact(),
            _ if held_aside => [self.bar(&spots), self.compact()].concat(),
            _ => match slender(&spots) {
                true => self.bar(&in_order(&spots)),
                false => self.plate(spots),
            },
        }
    }

    fn bar(&self, points: &[V]) -> Vec<DrawnPart> {
        vec![DrawnPart::Stroke {
            on: Some(self.index),
            points: points.to_vec(),
            width: 2.0 * self.unit,
            look: Look::Body,
        }]
    }

    fn plate(&self, points: Vec<V>) -> Vec<DrawnPart> {
        vec![DrawnPart::Hull {
            on: Some(self.index),
            points,
            width: 1.6 * self.unit,
            look: Look::Body,
        }]
    }

    /// A body all of whose places coincide: a point mass, a wheel, a block. A slider is painted with its joint.
    fn compact(&self) -> Vec<DrawnPart> {
        let body = self.body();
        if body.extent != Extent::Body {
            return self.ball();
        }
        match (self.axis(), self.scene.space) {
            _ if self.slides() || self.own_wheels().next().is_some() => Vec::new(),
            (_, Space::Planar) => self.disc([0.0; 3], [0.0, 0.0, 1.0], self.clamped(body.half[0])),
            (Some(axis), Space::Spatial) => {
                self.disc([0.0; 3], axis, self.clamped(wheel(body.half, axis)))
            }
            (None, Space::Spatial) => self.block(),
        }
    }

    fn ball(&self) -> Vec<DrawnPart> {
        vec![DrawnPart::Dot {
            on: Some(self.index),
            at: [0.0; 3],
            radius: 2.0 * self.unit,
            look: Look::Body,
        }]
    }

    fn clamped(&self, length: f64) -> f64 {
        let least = LEAST * self.unit;
        length.clamp(least, least.max(MOST * self.size))
    }

    /// A disc perpendicular to an axis, with a spoke.
    fn disc(&self, middle: V, axis: V, radius: f64) -> Vec<DrawnPart> {
        let [a, b] = across(axis);
        let rim = |k: usize| {
            let (sin, cos) = (std::f64::consts::TAU * k as f64 / CORNERS as f64).sin_cos();
            let aside = add(scale(a, radius * cos), scale(b, radius * sin));
            add(middle, aside)
        };
        let on = Some(self.index);
        let disc = DrawnPart::Hull {
            on,
            points: (0..CORNERS).map(rim).collect(),
            width: 0.0,
            look: Look::Body,
        };
        let spoke = DrawnPart::Stroke {
            on,
            points: vec![middle, rim(0)],
            width: 0.5 * self.unit,
            look: Look::Mark,
        };
        vec![disc, spoke]
    }

    /// A box of the same moments of inertia, with a mark on one side.
    fn block(&self) -> Vec<DrawnPart> {
        let half = self.body().half.map(|c| self.clamped(c));
        let on = Some(self.index);
        let hull = DrawnPart::Hull {
            on,
            points: corners([0.0; 3], [0, 1, 2].map(|k| axis(k, half[k]))),
            width: 0.6 * self.unit,
            look: Look::Body,
        };
        let mark = DrawnPart::Stroke {
            on,
            points: vec![[0.0; 3], axis(0, half[0])],
            width: 0.5 * self.unit,
            look: Look::Mark,
        };
        vec![hull, mark]
    }

    /// The axis of the first joint about which the body rotates.
    fn axis(&self) -> Option<V> {
        let space = self.scene.space;
        let joints = self.scene.joints.iter();
        let mut joints = joints.filter(|joint| joint.kind.facts(space).turns_wheels);
        joints.find_map(|joint| {
            let end = joint
                .ends
                .iter()
                .position(|end| end.on == Some(self.index))?;
            Some(joint.axes[end])
        })
    }

    fn slides(&self) -> bool {
        self.scene.joints.iter().any(|joint| {
            let here = joint.ends.iter().any(|end| end.on == Some(self.index));
            here && joint.kind.facts(self.scene.space).only_slides()
        })
    }
}

/// The eight corners of a box.
pub(super) fn corners(middle: V, half: [V; 3]) -> Vec<V> {
    let corner = |k: usize| {
        (0..3).fold(middle, |corner, axis| match k >> axis & 1 {
            0 => sub(corner, half[axis]),
            _ => add(corner, half[axis]),
        })
    };
    (0..8).map(corner).collect()
}

fn axis(k: usize, length: f64) -> V {
    let mut axis = [0.0; 3];
    axis[k] = length;
    axis
}

/// A box with half edges a, b, c has the inertia about x of a disc of radius r: r²/2 = (b² + c²)/3. About an oblique
/// axis the moments mix with the squares of its components.
fn wheel(half: V, axis: V) -> f64 {
    let square: f64 = half.iter().map(|c| c * c).sum();
    let about = |k: usize| axis[k] * axis[k] * (square - half[k] * half[k]) / 3.0;
    (2.0 * (0..3).map(about).sum::<f64>()).sqrt()
}

/// The two places that are farthest apart.
fn ends(spots: &[V]) -> [V; 2] {
    let pairs = spots
        .iter()
        .flat_map(|a| spots.iter().map(move |b| [*a, *b]));
    let length = |[a, b]: &[V; 2]| norm(sub(*a, *b));
    let longest = pairs.max_by(|a, b| length(a).total_cmp(&length(b)));
    longest.unwrap_or([[0.0; 3]; 2])
}

fn slender(spots: &[V]) -> bool {
    let [a, b] = ends(spots);
    let (length, line) = (norm(sub(b, a)), unit(sub(b, a), [1.0, 0.0, 0.0]));
    let off = |spot: &V| norm(cross(sub(*spot, a), line));
    spots.iter().all(|spot| off(spot) <= SLENDER * length)
}

/// The places of a bar in order.
fn in_order(spots: &[V]) -> Vec<V> {
    let [a, b] = ends(spots);
    let mut sorted = spots.to_vec();
    sorted.sort_by(|p, q| dot(sub(*p, a), sub(b, a)).total_cmp(&dot(sub(*q, a), sub(b, a))));
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_on_a_line_make_a_bar_in_their_order() {
        let spots = [[1.0, 1.0, 0.0], [3.0, 3.0, 0.0], [2.0, 2.0, 0.0]];
        assert!(slender(&spots));
        let xs: Vec<f64> = in_order(&spots).iter().map(|spot| spot[0]).collect();
        assert!(xs == [1.0, 2.0, 3.0] || xs == [3.0, 2.0, 1.0], "{xs:?}");
        assert!(!slender(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]));
    }

    /// J/m = r²/2 about its axis and r²/4 across it, less a third of its squared thickness, which a box has as well.
    #[test]
    fn a_wheel_has_the_radius_of_its_moment() {
        let (along, across) = (0.5, 0.25);
        let half = [2.0 * across - along, along, along].map(|sum: f64| (1.5 * sum).sqrt());
        let radius = wheel(half, [1.0, 0.0, 0.0]);
        assert!((radius - 1.0).abs() < 1e-12, "{radius}");
    }
}
