//! The gallery: every model within its bounds, references that can be made again, the table that is kept.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::workbench::{Folder, csv, models, root, stderr, succeeded};

/// Runs every model in its default formulation, with a reference in `body` too, as its `check.toml` says.
#[test]
fn every_model_keeps_its_bounds() {
    let folder = Folder::new("gallery");
    let paths = models().into_iter().map(|(_, path)| path);
    let mut gallery = folder.bellcrank(&["gallery", "--json", "--quiet"]);
    let json = succeeded(&gallery.args(paths).output().unwrap());
    let entries: Vec<Value> = serde_json::from_str(&json).unwrap();
    assert_eq!(entries.len(), models().len());
    for entry in &entries {
        has_enough_checks(entry);
    }
    let kept = fs::read_to_string(root().join("models/GALLERY.md")).unwrap();
    for entry in &entries {
        is_in_table(entry, &kept);
    }
}

/// A reference in two formulations, or a twin.
fn has_enough_checks(entry: &Value) {
    let findings = entry["findings"].as_array().unwrap();
    let formulations = |kind: &str| {
        let of_kind = findings.iter().filter(|one| one["kind"] == kind);
        let mut found: Vec<_> = of_kind.map(|one| one["formulation"].to_string()).collect();
        found.dedup();
        found.len()
    };
    let body_only = entry["formulation"] == "body";
    let referred = formulations("reference");
    let enough = referred == 2 || (referred == 1 && body_only) || formulations("twin") == 1;
    assert!(enough, "{entry:#}");
}

/// Times differ from machine to machine and errors in their last digits; the rest does not.
fn is_in_table(entry: &Value, table: &str) {
    let cells = |line: &str| -> Vec<String> {
        let cells = line.split('|').skip(1).map(|cell| cell.trim().to_owned());
        cells.take(6).collect()
    };
    let wanted: Vec<String> = [
        "model",
        "formulation",
        "freedoms",
        "bodies",
        "loops",
        "redundant",
    ]
    .map(|key| {
        entry[key]
            .as_str()
            .map_or_else(|| entry[key].to_string(), str::to_owned)
    })
    .to_vec();
    let found = table.lines().map(cells).any(|line| line == wanted);
    assert!(
        found,
        "models/GALLERY.md has no {wanted:?}: run `bellcrank gallery` again"
    );
}

/// Functions of other libraries may differ in the last digit, and an integration makes more of it.
#[test]
fn references_are_what_their_scripts_print() {
    let mut made = 0;
    for (name, path) in models() {
        let script = path.with_file_name("reference.py");
        if !script.is_file() {
            continue;
        }
        let output = Command::new("python3").arg(&script).output().unwrap();
        let (header, rows) = csv(&succeeded(&output));
        let (kept_header, kept) = csv(&read(&path.with_file_name("reference.csv")));
        assert_eq!(header, kept_header, "{name}");
        assert_eq!(rows.len(), kept.len(), "{name}");
        for (row, kept) in rows.iter().zip(&kept) {
            let near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-9 * (1.0 + b.abs());
            assert!(row.iter().zip(kept).all(near), "{name}: {row:?}, {kept:?}");
        }
        made += 1;
    }
    assert!(made > 0);
}

#[test]
fn a_model_off_its_bounds_is_told() {
    let folder = Folder::new("off");
    fs::create_dir(folder.path("four_bar")).unwrap();
    for file in ["model.toml", "reference.csv"] {
        let from = root().join("models/four_bar").join(file);
        fs::copy(from, folder.path("four_bar").join(file)).unwrap();
    }
    let check = "until = 1\n[columns.crank]\nreference = 'phi_crank'\nbound = 1e-15\nwhy = 'too good'\n\
                 [columns.crnk]\nbound = 1\nwhy = 'misspelt'\n";
    fs::write(folder.path("four_bar/check.toml"), check).unwrap();
    let mut gallery = folder.bellcrank(&["gallery", "four_bar/model.toml", "--quiet"]);
    let output = gallery.output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let told = stderr(&output);
    assert!(
        told.contains("error[C606]: four_bar: `crank` is "),
        "{told}"
    );
    assert!(told.contains("the run has no column `crnk`"), "{told}");
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}
