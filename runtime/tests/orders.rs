//! Every integrator shows its order on the exact pendulum.

mod common;

use bellcrank::prelude::*;
use common::pendulum::{Pendulum, exact};

/// Largest distance from the exact position at the steps of 10 s.
fn error<I: Integrator<Pendulum, S>, S: Stabilizer<Pendulum>>(integrator: I, stabilizer: S) -> f64 {
    let mut sim = Simulation::new(Pendulum::default(), integrator, stabilizer).unwrap();
    let frames = sim.until(10.0).map(|frame| frame.unwrap());
    let gaps = frames.map(|frame| {
        let [x, y] = exact(frame.time());
        let q = frame.coordinates();
        (q[0] / 0.5 - x).hypot(q[1] / 0.5 - y)
    });
    gaps.fold(0.0, f64::max)
}

/// The slope of the error over a decade of steps.
fn check<I, S>(order: f64, coarse: f64, stabilizer: S, new: impl Fn(f64) -> I)
where
    I: Integrator<Pendulum, S>,
    S: Stabilizer<Pendulum> + Copy,
{
    let steps = [1.0, 0.1].map(|share| 10.0 / (10.0 / (coarse * share)).round());
    let errors = steps.map(|step| error(new(step), stabilizer));
    let slope = (errors[0] / errors[1]).log10() / (steps[0] / steps[1]).log10();
    assert!((slope - order).abs() < 0.15, "{order}: {slope} {errors:?}");
}

#[test]
fn explicit_methods_have_their_orders() {
    let projection = DirectCorrection::default();
    check(1.0, 1e-3, projection, SemiImplicitEuler::new);
    check(2.0, 5e-3, projection, Rk2::new);
    check(4.0, 1e-2, projection, Rk4::new);
    check(5.0, 4e-2, projection, DormandPrince::fixed);
}

#[test]
fn generalized_alpha_has_order_two() {
    check(2.0, 1e-2, NoStabilizer, GeneralizedAlpha::new);
    check(2.0, 1e-2, NoStabilizer, GeneralizedAlphaIndex3::new);
}

#[test]
fn augmented_lagrangian_has_order_two() {
    check(2.0, 5e-3, NoStabilizer, AugmentedLagrangianIndex3::new);
}

/// The largest error of 10 s is neither ten times as large as the tolerance nor as small as a tenth of it.
#[test]
fn adaptive_methods_hold_their_tolerance() {
    for exponent in 4..=10 {
        let tolerance = 10_f64.powi(-exponent);
        let projection = DirectCorrection::default();
        let errors = [
            error(DormandPrince::new(tolerance), projection),
            error(Bdf::new(tolerance), projection),
        ];
        for error in errors {
            let ratio = error / tolerance;
            assert!(ratio > 0.1 && ratio < 10.0, "{tolerance:e}: {errors:?}");
        }
    }
}

#[test]
fn backward_differences_have_their_orders() {
    for (order, coarse) in [(1, 1e-4), (2, 4e-3), (3, 1e-2), (4, 3e-3), (5, 8e-3)] {
        check(order as f64, coarse, NoStabilizer, |step| {
            Bdf::fixed(order, step)
        });
    }
}
