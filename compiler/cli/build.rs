//! Embeds the runtime's sources and the gallery's models, so that an installed `bellcrank run` and `bellcrank new`
//! need no source tree.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=../../Cargo.lock");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let lock = fs::read("../../Cargo.lock").unwrap_or_default();
    fs::write(out.join("runtime.lock"), lock)?;
    fs::write(out.join("runtime_sources.rs"), runtime_sources()?)?;
    fs::write(out.join("gallery.rs"), gallery()?)
}

/// A list of name and description for each model of the gallery; empty in a package from a registry.
fn gallery() -> io::Result<String> {
    let models = Path::new("../../models");
    let mut list = String::from("&[\n");
    if models.is_dir() {
        println!("cargo::rerun-if-changed=../../models");
        let mut folders = fs::read_dir(models)?
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<io::Result<Vec<_>>>()?;
        folders.sort();
        for folder in folders {
            let model = folder.join("model.toml");
            if let (Some(name), true) = (folder.file_name(), model.is_file()) {
                push(&mut list, &name.to_string_lossy(), &model)?;
            }
        }
    }
    list.push(']');
    Ok(list)
}

/// A list of name and text for each file of the runtime; empty in a package from a registry, where
/// the runtime of the same version is in the registry too.
fn runtime_sources() -> io::Result<String> {
    let runtime = Path::new("../../runtime");
    let mut list = String::from("&[\n");
    if runtime.join("src").is_dir() {
        println!("cargo::rerun-if-changed=../../runtime");
        println!("cargo::rerun-if-changed=../../Cargo.toml");
        for file in files(&runtime.join("src"))? {
            let name = file.strip_prefix(runtime).unwrap_or(&file);
            let name = name.to_string_lossy().replace('\\', "/");
            push(&mut list, &name, &file)?;
        }
        push(&mut list, "Cargo.toml", &runtime.join("Cargo.toml"))?;
        push(&mut list, "workspace.toml", Path::new("../../Cargo.toml"))?;
    }
    list.push(']');
    Ok(list)
}

fn push(list: &mut String, name: &str, file: &Path) -> io::Result<()> {
    let text = fs::read_to_string(file)?;
    writeln!(list, "    ({name:?}, {text:?}),").map_err(io::Error::other)
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
