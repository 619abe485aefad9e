//! The sources of the runtime that this program carries, as a crate in the cache. A program from a registry carries
//! none: the registry has the runtime of the same version.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use toml::{Table, Value};

use crate::cache::ContentKey;
use crate::output_file::write_checked;

/// Name and text of each file; `Cargo.toml` and `workspace.toml` are the manifests as they stand in
/// the repository.
const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/runtime_sources.rs"));

/// The versions that this program was built and tested with; empty if it carries no runtime.
pub(super) const LOCK: &str = include_str!(concat!(env!("OUT_DIR"), "/runtime.lock"));

/// The line of `Cargo.toml` that depends on the runtime with a feature.
pub(super) fn dependency(root: &Path, feature: &str) -> String {
    let features = format!("default-features = false, features = [\"{feature}\"]");
    if FILES.is_empty() {
        let version = env!("CARGO_PKG_VERSION");
        return format!("bellcrank = {{ version = \"={version}\", {features} }}");
    }
    let path = Value::from(folder(root).to_string_lossy().into_owned());
    format!("bellcrank = {{ path = {path}, {features} }}")
}

/// Makes the cache contain the sources of the runtime exactly as this program carries them. Call it before every
/// build: a changed file would otherwise be built in silently.
pub(super) fn restore(root: &Path) -> io::Result<()> {
    if FILES.is_empty() {
        return Ok(());
    }
    let folder = folder(root);
    let manifest = standalone(file("Cargo.toml"), file("workspace.toml"));
    let manifest = manifest.map_err(io::Error::other)?;
    let sources = FILES.iter().filter(|(name, _)| name.starts_with("src/"));
    let mut files: BTreeMap<PathBuf, &str> = sources
        .map(|(name, text)| (folder.join(name), *text))
        .collect();
    files.insert(folder.join("Cargo.toml"), &manifest);
    for path in below(&folder) {
        if !files.contains_key(&path) && path != folder.join("Cargo.lock") {
            fs::remove_file(&path)?;
        }
    }
    for (path, text) in &files {
        let is_whole = fs::read(path).is_ok_and(|found| found == text.as_bytes());
        if !is_whole {
            write_checked(path, text.as_bytes())?;
        }
    }
    Ok(())
}

fn folder(root: &Path) -> PathBuf {
    root.join("runtime").join(key().to_string())
}

/// All files below a folder.
fn below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let within = entries.flat_map(|entry| match entry.file_type() {
        Ok(kind) if kind.is_dir() => below(&entry.path()),
        _ => vec![entry.path()],
    });
    within.collect()
}

fn key() -> ContentKey {
    let parts: Vec<_> = FILES
        .iter()
        .flat_map(|(name, text)| [*name, *text])
        .collect();
    ContentKey::of(&parts)
}

fn file(name: &str) -> &'static str {
    let file = FILES.iter().find(|(other, _)| *other == name);
    file.map_or("", |(_, text)| text)
}

/// A manifest that needs no workspace and no macros, which would bring in the compiler.
fn standalone(manifest: &str, workspace: &str) -> Result<String, toml::de::Error> {
    let mut manifest: Table = toml::from_str(manifest)?;
    let workspace: Table = toml::from_str(workspace)?;
    let shared = |name: &str| workspace.get("workspace").and_then(|w| w.get(name));
    for key in ["lints", "dev-dependencies"] {
        manifest.remove(key);
    }
    if let Some(package) = table(&mut manifest, "package") {
        inherit(package, shared("package"));
    }
    if let Some(dependencies) = table(&mut manifest, "dependencies") {
        dependencies.remove("bellcrank-macros");
        inherit(dependencies, shared("dependencies"));
    }
    if let Some(features) = table(&mut manifest, "features") {
        features.insert("macros".to_owned(), Value::Array(Vec::new()));
        features.remove("default");
    }
    manifest.insert("workspace".to_owned(), Table::new().into());
    Ok(manifest.to_string())
}

fn table<'t>(parent: &'t mut Table, name: &str) -> Option<&'t mut Table> {
    parent.get_mut(name).and_then(Value::as_table_mut)
}

/// Replaces `x.workspace = true` by the entry of the workspace, with the added keys.
fn inherit(entries: &mut Table, shared: Option<&Value>) {
    for (name, entry) in entries.iter_mut() {
        let Some(own) = entry.as_table().filter(|own| own.contains_key("workspace")) else {
            continue;
        };
        let Some(value) = shared.and_then(|shared| shared.get(name)) else {
            continue;
        };
        *entry = merged(own, value);
    }
}

fn merged(own: &Table, shared: &Value) -> Value {
    let more: Table = own
        .clone()
        .into_iter()
        .filter(|(key, _)| key != "workspace")
        .collect();
    if more.is_empty() {
        return shared.clone();
    }
    let mut all = match shared {
        Value::Table(table) => table.clone(),
        version => Table::from_iter([("version".to_owned(), version.clone())]),
    };
    for (key, value) in more {
        match (all.get_mut(&key), value) {
            (Some(Value::Array(list)), Value::Array(added)) => list.extend(added),
            (_, value) => drop(all.insert(key, value)),
        }
    }
    Value::Table(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_stands_without_its_workspace() {
        let manifest = "[package]\nname = \"a\"\nversion.workspace = true\n\
             [dependencies]\nn = { workspace = true, features = [\"y\"] }\nm.workspace = true\n\
             bellcrank-macros = { workspace = true, optional = true }\n\
             [features]\ndefault = [\"macros\"]\nmacros = [\"dep:bellcrank-macros\"]\nstd = []\n\
             [lints]\nworkspace = true\n";
        let workspace = "[workspace.package]\nversion = \"1.2.3\"\n\
             [workspace.dependencies]\nn = { version = \"1\", features = [\"x\"] }\nm = \"2\"\n";
        let text = standalone(manifest, workspace).unwrap();
        let expect: Table = toml::from_str(
            "[package]\nname = \"a\"\nversion = \"1.2.3\"\n\
             [dependencies]\nn = { version = \"1\", features = [\"x\", \"y\"] }\nm = \"2\"\n\
             [features]\nmacros = []\nstd = []\n[workspace]\n",
        )
        .unwrap();
        assert_eq!(toml::from_str::<Table>(&text).unwrap(), expect);
    }

    #[test]
    fn the_carried_manifest_stands_alone() {
        let text = standalone(file("Cargo.toml"), file("workspace.toml")).unwrap();
        assert!(!text.contains("workspace = true"), "{text}");
        assert!(FILES.iter().any(|(name, _)| *name == "src/lib.rs"));
    }
}
