//! A stand-in for the reader's expression parser.

use std::ops::Range;

use crate::description::expression::{Ask, Ast, AstKind, Comparison, Dimension, Operator};
use crate::diagnostics::Code;

/// What is wrong with an expression.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ExpressionError {
    /// D110 for the grammar, D108 for an unknown unit.
    pub code: Code,
    /// One sentence.
    pub message: String,
    /// Where, in the text.
    pub span: Range<usize>,
    /// The next move.
    pub hint: Option<String>,
}

/// Text → tree.
pub(super) fn parse(text: &str) -> Result<Ast, ExpressionError> {
    let mut parser = Parser {
        tokens: tokens(text)?,
        at: 0,
        end: text.len(),
        depth: 0,
    };
    let ast = parser.expression(0)?;
    match parser.peek() {
        None => Ok(ast),
        Some(_) => Err(parser.wrong("unexpected text after the expression")),
    }
}

type Token = (String, Range<usize>);

struct Parser {
    tokens: Vec<Token>,
    at: usize,
    end: usize,
    depth: usize,
}

fn tokens(text: &str) -> Result<Vec<Token>, ExpressionError> {
    let bytes: Vec<(usize, char)> = text.char_indices().collect();
    let mut list = Vec::new();
    let mut i = 0;
    let end = |i: usize| bytes.get(i).map_or(text.len(), |(at, _)| *at);
    while i < bytes.len() {
        let (start, c) = bytes[i];
        let from = i;
        i += 1;
        if c.is_whitespace() {
            continue;
        } else if c.is_ascii_digit() || c == '.' {
            while i < bytes.len() {
                let d = bytes[i].1;
                let exponent = matches!(d, 'e' | 'E')
                    && bytes
                        .get(i + 1)
                        .is_some_and(|(_, n)| n.is_ascii_digit() || *n == '-');
                let sign = d == '-' && matches!(bytes[i - 1].1, 'e' | 'E') && i > from;
                if !(d.is_ascii_digit() || d == '.' || exponent || sign) {
                    break;
                }
                i += 1;
            }
        } else if c.is_alphabetic() || c == '_' {
            while i < bytes.len()
                && (bytes[i].1.is_alphanumeric() || matches!(bytes[i].1, '_' | '.'))
            {
                i += 1;
            }
        } else if matches!(c, '<' | '>' | '=' | '!') && bytes.get(i).is_some_and(|(_, n)| *n == '=')
        {
            i += 1;
        } else if !"+-*/^(),<>".contains(c) {
            return Err(ExpressionError {
                code: Code::D110,
                message: format!("unexpected `{c}`"),
                span: start..end(i),
                hint: None,
            });
        }
        list.push((text[start..end(i)].to_owned(), start..end(i)));
    }
    Ok(list)
}

fn unit(name: &str) -> Option<(f64, [i8; 3])> {
    Some(match name {
        "m" => (1.0, [0, 1, 0]),
        "mm" => (1e-3, [0, 1, 0]),
        "cm" => (1e-2, [0, 1, 0]),
        "kg" => (1.0, [1, 0, 0]),
        "g" => (1e-3, [1, 0, 0]),
        "s" => (1.0, [0, 0, 1]),
        "ms" => (1e-3, [0, 0, 1]),
        "rad" => (1.0, [0, 0, 0]),
        "deg" => (std::f64::consts::PI / 180.0, [0, 0, 0]),
        "rpm" => (std::f64::consts::PI / 30.0, [0, 0, -1]),
        "N" => (1.0, [1, 1, -2]),
        _ => return None,
    })
}

impl Parser {
    fn peek(&self) -> Option<&str> {
        self.tokens.get(self.at).map(|(text, _)| text.as_str())
    }

    fn eat(&mut self, word: &str) -> bool {
        let found = self.peek() == Some(word);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, word: &str) -> Result<(), ExpressionError> {
        if self.eat(word) {
            Ok(())
        } else {
            Err(self.wrong(&format!("expected `{word}`")))
        }
    }

    fn start(&self) -> usize {
        self.tokens
            .get(self.at)
            .map_or(self.end, |(_, span)| span.start)
    }

    fn wrong(&self, message: &str) -> ExpressionError {
        let span = self
            .tokens
            .get(self.at)
            .map_or(self.end..self.end, |(_, span)| span.clone());
        ExpressionError {
            code: if message.starts_with("unknown unit") {
                Code::D108
            } else {
                Code::D110
            },
            message: message.to_owned(),
            span,
            hint: None,
        }
    }

    fn ast(&self, kind: AstKind, start: usize) -> Ast {
        let end = self.tokens[..self.at.min(self.tokens.len())]
            .last()
            .map_or(start, |(_, span)| span.end);
        Ast {
            kind,
            span: start..end,
        }
    }

    fn expression(&mut self, level: u8) -> Result<Ast, ExpressionError> {
        self.depth += 1;
        if self.depth > 100 {
            return Err(self.wrong("nested too deeply"));
        }
        let start = self.start();
        let mut left = self.prefix()?;
        while let Some((operator, binding)) = self.peek().and_then(operator) {
            if binding < level {
                break;
            }
            self.at += 1;
            let next = if operator == Operator::Power {
                binding
            } else {
                binding + 1
            };
            let right = self.expression(next)?;
            left = self.ast(
                AstKind::Arithmetic(operator, Box::new(left), Box::new(right)),
                start,
            );
        }
        self.depth -= 1;
        Ok(left)
    }

    fn prefix(&mut self) -> Result<Ast, ExpressionError> {
        let start = self.start();
        let Some(token) = self.peek().map(str::to_owned) else {
            return Err(self.wrong("the expression ends too early"));
        };
        self.at += 1;
        match token.as_str() {
            "-" => {
                let inner = self.expression(3)?;
                Ok(self.ast(AstKind::Negate(Box::new(inner)), start))
            }
            "(" => {
                let inner = self.expression(0)?;
                self.expect(")")?;
                Ok(inner)
            }
            "if" => {
                let ask = self.or()?;
                self.expect("then")?;
                let yes = self.expression(0)?;
                self.expect("else")?;
                let no = self.expression(0)?;
                Ok(self.ast(
                    AstKind::If(Box::new(ask), Box::new(yes), Box::new(no)),
                    start,
                ))
            }
            _ => self.atom(&token, start),
        }
    }

    fn atom(&mut self, token: &str, start: usize) -> Result<Ast, ExpressionError> {
        if let Ok(value) = token.parse::<f64>()
            && token.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        {
            return self.quantity(value, start);
        }
        if !token.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            self.at -= 1;
            return Err(self.wrong("expected a number or a name"));
        }
        if !self.eat("(") {
            let parts = token.split('.').map(str::to_owned).collect();
            return Ok(self.ast(AstKind::Name(parts), start));
        }
        let mut arguments = Vec::new();
        if !self.eat(")") {
            loop {
                arguments.push(self.expression(0)?);
                if !self.eat(",") {
                    break;
                }
            }
            self.expect(")")?;
        }
        Ok(self.ast(AstKind::Call(token.to_owned(), arguments), start))
    }

    fn quantity(&mut self, value: f64, start: usize) -> Result<Ast, ExpressionError> {
        let word = self
            .peek()
            .is_some_and(|t| t.starts_with(char::is_alphabetic));
        if !word || matches!(self.peek(), Some("then" | "else" | "and" | "or")) {
            return Ok(self.ast(AstKind::Number(value), start));
        }
        let (mut scale, mut exponents, mut sign) = (1.0, [0_i8; 3], 1_i8);
        loop {
            let Some((factor, unit)) = self.peek().and_then(unit) else {
                let name = self.peek().unwrap_or_default().to_owned();
                return Err(self.wrong(&format!("unknown unit `{name}`")));
            };
            self.at += 1;
            let mut n = sign;
            if self.eat("^") {
                n *= self.peek().and_then(|t| t.parse::<i8>().ok()).unwrap_or(1);
                self.at += 1;
            }
            scale *= f64::powi(factor, i32::from(n));
            for k in 0..3 {
                exponents[k] += n * unit[k];
            }
            let follows = self
                .tokens
                .get(self.at + 1)
                .is_some_and(|(t, _)| unit_name(t));
            match self.peek() {
                Some("*") if follows => sign = 1,
                Some("/") if follows => sign = -1,
                _ => break,
            }
            self.at += 1;
        }
        let dimension = Dimension {
            mass: exponents[0],
            length: exponents[1],
            time: exponents[2],
        };
        Ok(self.ast(AstKind::Quantity(value * scale, dimension), start))
    }

    fn or(&mut self) -> Result<Ask, ExpressionError> {
        let mut left = self.and()?;
        while self.eat("or") {
            left = Ask::Or(Box::new(left), Box::new(self.and()?));
        }
        Ok(left)
    }

    fn and(&mut self) -> Result<Ask, ExpressionError> {
        let mut left = self.comparison()?;
        while self.eat("and") {
            left = Ask::And(Box::new(left), Box::new(self.comparison()?));
        }
        Ok(left)
    }

    fn comparison(&mut self) -> Result<Ask, ExpressionError> {
        if self.eat("not") {
            return Ok(Ask::Not(Box::new(self.comparison()?)));
        }
        let left = self.expression(0)?;
        let comparison = match self.peek() {
            Some("<") => Comparison::Less,
            Some("<=") => Comparison::LessEqual,
            Some(">") => Comparison::Greater,
            Some(">=") => Comparison::GreaterEqual,
            Some("==") => Comparison::Equal,
            Some("!=") => Comparison::NotEqual,
            _ => return Err(self.wrong("expected a comparison")),
        };
        self.at += 1;
        Ok(Ask::Compare(comparison, left, self.expression(0)?))
    }
}

fn unit_name(name: &str) -> bool {
    unit(name).is_some()
}

fn operator(token: &str) -> Option<(Operator, u8)> {
    Some(match token {
        "+" => (Operator::Add, 1),
        "-" => (Operator::Subtract, 1),
        "*" => (Operator::Multiply, 2),
        "/" => (Operator::Divide, 2),
        "^" => (Operator::Power, 3),
        _ => return None,
    })
}
