//! `bellcrank gallery`: runs every model, checks it against its reference, and draws it.
//!
//! Programs are built side by side; runs follow one after the other, so that they are timed alone.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{fs, thread};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use super::methods::method_choice;
use super::program::program;
use super::recording::{LEAST, Recording, recording, rows};
use super::report::Reporter;
use super::run::{Manner, RunSettings, Summary};
use super::{ModelArguments, ScalarName, child, data, formulations, found, plot, view, write};
use crate::description::Formulation;
use crate::diagnostics::{Code, Diagnostic, Diagnostics, Path as Element};
use crate::front_end::{Output, stem};
use crate::options::{Lanes, Purpose};
use crate::picture::Record;
use crate::source::load;
use check::{GalleryCheck, Twin};
use page::{About, Card};
use verdict::GalleryRow;

mod check;
mod judge;
mod page;
mod table;
mod verdict;

/// Number of programs that are built at a time: the algebra of one overlaps with rustc of another.
const BUILDERS: usize = 2;
/// Width and height of the picture on a card.
const THUMBNAIL: [u32; 2] = [640, 480];
/// Frames of a page.
const FRAMES: usize = 600;
/// The single runs print nothing.
const MANNER: Manner = Manner {
    interpret: false,
    quiet: true,
};

/// Arguments of `gallery`.
#[derive(Clone, Debug, Args)]
pub(super) struct Gallery {
    /// Descriptions, .toml or .json files; if absent, all `models/*/model.toml`
    #[arg(value_name = "MODEL")]
    models: Vec<PathBuf>,
    /// Folder for the index page and the pages of the models; made if it does not exist
    #[arg(long, value_name = "FOLDER", default_value = "gallery")]
    out: PathBuf,
    /// Print JSON instead of Markdown.
    #[arg(long)]
    json: bool,
    /// Show no progress.
    #[arg(long)]
    quiet: bool,
}

/// A model and the checks for it.
struct Exhibit {
    name: String,
    path: PathBuf,
    check: GalleryCheck,
    reference: Option<Record>,
}

/// One way to run a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ModelRole {
    /// As its description says.
    Own,
    /// In absolute coordinates, beside a reference.
    Body,
    /// As `check.toml` says.
    Twin,
}

/// A run whose program is built.
struct PreparedRun {
    role: ModelRole,
    model: ModelArguments,
    settings: RunSettings,
    output: Output,
}

/// The result of a run.
struct Performance {
    role: ModelRole,
    output: Output,
    summary: Summary,
    record: Record,
}

/// The results of a model, for the table and its page.
struct Shown {
    entry: GalleryRow,
    about: About,
    picture: String,
}

/// Runs all, prints the table, writes the pages; C606 names every bound that does not hold.
pub(super) fn gallery(arguments: &Gallery, reporter: &mut Reporter) -> Result<(), Diagnostics> {
    let models = match arguments.models.is_empty() {
        true => formulations::gallery()?,
        false => arguments.models.clone(),
    };
    let exhibits = models.iter().map(|path| Exhibit::load(path));
    let exhibits: Vec<Exhibit> = exhibits.collect::<Result<_, _>>()?;
    made(&arguments.out)?;
    child::announce(reporter);
    let prepared = prepare_all(&exhibits, arguments.quiet);
    let (mut shown, mut list) = (Vec::new(), Diagnostics::new());
    for (exhibit, prepared) in exhibits.iter().zip(prepared) {
        match prepared.and_then(|runs| exhibit.show(runs, &arguments.out)) {
            Ok(one) => {
                list.extend(one.entry.misses());
                shown.push(one);
            }
            Err(found) => list.extend(exhibit.named(&found)),
        }
    }
    deliver(arguments, &shown)?;
    list.finish(()).map(drop)
}

fn made(folder: &Path) -> Result<(), Diagnostics> {
    fs::create_dir_all(folder).map_err(|why| {
        let message = format!("cannot write {}: {why}", folder.display());
        let diagnostic = Diagnostic::error(Code::C601, &Element::root(), message);
        diagnostic.hint("`--out` names a folder").into()
    })
}

fn deliver(arguments: &Gallery, shown: &[Shown]) -> Result<(), Diagnostics> {
    let cards = shown.iter().map(|one| Card {
        entry: &one.entry,
        about: &one.about,
        picture: &one.picture,
    });
    let index = arguments.out.join("index.html");
    write(&index, &page::page(&cards.collect::<Vec<_>>()))?;
    let entries: Vec<&GalleryRow> = shown.iter().map(|one| &one.entry).collect();
    data(&match arguments.json {
        true => table::json(&entries),
        false => table::markdown(&entries),
    })?;
    if !arguments.quiet {
        say_line!("pages: {}", index.display());
    }
    Ok(())
}

/// The programs of each model, in the order of the models.
fn prepare_all(exhibits: &[Exhibit], quiet: bool) -> Vec<Result<Vec<PreparedRun>, Diagnostics>> {
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
        let built = builders.into_iter().flat_map(|builder| {
            let built = builder.join();
            built.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        });
        built.collect::<Vec<_>>()
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

impl Exhibit {
    fn load(path: &Path) -> Result<Self, Diagnostics> {
        let folder = path.parent().unwrap_or(Path::new("."));
        let check = check::load(folder)?;
        let reference = match check.columns.is_empty() {
            true => None,
            false => Some(reference(folder)?),
        };
        Ok(Self {
            name: stem(path),
            path: path.to_owned(),
            check,
            reference,
        })
    }

    /// Compiles and builds all runs of the model.
    fn prepare(&self) -> Result<Vec<PreparedRun>, Diagnostics> {
        let own = self.run(ModelRole::Own, None, RunSettings::default())?;
        let is_body = kept(&own.output) == Formulation::Body.word();
        let mut runs = vec![own];
        if self.reference.is_some() && !is_body {
            let body = Some(Formulation::Body);
            runs.push(self.run(ModelRole::Body, body, RunSettings::default())?);
        }
        if let Some(twin) = &self.check.twin {
            let (formulation, settings) = twin.settings(&self.name)?;
            runs.push(self.run(ModelRole::Twin, Some(formulation), settings)?);
        }
        Ok(runs)
    }

    fn run(
        &self,
        role: ModelRole,
        formulation: Option<Formulation>,
        settings: RunSettings,
    ) -> Result<PreparedRun, Diagnostics> {
        let model = ModelArguments {
            path: self.path.clone(),
            scalar: ScalarName::F64,
            lanes: Lanes::One,
            formulation,
            methods: Vec::new(),
            purpose: match role {
                ModelRole::Own => Purpose::Pictures,
                ModelRole::Body | ModelRole::Twin => Purpose::Motion,
            },
        };
        let source = load(&self.path)?;
        let output = child::output_of(&settings.serving(&model), &source, drop)?;
        program(&settings.sources(&output, model.scalar), true)?;
        let settings = RunSettings {
            every: self.every(&output),
            ..settings
        };
        Ok(PreparedRun {
            role,
            model,
            settings,
            output,
        })
    }

    /// Steps between two rows of the table: few enough that every time of the reference has its row and a picture has
    /// enough frames.
    fn every(&self, output: &Output) -> Option<NonZeroUsize> {
        let run = &output.interpretable.simulation;
        let most = ((run.until / run.step / LEAST) as usize).max(1);
        let times = self.reference.as_ref().map(Record::times);
        let times = times.unwrap_or_default().iter();
        let mut counts = times.map(|time| (time / run.step).round() as usize);
        let shared = counts.try_fold(0, |all, one| match greatest_divisor(all, one) {
            1 => None,
            divisor => Some(divisor),
        });
        let every = match shared {
            None => 1,
            Some(0) => most,
            Some(shared) => (1..=most.min(shared))
                .rev()
                .find(|every| shared % every == 0)
                .unwrap_or(1),
        };
        NonZeroUsize::new(every)
    }

    /// Runs all, compares, and writes the page of the model.
    fn show(&self, runs: Vec<PreparedRun>, folder: &Path) -> Result<Shown, Diagnostics> {
        let mut picture = String::new();
        let mut performances = Vec::new();
        for run in runs {
            let PreparedRun {
                role,
                model,
                settings,
                output,
            } = run;
            if role != ModelRole::Own {
                let (record, summary) = rows(&model, &settings, &MANNER, &output)?;
                performances.push(Performance {
                    role,
                    output,
                    summary,
                    record,
                });
                continue;
            }
            let recording = recording(&model, &settings, &MANNER, output)?;
            picture = plot::drawing_of(&recording, None, THUMBNAIL);
            let page = view::page_of(&recording, None, FRAMES)?;
            write(&folder.join(format!("{}.html", self.name)), &page)?;
            performances.push(recording.into());
        }
        let beside = self.path.parent().unwrap_or(Path::new("."));
        Ok(Shown {
            entry: verdict::entry(self, &performances),
            about: About::read(beside, &self.name),
            picture,
        })
    }

    /// The errors and warnings, with the name of their model.
    fn named(&self, found: &Diagnostics) -> Diagnostics {
        let mut list = Diagnostics::new();
        for diagnostic in found.iter() {
            let mut diagnostic = diagnostic.clone();
            diagnostic.message = format!("{}: {}", self.name, diagnostic.message);
            list.push(diagnostic);
        }
        list
    }
}

impl From<Recording> for Performance {
    fn from(recording: Recording) -> Self {
        Self {
            role: ModelRole::Own,
            output: recording.output,
            summary: recording.summary,
            record: recording.record,
        }
    }
}

fn greatest_divisor(a: usize, b: usize) -> usize {
    match b {
        0 => a,
        _ => greatest_divisor(b, a % b),
    }
}

fn reference(folder: &Path) -> Result<Record, Diagnostics> {
    let file = folder.join("reference.csv");
    let unreadable = |why: String| {
        let message = format!("cannot read {}: {why}", file.display());
        found(Code::C605, message)
    };
    let text = fs::read_to_string(&file).map_err(|why| unreadable(why.to_string()))?;
    Record::read(&text).map_err(|line| unreadable(format!("line {line} is no row of numbers")))
}

/// The chosen formulation.
fn kept(output: &Output) -> &str {
    let kept = output.candidates.iter().find(|one| one.kept);
    kept.map_or("", |one| one.formulation.as_str())
}

impl Twin {
    fn settings(&self, model: &str) -> Result<(Formulation, RunSettings), Diagnostics> {
        let wrong = |why: String| {
            let message = format!("{model}: the twin of its check.toml: {why}");
            Diagnostic::error(Code::C605, &Element::root(), message)
        };
        let formulation = Formulation::of(&self.formulation);
        let formulation = formulation
            .ok_or_else(|| wrong(format!("there is no formulation `{}`", self.formulation)))?;
        let settings = RunSettings {
            integrator: Some(method_choice(&self.integrator).map_err(wrong)?),
            tolerance: self.tolerance,
            ..RunSettings::default()
        };
        Ok((formulation, settings))
    }
}
