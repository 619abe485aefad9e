//! The results of a comparison as JSON.

use std::format;
use std::string::{String, ToString};
use std::vec::Vec;

use super::{Contestant, Measures};

/// One contestant.
pub fn object(
    contestant: &Contestant,
    measures: &Measures,
    times: &[f64],
    points: usize,
) -> String {
    let m = measures;
    let seen = m.steps + 1;
    let fields = [
        ("formulation", text(contestant.formulation)),
        ("integrator", text(contestant.integrator)),
        ("stabilizer", text(contestant.stabilizer)),
        ("steps", m.steps.to_string()),
        ("evaluations", m.evaluations.to_string()),
        ("factorizations", m.factorizations.to_string()),
        ("iterations", m.iterations.to_string()),
        ("rejections", m.rejections.to_string()),
        ("position_passes", m.position_passes.to_string()),
        ("velocity_passes", m.velocity_passes.to_string()),
        ("phi_mean", number(m.phi.mean(seen))),
        ("phi_max", number(m.phi.max)),
        ("phi_dot_mean", number(m.phi_dot.mean(seen))),
        ("phi_dot_max", number(m.phi_dot.max)),
        ("energy_drift", number(m.energy_drift)),
        ("stop", m.stop.as_deref().map_or("null".to_string(), text)),
        ("seconds", list(times.iter().copied().map(number))),
        (
            "curve",
            list(thinned(&m.curve, points).map(|row| list(row.map(number).into_iter()))),
        ),
    ];
    let fields: Vec<String> = fields
        .iter()
        .map(|(name, value)| format!("\"{name}\":{value}"))
        .collect();
    format!("{{{}}}", fields.join(","))
}

/// About this many rows, including the first and the last.
fn thinned(curve: &[[f64; 4]], points: usize) -> impl Iterator<Item = [f64; 4]> {
    let every = (curve.len() / points).max(1);
    let last = curve.len().saturating_sub(1);
    let kept = move |(n, row): (usize, &[f64; 4])| (n % every == 0 || n == last).then_some(*row);
    curve.iter().enumerate().filter_map(kept)
}

fn list(values: impl Iterator<Item = String>) -> String {
    format!("[{}]", values.collect::<Vec<_>>().join(","))
}

/// JSON has no number for NaN and infinities.
fn number(value: f64) -> String {
    match value.is_finite() {
        true => format!("{value:?}"),
        false => "null".to_string(),
    }
}

fn text(text: &str) -> String {
    format!("{text:?}")
}
