//! The verdict on a model: a line of the table, and the bounds that are exceeded.

use serde::Serialize;

use super::judge::{distance, drift};
use super::{Exhibit, ModelRole, Performance, kept};
use crate::diagnostics::{Code, Diagnostic, Diagnostics, Path};
use crate::front_end::Size;

/// A model in the table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct GalleryRow {
    pub(super) model: String,
    #[serde(flatten)]
    pub(super) size: Size,
    pub(super) formulation: String,
    /// All comparisons that `check.toml` asks for.
    pub(super) findings: Vec<GalleryFinding>,
    pub(super) energy_drift: f64,
    pub(super) nanoseconds_per_step: f64,
    pub(super) real_time_factor: f64,
}

/// One comparison.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct GalleryFinding {
    pub(super) kind: ReferenceKind,
    /// The formulation of the run.
    pub(super) formulation: String,
    /// The output that was compared.
    pub(super) what: String,
    /// The deviation; `None` if the comparison was not possible.
    pub(super) off: Option<f64>,
    pub(super) bound: f64,
    /// Reason why the comparison was not possible.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) why: Option<String>,
}

/// The quantity with which a run is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum ReferenceKind {
    /// The reference.
    Reference,
    /// A second run by other methods.
    Twin,
    /// The energy at the start and the work since.
    Energy,
    /// Its value at the start.
    Constant,
}

/// Compares all that `check.toml` asks for. The first run is the model's own.
pub(super) fn entry(exhibit: &Exhibit, performances: &[Performance]) -> GalleryRow {
    let own = &performances[0];
    let findings = performances.iter().flat_map(|run| match run.role {
        ModelRole::Own | ModelRole::Body => {
            [followed(exhibit, run), conserved(exhibit, run)].concat()
        }
        ModelRole::Twin => twins(exhibit, own, run),
    });
    GalleryRow {
        model: exhibit.name.clone(),
        size: own.output.size,
        formulation: kept(&own.output).to_owned(),
        findings: findings.collect(),
        energy_drift: own.summary.energy_drift,
        nanoseconds_per_step: 1e9 * own.summary.step(),
        real_time_factor: own.summary.real_time(),
    }
}

/// Comparisons of outputs with the reference.
fn followed(exhibit: &Exhibit, run: &Performance) -> Vec<GalleryFinding> {
    let Some(reference) = &exhibit.reference else {
        return Vec::new();
    };
    let columns = exhibit.check.columns.iter().map(|(output, column)| {
        let name = column.reference.as_ref().unwrap_or(output);
        let (run_of, reference_of) = ((&run.record, output.as_str()), (reference, name.as_str()));
        let until = exhibit.check.until.unwrap_or(f64::INFINITY);
        let off = distance(run_of, reference_of, until);
        GalleryFinding::new(ReferenceKind::Reference, run, output, off, column.bound)
    });
    columns.collect()
}

/// Comparisons of the energy, and of outputs that stay constant.
fn conserved(exhibit: &Exhibit, run: &Performance) -> Vec<GalleryFinding> {
    let energy = exhibit.check.energy.iter().map(|energy| {
        let off = Ok(run.summary.energy_drift);
        GalleryFinding::new(ReferenceKind::Energy, run, "energy", off, energy.bound)
    });
    let outputs = exhibit.check.outputs.iter().map(|(output, bound)| {
        let off = drift(&run.record, output);
        GalleryFinding::new(ReferenceKind::Constant, run, output, off, bound.bound)
    });
    energy.chain(outputs).collect()
}

/// Comparisons of every output of both runs.
fn twins(exhibit: &Exhibit, own: &Performance, twin: &Performance) -> Vec<GalleryFinding> {
    let Some(check) = &exhibit.check.twin else {
        return Vec::new();
    };
    let outputs = own.output.outputs.iter().map(|output| {
        let (first, second) = (
            (&own.record, output.as_str()),
            (&twin.record, output.as_str()),
        );
        let off = distance(first, second, f64::INFINITY);
        GalleryFinding::new(ReferenceKind::Twin, twin, output, off, check.bound)
    });
    outputs.collect()
}

impl GalleryFinding {
    fn new(
        kind: ReferenceKind,
        run: &Performance,
        what: &str,
        off: Result<f64, String>,
        bound: f64,
    ) -> Self {
        let (off, why) = match off {
            Ok(off) => (Some(off), None),
            Err(why) => (None, Some(why)),
        };
        Self {
            kind,
            formulation: kept(&run.output).to_owned(),
            what: what.to_owned(),
            off,
            bound,
            why,
        }
    }

    /// NaN does not satisfy a bound.
    pub(super) fn holds(&self) -> bool {
        self.off.is_some_and(|off| off <= self.bound)
    }

    /// The deviation as a share of its bound.
    pub(super) fn share(&self) -> f64 {
        self.off.map_or(f64::INFINITY, |off| off / self.bound)
    }
}

impl GalleryRow {
    /// C606 for each bound that is exceeded, and for a model without checks.
    pub(super) fn misses(&self) -> Diagnostics {
        let mut list = Diagnostics::new();
        if self.findings.is_empty() {
            let message = format!("{}: nothing is checked", self.model);
            let hint = "write a `check.toml` beside it: a reference, a twin, what stays";
            list.push(Diagnostic::error(Code::C606, &Path::root(), message).hint(hint));
        }
        for finding in self.findings.iter().filter(|one| !one.holds()) {
            let message = format!("{}: {finding}", self.model);
            list.push(Diagnostic::error(Code::C606, &Path::root(), message));
        }
        list
    }
}

impl std::fmt::Display for GalleryFinding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            what, formulation, ..
        } = self;
        match (self.off, &self.why) {
            (Some(off), _) => {
                let from = match self.kind {
                    ReferenceKind::Reference => "its reference",
                    ReferenceKind::Twin => "its twin",
                    ReferenceKind::Energy => "the work that was done",
                    ReferenceKind::Constant => "its start",
                };
                let bound = self.bound;
                write!(
                    f,
                    "`{what}` is {off:.1e} from {from} in `{formulation}`, its bound is {bound:.1e}"
                )
            }
            (None, why) => {
                let why = why.as_deref().unwrap_or_default();
                write!(f, "`{what}` cannot be compared in `{formulation}`: {why}")
            }
        }
    }
}
