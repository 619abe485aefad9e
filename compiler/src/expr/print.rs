//! The text form of expressions, with as few parentheses as they need: `q3 * cos(q2) - 9.81 * p0`.

use std::fmt::{self, Display, Formatter};

use super::{Binary, Condition, Expr, Node, Symbol, Unary};

/// An expression with the names that its leaves go by.
pub struct Text<'m> {
    /// The expression.
    pub expr: &'m Expr,
    /// Name of a leaf.
    pub symbol: &'m dyn Fn(Symbol) -> String,
    /// Name of a table.
    pub table: &'m dyn Fn(u32) -> String,
}

impl Display for Expr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (symbol, table) = (|s: Symbol| s.to_string(), |id| format!("table{id}"));
        let text = Text {
            expr: self,
            symbol: &symbol,
            table: &table,
        };
        text.fmt(f)
    }
}

impl Display for Symbol {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Time => f.write_str("t"),
            Self::Parameter(i) => write!(f, "p{i}"),
            Self::Input(i) => write!(f, "u{i}"),
            Self::Variable(i) => write!(f, "w{i}"),
            Self::Measure(i) => write!(f, "m{i}"),
            Self::Coordinate(i) => write!(f, "q{i}"),
            Self::Velocity(i) => write!(f, "v{i}"),
            Self::Auxiliary(i) => write!(f, "a{i}"),
            Self::Multiplier(i) => write!(f, "lambda{i}"),
            Self::Acceleration(i) => write!(f, "vdot{i}"),
        }
    }
}

/// Shortest form that reads back as the same number; no negative zero.
pub fn number(value: f64) -> String {
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

/// Binding strengths of operators.
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
            Node::Symbol(symbol) => f.write_str(&(self.symbol)(*symbol)),
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
            Node::Unary(function, a) => self.call(f, function.word(), &[a]),
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
                let name = (self.table)(*table);
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

impl Unary {
    /// Its name in laws and in the runtime.
    pub fn word(self) -> &'static str {
        match self {
            Self::Sqrt => "sqrt",
            Self::Exp => "exp",
            Self::Ln => "ln",
            Self::Sin => "sin",
            Self::Cos => "cos",
            Self::Tan => "tan",
            Self::Asin => "asin",
            Self::Acos => "acos",
            Self::Atan => "atan",
            Self::Sinh => "sinh",
            Self::Cosh => "cosh",
            Self::Tanh => "tanh",
            Self::Abs => "abs",
            Self::Sign => "sign",
            Self::Floor => "floor",
        }
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

#[cfg(test)]
mod tests {
    use super::super::{Expr, Symbol};

    #[test]
    fn brackets_stand_where_they_are_needed() {
        let q = |i| Expr::symbol(Symbol::Coordinate(i));
        let check = |expr: Expr, text: &str| assert_eq!(expr.to_string(), text);
        check(q(0) - (q(1) - q(2)), "q0 - (q1 - q2)");
        check((q(0) + q(1)) * q(2), "(q0 + q1) * q2");
        check(q(0) / (q(1) * q(2)), "q0 / (q1 * q2)");
        check(q(0) * -q(1), "q0 * -q1");
        check((-q(0)).square(), "(-q0)^2");
        check(-(q(0) + q(1)).sin(), "-sin(q0 + q1)");
    }
}
