//! The names that documents quote are names of the sources.
//!
//! A quotation is one word in backticks, outside of blocks. A document may shorten a path from its front, as long as
//! some file ends with it: `emit/form.rs`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use bellcrank_compiler::diagnostics::Code;

/// Ends of files that are of this repository wherever they are quoted; others may be files of a user.
const OURS: [&str; 3] = [".rs", ".py", ".md"];

/// Ends of files of this repository, where a folder stands before their name.
const OURS_IN_FOLDERS: [&str; 6] = [".toml", ".json", ".csv", ".svg", ".c", ".js"];

/// Packages of others have their own files.
const FOREIGN: [&str; 1] = ["License.md"];

#[test]
fn every_path_that_a_document_quotes_exists() {
    let files = below_root();
    let roots: BTreeSet<String> = ["", "compiler/src", "compiler/cli/src"]
        .iter()
        .flat_map(|folder| names_in(&root().join(folder)))
        .collect();
    let missing = |quoted: &str| {
        let path = quoted.trim_end_matches('/');
        is_path(quoted, &roots)
            && !FOREIGN.contains(&quoted)
            && !files.iter().any(|file| ends_with(file, path))
    };
    assert_eq!(quoting(missing), "");
}

/// Constants such as `BELLCRANK_CACHE`, and items such as `Stop::Undetermined`.
#[test]
fn every_constant_and_item_that_a_document_quotes_exists() {
    let words = words_of_sources();
    let missing = |quoted: &str| {
        let segments: Vec<&str> = quoted.split("::").collect();
        let is_name = segments.iter().all(|segment| is_identifier(segment));
        let is_item = segments.len() > 1 || is_constant(quoted);
        is_name && is_item && !segments.iter().all(|segment| words.contains(*segment))
    };
    assert_eq!(quoting(missing), "");
}

#[test]
fn every_code_that_a_document_names_exists() {
    let codes: BTreeSet<String> = Code::ALL.iter().map(Code::to_string).collect();
    let mut unknown = String::new();
    for document in documents() {
        let text = read(&document);
        for word in text.split(|c: char| !c.is_ascii_alphanumeric()) {
            if is_code(word) && !codes.contains(word) {
                unknown += &format!("{}: {word}\n", document.display());
            }
        }
    }
    assert_eq!(unknown, "");
}

fn is_path(quoted: &str, roots: &BTreeSet<String>) -> bool {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-".contains(c);
    if !quoted.chars().all(is_plain) || quoted.starts_with(['/', '-']) {
        return false;
    }
    let ends = |list: &[&str]| list.iter().any(|end| quoted.ends_with(end));
    match quoted.split_once('/') {
        // What is built there is nowhere else.
        Some(("target", _)) => false,
        Some((first, _)) => roots.contains(first) || ends(&OURS) || ends(&OURS_IN_FOLDERS),
        None => ends(&OURS),
    }
}

fn ends_with(file: &str, path: &str) -> bool {
    let before = file.strip_suffix(path);
    before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
}

fn is_identifier(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// In capitals, and long enough to be no symbol of a formula.
fn is_constant(text: &str) -> bool {
    let is_capital = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    text.len() > 4
        && text.starts_with(|c: char| c.is_ascii_uppercase())
        && text.chars().all(is_capital)
}

fn is_code(word: &str) -> bool {
    let digits = word.strip_prefix(['D', 'M', 'T', 'F', 'S', 'C', 'A']);
    digits.is_some_and(|digits| digits.len() == 3 && digits.chars().all(|c| c.is_ascii_digit()))
}

/// `document: quotation`, a line for each that is found.
fn quoting(is_wrong: impl Fn(&str) -> bool) -> String {
    let mut report = String::new();
    let mut n_quoted = 0;
    for document in documents() {
        for quoted in quotations(&read(&document)) {
            n_quoted += 1;
            if is_wrong(&quoted) {
                report += &format!("{}: {quoted}\n", document.display());
            }
        }
    }
    assert!(n_quoted > 1000, "{n_quoted}");
    report
}

fn quotations(text: &str) -> Vec<String> {
    let mut fenced = false;
    let mut found = Vec::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if !fenced {
            found.extend(line.split('`').skip(1).step_by(2).map(str::to_owned));
        }
    }
    found
}

/// Documents about the sources as they are; the changelog is about earlier ones.
fn documents() -> Vec<PathBuf> {
    let named = [
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "THIRD_PARTY.md",
    ];
    let mut documents: Vec<PathBuf> = named.iter().map(PathBuf::from).collect();
    let is_document = |file: &String| {
        file.ends_with(".md") && (file.starts_with("docs/src/") || file.starts_with("models/"))
    };
    documents.extend(
        below_root()
            .into_iter()
            .filter(is_document)
            .map(PathBuf::from),
    );
    assert!(documents.len() > 50, "{documents:?}");
    documents
}

fn words_of_sources() -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for file in below_root() {
        let is_source = [".rs", ".toml", ".py", "/run"]
            .iter()
            .any(|end| file.ends_with(end));
        if is_source && root().join(&file).is_file() {
            let text = read(Path::new(&file));
            let found = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
            words.extend(found.map(str::to_owned));
        }
    }
    words
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(file: &Path) -> String {
    String::from_utf8_lossy(&fs::read(root().join(file)).unwrap()).into_owned()
}

/// Files and folders of the repository by their path, in order, without build products.
fn below_root() -> Vec<String> {
    let mut found = Vec::new();
    collect(&root(), "", &mut found);
    found.sort();
    found
}

fn collect(folder: &Path, prefix: &str, found: &mut Vec<String>) {
    for name in names_in(folder) {
        let (path, is_built) = (
            format!("{prefix}{name}"),
            name == "target" || name == ".git",
        );
        if folder.join(&name).is_dir() && !is_built {
            collect(&folder.join(&name), &format!("{path}/"), found);
        }
        found.push(path);
    }
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect()
}
