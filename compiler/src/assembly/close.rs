//! Closing the loops: a consistent position and velocity near a guess.

use nalgebra::{Cholesky, DMatrix, DVector, Dyn};

use super::numbers::{Numbers, State, moved, normalize, numbers};
use crate::model::Model;
use crate::symbolic::Equations;

/// Relative size below which a direction of the rows counts as missing: well above the violation that
/// is left while the loops are still open, well below what a real constraint gives.
const RANK: f64 = 1e-7;
const ITERATIONS: usize = 100;
/// A pivot of M below this share of its diagonal is noise.
const PIVOT: f64 = 1e-10;

/// What was reached.
pub struct Closed {
    /// The state.
    pub state: State,
    /// Φ there.
    pub phi: DVector<f64>,
    /// What the holds are away from their guess.
    pub holds: DVector<f64>,
}

/// Gauss–Newton with steps of least norm in the mass metric, halved until the residual falls:
/// Δs = −M⁻¹Eᵀ (E M⁻¹Eᵀ)⁺ r, r = (Φ; h − h₀), q ← q + T Δs.
pub fn close_positions(model: &Model, equations: &Equations, guess: &State, hold: bool) -> Closed {
    let mut state = guess.clone();
    normalize(equations, &mut state.q);
    let mut now = numbers(model, equations, &state);
    let target = now.holds.clone();
    let mut residual = residual_of(&now, &target, hold);
    let round_off = f64::EPSILON * super::assemble::size(model);
    for _ in 0..ITERATIONS {
        if residual.amax() <= round_off {
            break;
        }
        let n_rows = residual.len();
        let rows = now.rows.rows(0, n_rows).into_owned();
        let Some(step) = least_norm(&now.mass, &rows, &-&residual) else {
            break;
        };
        let Some((next, there, left)) = backtrack(
            model,
            equations,
            &state,
            &step,
            &target,
            hold,
            residual.norm(),
        ) else {
            break;
        };
        (state, now, residual) = (next, there, left);
    }
    Closed {
        holds: &now.holds - target,
        phi: now.phi,
        state,
    }
}

fn residual_of(now: &Numbers, target: &DVector<f64>, hold: bool) -> DVector<f64> {
    let held = &now.holds - target;
    let n_holds = if hold { held.len() } else { 0 };
    DVector::from_iterator(
        now.phi.len() + n_holds,
        now.phi.iter().chain(held.iter().take(n_holds)).copied(),
    )
}

fn backtrack(
    model: &Model,
    equations: &Equations,
    state: &State,
    step: &DVector<f64>,
    target: &DVector<f64>,
    hold: bool,
    before: f64,
) -> Option<(State, Numbers, DVector<f64>)> {
    let mut scale = 1.0;
    for _ in 0..30 {
        let next = moved(model, equations, state, &(step * scale));
        let there = numbers(model, equations, &next);
        let left = residual_of(&there, target, hold);
        if left.norm() < before {
            return Some((next, there, left));
        }
        scale *= 0.5;
    }
    None
}

/// Velocities nearest to the guess in the mass metric with D v = −Φ_t and the rates of the holds as in
/// the guess; also what is left of both.
pub fn close_velocities(
    model: &Model,
    equations: &Equations,
    state: &State,
    rates: &DVector<f64>,
) -> (State, DVector<f64>) {
    let mut state = state.clone();
    let mut left = DVector::zeros(0);
    for _ in 0..3 {
        let now = numbers(model, equations, &state);
        let wanted = DVector::from_iterator(
            now.phi_t.len() + rates.len(),
            now.phi_t.iter().map(|x| -x).chain(rates.iter().copied()),
        );
        let v = DVector::from_column_slice(&state.v);
        left = &wanted - &now.rows * &v;
        if let Some(step) = least_norm(&now.mass, &now.rows, &left) {
            state.v = (v + step).as_slice().to_vec();
        }
    }
    (state, left)
}

/// A metric for motions: M, or M + σ DᵀD if M is only semi-definite.
pub struct Metric {
    /// L Lᵀ
    pub factor: Cholesky<f64, Dyn>,
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
fn sound(matrix: &DMatrix<f64>) -> Option<Cholesky<f64, Dyn>> {
    let factor = matrix.clone().cholesky()?;
    let lower = factor.l_dirty();
    let sound = |i: usize| lower[(i, i)].powi(2) > PIVOT * matrix[(i, i)];
    (0..matrix.nrows()).all(sound).then_some(factor)
}

/// The solution of E s = r that is smallest in the metric M, by the pseudo-inverse of E L⁻ᵀ with
/// M = L Lᵀ; `None` if M is not positive on what E allows or something is not finite.
pub fn least_norm(
    mass: &DMatrix<f64>,
    rows: &DMatrix<f64>,
    right: &DVector<f64>,
) -> Option<DVector<f64>> {
    if rows.nrows() == 0 {
        return Some(DVector::zeros(mass.nrows()));
    }
    let lower = metric(mass.clone(), rows)?.factor.l();
    let whitened = lower.solve_lower_triangular(&rows.transpose())?;
    if !whitened.iter().chain(right.iter()).all(|x| x.is_finite()) {
        return None;
    }
    // Scaling the rows makes metres and radians comparable.
    let scale: Vec<f64> = whitened
        .column_iter()
        .map(|column| {
            if column.norm() > 0.0 {
                1.0 / column.norm()
            } else {
                0.0
            }
        })
        .collect();
    let mut scaled = whitened.transpose();
    let mut right = right.clone();
    for (i, factor) in scale.iter().enumerate() {
        scaled.row_mut(i).scale_mut(*factor);
        right[i] *= factor;
    }
    let svd = scaled.svd(true, true);
    let largest = svd.singular_values.max();
    let solution = svd.solve(&right, RANK * largest).ok()?;
    lower.transpose().solve_upper_triangular(&solution)
}
