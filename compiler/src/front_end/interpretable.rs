//! The data of a compilation that a run without rustc needs. It is plain data, so that neither the algebra nor the
//! description is needed again.

use serde::{Deserialize, Serialize};

use crate::Compiled;
use crate::assembly::Assembly;
use crate::kernel::Kernel;
use crate::model::{Simulation, Table};

/// The functions with their initial numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interpretable {
    /// The functions to evaluate.
    pub kernel: Kernel,
    /// The start.
    pub assembly: Assembly,
    /// Constraint equations of couplings, by their rows.
    pub couplings: Vec<usize>,
    /// The joint or coupling of each constraint equation, and the quantity that it keeps.
    pub rows: Vec<[String; 2]>,
    /// Defaults of the parameters.
    pub parameters: Vec<f64>,
    /// Inputs at the start.
    pub inputs: Vec<f64>,
    /// Discrete variables at the start.
    pub variables: Vec<f64>,
    /// The tables, by their index in the kernel.
    pub tables: Vec<Table>,
    /// Defaults of a run.
    pub simulation: Simulation,
}

impl Interpretable {
    pub(super) fn new(compiled: &Compiled) -> Self {
        let model = &compiled.model;
        let rows = compiled.system.rows.iter();
        let rows = rows.map(|row| [row.owner.describe(model), row.keeps.clone()]);
        Self {
            kernel: compiled.kernel.clone(),
            assembly: compiled.assembly.clone(),
            couplings: compiled.system.couplings().collect(),
            rows: rows.collect(),
            parameters: model.parameters.iter().map(|p| p.default).collect(),
            inputs: model.inputs.iter().map(|i| i.start).collect(),
            variables: model.variables.iter().map(|v| v.start).collect(),
            tables: model.tables.clone(),
            simulation: model.simulation.clone(),
        }
    }
}
