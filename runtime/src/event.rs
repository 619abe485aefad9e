//! Events: zero crossings of expressions that a mechanism watches.

use crate::Real;

/// A zero crossing, with the variables that it sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// Its name.
    pub name: &'static str,
    /// Direction in which a crossing of zero counts.
    pub direction: Direction,
    /// Indices of the variables that it sets.
    pub sets: &'static [usize],
    /// Whether the run ends here.
    pub stops: bool,
}

/// Directions in which a crossing of zero counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From below to above.
    Rising,
    /// From above to below.
    Falling,
    /// Both.
    Both,
}

impl Direction {
    /// Whether a value that was last on this side of zero has crossed it. Zero itself is on neither side. So a value
    /// that has not left zero cannot cross it, and no value crosses twice.
    #[inline]
    pub(crate) fn crossed<T: Real>(self, side: T, value: T) -> bool {
        let rises = side < T::ZERO && value > T::ZERO;
        let falls = side > T::ZERO && value < T::ZERO;
        match self {
            Self::Rising => rises,
            Self::Falling => falls,
            Self::Both => rises || falls,
        }
    }
}

/// The events that happened in a step, by their indices in [`crate::Mechanism::EVENTS`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fired(u64);

impl Fired {
    /// Whether none happened.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether this one happened. There are at most 64.
    pub fn contains(self, index: usize) -> bool {
        index < 64 && self.0 >> index & 1 == 1
    }

    /// The events that happened, in the order of the description.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        (0..64).filter(move |index| self.contains(*index))
    }

    pub(crate) fn insert(&mut self, index: usize) {
        self.0 |= 1 << index;
    }

    pub(crate) fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}
