//! From values to the types of a description, by hand. A derive would stop at the first error, and its messages would
//! not help where the shape of a value decides its type.

use indexmap::IndexMap;
use serde::de::DeserializeOwned;
use serde::de::value::StrDeserializer;

use super::hints;
use super::value::{Entries, ParsedValue, SourcePlace, ValueKind};
use crate::diagnostics::{Code, Diagnostic, Diagnostics, Path, nearest};

/// A type that can be read from a value.
pub(super) trait Read: Sized {
    /// The expected value, for messages: `a number`.
    const WHAT: &'static str;

    /// `None` if there is an error, which is then in `found`.
    fn read(value: &ParsedValue, at: &Path, found: &mut Diagnostics) -> Option<Self>;
}

/// Implements [`Read`] for a struct: for each field its key and whether it is `required`,
/// `optional` (an `Option`) or `defaulted`. All fields are read before any failure leaves.
macro_rules! table {
    ($type:ident { $($field:ident $key:literal $mode:ident),* $(,)? }) => {
        impl $type {
            pub(super) const KEYS: &[&str] = &[$($key),*];
        }

        impl $crate::description::fields::Read for $type {
            const WHAT: &'static str = "a table";

            fn read(value: &ParsedValue, at: &Path, found: &mut Diagnostics) -> Option<Self> {
                let mut fields = Fields::new(value, at, Self::KEYS, found)?;
                $(let $field = fields.$mode($key);)*
                Some(Self { $($field: $field?),* })
            }
        }
    };
}

/// Implements [`Read`] for enums of words; the words are those that serde knows.
macro_rules! words {
    ($($type:ident $what:literal)*) => {$(
        impl $crate::description::fields::Read for $type {
            const WHAT: &'static str = $what;

            fn read(value: &ParsedValue, at: &Path, found: &mut Diagnostics) -> Option<Self> {
                $crate::description::fields::word(value, at, $what, found)
            }
        }
    )*};
}

pub(super) use {table, words};

/// The entries of a table, while a type is read from them.
pub(super) struct Fields<'v, 'f> {
    entries: &'v Entries,
    at: &'v Path,
    found: &'f mut Diagnostics,
}

impl<'v, 'f> Fields<'v, 'f> {
    /// Reports every key that is not among `keys`.
    pub fn new(
        value: &'v ParsedValue,
        at: &'v Path,
        keys: &[&'static str],
        found: &'f mut Diagnostics,
    ) -> Option<Self> {
        let ValueKind::Table(entries) = &value.kind else {
            return mismatch(value, at, "a table", found);
        };
        for (name, entry) in entries {
            if !keys.contains(&name.as_str()) {
                found.push(unknown_key(name, &entry.key, at, keys));
            }
        }
        Some(Self { entries, at, found })
    }

    pub fn required<T: Read>(&mut self, key: &str) -> Option<T> {
        if !self.entries.contains_key(key) {
            let message = format!("{} has no `{key}`", element(self.at));
            let hint = match hints::missing(self.at, key) {
                Some(hint) => hint.to_owned(),
                None => format!("`{key}` must be {}", T::WHAT),
            };
            let error = Diagnostic::error(Code::D103, self.at, message)
                .label(format!("`{key}` is missing"))
                .hint(hint);
            self.found.push(error);
        }
        self.optional(key)?
    }

    pub fn optional<T: Read>(&mut self, key: &str) -> Option<Option<T>> {
        match self.entries.get(key) {
            Some(entry) => T::read(&entry.value, &self.at.key(key), self.found).map(Some),
            None => Some(None),
        }
    }

    pub fn defaulted<T: Read + Default>(&mut self, key: &str) -> Option<T> {
        self.optional(key).map(Option::unwrap_or_default)
    }
}

/// Reports a value of the wrong kind.
pub(super) fn mismatch<T>(
    value: &ParsedValue,
    at: &Path,
    what: &str,
    found: &mut Diagnostics,
) -> Option<T> {
    let message = format!("{} must be {what}, not {}", element(at), value.kind.noun());
    found.push(Diagnostic::error(Code::D104, at, message).label(format!("expected {what}")));
    None
}

/// An enum of words.
pub(super) fn word<T: DeserializeOwned>(
    value: &ParsedValue,
    at: &Path,
    what: &str,
    found: &mut Diagnostics,
) -> Option<T> {
    let ValueKind::Text(text) = &value.kind else {
        return mismatch(value, at, what, found);
    };
    match T::deserialize(StrDeserializer::new(text)) {
        Ok(word) => Some(word),
        Err(Words(words)) => {
            let message = format!("{} must be {what}, not `{text}`", element(at));
            let error = Diagnostic::error(Code::D104, at, message);
            let hint = hints::word(at, text);
            found.push(error.hint(hint.unwrap_or_else(|| suggestion(text, words))));
            None
        }
    }
}

fn unknown_key(name: &str, key: &SourcePlace, at: &Path, keys: &[&'static str]) -> Diagnostic {
    let message = match at.parent() {
        Some(_) => format!("`{at}` has no key `{name}`"),
        None => format!("a description has no key `{name}`"),
    };
    let error = Diagnostic::error(Code::D102, &at.key(name), message)
        .label("unknown key")
        .hint(hints::key(at, name).unwrap_or_else(|| suggestion(name, keys)));
    match key {
        SourcePlace::Text(range) => error.at(range.clone()),
        SourcePlace::Token(_) => error,
    }
}

pub(super) fn suggestion(name: &str, known: &[&str]) -> String {
    match nearest(name, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("one of `{}`", known.join("`, `")),
    }
}

fn element(at: &Path) -> String {
    match at.parent() {
        Some(_) => format!("`{at}`"),
        None => "the description".to_owned(),
    }
}

impl Read for String {
    const WHAT: &'static str = "a text";

    fn read(value: &ParsedValue, at: &Path, found: &mut Diagnostics) -> Option<Self> {
        match &value.kind {
            ValueKind::Text(text) => Some(text.clone()),
            _ => mismatch(value, at, Self::WHAT, found),
        }
    }
}

impl Read for bool {
    const WHAT: &'static str = "`true` or `false`";

    fn read(value: &ParsedValue, at: &Path, found: &mut Diagnostics) -> Option<Self> {
        match &value.kind {
            ValueKind::Bool(truth) => Some(*truth),
            _ => mismatch(value, at, Self::WHAT, found),
        }
    }
}

impl<T: Read> Read for Box<T> {
    const WHAT: &'static str = T::WHAT;

    fn read(value: &ParsedValue, at: &Path, found: &mut Diagnostics) -> Option<Self> {
        T::read(value, at, found).map(Self::new)
    }
}

impl<T: Read> Read for Vec<T> {
    const WHAT: &'static str = "a list";

    fn read(value: &ParsedValue, at: &Path, found: &mut Diagnostics) -> Option<Self> {
        let ValueKind::List(list) = &value.kind else {
            return mismatch(value, at, Self::WHAT, found);
        };
        let read = list.iter().enumerate();
        let read: Vec<_> = read
            .map(|(i, value)| T::read(value, &at.index(i), found))
            .collect();
        read.into_iter().collect()
    }
}

impl<T: Read> Read for IndexMap<String, T> {
    const WHAT: &'static str = "a table";

    fn read(value: &ParsedValue, at: &Path, found: &mut Diagnostics) -> Option<Self> {
        let ValueKind::Table(entries) = &value.kind else {
            return mismatch(value, at, Self::WHAT, found);
        };
        let read: Vec<_> = entries
            .iter()
            .map(|(name, entry)| {
                let read = T::read(&entry.value, &at.key(name), found)?;
                Some((name.clone(), read))
            })
            .collect();
        read.into_iter().collect()
    }
}

/// The words for two values of a type.
pub(super) trait PairNames: Read {
    const TWO: &'static str;
}

impl PairNames for String {
    const TWO: &'static str = "a list of two texts";
}

impl<T: PairNames> Read for [T; 2] {
    const WHAT: &'static str = T::TWO;

    fn read(value: &ParsedValue, at: &Path, found: &mut Diagnostics) -> Option<Self> {
        let ValueKind::List(list) = &value.kind else {
            return mismatch(value, at, Self::WHAT, found);
        };
        if list.len() != 2 {
            let message = format!(
                "{} must be {}, not of {}",
                element(at),
                Self::WHAT,
                list.len()
            );
            found.push(Diagnostic::error(Code::D104, at, message));
            return None;
        }
        Vec::<T>::read(value, at, found)?.try_into().ok()
    }
}

/// The words that serde would have taken, caught from its error.
#[derive(Debug)]
struct Words(&'static [&'static str]);

impl std::fmt::Display for Words {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0.join(", "))
    }
}

impl std::error::Error for Words {}

impl serde::de::Error for Words {
    fn custom<T: std::fmt::Display>(_: T) -> Self {
        Self(&[])
    }

    fn unknown_variant(_: &str, expected: &'static [&'static str]) -> Self {
        Self(expected)
    }
}
