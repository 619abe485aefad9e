//! Ballast: constraint equations give inertia to bodies that have next to none.
//!
//! ```text
//! M v̇ = Q + Dᵀ λ            (M + Dᵀ Σ D) v̇ = Q + Dᵀ Σ γ + Dᵀ λ
//! D v̇ = γ            ⇔      D v̇ = γ
//! ```
//!
//! for every Σ, because both sides of the first line grow by Dᵀ Σ γ. A massless crank has no M of its own, and one of
//! 10⁻⁹ kg has an M⁻¹ in which the other masses are lost. The constraint equations that act on it give it a ballast σ
//! dᵀd, as large as the masses around it, and the sum is positive definite as soon as every motion that the constraints
//! allow has inertia.
//!
//! A body of little mass may also move by itself, as a light pendulum does on a heavy cart. Then its own inertia is
//! small against the ballast, and the digits that it loses come back by a solve for the residual of the equations as
//! they stand.

use crate::assembly::{Sample, light_velocities};
use crate::kernel::builder::instructions::Builder;
use crate::kernel::solve::factor::{SparseVector, Symmetric, add_product, dot};
use crate::kernel::solve::schur::MatrixRow;

/// A velocity gets ballast if its inertia is below this share of the ballast that the constraint equations would give
/// it.
const LIGHT: f64 = 1e-6;

/// Smallest pivot that is allowed with ballast, and the number of times that a solution is then refined. Each
/// refinement removes the round-off of the smallest pivot once more.
pub type PivotRule = (f64, usize);

/// No light body moves by itself.
pub const CARRIED: &[PivotRule] = &[(1e-6, 1)];

/// Some do.
pub const MOVING: &[PivotRule] = &[(1e-6, 1), (1e-9, 1), (1e-13, 3)];

/// Weights of constraint equations, by their position among the independent ones.
#[derive(Clone, Debug, PartialEq)]
pub struct Ballast {
    weights: Vec<(usize, f64)>,
    /// True if some light velocity has inertia, by which a solve without ballast would divide.
    pub has_inertia: bool,
}

impl Ballast {
    /// The ballast of light velocities at the states that assembly reached; `None` if no velocity is light. A
    /// constraint equation weighs as much as the heavy bodies that it acts on, or as much as all heavy bodies do on
    /// average.
    pub fn of(samples: &[Sample], rows: &[usize]) -> Option<Self> {
        let sample = samples.iter().find(|sample| sample.reached)?;
        let jacobian: Vec<_> = rows.iter().map(|&k| sample.jacobian[k].clone()).collect();
        let (light, average) = light_velocities(&sample.mass, &jacobian, LIGHT)?;
        let inertia = |j: u32| {
            let row = sample.mass[j as usize].iter();
            row.filter(|(i, _)| *i == j).map(|(_, x)| *x).sum::<f64>()
        };
        let touches = |row: &[(u32, f64)]| row.iter().any(|(j, _)| light[*j as usize]);
        let weight = |row: &[(u32, f64)]| {
            let heavy = row.iter().filter(|(j, _)| !light[*j as usize]);
            let yields: f64 = heavy.map(|(j, x)| x * x / inertia(*j)).sum();
            match yields > 0.0 && yields.is_finite() {
                true => 1.0 / yields,
                false => average,
            }
        };
        let weights = jacobian.iter().enumerate();
        let weights = weights.filter(|(_, row)| touches(row));
        let weights: Vec<_> = weights.map(|(n, row)| (n, weight(row))).collect();
        let weighs = |j: u32| -> f64 {
            let entries = jacobian.iter().flatten().filter(|(i, _)| *i == j);
            average * entries.map(|(_, x)| x * x).sum::<f64>()
        };
        let is_little = |j: u32| inertia(j) > 0.0 && inertia(j) < LIGHT * weighs(j);
        let has_inertia = (0..light.len() as u32).any(is_little);
        (!weights.is_empty()).then_some(Self {
            weights,
            has_inertia,
        })
    }

    /// The samples with ballast, over these rows of D.
    pub fn on(&self, samples: &[Sample], rows: &[usize]) -> Vec<Sample> {
        let loaded = |sample: &Sample| {
            let mut sample = sample.clone();
            for &(n, weight) in &self.weights {
                let row = sample.jacobian[rows[n]].clone();
                for &(i, x) in &row {
                    for &(j, y) in &row {
                        let entries = &mut sample.mass[i as usize];
                        match entries.binary_search_by_key(&j, |(j, _)| *j) {
                            Ok(place) => entries[place].1 += weight * x * y,
                            Err(place) => entries.insert(place, (j, weight * x * y)),
                        }
                    }
                }
            }
            sample
        };
        samples.iter().map(loaded).collect()
    }

    /// M ← M + Dᵀ Σ D in the lower triangle.
    pub fn add_to(&self, builder: &mut Builder, mass: &mut Symmetric, jacobian: &[MatrixRow]) {
        for &(n, weight) in &self.weights {
            let weight = builder.constant(weight);
            for &(i, x) in &jacobian[n] {
                let weighted = builder.mul(weight, x);
                for &(j, y) in jacobian[n].iter().filter(|(j, _)| *j <= i) {
                    add_product(builder, &mut mass.rows[i], j, weighted, y);
                }
            }
        }
    }

    /// (Q; γ) → (Q + Dᵀ Σ γ; γ)
    pub fn carry(
        &self,
        builder: &mut Builder,
        jacobian: &[MatrixRow],
        n_velocities: usize,
        mut right: SparseVector,
    ) -> SparseVector {
        for &(n, weight) in &self.weights {
            let Some(&gamma) = right.get(&(n_velocities + n)) else {
                continue;
            };
            let weight = builder.constant(weight);
            let weighted = builder.mul(weight, gamma);
            for &(j, x) in &jacobian[n] {
                add_product(builder, &mut right, j, weighted, x);
            }
        }
        right
    }
}

/// b − K x with K = [M Dᵀ; D 0].
pub fn residual(
    builder: &mut Builder,
    mass: &Symmetric,
    jacobian: &[MatrixRow],
    right: &SparseVector,
    x: &SparseVector,
) -> SparseVector {
    let n = mass.rows.len();
    let mut left = right.clone();
    let negative: SparseVector = x.iter().map(|(&i, &x)| (i, builder.neg(x))).collect();
    for (i, row) in mass.rows.iter().enumerate() {
        for (&j, &entry) in row {
            let pairs = if i == j {
                vec![(i, j)]
            } else {
                vec![(i, j), (j, i)]
            };
            for (i, j) in pairs {
                if let Some(&x) = negative.get(&j) {
                    add_product(builder, &mut left, i, entry, x);
                }
            }
        }
    }
    for (k, row) in jacobian.iter().enumerate() {
        if let Some(&x) = negative.get(&(n + k)) {
            for &(j, entry) in row {
                add_product(builder, &mut left, j, entry, x);
            }
        }
        let along = dot(builder, row, &negative);
        let one = builder.constant(1.0);
        add_product(builder, &mut left, n + k, one, along);
    }
    left
}
