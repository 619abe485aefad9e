//! Mechanisms some of whose bodies have no mass: what can be said of them all the same, and what cannot.

use std::fmt::Write as _;

use super::analysis::counted;
use super::report::Reporter;
use super::{Model, child, data};
use crate::analysis::assemble::assemble;
use crate::analysis::mechanism::Mechanism;
use crate::analysis::open::open;
use crate::description::Formulation;
use crate::diagnostics::{Code, Diagnostic, Diagnostics, Path, Severity};
use crate::options::Purpose;

/// True if nothing but masses is missing.
pub(super) fn is_all(found: &Diagnostics) -> bool {
    found.iter().all(|one| one.code == Code::M232)
}

/// What `check` says without masses: whether it closes, freedoms and loops; that masses are missing is a warning.
pub(super) fn check(
    model: &Model,
    missing: &Diagnostics,
    reporter: &mut Reporter,
) -> Result<(), Diagnostics> {
    let model = Model {
        formulation: Some(Formulation::Body),
        purpose: Purpose::Analysis,
        ..model.clone()
    };
    let output = child::compile(&model, reporter)?;
    let mechanism = Mechanism::new(&output, &[], &[])?;
    let assembled = assemble(&mechanism);
    let found = open(&mechanism, &assembled.open);
    let loops = mechanism.anatomy.joints.iter().filter(|joint| joint.cut);
    let mut text = format!("{}\n", output.name);
    for line in [
        counted(
            assembled.freedoms,
            "degree of freedom",
            "degrees of freedom",
        ),
        counted(loops.count(), "closed loop", "closed loops"),
        counted(
            assembled.redundant.len(),
            "redundant constraint equation",
            "redundant constraint equations",
        ),
    ] {
        let _ = writeln!(text, "  {line}");
    }
    data(&text)?;
    let warnings: Diagnostics = missing.iter().map(warning).collect();
    reporter.tell(&warnings);
    found.finish(()).map(drop)
}

/// M232 for an analysis in which masses count.
pub(super) fn refuse(mechanism: &Mechanism, what: &str) -> Result<(), Diagnostics> {
    let missing = mechanism.anatomy.bodies.iter().filter(|body| !body.weighed);
    let told = missing.map(|body| {
        let path = Path::new("bodies").key(&body.name);
        let message = format!("`{path}` has no mass or no inertia, which {what} needs");
        Diagnostic::error(Code::M232, &path, message)
            .label("mass or inertia is missing")
            .hint("give `mass` and `inertia`, or a `shape` with a `material`")
    });
    told.collect::<Diagnostics>().finish(()).map(drop)
}

fn warning(error: &Diagnostic) -> Diagnostic {
    Diagnostic {
        severity: Severity::Warning,
        ..error.clone()
    }
}
