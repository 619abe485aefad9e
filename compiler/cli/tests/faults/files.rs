//! Targets of `--out`, and their content afterwards.

use std::fs;
use std::io::Read;
use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::bench::{Folder, comes, refused, succeeded};

const RUN: [&str; 5] = [
    "run",
    "four_bar.toml",
    "--interpret",
    "--until=0.05",
    "--quiet",
];

fn run<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&RUN, more].concat()
}

#[test]
fn a_device_is_written_to_and_a_full_one_is_told() {
    let folder = Folder::new();
    for more in [&["--out=/dev/null"][..], &["--out=/dev/null", "--every=3"]] {
        succeeded(&folder.run(&run(more)));
    }
    let null = fs::metadata("/dev/null").unwrap();
    assert!(null.file_type().is_char_device());
    let told = refused(&folder.run(&run(&["--out=/dev/full"])));
    assert!(told.contains("No space left on device"), "{told}");
    assert!(folder.names().is_empty());
}

/// Every command writes in the same way.
#[test]
fn other_commands_write_to_devices_too() {
    let folder = Folder::new();
    for (command, file) in [("plot", "x.svg"), ("view", "x.html")] {
        symlink("/dev/full", folder.path(file)).unwrap();
        let out = format!("--out={file}");
        let arguments = [
            command,
            "four_bar.toml",
            "--interpret",
            "--until=0.05",
            &out,
        ];
        let told = refused(&folder.run(&arguments));
        assert!(
            told.contains(file) && told.contains("No space left"),
            "{told}"
        );
        assert_eq!(folder.names(), [file]);
        fs::remove_file(folder.path(file)).unwrap();
    }
}

#[test]
fn a_pipe_gets_the_rows_and_stays() {
    let folder = Folder::new();
    let pipe = folder.path("pipe.csv");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    let child = folder.command(&run(&["--out=pipe.csv"])).spawn().unwrap();
    let mut rows = String::new();
    let mut reader = fs::File::open(&pipe).unwrap();
    reader.read_to_string(&mut rows).unwrap();
    assert!(child.wait_with_output().unwrap().status.success());
    assert_eq!(rows.lines().count(), 52);
    assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
}

#[test]
fn a_link_stays_a_link_and_a_mode_stays() {
    let folder = Folder::new();
    folder.write("target.csv", "old");
    let private = fs::Permissions::from_mode(0o600);
    fs::set_permissions(folder.path("target.csv"), private).unwrap();
    symlink("target.csv", folder.path("link.csv")).unwrap();
    succeeded(&folder.run(&run(&["--out=link.csv"])));
    let link = fs::symlink_metadata(folder.path("link.csv")).unwrap();
    assert!(link.is_symlink());
    assert_eq!(folder.read("target.csv").lines().count(), 52);
    let mode = fs::metadata(folder.path("target.csv")).unwrap();
    assert_eq!(mode.permissions().mode() & 0o777, 0o600);
    assert_eq!(folder.names(), ["link.csv", "target.csv"]);
}

#[test]
fn a_read_only_file_is_named() {
    let folder = Folder::new();
    folder.write("kept.csv", "old");
    let fixed = fs::Permissions::from_mode(0o444);
    fs::set_permissions(folder.path("kept.csv"), fixed).unwrap();
    let told = refused(&folder.run(&run(&["--out=kept.csv"])));
    assert!(
        told.contains("error[C601]: cannot write kept.csv"),
        "{told}"
    );
    assert_eq!(folder.read("kept.csv"), "old");
}

/// A step that is too long for the projection.
#[test]
fn a_run_that_stops_keeps_its_rows_apart() {
    let folder = Folder::new();
    let long = [
        "run",
        "four_bar.toml",
        "--interpret",
        "--step=0.5",
        "--out=x.csv",
    ];
    let told = refused(&folder.run(&long));
    assert!(
        told.contains("the rows up to there are in `x.csv.part`"),
        "{told}"
    );
    assert_eq!(folder.names(), ["x.csv.part"]);
    assert!(folder.read("x.csv.part").starts_with("time,crank,"));
}

/// Whichever ends last has written the file, and its rows alone.
#[test]
fn runs_into_one_file_do_not_mix() {
    let folder = Folder::new();
    let durations = ["0.02", "0.04", "0.06", "0.08"];
    let whole: Vec<String> = durations
        .iter()
        .map(|until| {
            let until = format!("--until={until}");
            let out = folder.run(&["run", "four_bar.toml", "--interpret", &until, "--out=-"]);
            succeeded(&out)
        })
        .collect();
    for _ in 0..5 {
        let begin = |until: &&str| {
            let until = format!("--until={until}");
            let arguments = ["run", "four_bar.toml", "--interpret", "--quiet", &until];
            let mut command = folder.command(&arguments);
            command.arg("--out=one.csv").spawn().unwrap()
        };
        let children: Vec<_> = durations.iter().map(begin).collect();
        for mut child in children {
            assert!(child.wait().unwrap().success());
        }
        assert!(whole.contains(&folder.read("one.csv")));
        assert_eq!(folder.names(), ["one.csv"]);
    }
}

/// A limit on the size of files stands for a disk that is full after so many bytes.
#[test]
fn a_disk_that_fills_up_leaves_the_old_file() {
    let folder = Folder::new();
    succeeded(&folder.run(&run(&["--out=x.csv"])));
    let whole = folder.read("x.csv");
    let (mut refusals, mut room) = (0, 0);
    loop {
        folder.write("x.csv", "old");
        let line = format!(
            "trap '' XFSZ; ulimit -f {room}; exec \"$0\" {} --out=x.csv",
            RUN.join(" ")
        );
        let output = folder.shell(&line);
        assert_eq!(folder.names(), ["x.csv"]);
        if output.status.success() {
            break;
        }
        refused(&output);
        assert_eq!(folder.read("x.csv"), "old");
        refusals += 1;
        room += room / 2 + 1;
    }
    assert_eq!(folder.read("x.csv"), whole);
    assert!(refusals >= 4, "{refusals}");
}

#[test]
fn a_crate_that_cannot_be_written_is_not_there() {
    let folder = Folder::new();
    let line = "trap '' XFSZ; ulimit -f 0; exec \"$0\" new walker";
    refused(&folder.shell(line));
    assert!(folder.names().is_empty(), "{:?}", folder.names());
}

/// Ctrl-C is INT, which a shell may have told its background jobs to ignore; TERM is handled alike.
#[test]
fn a_signal_leaves_no_temporary_file() {
    let folder = Folder::new();
    succeeded(&folder.run(&run(&["--out=x.csv"])));
    fs::remove_file(folder.path("x.csv")).unwrap();
    let endless = [
        "run",
        "four_bar.toml",
        "--interpret",
        "--quiet",
        "--until=1e6",
    ];
    let mut child = folder.command(&endless);
    child.arg("--out=x.csv");
    let mut child = child.stderr(Stdio::null()).spawn().unwrap();
    assert!(comes(
        || !folder.names().is_empty(),
        Duration::from_secs(20)
    ));
    let pid = child.id().to_string();
    let kill = Command::new("kill").args(["-TERM", &pid]).status();
    assert!(kill.unwrap().success());
    assert!(!child.wait().unwrap().success());
    assert!(folder.names().is_empty(), "{:?}", folder.names());
}

#[test]
fn nobody_listens_and_the_codes_stay() {
    let folder = Folder::new();
    succeeded(&folder.run(&run(&["--out=x.csv"])));
    for (line, code) in [
        ("\"$0\" check four_bar.toml 2>&- >/dev/null", 0),
        ("\"$0\" check nowhere.toml 2>&-", 1),
        ("\"$0\" chekc 2>&-", 2),
    ] {
        let output = folder.shell(line);
        assert_eq!(output.status.code(), Some(code), "{line}");
    }
    // A stderr whose reader has gone.
    let line = "{ sleep 0.2; \"$0\" check nowhere.toml; echo $? >code; } 2>&1 | true; sleep 1";
    folder.shell(line);
    assert_eq!(folder.read("code"), "1\n");
    let line = "{ \"$0\" run four_bar.toml --interpret --until=20 --out=-; echo $? >code; } 2>err | head -n 1";
    let output = folder.shell(line);
    assert!(succeeded(&output).starts_with("time,"));
    assert_eq!(
        (folder.read("code").as_str(), folder.read("err").as_str()),
        ("0\n", "")
    );
}
