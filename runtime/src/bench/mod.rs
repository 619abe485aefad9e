//! The program that `bellcrank bench` builds. In each round all formulations run in turn, so disturbances of the
//! machine affect all of them alike. The result is one JSON array on stdout.

mod entry;
mod json;

use std::boxed::Box;
use std::format;
use std::io::{self, Write};
use std::process::ExitCode;
use std::string::String;
use std::vec::Vec;

use crate::runner::{Arguments, answer};
use crate::{Integrator, Mechanism, Named, Stabilizer};
use entry::TimedSimulation;
use json::object;

/// A formulation of the mechanism with its methods.
pub struct TimedFormulation {
    formulation: &'static str,
    enter: StartTimed,
}

/// Puts a formulation at the start that the arguments describe, for this number of steps.
type StartTimed = fn(&[String], usize) -> Result<Box<dyn Timed>, String>;

/// A running formulation.
trait Timed {
    /// Seconds of an acceleration, over states along the motion.
    fn acceleration(&mut self) -> Result<f64, String>;
    /// Seconds of a step, over all of them.
    fn step(&mut self) -> Result<f64, String>;
    /// Times each step by itself and keeps its shortest time, so that a slow step is due to the step and not to the
    /// machine.
    fn single(&mut self) -> Result<(), String>;
    /// The results so far.
    fn figures(&self) -> BenchFigures;
}

/// The results when all rounds are over.
struct BenchFigures {
    steps: usize,
    span: f64,
    median: f64,
    worst: f64,
    worst_at: f64,
    stop: Option<String>,
}

/// Seconds of an acceleration and of a step, in each round.
#[derive(Clone, Default)]
struct Times {
    acceleration: Vec<f64>,
    step: Vec<f64>,
}

/// Default numbers of steps and of rounds.
const STEPS: usize = 1000;
const ROUNDS: usize = 21;

impl TimedFormulation {
    /// A formulation under this name.
    pub fn new<M, I, S>(formulation: &'static str) -> Self
    where
        M: Mechanism + Default + 'static,
        I: Integrator<M, S> + Named + 'static,
        S: Stabilizer<M> + Named + 'static,
    {
        Self {
            formulation,
            enter: |arguments, steps| {
                let arguments = Arguments::parse::<M, I, S>(arguments)?;
                Ok(Box::new(TimedSimulation::<M, I, S>::new(
                    &arguments, steps,
                )?))
            },
        }
    }
}

/// Times all formulations. The arguments of this process are those of `run`, `--steps` and `--rounds`. With `--walk=N`
/// only the N-th formulation makes its steps, for tools that count operations.
pub fn bench_main(subjects: &'static [fn() -> TimedFormulation]) -> ExitCode {
    answer("the benchmark", move |arguments| {
        let subjects: Vec<TimedFormulation> = subjects.iter().map(|one| one()).collect();
        bench(&subjects, arguments)
    })
}

fn bench(subjects: &[TimedFormulation], arguments: &[String]) -> Result<String, String> {
    let (own, arguments): (Vec<_>, Vec<_>) = arguments.iter().cloned().partition(|one| is_own(one));
    let steps = number(&own, "--steps=")?.unwrap_or(STEPS).max(1);
    let rounds = number(&own, "--rounds=")?.unwrap_or(ROUNDS).max(1);
    if let Some(walked) = number(&own, "--walk=")? {
        let subject = subjects.get(walked).ok_or("there is no such subject")?;
        return (subject.enter)(&arguments, steps).map(|_| String::new());
    }
    let mut entries = Vec::new();
    for subject in subjects {
        let named = |why| format!("`{}`: {why}", subject.formulation);
        entries.push((subject.enter)(&arguments, steps).map_err(named)?);
    }
    let times = race(&mut entries, rounds)?;
    let rows = subjects.iter().zip(&entries).zip(&times);
    let rows: Vec<String> = rows
        .map(|((subject, entry), times)| object(subject.formulation, &entry.figures(), times))
        .collect();
    Ok(format!("[{}]", rows.join(",")))
}

/// The times of each formulation. Each round begins with another formulation.
fn race(entries: &mut [Box<dyn Timed>], rounds: usize) -> Result<Vec<Times>, String> {
    let n = entries.len();
    let mut times = std::vec![Times::default(); n];
    for round in 0..rounds {
        for turn in 0..n {
            let index = (round + turn) % n;
            let entry = &mut entries[index];
            times[index].acceleration.push(entry.acceleration()?);
            times[index].step.push(entry.step()?);
            entry.single()?;
        }
        let _ = writeln!(io::stderr().lock(), "progress {} {rounds}", round + 1);
    }
    Ok(times)
}

fn is_own(argument: &str) -> bool {
    ["--steps=", "--rounds=", "--walk="]
        .iter()
        .any(|own| argument.starts_with(own))
}

fn number(arguments: &[String], option: &str) -> Result<Option<usize>, String> {
    let told = arguments.iter().find_map(|one| one.strip_prefix(option));
    told.map(|text| text.parse())
        .transpose()
        .map_err(|_| format!("`{option}` needs a whole number"))
}
