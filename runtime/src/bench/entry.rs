//! A running formulation.

use std::hint::black_box;
use std::string::{String, ToString};
use std::time::{Duration, Instant};
use std::vec::Vec;

use super::{BenchFigures, Timed};
use crate::runner::{Arguments, simulation};
use crate::{
    Evaluation, Integrator, Mechanism, Named, Real, Simulation, Stabilizer, State, Stop, evaluate,
};

/// A timing lasts about this long, with repetitions if needed: long for the clock, and short enough to fit between
/// the time slices of other processes.
const TIMING: Duration = Duration::from_micros(500);
/// The smallest of this many timings is that of a round.
const TIMINGS: usize = 16;
/// Accelerations are evaluated at about this many states along the motion.
const STATES: usize = 64;

/// A simulation at its start, and the record of its walk.
pub struct TimedSimulation<M: Mechanism, I: Integrator<M, S>, S: Stabilizer<M>> {
    simulation: Simulation<M, I, S>,
    evaluation: Evaluation<M>,
    states: Vec<State<M>>,
    /// Time at the end of each step, and the shortest that the step took.
    ends: Vec<f64>,
    shortest: Vec<f64>,
    stop: Option<String>,
}

impl<M, I, S> TimedSimulation<M, I, S>
where
    M: Mechanism + Default,
    I: Integrator<M, S> + Named,
    S: Stabilizer<M> + Named,
{
    /// Makes the steps once; the steps before the first failure are the ones that are timed.
    pub fn new(arguments: &Arguments, steps: usize) -> Result<Self, String> {
        let mut simulation = simulation::<M, I, S>(arguments)?;
        let every = steps.div_ceil(STATES);
        let mut states = std::vec![*simulation.frame().state()];
        let (mut ends, mut stop) = (Vec::new(), None);
        for frame in simulation.until(forever::<M>()).take(steps) {
            match frame {
                Ok(frame) => {
                    ends.push(frame.time().to_f64());
                    if ends.len() % every == 0 {
                        states.push(*frame.state());
                    }
                }
                Err(why) => stop = Some(why.to_string()),
            }
        }
        match (ends.len(), stop) {
            (0, stop) => Err(stop.unwrap_or_else(|| "it makes no step".to_string())),
            (n, stop) => Ok(Self {
                simulation,
                evaluation: Evaluation::zero(),
                states,
                ends,
                shortest: std::vec![f64::INFINITY; n],
                stop,
            }),
        }
    }
}

impl<M: Mechanism, I: Integrator<M, S>, S: Stabilizer<M>> TimedSimulation<M, I, S> {
    fn evaluate_all(&mut self) -> Result<(), Stop> {
        let mechanism = self.simulation.mechanism();
        for state in &self.states {
            evaluate(mechanism, black_box(state).view(), &mut self.evaluation)?;
            black_box(&self.evaluation.acceleration);
        }
        Ok(())
    }

    fn step_all(&mut self) -> Result<(), Stop> {
        let steps = self.ends.len();
        for frame in self.simulation.until(forever::<M>()).take(steps) {
            black_box(frame?.time());
        }
        Ok(())
    }
}

impl<M, I, S> Timed for TimedSimulation<M, I, S>
where
    M: Mechanism,
    I: Integrator<M, S>,
    S: Stabilizer<M>,
{
    fn acceleration(&mut self) -> Result<f64, String> {
        let calls = self.states.len();
        smallest(calls, || {
            let begin = Instant::now();
            self.evaluate_all().map_err(text)?;
            Ok(begin.elapsed())
        })
    }

    fn step(&mut self) -> Result<f64, String> {
        let calls = self.ends.len();
        smallest(calls, || {
            self.simulation.reset().map_err(text)?;
            let begin = Instant::now();
            self.step_all().map_err(text)?;
            Ok(begin.elapsed())
        })
    }

    fn single(&mut self) -> Result<(), String> {
        self.simulation.reset().map_err(text)?;
        let mut frames = self.simulation.until(forever::<M>());
        for shortest in &mut self.shortest {
            let begin = Instant::now();
            let frame = frames.next();
            let spent = begin.elapsed().as_secs_f64();
            frame.transpose().map_err(text)?;
            *shortest = shortest.min(spent);
        }
        Ok(())
    }

    fn figures(&self) -> BenchFigures {
        let mut sorted: Vec<(f64, f64)> = self
            .shortest
            .iter()
            .copied()
            .zip(self.ends.iter().copied())
            .collect();
        sorted.sort_unstable_by(|one, other| one.0.total_cmp(&other.0));
        let n = sorted.len();
        BenchFigures {
            steps: n,
            span: self.ends[n - 1],
            median: sorted[n / 2].0,
            worst: sorted[n - 1].0,
            worst_at: sorted[n - 1].1,
            stop: self.stop.clone(),
        }
    }
}

/// Seconds of one of the calls that `work` makes and times.
fn smallest(
    calls: usize,
    mut work: impl FnMut() -> Result<Duration, String>,
) -> Result<f64, String> {
    let mut best = f64::INFINITY;
    for _ in 0..TIMINGS {
        let (mut spent, mut made) = (Duration::ZERO, 0);
        while spent < TIMING {
            spent += work()?;
            made += calls;
        }
        best = best.min(spent.as_secs_f64() / made as f64);
    }
    Ok(best)
}

fn forever<M: Mechanism>() -> M::Scalar {
    M::Scalar::from_f64(f64::INFINITY)
}

fn text(why: Stop) -> String {
    why.to_string()
}
