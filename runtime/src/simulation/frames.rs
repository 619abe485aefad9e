//! The steps of a run as an iterator.

use core::cell::RefCell;

use super::clock::Clock;
use super::{Frame, Memory, Progress, Report, check_state, fresh};
use crate::arithmetic::{is_nan, norm};
use crate::assemble::is_closed;
use crate::integrate::SLIVER;
use crate::nearness::Nearness;
use crate::passage::{self, Passed};
use crate::{
    Counts, Integrator, Mechanism, Projection, Real, Stabilizer, State, StepContext, Stop, Vector,
    Workspace,
};

/// Makes a step for each frame until the end of the run, until an event that stops it, or until the first
/// error.
pub struct Frames<'a, M: Mechanism, I: Integrator<M, S>, S: Stabilizer<M>> {
    pub(super) mechanism: &'a M,
    pub(super) integrator: &'a I,
    pub(super) stabilizer: &'a S,
    pub(super) workspace: &'a RefCell<Workspace<M>>,
    pub(super) memory: &'a mut Memory<I::Memory, S::Memory>,
    pub(super) progress: &'a mut Progress<M>,
    pub(super) end: M::Scalar,
    pub(super) tolerance: f64,
    pub(super) over: bool,
}

impl<'a, M: Mechanism, I: Integrator<M, S>, S: Stabilizer<M>> Iterator for Frames<'a, M, I, S> {
    type Item = Result<Frame<'a, M>, Stop>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let stepped = self.next_report()?.map(|_| ());
        Some(stepped.map(|()| Frame::new(self.mechanism, self.workspace, self.progress)))
    }
}

impl<'a, M: Mechanism, I: Integrator<M, S>, S: Stabilizer<M>> Frames<'a, M, I, S> {
    /// Makes a step and returns its report alone: copying the state into a frame takes a tenth of a step of a small
    /// mechanism.
    #[inline]
    pub(crate) fn next_report(&mut self) -> Option<Result<&Report<M::Scalar>, Stop>> {
        if self.over || self.progress.state.time >= self.end {
            return None;
        }
        let stepped = self.step();
        self.over = stepped.is_err() || self.progress.report.stopped;
        Some(stepped.map(|()| &self.progress.report))
    }

    /// The frame after the last step.
    #[cfg(feature = "std")]
    pub(crate) fn frame(&self) -> Frame<'a, M> {
        Frame::new(self.mechanism, self.workspace, self.progress)
    }

    /// One step. After an error the methods start again, because their memory may be that of the failed step.
    #[inline]
    pub(super) fn step(&mut self) -> Result<(), Stop> {
        let stepped = self.step_on();
        if stepped.is_err() {
            *self.memory = fresh(self.integrator, self.stabilizer);
            self.workspace.borrow_mut().forget();
        }
        stepped
    }

    /// A full step, the rest of one after an event, or the rest until the end.
    #[inline]
    fn step_on(&mut self) -> Result<(), Stop> {
        let full = self.integrator.step_size();
        if const { I::ADAPTIVE } {
            return self.step_freely(full);
        }
        let time = self.progress.clock.next(full);
        if time < self.end - full * M::Scalar::from_f64(SLIVER) {
            self.advance(self.left(full, time), time)?;
            if !self.progress.report.cut {
                self.progress.clock.tick();
            }
            return Ok(());
        }
        self.check_end()?;
        self.advance_to_end(full, time)
    }

    /// The rest of a step to this time after an event. Without an event it is the whole step.
    #[inline]
    fn left(&self, full: M::Scalar, time: M::Scalar) -> M::Scalar {
        match self.progress.report.cut {
            true => time - self.progress.state.time,
            false => full,
        }
    }

    /// A step as long as the integrator chooses, within the longest one and the end.
    fn step_freely(&mut self, longest: M::Scalar) -> Result<(), Stop> {
        self.check_end()?;
        let time = self.progress.state.time;
        let rest = self.end - time;
        match rest <= longest * M::Scalar::from_f64(1.0 + SLIVER) {
            true => self.advance(rest, self.end),
            false => self.advance(longest, time + longest),
        }
    }

    fn check_end(&self) -> Result<(), Stop> {
        match is_nan(self.end) {
            true => Err(Stop::BadStep {
                step: self.end.to_f64(),
            }),
            false => Ok(()),
        }
    }

    /// The last step; the clock starts anew from the end.
    fn advance_to_end(&mut self, full: M::Scalar, time: M::Scalar) -> Result<(), Stop> {
        let sliver = full * M::Scalar::from_f64(SLIVER);
        let whole = (time - self.end).abs() <= sliver;
        let rest = self.end - self.progress.state.time;
        let limit = match whole {
            true => self.left(full, self.end),
            false => rest,
        };
        self.advance(limit, self.end)?;
        if !self.progress.report.cut {
            self.progress.clock = Clock::from(self.end);
        }
        Ok(())
    }

    /// One step of at most this length, towards this time; shorter if events end it.
    #[inline]
    fn advance(&mut self, limit: M::Scalar, time: M::Scalar) -> Result<(), Stop> {
        if const { M::Events::LEN > 0 } {
            return self.advance_watching(limit, time);
        }
        let before = self.workspace.borrow().counts;
        let start = self.progress.state;
        let carried = self.with_run(|run, integrator, memory, state| {
            carry(run, integrator, memory, state, limit, time)
        });
        match carried {
            Ok((_, projection)) => self.count(start.time, &projection, before),
            Err(stop) => {
                self.progress.state = start;
                return Err(stop);
            }
        }
        Ok(())
    }

    /// Takes a step of at most this length.
    #[inline]
    pub(super) fn take(&mut self, limit: M::Scalar, time: M::Scalar) -> Result<TakenStep<M>, Stop> {
        self.with_run(|run, integrator, memory, state| {
            take(run, integrator, memory, *state, limit, time)
        })
    }

    /// Calls a function with the data of a step and the present state.
    #[inline]
    fn with_run<R>(
        &mut self,
        act: impl FnOnce(StepContext<M, S>, &I, &mut I::Memory, &mut State<M>) -> R,
    ) -> R {
        let Memory {
            integrator,
            stabilizer,
        } = &mut *self.memory;
        let run = StepContext {
            mechanism: self.mechanism,
            stabilizer: self.stabilizer,
            workspace: &mut *self.workspace.borrow_mut(),
            memory: stabilizer,
        };
        act(run, self.integrator, integrator, &mut self.progress.state)
    }

    /// Records that the run has reached the end of a step.
    #[inline]
    pub(super) fn commit(&mut self, taken: &TakenStep<M>, before: Counts) {
        let begin = self.progress.state.time;
        self.progress.state = taken.state;
        self.count(begin, &taken.projection, before);
    }

    /// One more step, from this time to that of the state.
    #[inline]
    fn count(&mut self, begin: M::Scalar, projection: &Projection<M::Scalar>, before: Counts) {
        self.progress.begin = begin;
        self.progress.n_steps += 1;
        self.progress.report = Report {
            time: self.progress.state.time,
            counts: self.workspace.borrow().counts - before,
            position_passes: projection.position_passes,
            velocity_passes: projection.velocity_passes,
            phi: projection.phi,
            phi_dot: projection.phi_dot,
            ..Report::default()
        };
    }
}

/// Takes a step of at most this length from a state, and projects its end.
#[inline]
pub(crate) fn take<M: Mechanism, I: Integrator<M, S>, S: Stabilizer<M>>(
    run: StepContext<M, S>,
    integrator: &I,
    memory: &mut I::Memory,
    mut state: State<M>,
    limit: M::Scalar,
    time: M::Scalar,
) -> Result<TakenStep<M>, Stop> {
    let (length, projection) = carry(run, integrator, memory, &mut state, limit, time)?;
    Ok(TakenStep {
        state,
        length,
        projection,
    })
}

/// Carries a state over a step of at most this length, and projects it. After an error the state is undefined.
#[inline]
fn carry<M: Mechanism, I: Integrator<M, S>, S: Stabilizer<M>>(
    mut run: StepContext<M, S>,
    integrator: &I,
    memory: &mut I::Memory,
    state: &mut State<M>,
    limit: M::Scalar,
    time: M::Scalar,
) -> Result<(M::Scalar, Projection<M::Scalar>), Stop> {
    let moves = time > state.time;
    if !moves {
        return Err(Stop::StepTooSmall {
            time: state.time.to_f64(),
            step: limit.to_f64(),
        });
    }
    let start = *state;
    let n_before = run.workspace.counts.evaluations;
    run.workspace.evaluation.nearness = Nearness::none();
    let carried = carry_plainly(&mut run, integrator, memory, state, limit, time);
    let may_pass = const { I::ONE_STEP && M::UNROLLED };
    // If the mechanism is assembled at a singular position, no pivot may be smaller than usual. Then only the failure
    // shows it.
    let failed = matches!(
        carried,
        Err(Stop::ProjectionFailed { .. } | Stop::Singular { .. })
    );
    let is_near = run.workspace.evaluation.nearness.any() || failed;
    if may_pass && is_near && run.stabilizer.projects() {
        let n_evaluations = match failed {
            true => None,
            false => Some(run.workspace.counts.evaluations - n_before),
        };
        if let Some(passed) = pass(&mut run, &start, limit, time, n_evaluations)? {
            *state = passed.state;
            return Ok((limit, passed.projection));
        }
    }
    carried
}

/// The same by the methods alone, without a check of the result.
#[inline(always)]
fn carry_plainly<M: Mechanism, I: Integrator<M, S>, S: Stabilizer<M>>(
    run: &mut StepContext<M, S>,
    integrator: &I,
    memory: &mut I::Memory,
    state: &mut State<M>,
    limit: M::Scalar,
    time: M::Scalar,
) -> Result<(M::Scalar, Projection<M::Scalar>), Stop> {
    run.stabilizer.begin(run.mechanism, state, run.memory);
    let length = integrator.step(run, memory, state, limit)?;
    if length == limit {
        state.time = time;
    }
    // Without constraint equations there is no projection; the check below finds NaN as well.
    if const { M::Multipliers::LEN > 0 } {
        check_state(state)?;
    }
    let projection = run
        .stabilizer
        .project(run.mechanism, state, run.workspace, run.memory)?;
    check_state(state)?;
    Ok((length, projection))
}

/// The same through a singular position, if the step has come too near to one, or if it failed. `None` if it has not,
/// or if the result of the methods is the only one.
#[cold]
fn pass<M: Mechanism, S: Stabilizer<M>>(
    run: &mut StepContext<M, S>,
    start: &State<M>,
    limit: M::Scalar,
    time: M::Scalar,
    n_evaluations: Option<usize>,
) -> Result<Option<Passed<M>>, Stop> {
    let (m, workspace) = (run.mechanism, &mut *run.workspace);
    // The first stage may have been evaluated for an output, before the step.
    let stays = match workspace.evaluate(m, start.view()) {
        Ok(first) => norm(&first.accelerations) == M::Scalar::ZERO,
        Err(_) => false,
    };
    let begins_there = Nearness::is_at(workspace.evaluation.acceleration.margin);
    let nearness = workspace.evaluation.nearness;
    if n_evaluations.is_some_and(|n| !nearness.is_too_near::<M>(n + 1)) {
        return Ok(None);
    }
    let passed = passage::pass(m, workspace, start, limit, time);
    match passed.filter(|passed| check_state(&passed.state).is_ok()) {
        Some(passed) => Ok(Some(passed)),
        None if begins_there && !stays && is_closed(m, start) => {
            Err(run.workspace.evaluation.undetermined(m, start))
        }
        None => Ok(None),
    }
}

/// The end of a step.
pub(crate) struct TakenStep<M: Mechanism> {
    pub(crate) state: State<M>,
    /// Length of the step.
    pub(super) length: M::Scalar,
    pub(super) projection: Projection<M::Scalar>,
}
