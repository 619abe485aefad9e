//! The measurements of each contestant, as the program prints them.

use serde::{Deserialize, Serialize};

use super::super::found;
use crate::diagnostics::{Code, Diagnostics};

/// One contestant.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub(super) struct ContestOutcome {
    pub(super) formulation: String,
    pub(super) integrator: String,
    pub(super) stabilizer: String,
    pub(super) steps: u64,
    pub(super) evaluations: u64,
    pub(super) factorizations: u64,
    pub(super) iterations: u64,
    pub(super) rejections: u64,
    pub(super) position_passes: u64,
    pub(super) velocity_passes: u64,
    pub(super) phi_mean: Option<f64>,
    pub(super) phi_max: Option<f64>,
    pub(super) phi_dot_mean: Option<f64>,
    pub(super) phi_dot_max: Option<f64>,
    pub(super) energy_drift: Option<f64>,
    /// Reason why it stopped early.
    pub(super) stop: Option<String>,
    /// Seconds of a step, in each round.
    pub(super) seconds: Vec<f64>,
    /// Time relative to `none` with the same integrator and formulation in the same round. If `none` has stopped, the
    /// reference is the first contestant that has not.
    #[serde(default)]
    pub(super) ratio: Option<Spread>,
    /// Time, ΦᵀΦ, Φ̇ᵀΦ̇, and the difference of the energy from its start.
    pub(super) curve: Vec<[Option<f64>; 4]>,
}

/// Median and quartiles.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
pub(super) struct Spread {
    pub(super) low: f64,
    pub(super) median: f64,
    pub(super) high: f64,
}

/// Reads the output of the program and adds the ratios.
pub(super) fn outcomes(json: &str) -> Result<Vec<ContestOutcome>, Diagnostics> {
    let mut outcomes: Vec<ContestOutcome> = serde_json::from_str(json)
        .map_err(|why| found(Code::C604, format!("the comparison gave no answer: {why}")))?;
    let references = outcomes.clone();
    for outcome in &mut outcomes {
        let reference = reference(&references, outcome);
        outcome.ratio = reference.and_then(|one| ratio(&outcome.seconds, &one.seconds));
    }
    Ok(outcomes)
}

/// The contestant to which times are relative. One that has stopped cannot be it, because its steps belong to another
/// motion.
fn reference<'o>(
    outcomes: &'o [ContestOutcome],
    outcome: &ContestOutcome,
) -> Option<&'o ContestOutcome> {
    let beside = |one: &&ContestOutcome| {
        one.integrator == outcome.integrator && one.formulation == outcome.formulation
    };
    let has_none = outcomes.iter().filter(beside);
    if !has_none.clone().any(|one| one.stabilizer == "none") {
        return None;
    }
    let mut finished: Vec<&ContestOutcome> = has_none.filter(|one| one.stop.is_none()).collect();
    finished.sort_by_key(|one| one.stabilizer != "none");
    finished.first().copied()
}

fn ratio(seconds: &[f64], reference: &[f64]) -> Option<Spread> {
    let ratios = seconds
        .iter()
        .zip(reference)
        .map(|(one, other)| one / other);
    let mut ratios: Vec<f64> = ratios.collect();
    ratios.sort_unstable_by(f64::total_cmp);
    let at = |share: f64| {
        let place = share * (ratios.len() - 1) as f64;
        ratios[place.round() as usize]
    };
    (!ratios.is_empty()).then(|| Spread {
        low: at(0.25),
        median: at(0.5),
        high: at(0.75),
    })
}

impl ContestOutcome {
    /// Median seconds of a step.
    pub(super) fn seconds_per_step(&self) -> Option<f64> {
        let ones = vec![1.0; self.seconds.len()];
        ratio(&self.seconds, &ones).map(|seconds| seconds.median)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ratio_is_taken_round_by_round() {
        let spread = ratio(&[2.0, 30.0, 4.0], &[1.0, 10.0, 1.0]).unwrap();
        let expected = Spread {
            low: 3.0,
            median: 3.0,
            high: 4.0,
        };
        assert_eq!(spread, expected);
        assert_eq!(ratio(&[], &[1.0]), None);
    }

    #[test]
    fn times_are_not_told_against_one_that_stopped() {
        let row = |stabilizer: &str, seconds: f64, stop: &str| {
            let outcome = ContestOutcome {
                stabilizer: stabilizer.to_owned(),
                seconds: vec![seconds],
                stop: (!stop.is_empty()).then(|| stop.to_owned()),
                ..ContestOutcome::default()
            };
            serde_json::to_value(outcome).unwrap()
        };
        let medians = |rows: Vec<serde_json::Value>| -> Vec<Option<f64>> {
            let rows = outcomes(&serde_json::Value::from(rows).to_string()).unwrap();
            rows.iter().map(|row| Some(row.ratio?.median)).collect()
        };
        let others = || [row("ggl", 4.0, ""), row("baumgarte", 6.0, "")];
        let finished = [vec![row("none", 2.0, "")], others().to_vec()].concat();
        assert_eq!(medians(finished), [Some(1.0), Some(2.0), Some(3.0)]);
        let stopped = [vec![row("none", 1.0, "not finite")], others().to_vec()].concat();
        assert_eq!(medians(stopped), [Some(0.25), Some(1.0), Some(1.5)]);
        assert_eq!(medians(others().to_vec()), [None, None]);
    }
}
