//! Joints: ends, frames, lengths and prescribed motions.

use nalgebra::Vector3;

use super::context::{Context, Reported, Resolved};
use super::dimension::{ANGLE, LENGTH, TORQUE, of};
use super::frames::{JointFrames, frames};
use super::law::Scope;
use super::measure::{Problem, body_of, marker};
use super::number::{
    components, constant, evaluate, evaluate_vector, number, typed, warn_of_bare_angle,
};
use super::{BodyId, Compliance, Joint, JointCoordinate, Marker, Motion, Spring, check};
use crate::description::expression::Dimension;
use crate::description::{self, JointType};
use crate::diagnostics::{Code, Diagnostic, Path, nearest};
use crate::expr::Expr;
use crate::joints::{AxisRule, InPlane, TriadRule};

/// A joint; M201, M203, M213, M214, M217, M219, M228.
pub(super) fn joint(
    cx: &mut Context,
    name: &str,
    written: &description::Joint,
    path: &Path,
) -> Resolved<Joint> {
    let kind = kind(cx, name, written, path);
    let keys = keys(cx, written, path);
    let ends = ends(cx, name, written, path);
    let motions = motions(cx, name, written, path);
    let compliance = compliance(cx, written, path);
    kind?;
    keys?;
    let [first, second] = ends?;
    let bodies = [first.body, second.body];
    let frames = frames(cx, written, bodies, path);
    let length = length(cx, written, &first, &second, path);
    let pitch = pitch(cx, written, path);
    let JointFrames {
        first: first_frame,
        second: second_frame,
    } = frames?;
    Ok(Joint {
        name: name.to_owned(),
        path: path.clone(),
        kind: written.kind,
        first,
        second,
        first_frame,
        second_frame,
        length: length?,
        pitch: pitch?,
        motions: motions?,
        compliance: compliance?,
        cut: written.cut,
    })
}

/// The dimension of a coordinate.
pub(super) fn dimension(coordinate: JointCoordinate) -> Dimension {
    if coordinate.is_angle() { ANGLE } else { LENGTH }
}

/// A coordinate of a joint by name; M217.
pub(super) fn coordinate(
    cx: &mut Context,
    joint: &str,
    kind: JointType,
    name: &str,
    path: &Path,
) -> Resolved<JointCoordinate> {
    let list = kind.facts(cx.description.space).coordinates;
    if let Some(found) = list.iter().find(|known| known.word() == name) {
        return Ok(*found);
    }
    let known: Vec<&str> = list.iter().map(|known| known.word()).collect();
    let hint = match (nearest(name, known.iter().copied()), known.as_slice()) {
        (Some(near), _) => format!("did you mean `{near}`?"),
        (None, []) => format!("a {kind} joint has no coordinates"),
        (None, known) => format!("it has `{}`", known.join("`, `")),
    };
    let message = format!("the {kind} joint `{joint}` has no coordinate `{name}`");
    Err(cx.report(Diagnostic::error(Code::M217, path, message).hint(hint)))
}

/// The plane has fewer kinds than space.
fn kind(cx: &mut Context, name: &str, written: &description::Joint, path: &Path) -> Resolved<()> {
    let (true, InPlane::Lacks(hint)) = (cx.planar(), &written.kind.kind().plane) else {
        return Ok(());
    };
    let message = format!("`{name}`: there is no {} joint in the plane", written.kind);
    let diagnostic = Diagnostic::error(Code::M213, &path.key("type"), message);
    Err(cx.report(diagnostic.hint(*hint)))
}

/// Refuses keys that the kind has no use for, and asks for those it needs.
fn keys(cx: &mut Context, written: &description::Joint, path: &Path) -> Resolved<()> {
    let (kind, planar) = (written.kind, cx.planar());
    let facts = kind.facts(cx.description.space);
    let mut result = Ok(());
    let lacks = planar && matches!(kind.kind().plane, InPlane::Lacks(_));
    let has_axis = !lacks && facts.axis != AxisRule::None;
    let rules = [
        ("axis", written.axis.is_some(), has_axis),
        ("length", written.length.is_some(), kind.is_rod()),
        ("lead", written.lead.is_some(), kind.has_lead()),
        (
            "angle",
            written.angle.is_some(),
            planar && !lacks && facts.triads == TriadRule::AsGuessed,
        ),
    ];
    for (key, given, useful) in rules {
        if given && !useful {
            let place = if planar { "planar" } else { "spatial" };
            let message = format!("a {place} `{kind}` joint has no use for `{key}`");
            let diagnostic = Diagnostic::error(Code::M213, &path.key(key), message);
            result = Err(cx.report(diagnostic.hint(format!("remove `{key}`"))));
        }
    }
    if has_axis && written.axis.is_none() {
        let message = format!("a `{kind}` joint needs an `axis`");
        let diagnostic = Diagnostic::error(Code::M214, path, message);
        let hint = if planar {
            "axis = \"x\""
        } else {
            "axis = \"z\""
        };
        result = Err(cx.report(diagnostic.hint(format!("for example `{hint}`"))));
    }
    if kind.has_lead() && written.lead.is_none() {
        let message = format!("a `{kind}` joint needs a `lead`, its travel in one turn");
        let diagnostic = Diagnostic::error(Code::M214, path, message);
        result = Err(cx.report(diagnostic.hint("for example `lead = \"4 mm\"`")));
    }
    result
}

fn ends(
    cx: &mut Context,
    name: &str,
    written: &description::Joint,
    path: &Path,
) -> Resolved<[Marker; 2]> {
    let at = written.at.as_ref().map(|list| {
        let path = path.key("at");
        components(cx, list, &path, |cx, n, path| {
            constant(cx, n, path, Some(LENGTH))
        })
    });
    let between = path.key("between");
    let first = end(cx, &written.between[0], at, &between.index(0));
    let second = end(cx, &written.between[1], at, &between.index(1));
    let (first, second) = (first?, second?);
    if first.0 == second.0 {
        return Err(same_body(cx, name, first.0, &between));
    }
    Ok([first.1?, second.1?])
}

type JointEnd = (Option<BodyId>, Resolved<Marker>);

/// The body and, if nothing is wrong with it, the point of one end.
fn end(
    cx: &mut Context,
    text: &str,
    at: Option<Resolved<[f64; 3]>>,
    path: &Path,
) -> Resolved<JointEnd> {
    let unknown = |cx: &mut Context, problem: Problem| {
        problem.report(cx, |message| Diagnostic::error(Code::M201, path, message))
    };
    let (head, point) = match text.split_once('.') {
        Some((head, point)) => (head, Some(point)),
        None => (text, None),
    };
    let body = body_of(cx, head).map_err(|problem| unknown(cx, problem))?;
    let found = match (point, at) {
        (Some(_), Some(_)) => Err(twice(cx, text, head, path)),
        (None, Some(at)) => at.and_then(|at| located(cx, body, at)),
        (point, None) => {
            marker(cx, body, point.unwrap_or("origin")).map_err(|problem| unknown(cx, problem))
        }
    };
    Ok((body, found))
}

/// The point of a body that is at `world` in the guess.
fn located(cx: &mut Context, body: Option<BodyId>, world: [f64; 3]) -> Resolved<Marker> {
    let shape = cx.shape(body);
    let (pose, center) = (shape.pose?, shape.center.clone()?);
    let local = pose.rotation.inverse() * (Vector3::from(world) - pose.origin);
    let point = [0, 1, 2].map(|k| Expr::constant(local[k]) - &center[k]);
    Ok(Marker { body, point })
}

fn twice(cx: &mut Context, text: &str, body: &str, path: &Path) -> Reported {
    let message = format!("`at` and the point of `{text}` both say where the joint is");
    let diagnostic = Diagnostic::error(Code::M219, path, message);
    cx.report(diagnostic.hint(format!("write `{body}` alone, or remove `at`")))
}

fn same_body(cx: &mut Context, name: &str, body: Option<BodyId>, path: &Path) -> Reported {
    let body = cx.body_name(body);
    let message = format!("`{name}` connects `{body}` to itself");
    let diagnostic = Diagnostic::error(Code::M203, path, message);
    let others = cx.description.bodies.keys().map(String::as_str);
    let other = others.chain(["ground"]).find(|other| *other != body);
    let hint = format!(
        "two bodies are needed; did you mean `{}`?",
        other.unwrap_or("ground")
    );
    cx.report(
        diagnostic
            .label(format!("both ends are on `{body}`"))
            .hint(hint),
    )
}

/// The length that is written, or the distance in the guess.
fn length(
    cx: &mut Context,
    written: &description::Joint,
    first: &Marker,
    second: &Marker,
    path: &Path,
) -> Resolved<Expr> {
    if !written.kind.is_rod() {
        return Ok(Expr::zero());
    }
    let Some(length) = &written.length else {
        let distance = (world(cx, second)? - world(cx, first)?).norm();
        return match distance > 0.0 {
            true => Ok(Expr::constant(distance)),
            false => Err(no_length(cx, path)),
        };
    };
    let at = path.key("length");
    let length = number(cx, length, &at, LENGTH)?;
    check::positive(cx, evaluate(cx, &length), &at)?;
    Ok(length)
}

/// The lead of a screw, by radian.
fn pitch(cx: &mut Context, written: &description::Joint, path: &Path) -> Resolved<Expr> {
    let (Some(lead), true) = (&written.lead, written.kind.has_lead()) else {
        return Ok(Expr::zero());
    };
    let lead = not_zero(cx, lead, &path.key("lead"), LENGTH)?;
    Ok(lead / Expr::constant(std::f64::consts::TAU))
}

/// A ratio that is not zero at the default parameters; M228.
pub(super) fn not_zero(
    cx: &mut Context,
    written: &description::Number,
    path: &Path,
    dimension: Dimension,
) -> Resolved<Expr> {
    let value = number(cx, written, path, dimension)?;
    let now = evaluate(cx, &value);
    if now != 0.0 && now.is_finite() {
        return Ok(value);
    }
    let message = format!("`{path}` is {now}, which ties nothing together");
    let diagnostic = Diagnostic::error(Code::M228, path, message);
    Err(cx
        .report(diagnostic.hint("write a number above zero, or below it for the other direction")))
}

fn no_length(cx: &mut Context, path: &Path) -> Reported {
    let message = format!("`{path}` has no `length`, and its points coincide in the guess");
    let diagnostic = Diagnostic::error(Code::M212, path, message);
    cx.report(diagnostic.hint("give its `length`, or guess the bodies apart"))
}

fn world(cx: &Context, marker: &Marker) -> Resolved<Vector3<f64>> {
    let shape = cx.shape(marker.body);
    let (pose, center) = (shape.pose?, shape.center.clone()?);
    let local = Vector3::from(evaluate_vector(cx, &marker.point))
        + Vector3::from(evaluate_vector(cx, &center));
    Ok(pose.origin + pose.rotation * local)
}

fn compliance(cx: &mut Context, written: &description::Joint, path: &Path) -> Resolved<Compliance> {
    let along = spring(
        cx,
        (&written.stiffness, path.key("stiffness"), of(1, 0, -2)),
        (&written.damping, path.key("damping"), of(1, 0, -1)),
    );
    let stiffness = path.key("rotational_stiffness");
    let damping = path.key("rotational_damping");
    let about = spring(
        cx,
        (&written.rotational_stiffness, stiffness, TORQUE),
        (&written.rotational_damping, damping, of(1, 2, -1)),
    );
    Ok(Compliance {
        along: along?,
        about: about?,
    })
}

/// A number that may be written, its path, and the quantity that it measures.
pub(super) type WrittenNumber<'d> = (&'d Option<description::Number>, Path, Dimension);

/// A spring as far as it is written; its stiffness is positive and its damping not negative.
pub(super) fn spring(
    cx: &mut Context,
    stiffness: WrittenNumber,
    damping: WrittenNumber,
) -> Resolved<Spring> {
    let stiffness = given(cx, stiffness, check::positive);
    let damping = given(cx, damping, check::not_negative);
    Ok(Spring {
        stiffness: stiffness?,
        damping: damping?,
    })
}

fn given(
    cx: &mut Context,
    (written, path, dimension): WrittenNumber,
    check: fn(&mut Context, f64, &Path) -> Resolved<f64>,
) -> Resolved<Option<Expr>> {
    let Some(written) = written else {
        return Ok(None);
    };
    let value = number(cx, written, &path, dimension)?;
    let now = evaluate(cx, &value);
    check(cx, now, &path)?;
    Ok(Some(value))
}

fn motions(
    cx: &mut Context,
    name: &str,
    written: &description::Joint,
    path: &Path,
) -> Resolved<Vec<Motion>> {
    let mut list = Vec::new();
    for (key, law) in &written.motion {
        let path = path.key("motion").key(key);
        list.push(motion(cx, name, written.kind, key, law, path));
    }
    list.into_iter().collect()
}

fn motion(
    cx: &mut Context,
    joint: &str,
    kind: JointType,
    key: &str,
    law: &description::Number,
    path: Path,
) -> Resolved<Motion> {
    let found = coordinate(cx, joint, kind, key, &path);
    let expected = found.ok().map(dimension);
    if expected == Some(ANGLE) {
        warn_of_bare_angle(cx, law, &path);
    }
    let law = typed(cx, law, &path, &Scope::Motion, expected);
    Ok(Motion {
        coordinate: found?,
        law: law?.expr,
        path,
    })
}
