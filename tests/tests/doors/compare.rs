//! `bellcrank compare` as a person uses it.

use crate::workbench::{Folder, model, stderr, succeeded};

/// A comparison of the four-bar over two seconds, timed once: by then it has passed the position where
/// most of its drift comes from.
fn compare(folder: &Folder, arguments: &[&str]) -> std::process::Output {
    let short = ["compare", "--until=2", "--repeat=1", "--svg=curves.svg"];
    let mut command = folder.bellcrank(&short);
    command.args(arguments).arg(model("four_bar"));
    command.output().unwrap()
}

#[test]
fn lines_say_what_each_stabilizer_does_to_the_constraints() {
    let folder = Folder::new("compare");
    let output = compare(&folder, &["--stabilizer=baumgarte:alpha=6,beta=6", "--csv"]);
    let table = succeeded(&output);
    let cells = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
    let mut lines = table.lines();
    let titles = cells(lines.next().unwrap());
    let at = |name: &str| titles.iter().position(|title| title == name).unwrap();
    let none = cells(lines.next().unwrap());
    assert_eq!(none[at("stabilizer")], "none");
    assert_eq!(none[at("evaluations")], "8000");
    assert_eq!(none[at("ratio")], "1.0");
    let pulled = lines.next().unwrap();
    assert!(pulled.contains("\"baumgarte:alpha=6,beta=6\""), "{table}");
    // The settings have a comma, so their columns stand one further on.
    let pulled = cells(pulled);
    let mean =
        |cells: &[String], shift: usize| cells[at("phi_mean") + shift].parse::<f64>().unwrap();
    assert!(mean(&pulled, 1) < 0.1 * mean(&none, 0), "{table}");
    let picture = folder.read("curves.svg");
    assert!(
        picture.starts_with("<svg") && picture.contains("baumgarte"),
        "{picture}"
    );
}

#[test]
fn curves_come_as_json_too() {
    let folder = Folder::new("compare-json");
    let methods = [
        "--integrator=rk4",
        "--integrator=bdf",
        "--stabilizer=direct-correction",
    ];
    let json = succeeded(&compare(&folder, &[&methods[..], &["--json"]].concat()));
    // Two integrators, each with `none` and with the correction.
    assert_eq!(json.matches("\"curve\"").count(), 4, "{json}");
    assert!(
        json.contains("\"integrator\": \"bdf\"") && json.contains("\"median\""),
        "{json}"
    );
}

#[test]
fn methods_that_do_not_work_together_are_refused() {
    let folder = Folder::new("compare-refused");
    let output = compare(&folder, &["--integrator=bdf", "--stabilizer=baumgarte"]);
    assert_eq!(output.status.code(), Some(1));
    let told = stderr(&output);
    assert!(
        told.contains("C605") && told.contains("`bdf` does not ask for any"),
        "{told}"
    );
    let output = compare(&folder, &["--stabilizer=baumgarten"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("did you mean `baumgarte`?"),
        "{}",
        stderr(&output)
    );
}
