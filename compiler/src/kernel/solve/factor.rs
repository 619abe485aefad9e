//! The unrolled sparse solve A x = b for a symmetric A of values: A = L Δ Lᵀ with one reciprocal a pivot, in
//! minimum-fill order if A is positive definite and else in an order that is given. Structural zeros are never touched,
//! and the builder folds numbers.

use std::collections::{BTreeMap, BTreeSet};

use crate::kernel::Value;
use crate::kernel::builder::instructions::Builder;
use crate::ordering::minimum_fill;

/// Entries that are not zero, by index.
pub type SparseVector = BTreeMap<usize, Value>;

/// A symmetric matrix: entry (i, j) with j ≤ i stands in row i.
#[derive(Clone, Debug, Default)]
pub struct Symmetric {
    /// The lower triangle by rows.
    pub rows: Vec<SparseVector>,
}

/// A = L Δ Lᵀ with its rows and columns in elimination order.
#[derive(Clone, Debug, Default)]
pub struct Factorization {
    /// The index that is eliminated k-th.
    pub order: Vec<usize>,
    /// When an index is eliminated.
    position: Vec<usize>,
    /// Δ, in elimination order.
    pub pivots: Vec<Value>,
    /// 1/Δ, in elimination order.
    pub reciprocals: Vec<Value>,
    /// L below the diagonal by columns: positions and entries.
    pub columns: Vec<Vec<(usize, Value)>>,
    /// The same by rows.
    rows: Vec<Vec<(usize, Value)>>,
}

impl Symmetric {
    /// Entry (i, i), if it is not zero.
    pub fn diagonal(&self, i: usize) -> Option<Value> {
        self.rows[i].get(&i).copied()
    }

    /// A = L Δ Lᵀ for a positive definite A.
    pub fn factorize(&self, builder: &mut Builder) -> Factorization {
        let order = minimum_fill(self.neighbours());
        self.factorize_in(builder, order)
    }

    /// A = L Δ Lᵀ with the pivots in this order.
    pub fn factorize_in(&self, builder: &mut Builder, order: Vec<usize>) -> Factorization {
        let mut position = vec![0; order.len()];
        for (k, &index) in order.iter().enumerate() {
            position[index] = k;
        }
        let mut remaining = self.columns_in_order(&position);
        let mut factorization = Factorization {
            rows: vec![Vec::new(); order.len()],
            order,
            position,
            ..Factorization::default()
        };
        for k in 0..remaining.len() {
            let column = std::mem::take(&mut remaining[k]);
            factorization.eliminate(builder, k, &column, &mut remaining);
        }
        factorization
    }

    /// The pattern: which others each index has an entry with.
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

    /// The lower triangle of the reordered matrix, by columns.
    fn columns_in_order(&self, position: &[usize]) -> Vec<SparseVector> {
        let mut columns = vec![SparseVector::new(); self.rows.len()];
        for (i, row) in self.rows.iter().enumerate() {
            for (&j, &value) in row {
                let (p, q) = (position[i], position[j]);
                columns[p.min(q)].insert(p.max(q), value);
            }
        }
        columns
    }
}

impl Factorization {
    /// δ_k = a_kk,  l_ik = a_ik / δ_k,  a_ij ← a_ij − l_ik a_jk
    fn eliminate(
        &mut self,
        builder: &mut Builder,
        k: usize,
        column: &SparseVector,
        remaining: &mut [SparseVector],
    ) {
        let pivot = column.get(&k).copied().unwrap_or_else(|| builder.zero());
        let reciprocal = builder.reciprocal(pivot);
        let below: Vec<(usize, Value)> = column.range(k + 1..).map(|(&i, &a)| (i, a)).collect();
        let mut entries = Vec::with_capacity(below.len());
        for (n, &(i, a_ik)) in below.iter().enumerate() {
            let l_ik = over(builder, a_ik, pivot, reciprocal);
            for &(j, a_jk) in &below[..=n] {
                subtract_product(builder, &mut remaining[j], i, l_ik, a_jk);
            }
            self.rows[i].push((k, l_ik));
            entries.push((i, l_ik));
        }
        self.pivots.push(pivot);
        self.reciprocals.push(reciprocal);
        self.columns.push(entries);
    }

    /// x = A⁻¹ b
    pub fn solve(&self, builder: &mut Builder, b: &SparseVector) -> SparseVector {
        let mut x: SparseVector = b
            .iter()
            .map(|(&i, &value)| (self.position[i], value))
            .collect();
        self.forward(builder, &mut x);
        for (&k, value) in &mut x {
            *value = over(builder, *value, self.pivots[k], self.reciprocals[k]);
        }
        self.backward(builder, &mut x);
        x.into_iter()
            .map(|(k, value)| (self.order[k], value))
            .collect()
    }

    /// z = L⁻¹ b:  b_i ← b_i − l_ik z_k, only where z_k is not zero.
    fn forward(&self, builder: &mut Builder, x: &mut SparseVector) {
        let mut next = x.first_key_value().map(|(&k, _)| k);
        while let Some(k) = next {
            let z_k = x[&k];
            for &(i, l_ik) in &self.columns[k] {
                subtract_product(builder, x, i, l_ik, z_k);
            }
            next = x.range(k + 1..).next().map(|(&k, _)| k);
        }
    }

    /// x = L⁻ᵀ y:  y_k ← y_k − l_ik x_i, only where x_i is not zero.
    fn backward(&self, builder: &mut Builder, x: &mut SparseVector) {
        let mut next = x.last_key_value().map(|(&i, _)| i);
        while let Some(i) = next {
            let x_i = x[&i];
            for &(k, l_ik) in &self.rows[i] {
                subtract_product(builder, x, k, l_ik, x_i);
            }
            next = x.range(..i).next_back().map(|(&i, _)| i);
        }
    }
}

/// a / δ: a · (1/δ), with (δ · y) / δ = y, so that the weight m g moves a body with g and not with a
/// neighbour of g, and equal terms of two bodies cancel.
pub fn over(builder: &mut Builder, a: Value, pivot: Value, reciprocal: Value) -> Value {
    use crate::kernel::Instruction::{Constant, Mul, Neg};
    match (builder.instruction(a), builder.instruction(pivot)) {
        (Constant(c), Constant(d)) if (c / d).is_finite() => builder.constant(quotient(c, d)),
        (Mul(x, y), _) if x == pivot => y,
        (Mul(x, y), _) if y == pivot => x,
        (Neg(x), _) => {
            let positive = over(builder, x, pivot, reciprocal);
            builder.neg(positive)
        }
        _ => builder.mul(a, reciprocal),
    }
}

/// c / d for a c that is itself rounded: the x with x d = c that a person would write, if there is one, so
/// that (m g) / m is g. Both roundings together are off by two units in the last place at most.
fn quotient(c: f64, d: f64) -> f64 {
    let nearest = c / d;
    let (up, down) = (nearest.next_up(), nearest.next_down());
    let written = |x: &f64| x * d == c && format!("{x:e}").len() <= WRITTEN;
    [nearest, up, down, up.next_up(), down.next_down()]
        .into_iter()
        .find(written)
        .unwrap_or(nearest)
}

/// Characters of a number that a person wrote, against the 17 digits of most doubles: `-9.80665e0`.
const WRITTEN: usize = 14;

/// x_i ← x_i − a b, where an entry that becomes zero is taken out.
pub fn subtract_product(builder: &mut Builder, x: &mut SparseVector, i: usize, a: Value, b: Value) {
    let product = builder.mul(a, b);
    let old = x.get(&i).copied().unwrap_or_else(|| builder.zero());
    let new = builder.sub(old, product);
    insert(builder, x, i, new);
}

/// x_i ← x_i + a b, where an entry that becomes zero is taken out.
pub fn add_product(builder: &mut Builder, x: &mut SparseVector, i: usize, a: Value, b: Value) {
    let product = builder.mul(a, b);
    let old = x.get(&i).copied().unwrap_or_else(|| builder.zero());
    let new = builder.add(old, product);
    insert(builder, x, i, new);
}

fn insert(builder: &Builder, x: &mut SparseVector, i: usize, value: Value) {
    if builder.is_zero(value) {
        x.remove(&i);
    } else {
        x.insert(i, value);
    }
}

/// a · b
pub fn dot(builder: &mut Builder, a: &[(usize, Value)], b: &SparseVector) -> Value {
    let mut sum = builder.zero();
    for &(index, value) in a {
        if let Some(&other) = b.get(&index) {
            let product = builder.mul(value, other);
            sum = builder.add(sum, product);
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{Array, Slot};

    #[test]
    fn a_weight_over_its_mass_is_gravity() {
        for g in [9.81, -9.80665, 1.62, 0.1] {
            for n in 1..2000 {
                let m = f64::from(n) / 100.0;
                assert_eq!(quotient(m * g, m), g, "{m}");
            }
        }
    }

    /// Where no double fits exactly, the nearest one stays.
    #[test]
    fn other_quotients_are_rounded_as_ever() {
        assert_eq!(quotient(1.0, 49.0), 1.0 / 49.0);
        assert_eq!(quotient(0.0, 3.0), 0.0);
    }

    #[test]
    fn a_parameter_cancels_against_itself() {
        let mut b = Builder::new();
        let [m, g] = [0, 1].map(|i| b.load(Slot::new(Array::Parameters, i)));
        let weight = b.mul(m, g);
        let weight = b.neg(weight);
        let rows = vec![SparseVector::from([(0, m)])];
        let mass = Symmetric { rows }.factorize(&mut b);
        let free = mass.solve(&mut b, &SparseVector::from([(0, weight)]));
        assert_eq!(free[&0], b.neg(g));
    }
}
