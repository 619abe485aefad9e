//! Constants: resolved in the order in which they need each other, whatever the order of writing.

use super::context::Context;
use super::law::Scope;
use super::number::{tree, typed};
use crate::description::Number;
use crate::description::expression::{Ask, Ast, AstKind};
use crate::diagnostics::{Code, Diagnostic, Path};

/// Resolves all constants; M201 for those that need themselves.
pub(super) fn constants(cx: &mut Context) {
    let description = cx.description;
    let mut waiting: Vec<(&str, &Number, Vec<String>)> = Vec::new();
    for (name, number) in &description.constants {
        let mut needs = needs(cx, number);
        needs.retain(|needed| description.constants.contains_key(needed));
        waiting.push((name, number, needs));
    }
    while !waiting.is_empty() {
        let known = |needed: &String| cx.constants.contains_key(needed.as_str());
        let (ready, rest): (Vec<_>, Vec<_>) = waiting
            .into_iter()
            .partition(|(_, _, needs)| needs.iter().all(known));
        waiting = rest;
        if ready.is_empty() {
            return circular(cx, waiting.iter().map(|(name, ..)| *name));
        }
        for (name, number, _) in ready {
            let path = Path::new("constants").key(name);
            let value = typed(cx, number, &path, &Scope::Constant, None);
            cx.constants.insert(name, value);
        }
    }
}

fn circular<'a>(cx: &mut Context<'a>, names: impl Iterator<Item = &'a str>) {
    for name in names {
        let path = Path::new("constants").key(name);
        let message = format!("the constant `{name}` depends on itself, or on one that does");
        let diagnostic = Diagnostic::error(Code::M201, &path, message);
        let reported = cx.report(diagnostic.hint("write one of them as a number"));
        cx.constants.insert(name, Err(reported));
    }
}

/// Undotted names in a number; none if it is malformed, which is reported when it is resolved.
fn needs(cx: &Context, number: &Number) -> Vec<String> {
    let mut names = Vec::new();
    if let Number::Text(text) = number
        && let Ok(ast) = tree(cx, &Scope::Constant, text)
    {
        collect(&ast, &mut names);
    }
    names
}

/// Undotted names in a tree.
pub(super) fn collect(ast: &Ast, names: &mut Vec<String>) {
    match &ast.kind {
        AstKind::Number(_) | AstKind::Quantity(..) => {}
        AstKind::Name(parts) => {
            if let [name] = parts.as_slice() {
                names.push(name.clone());
            }
        }
        AstKind::Negate(a) => collect(a, names),
        AstKind::Arithmetic(_, a, b) => {
            collect(a, names);
            collect(b, names);
        }
        AstKind::Call(_, arguments) => arguments.iter().for_each(|a| collect(a, names)),
        AstKind::If(ask, a, b) => {
            collect_ask(ask, names);
            collect(a, names);
            collect(b, names);
        }
    }
}

fn collect_ask(ask: &Ask, names: &mut Vec<String>) {
    match ask {
        Ask::Compare(_, a, b) => {
            collect(a, names);
            collect(b, names);
        }
        Ask::And(a, b) | Ask::Or(a, b) => {
            collect_ask(a, names);
            collect_ask(b, names);
        }
        Ask::Not(a) => collect_ask(a, names),
    }
}
