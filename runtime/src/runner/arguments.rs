//! The few options of the program, read strictly.

use std::borrow::ToOwned;
use std::format;
use std::path::PathBuf;
use std::string::String;
use std::vec::Vec;

use crate::names::position;
use crate::{AnyIntegrator, AnyStabilizer, Mechanism};

const OPTIONS: &[&str] = &[
    "--until",
    "--step",
    "--every",
    "--set",
    "--input",
    "--out",
    "--integrator",
    "--stabilizer",
    "--progress",
];

/// What the run is asked to do.
pub struct Arguments {
    /// End time.
    pub until: f64,
    /// Step size.
    pub step: f64,
    /// A row for each so many steps.
    pub every: usize,
    /// Index and value.
    pub parameters: Vec<(usize, f64)>,
    /// Index and value.
    pub inputs: Vec<(usize, f64)>,
    /// Where the rows go; stdout if nowhere.
    pub out: Option<PathBuf>,
    /// Name of the integrator.
    pub integrator: String,
    /// Name of the stabilizer.
    pub stabilizer: String,
    /// Whether to tell how far the run is.
    pub progress: bool,
}

impl Arguments {
    /// What the description says, changed by `--option value` or `--option=value`.
    pub fn parse<M: Mechanism>(arguments: &[String]) -> Result<Self, String> {
        let mut parsed = Self::defaults::<M>();
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            let (option, attached) = match argument.split_once('=') {
                Some((option, value)) => (option, Some(value.to_owned())),
                None => (argument.as_str(), None),
            };
            known("option", OPTIONS, option)?;
            if option == "--progress" {
                parsed.progress = true;
                continue;
            }
            let value = attached.or_else(|| rest.next().cloned());
            let value = value.ok_or_else(|| format!("`{option}` needs a value after it"))?;
            parsed.take::<M>(option, &value)?;
        }
        Ok(parsed)
    }

    fn defaults<M: Mechanism>() -> Self {
        Self {
            until: M::DEFAULTS.until,
            step: M::DEFAULTS.step,
            every: 1,
            parameters: Vec::new(),
            inputs: Vec::new(),
            out: None,
            integrator: M::DEFAULTS.integrator.to_owned(),
            stabilizer: M::DEFAULTS.stabilizer.to_owned(),
            progress: false,
        }
    }

    fn take<M: Mechanism>(&mut self, option: &str, value: &str) -> Result<(), String> {
        match option {
            "--until" => self.until = positive(option, value)?,
            "--step" => self.step = positive(option, value)?,
            "--every" => self.every = count(option, value)?,
            "--set" => self
                .parameters
                .push(assignment("parameter", M::PARAMETERS, value)?),
            "--input" => self.inputs.push(assignment("input", M::INPUTS, value)?),
            "--out" => self.out = Some(value.into()),
            "--integrator" => {
                known("integrator", AnyIntegrator::<f64>::NAMES, value)?;
                self.integrator = value.to_owned();
            }
            _ => {
                known("stabilizer", AnyStabilizer::NAMES, value)?;
                self.stabilizer = value.to_owned();
            }
        }
        Ok(())
    }
}

fn known(what: &'static str, names: &'static [&'static str], name: &str) -> Result<usize, String> {
    position(what, names, name).map_err(|why| format!("`{name}`: {why}"))
}

fn number(option: &str, value: &str) -> Result<f64, String> {
    let number = value.parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| format!("`{option}` needs a number, not `{value}`"))
}

fn positive(option: &str, value: &str) -> Result<f64, String> {
    let number = number(option, value)?;
    if number > 0.0 {
        Ok(number)
    } else {
        Err(format!("`{option}` must be positive, not {number}"))
    }
}

fn count(option: &str, value: &str) -> Result<usize, String> {
    let count = value.parse().ok().filter(|count| *count > 0);
    count.ok_or_else(|| format!("`{option}` needs a number of steps from 1 on, not `{value}`"))
}

/// `name=value`
fn assignment(
    what: &'static str,
    names: &'static [&'static str],
    text: &str,
) -> Result<(usize, f64), String> {
    let parts = text.split_once('=');
    let (name, value) = parts.ok_or_else(|| format!("`{text}` is not of the form name=value"))?;
    Ok((known(what, names, name)?, number(name, value)?))
}
