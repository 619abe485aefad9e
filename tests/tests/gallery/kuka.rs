//! The robot's arm made of parts that three planes hold: nine rows where six would do.

use bellcrank::prelude::*;
use bellcrank_tests::reference;

/// With four parts, in absolute coordinates.
#[allow(missing_docs, reason = "generated code documents itself")]
mod parts {
    bellcrank::include_mechanism!("kuka_kr15_parts");
}

use parts::Kuka4;

const REFERENCE: &str = include_str!("../../../models/kuka_kr15/reference.csv");
/// Outputs are its first columns: six angles and the tip.
const OUTPUTS: usize = 9;

/// It moves as the arm of six bodies does, to the same 2.3e-8 rad that RK4 at 1 ms leaves there, while successive
/// projection keeps all rows at round-off: of 2 m in position, and of rates that the controllers change by 130 rad/s in
/// velocity.
#[test]
fn an_arm_with_redundant_parts_moves_as_the_arm() {
    assert_eq!(Kuka4::VELOCITIES.len(), 6 * 11);
    assert_eq!(Kuka4::FREEDOMS, 6);
    assert_eq!(Kuka4::REDUNDANT.len(), 3 * 3);
    let keep = SuccessiveProjection::default();
    let mut sim = Simulation::new(Kuka4::default(), Rk4::new(1e-3), keep).unwrap();
    let mut monitor = Monitor::new(&sim.frame());
    for row in reference(REFERENCE) {
        for frame in sim.until(row[0]) {
            monitor.observe(&frame.unwrap());
        }
        let outputs = sim.outputs().unwrap();
        for k in 0..OUTPUTS {
            let gap = (outputs[k] - row[k + 1]).abs();
            assert!(gap < 1e-7, "{}: {}: {gap:e}", row[0], Kuka4::OUTPUTS[k]);
        }
    }
    assert!(monitor.phi < 1e-13, "{:e}", monitor.phi);
    assert!(monitor.phi_dot < 1e-12, "{:e}", monitor.phi_dot);
}
