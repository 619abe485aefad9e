//! The four-bar in points: four coordinates, three rows, and the same motion.

use bellcrank::prelude::*;
use bellcrank_tests::reference;

mechanism! {
    name = "FourBarInPoints"
    space = "planar"
    formulation = "particle"
    gravity = [0, -9.81]
    [ground.points]
    A = [0, 0]
    D = [2.5, 0]
    [bodies.crank]
    mass = 1
    inertia = 0.3
    points = { root = [-1, 0], tip = [1, 0] }
    position = ["cos(60 deg)", "sin(60 deg)"]
    angle = "60 deg"
    [bodies.coupler]
    mass = 2.25
    inertia = 2
    points = { root = [-2, 0], tip = [2, 0] }
    position = [2.8235, 2.5535]
    angle = 0.42325
    [bodies.follower]
    mass = 2.2
    inertia = 1.35
    points = { root = [-2, 0], tip = [2, 0] }
    position = [3.5735, 1.6875]
    angle = 1.0042
    [joints.A]
    type = "revolute"
    between = ["ground.A", "crank.root"]
    [joints.B]
    type = "revolute"
    between = ["crank.tip", "coupler.root"]
    [joints.C]
    type = "revolute"
    between = ["coupler.tip", "follower.tip"]
    [joints.D]
    type = "revolute"
    between = ["ground.D", "follower.root"]
    [assembly]
    hold = ["crank.angle"]
    [outputs]
    crank = "crank.angle"
}

/// The bounds of the same mechanism in absolute coordinates; the angle counts whole turns here too.
#[test]
fn four_bar_in_points_follows_the_reference() {
    assert_eq!(FourBarInPoints::VELOCITIES.len(), 4);
    assert_eq!(FourBarInPoints::CONSTRAINTS.len(), 3);
    let mut sim = Simulation::new(
        FourBarInPoints::default(),
        Rk4::new(1e-3),
        DirectCorrection::default(),
    )
    .unwrap();
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
