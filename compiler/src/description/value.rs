//! The one tree behind TOML, JSON and tokens: values with the place where each was written.

use std::ops::Range;

use indexmap::IndexMap;
use proc_macro2::Span;

use super::{json, tokens, toml};
use crate::diagnostics::{Code, Diagnostic, Diagnostics, Path};
use crate::source::Source;

/// The place of an element.
#[derive(Clone, Debug)]
pub enum SourcePlace {
    /// A byte range of a text; on character boundaries.
    Text(Range<usize>),
    /// A token of `mechanism!`.
    Token(Span),
}

/// A value and its place.
#[derive(Clone, Debug)]
pub(super) struct ParsedValue {
    pub kind: ValueKind,
    pub place: SourcePlace,
}

/// Entries by key, in the order of the text.
pub(super) type Entries = IndexMap<String, TableEntry>;

/// A value of a table and the place of its key.
#[derive(Clone, Debug)]
pub(super) struct TableEntry {
    pub key: SourcePlace,
    pub value: ParsedValue,
}

#[derive(Clone, Debug)]
pub(super) enum ValueKind {
    Table(Entries),
    List(Vec<ParsedValue>),
    Text(String),
    Number(f64),
    Bool(bool),
    /// A value of a format that no description needs, in words: `a date`, `null`.
    Other(&'static str),
}

/// Deeper values are refused, so that a walk over a tree never exhausts the stack.
pub(super) const MAX_DEPTH: usize = 80;

/// Reads the syntax of a source, whatever its format.
pub(super) fn tree(source: &Source) -> Result<ParsedValue, Diagnostics> {
    match source {
        Source::Toml { text, .. } => toml::parse(text),
        Source::Json { text, .. } => json::parse(text),
        Source::Tokens(source) => tokens::parse(source).map_err(|error| {
            Diagnostic::error(Code::D101, &Path::root(), error.to_string()).into()
        }),
    }
}

impl ValueKind {
    /// Its kind, in words.
    pub fn noun(&self) -> &'static str {
        match self {
            ValueKind::Table(_) => "a table",
            ValueKind::List(_) => "a list",
            ValueKind::Text(_) => "a text",
            ValueKind::Number(_) => "a number",
            ValueKind::Bool(_) => "a boolean",
            ValueKind::Other(noun) => noun,
        }
    }
}
