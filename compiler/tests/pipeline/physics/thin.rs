//! Rods, point masses and laminas whose motion is known by hand, in bodies and in points.

use bellcrank_compiler::Source;
use bellcrank_compiler::description::read;
use bellcrank_compiler::stages::kernel::{Array, Name, Solve};
use bellcrank_compiler::stages::model::Extent;

use super::machine::{Machine, Projected};
use super::mechanism::Vector;
use crate::formulations;

const GRAVITY: f64 = 9.81;

/// RK4 with 1000 steps of 1 ms at a few radians a second: (ω h)⁴ is some 1e-11.
const RUN: f64 = 1e-9;

/// Sums of a few terms and a small solve.
const SAME: f64 = 1e-11;

/// The text in every formulation.
fn all(text: &str) -> [Machine; 3] {
    ["body", "particle/multiplier", "particle/momentum"].map(|formulation| {
        let text = format!("formulation = '{formulation}'\n{text}");
        let file = "thin.toml".to_owned();
        let read = read(&Source::Toml { file, text }).unwrap_or_else(|found| panic!("{found}"));
        let machine = Machine::new(&read);
        assert_eq!(machine.compiled.formulation, formulation);
        machine
    })
}

fn close(value: f64, expected: f64, within: f64) {
    let off = (value - expected).abs();
    assert!(off < within, "{value} is {off:e} off {expected}");
}

/// ω² = 3 g / (2 L cos θ). The rod is given the angular velocity of the precession, the part of it along
/// the rod included, which a thin rod does not have.
#[test]
fn a_rod_goes_round_a_cone() {
    let (length, tilt) = (1.2_f64, 0.6_f64);
    let rate = (3.0 * GRAVITY / (2.0 * length * tilt.cos())).sqrt();
    let text = format!(
        "space = 'spatial'
        gravity = [0, 0, -{GRAVITY}]
        [bodies.rod]
        mass = 2
        inertia = {{ xx = 0, yy = '2 * {length}^2 / 3', zz = '2 * {length}^2 / 3', about = 'origin' }}
        center = ['{length} / 2', 0, 0]
        points = {{ tip = [{length}, 0, 0] }}
        orientation = {{ axis = 'y', angle = 'pi / 2 - {tilt}' }}
        angular_velocity = [0, 0, {rate}]
        [joints.A]
        type = 'spherical'
        between = ['ground', 'rod']
        [outputs]
        x = 'rod.tip.x'
        y = 'rod.tip.y'
        z = 'rod.tip.z'
        w = 'rod.wz'
        force = 'A.force.z'
        kinetic = 'energy.kinetic'
        momentum = 'momentum.y'
        angular_momentum = 'angular_momentum.z'"
    );
    let round = length * tilt.sin();
    for machine in all(&text) {
        assert_eq!(machine.compiled.assembly.freedoms, 2);
        let start = machine.start();
        // T = ½ (m L² / 3) (ω sin θ)²; of ω only what is across the rod: ω sin² θ upwards.
        let kinetic = length.powi(2) / 3.0 * (rate * tilt.sin()).powi(2);
        close(machine.output("kinetic", &start), kinetic, SAME * kinetic);
        close(machine.output("w", &start), rate * tilt.sin().powi(2), SAME);
        close(machine.output("momentum", &start), rate * round, SAME);
        // m L² / 12 across the rod.
        let about_center = length.powi(2) / 6.0 * rate * tilt.sin().powi(2);
        close(
            machine.output("angular_momentum", &start),
            about_center,
            SAME,
        );
        close(machine.output("force", &start), 2.0 * GRAVITY, 1e-10);
        let end = machine.run(1e-3, 1000, Projected::Yes).state;
        close(machine.output("z", &end), -length * tilt.cos(), RUN);
        close(machine.output("x", &end), round * rate.cos(), RUN);
        close(machine.output("y", &end), round * rate.sin(), RUN);
    }
}

/// A rod whose length is a parameter is one too; its joints are then no points, but rows.
#[test]
fn a_rod_may_depend_on_parameters() {
    let text = "space = 'spatial'
        gravity = [0, 0, -9.81]
        parameters = { l = 1.2, m = 2 }
        [bodies.rod]
        mass = 'm'
        inertia = { xx = 0, yy = 'm * l^2 / 3', zz = 'm * l^2 / 3', about = 'origin' }
        center = ['l / 2', 0, 0]
        points = { tip = ['l', 0, 0] }
        angular_velocity = [1, 2, 3]
        [joints.A]
        type = 'spherical'
        between = ['ground', 'rod']
        [outputs]
        a = 'rod.tip.az'";
    for machine in all(text) {
        assert_eq!(
            machine.compiled.model.bodies[0].extent,
            Extent::Line([1.0, 0.0, 0.0])
        );
        assert_eq!(machine.compiled.assembly.freedoms, 2);
        // Level, so that L α = 3 g / 2.
        let a = machine.output("a", &machine.start());
        close(a, -1.5 * GRAVITY, 1e-10);
    }
}

/// A radius of gyration of a millimetre, and joints a metre away: points are chosen by the joints.
#[test]
fn a_small_heavy_body_on_long_arms() {
    let text = "space = 'spatial'
        gravity = [0, -9.81, 0]
        bodies.bob = { mass = 2, inertia = [1e-6, 2e-6, 2e-6], points = { a = [0, 1, 0], b = [0.8, 0.0004, 0.3], c = [0.8, 0, 0.3] } }
        bodies.tail = { mass = 1, inertia = [1e-3, 2e-3, 2e-3], position = [1, 0, 0.3], points.a = [-0.2, 0.0004, 0] }
        joints.A = { type = 'revolute', between = ['ground', 'bob'], at = [0, 1, 0], axis = 'z' }
        joints.B = { type = 'spherical', between = ['bob.b', 'tail.a'] }";
    let [body, ..] = all(text);
    formulations::check(&body.compiled, &body.compiled.assembly.states);
}

/// Two points on the axis, one of them on ground, and a row for their distance.
#[test]
fn a_rod_has_two_points() {
    let text = "space = 'spatial'
        bodies.rod = { mass = 1, inertia = [0.1, 0, 0.1], center = [0, 0.5, 0], angular_velocity = [1, 2, 3] }
        joints.A = { type = 'spherical', between = ['ground', 'rod'] }";
    let [body, multiplier, momentum] = all(text);
    for points in [multiplier, momentum] {
        assert_eq!(points.compiled.system.coordinates.len(), 3);
        assert_eq!(points.compiled.system.rows.len(), 1);
    }
    let start = body.motions(&body.start())[0];
    close(start.spin.x, 1.0, SAME);
    close(start.spin.y, 0.0, SAME);
    close(start.spin.z, 3.0, SAME);
}

/// ω² = g / (L cos θ) for a point mass on a massless link, which has one point and no row of its own.
#[test]
fn a_point_mass_goes_round_a_cone() {
    let (length, tilt) = (0.8_f64, 0.5_f64);
    let rate = (GRAVITY / (length * tilt.cos())).sqrt();
    let (round, down) = (length * tilt.sin(), length * tilt.cos());
    let text = format!(
        "space = 'spatial'
        gravity = [0, 0, -{GRAVITY}]
        bodies.ball = {{ mass = 0.3, inertia = [0, 0, 0], position = [{round}, 0, -{down}], velocity = [0, {}, 0], angular_velocity = [1, 2, 3] }}
        joints.A = {{ type = 'distance', between = ['ground', 'ball'] }}
        outputs = {{ x = 'ball.x', y = 'ball.y', z = 'ball.z', kinetic = 'energy.kinetic' }}",
        rate * round
    );
    for machine in all(&text) {
        assert_eq!(machine.compiled.assembly.freedoms, 2);
        let kinetic = 0.15 * (rate * round).powi(2);
        close(machine.output("kinetic", &machine.start()), kinetic, SAME);
        let end = machine.run(1e-3, 1000, Projected::Yes).state;
        close(machine.output("x", &end), round * rate.cos(), RUN);
        close(machine.output("y", &end), round * rate.sin(), RUN);
        close(machine.output("z", &end), -down, RUN);
        if machine.compiled.formulation != "body" {
            assert_eq!(machine.compiled.system.coordinates.len(), 3);
            assert_eq!(machine.compiled.system.rows.len(), 1);
        }
    }
}

/// Two massless links leave a point mass a circle of radius h about the line of their ends: from rest it
/// accelerates by g sin φ along the circle.
#[test]
fn a_point_mass_on_two_links_swings() {
    let (height, angle) = (0.7_f64, 0.4_f64);
    let (y, z) = (height * angle.sin(), -height * angle.cos());
    let text = format!(
        "space = 'spatial'
        gravity = [0, 0, -{GRAVITY}]
        ground.points = {{ a = [-0.5, 0, 0], b = [0.3, 0, 0] }}
        bodies.ball = {{ mass = 0.3, inertia = [0, 0, 0], position = [0, {y}, {z}] }}
        joints.A = {{ type = 'distance', between = ['ground.a', 'ball'] }}
        joints.B = {{ type = 'distance', between = ['ground.b', 'ball'] }}
        outputs = {{ x = 'ball.ax', y = 'ball.ay', z = 'ball.az' }}"
    );
    for machine in all(&text) {
        assert_eq!(machine.compiled.assembly.freedoms, 1);
        let start = machine.start();
        let along = GRAVITY * angle.sin();
        close(machine.output("x", &start), 0.0, SAME);
        close(machine.output("y", &start), -along * angle.cos(), SAME);
        close(machine.output("z", &start), -along * angle.sin(), SAME);
    }
}

/// The same in the plane, on one link.
#[test]
fn a_planar_point_mass_swings() {
    let angle = 0.4_f64;
    let (x, y) = (0.7 * angle.sin(), -0.7 * angle.cos());
    let text = format!(
        "space = 'planar'
        gravity = [0, -{GRAVITY}]
        bodies.ball = {{ mass = 0.3, inertia = 0, position = [{x}, {y}], angular_velocity = 5 }}
        joints.A = {{ type = 'distance', between = ['ground', 'ball'] }}
        outputs = {{ x = 'ball.ax', y = 'ball.ay', kinetic = 'energy.kinetic' }}"
    );
    for machine in all(&text) {
        assert_eq!(machine.compiled.assembly.freedoms, 1);
        let start = machine.start();
        let along = GRAVITY * angle.sin();
        close(machine.output("x", &start), -along * angle.cos(), SAME);
        close(machine.output("y", &start), -along * angle.sin(), SAME);
        close(machine.output("kinetic", &start), 0.0, SAME);
        if machine.compiled.formulation != "body" {
            assert_eq!(machine.compiled.system.coordinates.len(), 2);
        }
    }
}

/// A rod across a revolute joint turns about an axis about which it has inertia, and its spin is what the
/// joint says: α = −3 g sin θ / (2 L).
#[test]
fn a_rod_across_a_revolute_swings() {
    let (length, angle) = (1.2_f64, 0.4_f64);
    let text = format!(
        "space = 'spatial'
        gravity = [0, -{GRAVITY}, 0]
        [bodies.rod]
        mass = 2
        inertia = ['2 * {length}^2 / 12', 0, '2 * {length}^2 / 12']
        center = [0, '-{length} / 2', 0]
        points = {{ tip = [0, -{length}, 0] }}
        orientation = {{ axis = 'z', angle = {angle} }}
        [joints.A]
        type = 'revolute'
        between = ['ground', 'rod']
        axis = 'z'
        [outputs]
        x = 'rod.tip.ax'
        y = 'rod.tip.ay'
        e0 = 'rod.e0'"
    );
    let [body, points, momentum] = all(&text);
    let start = body.start();
    assert!(body.call(Name::Accelerate, &start).scalar(Array::Margin) > 0.0);
    let along = -1.5 * GRAVITY * angle.sin();
    close(body.output("x", &start), along * angle.cos(), SAME);
    close(body.output("y", &start), along * angle.sin(), SAME);
    close(body.output("e0", &start), (angle / 2.0).cos(), SAME);
    formulations::check(&body.compiled, &body.compiled.assembly.states);
    // The point off the axis has no mass and turns with the rod: no order of pivots is safe in every
    // direction, so the constraint equations give it ballast.
    assert_eq!(points.compiled.kernel.solve, Solve::Ballasted);
    let start = points.start();
    close(points.output("x", &start), along * angle.cos(), SAME);
    close(points.output("y", &start), along * angle.sin(), SAME);
    let start = momentum.start();
    close(momentum.output("x", &start), along * angle.cos(), SAME);
    close(momentum.output("y", &start), along * angle.sin(), SAME);
}

/// Without a torque the angular velocity of a lamina in its own plane keeps its size:
/// ω̇₁ = −ω₂ ω₃ and ω̇₂ = ω₁ ω₃ because J₃ = J₁ + J₂.
#[test]
fn a_lamina_tumbles() {
    let text = "space = 'spatial'
        [bodies.plate]
        mass = 1.5
        inertia = [0.1, 0.3, 0.4]
        points = { a = [1, 0, 0], b = [0, 1, 0] }
        angular_velocity = [0.5, 2, 1]
        free = true
        [outputs]
        ax = 'plate.a.x - plate.x'
        ay = 'plate.a.y - plate.y'
        az = 'plate.a.z - plate.z'
        bx = 'plate.b.x - plate.x'
        by = 'plate.b.y - plate.y'
        bz = 'plate.b.z - plate.z'
        wx = 'plate.wx'
        wy = 'plate.wy'
        wz = 'plate.wz'";
    let ends = all(text).map(|machine| {
        let end = machine.run(1e-3, 1000, Projected::Yes).state;
        let vector = |names: [&str; 3]| Vector::from(names.map(|name| machine.output(name, &end)));
        let spin = vector(["wx", "wy", "wz"]);
        let (a, b) = (vector(["ax", "ay", "az"]), vector(["bx", "by", "bz"]));
        let (one, two, three) = (spin.dot(&a), spin.dot(&b), spin.dot(&a.cross(&b)));
        close(one * one + two * two, 4.25, RUN);
        let energy = 0.1 * one * one + 0.3 * two * two + 0.4 * three * three;
        close(energy, 0.1 * 0.25 + 0.3 * 4.0 + 0.4, RUN);
        spin
    });
    assert!((ends[0] - ends[1]).norm() < RUN, "{ends:?}");
}
