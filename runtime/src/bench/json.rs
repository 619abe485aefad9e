//! The results of a benchmark as JSON.

use std::format;
use std::string::{String, ToString};
use std::vec::Vec;

use super::{BenchFigures, Times};

/// One formulation.
pub fn object(formulation: &str, figures: &BenchFigures, times: &Times) -> String {
    let stop = figures.stop.as_ref();
    let fields = [
        ("formulation", format!("{formulation:?}")),
        ("steps", figures.steps.to_string()),
        ("span", number(figures.span)),
        ("acceleration", list(&times.acceleration)),
        ("step", list(&times.step)),
        ("median_step", number(figures.median)),
        ("worst_step", number(figures.worst)),
        ("worst_at", number(figures.worst_at)),
        (
            "stop",
            stop.map_or("null".to_string(), |why| format!("{why:?}")),
        ),
    ];
    let fields: Vec<String> = fields
        .iter()
        .map(|(name, value)| format!("\"{name}\":{value}"))
        .collect();
    format!("{{{}}}", fields.join(","))
}

fn list(values: &[f64]) -> String {
    let values: Vec<String> = values.iter().copied().map(number).collect();
    format!("[{}]", values.join(","))
}

/// JSON has no number for NaN and infinities.
fn number(value: f64) -> String {
    match value.is_finite() {
        true => format!("{value:?}"),
        false => "null".to_string(),
    }
}
