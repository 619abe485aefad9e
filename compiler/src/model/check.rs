//! What must hold of the numbers of a model, at its default parameters.

use nalgebra::Matrix3;

use super::context::{Context, Resolved};
use super::inertia::Tensor;
use super::number::evaluate;
use super::thin::NO_MOMENT;
use crate::diagnostics::{Code, Diagnostic, Path};
use crate::expr::Expr;

/// Refuses a mechanism without a body.
pub(super) fn not_empty(cx: &mut Context) {
    if cx.description.bodies.is_empty() {
        let diagnostic = Diagnostic::error(Code::D111, &Path::root(), "there is no body");
        cx.report(diagnostic.hint("add a table `bodies` with at least one body"));
    }
}

/// A mass is not negative. Whether a body may do without is known when its motion is.
pub(super) fn mass(cx: &mut Context, mass: &Expr, path: &Path) -> Resolved<()> {
    let value = evaluate(cx, mass);
    if value >= 0.0 && value.is_finite() {
        return Ok(());
    }
    let message = format!("the mass is {value}, which is negative or not finite");
    let diagnostic = Diagnostic::error(Code::M206, path, message);
    let hint = "write 0 for a body whose mass does not matter, or a number above it";
    Err(cx.report(diagnostic.hint(hint)))
}

/// A quantity such as a step or a length is positive.
pub(super) fn positive(cx: &mut Context, value: f64, path: &Path) -> Resolved<f64> {
    if value > 0.0 && value.is_finite() {
        return Ok(value);
    }
    let message = format!("`{path}` is {value}, which is not a positive number");
    let diagnostic = Diagnostic::error(Code::M212, path, message);
    Err(cx.report(diagnostic.hint("write a number above zero")))
}

/// A quantity such as a damping is not negative.
pub(super) fn not_negative(cx: &mut Context, value: f64, path: &Path) -> Resolved<f64> {
    if value >= 0.0 && value.is_finite() {
        return Ok(value);
    }
    let message = format!("`{path}` is {value}, which is negative or not finite");
    let diagnostic = Diagnostic::error(Code::M212, path, message);
    Err(cx.report(diagnostic.hint("write zero or a number above it")))
}

/// No principal moment is negative, and none exceeds the sum of the other two by more than 10⁻⁹ of the
/// largest: thin plates and rods meet the sum exactly, up to rounding.
pub(super) fn inertia(cx: &mut Context, tensor: &Tensor, path: &Path) -> Resolved<()> {
    let value = |i: usize, j: usize| evaluate(cx, &tensor[i][j]);
    let reason = if cx.planar() {
        negative(value(2, 2))
    } else {
        impossible(&Matrix3::from_fn(value))
    };
    let Some((message, hint)) = reason else {
        return Ok(());
    };
    Err(cx.report(Diagnostic::error(Code::M207, path, message).hint(hint)))
}

fn negative(moment: f64) -> Option<(String, String)> {
    if moment >= 0.0 {
        return None;
    }
    let message = format!("the moment of inertia about the centre is {moment}");
    let hint = "it cannot be negative; check the unit and the point that it is about";
    Some((message, hint.to_owned()))
}

fn impossible(tensor: &Matrix3<f64>) -> Option<(String, String)> {
    if tensor.iter().any(|entry| !entry.is_finite()) {
        let message = "the inertia about the centre is not finite".to_owned();
        return Some((
            message,
            "check the units and the point it is about".to_owned(),
        ));
    }
    // Scaled, because the iteration for the eigenvalues squares the entries.
    let scale = tensor.amax().max(f64::MIN_POSITIVE);
    let scaled = (tensor / scale).symmetric_eigenvalues();
    let mut moments: Vec<f64> = scaled.iter().map(|moment| moment * scale).collect();
    moments.sort_by(f64::total_cmp);
    let (a, b, c) = (moments[0], moments[1], moments[2]);
    let list = format!("the principal moments about the centre are {a}, {b} and {c}");
    if c < 0.0 || a < -NO_MOMENT * c {
        let hint = "none can be negative; check the units and the point that the moments are about";
        return Some((list, hint.to_owned()));
    }
    (c - (a + b) > 1e-9 * c).then(|| {
        let hint = "none may exceed the sum of the other two; check units and reference point";
        (list, hint.to_owned())
    })
}
