//! Numbers on the command line: plain ones in SI units, or with a unit that fits.

use std::f64::consts::{PI, TAU};

use super::found;
use crate::description::expression::{Ast, AstKind, Dimension, Known, Operator, parse};
use crate::diagnostics::{Code, Diagnostic, Diagnostics, Path, Severity, no_such};
use crate::examine_values;
use crate::front_end::{NamedValues, Output};
use crate::model::{bare_angle, describe};
use crate::source::Source;

const NONE: Dimension = Dimension::new(0, 0, 0);
const TIME: Dimension = Dimension::new(0, 0, 1);
const FREQUENCY: Dimension = Dimension::new(0, 0, -1);

/// A value in SI units, and its dimension if a unit was written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct WrittenQuantity {
    value: f64,
    dimension: Option<Dimension>,
    /// True of digits alone. In `2*pi` it is clear that radians are meant.
    bare: bool,
}

/// `NAME=VALUE`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Setting {
    /// The name of the parameter or input.
    pub(super) name: String,
    /// Its value.
    pub(super) value: WrittenQuantity,
}

/// Reads a number or a quantity with a unit: `90 deg`, `-12.5 mm`, `2*pi`.
pub(super) fn quantity(text: &str) -> Result<WrittenQuantity, String> {
    let tree = parse(text.trim(), &Known::NOTHING).map_err(|error| match error.hint {
        Some(hint) => format!("{}: {hint}", error.message),
        None => error.message,
    })?;
    let quantity = read(&tree)?.filter(|quantity| quantity.value.is_finite());
    quantity.ok_or_else(|| format!("`{text}` is no finite number"))
}

/// Reads `NAME=VALUE`.
pub(super) fn setting(text: &str) -> Result<Setting, String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    Ok(Setting {
        name: name.trim().to_owned(),
        value: quantity(value)?,
    })
}

/// Reads a time above zero: `0.5`, `10 ms`.
pub(super) fn duration(text: &str) -> Result<f64, String> {
    positive(time(text)?)
}

/// Reads a time.
pub(super) fn time(text: &str) -> Result<f64, String> {
    quantity(text)?.of(TIME)
}

/// Reads a frequency above zero: `60`, `60 Hz`.
pub(super) fn frequency(text: &str) -> Result<f64, String> {
    positive(quantity(text)?.of(FREQUENCY)?)
}

/// Reads a number above zero that has no unit.
pub(super) fn ratio(text: &str) -> Result<f64, String> {
    positive(quantity(text)?.of(NONE)?)
}

fn positive(value: f64) -> Result<f64, String> {
    match value > 0.0 {
        true => Ok(value),
        false => Err("it must be above zero".to_owned()),
    }
}

/// Names and values, without their dimensions.
pub(super) fn values(settings: &[Setting]) -> Vec<(String, f64)> {
    let pair = |one: &Setting| (one.name.clone(), one.value.value);
    settings.iter().map(pair).collect()
}

/// Warnings about the settings; errors for names that the model does not have, for units that do not fit, and for
/// values that the description does not allow.
pub(super) fn fit(
    output: &Output,
    source: Option<&Source>,
    set: &[Setting],
    input: &[Setting],
) -> Result<Diagnostics, Diagnostics> {
    let mut list = Diagnostics::new();
    let (parameters, inputs) = (output.named_parameters(), output.named_inputs());
    for (named, others, settings) in [
        (parameters, (inputs, "--input"), set),
        (inputs, (parameters, "--set"), input),
    ] {
        for one in settings {
            list.extend(one.value.fits_name(&one.name, named, others));
        }
    }
    let ((), warnings) = list.finish(())?;
    if let Some(source) = source.filter(|_| !set.is_empty()) {
        allowed(source, &values(set))?;
    }
    Ok(warnings)
}

/// Errors of the description where its parameters have these values.
pub(super) fn allowed(source: &Source, set: &[(String, f64)]) -> Result<(), Diagnostics> {
    examine_values(source, set).map_err(|found| {
        let names: Vec<String> = set.iter().map(|(n, x)| format!("{n} = {x}")).collect();
        let with = format!("with {}", names.join(", "));
        let errors = found.iter().filter(|one| one.severity == Severity::Error);
        errors.map(|one| one.clone().label(&with)).collect()
    })
}

impl WrittenQuantity {
    /// Errors in a value for one of these names. A name of the other kind is set by another option.
    pub(super) fn fits_name(
        self,
        name: &str,
        named: NamedValues<'_>,
        (others, option): (NamedValues<'_>, &str),
    ) -> Diagnostics {
        let Some(index) = named.names.iter().position(|known| known == name) else {
            let error = no_such(named.kind, name, named.names);
            let is_other = others.names.iter().any(|known| known == name);
            return match is_other {
                true => error.hint(format!(
                    "`{name}` is {} {}: write `{option} {name}=…`",
                    if others.kind == "input" { "an" } else { "a" },
                    others.kind
                )),
                false => error,
            }
            .into();
        };
        let path = Path::new(format!("{}s", named.kind)).key(name);
        match named.dimensions[index] {
            Some(wanted) => self.fits(wanted, &path, &format!("the {} `{name}`", named.kind)),
            None => Diagnostics::new(),
        }
    }

    /// The value, in SI units.
    pub(super) fn value(self) -> f64 {
        self.value
    }

    /// The value if it has this dimension or none.
    fn of(self, wanted: Dimension) -> Result<f64, String> {
        match self.dimension {
            Some(found) if found != wanted => Err(format!(
                "this is {}, but {} is needed",
                describe(found),
                describe(wanted)
            )),
            _ => Ok(self.value),
        }
    }

    /// Refuses a value that is no rate of a quantity of this dimension.
    pub(super) fn of_rate(self, dimension: Dimension) -> Result<(), String> {
        let rate = self.of(dimension * FREQUENCY);
        rate.map(drop).map_err(|why| format!("`--rate`: {why}"))
    }

    /// D109 if it has another dimension, D114 for a plain number that is too large for an angle.
    pub(super) fn fits(self, wanted: Dimension, path: &Path, what: &str) -> Diagnostics {
        if let Err(why) = self.of(wanted) {
            let diagnostic = Diagnostic::error(Code::D109, path, format!("{what}: {why}"));
            let hint = "correct the unit; plain numbers are taken in SI units";
            return diagnostic.hint(hint).into();
        }
        let mut list = Diagnostics::new();
        if wanted == NONE && self.bare {
            list.extend(bare_angle(self.value, path, what));
        }
        list
    }
}

/// `None` for an expression that is no number, such as a call.
fn read(tree: &Ast) -> Result<Option<WrittenQuantity>, String> {
    let plain = |value: f64, bare: bool| WrittenQuantity {
        value,
        dimension: None,
        bare,
    };
    Ok(Some(match &tree.kind {
        AstKind::Number(value) => plain(*value, true),
        AstKind::Quantity(value, dimension) => WrittenQuantity {
            value: *value,
            dimension: Some(*dimension),
            bare: false,
        },
        AstKind::Negate(inner) => {
            let inner = read(inner)?;
            return Ok(inner.map(|inner| WrittenQuantity {
                value: -inner.value,
                ..inner
            }));
        }
        AstKind::Arithmetic(operator, a, b) => {
            let (Some(a), Some(b)) = (read(a)?, read(b)?) else {
                return Ok(None);
            };
            arithmetic(*operator, a, b)?
        }
        AstKind::Name(parts) => match parts.join(".").as_str() {
            "pi" => plain(PI, false),
            "tau" => plain(TAU, false),
            _ => return Ok(None),
        },
        AstKind::Call(..) | AstKind::If(..) => return Ok(None),
    }))
}

fn arithmetic(
    operator: Operator,
    a: WrittenQuantity,
    b: WrittenQuantity,
) -> Result<WrittenQuantity, String> {
    let (x, y) = (a.dimension, b.dimension);
    let either = x.is_some() || y.is_some();
    let (u, v) = (x.unwrap_or(NONE), y.unwrap_or(NONE));
    let (value, dimension) = match operator {
        Operator::Add | Operator::Subtract if x.zip(y).is_some_and(|(x, y)| x != y) => {
            let (x, y) = (describe(u), describe(v));
            return Err(format!("{x} and {y} do not go together"));
        }
        Operator::Add => (a.value + b.value, x.or(y)),
        Operator::Subtract => (a.value - b.value, x.or(y)),
        Operator::Multiply => (a.value * b.value, either.then_some(u * v)),
        Operator::Divide => (a.value / b.value, either.then_some(u / v)),
        Operator::Power if v != NONE || b.value.fract() != 0.0 && u != NONE => {
            return Err("only a whole number may be the power of a quantity".to_owned());
        }
        Operator::Power => (a.value.powf(b.value), x.map(|x| x.powi(b.value as i32))),
    };
    Ok(WrittenQuantity {
        value,
        dimension,
        bare: a.bare && b.bare,
    })
}

/// C605 for a value that a command cannot use.
pub(super) fn refused(why: String) -> Diagnostics {
    found(Code::C605, why)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_have_units_and_signs() {
        let value = |text: &str| quantity(text).map(WrittenQuantity::value);
        assert_eq!(value("180 deg"), Ok(PI));
        assert_eq!(value("-12.5 mm"), Ok(-0.0125));
        assert_eq!(value("2*pi"), Ok(TAU));
        assert_eq!(value("2 * 3 N/mm"), Ok(6000.0));
        assert!(value("crank").is_err());
        assert!(value("1/0").is_err());
        assert!(value("1 m + 1 s").is_err());
        assert_eq!(setting("rate = 60 rpm").unwrap().value.value, TAU);
    }

    #[test]
    fn units_must_fit() {
        assert_eq!(duration("10 ms"), Ok(0.01));
        assert_eq!(duration("0.5"), Ok(0.5));
        let error = duration("1 m").unwrap_err();
        assert_eq!(error, "this is a length, but a time is needed");
        assert!(duration("0 s").is_err());
        assert!(ratio("1 mm").is_err());
        assert_eq!(frequency("2 kHz"), Ok(2000.0));
    }

    #[test]
    fn a_bare_angle_beyond_a_turn_is_told() {
        let codes = |text: &str| {
            let quantity = quantity(text).unwrap();
            let list = quantity.fits(NONE, &Path::root(), "`--to`");
            list.iter().map(|one| one.code).collect::<Vec<_>>()
        };
        assert_eq!(codes("360"), [Code::D114]);
        assert_eq!(codes("-7"), [Code::D114]);
        assert_eq!(codes("1 m"), [Code::D109]);
        for fine in ["6.28", "360 deg", "4*pi", "7 rad", "tau + 1"] {
            assert_eq!(codes(fine), [], "{fine}");
        }
    }
}
