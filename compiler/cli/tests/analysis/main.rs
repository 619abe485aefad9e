//! The commands that analyse, on mechanisms whose answers are known in closed form.

mod assemble;
mod kinematics;
mod models;
mod modes;
mod statics;
mod structures;
mod unweighed;

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

/// One folder and one cache for all tests and all their runs, so that each model is compiled once.
fn folder() -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("analysis");
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bellcrank"));
    let folder = folder();
    let command = command.args(arguments).current_dir(&folder);
    command
        .env("BELLCRANK_CACHE", folder.join("cache"))
        .output()
        .unwrap()
}

/// Writes a model and asks a command about it.
fn asked(command: &str, model: &str, arguments: &[&str]) -> Output {
    let key: u64 = model.bytes().fold(7, |key, byte| {
        key.wrapping_mul(31).wrapping_add(byte.into())
    });
    let file = folder().join(format!("model_{key:x}.toml"));
    if !file.exists() {
        let written = file.with_extension(format!("{:?}", std::thread::current().id()));
        fs::write(&written, model).unwrap();
        fs::rename(&written, &file).unwrap();
    }
    let file = file.to_str().unwrap();
    run(&[&[command, file], arguments].concat())
}

/// The answer as JSON, and the messages on stderr.
fn answer(command: &str, model: &str, arguments: &[&str]) -> (Value, String) {
    let output = asked(command, model, &[arguments, &["--json"]].concat());
    let said = String::from_utf8(output.stderr).unwrap();
    let value = serde_json::from_slice(&output.stdout);
    (value.unwrap_or_else(|why| panic!("{why}: {said}")), said)
}

/// The message of an analysis without a result.
fn refusal(command: &str, model: &str, arguments: &[&str]) -> String {
    let output = asked(command, model, arguments);
    assert_eq!(output.status.code(), Some(1));
    String::from_utf8(output.stderr).unwrap()
}

/// A model of the gallery.
fn gallery(name: &str) -> String {
    let models = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../models");
    fs::read_to_string(models.join(name).join("model.toml")).unwrap()
}

#[track_caller]
fn near(value: &Value, expect: f64, bound: f64) {
    let value = value
        .as_f64()
        .unwrap_or_else(|| panic!("{value} is no number"));
    assert!((value - expect).abs() <= bound, "{value} is not {expect}");
}
