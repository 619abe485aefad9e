//! `bellcrank check`: reports errors in descriptions, and prints the size of mechanisms without errors.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value, json};

use super::report::Reporter;
use super::unweighed::{self, Unweighed};
use super::{ModelArguments, child, data};
use crate::diagnostics::Diagnostics;
use crate::front_end::{self, Output};

/// Arguments of `check`.
#[derive(Clone, Debug, Args)]
pub(super) struct CheckArguments {
    #[command(flatten)]
    model: ModelArguments,
    /// Further descriptions.
    #[arg(value_name = "MODEL")]
    more: Vec<PathBuf>,
    /// Print operation counts, and the formulations that were compared
    #[arg(long)]
    operations: bool,
    /// Print a JSON list with an object for each description, errors and warnings included
    #[arg(long)]
    json: bool,
}

/// Checks every description, whether or not those before it have errors; fails if one of them has an error.
pub(super) fn check(check: &CheckArguments, reporter: &mut Reporter) -> Result<(), Diagnostics> {
    let paths = std::iter::once(&check.model.path).chain(&check.more);
    let mut list = Vec::new();
    let mut failed = false;
    for path in paths {
        let model = ModelArguments {
            path: path.clone(),
            ..check.model.clone()
        };
        reporter.source = None;
        let checked = answer(&model, reporter);
        failed |= checked.is_err();
        match (check.json, &checked) {
            (true, _) => list.push(entry(check, path, &checked, reporter)),
            (false, Ok(checked)) => {
                reporter.tell(checked.warnings());
                data(&text(check, checked))?;
            }
            (false, Err(found)) => reporter.tell(found),
        }
    }
    if check.json {
        data(&format!("{:#}\n", Value::from(list)))?;
    }
    match failed {
        // All errors have been reported.
        true => Err(Diagnostics::new()),
        false => Ok(()),
    }
}

/// A description that compiles, or one that lacks nothing but masses.
enum Checked {
    Compiled(Box<Output>),
    Unweighed(Unweighed),
}

impl Checked {
    fn warnings(&self) -> &Diagnostics {
        match self {
            Self::Compiled(output) => &output.warnings,
            Self::Unweighed(unweighed) => &unweighed.warnings,
        }
    }
}

fn answer(model: &ModelArguments, reporter: &mut Reporter) -> Result<Checked, Diagnostics> {
    match child::output(model, reporter) {
        Ok(output) => Ok(Checked::Compiled(Box::new(output))),
        Err(found) if unweighed::is_all(&found) => {
            unweighed::check(model, &found, reporter).map(Checked::Unweighed)
        }
        Err(found) => Err(found),
    }
}

fn text(check: &CheckArguments, checked: &Checked) -> String {
    match checked {
        Checked::Unweighed(unweighed) => unweighed.text(),
        Checked::Compiled(output) if check.operations => {
            format!("{}{}", output.summary, output.operations)
        }
        Checked::Compiled(output) => output.summary.clone(),
    }
}

fn entry(
    check: &CheckArguments,
    path: &Path,
    checked: &Result<Checked, Diagnostics>,
    reporter: &Reporter,
) -> Value {
    let found = match checked {
        Ok(checked) => checked.warnings(),
        Err(found) => found,
    };
    let mut entry = json!({
        "model": path.display().to_string(),
        "ok": checked.is_ok(),
        "found": front_end::json::list(reporter.source.as_ref(), found),
    });
    if let Ok(Checked::Unweighed(unweighed)) = checked {
        entry["name"] = json!(unweighed.name);
        entry["degrees_of_freedom"] = json!(unweighed.freedoms);
        entry["redundant"] = json!(unweighed.redundant);
    }
    if let Ok(Checked::Compiled(output)) = checked {
        let kept = output.candidates.iter().find(|one| one.kept);
        entry["name"] = json!(output.name);
        entry["degrees_of_freedom"] = json!(output.size.freedoms);
        entry["loops"] = json!(output.loops);
        entry["redundant"] = json!(output.size.redundant);
        entry["bodies"] = json!(output.size.bodies);
        entry["joints"] = json!(output.size.joints);
        entry["formulation"] = json!(kept.map(|one| &one.formulation));
        if check.operations {
            entry["candidates"] = json!(output.candidates);
        }
    }
    entry
}
