//! A metric for motions: M, or where M is only semi-definite M with rows added that say how it moves.

use std::collections::{BTreeMap, BTreeSet};

use nalgebra::{DMatrix, Dyn};

use super::sparse::{Cholesky, Row};

/// A pivot of M below this share of its diagonal is noise.
const PIVOT: f64 = 1e-10;

/// M, or M + σ DᵀD if M is only semi-definite, with full matrices.
pub struct Metric {
    /// L Lᵀ
    pub factor: nalgebra::Cholesky<f64, Dyn>,
    /// σ, zero if M is positive definite.
    pub sigma: f64,
}

/// M = L Lᵀ, or M + σ DᵀD = L Lᵀ if a pivot of M is lost; `None` if some motion has neither mass nor
/// constraint. Among the motions with a given D s the two metrics differ by a constant, so they have
/// the same smallest one; and with Q + σ Dᵀγ in place of Q the second gives the same v̇ and λ.
pub fn metric(mass: DMatrix<f64>, rows: &DMatrix<f64>) -> Option<Metric> {
    if let Some(factor) = sound(&mass) {
        return Some(Metric { factor, sigma: 0.0 });
    }
    let sigma = mass.trace() / rows.norm_squared();
    let factor = sound(&(mass + rows.transpose() * rows * sigma))?;
    Some(Metric { factor, sigma })
}

/// L Lᵀ, if no pivot is noise.
fn sound(matrix: &DMatrix<f64>) -> Option<nalgebra::Cholesky<f64, Dyn>> {
    let factor = matrix.clone().cholesky()?;
    let lower = factor.l_dirty();
    let sound = |i: usize| lower[(i, i)].powi(2) > PIVOT * matrix[(i, i)];
    (0..matrix.nrows()).all(sound).then_some(factor)
}

/// L with M = L Lᵀ, or with M + σ EᵀE = L Lᵀ over those rows that touch what M leaves without a metric,
/// which have all there is to say about it.
pub fn sparse_metric(mass: &[Row], rows: &[Row]) -> Option<Cholesky> {
    let lost = match Cholesky::new(mass, PIVOT) {
        Ok(factor) => return Some(factor),
        Err(lost) => lost,
    };
    let part = parts(mass);
    let massless: BTreeSet<usize> = lost.into_iter().map(|k| part[k]).collect();
    let touches = |row: &&Row| {
        row.iter()
            .any(|(j, _)| massless.contains(&part[*j as usize]))
    };
    let squares: f64 = rows.iter().flatten().map(|(_, x)| x * x).sum();
    let sigma = trace(mass) / squares;
    let mut sum: Vec<BTreeMap<u32, f64>> = mass
        .iter()
        .map(|row| row.iter().copied().collect())
        .collect();
    for row in rows.iter().filter(touches) {
        for &(i, x) in row {
            for &(j, y) in row {
                *sum[i as usize].entry(j).or_default() += sigma * x * y;
            }
        }
    }
    let sum: Vec<Row> = sum
        .into_iter()
        .map(|row| row.into_iter().collect())
        .collect();
    Cholesky::new(&sum, PIVOT).ok()
}

/// For each index the first one that a symmetric matrix couples it with, directly or not.
fn parts(matrix: &[Row]) -> Vec<usize> {
    let mut part = vec![usize::MAX; matrix.len()];
    for first in 0..matrix.len() {
        let mut stack = vec![first];
        while let Some(i) = stack.pop() {
            if part[i] == usize::MAX {
                part[i] = first;
                stack.extend(matrix[i].iter().map(|(j, _)| *j as usize));
            }
        }
    }
    part
}

fn trace(matrix: &[Row]) -> f64 {
    let diagonal = |(i, row): (usize, &Row)| {
        let entry = row.iter().find(|(j, _)| *j as usize == i);
        entry.map_or(0.0, |(_, value)| *value)
    };
    matrix.iter().enumerate().map(diagonal).sum()
}
