//! A running contestant.

use std::hint::black_box;
use std::string::{String, ToString};
use std::time::{Duration, Instant};

use super::{Contest, Measures};
use crate::arithmetic::{dot, larger};
use crate::runner::{Arguments, simulation};
use crate::{Frame, Integrator, Mechanism, Named, Real, Simulation, Stabilizer, Vector};

/// A timing lasts at least this long, with repetitions of the span if needed.
const SHORTEST: Duration = Duration::from_millis(4);

/// A simulation and the end of its run.
pub struct ComparedSimulation<M: Mechanism, I: Integrator<M, S>, S: Stabilizer<M>> {
    simulation: Simulation<M, I, S>,
    until: M::Scalar,
    timed: M::Scalar,
    repeats: u32,
}

impl<M, I, S> ComparedSimulation<M, I, S>
where
    M: Mechanism + Default,
    I: Integrator<M, S> + Named,
    S: Stabilizer<M> + Named,
{
    /// A contestant at the start that the arguments describe.
    pub fn new(arguments: &Arguments) -> Result<Self, String> {
        Ok(Self {
            simulation: simulation::<M, I, S>(arguments)?,
            until: M::Scalar::from_f64(arguments.until),
            timed: M::Scalar::from_f64(arguments.until),
            repeats: 1,
        })
    }
}

impl<M, I, S> Contest for ComparedSimulation<M, I, S>
where
    M: Mechanism,
    I: Integrator<M, S>,
    S: Stabilizer<M>,
{
    fn measure(&mut self) -> Measures {
        let start = self.simulation.frame();
        let mut measures = Measures {
            energy: start.balance().to_f64(),
            ..Measures::default()
        };
        measures.observe(&start);
        let begin = Instant::now();
        let mut frames = self.simulation.until(self.until);
        for frame in frames.by_ref() {
            match frame {
                Ok(frame) => measures.step(&frame),
                Err(why) => {
                    measures.stop = Some(why.to_string());
                    let half = M::Scalar::from_f64(0.5);
                    self.timed = half * self.simulation.time();
                    break;
                }
            }
        }
        let span = begin.elapsed().max(Duration::from_nanos(1));
        self.repeats = 1 + (SHORTEST.as_secs_f64() / span.as_secs_f64()) as u32;
        let counts = self.simulation.counts();
        measures.evaluations = counts.evaluations;
        measures.factorizations = counts.factorizations;
        measures.iterations = counts.iterations;
        measures.rejections = counts.rejections;
        measures
    }

    fn time(&mut self) -> Result<f64, String> {
        let (mut total, mut steps) = (Duration::ZERO, 0_u64);
        for _ in 0..self.repeats {
            self.simulation.reset().map_err(|why| why.to_string())?;
            let begin = Instant::now();
            for frame in self.simulation.until(self.timed) {
                black_box(frame.map_err(|why| why.to_string())?.time());
                steps += 1;
            }
            total += begin.elapsed();
        }
        match steps {
            0 => Err("it makes no step".to_string()),
            _ => Ok(total.as_secs_f64() / steps as f64),
        }
    }
}

impl Measures {
    fn step<M: Mechanism>(&mut self, frame: &Frame<M>) {
        self.steps += 1;
        self.position_passes += frame.report().position_passes;
        self.velocity_passes += frame.report().velocity_passes;
        self.observe(frame);
    }

    fn observe<M: Mechanism>(&mut self, frame: &Frame<M>) {
        let (m, state) = (frame.mechanism(), frame.state());
        let (mut phi, mut phi_dot) = (M::Multipliers::zero(), M::Multipliers::zero());
        m.constraints(state.time, &state.q, &mut phi);
        m.velocity_constraints(state.view(), &mut phi_dot);
        let (phi, phi_dot) = (dot(&phi, &phi).to_f64(), dot(&phi_dot, &phi_dot).to_f64());
        let drift = (frame.balance().to_f64() - self.energy).abs();
        self.phi.take(phi);
        self.phi_dot.take(phi_dot);
        self.energy_drift = larger(self.energy_drift, drift);
        self.curve.push([state.time.to_f64(), phi, phi_dot, drift]);
    }
}
