//! `bellcrank view` and `bellcrank plot`, and their pages in a browser.

use std::fs;

use serde_json::Value;

use crate::browser::{Visit, visit};
use crate::workbench::{Folder, csv, model, stderr, succeeded};

/// Places in a page are in single precision, and up to 5 m away.
const SINGLE: f64 = 2e-6;
/// The page takes its time from the frames, this test from the browser's clock, which is rounded to 0.1 ms. A frame may
/// begin up to one period later than the clock says, at 60 frames a second.
const CLOCK: f64 = 1.0 / 60.0;
/// More pixels than a line of text, less than a small mechanism.
const SEEN: i64 = 500;

/// The page of a model, in a folder of its own.
fn page(name: &str, arguments: &[&str]) -> Folder {
    let folder = Folder::new(&format!("page-{name}"));
    let mut view = folder.bellcrank(&["view", "--out=page.html"]);
    let output = view.args(arguments).output().unwrap();
    succeeded(&output);
    folder
}

/// All that a reader expects of every page.
fn works(visit: &Visit, end: f64) {
    let Visit { report, console } = visit;
    assert!(report["error"].is_null(), "{}", report["error"]);
    assert!(console.is_empty(), "{console:?}");
    assert_eq!(report["requests"], serde_json::json!([]));
    assert_eq!(report["playsAtFirst"], true);
    assert_eq!(report["label"], "Play");
    let start = &report["start"];
    assert!(
        whole(&start["pixels"]) > SEEN && whole(&start["colors"]) > 5,
        "{start}"
    );
    assert!(whole(&report["moved"]) > SEEN, "{}", report["moved"]);
    let (played, passed) = (number(&report["played"]), number(&report["passed"]));
    assert!(
        0.1 < played && played <= passed + CLOCK,
        "{played} of {passed} s"
    );
    let clicked = number(&report["clicked"]);
    assert!((clicked - end / 2.0).abs() < 0.01 * end, "{clicked}");
    // The end is in single precision too.
    assert!((number(&report["end"]) - end).abs() < 1e-6 * end);
    assert!(
        whole(&report["zoomed"]) > SEEN && whole(&report["fitted"]) == 0,
        "{report}"
    );
    assert_eq!(report["unlabelled"], serde_json::json!([]));
    // Less than nothing is the width of a scroll bar.
    assert!(whole(&report["overflow"]) <= 0, "{}", report["overflow"]);
}

fn number(value: &Value) -> f64 {
    value
        .as_f64()
        .unwrap_or_else(|| panic!("{value} is no number"))
}

fn whole(value: &Value) -> i64 {
    value
        .as_i64()
        .unwrap_or_else(|| panic!("{value} is no count"))
}

/// Columns of a run of a model, with the same settings.
fn columns(folder: &Folder, arguments: &[&str], names: &[&str]) -> Vec<Vec<f64>> {
    let mut run = folder.bellcrank(&["run", "--quiet", "--csv=run.csv"]);
    succeeded(&run.args(arguments).output().unwrap());
    let (header, rows) = csv(&folder.read("run.csv"));
    let index = |name: &&str| header.iter().position(|one| one == name).unwrap();
    let picked: Vec<usize> = ["time"].iter().chain(names).map(index).collect();
    rows.iter()
        .map(|row| picked.iter().map(|k| row[*k]).collect())
        .collect()
}

/// The page says that a point is where the run says.
fn agrees(visit: &Visit, rows: &[Vec<f64>], times: &[f64]) {
    for (place, time) in visit.report["places"].as_array().unwrap().iter().zip(times) {
        let row = rows
            .iter()
            .find(|row| (row[0] - time).abs() < 1e-9)
            .unwrap();
        for (axis, expected) in row[1..].iter().enumerate() {
            let found = number(&place[axis]);
            assert!(
                (found - expected).abs() < SINGLE,
                "{time} s, axis {axis}: {found}, {expected}"
            );
        }
    }
}

/// As wide as a telephone held upright can be made here.
#[test]
fn a_planar_mechanism_moves_on_its_page() {
    let path = model("double_four_bar");
    let arguments = ["--until=3", path.to_str().unwrap()];
    let folder = page("planar", &arguments);
    // On frames, which are 5 ms apart; between them the page takes straight lines.
    let times = [0.5, 1.25, 2.5];
    let visit = visit(&folder, "page.html", "left.B", &times, [500, 900]);
    works(&visit, 3.0);
    agrees(&visit, &columns(&folder, &arguments, &["x", "y"]), &times);
}

#[test]
fn a_spatial_mechanism_moves_on_its_page() {
    let path = model("five_arm_pendulum");
    let arguments = [path.to_str().unwrap()];
    let folder = page("spatial", &arguments);
    let times = [0.5, 1.0, 2.0];
    let visit = visit(&folder, "page.html", "arm5.end", &times, [1280, 800]);
    works(&visit, 3.0);
    agrees(
        &visit,
        &columns(&folder, &arguments, &["x", "y", "z"]),
        &times,
    );
    assert_eq!(visit.report["traced"], serde_json::json!(["arm5.end"]));
    // Joint coordinates of an open chain have no constraint equation that could be violated.
    let plots = serde_json::json!(["positions", "energy", "energy drift"]);
    assert_eq!(visit.report["plots"], plots);
}

/// Places do not depend on the coordinates in which the equations are written. Joints that are springs give way, by
/// millimetres where they are made for a step of 1 ms.
#[test]
fn every_formulation_tells_where_the_bodies_are() {
    let path = model("quick_return");
    let places = |formulation: &str, more: &[&str]| {
        let option = format!("--formulation={formulation}");
        let arguments = [&["--until=0.5", &option, path.to_str().unwrap()], more].concat();
        let folder = page(&formulation.replace('/', "-"), &arguments);
        let visit = visit(&folder, "page.html", "lever.tip", &[0.25, 0.5], [1280, 800]);
        assert!(visit.report["error"].is_null(), "{}", visit.report["error"]);
        visit.report["places"].clone()
    };
    let body = places("body", &[]);
    for (formulation, more, bound) in [
        ("particle/multiplier", &[][..], SINGLE),
        ("discrete", &["--fps=100"], 5e-3),
    ] {
        let other = places(formulation, more);
        for (place, expected) in [0, 1].map(|k| (&other[k], &body[k])) {
            for axis in [0, 1] {
                let off = number(&place[axis]) - number(&expected[axis]);
                assert!(off.abs() < bound, "{formulation}: {place}, {expected}");
            }
        }
    }
}

/// Twenty-one bodies and their joints fit into a page that a telephone can load.
#[test]
fn a_large_mechanism_has_a_small_page() {
    let folder = Folder::new("page-large");
    let description = folder
        .bellcrank(&["generate", "four-bars", "10"])
        .output()
        .unwrap();
    folder.write("bars.toml", &succeeded(&description));
    let view = folder
        .bellcrank(&["view", "bars.toml", "--until=1", "--out=page.html"])
        .output();
    succeeded(&view.unwrap());
    let length = fs::metadata(folder.path("page.html")).unwrap().len();
    assert!(length < 1_000_000, "{length}");
    let visit = visit(&folder, "page.html", "upright10.B", &[0.5], [1280, 800]);
    works(&visit, 1.0);
}

#[test]
fn a_misspelt_point_is_told_with_the_nearest() {
    let folder = Folder::new("page-misspelt");
    let mut view = folder.bellcrank(&["view", "--trace=arm5.ent,arm4"]);
    let output = view.arg(model("five_arm_pendulum")).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let told = stderr(&output);
    assert!(told.contains("did you mean `arm5.end`?"), "{told}");
    assert!(!told.contains("`arm4`"), "{told}");
    assert_eq!(fs::read_dir(folder.path("")).unwrap().count(), 0);
}

/// Before anything is compiled.
#[test]
fn a_page_that_cannot_be_written_is_refused_at_once() {
    let folder = Folder::new("page-unwritable");
    for command in ["view", "plot"] {
        let mut refused = folder.bellcrank(&[command, "--out=nowhere/page"]);
        let output = refused.arg(model("four_bar")).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        let told = stderr(&output);
        assert!(
            told.contains("C601") && told.contains("nowhere/page"),
            "{told}"
        );
    }
}

#[test]
fn pictures_go_to_stdout_if_asked_for() {
    let folder = Folder::new("pictures");
    let path = model("four_bar");
    let picture = |arguments: &[&str]| {
        let mut command = folder.bellcrank(arguments);
        command.args(["--until=1", "--out=-"]).arg(&path);
        succeeded(&command.output().unwrap())
    };
    assert!(picture(&["view"]).starts_with("<!doctype html>"));
    let drawing = picture(&["plot", "--draw", "--trace=coupler.tip"]);
    assert!(
        drawing.starts_with("<svg") && drawing.contains("class=\"trace"),
        "{drawing}"
    );
    let curves = picture(&["plot", "--columns=crank,drift"]);
    for word in ["crank / rad", "energy drift / J"] {
        assert!(curves.contains(word), "{word}");
    }
    assert!(!curves.contains("crank_rate"));
    let curves = picture(&["plot", "--violation"]);
    assert!(curves.contains("crank_rate") && curves.contains("violation"));
    assert_eq!(fs::read_dir(folder.path("")).unwrap().count(), 0);
}

#[test]
fn columns_without_a_curve_are_told() {
    let folder = Folder::new("columns");
    let mut plot = folder.bellcrank(&["plot", "--until=0.1", "--columns=work,crnk,crank"]);
    let output = plot.arg(model("four_bar")).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let told = stderr(&output);
    for words in [
        "column `work` is zero all along",
        "the run has no column `crnk`",
        "did you mean `crank`?",
    ] {
        assert!(told.contains(words), "{told}");
    }
}
