//! Driven mechanisms against their closed forms.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use serde_json::Value;

use crate::assemble::rocker_angle;
use crate::models::{DOUBLE_PENDULUM, FOUR_BAR, GEARS, SLIDER_CRANK};
use crate::{answer, asked, gallery, near, refusal};

/// Round-off of positions of 0.3 m and of their first two derivatives by the drive.
const ROUND_OFF: f64 = 1e-12;

fn steps(found: &Value) -> &[Value] {
    found["steps"].as_array().unwrap()
}

/// Drives at which an output stands still, with its value there.
fn dead_centres(found: &Value, output: &str) -> Vec<(f64, f64)> {
    let all = found["dead_centres"].as_array().unwrap().iter();
    let own = all.filter(|one| one["output"] == output);
    own.map(|one| {
        (
            one["drive"].as_f64().unwrap(),
            one["value"].as_f64().unwrap(),
        )
    })
    .collect()
}

#[test]
fn a_slider_crank_moves_as_its_formula_says() {
    let arguments = [
        "--drive", "A", "--from", "0", "--to", "360 deg", "--rate", "2",
    ];
    let (found, _) = answer("kinematics", SLIDER_CRANK, &arguments);
    assert_eq!(steps(&found).len(), 73);
    let (r, l, rate) = (0.1_f64, 0.3_f64, 2.0);
    for step in steps(&found) {
        let angle = step["drive"].as_f64().unwrap();
        let (sin, cos) = angle.sin_cos();
        let root = (l * l - r * r * sin * sin).sqrt();
        let first = -r * sin - r * r * sin * cos / root;
        let second = -r * cos
            - r * r * (cos * cos - sin * sin) / root
            - (r * r * sin * cos).powi(2) / root.powi(3);
        near(&step["outputs"]["x"][0], r * cos + root, ROUND_OFF);
        near(&step["outputs"]["x"][1], first * rate, ROUND_OFF);
        near(&step["outputs"]["x"][2], second * rate * rate, ROUND_OFF);
        // Between the rod and the line across the slide.
        let lean = (r * sin / l).asin().abs();
        let angle = step["transmission"].as_f64().unwrap();
        near(&Value::from((angle - FRAC_PI_2).abs()), lean, ROUND_OFF);
    }
    assert_eq!(found["transmission"], "C");
    let dead = dead_centres(&found, "x");
    for (expect, found) in [(0.0, 0.4), (PI, 0.2), (TAU, 0.4)].iter().zip(&dead) {
        near(&Value::from(found.0), expect.0, ROUND_OFF);
        near(&Value::from(found.1), expect.1, ROUND_OFF);
    }
    assert_eq!(dead.len(), 3);
}

/// The crank's pin stays on its circle and the slide on its line, whatever round-off makes of their rates.
#[test]
fn what_never_moves_has_no_dead_centre() {
    let still = "level = 'slide.y + 0.3'\nradius = 'sqrt(crank.tip.x^2 + crank.tip.y^2)'";
    let text = format!("{SLIDER_CRANK}{still}\n");
    let arguments = ["--drive", "A", "--from", "0", "--to", "360 deg"];
    let (found, _) = answer("kinematics", &text, &arguments);
    assert_eq!(dead_centres(&found, "level"), []);
    assert_eq!(dead_centres(&found, "radius"), []);
    assert_eq!(dead_centres(&found, "x").len(), 3);
}

#[test]
fn units_of_the_drive_are_checked() {
    let refused = |arguments: &[&str], words: &str| {
        let arguments = [&["--drive", "A"], arguments].concat();
        let told = refusal("kinematics", SLIDER_CRANK, &arguments);
        assert!(told.contains(words), "{told}");
    };
    refused(&["--to", "1 m"], "error[D109]: `--to`: this is a length");
    refused(&["--rate", "1 m/s"], "`--rate`: this is a speed");
    let arguments = ["--drive", "A", "--to", "360", "--steps", "2"];
    let (_, told) = answer("kinematics", SLIDER_CRANK, &arguments);
    assert!(told.contains("D114") && told.contains("360 deg"), "{told}");
}

#[test]
fn dead_centres_between_steps_are_found_to_round_off() {
    let arguments = ["--drive", "A", "--from", "0.1", "--to", "6", "--steps", "7"];
    let (found, _) = answer("kinematics", SLIDER_CRANK, &arguments);
    let dead = dead_centres(&found, "x");
    assert_eq!(dead.len(), 1);
    near(&Value::from(dead[0].0), PI, ROUND_OFF);
}

#[test]
fn a_four_bar_has_its_transmission_angle_and_its_limit_positions() {
    let arguments = [
        "--drive", "A", "--from", "0 deg", "--to", "360 deg", "--steps", "24",
    ];
    let (found, _) = answer("kinematics", FOUR_BAR, &arguments);
    let lengths @ [a, b, c, d] = [0.1_f64, 0.3, 0.25, 0.35];
    for step in steps(&found) {
        let angle = step["drive"].as_f64().unwrap();
        near(
            &step["outputs"]["rocker"][0],
            rocker_angle(lengths, angle),
            ROUND_OFF,
        );
        let across = a * a + d * d - 2.0 * a * d * angle.cos();
        let cosine = (b * b + c * c - across) / (2.0 * b * c);
        near(&step["transmission"], cosine.acos(), ROUND_OFF);
    }
    // Crank and coupler in one line, stretched and folded.
    let beside = |side: f64| ((d * d + side * side - c * c) / (2.0 * d * side)).acos();
    let dead = dead_centres(&found, "rocker");
    assert_eq!(dead.len(), 2);
    near(&Value::from(dead[0].0), beside(a + b), ROUND_OFF);
    near(&Value::from(dead[1].0), PI + beside(b - a), ROUND_OFF);
}

#[test]
fn a_crank_that_cannot_go_round_stops_where_coupler_and_rocker_stretch() {
    let (a, b, c, d) = (0.3_f64, 0.15, 0.15, 0.4);
    let lengths = [
        "crank_length=0.3",
        "coupler_length=0.15",
        "rocker_length=0.15",
        "base_length=0.4",
        "start=0.3",
    ];
    let mut arguments: Vec<&str> = lengths.iter().flat_map(|one| ["--set", one]).collect();
    arguments.extend(["--drive", "A", "--from", "20 deg", "--to", "180 deg"]);
    let (found, said) = answer("kinematics", FOUR_BAR, &arguments);
    let limit = ((a * a + d * d - (b + c) * (b + c)) / (2.0_f64 * a * d)).acos();
    near(&found["limit"], limit, ROUND_OFF);
    assert!(
        said.contains("warning[A703]: `A.angle` can go no further than 48.189685 deg"),
        "{said}"
    );
    let last = steps(&found).last().unwrap()["drive"].as_f64().unwrap();
    assert!(
        last < limit && last > limit - 160_f64.to_radians() / 72.0,
        "{last}"
    );
}

#[test]
fn a_rocker_that_is_driven_stops_where_crank_and_coupler_align() {
    // The same mechanism from the other side: its range is what the crank makes the rocker do.
    let (found, _) = answer(
        "kinematics",
        FOUR_BAR,
        &["--drive", "D", "--to", "-360 deg"],
    );
    let [a, b, c, d] = [0.1_f64, 0.3, 0.25, 0.35];
    let inner = |side: f64| PI - ((d * d + c * c - side * side) / (2.0 * d * c)).acos();
    near(&found["limit"], inner(b - a).min(inner(a + b)), ROUND_OFF);
}

#[test]
fn a_quick_return_turns_where_the_crank_is_across_the_lever() {
    let (found, _) = answer(
        "kinematics",
        &gallery("quick_return"),
        &["--drive", "motor"],
    );
    // The crank of 0.1 m touches the circle of the slot 0.3 m below its pivot.
    let beyond = (0.1_f64 / 0.3).asin();
    let dead = dead_centres(&found, "lever");
    assert_eq!(dead.len(), 2);
    near(&Value::from(dead[0].0), PI + beyond, ROUND_OFF);
    near(&Value::from(dead[0].1), beyond, ROUND_OFF);
    near(&Value::from(dead[1].0), TAU - beyond, ROUND_OFF);
    for step in steps(&found) {
        let (sin, cos) = step["drive"].as_f64().unwrap().sin_cos();
        near(
            &step["outputs"]["lever"][0],
            (-0.1 * cos).atan2(0.3 + 0.1 * sin),
            ROUND_OFF,
        );
    }
}

#[test]
fn the_effort_of_the_drive_is_that_of_constant_speed() {
    let quick = gallery("quick_return");
    let (slow, _) = answer("kinematics", &quick, &["--drive", "motor", "--steps", "8"]);
    let (fast, _) = answer(
        "kinematics",
        &quick,
        &["--drive", "motor", "--steps", "8", "--rate", "2"],
    );
    let (held, _) = answer(
        "kinematics",
        &quick,
        &["--drive", "motor", "--steps", "8", "--rate", "1e-9"],
    );
    for k in 0..8 {
        let [slow, fast, held] = [&slow, &fast, &held]
            .map(|found| steps(found)[k]["outputs"]["drive"][0].as_f64().unwrap());
        // Inertia goes with the square of the speed, weight does not; torques of a few newton metres.
        near(&Value::from(fast - held), 4.0 * (slow - held), 1e-11);
    }
}

#[test]
fn gears_turn_in_their_ratio_for_many_turns() {
    let arguments = [
        "--drive", "A", "--from", "0", "--to", "10 rev", "--steps", "5",
    ];
    let (found, _) = answer("kinematics", GEARS, &arguments);
    for step in steps(&found) {
        let angle = step["drive"].as_f64().unwrap();
        near(&step["outputs"]["large"][0], -0.5 * angle, ROUND_OFF);
        near(&step["outputs"]["large"][1], -0.5, ROUND_OFF);
    }
    assert_eq!(found["dead_centres"].as_array().unwrap().len(), 0);
}

#[test]
fn further_freedoms_have_to_be_held() {
    let said = refusal("kinematics", DOUBLE_PENDULUM, &["--drive", "A"]);
    assert!(
        said.contains("error[A702]: with `A.angle` driven, 1 degree of freedom would remain"),
        "{said}"
    );
    assert!(
        said.contains("hold 1 of these with `--hold`: B.angle"),
        "{said}"
    );
    let held = [
        "--drive", "A", "--hold", "B=0", "--from", "0", "--to", "1", "--steps", "1",
    ];
    let (found, _) = answer("kinematics", DOUBLE_PENDULUM, &held);
    near(&steps(&found)[1]["outputs"]["upper"][0], 1.0, ROUND_OFF);
}

#[test]
fn what_is_no_joint_or_no_coordinate_is_refused() {
    let said = refusal("kinematics", SLIDER_CRANK, &["--drive", "slott"]);
    assert!(
        said.contains("the model has no joint `slott`") && said.contains("`slot`"),
        "{said}"
    );
    let said = refusal("kinematics", SLIDER_CRANK, &["--drive", "A.displacement"]);
    assert!(
        said.contains("the revolute joint `A` has no coordinate `displacement`"),
        "{said}"
    );
    let said = refusal("kinematics", SLIDER_CRANK, &["--drive", "slot"]);
    assert!(said.contains("`slot.displacement` is a length"), "{said}");
}

#[test]
fn csv_has_every_step_and_every_output() {
    let arguments = ["--drive", "A", "--steps", "4", "--csv", "-"];
    let output = asked("kinematics", SLIDER_CRANK, &arguments);
    let text = String::from_utf8(output.stdout).unwrap();
    let mut lines = text.lines();
    assert_eq!(
        lines.next(),
        Some("A.angle,x,x_rate,x_acceleration,transmission_C")
    );
    assert_eq!(lines.count(), 5);
}
