//! Named expressions, which laws, motions, outputs and events share.
//!
//! An expression has no value of its own. It is expanded where it is named, and means there what it would mean if it
//! were written there, but for the quantities of an element's own, which have no name in it. An error is reported at
//! the expression's own place, once for each kind of place that it does not serve.

use super::constants::collect;
use super::context::{Context, Reported, Resolved};
use super::depth::{DEEPEST, deeper_than};
use super::dimension::Typed;
use super::law::{ExpressionSite, Scope, lower};
use super::names::NamedElement;
use super::number::{malformed, tree};
use crate::description::Number;
use crate::description::expression::{Ast, AstKind};
use crate::diagnostics::{Code, Diagnostic, Path};

/// Most leaves that an expression may have when all that it names is expanded.
const LARGEST: usize = 20_000;

/// A named expression whose text is well formed and names no other that leads back to it.
#[derive(Clone, Debug)]
pub(super) struct NamedExpression {
    ast: Ast,
    /// Depth of the expanded expression.
    depth: usize,
    /// Number of leaves of the expanded expression.
    size: usize,
}

/// Dimensions of an expression at the kinds of places where it was expanded.
#[derive(Debug, Default)]
pub(super) struct Expanded {
    motion: Option<Resolved<Typed>>,
    force: Option<Resolved<Typed>>,
    output: Option<Resolved<Typed>>,
}

/// Reads all expressions; D110 for those that are too large, M233 for those that need themselves.
pub(super) fn expressions(cx: &mut Context) {
    let written = &cx.description.expressions;
    let mut read: Vec<Resolved<Ast>> = Vec::new();
    for (name, number) in written {
        let path = path(name);
        read.push(match number {
            Number::Value(value) => Ok(Ast {
                kind: AstKind::Number(*value),
                span: 0..0,
            }),
            Number::Text(text) => {
                tree(cx, &Scope::Output, text).map_err(|error| malformed(cx, &path, text, error))
            }
        });
    }
    cx.expressions = vec![None; read.len()];
    cx.expanded = read.iter().map(|_| Expanded::default()).collect();
    for index in 0..read.len() {
        measure(cx, &read, index, &mut Vec::new());
    }
}

/// The meaning of an expression where it is named.
pub(super) fn expand(cx: &mut Context, index: usize, site: &ExpressionSite) -> Resolved<Typed> {
    let known = match (site.scope, &cx.expanded[index]) {
        (Scope::Motion, known) => &known.motion,
        (Scope::Force(_), known) => &known.force,
        (_, known) => &known.output,
    };
    if let Some(known) = known {
        return known.clone();
    }
    let Some(Ok(named)) = cx.expressions[index].clone() else {
        return Err(Reported);
    };
    let description = cx.description;
    let (name, number) = description.expressions.get_index(index).ok_or(Reported)?;
    let text = match number {
        Number::Value(_) => "",
        Number::Text(text) => text,
    };
    let scope = match site.scope {
        Scope::Force(_) => Scope::Force(&[]),
        other => other.clone(),
    };
    let meaning = lower(
        cx,
        &named.ast,
        &ExpressionSite::new(&path(name), &scope, text),
    );
    let expanded = &mut cx.expanded[index];
    let place = match scope {
        Scope::Motion => &mut expanded.motion,
        Scope::Force(_) => &mut expanded.force,
        _ => &mut expanded.output,
    };
    *place = Some(meaning.clone());
    meaning
}

/// Depth and size of an expression with all that it names, which are measured first.
fn measure(cx: &mut Context, read: &[Resolved<Ast>], index: usize, way: &mut Vec<usize>) {
    if cx.expressions[index].is_some() {
        return;
    }
    if let Some(from) = way.iter().position(|other| *other == index) {
        let reported = circular(cx, &way[from..]);
        for &member in &way[from..] {
            cx.expressions[member] = Some(Err(reported));
        }
        return;
    }
    let Ok(ast) = &read[index] else {
        cx.expressions[index] = Some(Err(Reported));
        return;
    };
    let mut names = Vec::new();
    collect(ast, &mut names);
    let own = (0..=DEEPEST).find(|limit| !deeper_than(ast, *limit));
    let (mut depth, mut size) = (0, names.len() + 1);
    way.push(index);
    for name in &names {
        let Some(NamedElement::Expression(other)) = cx.names.get(name.as_str()).copied() else {
            continue;
        };
        measure(cx, read, other as usize, way);
        match &cx.expressions[other as usize] {
            Some(Ok(other)) => {
                depth = depth.max(other.depth);
                size = size.saturating_add(other.size);
            }
            _ => {
                way.pop();
                // The cycle or the fault has been reported where it occurs.
                cx.expressions[index].get_or_insert(Err(Reported));
                return;
            }
        }
    }
    way.pop();
    let depth = depth + own.unwrap_or(DEEPEST);
    let measured = match depth > DEEPEST || size > LARGEST {
        true => Err(too_large(cx, index)),
        false => Ok(NamedExpression {
            ast: ast.clone(),
            depth,
            size,
        }),
    };
    cx.expressions[index].get_or_insert(measured);
}

fn circular(cx: &mut Context, cycle: &[usize]) -> Reported {
    let names = &cx.description.expressions;
    let name = |index: &usize| {
        names
            .get_index(*index)
            .map_or("", |(name, _)| name.as_str())
    };
    let first = name(&cycle[0]);
    let way: Vec<String> = cycle
        .iter()
        .map(|index| format!("`{}`", name(index)))
        .collect();
    let message = format!(
        "the expression `{first}` needs itself: {} → `{first}`",
        way.join(" → ")
    );
    let diagnostic = Diagnostic::error(Code::M233, &path(first), message);
    cx.report(diagnostic.hint("write one of them without naming the next"))
}

fn too_large(cx: &mut Context, index: usize) -> Reported {
    let name = cx.description.expressions.get_index(index);
    let path = path(name.map_or("", |(name, _)| name));
    let message = format!(
        "`{path}` is more than {DEEPEST} deep or has more than {LARGEST} terms with all that it names"
    );
    let diagnostic = Diagnostic::error(Code::D110, &path, message);
    cx.report(diagnostic.hint("name fewer expressions in each other, or use a table"))
}

fn path(name: &str) -> Path {
    Path::new("expressions").key(name)
}
