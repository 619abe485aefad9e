//! The few options of the program, read strictly.

use core::marker::PhantomData;
use std::borrow::ToOwned;
use std::format;
use std::path::PathBuf;
use std::string::String;
use std::vec::Vec;

use crate::names::position;
use crate::{Mechanism, Named};

const OPTIONS: &[&str] = &[
    "--until",
    "--step",
    "--tolerance",
    "--every",
    "--set",
    "--input",
    "--out",
    "--integrator",
    "--stabilizer",
    "--progress",
];

/// What the run is asked to do with an integrator and a stabilizer.
pub struct Arguments<I, S> {
    /// End time.
    pub until: f64,
    /// Step size, or the time between two rows if the integrator chooses its steps.
    pub step: f64,
    /// Error that a step of such an integrator may make.
    pub tolerance: f64,
    /// A row for each so many steps.
    pub every: usize,
    /// Index and value.
    pub parameters: Vec<(usize, f64)>,
    /// Index and value.
    pub inputs: Vec<(usize, f64)>,
    /// Where the rows go; stdout if nowhere.
    pub out: Option<PathBuf>,
    /// The integrator with its settings.
    pub integrator: String,
    /// The stabilizer with its settings.
    pub stabilizer: String,
    /// Whether to tell how far the run is.
    pub progress: bool,
    methods: PhantomData<(I, S)>,
}

impl<I: Named, S: Named> Arguments<I, S> {
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
            tolerance: M::DEFAULTS.tolerance,
            every: 1,
            parameters: Vec::new(),
            inputs: Vec::new(),
            out: None,
            integrator: I::NAME.to_owned(),
            stabilizer: S::NAME.to_owned(),
            progress: false,
            methods: PhantomData,
        }
    }

    fn take<M: Mechanism>(&mut self, option: &str, value: &str) -> Result<(), String> {
        match option {
            "--until" => self.until = positive(option, value)?,
            "--step" => self.step = positive(option, value)?,
            "--tolerance" => self.tolerance = positive(option, value)?,
            "--every" => self.every = count(option, value)?,
            "--set" => self
                .parameters
                .push(assignment("parameter", M::PARAMETERS, value)?),
            "--input" => self.inputs.push(assignment("input", M::INPUTS, value)?),
            "--out" => self.out = Some(value.into()),
            "--integrator" => {
                I::told(value, self.step, self.tolerance)?;
                self.integrator = value.to_owned();
            }
            _ => {
                S::told(value, self.step, self.tolerance)?;
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
