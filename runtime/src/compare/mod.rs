//! Many methods on one mechanism in one process: `bellcrank compare` builds a program that calls
//! [`compare_main`] with one contestant for each pair of integrator and stabilizer.
//!
//! Each contestant runs once for its measurements. Then all of them run in turn, again and again, for their times:
//! disturbances of the machine affect all of them alike. The result is one JSON object on stdout.

mod entry;
mod json;

use std::boxed::Box;
use std::format;
use std::io::{self, Write};
use std::process::ExitCode;
use std::string::String;
use std::vec::Vec;

use crate::arithmetic::larger;
use crate::runner::{Arguments, answer};
use crate::{Integrator, Mechanism, Named, Stabilizer};
use entry::ComparedSimulation;
use json::object;

/// One pair of methods on one formulation of the mechanism.
pub struct Contestant {
    formulation: &'static str,
    integrator: &'static str,
    stabilizer: &'static str,
    enter: StartContestant,
}

/// Puts a contestant at the start that the arguments describe.
type StartContestant = fn(&Contestant, &[String]) -> Result<Box<dyn Contest>, String>;

/// A contestant at its start.
trait Contest {
    /// Measures violation and work over the whole span.
    fn measure(&mut self) -> Measures;
    /// Seconds of a step over the whole span, or over the first half of what it reached when measured.
    fn time(&mut self) -> Result<f64, String>;
}

/// Violation of the constraints by a contestant, and the work that its run took.
#[derive(Clone, Debug, Default)]
struct Measures {
    steps: u64,
    evaluations: usize,
    factorizations: usize,
    iterations: usize,
    rejections: usize,
    position_passes: usize,
    velocity_passes: usize,
    phi: SquareSums,
    phi_dot: SquareSums,
    energy: f64,
    energy_drift: f64,
    curve: Vec<[f64; 4]>,
    stop: Option<String>,
}

/// Mean and maximum of a sum of squares.
#[derive(Clone, Copy, Debug, Default)]
struct SquareSums {
    sum: f64,
    max: f64,
}

/// Default number of times that each contestant is timed.
const REPEAT: usize = 21;
/// Default number of points of a curve.
const POINTS: usize = 400;

impl Contestant {
    /// The methods with their settings, as `name:setting=value`, on a formulation.
    pub fn new<M, I, S>(
        formulation: &'static str,
        integrator: &'static str,
        stabilizer: &'static str,
    ) -> Self
    where
        M: Mechanism + Default + 'static,
        I: Integrator<M, S> + Named + 'static,
        S: Stabilizer<M> + Named + 'static,
    {
        Self {
            formulation,
            integrator,
            stabilizer,
            enter: |own, arguments| {
                let mut arguments = arguments.to_vec();
                arguments.push(format!("--integrator={}", own.integrator));
                arguments.push(format!("--stabilizer={}", own.stabilizer));
                let arguments = Arguments::parse::<M, I, S>(&arguments)?;
                Ok(Box::new(ComparedSimulation::<M, I, S>::new(&arguments)?))
            },
        }
    }
}

/// Runs all contestants as the arguments of this process say: those of `run`, `--repeat` and `--points`.
pub fn compare_main(contestants: &'static [fn() -> Contestant]) -> ExitCode {
    answer("the comparison", move |arguments| {
        let contestants: Vec<Contestant> = contestants.iter().map(|one| one()).collect();
        compare(&contestants, arguments)
    })
}

fn compare(contestants: &[Contestant], arguments: &[String]) -> Result<String, String> {
    let (own, arguments): (Vec<_>, Vec<_>) = arguments.iter().cloned().partition(|one| is_own(one));
    let repeat = count(&own, "--repeat=")?.unwrap_or(REPEAT);
    let points = count(&own, "--points=")?.unwrap_or(POINTS);
    let mut entries = Vec::new();
    for contestant in contestants {
        let entered = (contestant.enter)(contestant, &arguments);
        let named = |why| {
            format!(
                "`{}` with `{}`: {why}",
                contestant.integrator, contestant.stabilizer
            )
        };
        entries.push(entered.map_err(named)?);
    }
    let rounds = contestants.len() * (repeat + 1);
    let mut measures = Vec::new();
    for (n, entry) in entries.iter_mut().enumerate() {
        measures.push(entry.measure());
        tell(n + 1, rounds);
    }
    let times = race(&mut entries, repeat, rounds);
    let rows = contestants.iter().zip(&measures).zip(&times);
    let rows: Vec<String> = rows
        .map(|((contestant, measures), times)| object(contestant, measures, times, points))
        .collect();
    Ok(format!("[{}]", rows.join(",")))
}

/// Seconds of a step of each contestant in each round; rounds begin with another one each time.
fn race(entries: &mut [Box<dyn Contest>], repeat: usize, rounds: usize) -> Vec<Vec<f64>> {
    let n = entries.len();
    let mut times = std::vec![Vec::new(); n];
    for round in 0..repeat {
        for turn in 0..n {
            let index = (round + turn) % n;
            if let Ok(time) = entries[index].time() {
                times[index].push(time);
            }
        }
        tell(n * (round + 2), rounds);
    }
    times
}

fn tell(done: usize, rounds: usize) {
    let _ = writeln!(io::stderr().lock(), "progress {done} {rounds}");
}

fn is_own(argument: &str) -> bool {
    ["--repeat=", "--points="]
        .iter()
        .any(|own| argument.starts_with(own))
}

fn count(arguments: &[String], option: &str) -> Result<Option<usize>, String> {
    let told = arguments.iter().find_map(|one| one.strip_prefix(option));
    let Some(text) = told else { return Ok(None) };
    match text.parse() {
        Ok(count) if count > 0 => Ok(Some(count)),
        _ => Err(format!("`{option}{text}` needs a number from 1 on")),
    }
}

impl SquareSums {
    fn take(&mut self, square: f64) {
        self.sum += square;
        self.max = larger(self.max, square);
    }

    fn mean(&self, n: u64) -> f64 {
        self.sum / n.max(1) as f64
    }
}
