//! The measurements of each formulation.

use serde::{Deserialize, Serialize};

use super::super::found;
use super::code::CodeSizes as Bytes;
use super::subject::BenchSubject;
use crate::diagnostics::{Code, Diagnostics};

/// One formulation: the measurements of the program, and counts that the compiler adds.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub(super) struct BenchResult {
    pub(super) formulation: String,
    /// Number of timed steps.
    pub(super) steps: usize,
    /// Simulated time of all timed steps.
    pub(super) span: f64,
    /// Seconds of an acceleration, in each round.
    pub(super) acceleration: Vec<f64>,
    /// Seconds of a step, in each round.
    pub(super) step: Vec<f64>,
    /// Each single step counts with its smallest time of all rounds. Their median and maximum, and the time of the
    /// maximum.
    pub(super) median_step: f64,
    pub(super) worst_step: f64,
    pub(super) worst_at: f64,
    /// Reason why the program stopped before the last step.
    pub(super) stop: Option<String>,
    /// Weighted operations of the kernel.
    #[serde(default)]
    pub(super) operations: CountedOperations,
    #[serde(skip_deserializing)]
    pub(super) code: Option<Bytes>,
    /// Instructions of a step.
    #[serde(default)]
    pub(super) instructions: Option<f64>,
    /// Whether `auto` chooses this formulation.
    #[serde(default)]
    pub(super) auto: bool,
}

/// Operations that the compiler counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize)]
pub(super) struct CountedOperations {
    pub(super) acceleration: usize,
    /// Operations of a step of RK4 with its corrections, whatever the integrator is.
    pub(super) step: usize,
}

/// Reads the output of the program.
pub(super) fn outcomes(
    json: &str,
    subjects: &[BenchSubject],
) -> Result<Vec<BenchResult>, Diagnostics> {
    let mut outcomes: Vec<BenchResult> = serde_json::from_str(json)
        .map_err(|why| found(Code::C604, format!("the benchmark gave no answer: {why}")))?;
    for (outcome, subject) in outcomes.iter_mut().zip(subjects) {
        outcome.operations = CountedOperations {
            acceleration: subject.figures.acceleration,
            step: subject.figures.step,
        };
        outcome.auto = subject.auto;
    }
    Ok(outcomes)
}

impl BenchResult {
    /// Simulated time divided by the smallest time that it took.
    pub(super) fn real_time(&self) -> f64 {
        self.span / (self.steps as f64 * smallest(&self.step))
    }

    /// The slowest step divided by the median step.
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
