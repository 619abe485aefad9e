//! Shared by all charts: colours, fonts and the style of axes.

use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

/// Colours that differ on white, in print and for most eyes (those of Okabe and Ito, and four darker ones).
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

/// A part of the picture.
pub(crate) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
/// A part of the picture with axes.
pub(crate) type Chart<'a, 'b> =
    ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;
/// Reason why something could not be drawn.
pub(crate) type NoChart = Box<dyn std::error::Error>;

/// The colour of the n-th curve.
pub(crate) fn color(index: usize) -> RGBColor {
    COLORS[index % COLORS.len()]
}

/// Axes over time; the caller formats the labels of the values.
pub(crate) fn axes<'a, 'b>(
    area: &Area<'b>,
    end: f64,
    heights: std::ops::Range<f64>,
    title: &str,
    label: &dyn Fn(&f64) -> String,
) -> Result<Chart<'a, 'b>, NoChart> {
    let mut chart = ChartBuilder::on(area)
        .margin(6)
        .x_label_area_size(44)
        .y_label_area_size(66)
        .build_cartesian_2d(0.0..end, heights)?;
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
        .y_label_formatter(label)
        .draw()?;
    Ok(chart)
}

/// The names of curves, one below the other.
pub(crate) fn names<'n>(area: &Area, names: impl Iterator<Item = &'n str>) -> Result<(), NoChart> {
    for (index, name) in names.enumerate() {
        let y = 20 + 20 * index as i32;
        let line = vec![(6, y), (34, y)];
        area.draw(&PathElement::new(line, color(index).stroke_width(3)))?;
        let font = ("sans-serif", 15).into_font();
        area.draw(&Text::new(name.to_owned(), (42, y - 7), font))?;
    }
    Ok(())
}
