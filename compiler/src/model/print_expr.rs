//! Expressions in the text form of a model, with as few parentheses as they need.

use std::fmt::{self, Display, Formatter};

use super::Model;
use crate::expr::{Binary, Condition, Expr, Node, Symbol, Unary};

/// An expression with the names of its model.
pub(super) struct Text<'m> {
    pub model: &'m Model,
    pub expr: &'m Expr,
}

/// Shortest form that reads back as the same number; no negative zero.
pub(super) fn number(value: f64) -> String {
    let size = value.abs();
    if size != 0.0 && !(1e-5..1e15).contains(&size) {
        format!("{value:e}")
    } else {
        format!("{}", value + 0.0)
    }
}

impl Display for Text<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.at(f, self.expr, 0)
    }
}

/// How tightly an operator binds.
const SUM: u8 = 1;
const PRODUCT: u8 = 2;
const NEGATION: u8 = 3;
const POWER: u8 = 4;

impl Text<'_> {
    fn at(&self, f: &mut Formatter<'_>, expr: &Expr, level: u8) -> fmt::Result {
        let own = binding(expr.node());
        if own < level {
            f.write_str("(")?;
            self.node(f, expr.node())?;
            return f.write_str(")");
        }
        self.node(f, expr.node())
    }

    fn node(&self, f: &mut Formatter<'_>, node: &Node) -> fmt::Result {
        match node {
            Node::Constant(value) => f.write_str(&number(*value)),
            Node::Symbol(symbol) => self.symbol(f, *symbol),
            Node::Add(a, b) => self.infix(f, a, " + ", b, [SUM, SUM]),
            Node::Sub(a, b) => self.infix(f, a, " - ", b, [SUM, SUM + 1]),
            Node::Mul(a, b) => self.infix(f, a, " * ", b, [PRODUCT, PRODUCT]),
            Node::Div(a, b) => self.infix(f, a, " / ", b, [PRODUCT, PRODUCT + 1]),
            Node::Neg(a) => {
                f.write_str("-")?;
                self.at(f, a, NEGATION)
            }
            Node::Power(a, n) => {
                self.at(f, a, POWER + 1)?;
                write!(f, "^{n}")
            }
            Node::Unary(function, a) => self.call(f, unary(*function), &[a]),
            Node::Binary(function, a, b) => self.call(f, binary(*function), &[a, b]),
            Node::Select(condition, a, b) => {
                f.write_str("if ")?;
                self.condition(f, condition)?;
                f.write_str(" then ")?;
                self.at(f, a, SUM)?;
                f.write_str(" else ")?;
                self.at(f, b, SUM)
            }
            Node::Table(table, n, a) => {
                let table = self.model.tables.get(*table as usize);
                let name = table.map_or("?", |table| table.name.as_str());
                self.call(f, &format!("{name}{}", "'".repeat(*n as usize)), &[a])
            }
        }
    }

    fn infix(
        &self,
        f: &mut Formatter<'_>,
        a: &Expr,
        operator: &str,
        b: &Expr,
        levels: [u8; 2],
    ) -> fmt::Result {
        self.at(f, a, levels[0])?;
        f.write_str(operator)?;
        self.at(f, b, levels[1])
    }

    fn call(&self, f: &mut Formatter<'_>, name: &str, arguments: &[&Expr]) -> fmt::Result {
        write!(f, "{name}(")?;
        for (i, argument) in arguments.iter().enumerate() {
            if i > 0 {
                f.write_str(", ")?;
            }
            self.at(f, argument, 0)?;
        }
        f.write_str(")")
    }

    fn condition(&self, f: &mut Formatter<'_>, condition: &Condition) -> fmt::Result {
        match condition {
            Condition::Less(a, b) => self.infix(f, a, " < ", b, [SUM, SUM]),
            Condition::LessEqual(a, b) => self.infix(f, a, " <= ", b, [SUM, SUM]),
            Condition::Equal(a, b) => self.infix(f, a, " == ", b, [SUM, SUM]),
            Condition::And(a, b) => self.joined(f, a, " and ", b),
            Condition::Or(a, b) => self.joined(f, a, " or ", b),
            Condition::Not(a) => {
                f.write_str("not (")?;
                self.condition(f, a)?;
                f.write_str(")")
            }
        }
    }

    fn joined(
        &self,
        f: &mut Formatter<'_>,
        a: &Condition,
        word: &str,
        b: &Condition,
    ) -> fmt::Result {
        f.write_str("(")?;
        self.condition(f, a)?;
        f.write_str(word)?;
        self.condition(f, b)?;
        f.write_str(")")
    }

    fn symbol(&self, f: &mut Formatter<'_>, symbol: Symbol) -> fmt::Result {
        let model = self.model;
        match symbol {
            Symbol::Time => f.write_str("t"),
            Symbol::Parameter(p) => {
                let parameter = model.parameters.get(p as usize);
                f.write_str(parameter.map_or("?", |p| p.name.as_str()))
            }
            Symbol::Input(u) => {
                let input = model.inputs.get(u as usize);
                f.write_str(input.map_or("?", |u| u.name.as_str()))
            }
            Symbol::Measure(m) => write!(f, "m{m}"),
            Symbol::Coordinate(i) => write!(f, "q{i}"),
            Symbol::Velocity(i) => write!(f, "v{i}"),
            Symbol::Auxiliary(i) => write!(f, "a{i}"),
            Symbol::Multiplier(i) => write!(f, "lambda{i}"),
            Symbol::Acceleration(i) => write!(f, "vdot{i}"),
        }
    }
}

fn binding(node: &Node) -> u8 {
    match node {
        Node::Select(..) => 0,
        Node::Add(..) | Node::Sub(..) => SUM,
        Node::Mul(..) | Node::Div(..) => PRODUCT,
        Node::Neg(_) => NEGATION,
        Node::Constant(value) if *value < 0.0 => NEGATION,
        Node::Power(..) => POWER,
        _ => POWER + 1,
    }
}

fn unary(function: Unary) -> &'static str {
    match function {
        Unary::Sqrt => "sqrt",
        Unary::Exp => "exp",
        Unary::Ln => "ln",
        Unary::Sin => "sin",
        Unary::Cos => "cos",
        Unary::Tan => "tan",
        Unary::Asin => "asin",
        Unary::Acos => "acos",
        Unary::Atan => "atan",
        Unary::Sinh => "sinh",
        Unary::Cosh => "cosh",
        Unary::Tanh => "tanh",
        Unary::Abs => "abs",
        Unary::Sign => "sign",
        Unary::Floor => "floor",
    }
}

fn binary(function: Binary) -> &'static str {
    match function {
        Binary::Atan2 => "atan2",
        Binary::Min => "min",
        Binary::Max => "max",
        Binary::Pow => "pow",
        Binary::Mod => "mod",
    }
}
