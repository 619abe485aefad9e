//! Closes the loops: finds a consistent position and velocity near a guess.

use std::borrow::Cow;

use nalgebra::DVector;

use super::metric::sparse_metric;
use super::numbers::{SparseEquations, local, moved, normalize};
use super::order::elimination_order;
use super::sparse::{SparseRowValues, scaled, times, to_unit, transposed_times};
use super::triangle::Inverse;
use crate::model::Model;
use crate::numeric::{self, Closing, State};
use crate::symbolic::Equations;

/// Relative size below which a direction of the rows counts as missing. It is well above the effect of open loops, and
/// well below that of an independent constraint equation.
const RANK: f64 = 1e-7;
/// Number of passes. The first solution has an error of round-off times the condition of the rows, which two more
/// passes remove.
const REFINEMENTS: usize = 3;

/// The equations that shall hold.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    /// Constraint equations that are left out, in growing order.
    pub without: &'a [u32],
    /// True if the holds shall stay at their guess.
    pub hold: bool,
}

impl Asked<'_> {
    /// All constraint equations, with the holds or without.
    pub fn all(hold: bool) -> Self {
        Self { without: &[], hold }
    }

    fn takes(&self, row: usize) -> bool {
        self.without.binary_search(&(row as u32)).is_err()
    }

    /// The rows of these equations, constraint equations before holds.
    fn rows<'r>(
        &self,
        rows: &'r [SparseRowValues],
        n_constraints: usize,
        n_holds: usize,
    ) -> Cow<'r, [SparseRowValues]> {
        let asked = &rows[..n_constraints + n_holds];
        if self.without.is_empty() {
            return Cow::Borrowed(asked);
        }
        let asked = asked.iter().enumerate();
        let asked = asked.filter(|(i, _)| *i >= n_constraints || self.takes(*i));
        Cow::Owned(asked.map(|(_, row)| row.clone()).collect())
    }

    /// The values of those constraint equations that are not left out.
    fn of(&self, values: &DVector<f64>) -> impl Iterator<Item = f64> {
        let values = values.iter().enumerate();
        let asked = values.filter(|(i, _)| self.takes(*i));
        asked.map(|(_, value)| *value)
    }
}

/// The state that closing has reached.
pub struct ClosedLoops {
    /// The state.
    pub state: State,
    /// Φ there.
    pub phi: DVector<f64>,
    /// Distance of the holds from their guess.
    pub holds: DVector<f64>,
}

impl ClosedLoops {
    /// The largest violation of a constraint equation or hold.
    pub fn worst(&self) -> f64 {
        let holds = self.holds.iter().map(|gap| gap.abs());
        holds.fold(self.open(Asked::all(false)), f64::max)
    }

    /// The same with no violation of these.
    pub fn without(mut self, rows: &[u32]) -> Self {
        rows.iter().for_each(|row| self.phi[*row as usize] = 0.0);
        self
    }

    /// The largest violation of a constraint equation that shall hold.
    pub fn open(&self, asked: Asked) -> f64 {
        let sizes = asked.of(&self.phi).map(f64::abs);
        sizes.fold(0.0, |most, size| match size.is_nan() {
            true => f64::INFINITY,
            false => size.max(most),
        })
    }
}

/// Steps of least norm in the mass metric, until no residual is more than `enough`:
/// Δs = −M⁻¹Eᵀ (E M⁻¹Eᵀ)⁺ r, r = (Φ; h − h₀).
pub fn close_positions_to(
    enough: f64,
    model: &Model,
    equations: &Equations,
    guess: &State,
    asked: Asked,
) -> ClosedLoops {
    let mut state = guess.clone();
    normalize(equations, &mut state.q);
    let now = local(model, equations, &state);
    let mut loops = Loops {
        model,
        equations,
        asked,
        target: now.holds.clone(),
        at: state.clone(),
        now,
    };
    let state = numeric::close(&mut loops, state, enough).state;
    loops.evaluate(&state);
    ClosedLoops {
        phi: loops.now.phi,
        holds: loops.now.holds - loops.target,
        state,
    }
}

/// The constraint equations and holds of a mechanism, with their values at the last state.
struct Loops<'a> {
    model: &'a Model,
    equations: &'a Equations,
    asked: Asked<'a>,
    /// The values of the holds at the guess.
    target: DVector<f64>,
    at: State,
    now: SparseEquations,
}

impl Loops<'_> {
    /// Sets `now` to the values at this state.
    fn evaluate(&mut self, state: &State) {
        if self.at != *state {
            self.now = local(self.model, self.equations, state);
            self.at = state.clone();
        }
    }

    fn n_holds(&self) -> usize {
        if self.asked.hold {
            self.target.len()
        } else {
            0
        }
    }
}

impl Closing for Loops<'_> {
    fn residual(&mut self, state: &State) -> DVector<f64> {
        self.evaluate(state);
        let held = &self.now.holds - &self.target;
        let held = held.iter().take(self.n_holds()).copied();
        DVector::from_vec(self.asked.of(&self.now.phi).chain(held).collect())
    }

    fn step(&mut self, state: &State, residual: &DVector<f64>) -> Option<DVector<f64>> {
        self.evaluate(state);
        let (n_constraints, n_holds) = (self.now.phi.len(), self.n_holds());
        let rows = self.asked.rows(&self.now.rows, n_constraints, n_holds);
        least_norm(&self.now.mass, &rows, &-residual)
    }

    fn moved(&mut self, state: &State, step: &DVector<f64>) -> State {
        moved(self.model, self.equations, state, step)
    }
}

/// Velocities nearest to the guess in the mass metric with D v = −Φ_t and these rates of the holds, if any are given.
/// Also returns the residuals of all constraint equations and of the holds.
pub fn close_velocities(
    model: &Model,
    equations: &Equations,
    state: &State,
    rates: &DVector<f64>,
    without: &[u32],
) -> (State, DVector<f64>) {
    let asked = Asked {
        without,
        hold: !rates.is_empty(),
    };
    let mut state = state.clone();
    let mut left = DVector::zeros(0);
    for _ in 0..3 {
        let now = local(model, equations, &state);
        let wanted = DVector::from_iterator(
            now.phi_t.len() + rates.len(),
            now.phi_t.iter().map(|x| -x).chain(rates.iter().copied()),
        );
        let v = DVector::from_column_slice(&state.v);
        left = &wanted - times(&now.rows[..wanted.len()], &v);
        let n_constraints = now.phi.len();
        let rows = asked.rows(&now.rows, n_constraints, rates.len());
        let of_rows = left.rows(0, n_constraints).into_owned();
        let of_holds = left.iter().skip(n_constraints).copied();
        let missing = DVector::from_vec(asked.of(&of_rows).chain(of_holds).collect());
        if let Some(step) = least_norm(&now.mass, &rows, &missing) {
            state.v = (v + step).as_slice().to_vec();
        }
    }
    (state, left)
}

/// The solution of E s = r that is smallest in the metric M, or the one of least residual if there is none, with the
/// rows of E L⁻ᵀ at unit length and M = L Lᵀ; `None` if M is not positive on the motions that E allows or something is
/// not finite.
pub fn least_norm(
    mass: &[SparseRowValues],
    rows: &[SparseRowValues],
    right: &DVector<f64>,
) -> Option<DVector<f64>> {
    if rows.is_empty() {
        return Some(DVector::zeros(mass.len()));
    }
    let lower = sparse_metric(mass, rows)?;
    let whitened: Vec<SparseRowValues> = rows.iter().map(|row| lower.forward(row)).collect();
    let entries = whitened.iter().flatten().map(|(_, x)| x);
    if !entries.chain(right.iter()).all(|x| x.is_finite()) {
        return None;
    }
    // Scaling the rows makes metres and radians comparable.
    let scale: Vec<f64> = whitened.iter().map(to_unit).collect();
    let scaled: Vec<SparseRowValues> = whitened
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
