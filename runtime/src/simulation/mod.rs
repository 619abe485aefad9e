//! The object that users hold: a mechanism, a method, and where they have come to.

mod clock;
mod frame;
mod frames;

pub use frame::{Frame, Report};
pub use frames::Frames;

use core::cell::RefCell;

use crate::assemble::closed;
use crate::names::{UnknownName, position};
use crate::solve::check;
use crate::stabilize::violation;
use crate::{
    Counts, Energy, Integrator, Mechanism, Quantity, Real, Stabilizer, State, Stop, Workspace,
    assemble,
};
use clock::Clock;

/// A mechanism in motion.
pub struct Simulation<M: Mechanism, I: Integrator<M, S>, S: Stabilizer<M>> {
    mechanism: M,
    integrator: I,
    stabilizer: S,
    /// In a cell, because frames that a loop hands out read it between the steps.
    workspace: RefCell<Workspace<M>>,
    memory: Memory<I::Memory, S::Memory>,
    progress: Progress<M>,
}

/// What the methods keep from step to step.
struct Memory<I, S> {
    integrator: I,
    stabilizer: S,
}

/// Where a run has come to.
struct Progress<M: Mechanism> {
    state: State<M>,
    clock: Clock<M::Scalar>,
    report: Report<M::Scalar>,
    n_steps: u64,
}

impl<M: Mechanism, I: Integrator<M, S>, S: Stabilizer<M>> Simulation<M, I, S> {
    /// Starts where the compiler assembled the mechanism, or assembles it from the guess if changed
    /// parameters have made that start inconsistent.
    pub fn new(mechanism: M, integrator: I, stabilizer: S) -> Result<Self, Stop> {
        check_step(integrator.step_size(), I::ADAPTIVE)?;
        let progress = Progress::start(&mechanism)?;
        Ok(Self {
            workspace: RefCell::new(Workspace::zero()),
            memory: fresh(&integrator, &stabilizer),
            mechanism,
            integrator,
            stabilizer,
            progress,
        })
    }

    /// Goes back to the start, with the parameters as they are now.
    pub fn reset(&mut self) -> Result<(), Stop> {
        self.forget();
        self.progress = Progress::start(&self.mechanism)?;
        Ok(())
    }

    /// Makes one step. After an error the state is the one before the step.
    #[inline]
    pub fn step(&mut self) -> Result<Report<M::Scalar>, Stop> {
        let infinite = M::Scalar::from_f64(f64::INFINITY);
        let mut frames = self.until(infinite);
        frames.step()?;
        Ok(self.progress.report)
    }

    /// Makes steps until `end` and gives a frame after each; the last step is shortened to end there.
    pub fn until(&mut self, end: M::Scalar) -> Frames<'_, M, I, S> {
        Frames {
            mechanism: &self.mechanism,
            integrator: &self.integrator,
            stabilizer: &self.stabilizer,
            workspace: &self.workspace,
            memory: &mut self.memory,
            progress: &mut self.progress,
            end,
            over: false,
        }
    }

    /// Makes steps until this time is reached and gives the frame there. Where the integrator knows the
    /// states within a step, steps go on beyond the time as they would without it.
    pub fn at(&mut self, time: M::Scalar) -> Result<Frame<'_, M>, Stop> {
        while self.progress.state.time < time {
            let here = self.progress.state.time;
            let end = match I::DENSE {
                true => M::Scalar::from_f64(f64::INFINITY),
                false => time,
            };
            self.until(end).step()?;
            debug_assert!(self.progress.state.time > here);
        }
        let within = match self.progress.state.time == time {
            true => None,
            false => self.integrator.interpolate(&self.memory.integrator, time),
        };
        let Some(mut state) = within else {
            return Ok(self.frame());
        };
        let workspace = &mut *self.workspace.borrow_mut();
        let memory = &mut self.memory.stabilizer;
        let projection = self
            .stabilizer
            .project(&self.mechanism, &mut state, workspace, memory)?;
        check_state(&state)?;
        let report = Report {
            time,
            phi: projection.phi,
            phi_dot: projection.phi_dot,
            ..self.progress.report
        };
        Ok(Frame::at(&self.mechanism, &self.workspace, state, report))
    }

    /// How many steps were made since the start or the last reset.
    pub fn steps(&self) -> u64 {
        self.progress.n_steps
    }

    /// The present state with what can be read of it.
    pub fn frame(&self) -> Frame<'_, M> {
        Frame::new(&self.mechanism, &self.workspace, &self.progress)
    }

    /// t
    pub fn time(&self) -> M::Scalar {
        self.progress.state.time
    }

    /// The present state.
    pub fn state(&self) -> &State<M> {
        &self.progress.state
    }

    /// Continues from another state, which should satisfy the constraints; see [`crate::assemble`].
    pub fn set_state(&mut self, state: State<M>) -> Result<(), Stop> {
        check_state(&state)?;
        self.forget();
        self.progress = Progress::at(&self.mechanism, state);
        Ok(())
    }

    /// What the last step did.
    pub fn report(&self) -> Report<M::Scalar> {
        self.progress.report
    }

    /// Kinetic and potential energy.
    pub fn energy(&self) -> Energy<M::Scalar> {
        self.frame().energies()
    }

    /// Named outputs. Costs an evaluation, with which the next step then begins.
    pub fn outputs(&self) -> Result<M::Outputs, Stop> {
        self.frame().outputs()
    }

    /// Force and torque in every joint. Costs an evaluation, with which the next step then begins.
    pub fn reactions(&self) -> Result<M::Reactions, Stop> {
        self.frame().reactions()
    }

    /// How much work was done so far.
    pub fn counts(&self) -> Counts {
        self.workspace.borrow().counts
    }

    /// Sets an input from now on. Panics if there is none with this index.
    pub fn set_input(&mut self, index: usize, value: M::Scalar) {
        self.mechanism_mut().inputs_mut()[index] = value;
    }

    /// Sets an input from now on.
    pub fn set_input_named(&mut self, name: &str, value: M::Scalar) -> Result<(), UnknownName> {
        self.set_input(position("input", M::INPUTS, name)?, value);
        Ok(())
    }

    /// The mechanism.
    pub fn mechanism(&self) -> &M {
        &self.mechanism
    }

    /// The mechanism, to change inputs, or parameters before a [`Simulation::reset`].
    pub fn mechanism_mut(&mut self) -> &mut M {
        self.forget();
        &mut self.mechanism
    }

    /// The motion may jump here: nothing that was remembered holds any more.
    fn forget(&mut self) {
        self.workspace.get_mut().forget();
        self.memory = fresh(&self.integrator, &self.stabilizer);
    }
}

fn fresh<M: Mechanism, I: Integrator<M, S>, S: Stabilizer<M>>(
    integrator: &I,
    stabilizer: &S,
) -> Memory<I::Memory, S::Memory> {
    Memory {
        integrator: integrator.memory(),
        stabilizer: stabilizer.memory(),
    }
}

impl<M: Mechanism> Progress<M> {
    fn start(m: &M) -> Result<Self, Stop> {
        let time = M::Scalar::ZERO;
        let (mut q, mut v) = m.start();
        if m.is_default() {
            let started = Self::at(m, State::new(time, q, v));
            let (limit, report) = (closed::<M>(), &started.report);
            if report.phi <= limit && report.phi_dot <= limit {
                check_state(&started.state)?;
                return Ok(started);
            }
        }
        m.guess(&mut q, &mut v);
        assemble(m, time, &mut q, &mut v)?;
        let state = State::new(time, q, v);
        check_state(&state)?;
        Ok(Self::at(m, state))
    }

    fn at(m: &M, state: State<M>) -> Self {
        let (phi, phi_dot) = violation(m, &state);
        let report = Report {
            time: state.time,
            phi,
            phi_dot,
            ..Report::default()
        };
        Self {
            state,
            clock: Clock::from(state.time),
            report,
            n_steps: 0,
        }
    }
}

/// Nothing that is not a number is carried on.
#[inline]
fn check_state<M: Mechanism>(state: &State<M>) -> Result<(), Stop> {
    check(state.time, Quantity::Coordinates, M::COORDINATES, &state.q)?;
    check(state.time, Quantity::Velocities, M::VELOCITIES, &state.v)?;
    if state.work.is_finite() {
        return Ok(());
    }
    let (time, what) = (state.time.to_f64(), Quantity::Work);
    Err(Stop::NotFinite {
        time,
        what,
        index: 0,
        name: M::NAME,
    })
}

fn check_step<T: Real>(step: T, adaptive: bool) -> Result<(), Stop> {
    let infinite = adaptive && step == T::from_f64(f64::INFINITY);
    if step > T::ZERO && (step.is_finite() || infinite) {
        return Ok(());
    }
    Err(Stop::BadStep {
        step: step.to_f64(),
    })
}
