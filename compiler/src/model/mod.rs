//! The meaning of a description: ids instead of names, SI units, every reference resolved.
//!
//! Points are given relative to the centre of mass of their body (of the world's origin on ground), in
//! the axes of the body's frame. Numbers are `Expr`s of parameters: constants where the description
//! used none. Laws are `Expr`s of time, parameters, inputs and `Measure`s, which a formulation
//! replaces by its own coordinates. Planar vectors have a third component 0, planar rotations are
//! about z. After this point there are no names to look up and no units.

mod axis;
mod body;
mod check;
mod constants;
mod context;
mod coupling;
mod depth;
mod dimension;
mod event;
mod expressions;
mod force;
mod frames;
mod function;
mod hold;
mod inertia;
mod joint;
mod jumps;
mod law;
mod measure;
mod names;
mod number;
mod orientation;
mod place;
mod polygon;
mod pose;
mod print;
mod resolve;
mod shape;
mod solid;
mod table;
#[cfg(test)]
mod tests;
mod thin;
mod triad;
mod watch;
mod weighed;

pub use dimension::describe;
pub use jumps::jumping;
pub use number::bare_angle;
pub use pose::{add_poses, is_pose, pose_name};
pub use resolve::resolve;
pub use thin::{NO_MOMENT, why_it_turns};
pub use watch::{has_force, watched};
pub use weighed::{measurable, unweighed, weighed};

use serde::{Deserialize, Serialize};

use crate::description::expression::Dimension;
use crate::description::{
    CouplingType, Direction, Formulation, Integrator, Interpolation, JointType, Method, Space,
    Stabilizer,
};
use crate::diagnostics::Path;
use crate::evaluate::Evaluator;
use crate::expr::{Expr, Symbol};

pub use crate::expr::vector::Vector;
pub use crate::joints::JointCoordinate;

/// Index into [`Model::bodies`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BodyId(pub u32);

/// Index into [`Model::joints`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct JointId(pub u32);

/// Index into [`Model::couplings`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CouplingId(pub u32);

/// Index into [`Model::elements`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ElementId(pub u32);

/// A resolved mechanism.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// Name of the generated type.
    pub name: String,
    /// Plane or space.
    pub space: Space,
    /// In which coordinates the equations are written; the compiler's choice if absent.
    pub formulation: Option<Formulation>,
    /// Acceleration of gravity.
    pub gravity: Vector,
    /// Run-time parameters.
    pub parameters: Vec<Parameter>,
    /// Run-time inputs.
    pub inputs: Vec<Input>,
    /// Discrete variables.
    pub variables: Vec<Variable>,
    /// Interpolated tables.
    pub tables: Vec<Table>,
    /// Moving bodies.
    pub bodies: Vec<Body>,
    /// Joints.
    pub joints: Vec<Joint>,
    /// Couplings between coordinates of joints.
    pub couplings: Vec<Coupling>,
    /// Angles of spatial joints that the model uses, so that their whole turns count, each once and by joint; in the
    /// plane bodies have angles of their own.
    pub turns: Vec<CountedAngle>,
    /// Bodies whose Euler parameters the model uses, so that the parameters go on where one of them crosses zero.
    pub oriented: Vec<BodyId>,
    /// Force elements.
    pub elements: Vec<Element>,
    /// The measures that laws and outputs refer to by `Symbol::Measure`.
    pub measures: Vec<Measure>,
    /// Named outputs.
    pub outputs: Vec<Output>,
    /// Zero crossings.
    pub events: Vec<Event>,
    /// Measures whose value and rate the assembly keeps.
    pub holds: Vec<Hold>,
    /// Defaults of a run.
    pub simulation: Simulation,
}

/// A run-time parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its value if the caller sets none.
    pub default: f64,
    /// Its dimension, if it was written with a unit.
    pub dimension: Option<Dimension>,
    /// The path at which it was written.
    pub path: Path,
}

/// A run-time input.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// Its name.
    pub name: String,
    /// Its value at the start.
    pub start: f64,
    /// Its dimension, if it was written with a unit.
    pub dimension: Option<Dimension>,
    /// The path at which it was written.
    pub path: Path,
}

/// A discrete variable, which only events change.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its value at the start.
    pub start: f64,
    /// The path at which it was written.
    pub path: Path,
}

/// An interpolated table with everything precomputed: on [x_k, x_{k+1}] the value is
/// c0 + c1 s + c2 s² + c3 s³ with s = x − x_k; beyond the ends it keeps the end values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// Its name.
    pub name: String,
    /// Growing arguments.
    pub x: Vec<f64>,
    /// Values at the arguments.
    pub y: Vec<f64>,
    /// Polynomial coefficients of each interval.
    pub coefficients: Vec<[f64; 4]>,
    /// The interpolation between its points.
    pub interpolation: Interpolation,
}

/// A moving body.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// Its name.
    pub name: String,
    /// The path at which it was written.
    pub path: Path,
    /// Mass, positive at the default parameters.
    pub mass: Expr,
    /// Inertia tensor about the centre of mass, in body axes; in the plane only `[2][2]` counts.
    pub inertia: [[Expr; 3]; 3],
    /// Guess of the position of the centre of mass.
    pub position: [f64; 3],
    /// Guess of the orientation as Euler parameters, of unit length.
    pub orientation: [f64; 4],
    /// Guess of the angle, in the plane; not reduced to one turn.
    pub angle: f64,
    /// Guess of the velocity of the centre of mass.
    pub velocity: [f64; 3],
    /// Guess of the angular velocity in world axes.
    pub angular_velocity: [f64; 3],
    /// The guess as expressions of parameters; the numbers above are its values at the defaults.
    pub guess: Guess,
    /// Position of the frame's origin relative to the centre of mass, in body axes.
    pub origin: Vector,
    /// Named points, for pictures and reports.
    pub points: Vec<(String, Vector)>,
    /// Solids that it consists of, for pictures; none if mass and inertia were given.
    pub solids: Vec<Solid>,
    /// Whether it may fly without a joint to ground.
    pub free: bool,
    /// The keys of its mass and inertia that are not given. Placeholders then measure how far assembly moves it.
    pub missing: &'static [&'static str],
    /// The part of the body that counts.
    pub extent: Extent,
}

/// A solid that is part of a body. Points are from the body's centre of mass and directions are unit vectors, in
/// body axes.
#[derive(Clone, Debug, PartialEq)]
pub enum Solid {
    /// A thin rod.
    Rod {
        /// Both ends.
        ends: [Vector; 2],
        /// Its radius, if there is one.
        radius: Option<Expr>,
    },
    /// A round cylinder.
    Cylinder {
        /// Centres of its end faces.
        ends: [Vector; 2],
        /// Its radius.
        radius: Expr,
    },
    /// A round plate.
    Disc {
        /// Its centre.
        center: Vector,
        /// Its axis.
        axis: [f64; 3],
        /// Its radius.
        radius: Expr,
        /// Extent along the axis, half of it on each side; none if it is thin.
        thickness: Option<Expr>,
    },
    /// A ball.
    Sphere {
        /// Its centre.
        center: Vector,
        /// Its radius.
        radius: Expr,
    },
    /// A box.
    Box {
        /// Its centre.
        center: Vector,
        /// Directions of its edges.
        axes: [Vector; 3],
        /// Lengths of its edges; the third is zero of a thin one in the plane.
        size: Vector,
    },
    /// A plate with straight edges.
    Polygon {
        /// Its corners in the middle of the thickness, in order.
        corners: Vec<Vector>,
        /// Across the plate.
        normal: Vector,
        /// Extent along the normal, half of it on each side; none if it is thin.
        thickness: Option<Expr>,
    },
}

/// The part of a body that counts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Extent {
    /// All of it: it has a place and an orientation.
    #[default]
    Body,
    /// A line through its centre, by its direction in body axes: a thin rod that has no spin.
    Line([f64; 3]),
    /// Its centre: a point mass that does not turn.
    Point,
}

/// The guess of a body's state, about its centre of mass. Orientations in space are constants.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Guess {
    /// Position.
    pub position: Vector,
    /// Angle, in the plane.
    pub angle: Expr,
    /// Velocity.
    pub velocity: Vector,
    /// Angular velocity in world axes.
    pub angular_velocity: Vector,
}

/// A point of a body, or of ground.
#[derive(Clone, Debug, PartialEq)]
pub struct Marker {
    /// The body; `None` is ground.
    pub body: Option<BodyId>,
    /// From the centre of mass (of the world's origin), in body axes.
    pub point: Vector,
}

impl Marker {
    /// The centre of mass of a body.
    pub fn center(body: BodyId) -> Self {
        Self {
            body: Some(body),
            point: Vector::default(),
        }
    }
}

/// A joint. Its frames are orthonormal triads, rows x, y, z in the axes of the respective body; z is
/// the joint's axis. The joint's angle is zero where both triads coincide. A universal joint has the
/// first body's axis as z of `first_frame` and the second body's axis as z of `second_frame`, and its
/// frames are otherwise free.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Its name.
    pub name: String,
    /// The path at which it was written.
    pub path: Path,
    /// The kind of joint.
    pub kind: JointType,
    /// The end on the first body.
    pub first: Marker,
    /// The end on the second body.
    pub second: Marker,
    /// Triad on the first body.
    pub first_frame: [[f64; 3]; 3],
    /// Triad on the second body.
    pub second_frame: [[f64; 3]; 3],
    /// Length of a `distance` joint.
    pub length: Expr,
    /// Way of a `screw` joint by its angle; negative for a left-hand thread.
    pub pitch: Expr,
    /// Prescribed motions, at most one for each coordinate.
    pub motions: Vec<Motion>,
    /// Springs of the joint where joints are springs.
    pub compliance: Compliance,
    /// Whether the user forces the cut here.
    pub cut: bool,
}

/// The second coordinate moves by the ratio times the motion of the first one, from the guess on.
#[derive(Clone, Debug, PartialEq)]
pub struct Coupling {
    /// Its name.
    pub name: String,
    /// The path at which it was written.
    pub path: Path,
    /// The kind of coupling.
    pub kind: CouplingType,
    /// The first coordinate, an angle.
    pub first: (JointId, JointCoordinate),
    /// The second coordinate: an angle or a displacement.
    pub second: (JointId, JointCoordinate),
    /// Not zero at the default parameters.
    pub ratio: Expr,
    /// The spring along the second coordinate where joints are springs.
    pub compliance: Spring,
}

/// An angle of a spatial joint whose whole turns count.
#[derive(Clone, Debug, PartialEq)]
pub struct CountedAngle {
    /// The joint.
    pub joint: JointId,
    /// The angle.
    pub coordinate: JointCoordinate,
    /// The guess is on the turn that is nearest to this.
    pub near: f64,
}

/// The springs of a joint, as far as they are written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Compliance {
    /// The spring for the lengths that the joint keeps.
    pub along: Spring,
    /// The spring for the angles that it keeps.
    pub about: Spring,
}

/// A spring and a damper, as far as they are written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spring {
    /// Force per length, or torque per angle; positive.
    pub stiffness: Option<Expr>,
    /// Force per speed, or torque per angular rate; not negative.
    pub damping: Option<Expr>,
}

impl Spring {
    /// True if nothing is written.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl Compliance {
    /// True if nothing is written.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A prescribed motion.
#[derive(Clone, Debug, PartialEq)]
pub struct Motion {
    /// The coordinate.
    pub coordinate: JointCoordinate,
    /// Its value as an expression of time and parameters, whose derivatives are known.
    pub law: Expr,
    /// The path at which it was written.
    pub path: Path,
}

/// A force element.
#[derive(Clone, Debug, PartialEq)]
pub struct Element {
    /// Its name.
    pub name: String,
    /// The path at which it was written.
    pub path: Path,
    /// The action of the force on the mechanism.
    pub action: Action,
    /// Potential energy, for the conservative part: an expression of measures; zero if there is none.
    pub potential: Expr,
}

/// The action of a force element.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// A force on a point.
    Force {
        /// The point.
        at: Marker,
        /// Components in the axes of `frame`.
        force: Vector,
        /// True if the components turn with the body.
        follows: bool,
    },
    /// A torque on a body.
    Torque {
        /// The body.
        body: BodyId,
        /// Components in the axes of `frame`.
        torque: Vector,
        /// True if the components turn with the body.
        follows: bool,
    },
    /// A force along the line between two points; positive pulls them together.
    Between {
        /// One end.
        first: Marker,
        /// The other end.
        second: Marker,
        /// The whole force.
        force: Expr,
        /// The part of it that `Element::potential` accounts for.
        conservative: Expr,
    },
    /// A force or torque on a joint coordinate; positive increases it.
    Joint {
        /// The joint.
        joint: JointId,
        /// The coordinate of the joint.
        coordinate: JointCoordinate,
        /// The whole force or torque.
        force: Expr,
        /// The part of it that `Element::potential` accounts for.
        conservative: Expr,
    },
}

/// A quantity that a law or an output may refer to.
#[derive(Clone, Debug, PartialEq)]
pub enum Measure {
    /// World coordinate (0 x, 1 y, 2 z) of a point.
    Position(Marker, u8),
    /// World velocity component of a point.
    Velocity(Marker, u8),
    /// World acceleration component of a point; outputs only.
    Acceleration(Marker, u8),
    /// Angle of a planar body.
    BodyAngle(BodyId),
    /// Angular rate of a planar body, or an angular velocity component in world axes.
    AngularVelocity(BodyId, u8),
    /// Angular acceleration component in world axes, in the plane the third; outputs only.
    AngularAcceleration(BodyId, u8),
    /// Euler parameter (0–3) of a spatial body.
    EulerParameter(BodyId, u8),
    /// Coordinate of a joint.
    JointCoordinate(JointId, JointCoordinate),
    /// Rate of a coordinate of a joint.
    JointRate(JointId, JointCoordinate),
    /// Second derivative of a coordinate of a joint; outputs only.
    JointAcceleration(JointId, JointCoordinate),
    /// Distance of two points.
    Distance(Marker, Marker),
    /// Rate of the distance of two points.
    DistanceRate(Marker, Marker),
    /// Force that acts on the second body in a joint, world component; outputs only.
    ReactionForce(JointId, u8),
    /// Torque that acts on the second body in a joint, about the second body's point; outputs only.
    ReactionTorque(JointId, u8),
    /// Force or torque of the driver of a joint coordinate; outputs only.
    DriveForce(JointId, JointCoordinate),
    /// Force or torque of a coupling on its second coordinate; outputs only.
    CouplingForce(CouplingId),
    /// The scalar force of a `Between` or `Joint` element; outputs only.
    ElementForce(ElementId),
    /// Kinetic energy; outputs only.
    KineticEnergy,
    /// Potential energy; outputs only.
    PotentialEnergy,
    /// Momentum of the whole mechanism, world component.
    Momentum(u8),
    /// Angular momentum of the whole mechanism about its centre of mass, world component.
    AngularMomentum(u8),
}

/// A named output.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    /// Its name.
    pub name: String,
    /// The path at which it was written.
    pub path: Path,
    /// Its value.
    pub value: Expr,
}

/// A zero crossing, with the variables that it sets.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Its name.
    pub name: String,
    /// The path at which it was written.
    pub path: Path,
    /// The expression that crosses zero.
    pub when: Expr,
    /// The direction in which crossings count.
    pub direction: Direction,
    /// Indices of variables with their new values, in terms of the values just before.
    pub sets: Vec<(u32, Expr)>,
    /// Whether the run ends here.
    pub stop: bool,
}

/// A coordinate that the assembly holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Hold {
    /// As it was written.
    pub name: String,
    /// The path at which it was written.
    pub path: Path,
    /// The value that is kept, an expression of measures of position level.
    pub value: Expr,
    /// The rate that is kept, an expression of measures of velocity level.
    pub rate: Expr,
}

/// Defaults of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Simulation {
    /// End time.
    pub until: f64,
    /// Step size.
    pub step: f64,
    /// The method that goes from step to step.
    pub integrator: Integrator,
    /// The method that keeps the constraints.
    pub stabilizer: Stabilizer,
    /// Error that a step of an adaptive integrator may make, relative to the size of the mechanism.
    pub tolerance: f64,
    /// Further methods that the generated code can be used with.
    pub methods: Vec<Method>,
}

impl Model {
    /// The value of a number at the default parameters.
    pub fn at_defaults(&self, expr: &Expr) -> f64 {
        let symbols = |symbol| match symbol {
            Symbol::Parameter(p) => self.parameters[p as usize].default,
            _ => f64::NAN,
        };
        Evaluator::new(&self.tables, &symbols).value(expr)
    }

    /// Distance of a place from the centre of its body, or on ground from the origin, at the default parameters.
    pub fn lever(&self, marker: &Marker) -> f64 {
        let arm = marker.point.each_ref().map(|c| self.at_defaults(c));
        arm.iter().map(|c| c * c).sum::<f64>().sqrt()
    }
}
