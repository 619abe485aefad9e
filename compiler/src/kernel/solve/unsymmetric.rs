//! The unrolled sparse solve A x = b for a matrix of values that is not symmetric, though its pattern is:
//! A = L Δ U with one reciprocal a pivot, in an order that is given.

use std::collections::BTreeSet;

use crate::kernel::Value;
use crate::kernel::builder::instructions::Builder;
use crate::kernel::solve::factor::{SparseVector, over, subtract_product};

/// A square matrix by rows.
#[derive(Clone, Debug, Default)]
pub struct Unsymmetric {
    /// Entry (i, j) stands in row i.
    pub rows: Vec<SparseVector>,
}

/// A = L Δ U with its rows and columns in elimination order.
#[derive(Clone, Debug, Default)]
pub struct Triangles {
    /// The index that is eliminated k-th.
    pub order: Vec<usize>,
    /// When an index is eliminated.
    position: Vec<usize>,
    /// Δ, in elimination order.
    pub pivots: Vec<Value>,
    /// 1/Δ, in elimination order.
    reciprocals: Vec<Value>,
    /// L below the diagonal by columns.
    lower: Vec<Vec<(usize, Value)>>,
    /// Δ U above the diagonal by rows.
    upper: Vec<Vec<(usize, Value)>>,
}

impl Unsymmetric {
    /// The pattern of A and Aᵀ together: which others each index has an entry with.
    pub fn neighbours(&self) -> Vec<BTreeSet<usize>> {
        let mut neighbours = vec![BTreeSet::new(); self.rows.len()];
        for (i, row) in self.rows.iter().enumerate() {
            for &j in row.keys().filter(|&&j| j != i) {
                neighbours[i].insert(j);
                neighbours[j].insert(i);
            }
        }
        neighbours
    }

    /// A = L Δ U with the pivots in this order.
    pub fn factorize_in(&self, builder: &mut Builder, order: Vec<usize>) -> Triangles {
        let mut position = vec![0; order.len()];
        for (k, &index) in order.iter().enumerate() {
            position[index] = k;
        }
        let mut remaining = vec![SparseVector::new(); order.len()];
        for (i, row) in self.rows.iter().enumerate() {
            let moved = row.iter().map(|(&j, &value)| (position[j], value));
            remaining[position[i]] = moved.collect();
        }
        let neighbours = self.neighbours();
        let mut below: Vec<BTreeSet<usize>> = order
            .iter()
            .map(|&index| neighbours[index].iter().map(|&j| position[j]).collect())
            .collect();
        let mut triangles = Triangles {
            order,
            position,
            ..Triangles::default()
        };
        for k in 0..remaining.len() {
            let later: Vec<usize> = below[k].range(k + 1..).copied().collect();
            for &i in &later {
                below[i].extend(later.iter().filter(|&&j| j != i));
            }
            triangles.eliminate(builder, k, &later, &mut remaining);
        }
        triangles
    }
}

impl Triangles {
    /// δ_k = a_kk,  l_ik = a_ik / δ_k,  a_ij ← a_ij − l_ik a_kj over the rows i that may have column k.
    fn eliminate(
        &mut self,
        builder: &mut Builder,
        k: usize,
        later: &[usize],
        remaining: &mut [SparseVector],
    ) {
        let row = std::mem::take(&mut remaining[k]);
        let pivot = row.get(&k).copied().unwrap_or_else(|| builder.zero());
        let reciprocal = builder.reciprocal(pivot);
        let upper: Vec<(usize, Value)> = row.range(k + 1..).map(|(&j, &a)| (j, a)).collect();
        let mut lower = Vec::new();
        for &i in later {
            let Some(a_ik) = remaining[i].remove(&k) else {
                continue;
            };
            let l_ik = over(builder, a_ik, pivot, reciprocal);
            for &(j, a_kj) in &upper {
                subtract_product(builder, &mut remaining[i], j, l_ik, a_kj);
            }
            lower.push((i, l_ik));
        }
        self.pivots.push(pivot);
        self.reciprocals.push(reciprocal);
        self.lower.push(lower);
        self.upper.push(upper);
    }

    /// x = A⁻¹ b
    pub fn solve(&self, builder: &mut Builder, b: &SparseVector) -> SparseVector {
        let mut x: SparseVector = b
            .iter()
            .map(|(&i, &value)| (self.position[i], value))
            .collect();
        for (k, column) in self.lower.iter().enumerate() {
            if let Some(&z_k) = x.get(&k) {
                for &(i, l_ik) in column {
                    subtract_product(builder, &mut x, i, l_ik, z_k);
                }
            }
        }
        for (k, row) in self.upper.iter().enumerate().rev() {
            for &(j, u_kj) in row {
                if let Some(&x_j) = x.get(&j) {
                    subtract_product(builder, &mut x, k, u_kj, x_j);
                }
            }
            if let Some(&sum) = x.get(&k) {
                let quotient = over(builder, sum, self.pivots[k], self.reciprocals[k]);
                x.insert(k, quotient);
            }
        }
        x.into_iter()
            .map(|(k, value)| (self.order[k], value))
            .collect()
    }
}
