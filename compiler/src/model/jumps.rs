//! Force elements whose laws can jump, so that a run which a jump holds up can name them.

use std::collections::HashSet;

use super::{Action, Element, Model};
use crate::expr::{Binary, Expr, Node, Symbol, Unary};

/// Names of the elements whose laws have a step in them: `sign`, `floor`, `mod`, or an `if` whose condition changes
/// during the motion.
pub fn jumping(model: &Model) -> Vec<&String> {
    let elements = model.elements.iter().filter(|element| can_jump(element));
    elements.map(|element| &element.name).collect()
}

fn can_jump(element: &Element) -> bool {
    let has_step = |law: &Expr| has_step(law, &mut HashSet::new());
    match &element.action {
        Action::Force { force, .. } => force.iter().any(has_step),
        Action::Torque { torque, .. } => torque.iter().any(has_step),
        Action::Between { force, .. } | Action::Joint { force, .. } => has_step(force),
    }
}

fn has_step(law: &Expr, seen: &mut HashSet<usize>) -> bool {
    if !seen.insert(law.address()) {
        return false;
    }
    let mut has = |part: &Expr| has_step(part, seen);
    match law.node() {
        Node::Constant(_) | Node::Symbol(_) => false,
        Node::Unary(Unary::Sign | Unary::Floor, a) if moves(a) => true,
        Node::Binary(Binary::Mod, a, b) if moves(a) || moves(b) => true,
        Node::Add(a, b)
        | Node::Sub(a, b)
        | Node::Mul(a, b)
        | Node::Div(a, b)
        | Node::Binary(_, a, b) => has(a) || has(b),
        Node::Neg(a) | Node::Power(a, _) | Node::Unary(_, a) | Node::Table(_, _, a) => has(a),
        Node::Select(condition, a, b) => {
            let mut asked = false;
            condition.for_each(&mut |side| asked |= moves(side));
            asked || has(a) || has(b)
        }
    }
}

/// Whether it changes between events. Parameters, inputs and discrete variables do not.
fn moves(expr: &Expr) -> bool {
    let mut moves = false;
    expr.symbols(&mut |symbol| {
        moves |= !matches!(
            symbol,
            Symbol::Parameter(_) | Symbol::Input(_) | Symbol::Variable(_)
        );
    });
    moves
}
