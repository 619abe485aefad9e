//! Two shafts that meet at an angle: a constant-velocity joint passes the speed on at every angle, a universal joint
//! with the known fluctuation.

use bellcrank_compiler::description::{Description, Formulation};

use super::machine::{Machine, Projected, Run};

/// Between both shafts.
const BEND: f64 = std::f64::consts::FRAC_PI_6;

/// Of the driver, radians a second.
const SPEED: f64 = 3.0;

const STEP: f64 = 5e-3;

/// A bit more than a turn.
const STEPS: usize = 440;

const FORMULATIONS: [Formulation; 4] = [
    Formulation::Body,
    Formulation::Multiplier,
    Formulation::Momentum,
    Formulation::Joint,
];

/// Shafts that turn on ground, tied by a joint of this type with these axes.
fn shafts(joint: &str, axes: &str, formulation: Formulation) -> Machine {
    let (sin, cos) = BEND.sin_cos();
    let text = format!(
        "
        space = 'spatial'
        bodies.driver = {{ mass = 1, inertia = [0.1, 0.2, 0.3] }}
        bodies.follower = {{ mass = 1, inertia = [0.3, 0.1, 0.2], orientation = {{ axis = [0, 1, 0], angle = '{BEND} rad' }} }}
        joints.A = {{ type = 'revolute', between = ['ground', 'driver'], axis = 'z', motion = {{ angle = '{SPEED} * t' }} }}
        joints.B = {{ type = 'revolute', between = ['ground', 'follower'], axis = [[{sin}, 0, {cos}], [0, 0, 1]] }}
        joints.C = {{ type = '{joint}', between = ['driver', 'follower'], axis = {axes} }}
        outputs = {{ angle = 'A.angle', speed = 'B.rate' }}"
    );
    let description: Description = toml::from_str(&text).unwrap();
    Machine::new(&Description {
        formulation: Some(formulation),
        ..description
    })
}

/// Angle of the driver and speed of the follower, over more than a turn.
fn speeds(machine: &Machine) -> Vec<[f64; 2]> {
    let mut run = Run {
        state: machine.start(),
        work: 0.0,
    };
    let mut next = |_| {
        machine.step(&mut run, STEP, Projected::Yes);
        ["angle", "speed"].map(|name| machine.output(name, &run.state))
    };
    (0..STEPS).map(&mut next).collect()
}

#[test]
fn a_constant_velocity_joint_passes_the_speed_on() {
    for formulation in FORMULATIONS {
        let machine = shafts("constant-velocity", "['z', 'z']", formulation);
        assert_eq!(machine.compiled.assembly.freedoms, 0);
        for [angle, speed] in speeds(&machine) {
            // Round-off of a projected state.
            let off = (speed - SPEED).abs();
            assert!(off < 1e-11, "{formulation:?} at {angle}: {speed}");
        }
    }
}

/// ω₂ = ω₁ cos β / (1 − sin² β cos² θ), with θ from where the driver's arm of the cross is in the plane of both shafts.
#[test]
fn a_universal_joint_does_not() {
    for formulation in FORMULATIONS {
        let machine = shafts("universal", "['x', 'y']", formulation);
        for [angle, speed] in speeds(&machine) {
            let (sin, cos) = BEND.sin_cos();
            let expected = SPEED * cos / (1.0 - (sin * angle.cos()).powi(2));
            let off = (speed - expected).abs();
            assert!(
                off < 1e-11,
                "{formulation:?} at {angle}: {speed}, {expected}"
            );
        }
    }
}

/// The guess says how the shafts are turned against each other, also where it bends the joint and turns it.
#[test]
fn the_guess_is_assembled() {
    let text = "
        space = 'spatial'
        bodies.one = { mass = 1, inertia = [0.1, 0.2, 0.3], orientation = { axis = [1, 2, 3], angle = '40 deg' } }
        bodies.two = { mass = 1, inertia = [0.1, 0.2, 0.3], orientation = { axis = [-2, 1, 1], angle = '75 deg' } }
        joints.A = { type = 'spherical', between = ['ground', 'one'] }
        joints.B = { type = 'constant-velocity', between = ['one', 'two'], axis = ['x', 'z'] }";
    let description: Description = toml::from_str(text).unwrap();
    let machine = Machine::new(&description);
    assert_eq!(machine.compiled.assembly.freedoms, 5);
    let bodies = &machine.compiled.model.bodies;
    for (body, now) in bodies.iter().zip(machine.motions(&machine.start())) {
        let assembled = now.rotation.coords;
        let [w, x, y, z] = body.orientation;
        let guessed = nalgebra::Quaternion::new(w, x, y, z).coords;
        // Nothing is left to assemble but round-off.
        let off = (assembled - guessed)
            .norm()
            .min((assembled + guessed).norm());
        assert!(off < 1e-14, "{}: {off:e}", body.name);
    }
}
