//! Expressions as they are written in a description: text → [`Ast`].

use std::ops::Range;

/// An expression with names instead of meanings.
#[derive(Clone, Debug, PartialEq)]
pub struct Ast {
    /// What it is.
    pub kind: AstKind,
    /// Its byte range in the text.
    pub span: Range<usize>,
}

/// What an [`Ast`] is.
#[derive(Clone, Debug, PartialEq)]
pub enum AstKind {
    /// A plain number.
    Number(f64),
    /// A number with a unit, already in SI units: `3 mm`.
    Quantity(f64, Dimension),
    /// A dotted name: `t`, `crank.tip.x`.
    Name(Vec<String>),
    /// `−a`
    Negate(Box<Ast>),
    /// `a + b` and the like.
    Arithmetic(Operator, Box<Ast>, Box<Ast>),
    /// `f(a, b)`
    Call(String, Vec<Ast>),
    /// `if c then a else b`
    If(Box<Ask>, Box<Ast>, Box<Ast>),
}

/// Arithmetic operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the mathematical ones")]
pub enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
}

/// The condition of an `if`.
#[derive(Clone, Debug, PartialEq)]
pub enum Ask {
    /// A comparison.
    Compare(Comparison, Ast, Ast),
    /// Both hold.
    And(Box<Ask>, Box<Ask>),
    /// At least one holds.
    Or(Box<Ask>, Box<Ask>),
    /// It does not hold.
    Not(Box<Ask>),
}

/// Comparison operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the mathematical ones")]
pub enum Comparison {
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
}

/// Exponents of kilogram, metre and second; angles have none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Dimension {
    /// Of kilogram.
    pub mass: i8,
    /// Of metre.
    pub length: i8,
    /// Of second.
    pub time: i8,
}
