//! Curves over time as SVG, panel below panel, each with its names beside it.

use plotters::prelude::*;

use super::chart::{Area, NoChart, axes, color, names};
use super::panels::{Panel, Scale};

/// Width of the picture, and of the names at its right.
const WIDTH: u32 = 1000;
const NAMES: u32 = 220;
/// Height of a panel, and of the title.
const PANEL: u32 = 235;
const TITLE: u32 = 34;

/// The lowest value shown on a logarithmic scale: less than the round-off of a small length.
const FLOOR: f64 = 1e-18;
/// A curve that changes by less than this share of its size is drawn as constant.
const LEVEL: f64 = 1e-5;

/// The panels one above the other, over the same times.
pub fn curves(name: &str, times: &[f64], panels: &[Panel]) -> Result<String, String> {
    let mut text = String::new();
    draw(name, times, panels, &mut text)
        .map_err(|why| format!("the curves cannot be drawn: {why}"))?;
    Ok(text)
}

fn draw(name: &str, times: &[f64], panels: &[Panel], text: &mut String) -> Result<(), NoChart> {
    let height = TITLE + panels.len() as u32 * PANEL;
    let root = SVGBackend::with_string(text, (WIDTH, height)).into_drawing_area();
    root.fill(&WHITE)?;
    let font = ("sans-serif", 20).into_font();
    root.draw(&Text::new(name.to_owned(), (16, 10), font))?;
    let (_, below) = root.split_vertically(TITLE);
    let rows = below.split_evenly((panels.len(), 1));
    for (row, panel) in rows.iter().zip(panels) {
        let (left, right) = row.split_horizontally(WIDTH - NAMES);
        one(&left, times, panel)?;
        names(&right, panel.curves.iter().map(|curve| curve.name.as_str()))?;
    }
    root.present()?;
    drop((rows, below));
    Ok(())
}

fn one(area: &Area, times: &[f64], panel: &Panel) -> Result<(), NoChart> {
    let end = times
        .last()
        .copied()
        .filter(|end| *end > 0.0)
        .unwrap_or(1.0);
    let title = match panel.unit.as_str() {
        "" => panel.title.clone(),
        unit => format!("{} / {unit}", panel.title),
    };
    let range = range(panel);
    let digits = digits(range);
    let label = |value: &f64| match panel.scale {
        Scale::Logarithmic => format!("1e{value:.0}"),
        Scale::Linear => number(*value, digits),
    };
    let mut chart = axes(area, end, range[0]..range[1], &title, &label)?;
    for (index, curve) in panel.curves.iter().enumerate() {
        let heights = curve.values.iter().map(|value| height(panel.scale, *value));
        let points = times.iter().copied().zip(heights);
        let points = points.filter(|(_, height)| height.is_finite());
        chart.draw_series(LineSeries::new(points, color(index).stroke_width(2)))?;
    }
    Ok(())
}

/// Logarithms are drawn on a linear scale, so that zero stands at the floor.
fn height(scale: Scale, value: f64) -> f64 {
    match scale {
        Scale::Linear => value,
        Scale::Logarithmic => value.max(FLOOR).log10(),
    }
}

/// The range from the lowest to the highest value, with a margin. A curve that changes by less than the reader's
/// rounding gets the range of a constant.
fn range(panel: &Panel) -> [f64; 2] {
    let values = panel.curves.iter().flat_map(|curve| &curve.values);
    let heights = values.map(|value| height(panel.scale, *value));
    let finite = heights.filter(|height| height.is_finite());
    let [low, high] = finite.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], h| {
        [low.min(h), high.max(h)]
    });
    if low > high {
        return [0.0, 1.0];
    }
    if panel.scale == Scale::Logarithmic {
        return [low.floor(), high.ceil().max(low.floor() + 1.0)];
    }
    let size = low.abs().max(high.abs());
    let room = match high - low > LEVEL * size {
        true => 0.05 * (high - low),
        false if size > 0.0 => 0.5 * size,
        // A curve that is always zero has no size of its own.
        false => 1.0,
    };
    [low - room, high + room]
}

/// Number of decimals in which ticks differ; `None` if powers of ten are written.
fn digits([low, high]: [f64; 2]) -> Option<usize> {
    let power = |length: f64| length.log10().floor();
    let size = low.abs().max(high.abs());
    let plain = (-3.0..5.0).contains(&power(size));
    plain.then(|| (1.0 - power(high - low)).max(0.0) as usize)
}

fn number(value: f64, digits: Option<usize>) -> String {
    match digits {
        Some(digits) => format!("{value:.digits$}"),
        None => format!("{value:.1e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::panels::{Curve, Topic};
    use super::*;

    fn panel(scale: Scale, values: &[f64]) -> Panel {
        Panel {
            title: "x".to_owned(),
            topic: Topic::Outputs,
            unit: "m".to_owned(),
            scale,
            curves: vec![Curve {
                name: "tip".to_owned(),
                values: values.to_vec(),
            }],
        }
    }

    #[test]
    fn ranges_hold_all_that_is_finite() {
        let [low, high] = range(&panel(Scale::Linear, &[1.0, f64::NAN, 3.0]));
        assert!(low < 1.0 && high > 3.0 && high < 4.0);
        assert_eq!(
            range(&panel(Scale::Logarithmic, &[0.0, 3e-12])),
            [-18.0, -11.0]
        );
        let [low, high] = range(&panel(Scale::Linear, &[2.0, 2.0 + 1e-9]));
        assert!(low < 1.5 && high > 2.5);
        assert_eq!(range(&panel(Scale::Linear, &[0.0, 0.0])), [-1.0, 1.0]);
        assert_eq!(range(&panel(Scale::Linear, &[f64::NAN])), [0.0, 1.0]);
    }

    #[test]
    fn ticks_differ_in_their_last_decimal() {
        assert_eq!(number(2.0004, digits([2.0, 2.002])), "2.0004");
        assert_eq!(number(150.0, digits([-300.0, 300.0])), "150");
        assert_eq!(number(2e-7, digits([-4e-7, 4e-7])), "2.0e-7");
    }

    #[test]
    fn names_and_units_are_written() {
        let text = curves("Arm", &[0.0, 1.0], &[panel(Scale::Linear, &[0.0, 1.0])]).unwrap();
        for word in ["Arm", "x / m", "tip", "time / s"] {
            assert!(text.contains(word), "{word}");
        }
    }
}
