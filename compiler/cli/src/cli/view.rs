//! `bellcrank view`: a page that shows a mechanism in motion.

use std::path::{Path, PathBuf};

use clap::Args;

use super::quantity::{frequency, values};
use super::recording::{RecordedRows, Recording, record};
use super::report::Reporter;
use super::run::{Manner, RunSettings, default_file, writable};
use super::{ModelArguments, data, found, write};
use crate::diagnostics::{Code, Diagnostic, Diagnostics, Path as Element, meant};
use crate::picture::{Page, Scene, TracePoint, page, traces};
use crate::source::load;

/// Arguments of `view`.
#[derive(Clone, Debug, Args)]
pub(super) struct View {
    #[command(flatten)]
    model: ModelArguments,
    #[command(flatten)]
    settings: RunSettings,
    #[command(flatten)]
    manner: Manner,
    /// The page, `-` for stdout; if absent, a file with the name of the mechanism in the current folder
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// A point whose path is shown at first, `body.point`; may be given several times
    #[arg(long, value_name = "POINT", value_delimiter = ',')]
    trace: Vec<String>,
    /// Frames for each second of the mechanism's time; if absent, as many as the eye can use
    #[arg(long, value_name = "RATE", value_parser = frequency, conflicts_with = "every")]
    fps: Option<f64>,
}

/// Runs a model and writes the page.
pub(super) fn view(view: &View, reporter: &mut Reporter) -> Result<(), Diagnostics> {
    ready(view.out.as_deref())?;
    let traced = traced(&view.model, &view.settings, &view.trace)?;
    let rows = view.fps.map_or(RecordedRows::Frames, RecordedRows::Rate);
    let recording = record(&view.model, &view.settings, &view.manner, rows, reporter)?;
    let text = page_of(&recording, traced, usize::MAX)?;
    let file = view.out.clone();
    let file = file.unwrap_or_else(|| default_file(&recording.output, "html"));
    deliver("page", &file, &text, view.manner)
}

/// C601 before anything is compiled, if the file cannot be written.
pub(super) fn ready(file: Option<&Path>) -> Result<(), Diagnostics> {
    file.filter(|file| !is_stdout(file))
        .map_or(Ok(()), writable)
}

/// Writes the file, and prints its name.
pub(super) fn deliver(
    what: &str,
    file: &Path,
    text: &str,
    manner: Manner,
) -> Result<(), Diagnostics> {
    if is_stdout(file) {
        return data(text);
    }
    write(file, text)?;
    if !manner.quiet {
        say_line!("{what}: {}", file.display());
    }
    Ok(())
}

fn is_stdout(file: &Path) -> bool {
    file == Path::new("-")
}

/// Indices of the points to trace; empty if none is named.
pub(super) fn traced(
    model: &ModelArguments,
    settings: &RunSettings,
    names: &[String],
) -> Result<Option<Vec<usize>>, Diagnostics> {
    if names.is_empty() {
        return Ok(None);
    }
    let scene = crate::scene(&load(&model.path)?, &values(&settings.set))?;
    let mut list = Diagnostics::new();
    let mut indices = Vec::new();
    for name in names {
        match find(&scene, name) {
            Some(index) => indices.push(index),
            None => list.push(unknown(&scene, name)),
        }
    }
    let (indices, _) = list.finish(indices)?;
    Ok(Some(indices))
}

/// A body alone means its origin.
fn find(scene: &Scene, name: &str) -> Option<usize> {
    let origin = format!("{name}.origin");
    let here = |point: &TracePoint| point.name == name || point.name == origin;
    scene.points.iter().position(here)
}

fn unknown(scene: &Scene, name: &str) -> Diagnostic {
    let names: Vec<&str> = scene
        .points
        .iter()
        .map(|point| point.name.as_str())
        .collect();
    let hint = meant(name, &names);
    let message = format!("no point of a body is called `{name}`");
    Diagnostic::error(Code::C605, &Element::root(), message).hint(hint)
}

/// The page of a run with the requested traces, or with default ones.
pub(super) fn page_of(
    recording: &Recording,
    traced: Option<Vec<usize>>,
    frames: usize,
) -> Result<String, Diagnostics> {
    let Recording {
        scene,
        record,
        motion,
        ..
    } = recording;
    let traced = traced.unwrap_or_else(|| traces(scene, motion));
    let text = page(&Page {
        scene,
        record,
        traces: &traced,
        about: &about(recording),
        frames,
    });
    text.ok_or_else(|| found(Code::C604, "the run does not report where the bodies are"))
}

/// A summary of the run, in one line.
fn about(recording: &Recording) -> String {
    let summary = &recording.summary;
    let factor = summary.real_time();
    let steps = match summary.stopped.as_ref() {
        Some(event) => format!("{} steps, stopped by `{event}`", summary.steps),
        None => format!("{} steps", summary.steps),
    };
    format!(
        "{steps} · {factor:.0} × real time · ‖Φ‖ ≤ {:.1e} · energy drift {:.1e} J",
        summary.phi, summary.energy_drift
    )
}
