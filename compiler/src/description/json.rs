//! JSON text → [`ParsedValue`].
//!
//! `serde_json` decides whether the text is JSON and limits its depth. A small scanner then walks the valid text for
//! the data that `serde_json` does not give: places, repeated keys and correctly rounded numbers.

use std::ops::Range;

use super::value::{Entries, ParsedValue, SourcePlace, TableEntry, ValueKind};
use crate::diagnostics::{Code, Diagnostic, Diagnostics, Path};

/// Reads JSON; reports the first syntax error, or every repeated key.
pub(super) fn parse(text: &str) -> Result<ParsedValue, Diagnostics> {
    if let Err(error) = serde_json::from_str::<serde_json::Value>(text) {
        return Err(diagnostic(&error, text).into());
    }
    let mut scanner = Scanner {
        text,
        at: 0,
        found: Diagnostics::new(),
    };
    match scanner.value(&Path::root()) {
        Some(value) if !scanner.found.has_errors() => Ok(value),
        Some(_) => Err(scanner.found),
        None => {
            let error = Diagnostic::error(Code::D101, &Path::root(), "the text is not JSON");
            Err(error.at(scanner.at..scanner.at).into())
        }
    }
}

fn diagnostic(error: &serde_json::Error, text: &str) -> Diagnostic {
    let at = offset(error, text);
    let full = error.to_string();
    let message = full.split(" at line ").next().unwrap_or(&full);
    if message == "number out of range" {
        let span = around(text, at, is_of_number);
        let message = format!("`{}` is not a finite number", &text[span.clone()]);
        return Diagnostic::error(Code::D107, &Path::root(), message).at(span);
    }
    let width = text[at..].chars().next().map_or(0, char::len_utf8);
    Diagnostic::error(Code::D101, &Path::root(), message).at(at..at + width)
}

/// The character at which `serde_json` stopped; it counts lines and bytes from one.
fn offset(error: &serde_json::Error, text: &str) -> usize {
    let before = error.line().saturating_sub(1);
    let before: usize = text.split_inclusive('\n').take(before).map(str::len).sum();
    text.floor_char_boundary(before + error.column().saturating_sub(1))
}

/// The characters on both sides of a place that belong together.
fn around(text: &str, at: usize, belongs: fn(char) -> bool) -> Range<usize> {
    let (left, right) = text.split_at(at);
    let start = left.trim_end_matches(belongs).len();
    let end = text.len() - right.trim_start_matches(belongs).len();
    start..end
}

fn is_of_number(c: char) -> bool {
    matches!(c, '0'..='9' | '+' | '-' | '.' | 'e' | 'E')
}

struct Scanner<'t> {
    text: &'t str,
    at: usize,
    found: Diagnostics,
}

impl Scanner<'_> {
    /// `None` only if the text is not JSON after all.
    fn value(&mut self, path: &Path) -> Option<ParsedValue> {
        let start = self.skip_space();
        let kind = match self.peek()? {
            b'{' => ValueKind::Table(self.table(path)?),
            b'[' => ValueKind::List(self.list(path)?),
            b'"' => ValueKind::Text(self.string()?),
            b't' => self.word("true", ValueKind::Bool(true))?,
            b'f' => self.word("false", ValueKind::Bool(false))?,
            b'n' => self.word("null", ValueKind::Other("null"))?,
            _ => ValueKind::Number(self.number()?),
        };
        let place = SourcePlace::Text(start..self.at);
        Some(ParsedValue { kind, place })
    }

    fn table(&mut self, path: &Path) -> Option<Entries> {
        let mut entries = Entries::new();
        self.at += 1;
        while !self.eat(b'}') {
            let start = self.skip_space();
            let name = self.string()?;
            let key = SourcePlace::Text(start..self.at);
            self.eat(b':').then_some(())?;
            let value = self.value(&path.key(&name))?;
            self.eat(b',');
            if entries.contains_key(&name) {
                self.repeated(&path.key(&name), &key);
            }
            entries.insert(name, TableEntry { key, value });
        }
        Some(entries)
    }

    fn repeated(&mut self, path: &Path, key: &SourcePlace) {
        let error = Diagnostic::error(Code::D101, path, format!("`{path}` is written twice"));
        self.found.push(match key {
            SourcePlace::Text(range) => error.at(range.clone()),
            SourcePlace::Token(_) => error,
        });
    }

    fn list(&mut self, path: &Path) -> Option<Vec<ParsedValue>> {
        let mut list = Vec::new();
        self.at += 1;
        while !self.eat(b']') {
            list.push(self.value(&path.index(list.len()))?);
            self.eat(b',');
        }
        Some(list)
    }

    fn string(&mut self) -> Option<String> {
        let start = self.at;
        self.at += 1;
        loop {
            match self.peek()? {
                b'"' => break,
                b'\\' => self.at += 2,
                _ => self.at += 1,
            }
        }
        self.at += 1;
        serde_json::from_str(self.text.get(start..self.at)?).ok()
    }

    fn word(&mut self, word: &str, kind: ValueKind) -> Option<ValueKind> {
        self.at += word.len();
        Some(kind)
    }

    fn number(&mut self) -> Option<f64> {
        let rest = self.text.get(self.at..)?;
        let digits = &rest[..rest.len() - rest.trim_start_matches(is_of_number).len()];
        self.at += digits.len();
        digits.parse().ok()
    }

    fn eat(&mut self, byte: u8) -> bool {
        self.skip_space();
        let there = self.peek() == Some(byte);
        self.at += usize::from(there);
        there
    }

    fn skip_space(&mut self) -> usize {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
        self.at
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }
}
