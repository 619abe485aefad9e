//! The few options of the program, read strictly.

use std::borrow::ToOwned;
use std::format;
use std::string::String;
use std::vec::Vec;

use crate::names::position;
use crate::{Defaults, Mechanism, Named};

const OPTIONS: &[&str] = &[
    "--until",
    "--step",
    "--tolerance",
    "--every",
    "--set",
    "--input",
    "--integrator",
    "--stabilizer",
    "--progress",
    "--strict-energy",
];

/// Settings of a run, from its arguments.
pub struct Arguments {
    /// End time.
    pub until: f64,
    /// Step size, or the time between two rows if the integrator chooses its steps.
    pub step: f64,
    /// Error that a step of such an integrator may make.
    pub tolerance: f64,
    /// Number of steps between two rows.
    pub every: usize,
    /// Index and value of each parameter that is set.
    pub parameters: Vec<(usize, f64)>,
    /// Index and value of each input that is set.
    pub inputs: Vec<(usize, f64)>,
    /// The integrator with its settings.
    pub integrator: String,
    /// The stabilizer with its settings.
    pub stabilizer: String,
    /// Whether to report progress.
    pub progress: bool,
    /// Whether a jump of the energy balance ends the run.
    pub strict_energy: bool,
}

/// Names and defaults by which arguments are read. The type does not depend on the mechanism, so that reading is
/// compiled once for all programs.
struct KnownArguments {
    defaults: Defaults,
    parameters: &'static [&'static str],
    inputs: &'static [&'static str],
    integrator: MethodArgument,
    stabilizer: MethodArgument,
}

/// Name of a method, and a function that checks whether a text selects one.
type MethodArgument = (&'static str, fn(&str, f64, f64) -> Result<(), String>);

impl Arguments {
    /// Settings of the description, changed by `--option value` or `--option=value`.
    pub fn parse<M: Mechanism, I: Named, S: Named>(arguments: &[String]) -> Result<Self, String> {
        let known = KnownArguments {
            defaults: M::DEFAULTS,
            parameters: M::PARAMETERS,
            inputs: M::INPUTS,
            integrator: method::<I>(),
            stabilizer: method::<S>(),
        };
        Self::read(arguments, &known)
    }

    fn read(arguments: &[String], by: &KnownArguments) -> Result<Self, String> {
        let mut read = Self::defaults(by);
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            let (option, attached) = match argument.split_once('=') {
                Some((option, value)) => (option, Some(value.to_owned())),
                None => (argument.as_str(), None),
            };
            known("option", OPTIONS, option)?;
            if option == "--progress" {
                read.progress = true;
                continue;
            }
            if option == "--strict-energy" {
                read.strict_energy = true;
                continue;
            }
            let value = attached.or_else(|| rest.next().cloned());
            let value = value.ok_or_else(|| format!("`{option}` needs a value after it"))?;
            read.take(option, &value, by)?;
        }
        Ok(read)
    }

    fn defaults(by: &KnownArguments) -> Self {
        Self {
            until: by.defaults.until,
            step: by.defaults.step,
            tolerance: by.defaults.tolerance,
            every: 1,
            parameters: Vec::new(),
            inputs: Vec::new(),
            integrator: by.integrator.0.to_owned(),
            stabilizer: by.stabilizer.0.to_owned(),
            progress: false,
            strict_energy: false,
        }
    }

    fn take(&mut self, option: &str, value: &str, by: &KnownArguments) -> Result<(), String> {
        match option {
            "--until" => self.until = positive(option, value)?,
            "--step" => self.step = positive(option, value)?,
            "--tolerance" => self.tolerance = positive(option, value)?,
            "--every" => self.every = count(option, value)?,
            "--set" => self
                .parameters
                .push(assignment("parameter", by.parameters, value)?),
            "--input" => self.inputs.push(assignment("input", by.inputs, value)?),
            "--integrator" => {
                (by.integrator.1)(value, self.step, self.tolerance)?;
                self.integrator = value.to_owned();
            }
            _ => {
                (by.stabilizer.1)(value, self.step, self.tolerance)?;
                self.stabilizer = value.to_owned();
            }
        }
        Ok(())
    }
}

fn method<N: Named>() -> MethodArgument {
    (N::NAME, |text, step, tolerance| {
        N::from_text(text, step, tolerance).map(|_| ())
    })
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
