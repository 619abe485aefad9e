//! Links of the documents lead to files and headings that are there.

use std::fs;
use std::path::{Component, Path, PathBuf};

use super::markdown::{anchors, targets};
use super::{pages, read};
use crate::workbench::{models, root};

/// The book calls files of the repository by their address, because mdBook knows none but its own.
const REPOSITORY: &str = "https://github.com/bellcrank/bellcrank/blob/main/";

#[test]
fn links_lead_somewhere() {
    let mut broken = String::new();
    let mut n_links = 0;
    for document in documents() {
        for target in targets(&read(&document)) {
            n_links += 1;
            if let Err(why) = follow(&document, &target) {
                broken += &format!("{}: ({target}) {why}\n", document.display());
            }
        }
    }
    assert!(broken.is_empty(), "{broken}");
    assert!(n_links > 150, "{n_links}");
}

/// Readers should see the whole of it.
#[test]
fn the_readme_is_short() {
    let lines = read("README.md".as_ref()).lines().count();
    assert!(lines <= 250, "{lines} lines");
}

/// Everything that is written for people, below the root.
fn documents() -> Vec<PathBuf> {
    let named = [
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "THIRD_PARTY.md",
        "models/README.md",
        "models/GALLERY.md",
        "models/FORMULATIONS.md",
        "tests/peers/README.md",
        "tests/peers/RESULTS.md",
    ];
    let of_models = models()
        .into_iter()
        .map(|(name, _)| PathBuf::from(format!("models/{name}/README.md")));
    let named = named.into_iter().map(PathBuf::from);
    pages().into_iter().chain(named).chain(of_models).collect()
}

fn follow(from: &Path, target: &str) -> Result<(), String> {
    let (file, anchor) = match target.split_once('#') {
        Some((file, anchor)) => (file, Some(anchor)),
        None => (target, None),
    };
    let file = match file.strip_prefix(REPOSITORY) {
        Some(file) => PathBuf::from(file),
        None if file.starts_with("https://") => return Ok(()),
        None if file.is_empty() => from.to_owned(),
        None => from.parent().unwrap().join(file),
    };
    let is_of_book = |path: &Path| path.starts_with("docs/src");
    let file = plain(&file);
    if !root().join(&file).exists() {
        return Err("is not there".to_owned());
    }
    let is_page = file.extension().is_some_and(|end| end == "md");
    if is_page && is_of_book(from) && !is_of_book(&file) && !target.starts_with(REPOSITORY) {
        return Err(format!("is not in the book: write {REPOSITORY}…"));
    }
    match anchor {
        Some(anchor) if !has(&file, anchor) => Err("has no such heading".to_owned()),
        _ => Ok(()),
    }
}

fn has(file: &Path, anchor: &str) -> bool {
    let text = fs::read_to_string(root().join(file)).unwrap_or_default();
    anchors(&text).iter().any(|known| known == anchor)
}

/// A path without `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}
