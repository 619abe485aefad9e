//! Plan of a sweep: settings that all points share.

use std::borrow::ToOwned;
use std::format;
use std::string::String;
use std::vec::Vec;

use crate::names::position;
use crate::runner::Arguments;
use crate::{Mechanism, Named, Real};

/// Settings that all points of a sweep share.
pub struct SweepPlan {
    pub until: f64,
    pub step: f64,
    pub tolerance: f64,
    /// Number of steps between two samples.
    pub every: usize,
    /// The integrator with its settings.
    pub integrator: String,
    /// The stabilizer with its settings.
    pub stabilizer: String,
    /// Indices of the outputs that are reported.
    pub outputs: Vec<usize>,
    /// Points that are taken together.
    pub block: usize,
    parameters: Vec<(usize, f64)>,
    inputs: Vec<(usize, f64)>,
    varied: Vec<Varied>,
}

/// The target of a value of a point.
enum Varied {
    Parameter(usize),
    Input(usize),
}

/// A point: its number as it came, and its values.
pub struct SweepPoint {
    pub name: String,
    pub values: Vec<f64>,
}

impl SweepPlan {
    /// The arguments of a run, and `--parameter=name`, `--varied-input=name` in the order of a point's values,
    /// `--output=name`, `--block=n`.
    pub fn parse<M: Mechanism, I: Named, S: Named>(arguments: &[String]) -> Result<Self, String> {
        let mut rest = Vec::new();
        let (mut varied, mut outputs, mut block) = (Vec::new(), Vec::new(), 1);
        for argument in arguments {
            let (option, value) = argument.split_once('=').unwrap_or((argument, ""));
            match option {
                "--parameter" => {
                    varied.push(Varied::Parameter(named("parameter", M::PARAMETERS, value)?));
                }
                "--varied-input" => varied.push(Varied::Input(named("input", M::INPUTS, value)?)),
                "--output" => outputs.push(named("output", M::OUTPUTS, value)?),
                "--block" => {
                    let count = value.parse().ok().filter(|count| *count > 0);
                    block =
                        count.ok_or_else(|| format!("`--block` needs a count, not `{value}`"))?;
                }
                _ => rest.push(argument.clone()),
            }
        }
        let run = Arguments::parse::<M, I, S>(&rest)?;
        Ok(Self {
            until: run.until,
            step: run.step,
            tolerance: run.tolerance,
            every: run.every,
            integrator: run.integrator,
            stabilizer: run.stabilizer,
            outputs,
            block,
            parameters: run.parameters,
            inputs: run.inputs,
            varied,
        })
    }

    /// Reads a line of stdin.
    pub fn point(&self, line: &str) -> Result<SweepPoint, String> {
        let mut words = line.split(' ');
        let name = words.next().unwrap_or_default().to_owned();
        let values: Option<Vec<f64>> = words.map(|word| word.parse().ok()).collect();
        let values = values.filter(|values| values.len() == self.varied.len());
        let values = values
            .ok_or_else(|| format!("`{line}` is no point with {} values", self.varied.len()))?;
        Ok(SweepPoint { name, values })
    }

    /// The mechanism of a point.
    pub fn mechanism<M: Mechanism + Default>(&self, point: &SweepPoint) -> M {
        let mut mechanism = M::default();
        let mut set = |varied: &Varied, value: f64| {
            let value = M::Scalar::from_f64(value);
            match varied {
                Varied::Parameter(index) => mechanism.set_parameter(*index, value),
                Varied::Input(index) => mechanism.inputs_mut()[*index] = value,
            }
        };
        for (index, value) in &self.parameters {
            set(&Varied::Parameter(*index), *value);
        }
        for (index, value) in &self.inputs {
            set(&Varied::Input(*index), *value);
        }
        for (varied, value) in self.varied.iter().zip(&point.values) {
            set(varied, *value);
        }
        mechanism
    }
}

fn named(what: &'static str, names: &'static [&'static str], name: &str) -> Result<usize, String> {
    position(what, names, name).map_err(|why| format!("`{name}`: {why}"))
}
