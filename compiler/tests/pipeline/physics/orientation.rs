//! Angles beyond a turn and Euler parameters beyond half a turn, in every formulation.

use bellcrank_compiler::Source;
use bellcrank_compiler::description::read;
use bellcrank_compiler::stages::kernel::{Array, Name};

use super::machine::{Machine, Projected, Run};

const PLANAR: [&str; 6] = [
    "body",
    "particle/multiplier",
    "particle/momentum",
    "particle/swing",
    "joint",
    "discrete",
];

const SPATIAL: [&str; 5] = [
    "body",
    "particle/multiplier",
    "particle/momentum",
    "joint",
    "discrete",
];

/// RK4 with 1000 steps of 2 ms at some five radians a second: (ω h)⁴ is 1e-8, and points go round as fast as bodies
/// turn.
const RUN: f64 = 1e-7;

const STEP: f64 = 2e-3;

fn machines(formulations: &[&str], text: &str) -> Vec<Machine> {
    let machine = |formulation: &&str| {
        let text = format!("formulation = '{formulation}'\nsimulation.step = {STEP}\n{text}");
        let file = "orientation.toml".to_owned();
        let read = read(&Source::Toml { file, text }).unwrap_or_else(|found| panic!("{found}"));
        Machine::new(&read)
    };
    formulations.iter().map(machine).collect()
}

/// A few looks at a run of two seconds.
fn watch(machine: &Machine, mut look: impl FnMut(&Run)) {
    let mut run = machine.run(STEP, 0, Projected::Yes);
    for _ in 0..10 {
        look(&run);
        for _ in 0..100 {
            machine.step(&mut run, STEP, Projected::Yes);
        }
    }
    look(&run);
}

/// An output over two seconds, where it is known.
fn follows(machine: &Machine, output: &str, expected: impl Fn(f64) -> f64) {
    watch(machine, |run| {
        let (t, value) = (run.state.t, machine.output(output, &run.state));
        let off = (value - expected(t)).abs();
        let formulation = &machine.compiled.formulation;
        assert!(
            off < RUN,
            "{formulation}: {output} = {value} at {t}, {off:e} off"
        );
    });
}

/// With a moment of 1 the angle is 4 sin t: it passes π at 0.9 s, and 2 rad/s² are left to pull it back.
fn swings(formulations: &[&str], text: &str) {
    for machine in machines(formulations, text) {
        follows(&machine, "angle", |t| 4.0 * t.sin());
        follows(&machine, "torque", |t| -4.0 * t.sin());
        watch(&machine, |run| {
            let off = machine.energy(&run.state) - 8.0;
            assert!(
                off.abs() < 4.0 * RUN,
                "{}: {off:e}",
                machine.compiled.formulation
            );
        });
    }
}

/// A wheel at the origin that turns at 4 rad/s, and a spring on an angle of its joint.
fn wheel(spin: &str, moment: f64, joint: &str, angle: &str) -> String {
    format!(
        "space = 'spatial'
        bodies.wheel = {{ mass = 1, inertia = [{moment}, {moment}, {moment}], angular_velocity = {spin} }}
        joints.hinge = {{ between = ['ground', 'wheel'], {joint} }}
        forces.spring = {{ type = 'spring', joint = 'hinge', coordinate = '{angle}', stiffness = 1 }}
        outputs = {{ angle = 'hinge.{angle}', torque = 'spring.force' }}"
    )
}

#[test]
fn a_flywheel_swings_beyond_half_a_turn_in_the_plane() {
    swings(
        &PLANAR,
        "space = 'planar'
        bodies.wheel = { mass = 1, inertia = 1, angular_velocity = 4 }
        joints.hinge = { type = 'revolute', between = ['ground', 'wheel'] }
        forces.spring = { type = 'spring', joint = 'hinge', stiffness = 1 }
        outputs = { angle = 'hinge.angle', torque = 'spring.force' }",
    );
}

#[test]
fn a_flywheel_swings_beyond_half_a_turn_on_a_revolute() {
    let joint = "type = 'revolute', axis = 'z'";
    swings(&SPATIAL, &wheel("[0, 0, 4]", 1.0, joint, "angle"));
}

#[test]
fn a_flywheel_swings_beyond_half_a_turn_on_a_cylindrical_joint() {
    let joint = "type = 'cylindrical', axis = 'z'";
    swings(&SPATIAL, &wheel("[0, 0, 4]", 1.0, joint, "angle"));
}

#[test]
fn a_flywheel_swings_beyond_half_a_turn_on_a_planar_joint() {
    let joint = "type = 'planar', axis = 'z'";
    swings(&SPATIAL, &wheel("[0, 0, 4]", 1.0, joint, "angle"));
}

/// The angles of the cross are measured between its axes and those of the bodies, so they do not start at zero.
#[test]
fn a_flywheel_swings_beyond_half_a_turn_about_either_axis_of_a_universal_joint() {
    let joint = "type = 'universal', axis = ['z', 'wheel.x']";
    for (spin, angle) in [("[0, 0, 4]", "angle"), ("[4, 0, 0]", "second_angle")] {
        let text = wheel(spin, 1.0, joint, angle);
        let plain = &machines(&["body"], &text)[0];
        let start = plain.output("angle", &plain.start());
        let text = text.replace("stiffness = 1", &format!("stiffness = 1, free = {start}"));
        let from = format!("hinge.{angle}'");
        let text = text.replace(&from, &format!("hinge.{angle} - ({start})'"));
        swings(&SPATIAL, &text);
    }
}

/// The way is half the angle, so a mass of 1 adds a moment of ¼.
#[test]
fn a_flywheel_swings_beyond_half_a_turn_on_a_screw() {
    let joint = "type = 'screw', axis = 'z', lead = 'pi'";
    let text = wheel("[0, 0, 4]", 0.75, joint, "angle");
    // In `discrete` the thread gives way.
    swings(
        &SPATIAL[..4],
        &text.replace("angular_velocity", "velocity = [0, 0, 2], angular_velocity"),
    );
}

/// The other wheel turns twice as fast the other way: 0.2 + 4 · 0.2 = 1.
#[test]
fn a_geared_flywheel_swings_beyond_half_a_turn() {
    let wheel = wheel("[0, 0, 4]", 0.2, "type = 'revolute', axis = 'z'", "angle");
    let text = format!(
        "bodies.twin = {{ mass = 1, inertia = [0.2, 0.2, 0.2], angular_velocity = [0, 0, -8] }}
        joints.other = {{ type = 'revolute', between = ['ground', 'twin'], axis = 'z' }}
        couplings.mesh = {{ type = 'gear', between = ['hinge', 'other'], ratio = -2 }}
        {}",
        wheel.replace("outputs = {", "outputs = { twin = 'other.angle',")
    );
    let rigid = &SPATIAL[..4];
    swings(rigid, &text);
    for machine in machines(rigid, &text) {
        follows(&machine, "twin", |t| -8.0 * t.sin());
    }
}

/// A second bearing on the same axis says all of it again.
#[test]
fn a_flywheel_in_two_bearings_swings_beyond_half_a_turn() {
    let wheel = wheel("[0, 0, 4]", 1.0, "type = 'revolute', axis = 'z'", "angle");
    let bearing =
        "joints.bearing = { type = 'revolute', between = ['ground', 'wheel'], axis = 'z' }";
    swings(&SPATIAL[..4], &format!("{bearing}\n{wheel}"));
}

/// A law, an event and an output that use the angle of a driver.
#[test]
fn a_driven_angle_counts_its_turns() {
    let text = "space = 'spatial'
        variables.n = 0
        bodies.wheel = { mass = 1, inertia = [1, 1, 1] }
        bodies.rim = { mass = 1, inertia = [1, 1, 1] }
        joints.hinge = { type = 'revolute', between = ['ground', 'wheel'], axis = 'z', motion = { angle = '5 * t' } }
        joints.slip = { type = 'revolute', between = ['ground', 'rim'], axis = 'z' }
        forces.follow = { type = 'actuator', joint = 'slip', law = 'hinge.angle' }
        events.turned = { when = 'hinge.angle - 7', set = { n = 'n + 1' } }
        outputs = { angle = 'hinge.angle', torque = 'follow.force', speed = 'slip.rate' }";
    for machine in machines(&SPATIAL[..4], text) {
        follows(&machine, "angle", |t| 5.0 * t);
        follows(&machine, "torque", |t| 5.0 * t);
        follows(&machine, "speed", |t| 2.5 * t * t);
        watch(&machine, |run| {
            let watched = machine.call_solved(Name::Events, &run.state);
            let off = watched.scalar(Array::Events) - (5.0 * run.state.t - 7.0);
            assert!(off.abs() < RUN, "{}: {off:e}", machine.compiled.formulation);
        });
    }
}

/// It starts half a turn ahead, where the axes alone cannot tell π from −π; all formulations say the same.
#[test]
fn an_angle_starts_on_one_turn_in_every_formulation() {
    let wheel = wheel("[0, 0, 4]", 1.0, "type = 'revolute', axis = 'z'", "angle");
    let turned = |by: f64| {
        let orientation = format!("orientation = {{ axis = 'z', angle = {by} }}, angular_velocity");
        machines(&SPATIAL, &wheel.replace("angular_velocity", &orientation))
    };
    for by in [3.0, std::f64::consts::PI, -3.0] {
        let starts: Vec<f64> = turned(by)
            .iter()
            .map(|m| m.output("angle", &m.start()))
            .collect();
        assert!((starts[0].abs() - by.abs()).abs() < 1e-12, "{starts:?}");
        assert!(
            starts.iter().all(|one| (one - starts[0]).abs() < 1e-12),
            "{starts:?}"
        );
    }
}

/// Angles that nobody asks for have no coordinate, nor has one that is only held.
#[test]
fn turns_are_counted_where_they_are_asked_for() {
    let wheel = wheel("[0, 0, 4]", 1.0, "type = 'revolute', axis = 'z'", "angle");
    let plain = "space = 'spatial'
        bodies.wheel = { mass = 1, inertia = [1, 1, 1] }
        joints.hinge = { type = 'revolute', between = ['ground', 'wheel'], axis = 'z' }
        assembly.hold = ['hinge', 'wheel']";
    let count = |text| -> Vec<usize> {
        let machines = machines(&["body", "particle/multiplier", "discrete"], text);
        machines
            .iter()
            .map(|m| m.compiled.system.coordinates.len())
            .collect()
    };
    let (asked, plain) = (count(&wheel), count(plain));
    assert!(
        asked
            .iter()
            .zip(plain)
            .all(|(asked, plain)| *asked == plain + 1),
        "{asked:?}"
    );
}

/// e0 = cos(ω t / 2) crosses zero at π / 3 s.
#[test]
fn euler_parameters_keep_their_sign() {
    let free = "space = 'spatial'
        bodies.wheel = { mass = 1, inertia = [1, 1, 1], angular_velocity = [0, 0, 3], free = true }
        outputs = { e0 = 'wheel.e0', e1 = 'wheel.e1', e2 = 'wheel.e2', e3 = 'wheel.e3' }";
    for joint in ["", "type = 'revolute', axis = 'z'", "type = 'spherical'"] {
        let text = match joint {
            "" => free.to_owned(),
            joint => {
                let joint = format!("joints.hinge = {{ between = ['ground', 'wheel'], {joint} }}");
                format!("{joint}\n{}", free.replace(", free = true", ""))
            }
        };
        for machine in machines(&SPATIAL, &text) {
            follows(&machine, "e0", |t| (1.5 * t).cos());
            follows(&machine, "e1", |_| 0.0);
            follows(&machine, "e2", |_| 0.0);
            follows(&machine, "e3", |t| (1.5 * t).sin());
        }
    }
}

/// Both signs give the same orientation; every formulation reports the sign that is written.
#[test]
fn euler_parameters_start_as_they_are_written() {
    let text = "space = 'spatial'
        bodies.wheel = { mass = 1, inertia = [1, 1, 1], orientation = [-0.48, 0.6, 0, 0.64], free = true }
        outputs = { e0 = 'wheel.e0', e1 = 'wheel.e1', e2 = 'wheel.e2', e3 = 'wheel.e3' }";
    for machine in machines(&SPATIAL, text) {
        let told = ["e0", "e1", "e2", "e3"].map(|name| machine.output(name, &machine.start()));
        let written = [-0.48, 0.6, 0.0, 0.64];
        let off = told.iter().zip(written).map(|(a, b)| (a - b).abs());
        assert!(
            off.fold(0.0, f64::max) < 1e-14,
            "{}: {told:?}",
            machine.compiled.formulation
        );
    }
}
