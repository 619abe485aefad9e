//! Long runs with each stabilizer that projects: violations stay at round-off, nothing becomes a number that is
//! none, and the mechanism stays on its branch, also through the positions where it could leave it.
//!
//! A tenth of the steps is run each time; `cargo test --test long_runs -- --ignored` runs a million, which takes
//! about ten times as long. It also prints how the energy drifts with the step.

use bellcrank::prelude::*;
use bellcrank_tests::{four_bar as four, kept};

/// One line for each stabilizer: which it is.
macro_rules! each {
    ($check:ident($steps:expr)) => {
        $check($steps, DirectCorrection::default());
        $check($steps, PlainCorrection::default());
        $check($steps, StandardProjection::default());
        $check($steps, SuccessiveProjection::default());
        $check($steps, CoordinatePartitioning::default());
        $check($steps, AugmentedLagrangianProjections::default());
        $check($steps, Ggl::default());
    };
}

#[test]
fn four_bar_stays() {
    each!(four_bar(100_000));
}

#[test]
fn double_four_bar_stays() {
    each!(double_four_bar(100_000));
}

#[test]
#[ignore = "a minute of processor time; the same with fewer steps always runs"]
fn four_bar_stays_for_a_million_steps() {
    each!(four_bar(1_000_000));
}

#[test]
#[ignore = "a minute of processor time; the same with fewer steps always runs"]
fn double_four_bar_stays_for_a_million_steps() {
    each!(double_four_bar(1_000_000));
}

/// Violations scaled by the longest link, 4 m. Assembled open, it stays open: the coupler never crosses the line
/// from the crank's tip to the follower's pivot.
fn four_bar<S: Stabilizer<kept::FourBar>>(steps: usize, keep: S) {
    let mut sim = Simulation::new(kept::FourBar::default(), Rk4::new(1e-3), keep).unwrap();
    let side = |sim: &Simulation<_, _, S>| {
        let o = sim.outputs().unwrap();
        (o[four::output::COUPLER] - o[four::output::FOLLOWER])
            .sin()
            .signum()
    };
    let branch = side(&sim);
    for n in 0..steps {
        let report = sim.step().unwrap();
        assert!(report.phi < 4e-12 && report.phi_dot < 4e-12, "{report:?}");
        if n % 100 == 0 {
            assert_eq!(side(&sim), branch, "at {n}");
        }
    }
    println!("{:e}", sim.frame().energy());
}

/// Level positions come once a second, and there the rows are dependent: Φ̇ reaches 1e-9 where a step ends within
/// 1e-5 m of one. As parallelograms both stay untilted.
fn double_four_bar<S: Stabilizer<kept::DoubleFourBar>>(steps: usize, keep: S) {
    let mut sim = Simulation::new(kept::DoubleFourBar::default(), Rk4::new(1e-3), keep).unwrap();
    let energy = sim.frame().energy();
    let (mut phi, mut phi_dot, mut tilt) = (0.0_f64, 0.0_f64, 0.0_f64);
    for n in 0..steps {
        let report = sim
            .step()
            .unwrap_or_else(|stop| panic!("{stop} in step {n}"));
        phi = phi.max(report.phi);
        phi_dot = phi_dot.max(report.phi_dot);
        if n % 10 == 0 {
            let o = sim.outputs().unwrap();
            tilt = tilt.max(o[4].abs()).max(o[5].abs());
        }
    }
    let drift = (sim.frame().energy() - energy).abs();
    println!("{phi:e} {phi_dot:e} {tilt:e} {drift:e}");
}
