//! `bellcrank sweep` as a person uses it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

#[cfg(feature = "parquet")]
use parquet::file::reader::{FileReader, SerializedFileReader};
#[cfg(feature = "parquet")]
use parquet::record::Field;

/// Twelve points of which every third cannot be assembled.
const POINTS: [&str; 5] = [
    "--param=radius=1.9:2.1:4",
    "--param=base=2.4,2.5,9",
    "--until=0.2",
    "--outputs=crank,crank_rate",
    "--quiet",
];

#[test]
fn each_point_has_its_row_whatever_becomes_of_it() {
    let folder = folder("rows");
    let table = succeeded(&sweep(&folder, &POINTS));
    let mut lines = table.lines();
    let header = "point,radius,base,crank.final,crank.min,crank.max,crank.mean,\
        crank_rate.final,crank_rate.min,crank_rate.max,crank_rate.mean,time,stop";
    assert_eq!(lines.next(), Some(header));
    let rows: Vec<Vec<&str>> = lines.map(|line| line.splitn(13, ',').collect()).collect();
    assert_eq!(rows.len(), 12);
    for (k, row) in rows.iter().enumerate() {
        assert_eq!(row[0], k.to_string());
        assert_eq!(row[2], ["2.4", "2.5", "9.0"][k % 3]);
        if k % 3 == 2 {
            assert_eq!(row[3..11], [""; 8]);
            assert!(
                row[12].contains(
                    "the mechanism does not assemble with these values: it stays open at `"
                ),
                "{}",
                row[12]
            );
            continue;
        }
        let numbers: Vec<f64> = row[3..12]
            .iter()
            .map(|cell| cell.parse().unwrap())
            .collect();
        let [last, least, most, mean] = numbers[..4].try_into().unwrap();
        assert!(least <= last && last <= most && least < mean && mean < most);
        assert_eq!((numbers[8], row[12]), (0.2, ""));
    }
}

/// Both programs are built for this processor, which may multiply and add in one rounding.
#[test]
fn a_point_has_the_bits_of_a_run_with_its_parameters() {
    let folder = folder("bits");
    let table = succeeded(&sweep(&folder, &POINTS));
    let point = table.lines().nth(5).unwrap();
    let cells: Vec<&str> = point.split(',').collect();
    let set = [("radius", cells[1]), ("base", cells[2])];
    let [radius, base] = set.map(|(name, value)| format!("--set={name}={value}"));
    let run = command(
        "run",
        &folder,
        &[&radius, &base, "--until=0.2", "--out=run.csv", "--quiet"],
    );
    succeeded(&{ run }.output().unwrap());
    let curves = fs::read_to_string(folder.join("run.csv")).unwrap();
    let last = |name: &str| {
        let column = curves
            .lines()
            .next()
            .unwrap()
            .split(',')
            .position(|cell| cell == name);
        let row = curves.lines().last().unwrap();
        row.split(',').nth(column.unwrap()).unwrap().parse::<f64>()
    };
    assert_eq!(last("crank"), cells[3].parse());
    assert_eq!(last("crank_rate"), cells[7].parse());
}

/// Batches and the ordinary simulation, which a stabilizer that batches do not serve asks for, write alike.
#[test]
fn what_batches_do_not_serve_runs_one_by_one() {
    let folder = folder("alone");
    let mut arguments = POINTS[..4].to_vec();
    arguments.push("--stabilizer=baumgarte");
    let output = sweep(&folder, &arguments);
    assert_eq!(succeeded(&output).lines().count(), 13);
    let told = stderr(&output);
    let why = "points run one by one: batches serve direct-correction and none, not `baumgarte`";
    assert!(told.contains(why), "{told}");
}

#[test]
fn shares_may_begin_together() {
    let folder = folder("together");
    let all = succeeded(&sweep(&folder, &POINTS));
    for round in 0..6 {
        let out = format!("--out={round}.csv");
        let begin = |share: u32| {
            let shard = format!("--shard={share}/4");
            let mut command = command("sweep", &folder, &with(&[&out, &shard]));
            command.stdout(Stdio::null()).stderr(Stdio::piped());
            command.spawn().unwrap()
        };
        let shares: Vec<_> = (1..=4).map(begin).collect();
        for share in shares {
            succeeded(&share.wait_with_output().unwrap());
        }
        succeeded(&sweep(&folder, &["--merge", &out]));
        let merged = fs::read_to_string(folder.join(format!("{round}.csv"))).unwrap();
        assert_eq!(merged, all);
    }
}

#[test]
fn shares_that_are_merged_are_one_run_byte_for_byte() {
    let folder = folder("shares");
    let all = succeeded(&sweep(&folder, &POINTS));
    succeeded(&sweep(&folder, &with(&["--out=one.csv", "--threads=1"])));
    assert_eq!(fs::read_to_string(folder.join("one.csv")).unwrap(), all);
    assert!(!folder.join("one.csv.parts").exists());
    for share in ["3/3", "1/3"] {
        let shard = format!("--shard={share}");
        succeeded(&sweep(&folder, &with(&["--out=all.csv", &shard])));
    }
    let early = refused(&sweep(&folder, &["--merge", "--out=all.csv"]));
    let missing = "error[C607]: 1 of 3 parts are missing in all.csv.parts: \
        points-000000000004-000000000007.csv";
    assert!(early.contains(missing), "{early}");
    for _ in 0..2 {
        succeeded(&sweep(&folder, &with(&["--out=all.csv", "--shard=2/3"])));
    }
    succeeded(&sweep(&folder, &["--merge", "--out=all.csv"]));
    assert_eq!(fs::read_to_string(folder.join("all.csv")).unwrap(), all);
}

/// A sweep without shares puts all parts together in the end, so nobody else may write them.
#[test]
fn two_sweeps_into_one_file_are_refused() {
    let folder = folder("two_sweeps");
    let parts = folder.join("a.csv.parts");
    fs::create_dir(&parts).unwrap();
    let lock = fs::File::create(parts.join("lock")).unwrap();
    lock.lock_shared().unwrap();
    succeeded(&sweep(&folder, &with(&["--out=a.csv", "--shard=1/2"])));
    let told = refused(&sweep(&folder, &with(&["--out=a.csv"])));
    let words = "error[C607]: another sweep writes into a.csv.parts";
    assert!(told.contains(words), "{told}");
    lock.unlock().unwrap();
    succeeded(&sweep(&folder, &with(&["--out=a.csv", "--shard=2/2"])));
    succeeded(&sweep(&folder, &["--merge", "--out=a.csv"]));
    succeeded(&sweep(&folder, &with(&["--out=b.csv"])));
    let rows = |file| fs::read_to_string(folder.join(file)).unwrap();
    assert_eq!(rows("a.csv"), rows("b.csv"));
}

#[test]
fn foreign_parts_are_named() {
    let folder = folder("foreign");
    succeeded(&sweep(&folder, &with(&["--out=a.csv", "--shard=1/2"])));
    let mut other = with(&["--out=a.csv", "--shard=2/2"]);
    other[2] = "--until=0.1";
    let told = refused(&sweep(&folder, &other));
    let words =
        "error[C607]: a.csv.parts has the parts of another sweep: its `settings` is --until=0.2";
    assert!(told.contains(words), "{told}");
    other[5] = "--out=b.csv";
    succeeded(&sweep(&folder, &other));
    let part = "points-000000000006-000000000011.csv";
    let (from, to) = (folder.join("b.csv.parts"), folder.join("a.csv.parts"));
    fs::copy(from.join(part), to.join(part)).unwrap();
    let told = refused(&sweep(&folder, &["--merge", "--out=a.csv"]));
    assert!(
        told.contains("error[C607]: not of this sweep: ") && told.contains(part),
        "{told}"
    );
    fs::rename(to.join(part), to.join("points-7-9.csv")).unwrap();
    let told = refused(&sweep(&folder, &["--merge", "--out=a.csv"]));
    assert!(told.contains("not of this sweep: points-7-9.csv"), "{told}");
    let told = refused(&sweep(&folder, &["--merge", "--out=c.csv"]));
    assert!(told.contains("c.csv.parts has no parts"), "{told}");
}

#[test]
fn a_sweep_that_is_killed_goes_on_where_it_stopped() {
    let folder = folder("killed");
    let points = [
        "--param=radius=1.9:2.1",
        "--sample=random:4000",
        "--until=1",
        "--outputs=crank",
        "--chunk=8",
    ];
    let mut first = command("sweep", &folder, &points);
    let first = first.arg("--out=rows.csv").stderr(Stdio::null());
    let mut first = first.spawn().unwrap();
    let parts = folder.join("rows.csv.parts");
    let there = || fs::read_dir(&parts).map_or(0, Iterator::count);
    // The manifest, the lock and two parts.
    while there() < 4 && first.try_wait().unwrap().is_none() {
        sleep(Duration::from_millis(1));
    }
    first.kill().unwrap();
    first.wait().unwrap();
    assert!(there() >= 4, "it was over too soon");
    let mut again = points.to_vec();
    again.push("--out=rows.csv");
    let output = sweep(&folder, &again);
    succeeded(&output);
    let told = stderr(&output);
    let count: Option<u64> = told
        .split(" points in ")
        .next()
        .and_then(|n| n.parse().ok());
    assert!(count.is_some_and(|n| n > 0 && n < 4000), "{told}");
    let whole = succeeded(&sweep(&folder, &points));
    assert_eq!(fs::read_to_string(folder.join("rows.csv")).unwrap(), whole);
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_has_the_numbers_of_csv() {
    let folder = folder("parquet");
    let table = succeeded(&sweep(&folder, &POINTS));
    succeeded(&sweep(&folder, &with(&["--out=rows.parquet"])));
    let file = fs::File::open(folder.join("rows.parquet")).unwrap();
    let reader = SerializedFileReader::new(file).unwrap();
    let rows: Vec<_> = reader
        .get_row_iter(None)
        .unwrap()
        .map(Result::unwrap)
        .collect();
    assert_eq!(rows.len(), 12);
    for (line, row) in table.lines().skip(1).zip(&rows) {
        let cells: Vec<&str> = line.splitn(13, ',').collect();
        for (cell, (_, field)) in cells.iter().zip(row.get_column_iter()) {
            let text = match field {
                Field::Null => String::new(),
                Field::Long(number) => number.to_string(),
                Field::Double(number) => format!("{number:?}"),
                Field::Str(text) => text.clone(),
                other => panic!("{other}"),
            };
            assert_eq!(cell.trim_matches('"'), text);
        }
    }
}

#[test]
fn what_does_not_fit_is_told() {
    let folder = folder("refused");
    for (arguments, words) in [
        (&[][..], "nothing varies"),
        (&["--param=radus=1,2"], "did you mean `radius`?"),
        (
            &["--param=radius=1:2"],
            "nothing says how many values `radius` takes",
        ),
        (
            &["--param=radius=1,2", "--outputs=crnk"],
            "did you mean `crank`?",
        ),
        (
            &["--param=radius=1,2", "--out=a.txt"],
            "a sweep writes .csv and .parquet, not `.txt`",
        ),
        (&["--vary-input=torq=1,2"], "did you mean `torque`?"),
    ] {
        let told = refused(&sweep(&folder, arguments));
        assert!(told.contains(words), "{told}");
    }
    if !cfg!(feature = "parquet") {
        let told = refused(&sweep(&folder, &["--param=radius=1,2", "--out=a.parquet"]));
        assert!(
            told.contains("this program was built without Parquet"),
            "{told}"
        );
    }
    let misused = sweep(&folder, &["--shard=3/2", "--out=a.csv"]);
    assert_eq!(misused.status.code(), Some(2));
}

/// A part that is not as it was written is named by `--merge`, and made again by its share.
#[test]
fn damaged_parts_are_made_again() {
    let folder = folder("damaged");
    let share = with(&["--out=a.csv", "--shard=1/1", "--chunk=4"]);
    succeeded(&sweep(&folder, &share));
    let parts = folder.join("a.csv.parts");
    let part = |k: usize| parts.join(format!("points-{:012}-{:012}.csv", 4 * k, 4 * k + 3));
    let texts = [0, 1, 2].map(|k| fs::read_to_string(part(k)).unwrap());
    let first = &texts[0];
    let mut lines: Vec<&str> = first.lines().collect();
    lines.swap(1, 2);
    let damaged = [
        first.replacen(",2.4,", ",2.5,", 1),
        lines.join("\n") + "\n",
        texts[1].clone(),
        "\0".repeat(first.len()),
        first[..first.len() - 3].to_owned(),
        first.lines().next().unwrap().to_owned() + "\n",
        String::new(),
    ];
    for text in damaged {
        assert_ne!(&text, first);
        fs::write(part(0), &text).unwrap();
        let told = refused(&sweep(&folder, &["--merge", "--out=a.csv"]));
        let words = "error[C607]: 1 of 3 parts are damaged in a.csv.parts: points-000000000000";
        assert!(told.contains(words), "{told}");
        assert!(!folder.join("a.csv").exists());
        succeeded(&sweep(&folder, &share));
        assert_eq!(&fs::read_to_string(part(0)).unwrap(), first);
    }
    succeeded(&sweep(&folder, &["--merge", "--out=a.csv"]));
    let all = succeeded(&sweep(&folder, &POINTS));
    assert_eq!(fs::read_to_string(folder.join("a.csv")).unwrap(), all);
}

#[test]
fn sweeps_without_measure_are_refused() {
    let folder = folder("measure");
    for (arguments, words) in [
        (
            &["--param=radius=1:2:18446744073709551615"][..],
            "a sweep has at most",
        ),
        (
            &["--param=radius=1:2", "--sample=random:18000000000000000000"],
            "a sweep has at most",
        ),
        (
            &["--param=radius=1:2:10000000000", "--out=a.csv"],
            "put more points into a part: `--chunk=10000`",
        ),
    ] {
        let told = refused(&sweep(&folder, arguments));
        assert!(
            told.contains("error[C605]") && told.contains(words),
            "{told}"
        );
    }
    succeeded(&sweep(&folder, &with(&["--out=a.csv", "--shard=1/2"])));
    let manifest = folder.join("a.csv.parts/manifest.json");
    let text = fs::read_to_string(&manifest).unwrap();
    for (from, to) in [
        ("\"chunk\": 6", "\"chunk\": 0"),
        ("\"points\": 12", "\"points\": 18000000000000000000"),
        ("\"chunk\": 6", "\"chunk\": -6"),
        ("{", ""),
    ] {
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text);
        fs::write(&manifest, changed).unwrap();
        for arguments in [&["--merge", "--out=a.csv"][..], &with(&["--out=a.csv"])] {
            let told = refused(&sweep(&folder, arguments));
            assert!(told.contains("is no manifest of a sweep"), "{told}");
        }
    }
}

/// A share that is killed leaves nothing running, and whole parts only.
#[cfg(unix)]
#[test]
fn a_sweep_that_is_killed_leaves_nothing_running() {
    let folder = folder("orphans");
    succeeded(&sweep(&folder, &POINTS));
    let marker = "--until=987654.25";
    let mut long = with(&["--out=a.csv"]);
    long[2] = marker;
    let mut child = command("sweep", &folder, &long).spawn().unwrap();
    let running = || {
        let found = Command::new("pgrep")
            .args(["-f", "--", "until=987654.25"])
            .output();
        let text = String::from_utf8(found.unwrap().stdout).unwrap();
        text.lines().count()
    };
    let waits = |n: usize| {
        let start = std::time::Instant::now();
        while running() != n && start.elapsed() < Duration::from_secs(60) {
            sleep(Duration::from_millis(50));
        }
        assert_eq!(running(), n);
    };
    // The command and its program.
    waits(2);
    child.kill().unwrap();
    child.wait().unwrap();
    waits(0);
}

/// The points with further arguments.
fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    POINTS.iter().chain(more).copied().collect()
}

fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("sweep")
        .join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn sweep(folder: &Path, arguments: &[&str]) -> Output {
    command("sweep", folder, arguments).output().unwrap()
}

fn command(verb: &str, folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bellcrank-sweeping"));
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/models/four_bar.toml");
    command.args([verb, model]).args(arguments);
    command.current_dir(folder);
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sweep-cache");
    command.env("BELLCRANK_CACHE", cache);
    command.env_remove("SYMBOLICA_LICENSE");
    command
}

fn succeeded(output: &Output) -> String {
    assert!(output.status.success(), "{}", stderr(output));
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn refused(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(1), "{}", stderr(output));
    stderr(output)
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
