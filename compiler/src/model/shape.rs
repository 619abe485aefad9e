//! Points, axes and pose of a body, or of ground. Joints and forces attach to them.

use indexmap::IndexMap;
use nalgebra::{UnitQuaternion, Vector3};

use super::axis::{direction, through};
use super::context::{Context, Resolved};
use super::dimension::{ANGLE, LENGTH, RATE, SPEED};
use super::number::{evaluate, evaluate_vector, number, vector, warn_of_bare_angle};
use super::orientation::orientation;
use super::solid::{Matter, matter};
use super::{Guess, Vector};
use crate::description::expression::Dimension;
use crate::description::{Axis, Body, Components, Number};
use crate::diagnostics::{Code, Diagnostic, Path};
use crate::expr::Expr;

/// Points, axes and pose. Everything is in the frame of the body.
#[derive(Clone, Debug)]
pub(super) struct PlacedShape {
    /// True for ground, whose axes are those of the world.
    pub is_ground: bool,
    /// Named points, `origin` and `center` included, from the frame's origin.
    pub points: IndexMap<String, Resolved<Vector>>,
    /// Named unit vectors, `x`, `y` and `z` included.
    pub axes: IndexMap<String, Resolved<Vector3<f64>>>,
    /// Centre of mass, from the frame's origin.
    pub center: Resolved<Vector>,
    /// Mass and inertia of the shapes of the body, if it has any.
    pub matter: Option<Resolved<Matter>>,
    /// Guess of the pose, at the default parameters.
    pub pose: Resolved<GuessedPose>,
    /// The same as expressions of parameters, about the frame's origin.
    pub guess: Resolved<Guess>,
}

/// Guess of where a frame is and how it moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct GuessedPose {
    /// The frame's origin.
    pub origin: Vector3<f64>,
    /// From body axes to world axes.
    pub rotation: UnitQuaternion<f64>,
    /// The same in the plane, not reduced to one turn.
    pub angle: f64,
    /// Velocity of the origin.
    pub velocity: Vector3<f64>,
    /// Angular velocity in world axes.
    pub spin: Vector3<f64>,
}

impl PlacedShape {
    /// A frame that stays at the world's, without named points.
    pub fn fixed() -> Self {
        let origin: Vector = std::array::from_fn(|_| Expr::zero());
        Self {
            is_ground: false,
            points: IndexMap::from([
                ("origin".to_owned(), Ok(origin.clone())),
                ("center".to_owned(), Ok(origin.clone())),
            ]),
            axes: built_in_axes(),
            center: Ok(origin),
            matter: None,
            pose: Ok(GuessedPose::world()),
            guess: Ok(Guess::default()),
        }
    }
}

impl GuessedPose {
    /// A guess at the default parameters; `rotation` is that of a spatial body.
    fn new(cx: &Context, guess: &Guess, rotation: UnitQuaternion<f64>) -> Self {
        let vector = |v: &Vector| Vector3::from(evaluate_vector(cx, v));
        let angle = evaluate(cx, &guess.angle);
        let turn = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), angle);
        Self {
            origin: vector(&guess.position),
            rotation: turn * rotation,
            angle,
            velocity: vector(&guess.velocity),
            spin: vector(&guess.angular_velocity),
        }
    }

    /// The pose of ground.
    pub fn world() -> Self {
        Self {
            origin: Vector3::zeros(),
            rotation: UnitQuaternion::identity(),
            angle: 0.0,
            velocity: Vector3::zeros(),
            spin: Vector3::zeros(),
        }
    }
}

/// The shape of ground.
pub(super) fn ground(cx: &mut Context) -> PlacedShape {
    let ground = &cx.description.ground;
    let mut shape = PlacedShape::fixed();
    shape.is_ground = true;
    let path = Path::new("ground");
    points(cx, &mut shape, &ground.points, &path);
    axes(cx, &mut shape, &ground.axes, &path, |_| true);
    shape
}

/// The shape of a body.
pub(super) fn shape(cx: &mut Context, body: &Body, path: &Path) -> PlacedShape {
    let mut shape = PlacedShape::fixed();
    if let Some(center) = &body.center {
        shape.center = vector(cx, center, &path.key("center"), LENGTH);
        shape
            .points
            .insert("center".to_owned(), shape.center.clone());
    }
    points(cx, &mut shape, &body.points, path);
    axes(cx, &mut shape, &body.axes, path, |axis| !needs_center(axis));
    if !body.shape.is_empty() {
        let matter = matter(cx, body, &shape, path);
        shape.center = matter
            .as_ref()
            .map(|matter| matter.center.clone())
            .map_err(|e| *e);
        shape
            .points
            .insert("center".to_owned(), shape.center.clone());
        shape.matter = Some(matter);
    }
    axes(cx, &mut shape, &body.axes, path, needs_center);
    let rotation = if cx.planar() {
        no_orientation(cx, body, path)
    } else {
        spatial_orientation(cx, body, path)
    };
    shape.guess = guess(cx, body, path);
    shape.pose = match (&shape.guess, &rotation) {
        (Ok(guess), Ok(rotation)) => Ok(GuessedPose::new(cx, guess, *rotation)),
        (Err(reported), _) | (_, Err(reported)) => Err(*reported),
    };
    shape
}

fn built_in_axes() -> IndexMap<String, Resolved<Vector3<f64>>> {
    IndexMap::from([
        ("x".to_owned(), Ok(Vector3::x())),
        ("y".to_owned(), Ok(Vector3::y())),
        ("z".to_owned(), Ok(Vector3::z())),
    ])
}

fn points(
    cx: &mut Context,
    shape: &mut PlacedShape,
    written: &IndexMap<String, Vec<Number>>,
    path: &Path,
) {
    for (name, list) in written {
        let point = vector(cx, list, &path.key("points").key(name), LENGTH);
        shape.points.insert(name.clone(), point);
    }
}

/// True for an axis that is known only once the centre of mass is.
fn needs_center(axis: &Axis) -> bool {
    matches!(axis, Axis::Through { through } if through.iter().any(|end| end == "center"))
}

fn axes(
    cx: &mut Context,
    shape: &mut PlacedShape,
    written: &IndexMap<String, Axis>,
    path: &Path,
    which: impl Fn(&Axis) -> bool,
) {
    for (name, axis) in written.iter().filter(|(_, axis)| which(axis)) {
        let path = path.key("axes").key(name);
        let axis = match axis {
            Axis::Components(list) => direction(cx, list, &path),
            Axis::Through { through: ends } => through(cx, shape, ends, &path),
        };
        shape.axes.insert(name.clone(), axis);
    }
}

fn guess(cx: &mut Context, body: &Body, path: &Path) -> Resolved<Guess> {
    let position = optional(cx, &body.position, &path.key("position"), LENGTH);
    let velocity = optional(cx, &body.velocity, &path.key("velocity"), SPEED);
    let angle = match &body.angle {
        Some(angle) if cx.planar() => {
            let path = path.key("angle");
            warn_of_bare_angle(cx, angle, &path);
            number(cx, angle, &path, ANGLE)
        }
        _ => Ok(Expr::zero()),
    };
    let angular_velocity = spin(cx, body, &path.key("angular_velocity"));
    Ok(Guess {
        position: position?,
        angle: angle?,
        velocity: velocity?,
        angular_velocity: angular_velocity?,
    })
}

fn optional(
    cx: &mut Context,
    list: &Option<Vec<Number>>,
    path: &Path,
    dimension: Dimension,
) -> Resolved<Vector> {
    match list {
        None => Ok(Vector::default()),
        Some(list) => vector(cx, list, path, dimension),
    }
}

fn no_orientation(cx: &mut Context, body: &Body, path: &Path) -> Resolved<UnitQuaternion<f64>> {
    if body.orientation.is_some() {
        let message = "a planar body has an `angle`, not an `orientation`";
        let diagnostic = Diagnostic::error(Code::M213, &path.key("orientation"), message);
        return Err(cx.report(diagnostic.hint("write `angle = \"30 deg\"`")));
    }
    Ok(UnitQuaternion::identity())
}

fn spatial_orientation(
    cx: &mut Context,
    body: &Body,
    path: &Path,
) -> Resolved<UnitQuaternion<f64>> {
    if body.angle.is_some() {
        let message = "a spatial body has an `orientation`, not an `angle`";
        let diagnostic = Diagnostic::error(Code::M213, &path.key("angle"), message);
        let hint = "write `orientation = { axis = \"z\", angle = \"30 deg\" }`";
        return Err(cx.report(diagnostic.hint(hint)));
    }
    match &body.orientation {
        Some(written) => {
            let ground = cx.ground.clone();
            orientation(cx, written, &ground, &path.key("orientation"))
        }
        None => Ok(UnitQuaternion::identity()),
    }
}

fn spin(cx: &mut Context, body: &Body, path: &Path) -> Resolved<Vector> {
    match (&body.angular_velocity, cx.planar()) {
        (None, _) => Ok(Vector::default()),
        (Some(Components::One(rate)), true) => {
            let rate = number(cx, rate, path, RATE)?;
            Ok([Expr::zero(), Expr::zero(), rate])
        }
        (Some(Components::Many(list)), false) => vector(cx, list, path, RATE),
        (Some(_), true) => {
            let message = "the angular velocity of a planar body is one number";
            Err(cx.error(Code::M215, path, message))
        }
        (Some(_), false) => {
            let message = "the angular velocity of a spatial body has three components";
            let diagnostic = Diagnostic::error(Code::M215, path, message);
            Err(cx.report(diagnostic.hint("write `[0, 0, rate]`")))
        }
    }
}
