//! Events from text to motion: tokens, TOML and JSON.

use std::f64::consts::PI;

use bellcrank::prelude::*;

bellcrank::mechanism! {
    name = "Starter"
    space = "planar"
    [constants]
    torque = "8 Nm"
    [variables]
    engaged = 1
    [bodies.crank]
    mass = "3 kg"
    inertia = "2 kg*m^2"
    [joints.A]
    type = "revolute"
    between = ["ground", "crank"]
    [forces.motor]
    type = "actuator"
    joint = "A"
    law = "if engaged > 0.5 then torque else 0"
    [events.release]
    when = "A.angle > 5 * tau"
    set = { engaged = 0 }
    [events.enough]
    when = "crank.rate * t > 100"
    stop = true
    [outputs]
    angle = "A.angle"
    rate = "A.rate"
    torque = "motor.force"
    [assembly]
    hold = ["A"]
}
bellcrank::mechanism!("tests/generated/bump_stop.toml");
bellcrank::mechanism!("tests/generated/valve.json");

fn simulation<M: Mechanism<Scalar = f64>>(
    mechanism: M,
    step: f64,
) -> Simulation<M, Rk4<f64>, DirectCorrection> {
    Simulation::new(mechanism, Rk4::new(step), DirectCorrection::default()).unwrap()
}

/// With 4 rad/s² five turns take √(20 π / 4) s and end at √(80 π) rad/s.
#[test]
fn a_starter_motor_lets_go_after_five_turns() {
    let mut sim = simulation(Starter::default(), 1e-3);
    let mut monitor = Monitor::new(&sim.frame());
    let mut released = None;
    let (mut rate, mut stopped) = (0.0, None);
    for frame in sim.until(20.0) {
        let frame = frame.unwrap();
        monitor.observe(&frame);
        stopped = frame.stopped();
        let outputs = frame.outputs().unwrap();
        if frame.events().any(|name| name == "release") {
            let overshoot = outputs[starter::output::ANGLE] - 10.0 * PI;
            // Two tolerances of four units of round-off of time, at 16 rad/s, and round-off of the angle.
            assert!((0.0..1e-12).contains(&overshoot), "{overshoot:e}");
            assert_eq!(frame.variables().as_slice(), [0.0]);
            (released, rate) = (Some(frame.time()), outputs[starter::output::RATE]);
        }
        let torque = if released.is_some() { 0.0 } else { 8.0 };
        assert_eq!(outputs[starter::output::TORQUE], torque, "{}", frame.time());
    }
    // The error of RK4 in points that turn by 16 mrad a step, over 4000 of them.
    let expected = (5.0 * PI).sqrt();
    assert!((released.unwrap() - expected).abs() < 1e-9, "{released:?}");
    assert!((rate - 4.0 * expected).abs() < 1e-8, "{rate}");
    let after = sim.outputs().unwrap()[starter::output::RATE];
    assert!((rate - after).abs() < 1e-8, "{rate} {after}");
    // The same error, of 250 J of work.
    assert!(monitor.energy_drift < 1e-6, "{}", monitor.energy_drift);
    assert_eq!(stopped, Some("enough"));
    assert!((sim.time() - 100.0 / after).abs() < 1e-9);
    assert_eq!(sim.mechanism().engaged(), 0.0);
    sim.reset().unwrap();
    assert_eq!(sim.mechanism().engaged(), 1.0);
}

const STOP: f64 = 0.5;
const SPEED: f64 = 2.0;

/// When the slider meets the stop and leaves it, and where it is: as `runtime/tests/events.rs` has it, with
/// ω² = 100 and the middle of the second law at c = 3.5 / ω² before the stop.
fn bump(t: f64) -> f64 {
    let arrival = (STOP / SPEED).asin();
    let (speed, omega, center) = (SPEED * arrival.cos(), 10.0, 0.035);
    let departure = arrival + 2.0 * (speed / (center * omega)).atan() / omega;
    if t < arrival {
        return SPEED * t.sin();
    }
    if t < departure {
        let (sin, cos) = (omega * (t - arrival)).sin_cos();
        return STOP - center * (1.0 - cos) + speed / omega * sin;
    }
    let (sin, cos) = (t - departure).sin_cos();
    STOP * cos - speed * sin
}

#[test]
fn a_bump_stop_follows_both_of_its_laws() {
    let mut sim = simulation(BumpStop::default(), 1e-3);
    let mut contacts = 0;
    for frame in sim.until(2.0) {
        let frame = frame.unwrap();
        contacts += frame.events().count();
        let error = (frame.output(bump_stop::output::X).unwrap() - bump(frame.time())).abs();
        // (ω h)⁴ / 120 of the amplitude, over the radians of the contact.
        assert!(error < 1e-9, "{}: {error:e}", frame.time());
    }
    assert_eq!(contacts, 2);
}

/// Largest error over the run, and how many events there were.
fn bump_error<I: Integrator<BumpStop, DirectCorrection>>(integrator: I) -> (f64, usize) {
    let stabilizer = DirectCorrection::default();
    let mut sim = Simulation::new(BumpStop::default(), integrator, stabilizer).unwrap();
    let (mut worst, mut contacts) = (0.0_f64, 0);
    for frame in sim.until(2.0) {
        let frame = frame.unwrap();
        contacts += frame.events().count();
        let error = frame.output(bump_stop::output::X).unwrap() - bump(frame.time());
        worst = worst.max(error.abs());
    }
    (worst, contacts)
}

/// Methods that remember steps begin anew at each event.
#[test]
fn implicit_methods_keep_their_order_over_events() {
    let (adaptive, contacts) = bump_error(Bdf::new(1e-9));
    assert_eq!(contacts, 2);
    // Ten tolerances of the local error.
    assert!(adaptive < 1e-8, "{adaptive:e}");
    let [coarse, fine] = [2e-3, 1e-3].map(|step| bump_error(GeneralizedAlpha::new(step)).0);
    let order = (coarse / fine).log2();
    // Second order, up to where in the step the crossings lie.
    assert!((order - 2.0).abs() < 0.15, "{coarse:e} {fine:e}");
}

bellcrank::mechanism! {
    name = "OneSpring"
    space = "planar"
    [inputs]
    touching = 0
    [bodies.slider]
    mass = 1
    inertia = 1
    velocity = [2, 0]
    [joints.guide]
    type = "prismatic"
    between = ["ground", "slider"]
    axis = "x"
    [forces.springs]
    type = "actuator"
    joint = "guide"
    law = "if touching > 0.5 then -displacement - 99 * (displacement - 0.5) - 3 else -displacement"
    [outputs]
    x = "slider.x"
    [assembly]
    hold = ["slider"]
}

/// The same motion in three runs, of which each has one law and begins where the one before ended.
#[test]
fn an_event_is_as_good_as_a_run_for_each_law() {
    let arrival = (STOP / SPEED).asin();
    let departure = arrival + 0.2 * (SPEED * arrival.cos() / 0.35).atan();
    let mut sim = simulation(OneSpring::default(), 1e-3);
    for (until, touching) in [(arrival, 0.0), (departure, 1.0), (2.0, 0.0)] {
        sim.set_input(one_spring::input::TOUCHING, touching);
        assert!(sim.until(until).all(|frame| frame.is_ok()));
    }
    let mut switched = simulation(BumpStop::default(), 1e-3);
    assert!(switched.until(2.0).all(|frame| frame.is_ok()));
    // Each in the coordinates that its methods leave it.
    let x = switched.frame().output(bump_stop::output::X).unwrap();
    let gap = x - sim.frame().output(one_spring::output::X).unwrap();
    // Both have the error of the method, in steps that end at other times.
    assert!(gap.abs() < 1e-9, "{gap:e}");
}

/// The angle is 10 t: dead centres at each half turn, and the valve is open from 600° to 945°.
#[test]
fn a_valve_follows_the_crank() {
    let mut sim = simulation(Valve::default(), 1e-3);
    let mut times = Vec::new();
    for frame in sim.until(3.0) {
        let frame = frame.unwrap();
        times.extend(frame.events().map(|name| (name, frame.time())));
        let [stroke, lift] = [0, 1].map(|k| frame.output(k).unwrap());
        let half_turns = 10.0 * frame.time() / PI;
        let within = half_turns.rem_euclid(4.0);
        // Away from the switching points themselves.
        if (half_turns - half_turns.round()).abs() > 1e-9 {
            assert_eq!(stroke, half_turns.floor().rem_euclid(4.0), "{half_turns}");
        }
        let open = half_turns > 2.0 && !(1.25..10.0 / 3.0).contains(&within);
        if (within - 1.25).abs() > 1e-9 && (within - 10.0 / 3.0).abs() > 1e-9 {
            assert_eq!(lift, if open { 9e-3 } else { 0.0 }, "{half_turns}");
        }
    }
    let opened = times.iter().filter(|(name, _)| *name == "opens");
    let opened: Vec<_> = opened.map(|(_, time)| *time).collect();
    let expected = [PI / 3.0, PI / 3.0 + 0.4 * PI];
    assert_eq!(opened.len(), expected.len());
    for (found, expected) in opened.iter().zip(expected) {
        // The driver says the angle, so only round-off of angle and time is left.
        assert!((found - expected).abs() < 1e-14, "{found} {expected}");
    }
}

bellcrank::mechanism! {
    name = "Gearbox"
    space = "planar"
    [variables]
    speed = "2 rad/s"
    since = 0
    from = 0
    [bodies.crank]
    mass = 1
    inertia = 3
    angular_velocity = 2
    [joints.A]
    type = "revolute"
    between = ["ground", "crank"]
    motion = { angle = "from + speed * (t - since)" }
    [events.shift]
    when = "t > 0.5005"
    set = { speed = 5, since = "t", from = "A.angle" }
    [events.slip]
    when = "t > 0.8"
    set = { from = "from + 1 mrad" }
    [outputs]
    rate = "A.rate"
}

/// A driver may change its speed at an event, by an impulse, but not its place.
#[test]
fn a_prescribed_motion_is_switched() {
    let mut sim = simulation(Gearbox::default(), 1e-3);
    for frame in sim.until(0.79) {
        let frame = frame.unwrap();
        let rate = if frame.time() > 0.5005 { 5.0 } else { 2.0 };
        // Round-off of the projection.
        assert!((frame.output(0).unwrap() - rate).abs() < 1e-12);
        // The error of the method in points that turn by 5 mrad a step, of 40 J.
        assert!((frame.balance() - 6.0).abs() < 1e-9, "{}", frame.balance());
    }
    let variables = sim.variables();
    let stop = sim.until(1.0).last().unwrap().err().unwrap();
    let Stop::Jump { event, by, .. } = stop else {
        panic!("{stop}");
    };
    assert_eq!(event, "slip");
    assert!((by - 1e-3).abs() < 1e-9);
    assert_eq!(sim.variables(), variables);
}

bellcrank::mechanism! {
    name = "Fuse"
    space = "planar"
    gravity = [0, "-10 m/s^2"]
    [variables]
    angle = 0
    load = "0 N"
    [bodies.rod]
    mass = "2 kg"
    inertia = "2 kg*m^2"
    points = { top = [-1, 0] }
    position = [1, 0]
    [joints.A]
    type = "revolute"
    between = ["ground", "rod.top"]
    [events.breaks]
    when = "A.force.y > 25 N"
    set = { angle = "A.angle", load = "A.force.y" }
    stop = true
    [outputs]
    load = "A.force.y"
}

/// A pendulum from its side, with k = m l² / J = ½: the pin carries m g (1 − k + 3 k sin² φ), which is
/// 1.25 m g at 45°.
#[test]
fn reactions_are_watched_and_set_variables() {
    let check = |variables: &[f64]| {
        let [angle, load] = [
            variables[fuse::variable::ANGLE],
            variables[fuse::variable::LOAD],
        ];
        // The error of the method.
        assert!((angle + PI / 4.0).abs() < 1e-8, "{angle}");
        // What it gains within the tolerance: round-off of time, at 100 N/s, and of the load.
        assert!((load - 25.0).abs() < 1e-11, "{load}");
    };
    let mut sim = simulation(Fuse::default(), 1e-3);
    let last = sim.until(1.0).last().unwrap().unwrap();
    assert_eq!(last.stopped(), Some("breaks"));
    check(sim.variables().as_slice());
    let method = DormandPrince::new(1e-10);
    let mut sim = Simulation::new(Fuse::default(), method, DirectCorrection::default()).unwrap();
    let last = sim.at(1.0).unwrap();
    assert_eq!(last.stopped(), Some("breaks"));
    check(sim.variables().as_slice());
}
