//! Shared by the front ends: a compilation that looks into the cache first, and errors and warnings as plain text or
//! JSON. All front ends compile through this module, so the macro, the build helper and the command line give the
//! same bytes.

use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::cache::{self, ContentKey};
use crate::description::expression::Dimension;
use crate::diagnostics::Diagnostics;
use crate::formulation::{PointForm, print_points};
use crate::model::{JointId, is_pose};
use crate::options::{Options, Purpose};
use crate::search::CandidateFigures;
use crate::source::{self, Source};
use crate::{Compiled, emit, symbolic, topology};

mod elements;
mod interpretable;
pub mod json;
pub mod plain;
mod summary;

pub use elements::{CoordinatePart, JointPart, ModelElements, Role, RowPart};
pub use interpretable::Interpretable;

/// The parts of a compilation that a front end may need.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Output {
    /// The content key of input, options and compiler.
    pub key: ContentKey,
    /// Name of the generated type.
    pub name: String,
    /// The formatted module.
    pub rust: String,
    /// The warnings.
    #[serde(with = "json")]
    pub warnings: Diagnostics,
    /// Names of the parameters.
    pub parameters: Vec<String>,
    /// Names of the inputs.
    pub inputs: Vec<String>,
    /// Dimensions of parameters and inputs that were written with a unit.
    pub dimensions: Dimensions,
    /// Names of the outputs.
    pub outputs: Vec<String>,
    /// Names of the further outputs that give the positions of bodies, if they were requested.
    pub poses: Vec<String>,
    /// The formulations that were compared.
    pub candidates: Vec<CandidateFigures>,
    /// The size of the mechanism.
    pub size: Size,
    /// The step below which springs for joints are stable, if there are any.
    pub stable_below: Option<f64>,
    /// The text that `check` prints.
    pub summary: String,
    /// The text that `check --operations` adds.
    pub operations: String,
    /// The joints of each loop, the one that closes it first.
    pub loops: Vec<Vec<String>>,
    /// The texts that `emit --stage` prints; empty for a program.
    pub stages: PrintedStages,
    /// The data that `run --interpret` needs.
    pub interpretable: Interpretable,
    /// Names of the rows, coordinates and outputs, and their elements; empty unless it was compiled for analyses.
    pub elements: ModelElements,
}

/// Dimensions of parameters and inputs, in their order, if a unit gives them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "each is named after what it is about")]
pub struct Dimensions {
    pub parameters: Vec<Option<Dimension>>,
    pub inputs: Vec<Option<Dimension>>,
}

/// Parameters, or inputs.
#[derive(Clone, Copy, Debug)]
pub struct NamedValues<'o> {
    /// `parameter` or `input`.
    pub kind: &'static str,
    /// Their names.
    pub names: &'o [String],
    /// Their dimensions, where they are known.
    pub dimensions: &'o [Option<Dimension>],
}

/// The size of a mechanism.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Size {
    /// Moving bodies.
    pub bodies: usize,
    /// Joints.
    pub joints: usize,
    /// Loops that the joints close.
    pub loops: usize,
    /// Degrees of freedom at the start.
    pub freedoms: usize,
    /// Redundant constraint equations.
    pub redundant: usize,
}

/// Text forms of the results of the stages.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "each is named after its stage")]
pub struct PrintedStages {
    pub model: String,
    pub topology: String,
    pub equations: String,
    pub kernel: String,
}

/// Compiles, or returns the earlier result of the same input; then no algebra session starts.
pub fn compile_cached(source: &Source, options: &Options) -> Result<Output, Diagnostics> {
    let key = cache::key(source, options)?;
    if let Some(output) = cache::load(&key) {
        return Ok(output);
    }
    set_wait();
    let mut output = Output::new(key, crate::compile(source, options)?, options.purpose);
    cache::store(&output);
    output.warnings.extend(cache::refusal());
    Ok(output)
}

/// Reads a file of a crate. In messages it keeps the name by which the crate refers to it, so that every front end
/// and every machine gives the same bytes.
pub fn load(folder: &Path, path: &Path) -> Result<Source, Diagnostics> {
    let mut source = source::load(&folder.join(path))?;
    if let Source::Toml { file, .. } | Source::Json { file, .. } = &mut source {
        *file = path.display().to_string();
    }
    Ok(source)
}

/// The earlier result of the same input. A result for `Purpose::Motion` also serves a program.
pub fn cached(source: &Source, options: &Options) -> Result<Option<Output>, Diagnostics> {
    let found = cache::load(&cache::key(source, options)?);
    if found.is_some() || options.purpose != Purpose::Program {
        return Ok(found);
    }
    let for_motion = Options {
        purpose: Purpose::Motion,
        ..options.clone()
    };
    Ok(cache::load(&cache::key(source, &for_motion)?))
}

/// The name of the files made from a description: its stem, or the name of its folder if the file is called `model`.
pub fn stem(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default();
    let folder = path.parent().and_then(Path::file_name);
    let name = match folder {
        Some(folder) if stem == "model" => folder,
        _ => stem,
    };
    name.to_string_lossy().into_owned()
}

impl Output {
    fn new(key: ContentKey, compiled: Compiled, purpose: Purpose) -> Self {
        let model = &compiled.model;
        let outputs = model.outputs.iter().map(|o| o.name.clone());
        let (poses, outputs) = outputs.partition(|name| is_pose(name));
        Self {
            key,
            name: emit::type_name(model),
            parameters: model.parameters.iter().map(|p| p.name.clone()).collect(),
            inputs: model.inputs.iter().map(|i| i.name.clone()).collect(),
            dimensions: Dimensions {
                parameters: model.parameters.iter().map(|p| p.dimension).collect(),
                inputs: model.inputs.iter().map(|i| i.dimension).collect(),
            },
            outputs,
            poses,
            size: Size::of(&compiled),
            stable_below: compiled.stable_below,
            summary: summary::summary(&compiled),
            operations: summary::operations(&compiled),
            loops: loops(&compiled),
            stages: stages(&compiled, purpose),
            candidates: compiled.candidates.clone(),
            interpretable: Interpretable::new(&compiled),
            elements: elements(&compiled, purpose),
            rust: compiled.rust,
            warnings: compiled.warnings,
        }
    }
}

impl Output {
    /// The parameters.
    pub fn named_parameters(&self) -> NamedValues<'_> {
        NamedValues {
            kind: "parameter",
            names: &self.parameters,
            dimensions: &self.dimensions.parameters,
        }
    }

    /// The inputs.
    pub fn named_inputs(&self) -> NamedValues<'_> {
        NamedValues {
            kind: "input",
            names: &self.inputs,
            dimensions: &self.dimensions.inputs,
        }
    }
}

impl Size {
    fn of(compiled: &Compiled) -> Self {
        Self {
            bodies: compiled.model.bodies.len(),
            joints: compiled.model.joints.len(),
            loops: compiled.topology.loops.len(),
            freedoms: compiled.assembly.freedoms,
            redundant: compiled.assembly.redundant.len(),
        }
    }
}

impl PrintedStages {
    fn new(compiled: &Compiled) -> Self {
        Self {
            model: compiled.model.to_string(),
            topology: topology_and_points(compiled),
            equations: symbolic::print(&compiled.system, &compiled.equations),
            kernel: compiled.kernel.to_string(),
        }
    }
}

fn loops(compiled: &Compiled) -> Vec<Vec<String>> {
    let name = |id: &JointId| compiled.model.joints[id.0 as usize].name.clone();
    let names = |joints: &Vec<JointId>| joints.iter().map(name).collect();
    compiled.topology.loops.iter().map(names).collect()
}

fn elements(compiled: &Compiled, purpose: Purpose) -> ModelElements {
    match purpose {
        Purpose::Motion | Purpose::Program | Purpose::Pictures => ModelElements::default(),
        Purpose::Analysis => ModelElements::new(compiled),
    }
}

fn stages(compiled: &Compiled, purpose: Purpose) -> PrintedStages {
    match purpose.is_whole() {
        true => PrintedStages::new(compiled),
        false => PrintedStages::default(),
    }
}

/// The topology, and in formulations with points the chosen points.
fn topology_and_points(compiled: &Compiled) -> String {
    let (model, topology) = (&compiled.model, &compiled.topology);
    let form = PointForm::ALL
        .into_iter()
        .find(|form| form.word() == compiled.formulation);
    let points = form.map_or(String::new(), |form| print_points(model, topology, form));
    topology::print(model, topology) + points.as_str()
}

/// Passes on `BELLCRANK_WAIT`, the seconds to wait for another compilation on this machine.
fn set_wait() {
    let seconds = std::env::var("BELLCRANK_WAIT")
        .ok()
        .and_then(|text| text.parse().ok());
    if let Some(wait) = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()) {
        symbolic::session::set_wait(wait);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_called_model_takes_the_name_of_its_folder() {
        assert_eq!(stem(Path::new("models/four_bar/model.toml")), "four_bar");
        assert_eq!(stem(Path::new("models/slider.toml")), "slider");
        assert_eq!(stem(Path::new("model.toml")), "model");
    }
}
