//! Expressions as they are written in a description: text → [`Ast`].
//!
//! Arithmetic, calls, dotted names, `if … then … else …` with comparisons, `and`, `or`, `not`, and numbers with
//! units, alone or compound, anywhere: `2*L + 3 mm`, `-20 N*m*s * bob.rate`. A name that is already [`Known`] is
//! never silently read as a unit; `quantity.rs` has the rule.

mod lexer;
mod parser;
mod quantity;

use std::fmt;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::diagnostics::Code;

/// Reads an expression. Any text gives a tree of bounded depth or an error, never a panic.
pub fn parse(text: &str, known: &Known) -> Result<Ast, ExpressionError> {
    parser::Parser::new(text, lexer::tokens(text)?, known).whole()
}

/// Reads the expression of an event: an expression that crosses zero, or a comparison. The two sides of a comparison
/// become a difference that rises through zero where the comparison becomes true.
pub fn crossing(text: &str, known: &Known) -> Result<Crossing, ExpressionError> {
    parser::Parser::new(text, lexer::tokens(text)?, known).crossing()
}

/// The meaning of names where an expression stands, as far as they could be taken for units.
#[derive(Clone, Copy)]
pub struct Known<'k> {
    /// The kind of number that a name stands for, with its article: `a parameter`; `None` if it stands for none.
    pub number: &'k dyn Fn(&str) -> Option<&'static str>,
    /// True if `t` is time here; in a fixed number `2 t` can only be two tonnes.
    pub time: bool,
}

impl Known<'static> {
    /// No names at all, as on the command line.
    pub const NOTHING: Self = Self {
        number: &|_| None,
        time: false,
    };
}

/// The expression that crosses zero.
#[derive(Clone, Debug, PartialEq)]
pub struct Crossing {
    /// The expression.
    pub value: Ast,
    /// True if it is the difference of the two sides of a comparison.
    pub compared: bool,
}

/// Reason why a text is no expression.
#[derive(Clone, Debug, PartialEq)]
pub struct ExpressionError {
    /// D110 for the grammar, D108 for an unknown unit, D113 for one that could be a name, D107 for a
    /// number that is not finite.
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
    /// Its kind.
    pub kind: AstKind,
    /// Its byte range in the text.
    pub span: Range<usize>,
}

/// The kind of an [`Ast`].
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
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
