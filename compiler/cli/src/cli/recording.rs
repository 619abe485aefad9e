//! A run that is kept for display. Its program also records the position of every body.

use std::io::{Read, Seek};
use std::num::NonZeroUsize;

use super::quantity::values;
use super::report::Reporter;
use super::run::{Manner, RunSettings, Summary, explained, simulate};
use super::{ModelArguments, child, found, progress};
use crate::diagnostics::{Code, Diagnostics};
use crate::front_end::Output;
use crate::options::Purpose;
use crate::picture::{Record, RecordedMotion, Scene};
use crate::source::load;

/// Frames for each second of the mechanism's time, with a lower and an upper bound on the frames of a run.
const FRAMES_A_SECOND: f64 = 60.0;
pub(super) const LEAST: f64 = 600.0;
const MOST: f64 = 1500.0;

/// The data of a run for display.
pub(super) struct Recording {
    /// The compiled mechanism.
    pub(super) output: Output,
    /// The drawable elements.
    pub(super) scene: Scene,
    /// The rows of the table.
    pub(super) record: Record,
    /// The positions of its bodies in each row.
    pub(super) motion: RecordedMotion,
    /// The summary of the run.
    pub(super) summary: Summary,
}

/// Number of recorded rows if the settings do not give it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum RecordedRows {
    /// As many as a picture can show.
    Frames,
    /// This many for each second of the mechanism's time.
    Rate(f64),
}

/// Compiles a model, runs it and keeps its rows.
pub(super) fn record(
    model: &ModelArguments,
    settings: &RunSettings,
    manner: &Manner,
    rows: RecordedRows,
    reporter: &mut Reporter,
) -> Result<Recording, Diagnostics> {
    let asked = ModelArguments {
        purpose: Purpose::Pictures,
        ..settings.serving(model)
    };
    if manner.quiet {
        progress::be_silent();
    }
    let output = child::compile(&asked, reporter)?;
    reporter.tell(&settings.fit(&output, reporter.source.as_ref())?);
    recording(model, &settings.recording(&output, rows), manner, output)
}

/// Runs a compiled mechanism and records the position of every body.
pub(super) fn recording(
    model: &ModelArguments,
    settings: &RunSettings,
    manner: &Manner,
    output: Output,
) -> Result<Recording, Diagnostics> {
    let scene = crate::scene(&load(&model.path)?, &values(&settings.set))?;
    let (record, summary) = rows(model, settings, manner, &output)?;
    let motion =
        RecordedMotion::new(&scene, &record).ok_or_else(|| unreadable("poses are missing"))?;
    Ok(Recording {
        output,
        scene,
        record,
        motion,
        summary,
    })
}

/// Runs a compiled mechanism and keeps its rows.
pub(super) fn rows(
    model: &ModelArguments,
    settings: &RunSettings,
    manner: &Manner,
    output: &Output,
) -> Result<(Record, Summary), Diagnostics> {
    // A file without a name, which the system removes with the last process that has it open.
    let mut file = tempfile::tempfile().map_err(|why| unreadable(&why.to_string()))?;
    let summary = simulate(settings, manner, model, output, Some(&file))
        .map_err(|ended| explained(ended.into(), settings, model, output))?;
    let mut text = String::new();
    let read = file.rewind().and_then(|()| file.read_to_string(&mut text));
    read.map_err(|why| unreadable(&why.to_string()))?;
    let record = Record::read(&text).map_err(|line| unreadable(&format!("line {line}")))?;
    Ok((record, summary))
}

fn unreadable(why: &str) -> Diagnostics {
    found(
        Code::C604,
        format!("the rows of the run cannot be read: {why}"),
    )
}

impl RunSettings {
    /// The same settings, with the wanted number of rows unless the settings already give it.
    pub(super) fn recording(&self, output: &Output, rows: RecordedRows) -> Self {
        let own = &output.interpretable.simulation;
        let until = self.until.unwrap_or(own.until);
        let n_steps = until / self.step.unwrap_or(own.step);
        let n_rows = match rows {
            RecordedRows::Frames => (FRAMES_A_SECOND * until).clamp(LEAST, MOST),
            RecordedRows::Rate(rate) => (rate * until).max(2.0),
        };
        let every = NonZeroUsize::new((n_steps / n_rows - 1e-6).ceil() as usize);
        Self {
            every: self.every.or(every),
            ..self.clone()
        }
    }
}
