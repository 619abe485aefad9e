//! `bellcrank plot`: the curves of a run, or a drawing of the mechanism, as SVG.

use std::path::PathBuf;

use clap::Args;

use super::recording::{RecordedRows, Recording, record};
use super::report::Reporter;
use super::run::{Manner, RunSettings, default_file};
use super::view::{deliver, ready, traced};
use super::{ModelArguments, found};
use crate::diagnostics::{Code, Diagnostic, Diagnostics, Path as Element, meant};
use crate::picture::{Curve, Panel, Record, Scene, Topic, curves, panels, svg, traces};

/// Width and height of a drawing.
const SIZE: [u32; 2] = [640, 480];

/// Arguments of `plot`.
#[derive(Clone, Debug, Args)]
pub(super) struct PlotArguments {
    #[command(flatten)]
    model: ModelArguments,
    #[command(flatten)]
    settings: RunSettings,
    #[command(flatten)]
    manner: Manner,
    /// The picture, `-` for stdout; if absent, a file with the name of the mechanism in the current folder
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Only these columns: outputs, `kinetic`, `potential`, `energy`, `work`, `drift`, `phi`, `phi_dot`.
    #[arg(
        long,
        value_name = "NAME",
        value_delimiter = ',',
        conflicts_with = "draw"
    )]
    columns: Vec<String>,
    /// Also show the energies and their drift
    #[arg(long, conflicts_with_all = ["draw", "columns"])]
    energy: bool,
    /// Also show the violation of the constraints
    #[arg(long, conflicts_with_all = ["draw", "columns"])]
    violation: bool,
    /// Draw the mechanism at its start, with traces, instead of curves.
    #[arg(long)]
    draw: bool,
    /// With `--draw`, a point whose path is shown, `body.point`; may be given several times
    #[arg(long, value_name = "POINT", value_delimiter = ',', requires = "draw")]
    trace: Vec<String>,
}

/// Runs a model and writes the picture.
pub(super) fn plot(plot: &PlotArguments, reporter: &mut Reporter) -> Result<(), Diagnostics> {
    ready(plot.out.as_deref())?;
    let traced = traced(&plot.model, &plot.settings, &plot.trace)?;
    let recording = record(
        &plot.model,
        &plot.settings,
        &plot.manner,
        RecordedRows::Frames,
        reporter,
    )?;
    let text = match plot.draw {
        true => drawing_of(&recording, traced, SIZE),
        false => curves_of(&recording, plot)?,
    };
    let file = plot.out.clone();
    let file = file.unwrap_or_else(|| default_file(&recording.output, "svg"));
    let what = if plot.draw { "drawing" } else { "curves" };
    deliver(what, &file, &text, plot.manner)
}

/// The mechanism at its start, with the requested traces, or with default ones.
pub(super) fn drawing_of(
    recording: &Recording,
    traced: Option<Vec<usize>>,
    size: [u32; 2],
) -> String {
    let Recording { scene, motion, .. } = recording;
    let traced = traced.unwrap_or_else(|| traces(scene, motion));
    svg(scene, motion, &traced, size)
}

fn curves_of(recording: &Recording, plot: &PlotArguments) -> Result<String, Diagnostics> {
    let Recording { scene, record, .. } = recording;
    let mut panels = panels(scene, record);
    match plot.columns.as_slice() {
        [] => panels.retain(|panel| plot.shows(panel.topic, scene)),
        columns => {
            known(&panels, record, columns)?;
            panels = chosen(panels, columns);
        }
    }
    curves(&scene.name, record.times(), &panels).map_err(|why| found(Code::C604, why))
}

impl PlotArguments {
    /// A mechanism without outputs shows its energy.
    fn shows(&self, topic: Topic, scene: &Scene) -> bool {
        match topic {
            Topic::Outputs => true,
            Topic::Energy => self.energy || scene.outputs.is_empty(),
            Topic::Violation => self.violation,
        }
    }
}

/// C605 for a column that does not exist or has no values to show.
fn known(panels: &[Panel], record: &Record, columns: &[String]) -> Result<(), Diagnostics> {
    let curves = panels.iter().flat_map(|panel| &panel.curves);
    let names: Vec<&str> = curves.map(|curve| curve.name.as_str()).collect();
    let mut list = Diagnostics::new();
    for column in columns
        .iter()
        .filter(|column| !names.contains(&column.as_str()))
    {
        let (message, hint) = match record.column(column) {
            Some(_) => (
                format!("column `{column}` is zero all along"),
                "leave it out: there is no curve to draw".to_owned(),
            ),
            None => (
                format!("the run has no column `{column}`"),
                meant(column, &names),
            ),
        };
        list.push(Diagnostic::error(Code::C605, &Element::root(), message).hint(hint));
    }
    list.finish(()).map(drop)
}

fn chosen(panels: Vec<Panel>, columns: &[String]) -> Vec<Panel> {
    let wanted = |curve: &Curve| columns.contains(&curve.name);
    let reduced = panels.into_iter().map(|mut panel| {
        panel.keep(wanted);
        panel
    });
    reduced.filter(|panel| !panel.curves.is_empty()).collect()
}
