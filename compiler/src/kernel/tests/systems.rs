//! Equations made by hand.

use super::Numbers;
use crate::expr::{Expr, Symbol};
use crate::formulation::UnitLength;
use crate::symbolic::{Equations, SparseRow};

pub fn q(i: usize) -> Expr {
    Expr::symbol(Symbol::Coordinate(i as u32))
}

pub fn v(i: usize) -> Expr {
    Expr::symbol(Symbol::Velocity(i as u32))
}

pub fn parameter(i: u32) -> Expr {
    Expr::symbol(Symbol::Parameter(i))
}

pub fn number(value: f64) -> Expr {
    Expr::constant(value)
}

/// Where the length, mass and inertia of the links come from.
#[derive(Clone, Copy)]
pub enum Numbering {
    Constants,
    Parameters,
}

/// A chain of n planar pendulums, x, y, φ each, of half-length a: with c = cos φ and s = sin φ,
/// Φ = (x, y)_{k−1} + a (c, s)_{k−1} − (x, y)_k + a (c, s)_k.
pub fn chain(n: usize, numbering: Numbering) -> Equations {
    let [a, m, inertia] = match numbering {
        Numbering::Constants => [0.7, 1.3, 0.4].map(number),
        Numbering::Parameters => [0, 1, 2].map(parameter),
    };
    let mut equations = Equations {
        n_coordinates: 3 * n,
        n_velocities: 3 * n,
        rates: (0..3 * n).map(v).collect(),
        power: Expr::zero(),
        ..Equations::default()
    };
    for k in 0..n {
        let (x, y, phi) = (3 * k, 3 * k + 1, 3 * k + 2);
        for (j, mass) in [(x, &m), (y, &m), (phi, &inertia)] {
            equations.mass.push(vec![(j as u32, mass.clone())]);
            equations.kinetic = &equations.kinetic + number(0.5) * mass * v(j).square();
        }
        equations.potential = &equations.potential + number(9.81) * &m * q(y);
        equations
            .forces
            .extend([Expr::zero(), number(-9.81) * &m, number(-0.1) * v(phi)]);
        joint(&mut equations, k, &a);
    }
    equations.outputs = vec![q(3 * n - 1), equations.kinetic.clone()];
    equations
}

fn joint(equations: &mut Equations, k: usize, a: &Expr) {
    let cos = |k: usize| a * q(3 * k + 2).cos();
    let sin = |k: usize| a * q(3 * k + 2).sin();
    let squared = |k: usize| v(3 * k + 2).square();
    let mut phi = [cos(k) - q(3 * k), sin(k) - q(3 * k + 1)];
    let mut gamma = [cos(k) * squared(k), sin(k) * squared(k)];
    let mut rows: [SparseRow; 2] = Default::default();
    if k > 0 {
        let last = k - 1;
        phi[0] = q(3 * last) + cos(last) + &phi[0];
        phi[1] = q(3 * last + 1) + sin(last) + &phi[1];
        gamma[0] = cos(last) * squared(last) + &gamma[0];
        gamma[1] = sin(last) * squared(last) + &gamma[1];
        let angle = 3 * last as u32 + 2;
        rows[0] = vec![(angle - 2, Expr::one()), (angle, -sin(last))];
        rows[1] = vec![(angle - 1, Expr::one()), (angle, cos(last))];
    }
    let angle = 3 * k as u32 + 2;
    rows[0].extend([(angle - 2, -Expr::one()), (angle, -sin(k))]);
    rows[1].extend([(angle - 1, -Expr::one()), (angle, cos(k))]);
    equations.jacobian.extend(rows);
    equations.phi.extend(phi);
    equations.gamma.extend(gamma);
    equations.phi_t.extend([Expr::zero(), Expr::zero()]);
}

/// Blocks of three velocities with a full mass block that changes with the state, random sparse rows,
/// and one row more that is the sum of the first two. Rates mix velocities, one group of coordinates
/// has unit length, auxiliaries are nested.
pub fn random(seed: u64, n_blocks: usize) -> Equations {
    let mut numbers = Numbers(seed);
    let n = 3 * n_blocks;
    let mut equations = Equations {
        n_coordinates: n + 1,
        n_velocities: n,
        unit: vec![UnitLength {
            coordinates: [0, 1, 2, 3],
            velocities: [0, 1, 2],
        }],
        ..Equations::default()
    };
    let aux = |i: u32| Expr::symbol(Symbol::Auxiliary(i));
    equations.auxiliaries = vec![
        q(0).sin() + parameter(0),
        aux(0) * q(1),
        aux(1) + aux(0).cos(),
    ];
    equations.rates = (0..n).map(|i| v(i) + q(i + 1) * v((i + 1) % n)).collect();
    equations.rates.push(aux(2) * v(0));
    for block in 0..n_blocks {
        mass_block(&mut equations, block, &mut numbers);
    }
    for _ in 0..2 * n_blocks - 2 {
        let row = random_row(n, &mut numbers);
        equations.jacobian.push(row);
    }
    equations.hold_jacobian.push(random_row(n, &mut numbers));
    equations.hold_values.push(q(2));
    equations.hold_rates.push(v(2) * aux(1));
    let sum = add_rows(&equations.jacobian[0], &equations.jacobian[1]);
    equations.jacobian.push(sum);
    for k in 0..equations.jacobian.len() {
        equations
            .phi
            .push(q(k % n).square() - number(numbers.real(0.0, 1.0)));
        equations
            .phi_t
            .push(Expr::symbol(Symbol::Time) * number(k as f64));
        equations
            .gamma
            .push(-(v(k % n).square() * aux(2)) + number(numbers.real(-1.0, 1.0)));
    }
    equations.forces = (0..n)
        .map(|i| aux(1) * v(i) - parameter(1) * parameter(2))
        .collect();
    equations.power = v(0) * Expr::symbol(Symbol::Input(0));
    equations
}

/// M = B Bᵀ + c 1 with an entry of B that changes with the state.
fn mass_block(equations: &mut Equations, block: usize, numbers: &mut Numbers) {
    let root: Vec<Vec<Expr>> = (0..3)
        .map(|_| (0..3).map(|_| number(numbers.real(-0.5, 0.5))).collect())
        .collect();
    for i in 0..3 {
        let mut row = SparseRow::new();
        for j in 0..3 {
            let mut entry: Expr = (0..3).map(|k| &root[i][k] * &root[j][k]).sum();
            if i == j {
                entry = entry + number(2.0) + q(3 * block).square() * parameter(0);
            }
            row.push(((3 * block + j) as u32, entry));
        }
        equations.mass.push(row);
    }
}

/// An entry in about a quarter of the columns and at least two; some are numbers.
fn random_row(n: usize, numbers: &mut Numbers) -> SparseRow {
    let mut row = SparseRow::new();
    let sure = [numbers.whole(n), numbers.whole(n)];
    for j in 0..n {
        if sure.contains(&j) || numbers.whole(4) == 0 {
            let scale = number(numbers.real(0.5, 2.0));
            row.push((
                j as u32,
                if numbers.whole(3) == 0 {
                    scale
                } else {
                    scale * q(j).cos() + q(j + 1)
                },
            ));
        }
    }
    row
}

fn add_rows(a: &SparseRow, b: &SparseRow) -> SparseRow {
    let mut sum: std::collections::BTreeMap<u32, Expr> = a.iter().cloned().collect();
    for (j, expr) in b {
        let entry = sum.entry(*j).or_default();
        *entry = &*entry + expr;
    }
    sum.into_iter().collect()
}
