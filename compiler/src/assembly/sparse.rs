//! Sparse rows of numbers, and the factor M = L Lᵀ of a matrix in which few indices are coupled.

use std::collections::BTreeMap;

use nalgebra::DVector;

/// Columns in growing order with their entries.
pub type SparseRowValues = Vec<(u32, f64)>;

/// E s
pub fn times(rows: &[SparseRowValues], s: &DVector<f64>) -> DVector<f64> {
    let dot = |row: &SparseRowValues| row.iter().map(|&(j, x)| x * s[j as usize]).sum::<f64>();
    DVector::from_iterator(rows.len(), rows.iter().map(dot))
}

/// Eᵀ y for an E of n columns.
pub fn transposed_times(rows: &[SparseRowValues], y: &DVector<f64>, n: usize) -> DVector<f64> {
    let mut sum = DVector::zeros(n);
    for (row, y) in rows.iter().zip(y.iter()) {
        for &(j, x) in row {
            sum[j as usize] += x * y;
        }
    }
    sum
}

/// ‖row‖
pub fn norm(row: &SparseRowValues) -> f64 {
    row.iter().map(|(_, x)| x * x).sum::<f64>().sqrt()
}

/// c · row
pub fn scaled(row: &SparseRowValues, c: f64) -> SparseRowValues {
    row.iter().map(|&(j, x)| (j, c * x)).collect()
}

/// The factor that gives a row unit length; zero for a zero row.
pub fn to_unit(row: &SparseRowValues) -> f64 {
    let norm = norm(row);
    if norm > 0.0 { 1.0 / norm } else { 0.0 }
}

/// L with M = L Lᵀ.
pub struct Cholesky {
    diagonal: Vec<f64>,
    /// Entries below the diagonal, by columns.
    columns: Vec<SparseRowValues>,
}

impl Cholesky {
    /// The factor of a symmetric matrix that is given with both triangles; else the indices whose pivot
    /// is no more than the share `noise` of their diagonal.
    pub fn new(matrix: &[SparseRowValues], noise: f64) -> Result<Self, Vec<usize>> {
        let below = |(k, row): (usize, &SparseRowValues)| -> BTreeMap<u32, f64> {
            let entries = row.iter().copied();
            entries.filter(|&(i, _)| i as usize > k).collect()
        };
        let mut remaining: Vec<_> = matrix.iter().enumerate().map(below).collect();
        let given: Vec<f64> = matrix.iter().enumerate().map(diagonal_of).collect();
        let mut diagonal = given.clone();
        let mut columns = Vec::with_capacity(matrix.len());
        let mut lost = Vec::new();
        for k in 0..matrix.len() {
            let column = std::mem::take(&mut remaining[k]);
            let is_sound = diagonal[k] > 0.0 && diagonal[k] > noise * given[k];
            if !is_sound {
                lost.push(k);
                columns.push(SparseRowValues::new());
                continue;
            }
            diagonal[k] = diagonal[k].sqrt();
            let column: SparseRowValues = column
                .into_iter()
                .map(|(i, a)| (i, a / diagonal[k]))
                .collect();
            // a_ij ← a_ij − l_ik l_jk
            for (n, &(j, l_jk)) in column.iter().enumerate() {
                diagonal[j as usize] -= l_jk * l_jk;
                for &(i, l_ik) in &column[n + 1..] {
                    *remaining[j as usize].entry(i).or_default() -= l_ik * l_jk;
                }
            }
            columns.push(column);
        }
        if lost.is_empty() {
            Ok(Self { diagonal, columns })
        } else {
            Err(lost)
        }
    }

    /// L⁻¹ b, where b is sparse.
    pub fn forward(&self, b: &SparseRowValues) -> SparseRowValues {
        let mut rest: BTreeMap<u32, f64> = b.iter().copied().collect();
        let mut solved = SparseRowValues::new();
        while let Some((k, value)) = rest.pop_first() {
            let x = value / self.diagonal[k as usize];
            for &(i, l) in &self.columns[k as usize] {
                *rest.entry(i).or_default() -= l * x;
            }
            solved.push((k, x));
        }
        solved
    }

    /// L⁻ᵀ b
    pub fn backward(&self, mut b: DVector<f64>) -> DVector<f64> {
        for (k, column) in self.columns.iter().enumerate().rev() {
            let known: f64 = column.iter().map(|&(i, l)| l * b[i as usize]).sum();
            b[k] = (b[k] - known) / self.diagonal[k];
        }
        b
    }
}

fn diagonal_of((k, row): (usize, &SparseRowValues)) -> f64 {
    let entry = row.iter().find(|(i, _)| *i as usize == k);
    entry.map_or(0.0, |(_, value)| *value)
}
