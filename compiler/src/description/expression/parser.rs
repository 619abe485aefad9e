//! Tokens → [`Ast`], by operator precedence:
//!
//! `or` < `and` < `not` < comparisons < `+ -` < `* /` < unary `-` < `^` (from the right).

use std::ops::Range;

use super::lexer::{Token, TokenKind};
use super::{Ask, Ast, AstKind, Comparison, Crossing, ExpressionError, Known, Operator};

/// Deeper nesting is refused, so that no text can exhaust the stack: an unoptimised build takes up to 10 kB a level,
/// of the 2 MB that a thread has.
const MAX_DEPTH: usize = 100;

/// More operations than this are refused: chains make deep trees without nesting.
const MAX_OPERATIONS: usize = 1000;

const KEYWORDS: &[&str] = &["if", "then", "else", "and", "or", "not"];

/// Binding strength of prefix operators; those of the others are in [`infix`].
const NOT: u8 = 3;
const NEGATE: u8 = 7;

pub(super) type Result<T> = std::result::Result<T, ExpressionError>;

pub(super) struct Parser<'k> {
    text: &'k str,
    pub(super) tokens: Vec<Token>,
    pub(super) at: usize,
    depth: usize,
    operations: usize,
    pub(super) known: &'k Known<'k>,
    /// The operator whose right side begins here.
    after: Option<Operator>,
}

/// Numbers and conditions share one grammar, so that parentheses fit both. They are distinguished where they are
/// used.
enum ParsedTerm {
    Number(Ast),
    Condition(Ask, Range<usize>),
}

enum Infix {
    Arithmetic(Operator),
    Compare(Comparison),
    And,
    Or,
}

impl<'k> Parser<'k> {
    /// `tokens` are those of `text` and end with [`TokenKind::End`].
    pub fn new(text: &'k str, tokens: Vec<Token>, known: &'k Known<'k>) -> Self {
        Self {
            text,
            tokens,
            at: 0,
            depth: 0,
            operations: 0,
            known,
            after: None,
        }
    }

    pub fn whole(mut self) -> Result<Ast> {
        let ast = number(self.term(0)?)?;
        self.end().map(|()| ast)
    }

    pub fn crossing(mut self) -> Result<Crossing> {
        let crossing = crossing(self.term(0)?)?;
        self.end().map(|()| crossing)
    }

    fn end(&self) -> Result<()> {
        match self.peek() {
            TokenKind::End => Ok(()),
            _ => Err(self.unexpected("an operator")),
        }
    }

    /// Everything that binds at least as strongly as `strength`.
    fn term(&mut self, strength: u8) -> Result<ParsedTerm> {
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
            self.after = match infix {
                Infix::Arithmetic(operator) => Some(operator),
                _ => None,
            };
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

    fn prefix(&mut self) -> Result<ParsedTerm> {
        let start = self.span().start;
        let after = self.after.take();
        match self.peek().clone() {
            TokenKind::Number(n) => self.number(n, after).map(ParsedTerm::Number),
            TokenKind::Name(name) if name == "if" => self.choice().map(ParsedTerm::Number),
            TokenKind::Name(name) if name == "not" => self.not(),
            TokenKind::Name(name) if !is_keyword(&name) => self.name(name).map(ParsedTerm::Number),
            TokenKind::Symbol("(") => self.parenthesis(),
            TokenKind::Symbol("+") => {
                self.at += 1;
                self.after = after;
                self.term(NEGATE)
            }
            TokenKind::Symbol("-") => {
                self.count()?;
                self.at += 1;
                self.after = after;
                let inner = number(self.term(NEGATE)?)?;
                let end = inner.span.end;
                let kind = AstKind::Negate(Box::new(inner));
                Ok(ParsedTerm::Number(ast(kind, start..end)))
            }
            _ => Err(self.unexpected("a number, a name or `(`")),
        }
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
            arguments.push(number(self.term(0)?)?);
            if !self.eat(",") && *self.peek() != TokenKind::Symbol(")") {
                return Err(self.unexpected("`,` or `)`"));
            }
        }
        let kind = AstKind::Call(name, arguments);
        Ok(ast(kind, span.start..self.last_end()))
    }

    fn parenthesis(&mut self) -> Result<ParsedTerm> {
        let open = self.span();
        self.at += 1;
        let inner = self.term(0)?;
        if !self.eat(")") {
            let error = self.unexpected("`)`");
            let hint = format!("`(` at character {} is open", open.start + 1);
            return Err(match error.hint {
                Some(_) => error,
                None => error.hint(hint),
            });
        }
        let span = open.start..self.last_end();
        Ok(match inner {
            ParsedTerm::Number(ast) => ParsedTerm::Number(Ast { span, ..ast }),
            ParsedTerm::Condition(ask, _) => ParsedTerm::Condition(ask, span),
        })
    }

    fn not(&mut self) -> Result<ParsedTerm> {
        let start = self.span().start;
        self.count()?;
        self.at += 1;
        let (ask, span) = condition(self.term(NOT)?)?;
        Ok(ParsedTerm::Condition(
            Ask::Not(Box::new(ask)),
            start..span.end,
        ))
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

    pub(super) fn eat(&mut self, symbol: &str) -> bool {
        let there = matches!(self.peek(), TokenKind::Symbol(s) if *s == symbol);
        self.at += usize::from(there);
        there
    }

    /// The end is never passed, because nothing that takes a token takes [`TokenKind::End`].
    pub(super) fn peek(&self) -> &TokenKind {
        self.tokens
            .get(self.at)
            .map_or(&TokenKind::End, |t| &t.kind)
    }

    pub(super) fn span(&self) -> Range<usize> {
        let token = self.tokens.get(self.at).or(self.tokens.last());
        token.map_or(0..0, |token| token.span.clone())
    }

    pub(super) fn last_end(&self) -> usize {
        let last = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        last.map_or(0, |token| token.span.end)
    }

    /// The text of the tokens from one up to another, which is left out.
    pub(super) fn written(&self, from: usize, to: usize) -> &'k str {
        let tokens = self.tokens.get(from..to).unwrap_or_default();
        let span = tokens.first().zip(tokens.last());
        let text = span.and_then(|(a, b)| self.text.get(a.span.start..b.span.end));
        text.unwrap_or_default()
    }

    pub(super) fn unexpected(&self, expected: &str) -> ExpressionError {
        let found = match self.peek() {
            TokenKind::End => "the end".to_owned(),
            TokenKind::Number(_) => "a number".to_owned(),
            TokenKind::Name(name) => format!("`{name}`"),
            TokenKind::Symbol(symbol) => format!("`{symbol}`"),
        };
        let error =
            ExpressionError::syntax(format!("expected {expected}, found {found}"), self.span());
        match self.decimal_comma() {
            Some(number) => error.hint(format!("decimals stand after a point: write `{number}`")),
            None => error,
        }
    }

    /// `80,5` with a point, if that stands here.
    fn decimal_comma(&self) -> Option<String> {
        let [before, comma, after] = self.tokens.get(self.at.checked_sub(1)?..self.at + 2)? else {
            return None;
        };
        let is_number = |token: &Token| matches!(token.kind, TokenKind::Number(_));
        let touches = before.span.end == comma.span.start && comma.span.end == after.span.start;
        let is_comma = comma.kind == TokenKind::Symbol(",");
        (is_comma && touches && is_number(before) && is_number(after)).then(|| {
            let whole = self.written(self.at - 1, self.at);
            format!("{whole}.{}", self.written(self.at + 1, self.at + 2))
        })
    }
}

/// An operator with its strength, and the strength that its right side needs: one more than its own for
/// left-associative operators.
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

fn combine(infix: Infix, left: ParsedTerm, right: ParsedTerm) -> Result<ParsedTerm> {
    Ok(match infix {
        Infix::Arithmetic(operator) => {
            let (left, right) = (number(left)?, number(right)?);
            let span = left.span.start..right.span.end;
            let kind = AstKind::Arithmetic(operator, Box::new(left), Box::new(right));
            ParsedTerm::Number(ast(kind, span))
        }
        Infix::Compare(comparison) => {
            let (left, right) = (number(left)?, number(right)?);
            let span = left.span.start..right.span.end;
            ParsedTerm::Condition(Ask::Compare(comparison, left, right), span)
        }
        Infix::And => both(Ask::And, left, right)?,
        Infix::Or => both(Ask::Or, left, right)?,
    })
}

fn both(
    join: fn(Box<Ask>, Box<Ask>) -> Ask,
    left: ParsedTerm,
    right: ParsedTerm,
) -> Result<ParsedTerm> {
    let (left, from) = condition(left)?;
    let (right, to) = condition(right)?;
    let ask = join(Box::new(left), Box::new(right));
    Ok(ParsedTerm::Condition(ask, from.start..to.end))
}

fn number(term: ParsedTerm) -> Result<Ast> {
    match term {
        ParsedTerm::Number(ast) => Ok(ast),
        ParsedTerm::Condition(_, span) => {
            let error = ExpressionError::syntax("a condition where a number is needed", span);
            Err(error.hint("write `if … then 1 else 0`"))
        }
    }
}

/// `a > b` becomes a − b, `a < b` becomes b − a.
fn crossing(term: ParsedTerm) -> Result<Crossing> {
    let (above, below, span) = match term {
        ParsedTerm::Number(value) => {
            let compared = false;
            return Ok(Crossing { value, compared });
        }
        ParsedTerm::Condition(Ask::Compare(comparison, a, b), span) => match comparison {
            Comparison::Greater | Comparison::GreaterEqual => (a, b, span),
            Comparison::Less | Comparison::LessEqual => (b, a, span),
            Comparison::Equal | Comparison::NotEqual => {
                let error = ExpressionError::syntax("an equation does not become true", span);
                return Err(error.hint("write the difference of its sides, which crosses zero"));
            }
        },
        ParsedTerm::Condition(_, span) => {
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

fn condition(term: ParsedTerm) -> Result<(Ask, Range<usize>)> {
    match term {
        ParsedTerm::Condition(ask, span) => Ok((ask, span)),
        ParsedTerm::Number(ast) => {
            let message = "a number where a condition is needed";
            Err(ExpressionError::syntax(message, ast.span).hint("compare it: `x > 0`"))
        }
    }
}

pub(super) fn is_keyword(name: &str) -> bool {
    KEYWORDS.contains(&name)
}

pub(super) fn ast(kind: AstKind, span: Range<usize>) -> Ast {
    Ast { kind, span }
}
