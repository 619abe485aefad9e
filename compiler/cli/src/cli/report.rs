//! Errors and warnings on stderr: drawn by miette on a terminal, plain text in pipes, JSON for other programs.

use std::fmt;
use std::io::IsTerminal;

use clap::ValueEnum;
use miette::{GraphicalReportHandler, GraphicalTheme, LabeledSpan, NamedSource, SourceCode};

use crate::description::places::PathPlaces;
use crate::diagnostics::{Diagnostic, Diagnostics, Severity};
use crate::front_end::plain::Position;
use crate::front_end::{json, plain};
use crate::source::Source;

/// When to colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, ValueEnum)]
pub(super) enum Color {
    /// On a terminal, unless `NO_COLOR` is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// Reports errors and warnings; knows the source that they refer to as soon as it is read.
pub(super) struct Reporter {
    look: ReportStyle,
    noticed: bool,
    pub(super) source: Option<Source>,
}

#[derive(Clone, Copy, PartialEq)]
enum ReportStyle {
    Json,
    Plain,
    Drawn { colored: bool },
}

impl Reporter {
    pub(super) fn new(color: Color, json: bool) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        let look = match color {
            _ if json => ReportStyle::Json,
            Color::Always => ReportStyle::Drawn { colored: true },
            Color::Auto if terminal => ReportStyle::Drawn { colored: wanted },
            Color::Never if terminal => ReportStyle::Drawn { colored: false },
            Color::Auto | Color::Never => ReportStyle::Plain,
        };
        Self {
            look,
            noticed: false,
            source: None,
        }
    }

    /// Writes errors and warnings to stderr.
    pub(super) fn tell(&self, found: &Diagnostics) {
        if !found.is_empty() {
            super::say(&self.render(found));
        }
    }

    /// Prints a message for a person, once; not with JSON output.
    pub(super) fn notice(&mut self, text: &str) {
        if self.look != ReportStyle::Json && !self.noticed {
            say_line!("{text}");
        }
        self.noticed = true;
    }

    /// Prints the current task, for a person who waits.
    pub(super) fn progress(&self, text: &str) {
        if self.look != ReportStyle::Json {
            say_line!("{text}");
        }
    }

    fn render(&self, found: &Diagnostics) -> String {
        let source = self.source.as_ref();
        match self.look {
            ReportStyle::Json => json::lines(source, found),
            ReportStyle::Plain => plain::render(source, found),
            ReportStyle::Drawn { colored } => draw(source, found, colored),
        }
    }
}

fn draw(source: Option<&Source>, found: &Diagnostics, colored: bool) -> String {
    let theme = match colored {
        true => GraphicalTheme::unicode(),
        false => GraphicalTheme::unicode_nocolor(),
    };
    let handler = GraphicalReportHandler::new_themed(theme).with_context_lines(1);
    let mut out = String::new();
    let places = source.map(PathPlaces::new);
    let (shown, left) = found.first(plain::SHOWN);
    for diagnostic in shown {
        let drawing = ReportedFinding::new(places.as_ref(), diagnostic);
        let _ = handler.render_report(&mut out, &drawing);
    }
    out + plain::and_more(left).as_str()
}

/// An error or warning as miette needs it.
#[derive(Debug)]
struct ReportedFinding<'d> {
    diagnostic: &'d Diagnostic,
    text: Option<NamedSource<String>>,
    span: Option<LabeledSpan>,
}

impl<'d> ReportedFinding<'d> {
    fn new(places: Option<&PathPlaces>, diagnostic: &'d Diagnostic) -> Self {
        let position = places.and_then(|places| Position::of(places, diagnostic));
        let text = match places.map(PathPlaces::source) {
            Some(Source::Toml { file, text } | Source::Json { file, text }) => {
                Some(NamedSource::new(file, text.clone()))
            }
            _ => None,
        };
        let span = position.map(|at| {
            let label = Some(at.label(diagnostic).to_owned()).filter(|label| !label.is_empty());
            LabeledSpan::new(label, at.range.start, at.range.len())
        });
        Self {
            diagnostic,
            text: text.filter(|_| span.is_some()),
            span,
        }
    }
}

impl fmt::Display for ReportedFinding<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&plain::headline(self.diagnostic))
    }
}

impl std::error::Error for ReportedFinding<'_> {}

impl miette::Diagnostic for ReportedFinding<'_> {
    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.diagnostic.severity {
            Severity::Error => miette::Severity::Error,
            Severity::Warning => miette::Severity::Warning,
        })
    }

    fn help(&self) -> Option<Box<dyn fmt::Display + '_>> {
        let hint = self.diagnostic.hint.as_ref()?;
        Some(Box::new(hint))
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.text.as_ref().map(|text| text as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let span = self.span.clone()?;
        Some(Box::new(std::iter::once(span)))
    }
}
