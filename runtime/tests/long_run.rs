//! A million steps stay on the manifold.

mod common;

use bellcrank::prelude::*;
use common::unrolled::{SinglePendulum, UnrolledPendulum};

#[test]
fn a_million_steps_stay_at_round_off() {
    let sim = Simulation::new(
        UnrolledPendulum,
        Rk4::new(1e-3),
        DirectCorrection::default(),
    );
    let mut sim = sim.unwrap();
    let mut monitor = Monitor::new(&sim.frame());
    let mut passes = 0;
    for (n, frame) in sim.until(1000.0).enumerate() {
        let frame = frame.unwrap();
        monitor.observe_report(frame.report());
        passes += frame.report().position_passes + frame.report().velocity_passes;
        if n % 100 == 0 {
            monitor.observe(&frame);
        }
    }
    assert_eq!(sim.time(), 1000.0);
    assert_eq!(
        (sim.counts().evaluations, sim.counts().dense),
        (4_000_000, 0)
    );
    assert!(monitor.phi < 1e-14, "{monitor:?}");
    // Velocities reach 4.4 rad/s.
    assert!(monitor.phi_dot < 1e-13, "{monitor:?}");
    // h⁵ a step, a million times, against 4.9 J.
    assert!(monitor.energy_drift < 1e-7, "{monitor:?}");
    // One pass at each level is the rule.
    assert!(passes < 2_500_000, "{passes}");
}

#[test]
fn single_precision_stays_at_its_own_round_off() {
    let sim = Simulation::new(
        SinglePendulum,
        Rk4::new(1e-2_f32),
        DirectCorrection::default(),
    );
    let mut sim = sim.unwrap();
    let mut monitor = Monitor::new(&sim.frame());
    sim.until(100.0)
        .for_each(|frame| monitor.observe(&frame.unwrap()));
    assert_eq!(sim.time(), 100.0);
    assert!(monitor.phi < 4e-6 && monitor.phi_dot < 2e-5, "{monitor:?}");
    // Ten thousand roundings of 4.9 J.
    assert!(monitor.energy_drift < 1e-2, "{monitor:?}");
}
