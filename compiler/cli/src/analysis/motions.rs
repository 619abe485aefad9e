//! Motions that constraint equations leave, and motions that bring equations to a value.

use nalgebra::{DMatrix, DVector, linalg::SVD};

use super::mechanism::{DenseEquations, Mechanism};
use crate::assembly::metric;
use crate::numeric::State;

/// A row of which less than this part is new is redundant.
const NEW: f64 = 1e-7;

/// The rows E that hold at a state, and the motions that they leave.
pub struct Motions {
    /// E: the rows that hold, and below them the rotations that are no motions.
    pub rows: DMatrix<f64>,
    /// N, orthonormal in the metric of M.
    pub free: DMatrix<f64>,
    /// The rank of E.
    pub rank: usize,
    inverse: DMatrix<f64>,
}

impl Motions {
    /// Motions that rows of D leave; `None` if something is not finite or moves without inertia.
    pub fn new(
        mechanism: &Mechanism,
        state: &State,
        local: &DenseEquations,
        held: &[usize],
    ) -> Option<Self> {
        let idle = idle(mechanism, state);
        let n = mechanism.n_velocities();
        let mut rows = DMatrix::zeros(held.len() + idle.len(), n);
        for (index, row) in held.iter().enumerate() {
            rows.set_row(index, &local.rows.row(*row));
        }
        for (index, row) in idle.iter().enumerate() {
            rows.set_row(held.len() + index, &row.transpose());
        }
        Self::of(&local.mass, rows)
    }

    fn of(mass: &DMatrix<f64>, rows: DMatrix<f64>) -> Option<Self> {
        let n = mass.nrows();
        if !mass.iter().chain(rows.iter()).all(|x| x.is_finite()) {
            return None;
        }
        let lower = metric(mass.clone(), &rows)?.factor.l();
        // W = E L⁻ᵀ with rows of unit length, so that metres and radians compare, and square for a full V.
        let mut white = lower.solve_lower_triangular(&rows.transpose())?.transpose();
        let scale: Vec<f64> = white.row_iter().map(|row| to_unit(row.norm())).collect();
        for (index, factor) in scale.iter().enumerate() {
            white.row_mut(index).scale_mut(*factor);
        }
        let m = rows.nrows();
        let square = white.clone().resize(m.max(n), n, 0.0);
        let SVD {
            u: Some(u),
            v_t: Some(v_t),
            singular_values,
        } = square.svd(true, true)
        else {
            return None;
        };
        let is_new = |k: &usize| singular_values[*k] > NEW;
        let (new, left): (Vec<usize>, Vec<usize>) = (0..n).partition(is_new);
        let back = |directions: DMatrix<f64>| lower.tr_solve_lower_triangular(&directions);
        let free = normal(mass, back(v_t.select_rows(&left).transpose())?)?;
        let mut solved = v_t.select_rows(&new).transpose();
        for (column, k) in new.iter().enumerate() {
            solved
                .column_mut(column)
                .scale_mut(1.0 / singular_values[*k]);
        }
        let mut inverse = back(solved)? * u.select_columns(&new).rows(0, m).transpose();
        for (index, factor) in scale.iter().enumerate() {
            inverse.column_mut(index).scale_mut(*factor);
        }
        Some(Self {
            rows,
            free,
            rank: new.len(),
            inverse,
        })
    }

    /// The smallest motion with E s = r. If there is none, the unattainable part of r counts as zero.
    pub fn to(&self, right: &DVector<f64>) -> DVector<f64> {
        let right = right.clone().resize_vertically(self.rows.nrows(), 0.0);
        let first = &self.inverse * &right;
        // The error of the first solution is round-off times the condition of the rows.
        let left = right - &self.rows * &first;
        first + &self.inverse * left
    }

    /// The smallest λ with Eᵀ λ = f. If there is none, the unattainable part of f counts as zero.
    pub fn multipliers(&self, force: &DVector<f64>) -> DVector<f64> {
        let m = self.rows.nrows();
        if m == 0 {
            return DVector::zeros(0);
        }
        let svd = self.rows.transpose().svd(true, true);
        let threshold = NEW * svd.singular_values.max();
        let solve = |f: &DVector<f64>| {
            svd.solve(f, threshold)
                .unwrap_or_else(|_| DVector::zeros(m))
        };
        let first = solve(force);
        let left = force - self.rows.tr_mul(&first);
        &first + solve(&left)
    }

    /// Number of remaining motions.
    pub fn n_free(&self) -> usize {
        self.free.ncols()
    }
}

fn to_unit(norm: f64) -> f64 {
    if norm > 0.0 { 1.0 / norm } else { 0.0 }
}

/// N (Nᵀ M N)^−½ by its triangle: where rows were added to the metric, N is not orthonormal in M yet.
fn normal(mass: &DMatrix<f64>, free: DMatrix<f64>) -> Option<DMatrix<f64>> {
    if free.ncols() == 0 {
        return Some(free);
    }
    let lower = (free.tr_mul(mass) * &free).cholesky()?.l();
    Some(lower.solve_lower_triangular(&free.transpose())?.transpose())
}

/// Rotations of thin rods and point masses that are no motions.
fn idle(mechanism: &Mechanism, state: &State) -> Vec<DVector<f64>> {
    let planar = mechanism.is_planar();
    let mut rows = Vec::new();
    for (index, body) in mechanism.elements.bodies.iter().enumerate() {
        for axis in &body.idle {
            let mut row = DVector::zeros(mechanism.n_velocities());
            match planar {
                true => row[3 * index + 2] = 1.0,
                false => {
                    let world = turned(&state.q[7 * index + 3..7 * index + 7], axis);
                    row.rows_mut(6 * index + 3, 3).copy_from_slice(&world);
                }
            }
            rows.push(row);
        }
    }
    rows
}

/// A body vector in world axes, by the Euler parameters of the body.
fn turned(e: &[f64], vector: &[f64; 3]) -> [f64; 3] {
    let turn = nalgebra::UnitQuaternion::from_quaternion(nalgebra::Quaternion::new(
        e[0], e[1], e[2], e[3],
    ));
    (turn * nalgebra::Vector3::from(*vector)).into()
}
