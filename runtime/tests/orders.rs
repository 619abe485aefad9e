//! Every integrator shows its order on the exact pendulum.

mod common;

use bellcrank::prelude::*;
use common::pendulum::{Pendulum, exact};

/// Largest distance from the exact position at the steps of 10 s.
fn error<I: Integrator<Pendulum, NoStabilizer>>(integrator: I) -> f64 {
    let mut sim = Simulation::new(Pendulum::default(), integrator, NoStabilizer).unwrap();
    let frames = sim.until(10.0).map(|frame| frame.unwrap());
    let gaps = frames.map(|frame| {
        let [x, y] = exact(frame.time());
        let q = frame.coordinates();
        (q[0] / 0.5 - x).hypot(q[1] / 0.5 - y)
    });
    gaps.fold(0.0, f64::max)
}

/// The slope of the error over a decade of steps.
fn check<I: Integrator<Pendulum, NoStabilizer>>(order: f64, coarse: f64, new: impl Fn(f64) -> I) {
    let steps = [1.0, 0.1_f64.sqrt(), 0.1].map(|share| 10.0 / (10.0 / (coarse * share)).round());
    let errors = steps.map(|step| error(new(step)));
    let slope = (errors[0] / errors[2]).log10() / (steps[0] / steps[2]).log10();
    println!("{order}: {slope:.3} {errors:?}");
    assert!((slope - order).abs() < 0.15, "{order}: {slope} {errors:?}");
}

#[test]
fn explicit_methods_have_their_orders() {
    check(1.0, 2e-3, SemiImplicitEuler::new);
    check(2.0, 1e-2, Rk2::new);
    check(4.0, 2e-2, Rk4::new);
    check(5.0, 4e-2, DormandPrince::fixed);
}

#[test]
fn generalized_alpha_has_order_two() {
    check(2.0, 1e-2, GeneralizedAlpha::new);
    check(2.0, 1e-2, GeneralizedAlphaIndex3::new);
}

#[test]
fn augmented_lagrangian_has_order_two() {
    check(2.0, 1e-2, AugmentedLagrangianIndex3::new);
}
