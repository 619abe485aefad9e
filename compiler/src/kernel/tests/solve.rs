//! The unrolled solve against the dense one.

use nalgebra::{DMatrix, DVector};

use super::kernel;
use super::systems::{Numbering, chain, random};
use super::twin::{State, assert_close, run};
use crate::kernel::{Array, Kernel, Memory, Name};
use crate::symbolic::Equations;

fn independent(equations: &Equations, redundant: &[u32]) -> Vec<usize> {
    (0..equations.phi.len())
        .filter(|k| !redundant.contains(&(*k as u32)))
        .collect()
}

/// The solution of [M −Dᵀ; D 0] (v̇, λ) = (Q, γ)
fn solution(
    equations: &Equations,
    state: &State,
    rows: &[usize],
    forces: &DVector<f64>,
    gamma: &DVector<f64>,
) -> DVector<f64> {
    let (n, m) = (equations.n_velocities, rows.len());
    let mass = state.matrix(equations, &equations.mass);
    let jacobian = state
        .matrix(equations, &equations.jacobian)
        .select_rows(rows);
    let mut matrix = DMatrix::zeros(n + m, n + m);
    matrix.view_mut((0, 0), (n, n)).copy_from(&mass);
    matrix
        .view_mut((0, n), (n, m))
        .copy_from(&-jacobian.transpose());
    matrix.view_mut((n, 0), (m, n)).copy_from(&jacobian);
    let mut right = DVector::zeros(n + m);
    right.rows_mut(0, n).copy_from(forces);
    right.rows_mut(n, m).copy_from(&gamma.select_rows(rows));
    matrix.full_piv_lu().solve(&right).unwrap()
}

/// Accelerations, multipliers, power and rates, where the margin is positive.
pub fn check_accelerate(kernel: &Kernel, equations: &Equations, redundant: &[u32], state: &State) {
    let found = run(kernel, Name::Accelerate, &state.memory(kernel));
    let (n, rows) = (equations.n_velocities, independent(equations, redundant));
    let forces = state.vector(equations, &equations.forces);
    let gamma = state.vector(equations, &equations.gamma);
    let solution = solution(equations, state, &rows, &forces, &gamma);

    let mut multipliers = vec![0.0; equations.phi.len()];
    let mut power = state.evaluate(equations, &equations.power);
    for (index, &k) in rows.iter().enumerate() {
        multipliers[k] = solution[n + index];
        power -= multipliers[k] * state.evaluate(equations, &equations.phi_t[k]);
    }
    let array = |array, length| found.array(array, length);
    assert_close(
        "v̇",
        &array(Array::Accelerations, n),
        &solution.as_slice()[..n],
    );
    assert_close(
        "λ",
        &array(Array::Multipliers, equations.phi.len()),
        &multipliers,
    );
    assert_close("power", &array(Array::Power, 1), &[power]);
    let rates = state.vector(equations, &equations.rates);
    assert_close(
        "q̇",
        &array(Array::Rates, equations.n_coordinates),
        rates.as_slice(),
    );
    assert!(found.scalar(Array::Margin) > 0.0);
}

/// Both corrections for a Φ of 0.1, 0.2, …: M Δ = Dᵀ μ, D Δ = −Φ.
pub fn check_corrections(kernel: &Kernel, equations: &Equations, redundant: &[u32], state: &State) {
    let memory = state.memory(kernel);
    let factor = run(kernel, Name::Accelerate, &memory).array(Array::Factor, kernel.sizes.factor);
    let phi: Vec<f64> = (1..=equations.phi.len()).map(|k| 0.1 * k as f64).collect();
    let (n, rows) = (equations.n_velocities, independent(equations, redundant));
    let back = -DVector::from_column_slice(&phi);
    let step = solution(equations, state, &rows, &DVector::zeros(n), &back);
    let step = &step.as_slice()[..n];

    // Velocities are out of reach of both functions.
    let memory = memory
        .with(Array::Velocities, &[])
        .with(Array::Factor, &factor)
        .with(Array::Constraints, &phi);
    let velocity = run(kernel, Name::VelocityCorrection, &memory);
    assert_close("Δv", &velocity.array(Array::Velocities, n), step);

    let position = run(kernel, Name::PositionCorrection, &memory);
    let moved = State {
        v: step.to_vec(),
        ..state.clone()
    };
    let wanted = moved.vector(equations, &equations.rates);
    assert_close(
        "Δq",
        &position.array(Array::Rates, wanted.len()),
        wanted.as_slice(),
    );
}

fn check_dense(equations: &Equations, redundant: &[u32], seed: u64) {
    let kernel = kernel(equations, redundant);
    let state = State::random(equations, seed);
    let found = run(&kernel, Name::Dense, &state.memory(&kernel));
    let mut rows = equations.jacobian.clone();
    rows.extend(equations.hold_jacobian.iter().cloned());
    let rows = state.matrix(equations, &rows);
    let mass = state.matrix(equations, &equations.mass);
    let forces = state.vector(equations, &equations.forces);
    let check = |what: &str, array: Array, wanted: &[f64]| {
        assert_close(what, &found.array(array, wanted.len()), wanted);
    };
    check("E", Array::Rows, rows.transpose().as_slice());
    check("M", Array::Mass, mass.as_slice());
    check("Q", Array::Forces, forces.as_slice());
    check(
        "γ",
        Array::Gamma,
        state.vector(equations, &equations.gamma).as_slice(),
    );
    check(
        "Φ_t",
        Array::PhiT,
        state.vector(equations, &equations.phi_t).as_slice(),
    );
    check(
        "q̇",
        Array::Rates,
        state.vector(equations, &equations.rates).as_slice(),
    );
    check(
        "power",
        Array::Power,
        &[state.evaluate(equations, &equations.power)],
    );
}

fn check_all(equations: &Equations, redundant: &[u32], seed: u64) {
    let (kernel, state) = (kernel(equations, redundant), State::random(equations, seed));
    check_accelerate(&kernel, equations, redundant, &state);
    check_corrections(&kernel, equations, redundant, &state);
    check_dense(equations, redundant, seed);
}

#[test]
fn pendulum() {
    check_all(&chain(1, Numbering::Constants), &[], 1);
    check_all(&chain(1, Numbering::Parameters), &[], 2);
}

#[test]
fn double_pendulum() {
    check_all(&chain(2, Numbering::Constants), &[], 3);
    check_all(&chain(2, Numbering::Parameters), &[], 4);
}

#[test]
fn chain_of_seven() {
    check_all(&chain(7, Numbering::Parameters), &[], 5);
}

#[test]
fn random_systems() {
    for seed in 1..=8 {
        let equations = random(seed, 2 + seed as usize % 4);
        let last = equations.phi.len() as u32 - 1;
        check_all(&equations, &[last], seed);
        check_all(&equations, &[0], seed);
    }
}

#[test]
fn no_rows() {
    let mut equations = random(3, 3);
    equations.jacobian.clear();
    equations.phi.clear();
    equations.phi_t.clear();
    equations.gamma.clear();
    let kernel = kernel(&equations, &[]);
    check_accelerate(&kernel, &equations, &[], &State::random(&equations, 6));
    assert_eq!(kernel.sizes.factor, 0);
    let found = run(
        &kernel,
        Name::Accelerate,
        &State::random(&equations, 6).memory(&kernel),
    );
    assert_eq!(found.scalar(Array::Margin), 1.0);
}

/// With a row that repeats others left in, the last of them has no pivot.
#[test]
fn margin_shows_a_dependent_row() {
    let equations = random(5, 3);
    let kernel = kernel(&equations, &[]);
    let found = run(
        &kernel,
        Name::Accelerate,
        &State::random(&equations, 7).memory(&kernel),
    );
    assert!(found.scalar(Array::Margin) < 0.0);
}

#[test]
fn velocity_constraints_and_normalisation() {
    let equations = random(2, 3);
    let kernel = kernel(&equations, &[]);
    let state = State::random(&equations, 8);
    let memory = state.memory(&kernel);
    let found = run(&kernel, Name::VelocityConstraints, &memory);
    let speed = state.matrix(&equations, &equations.jacobian) * DVector::from(state.v.clone());
    let wanted = speed + state.vector(&equations, &equations.phi_t);
    assert_close(
        "Φ̇",
        &found.array(Array::Constraints, wanted.len()),
        wanted.as_slice(),
    );

    let found = run(&kernel, Name::Normalize, &memory).array(Array::Coordinates, state.q.len());
    let length = DVector::from_column_slice(&state.q[..4]).norm();
    assert_close(
        "p",
        &found[..4],
        &state.q[..4].iter().map(|p| p / length).collect::<Vec<_>>(),
    );
    assert_eq!(found[4..], state.q[4..]);
}

#[test]
fn plain_functions_give_their_expressions() {
    let equations = random(4, 3);
    let kernel = kernel(&equations, &[]);
    let state = State::random(&equations, 9);
    let memory = state.memory(&kernel);
    let check = |name: Name, array: Array, exprs: &[crate::expr::Expr]| {
        let found: Memory = run(&kernel, name, &memory);
        let wanted = state.vector(&equations, exprs);
        assert_close(
            &format!("{name:?}"),
            &found.array(array, wanted.len()),
            wanted.as_slice(),
        );
    };
    check(Name::Rates, Array::Rates, &equations.rates);
    check(Name::Constraints, Array::Constraints, &equations.phi);
    check(Name::Holds, Array::HoldValues, &equations.hold_values);
    check(Name::Holds, Array::HoldRates, &equations.hold_rates);
    check(
        Name::Energy,
        Array::Kinetic,
        std::slice::from_ref(&equations.kinetic),
    );
    check(Name::Outputs, Array::Outputs, &equations.outputs);
}
