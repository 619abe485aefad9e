//! `bellcrank gallery`: every model run, checked against its reference, and pictured.
//!
//! Programs are built side by side; runs follow one after the other, so that they are timed alone.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{fs, thread};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use super::formulations;
use super::methods::told;
use super::program::program;
use super::report::Reporter;
use super::run::drive::Summary;
use super::run::{Settings, play};
use super::{Model, ScalarName, child, data, found};
use crate::description::Formulation;
use crate::diagnostics::{Code, Diagnostic, Diagnostics, Path as Element};
use crate::door::{Output, stem};
use crate::source::load;
use check::{Check, Twin};
use rows::Rows;

mod check;
mod judge;
mod rows;
mod table;
mod verdict;

/// Programs that are built at a time: algebra of one goes on beside rustc of another.
const BUILDERS: usize = 2;

/// Arguments of `gallery`.
#[derive(Clone, Debug, Args)]
pub(super) struct Gallery {
    /// Descriptions, .toml or .json files; all `models/*/model.toml` if absent.
    #[arg(value_name = "MODEL")]
    models: Vec<PathBuf>,
    /// Print JSON instead of Markdown.
    #[arg(long)]
    json: bool,
    /// Show no progress.
    #[arg(long)]
    quiet: bool,
}

/// A model and what it is checked against.
struct Exhibit {
    name: String,
    path: PathBuf,
    check: Check,
    reference: Option<Rows>,
}

/// One way to run a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// As its description says.
    Own,
    /// In absolute coordinates, beside a reference.
    Body,
    /// As `check.toml` says.
    Twin,
}

/// A run that is ready to go.
struct Prepared {
    role: Role,
    output: Output,
    settings: Settings,
    program: PathBuf,
}

/// What a run left.
struct Performance {
    role: Role,
    output: Output,
    summary: Summary,
    rows: Rows,
}

/// Runs all, prints the table; C606 names every bound that does not hold.
pub(super) fn gallery(arguments: &Gallery, reporter: &mut Reporter) -> Result<(), Diagnostics> {
    let models = match arguments.models.is_empty() {
        true => formulations::gallery()?,
        false => arguments.models.clone(),
    };
    let exhibits = models.iter().map(|path| Exhibit::load(path));
    let exhibits: Vec<Exhibit> = exhibits.collect::<Result<_, _>>()?;
    child::announce(reporter);
    let prepared = prepare_all(&exhibits, arguments.quiet);
    let mut list = Diagnostics::new();
    let mut entries = Vec::new();
    for (exhibit, prepared) in exhibits.iter().zip(prepared) {
        let shown = prepared.and_then(|prepared| show(exhibit, prepared));
        match shown {
            Ok(entry) => {
                list.extend(entry.misses());
                entries.push(entry);
            }
            Err(found) => list.extend(of_model(exhibit, found)),
        }
    }
    match arguments.json {
        true => data(&table::json(&entries))?,
        false => data(&table::markdown(&entries))?,
    }
    list.finish(()).map(drop)
}

fn show(exhibit: &Exhibit, prepared: Vec<Prepared>) -> Result<verdict::Entry, Diagnostics> {
    let performances = prepared.into_iter().map(perform);
    let performances: Vec<Performance> = performances.collect::<Result<_, _>>()?;
    Ok(verdict::entry(exhibit, &performances))
}

/// Findings with the model that they are about.
fn of_model(exhibit: &Exhibit, found: Diagnostics) -> Diagnostics {
    let mut list = Diagnostics::new();
    for diagnostic in found.iter() {
        let mut diagnostic = diagnostic.clone();
        diagnostic.message = format!("{}: {}", exhibit.name, diagnostic.message);
        list.push(diagnostic);
    }
    list
}

/// The programs of each model, in the order of the models.
fn prepare_all(exhibits: &[Exhibit], quiet: bool) -> Vec<Result<Vec<Prepared>, Diagnostics>> {
    let bar = bar(exhibits.len(), quiet);
    let next = AtomicUsize::new(0);
    let build = || {
        let mut built = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(exhibit) = exhibits.get(index) else {
                return built;
            };
            bar.set_message(exhibit.name.clone());
            built.push((index, exhibit.prepare()));
            bar.inc(1);
        }
    };
    let mut built = thread::scope(|scope| {
        let builders = [(); BUILDERS].map(|()| scope.spawn(build));
        let built = builders.into_iter().flat_map(|builder| builder.join());
        built.flatten().collect::<Vec<_>>()
    });
    bar.finish_and_clear();
    built.sort_by_key(|(index, _)| *index);
    built.into_iter().map(|(_, prepared)| prepared).collect()
}

fn bar(n: usize, quiet: bool) -> ProgressBar {
    let bar = match quiet {
        true => ProgressBar::hidden(),
        false => ProgressBar::new(n as u64),
    };
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos}/{len} {msg} ({elapsed})") {
        bar.set_style(style);
    }
    bar
}

fn perform(prepared: Prepared) -> Result<Performance, Diagnostics> {
    let Prepared {
        role,
        output,
        settings,
        program,
    } = prepared;
    let file = program.with_file_name(format!("rows-{}.csv", std::process::id()));
    let summary = play(&program, &settings, Some(&file), true)?;
    let rows = Rows::read(&file).map_err(|why| found(Code::C604, why));
    let _ = fs::remove_file(&file);
    Ok(Performance {
        role,
        output,
        summary,
        rows: rows?,
    })
}

impl Exhibit {
    fn load(path: &Path) -> Result<Self, Diagnostics> {
        let folder = path.parent().unwrap_or(Path::new("."));
        let check = check::load(folder)?;
        let reference = match check.columns.is_empty() {
            true => None,
            false => Some(reference(folder, check.until)?),
        };
        Ok(Self {
            name: stem(path),
            path: path.to_owned(),
            check,
            reference,
        })
    }

    /// Compiles and builds all runs of the model.
    fn prepare(&self) -> Result<Vec<Prepared>, Diagnostics> {
        let own = self.run(Role::Own, None, Settings::default())?;
        let is_body = kept(&own.output) == Formulation::Body.word();
        let mut runs = vec![own];
        if self.reference.is_some() && !is_body {
            let body = Some(Formulation::Body);
            runs.push(self.run(Role::Body, body, Settings::default())?);
        }
        if let Some(twin) = &self.check.twin {
            let (formulation, settings) = twin.settings(&self.name)?;
            runs.push(self.run(Role::Twin, Some(formulation), settings)?);
        }
        Ok(runs)
    }

    fn run(
        &self,
        role: Role,
        formulation: Option<Formulation>,
        settings: Settings,
    ) -> Result<Prepared, Diagnostics> {
        let model = Model {
            path: self.path.clone(),
            scalar: ScalarName::F64,
            formulation,
            methods: Vec::new(),
        };
        let source = load(&self.path)?;
        let output = child::output_of(&settings.serving(&model), &source, || ())?;
        let program = program(&settings.sources(&output, model.scalar), true)?;
        Ok(Prepared {
            role,
            output,
            settings,
            program,
        })
    }
}

fn reference(folder: &Path, until: Option<f64>) -> Result<Rows, Diagnostics> {
    let rows = Rows::read(&folder.join("reference.csv"));
    let rows = rows.map_err(|why| found(Code::C605, why))?;
    Ok(match until {
        Some(time) => rows.until(time),
        None => rows,
    })
}

/// The formulation of the equations that were kept.
fn kept(output: &Output) -> &str {
    let kept = output.candidates.iter().find(|one| one.kept);
    kept.map_or("", |one| one.formulation.as_str())
}

impl Twin {
    fn settings(&self, model: &str) -> Result<(Formulation, Settings), Diagnostics> {
        let wrong = |why: String| {
            let message = format!("{model}: the twin of its check.toml: {why}");
            Diagnostic::error(Code::C605, &Element::root(), message)
        };
        let formulation = Formulation::of(&self.formulation);
        let formulation = formulation
            .ok_or_else(|| wrong(format!("there is no formulation `{}`", self.formulation)))?;
        let mut settings = Settings::default();
        settings.integrator = Some(told(&self.integrator).map_err(wrong)?);
        settings.tolerance = self.tolerance;
        Ok((formulation, settings))
    }
}
