//! The place at which a force element acts, and the keys that its type uses.

use super::context::{Context, Reported, Resolved, did_you_mean, with_hint};
use super::force::ActionPlace;
use super::joint::coordinate;
use super::measure::{body_of, marker_of};
use super::names::NamedElement;
use super::{JointCoordinate, Marker};
use crate::description::{Force, ForceType};
use crate::diagnostics::{Code, Diagnostic, Path};

/// The place at which an element acts; M201, M203, M213, M214, M217, M219.
pub(super) fn place(
    cx: &mut Context,
    name: &str,
    written: &Force,
    path: &Path,
) -> Resolved<ActionPlace> {
    let keys = keys(cx, written, path);
    let place = match written.kind {
        ForceType::Force => point(cx, written, path),
        ForceType::Torque => body(cx, written, path),
        ForceType::Spring | ForceType::Damper | ForceType::Actuator => {
            connection(cx, name, written, path)
        }
    };
    keys?;
    place
}

/// Reports each key that is given though it must not be.
pub(super) fn forbid(
    cx: &mut Context,
    code: Code,
    keys: &[(&str, bool)],
    why: &str,
    path: &Path,
) -> Resolved<()> {
    let mut result = Ok(());
    for (key, _) in keys.iter().filter(|(_, given)| *given) {
        let diagnostic = Diagnostic::error(code, &path.key(key), why);
        result = Err(cx.report(diagnostic.hint(format!("remove `{key}`"))));
    }
    result
}

fn keys(cx: &mut Context, written: &Force, path: &Path) -> Resolved<()> {
    use ForceType::{Actuator, Damper, Force, Spring, Torque};
    let kind = written.kind;
    let single = matches!(kind, Force | Torque);
    let given = [
        ("on", written.on.is_some(), single),
        ("between", written.between.is_some(), !single),
        ("joint", written.joint.is_some(), !single),
        ("coordinate", written.coordinate.is_some(), !single),
        ("force", written.force.is_some(), kind == Force),
        ("torque", written.torque.is_some(), kind == Torque),
        ("frame", written.frame.is_some(), single),
        ("law", written.law.is_some(), !single),
        ("stiffness", written.stiffness.is_some(), kind == Spring),
        (
            "damping",
            written.damping.is_some(),
            matches!(kind, Spring | Damper),
        ),
        ("free", written.free.is_some(), kind == Spring),
    ];
    let wrong = given.map(|(key, given, useful)| (key, given && !useful));
    let kind = match kind {
        Force => "force",
        Torque => "torque",
        Spring => "spring",
        Damper => "damper",
        Actuator => "actuator",
    };
    let why = format!("an element of type `{kind}` has no use for this key");
    forbid(cx, Code::M213, &wrong, &why, path)
}

fn point(cx: &mut Context, written: &Force, path: &Path) -> Resolved<ActionPlace> {
    let Some(on) = &written.on else {
        return Err(missing(cx, "on", "on = \"crank.tip\"", path));
    };
    let at = path.key("on");
    let marker = named_point(cx, on, &at)?;
    match marker.body {
        Some(_) => Ok(ActionPlace::Point(marker)),
        None => Err(immovable(cx, &at)),
    }
}

fn body(cx: &mut Context, written: &Force, path: &Path) -> Resolved<ActionPlace> {
    let Some(on) = &written.on else {
        return Err(missing(cx, "on", "on = \"crank\"", path));
    };
    let at = path.key("on");
    let found = body_of(cx, on)
        .map_err(|problem| problem.report(cx, |m| Diagnostic::error(Code::M201, &at, m)))?;
    match found {
        Some(body) => Ok(ActionPlace::Body(body)),
        None => Err(immovable(cx, &at)),
    }
}

fn connection(cx: &mut Context, name: &str, written: &Force, path: &Path) -> Resolved<ActionPlace> {
    match (&written.between, &written.joint) {
        (Some(ends), None) => {
            if written.coordinate.is_some() {
                let message = "only an element on a joint has a coordinate";
                return Err(cx.error(Code::M213, &path.key("coordinate"), message));
            }
            between(cx, name, ends, &path.key("between"))
        }
        (None, Some(joint)) => on_joint(cx, joint, written, path),
        (Some(_), Some(_)) => {
            let message = "`between` and `joint` both say where the element acts";
            let diagnostic = Diagnostic::error(Code::M219, path, message);
            Err(cx.report(diagnostic.hint("remove one of them")))
        }
        (None, None) => {
            let example = "between = [\"ground.pin\", \"crank.tip\"]";
            Err(missing(cx, "between` or `joint", example, path))
        }
    }
}

fn between(cx: &mut Context, name: &str, ends: &[String; 2], path: &Path) -> Resolved<ActionPlace> {
    let first = named_point(cx, &ends[0], &path.index(0));
    let second = named_point(cx, &ends[1], &path.index(1));
    let (first, second) = (first?, second?);
    if first.body == second.body {
        let body = cx.body_name(first.body);
        let message = format!("`{name}` acts between two points of `{body}`");
        let diagnostic = Diagnostic::error(Code::M203, path, message);
        return Err(cx.report(diagnostic.hint("it would do nothing: name two bodies")));
    }
    Ok(ActionPlace::Between(first, second))
}

fn on_joint(cx: &mut Context, joint: &str, written: &Force, path: &Path) -> Resolved<ActionPlace> {
    let Some(NamedElement::Joint(id)) = cx.names.get(joint).copied() else {
        let hint = did_you_mean(joint, cx.description.joints.keys().map(String::as_str));
        let message = format!("no joint is called `{joint}`");
        let diagnostic = Diagnostic::error(Code::M201, &path.key("joint"), message);
        return Err(cx.report(with_hint(diagnostic, hint)));
    };
    let kind = cx.description.joints[joint].kind;
    let found = match &written.coordinate {
        Some(name) => coordinate(cx, joint, kind, name, &path.key("coordinate")),
        None => only_coordinate(cx, joint, written, path),
    }?;
    Ok(ActionPlace::Joint(id, found))
}

fn only_coordinate(
    cx: &mut Context,
    joint: &str,
    written: &Force,
    path: &Path,
) -> Resolved<JointCoordinate> {
    let kind = cx.description.joints[joint].kind;
    let list = kind.facts(cx.description.space).coordinates;
    match list {
        [only] => Ok(*only),
        [] => {
            let message = format!("the {kind} joint `{joint}` has no coordinate to act on");
            let key = if written.joint.is_some() {
                "joint"
            } else {
                "coordinate"
            };
            Err(cx.error(Code::M217, &path.key(key), message))
        }
        several => {
            let names: Vec<&str> = several.iter().map(|c| c.word()).collect();
            let message = format!("`{joint}` has several coordinates");
            let diagnostic = Diagnostic::error(Code::M214, path, message);
            let names = names.join("`, `");
            Err(cx.report(diagnostic.hint(format!("add `coordinate`: one of `{names}`"))))
        }
    }
}

fn named_point(cx: &mut Context, text: &str, path: &Path) -> Resolved<Marker> {
    let parts: Vec<String> = text.split('.').map(str::to_owned).collect();
    marker_of(cx, &parts)
        .map_err(|problem| problem.report(cx, |m| Diagnostic::error(Code::M201, path, m)))
}

fn immovable(cx: &mut Context, path: &Path) -> Reported {
    let diagnostic = Diagnostic::error(Code::M201, path, "`ground` is no moving body");
    cx.report(diagnostic.hint("name the body that the load acts on"))
}

fn missing(cx: &mut Context, keys: &str, example: &str, path: &Path) -> Reported {
    let diagnostic = Diagnostic::error(Code::M214, path, format!("`{path}` needs `{keys}`"));
    cx.report(diagnostic.hint(format!("for example `{example}`")))
}
