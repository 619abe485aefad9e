//! The equations as numbers at one state, with the parameters at their defaults.

use nalgebra::{DMatrix, DVector, Vector3};

use super::sparse::SparseRowValues;
use crate::evaluate::Evaluator;
use crate::expr::{Expr, Symbol};
use crate::model::Model;
use crate::numeric::State;
use crate::structure::Rotation;
use crate::symbolic::{Equations, SparseRow};

/// The numbers that assembly needs of the equations at one state.
pub struct SparseEquations {
    /// Φ
    pub phi: DVector<f64>,
    /// Φ_t
    pub phi_t: DVector<f64>,
    /// E = (D; H): constraint rows, then holds.
    pub rows: Vec<SparseRowValues>,
    /// M, all entries of the symmetric matrix.
    pub mass: Vec<SparseRowValues>,
    /// Values of the holds.
    pub holds: DVector<f64>,
    /// Rates of the holds.
    pub hold_rates: DVector<f64>,
}

/// The part for constraint equations, as full matrices, for uses in which their size does not matter.
pub struct FullEquations {
    /// Φ
    pub phi: DVector<f64>,
    /// Φ_t
    pub phi_t: DVector<f64>,
    /// E = (D; H): constraint rows, then holds.
    pub rows: DMatrix<f64>,
    /// M
    pub mass: DMatrix<f64>,
}

/// Calls `ask` with an evaluator at a state.
pub fn at<T>(
    model: &Model,
    equations: &Equations,
    state: &State,
    ask: impl FnOnce(&mut Evaluator) -> T,
) -> T {
    let auxiliaries = auxiliaries(model, equations, state);
    let symbols = |symbol| value(model, state, &auxiliaries, symbol);
    ask(&mut Evaluator::new(&model.tables, &symbols))
}

/// The values of all symbols at a state, detached from model and equations.
pub fn symbols_at(
    model: &Model,
    equations: &Equations,
    state: &State,
) -> impl Fn(Symbol) -> f64 + Send + 'static {
    let auxiliaries = auxiliaries(model, equations, state);
    let (model, state) = (model.clone(), state.clone());
    move |symbol| value(&model, &state, &auxiliaries, symbol)
}

/// The equations at a state.
pub fn local(model: &Model, equations: &Equations, state: &State) -> SparseEquations {
    at(model, equations, state, |evaluator| {
        let mut vector = |list: &[Expr]| {
            DVector::from_iterator(list.len(), list.iter().map(|e| evaluator.value(e)))
        };
        let phi = vector(&equations.phi);
        let phi_t = vector(&equations.phi_t);
        let holds = vector(&equations.hold_values);
        let hold_rates = vector(&equations.hold_rates);
        let mut rows = values(evaluator, &equations.jacobian);
        rows.extend(values(evaluator, &equations.hold_jacobian));
        SparseEquations {
            phi,
            phi_t,
            rows,
            mass: values(evaluator, &equations.mass),
            holds,
            hold_rates,
        }
    })
}

/// The equations at a state with full matrices.
pub fn numbers(model: &Model, equations: &Equations, state: &State) -> FullEquations {
    let now = local(model, equations, state);
    FullEquations {
        rows: full(&now.rows, equations.n_velocities),
        mass: full(&now.mass, equations.n_velocities),
        phi: now.phi,
        phi_t: now.phi_t,
    }
}

/// The values of sparse rows.
pub fn values(evaluator: &mut Evaluator, rows: &[SparseRow]) -> Vec<SparseRowValues> {
    let mut row = |row: &SparseRow| row.iter().map(|(j, x)| (*j, evaluator.value(x))).collect();
    rows.iter().map(&mut row).collect()
}

/// q + T Δs, with Euler parameters normalised.
pub fn moved(model: &Model, equations: &Equations, state: &State, step: &DVector<f64>) -> State {
    let along = State {
        v: step.as_slice().to_vec(),
        ..state.clone()
    };
    let mut q = at(model, equations, &along, |evaluator| {
        let rates = equations.rates.iter().map(|rate| evaluator.value(rate));
        state
            .q
            .iter()
            .zip(rates)
            .map(|(q, dq)| q + dq)
            .collect::<Vec<_>>()
    });
    normalize(equations, &mut q);
    State { q, ..state.clone() }
}

/// Scales Euler parameters to unit length, and makes axes orthonormal.
pub fn normalize(equations: &Equations, q: &mut [f64]) {
    for unit in &equations.unit {
        let squares = unit.coordinates.iter().map(|&i| q[i as usize].powi(2));
        let norm = squares.sum::<f64>().sqrt();
        for i in unit.coordinates {
            q[i as usize] /= norm;
        }
    }
    for rotation in &equations.rotations {
        match rotation {
            Rotation::Planar { axis, length, .. } => {
                let norm = axis.iter().map(|&i| q[i as usize].powi(2)).sum::<f64>();
                axis.iter()
                    .for_each(|&i| q[i as usize] *= length / norm.sqrt());
            }
            Rotation::Spatial { axes, .. } => {
                let at = |axis: [u32; 3]| Vector3::from(axis.map(|i| q[i as usize]));
                let x = at(axes[0]).normalize();
                let z = x.cross(&at(axes[1])).normalize();
                for (axis, value) in axes.iter().zip([x, z.cross(&x), z]) {
                    (0..3).for_each(|k| q[axis[k] as usize] = value[k]);
                }
            }
        }
    }
}

fn full(rows: &[SparseRowValues], n_columns: usize) -> DMatrix<f64> {
    let mut full = DMatrix::zeros(rows.len(), n_columns);
    for (i, row) in rows.iter().enumerate() {
        for &(j, value) in row {
            full[(i, j as usize)] = value;
        }
    }
    full
}

fn auxiliaries(model: &Model, equations: &Equations, state: &State) -> Vec<f64> {
    let mut known: Vec<f64> = Vec::with_capacity(equations.auxiliaries.len());
    for definition in &equations.auxiliaries {
        let symbols = |symbol| value(model, state, &known, symbol);
        let next = Evaluator::new(&model.tables, &symbols).value(definition);
        known.push(next);
    }
    known
}

/// Multipliers and accelerations are not known before the dynamics are solved; zero stands for them.
fn value(model: &Model, state: &State, auxiliaries: &[f64], symbol: Symbol) -> f64 {
    match symbol {
        Symbol::Time => state.t,
        Symbol::Parameter(i) => model.parameters[i as usize].default,
        Symbol::Input(i) => model.inputs[i as usize].start,
        Symbol::Variable(i) => model.variables[i as usize].start,
        Symbol::Coordinate(i) => state.q[i as usize],
        Symbol::Velocity(i) => state.v[i as usize],
        Symbol::Auxiliary(i) => auxiliaries.get(i as usize).copied().unwrap_or(f64::NAN),
        Symbol::Multiplier(_) | Symbol::Acceleration(_) => 0.0,
        Symbol::Measure(_) => f64::NAN,
    }
}
