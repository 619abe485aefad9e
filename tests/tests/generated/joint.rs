//! Joint coordinates as native code: single precision, events, other parameters, and rows that tie joints together.

use std::f64::consts::{PI, TAU};

use bellcrank::prelude::*;
use bellcrank_tests::{gaps, joint, reference, same_turn};

use super::{angles, run};

const SCREW: &str = include_str!("../../../models/gear_rack_screw/reference.csv");

/// The coupler's length is a parameter, and the guess of the loop is some millimetres off.
macro_rules! four_bar {
    ($name:tt in $formulation:tt) => {
        bellcrank::mechanism! {
            name = $name
            space = "planar"
            formulation = $formulation
            gravity = [0, "-9.81 m/s^2"]
            [parameters]
            length = "4 m"
            heavy = "2 kg"
            [ground.points]
            D = [2.5, 0]
            [bodies.crank]
            mass = 1
            inertia = 0.3
            points = { root = [-1, 0], tip = [1, 0] }
            position = [0.5, 0.866]
            angle = "60 deg"
            [bodies.coupler]
            mass = "heavy"
            inertia = 2
            points = { root = ["-0.5 * length", 0], tip = ["0.5 * length", 0] }
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
            between = ["ground", "crank.root"]
            [joints.B]
            type = "revolute"
            between = ["crank.tip", "coupler.root"]
            [joints.C]
            type = "revolute"
            between = ["coupler.tip", "follower.tip"]
            [joints.D]
            type = "revolute"
            between = ["ground.D", "follower.root"]
            [outputs]
            crank = "crank.angle"
            follower = "follower.angle"
            rate = "crank.rate"
            pin = "B.force.x"
            energy_of_the_tip = "9.81 * coupler.tip.y"
            [assembly]
            hold = ["crank.angle"]
        }
    };
}

four_bar!("JointFourBar" in "joint");
four_bar!("BodyFourBar" in "body");

/// All outputs at the start and after half a second, with a longer and lighter coupler.
fn longer<M: Mechanism<Scalar = f64>>(mut mechanism: M) -> Vec<f64> {
    mechanism.set_parameter(joint_four_bar::parameter::LENGTH, 4.2);
    mechanism.set_parameter(joint_four_bar::parameter::HEAVY, 1.5);
    let mut sim = Simulation::new(mechanism, Rk4::new(1e-3), DirectCorrection::default()).unwrap();
    let mut found = sim.outputs().unwrap().as_slice().to_vec();
    assert!(sim.until(0.5).all(|frame| frame.is_ok()));
    found.extend(sim.outputs().unwrap().as_slice());
    found
}

/// The crank is held where the description has it, and the rest of the loop closes about it.
#[test]
fn a_loop_is_assembled_anew_for_other_parameters() {
    let by_joint = longer(JointFourBar::default());
    let by_body = longer(BodyFourBar::default());
    // Assembly ends at round-off of the lengths.
    assert!((by_joint[0] - PI / 3.0).abs() < 1e-12, "{}", by_joint[0]);
    assert!(JointFourBar::VELOCITIES.len() < BodyFourBar::VELOCITIES.len());
    for (k, (a, b)) in by_joint.iter().zip(&by_body).enumerate() {
        // RK4 at 1 ms leaves some 1e-10 of angles of 1 in each, and tens of newtons of that.
        let a = if k % 5 < 2 { same_turn(*a, *b) } else { *a };
        assert!((a - b).abs() < 1e-8, "{by_joint:?} {by_body:?}");
    }
}

bellcrank::mechanism! {
    name = "JointStarter"
    space = "planar"
    formulation = "joint"
    [variables]
    engaged = 1
    [bodies.crank]
    mass = "3 kg"
    inertia = "2 kg*m^2"
    points = { tip = [1, 0] }
    [bodies.flap]
    mass = "1 kg"
    inertia = "0.1 kg*m^2"
    position = [1, 0]
    [joints.A]
    type = "revolute"
    between = ["ground", "crank"]
    [joints.B]
    type = "fixed"
    between = ["crank.tip", "flap"]
    [forces.motor]
    type = "actuator"
    joint = "A"
    law = "if engaged > 0.5 then 12.4 else 0"
    [events.release]
    when = "A.angle > 5 * tau"
    set = { engaged = 0 }
    [outputs]
    angle = "A.angle"
    rate = "A.rate"
    pull = "B.force.x"
}

/// With J = 2 + 0.1 + 1 kg m² and 12.4 Nm that is 4 rad/s²: five turns take √(5 π) s, and then the rate stays.
#[test]
fn an_event_sees_whole_turns_of_a_joint() {
    let mut sim = Simulation::new(
        JointStarter::default(),
        Rk4::new(1e-3),
        DirectCorrection::default(),
    )
    .unwrap();
    let mut released = None;
    for frame in sim.until(6.0) {
        let frame = frame.unwrap();
        if frame.events().any(|name| name == "release") {
            // Two tolerances of four units of round-off of time, at 16 rad/s, and round-off of the angle.
            let overshoot = frame.output(joint_starter::output::ANGLE).unwrap() - 5.0 * TAU;
            assert!((0.0..1e-12).contains(&overshoot), "{overshoot:e}");
            released = Some(frame.time());
        }
    }
    let (expected, outputs) = ((5.0 * PI).sqrt(), sim.outputs().unwrap());
    // The angle is that of a cosine and a sine, of which RK4 leaves θ⁵/120 a step. θ grows to 16 mrad until the
    // release, which comes to 6e-9 rad at 16 rad/s, and then stays for 2000 steps, which comes to 2e-8 rad.
    assert!((released.unwrap() - expected).abs() < 1e-9, "{released:?}");
    let rate = outputs[joint_starter::output::RATE];
    assert!((rate - 4.0 * expected).abs() < 4e-9, "{rate}");
    let angle = outputs[joint_starter::output::ANGLE];
    let turned = 5.0 * TAU + rate * (6.0 - expected);
    assert!((angle - turned).abs() < 5e-8, "{angle} {turned}");
    // m ω² r towards the pivot, to round-off of 250 N where the angle is what it is.
    let pull = outputs[joint_starter::output::PULL];
    assert!((pull + rate * rate * angle.cos()).abs() < 1e-9, "{pull}");
}

bellcrank::mechanism! {
    name = "JointBlock"
    space = "planar"
    formulation = "joint"
    [bodies.block]
    mass = "3 kg"
    inertia = "2 kg*m^2"
    velocity = [1, 0]
    [joints.rail]
    type = "prismatic"
    between = ["ground", "block"]
    axis = "x"
    [outputs]
    x = "block.x"
}

/// Neither M nor Q nor the rates depend on the position there, so that only the products that make M read it.
#[test]
fn a_block_on_a_rail_has_a_mass() {
    let block = JointBlock::default();
    let (q, v) = block.start();
    let mut dense = bellcrank::Dense::zero();
    block.dense(State::new(0.0, q, v).view(), &mut dense);
    assert_eq!(dense.mass[(0, 0)], 3.0);
}

/// The bounds are those of `check.toml`, with their reasons.
#[test]
fn gears_a_rack_and_a_screw_follow_the_reference() {
    let rows = reference(SCREW);
    let gaps = gaps(joint::GearRackScrew::default(), 1e-3, &rows);
    assert_eq!(joint::GearRackScrew::VELOCITIES.len(), 3);
    let bounds = [2e-7, 1e-6, 1e-7, 1e-10, 5e-9, 5e-8, 1e-6, 1e-7];
    let mut all = gaps.iter().zip(bounds);
    assert!(all.all(|(gap, bound)| *gap < bound), "{gaps:?}");
}

/// 1000 steps each round angles of about 1 to 6e-8; the sum of them, grown by the swing, stays below
/// 1e-4, as in points.
#[test]
fn joint_coordinates_serve_in_single_precision() {
    let double = angles(joint::FourBar::default());
    let single = angles(joint::single::FourBar::default());
    for (a, b) in double.iter().zip(&single) {
        assert!((same_turn(*b, *a) - a).abs() < 1e-4, "{a} {b}");
    }
}

#[test]
fn nothing_allocates_in_joint_coordinates() {
    let counted = allocation_counter::measure(|| {
        run(joint::FourBar::default());
        run(joint::FiveArmPendulum::default());
        run(joint::GearRackScrew::default());
    });
    assert_eq!(counted.count_total, 0, "{counted:?}");
}
