//! The invariants of ARCHITECTURE.md that a search through the sources can guard.

use std::fs;
use std::path::{Path, PathBuf};

use bellcrank_compiler::joints::JointType;

/// What lies between the doors: no IO, no environment, no talk.
const STAGES: &[&str] = &[
    "analysis",
    "assembly",
    "description",
    "diagnostics",
    "diagnostics.rs",
    "emit",
    "evaluate.rs",
    "expr",
    "formulation",
    "generate",
    "joints",
    "kernel",
    "model",
    "options.rs",
    "ordering.rs",
    "picture",
    "search",
    "symbolic",
    "topology",
];

/// The one place of the pipeline that touches the system: lock, licence key and port of Symbolica.
const TOUCHES_THE_SYSTEM: &[&str] = &["symbolic/session.rs", "symbolic/session/lock.rs"];

const SYSTEM: &[&str] = &[
    "std::fs",
    "std::env",
    "std::net",
    "std::process",
    "std::{",
    "env::var",
    "File::",
    "print!(",
    "println!(",
    "dbg!(",
];

#[test]
fn only_symbolic_names_symbolica() {
    let elsewhere = sources().filter(|file| !file.starts_with("symbolic/"));
    assert_eq!(naming(elsewhere, &["symbolica::", "use symbolica"]), "");
}

/// The macro crate is a door and uses it too, for the line that makes rustc watch the file.
#[test]
fn only_emit_uses_quote() {
    let elsewhere = sources().filter(|file| !file.starts_with("emit/"));
    assert_eq!(naming(elsewhere, &["use quote", "quote::", "quote!"]), "");
}

/// The file of a kind of joint says everything about it, so that a new kind is one file and one line.
#[test]
fn no_stage_names_a_kind_of_joint() {
    let elsewhere = sources().filter(|file| !file.starts_with("joints/"));
    let kinds = JointType::ALL.iter();
    let names: Vec<String> = kinds.map(|kind| format!("JointType::{kind:?}")).collect();
    let mut words: Vec<&str> = names.iter().map(String::as_str).collect();
    words.push("JointType::{");
    assert_eq!(naming(elsewhere, &words), "");
}

#[test]
fn stages_do_no_io() {
    let stages = sources().filter(|file| {
        let stage = file.split('/').next().unwrap_or_default();
        STAGES.contains(&stage) && !TOUCHES_THE_SYSTEM.contains(&file.as_str())
    });
    assert_eq!(naming(stages, SYSTEM), "");
}

/// These panic where stderr is closed, and change the exit code.
#[test]
fn the_command_talks_in_one_way() {
    let cli = sources().filter(|file| file.starts_with("cli/"));
    assert_eq!(naming(cli, &["eprint!(", "eprintln!("]), "");
}

/// Every file is written whole, or not at all.
#[test]
fn files_are_written_in_one_place() {
    let elsewhere = sources().filter(|file| !file.starts_with("output_file"));
    let ways = ["fs::write(", "File::create(", "fs::rename("];
    assert_eq!(naming(elsewhere, &ways), "");
}

/// A stage that is renamed must not slip out of the test above, nor an exception outlive its reason.
#[test]
fn the_lists_are_of_what_exists() {
    for name in STAGES.iter().chain(TOUCHES_THE_SYSTEM) {
        assert!(src().join(name).exists(), "{name}");
    }
    for file in TOUCHES_THE_SYSTEM {
        assert_ne!(naming([(*file).to_owned()].into_iter(), SYSTEM), "");
    }
}

/// `bellcrank run` in the root of the repository leaves its table there.
#[test]
fn tables_in_the_root_are_not_committed() {
    let ignored = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.gitignore");
    let ignored = fs::read_to_string(ignored).unwrap();
    assert!(ignored.lines().any(|line| line == "/*.csv"), "{ignored}");
}

fn src() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// All sources that are not tests, by their path below `src`, in order.
fn sources() -> impl Iterator<Item = String> {
    let mut found = Vec::new();
    collect(&src(), "", &mut found);
    assert!(found.len() > 50, "the sources are where they should be");
    found.sort();
    found.into_iter()
}

fn collect(folder: &Path, prefix: &str, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let path = format!("{prefix}{name}");
        if name == "tests" || name == "tests.rs" {
            continue;
        } else if entry.file_type().unwrap().is_dir() {
            collect(&entry.path(), &format!("{path}/"), found);
        } else if name.ends_with(".rs") {
            found.push(path);
        }
    }
}

/// The lines of these files that contain one of the words, comments and tests aside: `file:line: text`.
fn naming(files: impl Iterator<Item = String>, words: &[&str]) -> String {
    let mut report = String::new();
    for file in files {
        let text = fs::read_to_string(src().join(&file)).unwrap();
        for (index, line) in text.lines().enumerate() {
            let code = line.trim_start();
            if code == "mod tests {" {
                break;
            }
            if !code.starts_with("//") && words.iter().any(|word| code.contains(word)) {
                report += &format!("{file}:{}: {code}\n", index + 1);
            }
        }
    }
    report
}
