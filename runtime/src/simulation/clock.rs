//! Time as start + n h, so that a million steps do not add up a million roundings.

use crate::Real;

/// Counts the steps of full size since an origin.
#[derive(Clone, Copy)]
pub struct Clock<T> {
    origin: T,
    n_steps: u64,
}

impl<T: Real> Clock<T> {
    /// No step yet.
    pub fn from(origin: T) -> Self {
        Self { origin, n_steps: 0 }
    }

    /// The time after the next step.
    #[inline]
    pub fn next(&self, step: T) -> T {
        self.origin + T::from_f64((self.n_steps + 1) as f64) * step
    }

    /// A step of the full size was made.
    #[inline]
    pub fn tick(&mut self) {
        self.n_steps += 1;
    }
}
