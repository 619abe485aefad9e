//! The four-bar in the plane and in space.

use bellcrank::prelude::*;
use bellcrank_tests::{FourBar, SpatialFourBar, reference};

const REFERENCE: &str = include_str!("../../../models/four_bar/reference.csv");

/// Largest error of the crank angle against the reference over 10 s, and the energy drift.
fn crank_error(step: f64) -> (f64, f64) {
    let mut sim = Simulation::new(
        FourBar::default(),
        Rk4::new(step),
        DirectCorrection::default(),
    )
    .unwrap();
    let energy = sim.frame().energy();
    let (mut error, mut drift) = (0.0_f64, 0.0_f64);
    for row in reference(REFERENCE).iter().take_while(|row| row[0] <= 10.0) {
        for frame in sim.until(row[0]) {
            drift = drift.max((frame.unwrap().energy() - energy).abs());
        }
        let outputs = sim.outputs().unwrap();
        error = error.max((outputs[0] - row[1]).abs());
    }
    (error, drift)
}

/// The reference has 12 digits; the bounds are what RK4 leaves at these steps.
#[test]
fn planar_four_bar_follows_the_reference() {
    let (error, drift) = crank_error(1e-3);
    assert!(error < 1e-6, "crank angle {error:e}");
    assert!(drift < 1e-5, "energy {drift:e}");
    let (error, _) = crank_error(0.25e-3);
    assert!(error < 1e-8, "crank angle {error:e}");
}

/// Both are integrated with the same method in different coordinates, so they differ by the method's
/// error, which at 0.5 ms is a sixteenth of 3e-8.
#[test]
fn spatial_four_bar_follows_the_planar_one() {
    let (method, keep) = (Rk4::new(0.5e-3), DirectCorrection::default());
    let mut plane = Simulation::new(FourBar::default(), method, keep).unwrap();
    let mut space = Simulation::new(SpatialFourBar::default(), method, keep).unwrap();
    assert_eq!(SpatialFourBar::REDUNDANT.len(), 3);
    for k in 1..=1000 {
        let t = f64::from(k) * 0.01;
        assert!(plane.until(t).all(|frame| frame.is_ok()));
        assert!(space.until(t).all(|frame| frame.is_ok()));
        let planar = plane.outputs().unwrap();
        let spatial = space.outputs().unwrap();
        let error = (spatial[0] - planar[0]).abs();
        assert!(error < 1e-8, "{error:e} at {t}");
    }
}

/// ‖Φ‖ and ‖Φ̇‖ scaled by the longest link, 4 m.
#[test]
fn a_million_steps_stay_on_the_manifold() {
    let mut sim = Simulation::new(
        FourBar::default(),
        Rk4::new(1e-3),
        DirectCorrection::default(),
    )
    .unwrap();
    for _ in 0..1_000_000 {
        let report = sim.step().unwrap();
        assert!(report.phi < 4e-12 && report.phi_dot < 4e-12, "{report:?}");
    }
    assert!(sim.frame().energy().is_finite());
}

/// Largest error of the crank angle over 2 s, so that no accidental zero of it is measured.
fn error_of(step: f64, keep: AnyStabilizer) -> f64 {
    let angles = |step: f64| -> Vec<f64> {
        let mut sim = Simulation::new(FourBar::default(), Rk4::new(step), keep).unwrap();
        let sample = |k: u32| {
            let end = f64::from(k) * 0.02;
            assert!(sim.until(end).all(|frame| frame.is_ok()));
            sim.outputs().unwrap()[0]
        };
        (1..=100).map(sample).collect()
    };
    let gaps = angles(step).into_iter().zip(angles(2e-5));
    gaps.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// Halving the step divides the error by 16. Projection takes away the part of the error that leaves the
/// manifold, which is most of it: what stays is smaller and, at these steps, falls even faster.
#[test]
fn rk4_has_order_four_on_a_closed_loop() {
    let free = AnyStabilizer::NoStabilizer(NoStabilizer);
    let slope = (error_of(1e-3, free) / error_of(0.5e-3, free)).log2();
    assert!((slope - 4.0).abs() < 0.15, "slope {slope}");
    let kept = AnyStabilizer::DirectCorrection(DirectCorrection::default());
    let slope = (error_of(1e-3, kept) / error_of(0.5e-3, kept)).log2();
    assert!(slope > 3.85, "slope {slope}");
    assert!(error_of(1e-3, kept) < 0.1 * error_of(1e-3, free));
}
