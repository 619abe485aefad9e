//! Errors and warnings as JSON: for other programs, for the cache, and from the compiling process to its parent.

use std::ops::Range;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::plain::Position;
use crate::description::places::PathPlaces;
use crate::diagnostics::{Diagnostic, Diagnostics, Path, Severity, explain};
use crate::source::Source;

/// An error or warning in the form that other programs read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Finding {
    severity: String,
    code: String,
    message: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    label: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
    /// The element, for example `joints.C.between[1]`.
    path: String,
    /// Byte range, if it refers to the text itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    span: Option<(usize, usize)>,
    /// Byte range in the text value of the element, if it refers to a part of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    part: Option<(usize, usize)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    place: Option<TextRange>,
}

/// Place of the element in the text; lines and columns count from 1, columns in characters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct TextRange {
    file: String,
    line: usize,
    column: usize,
    start: usize,
    end: usize,
}

/// One JSON object a line, with places.
pub fn lines(source: Option<&Source>, diagnostics: &Diagnostics) -> String {
    let places = source.map(PathPlaces::new);
    let line = |diagnostic: &Diagnostic| {
        serde_json::to_string(&placed(places.as_ref(), diagnostic)).unwrap_or_default() + "\n"
    };
    diagnostics.iter().map(line).collect()
}

/// The same as a list of values.
pub fn list(source: Option<&Source>, diagnostics: &Diagnostics) -> Vec<serde_json::Value> {
    let places = source.map(PathPlaces::new);
    let value = |diagnostic: &Diagnostic| {
        serde_json::to_value(placed(places.as_ref(), diagnostic)).unwrap_or_default()
    };
    diagnostics.iter().map(value).collect()
}

fn placed(places: Option<&PathPlaces>, diagnostic: &Diagnostic) -> Finding {
    let position = places.and_then(|places| Position::of(places, diagnostic));
    let place = position.map(|position| TextRange {
        file: position.file.to_owned(),
        line: position.line,
        column: position.column,
        start: position.range.start,
        end: position.range.end,
    });
    Finding {
        place,
        ..Finding::from(diagnostic)
    }
}

/// For `#[serde(with = "json")]`.
pub fn serialize<S: Serializer>(list: &Diagnostics, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(list.iter().map(Finding::from))
}

/// For `#[serde(with = "json")]`.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Diagnostics, D::Error> {
    let mut list = Diagnostics::new();
    for finding in Vec::<Finding>::deserialize(deserializer)? {
        let diagnostic = finding.diagnostic();
        list.push(diagnostic.ok_or_else(|| serde::de::Error::custom("no such code"))?);
    }
    Ok(list)
}

impl From<&Diagnostic> for Finding {
    fn from(diagnostic: &Diagnostic) -> Self {
        let severity = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        Self {
            severity: severity.to_owned(),
            code: diagnostic.code.to_string(),
            message: diagnostic.message.clone(),
            label: diagnostic.label.clone(),
            hint: diagnostic.hint.clone(),
            path: diagnostic.path.to_string(),
            span: pair(&diagnostic.span),
            part: pair(&diagnostic.part),
            place: None,
        }
    }
}

fn pair(range: &Option<Range<usize>>) -> Option<(usize, usize)> {
    range.as_ref().map(|range| (range.start, range.end))
}

impl Finding {
    fn diagnostic(self) -> Option<Diagnostic> {
        let (code, ..) = explain(&self.code)?;
        let severity = match self.severity.as_str() {
            "error" => Severity::Error,
            "warning" => Severity::Warning,
            _ => return None,
        };
        Some(Diagnostic {
            code,
            severity,
            path: Path::new(self.path),
            span: self.span.map(|(start, end)| start..end),
            part: self.part.map(|(start, end)| start..end),
            message: self.message,
            label: self.label,
            hint: self.hint,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::Code;

    #[test]
    fn findings_survive_the_way_through_json() {
        let mut list = Diagnostics::new();
        let path = Path::new("joints.C");
        list.push(
            Diagnostic::error(Code::M203, &path, "m")
                .label("l")
                .hint("h"),
        );
        list.push(
            Diagnostic::warning(Code::T303, &path, "w")
                .at(3..5)
                .within(1..2),
        );
        let mut text = Vec::new();
        serialize(&list, &mut serde_json::Serializer::new(&mut text)).unwrap();
        let back = deserialize(&mut serde_json::Deserializer::from_slice(&text)).unwrap();
        assert_eq!(back, list);
    }
}
