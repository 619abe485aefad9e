//! Errors and warnings: the message, the element, the reason, and what to do next.
//!
//! A stage names the element by its [`Path`] (`joints.C.between[1]`); the front end that read the text knows where
//! that is. A stage collects all errors, and stops at its end.

mod codes;
mod examples;

pub use codes::{Code, explain};
pub use examples::Example;

use std::fmt;
use std::ops::Range;

/// An error or a warning.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// The code; `bellcrank explain CODE` explains it.
    pub code: Code,
    /// Whether the stage can continue.
    pub severity: Severity,
    /// The wrong element, or the nearest element that was written; empty for the whole text.
    pub path: Path,
    /// Byte range in the text, if it refers to the text itself (a syntax error).
    pub span: Option<Range<usize>>,
    /// Byte range in the text value at `path`, if it refers to a part of it (a name in a law).
    pub part: Option<Range<usize>>,
    /// One sentence with the names of the model.
    pub message: String,
    /// The text under the caret; may be empty.
    pub label: String,
    /// The next move.
    pub hint: Option<String>,
}

/// Whether the stage can continue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// Compilation stops at the end of the stage.
    Error,
    /// It is reported, and compilation continues.
    Warning,
}

/// Names an element of a description: `joints.C.between[1]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Path(String);

/// All errors and warnings of a stage.
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
    /// An error at the element with this path.
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

    /// A warning at the element with this path.
    pub fn warning(code: Code, path: &Path, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Warning,
            ..Self::error(code, path, message)
        }
    }

    /// Adds the text under the caret.
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Adds the next move.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Adds a byte range in the text value at its path.
    pub fn within(mut self, part: Range<usize>) -> Self {
        self.part = Some(part);
        self
    }

    /// Adds a byte range in the text.
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
    /// An empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an error or a warning.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.list.push(diagnostic);
    }

    /// Adds all errors and warnings of another list.
    pub fn extend(&mut self, other: Diagnostics) {
        self.list.extend(other.list);
    }

    /// The errors and warnings, in the order in which they were found.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter()
    }

    /// At most `n` of them in their order, errors before warnings if not all fit; and the number of the rest.
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

    /// True if there are no errors and no warnings.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// True if at least one error stops the stage.
    pub fn has_errors(&self) -> bool {
        self.list.iter().any(|d| d.severity == Severity::Error)
    }

    /// The result of a stage: the value and the warnings, or all errors and warnings.
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

/// The candidate nearest to a misspelt name, if it is near enough.
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

/// A hint for a name that is none of these.
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
