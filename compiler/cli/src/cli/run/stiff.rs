//! Advice for a run that breaks down or loses energy. The fastest motion near the start determines the steps that an
//! explicit method can take.

use std::f64::consts::TAU;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use super::super::quantity::values;
use super::super::{ModelArguments, child};
use super::{RunSettings, Summary};
use crate::analysis::fastest::fastest;
use crate::analysis::mechanism::Mechanism;
use crate::description::Integrator;
use crate::diagnostics::{Code, Diagnostic, Diagnostics, Path as Element};
use crate::front_end::Output;
use crate::interpreted::own;
use crate::source::load;

/// A balance that is off by more than this share of the energy that moved is reported.
const LOST: f64 = 0.05;

/// The error of a stopped run, with the step that it should have taken if stiffness explains the stop.
pub(in crate::cli) fn explained(
    found: Diagnostics,
    settings: &RunSettings,
    model: &ModelArguments,
    output: &Output,
) -> Diagnostics {
    let advice = advice(settings, model, output, 1.0);
    let advised = |one: &Diagnostic| match (&advice, one.code) {
        (Some(advice), Code::C604) => one.clone().hint(advice),
        _ => one.clone(),
    };
    found.iter().map(advised).collect()
}

/// C609 if the run reached its end with a wrong energy.
pub(super) fn lost_energy(
    summary: &Summary,
    moved: f64,
    settings: &RunSettings,
    model: &ModelArguments,
    output: &Output,
) -> Diagnostics {
    let share = summary.energy_drift / moved;
    if share.is_nan() || share <= LOST {
        return Diagnostics::new();
    }
    let message = format!(
        "the balance of energy is off by {:.2e} J, {:.0} % of the energy that moved in the run",
        summary.energy_drift,
        100.0 * share
    );
    // A stable method may still damp motions that its step does not resolve.
    let advice = advice(settings, model, output, 0.2);
    let hint = advice.unwrap_or_else(|| "take a smaller step, or `--integrator bdf`".to_owned());
    Diagnostic::warning(Code::C609, &Element::root(), message)
        .hint(hint)
        .into()
}

/// Suggests a step, or another method, if the fastest motion at the start allows fewer than `part` of the steps for
/// which an explicit method is stable.
fn advice(
    settings: &RunSettings,
    model: &ModelArguments,
    output: &Output,
    part: f64,
) -> Option<String> {
    let (integrator, _) = settings.methods(output);
    // |μ| h below which a motion exp(μ t) with an imaginary or a negative μ does not grow.
    let stable = match integrator {
        Integrator::Rk4 => 2.7,
        Integrator::Rk2 => 1.0,
        Integrator::SemiImplicitEuler => 2.0,
        _ => return None,
    };
    let step = settings
        .step
        .unwrap_or(output.interpretable.simulation.step);
    let fastest = fastest_of(settings, model)?;
    if step * fastest <= part * stable {
        return None;
    }
    let word = integrator.word();
    Some(format!(
        "a spring or a damper is stiff: the fastest motion near the start takes {:.1e} s, and `{word}` is stable below steps of \
         {:.1e} s; write `--integrator bdf`, which chooses its steps and takes stiff motions, or `--step {:.0e}`",
        TAU / fastest,
        stable / fastest,
        0.1 * stable / fastest
    ))
}

/// The fastest motion of the model with these settings.
fn fastest_of(settings: &RunSettings, model: &ModelArguments) -> Option<f64> {
    let source = load(&model.path).ok()?;
    let analysis = ModelArguments::for_analysis(model.path.clone());
    let output = child::output_of(&analysis, &source, |_| ()).ok()?;
    let (set, input) = (values(&settings.set), values(&settings.input));
    fastest(&Mechanism::new(&output, &set, &input).ok()?)
}

/// Energy that moved in a run: the largest kinetic energy and the range of the potential energy among its rows. If
/// rows are far apart, all of them may show bodies at rest. Only the potential energy then shows the motion.
pub(super) fn energy_moved(rows: &Path, output: &Output) -> Option<f64> {
    let [kinetic, potential] = ["kinetic", "potential"].map(|name| own(name, &output.outputs));
    let (_, largest) = range(rows, &kinetic)?;
    let (low, high) = range(rows, &potential)?;
    Some(largest + (high - low))
}

/// The least and the largest value of a column.
fn range(file: &Path, column: &str) -> Option<(f64, f64)> {
    let mut lines = BufReader::new(File::open(file).ok()?).lines();
    let header = lines.next()?.ok()?;
    let index = header.split(',').position(|name| name == column)?;
    let values = lines.map_while(Result::ok).filter_map(|line| {
        let cell = line.split(',').nth(index)?;
        cell.parse::<f64>().ok()
    });
    let none = (f64::INFINITY, f64::NEG_INFINITY);
    let (low, high) = values.fold(none, |(low, high), x| (low.min(x), high.max(x)));
    (low <= high).then_some((low, high))
}
