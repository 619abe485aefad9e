//! mdBook makes the book.

use std::collections::BTreeSet;
use std::fs;

use mdbook_driver::MDBook;

use super::markdown::{anchors, targets};
use super::{pages, read, stem};
use crate::workbench::{Folder, root};

/// Every chapter is in the summary, becomes a page, and has there the headings that links name.
#[test]
fn the_book_is_built() {
    let folder = Folder::new("documents-book");
    let mut book = MDBook::load(root().join("docs")).unwrap();
    book.config.build.build_dir = folder.path("");
    book.build().unwrap();
    let summary = targets(&read("docs/src/SUMMARY.md".as_ref()));
    let summary: BTreeSet<String> = summary.into_iter().collect();
    for chapter in pages().iter().skip(1) {
        let name = chapter.file_name().unwrap().to_string_lossy().into_owned();
        if name == "SUMMARY.md" {
            continue;
        }
        assert!(summary.contains(&name), "{name} is not in the summary");
        let html = fs::read_to_string(folder.path(&format!("{}.html", stem(chapter)))).unwrap();
        for anchor in anchors(&read(chapter)) {
            assert!(
                html.contains(&format!("id=\"{anchor}\"")),
                "{name}#{anchor}"
            );
        }
    }
}
