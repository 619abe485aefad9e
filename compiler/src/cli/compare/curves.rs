//! The curves as a reader of the literature wants to see them: violation and energy over time, on
//! logarithmic scales.

use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

use super::outcome::Outcome;

/// Width of the picture, and of the names at its right.
const WIDTH: u32 = 1000;
const NAMES: u32 = 300;
/// Height of a curve's panel, and of the title.
const PANEL: u32 = 245;
const TITLE: u32 = 34;

/// What is below is less than the round-off of a number near 1, squared.
const FLOOR: f64 = 1e-33;
/// The same for energy.
const ENERGY_FLOOR: f64 = 1e-16;

/// Distinct on white, in print and for most eyes (Okabe and Ito's, and four darker ones).
const COLORS: [RGBColor; 12] = [
    RGBColor(0, 0, 0),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(160, 150, 0),
    RGBColor(120, 60, 160),
    RGBColor(130, 130, 130),
    RGBColor(140, 80, 40),
    RGBColor(0, 100, 60),
];

/// A panel: title, column of the curve, lowest value shown.
type Panel = (&'static str, usize, f64);

const PANELS: [Panel; 3] = [
    ("positions: ΦᵀΦ", 1, FLOOR),
    ("velocities: Φ̇ᵀΦ̇", 2, FLOOR),
    ("energy: |E − E₀| / J", 3, ENERGY_FLOOR),
];

/// Three panels, one above the other, with the names beside them.
pub(super) fn svg(name: &str, outcomes: &[Outcome]) -> Result<String, String> {
    let mut text = String::new();
    draw(name, outcomes, &mut text).map_err(|why| format!("the curves cannot be drawn: {why}"))?;
    Ok(text)
}

fn draw(
    name: &str,
    outcomes: &[Outcome],
    text: &mut String,
) -> Result<(), Box<dyn std::error::Error>> {
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
    names(&right, outcomes)?;
    root.present()?;
    drop((areas, right, left, below));
    Ok(())
}

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;
type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// Logarithms are drawn on a linear scale, so that what is zero stands at the floor.
fn curves(
    area: &Area,
    (title, column, floor): Panel,
    outcomes: &[Outcome],
) -> Result<(), Box<dyn std::error::Error>> {
    let end = outcomes.iter().filter_map(|one| one.curve.last()?[0]);
    let end = end.fold(0.0, f64::max);
    let values = outcomes.iter().flat_map(|one| &one.curve);
    let values = values.filter_map(|row| row[column]);
    let top = values.fold(floor * 1e4, f64::max).log10().ceil();
    let mut chart = ChartBuilder::on(area)
        .margin(6)
        .x_label_area_size(44)
        .y_label_area_size(66)
        .build_cartesian_2d(0.0..end, floor.log10()..top)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(RGBColor(225, 225, 225))
        .axis_desc_style(("sans-serif", 15))
        .label_style(("sans-serif", 13))
        .x_desc("time / s")
        .y_desc(title)
        .x_labels(11)
        .y_labels(7)
        .y_label_formatter(&|power| format!("1e{power:.0}"))
        .draw()?;
    for (index, outcome) in outcomes.iter().enumerate() {
        curve(&mut chart, outcome, column, floor, color(index))?;
    }
    Ok(())
}

fn curve(
    chart: &mut Chart,
    outcome: &Outcome,
    column: usize,
    floor: f64,
    color: RGBColor,
) -> Result<(), Box<dyn std::error::Error>> {
    let points = outcome.curve.iter().filter_map(|row| {
        let value = row[column]?.max(floor);
        Some((row[0]?, value.log10()))
    });
    chart.draw_series(LineSeries::new(points, color.stroke_width(1)))?;
    Ok(())
}

fn names(area: &Area, outcomes: &[Outcome]) -> Result<(), Box<dyn std::error::Error>> {
    for (index, outcome) in outcomes.iter().enumerate() {
        let y = 20 + 20 * index as i32;
        let line = vec![(6, y), (34, y)];
        area.draw(&PathElement::new(line, color(index).stroke_width(3)))?;
        let font = ("sans-serif", 15).into_font();
        area.draw(&Text::new(label(outcome, outcomes), (42, y - 7), font))?;
    }
    Ok(())
}

/// The stabilizer, and what else differs among those that are drawn.
fn label(one: &Outcome, all: &[Outcome]) -> String {
    let differs = |part: fn(&Outcome) -> &str| all.iter().any(|other| part(other) != part(one));
    let mut label = one.stabilizer.clone();
    if differs(|one| &one.integrator) {
        label += &format!(", {}", one.integrator);
    }
    if differs(|one| &one.formulation) {
        label += &format!(", {}", one.formulation);
    }
    label
}

fn color(index: usize) -> RGBColor {
    COLORS[index % COLORS.len()]
}
