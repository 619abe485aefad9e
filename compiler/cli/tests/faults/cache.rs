//! Caches that are damaged, or that somebody else has filled.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use crate::bench::{Folder, alone, refused, shared_cache, stderr, stdout, succeeded};

fn below(folder: &Path, name: &str) -> BTreeSet<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let found = entries.flat_map(|entry| match entry.path() {
        path if path.is_dir() => below(&path, name),
        path if path.file_name().is_some_and(|file| file == name) => BTreeSet::from([path]),
        _ => BTreeSet::new(),
    });
    found.collect()
}

#[test]
fn damaged_modules_are_made_again() {
    let folder = Folder::new();
    let cache = folder.path("cache");
    let emit = || {
        let mut command = folder.command(&["emit", "four_bar.toml"]);
        succeeded(&command.env("BELLCRANK_CACHE", &cache).output().unwrap())
    };
    let rust = emit();
    let module = || {
        let mut modules = fs::read_dir(cache.join("modules")).unwrap().flatten();
        modules.next().unwrap().path()
    };
    let whole = fs::read(module()).unwrap();
    let wrong = String::from_utf8(whole.clone())
        .unwrap()
        .replace("FourBar", "FooBar");
    for damaged in [&whole[..whole.len() / 2], b"", wrong.as_bytes(), &[0; 4096]] {
        fs::write(module(), damaged).unwrap();
        assert_eq!(emit(), rust);
        assert_eq!(fs::read(module()).unwrap(), whole);
    }
}

#[test]
fn damaged_programs_and_edited_sources_are_made_again() {
    let _alone = alone();
    let folder = Folder::new();
    let arguments = ["run", "four_bar.toml", "--quiet", "--out=-", "--until=0.02"];
    let run = || succeeded(&folder.run(&arguments));
    // A program that no other test has: of another model.
    folder.write(
        "four_bar.toml",
        &crate::bench::FOUR_BAR.replace("FourBar", "Damaged"),
    );
    let programs = || below(&shared_cache().join("programs"), "program");
    for old in programs() {
        let main = fs::read_to_string(old.with_file_name("src").join("main.rs"));
        if main.is_ok_and(|main| main.contains("model::Damaged")) {
            fs::remove_dir_all(old.parent().unwrap()).unwrap();
        }
    }
    let before = programs();
    let rows = run();
    let programs = programs();
    let [program] = programs.difference(&before).collect::<Vec<_>>()[..] else {
        panic!("one program is new");
    };
    let whole = fs::read(program).unwrap();
    // Cut off, empty, and another program.
    for damaged in [&whole[..whole.len() / 2], b"", b"#!/bin/sh\necho planted\n"] {
        fs::write(program, damaged).unwrap();
        assert_eq!(run(), rows);
    }
    fs::set_permissions(program, fs::Permissions::from_mode(0o600)).unwrap();
    assert_eq!(run(), rows);
    // A step that is wrong by a factor, and a build script that nobody asked for.
    let edited = below(&shared_cache().join("runtime"), "rk4.rs");
    assert!(!edited.is_empty());
    for file in &edited {
        let text = fs::read_to_string(file).unwrap();
        fs::write(file, text.replace("0.5", "0.25")).unwrap();
        let root = file.ancestors().nth(3).unwrap();
        fs::write(root.join("build.rs"), "fn main() { panic!() }").unwrap();
    }
    fs::remove_file(program).unwrap();
    assert_eq!(run(), rows);
}

#[test]
fn a_folder_that_others_could_fill_is_refused() {
    let folder = Folder::new();
    let cache = folder.path("cache");
    fs::create_dir(&cache).unwrap();
    let with_cache = |arguments: &[&str]| {
        let mut command = folder.command(arguments);
        command.env("BELLCRANK_CACHE", &cache).output().unwrap()
    };
    let run = ["run", "four_bar.toml", "--quiet", "--out=-", "--until=0.02"];
    fs::set_permissions(&cache, fs::Permissions::from_mode(0o777)).unwrap();
    let output = with_cache(&run);
    let told = refused(&output);
    assert!(
        told.contains("error[C608]: other users may write to"),
        "{told}"
    );
    assert_eq!(stdout(&output), "");
    // What needs no program goes on without the cache, and says so.
    let output = with_cache(&["check", "four_bar.toml"]);
    succeeded(&output);
    assert!(
        stderr(&output).contains("warning[C608]"),
        "{}",
        stderr(&output)
    );
    assert_eq!(fs::read_dir(&cache).unwrap().count(), 0);
    // Another user made it. Only root can try that.
    fs::set_permissions(&cache, fs::Permissions::from_mode(0o700)).unwrap();
    let own = fs::metadata(&cache).unwrap().uid();
    if std::os::unix::fs::chown(&cache, Some(own + 12_345), None).is_ok() {
        let told = refused(&with_cache(&run));
        assert!(told.contains("belongs to user"), "{told}");
    }
}

#[test]
fn a_new_cache_is_private() {
    let folder = Folder::new();
    let cache = folder.path("deep/cache");
    let mut command = folder.command(&["check", "four_bar.toml"]);
    succeeded(&command.env("BELLCRANK_CACHE", &cache).output().unwrap());
    let mode = fs::metadata(&cache).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
}
