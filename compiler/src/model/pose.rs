//! Positions of bodies as outputs that the description does not contain.
//!
//! Every point of a body follows from its centre and from the directions of its axes in the world: x in the plane, x
//! and y in space. Of a thin rod whose turn is no motion only the direction of the rod is asked for, and of a point
//! mass none, so that both keep their extent.

use super::{BodyId, Extent, Marker, Measure, Model, Output};
use crate::description::Space;
use crate::expr::{Expr, Symbol};

/// Names that are written are identifiers and have no dot.
const PREFIX: &str = "pose.";

/// Adds the outputs from which a picture knows where every body is.
pub fn add_poses(model: &mut Model) {
    for index in 0..model.bodies.len() {
        let values = pose(model, BodyId(index as u32));
        let body = &model.bodies[index];
        let output = |(k, value)| Output {
            name: pose_name(&body.name, k),
            path: body.path.clone(),
            value,
        };
        let outputs: Vec<_> = values.into_iter().enumerate().map(output).collect();
        model.outputs.extend(outputs);
    }
}

/// The name of the k-th output for the pose of a body: its centre first, then its directions.
pub fn pose_name(body: &str, k: usize) -> String {
    format!("{PREFIX}{body}.{k}")
}

/// True for the name of an output that the description does not contain.
pub fn is_pose(output: &str) -> bool {
    output.starts_with(PREFIX)
}

fn pose(model: &mut Model, id: BodyId) -> Vec<Expr> {
    let center = position(model, Marker::center(id));
    let mut values = center.clone();
    for direction in directions(model, id) {
        let point = direction.map(Expr::constant);
        let tip = position(
            model,
            Marker {
                body: Some(id),
                point,
            },
        );
        values.extend(tip.iter().zip(&center).map(|(tip, center)| tip - center));
    }
    values
}

/// Unit vectors of the body whose directions determine its turn.
fn directions(model: &Model, id: BodyId) -> Vec<[f64; 3]> {
    let (x, y) = ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    match (model.bodies[id.0 as usize].extent, model.space) {
        (Extent::Point, _) => Vec::new(),
        (Extent::Line(axis), _) => vec![axis],
        (Extent::Body, Space::Planar) => vec![x],
        (Extent::Body, Space::Spatial) => vec![x, y],
    }
}

fn position(model: &mut Model, at: Marker) -> Vec<Expr> {
    let n_axes = match model.space {
        Space::Planar => 2,
        Space::Spatial => 3,
    };
    let first = model.measures.len() as u32;
    let measures = (0..n_axes).map(|k| Measure::Position(at.clone(), k));
    model.measures.extend(measures);
    let symbol = |k| Expr::symbol(Symbol::Measure(first + u32::from(k)));
    (0..n_axes).map(symbol).collect()
}
