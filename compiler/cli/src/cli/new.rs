//! `bellcrank new`: a free-standing crate with a mechanism to start from.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;

use super::methods::{integrator_type, stabilizer_type};
use super::{ScalarName, data, unwritten};
use crate::description::Integrator;
use crate::diagnostics::{Code, Diagnostic, Diagnostics, Path as Element, meant};
use crate::source::Source;

/// Arguments of `new`.
#[derive(Clone, Debug, Args)]
pub(super) struct New {
    /// Name of the crate and of its folder, which must not exist yet.
    name: PathBuf,
    /// The mechanism to start from: a model of the gallery; if absent, a small four-bar
    #[arg(long, alias = "from", value_name = "NAME")]
    model: Option<String>,
    /// A checkout of Bellcrank to depend on, instead of the published version.
    #[arg(long, value_name = "DIR")]
    path: Option<PathBuf>,
}

/// The description of a new crate without `--model`.
const STARTER: &str = include_str!("../../templates/four_bar.toml");

/// Name and description of each model of the gallery.
const GALLERY: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/gallery.rs"));

const MANIFEST: &str = include_str!("../../templates/manifest.toml");
const MAIN: &str = include_str!("../../templates/main.txt");
const README: &str = include_str!("../../templates/readme.md");
const CONFIG: &str = include_str!("../../templates/config.toml");

/// To be removed with the first release.
const UNPUBLISHED: &str = "the crate does not build yet: it depends on the published `bellcrank`, and no version is \
    published. Write `--path DIR` with a checkout of Bellcrank";

/// Writes the crate.
pub(super) fn new(new: &New) -> Result<(), Diagnostics> {
    let name = crate_name(&new.name)?;
    let model = match &new.model {
        Some(wanted) => gallery(wanted)?,
        None => STARTER,
    };
    let main = main(model)?;
    new.path.as_deref().map_or(Ok(()), checkout)?;
    let manifest = MANIFEST
        .replace("{name}", name)
        .replace("{dependency}", &dependency(new.path.as_deref()));
    let files = [
        ("Cargo.toml", manifest),
        (".cargo/config.toml", CONFIG.to_owned()),
        (".gitignore", "/target\n".to_owned()),
        ("model.toml", model.to_owned()),
        ("src/main.rs", main),
        ("README.md", README.replace("{name}", name)),
    ];
    write(&new.name, &files)?;
    let folder = new.name.display();
    if new.path.is_none() {
        say_line!("{UNPUBLISHED}");
        return data(&format!("{folder} is written\n"));
    }
    data(&format!(
        "{folder} is ready: cd {folder} && cargo run --release\n"
    ))
}

/// Creating the folder fails if it exists, so nothing is ever overwritten.
fn write(folder: &Path, files: &[(&str, String)]) -> Result<(), Diagnostics> {
    fs::create_dir(folder).map_err(|why| unwritten(folder, &why))?;
    files
        .iter()
        .try_for_each(|(name, text)| write_file(&folder.join(name), text))
        // An incomplete crate would be in the way of the next attempt.
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

fn gallery(wanted: &str) -> Result<&'static str, Diagnostics> {
    let found = GALLERY.iter().find(|(name, _)| *name == wanted);
    if let Some((_, text)) = found {
        return Ok(text);
    }
    let names: Vec<&str> = GALLERY.iter().map(|(name, _)| *name).collect();
    let message = format!("the gallery has no model `{wanted}`");
    let hint = match names.is_empty() {
        true => "this command was built without the gallery: leave `--model` out".to_owned(),
        false => meant(wanted, &names),
    };
    Err(Diagnostic::error(Code::C605, &Element::root(), message)
        .hint(hint)
        .into())
}

/// The program with the type, the methods and the times of the description; it prints ten lines.
fn main(text: &str) -> Result<String, Diagnostics> {
    let source = Source::Toml {
        file: "model.toml".to_owned(),
        text: text.to_owned(),
    };
    let (kind, run) = crate::simulation(&source)?;
    let integrator = match run.integrator {
        Integrator::DormandPrince | Integrator::Bdf => run.tolerance,
        _ => run.step,
    };
    let integrator_type = integrator_type(run.integrator, ScalarName::F64);
    // The prelude exports all of them.
    let short = |name: &str| {
        let name = name.strip_prefix("bellcrank::").unwrap_or(name);
        name.strip_suffix("<f64>").unwrap_or(name).to_owned()
    };
    let every = (run.until / run.step / 10.0).round().max(1.0);
    Ok(MAIN
        .replace("{type}", &kind)
        .replace(
            "{integrator}",
            &format!("{}::new({integrator:e})", short(&integrator_type)),
        )
        .replace("{stabilizer}", &short(stabilizer_type(run.stabilizer)))
        .replace("{until}", &format!("{:?}", run.until))
        .replace("{every}", &every.to_string()))
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
