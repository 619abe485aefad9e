//! A biped whose rods close four loops in space, for a user who does not choose a formulation.

use std::path::PathBuf;

use crate::workbench::{Folder, csv, root, stderr, succeeded};

fn legs() -> PathBuf {
    root().join("tests/models/cassie_legs.toml")
}

/// The last row of outputs, and the messages of the run.
fn end(more: &[&str]) -> (Vec<f64>, String) {
    let folder = Folder::new(&format!("biped{}", more.len()));
    let mut run = folder.bellcrank(&["run", "--out=-", "--every=1000"]);
    let output = run.arg(legs()).args(more).output().unwrap();
    let (_, rows) = csv(&succeeded(&output));
    (rows.last().unwrap()[1..].to_vec(), stderr(&output))
}

/// Both formulations leave what RK4 leaves at 0.5 ms, 1e-7 m; the feet move by some tenths of a metre. In regular
/// motion no step takes the dense solve.
#[test]
fn two_legs_step_in_joint_coordinates_and_never_densely() {
    let (found, said) = end(&[]);
    assert!(!said.contains("dense"), "{said}");
    let (expected, _) = end(&["--formulation=body"]);
    for (found, expected) in found.iter().zip(expected) {
        let gap = (found - expected).abs();
        assert!(gap < 1e-6 * (1.0 + expected.abs()), "{found}, {expected}");
    }
}

/// A step of 51,000 weighted operations takes 7.8 µs on an AMD EPYC, where points take 88,000 and absolute coordinates
/// more. Counts do not depend on what else the machine does.
#[test]
fn two_legs_take_few_operations() {
    let folder = Folder::new("biped-check");
    let mut check = folder.bellcrank(&["check", "--operations"]);
    let output = check.arg(legs()).output().unwrap();
    let told = succeeded(&output) + stderr(&output).as_str();
    let kept = told.lines().find(|line| line.ends_with('✓')).unwrap();
    let cells: Vec<&str> = kept.split_whitespace().rev().collect();
    assert!(kept.trim().starts_with("joint "), "{kept}");
    assert!(cells[1].parse::<usize>().unwrap() < 53_000, "{kept}");
}
