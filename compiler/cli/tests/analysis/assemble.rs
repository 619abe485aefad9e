//! Where a guess closes, and by how much it does not.

use crate::models::{FOUR_BAR, SLIDER_CRANK};
use crate::{answer, asked, gallery, near, refusal};

/// Round-off of a few operations on lengths of 0.3 m, through a loop that is well conditioned.
const ROUND_OFF: f64 = 1e-13;

/// The angle of the rocker where circles about both of its ends meet, above the base.
pub fn rocker_angle([a, b, c, d]: [f64; 4], crank: f64) -> f64 {
    let (x, y) = (a * crank.cos() - d, a * crank.sin());
    let across = x.hypot(y);
    let half = ((across * across + c * c - b * b) / (2.0 * across * c)).acos();
    (y.atan2(x) - half).rem_euclid(std::f64::consts::TAU)
}

#[test]
fn a_four_bar_closes_where_circles_meet() {
    let (found, _) = answer("assemble", FOUR_BAR, &[]);
    assert_eq!(found["closed"], true);
    assert_eq!(found["freedoms"], 1);
    let rocker = rocker_angle([0.1, 0.3, 0.25, 0.35], std::f64::consts::FRAC_PI_2);
    near(&found["bodies"][2]["angle"], rocker, ROUND_OFF);
    // The crank is held; the rocker was guessed at 100 degrees.
    near(&found["bodies"][0]["turned"], 0.0, ROUND_OFF);
    near(
        &found["bodies"][2]["turned"],
        (rocker - 100_f64.to_radians()).abs(),
        ROUND_OFF,
    );
    let rows = found["rows"].as_array().unwrap();
    assert!(
        rows.iter()
            .any(|row| row["before"].as_f64().unwrap().abs() > 1e-3)
    );
    rows.iter()
        .for_each(|row| near(&row["after"], 0.0, ROUND_OFF));
}

#[test]
fn a_slider_crank_closes_with_other_lengths() {
    let (found, _) = answer(
        "assemble",
        SLIDER_CRANK,
        &["--set", "r=120 mm", "--set", "l=0.4"],
    );
    let angle = 40_f64.to_radians();
    let x = 0.12 * angle.cos() + (0.16 - (0.12 * angle.sin()).powi(2)).sqrt();
    near(&found["bodies"][2]["position"][0], x, ROUND_OFF);
}

#[test]
fn links_that_are_too_short_leave_the_length_that_they_lack() {
    let short = ["--set", "coupler_length=0.1", "--set", "rocker_length=0.1"];
    let (found, _) = answer("assemble", FOUR_BAR, &short);
    assert_eq!(found["closed"], false);
    let open = &found["open"].as_array().unwrap();
    assert_eq!(open.len(), 1);
    near(&open[0]["gap"], 0.35 - 0.3, ROUND_OFF);
    let said = refusal("assemble", FOUR_BAR, &short);
    let joint = open[0]["joint"].as_str().unwrap();
    let expect = format!("error[T305]: joint `{joint}` does not close: it stays open by 50 mm");
    assert!(said.contains(&expect), "{said}");
    for word in [
        "`crank`",
        "`coupler`",
        "`rocker`",
        "50 mm longer",
        "the distance on ground 50 mm shorter",
    ] {
        assert!(said.contains(word), "{word}: {said}");
    }
}

#[test]
fn a_link_that_is_too_long_is_told_to_be_shorter() {
    let long = ["--set", "coupler_length=1.0"];
    let (found, _) = answer("assemble", FOUR_BAR, &long);
    near(&found["open"][0]["gap"], 1.0 - 0.7, ROUND_OFF);
    let said = refusal("assemble", FOUR_BAR, &long);
    assert!(said.contains("`coupler` 300 mm shorter"), "{said}");
}

#[test]
fn a_crank_that_cannot_be_held_is_blamed() {
    // A rocker that only closes with the crank away from 90 degrees.
    let lengths = [
        "--set",
        "crank_length=0.3",
        "--set",
        "coupler_length=0.15",
        "--set",
        "rocker_length=0.15",
    ];
    let said = refusal("assemble", FOUR_BAR, &lengths);
    assert!(
        said.contains("error[T305]: `crank.angle` cannot be held"),
        "{said}"
    );
}

#[test]
fn redundant_rows_are_told() {
    let (found, _) = answer("assemble", &gallery("spatial_four_bar"), &[]);
    assert_eq!(found["freedoms"], 1);
    // Plain revolutes in space: 24 rows on 18 velocities, and it moves.
    assert_eq!(found["redundant"].as_array().unwrap().len(), 3);
}

#[test]
fn what_is_written_closes_as_it_is() {
    let output = asked("assemble", FOUR_BAR, &["--write"]);
    let text = String::from_utf8(output.stdout).unwrap();
    let written: toml::Table = text.parse().unwrap();
    let (found, _) = answer("assemble", FOUR_BAR, &[]);
    for (index, body) in ["crank", "coupler", "rocker"].iter().enumerate() {
        let place = &written["bodies"][*body];
        near(
            &found["bodies"][index]["angle"],
            place["angle"].as_float().unwrap(),
            0.0,
        );
        let x = place["position"][0].as_float().unwrap();
        near(&found["bodies"][index]["position"][0], x, 0.0);
    }
}

#[test]
fn a_table_is_for_people() {
    let output = asked("assemble", FOUR_BAR, &[]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.starts_with("closed: 1 degree of freedom, 0 redundant constraint equations\n\nbody "),
        "{text}"
    );
    assert!(text.contains("angle [deg]"), "{text}");
}

#[test]
fn an_unknown_parameter_is_refused() {
    let said = refusal("assemble", FOUR_BAR, &["--set", "crank_lenght=1"]);
    assert!(said.contains("did you mean `crank_length`?"), "{said}");
}
