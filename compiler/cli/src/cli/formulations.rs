//! `bellcrank formulations`: the size and cost of each model in each formulation, and the choice of `auto`.

use std::fs;
use std::path::{Path, PathBuf};

use clap::{Args, value_parser};
use serde::Serialize;

use super::report::Reporter;
use super::{ModelArguments, ScalarName, child, data};
use crate::description::Formulation;
use crate::diagnostics::{Code, Diagnostic, Diagnostics, Path as Element};
use crate::front_end::stem;
use crate::options::{Lanes, Purpose};
use crate::search::{CandidateFigures, by_model};

mod chains;

/// Arguments of `formulations`.
#[derive(Clone, Debug, Args)]
pub(super) struct Formulations {
    /// Descriptions, .toml or .json files; if absent, all `models/*/model.toml`
    #[arg(value_name = "MODEL")]
    models: Vec<PathBuf>,
    /// Print chains of bodies instead of models, to show how operations grow
    #[arg(long, conflicts_with = "models")]
    chains: bool,
    /// Numbers of bodies in the chains [default: 1,2,5,10,20,50,100]
    #[arg(
        long,
        value_name = "N",
        value_delimiter = ',',
        requires = "chains",
        value_parser = value_parser!(u16).range(1..)
    )]
    bodies: Vec<u16>,
    /// Print JSON instead of Markdown.
    #[arg(long)]
    json: bool,
}

/// One model in JSON.
#[derive(Serialize)]
struct ModelRecord<'e> {
    model: &'e str,
    candidates: &'e [CandidateFigures],
}

/// Prints the table.
pub(super) fn formulations(
    arguments: &Formulations,
    reporter: &mut Reporter,
) -> Result<(), Diagnostics> {
    if arguments.chains {
        return chains::chains(arguments, reporter);
    }
    let models = match arguments.models.is_empty() {
        true => gallery()?,
        false => arguments.models.clone(),
    };
    let mut found = Vec::new();
    for (index, path) in models.iter().enumerate() {
        let name = stem(path);
        reporter.progress(&format!("{name} ({} of {})", index + 1, models.len()));
        found.push((name, candidates(path, reporter)?));
    }
    match arguments.json {
        true => data(&json(&found)),
        false => data(&by_model(&found)),
    }
}

/// In the order in which `auto` lowers them.
const ALL: [Formulation; 4] = [
    Formulation::Multiplier,
    Formulation::Momentum,
    Formulation::Joint,
    Formulation::Body,
];

/// All formulations of a description: those that `auto` compares, and separately those that it leaves out.
fn candidates(path: &Path, reporter: &mut Reporter) -> Result<Vec<CandidateFigures>, Diagnostics> {
    let compared = lowered(path, Formulation::Auto, reporter)?;
    // Absolute coordinates are always available, and are the first to be left out.
    if has(&compared, Formulation::Body) {
        return Ok(compared);
    }
    let mut all = Vec::new();
    for formulation in ALL {
        match has(&compared, formulation) {
            true => {
                let own = |one: &&CandidateFigures| one.formulation == formulation.word();
                all.extend(compared.iter().filter(own).cloned());
            }
            false => all.extend(alone(path, formulation, reporter)),
        }
    }
    Ok(all)
}

fn has(figures: &[CandidateFigures], formulation: Formulation) -> bool {
    let mut figures = figures.iter();
    figures.any(|one| one.formulation == formulation.word())
}

/// The figures of a formulation that is requested by name; empty if it is not available.
fn alone(path: &Path, formulation: Formulation, reporter: &mut Reporter) -> Vec<CandidateFigures> {
    let figures = lowered(path, formulation, reporter).unwrap_or_default();
    let unkept = |one: CandidateFigures| CandidateFigures { kept: false, ..one };
    figures.into_iter().map(unkept).collect()
}

fn lowered(
    path: &Path,
    formulation: Formulation,
    reporter: &mut Reporter,
) -> Result<Vec<CandidateFigures>, Diagnostics> {
    let model = ModelArguments {
        path: path.to_owned(),
        scalar: ScalarName::F64,
        lanes: Lanes::One,
        formulation: Some(formulation),
        methods: Vec::new(),
        purpose: Purpose::Motion,
    };
    Ok(child::output(&model, reporter)?.candidates)
}

fn json(found: &[(String, Vec<CandidateFigures>)]) -> String {
    let entry = |(model, candidates): &'_ (String, Vec<CandidateFigures>)| {
        serde_json::to_value(ModelRecord { model, candidates }).unwrap_or_default()
    };
    let entries: Vec<_> = found.iter().map(entry).collect();
    format!("{:#}\n", serde_json::Value::Array(entries))
}

/// The models of the folder `models`, by name.
pub(super) fn gallery() -> Result<Vec<PathBuf>, Diagnostics> {
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
