//! Rates of positions and directions, from which the accelerations of joint coordinates follow.

use super::System;
use crate::expr::{Expr, Node, Symbol, Unary};

/// The time derivative of an expression of positions and directions. These are coordinates and auxiliaries, whose rates
/// the system has. Geometry is algebraic, so no other function occurs.
pub(super) fn rate(system: &System, expr: &Expr) -> Expr {
    let of = |e: &Expr| rate(system, e);
    match expr.node() {
        Node::Constant(_) => Expr::zero(),
        Node::Symbol(symbol) => match *symbol {
            Symbol::Coordinate(i) => system.rates[i as usize].clone(),
            Symbol::Auxiliary(i) => system.auxiliaries[i as usize].rate.clone(),
            Symbol::Velocity(i) => Expr::symbol(Symbol::Acceleration(i)),
            Symbol::Time => Expr::one(),
            _ => Expr::zero(),
        },
        Node::Add(a, b) => of(a) + of(b),
        Node::Sub(a, b) => of(a) - of(b),
        Node::Neg(a) => -of(a),
        Node::Mul(a, b) => of(a) * b + a * of(b),
        Node::Div(a, b) => (of(a) - expr * of(b)) / b,
        Node::Power(a, n) => Expr::constant(f64::from(*n)) * a.power(n - 1) * of(a),
        Node::Unary(Unary::Sqrt, a) => of(a) / (Expr::constant(2.0) * expr),
        Node::Unary(Unary::Sin, a) => a.cos() * of(a),
        Node::Unary(Unary::Cos, a) => -(a.sin() * of(a)),
        Node::Unary(..) | Node::Binary(..) | Node::Select(..) | Node::Table(..) => {
            unreachable!("the direction of a joint's effort is algebraic")
        }
    }
}
