//! TOML text → [`Value`].

use ::toml::Spanned;
use ::toml::de::{DeInteger, DeTable, DeValue, Error};

use super::value::{Entries, Entry, Kind, MAX_DEPTH, Place, Value};
use crate::diagnostics::{Code, Diagnostic, Diagnostics, Path};

/// Reads TOML; every syntax error is told.
pub(super) fn parse(text: &str) -> Result<Value, Diagnostics> {
    check_depth_of_keys(text)?;
    let (table, errors) = DeTable::parse_recoverable(text);
    if errors.is_empty() {
        let place = Place::Text(table.span());
        let kind = Kind::Table(entries(table.into_inner()));
        Ok(Value { kind, place })
    } else {
        Err(errors.iter().map(|error| diagnostic(error, text)).collect())
    }
}

/// Refuses dotted keys that would nest tables without bound: a line has at most [`MAX_DEPTH`] dots
/// outside of its strings.
fn check_depth_of_keys(text: &str) -> Result<(), Diagnostics> {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let key = line.split(['=', '#']).next().unwrap_or(line);
        if key.matches('.').count() > MAX_DEPTH && !key.contains(['"', '\'']) {
            let message = format!("a key has more than {MAX_DEPTH} parts");
            let error = Diagnostic::error(Code::D101, &Path::root(), message);
            return Err(error.at(start..start + key.trim_end().len()).into());
        }
        start += line.len();
    }
    Ok(())
}

fn diagnostic(error: &Error, text: &str) -> Diagnostic {
    let message = error.message().lines().collect::<Vec<_>>().join("; ");
    let span = error.span().unwrap_or(text.len()..text.len());
    Diagnostic::error(Code::D101, &Path::root(), message).at(span)
}

/// The table of `toml` is sorted by name, so the order of writing is restored from the keys' places.
fn entries(table: DeTable<'_>) -> Entries {
    let mut list: Vec<_> = table.into_iter().collect();
    list.sort_by_key(|(key, _)| key.span().start);
    list.into_iter()
        .map(|(key, written)| {
            let place = Place::Text(key.span());
            let entry = Entry {
                key: place,
                value: value(written),
            };
            (key.into_inner().into_owned(), entry)
        })
        .collect()
}

fn value(written: Spanned<DeValue<'_>>) -> Value {
    let place = Place::Text(written.span());
    let kind = match written.into_inner() {
        DeValue::String(text) => Kind::Text(text.into_owned()),
        DeValue::Integer(digits) => Kind::Number(integer(&digits)),
        DeValue::Float(digits) => Kind::Number(digits.as_str().parse().unwrap_or(f64::NAN)),
        DeValue::Boolean(truth) => Kind::Bool(truth),
        DeValue::Datetime(_) => Kind::Other("a date or time"),
        DeValue::Array(list) => Kind::List(list.into_iter().map(value).collect()),
        DeValue::Table(table) => Kind::Table(entries(table)),
    };
    Value { kind, place }
}

/// Not finite if it has more digits than any number of a mechanism.
fn integer(digits: &DeInteger<'_>) -> f64 {
    i128::from_str_radix(digits.as_str(), digits.radix()).map_or(f64::INFINITY, |n| n as f64)
}
