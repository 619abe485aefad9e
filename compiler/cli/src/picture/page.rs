//! A single page with everything in it: the mechanism in motion, with its curves beside it. It opens from disk and
//! loads nothing from the network.

use serde::Serialize;

use super::drawing::Drawing;
use super::motion::{Pose, RecordedMotion};
use super::panels::{Curve, Panel, Scale, panels};
use super::record::Record;
use super::scene::{Anchor, DrawnBody, Scene};
use super::vector::{V, add, scale};
use crate::description::Space;

const PAGE: &str = include_str!("../../templates/view/page.html");
const STYLE: &str = include_str!("../../templates/view/style.css");
const SCRIPTS: [&str; 5] = [
    include_str!("../../templates/view/data.js"),
    include_str!("../../templates/view/camera.js"),
    include_str!("../../templates/view/paint.js"),
    include_str!("../../templates/view/plots.js"),
    include_str!("../../templates/view/controls.js"),
];

/// The contents of a page.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a> {
    /// The mechanism.
    pub scene: &'a Scene,
    /// Its run.
    pub record: &'a Record,
    /// Indices in [`Scene::points`] of the points that are traced at first.
    pub traces: &'a [usize],
    /// A summary of the run, in one line.
    pub about: &'a str,
    /// Largest number of frames.
    pub frames: usize,
}

/// The text of the page; `None` if the record does not have the poses of the bodies.
pub fn page(page: &Page) -> Option<String> {
    let record = page.record.thinned(page.frames);
    let motion = RecordedMotion::new(page.scene, &record)?;
    let data = Data::new(page, &record, &motion);
    // A name in the data must not close the script element that holds it.
    let json = serde_json::to_string(&data).ok()?.replace('<', "\\u003c");
    let script = SCRIPTS.join("\n");
    let parts = [
        ("{{title}}", escaped(&page.scene.name)),
        ("{{about}}", escaped(page.about)),
        ("{{style}}", STYLE.to_owned()),
        ("{{script}}", script),
        ("{{data}}", json),
    ];
    let fill = |text: String, (hole, part): &(&str, String)| text.replace(hole, part);
    Some(parts.iter().fold(PAGE.to_owned(), fill))
}

/// The data of the script. Long lists of numbers are in single precision, as base 64.
#[derive(Serialize)]
struct Data<'a> {
    name: &'a str,
    planar: bool,
    drawing: Drawing,
    bodies: Vec<&'a str>,
    /// The place for the name of each body.
    middles: Vec<V>,
    joints: Vec<NamedSeries<'a>>,
    points: Vec<Traced<'a>>,
    times: String,
    poses: String,
    panels: Vec<Plot>,
}

#[derive(Serialize)]
struct Traced<'a> {
    name: &'a str,
    place: Anchor,
    shown: bool,
}

#[derive(Serialize)]
struct NamedSeries<'a> {
    name: &'a str,
    place: Anchor,
}

#[derive(Serialize)]
struct Plot {
    title: String,
    unit: String,
    scale: Scale,
    curves: Vec<PageLine>,
}

#[derive(Serialize)]
struct PageLine {
    name: String,
    values: String,
}

impl Plot {
    fn new(panel: Panel) -> Self {
        let line = |curve: Curve| PageLine {
            name: curve.name,
            values: packed(curve.values.into_iter()),
        };
        Self {
            title: panel.title,
            unit: panel.unit,
            scale: panel.scale,
            curves: panel.curves.into_iter().map(line).collect(),
        }
    }
}

impl<'a> Data<'a> {
    fn new(page: &Page<'a>, record: &Record, motion: &RecordedMotion) -> Self {
        let scene = page.scene;
        let planar = scene.space == Space::Planar;
        let frames = motion.frames.iter().flatten();
        let points = scene
            .points
            .iter()
            .enumerate()
            .map(|(index, point)| Traced {
                name: &point.name,
                place: point.place,
                shown: page.traces.contains(&index),
            });
        let joints = scene.joints.iter().map(|joint| NamedSeries {
            name: &joint.name,
            place: joint.ends[0],
        });
        Self {
            name: &scene.name,
            planar,
            drawing: Drawing::new(scene, motion),
            bodies: scene.bodies.iter().map(|body| body.name.as_str()).collect(),
            middles: scene.bodies.iter().map(middle).collect(),
            joints: joints.collect(),
            points: points.collect(),
            times: packed(motion.times.iter().copied()),
            poses: packed(frames.flat_map(|pose| numbers(planar, pose))),
            panels: panels(scene, record).into_iter().map(Plot::new).collect(),
        }
    }
}

/// The middle of the places where joints and forces act.
fn middle(body: &DrawnBody) -> V {
    let sum = body
        .spots
        .iter()
        .fold([0.0; 3], |sum, spot| add(sum, *spot));
    scale(sum, 1.0 / body.spots.len().max(1) as f64)
}

/// The numbers of a pose: in the plane x, y and the two Euler parameters that are not zero, in space all seven.
fn numbers(planar: bool, pose: &Pose) -> Vec<f64> {
    let Pose {
        center: [x, y, z],
        turn: [w, i, j, k],
    } = *pose;
    match planar {
        true => vec![x, y, w, k],
        false => vec![x, y, z, w, i, j, k],
    }
}

/// Numbers in single precision, least byte first, as base 64.
fn packed(numbers: impl Iterator<Item = f64>) -> String {
    let bytes: Vec<u8> = numbers
        .flat_map(|number| (number as f32).to_le_bytes())
        .collect();
    base64(&bytes)
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |k: usize| u32::from(chunk.get(k).copied().unwrap_or(0));
        let word = byte(0) << 16 | byte(1) << 8 | byte(2);
        for k in 0..4 {
            let digit = DIGITS[(word >> (18 - 6 * k) & 63) as usize];
            text.push(if k <= chunk.len() { digit.into() } else { '=' });
        }
    }
    text
}

/// Escapes text for HTML.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of RFC 4648.
    #[test]
    fn bytes_become_base_64() {
        for (bytes, text) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
        ] {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
    }
}
