//! The program around a mechanism that `bellcrank run` builds:
//! `fn main() -> ExitCode { run_main::<FourBar, Rk4<f64>, DirectCorrection>() }`.
//!
//! Rows go to stdout, messages to stderr: lines `progress <time> <until>` on request, and at the end one line of
//! JSON, or one line `stop: …`. The exit code is 0, 1 after a stop, 2 after bad arguments, 3 if the rows cannot be
//! written.

mod answer;
mod arguments;
mod chatter;
pub(crate) mod parent;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;
use std::string::{String, ToString};
use std::time::{Duration, Instant};
use std::{format, thread};

use crate::{
    Counts, Frame, Integrator, Mechanism, Monitor, Named, Real, RecordError, Recorder, Simulation,
    Stabilizer, Stop,
};
pub(crate) use answer::answer;
pub(crate) use arguments::Arguments;
use chatter::ChatterWatch;

/// Stack for the dense path of large mechanisms, whose matrices live there.
pub(crate) const STACK: usize = 256 << 20;
/// Number of progress reports in a run.
const TOLD: f64 = 200.0;

/// Number of readings of the clock by which the time of one is measured.
const READINGS: usize = 100;

/// A remainder of the run shorter than this share of a row's interval has no row of its own.
const SLIVER: f64 = 1e-6;

const STOPPED: u8 = 1;
const MISUSED: u8 = 2;
const UNWRITTEN: u8 = 3;

/// Reason why a run ended early.
enum ProgramEnd {
    /// The simulation stopped.
    Stopped(String),
    /// The rows cannot be written.
    Unwritten(String),
    /// The reader of the rows has closed the stream.
    Unread,
}

/// Runs the mechanism as the arguments of this process say.
pub fn run_main<M, I, S>() -> ExitCode
where
    M: Mechanism + Default + 'static,
    I: Integrator<M, S> + Named + 'static,
    S: Stabilizer<M> + Named + 'static,
{
    with_room(run_with::<M, I, S>)
}

/// Runs a function on a thread with a large stack, with the arguments and the streams of this process. The function
/// is not generic over the mechanism, so that it is compiled once for all programs.
fn with_room(run: fn(&[String], &mut dyn Write, &mut dyn Write) -> u8) -> ExitCode {
    let run = move || {
        let arguments = parent::arguments(parent::ParentStream::Stdin);
        run(
            &arguments,
            &mut io::stdout().lock(),
            &mut io::stderr().lock(),
        )
    };
    let worker = thread::Builder::new().stack_size(STACK).spawn(run);
    let code = worker.map(|worker| worker.join().unwrap_or(STOPPED));
    ExitCode::from(code.unwrap_or(STOPPED))
}

/// Runs the mechanism as these arguments say and returns the exit code.
pub fn run_with<M, I, S>(arguments: &[String], stdout: &mut dyn Write, stderr: &mut dyn Write) -> u8
where
    M: Mechanism + Default,
    I: Integrator<M, S> + Named,
    S: Stabilizer<M> + Named,
{
    let arguments = Arguments::parse::<M, I, S>(arguments);
    report(arguments, stdout, stderr, &mut stream::<M, I, S>)
}

/// Runs the simulation and writes rows. Returns the summary.
type RunSimulation<'a> =
    &'a mut dyn FnMut(&Arguments, &mut dyn Write, &mut dyn Write) -> Result<String, ProgramEnd>;

/// Runs and reports how the run ended. It is not generic over the mechanism either.
fn report(
    arguments: Result<Arguments, String>,
    stdout: &mut dyn Write,
    stderr: &mut dyn Write,
    stream: RunSimulation,
) -> u8 {
    let outcome = match arguments {
        Ok(arguments) => stream(&arguments, &mut BufWriter::new(stdout), stderr).map_err(coded),
        Err(why) => Err((MISUSED, why)),
    };
    let (code, line) = match outcome {
        Ok(summary) => (0, summary),
        Err((0, _)) => return 0,
        Err((code, why)) => (code, format!("stop: {why}")),
    };
    // A closed stderr leaves nobody to write to.
    let _ = writeln!(stderr, "{line}");
    code
}

fn coded(ended: ProgramEnd) -> (u8, String) {
    match ended {
        ProgramEnd::Stopped(why) => (STOPPED, why),
        ProgramEnd::Unwritten(why) => (UNWRITTEN, format!("the rows cannot be written: {why}")),
        ProgramEnd::Unread => (0, String::new()),
    }
}

/// The mechanism with the parameters and inputs of the arguments, at its start.
pub(crate) fn simulation<M, I, S>(arguments: &Arguments) -> Result<Simulation<M, I, S>, String>
where
    M: Mechanism + Default,
    I: Integrator<M, S> + Named,
    S: Stabilizer<M> + Named,
{
    let mut mechanism = M::default();
    for (index, value) in &arguments.parameters {
        mechanism.set_parameter(*index, M::Scalar::from_f64(*value));
    }
    for (index, value) in &arguments.inputs {
        mechanism.inputs_mut()[*index] = M::Scalar::from_f64(*value);
    }
    let Arguments {
        step, tolerance, ..
    } = *arguments;
    let integrator = I::from_text(&arguments.integrator, step, tolerance)?;
    let stabilizer = S::from_text(&arguments.stabilizer, step, tolerance)?;
    Simulation::new(mechanism, integrator, stabilizer).map_err(text)
}

fn stream<M, I, S>(
    arguments: &Arguments,
    mut writer: &mut dyn Write,
    stderr: &mut dyn Write,
) -> Result<String, ProgramEnd>
where
    M: Mechanism + Default,
    I: Integrator<M, S> + Named,
    S: Stabilizer<M> + Named,
{
    let mut simulation = simulation::<M, I, S>(arguments).map_err(ProgramEnd::Stopped)?;
    let mut sink = Sink {
        recorder: Recorder::new::<M>(&mut writer).map_err(unwritten)?,
        monitor: Monitor::new(&simulation.frame()),
        chatter: const { I::ONE_STEP }.then(|| {
            let rows = arguments.until / (arguments.step * arguments.every as f64);
            ChatterWatch::new(arguments.step, rows)
        }),
        progress: ProgressLine::new(arguments.progress, arguments.until),
        stderr,
        strict: arguments.strict_energy,
        steps: 0,
        stepping: Duration::ZERO,
        reading: reading(),
    };
    sink.recorder
        .record(&simulation.frame())
        .map_err(unrecorded)?;
    if const { I::ADAPTIVE } {
        sink.samples(&mut simulation, arguments)?;
    } else {
        sink.steps(&mut simulation, arguments)?;
    }
    let before = sink.monitor.energy_jump;
    sink.monitor.end();
    sink.tell_jump(before)?;
    let Sink {
        recorder,
        monitor,
        steps,
        stepping,
        ..
    } = sink;
    recorder.finish().map_err(unwritten)?;
    Ok(summary(&RunFigures {
        steps,
        stepping,
        counts: simulation.counts(),
        violations: [monitor.phi, monitor.phi_dot, monitor.energy_drift].map(Real::to_f64),
        time: simulation.time().to_f64(),
        stopped: simulation.frame().stopped(),
    }))
}

/// Figures of a run, for its summary.
struct RunFigures {
    steps: u64,
    stepping: Duration,
    counts: Counts,
    /// Largest Φ, Φ̇ and drift of the energy.
    violations: [f64; 3],
    time: f64,
    /// The event that ended it.
    stopped: Option<&'static str>,
}

/// One line of JSON.
fn summary(figures: &RunFigures) -> String {
    let Counts {
        evaluations,
        factorizations,
        dense,
        iterations,
        rejections,
    } = figures.counts;
    let (steps, time) = (figures.steps, figures.time);
    let [phi, phi_dot, energy_drift] = figures.violations;
    let seconds = figures.stepping.as_secs_f64();
    let stopped = figures.stopped;
    let stopped = stopped.map(|event| format!(",\"stopped\":{event:?},\"time\":{time:?}"));
    format!(
        "{{\"steps\":{steps},\"evaluations\":{evaluations},\"dense_evaluations\":{dense},\
         \"factorizations\":{factorizations},\"iterations\":{iterations},\"rejections\":{rejections},\
         \"phi\":{phi:?},\"phi_dot\":{phi_dot:?},\"energy_drift\":{energy_drift:?},\
         \"seconds\":{seconds:?},\"seconds_per_step\":{:?}{}}}",
        seconds / steps.max(1) as f64,
        stopped.unwrap_or_default(),
    )
}

/// Receiver of the rows, progress and figures of a run.
struct Sink<'a, W, T: Real> {
    recorder: Recorder<W>,
    monitor: Monitor<T>,
    /// In a run by an explicit method.
    chatter: Option<ChatterWatch<T>>,
    progress: ProgressLine,
    stderr: &'a mut dyn Write,
    /// Whether a jump of the energy ends the run.
    strict: bool,
    steps: u64,
    stepping: Duration,
    /// Time between two successive readings of the clock.
    reading: Duration,
}

impl<W: Write, T: Real> Sink<'_, W, T> {
    /// A row after every N steps of equal length; the part of a step before an event belongs to it. A run that an
    /// event stops has its last row there.
    fn steps<M, I, S>(
        &mut self,
        simulation: &mut Simulation<M, I, S>,
        arguments: &Arguments,
    ) -> Result<(), ProgramEnd>
    where
        M: Mechanism<Scalar = T>,
        I: Integrator<M, S>,
        S: Stabilizer<M>,
    {
        let mut frames = simulation.until(T::from_f64(arguments.until));
        loop {
            let before = self.steps;
            let begin = Instant::now();
            let mut whole = 0;
            while whole < arguments.every
                && let Some(report) = frames.next_report()
            {
                let report = report.map_err(stopped)?;
                self.monitor.observe_report(report);
                self.steps += 1;
                whole += usize::from(!report.cut);
            }
            self.spent(begin);
            if self.steps == before {
                return Ok(());
            }
            self.row(&frames.frame())?;
        }
    }

    /// A row at each multiple of the step, whatever steps the integrator takes.
    fn samples<M, I, S>(
        &mut self,
        simulation: &mut Simulation<M, I, S>,
        arguments: &Arguments,
    ) -> Result<(), ProgramEnd>
    where
        M: Mechanism<Scalar = T>,
        I: Integrator<M, S>,
        S: Stabilizer<M>,
    {
        let interval = arguments.step * arguments.every as f64;
        let n_rows = (arguments.until / interval - SLIVER).floor() as u64 + 1;
        let mut variables = simulation.variables();
        for row in 1..=n_rows {
            let time = (row as f64 * interval).min(arguments.until);
            let begin = Instant::now();
            let frame = simulation
                .at_within(T::from_f64(time), T::from_f64(arguments.until))
                .map_err(stopped)?;
            self.spent(begin);
            if *frame.variables() != variables {
                // An event between two rows may have changed elements that store energy.
                self.monitor.excuse();
                variables = *frame.variables();
            }
            self.row(&frame)?;
            if frame.stopped().is_some() {
                break;
            }
        }
        self.steps = simulation.steps();
        Ok(())
    }

    /// Counts the time since `begin` as time of steps, less the time for reading the clock.
    fn spent(&mut self, begin: Instant) {
        self.stepping += begin.elapsed().saturating_sub(self.reading);
    }

    /// Takes a row into account. A jump of the energy is reported once, or ends the run.
    fn observe<M: Mechanism<Scalar = T>>(&mut self, frame: &Frame<M>) -> Result<(), ProgramEnd> {
        let before = self.monitor.energy_jump;
        match self.steps {
            0 => self.monitor.observe(frame),
            _ => self.monitor.observe_balance(frame),
        }
        self.tell_jump(before)
    }

    fn tell_jump(&mut self, before: Option<Stop>) -> Result<(), ProgramEnd> {
        match self.monitor.energy_jump {
            Some(jump) if before.is_none() && self.strict => Err(stopped(jump)),
            Some(jump) if before.is_none() => {
                let _ = writeln!(self.stderr, "warning: {jump}");
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn row<M: Mechanism<Scalar = T>>(&mut self, frame: &Frame<M>) -> Result<(), ProgramEnd> {
        self.observe(frame)?;
        let chatter = self.chatter.as_mut().and_then(|watch| watch.row(frame));
        if let Some(warning) = chatter {
            let _ = writeln!(self.stderr, "warning: {warning}");
        }
        self.recorder.record(frame).map_err(unrecorded)?;
        self.progress.show(frame.time().to_f64(), self.stderr);
        Ok(())
    }
}

/// Shortest time between two successive readings of the clock. A step of a small mechanism takes only a few times as
/// long.
fn reading() -> Duration {
    let readings = (0..READINGS).map(|_| Instant::now().elapsed());
    readings.min().unwrap_or_default()
}

/// Reports the progress of the run at intervals.
struct ProgressLine {
    wanted: bool,
    until: f64,
    next: f64,
}

impl ProgressLine {
    fn new(wanted: bool, until: f64) -> Self {
        Self {
            wanted,
            until,
            next: 0.0,
        }
    }

    fn show(&mut self, time: f64, stderr: &mut dyn Write) {
        if !self.wanted || (time < self.next && time < self.until) {
            return;
        }
        self.next = time + self.until / TOLD;
        // A parent that no longer listens does not end the run.
        let _ = writeln!(stderr, "progress {time:?} {:?}", self.until);
    }
}

fn stopped(stop: impl ToString) -> ProgramEnd {
    ProgramEnd::Stopped(stop.to_string())
}

fn unrecorded(why: RecordError) -> ProgramEnd {
    match why {
        RecordError::Stop(stop) => stopped(stop),
        RecordError::Io(why) => unwritten(why),
    }
}

fn unwritten(why: io::Error) -> ProgramEnd {
    match why.kind() {
        io::ErrorKind::BrokenPipe => ProgramEnd::Unread,
        _ => ProgramEnd::Unwritten(why.to_string()),
    }
}

fn text(error: impl ToString) -> String {
    error.to_string()
}
