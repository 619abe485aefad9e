//! README and book are tests: their commands run, their models and programs compile, their links lead somewhere.

mod book;
mod commands;
mod errors;
mod links;
mod markdown;
mod programs;

use std::fs;
use std::path::{Path, PathBuf};

use crate::workbench::{Folder, models, root};

/// Pages below the root of the repository: the README, then the chapters of the book in the order of their names.
fn pages() -> Vec<PathBuf> {
    let chapters = fs::read_dir(root().join("docs/src")).unwrap();
    let mut chapters: Vec<_> = chapters
        .map(|entry| Path::new("docs/src").join(entry.unwrap().file_name()))
        .collect();
    chapters.sort();
    assert!(chapters.len() > 20, "{chapters:?}");
    [PathBuf::from("README.md")]
        .into_iter()
        .chain(chapters)
        .collect()
}

fn read(page: &Path) -> String {
    fs::read_to_string(root().join(page)).unwrap()
}

/// The name of a page without its folder and its end.
fn stem(page: &Path) -> String {
    page.file_stem().unwrap().to_string_lossy().to_lowercase()
}

/// Pages name models by their path in the repository.
fn copy_models(folder: &Folder, below: &str) {
    for (name, path) in models() {
        let to = folder.path(below).join("models").join(name);
        fs::create_dir_all(&to).unwrap();
        fs::copy(path, to.join("model.toml")).unwrap();
    }
}
