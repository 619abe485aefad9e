//! Small motions against their closed forms.

use std::f64::consts::TAU;
use std::fs;

use serde_json::Value;

use crate::models::{DOUBLE_PENDULUM, OSCILLATOR};
use crate::{answer, asked, folder, near, refusal};

const G: f64 = 9.81;

/// Round-off of frequencies of a few hertz.
const ROUND_OFF: f64 = 1e-12;

/// Two masses of 1 kg between three springs of 100 N/m, and a wheel that nothing holds.
const CHAIN: &str = r#"
space = "planar"

[bodies.left]
mass = 1
inertia = 1
position = [1, 0]

[bodies.right]
mass = 1
inertia = 1
position = [2, 0]

[bodies.wheel]
mass = 1
inertia = 1

[joints.a]
type = "prismatic"
between = ["ground", "left"]
axis = "x"

[joints.b]
type = "prismatic"
between = ["ground", "right"]
axis = "x"

[joints.axle]
type = "revolute"
between = ["ground", "wheel"]

[forces.first]
type = "spring"
joint = "a"
stiffness = 100
free = 1

[forces.middle]
type = "spring"
between = ["left", "right"]
stiffness = 100
free = 1

[forces.last]
type = "spring"
joint = "b"
stiffness = 100
free = 2
"#;

/// A point mass on an arm of 1 m that hangs on a shaft, driven so fast that the arm stands out by 60 degrees.
const GOVERNOR: &str = r#"
space = "spatial"
gravity = [0, 0, -9.81]

[constants]
speed = "sqrt(9.81 / cos(60 deg))"

[bodies.shaft]
mass = 1
inertia = [1, 1, 1]
angular_velocity = [0, 0, "speed"]

[bodies.arm]
mass = 2
inertia = [0, 0, 0]
points = { root = [0, 0, 1] }
position = ["sin(60 deg)", 0, "-cos(60 deg)"]
orientation = { axis = "y", angle = "-60 deg" }
angular_velocity = [0, 0, "speed"]

[joints.drive]
type = "revolute"
between = ["ground", "shaft"]
axis = "z"
motion = { angle = "speed * t" }

[joints.hinge]
type = "revolute"
between = ["shaft", "arm.root"]
axis = "y"

[assembly]
hold = ["hinge.angle"]
"#;

fn frequencies(found: &Value) -> Vec<f64> {
    let modes = found["modes"].as_array().unwrap().iter();
    modes
        .map(|mode| mode["frequency_hz"].as_f64().unwrap())
        .collect()
}

#[test]
fn a_double_pendulum_has_two_frequencies() {
    let (found, said) = answer("modes", DOUBLE_PENDULUM, &[]);
    assert!(!said.contains("A704"), "{said}");
    // Equal masses on bars of one length l: ω² = (2 ± √2) g/l.
    for (k, square) in [2.0 - 2_f64.sqrt(), 2.0 + 2_f64.sqrt()].iter().enumerate() {
        near(
            &found["modes"][k]["frequency_hz"],
            (square * G).sqrt() / TAU,
            ROUND_OFF,
        );
        near(&found["modes"][k]["damping_ratio"], 0.0, ROUND_OFF);
        // The lower one turns by ± √2 of the upper one.
        let bodies = &found["modes"][k]["bodies"];
        let [upper, lower] =
            ["upper.angle", "lower.angle"].map(|name| bodies[name][0].as_f64().unwrap());
        let sign = if k == 0 { 1.0 } else { -1.0 };
        near(&Value::from(lower / upper), sign * 2_f64.sqrt(), 1e-9);
    }
}

#[test]
fn masses_between_springs_have_frequencies_of_one_and_three() {
    let (found, _) = answer("modes", CHAIN, &[]);
    let expect = [0.0, 10.0, 10.0 * 3_f64.sqrt()];
    for (found, expect) in frequencies(&found).iter().zip(expect) {
        near(&Value::from(*found), expect / TAU, ROUND_OFF);
    }
    assert_eq!(found["modes"].as_array().unwrap().len(), 3);
    // The wheel that nothing holds is no vibration.
    assert_eq!(found["modes"][0]["kind"], "rigid");
    near(
        &found["modes"][0]["bodies"]["wheel.angle"][0],
        1.0,
        ROUND_OFF,
    );
    near(&found["modes"][0]["bodies"]["left.x"][0], 0.0, ROUND_OFF);
    for (k, sign) in [(1, 1.0), (2, -1.0)] {
        let bodies = &found["modes"][k]["bodies"];
        let [left, right] = ["left.x", "right.x"].map(|name| bodies[name][0].as_f64().unwrap());
        near(&Value::from(right / left), sign, 1e-9);
    }
}

#[test]
fn a_damped_oscillator_has_its_damping_ratio_and_its_matrices() {
    let (found, _) = answer("modes", OSCILLATOR, &[]);
    let (m, k, c) = (2.0_f64, 200.0_f64, 4.0_f64);
    let damping = c / (2.0 * (k * m).sqrt());
    let mode = &found["modes"][0];
    near(&mode["frequency_hz"], (k / m).sqrt() / TAU, ROUND_OFF);
    near(&mode["damping_ratio"], damping, ROUND_OFF);
    near(
        &mode["damped_frequency_hz"],
        (k / m * (1.0 - damping * damping)).sqrt() / TAU,
        ROUND_OFF,
    );
    near(&found["undamped_hz"][0], (k / m).sqrt() / TAU, ROUND_OFF);
    let matrix = |name: &str, expect: &[&[f64]]| {
        for (i, row) in expect.iter().enumerate() {
            for (j, number) in row.iter().enumerate() {
                near(&found[name][i][j], *number, ROUND_OFF);
            }
        }
    };
    assert_eq!(found["states"][0], "guide.displacement");
    matrix("A", &[&[0.0, 1.0], &[-k / m, -c / m]]);
    matrix("B", &[&[0.0], &[1.0 / m]]);
    matrix("C", &[&[1.0, 0.0], &[-k, -c]]);
    matrix("D", &[&[0.0], &[0.0]]);
}

#[test]
fn too_much_damping_dies_out() {
    let (found, _) = answer("modes", OSCILLATOR, &["--set", "c=100"]);
    // μ² + 50 μ + 100 = 0
    for (k, sign) in [(0, 1.0), (1, -1.0)] {
        assert_eq!(found["modes"][k]["kind"], "decaying");
        near(
            &found["modes"][k]["eigenvalue"][0],
            -25.0 + sign * 525_f64.sqrt(),
            ROUND_OFF,
        );
    }
}

#[test]
fn an_inverted_pendulum_goes_away() {
    let upright = ["--set", "first=90 deg", "--set", "second=90 deg"];
    let (found, _) = answer("modes", DOUBLE_PENDULUM, &upright);
    let rates = [2.0 - 2_f64.sqrt(), 2.0 + 2_f64.sqrt()].map(|square| (square * G).sqrt());
    let modes = found["modes"].as_array().unwrap();
    let growing: Vec<_> = modes
        .iter()
        .filter(|mode| mode["kind"] == "diverging")
        .collect();
    assert_eq!(growing.len(), 2);
    for (mode, rate) in growing.iter().zip(rates) {
        near(&mode["eigenvalue"][0], rate, ROUND_OFF);
    }
    let text = asked("modes", DOUBLE_PENDULUM, &upright);
    assert!(
        String::from_utf8(text.stdout)
            .unwrap()
            .contains("unstable, goes away")
    );
}

#[test]
fn an_arm_on_a_turning_shaft_swings_about_its_steady_place() {
    let (found, said) = answer("modes", GOVERNOR, &["--at", "start"]);
    assert!(
        said.contains("A704") && said.contains("the state moves"),
        "{said}"
    );
    // cos α = g/(l Ω²), ω = Ω sin α.
    let frequency = (G / 0.5).sqrt() * 60_f64.to_radians().sin() / TAU;
    assert_eq!(found["states"][0], "hinge.angle");
    near(&found["modes"][0]["frequency_hz"], frequency, 1e-10);
    near(&found["drift"][0], 0.0, ROUND_OFF);
}

#[test]
fn a_state_that_falls_is_told() {
    let (_, said) = answer("modes", DOUBLE_PENDULUM, &["--at", "start"]);
    assert!(
        said.contains("warning[A704]: the state is no equilibrium"),
        "{said}"
    );
}

#[test]
fn a_state_of_the_motion_is_that_of_its_time() {
    // After many of its time constants the mass hangs still.
    let (found, said) = answer("modes", OSCILLATOR, &["--set", "c=20", "--at", "t=8"]);
    assert!(!said.contains("A704"), "{said}");
    near(&found["drift"][0], 0.0, 1e-9);
}

#[test]
fn nothing_to_linearise_about_is_told() {
    let said = refusal("modes", OSCILLATOR, &["--set", "k=0"]);
    assert!(
        said.contains("error[A701]: no equilibrium found to linearise about"),
        "{said}"
    );
}

#[test]
fn matrices_are_files_with_names() {
    let place = folder().join("matrices");
    asked(
        "modes",
        OSCILLATOR,
        &["--matrices", place.to_str().unwrap()],
    );
    let file = |name: &str| fs::read_to_string(place.join(name)).unwrap();
    assert!(
        file("A.csv").starts_with(
            ",guide.displacement,guide.displacement_rate\nguide.displacement,0.0,1.0\n"
        )
    );
    assert!(file("B.csv").starts_with(",push\n"));
    assert!(file("C.csv").contains("\nheight,"));
    assert!(file("D.csv").contains("\nspring,"));
}
