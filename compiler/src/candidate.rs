//! The same mechanism in several formulations, and which one is kept.
//!
//! Absolute coordinates come first in every case: in them a consistent start is found and redundancy is
//! told in the words of the model. Other formulations take their start from there.

use crate::Options;
use crate::assembly::{self, Assembly};
use crate::description::Formulation;
use crate::diagnostics::{Code, Diagnostic, Diagnostics, Path};
use crate::formulation::{self, System};
use crate::kernel::{self, Kernel, Name};
use crate::model::Model;
use crate::symbolic::{self, Equations};
use crate::topology::Topology;

/// One formulation down to its kernel.
pub struct Candidate {
    /// Its name.
    pub formulation: &'static str,
    /// Why it was kept, for the header.
    pub notes: Vec<String>,
    /// Which equations.
    pub system: System,
    /// Their derivatives.
    pub equations: Equations,
    /// Where it starts.
    pub assembly: Assembly,
    /// What the machine computes.
    pub kernel: Kernel,
}

impl Candidate {
    /// Lowers the equations.
    pub fn new(
        formulation: &'static str,
        model: &Model,
        system: System,
        equations: Equations,
        assembly: Assembly,
        options: &Options,
    ) -> Self {
        let settings = kernel::Settings {
            parameters: model.parameters.len(),
            inputs: model.inputs.len(),
        };
        Self {
            formulation,
            notes: Vec::new(),
            kernel: kernel::lower(&equations, &assembly, settings, options),
            system,
            equations,
            assembly,
        }
    }

    /// Weighted operations of a step of RK4 with one correction of each kind.
    fn cost(&self) -> usize {
        let weight = |name: Name| match name {
            Name::Accelerate => 4,
            Name::Constraints | Name::VelocityConstraints => 2,
            Name::PositionCorrection | Name::VelocityCorrection => 1,
            _ => 0,
        };
        let functions = self.kernel.functions.iter();
        functions
            .map(|function| {
                weight(function.name) * kernel::counts(&function.instructions).weighted()
            })
            .sum()
    }
}

/// The formulation that the description asks for, or the cheaper one.
pub fn choose(
    body: Candidate,
    model: &Model,
    topology: &Topology,
    options: &Options,
) -> Result<Candidate, Diagnostics> {
    match model.formulation {
        Formulation::Body => Ok(body),
        Formulation::Particle => in_points(&body, model, topology, options)?.ok_or_else(|| {
            let path = Path::new("formulation");
            let message = "the points of this mechanism cannot be placed well";
            Diagnostic::error(Code::F402, &path, message)
                .hint("write `formulation = \"body\"`")
                .into()
        }),
        Formulation::Auto => {
            let points = in_points(&body, model, topology, options)?;
            Ok(match points {
                Some(points) if points.cost() < body.cost() => noted(points, &body),
                Some(points) => noted(body, &points),
                None => body,
            })
        }
    }
}

/// The equations of the formulation that the description asks for, as far as no algebra is needed to
/// know it: what `auto` keeps depends on operations that are not counted yet.
pub fn outline(model: &Model, topology: &Topology) -> System {
    let points = match model.formulation {
        Formulation::Particle => {
            formulation::particle(model, topology, formulation::Form::Multiplier)
        }
        Formulation::Body | Formulation::Auto => None,
    };
    points.unwrap_or_else(|| formulation::formulate(model))
}

fn noted(mut kept: Candidate, other: &Candidate) -> Candidate {
    kept.notes.push(format!(
        "`auto` kept `{}` with {} weighted operations a step; `{}` has {}.",
        kept.formulation,
        kept.cost(),
        other.formulation,
        other.cost()
    ));
    kept
}

fn in_points(
    body: &Candidate,
    model: &Model,
    topology: &Topology,
    options: &Options,
) -> Result<Option<Candidate>, Diagnostics> {
    let form = match std::env::var_os("BC_MOMENTUM").is_some() {
        true => formulation::Form::Momentum,
        false => formulation::Form::Multiplier,
    };
    let Some(system) = formulation::particle(model, topology, form) else {
        return Ok(None);
    };
    let equations = symbolic::derive(&system)?;
    let points = |posed: &Model| formulation::particle(posed, topology, form);
    let assembly = assembly::transfer(model, &body.assembly, &equations, points);
    Ok(assembly
        .map(|assembly| Candidate::new("particle", model, system, equations, assembly, options)))
}
