//! Depth of an expression. An expression that is too deep is refused, so that no text can exhaust the stack.

use crate::description::expression::{Ask, Ast, AstKind};

/// Deeper trees are refused.
pub(super) const DEEPEST: usize = 250;

/// True if a branch of the tree is longer than `limit`.
pub(super) fn deeper_than(ast: &Ast, limit: usize) -> bool {
    let Some(rest) = limit.checked_sub(1) else {
        return true;
    };
    match &ast.kind {
        AstKind::Number(_) | AstKind::Quantity(..) | AstKind::Name(_) => false,
        AstKind::Negate(a) => deeper_than(a, rest),
        AstKind::Arithmetic(_, a, b) => deeper_than(a, rest) || deeper_than(b, rest),
        AstKind::Call(_, arguments) => arguments.iter().any(|a| deeper_than(a, rest)),
        AstKind::If(ask, a, b) => {
            ask_deeper_than(ask, rest) || deeper_than(a, rest) || deeper_than(b, rest)
        }
    }
}

fn ask_deeper_than(ask: &Ask, limit: usize) -> bool {
    let Some(rest) = limit.checked_sub(1) else {
        return true;
    };
    match ask {
        Ask::Compare(_, a, b) => deeper_than(a, rest) || deeper_than(b, rest),
        Ask::And(a, b) | Ask::Or(a, b) => ask_deeper_than(a, rest) || ask_deeper_than(b, rest),
        Ask::Not(a) => ask_deeper_than(a, rest),
    }
}
