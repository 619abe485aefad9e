//! `bellcrank formulations`: what each formulation of each model comes to, and what `auto` keeps.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::report::Reporter;
use super::{Model, ScalarName, child, data};
use crate::candidate::{Figures, by_model};
use crate::description::Formulation;
use crate::diagnostics::{Code, Diagnostic, Diagnostics, Path as Element};
use crate::door::stem;

/// Arguments of `formulations`.
#[derive(Clone, Debug, Args)]
pub(super) struct Formulations {
    /// Descriptions, .toml or .json files; all `models/*/model.toml` if absent.
    #[arg(value_name = "MODEL")]
    models: Vec<PathBuf>,
    /// Print JSON instead of Markdown.
    #[arg(long)]
    json: bool,
}

/// One model in JSON.
#[derive(Serialize)]
struct Entry<'e> {
    model: &'e str,
    candidates: &'e [Figures],
}

/// Prints the table.
pub(super) fn formulations(
    arguments: &Formulations,
    reporter: &mut Reporter,
) -> Result<(), Diagnostics> {
    let models = match arguments.models.is_empty() {
        true => gallery()?,
        false => arguments.models.clone(),
    };
    let mut found = Vec::new();
    for (index, path) in models.iter().enumerate() {
        let name = stem(path);
        reporter.progress(&format!("{name} ({} of {})", index + 1, models.len()));
        let model = Model {
            path: path.clone(),
            scalar: ScalarName::F64,
            formulation: Some(Formulation::Auto),
        };
        found.push((name, child::output(&model, reporter)?.candidates));
    }
    match arguments.json {
        true => data(&json(&found)),
        false => data(&by_model(&found)),
    }
}

fn json(found: &[(String, Vec<Figures>)]) -> String {
    let entry = |(model, candidates): &'_ (String, Vec<Figures>)| {
        serde_json::to_value(Entry { model, candidates }).unwrap_or_default()
    };
    let entries: Vec<_> = found.iter().map(entry).collect();
    format!("{:#}\n", serde_json::Value::Array(entries))
}

/// The models of the folder `models`, by name.
fn gallery() -> Result<Vec<PathBuf>, Diagnostics> {
    let folders = fs::read_dir("models").into_iter().flatten().flatten();
    let files = folders.map(|folder| Path::new("models").join(folder.file_name()));
    let files = files.map(|folder| folder.join("model.toml"));
    let mut files: Vec<PathBuf> = files.filter(|file| file.is_file()).collect();
    files.sort();
    match files.is_empty() {
        false => Ok(files),
        true => {
            let message = "there is no `models/*/model.toml` here";
            let error = Diagnostic::error(Code::C605, &Element::root(), message);
            Err(error.hint("name the descriptions").into())
        }
    }
}
