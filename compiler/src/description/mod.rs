//! The description as it was written: one data model for TOML, JSON and tokens.
//!
//! A `Number` stays as it was written, because its meaning (unit, dimension, parameters) belongs to
//! the model. Tables keep the order of writing, because that order becomes the order of everything
//! that follows. After this point the input is well formed and every key is known.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

// Formats: each gives the tree of `value`.
mod json;
pub mod tokens;
mod toml;
mod value;
// The tree becomes a `Description`; `fields` collects what is wrong on the way.
mod fields;
pub(crate) mod hints;
mod read;
mod schema;
// Shapes of bodies.
mod shape;
// Numbers written as text, for the model to give them a meaning.
pub mod expression;
pub mod units;
// From the path of an element back to its place in the text, for the front ends.
pub mod places;

pub use crate::joints::JointType;
pub use read::read;
pub use schema::schema;
pub use shape::{Material, Shape, ShapeType, Shapes};

/// A whole mechanism.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Description {
    /// Name of the generated type, for example `FourBar`; from the file's name if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Whether the mechanism moves in the plane or in space.
    pub space: Space,
    /// The coordinates in which the equations are written; `auto` if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub formulation: Option<Formulation>,
    /// Acceleration of gravity, for example `[0, -9.81]`; none if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gravity: Option<Vec<Number>>,
    /// Named numbers that are folded into the code.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub constants: IndexMap<String, Number>,
    /// Named numbers that stay fields of the generated struct, with their defaults.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub parameters: IndexMap<String, Number>,
    /// Named values that the caller sets between steps, with their values at the start.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub inputs: IndexMap<String, Number>,
    /// Discrete state: named values that only events change, with their values at the start.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub variables: IndexMap<String, Number>,
    /// Named expressions that laws, motions, outputs and events share. An expression may use the names that are
    /// allowed where it is used.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub expressions: IndexMap<String, Number>,
    /// Interpolated tables, called by name in laws: `lift(angle)`.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub tables: IndexMap<String, Table>,
    /// Points and axes that do not move.
    #[serde(default)]
    pub ground: Ground,
    /// The moving bodies.
    #[serde(default)]
    pub bodies: IndexMap<String, Body>,
    /// The joints, in any order; the compiler finds the loops.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub joints: IndexMap<String, Joint>,
    /// Gears, belts and racks, which couple joint coordinates.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub couplings: IndexMap<String, Coupling>,
    /// Springs, dampers, actuators, forces and torques.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub forces: IndexMap<String, Force>,
    /// Named expressions to report.
    ///
    /// `joint.force.x` … is the force that the joint exerts on the second body of its `between`, in world axes, at
    /// that body's point. `joint.torque` (`joint.torque.x` … in space) is the torque on the second body about that
    /// point. The first body gets the opposite force and torque at the same place. Both include the effort of a
    /// prescribed `motion` of the joint, which `joint.drive` gives by itself. They do not include springs, dampers
    /// and actuators on the joint, nor couplings: those are `element.force` and `coupling.torque`.
    ///
    /// The table of a run has `time` before the outputs and `kinetic`, `potential`, `work`, `energy`, `phi` and
    /// `phi_dot` after them. If an output has the name of one of these columns, the column is called `run.phi` and
    /// the like.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub outputs: IndexMap<String, Number>,
    /// Zero crossings that change variables or end a run.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub events: IndexMap<String, Event>,
    /// Assembly of a consistent start.
    #[serde(default)]
    pub assembly: Assembly,
    /// Defaults of a run.
    #[serde(default)]
    pub simulation: Simulation,
}

/// Where a mechanism moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Space {
    /// In the x–y plane; rotations are about z.
    #[default]
    Planar,
    /// In space.
    Spatial,
}

/// The coordinates in which the equations are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Formulation {
    /// The cheapest of those with rigid joints that serve the chosen methods, by the operations of a step; the
    /// default.
    #[default]
    Auto,
    /// Points, shared between neighbouring bodies, in the cheapest of the following three forms.
    Particle,
    /// Points with a multiplier for each distance.
    #[serde(rename = "particle/multiplier")]
    Multiplier,
    /// Points, solved along the tree by the momentum of each outboard part.
    #[serde(rename = "particle/momentum")]
    Momentum,
    /// Points with a multiplier for each distance, where planar bodies that are hinged to ground have a rate and
    /// no distance.
    #[serde(rename = "particle/swing")]
    Swing,
    /// Coordinates that the joints of a tree leave free, solved along it by articulated bodies.
    Joint,
    /// Position and orientation of every body.
    Body,
    /// Position and rotation matrix of every body, with stiff damped springs for joints. An acceleration needs no
    /// solve; for steps of 1e-5 s and less.
    Discrete,
}

impl Formulation {
    /// Every formulation.
    pub const ALL: [Self; 8] = [
        Self::Auto,
        Self::Particle,
        Self::Multiplier,
        Self::Momentum,
        Self::Swing,
        Self::Joint,
        Self::Body,
        Self::Discrete,
    ];

    /// Its word in a description.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Particle => "particle",
            Self::Multiplier => "particle/multiplier",
            Self::Momentum => "particle/momentum",
            Self::Swing => "particle/swing",
            Self::Joint => "joint",
            Self::Body => "body",
            Self::Discrete => "discrete",
        }
    }

    /// The formulation with this word.
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.word() == word)
    }
}

/// A number (`0.3`), a quantity (`"29 mm"`) or an expression (`"2 * length"`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Number {
    /// A plain number, in SI units.
    Value(f64),
    /// A quantity with a unit, or an expression.
    Text(String),
}

/// One value for a planar quantity, or the components of a vector.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Components {
    /// A single value.
    One(Number),
    /// A vector.
    Many(Vec<Number>),
}

/// Points and axes that do not move.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ground {
    /// Named points, in world coordinates.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub points: IndexMap<String, Vec<Number>>,
    /// Named directions, in world coordinates; `x`, `y` and `z` are always there.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub axes: IndexMap<String, Axis>,
}

/// A direction: components, or two points of the same body that it leads through.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Axis {
    /// Components, of any length but zero.
    Components(Vec<Number>),
    /// From one named point of the body to another.
    Through {
        /// The two points.
        through: [String; 2],
    },
}

/// A rigid body.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Body {
    /// Mass; 0 if every motion that the joints allow moves some mass. Together with `shape` it is the mass of all
    /// shapes, which then have no density.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mass: Option<Number>,
    /// Moment of inertia: one number in the plane; principal moments or a table in space; 0 under the same condition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inertia: Option<Inertia>,
    /// Solids that the body consists of. They give its mass, centre and inertia.
    #[serde(default, skip_serializing_if = "Shapes::is_empty")]
    pub shape: Shapes,
    /// Centre of mass in the body's frame; its origin if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub center: Option<Vec<Number>>,
    /// Named points, in the body's frame.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub points: IndexMap<String, Vec<Number>>,
    /// Named directions, in the body's frame; `x`, `y` and `z` are always there.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub axes: IndexMap<String, Axis>,
    /// Guess of the position of the body frame's origin at the start; the world's origin if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<Vec<Number>>,
    /// Guess of the angle of the body's frame at the start, in the plane.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub angle: Option<Number>,
    /// Guess of the orientation of the body's frame at the start, in space.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub orientation: Option<Orientation>,
    /// Guess of the velocity of the origin of the body's frame at the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub velocity: Option<Vec<Number>>,
    /// Guess of the angular velocity at the start, in world axes: one number in the plane.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub angular_velocity: Option<Components>,
    /// `true` if the body, and the bodies that hang on it, fly without a joint to ground.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub free: bool,
}

/// Moments of inertia.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Inertia {
    /// About the centre of mass: the one moment of a planar body.
    Planar(Number),
    /// About the centre of mass: moments about the axes of the body's frame.
    Principal(Vec<Number>),
    /// Entries of the tensor, and the point that they are about.
    Full(FullInertia),
}

/// Entries of an inertia tensor. The products are entries of the tensor: `xy` is −∫ x y dm.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FullInertia {
    /// About x.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub xx: Option<Number>,
    /// About y.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub yy: Option<Number>,
    /// About z; the only one in the plane.
    pub zz: Number,
    /// Tensor entry xy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub xy: Option<Number>,
    /// Tensor entry xz.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub xz: Option<Number>,
    /// Tensor entry yz.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub yz: Option<Number>,
    /// The reference point of the moments: `center` (the default), `origin` or a named point.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
}

/// Orientation of a body's frame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Orientation {
    /// Euler parameters e0, e1, e2, e3; scaled to unit length.
    EulerParameters(Vec<Number>),
    /// A rotation about an axis.
    AxisAngle(AxisAngle),
    /// World directions of two of the body's axes; the third follows.
    Axes(OrientationAxes),
}

/// A rotation about an axis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AxisAngle {
    /// Direction in world coordinates, or `x`, `y`, `z`; of a shape in the body's frame.
    pub axis: AxisRef,
    /// Angle of the rotation.
    pub angle: Number,
}

/// World directions of two of the body's axes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OrientationAxes {
    /// Direction of the body's x axis.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub x: Option<Vec<Number>>,
    /// Direction of the body's y axis.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub y: Option<Vec<Number>>,
    /// Direction of the body's z axis.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub z: Option<Vec<Number>>,
}

/// An axis by name or by components.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum AxisRef {
    /// A named axis: `z`, `crank.hinge`.
    Name(String),
    /// Components, of any length but zero.
    Components(Vec<Number>),
}

/// The axis of a joint: one for both bodies, or one for each.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum JointAxis {
    /// Named, for the first body; the second body's axis coincides with it in the guess.
    Name(String),
    /// Components in the frame of the first body (numbers), or one axis for each body (names, lists).
    List(Vec<AxisOrNumber>),
}

/// An element of [`JointAxis::List`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum AxisOrNumber {
    /// A component, or the name of an axis or an expression, which the model distinguishes.
    Number(Number),
    /// Components of one body's axis.
    Components(Vec<Number>),
}

/// A joint between two points of two bodies.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Joint {
    /// The type of joint.
    #[serde(rename = "type")]
    pub kind: JointType,
    /// The two ends: `body.point`, or `body` for its origin (or for `at`).
    pub between: [String; 2],
    /// Position of the joint in the guess, in world coordinates, instead of named points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Vec<Number>>,
    /// Axis of rotation or sliding, line of the slot, normal of the plane. Components are in the frame of the first
    /// body of `between`. A name is an axis of that body (`z`, `hinge`), or of either body with its name in front
    /// (`crank.hinge`). The other body's axis coincides with this one in the guess. A list of two gives each body its
    /// own axis, in its own frame.
    ///
    /// In space an angle is the rotation of the second body's frame relative to the first one's about the axis. If
    /// the axis has the same components in both frames, the angle is zero where the frames have the same orientation.
    /// Otherwise the second frame is first turned by the smallest rotation that makes the components equal. The angle
    /// of a universal joint is zero where the second body's axis points along a reference direction: the x, y or z
    /// axis of the first body that is least parallel to the first axis, made perpendicular to it. In the plane an
    /// angle is the second body's minus the first one's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub axis: Option<JointAxis>,
    /// Length of a `distance` or `revolute-spherical` joint; the distance in the guess if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<Number>,
    /// Travel of a `screw` joint in one turn, negative for a left-hand thread.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lead: Option<Number>,
    /// Angle between the bodies' frames that a planar `prismatic` or `fixed` joint keeps; the one in
    /// the guess if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub angle: Option<Number>,
    /// Prescribed motions: a joint coordinate as a function of time, `{ angle = "2 * pi * t" }`.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub motion: IndexMap<String, Number>,
    /// In the formulation `discrete`: force per length by which the joint opens, for lengths that it keeps and for a
    /// driven displacement; if absent, as large as the step allows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stiffness: Option<Number>,
    /// In the formulation `discrete`: force per speed at which the joint opens; if absent, a quarter of the critical
    /// damping.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damping: Option<Number>,
    /// In the formulation `discrete`: torque per angle, for directions that the joint keeps and for a driven angle;
    /// if absent, as large as the step allows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotational_stiffness: Option<Number>,
    /// In the formulation `discrete`: torque per angular rate; if absent, a quarter of the critical damping.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotational_damping: Option<Number>,
    /// `true` opens the loop at this joint.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
}

/// Ties a coordinate of one joint to a coordinate of another. From the guess on, the second moves in a fixed ratio to
/// the first, over any number of turns.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Coupling {
    /// The type of coupling.
    #[serde(rename = "type")]
    pub kind: CouplingType,
    /// The two joints, or `joint.coordinate` if a joint has several suitable coordinates.
    pub between: [String; 2],
    /// `gear`: turns of the second joint in one turn of the first; negative if it turns the other way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ratio: Option<Number>,
    /// `gear`: numbers of teeth instead of the ratio, which is −z₁/z₂; a ring gear has a negative number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub teeth: Option<[Number; 2]>,
    /// `rack`: travel of the second joint per angle of the first; negative if it moves the other way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radius: Option<Number>,
    /// `rack`: travel of the second joint in one turn of the first, instead of the radius.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub travel: Option<Number>,
    /// In the formulation `discrete`: torque per angle, or force per length, by which the second joint is off; if
    /// absent, as large as the step allows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stiffness: Option<Number>,
    /// In the formulation `discrete`: the same per rate; if absent, a quarter of the critical damping.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damping: Option<Number>,
}

/// Types of couplings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CouplingType {
    /// Two angles: gear wheels, a belt or a chain.
    #[default]
    Gear,
    /// An angle and a displacement: a pinion and its rack, a drum and its rope.
    Rack,
}

impl CouplingType {
    /// Its word in a description.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Gear => "gear",
            Self::Rack => "rack",
        }
    }
}

/// A force element.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Force {
    /// The type of force.
    #[serde(rename = "type")]
    pub kind: ForceType,
    /// `force`, `torque`: the point or body that it acts on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on: Option<String>,
    /// `spring`, `damper`, `actuator`: the two points that it acts between.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub between: Option<[String; 2]>,
    /// `spring`, `damper`, `actuator`: the joint on whose coordinate it acts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub joint: Option<String>,
    /// The coordinate of the joint, if it has several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coordinate: Option<String>,
    /// `force`: components.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub force: Option<Vec<Number>>,
    /// `torque`: one number in the plane, components in space.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub torque: Option<Components>,
    /// Whether components are in `world` axes (the default) or turn with the `body`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frame: Option<Frame>,
    /// Force as an expression: of `length` and `rate` between two points (positive pulls them
    /// together), of `angle` or `displacement` and `rate` on a joint (positive increases them).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub law: Option<Number>,
    /// `spring`: force per length, or torque per angle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stiffness: Option<Number>,
    /// `spring`, `damper`: force per speed, or torque per angular rate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damping: Option<Number>,
    /// `spring`: the length, angle or displacement without force.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub free: Option<Number>,
}

/// Types of forces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ForceType {
    /// A force on a point.
    #[default]
    Force,
    /// A torque on a body.
    Torque,
    /// A spring between two points or on a joint.
    Spring,
    /// A damper between two points or on a joint.
    Damper,
    /// Any other force between two points or on a joint.
    Actuator,
}

/// Axes in which components are given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Frame {
    /// Fixed axes.
    #[default]
    World,
    /// Axes that turn with the body.
    Body,
}

/// An interpolated table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// Arguments, in increasing order.
    pub x: Vec<Number>,
    /// Values.
    pub y: Vec<Number>,
    /// Interpolation between the points.
    #[serde(default)]
    pub interpolation: Interpolation,
}

/// Interpolation of a table. Beyond its ends a table keeps the end values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Interpolation {
    /// Straight lines.
    #[default]
    Linear,
    /// The natural cubic spline.
    Cubic,
}

/// A zero crossing, located within its step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// The expression that crosses zero, or a comparison that becomes true: `"crank.angle > 10 * pi"`.
    pub when: Number,
    /// The crossings that count: `both` if absent, `rising` for a comparison.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direction: Option<Direction>,
    /// New values of variables. Expressions use the values just before the event.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub set: IndexMap<String, Number>,
    /// Whether the run ends at this event.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stop: bool,
}

/// The direction of a zero crossing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// From below to above; a comparison becomes true.
    Rising,
    /// From above to below; a comparison becomes false.
    Falling,
    /// Both.
    #[default]
    Both,
}

impl Direction {
    /// Its word in a description.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Rising => "rising",
            Self::Falling => "falling",
            Self::Both => "both",
        }
    }
}

/// Assembly of a consistent start.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Assembly {
    /// Coordinates that keep their value and their rate from the guess: `crank.angle`, `slider.x`,
    /// `A.angle`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hold: Vec<String>,
}

/// Defaults of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Simulation {
    /// End time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Number>,
    /// Step size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<Number>,
    /// The integrator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub integrator: Option<Integrator>,
    /// The stabilizer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stabilizer: Option<Stabilizer>,
    /// Error that a step of an adaptive integrator may make, relative to the size of the mechanism.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<Number>,
    /// Further integrators and stabilizers that the generated code serves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub methods: Vec<Method>,
}

/// An integrator, which goes from step to step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Integrator {
    /// The classical Runge–Kutta method of order 4.
    #[default]
    Rk4,
    /// The midpoint rule, a Runge–Kutta method of order 2.
    Rk2,
    /// Semi-implicit Euler: velocities first, positions with the new velocities.
    SemiImplicitEuler,
    /// Dormand and Prince's Runge–Kutta method of order 5(4); the tolerance determines the steps.
    DormandPrince,
    /// Gear's backward differences of order 1 to 5 on the stabilised index-2 form; the tolerance determines steps and
    /// order.
    Bdf,
    /// Generalised-α on the stabilised index-2 form.
    GeneralizedAlpha,
    /// Generalised-α on the index-3 form: positions satisfy the constraints exactly, velocities nearly.
    #[serde(rename = "generalized-alpha-index-3")]
    GeneralizedAlphaIndex3,
    /// The trapezoidal rule on the index-3 form with an augmented Lagrangian.
    #[serde(rename = "augmented-lagrangian-index-3")]
    AugmentedLagrangianIndex3,
}

/// A stabilizer, which keeps the constraints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Stabilizer {
    /// Mass-weighted projection of positions and velocities after each step.
    #[default]
    DirectCorrection,
    /// Direct correction, then scaled velocities that keep the energy balance.
    EnergyCorrection,
    /// Direct correction in the metric of the velocities themselves.
    DirectCorrectionPlain,
    /// Projection of all coordinates at once, norms of Euler parameters included.
    StandardProjection,
    /// Norms of Euler parameters (or distances within bodies) first, then the joints along directions
    /// that keep them.
    SuccessiveProjection,
    /// Changes only dependent coordinates.
    CoordinatePartitioning,
    /// Accelerations that pull violations back as a damped spring would.
    Baumgarte,
    /// Each constraint equation is a stiff damped spring.
    Penalty,
    /// The penalty method, repeated until the constraint equations hold.
    AugmentedLagrangian,
    /// The augmented Lagrangian, with projections of positions and velocities after each step.
    AugmentedLagrangianProjections,
    /// Positions that move along the manifold: the stabilised index-2 form.
    Ggl,
    /// No stabilizer: the constraints drift.
    None,
}

/// An integrator or a stabilizer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Method {
    /// Goes from step to step.
    Integrator(Integrator),
    /// Keeps the constraints.
    Stabilizer(Stabilizer),
}

impl Method {
    /// Words of all methods.
    pub fn words() -> Vec<&'static str> {
        let integrators = Integrator::ALL.into_iter().map(Integrator::word);
        integrators
            .chain(Stabilizer::ALL.into_iter().map(Stabilizer::word))
            .collect()
    }

    /// Its word in a description.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Integrator(integrator) => integrator.word(),
            Self::Stabilizer(stabilizer) => stabilizer.word(),
        }
    }

    /// The method with this word.
    pub fn of(word: &str) -> Option<Self> {
        let integrator = Integrator::of(word).map(Self::Integrator);
        integrator.or_else(|| Stabilizer::of(word).map(Self::Stabilizer))
    }
}

impl From<Integrator> for Method {
    fn from(integrator: Integrator) -> Self {
        Self::Integrator(integrator)
    }
}

impl From<Stabilizer> for Method {
    fn from(stabilizer: Stabilizer) -> Self {
        Self::Stabilizer(stabilizer)
    }
}

impl Integrator {
    /// Every integrator.
    pub const ALL: [Self; 8] = [
        Self::Rk4,
        Self::Rk2,
        Self::SemiImplicitEuler,
        Self::DormandPrince,
        Self::Bdf,
        Self::GeneralizedAlpha,
        Self::GeneralizedAlphaIndex3,
        Self::AugmentedLagrangianIndex3,
    ];

    /// Its word in a description.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Rk4 => "rk4",
            Self::Rk2 => "rk2",
            Self::SemiImplicitEuler => "semi-implicit-euler",
            Self::DormandPrince => "dormand-prince",
            Self::Bdf => "bdf",
            Self::GeneralizedAlpha => "generalized-alpha",
            Self::GeneralizedAlphaIndex3 => "generalized-alpha-index-3",
            Self::AugmentedLagrangianIndex3 => "augmented-lagrangian-index-3",
        }
    }

    /// The integrator with this word.
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.word() == word)
    }
}

impl Stabilizer {
    /// Every stabilizer.
    pub const ALL: [Self; 12] = [
        Self::DirectCorrection,
        Self::EnergyCorrection,
        Self::DirectCorrectionPlain,
        Self::StandardProjection,
        Self::SuccessiveProjection,
        Self::CoordinatePartitioning,
        Self::Baumgarte,
        Self::Penalty,
        Self::AugmentedLagrangian,
        Self::AugmentedLagrangianProjections,
        Self::Ggl,
        Self::None,
    ];

    /// Its word in a description.
    pub const fn word(self) -> &'static str {
        match self {
            Self::DirectCorrection => "direct-correction",
            Self::EnergyCorrection => "energy-correction",
            Self::DirectCorrectionPlain => "direct-correction-plain",
            Self::StandardProjection => "standard-projection",
            Self::SuccessiveProjection => "successive-projection",
            Self::CoordinatePartitioning => "coordinate-partitioning",
            Self::Baumgarte => "baumgarte",
            Self::Penalty => "penalty",
            Self::AugmentedLagrangian => "augmented-lagrangian",
            Self::AugmentedLagrangianProjections => "augmented-lagrangian-projections",
            Self::Ggl => "ggl",
            Self::None => "none",
        }
    }

    /// The stabilizer with this word.
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.word() == word)
    }
}

impl Default for Number {
    fn default() -> Self {
        Self::Value(0.0)
    }
}

impl Default for Inertia {
    fn default() -> Self {
        Self::Planar(Number::default())
    }
}

#[cfg(test)]
mod tests;
