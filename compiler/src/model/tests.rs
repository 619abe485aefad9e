//! Text of a description in, findings or the text form of the model out.

mod events;
mod expressions;
mod fuzz;
mod geometry;
mod laws;
mod names;
mod numbers;
mod poses;
mod print;
mod solids;

use super::{Model, resolve};
use crate::description::Description;

/// A planar pendulum that the tests add to.
const PENDULUM: &str = r#"
space = "planar"
gravity = [0, -9.81]
ground.points.pin = [0, 0]
bodies.rod = { mass = 1, inertia = 0.1, points.top = [0, 0.5], points.tip = [0, -0.5] }
joints.A = { type = "revolute", between = ["ground.pin", "rod.top"] }
"#;

/// A spatial body without joints.
const FREE: &str = r#"
space = "spatial"
ground.points.pin = [0, 0, 0]
bodies.a = { mass = 1, inertia = [1, 1, 1], free = true }
bodies.b = { mass = 1, inertia = [1, 1, 1], free = true }
"#;

/// Reads and resolves.
fn try_model(text: &str) -> Result<Model, Vec<String>> {
    let description: Description = toml::from_str(text).expect("well-formed TOML");
    match resolve(&description, "test") {
        Ok((model, _)) => Ok(model),
        Err(found) => Err(found
            .iter()
            .map(|d| format!("{} {}", d.code, d.path))
            .collect()),
    }
}

/// The model of a text without errors.
fn model(text: &str) -> Model {
    try_model(text).unwrap_or_else(|found| panic!("unexpected errors: {found:?}\n{text}"))
}

/// Codes and paths of what is wrong, in order.
fn check(text: &str, expected: &[&str]) {
    match try_model(text) {
        Ok(_) => assert!(expected.is_empty(), "no error in\n{text}"),
        Err(found) => assert_eq!(found, expected, "in\n{text}"),
    }
}

/// The pendulum with more lines.
fn check_pendulum(more: &str, expected: &[&str]) {
    check(&with(PENDULUM, more), expected);
}

/// The free bodies with more lines.
fn check_free(more: &str, expected: &[&str]) {
    check(&with(FREE, more), expected);
}

/// A text with more lines; a first line `-key` removes the line that starts with `key`.
fn with(base: &str, more: &str) -> String {
    let (removed, added): (Vec<&str>, Vec<&str>) = more
        .lines()
        .map(str::trim)
        .partition(|line| line.starts_with('-'));
    let kept = base.lines().filter(|line| {
        !removed
            .iter()
            .any(|key| line.starts_with(key.trim_start_matches('-')))
    });
    let lines: Vec<&str> = kept.chain(added).collect();
    lines.join("\n")
}

/// The full text of the first finding.
fn first_message(text: &str) -> String {
    let description: Description = toml::from_str(text).expect("well-formed TOML");
    let found = resolve(&description, "test").expect_err("an error is expected");
    found
        .iter()
        .next()
        .map(ToString::to_string)
        .unwrap_or_default()
}
