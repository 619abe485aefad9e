//! Functions in laws: their names, their arguments and their effect on dimensions.

use super::context::{Context, Reported, Resolved, did_you_mean, with_hint};
use super::dimension::{NONE, Typed, describe, power};
use super::law::{ExpressionSite, Scope, lower, raise, same};
use super::measure::marker_of;
use super::names::NamedElement;
use super::{Marker, Measure};
use crate::description::expression::{Ast, AstKind};
use crate::diagnostics::Code;
use crate::expr::{Binary, Expr, Unary};
use std::ops::Range;

/// Functions of one argument, by name.
const UNARY: &[(&str, Unary)] = &[
    ("sqrt", Unary::Sqrt),
    ("exp", Unary::Exp),
    ("ln", Unary::Ln),
    ("sin", Unary::Sin),
    ("cos", Unary::Cos),
    ("tan", Unary::Tan),
    ("asin", Unary::Asin),
    ("acos", Unary::Acos),
    ("atan", Unary::Atan),
    ("sinh", Unary::Sinh),
    ("cosh", Unary::Cosh),
    ("tanh", Unary::Tanh),
    ("abs", Unary::Abs),
    ("sign", Unary::Sign),
    ("floor", Unary::Floor),
];

/// Functions of two arguments, by name; `min` and `max` take two or more.
const BINARY: &[(&str, Binary)] = &[
    ("atan2", Binary::Atan2),
    ("min", Binary::Min),
    ("max", Binary::Max),
    ("pow", Binary::Pow),
    ("mod", Binary::Mod),
];

/// Names of all functions.
pub(super) fn functions() -> impl Iterator<Item = &'static str> {
    let unary = UNARY.iter().map(|(name, _)| *name);
    let binary = BINARY.iter().map(|(name, _)| *name);
    unary.chain(binary).chain(["log10", "distance"])
}

/// The meaning of `name(arguments)`.
pub(super) fn call(
    cx: &mut Context,
    name: &str,
    arguments: &[Ast],
    span: &Range<usize>,
    site: &ExpressionSite,
) -> Resolved<Typed> {
    if name == "distance" {
        return distance(cx, arguments, span, site);
    }
    if let Some(NamedElement::Table(table)) = cx.names.get(name).copied() {
        return interpolated(cx, name, table, arguments, span, site);
    }
    let values: Vec<Resolved<Typed>> = arguments.iter().map(|a| lower(cx, a, site)).collect();
    if name == "log10" {
        let [a] = exactly(cx, name, values, span, site)?;
        pure(cx, &a, span, site)?;
        let ln = Expr::unary(Unary::Ln, a.expr);
        return Ok(Typed::plain(ln / Expr::constant(std::f64::consts::LN_10)));
    }
    if let Some((_, function)) = UNARY.iter().find(|(known, _)| *known == name) {
        let [a] = exactly(cx, name, values, span, site)?;
        return unary(cx, *function, a, span, site);
    }
    match BINARY.iter().find(|(known, _)| *known == name) {
        Some((_, function @ (Binary::Min | Binary::Max))) => {
            extreme(cx, *function, values, span, site)
        }
        Some((_, function)) => {
            let [a, b] = exactly(cx, name, values, span, site)?;
            binary(cx, *function, a, b, span, site)
        }
        None => Err(unknown(cx, name, span, site)),
    }
}

/// Refuses an argument that is known to have a dimension.
pub(super) fn pure(
    cx: &mut Context,
    argument: &Typed,
    span: &Range<usize>,
    site: &ExpressionSite,
) -> Resolved<()> {
    match argument.dimension {
        Some(found) if found != NONE => {
            let message = format!("{} stands where a pure number is needed", describe(found));
            let diagnostic = site.error(Code::D109, span, message);
            Err(cx.report(diagnostic.hint("divide by a quantity of the same dimension")))
        }
        _ => Ok(()),
    }
}

fn unary(
    cx: &mut Context,
    function: Unary,
    a: Typed,
    span: &Range<usize>,
    site: &ExpressionSite,
) -> Resolved<Typed> {
    let dimension = match function {
        Unary::Abs | Unary::Floor => a.dimension,
        Unary::Sqrt => power(a.dimension, 0.5),
        Unary::Sign => None,
        _ => pure(cx, &a, span, site).map(|()| None)?,
    };
    Ok(Typed::new(Expr::unary(function, a.expr), dimension))
}

fn binary(
    cx: &mut Context,
    function: Binary,
    a: Typed,
    b: Typed,
    span: &Range<usize>,
    site: &ExpressionSite,
) -> Resolved<Typed> {
    if function == Binary::Pow {
        return raise(cx, a, b, span, site);
    }
    let shared = same(cx, &a, &b, span, site)?;
    let dimension = match function {
        Binary::Atan2 => None,
        _ => shared,
    };
    Ok(Typed::new(
        Expr::binary(function, a.expr, b.expr),
        dimension,
    ))
}

fn extreme(
    cx: &mut Context,
    function: Binary,
    values: Vec<Resolved<Typed>>,
    span: &Range<usize>,
    site: &ExpressionSite,
) -> Resolved<Typed> {
    if values.len() < 2 {
        let message = "`min` and `max` take two arguments or more";
        return Err(cx.report(site.error(Code::M220, span, message)));
    }
    let values = values.into_iter().collect::<Resolved<Vec<_>>>()?;
    halves(cx, function, &values, span, site)
}

/// Half with half, so that the depth grows with the logarithm of the number of arguments.
fn halves(
    cx: &mut Context,
    function: Binary,
    values: &[Typed],
    span: &Range<usize>,
    site: &ExpressionSite,
) -> Resolved<Typed> {
    match values {
        [] => Err(Reported),
        [only] => Ok(only.clone()),
        several => {
            let (a, b) = several.split_at(several.len() / 2);
            let a = halves(cx, function, a, span, site)?;
            let b = halves(cx, function, b, span, site)?;
            binary(cx, function, a, b, span, site)
        }
    }
}

fn interpolated(
    cx: &mut Context,
    name: &str,
    table: u32,
    arguments: &[Ast],
    span: &Range<usize>,
    site: &ExpressionSite,
) -> Resolved<Typed> {
    let values = arguments.iter().map(|a| lower(cx, a, site)).collect();
    let [a] = exactly(cx, name, values, span, site)?;
    if !site.scope.is_law() {
        let message = format!("the table `{name}` belongs in a law, not in a fixed number");
        return Err(cx.report(site.error(Code::M220, span, message)));
    }
    Ok(Typed::plain(Expr::table(table, 0, a.expr)))
}

fn distance(
    cx: &mut Context,
    arguments: &[Ast],
    span: &Range<usize>,
    site: &ExpressionSite,
) -> Resolved<Typed> {
    match site.scope {
        Scope::Force(_) | Scope::Output => {}
        Scope::Motion => {
            let message = "a prescribed motion cannot depend on a distance";
            return Err(cx.report(site.error(Code::M221, span, message)));
        }
        Scope::Constant | Scope::Number => {
            let message = format!("a distance changes in time, but `{}` is fixed", site.path);
            return Err(cx.report(site.error(Code::M216, span, message)));
        }
    }
    let points: Vec<&[String]> = arguments
        .iter()
        .filter_map(|argument| match &argument.kind {
            AstKind::Name(parts) => Some(parts.as_slice()),
            _ => None,
        })
        .collect();
    let (&[a, b], 2) = (points.as_slice(), arguments.len()) else {
        let diagnostic = site.error(Code::M220, span, "`distance` takes two points");
        return Err(cx.report(diagnostic.hint("write `distance(crank.tip, ground.pin)`")));
    };
    let (a, b) = (point(cx, a, span, site), point(cx, b, span, site));
    Ok(Typed::plain(cx.measure(Measure::Distance(a?, b?))))
}

fn point(
    cx: &mut Context,
    parts: &[String],
    span: &Range<usize>,
    site: &ExpressionSite,
) -> Resolved<Marker> {
    marker_of(cx, parts).map_err(|problem| problem.report(cx, |m| site.error(Code::M211, span, m)))
}

fn exactly<const N: usize>(
    cx: &mut Context,
    name: &str,
    values: Vec<Resolved<Typed>>,
    span: &Range<usize>,
    site: &ExpressionSite,
) -> Resolved<[Typed; N]> {
    let found = values.len();
    let values = values.into_iter().collect::<Resolved<Vec<_>>>();
    if found != N {
        let plural = if N == 1 { "" } else { "s" };
        let message = format!("`{name}` takes {N} argument{plural}, not {found}");
        return Err(cx.report(site.error(Code::M220, span, message)));
    }
    values?.try_into().map_err(|_| Reported)
}

fn unknown(cx: &mut Context, name: &str, span: &Range<usize>, site: &ExpressionSite) -> Reported {
    let tables = cx.description.tables.keys().map(String::as_str);
    let mut candidates: Vec<&str> = tables.collect();
    functions().for_each(|function| candidates.push(function));
    let hint = did_you_mean(name, candidates);
    let message = format!("there is no function or table `{name}`");
    cx.report(with_hint(site.error(Code::M220, span, message), hint))
}
