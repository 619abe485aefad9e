//! The rank-revealing factor of the dense solve.
//!
//! A = E M⁻¹ Eᵀ is positive semi-definite. Cholesky's method with the largest remaining diagonal as
//! pivot gives A ≈ L Lᵀ with as many columns in L as A has rank; rows stay where they are, so L is a
//! lower trapezoid only up to an order that nobody needs. The diagonal is compared after scaling every
//! row to unit diagonal, so the units of the rows do not decide on the rank. A row that may vanish would
//! always be all of itself; it is compared with its usual share of the largest diagonal.

use core::ops::{Index, IndexMut};

use crate::arithmetic::{exceeds, larger, norm};
use crate::noise::noise;
use crate::{Matrix, Mechanism, Real, Vector};

/// A ≈ L Lᵀ, and the factor of LᵀL for the minimum-norm solution.
pub struct RankFactor<M: Mechanism + ?Sized> {
    l: M::Schur,
    gram: M::Schur,
    rows: usize,
    rank: usize,
    /// The rest of each row when no further row was taken; −1 for rows that were taken.
    left: RowValues<M>,
    damping: M::Scalar,
}

impl<M: Mechanism + ?Sized> Clone for RankFactor<M> {
    fn clone(&self) -> Self {
        Self {
            l: self.l.clone(),
            gram: self.gram.clone(),
            ..*self
        }
    }
}

impl<M: Mechanism + ?Sized> RankFactor<M> {
    /// Of nothing.
    pub fn zero() -> Self {
        let (l, gram) = (M::Schur::zero(), M::Schur::zero());
        Self {
            l,
            gram,
            rows: 0,
            rank: 0,
            left: RowValues::zero(),
            damping: M::Scalar::ZERO,
        }
    }

    /// Rank that was found.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// A row that depends on the others, if one was found.
    pub(crate) fn dependent(&self) -> Option<usize> {
        self.dependents().next_back()
    }

    /// The rows that depend on those that were taken.
    pub(crate) fn dependents(&self) -> impl DoubleEndedIterator<Item = usize> {
        (0..self.rows).filter(|row| self.left[*row] >= M::Scalar::ZERO)
    }

    /// n = e − L (LᵀL)⁻¹ Lᵀ e with e along a row: A n = 0. Those of all dependent rows span the null space.
    pub(crate) fn null_vector(&self, row: usize) -> RowValues<M> {
        let mut n = RowValues::zero();
        n[row] = M::Scalar::ONE;
        // The second time takes away what round-off has left.
        for _ in 0..2 {
            let mut y = self.along_columns(&n);
            self.divide_by_gram(&mut y);
            let taken = self.combine_columns(&y);
            for i in 0..self.rows {
                n[i] -= taken[i];
            }
        }
        n
    }

    /// Factors the leading `rows` rows and columns of A + damping · diag A.
    pub fn decompose(&mut self, a: &M::Schur, rows: usize, damping: M::Scalar) {
        self.decompose_against(a, rows, damping, &RowValues::zero());
    }

    /// The same, where a row that is small against its usual diagonal is noise as well.
    pub fn decompose_against(
        &mut self,
        a: &M::Schur,
        rows: usize,
        damping: M::Scalar,
        usual: &RowValues<M>,
    ) {
        (self.rows, self.rank, self.damping) = (rows, 0, damping);
        let mut left = RowValues::zero();
        for i in 0..rows {
            left[i] = self.entry(a, i, i);
        }
        let mut wholes: RowValues<M> = wholes(&left, rows);
        for i in 0..rows {
            wholes[i] = wholes[i].max(usual[i]);
        }
        while let Some(pivot) = self.pivot(&wholes, &left) {
            self.eliminate(a, pivot, &mut left);
        }
        self.left = left;
        self.decompose_gram();
    }

    /// x = A⁺ b, of the smallest norm among all that come closest to A x = b; refined once.
    pub fn solve(&self, a: &M::Schur, b: &RowValues<M>) -> RowValues<M> {
        let mut x = self.apply(b);
        let correction = self.apply(&self.residual(a, &x, b));
        for i in 0..self.rows {
            x[i] += correction[i];
        }
        x
    }

    /// b − A x
    pub fn residual(&self, a: &M::Schur, x: &RowValues<M>, b: &RowValues<M>) -> RowValues<M> {
        let mut residual = RowValues::zero();
        for i in 0..self.rows {
            let product = (0..self.rows).map(|j| self.entry(a, i, j) * x[j]);
            residual[i] = product.fold(b[i], |sum, term| sum - term);
        }
        residual
    }

    /// A + damping · diag A
    fn entry(&self, a: &M::Schur, i: usize, j: usize) -> M::Scalar {
        if i == j {
            a[(i, i)] * (M::Scalar::ONE + self.damping)
        } else {
            a[(i, j)]
        }
    }

    /// The row with the largest remaining diagonal, relative to its whole one.
    fn pivot(&self, wholes: &RowValues<M>, left: &RowValues<M>) -> Option<usize> {
        let mut best = noise::<M::Scalar>();
        let mut pivot = None;
        for i in 0..self.rows {
            let whole = wholes[i];
            if whole > M::Scalar::ZERO && left[i] / whole > best {
                best = left[i] / whole;
                pivot = Some(i);
            }
        }
        pivot
    }

    /// L_ik = (A_ip − Σ_j L_ij L_pj) / √d_p, d_i ← d_i − L_ik²; a row that was a pivot is marked by d = −1
    /// and has nothing left.
    fn eliminate(&mut self, a: &M::Schur, pivot: usize, left: &mut RowValues<M>) {
        let (k, root) = (self.rank, left[pivot].sqrt());
        for i in (0..self.rows).filter(|i| *i != pivot) {
            if left[i] < M::Scalar::ZERO {
                self.l[(i, k)] = M::Scalar::ZERO;
                continue;
            }
            let products = (0..k).map(|j| self.l[(i, j)] * self.l[(pivot, j)]);
            let rest = products.fold(a[(i, pivot)], |sum, product| sum - product);
            let entry = rest / root;
            self.l[(i, k)] = entry;
            left[i] = (left[i] - entry * entry).max(M::Scalar::ZERO);
        }
        self.l[(pivot, k)] = root;
        left[pivot] = -M::Scalar::ONE;
        self.rank += 1;
    }

    /// LᵀL = C Cᵀ
    fn decompose_gram(&mut self) {
        for i in 0..self.rank {
            for j in 0..=i {
                let products = (0..self.rows).map(|k| self.l[(k, i)] * self.l[(k, j)]);
                let entry = products.fold(M::Scalar::ZERO, |sum, product| sum + product);
                let known = (0..j).map(|k| self.gram[(i, k)] * self.gram[(j, k)]);
                let rest = known.fold(entry, |sum, product| sum - product);
                self.gram[(i, j)] = if i == j {
                    rest.sqrt()
                } else {
                    rest / self.gram[(j, j)]
                };
            }
        }
    }

    /// A⁺ b = L (LᵀL)⁻² Lᵀ b
    fn apply(&self, b: &RowValues<M>) -> RowValues<M> {
        let mut y = self.along_columns(b);
        self.divide_by_gram(&mut y);
        self.divide_by_gram(&mut y);
        self.combine_columns(&y)
    }

    /// Lᵀ b
    fn along_columns(&self, b: &RowValues<M>) -> RowValues<M> {
        let mut y = RowValues::zero();
        for k in 0..self.rank {
            let products = (0..self.rows).map(|i| self.l[(i, k)] * b[i]);
            y[k] = products.fold(M::Scalar::ZERO, |sum, product| sum + product);
        }
        y
    }

    /// L y
    fn combine_columns(&self, y: &RowValues<M>) -> RowValues<M> {
        let mut x = RowValues::zero();
        for i in 0..self.rows {
            let products = (0..self.rank).map(|k| self.l[(i, k)] * y[k]);
            x[i] = products.fold(M::Scalar::ZERO, |sum, product| sum + product);
        }
        x
    }

    /// y ← (C Cᵀ)⁻¹ y
    fn divide_by_gram(&self, y: &mut RowValues<M>) {
        for i in 0..self.rank {
            let known = (0..i).map(|k| self.gram[(i, k)] * y[k]);
            y[i] = known.fold(y[i], |sum, product| sum - product) / self.gram[(i, i)];
        }
        for i in (0..self.rank).rev() {
            let known = (i + 1..self.rank).map(|k| self.gram[(k, i)] * y[k]);
            y[i] = known.fold(y[i], |sum, product| sum - product) / self.gram[(i, i)];
        }
    }
}

/// The measure against which the rest of each row is judged. It is the diagonal of the row, or its usual share of the
/// largest diagonal if that is more.
pub(crate) fn wholes<M: Mechanism + ?Sized>(diagonal: &RowValues<M>, rows: usize) -> RowValues<M> {
    let mut wholes = RowValues::<M>::zero();
    let mut largest = M::Scalar::ZERO;
    for i in 0..rows {
        wholes[i] = diagonal[i];
        largest = largest.max(diagonal[i]);
    }
    for (i, share) in M::SHARES.iter().enumerate() {
        wholes[i] = wholes[i].max(largest * M::Scalar::from_f64(*share));
    }
    wholes
}

/// One number for each constraint row and then one for each hold.
pub struct RowValues<M: Mechanism + ?Sized> {
    /// For each constraint row.
    pub constraints: M::Multipliers,
    /// For each hold.
    pub holds: M::Holds,
}

impl<M: Mechanism + ?Sized> Clone for RowValues<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: Mechanism + ?Sized> Copy for RowValues<M> {}

impl<M: Mechanism + ?Sized> RowValues<M> {
    /// Number of rows.
    pub const LEN: usize = M::Multipliers::LEN + M::Holds::LEN;

    /// All zero.
    pub fn zero() -> Self {
        Self {
            constraints: M::Multipliers::zero(),
            holds: M::Holds::zero(),
        }
    }

    /// ‖·‖∞
    pub fn norm(&self) -> M::Scalar {
        larger(norm(&self.constraints), norm(&self.holds))
    }

    /// Name of the row with the largest value.
    pub fn worst(&self) -> &'static str {
        let mut worst = 0;
        for i in 0..Self::LEN {
            if exceeds(self[i].abs(), self[worst].abs()) {
                worst = i;
            }
        }
        Self::name(worst)
    }

    /// Name of a row.
    pub fn name(row: usize) -> &'static str {
        let n_constraints = M::Multipliers::LEN;
        let name = if row < n_constraints {
            M::CONSTRAINTS.get(row)
        } else {
            M::HOLDS.get(row - n_constraints)
        };
        name.copied().unwrap_or("unnamed row")
    }
}

impl<M: Mechanism + ?Sized> Index<usize> for RowValues<M> {
    type Output = M::Scalar;
    fn index(&self, row: usize) -> &M::Scalar {
        match row.checked_sub(M::Multipliers::LEN) {
            None => &self.constraints[row],
            Some(hold) => &self.holds[hold],
        }
    }
}

impl<M: Mechanism + ?Sized> IndexMut<usize> for RowValues<M> {
    fn index_mut(&mut self, row: usize) -> &mut M::Scalar {
        match row.checked_sub(M::Multipliers::LEN) {
            None => &mut self.constraints[row],
            Some(hold) => &mut self.holds[hold],
        }
    }
}
