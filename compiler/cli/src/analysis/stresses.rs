//! Reactions of redundant constraints at rest: of all multipliers that balance the same forces, those whose reactions
//! have the smallest sum of squares, as in a run (`runtime/src/reactions.rs`).

use nalgebra::{DMatrix, DVector};

use super::mechanism::Mechanism;
use crate::numeric::State;

/// A self-stress whose share of a row is below this is round-off: rows are scaled to unit length.
const NEW: f64 = 1e-7;

/// λ + N z with the smallest reactions, with Dᵀ N = 0 over the rows that hold.
pub fn smallest(
    mechanism: &Mechanism,
    state: &State,
    rows: &[usize],
    matrix: &DMatrix<f64>,
    mut lambda: DVector<f64>,
) -> DVector<f64> {
    let none = felt(mechanism, state, &DVector::zeros(lambda.len()));
    let mut taken: Vec<(DVector<f64>, DVector<f64>)> = Vec::new();
    for stress in self_stresses(matrix) {
        let mut all = DVector::zeros(lambda.len());
        for (index, row) in rows.iter().enumerate() {
            all[*row] = stress[index];
        }
        let mut own = felt(mechanism, state, &all) - &none;
        // Two passes are enough for a vector that is nearly a combination of the others.
        for _ in 0..2 {
            for (other, other_felt) in &taken {
                let along = own.dot(other_felt);
                own.axpy(-along, other_felt, 1.0);
                all.axpy(-along, other, 1.0);
            }
        }
        let size = own.norm();
        if size > NEW {
            taken.push((all / size, own / size));
        }
    }
    for (stress, stress_felt) in &taken {
        let along = felt(mechanism, state, &lambda).dot(stress_felt);
        lambda.axpy(-along, stress, 1.0);
    }
    lambda
}

/// Forces and torques in all joints, and the efforts of couplings.
fn felt(mechanism: &Mechanism, state: &State, lambda: &DVector<f64>) -> DVector<f64> {
    let rows = mechanism.elements.rows.iter().enumerate();
    let couplings = rows.filter(|(_, row)| row.joint.is_none());
    let couplings = couplings.map(|(index, _)| lambda[index]);
    let reactions = mechanism.reactions(state, lambda).into_iter();
    DVector::from_vec(reactions.chain(couplings).collect())
}

/// Vectors n with Eᵀ n = 0, for rows of any length.
fn self_stresses(matrix: &DMatrix<f64>) -> Vec<DVector<f64>> {
    let (m, n) = matrix.shape();
    let mut unit = matrix.clone().resize(m, n.max(m), 0.0);
    let scale: Vec<f64> = (0..m)
        .map(|i| match unit.row(i).norm() {
            0.0 => 1.0,
            length => 1.0 / length,
        })
        .collect();
    for (i, factor) in scale.iter().enumerate() {
        unit.row_mut(i).scale_mut(*factor);
    }
    let svd = unit.svd(true, false);
    let Some(u) = svd.u else { return Vec::new() };
    let zero = (0..svd.singular_values.len()).filter(|k| svd.singular_values[*k] <= NEW);
    zero.map(|k| DVector::from_fn(m, |i, _| u[(i, k)] * scale[i]))
        .collect()
}
