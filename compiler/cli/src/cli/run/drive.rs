//! Runs a program and reads its messages: `progress <time> <until>`, and at the end one line of JSON or `stop:
//! <reason>`.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{ChildStderr, Command, Stdio};

use indicatif::{ProgressBar, ProgressStyle};
use serde::Deserialize;

use super::super::guard::WITH_PARENT;
use super::super::{found, say};
use crate::diagnostics::{Code, Diagnostics};
use crate::front_end::Output;
use crate::interpreted;
use crate::output_file::Draft;

/// The exit code of a program whose simulation stopped.
const STOPPED: i32 = 1;

/// The summary of a run.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub(in crate::cli) struct Summary {
    pub(in crate::cli) steps: u64,
    pub(in crate::cli) evaluations: u64,
    pub(in crate::cli) dense_evaluations: u64,
    pub(in crate::cli) phi: f64,
    pub(in crate::cli) phi_dot: f64,
    pub(in crate::cli) energy_drift: f64,
    pub(in crate::cli) seconds: f64,
    /// Name of the event that ended the run.
    pub(in crate::cli) stopped: Option<String>,
    /// The time of that event.
    pub(in crate::cli) time: f64,
    #[serde(skip)]
    pub(in crate::cli) until: f64,
}

/// Reason why a run has no summary.
#[derive(Debug)]
pub(in crate::cli) enum RunEnd {
    /// The simulation stopped for this reason; its rows up to there are valid.
    Stopped(String),
    /// Another failure; rows that exist must not be used.
    Failed(Diagnostics),
}

/// Runs to the end, with a progress bar on a terminal.
pub(super) fn drive(command: &mut Command, quiet: bool) -> Result<Summary, RunEnd> {
    let program = command.get_program().to_string_lossy().into_owned();
    let failed = |why| found(Code::C604, format!("{program} cannot be run: {why}"));
    command
        .args(["--progress", WITH_PARENT])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().map_err(failed)?;
    let stdin = child.stdin.take();
    let mut listener = Listener::new(quiet);
    listener.listen(child.stderr.take());
    let status = child.wait().map_err(failed)?;
    drop(stdin);
    match (listener.stop, listener.summary) {
        (Some(reason), _) if status.code() == Some(STOPPED) => Err(RunEnd::Stopped(reason)),
        (Some(reason), _) => Err(found(Code::C604, reason).into()),
        (None, Some(summary)) if status.success() => Ok(Summary {
            until: listener.time,
            ..summary
        }),
        // The reader of the rows closed the pipe.
        (None, None) if status.success() => Ok(Summary::default()),
        _ => {
            let message = format!("the program ended early ({status})");
            Err(found(Code::C604, message).into())
        }
    }
}

/// Interprets the equations to the end, with a progress bar on a terminal.
pub(super) fn interpret(
    output: &Output,
    plan: &interpreted::InterpretedRun,
    rows: &mut dyn Write,
    quiet: bool,
) -> Result<Summary, RunEnd> {
    let mut listener = Listener::new(quiet);
    let mut progress = |time| listener.show(time, plan.until);
    let summary = interpreted::run(output, plan, rows, &mut progress);
    listener.bar.finish_and_clear();
    let summary = match summary {
        Ok(summary) => summary,
        Err(interpreted::InterpretedEnd::Stopped(reason)) => return Err(RunEnd::Stopped(reason)),
        Err(interpreted::InterpretedEnd::Unread) => return Ok(Summary::default()),
        Err(interpreted::InterpretedEnd::Unwritten(why)) => {
            return Err(found(Code::C604, unwritten(&why)).into());
        }
    };
    listener.hear(&summary);
    Ok(Summary {
        until: listener.time,
        ..listener.summary.unwrap_or_default()
    })
}

/// The same words as a program prints.
fn unwritten(why: &str) -> String {
    format!("the rows cannot be written: {why}")
}

impl RunEnd {
    /// Keeps the rows up to a stop beside the intended file, and reports where they are.
    pub(super) fn with_rows(self, draft: Draft, file: &Path) -> Diagnostics {
        let Self::Stopped(reason) = self else {
            return self.into();
        };
        let mut part = file.as_os_str().to_owned();
        part.push(".part");
        let part = Path::new(&part);
        match draft.finish_as(part) {
            Ok(()) => {
                let rows = format!("the rows up to there are in `{}`", part.display());
                found(Code::C604, format!("{reason}; {rows}"))
            }
            Err(_) => found(Code::C604, reason),
        }
    }
}

impl From<Diagnostics> for RunEnd {
    fn from(found: Diagnostics) -> Self {
        Self::Failed(found)
    }
}

impl From<RunEnd> for Diagnostics {
    fn from(ended: RunEnd) -> Self {
        match ended {
            RunEnd::Stopped(reason) => found(Code::C604, reason),
            RunEnd::Failed(found) => found,
        }
    }
}

/// Reads the messages of a program.
pub(in crate::cli) struct Listener {
    bar: ProgressBar,
    unit: &'static str,
    time: f64,
    stop: Option<String>,
    summary: Option<Summary>,
}

impl Listener {
    /// Shows a progress bar unless `quiet`.
    pub(in crate::cli) fn new(quiet: bool) -> Self {
        let bar = match quiet {
            true => ProgressBar::hidden(),
            false => ProgressBar::new(1000),
        };
        if let Ok(style) = ProgressStyle::with_template("{wide_bar} {msg} ({elapsed})") {
            bar.set_style(style);
        }
        Self {
            bar,
            unit: "s",
            time: 0.0,
            stop: None,
            summary: None,
        }
    }

    /// Progress counts this unit instead of seconds.
    pub(in crate::cli) fn counting(mut self, unit: &'static str) -> Self {
        self.unit = unit;
        self
    }

    /// Reads all messages; returns the reason if the program stopped.
    pub(in crate::cli) fn listen(&mut self, stderr: Option<ChildStderr>) -> Option<String> {
        let lines = stderr.map(|stderr| BufReader::new(stderr).lines());
        let lines = lines.into_iter().flatten().map_while(Result::ok);
        lines.for_each(|line| self.hear(&line));
        self.bar.finish_and_clear();
        self.stop.clone()
    }

    fn hear(&mut self, line: &str) {
        if let Some((time, until)) = progress(line) {
            self.show(time, until);
        } else if let Some(reason) = line.strip_prefix("stop: ") {
            self.stop = Some(reason.to_owned());
        } else if let Ok(summary) = serde_json::from_str(line) {
            self.summary = Some(summary);
        } else {
            self.bar.suspend(|| say(&format!("{line}\n")));
        }
    }

    fn show(&mut self, time: f64, until: f64) {
        self.time = time;
        self.bar.set_position((1000.0 * time / until) as u64);
        let unit = self.unit;
        self.bar
            .set_message(format!("{time:.2} of {until:.2} {unit}"));
    }
}

fn progress(line: &str) -> Option<(f64, f64)> {
    let (time, until) = line.strip_prefix("progress ")?.split_once(' ')?;
    Some((time.parse().ok()?, until.parse().ok()?))
}

impl Summary {
    /// Seconds of computing time for a step.
    pub(in crate::cli) fn step(&self) -> f64 {
        self.seconds / self.steps.max(1) as f64
    }

    /// Simulated time divided by computing time.
    pub(in crate::cli) fn real_time(&self) -> f64 {
        self.until / self.seconds.max(1e-9)
    }

    /// A few lines for a person.
    pub(super) fn text(&self, file: &Path) -> String {
        let mut out = String::new();
        let (step, factor) = (1e6 * self.step(), self.real_time());
        let _ = write!(
            out,
            "{} steps, {} evaluations",
            self.steps, self.evaluations
        );
        if self.dense_evaluations > 0 {
            let _ = write!(out, " ({} of them dense)", self.dense_evaluations);
        }
        let _ = writeln!(out, ", {step:.3} µs a step, {factor:.0} times real time");
        let _ = writeln!(
            out,
            "largest ‖Φ‖ {:.1e}, largest ‖Φ̇‖ {:.1e}, energy drift {:.1e}",
            self.phi, self.phi_dot, self.energy_drift
        );
        if let Some(event) = &self.stopped {
            let _ = writeln!(out, "stopped by the event `{event}` at {:.6} s", self.time);
        }
        let _ = writeln!(out, "CSV: {}", file.display());
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_told_apart() {
        let mut listener = Listener::new(true);
        listener.hear("progress 0.5 2.0");
        listener.hear("{\"steps\":10,\"phi\":1e-12,\"seconds_per_step\":1.0}");
        listener.hear("stop: the step is too small");
        assert_eq!(listener.time, 0.5);
        assert_eq!(listener.summary.map(|summary| summary.steps), Some(10));
        assert_eq!(listener.stop.as_deref(), Some("the step is too small"));
    }
}
