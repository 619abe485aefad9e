//! Projections where rows come to depend on each other.
//!
//! D M⁻¹ Dᵀ has the squares of what D has: where a row is new by 10⁻⁵ only, the square root of what multipliers can be
//! found with, its pivot there is 10⁻¹⁰. So the rows themselves are made orthonormal in the metric M⁻¹,
//! the one of which most is left first (Gram and Schmidt, modified):
//!
//! ```text
//! D_i = Σ_k R_ik Q_k        Q_k M⁻¹ Q_lᵀ = δ_kl        R y = r        Δ = −M⁻¹ Qᵀ y
//! ```
//!
//! Δ is the smallest one with D Δ = −r, as far as rows were taken.
//!
//! The part of a row that must be left depends on the quantity that is corrected, not on the solve. At σ of a row,
//! round-off ε of a violation is a move of ε/σ. It is along constraint forces, so in the mass metric it is orthogonal
//! to the motion and costs energy with its square only. At [`LEAST`] that is 10⁻⁶ of a speed. The rest that is not
//! removed is 10⁻⁹ of a velocity across the motion, which is at most the effect in a stage of multipliers that were
//! left out: some h g/6. So the first stays far below the error of the step and the second is round-off.

use crate::order::Order;
use crate::rank_factor::wholes;
use crate::{Dense, Mechanism, Real, Reduced, RowValues, Vector};

/// The least part of a row that is corrected.
pub const LEAST: f64 = 1e-9;

/// The rows that were taken. Q, M⁻¹ Q and R lie where E, E M⁻¹ and E M⁻¹ Eᵀ were.
pub struct Orthogonal<M: Mechanism> {
    order: Order<M::Multipliers>,
    rank: usize,
    /// The smallest part that was left of a row when it was taken, squared.
    least: M::Scalar,
}

impl<M: Mechanism> Clone for Orthogonal<M> {
    fn clone(&self) -> Self {
        Self {
            order: self.order,
            rank: self.rank,
            least: self.least,
        }
    }
}

impl<M: Mechanism> Orthogonal<M> {
    /// Number of rows that are independent in a usual position.
    const FULL: usize = M::Multipliers::LEN - M::REDUNDANT.len();

    /// Of the constraint rows, as far as more than this part of a row is left. Never more rows than are
    /// independent elsewhere: one that repeats others is new by as much as the state is off the manifold.
    pub fn new(dense: &mut Dense<M>, reduced: &mut Reduced<M>, least: M::Scalar) -> Self {
        let noise = M::Scalar::EPSILON * M::Scalar::from_f64(64.0);
        let least = least.max(M::Scalar::from_f64(LEAST)).max(noise);
        let wholes = wholes(&squares(dense, reduced), M::Multipliers::LEN);
        let mut made = Self {
            order: Order::natural(),
            rank: 0,
            least: M::Scalar::ONE,
        };
        while made.rank < Self::FULL {
            let Some((place, left)) = made.largest(dense, reduced, &wholes, least * least) else {
                break;
            };
            made.least = made.least.min(left);
            made.order.swap(made.rank, place);
            made.take(dense, reduced);
        }
        made
    }

    /// Square of the distance to a singular position, like the margin of an unrolled solve.
    pub fn margin(&self) -> M::Scalar {
        match self.rank == Self::FULL {
            true => self.least,
            false => M::Scalar::ZERO,
        }
    }

    /// Number of rows that were taken.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// −M⁻¹ Qᵀ y with R y = r
    pub fn correction(&self, reduced: &Reduced<M>, residual: &M::Multipliers) -> M::Velocities {
        let y = self.solve(reduced, residual);
        let mut step = M::Velocities::zero();
        for k in 0..self.rank {
            let row = self.order.at(k);
            for (j, step) in step.as_mut_slice().iter_mut().enumerate() {
                *step -= reduced.weighted[(row, j)] * y[k];
            }
        }
        step
    }

    /// y with R y = r
    pub fn solve(&self, reduced: &Reduced<M>, residual: &M::Multipliers) -> M::Multipliers {
        let mut y = M::Multipliers::zero();
        for k in 0..self.rank {
            let row = self.order.at(k);
            let known = (0..k).map(|l| reduced.schur[(row, l)] * y[l]);
            let rest = known.fold(residual[row], |sum, product| sum - product);
            y[k] = rest / reduced.schur[(row, k)];
        }
        y
    }

    /// The place of the row of which the largest part is left, and that part, if it is more than `least`; squared.
    fn largest(
        &self,
        dense: &Dense<M>,
        reduced: &Reduced<M>,
        wholes: &RowValues<M>,
        least: M::Scalar,
    ) -> Option<(usize, M::Scalar)> {
        let (mut best, mut found) = (least, None);
        for place in self.rank..M::Multipliers::LEN {
            let row = self.order.at(place);
            let left = product::<M>(dense, reduced, row, row);
            if left > best * wholes[row] {
                best = left / wholes[row];
                found = Some((place, best));
            }
        }
        found
    }

    /// Scales the next row to 1 and takes what is along it out of the others.
    fn take(&mut self, dense: &mut Dense<M>, reduced: &mut Reduced<M>) {
        let (k, n) = (self.rank, M::Velocities::LEN);
        let pivot = self.order.at(k);
        let root = product::<M>(dense, reduced, pivot, pivot).sqrt();
        for j in 0..n {
            dense.rows[(pivot, j)] /= root;
            reduced.weighted[(pivot, j)] /= root;
        }
        reduced.schur[(pivot, k)] = root;
        for place in k + 1..M::Multipliers::LEN {
            let row = self.order.at(place);
            let along = product::<M>(dense, reduced, row, pivot);
            for j in 0..n {
                let (part, weighted) = (dense.rows[(pivot, j)], reduced.weighted[(pivot, j)]);
                dense.rows[(row, j)] -= along * part;
                reduced.weighted[(row, j)] -= along * weighted;
            }
            reduced.schur[(row, k)] = along;
        }
        self.rank += 1;
    }
}

/// D_i M⁻¹ D_iᵀ
fn squares<M: Mechanism>(dense: &Dense<M>, reduced: &Reduced<M>) -> RowValues<M> {
    let mut squares = RowValues::zero();
    for row in 0..M::Multipliers::LEN {
        squares[row] = product::<M>(dense, reduced, row, row);
    }
    squares
}

/// D_i M⁻¹ D_kᵀ
fn product<M: Mechanism>(
    dense: &Dense<M>,
    reduced: &Reduced<M>,
    row: usize,
    other: usize,
) -> M::Scalar {
    let products =
        (0..M::Velocities::LEN).map(|j| dense.rows[(row, j)] * reduced.weighted[(other, j)]);
    products.fold(M::Scalar::ZERO, |sum, product| sum + product)
}
