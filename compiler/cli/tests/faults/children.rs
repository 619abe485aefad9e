//! Processes that the command starts end with it, also when it is killed without a chance to end them.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Stdio};
use std::time::Duration;

use crate::bench::{Folder, alone, comes, succeeded};

const SOON: Duration = Duration::from_secs(10);
const LATE: Duration = Duration::from_secs(60);

/// Processes with this text among their arguments.
fn processes(text: &str) -> Vec<u32> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let ids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let has_text = |id: &u32| {
        let line = fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).contains(text)
    };
    ids.filter(has_text).collect()
}

/// Kills the command when it has `n` processes of this text beside it; all of them end.
fn kill(mut child: Child, text: &str, n: usize) {
    let others = || processes(text).into_iter().filter(|id| *id != child.id());
    assert!(comes(|| others().count() >= n, LATE), "{text}");
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(comes(|| processes(text).is_empty(), SOON), "{text}");
}

#[test]
fn a_run_ends_with_the_command() {
    let _alone = alone();
    let folder = Folder::new();
    let arguments = [
        "run",
        "four_bar.toml",
        "--quiet",
        "--out=x.csv",
        "--until=0.01",
    ];
    succeeded(&folder.run(&arguments));
    let until = "--until=123456789.25";
    let mut run = folder.command(&["run", "four_bar.toml", "--quiet", "--every=1000", until]);
    let child = run
        .arg("--out=y.csv")
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    kill(child, "123456789.25", 1);
    assert!(!folder.path("y.csv").exists());
    // Remains of the killed one do not disturb the next one.
    succeeded(&folder.run(&[
        "run",
        "four_bar.toml",
        "--quiet",
        "--out=y.csv",
        "--until=0.01",
    ]));
    assert_eq!(folder.read("x.csv"), folder.read("y.csv"));
}

/// The child waits for the lock that this test holds.
#[test]
fn a_compilation_ends_with_the_command() {
    let folder = Folder::new();
    succeeded(&folder.run(&["emit", "four_bar.toml"]));
    folder.write(
        "unseen.toml",
        &crate::bench::FOUR_BAR.replace("FourBar", "Unseen"),
    );
    let before = answers();
    let lock = fs::File::options()
        .read(true)
        .open("/tmp/bellcrank-symbolica.lock")
        .unwrap();
    lock.lock().unwrap();
    let path = folder.path("unseen.toml");
    let path = path.to_str().unwrap();
    let mut check = folder.command(&["check", path]);
    check.env("BELLCRANK_CACHE", folder.path("cache"));
    let child = check
        .stderr(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    kill(child, path, 1);
    drop(lock);
    assert_eq!(answers(), before);
}

/// Files with answers among the temporary ones.
fn answers() -> usize {
    let entries = fs::read_dir(std::env::temp_dir()).unwrap().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names
        .filter(|name| name.starts_with("bellcrank-") && name.ends_with(".json"))
        .count()
}

/// A cargo that takes for ever, and has a child of its own.
#[test]
fn a_build_ends_with_the_command() {
    let folder = Folder::new();
    let duration = "31415926";
    folder.write("cargo", &format!("#!/bin/sh\nsleep {duration} &\nwait\n"));
    fs::set_permissions(folder.path("cargo"), fs::Permissions::from_mode(0o755)).unwrap();
    let mut run = folder.command(&["run", "four_bar.toml", "--quiet", "--out=x.csv"]);
    run.env("CARGO", folder.path("cargo"));
    // Another program than the one that is there already.
    let child = run
        .arg("--integrator=rk2")
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    kill(child, duration, 1);
}
