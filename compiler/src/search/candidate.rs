//! One formulation with its cuts, down to its kernel.

use super::cost::{Methods, work};
use super::figures::CandidateFigures;
use super::rewrite::LoweredFunctions;
use crate::Options;
use crate::assembly::Assembly;
use crate::formulation::System;
use crate::kernel::{self, Kernel, Name};
use crate::model::Model;
use crate::options::extras;
use crate::symbolic::Equations;
use crate::topology::Topology;

/// A formulation down to its start.
#[derive(Clone)]
pub struct Assembled {
    /// The equations.
    pub system: System,
    /// Their derivatives.
    pub equations: Equations,
    /// The start.
    pub assembly: Assembly,
}

/// One formulation down to its kernel.
pub struct Candidate {
    /// Its name: `body`, `particle/multiplier`.
    pub formulation: &'static str,
    /// The tree and the cuts that its points follow.
    pub topology: Topology,
    /// Equations and start.
    pub assembled: Assembled,
    /// The functions of the generated code.
    pub kernel: Kernel,
    /// The methods with which the operations of a step are counted.
    pub methods: Methods,
}

impl Candidate {
    /// Lowers the equations.
    pub fn lower(
        formulation: &'static str,
        model: &Model,
        topology: Topology,
        mut assembled: Assembled,
        options: &Options,
    ) -> Self {
        let Assembled {
            equations,
            assembly,
            ..
        } = &mut assembled;
        // If constraint equations are redundant, the multipliers are those with the smallest reactions.
        if !options.purpose.is_whole() && assembly.redundant.is_empty() {
            equations.reactions.clear();
        }
        Self {
            formulation,
            topology,
            kernel: kernel::lower(
                equations,
                assembly,
                settings(model, options, LoweredFunctions::Whole),
                options,
            ),
            methods: Methods::of(model, options),
            assembled,
        }
    }

    /// Weighted operations of a step.
    pub fn cost(&self) -> usize {
        self.methods.cost(&self.kernel)
    }

    /// Figures of the candidate.
    pub fn figures(&self, model: &Model) -> CandidateFigures {
        let name = |id: &crate::model::JointId| model.joints[id.0 as usize].name.clone();
        let cuts = match self.formulation {
            "body" | "discrete" => Vec::new(),
            _ => self.topology.cuts.iter().map(name).collect(),
        };
        CandidateFigures {
            formulation: self.formulation.to_owned(),
            cuts,
            coordinates: self.kernel.sizes.coordinates,
            velocities: self.kernel.sizes.velocities,
            rows: self.kernel.sizes.constraints,
            solve: self.kernel.solve,
            acceleration: work(&self.kernel, Name::Accelerate),
            step: self.cost(),
            kept: false,
        }
    }
}

/// Values that the caller may set, and functions that the methods need.
pub fn settings(
    model: &Model,
    options: &Options,
    scope: LoweredFunctions,
) -> kernel::LoweringSettings {
    kernel::LoweringSettings {
        parameters: model.parameters.len(),
        inputs: model.inputs.len(),
        variables: model.variables.len(),
        extras: match scope {
            LoweredFunctions::EveryMethod => Vec::new(),
            LoweredFunctions::Whole => extras(model, options),
        },
    }
}
