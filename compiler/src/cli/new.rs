//! `bellcrank new`: a free-standing crate with a mechanism to start from.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;

use super::{data, unwritten};
use crate::diagnostics::{Code, Diagnostic, Diagnostics, Path as Element, nearest};

/// Arguments of `new`.
#[derive(Clone, Debug, Args)]
pub(super) struct New {
    /// Name of the crate and of its folder, which must not exist yet.
    name: PathBuf,
    /// The mechanism to start from.
    #[arg(long, default_value = "four_bar")]
    from: String,
    /// A checkout of Bellcrank to depend on, instead of the published version.
    #[arg(long, value_name = "DIR")]
    path: Option<PathBuf>,
}

/// A mechanism to start from: its name, the name of its type, its description.
const GALLERY: &[(&str, &str, &str)] = &[(
    "four_bar",
    "FourBar",
    include_str!("../../templates/four_bar.toml"),
)];

const MANIFEST: &str = include_str!("../../templates/manifest.toml");
const MAIN: &str = include_str!("../../templates/main.txt");
const README: &str = include_str!("../../templates/readme.md");
const CONFIG: &str = include_str!("../../templates/config.toml");

/// To be removed with the first release.
const UNPUBLISHED: &str = "the crate asks for the published `bellcrank`, which there is none of yet: \
    until then add `--path DIR` with a checkout of Bellcrank";

/// Writes the crate.
pub(super) fn new(new: &New) -> Result<(), Diagnostics> {
    let name = crate_name(&new.name)?;
    let (_, kind, model) = gallery(&new.from)?;
    new.path.as_deref().map_or(Ok(()), checkout)?;
    let manifest = MANIFEST
        .replace("{name}", name)
        .replace("{dependency}", &dependency(new.path.as_deref()));
    let files = [
        ("Cargo.toml", manifest),
        (".cargo/config.toml", CONFIG.to_owned()),
        (".gitignore", "/target\n".to_owned()),
        ("model.toml", (*model).to_owned()),
        ("src/main.rs", MAIN.replace("{type}", kind)),
        ("README.md", README.replace("{name}", name)),
    ];
    write(&new.name, &files)?;
    if new.path.is_none() {
        say_line!("{UNPUBLISHED}");
    }
    let folder = new.name.display();
    data(&format!(
        "{folder} is ready: cd {folder} && cargo run --release\n"
    ))
}

/// Creating the folder fails if there is one, so nothing is ever overwritten.
fn write(folder: &Path, files: &[(&str, String)]) -> Result<(), Diagnostics> {
    fs::create_dir(folder).map_err(|why| unwritten(folder, &why))?;
    files
        .iter()
        .try_for_each(|(name, text)| write_file(&folder.join(name), text))
        // A crate that is not whole would be in the way of the next attempt.
        .inspect_err(|_| drop(fs::remove_dir_all(folder)))
}

fn write_file(path: &Path, text: &str) -> Result<(), Diagnostics> {
    let parent = path.parent().unwrap_or(path);
    fs::create_dir_all(parent).map_err(|why| unwritten(parent, &why))?;
    super::write(path, text)
}

fn crate_name(path: &Path) -> Result<&str, Diagnostics> {
    let name = path
        .file_name()
        .and_then(|name| name.to_str())
        .unwrap_or_default();
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.chars().all(fits) {
        return Ok(name);
    }
    let message = format!("`{}` is no name for a crate", path.display());
    let hint = "a letter, then letters, digits, `-` and `_`";
    Err(Diagnostic::error(Code::C605, &Element::root(), message)
        .hint(hint)
        .into())
}

fn gallery(from: &str) -> Result<&'static (&'static str, &'static str, &'static str), Diagnostics> {
    let names = || GALLERY.iter().map(|(name, ..)| *name);
    if let Some(entry) = GALLERY.iter().find(|(name, ..)| *name == from) {
        return Ok(entry);
    }
    let message = format!("there is no `{from}` to start from");
    let hint = match nearest(from, names()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there is {}", names().collect::<Vec<_>>().join(", ")),
    };
    Err(Diagnostic::error(Code::C605, &Element::root(), message)
        .hint(hint)
        .into())
}

/// Refuses a folder that the crate could not depend on.
fn checkout(path: &Path) -> Result<(), Diagnostics> {
    if path.join("runtime/Cargo.toml").is_file() {
        return Ok(());
    }
    let message = format!(
        "`{}` is no checkout of Bellcrank: it has no `runtime/Cargo.toml`",
        path.display()
    );
    let hint = "`--path` names the folder that has Bellcrank's README.md";
    Err(Diagnostic::error(Code::C605, &Element::root(), message)
        .hint(hint)
        .into())
}

fn dependency(checkout: Option<&Path>) -> String {
    let Some(checkout) = checkout else {
        let mut parts = env!("CARGO_PKG_VERSION").split('.');
        let (major, minor) = (parts.next().unwrap_or("0"), parts.next().unwrap_or("0"));
        return format!("\"{major}.{minor}\"");
    };
    let runtime = checkout.join("runtime");
    let runtime = std::path::absolute(&runtime).unwrap_or(runtime);
    let path = toml::Value::from(runtime.to_string_lossy().into_owned());
    format!("{{ path = {path} }}")
}
