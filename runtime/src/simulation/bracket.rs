//! The part of a step in which the first event lies.

use crate::{Fired, Mechanism, Real};

/// More attempts than bisection alone would need to separate any two numbers.
const MOST_TRIES: usize = 400;
/// Every third attempt bisects, whatever the values are.
const HALVING: usize = 3;

/// Lengths of a step between which the first event lies. The method of Illinois narrows them: straight lines through
/// the values at both ends, where the value of an end that stays counts half.
pub(super) struct Bracket<M: Mechanism> {
    /// No event has happened here.
    pub low: EventValues<M>,
    /// Events have happened here.
    pub high: EventValues<M>,
    /// The events that have happened.
    pub fired: Fired,
    tries: usize,
    last: MovedEnd,
}

/// Values of the event expressions after a length of the step.
pub(super) struct EventValues<M: Mechanism> {
    pub length: M::Scalar,
    values: M::Events,
    /// Weight of the values.
    weight: M::Scalar,
}

/// The end that was moved.
#[derive(Clone, Copy, PartialEq)]
enum MovedEnd {
    Neither,
    Low,
    High,
}

impl<M: Mechanism> EventValues<M> {
    pub fn new(length: M::Scalar, values: M::Events) -> Self {
        Self {
            length,
            values,
            weight: M::Scalar::ONE,
        }
    }
}

impl<M: Mechanism> Bracket<M> {
    /// Between the begin of a step and its end.
    pub fn new(low: EventValues<M>, high: EventValues<M>, fired: Fired) -> Self {
        Self {
            low,
            high,
            fired,
            tries: 0,
            last: MovedEnd::Neither,
        }
    }

    /// The length of the next attempt, near `guess` if there is one; `None` if the bracket is as short as the
    /// tolerance. An attempt keeps half a tolerance away from the ends, so that both of them come near.
    pub fn next(&mut self, guess: Option<M::Scalar>, tolerance: M::Scalar) -> Option<M::Scalar> {
        let two = M::Scalar::ONE + M::Scalar::ONE;
        let (low, high) = (self.low.length, self.high.length);
        self.tries += 1;
        if high - low <= tolerance || self.tries > MOST_TRIES {
            return None;
        }
        let wanted = match guess {
            Some(guess) => guess,
            None if self.tries.is_multiple_of(HALVING) => low + (high - low) / two,
            None => self.estimate(),
        };
        Some(
            wanted
                .max(low + tolerance / two)
                .min(high - tolerance / two),
        )
    }

    /// Takes an attempt into account.
    pub fn narrow(&mut self, point: EventValues<M>, fired: Fired) {
        let half = M::Scalar::from_f64(0.5);
        let end = match fired.is_empty() {
            true => MovedEnd::Low,
            false => MovedEnd::High,
        };
        let again = self.last == end;
        let (moved, stays) = match end {
            MovedEnd::High => (&mut self.high, &mut self.low),
            _ => (&mut self.low, &mut self.high),
        };
        *moved = point;
        if again {
            stays.weight *= half;
        }
        if end == MovedEnd::High {
            self.fired = fired;
        }
        self.last = end;
    }

    /// The length at which the first straight line meets zero. It is the lower end if no line does, because a value was
    /// already beyond zero when the step began.
    fn estimate(&self) -> M::Scalar {
        let (low, high) = (&self.low, &self.high);
        let width = high.length - low.length;
        let root = |index: usize| {
            let (a, b) = (
                low.weight * low.values[index],
                high.weight * high.values[index],
            );
            let share = a / (a - b);
            let between = share >= M::Scalar::ZERO && share <= M::Scalar::ONE;
            match between {
                true => low.length + width * share,
                false => low.length,
            }
        };
        self.fired
            .iter()
            .map(root)
            .fold(high.length, M::Scalar::min)
    }
}

impl<M: Mechanism> Clone for Bracket<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: Mechanism> Copy for Bracket<M> {}

impl<M: Mechanism> Clone for EventValues<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: Mechanism> Copy for EventValues<M> {}
