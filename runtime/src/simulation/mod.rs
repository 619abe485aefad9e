//! The simulation: a mechanism, its methods, and the present state.

mod bracket;
mod clock;
mod events;
mod frame;
mod frames;

pub use frame::{Frame, Report};
pub use frames::Frames;
#[cfg(feature = "batch")]
pub(crate) use {clock::Clock, frames::take};

use core::cell::RefCell;
use core::fmt;

use crate::assemble::is_consistent;
use crate::names::{UnknownName, position};
use crate::solve::check;
use crate::stabilize::violation;
use crate::{
    Counts, Energy, Fired, Integrator, Mechanism, Quantity, Real, Stabilizer, State, Stop,
    Workspace, assemble,
};
#[cfg(not(feature = "batch"))]
use clock::Clock;
use events::Watch;

/// A mechanism in motion.
pub struct Simulation<M: Mechanism, I: Integrator<M, S>, S: Stabilizer<M>> {
    mechanism: M,
    integrator: I,
    stabilizer: S,
    /// In a cell, because frames in a loop read it between the steps.
    workspace: RefCell<Workspace<M>>,
    memory: Memory<I::Memory, S::Memory>,
    progress: Progress<M>,
    /// The state and the variables of the last sample between the ends of a step.
    sampled: Option<(State<M>, M::Variables)>,
    /// Share of a step within which events are located.
    event_tolerance: f64,
}

/// Default share of a step within which events are located.
const EVENT_TOLERANCE: f64 = 1e-13;

/// Memory of the methods from step to step.
#[derive(Clone)]
struct Memory<I, S> {
    integrator: I,
    stabilizer: S,
}

/// Current point of a run.
struct Progress<M: Mechanism> {
    state: State<M>,
    clock: Clock<M::Scalar>,
    report: Report<M::Scalar>,
    /// Time at which the last step began.
    begin: M::Scalar,
    n_steps: u64,
    watch: Watch<M>,
}

/// A copy continues with the same bits, and independently of the original.
impl<M, I, S> Clone for Simulation<M, I, S>
where
    M: Mechanism + Clone,
    I: Integrator<M, S> + Clone,
    S: Stabilizer<M> + Clone,
{
    fn clone(&self) -> Self {
        Self {
            mechanism: self.mechanism.clone(),
            integrator: self.integrator.clone(),
            stabilizer: self.stabilizer.clone(),
            workspace: self.workspace.clone(),
            memory: self.memory.clone(),
            progress: self.progress,
            sampled: self.sampled,
            event_tolerance: self.event_tolerance,
        }
    }
}

/// Shows the current point of the run and the methods.
impl<M, I, S> fmt::Debug for Simulation<M, I, S>
where
    M: Mechanism,
    I: Integrator<M, S> + fmt::Debug,
    S: Stabilizer<M> + fmt::Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Simulation")
            .field("mechanism", &M::NAME)
            .field("integrator", &self.integrator)
            .field("stabilizer", &self.stabilizer)
            .field("state", &self.progress.state)
            .field("variables", &self.mechanism.variables())
            .field("report", &self.progress.report)
            .field("steps", &self.progress.n_steps)
            .finish_non_exhaustive()
    }
}

impl<M: Mechanism> Clone for Progress<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: Mechanism> Copy for Progress<M> {}

impl<M: Mechanism, I: Integrator<M, S>, S: Stabilizer<M>> Simulation<M, I, S> {
    /// Starts where the compiler assembled the mechanism. If changed parameters have made that start inconsistent, it
    /// assembles the mechanism from the guess.
    pub fn new(mechanism: M, integrator: I, stabilizer: S) -> Result<Self, Stop> {
        check_step(integrator.step_size(), I::ADAPTIVE)?;
        check_tolerance(integrator.tolerance())?;
        let progress = Progress::start(&mechanism)?;
        Ok(Self {
            workspace: RefCell::new(Workspace::zero()),
            memory: fresh(&integrator, &stabilizer),
            mechanism,
            integrator,
            stabilizer,
            progress,
            sampled: None,
            event_tolerance: EVENT_TOLERANCE,
        })
    }

    /// Goes back to the start, with the parameters as they are now and the initial values of the variables.
    pub fn reset(&mut self) -> Result<(), Stop> {
        self.forget();
        let variables = self.mechanism.start_variables();
        self.mechanism.set_variables(&variables);
        self.progress = Progress::start(&self.mechanism)?;
        Ok(())
    }

    /// Makes one step, which ends early at an event. After an error the state is the one before the step.
    #[inline]
    pub fn step(&mut self) -> Result<Report<M::Scalar>, Stop> {
        let infinite = M::Scalar::from_f64(f64::INFINITY);
        let mut frames = self.until(infinite);
        frames.step()?;
        Ok(self.progress.report)
    }

    /// Makes steps until `end` and returns a frame after each; the last step is shortened to end there. Events also
    /// end a step, and the next step makes up for the rest. After an event that stops the run there are no more
    /// frames until the next call.
    pub fn until(&mut self, end: M::Scalar) -> Frames<'_, M, I, S> {
        self.sampled = None;
        Frames {
            mechanism: &self.mechanism,
            integrator: &self.integrator,
            stabilizer: &self.stabilizer,
            workspace: &self.workspace,
            memory: &mut self.memory,
            progress: &mut self.progress,
            end,
            tolerance: self.event_tolerance,
            over: false,
        }
    }

    /// Makes steps until this time is reached and returns the frame there. If the integrator knows the states within
    /// a step, its steps may pass the time, as they would without this call. An event that stops the run ends it here
    /// too: the frame is then the one at the event, also in further calls. Settings that are changed afterwards hold
    /// from this time on. Times within the last step and later ones can be requested.
    pub fn at(&mut self, time: M::Scalar) -> Result<Frame<'_, M>, Stop> {
        self.at_within(time, M::Scalar::from_f64(f64::INFINITY))
    }

    /// The same, with no step beyond `end`.
    pub fn at_within(&mut self, time: M::Scalar, end: M::Scalar) -> Result<Frame<'_, M>, Stop> {
        if !time.is_finite() {
            // No number of steps reaches this time.
            let step = time.to_f64();
            return Err(Stop::BadStep { step });
        }
        while !(self.progress.state.time >= time || self.progress.report.stopped) {
            let end = match I::DENSE {
                true => end.max(time),
                false => time,
            };
            self.until(end).step()?;
        }
        if self.progress.state.time <= time {
            return Ok(self.frame());
        }
        let mut state = self.within(time)?;
        let workspace = &mut *self.workspace.borrow_mut();
        let memory = &mut self.memory.stabilizer;
        let (during, now) = (self.progress.watch.during, self.mechanism.variables());
        let during = during.unwrap_or(now);
        self.mechanism.set_variables(&during);
        let projection = self
            .stabilizer
            .project(&self.mechanism, &mut state, workspace, memory);
        self.mechanism.set_variables(&now);
        let projection = projection?;
        check_state(&state)?;
        let report = Report {
            time,
            phi: projection.phi,
            phi_dot: projection.phi_dot,
            events: Fired::default(),
            cut: false,
            stopped: false,
            ..self.progress.report
        };
        self.sampled = Some((state, during));
        let mut frame = Frame::at(&self.mechanism, &self.workspace, state, report);
        frame.variables = during;
        Ok(frame)
    }

    /// The state at a time within the last step.
    fn within(&self, time: M::Scalar) -> Result<State<M>, Stop> {
        let begin = self.progress.begin;
        let known = match time >= begin {
            true => self.integrator.interpolate(&self.memory.integrator, time),
            false => None,
        };
        known.ok_or(Stop::Passed {
            time: time.to_f64(),
            since: match I::DENSE {
                true => begin.to_f64(),
                false => self.progress.state.time.to_f64(),
            },
        })
    }

    /// Number of steps since the start or the last reset.
    pub fn steps(&self) -> u64 {
        self.progress.n_steps
    }

    /// The present state, with its outputs, energies and reactions.
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
    /// Variables stay as they are.
    pub fn set_state(&mut self, state: State<M>) -> Result<(), Stop> {
        check_state(&state)?;
        check_time::<M>(&state)?;
        self.forget();
        self.progress = Progress::at(&self.mechanism, state);
        Ok(())
    }

    /// Report of the last step.
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

    /// Work so far.
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

    /// Values of the discrete variables, in the order of [`Mechanism::VARIABLES`].
    pub fn variables(&self) -> M::Variables {
        self.mechanism.variables()
    }

    /// Sets a discrete variable from now on, as an event does. Panics if there is none with this index.
    pub fn set_variable(&mut self, index: usize, value: M::Scalar) {
        let mut variables = self.variables();
        variables[index] = value;
        self.mechanism_mut().set_variables(&variables);
    }

    /// Locates events from now on within this share of a step, or to the resolution of the time. Events that are
    /// nearer to each other happen together.
    pub fn set_event_tolerance(&mut self, tolerance: f64) {
        self.event_tolerance = tolerance;
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

    /// The motion may jump here, so the memory of the methods is not valid any more. The run continues from the last
    /// time that was read by [`Simulation::at`], even if steps have passed it.
    fn forget(&mut self) {
        self.workspace.get_mut().forget();
        self.memory = fresh(&self.integrator, &self.stabilizer);
        if let Some((state, variables)) = self.sampled.take() {
            self.mechanism.set_variables(&variables);
            let n_steps = self.progress.n_steps;
            self.progress = Progress {
                n_steps,
                ..Progress::at(&self.mechanism, state)
            };
        }
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

/// The state at which a run of the mechanism starts.
#[cfg(feature = "batch")]
pub(crate) fn start<M: Mechanism>(m: &M) -> Result<State<M>, Stop> {
    Ok(Progress::start(m)?.state)
}

impl<M: Mechanism> Progress<M> {
    fn start(m: &M) -> Result<Self, Stop> {
        let time = M::Scalar::ZERO;
        let (mut q, mut v) = m.start();
        if m.is_default() {
            let started = Self::at(m, State::new(time, q, v));
            if is_consistent(m, &started.state) {
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
            begin: state.time,
            n_steps: 0,
            watch: Watch::default(),
        }
    }
}

/// Stops at NaN and infinite numbers.
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

/// With a time that is NaN the run would never end.
fn check_time<M: Mechanism>(state: &State<M>) -> Result<(), Stop> {
    match state.time.is_finite() {
        true => Ok(()),
        false => Err(Stop::NotFinite {
            time: state.time.to_f64(),
            what: Quantity::Time,
            index: 0,
            name: M::NAME,
        }),
    }
}

fn check_tolerance<T: Real>(tolerance: Option<T>) -> Result<(), Stop> {
    match tolerance {
        Some(tolerance) if !(tolerance > T::ZERO && tolerance.is_finite()) => {
            Err(Stop::BadTolerance {
                tolerance: tolerance.to_f64(),
            })
        }
        _ => Ok(()),
    }
}

pub(crate) fn check_step<T: Real>(step: T, adaptive: bool) -> Result<(), Stop> {
    let infinite = adaptive && step == T::from_f64(f64::INFINITY);
    if step > T::ZERO && (step.is_finite() || infinite) {
        return Ok(());
    }
    Err(Stop::BadStep {
        step: step.to_f64(),
    })
}
