//! Mechanisms at rest against their closed forms.

use crate::assemble::rocker_angle;
use crate::models::{DOUBLE_PENDULUM, FOUR_BAR, GEARS, OSCILLATOR};
use crate::{answer, gallery, near, refusal};

const G: f64 = 9.81;

/// Round-off of forces of some ten newtons.
const ROUND_OFF: f64 = 1e-11;

#[test]
fn a_mass_hangs_on_its_spring_where_the_force_is_its_weight() {
    let (found, _) = answer("statics", OSCILLATOR, &[]);
    assert_eq!(found["stability"], "stable");
    near(&found["outputs"]["height"], -2.0 * G / 200.0, ROUND_OFF);
    near(&found["elements"]["spring"], 2.0 * G, ROUND_OFF);
    near(&found["stiffnesses"][0], 200.0 / 2.0, ROUND_OFF);
    // An input that carries half of it.
    let (found, _) = answer("statics", OSCILLATOR, &["--input", "push=9.81"]);
    near(&found["outputs"]["height"], -G / 200.0, ROUND_OFF);
}

#[test]
fn a_double_pendulum_hangs_down() {
    let (found, _) = answer("statics", DOUBLE_PENDULUM, &[]);
    assert_eq!(found["stability"], "stable");
    for body in ["upper", "lower"] {
        near(
            &found["bodies"][body]["angle"],
            -std::f64::consts::FRAC_PI_2,
            ROUND_OFF,
        );
    }
    near(&found["reactions"]["A"]["force"][1], 4.0 * G, ROUND_OFF);
    near(&found["reactions"]["B"]["force"][1], 2.0 * G, ROUND_OFF);
}

#[test]
fn a_pendulum_that_stands_stays_and_is_unstable() {
    let upright = ["--set", "first=90 deg", "--set", "second=90 deg"];
    let (found, _) = answer("statics", DOUBLE_PENDULUM, &upright);
    assert_eq!(found["stability"], "unstable");
    near(
        &found["bodies"]["upper"]["angle"],
        std::f64::consts::FRAC_PI_2,
        ROUND_OFF,
    );
}

#[test]
fn a_lever_is_held_by_the_moment_of_its_weight() {
    let level = ["--set", "first=0.3", "--set", "second=0.7", "--hold", "A,B"];
    let (found, _) = answer("statics", DOUBLE_PENDULUM, &level);
    assert_eq!(found["stability"], "fixed");
    let (upper, lower) = (2.0 * G * 0.3_f64.cos(), 2.0 * G * 0.7_f64.cos());
    near(
        &found["holding"][0]["effort"],
        2.0 * upper + lower,
        ROUND_OFF,
    );
    near(&found["holding"][1]["effort"], lower, ROUND_OFF);
}

#[test]
fn a_gear_holds_by_its_ratio() {
    let (found, _) = answer("statics", GEARS, &["--hold", "A"]);
    // The weight turns the large wheel by −3 g 0.2, and the small one feels −0.5 of that.
    near(
        &found["holding"][0]["effort"],
        -0.5 * 3.0 * G * 0.2,
        ROUND_OFF,
    );
}

/// Height of all weights of the four-bar times their weight, by its closed form.
fn potential(crank: f64) -> f64 {
    let rocker = rocker_angle([0.1, 0.3, 0.25, 0.35], crank);
    let (b, c) = (0.1 * crank.sin(), 0.25 * rocker.sin());
    G * (1.0 * b / 2.0 + 2.0 * (b + c) / 2.0 + 3.0 * c / 2.0)
}

#[test]
fn a_four_bar_is_held_by_its_virtual_work() {
    let (found, _) = answer("statics", FOUR_BAR, &["--hold", "A"]);
    let (at, h) = (std::f64::consts::FRAC_PI_2, 1e-3);
    let slope = |h: f64| (potential(at + h) - potential(at - h)) / (2.0 * h);
    // Differences of h and h/2 leave a term in h⁴, and round-off over h.
    near(
        &found["holding"][0]["effort"],
        (4.0 * slope(h / 2.0) - slope(h)) / 3.0,
        1e-10,
    );
}

#[test]
fn a_four_bar_rests_where_its_weights_are_lowest() {
    let (found, _) = answer("statics", FOUR_BAR, &[]);
    assert_eq!(found["stability"], "stable");
    let crank = found["bodies"]["crank"]["angle"].as_f64().unwrap();
    let slope = (potential(crank + 1e-5) - potential(crank - 1e-5)) / 2e-5;
    // Round-off over the difference, of energies of some joules.
    assert!(slope.abs() < 1e-9, "{slope}");
}

#[test]
fn the_suspension_rests_where_its_reference_does() {
    let (found, _) = answer("statics", &gallery("iltis_suspension"), &[]);
    assert_eq!(found["stability"], "stable");
    // All digits of the reference, of an integration that ended there.
    near(&found["outputs"]["z"], 0.356_901_100_4, 5e-11);
    near(&found["outputs"]["tyre_force"], 3414.994, 5e-4);
}

#[test]
fn a_driver_holds_what_it_drives() {
    let (found, _) = answer("statics", &gallery("quick_return"), &[]);
    assert_eq!(found["stability"], "fixed");
    assert_eq!(found["holding"][0]["coordinate"], "motor.angle");
    let effort = found["holding"][0]["effort"].as_f64().unwrap();
    near(&found["outputs"]["drive"], effort, 0.0);
    // With the crank level, the pin is 0.1 m to the right and the lever leans by atan(1/3): its weight of 2 kg,
    // 0.35 m up, turns it, and the pin, √0.1 m from the pivot, pushes across the slot.
    let lean = (1.0_f64 / 3.0).atan();
    let push = 2.0 * G * 0.35 * lean.sin() / 0.1_f64.sqrt();
    let lever = push * 0.1 * lean.sin();
    near(&found["holding"][0]["effort"], lever, ROUND_OFF);
}

#[test]
fn what_nothing_carries_has_no_rest() {
    let said = refusal("statics", OSCILLATOR, &["--set", "k=0"]);
    assert!(said.contains("error[A701]: no equilibrium found"), "{said}");
    assert!(said.contains("`mass.y`"), "{said}");
}
