//! Dotted names and the quantities that they measure.
//!
//! `body.x`, `body.point.vy`, `body.angle`, `joint.angle`, `joint.rate`, `joint.force.x`,
//! `joint.torque`, `joint.drive`, `coupling.torque`, `element.length`, `energy.kinetic`, `momentum.x` and so on. The
//! coordinates of a body alone are those of the origin of its frame.

use super::context::{Context, Reported, did_you_mean, with_hint};
use super::force::ActionPlace;
use super::names::NamedElement;
use super::{BodyId, CouplingId, ElementId, JointCoordinate, JointId, Marker, Measure};
use crate::description::{CouplingType, ForceType};
use crate::diagnostics::Diagnostic;

/// Words for the quantities of the whole mechanism.
pub(super) const WHOLE: &[&str] = &["energy", "momentum", "angular_momentum"];

/// The angular acceleration of a body: one number in the plane, three components in space.
const ANGULAR: &str = "angular_acceleration";

/// Why a dotted name measures nothing.
pub(super) enum Problem {
    /// A sentence and a next move.
    Unknown(String, Option<String>),
    /// The element that it names has an error of its own.
    Reported(Reported),
}

impl Problem {
    /// Reports it as the diagnostic that `make` forms from the sentence.
    pub fn report(self, cx: &mut Context, make: impl FnOnce(String) -> Diagnostic) -> Reported {
        match self {
            Self::Unknown(message, hint) => cx.report(with_hint(make(message), hint)),
            Self::Reported(reported) => reported,
        }
    }
}

type MeasureResult<T> = Result<T, Problem>;

/// The measure of a dotted name.
pub(super) fn find(cx: &Context, parts: &[String]) -> MeasureResult<Measure> {
    let (head, rest) = parts
        .split_first()
        .ok_or_else(|| Problem::Unknown("a name is needed".to_owned(), None))?;
    match (head.as_str(), cx.names.get(head.as_str())) {
        ("energy", _) => energy(rest),
        ("momentum", _) => momentum(cx, rest),
        ("angular_momentum", _) => angular_momentum(cx, rest),
        ("ground", _) => on_ground(cx, rest),
        (_, Some(NamedElement::Body(id))) => of_body(cx, *id, head, rest),
        (_, Some(NamedElement::Joint(id))) => of_joint(cx, *id, head, rest),
        (_, Some(NamedElement::Coupling(id))) => of_coupling(cx, *id, head, rest),
        (_, Some(NamedElement::Element(id))) => of_element(cx, *id, head, rest),
        (_, Some(other)) => Err(Problem::Unknown(
            format!("`{head}` is {}, which has no parts", other.describe()),
            Some(format!("write `{head}` alone")),
        )),
        (_, None) => Err(unknown_head(cx, head)),
    }
}

/// The point that `body.point` or `body` names.
pub(super) fn marker_of(cx: &Context, parts: &[String]) -> MeasureResult<Marker> {
    let (body, point) = match parts {
        [body] => (body, "origin"),
        [body, point] => (body, point.as_str()),
        _ => {
            let message = format!("`{}` is no point", parts.join("."));
            let hint = "a point is `body.point`, or `body` for its origin";
            return Err(Problem::Unknown(message, Some(hint.to_owned())));
        }
    };
    let id = body_of(cx, body)?;
    marker(cx, id, point)
}

/// The body that a name stands for; `None` is ground.
pub(super) fn body_of(cx: &Context, name: &str) -> MeasureResult<Option<BodyId>> {
    match (name, cx.names.get(name)) {
        ("ground", _) => Ok(None),
        (_, Some(NamedElement::Body(id))) => Ok(Some(*id)),
        (_, other) => {
            let message = match other {
                Some(kind) => format!("`{name}` is {}, not a body", kind.describe()),
                None => format!("no body is called `{name}`"),
            };
            let bodies = cx.description.bodies.keys().map(String::as_str);
            let hint = did_you_mean(name, bodies.chain(["ground"]));
            Err(Problem::Unknown(message, hint))
        }
    }
}

/// A named point of a body, from its centre of mass.
pub(super) fn marker(cx: &Context, body: Option<BodyId>, point: &str) -> MeasureResult<Marker> {
    let shape = cx.shape(body);
    match shape.points.get(point) {
        Some(found) => {
            let found = found.as_ref().map_err(|r| Problem::Reported(*r))?;
            let center = shape.center.as_ref().map_err(|r| Problem::Reported(*r))?;
            let point = [0, 1, 2].map(|k| &found[k] - &center[k]);
            Ok(Marker { body, point })
        }
        None => {
            let message = format!("`{}` has no point `{point}`", cx.body_name(body));
            let hint = did_you_mean(point, shape.points.keys().map(String::as_str));
            Err(Problem::Unknown(message, hint))
        }
    }
}

/// True for measures that are known only once the forces are.
pub(super) fn outputs_only(measure: &Measure) -> bool {
    match measure {
        Measure::Position(..)
        | Measure::Velocity(..)
        | Measure::BodyAngle(_)
        | Measure::AngularVelocity(..)
        | Measure::EulerParameter(..)
        | Measure::JointCoordinate(..)
        | Measure::JointRate(..)
        | Measure::Distance(..)
        | Measure::DistanceRate(..)
        | Measure::Momentum(_)
        | Measure::AngularMomentum(_) => false,
        Measure::Acceleration(..)
        | Measure::AngularAcceleration(..)
        | Measure::JointAcceleration(..)
        | Measure::ReactionForce(..)
        | Measure::ReactionTorque(..)
        | Measure::DriveForce(..)
        | Measure::CouplingForce(_)
        | Measure::ElementForce(_)
        | Measure::KineticEnergy
        | Measure::PotentialEnergy => true,
    }
}

fn energy(rest: &[String]) -> MeasureResult<Measure> {
    match rest {
        [kind] if kind == "kinetic" => Ok(Measure::KineticEnergy),
        [kind] if kind == "potential" => Ok(Measure::PotentialEnergy),
        _ => Err(unknown_part("energy", rest, &["kinetic", "potential"])),
    }
}

fn momentum(cx: &Context, rest: &[String]) -> MeasureResult<Measure> {
    let index = match rest {
        [axis] => axis_index(cx, axis),
        _ => None,
    };
    let known: &[&str] = if cx.planar() {
        &["x", "y"]
    } else {
        &["x", "y", "z"]
    };
    let measure = index.map(Measure::Momentum);
    measure.ok_or_else(|| unknown_part("momentum", rest, known))
}

/// In the plane it points out of it.
fn angular_momentum(cx: &Context, rest: &[String]) -> MeasureResult<Measure> {
    let index = match rest {
        [axis] if cx.planar() => (axis == "z").then_some(2),
        [axis] => axis_index(cx, axis),
        _ => None,
    };
    let known: &[&str] = if cx.planar() {
        &["z"]
    } else {
        &["x", "y", "z"]
    };
    let measure = index.map(Measure::AngularMomentum);
    measure.ok_or_else(|| unknown_part("angular_momentum", rest, known))
}

fn on_ground(cx: &Context, rest: &[String]) -> MeasureResult<Measure> {
    match rest {
        [point, quantity] => of_point(cx, None, point, quantity),
        _ => Err(Problem::Unknown(
            "`ground` does not move".to_owned(),
            Some("its points have coordinates: `ground.point.x`".to_owned()),
        )),
    }
}

fn of_body(cx: &Context, id: BodyId, name: &str, rest: &[String]) -> MeasureResult<Measure> {
    match rest {
        [quantity, axis] if quantity == ANGULAR && !cx.planar() => {
            let measure = axis_index(cx, axis).map(|k| Measure::AngularAcceleration(id, k));
            measure.ok_or_else(|| unknown_part(name, rest, body_quantities(cx)))
        }
        [point, quantity] => of_point(cx, Some(id), point, quantity),
        [quantity] => match body_quantity(cx, id, quantity) {
            Some(measure) => Ok(measure),
            None if component(cx, quantity).is_some() => of_point(cx, Some(id), "origin", quantity),
            None if cx.shape(Some(id)).points.contains_key(quantity) => Err(Problem::Unknown(
                format!("`{name}.{quantity}` is a point, not a number"),
                Some(format!("name a coordinate: `{name}.{quantity}.x`")),
            )),
            None => Err(unknown_part(name, rest, body_quantities(cx))),
        },
        _ => Err(unknown_part(name, rest, body_quantities(cx))),
    }
}

fn body_quantities(cx: &Context) -> &'static [&'static str] {
    if cx.planar() {
        &["x", "y", "vx", "vy", "ax", "ay", "angle", "rate", ANGULAR]
    } else {
        &[
            "x",
            "y",
            "z",
            "vx",
            "vy",
            "vz",
            "ax",
            "ay",
            "az",
            "wx",
            "wy",
            "wz",
            "e0",
            "e1",
            "e2",
            "e3",
            "angular_acceleration.x",
            "angular_acceleration.y",
            "angular_acceleration.z",
        ]
    }
}

fn body_quantity(cx: &Context, id: BodyId, quantity: &str) -> Option<Measure> {
    if !body_quantities(cx).contains(&quantity) {
        return None;
    }
    match quantity {
        "angle" => Some(Measure::BodyAngle(id)),
        "rate" => Some(Measure::AngularVelocity(id, 2)),
        ANGULAR => Some(Measure::AngularAcceleration(id, 2)),
        "wx" => Some(Measure::AngularVelocity(id, 0)),
        "wy" => Some(Measure::AngularVelocity(id, 1)),
        "wz" => Some(Measure::AngularVelocity(id, 2)),
        _ => {
            let digit = quantity.strip_prefix('e')?.parse().ok()?;
            Some(Measure::EulerParameter(id, digit))
        }
    }
}

fn of_point(
    cx: &Context,
    body: Option<BodyId>,
    point: &str,
    quantity: &str,
) -> MeasureResult<Measure> {
    let at = marker(cx, body, point)?;
    match component(cx, quantity) {
        Some((MeasureOrder::Position, k)) => Ok(Measure::Position(at, k)),
        Some((MeasureOrder::Velocity, k)) => Ok(Measure::Velocity(at, k)),
        Some((MeasureOrder::Acceleration, k)) => Ok(Measure::Acceleration(at, k)),
        None => {
            let name = format!("{}.{point}", cx.body_name(body));
            let known: Vec<&str> = body_quantities(cx)
                .iter()
                .copied()
                .filter(|quantity| component(cx, quantity).is_some())
                .collect();
            Err(unknown_part(&name, &[quantity.to_owned()], &known))
        }
    }
}

enum MeasureOrder {
    Position,
    Velocity,
    Acceleration,
}

fn component(cx: &Context, quantity: &str) -> Option<(MeasureOrder, u8)> {
    let (level, axis) = match quantity.strip_prefix('v') {
        Some(axis) => (MeasureOrder::Velocity, axis),
        None => match quantity.strip_prefix('a') {
            Some(axis) => (MeasureOrder::Acceleration, axis),
            None => (MeasureOrder::Position, quantity),
        },
    };
    Some((level, axis_index(cx, axis)?))
}

fn axis_index(cx: &Context, axis: &str) -> Option<u8> {
    match axis {
        "x" => Some(0),
        "y" => Some(1),
        "z" if !cx.planar() => Some(2),
        _ => None,
    }
}

fn of_joint(cx: &Context, id: JointId, name: &str, rest: &[String]) -> MeasureResult<Measure> {
    let words: Vec<&str> = rest.iter().map(String::as_str).collect();
    let measure = match words.as_slice() {
        ["force", axis] => axis_index(cx, axis).map(|k| Measure::ReactionForce(id, k)),
        ["torque"] if cx.planar() => Some(Measure::ReactionTorque(id, 2)),
        ["torque", "z"] if cx.planar() => Some(Measure::ReactionTorque(id, 2)),
        ["torque", axis] if !cx.planar() => {
            axis_index(cx, axis).map(|k| Measure::ReactionTorque(id, k))
        }
        [quantity] => joint_quantity(cx, id, quantity),
        _ => None,
    };
    measure.ok_or_else(|| no_joint_quantity(cx, id, name, rest))
}

fn joint_quantity(cx: &Context, id: JointId, quantity: &str) -> Option<Measure> {
    let (_, joint) = cx.description.joints.get_index(id.0 as usize)?;
    let list = joint.kind.facts(cx.description.space).coordinates;
    let named = |name: &str| list.iter().copied().find(|c| c.word() == name);
    let driven: Vec<JointCoordinate> = joint.motion.keys().filter_map(|n| named(n)).collect();
    if let Some(coordinate) = named(quantity) {
        return Some(Measure::JointCoordinate(id, coordinate));
    }
    match (quantity, list, driven.as_slice()) {
        ("rate", [only], _) => return Some(Measure::JointRate(id, *only)),
        ("acceleration", [only], _) => return Some(Measure::JointAcceleration(id, *only)),
        ("drive", _, [only]) => return Some(Measure::DriveForce(id, *only)),
        _ => {}
    }
    if let Some(coordinate) = quantity.strip_suffix("_rate").and_then(named) {
        return Some(Measure::JointRate(id, coordinate));
    }
    if let Some(coordinate) = quantity.strip_suffix("_acceleration").and_then(named) {
        return Some(Measure::JointAcceleration(id, coordinate));
    }
    let coordinate = quantity.strip_suffix("_drive").and_then(named)?;
    driven
        .contains(&coordinate)
        .then_some(Measure::DriveForce(id, coordinate))
}

fn no_joint_quantity(cx: &Context, id: JointId, name: &str, rest: &[String]) -> Problem {
    let Some((_, joint)) = cx.description.joints.get_index(id.0 as usize) else {
        return unknown_part(name, rest, &[]);
    };
    let list = joint.kind.facts(cx.description.space).coordinates;
    if rest.len() == 1 && rest[0] == "drive" && joint.motion.is_empty() {
        return Problem::Unknown(
            format!("no coordinate of `{name}` is driven"),
            Some(format!("give `{name}` a `motion`, or name its reaction")),
        );
    }
    let mut known: Vec<String> = list.iter().map(JointCoordinate::to_string).collect();
    match list {
        [_] => known.extend(["rate", "acceleration"].map(str::to_owned)),
        _ => {
            known.extend(list.iter().map(|c| format!("{c}_rate")));
            known.extend(list.iter().map(|c| format!("{c}_acceleration")));
        }
    }
    known.extend(["force.x", "force.y"].map(str::to_owned));
    known.push(if cx.planar() { "torque" } else { "torque.x" }.to_owned());
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    unknown_part(name, rest, &known)
}

/// The effort of a coupling along its second coordinate.
fn of_coupling(
    cx: &Context,
    id: CouplingId,
    name: &str,
    rest: &[String],
) -> MeasureResult<Measure> {
    let written = cx.description.couplings.get_index(id.0 as usize);
    let word = match written.map(|(_, coupling)| coupling.kind) {
        Some(CouplingType::Rack) => "force",
        _ => "torque",
    };
    match rest {
        [quantity] if quantity == word => Ok(Measure::CouplingForce(id)),
        _ => Err(unknown_part(name, rest, &[word])),
    }
}

fn of_element(cx: &Context, id: ElementId, name: &str, rest: &[String]) -> MeasureResult<Measure> {
    let place = match cx.places.get(id.0 as usize) {
        Some(Ok(place)) => place,
        _ => return Err(Problem::Reported(Reported)),
    };
    let word = match rest {
        [word] => word.as_str(),
        _ => "",
    };
    let known: &[&str] = match (place, word) {
        (ActionPlace::Between(a, b), "length") => {
            return Ok(Measure::Distance(a.clone(), b.clone()));
        }
        (ActionPlace::Between(a, b), "rate") => {
            return Ok(Measure::DistanceRate(a.clone(), b.clone()));
        }
        (ActionPlace::Between(..) | ActionPlace::Joint(..), "force") => {
            return Ok(Measure::ElementForce(id));
        }
        (ActionPlace::Joint(joint, c), "rate") => return Ok(Measure::JointRate(*joint, *c)),
        (ActionPlace::Between(..), _) => &["length", "rate", "force"],
        (ActionPlace::Joint(..), _) => &["rate", "force"],
        (ActionPlace::Point(_) | ActionPlace::Body(_), _) => {
            return Err(no_quantities(cx, id, name, rest));
        }
    };
    Err(unknown_part(name, rest, known))
}

/// The value of a load is given by its own key, so there is nothing to measure.
fn no_quantities(cx: &Context, id: ElementId, name: &str, rest: &[String]) -> Problem {
    let written = cx.description.forces.get_index(id.0 as usize);
    let key = match written.map(|(_, force)| force.kind) {
        Some(ForceType::Torque) => "torque",
        _ => "force",
    };
    let on = written.and_then(|(_, force)| force.on.as_deref());
    let body = on.and_then(|on| on.split('.').next()).unwrap_or("body");
    let written = rest.join(".");
    Problem::Unknown(
        format!(
            "`{name}` has no quantity `{written}`: a `{key}` is what its key `{key}` says, and nothing else of it is known"
        ),
        Some(format!(
            "write the expression of its `{key}` here, or quantities of the body, `{body}.x`, `{body}.vx`; an `actuator` on a \
             joint has `{name}.force` and `{name}.rate`"
        )),
    )
}

fn unknown_head(cx: &Context, head: &str) -> Problem {
    let names = cx.names.keys().copied();
    let names = names.chain(["ground"]).chain(WHOLE.iter().copied());
    let hint = did_you_mean(head, names);
    Problem::Unknown(format!("nothing is called `{head}`"), hint)
}

fn unknown_part(name: &str, rest: &[String], known: &[&str]) -> Problem {
    let written = rest.join(".");
    let hint = match did_you_mean(&written, known.iter().copied()) {
        Some(hint) => Some(hint),
        None if known.is_empty() => None,
        None => Some(format!("it has `{}`", known.join("`, `"))),
    };
    Problem::Unknown(format!("`{name}` has no quantity `{written}`"), hint)
}
