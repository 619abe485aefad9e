//! Same input, same bytes: in every process, in every format, and by the build helper.
//! The output of the macro is compared in `crates`, where it runs.

use std::fs;
use std::path::{Path, PathBuf};

use bellcrank_compiler::description::tokens::TokenSource;
use bellcrank_compiler::description::{Description, read};
use bellcrank_compiler::source::{self, Source};

use crate::workbench::{Folder, built, models};

#[test]
fn two_processes_and_the_build_helper_give_the_same_bytes() {
    let folder = Folder::new("bytes");
    for (name, path) in built() {
        let first = folder.emit(&path);
        assert!(first == folder.emit(&path), "two processes differ: {name}");
        let built = Path::new(env!("OUT_DIR")).join(format!("{name}.rs"));
        let built = fs::read_to_string(built).unwrap();
        assert!(first == built, "the build helper differs: {name}");
    }
}

#[test]
fn toml_json_and_tokens_are_one_description() {
    for (name, path) in models() {
        let description = description(&path);
        let text = serde_json::to_string_pretty(&description).unwrap();
        let file = format!("{name}.json");
        let json = read(&Source::Json { file, text }).unwrap();
        assert_eq!(json, description, "{name}");
        let tokens = without_comments(&path).parse().unwrap();
        let tokens = read(&Source::Tokens(TokenSource { tokens })).unwrap();
        assert_eq!(tokens, description, "{name}");
    }
}

#[test]
fn a_json_file_gives_the_bytes_of_the_toml_file() {
    let folder = Folder::new("json");
    for (name, path) in built() {
        let text = serde_json::to_string(&description(&path)).unwrap();
        let json: PathBuf = folder.write(&format!("{name}.json"), &text);
        assert!(folder.emit(&json) == folder.emit(&path), "{name}");
    }
}

fn description(path: &Path) -> Description {
    read(&source::load(path).unwrap()).unwrap()
}

/// Tokens know Rust's comments, not TOML's.
fn without_comments(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let lines = text.lines().map(|line| match line.split_once(" #") {
        Some((before, _)) => before,
        None if line.starts_with('#') => "",
        None => line,
    });
    lines.collect::<Vec<_>>().join("\n")
}
