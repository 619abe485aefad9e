//! The element to which each row, coordinate and output of a compilation belongs: plain data, for analyses that
//! report their results with the names of the model.

use serde::{Deserialize, Serialize};

use crate::Compiled;
use crate::description::{JointType, Space};
use crate::formulation::ConstraintEquation;
use crate::model::{Body, Element, Extent, Joint, JointId, Marker, has_force, watched};

/// Bodies, joints and elements, with their rows and coordinates.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ModelElements {
    /// Plane or space.
    pub space: Space,
    /// The moving bodies.
    pub bodies: Vec<BodyPart>,
    /// The joints.
    pub joints: Vec<JointPart>,
    /// The constraint equations, one for each row of D.
    pub rows: Vec<RowPart>,
    /// Elements whose force is one number.
    pub elements: Vec<ElementPart>,
    /// The holds of the assembly.
    pub holds: Vec<String>,
    /// Number of outputs in the description; watched outputs follow them.
    pub n_outputs: usize,
}

/// A moving body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BodyPart {
    /// Its name.
    pub name: String,
    /// Axes in its frame about which a rotation is no motion.
    pub idle: Vec<[f64; 3]>,
    /// True if its mass and inertia are known.
    pub weighed: bool,
}

/// A joint.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JointPart {
    /// Its name.
    pub name: String,
    /// Its type.
    pub kind: JointType,
    /// Its two bodies; `None` is ground.
    pub bodies: [Option<usize>; 2],
    /// Direction of its axis in the frame of the first body.
    pub axis: [f64; 3],
    /// Whether it closes a loop.
    pub cut: bool,
    /// Its coordinates, if they are watched.
    pub coordinates: Vec<CoordinatePart>,
}

/// A coordinate of a joint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CoordinatePart {
    /// Its name.
    pub name: String,
    /// True for angles, false for lengths.
    pub is_angle: bool,
    /// The row whose Φ is the coordinate.
    pub row: usize,
}

/// A constraint equation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RowPart {
    /// Its joint; `None` for a coupling between joints.
    pub joint: Option<usize>,
    /// Name of the joint or coupling.
    pub owner: String,
    /// The quantity that it keeps, in words.
    pub keeps: String,
    /// True if it keeps a direction, false for a length.
    pub is_angle: bool,
    /// Its role.
    pub role: Role,
}

/// The role of a constraint equation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Role {
    /// It holds for its joint.
    Kept,
    /// It holds for a prescribed motion.
    Driven,
    /// It does not hold; its Φ is the value of a coordinate.
    Watched,
}

/// A force element.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ElementPart {
    /// Its name.
    pub name: String,
    /// True if its force is a torque.
    pub is_torque: bool,
}

impl ModelElements {
    pub(super) fn new(compiled: &Compiled) -> Self {
        let (model, space) = (&compiled.model, compiled.model.space);
        let elements = model.elements.iter();
        let forces = elements.filter(|element| has_force(element));
        let forces: Vec<ElementPart> = forces.map(element_part).collect();
        let n_watched = 3 * (model.bodies.len() + 2 * model.joints.len()) + forces.len();
        let mut elements = Self {
            space,
            bodies: model.bodies.iter().map(|body| part(body, space)).collect(),
            rows: rows(compiled),
            elements: forces,
            holds: model.holds.iter().map(|hold| hold.name.clone()).collect(),
            n_outputs: model.outputs.len().saturating_sub(n_watched),
            joints: Vec::new(),
        };
        let joints = model.joints.iter().enumerate();
        elements.joints = joints
            .map(|(index, joint)| JointPart {
                name: joint.name.clone(),
                kind: joint.kind,
                bodies: [&joint.first, &joint.second].map(body_of),
                axis: joint.first_frame[2],
                cut: compiled.topology.cuts.contains(&JointId(index as u32)),
                coordinates: coordinates(joint, index, space, &elements.rows),
            })
            .collect();
        elements
    }
}

fn body_of(end: &Marker) -> Option<usize> {
    end.body.map(|body| body.0 as usize)
}

fn element_part(element: &Element) -> ElementPart {
    let is_torque = match &element.action {
        crate::model::Action::Joint { coordinate, .. } => coordinate.is_angle(),
        _ => false,
    };
    ElementPart {
        name: element.name.clone(),
        is_torque,
    }
}

fn part(body: &Body, space: Space) -> BodyPart {
    let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let idle = match (body.extent, space) {
        (Extent::Body, _) => Vec::new(),
        (_, Space::Planar) => vec![axes[2]],
        (Extent::Line(axis), Space::Spatial) => vec![axis],
        (Extent::Point, Space::Spatial) => axes.to_vec(),
    };
    BodyPart {
        name: body.name.clone(),
        idle,
        weighed: body.missing.is_empty(),
    }
}

/// The constraint equations in the order of their rows.
fn rows(compiled: &Compiled) -> Vec<RowPart> {
    let (model, system) = (&compiled.model, &compiled.system);
    let mut rows: Vec<RowPart> = Vec::new();
    for row in &system.rows {
        let joint = row.joint().map(|joint| joint.0 as usize);
        let before = rows.iter().filter(|row| row.joint == joint);
        let n_drivers = before.filter(|row| row.role != Role::Kept).count();
        let n_driven = joint.map_or(0, |joint| {
            let part = &model.joints[joint];
            part.motions.len() - watched(part, model.space).len()
        });
        rows.push(RowPart {
            joint,
            owner: row.owner(model).0.to_owned(),
            keeps: row.keeps.clone(),
            is_angle: is_angle(row),
            role: match row.driver {
                false => Role::Kept,
                true if n_drivers < n_driven => Role::Driven,
                true => Role::Watched,
            },
        });
    }
    rows
}

/// A quantity that does not change when a point is displaced is an angle.
fn is_angle(row: &ConstraintEquation) -> bool {
    let mut forces = row.wrenches.iter().flat_map(|(_, wrench)| &wrench.linear);
    forces.all(crate::expr::Expr::is_zero)
}

fn coordinates(joint: &Joint, index: usize, space: Space, rows: &[RowPart]) -> Vec<CoordinatePart> {
    let watches = |row: &RowPart| row.joint == Some(index) && row.role == Role::Watched;
    let rows = (0..rows.len()).filter(|&row| watches(&rows[row]));
    let coordinates = watched(joint, space).into_iter().zip(rows);
    coordinates
        .map(|(coordinate, row)| CoordinatePart {
            name: coordinate.to_string(),
            is_angle: coordinate.is_angle(),
            row,
        })
        .collect()
}
