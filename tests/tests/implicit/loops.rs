//! Singular positions, single precision, and no allocation.

use allocation_counter::measure;
use bellcrank::Tangent;
use bellcrank::prelude::*;
use bellcrank_tests::implicit::{DoubleFourBar, FourBar, SpatialSliderCrank, single};

/// Flat many times on the way, where the rows lose rank.
#[test]
fn backward_differences_pass_singular_positions() {
    let method = Bdf::new(1e-8);
    let keep = DirectCorrection::default();
    let mut sim = Simulation::new(DoubleFourBar::default(), method, keep).unwrap();
    let start = sim.frame().balance();
    for frame in sim.until(10.0) {
        let frame = frame.unwrap();
        assert!(frame.report().phi < 1e-12, "{:?}", frame.report());
        // Far above the tolerance, and far below what another way on from a flat position would cost.
        assert!((frame.balance() - start).abs() < 1e-3, "{}", frame.time());
    }
}

/// In single precision the same runs end near those in double precision.
#[test]
fn single_precision_goes_the_same_way() {
    let keep = NoStabilizer;
    let mut double =
        Simulation::new(FourBar::default(), GeneralizedAlpha::new(1e-3), keep).unwrap();
    let one = single::FourBar::default;
    let mut single = Simulation::new(one(), GeneralizedAlpha::new(1e-3), keep).unwrap();
    let mut adaptive = Simulation::new(one(), Bdf::new(1e-4), keep).unwrap();
    assert!(double.until(0.5).all(|frame| frame.is_ok()));
    assert!(single.until(0.5).all(|frame| frame.is_ok()));
    assert!(adaptive.until(0.5).all(|frame| frame.is_ok()));
    for (k, q) in double.state().q.iter().enumerate() {
        let gaps = [single.state().q[k], adaptive.state().q[k]].map(|x| (f64::from(x) - q).abs());
        assert!(gaps.iter().all(|gap| *gap < 1e-2), "{k}: {gaps:?}");
    }
}

#[test]
fn steps_do_not_allocate() {
    let counted = measure(|| {
        run::<FourBar>();
        run::<SpatialSliderCrank>();
        run::<DoubleFourBar>();
    });
    assert_eq!(counted.count_total, 0, "{counted:?}");
}

fn run<M: Tangent<Scalar = f64> + Default>() {
    go(M::default(), Bdf::new(1e-6));
    go(M::default(), GeneralizedAlpha::new(1e-3));
    go(M::default(), GeneralizedAlphaIndex3::new(1e-3));
    go(M::default(), AugmentedLagrangianIndex3::new(1e-3));
}

fn go<M: Tangent<Scalar = f64>, I: Integrator<M, DirectCorrection>>(mechanism: M, method: I) {
    let keep = DirectCorrection::default();
    let mut sim = Simulation::new(mechanism, method, keep).unwrap();
    assert!(sim.until(0.1).all(|frame| frame.is_ok()));
}
