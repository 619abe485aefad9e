//! The build helper as a build script calls it: in a process of its own, with cargo's variables.

use std::path::Path;
use std::process::{Command, Output};
use std::{env, fs};

use bellcrank_compiler::build;

const ROLE: &str = "BELLCRANK_TEST_BUILD_SCRIPT";

/// The build script; does nothing in the process of the test itself.
#[test]
fn build_script() -> Result<(), build::Error> {
    match env::var(ROLE) {
        Ok(path) => build::compile(path),
        Err(_) => Ok(()),
    }
}

fn call(folder: &Path, model: &str) -> Output {
    Command::new(env::current_exe().unwrap())
        .args(["--exact", "build_script", "--nocapture"])
        .env(ROLE, model)
        .env("CARGO_MANIFEST_DIR", folder)
        .env("OUT_DIR", folder.join("out"))
        .env("BELLCRANK_CACHE", folder.join("cache"))
        .output()
        .unwrap()
}

#[test]
fn a_module_is_written_or_the_findings_are_readable() {
    let folder = env::temp_dir().join(format!("bellcrank-build-{}", std::process::id()));
    fs::create_dir_all(folder.join("models/four_bar")).unwrap();
    let text = include_str!("../cli/templates/four_bar.toml");
    let write = |text: &str| fs::write(folder.join("models/four_bar/model.toml"), text).unwrap();
    write(text);
    let good = call(&folder, "models/four_bar/model.toml");
    let told = String::from_utf8_lossy(&good.stdout);
    assert!(good.status.success(), "{told}");
    assert!(told.contains("cargo::rerun-if-changed="), "{told}");
    let module = fs::read_to_string(folder.join("out/four_bar.rs")).unwrap();
    assert!(module.contains("pub struct FourBar"));
    write(&text.replace("space = \"planar\"", "space = = 1"));
    let bad = call(&folder, "models/four_bar/model.toml");
    let told = String::from_utf8_lossy(&bad.stderr);
    assert!(!bad.status.success());
    assert!(told.contains("\nerror[D101]: "), "{told}");
    assert!(
        told.contains(" --> models/four_bar/model.toml:4:"),
        "{told}"
    );
    fs::remove_dir_all(folder).unwrap();
}
