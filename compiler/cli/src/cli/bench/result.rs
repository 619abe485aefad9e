//! What was found about each formulation.

use serde::{Deserialize, Serialize};

use super::super::found;
use super::code::Code as Bytes;
use super::subject::Subject;
use crate::diagnostics::{Code, Diagnostics};

/// One formulation, as the program tells it and with what is known besides.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub(super) struct Outcome {
    pub(super) formulation: String,
    /// Steps that were timed.
    pub(super) steps: usize,
    /// Simulated time of all of them.
    pub(super) span: f64,
    /// Seconds of an acceleration, in each round.
    pub(super) acceleration: Vec<f64>,
    /// Seconds of a step, in each round.
    pub(super) step: Vec<f64>,
    /// Of the smallest times that each single step took: their median, the largest, and when it was.
    pub(super) median_step: f64,
    pub(super) worst_step: f64,
    pub(super) worst_at: f64,
    /// Why no more steps could be made.
    pub(super) stop: Option<String>,
    /// Weighted operations of the kernel.
    #[serde(default)]
    pub(super) operations: Operations,
    #[serde(skip_deserializing)]
    pub(super) code: Option<Bytes>,
    /// Instructions of a step.
    #[serde(default)]
    pub(super) instructions: Option<f64>,
    /// Whether `auto` keeps it.
    #[serde(default)]
    pub(super) auto: bool,
}

/// What the compiler counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize)]
pub(super) struct Operations {
    pub(super) acceleration: usize,
    /// Of RK4 with its corrections, whatever the integrator is.
    pub(super) step: usize,
}

/// Reads the answer of the program.
pub(super) fn outcomes(json: &str, subjects: &[Subject]) -> Result<Vec<Outcome>, Diagnostics> {
    let mut outcomes: Vec<Outcome> = serde_json::from_str(json)
        .map_err(|why| found(Code::C604, format!("the benchmark gave no answer: {why}")))?;
    for (outcome, subject) in outcomes.iter_mut().zip(subjects) {
        outcome.operations = Operations {
            acceleration: subject.figures.acceleration,
            step: subject.figures.step,
        };
        outcome.auto = subject.auto;
    }
    Ok(outcomes)
}

impl Outcome {
    /// Simulated time against the smallest that it took.
    pub(super) fn real_time(&self) -> f64 {
        self.span / (self.steps as f64 * smallest(&self.step))
    }

    /// The step that takes longest against the median one.
    pub(super) fn unevenness(&self) -> f64 {
        self.worst_step / self.median_step
    }
}

pub(super) fn smallest(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::INFINITY, f64::min)
}

pub(super) fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}
