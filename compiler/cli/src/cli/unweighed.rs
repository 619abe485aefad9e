//! Mechanisms with bodies without mass: the analyses that still work, and the errors of those that do not.

use std::fmt::Write as _;

use super::analysis::counted;
use super::report::Reporter;
use super::{ModelArguments, child};
use crate::analysis::assemble::assemble;
use crate::analysis::mechanism::Mechanism;
use crate::analysis::open::open;
use crate::description::Formulation;
use crate::diagnostics::{Code, Diagnostic, Diagnostics, Path, Severity};
use crate::options::Purpose;

/// True if masses are missing and there are no other errors.
pub(super) fn is_all(found: &Diagnostics) -> bool {
    found.iter().all(|one| one.code == Code::M232)
}

/// The answer of `check` without masses.
pub(super) struct Unweighed {
    /// Name of the mechanism.
    pub(super) name: String,
    /// Degrees of freedom.
    pub(super) freedoms: usize,
    /// Closed loops.
    pub(super) loops: usize,
    /// Redundant constraint equations.
    pub(super) redundant: usize,
    /// Warnings that masses are missing.
    pub(super) warnings: Diagnostics,
}

/// Whether the mechanism closes, its degrees of freedom and loops. Missing masses are a warning.
pub(super) fn check(
    model: &ModelArguments,
    missing: &Diagnostics,
    reporter: &mut Reporter,
) -> Result<Unweighed, Diagnostics> {
    let model = ModelArguments {
        formulation: Some(Formulation::Body),
        purpose: Purpose::Analysis,
        ..model.clone()
    };
    let output = child::compile(&model, reporter)?;
    let mechanism = Mechanism::new(&output, &[], &[])?;
    let assembled = assemble(&mechanism);
    let found = open(&mechanism, &assembled.open);
    found.finish(())?;
    let loops = mechanism.elements.joints.iter().filter(|joint| joint.cut);
    Ok(Unweighed {
        freedoms: assembled.freedoms,
        loops: loops.count(),
        redundant: assembled.redundant.len(),
        warnings: missing.iter().map(warning).collect(),
        name: output.name,
    })
}

impl Unweighed {
    /// For people.
    pub(super) fn text(&self) -> String {
        let lines = [
            counted(self.freedoms, "degree of freedom", "degrees of freedom"),
            counted(self.loops, "closed loop", "closed loops"),
            counted(
                self.redundant,
                "redundant constraint equation",
                "redundant constraint equations",
            ),
        ];
        let mut text = format!("{}\n", self.name);
        for line in lines {
            let _ = writeln!(text, "  {line}");
        }
        text
    }
}

/// M232 for an analysis that needs masses.
pub(super) fn refuse(mechanism: &Mechanism, what: &str) -> Result<(), Diagnostics> {
    let missing = mechanism
        .elements
        .bodies
        .iter()
        .filter(|body| !body.weighed);
    let errors = missing.map(|body| {
        let path = Path::new("bodies").key(&body.name);
        let message = format!("`{path}` has no mass or no inertia, which {what} needs");
        Diagnostic::error(Code::M232, &path, message)
            .label("mass or inertia is missing")
            .hint("give `mass` and `inertia`, or a `shape` with a `material`")
    });
    errors.collect::<Diagnostics>().finish(()).map(drop)
}

fn warning(error: &Diagnostic) -> Diagnostic {
    Diagnostic {
        severity: Severity::Warning,
        ..error.clone()
    }
}
