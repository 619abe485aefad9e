//! A folder for each test, and one cache for all: the model and its program are compiled once.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

pub const PROGRAM: &str = env!("CARGO_BIN_EXE_bellcrank");
pub const FOUR_BAR: &str = include_str!("../../templates/four_bar.toml");

/// A folder of its own with the four-bar in it, removed at the end.
pub struct Folder(tempfile::TempDir);

impl Folder {
    pub fn new() -> Self {
        let folder = Self(tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap());
        folder.write("four_bar.toml", FOUR_BAR);
        folder
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Names of all files, in order, besides the model.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<_> = names.filter(|name| name != "four_bar.toml").collect();
        names.sort();
        names
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(PROGRAM);
        command.args(arguments);
        self.set(&mut command);
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// A line of a shell in which `"$0"` is the command.
    pub fn shell(&self, line: &str) -> Output {
        let mut shell = Command::new("sh");
        shell.args(["-c", line, PROGRAM]);
        self.set(&mut shell);
        shell.output().unwrap()
    }

    fn set(&self, command: &mut Command) {
        command
            .current_dir(self.0.path())
            .env("BELLCRANK_CACHE", shared_cache())
            .env_remove("SYMBOLICA_LICENSE");
    }
}

/// Tests that build programs do so one after the other, because one of them edits the sources.
pub fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

pub fn shared_cache() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("faults-cache")
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The stdout of a command that succeeded.
pub fn succeeded(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{}", stderr(output));
    stdout(output)
}

/// The messages of a command that failed.
pub fn refused(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(1), "{}", stderr(output));
    stderr(output)
}

/// Waits until it holds; whether it came to hold.
pub fn comes(mut holds: impl FnMut() -> bool, most: Duration) -> bool {
    let start = Instant::now();
    while start.elapsed() < most {
        if holds() {
            return true;
        }
        sleep(Duration::from_millis(20));
    }
    holds()
}
