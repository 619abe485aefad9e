//! Steps that a jump of the accelerations makes ever shorter.

use super::slope::Slope;
use crate::arithmetic::{norm, sum_scaled};
use crate::{Mechanism, Real, Stabilizer, State, StepContext, Stop, Vector};

/// A step shorter than this share of the longest one so far is crushed.
const CRUSHED: f64 = 1e-6;
/// Number of successive crushed steps that a smooth motion may need, to begin with or to pass something fast.
const PATIENCE: u32 = 1024;
/// Of each round of so many crushed steps the first ones are searched for a jump: one of them crosses it.
const ROUND: u32 = 256;
const SEARCHED: u32 = 16;
/// Change of the accelerations that is more than round-off, as a share of them.
const CHANGED: f64 = 1e-6;
/// Halvings after which a smooth change would be a billionth of itself.
const HALVINGS: usize = 30;

/// Progress of an adaptive integrator: its longest step so far, and the number of crushed steps in succession.
#[derive(Clone, Copy, Debug)]
pub struct Pace<T> {
    longest: T,
    crushed: u32,
}

impl<T: Real> Pace<T> {
    /// No step yet.
    pub fn new() -> Self {
        Self {
            longest: T::ZERO,
            crushed: 0,
        }
    }

    /// Takes a step into account that is about to be tried. A motion that sticks to a jump, as a block with dry
    /// friction does at rest, crosses it again and again in steps that the tolerance allows for one jump: it would
    /// never end.
    #[inline]
    pub fn check<M: Mechanism<Scalar = T>, S: Stabilizer<M>>(
        &mut self,
        run: &mut StepContext<M, S>,
        state: &State<M>,
        step: T,
    ) -> Result<(), Stop> {
        self.longest = self.longest.max(step);
        if step >= self.longest * T::from_f64(CRUSHED) {
            self.crushed = 0;
            return Ok(());
        }
        self.crushed += 1;
        match self.crushed >= PATIENCE && self.crushed % ROUND < SEARCHED {
            true => find_jump(run, state, step).map_or(Ok(()), Err),
            false => Ok(()),
        }
    }
}

/// Why a step did not converge: a jump, if there is one in it.
#[cold]
pub fn explained<M: Mechanism, S: Stabilizer<M>>(
    run: &mut StepContext<M, S>,
    state: &State<M>,
    step: M::Scalar,
    stop: Stop,
) -> Stop {
    find_jump(run, state, step).unwrap_or(stop)
}

/// The jump of the accelerations within a step along the slope of the motion, if there is one: halves of the step in
/// which they change most, until a change that has not become smaller happens at once.
#[cold]
#[inline(never)]
pub fn find_jump<M: Mechanism, S: Stabilizer<M>>(
    run: &mut StepContext<M, S>,
    state: &State<M>,
    step: M::Scalar,
) -> Option<Stop> {
    let half = M::Scalar::from_f64(0.5);
    let slope = Slope::of(run.evaluate(state.view()).ok()?);
    let mut at = |offset: M::Scalar| {
        let mut moved = Slope::zero();
        moved.add(offset, &slope);
        let moved = moved.moved(state, state.time + offset);
        Some(run.evaluate(moved.view()).ok()?.accelerations)
    };
    let (mut begin, mut end) = ((M::Scalar::ZERO, slope.v), (step, at(step)?));
    let whole = change::<M>(&begin.1, &end.1);
    let size = norm(&begin.1) + norm(&end.1);
    let changed = whole > size * M::Scalar::from_f64(CHANGED);
    if !changed {
        return None;
    }
    for _ in 0..HALVINGS {
        let middle = half * (begin.0 + end.0);
        let now = at(middle)?;
        match change::<M>(&begin.1, &now) > change::<M>(&now, &end.1) {
            true => end = (middle, now),
            false => begin = (middle, now),
        }
    }
    let at_once = change::<M>(&begin.1, &end.1) > half * whole;
    at_once.then(|| Stop::Discontinuous {
        time: state.time.to_f64(),
        step: step.to_f64(),
        name: most_changed::<M>(&begin.1, &end.1),
        laws: M::JUMPS,
    })
}

fn change<M: Mechanism>(before: &M::Velocities, after: &M::Velocities) -> M::Scalar {
    norm(&sum_scaled(after, -M::Scalar::ONE, before))
}

/// Name of the velocity whose acceleration changes most.
fn most_changed<M: Mechanism>(before: &M::Velocities, after: &M::Velocities) -> &'static str {
    let most = change::<M>(before, after);
    let changes = sum_scaled(after, -M::Scalar::ONE, before);
    let mut names = changes.as_slice().iter().zip(M::VELOCITIES);
    names
        .find(|(change, _)| change.abs() >= most)
        .map_or("unnamed", |(_, name)| name)
}
