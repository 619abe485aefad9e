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
    Energy, Integrator, Mechanism, Quantity, Real, Stabilizer, State, Stop, Workspace, assemble,
};
use clock::Clock;

/// A mechanism in motion.
pub struct Simulation<M: Mechanism, I, S> {
    mechanism: M,
    integrator: I,
    stabilizer: S,
    /// In a cell, because frames that a loop hands out read it between the steps.
    workspace: RefCell<Workspace<M>>,
    progress: Progress<M>,
}

/// Where a run has come to.
struct Progress<M: Mechanism> {
    state: State<M>,
    clock: Clock<M::Scalar>,
    report: Report<M::Scalar>,
}

impl<M: Mechanism, I: Integrator<M>, S: Stabilizer<M>> Simulation<M, I, S> {
    /// Starts where the compiler assembled the mechanism, or assembles it from the guess if changed
    /// parameters have made that start inconsistent.
    pub fn new(mechanism: M, integrator: I, stabilizer: S) -> Result<Self, Stop> {
        check_step(integrator.step_size())?;
        let progress = Progress::start(&mechanism)?;
        let workspace = RefCell::new(Workspace::zero());
        Ok(Self {
            mechanism,
            integrator,
            stabilizer,
            workspace,
            progress,
        })
    }

    /// Goes back to the start, with the parameters as they are now.
    pub fn reset(&mut self) -> Result<(), Stop> {
        self.workspace.get_mut().forget();
        self.progress = Progress::start(&self.mechanism)?;
        Ok(())
    }

    /// Makes one step. After an error the state is the one before the step.
    #[inline]
    pub fn step(&mut self) -> Result<Report<M::Scalar>, Stop> {
        let Self {
            mechanism,
            integrator,
            stabilizer,
            workspace,
            progress,
        } = self;
        let step = integrator.step_size();
        let time = progress.clock.next(step);
        progress.advance(
            mechanism,
            integrator,
            stabilizer,
            workspace.get_mut(),
            step,
            time,
        )?;
        progress.clock.tick();
        Ok(progress.report)
    }

    /// Makes steps until `end` and gives a frame after each; the last step is shortened to end there.
    pub fn until(&mut self, end: M::Scalar) -> Frames<'_, M, I, S> {
        let Self {
            mechanism,
            integrator,
            stabilizer,
            workspace,
            progress,
        } = self;
        Frames {
            mechanism,
            integrator,
            stabilizer,
            workspace,
            progress,
            end,
            over: false,
        }
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

    /// Evaluations so far, and how many of them took the dense path.
    pub fn evaluations(&self) -> (usize, usize) {
        let workspace = self.workspace.borrow();
        (workspace.evaluations, workspace.dense_evaluations)
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
        self.workspace.get_mut().forget();
        &mut self.mechanism
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
        }
    }

    /// One step of this size to this time.
    #[inline]
    fn advance<I: Integrator<M>, S: Stabilizer<M>>(
        &mut self,
        m: &M,
        integrator: &I,
        stabilizer: &S,
        workspace: &mut Workspace<M>,
        step: M::Scalar,
        time: M::Scalar,
    ) -> Result<(), Stop> {
        let moves = time > self.state.time;
        if !moves {
            return Err(Stop::StepTooSmall {
                time: self.state.time.to_f64(),
                step: step.to_f64(),
            });
        }
        let before = (workspace.evaluations, workspace.dense_evaluations);
        let mut state = self.state;
        integrator.step(m, &mut state, step, workspace)?;
        state.time = time;
        check_state(&state)?;
        let projection = stabilizer.project(m, &mut state, workspace)?;
        check_state(&state)?;
        self.state = state;
        self.report = Report {
            time,
            evaluations: workspace.evaluations - before.0,
            dense_evaluations: workspace.dense_evaluations - before.1,
            position_passes: projection.position_passes,
            velocity_passes: projection.velocity_passes,
            phi: projection.phi,
            phi_dot: projection.phi_dot,
        };
        Ok(())
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

fn check_step<T: Real>(step: T) -> Result<(), Stop> {
    if step > T::ZERO && step.is_finite() {
        return Ok(());
    }
    Err(Stop::BadStep {
        step: step.to_f64(),
    })
}
