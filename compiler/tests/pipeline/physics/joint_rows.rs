//! Rows in joint coordinates: one that cancels along the tree, and one between links that turn by themselves.

use bellcrank_compiler::description::{Description, Formulation};
use bellcrank_compiler::stages::assembly::State;
use bellcrank_compiler::stages::kernel::{Array, Name};

use super::machine::Machine;

/// A pendulum that hangs on two points which differ by one rounding, so that the rows of the second hinge have nothing
/// but round-off for entries.
const TWICE: &str = "
    space = 'planar'
    gravity = [0, -9.81]
    bodies.bob = { mass = 2, inertia = 0.3, center = [0.6, -0.2], points = { p = [0.1, 0.2], q = [0.10000000000000002, 0.2] }, angular_velocity = 1 }
    joints.A = { type = 'revolute', between = ['ground', 'bob.p'] }
    joints.B = { type = 'revolute', between = ['ground', 'bob.q'] }
    outputs = { ax = 'bob.center.ax', ay = 'bob.center.ay' }";

#[test]
fn a_hinge_that_is_there_twice_changes_nothing() {
    let once = TWICE.replace(
        "joints.B = { type = 'revolute', between = ['ground', 'bob.q'] }",
        "",
    );
    for formulation in [
        Formulation::Body,
        Formulation::Multiplier,
        Formulation::Joint,
    ] {
        let found = [&once, TWICE].map(|text| {
            let machine = machine(text, formulation);
            ["ax", "ay"].map(|name| machine.output(name, &machine.start()))
        });
        for (one, two) in found[0].iter().zip(found[1]) {
            // Some roundings of a few metres a square second.
            assert!((one - two).abs() < 1e-12, "{formulation:?}: {found:?}");
        }
    }
}

/// An arm on a ball of a flying base, and a second joint between both.
const BALL: &str = "
    space = 'spatial'
    bodies.base = { mass = 1, inertia = [0.1, 0.2, 0.3], free = true, points.p = [0.5, 0, 0], angular_velocity = [0.3, 0.2, 0.1] }
    bodies.arm = { mass = 1, inertia = [0.1, 0.1, 0.2], position = [0.5, 0, 0], points.q = [0.4, 0, 0] }
    joints.A = { type = 'spherical', between = ['base.p', 'arm'] }
    joints.B = { type = 'pin-slot', between = ['base', 'arm.q'], axis = [1, 0, 0] }";

/// An arm with an angular velocity of its own does not turn with the base, so rows of the second joint have entries for
/// the turn of the base too. D v + Φ_t is written without D.
#[test]
fn rows_between_links_that_turn_by_themselves_are_whole() {
    let machine = machine(BALL, Formulation::Joint);
    let sizes = machine.compiled.kernel.sizes;
    let (n, m) = (sizes.velocities, sizes.constraints);
    let state = machine.start();
    let rate = |v: Vec<f64>| {
        let state = State { v, ..state.clone() };
        let rates = machine.call(Name::VelocityConstraints, &state);
        rates.array(Array::Constraints, m)
    };
    let rows = machine.call(Name::Dense, &state).array(Array::Rows, m * n);
    for j in 0..n {
        let unit = (0..n).map(|i| f64::from(u8::from(i == j))).collect();
        for (k, rate) in rate(unit).into_iter().enumerate() {
            let entry = rows[k * n + j];
            assert!((entry - rate).abs() < 1e-12, "{k} {j}: {entry} {rate}");
        }
    }
}

fn machine(text: &str, formulation: Formulation) -> Machine {
    let description: Description = toml::from_str(text).unwrap();
    Machine::new(&Description {
        formulation: Some(formulation),
        ..description
    })
}
