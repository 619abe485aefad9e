//! Plain expressions, in which the stages pass equations to each other.
//!
//! An `Expr` is an immutable, shared tree. Numbers, parameters, measures and coordinates are its leaves. The
//! constructors fold `0 + x`, `1 · x` and operations on two constants, so a structural zero is always the constant 0.
//! Expressions have no names and no units, and need no algebra system.

mod print;
pub mod vector;

pub use print::{Text, number};

use std::ops;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::small_keys::SmallKeyMap;

/// A shared expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr(Arc<Node>);

/// A number, a symbol or an operation on expressions.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// A number that is folded in.
    Constant(f64),
    /// A leaf that gets its value at run time.
    Symbol(Symbol),
    /// `a + b`
    Add(Expr, Expr),
    /// `a − b`
    Sub(Expr, Expr),
    /// `a · b`
    Mul(Expr, Expr),
    /// `a / b`
    Div(Expr, Expr),
    /// `−a`
    Neg(Expr),
    /// `aⁿ` with a whole exponent.
    Power(Expr, i32),
    /// A function of one argument.
    Unary(Unary, Expr),
    /// A function of two arguments.
    Binary(Binary, Expr, Expr),
    /// `if condition then a else b`
    Select(Arc<Condition>, Expr, Expr),
    /// The n-th derivative of an interpolated table.
    Table(u32, u8, Expr),
}

/// A leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Symbol {
    /// Time t.
    Time,
    /// Parameter p of the model: a field of the generated struct.
    Parameter(u32),
    /// Input u of the model: set by the caller between steps.
    Input(u32),
    /// Discrete variable of the model: changed by events only, so constant between them.
    Variable(u32),
    /// A named quantity of the model that a formulation has yet to express; gone after `formulate`.
    Measure(u32),
    /// Coordinate q.
    Coordinate(u32),
    /// Velocity v.
    Velocity(u32),
    /// Intermediate of a formulation with its own definition and rate.
    Auxiliary(u32),
    /// Multiplier λ of a constraint equation.
    Multiplier(u32),
    /// Acceleration v̇.
    Acceleration(u32),
}

/// Functions of one argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are the mathematical ones")]
pub enum Unary {
    Sqrt,
    Exp,
    Ln,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Abs,
    Sign,
    Floor,
}

/// Functions of two arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are the mathematical ones")]
pub enum Binary {
    Atan2,
    Min,
    Max,
    Pow,
    /// Floored remainder: the result has the sign of the divisor.
    Mod,
}

/// The condition of a [`Node::Select`].
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// `a < b`
    Less(Expr, Expr),
    /// `a ≤ b`
    LessEqual(Expr, Expr),
    /// `a = b`
    Equal(Expr, Expr),
    /// Both hold.
    And(Arc<Condition>, Arc<Condition>),
    /// At least one holds.
    Or(Arc<Condition>, Arc<Condition>),
    /// It does not hold.
    Not(Arc<Condition>),
}

impl Expr {
    /// A folded number.
    pub fn constant(value: f64) -> Self {
        Self(Arc::new(Node::Constant(value)))
    }

    /// The constant 0, which is also the only structural zero.
    pub fn zero() -> Self {
        Self::constant(0.0)
    }

    /// The constant 1.
    pub fn one() -> Self {
        Self::constant(1.0)
    }

    /// A leaf.
    pub fn symbol(symbol: Symbol) -> Self {
        Self(Arc::new(Node::Symbol(symbol)))
    }

    /// The node of the expression.
    pub fn node(&self) -> &Node {
        &self.0
    }

    /// Identity of the shared node, for memo tables that live no longer than the expression.
    pub fn address(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }

    /// The number, if the expression is one.
    pub fn as_constant(&self) -> Option<f64> {
        match self.node() {
            Node::Constant(value) => Some(*value),
            _ => None,
        }
    }

    /// True for the structural zero.
    pub fn is_zero(&self) -> bool {
        self.as_constant() == Some(0.0)
    }

    /// True if it is more than a number or a leaf.
    pub fn is_computed(&self) -> bool {
        !matches!(self.node(), Node::Constant(_) | Node::Symbol(_))
    }

    /// `selfⁿ`
    pub fn power(&self, exponent: i32) -> Self {
        match (self.as_constant(), exponent) {
            (_, 0) => Self::one(),
            (_, 1) => self.clone(),
            (Some(value), n) => Self::constant(value.powi(n)),
            (None, n) => Self(Arc::new(Node::Power(self.clone(), n))),
        }
    }

    /// `self²`
    pub fn square(&self) -> Self {
        self.power(2)
    }

    /// A function of one argument.
    pub fn unary(function: Unary, argument: Self) -> Self {
        match argument.as_constant() {
            Some(value) => Self::constant(function.apply(value)),
            None => Self(Arc::new(Node::Unary(function, argument))),
        }
    }

    /// A function of two arguments.
    pub fn binary(function: Binary, first: Self, second: Self) -> Self {
        match (first.as_constant(), second.as_constant()) {
            (Some(a), Some(b)) => Self::constant(function.apply(a, b)),
            (_, Some(n)) if function == Binary::Pow && n.fract() == 0.0 && n.abs() <= 64.0 => {
                first.power(n as i32)
            }
            (_, Some(0.5)) if function == Binary::Pow => Self::unary(Unary::Sqrt, first),
            _ => Self(Arc::new(Node::Binary(function, first, second))),
        }
    }

    /// `if condition then a else b`
    pub fn select(condition: Condition, yes: Self, no: Self) -> Self {
        if yes == no {
            return yes;
        }
        Self(Arc::new(Node::Select(Arc::new(condition), yes, no)))
    }

    /// The n-th derivative of a table at `argument`.
    pub fn table(table: u32, derivative: u8, argument: Self) -> Self {
        Self(Arc::new(Node::Table(table, derivative, argument)))
    }

    /// `√self`
    pub fn sqrt(&self) -> Self {
        Self::unary(Unary::Sqrt, self.clone())
    }

    /// `sin self`
    pub fn sin(&self) -> Self {
        Self::unary(Unary::Sin, self.clone())
    }

    /// `cos self`
    pub fn cos(&self) -> Self {
        Self::unary(Unary::Cos, self.clone())
    }

    /// Replaces every symbol for which `replace` has an answer; sharing inside the tree is kept.
    pub fn substitute(&self, replace: &mut dyn FnMut(Symbol) -> Option<Self>) -> Self {
        substitute(self, replace, &mut SmallKeyMap::default())
    }

    /// Calls `visit` on every symbol, once for each shared node.
    pub fn symbols(&self, visit: &mut dyn FnMut(Symbol)) {
        walk(self, visit, &mut std::collections::HashSet::new());
    }
}

type Memo = SmallKeyMap<usize, Expr>;

fn substitute(
    expr: &Expr,
    replace: &mut dyn FnMut(Symbol) -> Option<Expr>,
    memo: &mut Memo,
) -> Expr {
    if let Some(done) = memo.get(&expr.address()) {
        return done.clone();
    }
    let mut go = |e: &Expr| substitute(e, replace, memo);
    let result = match expr.node() {
        Node::Constant(_) => expr.clone(),
        Node::Symbol(symbol) => replace(*symbol).unwrap_or_else(|| expr.clone()),
        Node::Add(a, b) => go(a) + go(b),
        Node::Sub(a, b) => go(a) - go(b),
        Node::Mul(a, b) => go(a) * go(b),
        Node::Div(a, b) => go(a) / go(b),
        Node::Neg(a) => -go(a),
        Node::Power(a, n) => go(a).power(*n),
        Node::Unary(f, a) => Expr::unary(*f, go(a)),
        Node::Binary(f, a, b) => Expr::binary(*f, go(a), go(b)),
        Node::Select(c, a, b) => Expr::select(c.map(&mut go), go(a), go(b)),
        Node::Table(id, n, a) => Expr::table(*id, *n, go(a)),
    };
    memo.insert(expr.address(), result.clone());
    result
}

fn walk(expr: &Expr, visit: &mut dyn FnMut(Symbol), seen: &mut std::collections::HashSet<usize>) {
    if !seen.insert(expr.address()) {
        return;
    }
    match expr.node() {
        Node::Constant(_) => {}
        Node::Symbol(symbol) => visit(*symbol),
        Node::Add(a, b)
        | Node::Sub(a, b)
        | Node::Mul(a, b)
        | Node::Div(a, b)
        | Node::Binary(_, a, b) => {
            walk(a, visit, seen);
            walk(b, visit, seen);
        }
        Node::Neg(a) | Node::Power(a, _) | Node::Unary(_, a) | Node::Table(_, _, a) => {
            walk(a, visit, seen);
        }
        Node::Select(c, a, b) => {
            c.for_each(&mut |e| walk(e, visit, seen));
            walk(a, visit, seen);
            walk(b, visit, seen);
        }
    }
}

impl Condition {
    /// The same question about other expressions.
    pub fn map(&self, change: &mut dyn FnMut(&Expr) -> Expr) -> Self {
        match self {
            Self::Less(a, b) => Self::Less(change(a), change(b)),
            Self::LessEqual(a, b) => Self::LessEqual(change(a), change(b)),
            Self::Equal(a, b) => Self::Equal(change(a), change(b)),
            Self::And(a, b) => Self::And(Arc::new(a.map(change)), Arc::new(b.map(change))),
            Self::Or(a, b) => Self::Or(Arc::new(a.map(change)), Arc::new(b.map(change))),
            Self::Not(a) => Self::Not(Arc::new(a.map(change))),
        }
    }

    /// Calls `visit` on every expression that is compared, left to right.
    pub fn for_each(&self, visit: &mut dyn FnMut(&Expr)) {
        match self {
            Self::Less(a, b) | Self::LessEqual(a, b) | Self::Equal(a, b) => {
                visit(a);
                visit(b);
            }
            Self::And(a, b) | Self::Or(a, b) => {
                a.for_each(visit);
                b.for_each(visit);
            }
            Self::Not(a) => a.for_each(visit),
        }
    }
}

impl Unary {
    /// The function's value.
    pub fn apply(self, x: f64) -> f64 {
        match self {
            Self::Sqrt => x.sqrt(),
            Self::Exp => x.exp(),
            Self::Ln => x.ln(),
            Self::Sin => x.sin(),
            Self::Cos => x.cos(),
            Self::Tan => x.tan(),
            Self::Asin => x.asin(),
            Self::Acos => x.acos(),
            Self::Atan => x.atan(),
            Self::Sinh => x.sinh(),
            Self::Cosh => x.cosh(),
            Self::Tanh => x.tanh(),
            Self::Abs => x.abs(),
            // Unlike `signum`, zero has no sign: a friction law at rest gives no force.
            Self::Sign if x > 0.0 => 1.0,
            Self::Sign if x < 0.0 => -1.0,
            Self::Sign => 0.0 * x,
            Self::Floor => x.floor(),
        }
    }
}

impl Binary {
    /// The function's value.
    pub fn apply(self, a: f64, b: f64) -> f64 {
        match self {
            Self::Atan2 => a.atan2(b),
            Self::Min => a.min(b),
            Self::Max => a.max(b),
            Self::Pow => a.powf(b),
            Self::Mod => a - b * (a / b).floor(),
        }
    }
}

impl From<f64> for Expr {
    fn from(value: f64) -> Self {
        Self::constant(value)
    }
}

macro_rules! operator {
    ($trait:ident, $method:ident, |$a:ident, $b:ident| $body:expr) => {
        impl ops::$trait for Expr {
            type Output = Expr;
            fn $method(self, other: Expr) -> Expr {
                let ($a, $b) = (self, other);
                $body
            }
        }
        impl ops::$trait<&Expr> for &Expr {
            type Output = Expr;
            fn $method(self, other: &Expr) -> Expr {
                ops::$trait::$method(self.clone(), other.clone())
            }
        }
        impl ops::$trait<Expr> for &Expr {
            type Output = Expr;
            fn $method(self, other: Expr) -> Expr {
                ops::$trait::$method(self.clone(), other)
            }
        }
        impl ops::$trait<&Expr> for Expr {
            type Output = Expr;
            fn $method(self, other: &Expr) -> Expr {
                ops::$trait::$method(self, other.clone())
            }
        }
    };
}

operator!(Add, add, |a, b| match (a.as_constant(), b.as_constant()) {
    (Some(x), Some(y)) => Expr::constant(x + y),
    (Some(0.0), _) => b,
    (_, Some(0.0)) => a,
    _ => match b.node() {
        Node::Neg(c) => Expr(Arc::new(Node::Sub(a, c.clone()))),
        _ => Expr(Arc::new(Node::Add(a, b))),
    },
});

operator!(Sub, sub, |a, b| match (a.as_constant(), b.as_constant()) {
    (Some(x), Some(y)) => Expr::constant(x - y),
    (Some(0.0), _) => -b,
    (_, Some(0.0)) => a,
    _ => match b.node() {
        Node::Neg(c) => Expr(Arc::new(Node::Add(a, c.clone()))),
        _ => Expr(Arc::new(Node::Sub(a, b))),
    },
});

operator!(Mul, mul, |a, b| match (a.as_constant(), b.as_constant()) {
    (Some(x), Some(y)) => Expr::constant(x * y),
    (Some(0.0), _) | (_, Some(0.0)) => Expr::zero(),
    (Some(1.0), _) => b,
    (_, Some(1.0)) => a,
    (Some(-1.0), _) => -b,
    (_, Some(-1.0)) => -a,
    _ => Expr(Arc::new(Node::Mul(a, b))),
});

operator!(Div, div, |a, b| match (a.as_constant(), b.as_constant()) {
    (Some(x), Some(y)) => Expr::constant(x / y),
    (Some(0.0), _) => Expr::zero(),
    (_, Some(1.0)) => a,
    (_, Some(-1.0)) => -a,
    _ => Expr(Arc::new(Node::Div(a, b))),
});

impl ops::Neg for Expr {
    type Output = Expr;
    fn neg(self) -> Expr {
        match self.node() {
            Node::Constant(value) => Expr::constant(-value),
            Node::Neg(inner) => inner.clone(),
            _ => Expr(Arc::new(Node::Neg(self))),
        }
    }
}

impl ops::Neg for &Expr {
    type Output = Expr;
    fn neg(self) -> Expr {
        -self.clone()
    }
}

impl std::iter::Sum for Expr {
    fn sum<I: Iterator<Item = Expr>>(terms: I) -> Expr {
        terms.fold(Expr::zero(), |sum, term| sum + term)
    }
}

impl Default for Expr {
    fn default() -> Self {
        Self::zero()
    }
}
