//! The places of elements in the text. A stage names elements by [`Path`]; the front ends get the place of the caret
//! here.
//!
//! The place of a table is its key (or the last name of its header), because its value may be many lines. The place
//! of any other element is its value.

use std::ops::Range;

use super::tokens;
pub use super::value::SourcePlace;
use super::value::{ParsedValue, TableEntry, ValueKind, tree};
use crate::diagnostics::{Code, Diagnostic, Path};
use crate::source::Source;

/// A source that is read once to find many places in it.
pub struct PathPlaces<'s> {
    source: &'s Source,
    root: Root,
    /// The beginnings of lines, in bytes.
    lines: Vec<usize>,
}

/// The root of the text to search.
enum Root {
    Tree(ParsedValue),
    /// Tokens that cannot be read, and where reading stopped.
    Stopped(SourcePlace),
    Unreadable,
}

impl<'s> PathPlaces<'s> {
    /// Reads the source.
    pub fn new(source: &'s Source) -> Self {
        let root = match source {
            Source::Tokens(source) => match tokens::parse(source) {
                Ok(root) => Root::Tree(root),
                Err(error) => Root::Stopped(SourcePlace::Token(error.span())),
            },
            _ => tree(source).map_or(Root::Unreadable, Root::Tree),
        };
        let text = source.text().unwrap_or_default();
        let breaks = text.match_indices('\n').map(|(at, _)| at + 1);
        Self {
            source,
            root,
            lines: std::iter::once(0).chain(breaks).collect(),
        }
    }

    /// The source.
    pub fn source(&self) -> &'s Source {
        self.source
    }

    /// The line that has this byte, from 1, and its beginning.
    pub fn line(&self, at: usize) -> (usize, usize) {
        let line = self.lines.partition_point(|start| *start <= at);
        (line, self.lines[line.saturating_sub(1)])
    }

    /// The place of a diagnostic: its own span if it has one, its part of a text value, the key if it refers to the
    /// key, else the element.
    pub fn of(&self, diagnostic: &Diagnostic) -> Option<SourcePlace> {
        if let Some(span) = &diagnostic.span {
            return Some(SourcePlace::Text(span.clone()));
        }
        if is_about_the_key(diagnostic) {
            let key = |root: &ParsedValue| walk(root, diagnostic.path.as_str()).key;
            return self.look(key);
        }
        match &diagnostic.part {
            Some(part) => self.within(&diagnostic.path, part.clone()),
            None => self.element(&diagnostic.path),
        }
    }

    fn element(&self, path: &Path) -> Option<SourcePlace> {
        self.look(|root| Some(walk(root, path.as_str()).place()))
    }

    fn within(&self, path: &Path, part: Range<usize>) -> Option<SourcePlace> {
        let whole = self.element(path)?;
        let Some(text) = self.source.text() else {
            return Some(whole);
        };
        let find = |root: &ParsedValue| match walk(root, path.as_str()) {
            InnermostElement {
                value:
                    ParsedValue {
                        kind: ValueKind::Text(inner),
                        place: SourcePlace::Text(range),
                    },
                ..
            } => {
                let start = range.start + 1;
                let verbatim = text.get(start..start + inner.len()) == Some(inner);
                let fits = verbatim && inner.get(part.clone()).is_some();
                fits.then(|| SourcePlace::Text(start + part.start..start + part.end))
            }
            _ => None,
        };
        self.look(find).or(Some(whole))
    }

    fn look(&self, find: impl FnOnce(&ParsedValue) -> Option<SourcePlace>) -> Option<SourcePlace> {
        match &self.root {
            Root::Tree(root) => find(root),
            Root::Stopped(place) => Some(place.clone()),
            Root::Unreadable => None,
        }
    }
}

/// The place of an element, or of the nearest one around it that was written. Where tokens cannot
/// be read at all, the place where reading stopped; `None` for a text that cannot be read.
pub fn locate(source: &Source, path: &Path) -> Option<SourcePlace> {
    PathPlaces::new(source).element(path)
}

/// The place of one diagnostic.
pub fn place_of(source: &Source, diagnostic: &Diagnostic) -> Option<SourcePlace> {
    PathPlaces::new(source).of(diagnostic)
}

/// The place of a part of a text value, for example of the unit in `"29 mn"`; of the whole value if
/// it is written with escapes, or in tokens.
pub fn locate_within(source: &Source, path: &Path, part: Range<usize>) -> Option<SourcePlace> {
    PathPlaces::new(source).within(path, part)
}

/// An unknown key, or a name that is a key; the name of the mechanism is a value.
fn is_about_the_key(diagnostic: &Diagnostic) -> bool {
    match diagnostic.code {
        Code::D102 => true,
        Code::M202 | Code::M204 | Code::M205 | Code::M230 => diagnostic.path != Path::new("name"),
        _ => false,
    }
}

/// The innermost element on the way to a path.
struct InnermostElement<'v> {
    key: Option<SourcePlace>,
    value: &'v ParsedValue,
}

impl InnermostElement<'_> {
    fn place(self) -> SourcePlace {
        match (&self.value.kind, self.key) {
            (ValueKind::Table(_), Some(key)) => key,
            _ => self.value.place.clone(),
        }
    }
}

/// Follows a path as far as it was written.
fn walk<'v>(root: &'v ParsedValue, path: &str) -> InnermostElement<'v> {
    let start = match &root.place {
        SourcePlace::Text(range) => SourcePlace::Text(range.start..range.start),
        token => token.clone(),
    };
    let mut found = InnermostElement {
        key: Some(start),
        value: root,
    };
    let mut rest = path;
    while let Some((next, after)) = step(found.value, rest) {
        found = next;
        rest = after;
    }
    found
}

/// One key or index further. Names may hold dots, so the longest name that fits is taken.
fn step<'v, 'p>(value: &'v ParsedValue, rest: &'p str) -> Option<(InnermostElement<'v>, &'p str)> {
    match &value.kind {
        ValueKind::Table(entries) => {
            let rest = rest.strip_prefix('.').unwrap_or(rest);
            let fits = |(name, entry): (&'v String, &'v TableEntry)| {
                let after = rest.strip_prefix(name.as_str())?;
                let ends = after.is_empty() || after.starts_with(['.', '[']);
                (ends && !name.is_empty()).then_some((name.len(), entry, after))
            };
            let (_, entry, after) = entries.iter().filter_map(fits).max_by_key(|fit| fit.0)?;
            let key = Some(entry.key.clone());
            let value = &entry.value;
            Some((InnermostElement { key, value }, after))
        }
        ValueKind::List(list) => {
            let (index, after) = rest.strip_prefix('[')?.split_once(']')?;
            let value = list.get(index.parse::<usize>().ok()?)?;
            Some((InnermostElement { key: None, value }, after))
        }
        _ => None,
    }
}
