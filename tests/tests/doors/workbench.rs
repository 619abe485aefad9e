//! Folders, children and crates for the tests. No test here compiles in its own process: the algebra
//! lives until its process ends and is alone on the machine, so the children would wait in vain.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

/// The command.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_bellcrank-under-test");

/// The repository.
pub fn root() -> PathBuf {
    let tests = fs::canonicalize(env!("CARGO_MANIFEST_DIR")).unwrap();
    tests.parent().unwrap().to_owned()
}

/// Name and description of every model, in the order of their names.
pub fn models() -> Vec<(String, PathBuf)> {
    let folders = fs::read_dir(root().join("models")).unwrap();
    let folders = folders.map(|folder| folder.unwrap().path());
    let mut models: Vec<_> = folders
        .filter(|folder| folder.join("model.toml").is_file())
        .map(|folder| {
            let name = folder.file_name().unwrap().to_string_lossy().into_owned();
            (name, folder.join("model.toml"))
        })
        .collect();
    models.sort();
    assert!(models.len() >= 5, "{models:?}");
    models
}

/// The models that the build helper has compiled for these tests: enough for the tests of the front ends.
pub fn built() -> Vec<(String, PathBuf)> {
    let module = |name: &str| Path::new(env!("OUT_DIR")).join(format!("{name}.rs"));
    let mut built = models();
    built.retain(|(name, _)| module(name).is_file());
    assert!(built.len() >= 12, "{built:?}");
    built
}

/// The description of one model.
pub fn model(name: &str) -> PathBuf {
    root().join("models").join(name).join("model.toml")
}

/// A folder of its own for a test, empty at first.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join("e2e")
            .join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        fs::write(self.path(name), text).unwrap();
        self.path(name)
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// The command in this folder, with the cache that all tests share: it keeps the native programs.
    pub fn bellcrank(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(PROGRAM);
        let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("e2e-cache");
        command.args(arguments).current_dir(&self.0);
        command.env("BELLCRANK_CACHE", cache);
        command.env_remove("SYMBOLICA_LICENSE");
        command
    }

    /// The module of a model, compiled anew in a process of its own.
    pub fn emit(&self, model: &Path) -> String {
        let cache = self.path("cache");
        let _ = fs::remove_dir_all(&cache);
        let mut command = self.bellcrank(&["emit"]);
        let output = command.arg(model).env("BELLCRANK_CACHE", cache).output();
        succeeded(&output.unwrap())
    }

    /// Cargo in this folder, offline, with the target folder of the main workspace and its profile, so
    /// that Symbolica and the other dependencies are not built again.
    pub fn cargo(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env::var_os("CARGO").unwrap_or("cargo".into()));
        command
            .args(arguments)
            .arg("--offline")
            .current_dir(&self.0);
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("..");
        command.env("CARGO_TARGET_DIR", target);
        command.env("BELLCRANK_CACHE", self.path("cache"));
        command.env("CARGO_PROFILE_DEV_DEBUG", "0");
        command.env("CARGO_PROFILE_DEV_BUILD_OVERRIDE_OPT_LEVEL", "0");
        command.env("CARGO_PROFILE_DEV_BUILD_OVERRIDE_DEBUG", "0");
        command.env_remove("SYMBOLICA_LICENSE");
        command
    }

    /// Copies a folder of `tests` here, with the versions of the main workspace. Paths that lead out of
    /// the copy lead to the repository.
    pub fn copy(&self, name: &str) {
        copy(&root().join("tests").join(name), &self.0);
        fs::copy(root().join("Cargo.lock"), self.path("Cargo.lock")).unwrap();
    }
}

fn copy(from: &Path, to: &Path) {
    let root = format!("\"{}/", root().to_string_lossy().replace('\\', "/"));
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            if path.file_name() != Some(OsStr::new("target")) {
                copy(&path, &target);
            }
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let text = text.replace("\"../../../", &root);
        fs::write(target, text.replace("\"../../", &root)).unwrap();
    }
}

/// The output of a child that succeeded.
pub fn succeeded(output: &Output) -> String {
    assert!(
        output.status.success(),
        "{}\n{}",
        output.status,
        stderr(output)
    );
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Header and rows of a CSV text.
pub fn csv(text: &str) -> (Vec<String>, Vec<Vec<f64>>) {
    let mut lines = text.lines();
    let header = lines.next().unwrap().split(',').map(str::to_owned);
    let row = |line: &str| line.split(',').map(|cell| cell.parse().unwrap()).collect();
    (header.collect(), lines.map(row).collect())
}
