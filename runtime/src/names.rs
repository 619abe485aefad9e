//! Finds a name in a list, or the nearest one.

use core::fmt;

/// Longest name for which the nearest name is searched: the distance is computed without an allocator.
const LONGEST: usize = 64;

/// The index of `name` among `names`.
pub(crate) fn position(
    what: &'static str,
    names: &'static [&'static str],
    name: &str,
) -> Result<usize, UnknownName> {
    let found = names.iter().position(|known| *known == name);
    found.ok_or_else(|| UnknownName {
        what,
        nearest: nearest(names, name),
        known: names,
    })
}

/// A name that does not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownName {
    /// The kind of name: `input`, `parameter`.
    pub what: &'static str,
    /// The nearest name that exists.
    pub nearest: Option<&'static str>,
    /// All names that exist.
    pub known: &'static [&'static str],
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no {} has this name", self.what)?;
        match (self.nearest, self.known) {
            (Some(nearest), _) => write!(f, "; did you mean `{nearest}`?"),
            (None, []) => write!(f, "; there are none"),
            (None, known) => write!(f, "; the names are {known:?}"),
        }
    }
}

impl core::error::Error for UnknownName {}

/// The name with the fewest changed letters, if less than half of the letters change.
pub(crate) fn nearest(names: &[&'static str], name: &str) -> Option<&'static str> {
    let distances = names
        .iter()
        .filter_map(|known| Some((distance(known, name)?, *known)));
    let (changes, best) = distances.min_by_key(|(changes, _)| *changes)?;
    (2 * changes < best.chars().count().max(2)).then_some(best)
}

/// Levenshtein's distance, row by row.
fn distance(a: &str, b: &str) -> Option<usize> {
    let width = b.chars().count();
    if width > LONGEST {
        return None;
    }
    let mut row: [usize; LONGEST + 1] = core::array::from_fn(|i| i);
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.chars().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    Some(row[width])
}
