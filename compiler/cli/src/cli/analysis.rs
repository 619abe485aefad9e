//! Shared by the analysing commands: the model compiled for analyses, quantities with units, tables.

use std::path::PathBuf;

use clap::Args;

use super::quantity::{Setting, fit, setting, values};
use super::report::Reporter;
use super::{ModelArguments, child};
use crate::analysis::assemble::start;
use crate::analysis::mechanism::Mechanism;
use crate::analysis::open::open;
use crate::diagnostics::Diagnostics;
use crate::front_end::Output;
use crate::numeric::State;

/// The model, and the parameters and inputs to set in it.
#[derive(Clone, Debug, Args)]
pub(super) struct AnalysedModel {
    /// The description, a .toml or .json file; `-` is stdin.
    #[arg(value_name = "MODEL")]
    path: PathBuf,
    /// Set a parameter.
    #[arg(long, value_name = "NAME=VALUE", value_parser = setting)]
    set: Vec<Setting>,
    /// Set an input.
    #[arg(long, value_name = "NAME=VALUE", value_parser = setting)]
    input: Vec<Setting>,
    /// Print JSON, in SI units, instead of tables.
    #[arg(long)]
    pub(super) json: bool,
}

impl AnalysedModel {
    /// Compiles the model for analyses; the second time it comes from the cache.
    pub(super) fn compile(&self, reporter: &mut Reporter) -> Result<Output, Diagnostics> {
        let model = ModelArguments::for_analysis(self.path.clone());
        child::compile(&model, reporter)
    }

    /// The equations with the parameters and inputs that are set.
    pub(super) fn mechanism<'o>(
        &self,
        output: &'o Output,
        reporter: &Reporter,
    ) -> Result<Mechanism<'o>, Diagnostics> {
        reporter.tell(&fit(
            output,
            reporter.source.as_ref(),
            &self.set,
            &self.input,
        )?);
        Mechanism::new(output, &values(&self.set), &values(&self.input))
    }
}

/// The closed start; T305 for joints that stay open.
pub(super) fn closed(mechanism: &Mechanism) -> Result<State, Diagnostics> {
    start(mechanism).map_err(|left| open(mechanism, &left))
}

/// A number for people; an unknown one is empty.
pub(super) fn cell(value: f64) -> String {
    match value.abs() {
        _ if value.is_nan() => String::new(),
        // Round-off of metres and newtons.
        ..1e-13 => "0".to_owned(),
        1e-3..1e6 => format!("{value:.6}"),
        _ => format!("{value:.4e}"),
    }
}

/// A value with its unit for people: angles in degrees.
pub(super) fn in_units(value: f64, is_angle: bool) -> f64 {
    if is_angle { value.to_degrees() } else { value }
}

/// The unit in which people read a coordinate.
pub(super) fn unit(is_angle: bool) -> &'static str {
    if is_angle { "deg" } else { "m" }
}

/// A count with its noun, singular or plural.
pub(super) fn counted(n: usize, one: &str, many: &str) -> String {
    match n {
        1 => format!("1 {one}"),
        n => format!("{n} {many}"),
    }
}

/// A number for JSON; an unknown one is `None`.
pub(super) fn known(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}
