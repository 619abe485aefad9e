//! Checks the numbers of a model at its default parameters.

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

/// Products of masses and inertias with lengths, and their squares, are numbers of double precision between these.
const LEAST: f64 = 1e-60;
const MOST: f64 = 1e60;

/// The most bodies of a mechanism. Compilation takes seconds for each hundred.
const BODIES: usize = 2000;

/// Refuses a mechanism that would take too long to compile; M234.
pub(super) fn not_endless(cx: &mut Context) -> Resolved<()> {
    let n = cx.description.bodies.len();
    if n <= BODIES {
        return Ok(());
    }
    let message = format!("there are {n} bodies, and a mechanism has at most {BODIES}");
    let diagnostic = Diagnostic::error(Code::M234, &Path::new("bodies"), message);
    Err(cx.report(diagnostic.hint("compile parts that do not touch each other by themselves")))
}

/// A mass is zero or positive, and neither so small nor so large that its products are no numbers. Whether a body may
/// do without is known when its motion is.
pub(super) fn mass(cx: &mut Context, mass: &Expr, path: &Path) -> Resolved<()> {
    let value = evaluate(cx, mass);
    if value == 0.0 || (LEAST..=MOST).contains(&value) {
        return Ok(());
    }
    if value > 0.0 {
        let message = format!("the mass is {value:e} kg, which is too {}", extreme(value));
        let diagnostic = Diagnostic::error(Code::M206, path, message);
        return Err(cx.report(diagnostic.hint(BETWEEN)));
    }
    let message = format!("the mass is {value}, which is negative or not finite");
    let diagnostic = Diagnostic::error(Code::M206, path, message);
    let hint = "write 0 for a body whose mass does not matter, or a number above it";
    Err(cx.report(diagnostic.hint(hint)))
}

const BETWEEN: &str = "numbers between 1e-60 and 1e60 can be computed with; check the unit";

fn extreme(value: f64) -> &'static str {
    match value < 1.0 {
        true => "small",
        false => "large",
    }
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
    let tensor = Matrix3::from_fn(value);
    let largest = tensor.amax();
    let reason = if largest.is_finite() && largest != 0.0 && !(LEAST..=MOST).contains(&largest) {
        let extreme = extreme(largest);
        let message = format!("the moment of inertia is {largest:e} kg·m², which is too {extreme}");
        Some((message, BETWEEN.to_owned()))
    } else if cx.planar() {
        negative(tensor[(2, 2)])
    } else {
        impossible(&tensor)
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
