//! Geometry without masses: what answers, and what asks for them.

use crate::models::FOUR_BAR;
use crate::{answer, asked, near, refusal};

/// The four-bar without a mass; the centres stay where they are.
fn bare() -> String {
    let kept = FOUR_BAR
        .lines()
        .filter(|line| !line.starts_with("mass") && !line.starts_with("inertia"));
    kept.collect::<Vec<_>>().join("\n")
}

/// One degree of freedom, with the crank held: the closed position does not depend on masses. Both end the search at
/// round-off of lengths of 0.3 m.
#[test]
fn assembly_needs_no_masses() {
    let (heavy, _) = answer("assemble", FOUR_BAR, &[]);
    let (light, _) = answer("assemble", &bare(), &[]);
    assert_eq!(light["closed"], true);
    assert_eq!(light["freedoms"], 1);
    for body in 0..3 {
        let angle = heavy["bodies"][body]["angle"].as_f64().unwrap();
        near(&light["bodies"][body]["angle"], angle, 1e-13);
    }
}

#[test]
fn kinematics_needs_no_masses() {
    let range = ["--drive", "A", "--to", "120 deg", "--steps", "3"];
    let (light, _) = answer("kinematics", &bare(), &range);
    let (heavy, _) = answer("kinematics", FOUR_BAR, &range);
    let [light, heavy] = [&light, &heavy].map(|found| found["steps"].as_array().unwrap().clone());
    assert_eq!(light.len(), 4);
    for (a, b) in light.iter().zip(&heavy) {
        for level in 0..3 {
            let expect = b["outputs"]["rocker"][level].as_f64().unwrap();
            // Accelerations divide round-off by a transmission of about a half, twice.
            near(&a["outputs"]["rocker"][level], expect, 1e-11);
        }
    }
}

/// `check` says what is missing and what it knows; a run, statics and vibration refuse.
#[test]
fn what_needs_masses_says_so() {
    let output = asked("check", &bare(), &[]);
    let [said, printed] =
        [&output.stderr, &output.stdout].map(|text| String::from_utf8_lossy(text));
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(
        said.contains("warning[M232]")
            && said.contains("`bodies.rocker` has no `mass` and no `inertia`"),
        "{said}"
    );
    assert!(
        printed.contains("1 degree of freedom") && printed.contains("1 closed loop"),
        "{printed}"
    );
    for (command, what) in [
        ("run", "a run"),
        ("statics", "an equilibrium"),
        ("modes", "a vibration"),
    ] {
        let said = refusal(command, &bare(), &[]);
        assert!(
            said.contains("error[M232]") && said.contains(what),
            "{said}"
        );
        assert!(
            said.contains("give `mass` and `inertia`")
                && said.contains("or a `shape` with a `material`"),
            "{said}"
        );
    }
    let energy = bare().replace("[outputs]", "[outputs]\ne = \"energy.kinetic\"");
    let said = refusal("kinematics", &energy, &["--drive", "A"]);
    assert!(said.contains("error[M232]"), "{said}");
}
