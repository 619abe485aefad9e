//! The division by M in the dense path against the whole system, solved at once.

mod common;

use bellcrank::{Dense, Reduced};
use common::double_four_bar::DoubleFourBar;
use nalgebra::{Matrix6, SMatrix, SVector, Vector5, Vector6};

type Whole = SVector<f64, 11>;

/// Between −0.5 and 0.5, without a pattern.
fn scatter(seed: usize) -> f64 {
    let mixed = (seed as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    ((mixed ^ (mixed >> 27)) >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
}

/// M of a rank, five constraint rows and a hold.
fn equations(rank: usize) -> Dense<DoubleFourBar> {
    let root = Matrix6::from_fn(|i, j| {
        let entry = f64::from(u8::from(i == j)) + scatter(6 * i + j);
        if j < rank { entry } else { 0.0 }
    });
    let mut dense = Dense::zero();
    dense.mass = root * root.transpose();
    dense.rows = Matrix6::from_fn(|i, j| scatter(100 + 6 * i + j));
    dense.forces = Vector6::from_fn(|i, _| scatter(200 + i));
    dense.gamma = Vector5::from_fn(|i, _| scatter(300 + i));
    dense
}

/// [M −Dᵀ; D 0] (v̇, λ) = (Q, γ)
fn whole(dense: &Dense<DoubleFourBar>, forces: Vector6<f64>, gamma: Vector5<f64>) -> Whole {
    let d = dense.rows.fixed_rows::<5>(0).into_owned();
    let matrix = SMatrix::<f64, 11, 11>::from_fn(|i, j| match (i < 6, j < 6) {
        (true, true) => dense.mass[(i, j)],
        (true, false) => -d[(j - 6, i)],
        (false, true) => d[(i - 6, j)],
        (false, false) => 0.0,
    });
    let right = Whole::from_fn(|i, _| if i < 6 { forces[i] } else { gamma[i - 6] });
    matrix.full_piv_lu().solve(&right).unwrap()
}

#[test]
fn mass_of_every_rank_gives_the_solution_of_the_whole() {
    // No moving mass is left for the one degree of freedom that the rows leave.
    for rank in 1..=6 {
        let mut dense = equations(rank);
        let wanted = whole(&dense, dense.forces, dense.gamma);
        let phi = Vector5::from_fn(|i, _| scatter(400 + i));
        let step = whole(&dense, Vector6::zeros(), -phi);

        let mut reduced = Reduced::zero();
        reduced.reduce(&mut dense);
        let d = dense.rows.fixed_rows::<5>(0).into_owned();
        let pull = reduced.weighted.fixed_rows::<5>(0).transpose();
        let schur = reduced.schur.fixed_view::<5, 5>(0, 0).into_owned().lu();
        let multipliers = schur.solve(&(dense.gamma - d * reduced.free)).unwrap();
        let accelerations = reduced.free + pull * multipliers;
        let correction = -(pull * schur.solve(&phi).unwrap());
        // Round-off times the condition of five random rows, about 1e3.
        let close = |x: f64, y: f64| (x - y).abs() < 1e-11 * wanted.norm().max(step.norm());
        for i in 0..6 {
            assert!(close(accelerations[i], wanted[i]), "{rank}: {wanted}");
            assert!(close(correction[i], step[i]), "{rank}: {step}");
        }
        (0..5).for_each(|k| assert!(close(multipliers[k], wanted[6 + k]), "{rank}: {wanted}"));
    }
}

#[test]
fn a_motion_without_mass_and_constraint_gives_no_number() {
    let mut dense = equations(0);
    let mut reduced = Reduced::zero();
    reduced.reduce(&mut dense);
    assert!(reduced.free.iter().all(|x| x.is_nan()));
    assert!((0..6).all(|row| reduced.schur[(row, row)].is_nan()));
}
