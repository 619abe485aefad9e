//! Errors and warnings as plain text, in the manner of rustc: for cargo's output and for pipes.

use std::fmt::Write as _;
use std::ops::Range;

use crate::description::places::{PathPlaces, SourcePlace};
use crate::diagnostics::{Diagnostic, Diagnostics, Path, Severity};
use crate::source::Source;

/// The most errors and warnings that a person is shown.
pub const SHOWN: usize = 50;

/// Errors and warnings with file, line, column and snippet. If there are too many, errors come first, and the number
/// of further ones is given.
pub fn render(source: Option<&Source>, diagnostics: &Diagnostics) -> String {
    let places = source.map(PathPlaces::new);
    let (shown, left) = diagnostics.first(SHOWN);
    let one = |diagnostic: &&Diagnostic| rendered(places.as_ref(), diagnostic);
    let shown: Vec<String> = shown.iter().map(one).collect();
    shown.join("\n") + and_more(left).as_str()
}

/// Number of errors and warnings that are not shown; empty if all are.
pub fn and_more(left: usize) -> String {
    match left {
        0 => String::new(),
        left => format!("\n{left} more are not shown\n"),
    }
}

/// One error or warning with file, line, column and snippet; ends with a new line.
pub fn render_one(source: Option<&Source>, diagnostic: &Diagnostic) -> String {
    rendered(source.map(PathPlaces::new).as_ref(), diagnostic)
}

fn rendered(places: Option<&PathPlaces>, diagnostic: &Diagnostic) -> String {
    let mut out = format!("{}\n", headline(diagnostic));
    let position = places.and_then(|places| Position::of(places, diagnostic));
    let margin = match &position {
        Some(position) => snippet(&mut out, position, position.label(diagnostic)),
        None => element(&mut out, places.map(PathPlaces::source), diagnostic),
    };
    if let Some(hint) = &diagnostic.hint {
        let _ = writeln!(out, "{:margin$} = hint: {hint}", "");
    }
    out
}

/// `error[M203]: joint …`
pub fn headline(diagnostic: &Diagnostic) -> String {
    let word = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    format!("{word}[{}]: {}", diagnostic.code, diagnostic.message)
}

/// The place of an error or warning in a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Position<'s> {
    /// The file.
    pub file: &'s str,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The byte range.
    pub range: Range<usize>,
    text: &'s str,
}

impl<'s> Position<'s> {
    /// The position of an error or warning; `None` in tokens, and for the mechanism as a whole.
    pub fn of(places: &PathPlaces<'s>, diagnostic: &Diagnostic) -> Option<Self> {
        let (Source::Toml { file, text } | Source::Json { file, text }) = places.source() else {
            return None;
        };
        if diagnostic.span.is_none() && diagnostic.path == Path::root() {
            return None;
        }
        let Some(SourcePlace::Text(range)) = places.of(diagnostic) else {
            return None;
        };
        let start = floor(text, range.start);
        let end = floor(text, range.end.max(start));
        let (line, line_start) = places.line(start);
        Some(Self {
            file,
            line,
            column: 1 + text[line_start..start].chars().count(),
            range: start..end,
            text: text[line_start..].lines().next().unwrap_or_default(),
        })
    }
}

impl Position<'_> {
    /// The text under the caret; empty if it only repeats the message.
    pub fn label<'d>(&self, diagnostic: &'d Diagnostic) -> &'d str {
        let label = diagnostic.label.as_str();
        let above: String = self.text.chars().skip(self.column - 1).collect();
        match above.get(..self.range.len()) == Some(label) {
            true => "",
            false => label,
        }
    }
}

/// The nearest character boundary at or before a byte.
fn floor(text: &str, mut at: usize) -> usize {
    at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Writes the line with carets under it; returns the width of the line number.
fn snippet(out: &mut String, position: &Position, label: &str) -> usize {
    let Position {
        file,
        line,
        column,
        text,
        range,
    } = position;
    let margin = line.to_string().len();
    let skip = |c: char| if c == '\t' { '\t' } else { ' ' };
    let before: String = text.chars().take(column - 1).map(skip).collect();
    let after: String = text.chars().skip(column - 1).collect();
    let within = after.char_indices().filter(|(at, _)| *at < range.len());
    let carets = "^".repeat(within.count().max(1));
    let under = format!("{before}{carets} {label}");
    let _ = writeln!(out, "{:margin$}--> {file}:{line}:{column}", "");
    let _ = writeln!(out, "{:margin$} |", "");
    let _ = writeln!(out, "{line} | {text}");
    let _ = writeln!(out, "{:margin$} | {}", "", under.trim_end());
    margin
}

/// Writes the path of the element, if there is no text to show.
fn element(out: &mut String, source: Option<&Source>, diagnostic: &Diagnostic) -> usize {
    let file = match source {
        Some(Source::Toml { file, .. } | Source::Json { file, .. }) => file.as_str(),
        Some(Source::Tokens(_)) | None => "",
    };
    let parts = [file, diagnostic.path.as_str(), &diagnostic.label];
    let parts: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    if !parts.is_empty() {
        let _ = writeln!(out, "  at {}", parts.join(": "));
    }
    1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::Code;

    fn check(text: &str, range: Range<usize>, expect: &str) {
        let (file, text) = ("four_bar.toml".to_owned(), text.to_owned());
        let source = Source::Toml { file, text };
        let diagnostic = Diagnostic::error(Code::M203, &Path::root(), "joint `C` is odd");
        let diagnostic = diagnostic.label("here").hint("turn it").at(range);
        assert_eq!(render_one(Some(&source), &diagnostic), expect);
    }

    #[test]
    fn carets_stand_under_the_range() {
        let expect = "error[M203]: joint `C` is odd\n --> four_bar.toml:2:5\n  |\n2 | b = cd\n  |     ^^ here\n  = hint: turn it\n";
        check("a = 1\nb = cd\n", 10..12, expect);
    }

    #[test]
    fn tabs_and_wide_ranges_stay_in_their_line() {
        let expect = "error[M203]: joint `C` is odd\n --> four_bar.toml:1:2\n  |\n1 | \té\n  | \t^ here\n  = hint: turn it\n";
        check("\té\nnext\n", 1..8, expect);
    }

    #[test]
    fn a_range_beyond_the_text_is_its_end() {
        let expect = "error[M203]: joint `C` is odd\n --> four_bar.toml:1:3\n  |\n1 | ab\n  |   ^ here\n  = hint: turn it\n";
        check("ab", 40..50, expect);
    }
}
