//! Force elements: where they act and by which law.
//!
//! A linear spring between two points pulls with k (length − l₀) + c rate and stores
//! ½ k (length − l₀)²; on a joint coordinate q it acts with −k (q − q₀) − c q̇ and stores
//! ½ k (q − q₀)². A free value that is not written is 0. A spring by law stores nothing that is known.

use super::context::{Context, Reported, Resolved};
use super::dimension::{FORCE, LENGTH, TORQUE, of};
use super::joint::dimension;
use super::law::Scope;
use super::number::{components, number, typed};
use super::place::forbid;
use super::{Action, BodyId, Element, JointCoordinate, JointId, Marker, Measure, Vector};
use crate::description::expression::Dimension;
use crate::description::{Components, Force, ForceType, Frame, Number};
use crate::diagnostics::{Code, Diagnostic, Path};
use crate::expr::Expr;

/// The place at which an element acts.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ActionPlace {
    /// On a point.
    Point(Marker),
    /// On a body.
    Body(BodyId),
    /// Along the line between two points.
    Between(Marker, Marker),
    /// On a joint coordinate.
    Joint(JointId, JointCoordinate),
}

/// An element at its place.
pub(super) fn element(
    cx: &mut Context,
    name: &str,
    written: &Force,
    place: &ActionPlace,
    path: &Path,
) -> Resolved<Element> {
    let follows = written.frame == Some(Frame::Body);
    let (action, potential) = match place {
        ActionPlace::Point(at) => {
            let force = force_vector(cx, written, path)?;
            let at = at.clone();
            (Action::Force { at, force, follows }, Expr::zero())
        }
        ActionPlace::Body(body) => {
            let (body, torque) = (*body, torque_vector(cx, written, path)?);
            (
                Action::Torque {
                    body,
                    torque,
                    follows,
                },
                Expr::zero(),
            )
        }
        ActionPlace::Between(first, second) => {
            let law = scalar(cx, written, place, path)?;
            let action = Action::Between {
                first: first.clone(),
                second: second.clone(),
                force: law.force,
                conservative: law.conservative,
            };
            (action, law.potential)
        }
        ActionPlace::Joint(joint, coordinate) => {
            let law = scalar(cx, written, place, path)?;
            let action = Action::Joint {
                joint: *joint,
                coordinate: *coordinate,
                force: law.force,
                conservative: law.conservative,
            };
            (action, law.potential)
        }
    };
    Ok(Element {
        name: name.to_owned(),
        path: path.clone(),
        action,
        potential,
    })
}

struct Law {
    force: Expr,
    conservative: Expr,
    potential: Expr,
}

fn force_vector(cx: &mut Context, written: &Force, path: &Path) -> Resolved<Vector> {
    let at = path.key("force");
    match &written.force {
        None => Err(missing(cx, "force", path)),
        Some(list) => law_vector(cx, list, &at, FORCE),
    }
}

fn torque_vector(cx: &mut Context, written: &Force, path: &Path) -> Resolved<Vector> {
    let at = path.key("torque");
    match (&written.torque, cx.planar()) {
        (None, _) => Err(missing(cx, "torque", path)),
        (Some(Components::One(torque)), true) => {
            let scope = Scope::Force(&[]);
            let torque = typed(cx, torque, &at, &scope, Some(TORQUE))?.expr;
            Ok([Expr::zero(), Expr::zero(), torque])
        }
        (Some(Components::Many(list)), false) => law_vector(cx, list, &at, TORQUE),
        (Some(_), true) => Err(cx.error(Code::M215, &at, "a planar torque is one number")),
        (Some(_), false) => Err(cx.error(Code::M215, &at, "a spatial torque has three components")),
    }
}

fn law_vector(
    cx: &mut Context,
    list: &[Number],
    path: &Path,
    expected: Dimension,
) -> Resolved<Vector> {
    components(cx, list, path, |cx, number, path| {
        Ok(typed(cx, number, path, &Scope::Force(&[]), Some(expected))?.expr)
    })
}

/// The law of a spring, damper or actuator.
fn scalar(cx: &mut Context, written: &Force, place: &ActionPlace, path: &Path) -> Resolved<Law> {
    match (written.kind, &written.law) {
        (_, Some(law)) => by_law(cx, written, law, place, path),
        (ForceType::Spring, None) if written.stiffness.is_some() => {
            linear(cx, written, place, path)
        }
        (ForceType::Damper, None) if written.damping.is_some() => linear(cx, written, place, path),
        (ForceType::Spring, None) => Err(missing(cx, "stiffness` or `law", path)),
        (ForceType::Damper, None) => Err(missing(cx, "damping` or `law", path)),
        _ => Err(missing(cx, "law", path)),
    }
}

fn by_law(
    cx: &mut Context,
    written: &Force,
    law: &Number,
    place: &ActionPlace,
    path: &Path,
) -> Resolved<Law> {
    let others = [
        ("stiffness", written.stiffness.is_some()),
        ("damping", written.damping.is_some()),
        ("free", written.free.is_some()),
    ];
    let why = "the `law` already says what the force is";
    let alone = match written.kind {
        ForceType::Actuator => Ok(()),
        _ => forbid(cx, Code::M219, &others, why, path),
    };
    let (value, rate) = quantities(place);
    let name = value_name(place);
    let locals = [(name, value), ("rate", rate)];
    let expected = units(place).force;
    let law = typed(
        cx,
        law,
        &path.key("law"),
        &Scope::Force(&locals),
        Some(expected),
    );
    alone?;
    Ok(Law {
        force: law?.expr,
        conservative: Expr::zero(),
        potential: Expr::zero(),
    })
}

fn linear(cx: &mut Context, written: &Force, place: &ActionPlace, path: &Path) -> Resolved<Law> {
    let units = units(place);
    let stiffness = optional(
        cx,
        &written.stiffness,
        &path.key("stiffness"),
        units.stiffness,
    );
    let damping = optional(cx, &written.damping, &path.key("damping"), units.damping);
    let free = optional(cx, &written.free, &path.key("free"), units.value);
    let (k, c, free) = (stiffness?, damping?, free?);
    let (value, rate) = quantities(place);
    let mut stretch = Expr::zero();
    if !k.is_zero() {
        stretch = cx.measure(value) - free;
    }
    let mut damped = Expr::zero();
    if !c.is_zero() {
        damped = &c * cx.measure(rate);
    }
    let pull = &k * &stretch;
    let potential = Expr::constant(0.5) * &k * stretch.square();
    let (conservative, force) = match place {
        ActionPlace::Joint(..) => (-&pull, -&pull - damped),
        _ => (pull.clone(), pull + damped),
    };
    Ok(Law {
        force,
        conservative,
        potential,
    })
}

fn optional(
    cx: &mut Context,
    written: &Option<Number>,
    path: &Path,
    dimension: Dimension,
) -> Resolved<Expr> {
    match written {
        Some(value) => number(cx, value, path, dimension),
        None => Ok(Expr::zero()),
    }
}

/// The length or coordinate that an element stretches, and its rate.
fn quantities(place: &ActionPlace) -> (Measure, Measure) {
    match place {
        ActionPlace::Joint(joint, c) => (
            Measure::JointCoordinate(*joint, *c),
            Measure::JointRate(*joint, *c),
        ),
        ActionPlace::Between(a, b) => (
            Measure::Distance(a.clone(), b.clone()),
            Measure::DistanceRate(a.clone(), b.clone()),
        ),
        ActionPlace::Point(at) => (
            Measure::Position(at.clone(), 0),
            Measure::Velocity(at.clone(), 0),
        ),
        ActionPlace::Body(id) => (Measure::BodyAngle(*id), Measure::AngularVelocity(*id, 2)),
    }
}

/// The name in laws of the length or coordinate that an element stretches.
fn value_name(place: &ActionPlace) -> &'static str {
    match place {
        ActionPlace::Joint(_, coordinate) => coordinate.word(),
        _ => "length",
    }
}

struct Units {
    value: Dimension,
    force: Dimension,
    stiffness: Dimension,
    damping: Dimension,
}

fn units(place: &ActionPlace) -> Units {
    match place {
        ActionPlace::Joint(_, c) if c.is_angle() => Units {
            value: dimension(*c),
            force: TORQUE,
            stiffness: TORQUE,
            damping: of(1, 2, -1),
        },
        _ => Units {
            value: LENGTH,
            force: FORCE,
            stiffness: of(1, 0, -2),
            damping: of(1, 0, -1),
        },
    }
}

fn missing(cx: &mut Context, keys: &str, path: &Path) -> Reported {
    let diagnostic = Diagnostic::error(Code::M214, path, format!("`{path}` needs `{keys}`"));
    cx.report(diagnostic.hint(format!("add `{keys}`")))
}
