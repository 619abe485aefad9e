//! Expressions as they are written in a description: text → [`Ast`].
//!
//! Arithmetic, calls, dotted names, `if … then … else …` with comparisons, `and`, `or`, `not`, and
//! numbers with units. A number takes one unit (`2*L + 3 mm`); where it stands alone, as a whole
//! text, in parentheses or as an argument, it takes a compound one (`9.81 m/s^2`).

mod lexer;
mod parser;

use std::fmt;
use std::ops::Range;

use crate::diagnostics::Code;

/// Reads an expression. Any text gives a tree of bounded depth or an error, never a panic.
pub fn parse(text: &str) -> Result<Ast, ExpressionError> {
    parser::Parser::new(lexer::tokens(text)?).whole()
}

/// Reads what crosses zero: an expression, or a comparison, whose two sides become a difference that rises
/// through zero where it becomes true.
pub fn crossing(text: &str) -> Result<Crossing, ExpressionError> {
    parser::Parser::new(lexer::tokens(text)?).crossing()
}

/// What crosses zero.
#[derive(Clone, Debug, PartialEq)]
pub struct Crossing {
    /// The expression.
    pub value: Ast,
    /// True if it is the difference of what was compared.
    pub compared: bool,
}

/// Why a text is no expression.
#[derive(Clone, Debug, PartialEq)]
pub struct ExpressionError {
    /// D110 for the grammar, D108 for an unknown unit, D107 for a number that is not finite.
    pub code: Code,
    /// One sentence.
    pub message: String,
    /// Byte range in the text of the expression, on character boundaries.
    pub span: Range<usize>,
    /// The next move.
    pub hint: Option<String>,
}

impl ExpressionError {
    fn syntax(message: impl Into<String>, span: Range<usize>) -> Self {
        Self {
            code: Code::D110,
            message: message.into(),
            span,
            hint: None,
        }
    }

    fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for ExpressionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ExpressionError {}

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

#[cfg(test)]
mod tests;
