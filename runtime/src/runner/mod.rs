//! The program around a mechanism that `bellcrank run` builds: `fn main() -> ExitCode { run_main::<FourBar>() }`.
//!
//! Data goes to stdout or to a file, talk to stderr: lines `progress <time> <until>` if asked for, at the
//! end one line of JSON, or one line `stop: …`. The exit code is 0, 1 after a stop, 2 after bad arguments.

mod arguments;

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::string::{String, ToString};
use std::time::{Duration, Instant};
use std::vec::Vec;
use std::{format, thread};

use crate::{
    AnyIntegrator, AnyStabilizer, Counts, Frame, Mechanism, Monitor, Real, Recorder, Simulation,
};
use arguments::Arguments;

/// Room for the dense path of large mechanisms, whose matrices live on the stack.
const STACK: usize = 256 << 20;
/// Progress is told about this often in a run.
const TOLD: f64 = 200.0;

const STOPPED: u8 = 1;
const MISUSED: u8 = 2;

/// Runs the mechanism as the arguments of this process say.
pub fn run_main<M: Mechanism + Default + 'static>() -> ExitCode {
    let run = || {
        let arguments: Vec<String> = std::env::args().skip(1).collect();
        run_with::<M>(
            &arguments,
            &mut io::stdout().lock(),
            &mut io::stderr().lock(),
        )
    };
    let worker = thread::Builder::new().stack_size(STACK).spawn(run);
    let code = worker.map(|worker| worker.join().unwrap_or(STOPPED));
    ExitCode::from(code.unwrap_or(STOPPED))
}

/// Runs the mechanism as these arguments say and gives the exit code.
pub fn run_with<M: Mechanism + Default>(
    arguments: &[String],
    stdout: &mut dyn Write,
    stderr: &mut dyn Write,
) -> u8 {
    let outcome = match Arguments::parse::<M>(arguments) {
        Ok(arguments) => run::<M>(&arguments, stdout, stderr).map_err(|why| (STOPPED, why)),
        Err(why) => Err((MISUSED, why)),
    };
    let (code, line) = match outcome {
        Ok(summary) => (0, summary),
        Err((code, why)) => (code, format!("stop: {why}")),
    };
    // Nobody is left to be told if stderr is closed.
    let _ = writeln!(stderr, "{line}");
    code
}

/// The summary, or why the run ended early.
fn run<M: Mechanism + Default>(
    arguments: &Arguments,
    stdout: &mut dyn Write,
    stderr: &mut dyn Write,
) -> Result<String, String> {
    let Some(path) = &arguments.out else {
        return stream::<M>(arguments, &mut BufWriter::new(stdout), stderr);
    };
    let part = part_of(path);
    let file = File::create(&part).map_err(|why| format!("`{}`: {why}", part.display()))?;
    let summary = stream::<M>(arguments, &mut BufWriter::new(file), stderr)
        .map_err(|why| format!("{why}; the rows up to there are in `{}`", part.display()))?;
    fs::rename(&part, path).map_err(|why| format!("`{}`: {why}", path.display()))?;
    Ok(summary)
}

/// `out.csv` is `out.csv.part` until it is whole.
fn part_of(path: &Path) -> PathBuf {
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    part.into()
}

/// The mechanism with the parameters and inputs of the arguments, at its start.
fn simulation<M: Mechanism + Default>(
    arguments: &Arguments,
) -> Result<Simulation<M, AnyIntegrator<M::Scalar>, AnyStabilizer>, String> {
    let mut mechanism = M::default();
    for (index, value) in &arguments.parameters {
        mechanism.set_parameter(*index, M::Scalar::from_f64(*value));
    }
    for (index, value) in &arguments.inputs {
        mechanism.inputs_mut()[*index] = M::Scalar::from_f64(*value);
    }
    let step = M::Scalar::from_f64(arguments.step);
    let integrator = AnyIntegrator::named(&arguments.integrator, step).map_err(text)?;
    let stabilizer = AnyStabilizer::named(&arguments.stabilizer).map_err(text)?;
    Simulation::new(mechanism, integrator, stabilizer).map_err(text)
}

fn stream<M: Mechanism + Default>(
    arguments: &Arguments,
    writer: &mut dyn Write,
    stderr: &mut dyn Write,
) -> Result<String, String> {
    let mut simulation = simulation::<M>(arguments)?;
    let mut recorder = Recorder::new::<M>(writer).map_err(text)?;
    let mut monitor = Monitor::new(&simulation.frame());
    recorder.record(&simulation.frame()).map_err(text)?;
    let mut told = Progress::new(arguments);
    let (mut steps, mut stepping) = (0_u64, Duration::ZERO);
    let mut frames = simulation.until(M::Scalar::from_f64(arguments.until));
    loop {
        let begin = Instant::now();
        let mut last: Option<Frame<M>> = None;
        for frame in frames.by_ref().take(arguments.every) {
            let frame = frame.map_err(text)?;
            monitor.observe_report(frame.report());
            steps += 1;
            last = Some(frame);
        }
        stepping += begin.elapsed();
        let Some(frame) = last else { break };
        monitor.observe(&frame);
        recorder.record(&frame).map_err(text)?;
        told.tell(frame.time().to_f64(), stderr);
    }
    recorder.finish().map_err(text)?;
    let Counts {
        evaluations, dense, ..
    } = simulation.counts();
    Ok(format!(
        "{{\"steps\":{steps},\"evaluations\":{evaluations},\"dense_evaluations\":{dense},\
         \"phi\":{:?},\"phi_dot\":{:?},\"energy_drift\":{:?},\"seconds\":{:?},\"seconds_per_step\":{:?}}}",
        monitor.phi.to_f64(),
        monitor.phi_dot.to_f64(),
        monitor.energy_drift.to_f64(),
        stepping.as_secs_f64(),
        stepping.as_secs_f64() / steps.max(1) as f64,
    ))
}

/// Says now and then how far the run is.
struct Progress {
    wanted: bool,
    until: f64,
    next: f64,
}

impl Progress {
    fn new(arguments: &Arguments) -> Self {
        Self {
            wanted: arguments.progress,
            until: arguments.until,
            next: 0.0,
        }
    }

    fn tell(&mut self, time: f64, stderr: &mut dyn Write) {
        if !self.wanted || (time < self.next && time < self.until) {
            return;
        }
        self.next = time + self.until / TOLD;
        // A parent that no longer listens does not end the run.
        let _ = writeln!(stderr, "progress {time:?} {:?}", self.until);
    }
}

fn text(error: impl ToString) -> String {
    error.to_string()
}
