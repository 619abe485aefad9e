//! Numbers of a description: a value, a quantity or an expression → an [`Expr`] of parameters, or its
//! value.
//!
//! A number may use constants, which are folded, `pi`, `tau`, and where the model keeps an expression
//! also parameters. Its value at the default parameters is finite.

use super::Vector;
use super::context::{Context, Reported, Resolved, all, with_hint};
use super::depth::{DEEPEST, deeper_than};
use super::dimension::{TIME, Typed, describe, quotient};
use super::law::{ExpressionSite, Scope, lower};
use crate::description::expression::{Ast, Dimension, ExpressionError, parse};
use crate::description::{Number, hints};
use crate::diagnostics::{Code, Diagnostic, Diagnostics, Path};
use crate::evaluate::Evaluator;
use crate::expr::{Expr, Node, Symbol};

/// Text → a tree that is not too deep.
pub(super) fn tree(cx: &Context, scope: &Scope, text: &str) -> Result<Ast, ExpressionError> {
    cx.known(scope, |known| shallow(parse(text, known)?))
}

/// Refuses a tree that is too deep.
pub(super) fn shallow(ast: Ast) -> Result<Ast, ExpressionError> {
    if deeper_than(&ast, DEEPEST) {
        return Err(ExpressionError {
            code: Code::D110,
            message: format!("the expression is nested more than {DEEPEST} deep"),
            span: ast.span,
            hint: Some("split it, or use a table".to_owned()),
        });
    }
    Ok(ast)
}

/// The meaning of a number in its scope, of the expected dimension.
pub(super) fn typed(
    cx: &mut Context,
    number: &Number,
    path: &Path,
    scope: &Scope,
    expected: Option<Dimension>,
) -> Resolved<Typed> {
    let typed = match number {
        Number::Value(value) => Typed::plain(Expr::constant(*value)),
        Number::Text(text) => {
            let ast = tree(cx, scope, text).map_err(|error| malformed(cx, path, text, error))?;
            lower(cx, &ast, &ExpressionSite::new(path, scope, text))?
        }
    };
    match (typed.dimension, expected) {
        (Some(found), Some(wanted)) if found != wanted => Err(mismatch(cx, path, found, wanted)),
        _ => finite(cx, path, typed),
    }
}

/// A number that may use parameters.
pub(super) fn number(
    cx: &mut Context,
    number: &Number,
    path: &Path,
    dimension: Dimension,
) -> Resolved<Expr> {
    Ok(typed(cx, number, path, &Scope::Number, Some(dimension))?.expr)
}

/// A number that is folded in, so that it may use no parameters.
pub(super) fn constant(
    cx: &mut Context,
    number: &Number,
    path: &Path,
    dimension: Option<Dimension>,
) -> Resolved<f64> {
    let typed = typed(cx, number, path, &Scope::Constant, dimension)?;
    Ok(evaluate(cx, &typed.expr))
}

/// Warns of an angle that is written without a unit and goes beyond a turn.
pub(super) fn warn_of_bare_angle(cx: &mut Context, number: &Number, path: &Path) {
    let bare = match number {
        Number::Value(value) => Some(*value),
        Number::Text(text) => text.trim().parse().ok(),
    };
    let found = bare.map(|value| bare_angle(value, path, &format!("`{path}`")));
    cx.diagnostics.extend(found.unwrap_or_default());
}

/// D114 for a number without a unit that is more radians than a turn has.
pub fn bare_angle(value: f64, path: &Path, what: &str) -> Diagnostics {
    // Two turns and the like are written as multiples of π, so a rounded 2π is the largest that is meant.
    if value.abs() <= std::f64::consts::TAU + 0.01 {
        return Diagnostics::new();
    }
    let message = format!("{what} is {value} rad, more than a turn: plain angles are in radians");
    Diagnostic::warning(Code::D114, path, message)
        .hint(format!(
            "did you mean `{value} deg`? If not, write `{value} rad`"
        ))
        .into()
}

/// A vector that may use parameters; the third component is 0 in the plane.
pub(super) fn vector(
    cx: &mut Context,
    list: &[Number],
    path: &Path,
    dimension: Dimension,
) -> Resolved<Vector> {
    components(cx, list, path, |cx, value, path| {
        number(cx, value, path, dimension)
    })
}

/// A vector, component by component; the third one is 0 in the plane.
pub(super) fn components<T: From<f64>>(
    cx: &mut Context,
    list: &[Number],
    path: &Path,
    mut each: impl FnMut(&mut Context, &Number, &Path) -> Resolved<T>,
) -> Resolved<[T; 3]> {
    count(cx, list.len(), cx.n_components(), path)?;
    all([0, 1, 2].map(|k| match list.get(k) {
        Some(value) => each(cx, value, &path.index(k)),
        None => Ok(T::from(0.0)),
    }))
}

/// Refuses a list of the wrong length.
pub(super) fn count(cx: &mut Context, found: usize, wanted: usize, path: &Path) -> Resolved<()> {
    if found == wanted {
        return Ok(());
    }
    let place = if cx.planar() {
        "in the plane"
    } else {
        "in space"
    };
    let message = format!("{wanted} components are needed {place}, not {found}");
    Err(cx.report(
        Diagnostic::error(Code::M215, path, message)
            .hint(format!("write a list of {wanted} numbers")),
    ))
}

/// The value at the default parameters; NaN where an expression needs more than those.
pub(super) fn evaluate(cx: &Context, expr: &Expr) -> f64 {
    let symbols = |symbol| match symbol {
        Symbol::Parameter(p) => match cx.parameters.get(p as usize) {
            Some(Ok((parameter, _))) => parameter.default,
            _ => f64::NAN,
        },
        _ => f64::NAN,
    };
    Evaluator::new(&[], &symbols).value(expr)
}

/// The values of a vector at the default parameters.
pub(super) fn evaluate_vector(cx: &Context, vector: &Vector) -> [f64; 3] {
    [0, 1, 2].map(|k| evaluate(cx, &vector[k]))
}

/// Laws that depend on more than parameters are checked where the starting state is known.
fn finite(cx: &mut Context, path: &Path, typed: Typed) -> Resolved<Typed> {
    let mut fixed = true;
    typed
        .expr
        .symbols(&mut |s| fixed &= matches!(s, Symbol::Parameter(_)));
    if !fixed || has_table(&typed.expr) {
        return Ok(typed);
    }
    let value = evaluate(cx, &typed.expr);
    if value.is_finite() {
        return Ok(typed);
    }
    let message = format!("`{path}` is {value}, which is no finite number");
    Err(cx.report(
        Diagnostic::error(Code::D107, path, message)
            .hint("look for a division by zero, or a root or logarithm of a negative number"),
    ))
}

fn has_table(expr: &Expr) -> bool {
    match expr.node() {
        Node::Table(..) => true,
        Node::Constant(_) | Node::Symbol(_) => false,
        Node::Neg(a) | Node::Power(a, _) | Node::Unary(_, a) => has_table(a),
        Node::Add(a, b)
        | Node::Sub(a, b)
        | Node::Mul(a, b)
        | Node::Div(a, b)
        | Node::Binary(_, a, b) => has_table(a) || has_table(b),
        Node::Select(c, a, b) => {
            let mut found = has_table(a) || has_table(b);
            c.for_each(&mut |e| found |= has_table(e));
            found
        }
    }
}

/// Tells why a text is no expression.
pub(super) fn malformed(
    cx: &mut Context,
    path: &Path,
    text: &str,
    error: ExpressionError,
) -> Reported {
    let label = text.get(error.span.clone()).unwrap_or_default();
    let diagnostic = Diagnostic::error(error.code, path, format!("`{text}`: {}", error.message))
        .label(label)
        .within(error.span);
    cx.report(with_hint(diagnostic, error.hint))
}

fn mismatch(cx: &mut Context, path: &Path, found: Dimension, wanted: Dimension) -> Reported {
    let is_rate = quotient(Some(wanted), Some(TIME)) == Some(found);
    let (found, wanted) = (describe(found), describe(wanted));
    let message = format!("`{path}` is {found}, but {wanted} is needed");
    let hint = hints::compliance(path).or_else(|| hints::motion(path, is_rate));
    let hint =
        hint.unwrap_or_else(|| "correct the unit; plain numbers are taken in SI units".to_owned());
    cx.report(Diagnostic::error(Code::D109, path, message).hint(hint))
}
