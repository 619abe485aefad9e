//! The steps of a run as an iterator.

use core::cell::RefCell;

use super::clock::Clock;
use super::{Frame, Progress};
use crate::arithmetic::is_nan;
use crate::{Integrator, Mechanism, Real, Stabilizer, Stop, Workspace};

/// A remainder of the run shorter than this share of a step belongs to the step before it.
const SLIVER: f64 = 1e-6;

/// Makes a step for each frame until the end of the run, or until the first error.
pub struct Frames<'a, M: Mechanism, I, S> {
    pub(super) mechanism: &'a M,
    pub(super) integrator: &'a I,
    pub(super) stabilizer: &'a S,
    pub(super) workspace: &'a RefCell<Workspace<M>>,
    pub(super) progress: &'a mut Progress<M>,
    pub(super) end: M::Scalar,
    pub(super) over: bool,
}

impl<'a, M: Mechanism, I: Integrator<M>, S: Stabilizer<M>> Iterator for Frames<'a, M, I, S> {
    type Item = Result<Frame<'a, M>, Stop>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.over || self.progress.state.time >= self.end {
            return None;
        }
        let stepped = self.step();
        self.over = stepped.is_err();
        Some(stepped.map(|()| Frame::new(self.mechanism, self.workspace, self.progress)))
    }
}

impl<M: Mechanism, I: Integrator<M>, S: Stabilizer<M>> Frames<'_, M, I, S> {
    /// A full step, or what is left until the end.
    #[inline]
    fn step(&mut self) -> Result<(), Stop> {
        let full = self.integrator.step_size();
        let time = self.progress.clock.next(full);
        if time < self.end - full * M::Scalar::from_f64(SLIVER) {
            self.advance(full, time)?;
            self.progress.clock.tick();
            return Ok(());
        }
        if is_nan(self.end) {
            return Err(Stop::BadStep {
                step: self.end.to_f64(),
            });
        }
        self.advance_to_end(full, time)
    }

    /// The last step; the clock starts anew from the end.
    fn advance_to_end(&mut self, full: M::Scalar, time: M::Scalar) -> Result<(), Stop> {
        let sliver = full * M::Scalar::from_f64(SLIVER);
        let whole = (time - self.end).abs() <= sliver;
        let rest = self.end - self.progress.state.time;
        self.advance(if whole { full } else { rest }, self.end)?;
        self.progress.clock = Clock::from(self.end);
        Ok(())
    }

    #[inline]
    fn advance(&mut self, step: M::Scalar, time: M::Scalar) -> Result<(), Stop> {
        let workspace = &mut *self.workspace.borrow_mut();
        self.progress.advance(
            self.mechanism,
            self.integrator,
            self.stabilizer,
            workspace,
            step,
            time,
        )
    }
}
