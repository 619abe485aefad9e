//! Laws: the tree of an expression → an [`Expr`] of time, parameters, inputs, variables and measures.
//!
//! The meaning of a name depends on the [`Scope`]. Comparisons of constants are decided here, so that an expression of
//! constants is a constant.

use super::context::{Context, Reported, Resolved, did_you_mean, with_hint};
use super::dimension::{Typed, describe, power, product, quotient};
use super::expressions::expand;
use super::function::call;
use super::measure::{WHOLE, find, outputs_only};
use super::names::NamedElement;
use super::{Measure, function};
use crate::description::expression::{Ask, Ast, AstKind, Comparison, Dimension, Operator};
use crate::description::units;
use crate::diagnostics::{Code, Diagnostic, Path};
use crate::expr::{Binary, Condition, Expr, Symbol};
use std::ops::Range;
use std::sync::Arc;

/// The meanings that names in an expression may have.
#[derive(Clone, Debug)]
pub(super) enum Scope<'s> {
    /// Constants only: the value is folded in.
    Constant,
    /// Constants and parameters.
    Number,
    /// Time, constants, parameters, variables and tables: what has known derivatives in time.
    Motion,
    /// All but reactions, accelerations and energies; and these names of the element's own.
    Force(&'s [(&'static str, Measure)]),
    /// Everything.
    Output,
}

impl Scope<'_> {
    /// True if the value may change in time.
    pub fn is_law(&self) -> bool {
        !matches!(self, Self::Constant | Self::Number)
    }
}

/// The place of an expression.
pub(super) struct ExpressionSite<'s> {
    /// The number's path.
    pub path: &'s Path,
    /// The meanings that names may have.
    pub scope: &'s Scope<'s>,
    /// The text of the number.
    pub text: &'s str,
}

impl<'s> ExpressionSite<'s> {
    /// The top of an expression.
    pub fn new(path: &'s Path, scope: &'s Scope<'s>, text: &'s str) -> Self {
        Self { path, scope, text }
    }

    /// An error about a part of the text.
    pub fn error(&self, code: Code, span: &Range<usize>, message: impl Into<String>) -> Diagnostic {
        let part = self.text.get(span.clone()).unwrap_or_default();
        let label = if part == self.text { "" } else { part };
        Diagnostic::error(code, self.path, message)
            .label(label)
            .within(span.clone())
    }
}

/// The meaning of a tree.
pub(super) fn lower(cx: &mut Context, ast: &Ast, site: &ExpressionSite) -> Resolved<Typed> {
    match &ast.kind {
        AstKind::Number(value) => Ok(Typed::plain(Expr::constant(*value))),
        AstKind::Quantity(value, dimension) => {
            Ok(Typed::new(Expr::constant(*value), Some(*dimension)))
        }
        AstKind::Name(parts) => name(cx, parts, &ast.span, site),
        AstKind::Negate(inner) => {
            lower(cx, inner, site).map(|inner| Typed::new(-inner.expr, inner.dimension))
        }
        AstKind::Arithmetic(operator, a, b) => {
            let (a, b) = (lower(cx, a, site), lower(cx, b, site));
            arithmetic(cx, *operator, a?, b?, &ast.span, site)
        }
        AstKind::Call(function, arguments) => call(cx, function, arguments, &ast.span, site),
        AstKind::If(ask, yes, no) => {
            let condition = condition(cx, ask, site);
            let (yes, no) = (lower(cx, yes, site), lower(cx, no, site));
            choose(cx, condition?, yes?, no?, &ast.span, site)
        }
    }
}

/// The dimension that two values share; D109 if they have different ones.
pub(super) fn same(
    cx: &mut Context,
    a: &Typed,
    b: &Typed,
    span: &Range<usize>,
    site: &ExpressionSite,
) -> Resolved<Option<Dimension>> {
    match (a.dimension, b.dimension) {
        (Some(x), Some(y)) if x != y => {
            let message = format!("{} and {} do not go together", describe(x), describe(y));
            let diagnostic = site.error(Code::D109, span, message);
            Err(cx.report(diagnostic.hint("check the units on both sides")))
        }
        (x, y) => Ok(x.or(y)),
    }
}

/// Dimension and value of aᵇ.
pub(super) fn raise(
    cx: &mut Context,
    a: Typed,
    b: Typed,
    span: &Range<usize>,
    site: &ExpressionSite,
) -> Resolved<Typed> {
    function::pure(cx, &b, span, site)?;
    let dimension = b.expr.as_constant().and_then(|n| power(a.dimension, n));
    Ok(Typed::new(
        Expr::binary(Binary::Pow, a.expr, b.expr),
        dimension,
    ))
}

fn arithmetic(
    cx: &mut Context,
    operator: Operator,
    a: Typed,
    b: Typed,
    span: &Range<usize>,
    site: &ExpressionSite,
) -> Resolved<Typed> {
    let (x, y) = (a.dimension, b.dimension);
    Ok(match operator {
        Operator::Add | Operator::Subtract => {
            let dimension = same(cx, &a, &b, span, site)?;
            let value = match operator {
                Operator::Add => a.expr + b.expr,
                _ => a.expr - b.expr,
            };
            Typed::new(value, dimension)
        }
        Operator::Multiply => Typed::new(a.expr * b.expr, product(x, y)),
        Operator::Divide => Typed::new(a.expr / b.expr, quotient(x, y)),
        Operator::Power => return raise(cx, a, b, span, site),
    })
}

fn choose(
    cx: &mut Context,
    condition: Condition,
    yes: Typed,
    no: Typed,
    span: &Range<usize>,
    site: &ExpressionSite,
) -> Resolved<Typed> {
    let dimension = same(cx, &yes, &no, span, site)?;
    let value = match decided(&condition) {
        Some(true) => yes.expr,
        Some(false) => no.expr,
        None => Expr::select(condition, yes.expr, no.expr),
    };
    Ok(Typed::new(value, dimension))
}

fn condition(cx: &mut Context, ask: &Ask, site: &ExpressionSite) -> Resolved<Condition> {
    match ask {
        Ask::Compare(comparison, a, b) => {
            let span = a.span.start..b.span.end;
            let (a, b) = (lower(cx, a, site), lower(cx, b, site));
            let (a, b) = (a?, b?);
            same(cx, &a, &b, &span, site)?;
            Ok(compare(*comparison, a.expr, b.expr))
        }
        Ask::And(a, b) => {
            let (a, b) = (condition(cx, a, site), condition(cx, b, site));
            Ok(Condition::And(Arc::new(a?), Arc::new(b?)))
        }
        Ask::Or(a, b) => {
            let (a, b) = (condition(cx, a, site), condition(cx, b, site));
            Ok(Condition::Or(Arc::new(a?), Arc::new(b?)))
        }
        Ask::Not(a) => Ok(Condition::Not(Arc::new(condition(cx, a, site)?))),
    }
}

fn compare(comparison: Comparison, a: Expr, b: Expr) -> Condition {
    match comparison {
        Comparison::Less => Condition::Less(a, b),
        Comparison::LessEqual => Condition::LessEqual(a, b),
        Comparison::Greater => Condition::Less(b, a),
        Comparison::GreaterEqual => Condition::LessEqual(b, a),
        Comparison::Equal => Condition::Equal(a, b),
        Comparison::NotEqual => Condition::Not(Arc::new(Condition::Equal(a, b))),
    }
}

/// The answer, if it depends on constants only.
fn decided(condition: &Condition) -> Option<bool> {
    let both = |a: &Expr, b: &Expr| Some((a.as_constant()?, b.as_constant()?));
    match condition {
        Condition::Less(a, b) => both(a, b).map(|(a, b)| a < b),
        Condition::LessEqual(a, b) => both(a, b).map(|(a, b)| a <= b),
        Condition::Equal(a, b) => both(a, b).map(|(a, b)| a == b),
        Condition::And(a, b) => Some(decided(a)? && decided(b)?),
        Condition::Or(a, b) => Some(decided(a)? || decided(b)?),
        Condition::Not(a) => decided(a).map(|a| !a),
    }
}

fn name(
    cx: &mut Context,
    parts: &[String],
    span: &Range<usize>,
    site: &ExpressionSite,
) -> Resolved<Typed> {
    match parts {
        [single] => single_name(cx, single, span, site),
        _ => dotted(cx, parts, span, site),
    }
}

fn single_name(
    cx: &mut Context,
    name: &str,
    span: &Range<usize>,
    site: &ExpressionSite,
) -> Resolved<Typed> {
    if let Scope::Force(locals) = site.scope
        && let Some((_, measure)) = locals.iter().find(|(local, _)| *local == name)
    {
        return match cx.names.get(name) {
            Some(global) => Err(ambiguous(cx, name, *global, span, site)),
            None => Ok(Typed::plain(cx.measure(measure.clone()))),
        };
    }
    match name {
        "pi" => return Ok(Typed::plain(Expr::constant(std::f64::consts::PI))),
        "tau" => return Ok(Typed::plain(Expr::constant(std::f64::consts::TAU))),
        "t" | "time" if site.scope.is_law() => {
            return Ok(Typed::plain(Expr::symbol(Symbol::Time)));
        }
        "t" | "time" => return Err(varies(cx, name, span, site)),
        _ => {}
    }
    match cx.names.get(name) {
        Some(NamedElement::Constant) => cx.constants.get(name).cloned().unwrap_or(Err(Reported)),
        Some(NamedElement::Parameter(p)) => match site.scope {
            Scope::Constant => Err(folded(cx, name, span, site)),
            _ => match cx.parameters.get(*p as usize) {
                Some(Ok((_, typed))) => Ok(typed.clone()),
                _ => Err(Reported),
            },
        },
        Some(NamedElement::Input(i)) => match site.scope {
            Scope::Constant | Scope::Number => Err(varies(cx, name, span, site)),
            Scope::Motion => Err(underivable(cx, name, span, site)),
            Scope::Force(_) | Scope::Output => cx.inputs[*i as usize].clone(),
        },
        Some(NamedElement::Variable(i)) => match site.scope {
            Scope::Constant | Scope::Number => Err(varies(cx, name, span, site)),
            Scope::Motion | Scope::Force(_) | Scope::Output => cx.variables[*i as usize].clone(),
        },
        Some(NamedElement::Expression(i)) => match site.scope {
            Scope::Constant | Scope::Number => Err(shared(cx, name, span, site)),
            Scope::Motion | Scope::Force(_) | Scope::Output => expand(cx, *i as usize, site),
        },
        Some(other) => Err(incomplete(cx, name, *other, span, site)),
        None => Err(unknown(cx, name, span, site)),
    }
}

/// Fixed numbers are resolved before bodies are known, so a dotted name has no meaning there yet.
fn dotted(
    cx: &mut Context,
    parts: &[String],
    span: &Range<usize>,
    site: &ExpressionSite,
) -> Resolved<Typed> {
    let (written, head) = (parts.join("."), parts.first().map_or("", String::as_str));
    let known = head == "ground" || WHOLE.contains(&head) || cx.names.contains_key(head);
    match site.scope {
        Scope::Force(_) | Scope::Output => {}
        _ if !known => return Err(unknown(cx, head, span, site)),
        Scope::Motion => return Err(underivable(cx, &written, span, site)),
        Scope::Constant | Scope::Number => return Err(varies(cx, &written, span, site)),
    }
    let measure = find(cx, parts)
        .map_err(|problem| problem.report(cx, |message| site.error(Code::M211, span, message)))?;
    if matches!(site.scope, Scope::Force(_)) && outputs_only(&measure) {
        let message = format!("`{written}` is only known once the forces are");
        let diagnostic = site.error(Code::M221, span, message);
        return Err(cx.report(diagnostic.hint("an output may use it; a force law may not")));
    }
    Ok(Typed::plain(cx.measure(measure)))
}

fn unknown(cx: &mut Context, name: &str, span: &Range<usize>, site: &ExpressionSite) -> Reported {
    let law = site.scope.is_law();
    let mut candidates: Vec<&str> = vec!["pi", "tau"];
    if law {
        candidates.push("time");
    }
    if let Scope::Force(locals) = site.scope {
        candidates.extend(locals.iter().map(|(local, _)| *local));
    }
    let usable = cx.names.iter().filter(|(_, kind)| match kind {
        NamedElement::Constant => true,
        NamedElement::Parameter(_) => !matches!(site.scope, Scope::Constant),
        _ => law,
    });
    candidates.extend(usable.map(|(name, _)| *name));
    let hint = match units::unit(name) {
        Some(_) => Some(format!("a unit needs a number before it: `1 {name}`")),
        None => did_you_mean(name, candidates).or_else(|| own_quantity(cx, name)),
    };
    let (code, what) = match law {
        true => (Code::M211, "nothing is called"),
        false => (Code::M201, "no constant or parameter is called"),
    };
    cx.report(with_hint(
        site.error(code, span, format!("{what} `{name}`")),
        hint,
    ))
}

/// `rate` alone is known in the `law` of an element between points or on a joint only.
fn own_quantity(cx: &Context, name: &str) -> Option<String> {
    if !["angle", "rate", "displacement", "length"].contains(&name) {
        return None;
    }
    let (owner, _) = cx.names.iter().find(|(_, kind)| match kind {
        NamedElement::Joint(_) => true,
        NamedElement::Body(_) => cx.planar() && ["angle", "rate"].contains(&name),
        _ => false,
    })?;
    Some(format!(
        "name whose it is: `{owner}.{name}`; alone it is known in the `law` of an element on a joint or between points"
    ))
}

/// Neither meaning may hide the other in silence.
fn ambiguous(
    cx: &mut Context,
    name: &str,
    global: NamedElement,
    span: &Range<usize>,
    site: &ExpressionSite,
) -> Reported {
    let message = format!(
        "`{name}` is {}, and here it is also a quantity of the element itself",
        global.describe()
    );
    let diagnostic = site.error(Code::M223, span, message);
    let group = Path::new(global.group()).key(name);
    cx.report(diagnostic.hint(format!("rename `{group}`, for example to `{name}_0`")))
}

fn folded(cx: &mut Context, name: &str, span: &Range<usize>, site: &ExpressionSite) -> Reported {
    let message = format!(
        "`{name}` is a parameter, which may change at run time, but `{}` is fixed when the code is written",
        site.path
    );
    let diagnostic = site.error(Code::M216, span, message);
    cx.report(diagnostic.hint(format!("move `{name}` to `constants`, or write the number")))
}

/// Named expressions are for laws. A constant has the place of one among fixed numbers.
fn shared(cx: &mut Context, name: &str, span: &Range<usize>, site: &ExpressionSite) -> Reported {
    let message = format!(
        "`{name}` is one of `expressions`, which only laws, motions, outputs and events may use, but `{}` is a fixed number",
        site.path
    );
    let hint = format!("move `{name}` to `constants`, or write its text here");
    cx.report(site.error(Code::M216, span, message).hint(hint))
}

fn varies(cx: &mut Context, name: &str, span: &Range<usize>, site: &ExpressionSite) -> Reported {
    let message = format!(
        "`{name}` changes in time, but `{}` is a fixed number",
        site.path
    );
    let hint = match name {
        "t" => "`t` after an operator is time; a tonne is `1000 kg`",
        _ => "only constants, parameters, `pi` and `tau` are fixed",
    };
    cx.report(site.error(Code::M216, span, message).hint(hint))
}

fn underivable(
    cx: &mut Context,
    name: &str,
    span: &Range<usize>,
    site: &ExpressionSite,
) -> Reported {
    let message = format!("a prescribed motion cannot depend on `{name}`");
    let diagnostic = site.error(Code::M221, span, message);
    cx.report(diagnostic.hint(
        "its rate and acceleration must be known: use time, parameters, constants, variables and tables",
    ))
}

fn incomplete(
    cx: &mut Context,
    name: &str,
    kind: NamedElement,
    span: &Range<usize>,
    site: &ExpressionSite,
) -> Reported {
    let hint = match kind {
        NamedElement::Table(_) => format!("give it an argument: `{name}(t)`"),
        NamedElement::Joint(_) => {
            format!("name one of its quantities: `{name}.angle`, `{name}.force.x`")
        }
        NamedElement::Element(_) => format!("name one of its quantities: `{name}.force`"),
        _ => format!("name one of its quantities: `{name}.x`, `{name}.angle`"),
    };
    let code = if site.scope.is_law() {
        Code::M211
    } else {
        Code::M201
    };
    let message = format!("`{name}` is {}, not a number", kind.describe());
    cx.report(site.error(code, span, message).hint(hint))
}
