//! Text → tokens of an expression.

use std::ops::Range;

use super::ExpressionError;
use crate::diagnostics::Code;

/// A token and its byte range.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token {
    pub kind: TokenKind,
    pub span: Range<usize>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum TokenKind {
    Number(f64),
    /// A name, dotted or not; keywords are names here.
    Name(String),
    Symbol(&'static str),
    End,
}

/// Longer symbols come first, so that `<=` is not read as `<`.
const SYMBOLS: &[(&str, &str)] = &[
    ("**", "^"),
    ("<=", "<="),
    (">=", ">="),
    ("==", "=="),
    ("!=", "!="),
    ("+", "+"),
    ("-", "-"),
    ("−", "-"),
    ("*", "*"),
    ("·", "*"),
    ("/", "/"),
    ("^", "^"),
    ("(", "("),
    (")", ")"),
    (",", ","),
    ("<", "<"),
    (">", ">"),
];

/// The last token is always [`TokenKind::End`].
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, ExpressionError> {
    let mut tokens = Vec::new();
    let mut at = 0;
    loop {
        at += text[at..].len() - text[at..].trim_start().len();
        let rest = &text[at..];
        let (kind, length) = match rest.chars().next() {
            None => (TokenKind::End, 0),
            Some(c) if c.is_ascii_digit() || c == '.' => number(rest, at)?,
            Some(c) if starts_name(c) => name(rest),
            Some(c) => symbol(rest, c, at)?,
        };
        let span = at..at + length;
        at = span.end;
        let end = kind == TokenKind::End;
        tokens.push(Token { kind, span });
        if end {
            return Ok(tokens);
        }
    }
}

fn starts_name(c: char) -> bool {
    c.is_alphabetic() || c == '_' || c == '°'
}

/// Letters, digits and `_`, parts joined by single dots.
fn name(rest: &str) -> (TokenKind, usize) {
    let mut end = part(rest);
    while let Some(after) = rest[end..].strip_prefix('.') {
        if !after.starts_with(starts_name) {
            break;
        }
        end += 1 + part(after);
    }
    (TokenKind::Name(rest[..end].to_owned()), end)
}

fn part(rest: &str) -> usize {
    let outside = |c: char| !(c.is_alphanumeric() || starts_name(c));
    rest.find(outside).unwrap_or(rest.len())
}

/// Digits with at most one dot, and an exponent if digits follow the `e`; so `2 e` is no number.
fn number(rest: &str, at: usize) -> Result<(TokenKind, usize), ExpressionError> {
    let digits = |from: usize| {
        let tail = &rest[from..];
        from + (tail.len() - tail.trim_start_matches(|c: char| c.is_ascii_digit()).len())
    };
    let mut end = digits(0);
    if rest[end..].starts_with('.') {
        end = digits(end + 1);
    }
    if rest[end..].starts_with(['e', 'E']) {
        let sign = usize::from(rest[end + 1..].starts_with(['+', '-']));
        let exponent = digits(end + 1 + sign);
        if exponent > end + 1 + sign {
            end = exponent;
        }
    }
    match rest[..end].parse::<f64>() {
        Ok(number) if number.is_finite() => Ok((TokenKind::Number(number), end)),
        Ok(_) => Err(ExpressionError {
            code: Code::D107,
            message: format!("`{}` is not a finite number", &rest[..end]),
            span: at..at + end,
            hint: None,
        }),
        Err(_) => Err(ExpressionError::syntax(
            "a dot without digits",
            at..at + end,
        )),
    }
}

fn symbol(rest: &str, first: char, at: usize) -> Result<(TokenKind, usize), ExpressionError> {
    if let Some((written, symbol)) = SYMBOLS.iter().find(|(s, _)| rest.starts_with(s)) {
        return Ok((TokenKind::Symbol(symbol), written.len()));
    }
    let message = format!("`{first}` has no meaning in an expression");
    let error = ExpressionError::syntax(message, at..at + first.len_utf8());
    Err(match first {
        '=' => error.hint("equality is written `==`"),
        '&' => error.hint("write `and`"),
        '|' => error.hint("write `or`"),
        '!' => error.hint("write `not`"),
        _ => error,
    })
}
