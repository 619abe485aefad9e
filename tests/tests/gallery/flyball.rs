//! The stiff flyball governor, by an explicit method.

use bellcrank::prelude::*;
use bellcrank_tests::{FlyballGovernor, body, flyball_governor as names, gaps, reference};

const REFERENCE: &str = include_str!("../../../models/flyball_governor/reference.csv");

/// The dampers make a rate of 8.1e3 /s, 4e4 N s/m · (2 · 0.5²/3 kg + (0.433 m)²/5.1 kg m²), at the start, and RK4 is
/// stable up to 2.785 of it: 0.34 ms. Below that stability and not accuracy sets the step: at 0.25 ms the
/// height is good to 1.4e-9 m and the largest of all errors is that of its rate, 6.8e-6 m/s.
#[test]
fn flyball_governor_follows_the_reference() {
    let rows = reference(REFERENCE);
    assert_eq!(rows.last().unwrap()[0], 10.0);
    assert_eq!(FlyballGovernor::FREEDOMS, 4);
    for step in [FlyballGovernor::DEFAULTS.step, 0.25e-3] {
        let all = [
            gaps(FlyballGovernor::default(), step, &rows),
            gaps(body::FlyballGovernor::default(), step, &rows),
        ];
        for gaps in &all {
            assert!(gaps[names::output::HEIGHT] < 1e-8, "{step}: {all:?}");
            assert!(gaps.iter().all(|gap| *gap < 1e-5), "{step}: {all:?}");
        }
    }
}

/// A run that diverges ends with a reason, whichever is met first, and not with numbers.
fn diverges(mechanism: impl Mechanism<Scalar = f64>) {
    let (method, keep) = (Rk4::new(0.4e-3), DirectCorrection::default());
    let mut sim = Simulation::new(mechanism, method, keep).unwrap();
    assert!(sim.until(1.0).any(|frame| frame.is_err()));
}

/// Above the limit of 0.34 ms.
#[test]
fn flyball_governor_needs_small_steps() {
    diverges(FlyballGovernor::default());
    diverges(body::FlyballGovernor::default());
}

/// Energy less the dampers' work drifts by
/// what RK4 leaves of them, 3.6e-6 J of 239 J in points and 6.6e-6 J in `body`.
fn balances<M: Mechanism<Scalar = f64>>(mechanism: M) {
    let (method, keep) = (Rk4::new(M::DEFAULTS.step), DirectCorrection::default());
    let mut sim = Simulation::new(mechanism, method, keep).unwrap();
    let start = sim.frame().balance();
    for frame in sim.until(10.0) {
        let drift = (frame.unwrap().balance() - start).abs();
        assert!(drift < 2e-5, "{drift:e}");
    }
}

#[test]
fn flyball_governor_balances_energy_and_work() {
    balances(FlyballGovernor::default());
    balances(body::FlyballGovernor::default());
}
