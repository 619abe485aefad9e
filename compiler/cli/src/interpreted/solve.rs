//! The equations without the unrolled solve: minimum-norm solutions of E M⁻¹ Eᵀ x = r, with E = (D; H) the rows of
//! the constraint equations and of the holds.

use nalgebra::{DMatrix, DVector};

use super::Evaluate;
use super::machine::Machine;
use crate::assembly::{Metric, metric};
use crate::kernel::{Array, Name};
use crate::numeric::State;

/// Singular values of E M⁻¹ Eᵀ below this share of the largest count as zero. The share is the square of an angle
/// between constraint equations, of 3e-6 rad.
const RANK: f64 = 1e-11;

/// A self-stress whose reactions are below this share of its norm acts on no joint.
const FELT: f64 = 1e-7;

/// The dense equations at a state.
pub(super) struct Dense {
    schur: DMatrix<f64>,
    rows: DMatrix<f64>,
    weighted: DMatrix<f64>,
    free: DVector<f64>,
    gamma: DVector<f64>,
}

impl Dense {
    pub(super) fn at<E: Evaluate>(machine: &mut Machine<E>, state: &State) -> Self {
        machine.call_at(Name::Dense, state);
        let (memory, sizes) = (&machine.memory, machine.sizes);
        let n = sizes.constraints + sizes.holds;
        let matrix =
            |array, n_rows| DMatrix::from_row_slice(n_rows, sizes.velocities, memory.list(array));
        let vector = |array| DVector::from_column_slice(memory.list(array));
        Self::new(
            matrix(Array::Mass, sizes.velocities),
            matrix(Array::Rows, n),
            &vector(Array::Forces),
            vector(Array::Gamma),
        )
    }

    /// E M⁻¹, E M⁻¹ Eᵀ and M⁻¹ Q; all NaN if some motion has neither mass nor constraint.
    fn new(
        mass: DMatrix<f64>,
        rows: DMatrix<f64>,
        forces: &DVector<f64>,
        gamma: DVector<f64>,
    ) -> Self {
        let jacobian = rows.rows(0, gamma.len());
        let metric = metric(mass, &jacobian.into_owned());
        let (weighted, free) = match metric {
            Some(Metric { factor, sigma }) => {
                let pulled = forces + jacobian.transpose() * (&gamma * sigma);
                let weighted = factor.solve(&rows.transpose()).transpose();
                (weighted, factor.solve(&pulled))
            }
            None => (&rows * f64::NAN, forces * f64::NAN),
        };
        Self {
            schur: &rows * weighted.transpose(),
            rows,
            weighted,
            free,
            gamma,
        }
    }

    /// v̇ and λ, without the holds.
    pub(super) fn accelerate(&self) -> (Vec<f64>, Vec<f64>) {
        let n = self.gamma.len();
        let right = &self.gamma - self.rows.rows(0, n) * &self.free;
        let multipliers = minimum_norm(self.schur.view((0, 0), (n, n)).into_owned(), &right);
        let accelerations = &self.free + self.weighted.rows(0, n).transpose() * &multipliers;
        (
            accelerations.as_slice().to_vec(),
            multipliers.as_slice().to_vec(),
        )
    }

    /// Number of constraint equations that are independent at this state, whatever their units are.
    pub(super) fn rank(&self) -> usize {
        let n = self.gamma.len();
        let scales = self.schur.diagonal().map(|square| match square > 0.0 {
            true => square.sqrt().recip(),
            false => 0.0,
        });
        let scaled = |i: usize, j: usize| scales[i] * self.schur[(i, j)] * scales[j];
        let matrix = DMatrix::from_fn(n, n, scaled);
        let is_finite = matrix.iter().all(|entry| entry.is_finite());
        match n > 0 && is_finite {
            true => matrix.rank(RANK),
            false => n,
        }
    }

    /// N with Dᵀ N = 0: for each redundant row r, n_r = 1 and S n = −S_r over the others.
    pub(super) fn self_stresses(&self, redundant: &[usize]) -> DMatrix<f64> {
        let n = self.gamma.len();
        let kept: Vec<usize> = (0..n).filter(|row| !redundant.contains(row)).collect();
        let block = self.schur.select_rows(&kept);
        let mut stresses = DMatrix::zeros(n, redundant.len());
        for (k, row) in redundant.iter().enumerate() {
            stresses[(*row, k)] = 1.0;
            if kept.is_empty() {
                continue;
            }
            let right = -block.column(*row).into_owned();
            let factor = block.select_columns(&kept).full_piv_lu();
            let part = factor.solve(&right).unwrap_or(right * f64::NAN);
            for (index, value) in kept.iter().zip(part.iter()) {
                stresses[(*index, k)] = *value;
            }
        }
        stresses
    }

    /// −M⁻¹ Eᵀ (E M⁻¹ Eᵀ)⁺ r. The length of r decides whether the holds take part.
    pub(super) fn correction(&self, residual: &[f64]) -> Vec<f64> {
        self.correction_without(&[], residual)
    }

    /// The same with some rows left out.
    pub(super) fn correction_without(&self, left_out: &[usize], residual: &[f64]) -> Vec<f64> {
        let taken = (0..residual.len()).filter(|row| !left_out.contains(row));
        let taken: Vec<usize> = taken.collect();
        let right = DVector::from_column_slice(residual).select_rows(&taken);
        let schur = self.schur.select_rows(&taken).select_columns(&taken);
        let x = minimum_norm(schur, &right);
        let change = -(self.weighted.select_rows(&taken).transpose() * x);
        change.as_slice().to_vec()
    }
}

/// λ + N z with the smallest R(λ + N z), for an affine R.
pub(super) fn smallest(
    given: DVector<f64>,
    stresses: &DMatrix<f64>,
    felt: &mut dyn FnMut(&DVector<f64>) -> DVector<f64>,
) -> DVector<f64> {
    let none = felt(&given);
    let mut taken: Vec<[DVector<f64>; 2]> = Vec::new();
    for stress in stresses.column_iter() {
        let total = stress.norm();
        let mut stress = stress.into_owned();
        let mut change = felt(&(&given + &stress)) - &none;
        for [other, others] in &taken {
            let along = change.dot(others);
            stress -= other * along;
            change -= others * along;
        }
        let size = change.norm();
        // Self-stresses inside a body act on no joint.
        if size > FELT * total {
            taken.push([stress / size, change / size]);
        }
    }
    taken.iter().fold(given, |found, [stress, change]| {
        let along = felt(&found).dot(change);
        found - stress * along
    })
}

fn minimum_norm(matrix: DMatrix<f64>, right: &DVector<f64>) -> DVector<f64> {
    if right.is_empty() || matrix.iter().any(|entry| !entry.is_finite()) {
        return right * f64::NAN;
    }
    let svd = matrix.svd(true, true);
    let threshold = RANK * svd.singular_values.max();
    let solution = svd.solve(right, threshold);
    solution.unwrap_or_else(|_| right * f64::NAN)
}
