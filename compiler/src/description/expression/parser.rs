//! Tokens → [`Ast`], by operator precedence:
//!
//! `or` < `and` < `not` < comparisons < `+ -` < `* /` < unary `-` < `^` (from the right).

use std::ops::Range;

use super::lexer::{Token, TokenKind};
use super::{Ask, Ast, AstKind, Comparison, Crossing, ExpressionError, Operator};
use crate::description::units::{self, Unit};
use crate::diagnostics::{Code, nearest};

/// Nested deeper than this is refused, so that no text can exhaust the stack: an
/// unoptimised build takes up to 10 kB a level, of the 2 MB that a thread has.
const MAX_DEPTH: usize = 100;

/// More operations than this are refused: chains make deep trees without nesting.
const MAX_OPERATIONS: usize = 1000;

const KEYWORDS: &[&str] = &["if", "then", "else", "and", "or", "not"];

/// Binding strength of prefix operators; those of the others are in [`infix`].
const NOT: u8 = 3;
const NEGATE: u8 = 7;

type Result<T> = std::result::Result<T, ExpressionError>;

pub(super) struct Parser {
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
    operations: usize,
}

/// Numbers and conditions share one grammar, so that parentheses fit both; they are told apart where
/// they are used.
enum Term {
    Number(Ast),
    Condition(Ask, Range<usize>),
}

enum Infix {
    Arithmetic(Operator),
    Compare(Comparison),
    And,
    Or,
}

impl Parser {
    /// `tokens` end with [`TokenKind::End`].
    pub fn new(tokens: Vec<Token>) -> Self {
        Self {
            tokens,
            at: 0,
            depth: 0,
            operations: 0,
        }
    }

    pub fn whole(mut self) -> Result<Ast> {
        let ast = number(self.delimited()?)?;
        self.end().map(|()| ast)
    }

    pub fn crossing(mut self) -> Result<Crossing> {
        let crossing = crossing(self.delimited()?)?;
        self.end().map(|()| crossing)
    }

    fn end(&self) -> Result<()> {
        match self.peek() {
            TokenKind::End => Ok(()),
            _ => Err(self.unexpected("an operator")),
        }
    }

    /// What stands alone between ends, parentheses or commas: only there a number takes a compound
    /// unit, because in `2 N/mm * x` the `mm` could as well be a name.
    fn delimited(&mut self) -> Result<Term> {
        let start = self.at;
        match self.compound_quantity() {
            Some(quantity) if self.at_delimiter() => Ok(Term::Number(quantity)),
            _ => {
                self.at = start;
                self.term(0)
            }
        }
    }

    fn at_delimiter(&self) -> bool {
        matches!(self.peek(), TokenKind::End | TokenKind::Symbol(")" | ","))
    }

    /// `9.81 m/s^2`
    fn compound_quantity(&mut self) -> Option<Ast> {
        let start = self.span().start;
        let negative = self.eat("-");
        let from = self.span().start;
        let TokenKind::Number(number) = *self.peek() else {
            return None;
        };
        self.at += 1;
        let mut unit = self.unit_power()?;
        loop {
            unit = if self.eat("*") {
                unit * self.unit_power()?
            } else if self.eat("/") {
                unit * self.unit_power()?.powi(-1)
            } else {
                break;
            };
        }
        let end = self.last_end();
        let quantity = quantity(number, unit, from..end).ok()?;
        Some(match negative {
            true => ast(AstKind::Negate(Box::new(quantity)), start..end),
            false => quantity,
        })
    }

    /// `mm`, `s^2`, `s^-1`; stays where it is if that is not there.
    fn unit_power(&mut self) -> Option<Unit> {
        let TokenKind::Name(name) = self.peek() else {
            return None;
        };
        let unit = units::unit(name)?;
        self.at += 1;
        Some(self.unit_exponent().map_or(unit, |n| unit.powi(n)))
    }

    fn unit_exponent(&mut self) -> Option<i8> {
        let start = self.at;
        let exponent = self.eat("^").then(|| {
            let sign = if self.eat("-") { -1 } else { 1 };
            let TokenKind::Number(n) = *self.peek() else {
                return None;
            };
            self.at += 1;
            (n.fract() == 0.0 && n <= 9.0).then_some(sign * n as i8)
        });
        if exponent.flatten().is_none() {
            self.at = start;
        }
        exponent.flatten()
    }

    /// Everything that binds at least as strongly as `strength`.
    fn term(&mut self, strength: u8) -> Result<Term> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(ExpressionError::syntax("nested too deeply", self.span()));
        }
        let mut left = self.prefix()?;
        while let Some((infix, own, right)) = infix(self.peek()) {
            if own < strength {
                break;
            }
            self.count()?;
            self.at += 1;
            let right = self.term(right)?;
            left = combine(infix, left, right)?;
        }
        self.depth -= 1;
        Ok(left)
    }

    fn count(&mut self) -> Result<()> {
        self.operations += 1;
        if self.operations <= MAX_OPERATIONS {
            return Ok(());
        }
        let message = format!("more than {MAX_OPERATIONS} operations");
        Err(ExpressionError::syntax(message, self.span()).hint("use a table, or several laws"))
    }

    fn prefix(&mut self) -> Result<Term> {
        let start = self.span().start;
        match self.peek().clone() {
            TokenKind::Number(n) => self.number(n).map(Term::Number),
            TokenKind::Name(name) if name == "if" => self.choice().map(Term::Number),
            TokenKind::Name(name) if name == "not" => self.not(),
            TokenKind::Name(name) if !is_keyword(&name) => self.name(name).map(Term::Number),
            TokenKind::Symbol("(") => self.parenthesis(),
            TokenKind::Symbol("+") => {
                self.at += 1;
                self.term(NEGATE)
            }
            TokenKind::Symbol("-") => {
                self.count()?;
                self.at += 1;
                let inner = number(self.term(NEGATE)?)?;
                let end = inner.span.end;
                let kind = AstKind::Negate(Box::new(inner));
                Ok(Term::Number(ast(kind, start..end)))
            }
            _ => Err(self.unexpected("a number, a name or `(`")),
        }
    }

    /// A number, with its unit if a name follows: `3 mm`. A power belongs to the unit: `3 mm^2`.
    fn number(&mut self, number: f64) -> Result<Ast> {
        let span = self.span();
        self.at += 1;
        let TokenKind::Name(name) = self.peek().clone() else {
            return Ok(ast(AstKind::Number(number), span));
        };
        if is_keyword(&name) {
            return Ok(ast(AstKind::Number(number), span));
        }
        let Some(unit) = self.unit_power() else {
            return Err(unknown_unit(&name, self.span()));
        };
        if *self.peek() == TokenKind::Symbol("^") {
            let message = "the power of a unit is a whole number up to 9";
            let error = ExpressionError::syntax(message, self.span());
            return Err(error.hint("put the quantity in parentheses to raise it: `(3 mm)^n`"));
        }
        match self.adjacent_unit(&name) {
            Some(hint) => Err(self.unexpected("an operator").hint(hint)),
            None => quantity(number, unit, span.start..self.last_end()),
        }
    }

    /// What to write where a unit follows a unit, as in `kg m^2`.
    fn adjacent_unit(&self, first: &str) -> Option<String> {
        let TokenKind::Name(second) = self.peek() else {
            return None;
        };
        units::unit(second)?;
        let after = self.tokens.get(self.at + 1..self.at + 3);
        let power = match after.map(|tokens| [&tokens[0].kind, &tokens[1].kind]) {
            Some([TokenKind::Symbol("^"), TokenKind::Number(n)]) => format!("^{n}"),
            _ => String::new(),
        };
        Some(format!(
            "units combine with `*` and `/`: `{first}*{second}{power}`"
        ))
    }

    fn name(&mut self, name: String) -> Result<Ast> {
        let span = self.span();
        self.at += 1;
        if !self.eat("(") {
            let parts = name.split('.').map(str::to_owned).collect();
            return Ok(ast(AstKind::Name(parts), span));
        }
        self.count()?;
        let mut arguments = Vec::new();
        while !self.eat(")") {
            arguments.push(number(self.delimited()?)?);
            if !self.eat(",") && *self.peek() != TokenKind::Symbol(")") {
                return Err(self.unexpected("`,` or `)`"));
            }
        }
        let kind = AstKind::Call(name, arguments);
        Ok(ast(kind, span.start..self.last_end()))
    }

    fn parenthesis(&mut self) -> Result<Term> {
        let open = self.span();
        self.at += 1;
        let inner = self.delimited()?;
        if !self.eat(")") {
            let error = self.unexpected("`)`");
            return Err(error.hint(format!("`(` at character {} is open", open.start + 1)));
        }
        let span = open.start..self.last_end();
        Ok(match inner {
            Term::Number(ast) => Term::Number(Ast { span, ..ast }),
            Term::Condition(ask, _) => Term::Condition(ask, span),
        })
    }

    fn not(&mut self) -> Result<Term> {
        let start = self.span().start;
        self.count()?;
        self.at += 1;
        let (ask, span) = condition(self.term(NOT)?)?;
        Ok(Term::Condition(Ask::Not(Box::new(ask)), start..span.end))
    }

    /// `if c then a else b`; the last branch goes as far as it can.
    fn choice(&mut self) -> Result<Ast> {
        let start = self.span().start;
        self.count()?;
        self.at += 1;
        let (ask, _) = condition(self.term(0)?)?;
        self.keyword("then")?;
        let yes = number(self.term(0)?)?;
        self.keyword("else")?;
        let no = number(self.term(0)?)?;
        let span = start..no.span.end;
        let kind = AstKind::If(Box::new(ask), Box::new(yes), Box::new(no));
        Ok(ast(kind, span))
    }

    fn keyword(&mut self, word: &str) -> Result<()> {
        if !matches!(self.peek(), TokenKind::Name(name) if name == word) {
            return Err(self.unexpected(&format!("`{word}`")));
        }
        self.at += 1;
        Ok(())
    }

    fn eat(&mut self, symbol: &str) -> bool {
        let there = matches!(self.peek(), TokenKind::Symbol(s) if *s == symbol);
        self.at += usize::from(there);
        there
    }

    /// The end is never passed, because nothing that takes a token takes [`TokenKind::End`].
    fn peek(&self) -> &TokenKind {
        self.tokens
            .get(self.at)
            .map_or(&TokenKind::End, |t| &t.kind)
    }

    fn span(&self) -> Range<usize> {
        let token = self.tokens.get(self.at).or(self.tokens.last());
        token.map_or(0..0, |token| token.span.clone())
    }

    fn last_end(&self) -> usize {
        let last = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        last.map_or(0, |token| token.span.end)
    }

    fn unexpected(&self, expected: &str) -> ExpressionError {
        let found = match self.peek() {
            TokenKind::End => "the end".to_owned(),
            TokenKind::Number(_) => "a number".to_owned(),
            TokenKind::Name(name) => format!("`{name}`"),
            TokenKind::Symbol(symbol) => format!("`{symbol}`"),
        };
        ExpressionError::syntax(format!("expected {expected}, found {found}"), self.span())
    }
}

/// An operator with its strength, and the strength that its right side needs: one more than its own
/// for those that go from the left.
fn infix(token: &TokenKind) -> Option<(Infix, u8, u8)> {
    let name = match token {
        TokenKind::Symbol(symbol) => symbol,
        TokenKind::Name(name) => name.as_str(),
        _ => return None,
    };
    Some(match name {
        "or" => (Infix::Or, 1, 2),
        "and" => (Infix::And, 2, 3),
        "<" => (Infix::Compare(Comparison::Less), 4, 5),
        "<=" => (Infix::Compare(Comparison::LessEqual), 4, 5),
        ">" => (Infix::Compare(Comparison::Greater), 4, 5),
        ">=" => (Infix::Compare(Comparison::GreaterEqual), 4, 5),
        "==" => (Infix::Compare(Comparison::Equal), 4, 5),
        "!=" => (Infix::Compare(Comparison::NotEqual), 4, 5),
        "+" => (Infix::Arithmetic(Operator::Add), 5, 6),
        "-" => (Infix::Arithmetic(Operator::Subtract), 5, 6),
        "*" => (Infix::Arithmetic(Operator::Multiply), 6, 7),
        "/" => (Infix::Arithmetic(Operator::Divide), 6, 7),
        "^" => (Infix::Arithmetic(Operator::Power), 8, 7),
        _ => return None,
    })
}

fn combine(infix: Infix, left: Term, right: Term) -> Result<Term> {
    Ok(match infix {
        Infix::Arithmetic(operator) => {
            let (left, right) = (number(left)?, number(right)?);
            let span = left.span.start..right.span.end;
            let kind = AstKind::Arithmetic(operator, Box::new(left), Box::new(right));
            Term::Number(ast(kind, span))
        }
        Infix::Compare(comparison) => {
            let (left, right) = (number(left)?, number(right)?);
            let span = left.span.start..right.span.end;
            Term::Condition(Ask::Compare(comparison, left, right), span)
        }
        Infix::And => both(Ask::And, left, right)?,
        Infix::Or => both(Ask::Or, left, right)?,
    })
}

fn both(join: fn(Box<Ask>, Box<Ask>) -> Ask, left: Term, right: Term) -> Result<Term> {
    let (left, from) = condition(left)?;
    let (right, to) = condition(right)?;
    let ask = join(Box::new(left), Box::new(right));
    Ok(Term::Condition(ask, from.start..to.end))
}

fn number(term: Term) -> Result<Ast> {
    match term {
        Term::Number(ast) => Ok(ast),
        Term::Condition(_, span) => {
            let error = ExpressionError::syntax("a condition where a number is needed", span);
            Err(error.hint("write `if … then 1 else 0`"))
        }
    }
}

/// `a > b` becomes a − b, `a < b` becomes b − a.
fn crossing(term: Term) -> Result<Crossing> {
    let (above, below, span) = match term {
        Term::Number(value) => {
            let compared = false;
            return Ok(Crossing { value, compared });
        }
        Term::Condition(Ask::Compare(comparison, a, b), span) => match comparison {
            Comparison::Greater | Comparison::GreaterEqual => (a, b, span),
            Comparison::Less | Comparison::LessEqual => (b, a, span),
            Comparison::Equal | Comparison::NotEqual => {
                let error = ExpressionError::syntax("an equation does not become true", span);
                return Err(error.hint("write the difference of its sides, which crosses zero"));
            }
        },
        Term::Condition(_, span) => {
            let error = ExpressionError::syntax("several conditions have no one crossing", span);
            return Err(error.hint("write an event for each, or `min(…)` and `max(…)` of them"));
        }
    };
    let kind = AstKind::Arithmetic(Operator::Subtract, Box::new(above), Box::new(below));
    Ok(Crossing {
        value: ast(kind, span),
        compared: true,
    })
}

fn condition(term: Term) -> Result<(Ask, Range<usize>)> {
    match term {
        Term::Condition(ask, span) => Ok((ask, span)),
        Term::Number(ast) => {
            let message = "a number where a condition is needed";
            Err(ExpressionError::syntax(message, ast.span).hint("compare it: `x > 0`"))
        }
    }
}

fn quantity(number: f64, unit: Unit, span: Range<usize>) -> Result<Ast> {
    let value = unit.to_si(number);
    if value.is_finite() {
        return Ok(ast(AstKind::Quantity(value, unit.dimension), span));
    }
    Err(ExpressionError {
        code: Code::D107,
        message: "the quantity is not finite in SI units".to_owned(),
        span,
        hint: None,
    })
}

fn unknown_unit(name: &str, span: Range<usize>) -> ExpressionError {
    let hint = match nearest(name, units::names()) {
        Some(near) if name.len() > 1 => format!("did you mean `{near}`?"),
        _ => format!("if `{name}` is a name, write `*` before it"),
    };
    ExpressionError {
        code: Code::D108,
        message: format!("unknown unit `{name}`"),
        span,
        hint: Some(hint),
    }
}

fn is_keyword(name: &str) -> bool {
    KEYWORDS.contains(&name)
}

fn ast(kind: AstKind, span: Range<usize>) -> Ast {
    Ast { kind, span }
}
