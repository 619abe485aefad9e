//! The mechanism at its start, with traces, as SVG that is legible on light and dark backgrounds.

use std::fmt::Write as _;

use super::camera::{Camera, Seen};
use super::drawing::{Drawing, DrawnPart, Look};
use super::motion::{Pose, RecordedMotion, located};
use super::scene::{Anchor, Scene, Span};
use super::vector::V;

/// Margin around the mechanism, as a share of the smaller side.
const MARGIN: f64 = 0.07;
/// Smallest and largest width of a bar, in pixels.
const WIDTHS: [f64; 2] = [2.0, 14.0];
/// Number of points in a trace.
const TRACED: usize = 400;
/// Number of colours of bodies and of traces; then they repeat.
const COLORS: usize = 8;

/// A drawing of the mechanism at its start, with a width and a height in pixels, and with traces of the points whose
/// indices in [`Scene::points`] are given.
pub fn svg(scene: &Scene, motion: &RecordedMotion, traces: &[usize], size: [u32; 2]) -> String {
    let drawing = Drawing::new(scene, motion);
    let paths: Vec<Vec<V>> = traces
        .iter()
        .map(|index| path(motion, scene.points[*index].place))
        .collect();
    let cloud = match traces.is_empty() {
        true => drawing.cloud(&start_only(motion)),
        false => [drawing.cloud(&start_only(motion)), paths.concat()].concat(),
    };
    let sheet = Sheet::new(drawing.camera, &cloud, size);
    let mut text = head(scene, size);
    for (index, path) in traces.iter().zip(&paths) {
        let body = scene.points[*index].place.on.unwrap_or(0);
        let points = sheet.points(path.iter().copied());
        let _ = writeln!(
            text,
            "<polyline class=\"trace c{}\" points=\"{points}\"/>",
            body % COLORS
        );
    }
    if let Some(frame) = motion.frames.first() {
        for part in sheet.sorted(&drawing.parts, frame) {
            sheet.paint(&mut text, part, frame);
        }
    }
    text + "</svg>\n"
}

fn start_only(motion: &RecordedMotion) -> RecordedMotion {
    RecordedMotion {
        times: motion.times.iter().take(1).copied().collect(),
        frames: motion.frames.iter().take(1).cloned().collect(),
    }
}

fn path(motion: &RecordedMotion, place: Anchor) -> Vec<V> {
    let path = motion.path(place);
    let every = path.len().div_ceil(TRACED).max(1);
    let last = path.last().copied();
    path.into_iter().step_by(every).chain(last).collect()
}

fn head(scene: &Scene, [width, height]: [u32; 2]) -> String {
    let style = include_str!("../../templates/drawing.css");
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\">\n\
         <title>{}</title>\n<style>\n{style}</style>\n",
        scene.name
    )
}

/// The projection to the sheet.
struct Sheet {
    camera: Camera,
    scale: f64,
    middle: [f64; 2],
    center: [f64; 2],
}

impl Sheet {
    fn new(camera: Camera, cloud: &[V], size: [u32; 2]) -> Self {
        let seen: Vec<Seen> = cloud.iter().map(|point| camera.see(*point)).collect();
        let (low, high) = super::camera::bounds(&seen);
        let size = size.map(f64::from);
        let margin = 2.0 * MARGIN * size[0].min(size[1]) + WIDTHS[1];
        let fit = |k: usize| (size[k] - margin) / (high[k] - low[k]).max(1e-9 * camera.distance);
        Self {
            camera,
            scale: fit(0).min(fit(1)),
            middle: [0, 1].map(|k| 0.5 * (low[k] + high[k])),
            center: size.map(|length| 0.5 * length),
        }
    }

    fn place(&self, point: V) -> [f64; 2] {
        let [x, y, _] = self.camera.see(point);
        [
            self.center[0] + self.scale * (x - self.middle[0]),
            self.center[1] - self.scale * (y - self.middle[1]),
        ]
    }

    fn points(&self, points: impl Iterator<Item = V>) -> String {
        let placed: Vec<[f64; 2]> = points.map(|point| self.place(point)).collect();
        text_of(&placed)
    }

    fn width(&self, width: f64) -> f64 {
        match width > 0.0 {
            true => (width * self.scale).clamp(WIDTHS[0], WIDTHS[1]),
            false => 1.0,
        }
    }

    /// Far parts first. In the plane all are equally far and keep their order. A joint is painted over the bodies
    /// that it connects, even if their middles are nearer.
    fn sorted<'p>(&self, parts: &'p [DrawnPart], frame: &[Pose]) -> Vec<&'p DrawnPart> {
        let mut list: Vec<(f64, &DrawnPart)> = parts
            .iter()
            .map(|part| (self.depth(part, frame), part))
            .collect();
        list.sort_by(|a, b| b.0.total_cmp(&a.0));
        list.into_iter().map(|(_, part)| part).collect()
    }

    fn depth(&self, part: &DrawnPart, frame: &[Pose]) -> f64 {
        let joint = |look: &Look| matches!(look, Look::Joint | Look::Drive);
        if let DrawnPart::Stroke { look, .. } | DrawnPart::Dot { look, .. } = part
            && joint(look)
        {
            return f64::NEG_INFINITY;
        }
        let places = part.places();
        let depth = |place: &Anchor| self.camera.see(located(frame, *place))[2];
        places.iter().map(depth).sum::<f64>() / places.len().max(1) as f64
    }

    fn paint(&self, text: &mut String, part: &DrawnPart, frame: &[Pose]) {
        let placed = |place: Anchor| self.place(located(frame, place));
        match part {
            DrawnPart::Hull {
                on,
                points,
                width,
                look,
            } => {
                let corners = points.iter().map(|at| placed(Anchor { on: *on, at: *at }));
                let points = text_of(&hull(&corners.collect::<Vec<_>>()));
                let (class, width) = (class(*look, *on), self.width(*width));
                self.edged(text, "polygon", &points, &class, width);
            }
            DrawnPart::Stroke {
                on,
                points,
                width,
                look,
            } => {
                let corners = points.iter().map(|at| placed(Anchor { on: *on, at: *at }));
                let points = text_of(&corners.collect::<Vec<_>>());
                let class = class(*look, *on);
                match *width > 0.0 {
                    true => self.edged(text, "polyline", &points, &class, self.width(*width)),
                    false => {
                        let _ = writeln!(
                            text,
                            "<polyline class=\"hair {class}\" points=\"{points}\"/>"
                        );
                    }
                }
            }
            DrawnPart::Dot {
                on,
                at,
                radius,
                look,
            } => {
                let [x, y] = placed(Anchor { on: *on, at: *at });
                let radius = (radius * self.scale).clamp(1.6, 12.0);
                let class = class(*look, *on);
                let _ = writeln!(
                    text,
                    "<circle class=\"dot {class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\"/>"
                );
            }
            DrawnPart::Span { span, ends, width } => {
                if *span == Span::Rod {
                    let points = text_of(&ends.map(placed));
                    let width = 0.7 * self.width(*width);
                    return self.edged(text, "polyline", &points, "rail", width);
                }
                let lines = reach(*span, ends.map(placed), self.width(*width));
                for line in lines {
                    let _ = writeln!(
                        text,
                        "<polyline class=\"span\" points=\"{}\"/>",
                        text_of(&line)
                    );
                }
            }
        }
    }

    /// A line or an area with a dark edge.
    fn edged(&self, text: &mut String, shape: &str, points: &str, class: &str, width: f64) {
        let edge = width + 1.8;
        let _ = writeln!(
            text,
            "<{shape} class=\"edge\" stroke-width=\"{edge:.1}\" points=\"{points}\"/>\n\
             <{shape} class=\"{class} {shape}\" stroke-width=\"{width:.1}\" points=\"{points}\"/>"
        );
    }
}

fn text_of(points: &[[f64; 2]]) -> String {
    let points: Vec<String> = points
        .iter()
        .map(|[x, y]| format!("{x:.1},{y:.1}"))
        .collect();
    points.join(" ")
}

fn class(look: Look, on: Option<usize>) -> String {
    match look {
        Look::Body => format!("c{}", on.unwrap_or(0) % COLORS),
        Look::Mark => "mark".to_owned(),
        Look::Ground => "ground".to_owned(),
        Look::Rail => "rail".to_owned(),
        Look::Joint => "joint".to_owned(),
        Look::Drive => "drive".to_owned(),
    }
}

/// The convex hull of points, by Andrew's monotone chain.
fn hull(points: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let mut sorted = points.to_vec();
    sorted.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    let turn = |a: [f64; 2], b: [f64; 2], c: [f64; 2]| {
        (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    };
    let chain = |points: &mut dyn Iterator<Item = [f64; 2]>| {
        let mut chain: Vec<[f64; 2]> = Vec::new();
        for point in points {
            while let [.., a, b] = chain[..]
                && turn(a, b, point) <= 0.0
            {
                chain.pop();
            }
            chain.push(point);
        }
        chain.pop();
        chain
    };
    let mut lower = chain(&mut sorted.iter().copied());
    lower.extend(chain(&mut sorted.iter().rev().copied()));
    match lower.is_empty() {
        true => points.to_vec(),
        false => lower,
    }
}

/// The lines of a spring, damper or rod between two ends, `half` wide to each side.
fn reach(span: Span, [a, b]: [[f64; 2]; 2], half: f64) -> Vec<Vec<[f64; 2]>> {
    let along = [b[0] - a[0], b[1] - a[1]];
    let length = along[0].hypot(along[1]).max(1e-9);
    let aside = [-along[1] / length * half, along[0] / length * half];
    let at = |s: f64, d: f64| [0, 1].map(|k| a[k] + s * along[k] + d * aside[k]);
    let spring = || {
        let coil = |k: i32| {
            at(
                0.15 + 0.7 * (f64::from(k) + 0.5) / 10.0,
                if k % 2 == 0 { 1.0 } else { -1.0 },
            )
        };
        let coils = (0..10).map(coil);
        [at(0.0, 0.0), at(0.15, 0.0)]
            .into_iter()
            .chain(coils)
            .chain([at(0.85, 0.0), at(1.0, 0.0)])
            .collect::<Vec<_>>()
    };
    let damper = || {
        vec![
            vec![at(0.0, 0.0), at(0.35, 0.0)],
            vec![at(0.65, 0.8), at(0.35, 0.8), at(0.35, -0.8), at(0.65, -0.8)],
            vec![at(0.5, 0.6), at(0.5, -0.6)],
            vec![at(0.5, 0.0), at(1.0, 0.0)],
        ]
    };
    match span {
        Span::Spring => vec![spring()],
        Span::Damper => damper(),
        Span::Strut => [damper(), vec![spring()]].concat(),
        Span::Rod => vec![vec![a, b]],
        Span::Actuator => vec![
            vec![
                at(0.0, 0.5),
                at(0.55, 0.5),
                at(0.55, -0.5),
                at(0.0, -0.5),
                at(0.0, 0.5),
            ],
            vec![at(0.55, 0.0), at(1.0, 0.0)],
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hull_leaves_out_what_is_inside() {
        let square = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]];
        let all = [&square[..], &[[1.0, 1.0], [1.0, 0.0]]].concat();
        let mut found = hull(&all);
        found.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
        assert_eq!(found, [[0.0, 0.0], [0.0, 2.0], [2.0, 0.0], [2.0, 2.0]]);
    }

    #[test]
    fn every_span_ends_at_its_ends() {
        for span in [Span::Spring, Span::Damper, Span::Strut, Span::Rod] {
            let lines = reach(span, [[0.0, 0.0], [10.0, 0.0]], 2.0).concat();
            assert!(
                lines.contains(&[0.0, 0.0]) && lines.contains(&[10.0, 0.0]),
                "{span:?}"
            );
            assert!(
                lines
                    .iter()
                    .all(|[x, y]| (0.0..=10.0).contains(x) && y.abs() <= 2.0)
            );
        }
    }
}
