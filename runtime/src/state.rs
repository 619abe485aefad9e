//! The state of a mechanism: time, coordinates and velocities.

use core::fmt;

use crate::{Mechanism, Real};

/// A state: time, coordinates, velocities, and the work that forces without a potential have done so far. Kinetic
/// energy + potential energy − work is constant.
pub struct State<M: Mechanism + ?Sized> {
    /// t
    pub time: M::Scalar,
    /// q
    pub q: M::Coordinates,
    /// v
    pub v: M::Velocities,
    /// ∫ power dt
    pub work: M::Scalar,
}

impl<M: Mechanism + ?Sized> State<M> {
    /// A state in which no work has been done yet.
    pub fn new(time: M::Scalar, q: M::Coordinates, v: M::Velocities) -> Self {
        Self {
            time,
            q,
            v,
            work: M::Scalar::ZERO,
        }
    }

    /// The state in the form that the functions of a mechanism take.
    #[inline]
    pub fn view(&self) -> StateView<'_, M> {
        StateView {
            t: self.time,
            q: &self.q,
            v: &self.v,
        }
    }
}

/// The state (t, q, v) at which a function of a mechanism is evaluated. It borrows q and v, so the stages of a step
/// need not copy them.
pub struct StateView<'a, M: Mechanism + ?Sized> {
    /// Time.
    pub t: M::Scalar,
    /// Coordinates.
    pub q: &'a M::Coordinates,
    /// Velocities.
    pub v: &'a M::Velocities,
}

// These are written by hand, because derives would require `M: Copy` and `M: Debug`.

impl<M: Mechanism + ?Sized> Clone for StateView<'_, M> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: Mechanism + ?Sized> Copy for StateView<'_, M> {}

impl<M: Mechanism + ?Sized> fmt::Debug for StateView<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StateView")
            .field("t", &self.t)
            .field("q", self.q)
            .field("v", self.v)
            .finish()
    }
}

impl<M: Mechanism + ?Sized> Clone for State<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: Mechanism + ?Sized> Copy for State<M> {}

impl<M: Mechanism + ?Sized> PartialEq for State<M> {
    fn eq(&self, other: &Self) -> bool {
        self.time == other.time && self.q == other.q && self.v == other.v && self.work == other.work
    }
}

impl<M: Mechanism + ?Sized> fmt::Debug for State<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State")
            .field("time", &self.time)
            .field("q", &self.q)
            .field("v", &self.v)
            .field("work", &self.work)
            .finish()
    }
}
