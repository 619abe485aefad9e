//! Accelerations and multipliers against M v̇ = Q + Dᵀλ, D v̇ = γ, and against a dense solution.

use bellcrank_compiler::stages::assembly::{State, at, numbers};
use bellcrank_compiler::stages::expr::Expr;
use bellcrank_compiler::stages::kernel::{Array, Name};
use nalgebra::{DMatrix, DVector};

use super::machine::{Machine, Projected};

/// At the start, and some steps later.
pub fn check(machine: &Machine) {
    check_at(machine, &machine.start());
    check_at(machine, &machine.run(1e-3, 3, Projected::Yes).state);
}

/// The same where M is only semi-definite. The bordered matrix is solved with pivots that may be as small as
/// the root of the round-off, which leaves half of the digits.
pub fn check_semidefinite(machine: &Machine) {
    let state = &machine.start();
    let dense = Dense::new(machine, state);
    let solved = machine.call(Name::Accelerate, state);
    if solved.scalar(Array::Margin) <= 0.0 {
        // The runtime takes the dense solve here.
        return;
    }
    let a = DVector::from_vec(machine.accelerations_of(&solved));
    let (expected, _) = dense.definite().accelerations();
    let off = (&a - &expected).amax() / (1.0 + expected.amax());
    assert!(off < 1e-6, "{off:e} off the dense solution");
}

fn check_at(machine: &Machine, state: &State) {
    let dense = Dense::new(machine, state);
    let solved = machine.call(Name::Accelerate, state);
    let a = DVector::from_vec(machine.accelerations_of(&solved));
    let lambda = DVector::from_vec(machine.multipliers_of(&solved));
    let pull = dense.rows.transpose() * &lambda;
    // Sums of a few dozen products: some hundred roundings of the largest.
    let scale = 1.0 + dense.forces.amax() + lambda.amax() * dense.rows.amax();
    let balance = (&dense.mass * &a - &dense.forces - pull).amax();
    assert!(balance < 1e-12 * scale, "M a = Q + Dᵀ λ is {balance:e} off");
    // The kernel solves with D M⁻¹Dᵀ, which squares the condition of the rows.
    let (expected, condition) = dense.accelerations();
    let close = 1e-14 * condition * condition * (1.0 + expected.amax());
    assert!(
        close < 1e-5,
        "a fair case, not one of condition {condition:e}"
    );
    let rows = (&dense.rows * &a - &dense.gamma).amax();
    assert!(
        rows < close.max(1e-11),
        "D a = γ is {rows:e} off, {close:e} allowed"
    );
    let off = (&a - &expected).amax();
    assert!(
        off < close.max(1e-11),
        "{off:e} off the dense solution, {close:e} allowed"
    );
}

/// The equations as matrices.
struct Dense {
    mass: DMatrix<f64>,
    rows: DMatrix<f64>,
    forces: DVector<f64>,
    gamma: DVector<f64>,
}

impl Dense {
    fn new(machine: &Machine, state: &State) -> Self {
        let (model, equations) = (&machine.compiled.model, &machine.compiled.equations);
        let now = numbers(model, equations, state);
        let vector = |list: &[Expr]| {
            at(model, equations, state, |e| {
                DVector::from_iterator(list.len(), list.iter().map(|x| e.value(x)))
            })
        };
        Self {
            rows: now.rows.rows(0, now.phi.len()).into_owned(),
            mass: now.mass,
            forces: vector(&equations.forces),
            gamma: vector(&equations.gamma),
        }
    }

    /// M + DᵀD and Q + Dᵀγ give the same v̇ and λ, also where M is only semi-definite.
    fn definite(&self) -> Self {
        let across = self.rows.transpose();
        Self {
            rows: self.rows.clone(),
            mass: &self.mass + &across * &self.rows,
            forces: &self.forces + across * &self.gamma,
            gamma: self.gamma.clone(),
        }
    }

    /// Gauss's principle: of all v̇ with D v̇ = γ the one nearest to M⁻¹Q in the metric M. With
    /// M = L Lᵀ, y = Lᵀ v̇ and A = D L⁻ᵀ that is y = L⁻¹Q + A⁺ (γ − A L⁻¹Q). Also the condition of A.
    fn accelerations(&self) -> (DVector<f64>, f64) {
        let lower = self.mass.clone().cholesky().unwrap().l();
        let free = lower.solve_lower_triangular(&self.forces).unwrap();
        let whitened = lower
            .solve_lower_triangular(&self.rows.transpose())
            .unwrap();
        let a = whitened.transpose();
        let missing = &self.gamma - &a * &free;
        let svd = a.svd(true, true);
        let largest = svd.singular_values.max();
        // Redundant rows have singular values of round-off.
        let kept = svd.singular_values.iter().filter(|s| **s > 1e-9 * largest);
        let least = kept.copied().fold(largest, f64::min);
        let y = free + svd.solve(&missing, 1e-9 * largest).unwrap();
        let expected = lower.transpose().solve_upper_triangular(&y).unwrap();
        (expected, largest / least)
    }
}
