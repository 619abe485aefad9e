//! Gears over a thousand turns: the ratio holds to round-off in the angles that are counted, and in where the
//! bodies really are.

use std::f64::consts::{PI, TAU};

use bellcrank::prelude::*;

// In points. The ring is ground, seen from the carrier as the other wheels are.
bellcrank::mechanism! {
    name = "Planetary"
    space = "planar"
    [bodies.carrier]
    mass = 1
    inertia = 0.02
    points = { pin = [0.2, 0], mark = [1, 0] }
    [bodies.sun]
    mass = 1
    inertia = 0.01
    points = { mark = [1, 0] }
    [bodies.planet]
    mass = 0.5
    inertia = 0.002
    position = [0.2, 0]
    angle = 0.4
    [joints.arm]
    type = "revolute"
    between = ["carrier", "ground"]
    [joints.sun_hinge]
    type = "revolute"
    between = ["carrier", "sun"]
    [joints.planet_hinge]
    type = "revolute"
    between = ["carrier.pin", "planet"]
    [couplings.inner]
    type = "gear"
    between = ["sun_hinge", "planet_hinge"]
    teeth = [20, 20]
    [couplings.outer]
    type = "gear"
    between = ["arm", "planet_hinge"]
    teeth = [-60, 20]
    [forces.motor]
    type = "torque"
    on = "sun"
    torque = 2
    [outputs]
    sun = "sun.angle"
    carrier = "carrier.angle"
    sun_x = "sun.mark.x"
    sun_y = "sun.mark.y"
    carrier_x = "carrier.mark.x"
    carrier_y = "carrier.mark.y"
}

// In Euler parameters: a bevel gear between axes that cross, and a screw on its wheel's shaft.
bellcrank::mechanism! {
    name = "Bevel"
    space = "spatial"
    formulation = "body"
    [bodies.pinion]
    mass = 1
    inertia = [0.01, 0.01, 0.01]
    points = { mark = [1, 0, 0] }
    [bodies.wheel]
    mass = 1
    inertia = [0.02, 0.03, 0.02]
    points = { mark = [1, 0, 0] }
    [bodies.nut]
    mass = 1
    inertia = [0.01, 0.01, 0.01]
    [joints.pinion_hinge]
    type = "revolute"
    between = ["ground", "pinion"]
    axis = "z"
    [joints.wheel_hinge]
    type = "revolute"
    between = ["ground", "wheel"]
    axis = "y"
    [joints.thread]
    type = "screw"
    between = ["ground", "nut"]
    axis = "x"
    lead = 0.001
    [couplings.mesh]
    type = "gear"
    between = ["pinion_hinge", "wheel_hinge"]
    ratio = 0.25
    [couplings.feed]
    type = "gear"
    between = ["pinion_hinge", "thread"]
    ratio = -1
    [forces.motor]
    type = "actuator"
    joint = "pinion_hinge"
    law = 2
    [outputs]
    pinion = "pinion_hinge.angle"
    wheel = "wheel_hinge.angle"
    nut = "nut.x"
    pinion_x = "pinion.mark.x"
    pinion_y = "pinion.mark.y"
    wheel_x = "wheel.mark.x"
    wheel_z = "wheel.mark.z"
}

/// From rest with a constant torque until the first output has made a thousand turns; all outputs there.
fn thousand_turns<M: Mechanism<Scalar = f64>>(mechanism: M) -> Vec<f64> {
    let mut sim = Simulation::new(mechanism, Rk4::new(2e-3), DirectCorrection::default()).unwrap();
    loop {
        let outputs = sim.outputs().unwrap().as_slice().to_vec();
        if outputs[0] > 1000.0 * TAU {
            return outputs;
        }
        for _ in 0..50 {
            sim.step().unwrap();
        }
    }
}

/// Six thousand radians have a round-off of 1e-12, and a few such numbers meet.
const ROUND_OFF: f64 = 1e-11;

fn is_whole(turns: f64) -> bool {
    (turns - turns.round()).abs() < ROUND_OFF
}

/// The carrier turns z_s / (z_s + z_r) = 1/4 as fast as the sun.
#[test]
fn a_planetary_gear_keeps_its_ratio_over_a_thousand_turns() {
    let [sun, carrier, sun_x, sun_y, carrier_x, carrier_y] =
        thousand_turns(Planetary::default()).try_into().unwrap();
    assert!((sun - 4.0 * carrier).abs() < ROUND_OFF, "{sun} {carrier}");
    let seen = sun_y.atan2(sun_x) - 4.0 * carrier_y.atan2(carrier_x);
    assert!(is_whole(seen / TAU), "{seen}");
}

/// The wheel turns a quarter as fast as the pinion about an axis across it, and the nut goes 1 mm each turn, backwards.
#[test]
fn a_bevel_gear_and_a_screw_keep_their_ratio_over_a_thousand_turns() {
    let [pinion, wheel, nut, pinion_x, pinion_y, wheel_x, wheel_z] =
        thousand_turns(Bevel::default()).try_into().unwrap();
    assert!(
        (0.25 * pinion - wheel).abs() < ROUND_OFF,
        "{pinion} {wheel}"
    );
    assert!((nut + 1e-3 * pinion / TAU).abs() < ROUND_OFF, "{nut}");
    let seen = pinion_y.atan2(pinion_x) - 4.0 * (-wheel_z).atan2(wheel_x);
    assert!(is_whole(seen / TAU), "{seen}");
}

// On a hinge in space whose moment is a parameter, with a law that lets go beyond a turn and a quarter.
macro_rules! flywheel {
    ($module:ident, $formulation:tt) => {
        mod $module {
            bellcrank::mechanism! {
                name = "Flywheel"
                space = "spatial"
                formulation = $formulation
                [parameters]
                moment = 1
                [variables]
                engaged = 1
                [bodies.wheel]
                mass = 1
                inertia = ["moment", "moment", "moment"]
                angular_velocity = [0, 0, 8]
                [joints.hinge]
                type = "revolute"
                between = ["ground", "wheel"]
                axis = "z"
                [forces.spring]
                type = "actuator"
                joint = "hinge"
                law = "-engaged * angle"
                [events.release]
                when = "hinge.angle > 2.5 * pi"
                set = { engaged = 0 }
                [outputs]
                angle = "hinge.angle"
                rate = "hinge.rate"
                e0 = "wheel.e0"
                e3 = "wheel.e3"
            }
        }
    };
}
flywheel!(in_bodies, "body");
flywheel!(in_points, "particle/multiplier");
flywheel!(by_momentum, "particle/momentum");
flywheel!(in_joints, "joint");

/// With a moment of 4 the angle is 16 sin (t/2) up to the event, and then it goes on with the speed that it has.
fn lets_go<M: Mechanism<Scalar = f64>>(mut mechanism: M) {
    mechanism.set_parameter(0, 4.0);
    let mut sim = Simulation::new(mechanism, Rk4::new(1e-3), DirectCorrection::default()).unwrap();
    let release = 2.0 * (2.5 * PI / 16.0).asin();
    let speed = 8.0 * (0.5 * release).cos();
    for k in 0..=30 {
        let t = 0.1 * f64::from(k);
        assert!(sim.until(t).all(|frame| frame.is_ok()));
        let angle = match t < release {
            true => 16.0 * (0.5 * t).sin(),
            false => 2.5 * PI + speed * (t - release),
        };
        let told = sim.outputs().unwrap().as_slice().to_vec();
        // RK4 at 1 ms and 8 rad/s: (ω h)⁴ is 4e-9, of which each step adds a part, and an event is found to 1e-13.
        let gaps = [
            told[0] - angle,
            told[2] - (0.5 * angle).cos(),
            told[3] - (0.5 * angle).sin(),
        ];
        assert!(gaps.iter().all(|gap| gap.abs() < 1e-8), "{t}: {gaps:?}");
    }
}

#[test]
fn an_angle_in_space_counts_for_laws_events_and_outputs() {
    lets_go(in_bodies::Flywheel::default());
    lets_go(in_points::Flywheel::default());
    lets_go(by_momentum::Flywheel::default());
    lets_go(in_joints::Flywheel::default());
}
