//! What the commands that analyse share: the model compiled for analyses, quantities with units, tables.

use std::path::PathBuf;

use clap::Args;

use super::report::Reporter;
use super::{Model, ScalarName, child};
use crate::analysis::assemble::start;
use crate::analysis::mechanism::{Mechanism, State};
use crate::analysis::open::open;
use crate::description::Formulation;
use crate::description::expression::{Ast, AstKind, Operator, parse};
use crate::diagnostics::Diagnostics;
use crate::door::Output;
use crate::options::{Lanes, Purpose};

/// The model and what is set in it.
#[derive(Clone, Debug, Args)]
pub(super) struct Subject {
    /// The description, a .toml or .json file.
    #[arg(value_name = "MODEL")]
    path: PathBuf,
    /// Set a parameter.
    #[arg(long, value_name = "NAME=VALUE", value_parser = setting)]
    pub(super) set: Vec<(String, f64)>,
    /// Set an input.
    #[arg(long, value_name = "NAME=VALUE", value_parser = setting)]
    pub(super) input: Vec<(String, f64)>,
    /// Print JSON, in SI units, instead of tables.
    #[arg(long)]
    pub(super) json: bool,
}

impl Subject {
    /// Compiles the model for analyses; the second time it comes from the cache.
    pub(super) fn compile(&self, reporter: &mut Reporter) -> Result<Output, Diagnostics> {
        let model = Model {
            path: self.path.clone(),
            scalar: ScalarName::F64,
            lanes: Lanes::One,
            formulation: Some(Formulation::Body),
            methods: Vec::new(),
            purpose: Purpose::Analysis,
        };
        child::compile(&model, reporter)
    }

    /// The equations with the parameters and inputs that are set.
    pub(super) fn mechanism<'o>(&self, output: &'o Output) -> Result<Mechanism<'o>, Diagnostics> {
        Mechanism::new(output, &self.set, &self.input)
    }
}

/// The closed start; T305 for what stays open.
pub(super) fn closed(mechanism: &Mechanism) -> Result<State, Diagnostics> {
    start(mechanism).map_err(|left| open(mechanism, &left))
}

/// `NAME=VALUE`, a number or a quantity with a unit.
pub(super) fn setting(text: &str) -> Result<(String, f64), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    Ok((name.trim().to_owned(), quantity(value)?))
}

/// A number in SI units, or with a unit: `90 deg`, `-12.5 mm`, `2*pi`.
pub(super) fn quantity(text: &str) -> Result<f64, String> {
    let tree = parse(text.trim()).map_err(|error| error.message)?;
    let value = value(&tree).filter(|value| value.is_finite());
    value.ok_or_else(|| format!("`{text}` is no finite number"))
}

fn value(tree: &Ast) -> Option<f64> {
    match &tree.kind {
        AstKind::Number(value) | AstKind::Quantity(value, _) => Some(*value),
        AstKind::Negate(inner) => Some(-value(inner)?),
        AstKind::Arithmetic(operator, a, b) => {
            let (a, b) = (value(a)?, value(b)?);
            Some(match operator {
                Operator::Add => a + b,
                Operator::Subtract => a - b,
                Operator::Multiply => a * b,
                Operator::Divide => a / b,
                Operator::Power => a.powf(b),
            })
        }
        AstKind::Name(parts) => match parts.join(".").as_str() {
            "pi" => Some(std::f64::consts::PI),
            "tau" => Some(std::f64::consts::TAU),
            _ => None,
        },
        AstKind::Call(..) | AstKind::If(..) => None,
    }
}

/// A number for people: nothing for what is not known.
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

/// One thing, or several.
pub(super) fn counted(n: usize, one: &str, many: &str) -> String {
    match n {
        1 => format!("1 {one}"),
        n => format!("{n} {many}"),
    }
}

/// A number for JSON; nothing for what is not known.
pub(super) fn known(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_have_units_and_signs() {
        assert_eq!(quantity("180 deg"), Ok(std::f64::consts::PI));
        assert_eq!(quantity("-12.5 mm"), Ok(-0.0125));
        assert_eq!(quantity("2*pi"), Ok(std::f64::consts::TAU));
        assert!(quantity("crank").is_err());
        assert!(quantity("1/0").is_err());
        assert_eq!(setting("rate = 60 rpm").unwrap().1, std::f64::consts::TAU);
    }
}
