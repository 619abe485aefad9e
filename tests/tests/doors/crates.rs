//! Crates that use the front ends, built by cargo.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

use serde_json::Value;

use crate::workbench::{Folder, model, root, stderr, succeeded};

/// Two crates with the macro and one with a build script, at once, from an empty cache and without a
/// licence: nobody aborts, and all give the bytes that the command gives.
#[test]
fn crates_build_at_once_and_give_the_bytes_of_the_command() {
    let folder = Folder::new("crates");
    folder.copy("crates");
    let mut build = folder.cargo(&["build", "-j2", "--message-format=json"]);
    build.args(["-p", "e2e-left", "-p", "e2e-right", "-p", "e2e-built"]);
    let told = succeeded(&build.output().unwrap());
    let modules = cached_modules(&folder.path("cache"));
    let other = Folder::new("crates-emit");
    let by_macro = [
        ("four_bar", "FourBar"),
        ("cam_pendulum", "CamPendulum"),
        ("spatial_four_bar", "SpatialFourBar"),
        ("spatial_slider_crank", "SpatialSliderCrank"),
    ];
    for (name, kind) in by_macro {
        assert!(modules[kind] == other.emit(&model(name)), "{name}");
    }
    assert_eq!(modules.len(), by_macro.len() + 1);
    let built = fs::read_to_string(out_dir(&told, "e2e-built").join("quick_return.rs")).unwrap();
    assert!(built == other.emit(&model("quick_return")));
}

#[test]
fn the_runtime_may_have_another_name() {
    let folder = Folder::new("renamed");
    folder.copy("crates");
    let output = folder.cargo(&["run", "-p", "e2e-renamed"]).output();
    let told = succeeded(&output.unwrap());
    let (time, gained) = told.trim().split_once(' ').unwrap();
    assert_eq!(time, "0.5");
    // The fourth-order error of 500 steps of a fall of 5 J.
    assert!(gained.parse::<f64>().unwrap().abs() < 1e-9, "{told}");
}

#[test]
fn a_new_crate_builds_and_runs() {
    let folder = Folder::new("new");
    let mut new = folder.bellcrank(&["new", "swing", "--path"]);
    succeeded(&new.arg(root()).output().unwrap());
    fs::copy(root().join("Cargo.lock"), folder.path("swing/Cargo.lock")).unwrap();
    let (manifest, features) = (
        folder.read("swing/Cargo.toml"),
        root().join("tests/crates/features"),
    );
    let more = format!("[dependencies]\ne2e-features = {{ path = {features:?} }}");
    folder.write(
        "swing/Cargo.toml",
        &manifest.replace("[dependencies]", &more),
    );
    let mut run = folder.cargo(&["run"]);
    let output = run.current_dir(folder.path("swing")).output().unwrap();
    let told = succeeded(&output);
    let last = told.lines().last().unwrap();
    assert_eq!(told.lines().count(), 10, "{told}");
    assert!(last.trim_start().starts_with("9.001 s"), "{told}");
}

#[test]
fn faults_in_tokens_are_told_at_their_tokens() {
    let told = faults("wrong-tokens");
    let pot = "src/lib.rs:14:26: error: [M201]";
    let to_itself = "src/lib.rs:18:15: error: [M203]";
    assert!(told.contains(pot) && told.contains(to_itself), "{told}");
}

#[test]
fn faults_in_a_file_are_told_with_their_lines_there() {
    let told = faults("wrong-file");
    for place in ["--> wrong.toml:11:", "--> wrong.toml:15:"] {
        assert!(told.contains(place), "{told}");
    }
    assert!(told.contains("src/lib.rs:3:23: error: [M2"), "{told}");
}

/// The messages of cargo about a crate that does not compile.
fn faults(name: &str) -> String {
    let folder = Folder::new(name);
    folder.copy("crates");
    let package = format!("e2e-{name}");
    let mut build = folder.cargo(&["build", "--message-format=short", "-p", &package]);
    let output = build.output().unwrap();
    assert!(!output.status.success());
    stderr(&output)
}

#[test]
fn commands_at_once_wait_for_each_other() {
    let folder = Folder::new("at-once");
    let names = ["four_bar", "quick_return", "cam_pendulum", "four_bar"];
    let start = |(index, name): (usize, &&str)| -> Child {
        let mut command = folder.bellcrank(&["emit"]);
        command.arg(model(name));
        command.env("BELLCRANK_CACHE", folder.path(&index.to_string()));
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap()
    };
    let children: Vec<_> = names.iter().enumerate().map(start).collect();
    let outputs = children.into_iter().map(Child::wait_with_output);
    let texts: Vec<_> = outputs.map(|output| succeeded(&output.unwrap())).collect();
    assert!(texts[0] == texts[3]);
    assert!(texts[1].contains("pub struct QuickReturn"));
}

/// Modules by the name of their type.
fn cached_modules(cache: &Path) -> BTreeMap<String, String> {
    let entries = fs::read_dir(cache.join("modules")).unwrap();
    let module = |entry: std::io::Result<fs::DirEntry>| {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        let (_, json) = text.split_once('\n').unwrap();
        let entry: Value = serde_json::from_str(json).unwrap();
        let field = |name: &str| entry[name].as_str().unwrap().to_owned();
        (field("name"), field("rust"))
    };
    entries.map(module).collect()
}

/// The folder that cargo gave to the build script of a package.
fn out_dir(messages: &str, package: &str) -> PathBuf {
    let messages = messages.lines().map(serde_json::from_str::<Value>);
    let out = messages.flatten().find_map(|message| {
        let ours = message["package_id"].as_str()?.contains(package);
        message["out_dir"]
            .as_str()
            .filter(|_| ours)
            .map(PathBuf::from)
    });
    out.unwrap()
}
