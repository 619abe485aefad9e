//! Couplings whose joint is driven, against formulas by hand and in every formulation: the coupling hands the
//! prescribed motion on, and the drive takes the effort that the coupled side needs.

use bellcrank_compiler::description::{Description, Formulation};

use super::converges;
use super::machine::{Machine, Projected};
use crate::formulations;

const FORMULATIONS: [Formulation; 5] = [
    Formulation::Body,
    Formulation::Multiplier,
    Formulation::Momentum,
    Formulation::Swing,
    Formulation::Joint,
];

/// Two wheels on ground. The first is driven, the second is geared to it and has its mass 1 m off the axis.
const WHEELS: &str = "
    space = 'planar'
    gravity = [0, 0]
    ground.points.P = [3, 0]
    bodies.first = { mass = 1, inertia = 0.1 }
    bodies.second = { mass = 1, inertia = 0.1, center = [1, 0], position = [3, 0] }
    joints.A = { type = 'revolute', between = ['ground', 'first'], motion.angle = 't^2' }
    joints.B = { type = 'revolute', between = ['ground.P', 'second'] }
    couplings.mesh = { type = 'gear', between = ['A.angle', 'B.angle'], ratio = RATIO }
    outputs = { gear = 'mesh.torque', drive = 'A.drive', fx = 'B.force.x', fy = 'B.force.y' }";

/// α = 2 and ω = 2 t at the first wheel. With ρ the ratio the second one has the angle φ = ρ t² and takes the
/// torque (J + m r²) ρ α, of which the first one feels ρ times as much; its hinge carries m r̈.
#[test]
fn a_geared_wheel_takes_its_torque_from_the_drive() {
    for (formulation, ratio) in FORMULATIONS.iter().flat_map(|f| [(*f, 1.0), (*f, -0.5)]) {
        let machine = machine(&WHEELS.replace("RATIO", &ratio.to_string()), formulation);
        let state = machine.run(1e-2, 60, Projected::Yes).state;
        let (angle, rate, acceleration) =
            (ratio * state.t.powi(2), ratio * 2.0 * state.t, ratio * 2.0);
        let gear = 1.1 * acceleration;
        let (sin, cos) = angle.sin_cos();
        let expected = [
            ("gear", gear),
            ("drive", 0.1 * 2.0 + ratio * gear),
            ("fx", -sin * acceleration - cos * rate.powi(2)),
            ("fy", cos * acceleration - sin * rate.powi(2)),
        ];
        for (name, expected) in expected {
            let off = (machine.output(name, &state) - expected).abs();
            // A few dozen roundings of a few newtons.
            assert!(off < 1e-12, "{formulation:?} {ratio} {name}: {off:e}");
        }
    }
}

/// A wheel of radius 1 at the origin, coupled to something that is driven, with a pendulum on its rim.
const PENDULUM: &str = "
    space = 'planar'
    gravity = [0, -9.81]
    ground.points.P = [0, -2]
    bodies.wheel = { mass = 1, inertia = 0.2, points.rim = [1, 0] }
    bodies.bob = { mass = 2, inertia = 0.05, center = [0.5, 0], position = [1, 0], angle = -0.4, angular_velocity = 0.3 }
    joints.B = { type = 'revolute', between = ['ground', 'wheel'] }
    joints.C = { type = 'revolute', between = ['wheel.rim', 'bob'] }
    outputs = { wheel = 'wheel.angle', angle = 'bob.angle', rate = 'bob.rate', ax = 'bob.center.ax' }";

/// Driven through gears.
const GEARED: &str = "
    bodies.first = { mass = 1, inertia = 0.1, position = [0, -2] }
    joints.A = { type = 'revolute', between = ['ground.P', 'first'], motion.angle = 't^2' }
    couplings.mesh = { type = 'gear', between = ['A.angle', 'B.angle'], ratio = 1 }";

/// Driven through a rack of radius 0.5 on a slider that moves by t²/2.
const RACKED: &str = "
    bodies.slider = { mass = 3, inertia = 0.1, position = [0, -2] }
    joints.A = { type = 'prismatic', between = ['ground.P', 'slider'], axis = [1, 0], motion.displacement = 't^2 / 2' }
    couplings.rack = { type = 'rack', between = ['B.angle', 'A.displacement'], radius = 0.5 }";

fn pendulums() -> [String; 2] {
    [GEARED, RACKED].map(|driven| format!("{PENDULUM}{driven}"))
}

/// With φ = t² the angle of the wheel and Δ = φ − ψ, Lagrange's equation of the bob is
/// (J + m b²) ψ̈ = −m b (cos Δ φ̈ − sin Δ φ̇²) − m g b cos ψ.
#[test]
fn a_pendulum_on_a_coupled_wheel_is_the_textbook_one() {
    for (text, formulation) in everywhere() {
        let machine = machine(&text, formulation);
        let state = machine.run(1e-2, 40, Projected::Yes).state;
        let output = |name: &str| machine.output(name, &state);
        let (phi, psi, rate) = (state.t.powi(2), output("angle"), output("rate"));
        assert!((output("wheel") - phi).abs() < 1e-12, "{formulation:?}");
        let (sin, cos) = (phi - psi).sin_cos();
        let moment = -(cos * 2.0 - sin * (2.0 * state.t).powi(2)) - 9.81 * psi.cos();
        let psi_second = moment / (0.05 + 2.0 * 0.25);
        // ẍ = −sin φ φ̈ − cos φ φ̇² − b (sin ψ ψ̈ + cos ψ ψ̇²)
        let rim = -phi.sin() * 2.0 - phi.cos() * (2.0 * state.t).powi(2);
        let expected = rim - 0.5 * (psi.sin() * psi_second + psi.cos() * rate.powi(2));
        let off = (output("ax") - expected).abs();
        assert!(off < 1e-11, "{formulation:?}: {off:e}");
    }
}

/// Without projection the motion itself has order 4, which a wrong γ or a wrong entry of a row would spoil; and
/// with it the energy equals the work of the drive.
#[test]
fn the_motion_of_a_coupled_wheel_has_order_four() {
    for (text, formulation) in everywhere() {
        let machine = machine(&text, formulation);
        for projected in [Projected::No, Projected::Yes] {
            let motion = |refined: usize| {
                let run = machine.run(0.02 / refined as f64, 40 * refined, projected);
                ["angle", "rate"].map(|name| machine.output(name, &run.state))
            };
            let [coarse, fine, exact] = [1, 2, 8].map(motion);
            let error = |found: [f64; 2]| (found[0] - exact[0]).hypot(found[1] - exact[1]);
            let ratio = error(coarse) / error(fine);
            // 2⁴, less what the next order takes; order 3 has 8.
            assert!(ratio > 11.0, "{formulation:?}: {ratio}");
        }
        let start = machine.energy(&machine.start());
        converges(|refined| {
            let run = machine.run(1e-2 / refined as f64, 40 * refined, Projected::Yes);
            (machine.energy(&run.state) - run.work - start).abs()
        });
    }
}

/// Accelerations, corrections, reactions and outputs of every kernel against the bordered system.
#[test]
fn kernels_solve_what_the_rows_of_driven_couplings_say() {
    for text in pendulums() {
        let machine = machine(&text, Formulation::Body);
        formulations::check(&machine.compiled, &machine.compiled.assembly.states);
    }
}

fn everywhere() -> impl Iterator<Item = (String, Formulation)> {
    let each = |text: String| FORMULATIONS.map(|formulation| (text.clone(), formulation));
    pendulums().into_iter().flat_map(each)
}

fn machine(text: &str, formulation: Formulation) -> Machine {
    let description: Description = toml::from_str(text).unwrap();
    Machine::new(&Description {
        formulation: Some(formulation),
        ..description
    })
}
