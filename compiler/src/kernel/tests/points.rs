//! Systems with a mass matrix that couples neighbours, or that has no inverse.

use super::Numbers;
use super::systems::{number, q, v};
use crate::expr::Expr;
use crate::symbolic::{Equations, SparseRow};

/// n uniform rods in the plane, hung at the origin, in the coordinates of their lower ends: with
/// d = p_i − p_{i−1}, M = Σ m/6 (2 1; 1 2) over each rod's ends, Φ = ½ (d · d − 1), γ = −ḋ · ḋ.
pub fn rods(n: usize) -> Equations {
    let m = 1.2;
    let mut equations = still(2 * n);
    for i in 0..2 * n {
        let (last, next) = (i < 2, i + 2 < 2 * n);
        let mut row = SparseRow::new();
        if !last {
            row.push((i as u32 - 2, number(m / 6.0)));
        }
        row.push((i as u32, number(m / 3.0 * f64::from(1 + u8::from(next)))));
        if next {
            row.push((i as u32 + 2, number(m / 6.0)));
        }
        equations.mass.push(row);
        let share = if next { 1.0 } else { 0.5 };
        let weight = if i % 2 == 1 { -9.81 * m * share } else { 0.0 };
        equations.forces.push(number(weight));
    }
    for k in 0..n {
        rod(&mut equations, k);
    }
    equations
}

fn rod(equations: &mut Equations, k: usize) {
    let along = |of: fn(usize) -> Expr, axis: usize| match k {
        0 => of(axis),
        _ => of(2 * k + axis) - of(2 * k - 2 + axis),
    };
    let square = |of| along(of, 0).square() + along(of, 1).square();
    let mut row = SparseRow::new();
    if k > 0 {
        row.extend([0, 1].map(|axis| ((2 * k - 2 + axis) as u32, -along(q, axis))));
    }
    row.extend([0, 1].map(|axis| ((2 * k + axis) as u32, along(q, axis))));
    push_row(
        equations,
        row,
        number(0.5) * (square(q) - number(1.0)),
        -square(v),
    );
}

/// M with 4 on the diagonal, −1 beside it and 0.5 beside that; sparse random rows.
pub fn banded(seed: u64, n: usize) -> Equations {
    let mut numbers = Numbers(seed);
    let mut equations = still(n);
    for i in 0..n {
        let band = [0.5, -1.0, 4.0, -1.0, 0.5].into_iter().enumerate();
        let inside = band.filter_map(|(b, x)| Some(((i + b).checked_sub(2)?, x)));
        let inside = inside.filter(|(j, _)| *j < n);
        equations
            .mass
            .push(inside.map(|(j, x)| (j as u32, number(x))).collect());
    }
    random_rows(&mut equations, n / 2, 2, &mut numbers);
    equations
}

/// A rod, a part without mass, two parts that share one mass, and a whole one; four full rows.
pub fn semidefinite(seed: u64) -> Equations {
    let mut numbers = Numbers(seed);
    let mut equations = still(6);
    let mass: [&[(u32, f64)]; 6] = [
        &[(0, 2.0), (1, 1.0)],
        &[(0, 1.0), (1, 2.0)],
        &[],
        &[(3, 1.0), (4, 2.0)],
        &[(3, 2.0), (4, 4.0)],
        &[(5, 2.0)],
    ];
    let row = |row: &&[(u32, f64)]| row.iter().map(|&(j, x)| (j, number(x))).collect();
    equations.mass = mass.iter().map(row).collect();
    random_rows(&mut equations, 4, 1, &mut numbers);
    equations
}

/// The row (x, y) · v = 0 on the first two of five velocities. M couples the other four in a ring, so
/// that the second one is late.
pub fn carriage() -> Equations {
    let mut equations = still(5);
    let ring = |i: u32| [(1 + i + 2) % 4 + 1, (1 + i) % 4 + 1].map(|j| (j, number(1.0)));
    equations.mass.push(vec![(0, number(1.0))]);
    for i in 0..4 {
        let mut row = SparseRow::from(ring(i));
        row.push((i + 1, number(4.0)));
        row.sort_by_key(|(j, _)| *j);
        equations.mass.push(row);
    }
    equations.forces = (0..5).map(v).collect();
    push_row(
        &mut equations,
        vec![(0, q(0)), (1, q(1))],
        number(0.5) * (q(0).square() + q(1).square() - number(1.0)),
        -(v(0).square() + v(1).square()),
    );
    equations
}

/// n coordinates that are the velocities' integrals, and no forces yet
fn still(n: usize) -> Equations {
    Equations {
        n_coordinates: n,
        n_velocities: n,
        rates: (0..n).map(v).collect(),
        power: Expr::zero(),
        ..Equations::default()
    }
}

/// An entry in one of `every` columns and in two sure ones, 1.5 + sin q or a number.
fn random_rows(equations: &mut Equations, n_rows: usize, every: usize, numbers: &mut Numbers) {
    let n = equations.n_velocities;
    for _ in 0..n_rows {
        let sure = [numbers.whole(n), numbers.whole(n)];
        let mut row = SparseRow::new();
        for j in 0..n {
            if sure.contains(&j) || numbers.whole(every) == 0 {
                let scale = number(numbers.real(-2.0, 2.0));
                row.push((j as u32, scale * (number(1.5) + q(j).sin())));
            }
        }
        let phi = q(numbers.whole(n)) - number(numbers.real(0.0, 1.0));
        push_row(equations, row, phi, number(numbers.real(-1.0, 1.0)));
    }
    let forces = (0..n).map(|i| number(0.1 * i as f64 - 1.0) * v(i));
    equations.forces = forces.collect();
}

fn push_row(equations: &mut Equations, row: SparseRow, phi: Expr, gamma: Expr) {
    equations.jacobian.push(row);
    equations.phi.push(phi);
    equations.gamma.push(gamma);
    equations.phi_t.push(Expr::zero());
}
