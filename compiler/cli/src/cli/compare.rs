//! `bellcrank compare`: runs many stabilizers, integrators and formulations on one mechanism, in one process and in
//! turn. Prints a table on stdout and draws the curves.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::Command;

use clap::{Args, ValueEnum};

use super::listen::listen;
use super::methods::{MethodChoice, method_choice};
use super::program::program;
use super::quantity::{Setting, duration, ratio, setting};
use super::report::Reporter;
use super::run::assigned;
use super::{ModelArguments, data, found, write};
use crate::description::{Formulation, Integrator, Stabilizer};
use crate::diagnostics::{Code, Diagnostics};
use crate::front_end::stem;
use group::groups;
use outcome::{ContestOutcome, outcomes};

mod curves;
mod group;
mod outcome;
mod table;

/// Arguments of `compare`.
#[derive(Clone, Debug, Args)]
pub(super) struct Compare {
    #[command(flatten)]
    model: ModelArguments,
    /// Formulations to compare; if absent, the one of the description
    #[arg(long, value_name = "FORMULATION", value_delimiter = ',', value_parser = super::words(), conflicts_with = "formulation")]
    formulations: Vec<Formulation>,
    /// An integrator, `name` or `name:setting=value,…`; may be given several times. If absent, the one of the
    /// description
    #[arg(long, value_name = "METHOD", value_parser = method_choice::<Integrator>)]
    integrator: Vec<MethodChoice<Integrator>>,
    /// A stabilizer, `name` or `name:setting=value,…`; may be given several times. If absent, all of them. `none`
    /// always runs, because times are relative to it
    #[arg(long, value_name = "METHOD", value_parser = method_choice::<Stabilizer>)]
    stabilizer: Vec<MethodChoice<Stabilizer>>,
    /// End time in seconds, or with a unit.
    #[arg(long, value_parser = duration)]
    until: Option<f64>,
    /// Step size in seconds, or with a unit.
    #[arg(long, value_parser = duration)]
    step: Option<f64>,
    /// Error that a step may make if the integrator chooses its steps, relative to the size of the mechanism
    #[arg(long, value_parser = ratio)]
    tolerance: Option<f64>,
    /// Set a parameter.
    #[arg(long, value_name = "NAME=VALUE", value_parser = setting)]
    set: Vec<Setting>,
    /// Set an input.
    #[arg(long, value_name = "NAME=VALUE", value_parser = setting)]
    input: Vec<Setting>,
    /// Number of rounds in which each pair of methods is timed
    #[arg(long, default_value = "21")]
    repeat: NonZeroUsize,
    /// The picture; if absent, a file with the name of the mechanism in the current folder
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Print the table as comma-separated values.
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Print the table and the curves as JSON.
    #[arg(long)]
    json: bool,
    /// Show no progress.
    #[arg(long)]
    quiet: bool,
}

/// Format of the table.
#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
pub(super) enum TableFormat {
    Text,
    Csv,
    Json,
}

impl TableFormat {
    /// The format that these two flags select.
    pub(super) fn of(csv: bool, json: bool) -> Self {
        match (csv, json) {
            (true, _) => Self::Csv,
            (_, true) => Self::Json,
            _ => Self::Text,
        }
    }
}

/// Runs the comparison, prints the table and writes the curves.
pub(super) fn compare(compare: &Compare, reporter: &mut Reporter) -> Result<(), Diagnostics> {
    let groups = groups(compare, reporter)?;
    let sources = group::sources(&groups, &compare.model);
    let mut command = Command::new(program(&sources, compare.quiet)?);
    command.args(compare.arguments());
    let json = listen(&mut command, "the comparison", "runs", compare.quiet)?;
    let outcomes = outcomes(&json)?;
    let format = TableFormat::of(compare.csv, compare.json);
    data(&table::table(&outcomes, format))?;
    draw(compare, &outcomes)
}

fn draw(compare: &Compare, outcomes: &[ContestOutcome]) -> Result<(), Diagnostics> {
    let name = stem(&compare.model.path);
    let file = compare.svg.clone();
    let file = file.unwrap_or_else(|| PathBuf::from(format!("{name}_compare.svg")));
    let picture = curves::svg(&name, outcomes).map_err(|why| found(Code::C604, why))?;
    write(&file, &picture)?;
    if !compare.quiet {
        say_line!("curves: {}", file.display());
    }
    Ok(())
}

impl Compare {
    /// As arguments of the program.
    fn arguments(&self) -> Vec<String> {
        let numbers = [
            ("until", self.until),
            ("step", self.step),
            ("tolerance", self.tolerance),
        ];
        let numbers = numbers.map(|(name, value)| value.map(|value| format!("--{name}={value:?}")));
        let mut arguments: Vec<String> = numbers.into_iter().flatten().collect();
        arguments.extend(assigned(&self.set, &self.input));
        arguments.push(format!("--repeat={}", self.repeat));
        arguments
    }
}
