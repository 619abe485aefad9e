//! The drawable elements of a model, in numbers.

use serde::Serialize;

use super::units::unit;
use super::vector::{V, norm, scale, sub, unit as direction};
use crate::description::{CouplingType, JointType, Space};
use crate::evaluate::Evaluator;
use crate::expr::{Expr, Node, Symbol};
use crate::model::{
    self, Action, Extent, JointCoordinate, JointId, Marker, Measure, Model, Vector,
};

/// Points closer than this share of the largest length of their body count as one.
const SAME: f64 = 1e-6;

/// A drawable mechanism. Places on bodies are relative to the centre, in the axes of the body.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Its name.
    pub name: String,
    /// Plane or space.
    pub space: Space,
    /// Direction against gravity; without gravity y in the plane and z in space.
    pub up: V,
    /// Moving bodies.
    pub bodies: Vec<DrawnBody>,
    /// Joints.
    pub joints: Vec<DrawnJoint>,
    /// Forces along the line between two points.
    pub links: Vec<ForceLine>,
    /// Gears and racks.
    pub couplings: Vec<DrawnCoupling>,
    /// Points that can be traced.
    pub points: Vec<TracePoint>,
    /// The outputs of the description.
    pub outputs: Vec<Reading>,
}

/// A moving body.
#[derive(Clone, Debug)]
pub struct DrawnBody {
    /// Its name.
    pub name: String,
    /// Body, rod or point: determines which of its rotations are visible.
    pub extent: Extent,
    /// Places with a joint, a force or a name; no two coincide.
    pub spots: Vec<V>,
    /// Half edges of a box with the same moments of inertia.
    pub half: V,
}

/// A joint.
#[derive(Clone, Debug)]
pub struct DrawnJoint {
    /// Its name.
    pub name: String,
    /// Its type.
    pub kind: JointType,
    /// Its ends.
    pub ends: [Anchor; 2],
    /// Its axis in the frame of each of the bodies.
    pub axes: [V; 2],
    /// Whether a motion is prescribed or an actuator acts.
    pub driven: bool,
}

/// A force between two points.
#[derive(Clone, Debug)]
pub struct ForceLine {
    /// Its ends.
    pub ends: [Anchor; 2],
    /// Its kind.
    pub span: Span,
}

/// A coupling of two joints.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DrawnCoupling {
    /// Two wheels.
    Gear {
        /// Their middles.
        wheels: [Anchor; 2],
        /// Their axes, each in the frame of its body.
        axes: [V; 2],
        /// Turns of the second in one turn of the first.
        ratio: f64,
    },
    /// A pinion on a rack.
    Rack {
        /// The middle of the pinion.
        wheel: Anchor,
        /// Its axis, in the frame of its body.
        axis: V,
        /// The radius of the pinion.
        radius: f64,
    },
}

/// The kind of a line between two places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Span {
    /// A spring.
    Spring,
    /// A damper.
    Damper,
    /// A spring with a damper in it.
    Strut,
    /// A massless rod.
    Rod,
    /// Any other force.
    Actuator,
}

/// A place on a body, or on ground.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Anchor {
    /// Index of the body; `None` is ground.
    pub on: Option<usize>,
    /// Its position.
    pub at: V,
}

/// A point that can be traced.
#[derive(Clone, Debug)]
pub struct TracePoint {
    /// `body.point`
    pub name: String,
    /// Its place.
    pub place: Anchor,
    /// Whether an output gives its position.
    pub is_output: bool,
}

/// An output.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reading {
    /// Its name.
    pub name: String,
    /// Its unit; empty for pure numbers and if the unit is unknown.
    pub unit: String,
}

impl Scene {
    /// The elements of a mechanism with these parameters, the others at their defaults.
    pub fn new(model: &Model, set: &[(String, f64)]) -> Self {
        let numbers = ParameterValues { model, set };
        let places = places(model, &numbers);
        let joints = (0..model.joints.len()).map(|index| joint(model, &numbers, index));
        let joints: Vec<DrawnJoint> = joints.collect();
        let couplings = model.couplings.iter();
        let couplings = couplings.map(|one| coupling(&numbers, &joints, one));
        Self {
            name: model.name.clone(),
            space: model.space,
            up: up(model, &numbers),
            bodies: (0..model.bodies.len())
                .map(|index| body(model, &numbers, &places, index))
                .collect(),
            couplings: couplings.collect(),
            joints,
            links: links(model, &numbers),
            points: points(model, &numbers),
            outputs: model
                .outputs
                .iter()
                .map(|one| reading(model, one))
                .collect(),
        }
    }
}

/// Numbers at the parameters of a run.
struct ParameterValues<'m> {
    model: &'m Model,
    set: &'m [(String, f64)],
}

impl ParameterValues<'_> {
    fn value(&self, expr: &Expr) -> f64 {
        let symbols = |symbol| match symbol {
            Symbol::Parameter(p) => self.parameter(p as usize),
            _ => f64::NAN,
        };
        Evaluator::new(&self.model.tables, &symbols).value(expr)
    }

    /// The last setting of a parameter counts.
    fn parameter(&self, index: usize) -> f64 {
        let parameter = &self.model.parameters[index];
        let set = self
            .set
            .iter()
            .rev()
            .find(|(name, _)| *name == parameter.name);
        set.map_or(parameter.default, |(_, value)| *value)
    }

    fn vector(&self, vector: &Vector) -> V {
        vector.each_ref().map(|c| self.value(c))
    }

    fn place(&self, marker: &Marker) -> Anchor {
        Anchor {
            on: marker.body.map(|id| id.0 as usize),
            at: self.vector(&marker.point),
        }
    }
}

fn up(model: &Model, numbers: &ParameterValues) -> V {
    let otherwise = match model.space {
        Space::Planar => [0.0, 1.0, 0.0],
        Space::Spatial => [0.0, 0.0, 1.0],
    };
    direction(scale(numbers.vector(&model.gravity), -1.0), otherwise)
}

/// All places where joints and forces act.
fn places(model: &Model, numbers: &ParameterValues) -> Vec<Anchor> {
    let joints = model
        .joints
        .iter()
        .flat_map(|joint| [&joint.first, &joint.second]);
    let forces = model
        .elements
        .iter()
        .flat_map(|element| match &element.action {
            Action::Force { at, .. } => vec![at],
            Action::Between { first, second, .. } => vec![first, second],
            Action::Torque { .. } | Action::Joint { .. } => Vec::new(),
        });
    joints
        .chain(forces)
        .map(|marker| numbers.place(marker))
        .collect()
}

fn body(model: &Model, numbers: &ParameterValues, places: &[Anchor], index: usize) -> DrawnBody {
    let body = &model.bodies[index];
    let held = places.iter().filter(|place| place.on == Some(index));
    let named = body.points.iter().map(|(_, point)| numbers.vector(point));
    let all: Vec<V> = held.map(|place| place.at).chain(named).collect();
    DrawnBody {
        name: body.name.clone(),
        extent: body.extent,
        spots: distinct(&all),
        half: half(model.space, numbers, body),
    }
}

fn distinct(all: &[V]) -> Vec<V> {
    let size = all.iter().map(|spot| norm(*spot)).fold(0.0, f64::max);
    let mut spots: Vec<V> = Vec::new();
    for spot in all.iter().filter(|spot| spot.iter().all(|c| c.is_finite())) {
        let known = |other: &V| norm(sub(*spot, *other)) <= SAME * size;
        if !spots.iter().any(known) {
            spots.push(*spot);
        }
    }
    spots
}

/// A box of mass m with edges 2a, 2b, 2c has J_xx = m (b² + c²)/3; a disc of radius r has J_zz = m r²/2.
fn half(space: Space, numbers: &ParameterValues, body: &model::Body) -> V {
    let mass = numbers.value(&body.mass);
    if mass <= 0.0 {
        return [0.0; 3];
    }
    let [x, y, z] = [0, 1, 2].map(|k| numbers.value(&body.inertia[k][k]) / mass);
    let root = |square: f64| square.max(0.0).sqrt();
    match space {
        Space::Planar => [root(2.0 * z); 3],
        Space::Spatial => [y + z - x, z + x - y, x + y - z].map(|sum| root(1.5 * sum)),
    }
}

fn joint(model: &Model, numbers: &ParameterValues, index: usize) -> DrawnJoint {
    let joint = &model.joints[index];
    let acts = |action: &Action| match action {
        Action::Joint {
            joint,
            conservative,
            ..
        } => joint.0 as usize == index && conservative.is_zero(),
        _ => false,
    };
    let motor = model.elements.iter().any(|element| acts(&element.action));
    DrawnJoint {
        name: joint.name.clone(),
        kind: joint.kind,
        ends: [&joint.first, &joint.second].map(|end| numbers.place(end)),
        axes: [joint.first_frame[2], joint.second_frame[2]],
        driven: motor || !joint.motions.is_empty(),
    }
}

/// The wheel of a joint is on its moving body: the second one, unless that is ground.
fn coupling(
    numbers: &ParameterValues,
    joints: &[DrawnJoint],
    coupling: &model::Coupling,
) -> DrawnCoupling {
    let wheel = |(id, _): (JointId, JointCoordinate)| {
        let joint = &joints[id.0 as usize];
        let end = usize::from(joint.ends[1].on.is_some());
        (joint.ends[end], joint.axes[end])
    };
    let (first, second) = (wheel(coupling.first), wheel(coupling.second));
    let ratio = numbers.value(&coupling.ratio);
    match coupling.kind {
        CouplingType::Gear => DrawnCoupling::Gear {
            wheels: [first.0, second.0],
            axes: [first.1, second.1],
            ratio,
        },
        CouplingType::Rack => DrawnCoupling::Rack {
            wheel: first.0,
            axis: first.1,
            radius: ratio.abs(),
        },
    }
}

/// Forces between points, and those along the axis of a joint.
fn links(model: &Model, numbers: &ParameterValues) -> Vec<ForceLine> {
    let link = |element: &model::Element| {
        let (first, second, force) = match &element.action {
            Action::Between {
                first,
                second,
                force,
                ..
            } => (first, second, force),
            Action::Joint {
                joint,
                coordinate,
                force,
                ..
            } if *coordinate == JointCoordinate::Displacement => {
                let joint = &model.joints[joint.0 as usize];
                (&joint.first, &joint.second, force)
            }
            _ => return None,
        };
        Some(ForceLine {
            ends: [first, second].map(|end| numbers.place(end)),
            span: span(model, force),
        })
    };
    model.elements.iter().filter_map(link).collect()
}

/// The kind of a force, by its dependence on the length, on the rate of the length, on both or on neither.
fn span(model: &Model, force: &Expr) -> Span {
    let (mut length, mut rate) = (false, false);
    force.symbols(&mut |symbol| {
        if let Symbol::Measure(m) = symbol {
            match &model.measures[m as usize] {
                Measure::Distance(..) | Measure::JointCoordinate(..) => length = true,
                Measure::DistanceRate(..) | Measure::JointRate(..) => rate = true,
                _ => {}
            }
        }
    });
    match (length, rate) {
        (true, false) => Span::Spring,
        (true, true) => Span::Strut,
        (false, true) => Span::Damper,
        (false, false) => Span::Actuator,
    }
}

/// Named points of bodies, and their origins.
fn points(model: &Model, numbers: &ParameterValues) -> Vec<TracePoint> {
    let mut points = Vec::new();
    for (index, body) in model.bodies.iter().enumerate() {
        let named = body.points.iter().map(|(name, at)| (name.as_str(), at));
        let origin = [("origin", &body.origin)];
        for (name, at) in origin.into_iter().chain(named) {
            let place = Anchor {
                on: Some(index),
                at: numbers.vector(at),
            };
            points.push(TracePoint {
                name: format!("{}.{name}", body.name),
                is_output: is_output(model, numbers, place),
                place,
            });
        }
    }
    points
}

/// True if an output is a coordinate of the place.
fn is_output(model: &Model, numbers: &ParameterValues, place: Anchor) -> bool {
    let here = |output: &model::Output| match output.value.node() {
        Node::Symbol(Symbol::Measure(m)) => match &model.measures[*m as usize] {
            Measure::Position(marker, _) => numbers.place(marker) == place,
            _ => false,
        },
        _ => false,
    };
    model.outputs.iter().any(here)
}

fn reading(model: &Model, output: &model::Output) -> Reading {
    Reading {
        name: output.name.clone(),
        unit: unit(model, &output.value).unwrap_or_default().to_owned(),
    }
}
