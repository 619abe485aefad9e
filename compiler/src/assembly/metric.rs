//! A metric for motions: M, or M + σ DᵀD if M is nearly singular.

use std::collections::{BTreeMap, BTreeSet};

use nalgebra::{DMatrix, Dyn};

use super::sparse::{Cholesky, SparseRowValues};

/// A pivot of M below this share of its diagonal is noise.
const PIVOT: f64 = 1e-10;

/// A velocity counts as massless if its inertia is below this share of the weight of the rows on it. Quotients by such
/// an inertia would be so large that the other masses are lost.
const LIGHT: f64 = 1e-7;

/// M, or M + σ DᵀD if M is nearly singular, as full matrices.
pub struct Metric {
    /// L Lᵀ
    pub factor: nalgebra::Cholesky<f64, Dyn>,
    /// σ, zero if M is positive definite.
    pub sigma: f64,
}

/// M = L Lᵀ, or M + σ DᵀD = L Lᵀ if a pivot of M is lost or light; `None` if some motion has neither mass nor
/// constraint. For motions with a given D s the two metrics differ by a constant, so the smallest motion is the same.
/// With Q + σ Dᵀγ in place of Q the second metric gives the same v̇ and λ.
pub fn metric(mass: DMatrix<f64>, rows: &DMatrix<f64>) -> Option<Metric> {
    let sigma = average(mass.trace(), rows.norm_squared());
    let weighs = |j: usize| sigma * rows.column(j).norm_squared();
    let is_light = |j: usize| mass[(j, j)] < LIGHT * weighs(j);
    if !(0..mass.nrows()).any(is_light)
        && let Some(factor) = sound(&mass)
    {
        return Some(Metric { factor, sigma: 0.0 });
    }
    if let Some(factor) = sound(&(&mass + rows.transpose() * rows * sigma)) {
        return Some(Metric { factor, sigma });
    }
    // A light body that moves by itself has its own inertia alone.
    let factor = sound(&mass)?;
    Some(Metric { factor, sigma: 0.0 })
}

/// L Lᵀ, if no pivot is noise.
fn sound(matrix: &DMatrix<f64>) -> Option<nalgebra::Cholesky<f64, Dyn>> {
    let factor = matrix.clone().cholesky()?;
    let lower = factor.l_dirty();
    let sound = |i: usize| lower[(i, i)].powi(2) > PIVOT * matrix[(i, i)];
    (0..matrix.nrows()).all(sound).then_some(factor)
}

/// L with M = L Lᵀ, or with M + σ EᵀE = L Lᵀ. E are then the rows that act on velocities for which M is no metric. No
/// other row matters for these.
pub fn sparse_metric(mass: &[SparseRowValues], rows: &[SparseRowValues]) -> Option<Cholesky> {
    let Some((light, sigma)) = light_velocities(mass, rows, LIGHT) else {
        return Cholesky::new(mass, PIVOT).ok();
    };
    let touches = |row: &&SparseRowValues| row.iter().any(|(j, _)| light[*j as usize]);
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
    let sum: Vec<SparseRowValues> = sum
        .into_iter()
        .map(|row| row.into_iter().collect())
        .collect();
    let loaded = Cholesky::new(&sum, PIVOT);
    // A light body that moves by itself has its own inertia alone.
    loaded.or_else(|_| Cholesky::new(mass, PIVOT)).ok()
}

/// The velocities with next to no inertia: M couples them with a pivot that is lost, or their inertia is below this
/// share of the weight of the rows on them. Also σ, such that σ EᵀE is as large as M. `None` if there are no such
/// velocities.
pub fn light_velocities(
    mass: &[SparseRowValues],
    rows: &[SparseRowValues],
    share: f64,
) -> Option<(Vec<bool>, f64)> {
    let mut squares = vec![0.0; mass.len()];
    for &(j, x) in rows.iter().flatten() {
        squares[j as usize] += x * x;
    }
    let sigma = average(trace(mass), squares.iter().sum());
    let part = parts(mass);
    let lost = Cholesky::new(mass, PIVOT).err().unwrap_or_default();
    let lost: BTreeSet<usize> = lost.into_iter().map(|k| part[k]).collect();
    let is_light = |(i, row): (usize, &SparseRowValues)| {
        lost.contains(&part[i]) || diagonal((i, row)) < share * sigma * squares[i]
    };
    let light: Vec<bool> = mass.iter().enumerate().map(is_light).collect();
    light.contains(&true).then_some((light, sigma))
}

/// σ, or 1 where nothing has mass.
fn average(trace: f64, squares: f64) -> f64 {
    match trace > 0.0 && squares > 0.0 {
        true => trace / squares,
        false => 1.0,
    }
}

/// For each index the first one that a symmetric matrix couples it with, directly or not.
fn parts(matrix: &[SparseRowValues]) -> Vec<usize> {
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

fn trace(matrix: &[SparseRowValues]) -> f64 {
    matrix.iter().enumerate().map(diagonal).sum()
}

fn diagonal((i, row): (usize, &SparseRowValues)) -> f64 {
    let entry = row.iter().find(|(j, _)| *j as usize == i);
    entry.map_or(0.0, |(_, value)| *value)
}
