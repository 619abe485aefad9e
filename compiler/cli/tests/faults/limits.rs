//! Inputs without measure: each has an answer in seconds.

use std::os::unix::fs::symlink;
use std::time::{Duration, Instant};

use crate::bench::{Folder, refused, stderr, stdout, succeeded};

/// On a busy machine these take a second or two; before they were bounded, minutes.
const SOON: Duration = Duration::from_secs(30);

/// The messages of `check` about a text that it refuses, in time.
fn check(text: &str) -> String {
    let folder = Folder::new();
    folder.write("x.toml", text);
    let start = Instant::now();
    let told = refused(&folder.run(&["check", "x.toml"]));
    assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
    told
}

/// A four-bar of the gallery's proportions, with a crank of this length.
fn four_bar(length: f64) -> String {
    let [half, three, two] = [0.5, 3.0, 2.5].map(|times| times * length);
    let (height, inertia) = (0.866 * length, length * length);
    format!(
        r#"name = "Scaled"
space = "planar"
gravity = [0, -9.81]
ground.points = {{ A = [0, 0], D = [{three:e}, 0] }}
assembly.hold = ["crank.angle"]
[bodies]
crank = {{ mass = 1, inertia = {inertia:e}, angle = "60 deg", points = {{ tip = [{length:e}, 0] }} }}
coupler = {{ mass = 1, inertia = {inertia:e}, position = [{half:e}, {height:e}], angle = "33 deg", points = {{ tip = [{three:e}, 0] }} }}
follower = {{ mass = 1, inertia = {inertia:e}, position = [{three:e}, 0], angle = "89.6 deg", points = {{ tip = [{two:e}, 0] }} }}
[joints]
A = {{ type = "revolute", between = ["ground.A", "crank"] }}
B = {{ type = "revolute", between = ["crank.tip", "coupler"] }}
C = {{ type = "revolute", between = ["coupler.tip", "follower.tip"] }}
D = {{ type = "revolute", between = ["ground.D", "follower"] }}
[simulation]
until = 0.1
step = 1e-3
"#
    )
}

#[test]
fn many_unknown_names_are_told_in_time() {
    let mut text = String::from(
        "space = 'planar'\n[bodies.a]\nmass = 1\ninertia = 1\nfree = true\n[outputs]\n",
    );
    for k in 0..3000 {
        text += &format!("o{k} = 'nowhere{k}.angle'\n");
    }
    let told = check(&text);
    assert!(told.contains("`nowhere0`"), "{told}");
    assert!(
        told.ends_with("2950 more are not shown\n"),
        "{}",
        &told[told.len() - 200..]
    );
}

#[test]
fn many_syntax_errors_are_told_in_time() {
    let mut text = String::from("space = 'planar'\n");
    for k in 0..100_000 {
        text += &format!("x{k} = = 1\n");
    }
    let told = check(&text);
    assert!(
        told.starts_with("error[D101]") && told.contains("x.toml:2:"),
        "{told}"
    );
    assert!(told.lines().count() < 1000, "{}", told.lines().count());
}

#[test]
fn a_mechanism_of_ten_thousand_bodies_is_refused_in_time() {
    let mut text = String::from("space = 'planar'\n[bodies]\n");
    for k in 0..10_000 {
        text += &format!("b{k} = {{ mass = 1, inertia = 1, free = true }}\n");
    }
    let told = check(&text);
    let words = "error[M234]: there are 10000 bodies, and a mechanism has at most 2000";
    assert!(told.contains(words), "{told}");
}

#[test]
fn an_endless_file_is_refused() {
    let folder = Folder::new();
    symlink("/dev/zero", folder.path("x.toml")).unwrap();
    let told = refused(&folder.run(&["check", "x.toml"]));
    assert!(
        told.contains("error[D105]") && told.contains("64 MiB"),
        "{told}"
    );
}

#[test]
fn masses_that_cannot_be_computed_with_are_the_users() {
    for (from, to, code) in [
        ("mass = 1,", "mass = 5e-324,", "error[M206]"),
        ("mass = 1,", "mass = 1e308,", "error[M206]"),
        ("inertia = 1e0,", "inertia = 1e308,", "error[M207]"),
        ("inertia = 1e0,", "inertia = 5e-324,", "error[M207]"),
    ] {
        let text = four_bar(1.0);
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text);
        let told = check(&changed);
        assert!(
            told.contains(code) && told.contains("check the unit"),
            "{told}"
        );
        assert!(!told.contains("a fault of Bellcrank"), "{told}");
    }
}

/// Degrees of freedom do not depend on the unit of length.
#[test]
fn small_and_large_mechanisms_have_their_degree_of_freedom() {
    let folder = Folder::new();
    for length in [1e-8, 1e-5, 1.0, 1e5, 1e8] {
        folder.write("x.toml", &four_bar(length));
        let output = folder.run(&["check", "x.toml"]);
        let table = succeeded(&output);
        let freedoms = table
            .lines()
            .find_map(|line| line.trim().strip_prefix("degrees of freedom"));
        assert_eq!(freedoms.map(str::trim), Some("1"), "{length}\n{table}");
        assert!(
            !stderr(&output).contains("T303"),
            "{length}: {}",
            stderr(&output)
        );
    }
}

/// The guess is so far away that its round-off is metres; the mechanism closes all the same.
#[test]
fn a_guess_that_is_far_away_closes_to_round_off() {
    let folder = Folder::new();
    folder.write(
        "x.toml",
        &four_bar(1.0).replace("position = [5e-1, 8.66e-1]", "position = [1e16, 1e16]"),
    );
    let output = folder.run(&["run", "x.toml", "--interpret", "--quiet", "--out=-"]);
    let rows = succeeded(&output);
    let last = |row: &str| row.split(',').rev().nth(1).unwrap().parse::<f64>();
    let worst = rows
        .lines()
        .skip(1)
        .map(|row| last(row).unwrap())
        .fold(0.0, f64::max);
    // Residuals end at some round-offs of lengths of 3 m.
    assert!(worst < 1e-12, "{worst}\n{}", stdout(&output));
}
