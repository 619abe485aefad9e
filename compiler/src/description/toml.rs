//! TOML text → [`ParsedValue`].

use ::toml::Spanned;
use ::toml::de::{DeInteger, DeTable, DeValue, Error};

use super::value::{Entries, MAX_DEPTH, ParsedValue, SourcePlace, TableEntry, ValueKind};
use crate::diagnostics::{Code, Diagnostic, Diagnostics, Path};

/// Reads TOML; reports every syntax error.
pub(super) fn parse(text: &str) -> Result<ParsedValue, Diagnostics> {
    let (table, errors) = DeTable::parse_recoverable(text);
    if errors.is_empty() {
        let place = SourcePlace::Text(table.span());
        let kind = ValueKind::Table(entries(table.into_inner(), 0));
        Ok(ParsedValue { kind, place })
    } else {
        dismantle(DeValue::Table(table.into_inner()));
        let mut errors: Vec<_> = errors.iter().map(|e| diagnostic(e, text)).collect();
        errors.sort_by_key(|error| error.span.as_ref().map(|span| span.start));
        Err(errors.into_iter().collect())
    }
}

fn diagnostic(error: &Error, text: &str) -> Diagnostic {
    let message = error.message().lines().collect::<Vec<_>>().join("; ");
    let span = error.span().unwrap_or(text.len()..text.len());
    Diagnostic::error(Code::D101, &Path::root(), message).at(span)
}

/// The table of `toml` is sorted by name, so the order of writing is restored from the keys' places.
fn entries(table: DeTable<'_>, depth: usize) -> Entries {
    let mut list: Vec<_> = table.into_iter().collect();
    list.sort_by_key(|(key, _)| key.span().start);
    list.into_iter()
        .map(|(key, written)| {
            let place = SourcePlace::Text(key.span());
            let entry = TableEntry {
                key: place,
                value: value(written, depth + 1),
            };
            (key.into_inner().into_owned(), entry)
        })
        .collect()
}

/// `toml` limits the depth of values and of keys, but not of both together.
fn value(written: Spanned<DeValue<'_>>, depth: usize) -> ParsedValue {
    let place = SourcePlace::Text(written.span());
    let kind = match written.into_inner() {
        deep if depth > MAX_DEPTH => {
            dismantle(deep);
            ValueKind::Other("so deeply nested")
        }
        DeValue::String(text) => ValueKind::Text(text.into_owned()),
        DeValue::Integer(digits) => ValueKind::Number(integer(&digits)),
        DeValue::Float(digits) => ValueKind::Number(digits.as_str().parse().unwrap_or(f64::NAN)),
        DeValue::Boolean(truth) => ValueKind::Bool(truth),
        DeValue::Datetime(_) => ValueKind::Other("a date or time"),
        DeValue::Array(list) => {
            ValueKind::List(list.into_iter().map(|v| value(v, depth + 1)).collect())
        }
        DeValue::Table(table) => ValueKind::Table(entries(table, depth)),
    };
    ParsedValue { kind, place }
}

/// Drops a value without recursion.
fn dismantle(value: DeValue<'_>) {
    let mut rest = vec![value];
    while let Some(value) = rest.pop() {
        match value {
            DeValue::Table(table) => rest.extend(table.into_iter().map(|(_, v)| v.into_inner())),
            DeValue::Array(list) => rest.extend(list.into_iter().map(Spanned::into_inner)),
            _ => {}
        }
    }
}

/// Not finite if it has more digits than any number of a mechanism.
fn integer(digits: &DeInteger<'_>) -> f64 {
    i128::from_str_radix(digits.as_str(), digits.radix()).map_or(f64::INFINITY, |n| n as f64)
}
