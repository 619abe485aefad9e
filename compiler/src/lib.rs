//! Bellcrank compiles a description of a mechanism into Rust that simulates exactly that mechanism.
//!
//! [`compile`] is the table of contents: one stage a line, each with its noun. A stage collects all that
//! it finds wrong and stops at its border. The pipeline does no IO and reads no environment, with the one
//! exception that `symbolic::session` states.

/// Where it starts and what is redundant.
pub mod assembly;
/// What was written. After this point the input is well formed and every key is known.
pub mod description;
/// What is wrong, with which element, why, and what to do next.
pub mod diagnostics;
/// Numbers out of expressions.
pub mod evaluate;
/// The one currency between the stages.
pub mod expr;
/// Which equations. After this point coordinates are fixed and ordered, and measures are gone.
pub mod formulation;
/// What the machine computes.
pub mod kernel;
/// What it means. After this point there are no names to look up and no units.
pub mod model;
/// What the caller may choose.
pub mod options;
/// What a door hands to the compiler.
pub mod source;
/// Their derivatives; the only folder that names Symbolica.
pub mod symbolic;
/// How it hangs together. After this point each joint is in the tree or cut.
pub mod topology;

use assembly::Assembly;
use diagnostics::Diagnostics;
use formulation::System;
use kernel::Kernel;
use model::Model;
pub use options::Options;
pub use source::Source;
use symbolic::Equations;
use topology::Topology;

/// Everything that the stages made of a description.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// What it means.
    pub model: Model,
    /// How it hangs together.
    pub topology: Topology,
    /// Which equations.
    pub system: System,
    /// Their derivatives.
    pub equations: Equations,
    /// Where it starts and what is redundant.
    pub assembly: Assembly,
    /// What the machine computes.
    pub kernel: Kernel,
    /// What is told and does not stop.
    pub warnings: Diagnostics,
}

/// All stages, from text to the kernel.
pub fn compile(source: &Source, options: &Options) -> Result<Compiled, Diagnostics> {
    let description = description::read(source)?;
    let (model, mut warnings) =
        model::resolve(&description, &source.type_name().unwrap_or_default())?;
    let topology = topology::analyze(&model)?;
    let system = formulation::formulate(&model);
    let equations = symbolic::derive(&system)?;
    let (assembly, redundant) = assembly::assemble(&model, &topology, &system, &equations)?;
    warnings.extend(redundant);
    let settings = kernel::Settings {
        parameters: model.parameters.len(),
        inputs: model.inputs.len(),
    };
    let kernel = kernel::lower(&equations, &assembly, settings, options);
    Ok(Compiled {
        model,
        topology,
        system,
        equations,
        assembly,
        kernel,
        warnings,
    })
}
