//! `bellcrank run` as a person uses it.

use std::path::PathBuf;
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use crate::workbench::{Folder, PROGRAM, csv, model, stderr, succeeded};

#[test]
fn until_step_every_and_out_say_which_rows_come_where() {
    let folder = Folder::new("options");
    let mut run = folder.bellcrank(&["run", "--until=0.1", "--step=2e-3", "--every=10"]);
    let output = run.args(["--out", "rows.csv"]).arg(model("four_bar"));
    let table = succeeded(&output.output().unwrap());
    assert!(table.trim_start().starts_with("time"), "{table}");
    let (header, rows) = csv(&folder.read("rows.csv"));
    assert_eq!(header[0], "time");
    let times: Vec<_> = rows.iter().map(|row| row[0]).collect();
    assert_eq!(times.len(), 6);
    for (k, time) in times.iter().enumerate() {
        assert!((time - 0.02 * k as f64).abs() < 1e-12, "{times:?}");
    }
    let names: Vec<_> = fs::read_dir(folder.path("")).unwrap().collect();
    assert_eq!(names.len(), 1, "{names:?}");
}

#[test]
fn a_misspelt_name_is_told_with_the_nearest() {
    let folder = Folder::new("misspelt");
    let mut run = folder.bellcrank(&["run", "--set=sofness=1", "--input=efort=1"]);
    let output = run.arg(model("cam_pendulum")).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let told = stderr(&output);
    for near in ["did you mean `softness`?", "did you mean `effort`?"] {
        assert!(told.contains(near), "{told}");
    }
}

#[test]
fn a_step_that_springs_for_joints_do_not_stand_is_refused() {
    let folder = Folder::new("too-long");
    let mut run = folder.bellcrank(&["run", "--formulation=discrete", "--step=0.5"]);
    let output = run.arg(model("simple_pendulum")).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let told = stderr(&output);
    assert!(told.contains("a step of 5e-1 s is too long"), "{told}");
}

/// A wheel that is pushed for half a turn and rolls on until it has made a whole one.
const WHEEL: &str = r#"
name = "Wheel"
space = "planar"

[variables]
push = 1

[bodies.wheel]
mass = 1
inertia = 2

[joints.A]
type = "revolute"
between = ["ground", "wheel"]

[forces.motor]
type = "actuator"
joint = "A"
law = "2 * push"

[events.release]
when = "A.angle > pi"
set = { push = 0 }

[events.turn]
when = "A.angle > 2 * pi"
stop = true

[outputs]
angle = "A.angle"
push = "push"

[assembly]
hold = ["A"]
"#;

/// The first half turn takes √(2 π) s, the second one half of that at the speed of √(2 π).
#[test]
fn an_event_ends_a_run_in_peace_and_rows_stay_on_their_times() {
    let folder = Folder::new("events");
    folder.write("wheel.toml", WHEEL);
    let arguments = [
        "run",
        "wheel.toml",
        "--until=10",
        "--step=0.01",
        "--every=5",
    ];
    let output = folder.bellcrank(&arguments).output().unwrap();
    succeeded(&output);
    let told = stderr(&output);
    assert!(
        told.contains("stopped by the event `turn` at 3.759942 s"),
        "{told}"
    );
    let (header, rows) = csv(&folder.read("wheel.csv"));
    assert_eq!(header[..3], ["time", "angle", "push"]);
    let (last, grid) = rows.split_last().unwrap();
    for (k, row) in grid.iter().enumerate() {
        assert!((row[0] - 0.05 * k as f64).abs() < 1e-12, "{row:?}");
        let pushed = row[0] < std::f64::consts::TAU.sqrt();
        assert_eq!(row[2], f64::from(u8::from(pushed)), "{row:?}");
    }
    let end = 1.5 * std::f64::consts::TAU.sqrt();
    // The error of RK4 in points that turn by 25 mrad a step.
    assert!((last[0] - end).abs() < 1e-6, "{last:?}");
    assert!((last[1] - std::f64::consts::TAU).abs() < 1e-12, "{last:?}");
    let mut interpreted = folder.bellcrank(&["run", "wheel.toml", "--interpret"]);
    let refused = interpreted.output().unwrap();
    assert_eq!(refused.status.code(), Some(1));
    let told = stderr(&refused);
    assert!(told.contains("events run as native code only"), "{told}");
}

/// Without its repository, its folder and its home, and with an empty cache: it builds the runtime that
/// it carries.
#[test]
fn a_copied_program_runs_in_an_empty_folder() {
    let folder = Folder::new("copied");
    let program = folder.path(&format!("mechanic{}", env::consts::EXE_SUFFIX));
    fs::copy(PROGRAM, &program).unwrap();
    fs::create_dir(folder.path("empty")).unwrap();
    let description = fs::read_to_string(model("four_bar")).unwrap();
    folder.write("empty/swing.toml", &description);
    let shared = folder.bellcrank(&[]);
    let mut run = std::process::Command::new(program);
    for (name, value) in shared.get_envs() {
        value.map(|value| run.env(name, value));
    }
    run.env("BELLCRANK_CACHE", folder.path("cache"));
    run.env("HOME", folder.path("home"));
    run.env("CARGO_HOME", tool_home("CARGO_HOME", ".cargo"));
    run.env("RUSTUP_HOME", tool_home("RUSTUP_HOME", ".rustup"));
    run.args(["run", "swing.toml", "--until=0.1"]);
    let output = run.current_dir(folder.path("empty")).output().unwrap();
    succeeded(&output);
    assert!(folder.path("empty/four_bar.csv").is_file());
    assert!(folder.path("cache/runtime").is_dir());
    assert!(!folder.path("home").exists());
}

fn tool_home(variable: &str, below: &str) -> PathBuf {
    let home = || PathBuf::from(env::var_os("HOME").unwrap_or_default()).join(below);
    env::var_os(variable).map_or_else(home, PathBuf::from)
}

#[test]
fn progress_is_for_terminals_only() {
    let folder = Folder::new("progress");
    let mut run = folder.bellcrank(&["run", "--until=1"]);
    let output = run.arg(model("four_bar")).output().unwrap();
    succeeded(&output);
    let told = stderr(&output);
    assert!(
        !told.contains("progress") && !told.contains('\u{1b}'),
        "{told}"
    );
    assert!(!told.contains('█') && !told.contains('\r'), "{told}");
    assert!(told.contains("1000 steps"), "{told}");
}

/// `script` gives its child a terminal.
#[cfg(target_os = "linux")]
#[test]
fn progress_is_shown_on_a_terminal() {
    let folder = Folder::new("terminal");
    let run = folder.bellcrank(&[]);
    let mut script = std::process::Command::new("script");
    for (name, value) in run.get_envs() {
        value.map(|value| script.env(name, value));
    }
    let path = model("four_bar");
    let line = format!("'{PROGRAM}' run --until=20 '{}'", path.display());
    script
        .args(["-qec", &line, "/dev/null"])
        .env("TERM", "xterm");
    script.current_dir(folder.path(""));
    if let Ok(output) = script.output() {
        let told = succeeded(&output);
        assert!(told.contains("of 20.00 s"), "{told}");
    }
}

/// Like a person's Ctrl-C, which goes to all processes of the command.
#[cfg(unix)]
#[test]
fn an_interrupted_run_leaves_no_file() {
    use std::os::unix::process::CommandExt;
    use std::process::{Command, Stdio};

    let folder = Folder::new("interrupted");
    let mut run = folder.bellcrank(&["run", "--until=1e7", "--every=100", "--out=long.csv"]);
    run.arg(model("four_bar")).process_group(0);
    run.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = run.spawn().unwrap();
    let start = Instant::now();
    let files = || fs::read_dir(folder.path("")).unwrap().flatten();
    let written = || files().any(|file| file.metadata().is_ok_and(|file| file.len() > 0));
    while !written() && start.elapsed() < Duration::from_secs(600) {
        thread::sleep(Duration::from_millis(20));
    }
    let group = format!("-{}", child.id());
    // Not INT, which a shell may have told its background jobs to ignore.
    let kill = Command::new("kill").args(["-TERM", "--", &group]).status();
    assert!(kill.unwrap().success());
    assert!(!child.wait().unwrap().success());
    assert_eq!(files().count(), 0);
}

/// Nothing acts on the block and its mass matrix is a number, so `dense` reads no coordinate but for the product with
/// M.
#[test]
fn a_block_on_a_rail_without_forces_runs() {
    let folder = Folder::new("block");
    let block = folder.write(
        "block.toml",
        r#"
space = "planar"
[bodies.block]
mass = 1
inertia = 1
velocity = [2, 0]
[joints.rail]
type = "prismatic"
between = ["ground", "block"]
axis = "x"
[outputs]
x = "block.x"
"#,
    );
    let mut command = folder.bellcrank(&["run", "--until=1", "--out=-", "--quiet"]);
    let (_, rows) = csv(&succeeded(&command.arg(&block).output().unwrap()));
    assert!((rows.last().unwrap()[1] - 2.0).abs() < 1e-12);
}
