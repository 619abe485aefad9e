//! `bellcrank run`: compile, build native code once, simulate, show.

use std::fs::File;
use std::io::{self, BufWriter};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::Args;

use super::methods::{MethodChoice, fit, integrator_type, method_choice, stabilizer_type};
use super::program::{Sources, program};
use super::quantity::{self, Setting, duration, ratio, setting, values};
use super::report::Reporter;
use super::{ModelArguments, ScalarName, child, data, found, progress, say, unwritten};
use crate::description::{Integrator, Stabilizer};
use crate::diagnostics::{Code, Diagnostic, Diagnostics, Path as Element};
use crate::front_end::Output;
use crate::interpreted;
use crate::output_file::{self, Draft, Durability};
use crate::source::Source;
pub(super) use drive::{RunEnd, Summary};
pub(super) use stiff::explained;

pub(super) mod drive;
mod stiff;
mod table;

/// Arguments of `run`.
#[derive(Clone, Debug, Args)]
pub(super) struct RunArguments {
    #[command(flatten)]
    model: ModelArguments,
    #[command(flatten)]
    settings: RunSettings,
    /// The CSV file, `-` for stdout; if absent, a file with the name of the mechanism in the current folder
    #[arg(long, alias = "csv", value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    manner: Manner,
}

/// The way a model is run, and the amount of output.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(super) struct Manner {
    /// Interpret the equations instead of building native code; slow, but needs no cargo.
    #[arg(long)]
    pub(super) interpret: bool,
    /// Print no table, no summary and no progress.
    #[arg(long)]
    pub(super) quiet: bool,
}

/// Settings that may differ from run to run of one program.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct RunSettings {
    /// End time in seconds, or with a unit.
    #[arg(long, value_parser = duration)]
    pub(super) until: Option<f64>,
    /// Step size in seconds, or with a unit; time between two rows if the integrator chooses its steps.
    #[arg(long, value_parser = duration)]
    pub(super) step: Option<f64>,
    /// Error that a step may make if the integrator chooses its steps, relative to the size of the mechanism
    #[arg(long, value_parser = ratio)]
    pub(super) tolerance: Option<f64>,
    /// Record every N-th step
    #[arg(long)]
    pub(super) every: Option<NonZeroUsize>,
    /// Set a parameter, in SI units or with a unit: `over=6 deg`.
    #[arg(long, value_name = "NAME=VALUE", value_parser = setting)]
    pub(super) set: Vec<Setting>,
    /// Set an input, in SI units or with a unit
    #[arg(long, value_name = "NAME=VALUE", value_parser = setting)]
    pub(super) input: Vec<Setting>,
    /// The integrator: a name, or `name:setting=value,…`
    #[arg(long, value_name = "METHOD", value_parser = method_choice::<Integrator>)]
    pub(super) integrator: Option<MethodChoice<Integrator>>,
    /// The stabilizer: a name, or `name:setting=value,…`
    #[arg(long, value_name = "METHOD", value_parser = method_choice::<Stabilizer>)]
    pub(super) stabilizer: Option<MethodChoice<Stabilizer>>,
    /// End the run with an error where the energy balance jumps, instead of a warning
    #[arg(long)]
    pub(super) strict_energy: bool,
}

/// Runs a model, prints the table and the summary.
pub(super) fn run(run: &RunArguments, reporter: &mut Reporter) -> Result<(), Diagnostics> {
    if run.manner.quiet {
        progress::be_silent();
    }
    let output = child::compile(&run.settings.serving(&run.model), reporter)?;
    reporter.tell(&run.settings.fit(&output, reporter.source.as_ref())?);
    let file = match &run.out {
        Some(stdout) if stdout == Path::new("-") => None,
        Some(file) => Some(file.clone()),
        None => Some(default_file(&output, "csv")),
    };
    let Some(file) = file else {
        simulate(&run.settings, &run.manner, &run.model, &output, None)?;
        return Ok(());
    };
    writable(&file)?;
    let draft = Draft::create(&file).map_err(|why| unwritten(&file, &why))?;
    let rows = Some(draft.file());
    let summary = match simulate(&run.settings, &run.manner, &run.model, &output, rows) {
        Ok(summary) => summary,
        Err(ended) => {
            let found = ended.with_rows(draft, &file);
            return Err(explained(found, &run.settings, &run.model, &output));
        }
    };
    let moved = draft
        .written()
        .filter(|_| !run.manner.quiet)
        .and_then(|rows| stiff::energy_moved(rows, &output));
    let table = match draft.written().filter(|_| !run.manner.quiet) {
        Some(rows) => table::table(rows, &file, &output.outputs)?,
        None => String::new(),
    };
    let finished = draft.finish(Durability::Synced);
    finished.map_err(|why| unwritten(&file, &why))?;
    if !run.manner.quiet {
        data(&table)?;
        say(&summary.text(&file));
        if let Some(moved) = moved {
            let (settings, model) = (&run.settings, &run.model);
            let lost = stiff::lost_energy(&summary, moved, settings, model, &output);
            reporter.tell(&lost);
        }
    }
    Ok(())
}

/// Runs a compiled mechanism; the rows go to the file, or to stdout.
pub(super) fn simulate(
    settings: &RunSettings,
    manner: &Manner,
    model: &ModelArguments,
    output: &Output,
    rows: Option<&File>,
) -> Result<Summary, RunEnd> {
    match manner.interpret {
        true => interpret(settings, output, rows, manner.quiet),
        false => native(settings, model, output, rows, manner.quiet),
    }
}

fn native(
    settings: &RunSettings,
    model: &ModelArguments,
    output: &Output,
    rows: Option<&File>,
    quiet: bool,
) -> Result<Summary, RunEnd> {
    let sources = settings.sources(output, model.scalar);
    let mut command = Command::new(program(&sources, quiet)?);
    command.args(settings.arguments());
    match rows.map(File::try_clone).transpose() {
        Ok(rows) => command.stdout(rows.map_or_else(Stdio::inherit, Stdio::from)),
        Err(why) => return Err(found(Code::C601, format!("cannot write the rows: {why}")).into()),
    };
    drive::drive(&mut command, quiet)
}

/// Runs without cargo and without algebra: the compilation has produced all that is needed.
fn interpret(
    settings: &RunSettings,
    output: &Output,
    rows: Option<&File>,
    quiet: bool,
) -> Result<Summary, RunEnd> {
    let RunSettings {
        until,
        step,
        every,
        set,
        input,
        integrator,
        stabilizer,
        ..
    } = settings;
    let mut plan = interpreted::InterpretedRun::new(output);
    plan.until = until.unwrap_or(plan.until);
    plan.step = step.unwrap_or(plan.step);
    plan.every = every.map_or(1, NonZeroUsize::get);
    let words = (
        integrator.as_ref().map(|one| &*one.text),
        stabilizer.as_ref().map(|one| &*one.text),
    );
    plan.choose(words.0, words.1)
        .map_err(|why| found(Code::C605, why))?;
    plan.set(&values(set), &values(input));
    match rows {
        Some(rows) => drive::interpret(output, &plan, &mut BufWriter::new(rows), quiet),
        None => {
            let mut stdout = BufWriter::new(io::stdout().lock());
            drive::interpret(output, &plan, &mut stdout, quiet)
        }
    }
}

/// C601 with the name as it was written, before anything is built or simulated.
pub(super) fn writable(file: &Path) -> Result<(), Diagnostics> {
    output_file::check(file).map_err(|why| {
        let message = format!("cannot write {}: {why}", file.display());
        let diagnostic = Diagnostic::error(Code::C601, &Element::root(), message);
        diagnostic
            .hint(
                "`--out` names a file that may be written, in a folder that exists; `-` is stdout",
            )
            .into()
    })
}

/// `FourBar` → `four_bar.csv`
pub(super) fn default_file(output: &Output, extension: &str) -> PathBuf {
    let mut name = String::new();
    for c in output.name.chars() {
        if c.is_uppercase() && !name.is_empty() && !name.ends_with('_') {
            name.push('_');
        }
        name.extend(c.to_lowercase());
    }
    PathBuf::from(format!("{name}.{extension}"))
}

/// Parameters and inputs as arguments of a program.
pub(super) fn assigned(set: &[Setting], input: &[Setting]) -> impl Iterator<Item = String> {
    let option = |kind: &'static str| {
        move |(name, value): (String, f64)| format!("--{kind}={name}={value:?}")
    };
    let (set, input) = (values(set).into_iter(), values(input).into_iter());
    set.map(option("set")).chain(input.map(option("input")))
}

impl RunSettings {
    /// The model with the functions that the methods need.
    pub(super) fn serving(&self, model: &ModelArguments) -> ModelArguments {
        let integrator = self.integrator.iter().map(|one| one.method.into());
        let stabilizer = self.stabilizer.iter().map(|one| one.method.into());
        model.for_program(integrator.chain(stabilizer))
    }

    /// The requested methods, or those of the description.
    pub(super) fn methods(&self, output: &Output) -> (Integrator, Stabilizer) {
        let own = &output.interpretable.simulation;
        let integrator = self.integrator.as_ref().map(|one| one.method);
        let stabilizer = self.stabilizer.as_ref().map(|one| one.method);
        (
            integrator.unwrap_or(own.integrator),
            stabilizer.unwrap_or(own.stabilizer),
        )
    }

    /// The program of the mechanism with its methods.
    pub(super) fn sources(&self, output: &Output, scalar: ScalarName) -> Sources {
        let (integrator, stabilizer) = self.methods(output);
        let main = format!(
            "mod model;\n\nfn main() -> std::process::ExitCode {{\n    \
             bellcrank::run_main::<model::{}, {}, {}>()\n}}\n",
            output.name,
            integrator_type(integrator, scalar),
            stabilizer_type(stabilizer)
        );
        Sources {
            name: output.name.clone(),
            main,
            modules: vec![("model.rs".to_owned(), output.rust.clone())],
            feature: "std",
        }
    }

    /// Checks that the methods work together, and that every setting has an existing name and a fitting unit;
    /// warnings.
    pub(super) fn fit(
        &self,
        output: &Output,
        source: Option<&Source>,
    ) -> Result<Diagnostics, Diagnostics> {
        let (integrator, stabilizer) = self.methods(output);
        fit(integrator, stabilizer)?;
        too_long(self.step, integrator, output).finish(())?;
        quantity::fit(output, source, &self.set, &self.input)
    }

    /// As arguments of the program.
    pub(super) fn arguments(&self) -> Vec<String> {
        let numbers = [
            ("until", self.until),
            ("step", self.step),
            ("tolerance", self.tolerance),
        ];
        let numbers = numbers.map(|(name, value)| value.map(|value| format!("--{name}={value:?}")));
        let words = [
            ("every", self.every.map(|every| every.to_string())),
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
        let strict = self.strict_energy.then(|| "--strict-energy".to_owned());
        let single = numbers.into_iter().chain(words).flatten().chain(strict);
        single.chain(assigned(&self.set, &self.input)).collect()
    }
}

/// The springs of joints were chosen for the step of the description. A longer step may be too long for them.
fn too_long(step: Option<f64>, integrator: Integrator, output: &Output) -> Diagnostics {
    let (Some(step), Some(limit)) = (step, output.stable_below) else {
        return Diagnostics::new();
    };
    if step < limit || integrator != Integrator::SemiImplicitEuler {
        return Diagnostics::new();
    }
    let message = format!(
        "a step of {step:e} s is too long for the springs of the joints, which are stable below {limit:.1e} s"
    );
    Diagnostic::error(Code::C605, &Element::root(), message)
        .hint("write the step into the description: the springs are then chosen for it")
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Shares of a sweep start together and try the same file. If all used one name, they would remove each other's
    /// file.
    #[test]
    fn many_may_try_one_file_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("all.csv");
        let failed: usize = std::thread::scope(|scope| {
            let tries = || (0..100).filter(|_| writable(&file).is_err()).count();
            let workers: Vec<_> = (0..4).map(|_| scope.spawn(tries)).collect();
            workers
                .into_iter()
                .map(|worker| worker.join().unwrap())
                .sum()
        });
        assert_eq!(failed, 0);
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
    }
}
