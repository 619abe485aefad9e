//! The rank-revealing factor against the singular value decomposition of nalgebra.

#![cfg(feature = "std")]

mod common;

use bellcrank::{
    Dense, Evaluation, Mechanism, RankFactor, Reduced, RowValues, SolvePath, State, evaluate,
};
use bellcrank::{StateView, minimum_norm_multipliers, table};
use common::double_four_bar::DoubleFourBar;
use common::pendulum::DoubledPendulum;
use nalgebra::{SMatrix, Vector3, Vector6};

/// A⁺ b, with the rank tolerance squared as for the factor.
fn pseudo_inverse<const N: usize>(a: SMatrix<f64, N, N>) -> nalgebra::DMatrix<f64> {
    let dynamic = nalgebra::DMatrix::from_fn(N, N, |i, j| a[(i, j)]);
    dynamic.pseudo_inverse(1e-10).unwrap()
}

#[test]
fn multipliers_of_doubled_rows_are_those_of_the_pseudo_inverse() {
    let m = DoubledPendulum::default();
    for angle in [-2.0, -0.3, 0.1, 1.0, 3.0] {
        let (q, v) = (
            m.0.0.at(angle),
            Vector3::new(0.5 * angle.cos(), 0.5 * angle.sin(), 1.0) * 2.0,
        );
        let (t, q, v) = (0.0, &q, &v);
        let state = StateView { t, q, v };
        let mut out = Evaluation::zero();
        let multipliers = minimum_norm_multipliers(&m, state, &mut out).unwrap();
        let mut dense = Dense::zero();
        m.dense(state, &mut dense);
        let mut reduced = Reduced::zero();
        reduced.reduce(&mut dense);
        let d = dense.rows.fixed_rows::<4>(0).into_owned();
        let b = dense.gamma - d * reduced.free;
        let expected = pseudo_inverse(reduced.schur.fixed_view::<4, 4>(0, 0).into_owned()) * b;
        for row in 0..4 {
            assert!(
                (multipliers[row] - expected[row]).abs() < 1e-12,
                "{multipliers} {expected}"
            );
        }
    }
}

#[test]
fn the_flat_double_four_bar_has_lost_rank() {
    let m = DoubleFourBar::default();
    let q = Vector6::new(1.0, 0.0, 2.0, 0.0, 3.0, 0.0);
    let v = Vector6::new(0.0, -1.0, 0.0, -1.0, 0.0, -1.0);
    let mut out = Evaluation::zero();
    evaluate(&m, State::new(0.0, q, v).view(), &mut out).unwrap();
    assert_eq!(out.path, SolvePath::Dense { rank: 3 });
    // All tops fall alike: centripetal along x, and of smallest norm along y.
    let a = out.acceleration.accelerations;
    assert!((a[0] + 1.0).abs() < 1e-12 && (a[2] + 1.0).abs() < 1e-12 && (a[4] + 1.0).abs() < 1e-12);
}

/// Between −0.5 and 0.5, without a pattern.
fn scatter(seed: usize) -> f64 {
    let mixed = (seed as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    ((mixed ^ (mixed >> 27)) >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
}

#[test]
fn factor_equals_the_pseudo_inverse_for_every_rank() {
    for rank in 0..=6 {
        let noise = |i, j| scatter(100 * rank + 10 * i + j);
        let columns =
            SMatrix::<f64, 6, 6>::from_fn(|i, j| if j < rank { noise(i, j) } else { 0.0 });
        let a = columns * columns.transpose();
        let b = Vector6::from_fn(|i, _| noise(i, 7));
        let mut factor = RankFactor::<DoubleFourBar>::zero();
        factor.decompose(&a, 6, 0.0);
        assert_eq!(factor.rank(), rank);
        let mut rows = RowValues::zero();
        (0..6).for_each(|i| rows[i] = b[i]);
        let (x, expected) = (factor.solve(&a, &rows), pseudo_inverse(a) * b);
        let scale = expected.norm().max(1.0);
        // The squared condition of the columns times round-off.
        (0..6).for_each(|i| assert!((x[i] - expected[i]).abs() < 1e-9 * scale, "{rank}"));
    }
}

#[test]
fn tables_keep_their_ends() {
    let x = [0.0, 1.0, 3.0];
    let coefficients = [[0.0, 1.0, 2.0, 3.0], [6.0, 0.0, -1.0, 0.5]];
    let at = |derivative, at| table(&x, &coefficients, derivative, at);
    assert_eq!(
        [at(0, -1.0), at(0, 0.0), at(0, 0.5)],
        [0.0, 0.0, 0.5 + 0.5 + 0.375]
    );
    assert_eq!(
        [at(0, 1.0), at(0, 2.0), at(0, 3.0), at(0, 9.0)],
        [6.0, 5.5, 6.0, 6.0]
    );
    assert_eq!(
        [at(1, -1.0), at(1, 0.5), at(2, 0.5), at(3, 0.5), at(1, 9.0)],
        [0.0, 5.25, 13.0, 18.0, 0.0]
    );
    assert!(at(0, f64::NAN).is_nan() && table(&[], &[], 0, 1.0_f64).is_nan());
    assert_eq!(at(0, f64::INFINITY), 6.0);
}
