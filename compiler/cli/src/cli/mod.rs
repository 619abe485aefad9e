//! The command line. Data goes to stdout, messages to stderr. The exit code is 0 for success, 1 for an error, 2 if
//! the command line was not understood.

use std::io::{ErrorKind, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use crate::description::{Formulation, Method, schema};
use crate::diagnostics::{Code, Diagnostic, Diagnostics, Example, Path, explain, nearest};
use crate::front_end::Output;
use crate::options::{Lanes, Options, Purpose, Scalar};
use crate::output_file;
use report::{Color, Reporter};

/// `eprintln!` that does not panic where stderr is closed.
macro_rules! say_line {
    ($($text:tt)*) => { $crate::cli::say(&(format!($($text)*) + "\n")) };
}

mod analysis;
mod assemble;
mod bench;
mod caches;
mod check;
mod child;
mod compare;
mod formulations;
mod gallery;
mod generate;
mod guard;
mod kinematics;
mod listen;
mod manual;
mod methods;
mod modes;
mod new;
mod plot;
mod program;
mod progress;
mod quantity;
mod recording;
mod report;
mod run;
mod runtime_crate;
mod signals;
mod statics;
mod sweep;
mod unweighed;
mod view;

/// A mechanism compiler: bodies and joints in, a small Rust simulation out.
#[derive(Debug, Parser)]
#[command(name = "bellcrank", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// When to colour messages on stderr
    #[arg(long, global = true, value_enum, default_value_t)]
    color: Color,
    /// Print each error and warning as one JSON object a line, on stderr
    #[arg(long, global = true)]
    json_diagnostics: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Report errors; print degrees of freedom, closed loops and redundant constraints
    Check(check::CheckArguments),
    /// Print the generated Rust, or the result of an earlier stage
    Emit {
        #[command(flatten)]
        model: ModelArguments,
        /// The stage whose result is printed
        #[arg(long, value_enum, default_value_t)]
        stage: Stage,
    },
    /// Compile, simulate, print a table and write a CSV file.
    Run(run::RunArguments),
    /// Compile, simulate and write a page that shows the mechanism in motion, with its curves.
    View(view::View),
    /// Compile, simulate and write the curves, or a drawing of the mechanism, as SVG.
    Plot(plot::PlotArguments),
    /// Run many stabilizers, integrators and formulations side by side; print a table, draw the curves.
    Compare(compare::Compare),
    /// Time an acceleration and a step in each formulation; print operations, code bytes and instructions.
    Bench(bench::Bench),
    /// Run every model, check it against its reference, print a table, write pages with pictures
    Gallery(gallery::Gallery),
    /// Simulate many sets of parameters and inputs in batches, on all processors or in shares; write a table
    Sweep(sweep::SweepArguments),
    /// Close a rough guess; print the position of each body, or the joints that stay open and their gaps
    Assemble(assemble::Assemble),
    /// Drive a joint through a range; print positions, velocities, accelerations and dead centres.
    Kinematics(kinematics::KinematicsArguments),
    /// Find the position where forces balance; print holding efforts, reactions and stability
    Statics(statics::StaticsArguments),
    /// Linearise; print frequencies, damping and shapes, write state-space matrices
    Modes(modes::Modes),
    /// Write a free-standing crate with a mechanism to start from.
    New(new::New),
    /// Print the description of a mechanism that repeats one pattern any number of times
    Generate(generate::Generate),
    /// Print the size and cost of each model in each formulation, and the choice of `auto`
    Formulations(formulations::Formulations),
    /// Print the JSON Schema of a description, for editors.
    Schema,
    /// Show where compiled models and programs are kept and how much space they take; remove them
    Cache(caches::Cache),
    /// Print completions for a shell.
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Print the manual page of `bellcrank` or of a command
    Man(manual::Man),
    /// Explain a code such as M203
    Explain {
        /// The code; if absent, all codes are listed
        code: Option<String>,
    },
}

/// A description and the options with which it is compiled.
#[derive(Clone, Debug, Args)]
struct ModelArguments {
    /// The description, a .toml or .json file; `-` is stdin.
    #[arg(value_name = "MODEL")]
    path: PathBuf,
    /// The floating-point type of the generated code.
    #[arg(long, value_enum, default_value = "f64")]
    scalar: ScalarName,
    /// The formulation of the equations, whatever the description says. If neither names one, `auto` chooses the
    /// cheapest
    #[arg(long, value_parser = words())]
    formulation: Option<Formulation>,
    /// Further integrators and stabilizers that the generated code serves.
    #[arg(long, value_name = "METHOD", value_delimiter = ',', value_parser = method_words())]
    methods: Vec<Method>,
    /// The purpose of the equations.
    #[arg(skip)]
    purpose: Purpose,
    /// Number of lanes that the generated code evaluates at once.
    #[arg(skip)]
    lanes: Lanes,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ScalarName {
    F64,
    F32,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Stage {
    Model,
    Topology,
    Equations,
    Kernel,
    #[default]
    Rust,
}

/// Runs the command of this process.
pub fn main() -> ExitCode {
    if let Some(code) = guard::guard() {
        return code;
    }
    if let Some(answered) = child::answer() {
        return end(answered, &Reporter::new(Color::Auto, false));
    }
    let cli = Cli::parse();
    signals::listen();
    let mut reporter = Reporter::new(cli.color, cli.json_diagnostics);
    if cli.json_diagnostics {
        progress::be_silent();
    }
    let done = dispatch(cli.command, &mut reporter);
    end(done, &reporter)
}

fn end(done: Result<(), Diagnostics>, reporter: &Reporter) -> ExitCode {
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(found) => {
            reporter.tell(&found);
            ExitCode::FAILURE
        }
    }
}

fn dispatch(command: Command, reporter: &mut Reporter) -> Result<(), Diagnostics> {
    match command {
        Command::Check(check) => check::check(&check, reporter),
        Command::Emit { model, stage } => data(stage.of(&child::compile(&model, reporter)?)),
        Command::Run(run) => run::run(&run, reporter),
        Command::View(view) => view::view(&view, reporter),
        Command::Plot(plot) => plot::plot(&plot, reporter),
        Command::Compare(compare) => compare::compare(&compare, reporter),
        Command::Bench(bench) => bench::bench(&bench, reporter),
        Command::Gallery(gallery) => gallery::gallery(&gallery, reporter),
        Command::Sweep(sweep) => sweep::sweep(&sweep, reporter),
        Command::Assemble(assemble) => assemble::assemble(&assemble, reporter),
        Command::Kinematics(drive) => kinematics::kinematics(&drive, reporter),
        Command::Statics(statics) => statics::statics(&statics, reporter),
        Command::Modes(modes) => modes::modes(&modes, reporter),
        Command::New(new) => new::new(&new),
        Command::Generate(generate) => generate::generate(&generate),
        Command::Formulations(list) => formulations::formulations(&list, reporter),
        Command::Schema => data(&format!("{:#}\n", schema())),
        Command::Cache(cache) => caches::caches(&cache),
        Command::Completions { shell } => manual::completions(shell),
        Command::Man(man) => manual::man(&man),
        Command::Explain { code } => explanation(code.as_deref()),
    }
}

/// Writes to stdout. A reader that closes the pipe early, such as `head`, is no error.
fn data(text: &str) -> Result<(), Diagnostics> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(found(
            Code::C601,
            format!("cannot write to stdout: {error}"),
        )),
        _ => Ok(()),
    }
}

/// Writes to stderr. If stderr is closed, the message is lost and the command goes on.
fn say(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// Writes a whole file; C601 if it cannot be written.
fn write(file: &std::path::Path, text: &str) -> Result<(), Diagnostics> {
    output_file::write(file, text.as_bytes()).map_err(|why| unwritten(file, &why))
}

/// C601: a file cannot be written.
fn unwritten(file: &std::path::Path, why: &std::io::Error) -> Diagnostics {
    found(
        Code::C601,
        format!("cannot write {}: {why}", file.display()),
    )
}

/// An error of the command line itself.
fn found(code: Code, message: impl Into<String>) -> Diagnostics {
    Diagnostic::error(code, &Path::root(), message).into()
}

fn explanation(name: Option<&str>) -> Result<(), Diagnostics> {
    let Some(name) = name else {
        return data(&codes());
    };
    match explain(name) {
        Some((code, title, text)) => data(&format!(
            "{code}: {title}\n\n{text}\n\n{}",
            example(code.example())
        )),
        None => {
            let message = format!("there is no code `{name}`");
            let names: Vec<String> = Code::ALL.iter().map(Code::to_string).collect();
            let wanted = name.to_ascii_uppercase();
            let hint = match nearest(&wanted, names.iter().map(String::as_str)) {
                Some(near) => format!("did you mean `{near}`? `bellcrank explain` lists all"),
                None => "`bellcrank explain` lists all".to_owned(),
            };
            Err(Diagnostic::error(Code::C605, &Path::root(), message)
                .hint(hint)
                .into())
        }
    }
}

/// Lines of a description are indented; words follow in the line.
fn example(example: Example) -> String {
    if !example.is_description() {
        return format!("Example: {}\n", example.text());
    }
    let line = |line: &str| match line {
        "" => "\n".to_owned(),
        _ => format!("    {line}\n"),
    };
    let lines: String = example.text().lines().map(line).collect();
    format!("Example:\n\n{lines}")
}

fn codes() -> String {
    let line = |code: &Code| format!("{code}  {}\n", code.title());
    Code::ALL.iter().map(line).collect()
}

impl ModelArguments {
    /// The model at a path as analyses need it: in absolute coordinates, with the guess as it was written.
    fn for_analysis(path: PathBuf) -> Self {
        Self {
            path,
            scalar: ScalarName::F64,
            lanes: Lanes::One,
            formulation: Some(Formulation::Body),
            methods: Vec::new(),
            purpose: Purpose::Analysis,
        }
    }

    fn options(&self) -> Options {
        let scalar = match self.scalar {
            ScalarName::F64 => Scalar::F64,
            ScalarName::F32 => Scalar::F32,
        };
        Options {
            scalar,
            formulation: self.formulation,
            methods: self.methods.clone(),
            purpose: self.purpose,
            lanes: self.lanes,
            ..Options::default()
        }
    }
}

/// The words for formulations in a description.
fn words() -> impl TypedValueParser<Value = Formulation> {
    PossibleValuesParser::new(Formulation::ALL.map(Formulation::word))
        .try_map(|word| Formulation::of(&word).ok_or("no such formulation"))
}

/// The words of all methods.
fn method_words() -> impl TypedValueParser<Value = Method> {
    PossibleValuesParser::new(Method::words())
        .try_map(|word| Method::of(&word).ok_or("no such method"))
}

impl Stage {
    fn of(self, output: &Output) -> &str {
        match self {
            Stage::Model => &output.stages.model,
            Stage::Topology => &output.stages.topology,
            Stage::Equations => &output.stages.equations,
            Stage::Kernel => &output.stages.kernel,
            Stage::Rust => &output.rust,
        }
    }
}
