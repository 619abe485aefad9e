//! The workbench of Bellcrank: the `bellcrank` command and the modules that only the command needs. It runs and sweeps
//! mechanisms, analyses and draws them, and writes descriptions of large ones.

/// The command line, which is the front end for people.
mod cli;

/// Descriptions of mechanisms that repeat one pattern.
pub mod generate;

/// Analyses without a simulation: assembly, kinematics, equilibrium, vibration.
mod analysis;

/// Simulation by interpreting the kernel, without building native code.
mod interpreted;

/// Pages and drawings of mechanisms, their motion and their curves.
mod picture;

// The modules of the compiler, under their own names.
use bellcrank_compiler::stages::{
    assembly, cache, columns, emit, evaluate, expr, joints, kernel, model, numeric, output_file,
    search, symbolic,
};
use bellcrank_compiler::{
    description, diagnostics, examine, examine_values, front_end, options, source,
};

pub use cli::main;

use diagnostics::Diagnostics;
use model::{Model, Simulation};
use source::Source;

/// The visible parts of a mechanism whose parameters have the given values, or their defaults.
fn scene(source: &Source, set: &[(String, f64)]) -> Result<picture::Scene, Diagnostics> {
    Ok(picture::Scene::new(&resolved(source)?, set))
}

/// The name of the generated type, and the settings of a run that the description gives.
fn simulation(source: &Source) -> Result<(String, Simulation), Diagnostics> {
    let model = resolved(source)?;
    Ok((emit::type_name(&model), model.simulation))
}

fn resolved(source: &Source) -> Result<Model, Diagnostics> {
    let description = description::read(source)?;
    let (model, _) = model::resolve(&description, &source.type_name().unwrap_or_default())?;
    Ok(model)
}
