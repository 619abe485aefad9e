//! Values of one instance in their lane, and back.

use super::{Batched, Wide};
use crate::{Lanes, Real, State, Vector};

/// One value of each instance.
pub fn wide<M: Batched<N>, const N: usize>(value: impl Fn(usize) -> M::Scalar) -> Wide<M, N> {
    let mut wide = Wide::<M, N>::ZERO;
    for lane in 0..N {
        wide.set_lane(lane, value(lane));
    }
    wide
}

/// The values of one lane.
#[inline]
pub fn lane<E: Real, L: Lanes<E>>(wide: &[L], values: &mut [E], lane: usize) {
    for (value, wide) in values.iter_mut().zip(wide) {
        *value = wide.lane(lane);
    }
}

/// The state of one lane.
pub fn lane_of<M: Batched<N>, const N: usize>(state: &State<M::Lanes>, lane: usize) -> State<M> {
    let (mut q, mut v) = (M::Coordinates::zero(), M::Velocities::zero());
    self::lane(state.q.as_slice(), q.as_mut_slice(), lane);
    self::lane(state.v.as_slice(), v.as_mut_slice(), lane);
    State {
        time: state.time.lane(lane),
        q,
        v,
        work: state.work.lane(lane),
    }
}

/// Puts a state into its lane.
pub fn put_lane<M: Batched<N>, const N: usize>(
    wide: &mut State<M::Lanes>,
    lane: usize,
    state: &State<M>,
) {
    put(wide.q.as_mut_slice(), state.q.as_slice(), lane);
    put(wide.v.as_mut_slice(), state.v.as_slice(), lane);
    wide.time.set_lane(lane, state.time);
    wide.work.set_lane(lane, state.work);
}

fn put<E: Real, L: Lanes<E>>(wide: &mut [L], values: &[E], lane: usize) {
    for (wide, value) in wide.iter_mut().zip(values) {
        wide.set_lane(lane, *value);
    }
}
