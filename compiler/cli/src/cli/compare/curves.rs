//! Curves as they are common in the literature: violation and energy over time, on logarithmic scales.

use plotters::prelude::*;

use super::outcome::ContestOutcome;
use crate::picture::chart::{Area, Chart, NoChart, axes, color, names};

/// Width of the picture, and of the names at its right.
const WIDTH: u32 = 1000;
const NAMES: u32 = 300;
/// Height of a curve's panel, and of the title.
const PANEL: u32 = 245;
const TITLE: u32 = 34;

/// Values below are less than the squared round-off of a number near 1.
const FLOOR: f64 = 1e-33;
/// The same for energy.
const ENERGY_FLOOR: f64 = 1e-16;

/// A panel: title, column of the curve, lowest value shown.
type ViolationPanel = (&'static str, usize, f64);

const PANELS: [ViolationPanel; 3] = [
    ("positions: ΦᵀΦ", 1, FLOOR),
    ("velocities: Φ̇ᵀΦ̇", 2, FLOOR),
    ("energy: |E − E₀| / J", 3, ENERGY_FLOOR),
];

/// Three panels, one above the other, with the names beside them.
pub(super) fn svg(name: &str, outcomes: &[ContestOutcome]) -> Result<String, String> {
    let mut text = String::new();
    draw(name, outcomes, &mut text).map_err(|why| format!("the curves cannot be drawn: {why}"))?;
    Ok(text)
}

fn draw(name: &str, outcomes: &[ContestOutcome], text: &mut String) -> Result<(), NoChart> {
    let height = TITLE + PANELS.len() as u32 * PANEL;
    let root = SVGBackend::with_string(text, (WIDTH, height)).into_drawing_area();
    root.fill(&WHITE)?;
    let font = ("sans-serif", 20).into_font();
    root.draw(&Text::new(
        format!("{name}: constraints and energy"),
        (16, 10),
        font,
    ))?;
    let (_, below) = root.split_vertically(TITLE);
    let (left, right) = below.split_horizontally(WIDTH - NAMES);
    let areas = left.split_evenly((PANELS.len(), 1));
    for (area, panel) in areas.iter().zip(PANELS) {
        curves(area, panel, outcomes)?;
    }
    let labels: Vec<_> = outcomes.iter().map(|one| label(one, outcomes)).collect();
    names(&right, labels.iter().map(String::as_str))?;
    root.present()?;
    drop((areas, right, left, below));
    Ok(())
}

/// Logarithms are drawn on a linear scale, so that zero stands at the floor.
fn curves(
    area: &Area,
    (title, column, floor): ViolationPanel,
    outcomes: &[ContestOutcome],
) -> Result<(), NoChart> {
    let end = outcomes.iter().filter_map(|one| one.curve.last()?[0]);
    let end = end.fold(0.0, f64::max);
    let values = outcomes.iter().flat_map(|one| &one.curve);
    let values = values.filter_map(|row| row[column]);
    let top = values.fold(floor * 1e4, f64::max).log10().ceil();
    let label = |power: &f64| format!("1e{power:.0}");
    let mut chart = axes(area, end, floor.log10()..top, title, &label)?;
    for (index, outcome) in outcomes.iter().enumerate() {
        curve(&mut chart, outcome, column, floor, color(index))?;
    }
    Ok(())
}

fn curve(
    chart: &mut Chart,
    outcome: &ContestOutcome,
    column: usize,
    floor: f64,
    color: RGBColor,
) -> Result<(), NoChart> {
    let points = outcome.curve.iter().filter_map(|row| {
        let value = row[column]?.max(floor);
        Some((row[0]?, value.log10()))
    });
    chart.draw_series(LineSeries::new(points, color.stroke_width(1)))?;
    Ok(())
}

/// The stabilizer, and the other methods if they differ among the curves.
fn label(one: &ContestOutcome, all: &[ContestOutcome]) -> String {
    let differs =
        |part: fn(&ContestOutcome) -> &str| all.iter().any(|other| part(other) != part(one));
    let mut label = one.stabilizer.clone();
    if differs(|one| &one.integrator) {
        label += &format!(", {}", one.integrator);
    }
    if differs(|one| &one.formulation) {
        label += &format!(", {}", one.formulation);
    }
    label
}
