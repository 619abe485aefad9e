//! A mechanism as a list of simple parts, each fixed to a body, in sizes that suit the mechanism's reach.

use serde::Serialize;

use super::camera::{Camera, bounds};
use super::gears::wheels;
use super::glyphs::{ground_of, joints, links};
use super::motion::{RecordedMotion, located};
use super::outline::outlines;
use super::scene::{Anchor, Scene, Span};
use super::vector::{V, dot, norm, sub};

/// Number of frames that are sampled for the reach of the mechanism.
const LOOKED_AT: usize = 120;
/// Half the width of a bar, as a share of the mechanism's reach: the first for long links, less for short ones, but
/// at least the second.
const THICKEST: f64 = 0.009;
const THINNEST: f64 = 0.004;
/// Half the width of a bar, as a share of the length of an average link.
const OF_A_LINK: f64 = 0.09;

/// The contents of a drawing, from back to front where depth does not decide.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Drawing {
    /// About half the width of a bar; all other sizes follow from it.
    pub unit: f64,
    /// The first camera.
    pub camera: Camera,
    /// Height of the lowest point.
    pub floor: f64,
    /// The parts.
    pub parts: Vec<DrawnPart>,
}

/// A part. Lengths are those of the mechanism.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum DrawnPart {
    /// The hull of the points as they are seen.
    Hull {
        /// The body; ground if absent.
        on: Option<usize>,
        /// Its corners.
        points: Vec<V>,
        /// Width of its round edge.
        width: f64,
        /// Its look.
        look: Look,
    },
    /// A line through points.
    Stroke {
        /// The body; ground if absent.
        on: Option<usize>,
        /// Its corners.
        points: Vec<V>,
        /// Its width; a hair line if zero.
        width: f64,
        /// Its look.
        look: Look,
    },
    /// A ball or a small circle.
    Dot {
        /// The body; ground if absent.
        on: Option<usize>,
        /// Its middle.
        at: V,
        /// Its radius.
        radius: f64,
        /// Its look.
        look: Look,
    },
    /// A line between two places, such as a spring.
    Span {
        /// Its kind.
        span: Span,
        /// Its ends.
        ends: [Anchor; 2],
        /// Half of its width.
        width: f64,
    },
}

/// The look of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Look {
    /// A body, with a colour of its own.
    Body,
    /// A mark on a body that shows its rotation.
    Mark,
    /// Ground.
    Ground,
    /// The guide of a sliding joint.
    Rail,
    /// A joint.
    Joint,
    /// A joint that is driven.
    Drive,
}

impl Drawing {
    /// The mechanism, in sizes that suit its motion.
    pub fn new(scene: &Scene, motion: &RecordedMotion) -> Self {
        let reached = reached(scene, motion);
        let (low, high) = bounds(&reached);
        let size = norm(sub(high, low))
            .max(largest(scene))
            .max(f64::MIN_POSITIVE);
        let unit = unit(scene, size);
        let mut camera = Camera::new(scene.space, scene.up, &reached);
        camera.distance = camera.distance.max(size);
        let heights = reached.iter().map(|p| dot(*p, scene.up));
        let floor = heights.fold(f64::INFINITY, f64::min) - 4.0 * unit;
        let mut parts = ground_of(scene, motion, unit);
        parts.extend(links(scene, unit));
        parts.extend(outlines(scene, &wheels(scene, motion), unit, size));
        parts.extend(joints(scene, unit));
        Self {
            unit,
            camera,
            floor: if floor.is_finite() { floor } else { 0.0 },
            parts,
        }
    }

    /// Positions of the parts in some frames of the motion, for a picture that contains all of them.
    pub(super) fn cloud(&self, motion: &RecordedMotion) -> Vec<V> {
        let places: Vec<Anchor> = self.parts.iter().flat_map(DrawnPart::places).collect();
        some_frames(motion)
            .flat_map(|frame| places.iter().map(|place| located(frame, *place)))
            .collect()
    }
}

impl DrawnPart {
    pub(super) fn places(&self) -> Vec<Anchor> {
        match self {
            DrawnPart::Hull { on, points, .. } | DrawnPart::Stroke { on, points, .. } => points
                .iter()
                .map(|at| Anchor { on: *on, at: *at })
                .collect(),
            DrawnPart::Dot { on, at, .. } => vec![Anchor { on: *on, at: *at }],
            DrawnPart::Span { ends, .. } => ends.to_vec(),
        }
    }
}

fn some_frames(motion: &RecordedMotion) -> impl Iterator<Item = &Vec<super::Pose>> {
    let every = motion.frames.len().div_ceil(LOOKED_AT).max(1);
    motion.frames.iter().step_by(every)
}

/// Positions of all joints and forces during the motion.
fn reached(scene: &Scene, motion: &RecordedMotion) -> Vec<V> {
    let bodies = scene.bodies.iter().enumerate().flat_map(|(index, body)| {
        let on = Some(index);
        let center = Anchor { on, at: [0.0; 3] };
        let spots = body.spots.iter().map(move |at| Anchor { on, at: *at });
        spots.chain([center])
    });
    let joints = scene.joints.iter().flat_map(|joint| joint.ends);
    let links = scene.links.iter().flat_map(|link| link.ends);
    let fixed = joints.chain(links).filter(|place| place.on.is_none());
    let places: Vec<Anchor> = bodies.chain(fixed).collect();
    some_frames(motion)
        .flat_map(|frame| places.iter().map(|place| located(frame, *place)))
        .filter(|point| point.iter().all(|c| c.is_finite()))
        .collect()
}

/// Size of the largest body, for mechanisms whose points all coincide.
fn largest(scene: &Scene) -> f64 {
    let sizes = scene.bodies.iter().map(|body| 2.0 * norm(body.half));
    sizes.fold(0.0, f64::max)
}

fn unit(scene: &Scene, size: f64) -> f64 {
    let mut lengths: Vec<f64> = scene
        .bodies
        .iter()
        .filter_map(|body| {
            let spread = body
                .spots
                .iter()
                .map(|spot| norm(sub(*spot, body.spots[0])));
            spread.reduce(f64::max).filter(|length| *length > 0.0)
        })
        .collect();
    lengths.sort_by(f64::total_cmp);
    let middle = lengths.get(lengths.len() / 2).copied().unwrap_or(size);
    (OF_A_LINK * middle).clamp(THINNEST * size, THICKEST * size)
}
