//! The symbols of joints, the supports of ground joints, and the lines between places.

use super::drawing::{DrawnPart, Look};
use super::motion::{RecordedMotion, located};
use super::outline::corners;
use super::scene::{Anchor, DrawnJoint, Scene, Span};
use super::vector::{V, across, add, cross, dot, scale, sub, turned, unit};
use crate::description::Space;
use crate::joints::{AxisRule, Facts, Glyph, GlyphEnd};

/// Rails and ground, which lie behind everything else.
pub(super) fn ground_of(scene: &Scene, motion: &RecordedMotion, unit: f64) -> Vec<DrawnPart> {
    let pen = Pen { scene, unit };
    let mut parts = Vec::new();
    for joint in &scene.joints {
        if let Some([low, high]) = pen.range(joint, motion) {
            parts.extend(pen.rail(joint, low - 3.0 * unit, high + 3.0 * unit));
        }
        let ends = joint.ends.iter().filter(|end| end.on.is_none());
        if !pen.facts(joint).slides() {
            parts.extend(ends.flat_map(|end| pen.support(end.at)));
        }
    }
    let ends = scene.links.iter().flat_map(|link| link.ends);
    let fixed = ends.filter(|end| end.on.is_none());
    parts.extend(fixed.flat_map(|end| pen.support(end.at)));
    parts
}

/// Springs, dampers and massless rods.
pub(super) fn links(scene: &Scene, unit: f64) -> Vec<DrawnPart> {
    let rods = scene.joints.iter().filter(|joint| joint.kind.is_rod());
    let rods = rods.map(|joint| DrawnPart::Span {
        span: Span::Rod,
        ends: joint.ends,
        width: unit,
    });
    let links = scene.links.iter().map(|link| DrawnPart::Span {
        span: link.span,
        ends: link.ends,
        width: 2.0 * unit,
    });
    rods.chain(links).collect()
}

/// The symbols of all joints.
pub(super) fn joints(scene: &Scene, unit: f64) -> Vec<DrawnPart> {
    let pen = Pen { scene, unit };
    let joints = scene.joints.iter();
    joints.flat_map(|joint| pen.symbol(joint)).collect()
}

/// Draws in units of the drawing.
struct Pen<'s> {
    scene: &'s Scene,
    unit: f64,
}

impl Pen<'_> {
    fn facts(&self, joint: &DrawnJoint) -> &'static Facts {
        joint.kind.facts(self.scene.space)
    }

    /// The end whose body is slid along: ground if it is there, else the first.
    fn guide(&self, joint: &DrawnJoint) -> usize {
        let on_first = matches!(self.facts(joint).axis, AxisRule::OfFirst(_));
        let second = !on_first && joint.ends[1].on.is_none();
        usize::from(second)
    }

    /// From where to where the other end comes along the guide.
    fn range(&self, joint: &DrawnJoint, motion: &RecordedMotion) -> Option<[f64; 2]> {
        if !self.facts(joint).slides() {
            return None;
        }
        let guide = self.guide(joint);
        let (fixed, moving) = (joint.ends[guide], joint.ends[1 - guide]);
        let along = motion.frames.iter().map(|frame| {
            let axis = match fixed.on {
                None => joint.axes[guide],
                Some(body) => turned(frame[body].turn, joint.axes[guide]),
            };
            dot(sub(located(frame, moving), located(frame, fixed)), axis)
        });
        let reached = along.filter(|d| d.is_finite());
        reached.fold(None, |range: Option<[f64; 2]>, d| {
            let [low, high] = range.unwrap_or([d, d]);
            Some([low.min(d), high.max(d)])
        })
    }

    /// The symbol of a joint.
    fn symbol(&self, joint: &DrawnJoint) -> Vec<DrawnPart> {
        let place = |end| match end {
            GlyphEnd::First => 0,
            GlyphEnd::Second => 1,
            GlyphEnd::Slider => 1 - self.guide(joint),
        };
        let parts = self.facts(joint).symbol.iter().map(|glyph| match *glyph {
            Glyph::Dot(end, radius) => vec![self.dot(joint.ends[place(end)], radius, look(joint))],
            Glyph::Weld => vec![self.dot(joint.ends[0], 0.6, Look::Mark)],
            Glyph::Axle(end, length, width) => vec![self.axle(joint, place(end), length, width)],
            Glyph::Block => self.block(joint),
            Glyph::Table => vec![self.table(joint)],
        });
        parts.flatten().collect()
    }

    fn dot(&self, place: Anchor, size: f64, look: Look) -> DrawnPart {
        DrawnPart::Dot {
            on: place.on,
            at: place.at,
            radius: size * self.unit,
            look,
        }
    }

    /// A short thick line along the axis.
    fn axle(&self, joint: &DrawnJoint, end: usize, length: f64, width: f64) -> DrawnPart {
        let (place, half) = (joint.ends[end], scale(joint.axes[end], length * self.unit));
        DrawnPart::Stroke {
            on: place.on,
            points: vec![sub(place.at, half), add(place.at, half)],
            width: width * self.unit,
            look: look(joint),
        }
    }

    /// The sliding block, on the body that is not the guide.
    fn block(&self, joint: &DrawnJoint) -> Vec<DrawnPart> {
        let end = 1 - self.guide(joint);
        let (place, axis) = (joint.ends[end], joint.axes[end]);
        let (long, short) = (scale(axis, 3.2 * self.unit), 2.0 * self.unit);
        let points = match self.scene.space {
            Space::Planar => {
                let aside = scale([-axis[1], axis[0], 0.0], short);
                let corner = |a: f64, b: f64| add(place.at, add(scale(long, a), scale(aside, b)));
                vec![
                    corner(1.0, 1.0),
                    corner(-1.0, 1.0),
                    corner(-1.0, -1.0),
                    corner(1.0, -1.0),
                ]
            }
            Space::Spatial => {
                let [a, b] = across(axis).map(|direction| scale(direction, short));
                corners(place.at, [long, a, b])
            }
        };
        let block = DrawnPart::Hull {
            on: place.on,
            points,
            width: 0.6 * self.unit,
            look: Look::Body,
        };
        match joint.driven {
            true => vec![block, self.dot(place, 0.9, Look::Drive)],
            false => vec![block],
        }
    }

    /// A square in the plane of the joint.
    fn table(&self, joint: &DrawnJoint) -> DrawnPart {
        let place = joint.ends[0];
        let [a, b] = across(joint.axes[0]).map(|direction| scale(direction, 4.0 * self.unit));
        let corner = |s: f64, t: f64| add(place.at, add(scale(a, s), scale(b, t)));
        DrawnPart::Hull {
            on: place.on,
            points: vec![
                corner(1.0, 1.0),
                corner(-1.0, 1.0),
                corner(-1.0, -1.0),
                corner(1.0, -1.0),
            ],
            width: 0.0,
            look: Look::Rail,
        }
    }

    /// The line of the guide, hatched if it belongs to ground.
    fn rail(&self, joint: &DrawnJoint, low: f64, high: f64) -> Vec<DrawnPart> {
        let guide = self.guide(joint);
        let (place, axis) = (joint.ends[guide], joint.axes[guide]);
        let at = |d: f64| add(place.at, scale(axis, d));
        let rail = DrawnPart::Stroke {
            on: place.on,
            points: vec![at(low), at(high)],
            width: 0.8 * self.unit,
            look: if place.on.is_some() {
                Look::Body
            } else {
                Look::Rail
            },
        };
        let mut parts = vec![rail];
        if place.on.is_none() && self.scene.space == Space::Planar {
            let aside = scale(cross([0.0, 0.0, 1.0], axis), 2.6 * self.unit);
            let down = match dot(aside, self.scene.up) > 0.0 {
                true => scale(aside, -1.0),
                false => aside,
            };
            parts.extend(self.hatched(add(at(low), down), add(at(high), down), down));
        }
        parts
    }

    /// The support of a ground point: a stand with hatching in the plane, a pedestal in space.
    fn support(&self, at: V) -> Vec<DrawnPart> {
        match self.scene.space {
            Space::Planar => self.stand(at),
            Space::Spatial => self.pedestal(at),
        }
    }

    fn stand(&self, at: V) -> Vec<DrawnPart> {
        let (up, u) = (self.scene.up, self.unit);
        let aside = cross(up, [0.0, 0.0, 1.0]);
        let foot = sub(at, scale(up, 3.6 * u));
        let corner = |d: f64| add(foot, scale(aside, d * u));
        let triangle = DrawnPart::Hull {
            on: None,
            points: vec![at, corner(-2.2), corner(2.2)],
            width: 0.0,
            look: Look::Ground,
        };
        let mut parts = vec![triangle];
        parts.extend(self.hatched(corner(-3.2), corner(3.2), scale(up, -1.0)));
        parts
    }

    /// A line with short slanted ones on the side of `down`.
    fn hatched(&self, from: V, to: V, down: V) -> Vec<DrawnPart> {
        let line = |points| DrawnPart::Stroke {
            on: None,
            points,
            width: 0.0,
            look: Look::Ground,
        };
        let along = sub(to, from);
        let (length, direction) = (dot(along, along).sqrt(), unit(along, [1.0, 0.0, 0.0]));
        let slant = sub(unit(down, [0.0, -1.0, 0.0]), scale(direction, 0.8));
        let n_lines = ((length / (1.6 * self.unit)) as usize).clamp(1, 60);
        let tooth = |k: usize| {
            let start = add(
                from,
                scale(along, (k as f64 + 0.7) / (n_lines as f64 + 0.4)),
            );
            line(vec![start, add(start, scale(slant, 1.3 * self.unit))])
        };
        let teeth = (0..n_lines).map(tooth);
        std::iter::once(line(vec![from, to])).chain(teeth).collect()
    }

    fn pedestal(&self, at: V) -> Vec<DrawnPart> {
        let (up, u) = (self.scene.up, self.unit);
        let foot = sub(at, scale(up, 4.0 * u));
        let [a, b] = across(up).map(|direction| scale(direction, 2.4 * u));
        let corner = |s: f64, t: f64| add(foot, add(scale(a, s), scale(b, t)));
        let base = vec![
            corner(1.0, 1.0),
            corner(-1.0, 1.0),
            corner(-1.0, -1.0),
            corner(1.0, -1.0),
        ];
        let stem = DrawnPart::Stroke {
            on: None,
            points: vec![foot, at],
            width: 1.2 * u,
            look: Look::Ground,
        };
        let plate = DrawnPart::Hull {
            on: None,
            points: base,
            width: 0.5 * u,
            look: Look::Ground,
        };
        vec![plate, stem]
    }
}

fn look(joint: &DrawnJoint) -> Look {
    match joint.driven {
        true => Look::Drive,
        false => Look::Joint,
    }
}
