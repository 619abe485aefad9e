//! Compilation in a process of its own. An instance of Symbolica lives until its process ends, and without a licence
//! it is the only one on the machine. The compiler therefore runs it in a child process that ends with its answer, so
//! that a long run or build blocks nobody. The answer is the last line on the child's stdout, to which the algebra
//! system may write as well. The answer is never in a file, so no file is left behind. The child ends with its
//! parent, however the parent ends: it reads a stdin to which nobody writes, until the system closes it.

use std::env;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{ChildStdout, Command, Stdio};
use std::thread;

use clap::Parser;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde::{Deserialize, Serialize};

use super::guard::end_with_parent;
use super::report::Reporter;
use super::{ModelArguments, ScalarName, found, progress};
use crate::analysis::assemble::assemble;
use crate::analysis::mechanism::Mechanism;
use crate::analysis::open::open;
use crate::diagnostics::{Code, Diagnostic, Diagnostics};
use crate::examine;
use crate::front_end::{self, Output};
use crate::options::{Lanes, Options, Purpose};
use crate::output_file::write_checked;
use crate::source::{STDIN, Source, load};
use crate::symbolic::session;

const NOTICE: &str =
    "Symbolica runs in its restricted mode: non-commercial use only (see THIRD_PARTY.md)";

/// The child's command. It is not among the subcommands of clap, because clap would suggest it.
const COMMAND: &str = "__compile";

/// Arguments of the child.
#[derive(Clone, Debug, Parser)]
struct Compile {
    #[command(flatten)]
    model: ModelArguments,
    /// The purpose of the equations.
    #[arg(long, value_parser = purposes(), default_value = Purpose::Motion.word())]
    purpose: Purpose,
    /// Whether the code is generic over the number type.
    #[arg(long)]
    lanes: bool,
}

/// The beginning of the answer's line.
const MARK: &str = "answer: ";

/// The result of the child.
#[derive(Deserialize, Serialize)]
enum Answer {
    Output(Box<Output>),
    Failed(#[serde(with = "front_end::json")] Diagnostics),
}

/// Compiles a model and reports its warnings.
pub(super) fn compile(
    model: &ModelArguments,
    reporter: &mut Reporter,
) -> Result<Output, Diagnostics> {
    let output = output(model, reporter)?;
    reporter.tell(&output.warnings);
    Ok(output)
}

/// Compiles a model: from the cache, else in a child. Errors that appear before the algebra starts are found here, so
/// that the terms of Symbolica are announced only when it is used.
pub(super) fn output(
    model: &ModelArguments,
    reporter: &mut Reporter,
) -> Result<Output, Diagnostics> {
    let source = load(&model.path)?;
    reporter.source = Some(source.clone());
    let output = output_of(model, &source, |n_bodies| {
        announce(reporter);
        if n_bodies > MANY {
            let text = format!("{n_bodies} bodies: compiling them takes up to some minutes");
            reporter.progress(&text);
        }
    });
    output.map_err(|found| explained(model, &source, found))
}

/// Reports joints that stay open as `assemble` does: with the gap, and the length that would close it. The compiler
/// itself spreads the gap over all joints of a loop.
fn explained(model: &ModelArguments, source: &Source, found: Diagnostics) -> Diagnostics {
    let is_open = |one: &Diagnostic| one.code == Code::T305;
    if model.purpose == Purpose::Analysis || !found.iter().any(is_open) {
        return found;
    }
    let analysis = ModelArguments::for_analysis(model.path.clone());
    let open = output_of(&analysis, source, |_| ()).and_then(|output| {
        let mechanism = Mechanism::new(&output, &[], &[])?;
        Ok(open(&mechanism, &assemble(&mechanism).open))
    });
    match open {
        Ok(open) if !open.is_empty() => {
            let others = found.iter().filter(|one| !is_open(one)).cloned();
            open.iter().cloned().chain(others).collect()
        }
        _ => found,
    }
}

/// Compilation of more bodies than this takes so long that the command says so.
const MANY: usize = 200;

/// The same, for callers that report the errors later. `announce` is called with the number of bodies before the
/// algebra starts.
pub(super) fn output_of(
    model: &ModelArguments,
    source: &Source,
    announce: impl FnOnce(usize),
) -> Result<Output, Diagnostics> {
    if let Some(output) = front_end::cached(source, &model.options())? {
        return Ok(output);
    }
    announce(examine(source)?);
    ask(model, source)
}

/// Announces the terms under which Symbolica runs without a licence.
pub(super) fn announce(reporter: &mut Reporter) {
    if env::var_os("SYMBOLICA_LICENSE").is_none() {
        reporter.notice(NOTICE);
    }
}

/// This program as the child, without Symbolica's own banner.
fn itself() -> Result<Command, Diagnostics> {
    let program = env::current_exe().map_err(failed)?;
    let mut child = Command::new(program);
    child.arg(COMMAND).env("SYMBOLICA_HIDE_BANNER", "1");
    Ok(child)
}

/// The child's side; `None` if this process is no child.
pub(super) fn answer() -> Option<Result<(), Diagnostics>> {
    let mut arguments = env::args_os().skip(1).peekable();
    let asked = arguments.peek().is_some_and(|first| first == COMMAND);
    asked.then(|| {
        end_with_parent();
        answer_to(&Compile::parse_from(arguments))
    })
}

fn purposes() -> impl TypedValueParser<Value = Purpose> {
    PossibleValuesParser::new(Purpose::ALL.map(Purpose::word))
        .try_map(|word| Purpose::of(&word).ok_or("no such purpose"))
}

fn answer_to(compile: &Compile) -> Result<(), Diagnostics> {
    session::on_wait(|reason| super::say(&format!("{}{reason}\n", progress::WAITING)));
    let options = Options {
        purpose: compile.purpose,
        lanes: match compile.lanes {
            true => Lanes::Any,
            false => Lanes::One,
        },
        ..compile.model.options()
    };
    let output =
        load(&compile.model.path).and_then(|source| front_end::compile_cached(&source, &options));
    let answer = match output {
        Ok(output) => Answer::Output(Box::new(output)),
        Err(found) => Answer::Failed(found),
    };
    let json = serde_json::to_string(&answer).map_err(io::Error::from);
    let written = json.and_then(|json| {
        let mut out = io::stdout().lock();
        writeln!(out, "\n{MARK}{json}").and_then(|()| out.flush())
    });
    written.map_err(failed)
}

fn ask(model: &ModelArguments, source: &Source) -> Result<Output, Diagnostics> {
    let written = match model.path.as_path() == Path::new("-") {
        true => Some(AnswerFile::new(source).map_err(failed)?),
        false => None,
    };
    let path = written
        .as_ref()
        .map_or(&model.path, |written| &written.file);
    let mut child = itself()?;
    child.args(["--scalar", model.scalar.text()]);
    if let Some(formulation) = model.formulation {
        child.args(["--formulation", formulation.word()]);
    }
    if !model.methods.is_empty() {
        let words: Vec<_> = model.methods.iter().map(|method| method.word()).collect();
        child.args(["--methods", &words.join(",")]);
    }
    if model.purpose != Purpose::Motion {
        child.args(["--purpose", model.purpose.word()]);
    }
    if model.lanes == Lanes::Any {
        child.arg("--lanes");
    }
    child.arg("--");
    child.arg(path);
    child.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = child.stderr(Stdio::piped()).spawn().map_err(failed)?;
    // Kept open until the child has answered: it ends when this end is closed.
    let stdin = child.stdin.take();
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let doing = doing(source);
    let spinner = progress::spinner(&doing);
    let text = thread::scope(|scope| {
        scope.spawn(|| stderr.map(|stderr| progress::relay(stderr, &spinner, &doing)));
        read(stdout)
    });
    spinner.finish_and_clear();
    let status = child.wait().map_err(failed)?;
    drop(stdin);
    let line = text.lines().rev().find_map(|line| line.strip_prefix(MARK));
    match line.and_then(|json| serde_json::from_str(json).ok()) {
        Some(Answer::Output(output)) => Ok(*output),
        Some(Answer::Failed(found)) => Err(found),
        None => {
            let message = format!("the compiling process gave no answer ({status})");
            Err(found(Code::S503, message))
        }
    }
}

fn read(stdout: Option<ChildStdout>) -> String {
    let mut bytes = Vec::new();
    // An answer that breaks off cannot be parsed, and is reported as an error.
    stdout.map(|mut stdout| stdout.read_to_end(&mut bytes));
    String::from_utf8_lossy(&bytes).into_owned()
}

fn doing(source: &Source) -> String {
    let name = source.file().map(|file| front_end::stem(Path::new(file)));
    format!(
        "deriving the equations of {}",
        name.as_deref().unwrap_or("the mechanism")
    )
}

/// A description from stdin, in a temporary folder that is removed on drop.
struct AnswerFile {
    file: PathBuf,
    _folder: tempfile::TempDir,
}

impl AnswerFile {
    fn new(source: &Source) -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("bellcrank-").tempdir()?;
        let ending = match source {
            Source::Json { .. } => "json",
            Source::Toml { .. } | Source::Tokens(_) => "toml",
        };
        let file = folder.path().join(format!("{STDIN}.{ending}"));
        write_checked(&file, source.text().unwrap_or_default().as_bytes())?;
        Ok(Self {
            file,
            _folder: folder,
        })
    }
}

fn failed(error: io::Error) -> Diagnostics {
    found(Code::S503, format!("the compiling process failed: {error}"))
}

impl ScalarName {
    pub(super) fn text(self) -> &'static str {
        match self {
            ScalarName::F64 => "f64",
            ScalarName::F32 => "f32",
        }
    }

    /// Number of lanes that fill the widest common registers.
    pub(super) fn lanes(self) -> usize {
        match self {
            ScalarName::F64 => 8,
            ScalarName::F32 => 16,
        }
    }
}
