//! Every type of joint alone: its degrees of freedom, and the values of its coordinates.

use bellcrank_compiler::description::{Description, JointType, Number, Space};
use bellcrank_compiler::stages::assembly::State;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use super::machine::{Machine, Projected, Run};
use super::mechanism::Mechanism;
use super::random_mechanism::{Loads, pair, single, tree};
use super::{config, converges};

const STEP: f64 = 1e-3;

/// A type with its degrees of freedom and coordinates.
type Kind = (Space, JointType, usize, &'static [&'static str]);

const KINDS: [Kind; 16] = [
    (Space::Planar, JointType::Revolute, 1, &["angle"]),
    (Space::Planar, JointType::Prismatic, 1, &["displacement"]),
    (
        Space::Planar,
        JointType::PinSlot,
        2,
        &["displacement", "angle"],
    ),
    (Space::Planar, JointType::Distance, 2, &["length"]),
    (Space::Spatial, JointType::Revolute, 1, &["angle"]),
    (Space::Spatial, JointType::Prismatic, 1, &["displacement"]),
    (
        Space::Spatial,
        JointType::Cylindrical,
        2,
        &["angle", "displacement"],
    ),
    (
        Space::Spatial,
        JointType::Screw,
        1,
        &["angle", "displacement"],
    ),
    (Space::Spatial, JointType::Spherical, 3, &[]),
    (
        Space::Spatial,
        JointType::Universal,
        2,
        &["angle", "second_angle"],
    ),
    (Space::Spatial, JointType::ConstantVelocity, 2, &[]),
    (Space::Spatial, JointType::Planar, 3, &["x", "y", "angle"]),
    (Space::Spatial, JointType::PinSlot, 4, &["displacement"]),
    (Space::Spatial, JointType::Distance, 5, &["length"]),
    (Space::Spatial, JointType::PointInPlane, 5, &["x", "y"]),
    (Space::Spatial, JointType::RevoluteSpherical, 4, &[]),
];

#[test]
fn joints_leave_their_freedoms_and_tell_their_coordinates() {
    for kind in KINDS {
        for mechanism in both(&kind) {
            free(&kind, &mechanism);
        }
    }
}

/// Each coordinate alone on ground, all together on a flying body.
#[test]
fn driven_coordinates_follow_their_law() {
    for kind in KINDS.iter().filter(|kind| !kind.3.is_empty()) {
        let [on_ground, flying] = both(kind);
        for coordinate in kind.3 {
            driven(kind, &on_ground, &[*coordinate]);
        }
        // Of a screw one coordinate is free.
        let together = kind.2.min(kind.3.len()).max(1);
        driven(kind, &flying, &kind.3[..together]);
    }
}

/// A body that is fixed to another one moves with it.
#[test]
fn fixed_joints_leave_nothing() {
    for space in [Space::Planar, Space::Spatial] {
        for mut mechanism in samples(tree(space, 2..=2, Loads::Conservative), 4) {
            mechanism.elements.clear();
            mechanism.joints[0].kind = JointType::Revolute;
            mechanism.joints[1] = fixed(&mechanism);
            let machine = Machine::new(&mechanism.description());
            assert_eq!(machine.compiled.assembly.freedoms, 1);
            let relative = |state: &State| {
                let m = machine.motions(state);
                let back = m[0].rotation.inverse();
                (back * (m[1].center - m[0].center), back * m[1].rotation)
            };
            let (before, turn_before) = relative(&machine.start());
            let (after, turn_after) = relative(&machine.run(STEP, 50, Projected::Yes).state);
            // Projection leaves round-off of a mechanism that is a few metres large.
            assert!((before - after).norm() < 1e-12);
            assert!(
                turn_before.angle_to(&turn_after) < 1e-7,
                "an arc cosine near one"
            );
        }
    }
}

fn samples(strategy: impl Strategy<Value = Mechanism>, count: usize) -> Vec<Mechanism> {
    let mut runner = TestRunner::new(config(1));
    let mut next = || strategy.new_tree(&mut runner).unwrap().current();
    (0..count).map(|_| next()).collect()
}

/// On ground and on a flying body.
fn both(kind: &Kind) -> [Mechanism; 2] {
    let first = |list: Vec<Mechanism>| list[0].clone();
    [
        first(samples(single(kind.0, kind.1), 1)),
        first(samples(pair(kind.0, kind.1), 1)),
    ]
}

/// Degrees of freedom of the joint, and those of the body on which it hangs.
fn freedoms(kind: &Kind, mechanism: &Mechanism) -> usize {
    let base = if mechanism.planar() { 3 } else { 6 };
    kind.2 + base * (mechanism.bodies.len() - 1)
}

/// A joint between both bodies, wherever the second one was.
fn fixed(mechanism: &Mechanism) -> super::mechanism::Joint {
    let at = mechanism.bodies[1].position;
    super::mechanism::Joint {
        kind: JointType::Fixed,
        ends: [0, 1].map(|body| mechanism.marker(Some(body), at)),
        at: true,
        ..mechanism.joints[1].clone()
    }
}

/// The rates are the differences of the coordinates along the motion.
fn free(kind: &Kind, mechanism: &Mechanism) {
    let machine = Machine::new(&reporting(mechanism, kind.3));
    let left = freedoms(kind, mechanism);
    assert_eq!(machine.compiled.assembly.freedoms, left, "{kind:?}");
    let states = states(&machine, 5, Projected::Yes);
    for name in kind.3 {
        let values = [0, 1, 3, 4].map(|k| machine.output(name, &states[k]));
        let turn = |x: f64| if is_angle(name) { whole_turns(x) } else { 0.0 };
        let near = values.map(|x| x - turn(x - values[0]));
        let rate = machine.output(&format!("{name}_rate"), &states[2]);
        let difference = (near[0] - 8.0 * near[1] + 8.0 * near[2] - near[3]) / (12.0 * STEP);
        // Differences of order 4: the truncation is h⁴ = 1e-12 times the fifth derivative, which
        // reaches 1e3 at a few radians a second; the rounding is 1e-16 / h.
        let off = (rate - difference).abs();
        assert!(off < 1e-8, "{kind:?} {name}: {rate} and {difference}");
    }
}

fn driven(kind: &Kind, mechanism: &Mechanism, coordinates: &[&'static str]) {
    let mut mechanism = mechanism.clone();
    let offset = |k: usize| 1.0 + 0.3 * k as f64;
    for (k, name) in coordinates.iter().enumerate() {
        let text = format!("{} + 0.4 * sin(3 * t) + 0.2 * t", offset(k));
        mechanism.joints[0].motion.push((name, text));
    }
    let machine = Machine::new(&reporting(&mechanism, kind.3));
    let mut left = freedoms(kind, &mechanism);
    if kind.1 != JointType::Distance {
        // A driven rod keeps no length of its own.
        left -= coordinates.len();
    }
    assert_eq!(machine.compiled.assembly.freedoms, left, "{kind:?}");
    // With projection only round-off is left; without it, the error of the integrator, which a wrong
    // γ would exceed by far.
    for (projected, close) in [(Projected::Yes, 1e-12), (Projected::No, 1e-9)] {
        let states = states(&machine, 50, projected);
        for state in states.iter().step_by(7) {
            for (k, name) in coordinates.iter().enumerate() {
                let expected = offset(k) + 0.4 * (3.0 * state.t).sin() + 0.2 * state.t;
                let off = machine.output(name, state) - expected;
                let off = if is_angle(name) {
                    off - whole_turns(off)
                } else {
                    off
                };
                assert!(off.abs() < close, "{kind:?} {name} at {}: {off:e}", state.t);
            }
        }
    }
    drivers_work(&machine);
}

/// T + V − W is constant, with the work of the drivers in W.
fn drivers_work(machine: &Machine) {
    let start = machine.energy(&machine.start());
    converges(|refined| {
        let run = machine.run(2e-3 / refined as f64, 25 * refined, Projected::Yes);
        (machine.energy(&run.state) - run.work - start).abs() / (1.0 + start.abs())
    });
}

/// With every coordinate and its rate as outputs.
fn reporting(mechanism: &Mechanism, coordinates: &[&str]) -> Description {
    let mut description = mechanism.description();
    for name in coordinates {
        for name in [(*name).to_owned(), format!("{name}_rate")] {
            let value = Number::Text(format!("j0.{name}"));
            description.outputs.insert(name, value);
        }
    }
    description
}

fn states(machine: &Machine, count: usize, projected: Projected) -> Vec<State> {
    let mut run = Run {
        state: machine.start(),
        work: 0.0,
    };
    let mut next = || {
        let state = run.state.clone();
        machine.step(&mut run, STEP, projected);
        state
    };
    (0..count).map(|_| next()).collect()
}

fn is_angle(name: &str) -> bool {
    name.ends_with("angle")
}

fn whole_turns(angle: f64) -> f64 {
    std::f64::consts::TAU * (angle / std::f64::consts::TAU).round()
}
