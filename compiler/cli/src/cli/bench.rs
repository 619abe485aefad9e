//! `bellcrank bench`: times an acceleration and a step in each formulation, in one process and in turn.

use std::num::NonZeroUsize;
use std::process::Command;

use clap::Args;

use super::compare::TableFormat;
use super::listen::listen;
use super::methods::{MethodChoice, method_choice};
use super::program::{Processor, program, program_for};
use super::quantity::{Setting, duration, setting};
use super::report::Reporter;
use super::run::assigned;
use super::{ModelArguments, data};
use crate::description::{Formulation, Integrator, Stabilizer};
use crate::diagnostics::Diagnostics;
use callgrind::{Callgrind, Counting};
use code::code;
use result::{BenchResult, outcomes};
use subject::subjects;

mod callgrind;
mod code;
mod result;
mod subject;
mod table;

/// Arguments of `bench`.
#[derive(Clone, Debug, Args)]
pub(super) struct Bench {
    #[command(flatten)]
    model: ModelArguments,
    /// Formulations to time; if absent, all with rigid joints that the mechanism can be written in
    #[arg(long, value_name = "FORMULATION", value_delimiter = ',', value_parser = super::words(), conflicts_with = "formulation")]
    formulations: Vec<Formulation>,
    /// The integrator, `name` or `name:setting=value,…`; if absent, the one of the description
    #[arg(long, value_name = "METHOD", value_parser = method_choice::<Integrator>)]
    integrator: Option<MethodChoice<Integrator>>,
    /// The stabilizer, `name` or `name:setting=value,…`; if absent, the one of the description
    #[arg(long, value_name = "METHOD", value_parser = method_choice::<Stabilizer>)]
    stabilizer: Option<MethodChoice<Stabilizer>>,
    /// Step size in seconds, or with a unit.
    #[arg(long, value_parser = duration)]
    step: Option<f64>,
    /// Number of steps from the start
    #[arg(long, value_name = "N", default_value = "1000")]
    steps: NonZeroUsize,
    /// Number of rounds; each round times all formulations
    #[arg(long, value_name = "N", default_value = "21")]
    rounds: NonZeroUsize,
    /// Set a parameter.
    #[arg(long, value_name = "NAME=VALUE", value_parser = setting)]
    set: Vec<Setting>,
    /// Set an input.
    #[arg(long, value_name = "NAME=VALUE", value_parser = setting)]
    input: Vec<Setting>,
    /// Whether to count instructions with callgrind
    #[arg(long, value_enum, default_value_t)]
    count: Counting,
    /// Print the table as comma-separated values.
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Print all figures, with those of each round, as JSON.
    #[arg(long)]
    json: bool,
    /// Show no progress.
    #[arg(long)]
    quiet: bool,
}

/// Times, counts and prints.
pub(super) fn bench(bench: &Bench, reporter: &mut Reporter) -> Result<(), Diagnostics> {
    let counter = Callgrind::find(bench.count)?;
    let subjects = subjects(bench, reporter)?;
    let sources = subject::sources(&subjects);
    let native = program(&sources, bench.quiet)?;
    let mut command = Command::new(&native);
    command.args(bench.arguments());
    command.arg(format!("--steps={}", bench.steps));
    command.arg(format!("--rounds={}", bench.rounds));
    let json = listen(&mut command, "the benchmark", "rounds", bench.quiet)?;
    let mut outcomes = outcomes(&json, &subjects)?;
    for (n, outcome) in outcomes.iter_mut().enumerate() {
        outcome.code = code(&native, n);
    }
    match counter {
        Some(counter) => count(bench, &counter, &sources, &mut outcomes)?,
        None if bench.quiet => {}
        None => say_line!("valgrind is not on the path, so instructions are not counted"),
    }
    let format = TableFormat::of(bench.csv, bench.json);
    data(&table::table(&outcomes, format))
}

fn count(
    bench: &Bench,
    counter: &Callgrind,
    sources: &super::program::Sources,
    outcomes: &mut [BenchResult],
) -> Result<(), Diagnostics> {
    let program = program_for(Processor::Common, sources, bench.quiet)?;
    for (n, outcome) in outcomes.iter_mut().enumerate() {
        let count = counter.per_step(&program, n, outcome.steps, &bench.arguments());
        match count {
            Ok(count) => outcome.instructions = Some(count),
            Err(why) => say_line!(
                "{}: instructions are not counted: {why}",
                outcome.formulation
            ),
        }
    }
    Ok(())
}

impl Bench {
    /// As arguments of the program.
    fn arguments(&self) -> Vec<String> {
        let words = [
            ("step", self.step.map(|step| format!("{step:?}"))),
            (
                "integrator",
                self.integrator.as_ref().map(|one| one.text.clone()),
            ),
            (
                "stabilizer",
                self.stabilizer.as_ref().map(|one| one.text.clone()),
            ),
        ];
        let words = words.map(|(name, value)| value.map(|value| format!("--{name}={value}")));
        let mut arguments: Vec<String> = words.into_iter().flatten().collect();
        arguments.extend(assigned(&self.set, &self.input));
        arguments
    }
}
