//! The five-arm pendulum, by our definition of its start.

use bellcrank::prelude::*;
use bellcrank_tests::{FiveArmPendulum, body, gaps, joint, reference};

const REFERENCE: &str = include_str!("../../../models/five_arm_pendulum/reference.csv");

/// The tip until 3 s; later errors grow because the motion is chaotic. RK4 leaves 2.3e-9 m in points and
/// 1.7e-9 m in `body` at 1 ms, and a sixteenth of that at 0.5 ms. The reference is good to 2e-12 there.
#[test]
fn five_arm_pendulum_follows_the_reference() {
    let mut rows = reference(REFERENCE);
    rows.retain(|row| row[0] <= 3.0);
    assert_eq!(rows.len(), 301);
    for (step, bound) in [(FiveArmPendulum::DEFAULTS.step, 1e-8), (0.5e-3, 1e-9)] {
        let all = [
            gaps(FiveArmPendulum::default(), step, &rows),
            gaps(body::FiveArmPendulum::default(), step, &rows),
            gaps(joint::FiveArmPendulum::default(), step, &rows),
        ];
        assert!(all.iter().flatten().all(|gap| *gap < bound), "{all:?}");
    }
}

/// It starts with the energy zero, and exchanges more than 100 J; RK4 leaves 7.4e-8 J at 1 ms.
fn keeps_its_energy<M: Mechanism<Scalar = f64>>(mechanism: M) {
    let (method, keep) = (Rk4::new(M::DEFAULTS.step), DirectCorrection::default());
    let mut sim = Simulation::new(mechanism, method, keep).unwrap();
    for frame in sim.until(3.0) {
        let energy = frame.unwrap().energy();
        assert!(energy.abs() < 1e-6, "{energy:e}");
    }
}

#[test]
fn five_arm_pendulum_keeps_its_energy() {
    assert_eq!(FiveArmPendulum::FREEDOMS, 5);
    assert_eq!(FiveArmPendulum::REDUNDANT.len(), 0);
    keeps_its_energy(FiveArmPendulum::default());
    keeps_its_energy(body::FiveArmPendulum::default());
    keeps_its_energy(joint::FiveArmPendulum::default());
    assert!(joint::FiveArmPendulum::CONSTRAINTS.is_empty());
}
