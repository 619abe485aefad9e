//! The rate of change of a state.

use crate::arithmetic::{add_scaled, larger, norm};
use crate::{Acceleration, Mechanism, Real, State, Vector};

/// Rates of change of q, v and work.
pub struct Slope<M: Mechanism> {
    pub q: M::Coordinates,
    pub v: M::Velocities,
    pub work: M::Scalar,
}

impl<M: Mechanism> Clone for Slope<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: Mechanism> Copy for Slope<M> {}

impl<M: Mechanism> Slope<M> {
    pub fn zero() -> Self {
        Self {
            q: M::Coordinates::zero(),
            v: M::Velocities::zero(),
            work: M::Scalar::ZERO,
        }
    }

    #[inline]
    pub fn of(k: &Acceleration<M>) -> Self {
        Self {
            q: k.rates,
            v: k.accelerations,
            work: k.power,
        }
    }

    #[inline]
    pub fn add(&mut self, weight: M::Scalar, other: &Self) {
        add_scaled(&mut self.q, weight, &other.q);
        add_scaled(&mut self.v, weight, &other.v);
        self.work += weight * other.work;
    }

    /// h Σ w_i k_i
    #[inline]
    pub fn sum(step: M::Scalar, weights: &[f64], slopes: &[Self]) -> Self {
        let mut sum = Self::zero();
        for (weight, slope) in weights.iter().zip(slopes) {
            if *weight != 0.0 {
                sum.add(step * M::Scalar::from_f64(*weight), slope);
            }
        }
        sum
    }

    /// The state that this leads to from nothing.
    pub fn to(state: &State<M>) -> Self {
        Self {
            q: state.q,
            v: state.v,
            work: state.work,
        }
    }

    /// Size of the change relative to the mechanism and its speed.
    pub fn size(&self, state: &State<M>) -> M::Scalar {
        let size = M::Scalar::from_f64(M::SIZE);
        let q = norm(&self.q) / size.max(norm(&state.q));
        let v = norm(&self.v) / size.max(norm(&state.v));
        larger(q, v)
    }

    pub fn moved(&self, state: &State<M>, time: M::Scalar) -> State<M> {
        let mut moved = *state;
        add_scaled(&mut moved.q, M::Scalar::ONE, &self.q);
        add_scaled(&mut moved.v, M::Scalar::ONE, &self.v);
        moved.work += self.work;
        moved.time = time;
        moved
    }
}
