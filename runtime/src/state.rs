//! Positions and velocities of a mechanism at a time.

use core::fmt;

use crate::{Mechanism, Real};

/// Time, coordinates and velocities, and the work done so far by forces without a potential: kinetic + potential −
/// work is constant.
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
