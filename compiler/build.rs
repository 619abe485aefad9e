//! Stamps the compiler with a hash of its own sources, so that a changed compiler never serves what
//! another one cached.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::{fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    let stamp = hash(&[Path::new("src"), Path::new("../Cargo.lock")])?;
    println!("cargo::rustc-env=BELLCRANK_STAMP={stamp:016x}");
    Ok(())
}

/// A hash of the names and contents of all files below; what does not exist counts as empty.
fn hash(roots: &[&Path]) -> io::Result<u64> {
    let mut hasher = DefaultHasher::new();
    for root in roots.iter().filter(|root| root.exists()) {
        println!("cargo::rerun-if-changed={}", root.display());
        for file in files(root)? {
            file.hash(&mut hasher);
            fs::read(&file)?.hash(&mut hasher);
        }
    }
    Ok(hasher.finish())
}

/// All files below a folder, or the file itself, in the order of their names.
fn files(root: &Path) -> io::Result<Vec<PathBuf>> {
    if root.is_file() {
        return Ok(vec![root.to_owned()]);
    }
    let mut entries = fs::read_dir(root)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<io::Result<Vec<_>>>()?;
    entries.sort();
    let mut all = Vec::new();
    for entry in entries {
        all.extend(files(&entry)?);
    }
    Ok(all)
}
