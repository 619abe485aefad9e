//! The text form of expressions: `q3 * cos(q2) - 9.81 * p0`.

use std::fmt;

use super::{Condition, Expr, Node, Symbol};

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(self, 0, f)
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Time => f.write_str("t"),
            Self::Parameter(i) => write!(f, "p{i}"),
            Self::Input(i) => write!(f, "u{i}"),
            Self::Measure(i) => write!(f, "measure{i}"),
            Self::Coordinate(i) => write!(f, "q{i}"),
            Self::Velocity(i) => write!(f, "v{i}"),
            Self::Auxiliary(i) => write!(f, "a{i}"),
            Self::Multiplier(i) => write!(f, "lambda{i}"),
            Self::Acceleration(i) => write!(f, "vdot{i}"),
        }
    }
}

const SUM: u8 = 1;
const PRODUCT: u8 = 2;
const SIGN: u8 = 3;
const POWER: u8 = 4;

fn write(expr: &Expr, outer: u8, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match expr.node() {
        Node::Constant(value) if *value < 0.0 && outer > SUM => write!(f, "({value})"),
        Node::Constant(value) => write!(f, "{value}"),
        Node::Symbol(symbol) => write!(f, "{symbol}"),
        Node::Add(a, b) => infix(f, outer, SUM, a, " + ", b),
        Node::Sub(a, b) => infix(f, outer, SUM, a, " - ", b),
        Node::Mul(a, b) => infix(f, outer, PRODUCT, a, " * ", b),
        Node::Div(a, b) => infix(f, outer, PRODUCT, a, " / ", b),
        Node::Neg(a) if outer >= PRODUCT => {
            f.write_str("(-")?;
            write(a, SIGN, f)?;
            f.write_str(")")
        }
        Node::Neg(a) => {
            f.write_str("-")?;
            write(a, SIGN, f)
        }
        Node::Power(a, n) => {
            write(a, POWER, f)?;
            write!(f, "^{n}")
        }
        Node::Unary(function, a) => call(f, &format!("{function:?}").to_lowercase(), &[a]),
        Node::Binary(function, a, b) => call(f, &format!("{function:?}").to_lowercase(), &[a, b]),
        Node::Table(id, 0, a) => call(f, &format!("table{id}"), &[a]),
        Node::Table(id, n, a) => call(f, &format!("table{id}_d{n}"), &[a]),
        Node::Select(condition, a, b) => {
            write!(f, "(if {condition} then ")?;
            write(a, 0, f)?;
            f.write_str(" else ")?;
            write(b, 0, f)?;
            f.write_str(")")
        }
    }
}

/// The right operand binds tighter, so that a − (b − c) keeps its brackets.
fn infix(
    f: &mut fmt::Formatter<'_>,
    outer: u8,
    own: u8,
    a: &Expr,
    operator: &str,
    b: &Expr,
) -> fmt::Result {
    if outer > own {
        f.write_str("(")?;
    }
    write(a, own, f)?;
    f.write_str(operator)?;
    write(b, own + 1, f)?;
    if outer > own {
        f.write_str(")")?;
    }
    Ok(())
}

fn call(f: &mut fmt::Formatter<'_>, name: &str, arguments: &[&Expr]) -> fmt::Result {
    write!(f, "{name}(")?;
    for (i, argument) in arguments.iter().enumerate() {
        if i > 0 {
            f.write_str(", ")?;
        }
        write(argument, 0, f)?;
    }
    f.write_str(")")
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Less(a, b) => write!(f, "{a} < {b}"),
            Self::LessEqual(a, b) => write!(f, "{a} <= {b}"),
            Self::Equal(a, b) => write!(f, "{a} == {b}"),
            Self::And(a, b) => write!(f, "({a} and {b})"),
            Self::Or(a, b) => write!(f, "({a} or {b})"),
            Self::Not(a) => write!(f, "not ({a})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_stand_where_they_are_needed() {
        let q = |i| Expr::symbol(Symbol::Coordinate(i));
        let check = |expr: Expr, text: &str| assert_eq!(expr.to_string(), text);
        check(q(0) - (q(1) - q(2)), "q0 - (q1 - q2)");
        check((q(0) + q(1)) * q(2), "(q0 + q1) * q2");
        check(q(0) / (q(1) * q(2)), "q0 / (q1 * q2)");
        check(q(0) * -q(1), "q0 * (-q1)");
        check((-q(0)).square(), "(-q0)^2");
        check(-(q(0) + q(1)).sin(), "-sin(q0 + q1)");
    }
}
