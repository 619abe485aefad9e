//! `bellcrank check`: what is wrong with descriptions, and what they come to.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value, json};

use super::report::Reporter;
use super::{Model, child, data};
use crate::diagnostics::Diagnostics;
use crate::door::{self, Output};

/// Arguments of `check`.
#[derive(Clone, Debug, Args)]
pub(super) struct Check {
    #[command(flatten)]
    model: Model,
    /// Further descriptions.
    #[arg(value_name = "MODEL")]
    more: Vec<PathBuf>,
    /// Print operation counts, and what the formulation was chosen from.
    #[arg(long)]
    operations: bool,
    /// Print a list in JSON with an object for each description, findings included.
    #[arg(long)]
    json: bool,
}

/// Checks every description, whatever became of those before it; fails if one of them has an error.
pub(super) fn check(check: &Check, reporter: &mut Reporter) -> Result<(), Diagnostics> {
    let paths = std::iter::once(&check.model.path).chain(&check.more);
    let mut list = Vec::new();
    let mut failed = false;
    for path in paths {
        let model = Model {
            path: path.clone(),
            ..check.model.clone()
        };
        reporter.source = None;
        let output = child::output(&model, reporter);
        failed |= output.is_err();
        match (check.json, &output) {
            (true, _) => list.push(entry(check, path, &output, reporter)),
            (false, Ok(output)) => {
                reporter.tell(&output.warnings);
                data(&text(check, output))?;
            }
            (false, Err(found)) => reporter.tell(found),
        }
    }
    if check.json {
        data(&format!("{:#}\n", Value::from(list)))?;
    }
    match failed {
        // All has been told.
        true => Err(Diagnostics::new()),
        false => Ok(()),
    }
}

fn text(check: &Check, output: &Output) -> String {
    match check.operations {
        true => format!("{}{}", output.summary, output.operations),
        false => output.summary.clone(),
    }
}

fn entry(
    check: &Check,
    path: &Path,
    output: &Result<Output, Diagnostics>,
    reporter: &Reporter,
) -> Value {
    let found = match output {
        Ok(output) => &output.warnings,
        Err(found) => found,
    };
    let mut entry = json!({
        "model": path.display().to_string(),
        "ok": output.is_ok(),
        "found": door::json::list(reporter.source.as_ref(), found),
    });
    if let Ok(output) = output {
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
