//! Closing the loops: a consistent position and velocity near a guess.

use nalgebra::DVector;

use super::metric::sparse_metric;
use super::numbers::{Local, State, local, moved, normalize};
use super::order::elimination_order;
use super::sparse::{Row, scaled, times, to_unit, transposed_times};
use super::triangle::Inverse;
use crate::model::Model;
use crate::symbolic::Equations;

/// Relative size below which a direction of the rows counts as missing: well above the violation that
/// is left while the loops are still open, well below what a real constraint gives.
const RANK: f64 = 1e-7;
const ITERATIONS: usize = 100;
/// The first solution has an error of round-off times the condition of the rows; twice more takes it away.
const REFINEMENTS: usize = 3;

/// What was reached.
pub struct Closed {
    /// The state.
    pub state: State,
    /// Φ there.
    pub phi: DVector<f64>,
    /// What the holds are away from their guess.
    pub holds: DVector<f64>,
}

/// Gauss–Newton with steps of least norm in the mass metric, halved until the residual falls, until no residual is
/// more than `enough`: Δs = −M⁻¹Eᵀ (E M⁻¹Eᵀ)⁺ r, r = (Φ; h − h₀), q ← q + T Δs.
pub fn close_positions_to(
    enough: f64,
    model: &Model,
    equations: &Equations,
    guess: &State,
    hold: bool,
) -> Closed {
    let mut state = guess.clone();
    normalize(equations, &mut state.q);
    let mut now = local(model, equations, &state);
    let target = now.holds.clone();
    let mut residual = residual_of(&now, &target, hold);
    for _ in 0..ITERATIONS {
        if residual.amax() <= enough {
            break;
        }
        let rows = &now.rows[..residual.len()];
        let Some(step) = least_norm(&now.mass, rows, &-&residual) else {
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

fn residual_of(now: &Local, target: &DVector<f64>, hold: bool) -> DVector<f64> {
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
) -> Option<(State, Local, DVector<f64>)> {
    let mut scale = 1.0;
    for _ in 0..30 {
        let next = moved(model, equations, state, &(step * scale));
        let there = local(model, equations, &next);
        let left = residual_of(&there, target, hold);
        if left.norm() < before {
            return Some((next, there, left));
        }
        scale *= 0.5;
    }
    None
}

/// Velocities nearest to the guess in the mass metric with D v = −Φ_t and these rates of the holds, if any are given; also
/// what is left of both.
pub fn close_velocities(
    model: &Model,
    equations: &Equations,
    state: &State,
    rates: &DVector<f64>,
) -> (State, DVector<f64>) {
    let mut state = state.clone();
    let mut left = DVector::zeros(0);
    for _ in 0..3 {
        let now = local(model, equations, &state);
        let wanted = DVector::from_iterator(
            now.phi_t.len() + rates.len(),
            now.phi_t.iter().map(|x| -x).chain(rates.iter().copied()),
        );
        let v = DVector::from_column_slice(&state.v);
        let rows = &now.rows[..wanted.len()];
        left = &wanted - times(rows, &v);
        if let Some(step) = least_norm(&now.mass, rows, &left) {
            state.v = (v + step).as_slice().to_vec();
        }
    }
    (state, left)
}

/// The solution of E s = r that is smallest in the metric M, or what comes nearest to one if there is none,
/// with the rows of E L⁻ᵀ at unit length and M = L Lᵀ; `None` if M is not positive on what E allows or
/// something is not finite.
pub fn least_norm(mass: &[Row], rows: &[Row], right: &DVector<f64>) -> Option<DVector<f64>> {
    if rows.is_empty() {
        return Some(DVector::zeros(mass.len()));
    }
    let lower = sparse_metric(mass, rows)?;
    let whitened: Vec<Row> = rows.iter().map(|row| lower.forward(row)).collect();
    let entries = whitened.iter().flatten().map(|(_, x)| x);
    if !entries.chain(right.iter()).all(|x| x.is_finite()) {
        return None;
    }
    // Scaling the rows makes metres and radians comparable.
    let scale: Vec<f64> = whitened.iter().map(to_unit).collect();
    let scaled: Vec<Row> = whitened
        .iter()
        .zip(&scale)
        .map(|(row, c)| scaled(row, *c))
        .collect();
    let inverse = Inverse::new(&scaled, &elimination_order(&scaled), RANK);
    let right = right.component_mul(&DVector::from_vec(scale));
    let mut solution = DVector::zeros(mass.len());
    for _ in 0..REFINEMENTS {
        let left = &right - times(&scaled, &solution);
        solution += transposed_times(&scaled, &inverse.apply(&left), mass.len());
    }
    Some(lower.backward(solution))
}
