//! Every integrator shows its order on the exact pendulum, and adaptive ones hold their tolerance.

mod common;

use bellcrank::SHAMPINE_REICHELT;
use bellcrank::prelude::*;
use common::pendulum::{DoubledPendulum, DrivenPendulum, Pendulum, exact};

/// Largest distance from the exact position at the steps of a run.
fn error<I, S>(until: f64, integrator: I, stabilizer: S) -> f64
where
    I: Integrator<Pendulum, S>,
    S: Stabilizer<Pendulum>,
{
    let mut sim = Simulation::new(Pendulum::default(), integrator, stabilizer).unwrap();
    let frames = sim.until(until).map(|frame| frame.unwrap());
    let gaps = frames.map(|frame| {
        let [x, y] = exact(frame.time());
        let q = frame.coordinates();
        (q[0] / 0.5 - x).hypot(q[1] / 0.5 - y)
    });
    gaps.fold(0.0, f64::max)
}

/// The slope of the error over a decade of steps, the longest of which is 1/`n` s.
fn check<I, S>(order: f64, until: f64, n: f64, stabilizer: S, new: impl Fn(f64) -> I)
where
    I: Integrator<Pendulum, S>,
    S: Stabilizer<Pendulum> + Copy,
{
    let errors = [1.0 / n, 0.1 / n].map(|step| error(until, new(step), stabilizer));
    let slope = (errors[0] / errors[1]).log10();
    assert!((slope - order).abs() < 0.15, "{order}: {slope} {errors:?}");
}

#[test]
fn explicit_methods_have_their_orders() {
    let keep = DirectCorrection::default();
    check(1.0, 2.0, 500.0, keep, SemiImplicitEuler::new);
    check(2.0, 2.0, 100.0, keep, Rk2::new);
    check(4.0, 10.0, 100.0, keep, Rk4::new);
    check(5.0, 10.0, 25.0, keep, DormandPrince::fixed);
}

#[test]
fn implicit_methods_have_order_two() {
    check(2.0, 2.0, 100.0, NoStabilizer, GeneralizedAlpha::new);
    check(2.0, 2.0, 100.0, NoStabilizer, GeneralizedAlphaIndex3::new);
    check(
        2.0,
        2.0,
        100.0,
        NoStabilizer,
        AugmentedLagrangianIndex3::new,
    );
}

/// Steps that are cut short to end at given times, some of them to next to nothing, cost steps, but little accuracy.
#[test]
fn backward_differences_bear_cut_steps() {
    let (method, keep) = (Bdf::new(1e-6), DirectCorrection::default());
    let mut sim = Simulation::new(Pendulum::default(), method, keep).unwrap();
    for n in 1..=300 {
        let time = f64::from(n) / 30.0;
        for end in [time - 1e-7, time] {
            assert!(sim.until(end).all(|frame| frame.is_ok()));
        }
        let ([x, y], q) = (exact(time), sim.state().q);
        let gap = (q[0] / 0.5 - x).hypot(q[1] / 0.5 - y);
        // Each cut begins some ten short steps, whose errors add to those of the long ones.
        assert!(gap < 3e-5, "{time}: {gap:e}");
    }
    // 1300 without cuts, and about 15 for each of 600; `Simulation::at` reads between the steps and needs none.
    assert!(sim.steps() < 12_000, "{}", sim.steps());
}

#[test]
fn backward_differences_have_their_orders() {
    for (order, n) in [(1, 2000.0), (2, 200.0), (3, 100.0), (4, 100.0), (5, 100.0)] {
        for kappas in formulas() {
            let new = |step| Bdf::fixed(order, step).with_kappas(kappas);
            check(order as f64, 2.0, n, NoStabilizer, new);
        }
    }
}

/// κ of Gear, of Shampine and Reichelt, and for steps that are longer by a quarter at every order.
fn formulas() -> [[f64; 5]; 3] {
    let longer = Bdf::new(1.0).with_longer_steps(0.26).kappas;
    [[0.0; 5], SHAMPINE_REICHELT, longer]
}

/// A quarter more is what the published formulas have, up to order 3 and to their digits.
#[test]
fn longer_steps_go_on_with_the_published_formulas() {
    let [_, published, longer] = formulas();
    for (published, longer) in published.iter().zip(longer).take(3) {
        assert!((published - longer).abs() < 1e-4, "{published} {longer}");
    }
}

/// The largest error of 10 s is neither ten times as large as the tolerance nor as small as a tenth of it.
#[test]
fn adaptive_methods_hold_their_tolerance() {
    for exponent in 4..=10 {
        let tolerance = 10_f64.powi(-exponent);
        let projection = DirectCorrection::default();
        let [gear, published, longer] = formulas().map(|kappas| {
            let method = Bdf::new(tolerance).with_kappas(kappas);
            error(10.0, method, projection)
        });
        let explicit = error(10.0, DormandPrince::new(tolerance), projection);
        let errors = [explicit, gear, published, longer];
        for error in errors {
            let ratio = error / tolerance;
            assert!(ratio > 0.1 && ratio < 10.0, "{tolerance:e}: {errors:?}");
        }
    }
}

/// Rows that repeat each other leave the motion alone: the dense factor takes each once.
#[test]
fn doubled_rows_move_like_single_ones() {
    let method = || GeneralizedAlpha::new(1e-3);
    let single = Simulation::new(Pendulum::default(), method(), NoStabilizer);
    let double = Simulation::new(DoubledPendulum::default(), method(), NoStabilizer);
    let (mut single, mut double) = (single.unwrap(), double.unwrap());
    assert!(single.until(2.0).all(|frame| frame.is_ok()));
    assert!(double.until(2.0).all(|frame| frame.is_ok()));
    assert!(double.counts().dense > 0);
    // A position rounded at 1e-16 is an acceleration rounded at 4/h² of that, which the two do differently.
    assert!((single.state().q - double.state().q).norm() < 1e-10);
}

/// Lifted by 0.5 (1 − cos 3) m. The rows give the motion here, so steps are chosen that are long for the work;
/// the trapezoidal rule of generalised-α leaves h²/12 of the change of power.
#[test]
fn driver_work_balances_the_energy() {
    let lifted = 9.81 * 0.5 * (1.0 - 3_f64.cos());
    let bdf = work(Bdf::new(1e-10));
    assert!((bdf - lifted).abs() < 1e-8, "{bdf}");
    let alpha = work(GeneralizedAlpha::new(1e-3));
    assert!((alpha - lifted).abs() < 1e-5, "{alpha}");
}

fn work<I: Integrator<DrivenPendulum, DirectCorrection>>(integrator: I) -> f64 {
    let keep = DirectCorrection::default();
    let mut sim = Simulation::new(DrivenPendulum::default(), integrator, keep).unwrap();
    assert!(sim.until(1.0).all(|frame| frame.is_ok()));
    sim.state().work
}
