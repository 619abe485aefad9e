//! Backward differences of a motion at equal steps: ∇⁰ = y, ∇ʲ⁺¹ yₙ = ∇ʲ yₙ − ∇ʲ yₙ₋₁.

use super::slope::Slope;
use crate::arithmetic::{add, add_scaled};
use crate::{Mechanism, Real, State, Vector};

/// The highest order.
pub const MAX_ORDER: usize = 5;
/// Differences that are kept: those of the highest order, and two more to judge the next one by.
const LEN: usize = MAX_ORDER + 3;

/// ∇⁰ … of q, v and work at the end of the last step, and of the multipliers, to begin iterations with.
pub struct Differences<M: Mechanism> {
    values: [Slope<M>; LEN],
    multipliers: [M::Multipliers; LEN],
}

impl<M: Mechanism> Clone for Differences<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: Mechanism> Copy for Differences<M> {}

impl<M: Mechanism> Differences<M> {
    /// Of nothing.
    pub fn zero() -> Self {
        Self {
            values: [Slope::zero(); LEN],
            multipliers: [M::Multipliers::zero(); LEN],
        }
    }

    /// A state with its multipliers, and the slope of the motion there over a step.
    pub fn new(
        state: &State<M>,
        multipliers: &M::Multipliers,
        step: M::Scalar,
        slope: &Slope<M>,
    ) -> Self {
        let mut differences = Self::zero();
        differences.multipliers[0] = *multipliers;
        differences.values[0] = Slope::to(state);
        differences.values[1].add(step, slope);
        differences
    }

    /// ∇ʲ
    pub fn get(&self, order: usize) -> &Slope<M> {
        &self.values[order]
    }

    /// The motion extrapolated to the end of the step: Σ ∇ʲ.
    pub fn predicted(&self, order: usize) -> Slope<M> {
        let mut sum = Slope::zero();
        for difference in &self.values[..=order] {
            sum.add(M::Scalar::ONE, difference);
        }
        sum
    }

    /// The same of the multipliers.
    pub fn predicted_multipliers(&self, order: usize) -> M::Multipliers {
        let mut sum = M::Multipliers::zero();
        for difference in &self.multipliers[..=order] {
            add(&mut sum, difference);
        }
        sum
    }

    /// The part of c ẏ that is known before the step: Σ γ_j ∇ʲ / ((1 − κ) γ_k).
    pub fn history(&self, order: usize, kappa: M::Scalar) -> Slope<M> {
        let mut sum = Slope::zero();
        let all = (M::Scalar::ONE - kappa) * gamma(order);
        for j in 1..=order {
            sum.add(gamma::<M::Scalar>(j) / all, &self.values[j]);
        }
        sum
    }

    /// Goes on by a step that ends this far from where it was predicted to, with these multipliers.
    pub fn push(&mut self, order: usize, off: &Slope<M>, multipliers: &M::Multipliers) {
        self.append_multipliers(multipliers, order + 1);
        let mut change = *off;
        change.add(-M::Scalar::ONE, &self.values[order + 1]);
        self.values[order + 2] = change;
        self.values[order + 1] = *off;
        for j in (0..=order).rev() {
            let next = self.values[j + 1];
            self.values[j].add(M::Scalar::ONE, &next);
        }
    }

    /// Goes on by a step to a state with its multipliers, where so many states are known before it.
    pub fn append(&mut self, state: &State<M>, multipliers: &M::Multipliers, known: usize) {
        self.append_multipliers(multipliers, known);
        let mut value = Slope::to(state);
        for j in 0..=known {
            let before = self.values[j];
            self.values[j] = value;
            value.add(-M::Scalar::ONE, &before);
        }
    }

    fn append_multipliers(&mut self, multipliers: &M::Multipliers, known: usize) {
        let mut value = *multipliers;
        for difference in &mut self.multipliers[..=known] {
            let before = core::mem::replace(difference, value);
            add_scaled(&mut value, -M::Scalar::ONE, &before);
        }
    }

    /// Puts the last state where something else has moved it, which changes all differences alike.
    pub fn align(&mut self, state: &State<M>) {
        let mut moved = Slope::to(state);
        moved.add(-M::Scalar::ONE, &self.values[0]);
        for difference in &mut self.values {
            difference.add(M::Scalar::ONE, &moved);
        }
    }

    /// Moves the coordinates of the last state by round-off, one to and one fro; gives by how much.
    pub fn nudge(&mut self) -> M::Coordinates {
        let mut nudge = M::Coordinates::zero();
        let q = &mut self.values[0].q;
        for i in 0..M::Coordinates::LEN {
            let unit = M::Scalar::EPSILON * q[i].abs().max(M::Scalar::from_f64(M::SIZE));
            nudge[i] = if i % 2 == 0 { unit } else { -unit };
        }
        add(q, &nudge);
        nudge
    }

    /// The differences of the same polynomial at steps that are `factor` times as long.
    pub fn rescale(&mut self, order: usize, factor: M::Scalar) {
        let before = *self;
        let weights = resampling(order, factor);
        for (j, weights) in weights[..=order].iter().enumerate() {
            let (mut value, mut multipliers) = (Slope::zero(), M::Multipliers::zero());
            for (i, weight) in weights[..=order].iter().enumerate() {
                value.add(*weight, &before.values[i]);
                add_scaled(&mut multipliers, *weight, &before.multipliers[i]);
            }
            (self.values[j], self.multipliers[j]) = (value, multipliers);
        }
    }

    /// The polynomial `theta` steps after the last state: Σ ∇ʲ Π_{m < j} (θ + m)/(m + 1).
    pub fn at(&self, order: usize, theta: M::Scalar) -> Slope<M> {
        let mut sum = self.values[0];
        let mut weight = M::Scalar::ONE;
        for j in 1..=order {
            let m = count::<M::Scalar>(j - 1);
            weight *= (theta + m) / (m + M::Scalar::ONE);
            sum.add(weight, &self.values[j]);
        }
        sum
    }
}

type DifferenceMatrix<T> = [[T; MAX_ORDER + 1]; MAX_ORDER + 1];

/// Share of ∇ⁱ in ∇ʲ of longer steps, in row j: Σ_l R_il U_lj, with R_il = Π_{m ≤ i} (m − 1 − factor l)/m and U the
/// same for the factor 1.
fn resampling<T: Real>(order: usize, factor: T) -> DifferenceMatrix<T> {
    let (r, u) = (samples(order, factor), samples(order, T::ONE));
    let mut weights = [[T::ZERO; MAX_ORDER + 1]; MAX_ORDER + 1];
    for (j, row) in weights[..=order].iter_mut().enumerate() {
        for (r, weight) in r.iter().zip(row) {
            let products = r.iter().zip(&u).map(|(r, u)| *r * u[j]);
            *weight = products.fold(T::ZERO, |sum, product| sum + product);
        }
    }
    weights
}

fn samples<T: Real>(order: usize, factor: T) -> DifferenceMatrix<T> {
    let mut square = [[T::ZERO; MAX_ORDER + 1]; MAX_ORDER + 1];
    square[0][..=order].fill(T::ONE);
    for i in 1..=order {
        let above = square[i - 1];
        let entries = square[i][..=order].iter_mut().zip(above);
        for (j, (entry, above)) in entries.enumerate().skip(1) {
            *entry = above * (count::<T>(i - 1) - factor * count(j)) / count(i);
        }
    }
    square
}

/// γ_k = Σ_{j ≤ k} 1/j
pub fn gamma<T: Real>(order: usize) -> T {
    (1..=order).fold(T::ZERO, |sum, j| sum + T::ONE / count(j))
}

pub fn count<T: Real>(n: usize) -> T {
    T::from_f64(n as f64)
}
