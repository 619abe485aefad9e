//! Directions, and the axes of joints.
//!
//! A direction by components may have any length but zero, and is scaled to unit length. A joint's axis is named on one
//! of its two bodies or given in the first body's frame; or it is a list of two, one for each body.

use nalgebra::Vector3;

use super::BodyId;
use super::context::{Context, Reported, Resolved, did_you_mean, with_hint};
use super::dimension::NONE;
use super::number::{components, constant};
use super::shape::PlacedShape;
use crate::description::{AxisOrNumber, JointAxis, Number};
use crate::diagnostics::{Code, Diagnostic, Path};

/// The axes of a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Axes {
    /// In the first body's frame; the second body's is where this one points in the guess.
    Shared(Vector3<f64>),
    /// Named on the second body, in its frame; the first body's is where this one points in the guess.
    OfSecond(Vector3<f64>),
    /// One for each body, in its frame.
    Each(Vector3<f64>, Vector3<f64>),
}

/// A direction by components, as a unit vector.
pub(super) fn direction(cx: &mut Context, list: &[Number], path: &Path) -> Resolved<Vector3<f64>> {
    let list = components(cx, list, path, |cx, number, path| {
        constant(cx, number, path, Some(NONE))
    })?;
    unit(cx, Vector3::from(list), path)
}

/// A unit vector from one named point to another.
pub(super) fn through(
    cx: &mut Context,
    shape: &PlacedShape,
    ends: &[String; 2],
    path: &Path,
) -> Resolved<Vector3<f64>> {
    let path = path.key("through");
    let from = end(cx, shape, &ends[0], &path.index(0));
    let to = end(cx, shape, &ends[1], &path.index(1));
    let along = to? - from?;
    if along.norm() < 1e-12 {
        let message = format!("`{}` and `{}` are the same point", ends[0], ends[1]);
        let diagnostic = Diagnostic::error(Code::M210, &path, message);
        return Err(cx.report(diagnostic.hint("an axis leads through two different points")));
    }
    Ok((along / along.amax()).normalize())
}

/// The axes that a joint's `axis` stands for; `ends` are its two bodies.
pub(super) fn joint_axes(
    cx: &mut Context,
    axis: &JointAxis,
    ends: [Option<BodyId>; 2],
    path: &Path,
) -> Resolved<Axes> {
    let axes = match axis {
        JointAxis::Name(name) => single(cx, name, ends, path)?,
        JointAxis::List(list) => match list.as_slice() {
            [a, b] if is_axis(cx, a, ends[0]) && is_axis(cx, b, ends[1]) => {
                let first = one(cx, a, ends[0], &path.index(0));
                let second = one(cx, b, ends[1], &path.index(1));
                Axes::Each(first?, second?)
            }
            list => {
                let list = numbers(cx, list, path)?;
                Axes::Shared(direction(cx, &list, path)?)
            }
        },
    };
    in_plane(cx, axes, path)
}

fn end(cx: &mut Context, shape: &PlacedShape, name: &str, path: &Path) -> Resolved<Vector3<f64>> {
    let Some(point) = shape.points.get(name) else {
        let hint = did_you_mean(name, shape.points.keys().map(String::as_str));
        let message = format!("there is no point `{name}` on this body");
        return Err(cx.report(with_hint(
            Diagnostic::error(Code::M201, path, message),
            hint,
        )));
    };
    let point = point.clone()?;
    let fixed = |k: usize| point[k].as_constant();
    let (Some(x), Some(y), Some(z)) = (fixed(0), fixed(1), fixed(2)) else {
        let message = format!("`{name}` depends on a parameter, but an axis is folded in");
        let diagnostic = Diagnostic::error(Code::M216, path, message);
        return Err(cx.report(diagnostic.hint("use constants for the points of an axis")));
    };
    Ok(Vector3::new(x, y, z))
}

fn unit(cx: &mut Context, vector: Vector3<f64>, path: &Path) -> Resolved<Vector3<f64>> {
    let length = vector.norm();
    if length < 1e-12 {
        let diagnostic = Diagnostic::error(Code::M208, path, "the axis has the length zero");
        let example = if cx.planar() { "[1, 0]" } else { "[1, 0, 0]" };
        return Err(cx.report(diagnostic.hint(format!("write a direction such as `{example}`"))));
    }
    if length.is_finite() {
        return Ok(vector / length);
    }
    // The squares of large components overflow.
    Ok((vector / vector.amax()).normalize())
}

fn single(cx: &mut Context, name: &str, ends: [Option<BodyId>; 2], path: &Path) -> Resolved<Axes> {
    let Some((body, axis)) = name.split_once('.') else {
        return named(cx, name, ends[0], ends[1], path).map(Axes::Shared);
    };
    if body == cx.body_name(ends[0]) {
        named(cx, axis, ends[0], ends[1], path).map(Axes::Shared)
    } else if body == cx.body_name(ends[1]) {
        named(cx, axis, ends[1], ends[0], path).map(Axes::OfSecond)
    } else {
        Err(elsewhere(cx, body, &ends, path))
    }
}

/// An axis of one body, with that body's name in front or without.
fn one(
    cx: &mut Context,
    element: &AxisOrNumber,
    body: Option<BodyId>,
    path: &Path,
) -> Resolved<Vector3<f64>> {
    match element {
        AxisOrNumber::Components(list) => direction(cx, list, path),
        AxisOrNumber::Number(Number::Text(name)) => match name.split_once('.') {
            Some((head, axis)) if head == cx.body_name(body) => named(cx, axis, body, body, path),
            Some((head, _)) => Err(elsewhere(cx, head, &[body], path)),
            None => named(cx, name, body, body, path),
        },
        AxisOrNumber::Number(Number::Value(_)) => Err(not_a_list(cx, path)),
    }
}

fn named(
    cx: &mut Context,
    axis: &str,
    body: Option<BodyId>,
    other: Option<BodyId>,
    path: &Path,
) -> Resolved<Vector3<f64>> {
    let shape = cx.shape(body);
    if let Some(found) = shape.axes.get(axis) {
        return *found;
    }
    let hint = if cx.shape(other).axes.contains_key(axis) {
        Some(format!("did you mean `{}.{axis}`?", cx.body_name(other)))
    } else {
        did_you_mean(axis, shape.axes.keys().map(String::as_str))
    };
    let message = format!("`{}` has no axis `{axis}`", cx.body_name(body));
    Err(cx.report(with_hint(
        Diagnostic::error(Code::M201, path, message),
        hint,
    )))
}

fn elsewhere(cx: &mut Context, body: &str, ends: &[Option<BodyId>], path: &Path) -> Reported {
    let names: Vec<&str> = ends.iter().map(|end| cx.body_name(*end)).collect();
    let message = format!("`{body}` is not a body of this joint that may give the axis here");
    let diagnostic = Diagnostic::error(Code::M201, path, message);
    cx.report(diagnostic.hint(format!("name an axis of `{}`", names.join("` or `"))))
}

/// In space a text in a list of two is an axis; in the plane it may be a component as well.
fn is_axis(cx: &Context, element: &AxisOrNumber, body: Option<BodyId>) -> bool {
    match element {
        AxisOrNumber::Components(_) => true,
        AxisOrNumber::Number(Number::Value(_)) => false,
        AxisOrNumber::Number(Number::Text(_)) if !cx.planar() => true,
        AxisOrNumber::Number(Number::Text(name)) => {
            let own = name.strip_prefix(cx.body_name(body));
            let axis = own.and_then(|rest| rest.strip_prefix('.')).unwrap_or(name);
            cx.shape(body).axes.contains_key(axis)
        }
    }
}

fn numbers(cx: &mut Context, list: &[AxisOrNumber], path: &Path) -> Resolved<Vec<Number>> {
    let number = |element: &AxisOrNumber| match element {
        AxisOrNumber::Number(number) => Some(number.clone()),
        AxisOrNumber::Components(_) => None,
    };
    let numbers: Option<Vec<Number>> = list.iter().map(number).collect();
    numbers.ok_or_else(|| not_a_list(cx, path))
}

fn not_a_list(cx: &mut Context, path: &Path) -> Reported {
    let message = "an axis is a list of components, or a list of two axes";
    let diagnostic = Diagnostic::error(Code::M215, path, message);
    cx.report(diagnostic.hint("write `[0, 0, 1]`, or `[\"z\", [0, 0, 1]]`"))
}

fn in_plane(cx: &mut Context, axes: Axes, path: &Path) -> Resolved<Axes> {
    let out = match axes {
        Axes::Shared(a) | Axes::OfSecond(a) => a.z.abs(),
        Axes::Each(a, b) => a.z.abs().max(b.z.abs()),
    };
    if cx.planar() && out > 1e-12 {
        let message = "the axis of a planar joint lies in the x–y plane";
        let diagnostic = Diagnostic::error(Code::M215, path, message);
        return Err(cx.report(diagnostic.hint("use `x`, `y` or an axis of two components")));
    }
    Ok(axes)
}
