//! Numbers with units: `3 mm`, `9.81 m/s^2`, `-20 N*m*s`.
//!
//! A name right after a number is a unit, because a product needs its `*`. Units that follow with `*` or `/` belong
//! to it. A name that is already a number of the description may also be the name of a unit. It means the number if
//! the operator before it has spaces, `0.5 kg * h^2`. If it looks like part of a unit, `0.5 kg*h` or `2 h + x`, it is
//! ambiguous and the text is refused. But `2 h` alone, as a whole text, in parentheses or as an argument, is a
//! quantity. `t` is a tonne only right after a fixed number.

use std::ops::Range;

use super::lexer::TokenKind;
use super::parser::{Parser, Result, ast, is_keyword};
use super::{Ast, AstKind, ExpressionError, Operator};
use crate::description::units::{self, UnitWord};
use crate::diagnostics::{Code, nearest};

impl Parser<'_> {
    /// A number, with its unit if a name follows. `after` is the operator before it. A power belongs to the
    /// unit: `3 mm^2`.
    pub(super) fn number(&mut self, number: f64, after: Option<Operator>) -> Result<Ast> {
        let (first, span) = (self.at, self.span());
        self.at += 1;
        let name = match self.peek() {
            TokenKind::Name(name) if !is_keyword(name) => name.clone(),
            _ => return Ok(ast(AstKind::Number(number), span)),
        };
        let Some(mut unit) = self.unit_power()? else {
            return Err(self.unknown_unit(&name));
        };
        let simple = self.at;
        while let Some(link) = self.link()? {
            unit = unit * link;
        }
        self.adjacent_unit(first)?;
        self.grouped(first, simple, after)?;
        self.meant(&name, first)?;
        quantity(number, unit, span.start..self.last_end())
    }

    /// `mm`, `s^2`, `s^-1`; consumes nothing if there is none.
    fn unit_power(&mut self) -> Result<Option<UnitWord>> {
        let TokenKind::Name(name) = self.peek() else {
            return Ok(None);
        };
        let Some(unit) = units::unit(name) else {
            return Ok(None);
        };
        self.at += 1;
        if *self.peek() != TokenKind::Symbol("^") {
            return Ok(Some(unit));
        }
        match self.unit_exponent() {
            Some(exponent) => Ok(Some(unit.powi(exponent))),
            None => {
                let message = "the power of a unit is a whole number up to 9";
                let error = ExpressionError::syntax(message, self.span());
                Err(error.hint("put the quantity in parentheses to raise it: `(3 mm)^n`"))
            }
        }
    }

    fn unit_exponent(&mut self) -> Option<i8> {
        let start = self.at;
        self.eat("^");
        let sign = if self.eat("-") { -1 } else { 1 };
        let exponent = match *self.peek() {
            TokenKind::Number(n) if n.fract() == 0.0 && n <= 9.0 => Some(sign * n as i8),
            _ => None,
        };
        self.at = exponent.map_or(start, |_| self.at + 1);
        exponent
    }

    /// The next unit of a compound one, `*m` or `/s^2`; consumes nothing if a name or anything else follows.
    fn link(&mut self) -> Result<Option<UnitWord>> {
        let over = match self.peek() {
            TokenKind::Symbol("*") => false,
            TokenKind::Symbol("/") => true,
            _ => return Ok(None),
        };
        let Some(TokenKind::Name(name)) = self.kind(self.at + 1) else {
            return Ok(None);
        };
        let called = self.kind(self.at + 2) == Some(&TokenKind::Symbol("("));
        if called || name == "t" || units::unit(name).is_none() {
            return Ok(None);
        }
        if let Some(what) = (self.known.number)(name) {
            return match self.is_tight() {
                true => Err(self.glued(what)),
                false => Ok(None),
            };
        }
        self.at += 1;
        let unit = self.unit_power()?;
        Ok(unit.map(|unit| if over { unit.powi(-1) } else { unit }))
    }

    fn kind(&self, at: usize) -> Option<&TokenKind> {
        self.tokens.get(at).map(|token| &token.kind)
    }

    /// True if the operator here touches both of its neighbours.
    fn is_tight(&self) -> bool {
        let touches = |a: usize| match self.tokens.get(a..a + 2) {
            Some([a, b]) => a.span.end == b.span.start,
            _ => false,
        };
        self.at > 0 && touches(self.at - 1) && touches(self.at)
    }

    /// `0.5 kg*h` where `h` is a number of the description.
    fn glued(&self, what: &str) -> ExpressionError {
        let operator = self.written(self.at, self.at + 1);
        let name = self.written(self.at + 1, self.at + 2);
        let span = self.tokens[self.at + 1].span.clone();
        let hint = format!(
            "write `… {operator} {name}` for {what}, `…{operator}(1 {name})` for the unit, or rename `{name}`"
        );
        both(name, what, span).hint(hint)
    }

    /// Refuses a unit right after a number if it could be a name: `t` anywhere in a law, and numbers of the
    /// description unless the quantity stands alone.
    fn meant(&self, name: &str, first: usize) -> Result<()> {
        let span = self.tokens[first + 1].span.clone();
        let number = self.written(first, first + 1);
        if name == "t" && self.known.time {
            let hint = format!("write `{number} * t` for time; a tonne is `1000 kg`");
            return Err(both(name, "time", span).hint(hint));
        }
        match (self.known.number)(name) {
            Some(what) if !self.is_alone(first) => {
                let quantity = self.written(first, self.at);
                Err(both(name, what, span).hint(format!(
                    "write `{number} * {name}` for {what}, `({quantity})` for the unit"
                )))
            }
            _ => Ok(()),
        }
    }

    /// True if the tokens from this one to here are a whole text, in parentheses or an argument, apart from a sign.
    fn is_alone(&self, first: usize) -> bool {
        let before = |at: usize| at.checked_sub(1).and_then(|at| self.kind(at));
        let signed = matches!(before(first), Some(TokenKind::Symbol("-" | "+")));
        let opened = matches!(
            before(first - usize::from(signed)),
            None | Some(TokenKind::Symbol("(" | ","))
        );
        opened && matches!(self.peek(), TokenKind::End | TokenKind::Symbol(")" | ","))
    }

    /// Refuses `a / 3 N*m`, which divides by `3 N*m` or only by `3 N`, and `a^3 m`.
    fn grouped(&self, first: usize, simple: usize, after: Option<Operator>) -> Result<()> {
        let span = self.tokens[first].span.start..self.last_end();
        let quantity = self.written(first, self.at);
        match after {
            Some(Operator::Divide) if self.at > simple => {
                let rest = self.written(simple, self.at);
                let part = self.written(first, simple);
                let message = format!(
                    "`/ {quantity}` could divide by all of it, or by `{part}` and go on with `{rest}`"
                );
                let hint = format!("write `/ ({quantity})`, or put `(… / {part})` in parentheses");
                Err(ambiguous(message, span).hint(hint))
            }
            Some(Operator::Power) => {
                let number = self.written(first, first + 1);
                let message = format!(
                    "`^{quantity}` could be a power of `{quantity}`, or of {number} with the unit after it"
                );
                let hint = format!("write `^({quantity})`, or put `(…^{number})` in parentheses");
                Err(ambiguous(message, span).hint(hint))
            }
            _ => Ok(()),
        }
    }

    /// Refuses a unit that follows a unit, as in `kg m^2`.
    fn adjacent_unit(&self, first: usize) -> Result<()> {
        if self.unit_like(self.at).is_none() {
            return Ok(());
        }
        let hint = format!(
            "units combine with `*` and `/`: write `{}`",
            self.joined(first)
        );
        Err(self.unexpected("an operator").hint(hint))
    }

    /// A token that is a unit, or one that is spelled out or has its power without a `^`.
    fn unit_like(&self, at: usize) -> Option<String> {
        let Some(TokenKind::Name(name)) = self.kind(at) else {
            return None;
        };
        let called = self.kind(at + 1) == Some(&TokenKind::Symbol("("));
        let known = units::unit(name).map(|_| name.clone());
        known
            .or_else(|| units::meant(name).map(str::to_owned))
            .or_else(|| factors(name, 4).filter(|_| is_powered(name)))
            .filter(|_| !called && !is_keyword(name))
    }

    /// All units after a number, as they would be written: `kg m^2 / s` as `kg*m^2/s`.
    fn joined(&self, number: usize) -> String {
        let mut text = String::new();
        let mut at = number + 1;
        let mut apart = true;
        loop {
            let is_power = matches!(self.kind(at + 1), Some(TokenKind::Number(_)));
            match (self.kind(at), self.unit_like(at)) {
                (_, Some(unit)) => {
                    text += if apart { "" } else { "*" };
                    text += &unit;
                    apart = false;
                }
                (Some(TokenKind::Symbol(symbol @ ("*" | "/"))), _) if !apart => {
                    text += symbol;
                    apart = true;
                }
                (Some(TokenKind::Symbol("^")), _) if !apart && is_power => {
                    text += self.written(at, at + 2);
                    at += 1;
                }
                _ => return text.trim_end_matches(['*', '/']).to_owned(),
            }
            at += 1;
        }
    }

    fn unknown_unit(&self, name: &str) -> ExpressionError {
        let number = self.written(self.at - 1, self.at);
        let called = self.kind(self.at + 1) == Some(&TokenKind::Symbol("("));
        let near = || nearest(name, units::names()).filter(|_| name.len() > 1);
        // Without a power, a typing error is more likely than a product.
        let product = || factors(name, 4).filter(|_| is_powered(name));
        let meant = units::meant(name).map(str::to_owned).or_else(product);
        let meant = meant.or_else(|| near().map(str::to_owned));
        let hint = match ((self.known.number)(name), meant) {
            (Some(what), _) => format!("`{name}` is {what}: write `*` before it"),
            (None, _) if called => format!("write `{number} * {name}(…)`"),
            (None, Some(unit)) => format!("did you mean `{unit}`? Write `{number} {unit}`"),
            (None, None) => format!("if `{name}` is a name, write `*` before it"),
        };
        ExpressionError {
            code: Code::D108,
            message: format!("unknown unit `{name}`"),
            span: self.span(),
            hint: Some(hint),
        }
    }
}

/// True of `m2` and `kgm2`.
fn is_powered(name: &str) -> bool {
    name.ends_with(|c: char| c.is_ascii_digit())
}

/// `m2` as `m^2`, `kgm2` as `kg*m^2`: the longest unit first.
fn factors(name: &str, at_most: usize) -> Option<String> {
    if at_most == 0 {
        return None;
    }
    let mut units: Vec<&str> = units::names()
        .filter(|unit| name.starts_with(unit))
        .collect();
    units.sort_by_key(|unit| std::cmp::Reverse(unit.len()));
    units.into_iter().find_map(|unit| {
        let rest = &name[unit.len()..];
        let digits = rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(rest.len());
        let (power, rest) = rest.split_at(digits);
        let first = match power {
            "" => unit.to_owned(),
            power => format!("{unit}^{power}"),
        };
        match rest {
            "" => Some(first),
            rest => factors(rest, at_most - 1).map(|others| format!("{first}*{others}")),
        }
    })
}

/// The error for a name that is also a unit.
fn both(name: &str, what: &str, span: Range<usize>) -> ExpressionError {
    ambiguous(
        format!("`{name}` is {what} here, and also a unit; either could be meant"),
        span,
    )
}

fn ambiguous(message: String, span: Range<usize>) -> ExpressionError {
    ExpressionError {
        code: Code::D113,
        ..ExpressionError::syntax(message, span)
    }
}

fn quantity(number: f64, unit: UnitWord, span: Range<usize>) -> Result<Ast> {
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
