//! The dense factor of a Newton matrix. It is used where the unrolled factor is not safe: at singular positions, and
//! where constraint equations are redundant in ways that the compiler did not see.
//!
//! ```text
//! [ A  −Dᵀ ] [ x ]   [ forces ]
//! [ D   ε  ] [ y ] = [  phi   ]        A = m M + c C + k K
//! ```
//!
//! over all rows, scaled to unit diagonal of A and unit rows of D, by Gaussian elimination with full pivoting. The
//! elimination ends where the largest remaining pivot is noise. The remaining unknowns are zero, and the remaining
//! equations are ignored.

use core::ops::{Index, IndexMut};

use crate::noise::noise;
use crate::{Dense, Matrix, Real, Tangent, Tangents, Vector, Weights};

/// The factorised matrix.
pub struct SaddleFactor<M: Tangent> {
    /// L below the diagonal, U on and above it, rows and columns in the order of elimination.
    triangles: M::Saddle,
    scale: Both<M>,
    /// The equation, and the unknown, that is eliminated k-th. They are whole numbers, because no other array has their
    /// length.
    equations: Both<M>,
    unknowns: Both<M>,
    rank: usize,
}

impl<M: Tangent> SaddleFactor<M> {
    const LEN: usize = Both::<M>::LEN;

    /// Of nothing.
    pub fn zero() -> Self {
        Self {
            triangles: M::Saddle::zero(),
            scale: Both::zero(),
            equations: Both::zero(),
            unknowns: Both::zero(),
            rank: 0,
        }
    }

    /// Factorises the matrix with these weights.
    pub fn factorize(
        &mut self,
        dense: &Dense<M>,
        tangents: &Tangents<M>,
        weights: &Weights<M::Scalar>,
    ) {
        self.fill(dense, tangents, weights);
        self.equilibrate();
        for k in 0..Self::LEN {
            (self.equations[k], self.unknowns[k]) = (count(k), count(k));
        }
        self.rank = 0;
        while self.rank < Self::LEN && self.bring_largest() {
            self.eliminate();
            self.rank += 1;
        }
    }

    fn fill(&mut self, dense: &Dense<M>, tangents: &Tangents<M>, weights: &Weights<M::Scalar>) {
        let (n, zero) = (M::Velocities::LEN, M::Scalar::ZERO);
        for i in 0..n {
            for j in 0..n {
                self.triangles[(i, j)] = weights.mass * dense.mass[(i, j)]
                    + weights.damping * tangents.damping[(i, j)]
                    + weights.stiffness * tangents.stiffness[(i, j)];
            }
        }
        for k in 0..M::Multipliers::LEN {
            for j in 0..n {
                self.triangles[(n + k, j)] = dense.rows[(k, j)];
                self.triangles[(j, n + k)] = -dense.rows[(k, j)];
            }
            for l in 0..M::Multipliers::LEN {
                let compliance = if k == l { weights.compliance } else { zero };
                self.triangles[(n + k, n + l)] = compliance;
            }
        }
    }

    /// s A s with s_j = |A_jj|^−½ for velocities and s_k = 1/‖D_k s‖ for rows.
    fn equilibrate(&mut self) {
        let n = M::Velocities::LEN;
        for i in 0..Self::LEN {
            let square = match i < n {
                true => self.triangles[(i, i)].abs(),
                false => (0..n).fold(M::Scalar::ZERO, |sum, j| {
                    let entry = self.triangles[(i, j)] * self.scale[j];
                    sum + entry * entry
                }),
            };
            self.scale[i] = match square > M::Scalar::ZERO {
                true => M::Scalar::ONE / square.sqrt(),
                false => M::Scalar::ONE,
            };
        }
        for i in 0..Self::LEN {
            for j in 0..Self::LEN {
                self.triangles[(i, j)] *= self.scale[i] * self.scale[j];
            }
        }
    }

    /// Moves the largest pivot to its place; false if all that is left is noise.
    fn bring_largest(&mut self) -> bool {
        let mut largest = noise::<M::Scalar>();
        let mut place = None;
        for i in self.rank..Self::LEN {
            for j in self.rank..Self::LEN {
                if self.triangles[(i, j)].abs() > largest {
                    largest = self.triangles[(i, j)].abs();
                    place = Some((i, j));
                }
            }
        }
        let Some((row, column)) = place else {
            return false;
        };
        self.swap(row, column);
        true
    }

    fn swap(&mut self, row: usize, column: usize) {
        let k = self.rank;
        for j in 0..Self::LEN {
            let (a, b) = (self.triangles[(k, j)], self.triangles[(row, j)]);
            (self.triangles[(k, j)], self.triangles[(row, j)]) = (b, a);
        }
        for i in 0..Self::LEN {
            let (a, b) = (self.triangles[(i, k)], self.triangles[(i, column)]);
            (self.triangles[(i, k)], self.triangles[(i, column)]) = (b, a);
        }
        self.equations.swap(k, row);
        self.unknowns.swap(k, column);
    }

    /// l_ik = a_ik / a_kk,  a_ij ← a_ij − l_ik a_kj
    fn eliminate(&mut self) {
        let k = self.rank;
        let reciprocal = M::Scalar::ONE / self.triangles[(k, k)];
        for i in k + 1..Self::LEN {
            let factor = self.triangles[(i, k)] * reciprocal;
            self.triangles[(i, k)] = factor;
            for j in k + 1..Self::LEN {
                let product = factor * self.triangles[(k, j)];
                self.triangles[(i, j)] -= product;
            }
        }
    }

    /// x and y for these right-hand sides.
    pub fn solve(&self, right: &Both<M>) -> Both<M> {
        let mut z = Both::<M>::zero();
        for k in 0..self.rank {
            let equation = whole(self.equations[k]);
            let known = (0..k).map(|j| self.triangles[(k, j)] * z[j]);
            let right = right[equation] * self.scale[equation];
            z[k] = known.fold(right, |sum, product| sum - product);
        }
        for k in (0..self.rank).rev() {
            let known = (k + 1..self.rank).map(|j| self.triangles[(k, j)] * z[j]);
            let sum = known.fold(z[k], |sum, product| sum - product);
            z[k] = sum / self.triangles[(k, k)];
        }
        let mut solution = Both::zero();
        for k in 0..self.rank {
            let unknown = whole(self.unknowns[k]);
            solution[unknown] = z[k] * self.scale[unknown];
        }
        solution
    }
}

impl<M: Tangent> Clone for SaddleFactor<M> {
    fn clone(&self) -> Self {
        Self {
            triangles: self.triangles.clone(),
            ..*self
        }
    }
}

fn count<T: Real>(k: usize) -> T {
    T::from_f64(k as f64)
}

fn whole<T: Real>(index: T) -> usize {
    index.to_f64() as usize
}

/// One number for each velocity and then one for each constraint row.
pub struct Both<M: Tangent> {
    /// For each velocity.
    pub velocities: M::Velocities,
    /// For each constraint row.
    pub multipliers: M::Multipliers,
}

impl<M: Tangent> Both<M> {
    const LEN: usize = M::Velocities::LEN + M::Multipliers::LEN;

    /// All zero.
    pub fn zero() -> Self {
        Self {
            velocities: M::Velocities::zero(),
            multipliers: M::Multipliers::zero(),
        }
    }

    fn swap(&mut self, i: usize, j: usize) {
        (self[i], self[j]) = (self[j], self[i]);
    }
}

impl<M: Tangent> Clone for Both<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: Tangent> Copy for Both<M> {}

impl<M: Tangent> Index<usize> for Both<M> {
    type Output = M::Scalar;
    fn index(&self, index: usize) -> &M::Scalar {
        match index.checked_sub(M::Velocities::LEN) {
            None => &self.velocities[index],
            Some(row) => &self.multipliers[row],
        }
    }
}

impl<M: Tangent> IndexMut<usize> for Both<M> {
    fn index_mut(&mut self, index: usize) -> &mut M::Scalar {
        match index.checked_sub(M::Velocities::LEN) {
            None => &mut self.velocities[index],
            Some(row) => &mut self.multipliers[row],
        }
    }
}
