//! The four-bar in points and in joint coordinates: the same motion, in few coordinates.

use bellcrank::prelude::*;
use bellcrank_tests::{joint, momentum, multiplier, reference};

/// The bounds of the same mechanism in absolute coordinates; the angle counts whole turns here too.
fn follows(mechanism: impl Mechanism<Scalar = f64>) {
    let (method, keep) = (Rk4::new(1e-3), DirectCorrection::default());
    let mut sim = Simulation::new(mechanism, method, keep).unwrap();
    let energy = sim.frame().energy();
    let rows = reference(include_str!("../../../models/four_bar/reference.csv"));
    for row in rows.iter().take_while(|row| row[0] <= 10.0) {
        sim.until(row[0]).for_each(|frame| {
            frame.unwrap();
        });
        let error = (sim.outputs().unwrap()[0] - row[1]).abs();
        assert!(error < 1e-6, "crank angle {error:e} at {}", row[0]);
        assert!((sim.frame().energy() - energy).abs() < 1e-5);
        assert!(sim.report().phi < 4e-12 && sim.report().phi_dot < 4e-12);
    }
}

#[test]
fn four_bar_in_points_follows_the_reference() {
    assert_eq!(multiplier::FourBar::VELOCITIES.len(), 4);
    assert_eq!(multiplier::FourBar::CONSTRAINTS.len(), 3);
    follows(multiplier::FourBar::default());
    assert_eq!(momentum::FourBar::VELOCITIES.len(), 6);
    assert_eq!(momentum::FourBar::CONSTRAINTS.len(), 5);
    follows(momentum::FourBar::default());
}

#[test]
fn four_bar_in_joint_coordinates_follows_the_reference() {
    assert_eq!(joint::FourBar::VELOCITIES.len(), 3);
    assert_eq!(joint::FourBar::CONSTRAINTS.len(), 2);
    follows(joint::FourBar::default());
}
