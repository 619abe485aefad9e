//! What is wrong, with which element, why, and what to do next.
//!
//! A stage names the element by its [`Path`] (`joints.C.between[1]`); the door that read the text
//! knows where that is. A stage collects all it finds and stops at its border.

mod codes;
mod examples;

pub use codes::{Code, explain};
pub use examples::Example;

use std::fmt;
use std::ops::Range;

/// One finding.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// What kind of finding; `bellcrank explain CODE` tells more.
    pub code: Code,
    /// Whether the stage can go on.
    pub severity: Severity,
    /// The element that is wrong, or the nearest one that was written; empty for the whole text.
    pub path: Path,
    /// Byte range in the text, where the finding is about the text itself (a syntax error).
    pub span: Option<Range<usize>>,
    /// Byte range in the text value at `path`, where the finding is about a part of it (a name in a law).
    pub part: Option<Range<usize>>,
    /// One sentence with the names of the model.
    pub message: String,
    /// What stands under the caret; may be empty.
    pub label: String,
    /// The next move.
    pub hint: Option<String>,
}

/// Whether the stage can go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// Stops at the border of the stage.
    Error,
    /// Is told and goes on.
    Warning,
}

/// Names an element of a description: `joints.C.between[1]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Path(String);

/// All findings of a stage.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
}

impl Path {
    /// The whole description.
    pub fn root() -> Self {
        Self::default()
    }

    /// A path from its text form.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The entry `name` of a table.
    pub fn key(&self, name: &str) -> Self {
        if self.0.is_empty() {
            Self(name.to_owned())
        } else {
            Self(format!("{}.{name}", self.0))
        }
    }

    /// Element `index` of a list.
    pub fn index(&self, index: usize) -> Self {
        Self(format!("{}[{index}]", self.0))
    }

    /// The table or list that holds this element; `None` for the root.
    pub fn parent(&self) -> Option<Self> {
        if self.0.is_empty() {
            return None;
        }
        let end = self.0.rfind(['.', '[']).unwrap_or(0);
        Some(Self(self.0[..end].to_owned()))
    }

    /// The text form.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Diagnostic {
    /// An error about the element at `path`.
    pub fn error(code: Code, path: &Path, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: Severity::Error,
            path: path.clone(),
            span: None,
            part: None,
            message: message.into(),
            label: String::new(),
            hint: None,
        }
    }

    /// A warning about the element at `path`.
    pub fn warning(code: Code, path: &Path, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Warning,
            ..Self::error(code, path, message)
        }
    }

    /// With what stands under the caret.
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// With the next move.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// With a byte range in the text value at its path.
    pub fn within(mut self, part: Range<usize>) -> Self {
        self.part = Some(part);
        self
    }

    /// With a byte range in the text.
    pub fn at(mut self, span: Range<usize>) -> Self {
        self.span = Some(span);
        self
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        write!(f, "{word}[{}]: {}", self.code, self.message)?;
        if !self.path.as_str().is_empty() {
            write!(f, "\n  at {}", self.path)?;
        }
        if !self.label.is_empty() {
            write!(f, ": {}", self.label)?;
        }
        if let Some(hint) = &self.hint {
            write!(f, "\n  = hint: {hint}")?;
        }
        Ok(())
    }
}

impl Diagnostics {
    /// Nothing found yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a finding.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.list.push(diagnostic);
    }

    /// Adds all findings of another collection.
    pub fn extend(&mut self, other: Diagnostics) {
        self.list.extend(other.list);
    }

    /// The findings, in the order in which they were made.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter()
    }

    /// At most `n` of them in their order, errors before warnings if not all fit; and how many are left.
    pub fn first(&self, n: usize) -> (Vec<&Diagnostic>, usize) {
        let is_error = |d: &&Diagnostic| d.severity == Severity::Error;
        if self.list.len() <= n {
            return (self.list.iter().collect(), 0);
        }
        let errors = self.list.iter().filter(is_error);
        let warnings = self.list.iter().filter(|d| !is_error(d));
        let first = errors.chain(warnings).take(n).collect();
        (first, self.list.len() - n)
    }

    /// True if nothing was found.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// True if at least one finding stops the stage.
    pub fn has_errors(&self) -> bool {
        self.list.iter().any(|d| d.severity == Severity::Error)
    }

    /// The border of a stage: the value and the warnings, or all that is wrong.
    pub fn finish<T>(self, value: T) -> Result<(T, Self), Self> {
        if self.has_errors() {
            Err(self)
        } else {
            Ok((value, self))
        }
    }
}

impl From<Diagnostic> for Diagnostics {
    fn from(diagnostic: Diagnostic) -> Self {
        Self {
            list: vec![diagnostic],
        }
    }
}

impl FromIterator<Diagnostic> for Diagnostics {
    fn from_iter<I: IntoIterator<Item = Diagnostic>>(findings: I) -> Self {
        let list = findings.into_iter().collect();
        Self { list }
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, diagnostic) in self.list.iter().enumerate() {
            if i > 0 {
                writeln!(f)?;
            }
            write!(f, "{diagnostic}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Diagnostics {}

/// The candidate nearest to a misspelt name, if one is near enough to be meant.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    candidates
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(name, candidate), candidate))
        .filter(|(distance, candidate)| {
            *distance <= 1 + name.chars().count().max(candidate.chars().count()) / 3
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// What to do about a name that is none of these.
pub fn meant(name: &str, names: &[impl AsRef<str>]) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    match nearest(name, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there are {}", names.join(", ")),
    }
}

/// C605 for a name that the model does not have.
pub fn no_such(kind: &str, name: &str, names: &[impl AsRef<str>]) -> Diagnostic {
    let message = format!("the model has no {kind} `{name}`");
    let hint = match names {
        [] => format!("it has no {kind} at all"),
        names => meant(name, names),
    };
    Diagnostic::error(Code::C605, &Path::root(), message).hint(hint)
}
