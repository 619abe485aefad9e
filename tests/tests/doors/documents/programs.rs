//! The Rust of README and book compiles.

use std::fs;

use super::markdown::blocks;
use super::{copy_models, pages, read, stem};
use crate::workbench::{Folder, model, root, succeeded};

/// A crate that is built as one: the files that the blocks of a page give.
struct Program {
    name: String,
    files: Vec<(&'static str, String)>,
}

#[test]
fn programs_of_the_readme_and_the_book_compile() {
    let folder = Folder::new("documents-programs");
    let programs: Vec<Program> = pages()
        .iter()
        .flat_map(|page| programs(&stem(page), &read(page)))
        .collect();
    assert!(programs.len() > 5, "{}", programs.len());
    let names: Vec<String> = programs
        .iter()
        .map(|program| format!("{:?}", program.name))
        .collect();
    folder.write("Cargo.toml", &workspace(&names));
    fs::copy(root().join("Cargo.lock"), folder.path("Cargo.lock")).unwrap();
    for program in &programs {
        program.write(&folder);
    }
    succeeded(&folder.cargo(&["build"]).output().unwrap());
}

/// The profile is that of `tests/crates`, so that what these tests have built is used again.
fn workspace(members: &[String]) -> String {
    let crates = fs::read_to_string(root().join("tests/crates/Cargo.toml")).unwrap();
    let (_, profile) = crates.split_once("[profile.dev]").unwrap();
    let members = members.join(", ");
    format!("[workspace]\nresolver = \"3\"\nmembers = [{members}]\n\n[profile.dev]{profile}")
}

/// A block is a program, unless its first line names its file: `// build.rs` begins a crate with a build script, and
/// `// src/main.rs` is the program of that crate. A block without the standard library is a library.
fn programs(page: &str, text: &str) -> Vec<Program> {
    let mut programs: Vec<Program> = Vec::new();
    for block in blocks(text) {
        if block.language != "rust" {
            continue;
        }
        let first = block.text.lines().next().unwrap_or_default();
        if first.starts_with("// src/main.rs") {
            let built = programs.last_mut().unwrap();
            built.files.push(("src/main.rs", block.text));
            continue;
        }
        let file = match first {
            "// build.rs" => "build.rs",
            "#![no_std]" => "src/lib.rs",
            _ => "src/main.rs",
        };
        programs.push(Program {
            name: format!("{page}-{}", programs.len()),
            files: vec![(file, block.text)],
        });
    }
    programs
}

impl Program {
    fn write(&self, folder: &Folder) {
        copy_models(folder, &self.name);
        fs::create_dir_all(folder.path(&self.name).join("src")).unwrap();
        let put = |file: &str, text: &str| folder.write(&format!("{}/{file}", self.name), text);
        put("Cargo.toml", &self.manifest());
        let is_alone = self.files.iter().all(|(file, _)| *file == "build.rs");
        if is_alone {
            put("src/lib.rs", "");
        }
        for (file, text) in &self.files {
            put(file, text);
            for module in modules(text) {
                put(&format!("src/{module}.rs"), &folder.emit(&model(module)));
            }
        }
    }

    fn manifest(&self) -> String {
        let path = |name: &str| root().join(name);
        let (features, runtime) = (path("tests/crates/features"), path("runtime"));
        let mut manifest = format!(
            "[package]\nname = {:?}\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n\n[dependencies]\n\
             e2e-features = {{ path = {features:?} }}\nbellcrank = {{ path = {runtime:?} }}\n",
            self.name
        );
        if self.files.iter().any(|(file, _)| *file == "build.rs") {
            let compiler = path("compiler");
            manifest += &format!(
                "\n[build-dependencies]\nbellcrank-compiler = {{ path = {compiler:?} }}\n"
            );
        }
        manifest
    }
}

/// Modules that `bellcrank emit` writes: `pub mod four_bar;`.
fn modules(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines();
    lines.filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'))
}
