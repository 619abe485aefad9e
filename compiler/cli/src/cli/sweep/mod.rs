//! `bellcrank sweep`: one program, many points. Each point has its row, even if its run stops early.

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};

use clap::Args;

use super::methods::{integrator_type, stabilizer_type};
use super::program::{Sources, program};
use super::quantity::{allowed, values};
use super::report::Reporter;
use super::run::{RunSettings, writable};
use super::{ModelArguments, child, data, found};
use crate::cache;
use crate::description::{Integrator, Stabilizer};
use crate::diagnostics::{Code, Diagnostic, Diagnostics, Path as Element, no_such};
use crate::front_end::Output;
use crate::options::Lanes;
use crate::source::{Source, load};
use axis::{Axis, axis};
use crew::Crew;
use parts::{Parts, Shard, shard};
use points::{SampledPoints, SweepPoints, sample};

mod axis;
mod crew;
mod merge;
#[cfg(feature = "parquet")]
mod parquet;
mod parts;
mod points;

/// Arguments of `sweep`.
#[derive(Clone, Debug, Args)]
pub(super) struct SweepArguments {
    #[command(flatten)]
    model: ModelArguments,
    #[command(flatten)]
    settings: RunSettings,
    /// Vary a parameter: `a=0.1:0.5:100` from, to and how many; `a=1,2,5` a list; `a=0.1:0.5` a range to sample. May
    /// be given several times; the last one varies fastest
    #[arg(long, value_name = "NAME=VALUES", value_parser = axis)]
    param: Vec<Axis>,
    /// Vary an input, in the same ways
    #[arg(long, value_name = "NAME=VALUES", value_parser = axis)]
    vary_input: Vec<Axis>,
    /// Sample the ranges: `sobol:N` fills them evenly, `random:N` at random.
    #[arg(long, value_name = "KIND:N", value_parser = sample)]
    sample: Option<SampledPoints>,
    /// Seed of the samples
    #[arg(long, default_value_t = 0)]
    seed: u32,
    /// Outputs whose final, least, greatest and mean values are in the table; if absent, all
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    outputs: Vec<String>,
    /// The table, .csv or .parquet; if absent, rows go to stdout as CSV. Finished parts are kept in the folder
    /// FILE.parts until the table is complete, so that a stopped sweep continues where it was
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Do the i-th of n shares, and leave its parts in FILE.parts
    #[arg(long, value_name = "i/n", value_parser = shard, requires = "out", conflicts_with = "merge")]
    shard: Option<Shard>,
    /// Put the parts of all shares together
    #[arg(long, requires = "out")]
    merge: bool,
    /// Points in a part.
    #[arg(long, value_name = "N", default_value = "1024")]
    chunk: NonZeroU64,
    /// Number of threads; if absent, one for each processor
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// Show no progress and no summary.
    #[arg(long)]
    quiet: bool,
}

/// Runs all points of a sweep or a share of them, or puts shares together.
pub(super) fn sweep(sweep: &SweepArguments, reporter: &mut Reporter) -> Result<(), Diagnostics> {
    let mut model = sweep.settings.serving(&sweep.model);
    model.lanes = Lanes::Any;
    if let (true, Some(file)) = (sweep.merge, &sweep.out) {
        let key = cache::key(&load(&model.path)?, &model.options())?;
        return merge::merge(&Parts::found(file, &key.to_string())?, file);
    }
    let output = child::compile(&model, reporter)?;
    reporter.tell(&sweep.settings.fit(&output, reporter.source.as_ref())?);
    reporter.tell(&sweep.fit(&output)?);
    if let Some(source) = &reporter.source {
        sweep.ends_allowed(source)?;
    }
    let points = sweep.points()?;
    sweep.run(&output, &points)
}

impl SweepArguments {
    fn run(&self, output: &Output, points: &SweepPoints) -> Result<(), Diagnostics> {
        let parts = match &self.out {
            Some(file) => {
                merge::known(file)?;
                writable(file)?;
                let manifest = self.manifest(output, points);
                few_enough(&manifest)?;
                Some(Parts::begin(file, manifest, self.shard.is_some())?)
            }
            None => None,
        };
        let crew = Crew {
            program: program(&self.sources(output), self.quiet)?,
            arguments: self.arguments(output),
            threads: self.threads,
            quiet: self.quiet,
        };
        match (&parts, &self.out) {
            (Some(parts), Some(file)) => self.keep(&crew, points, parts, file),
            _ => {
                data(&merge::header(&self.columns(output)))?;
                let all = 0..points.count();
                let all = std::slice::from_ref(&all);
                crew.work(points, all, self.chunk.get(), |_, rows| data(rows))
            }
        }
    }

    /// Runs the missing parts, and puts all parts together when they are complete.
    fn keep(
        &self,
        crew: &Crew,
        points: &SweepPoints,
        parts: &Parts,
        file: &Path,
    ) -> Result<(), Diagnostics> {
        let missing = parts.missing(self.shard.unwrap_or_default())?;
        let block = parts.manifest.chunk;
        crew.work(points, &missing, block, |range, rows| {
            parts.put(range, rows)
        })?;
        if self.shard.is_some() {
            return Ok(());
        }
        merge::merge(parts, file)?;
        parts.remove();
        Ok(())
    }

    fn points(&self) -> Result<SweepPoints, Diagnostics> {
        let axes: Vec<Axis> = self.axes().cloned().collect();
        SweepPoints::new(axes, self.sample, self.seed).map_err(|(why, next)| {
            Diagnostic::error(Code::C605, &Element::root(), why)
                .hint(next)
                .into()
        })
    }

    fn axes(&self) -> impl Iterator<Item = &Axis> {
        self.param.iter().chain(&self.vary_input)
    }

    /// Checks that every requested name exists and that the units of its values fit; warnings.
    fn fit(&self, output: &Output) -> Result<Diagnostics, Diagnostics> {
        let mut list = Diagnostics::new();
        let (parameters, inputs) = (output.named_parameters(), output.named_inputs());
        for (named, others, axes) in [
            (parameters, (inputs, "--vary-input"), &self.param),
            (inputs, (parameters, "--param"), &self.vary_input),
        ] {
            for axis in axes {
                // The largest value stands for all, so that a list is reported once.
                let written = axis.written.iter();
                let checks = written.map(|one| one.fits_name(&axis.name, named, others));
                let worst =
                    checks.reduce(|a, b| if a.is_empty() || b.has_errors() { b } else { a });
                list.extend(worst.unwrap_or_default());
            }
        }
        let known = &output.outputs;
        for name in self.outputs.iter().filter(|name| !known.contains(name)) {
            list.push(no_such("output", name, known));
        }
        list.finish(()).map(|((), warnings)| warnings)
    }

    /// Errors of the description at both ends of each range of a parameter, the others being at their defaults.
    fn ends_allowed(&self, source: &Source) -> Result<(), Diagnostics> {
        let ends = self.param.iter().flat_map(|axis| {
            let values = axis.written.iter().map(|written| written.value());
            let pair = |value| [(axis.name.clone(), value)];
            let smallest = values.clone().reduce(f64::min).map(pair);
            smallest
                .into_iter()
                .chain(values.reduce(f64::max).map(pair))
        });
        for end in ends {
            allowed(source, &[&values(&self.settings.set)[..], &end].concat())?;
        }
        Ok(())
    }

    fn outputs<'a>(&'a self, output: &'a Output) -> &'a [String] {
        match self.outputs.is_empty() {
            true => &output.outputs,
            false => &self.outputs,
        }
    }

    fn columns(&self, output: &Output) -> Vec<String> {
        let mut columns = vec!["point".to_owned()];
        columns.extend(self.axes().map(|axis| axis.name.clone()));
        for name in self.outputs(output) {
            columns.extend(["final", "min", "max", "mean"].map(|what| format!("{name}.{what}")));
        }
        columns.extend(["time", "stop"].map(str::to_owned));
        columns
    }

    fn manifest(&self, output: &Output, points: &SweepPoints) -> parts::Manifest {
        let n_shards = self.shard.unwrap_or_default().of;
        let share = points.count().div_ceil(n_shards).max(1);
        parts::Manifest {
            bellcrank: env!("CARGO_PKG_VERSION").to_owned(),
            model: output.key.to_string(),
            columns: self.columns(output),
            points: points.count(),
            chunk: self.chunk.get().min(share),
            varied: points.varied(),
            settings: self.arguments(output),
        }
    }

    /// As arguments of the program.
    fn arguments(&self, output: &Output) -> Vec<String> {
        let mut arguments = self.settings.arguments();
        let option = |kind: &'static str| move |name: &String| format!("--{kind}={name}");
        let names =
            |axes: &[Axis]| -> Vec<String> { axes.iter().map(|axis| axis.name.clone()).collect() };
        arguments.extend(names(&self.param).iter().map(option("parameter")));
        arguments.extend(names(&self.vary_input).iter().map(option("varied-input")));
        arguments.extend(self.outputs(output).iter().map(option("output")));
        arguments
    }

    /// The program. It steps batches if they serve the method and there are no events, else single instances.
    fn sources(&self, output: &Output) -> Sources {
        let (integrator, stabilizer) = self.settings.methods(output);
        let together = together(integrator, stabilizer, output);
        if let (Err(why), false) = (&together, self.quiet) {
            say_line!("points run one by one: {why}");
        }
        let scalar = self.model.scalar;
        let (main, lanes) = match together {
            Ok(()) => ("sweep_together", format!(", {}", scalar.lanes())),
            Err(_) => ("sweep_alone", String::new()),
        };
        let main = format!(
            "mod model;\n\nfn main() -> std::process::ExitCode {{\n    \
             bellcrank::{main}::<model::{}, {}, {}{lanes}>()\n}}\n",
            output.name,
            integrator_type(integrator, scalar),
            stabilizer_type(stabilizer)
        );
        Sources {
            name: output.name.clone(),
            main,
            modules: vec![("model.rs".to_owned(), output.rust.clone())],
            feature: "sweep",
        }
    }
}

fn few_enough(manifest: &parts::Manifest) -> Result<(), Diagnostics> {
    let n_parts = manifest.points.div_ceil(manifest.chunk);
    if n_parts <= parts::MOST_PARTS {
        return Ok(());
    }
    let (points, most) = (manifest.points, parts::MOST_PARTS);
    let message = format!("{points} points are {n_parts} parts, and a sweep has at most {most}");
    let least = points.div_ceil(most);
    Err(Diagnostic::error(Code::C605, &Element::root(), message)
        .hint(format!(
            "put more points into a part: `--chunk={least}`, with fewer shares if need be"
        ))
        .into())
}

/// Reason why batches do not serve a run.
fn together(integrator: Integrator, stabilizer: Stabilizer, output: &Output) -> Result<(), String> {
    use Integrator::{Rk2, Rk4, SemiImplicitEuler};
    if output.interpretable.kernel.sizes.events > 0 {
        return Err("its events end the steps of each point at times of its own".to_owned());
    }
    if !matches!(integrator, Rk4 | Rk2 | SemiImplicitEuler) {
        let word = integrator.word();
        return Err(format!(
            "batches serve rk4, rk2 and semi-implicit-euler, not `{word}`"
        ));
    }
    match stabilizer {
        Stabilizer::DirectCorrection | Stabilizer::None => Ok(()),
        other => Err(format!(
            "batches serve direct-correction and none, not `{}`",
            other.word()
        )),
    }
}

/// C607 for parts that do not fit the sweep.
fn unfit(message: String, hint: &str) -> Diagnostics {
    Diagnostic::error(Code::C607, &Element::root(), message)
        .hint(hint)
        .into()
}

/// C601 for a file that could not be read or written.
fn failed(path: &Path, why: &std::io::Error) -> Diagnostics {
    found(Code::C601, format!("{}: {why}", path.display()))
}
