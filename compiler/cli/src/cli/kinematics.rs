//! `bellcrank kinematics`: a joint driven through a range, without forces.

use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value, json};

use super::analysis::{AnalysedModel, cell, closed, counted, in_units, known, unit};
use super::quantity::{WrittenQuantity, quantity, refused};
use super::report::Reporter;
use super::{data, found, write};
use crate::analysis::close::HeldRow;
use crate::analysis::kinematics::{
    self as driven, DeadCentre, Drive, OutputStep, PathEnd, Trouble,
};
use crate::analysis::mechanism::{Mechanism, WatchedCoordinate};
use crate::analysis::transmission::{Transmission, at_joint, opposite};
use crate::columns::spaced;
use crate::description::expression::Dimension;
use crate::diagnostics::{Code, Diagnostic, Diagnostics, Path as Element};
use crate::numeric::State;

/// Rows of the table.
const ROWS: usize = 13;
/// More outputs than this do not fit on a line; the CSV file has all of them.
const OUTPUTS: usize = 4;

/// Arguments of `kinematics`.
#[derive(Clone, Debug, Args)]
pub(super) struct KinematicsArguments {
    #[command(flatten)]
    subject: AnalysedModel,
    /// The joint to drive, with its coordinate if it has several.
    #[arg(long, value_name = "JOINT[.COORDINATE]")]
    drive: String,
    /// Where to begin, such as `0 deg`; if absent, where the mechanism starts
    #[arg(long, value_parser = quantity, allow_hyphen_values = true)]
    from: Option<WrittenQuantity>,
    /// Where to end; if absent, one turn later
    #[arg(long, value_parser = quantity, allow_hyphen_values = true)]
    to: Option<WrittenQuantity>,
    /// Number of steps of the drive
    #[arg(long, default_value = "72")]
    steps: NonZeroUsize,
    /// Speed of the drive, such as `60 rpm`; with 1 rad/s or 1 m/s, rates are derivatives by the drive
    #[arg(long, value_parser = speed, default_value = "1", allow_hyphen_values = true)]
    rate: WrittenQuantity,
    /// Keep a further joint coordinate, at a value or where it starts
    #[arg(long, value_name = "JOINT[.COORDINATE][=VALUE]", value_delimiter = ',', value_parser = hold)]
    hold: Vec<(String, Option<WrittenQuantity>)>,
    /// The joint whose transmission angle is printed; if absent, the one opposite to the drive in a loop of four
    /// joints
    #[arg(long, value_name = "JOINT")]
    transmission: Option<String>,
    /// Write all steps to a CSV file, `-` for stdout.
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    csv: Option<PathBuf>,
}

/// Drives the joint, prints a table and the dead centres.
pub(super) fn kinematics(
    arguments: &KinematicsArguments,
    reporter: &mut Reporter,
) -> Result<(), Diagnostics> {
    let output = arguments.subject.compile(reporter)?;
    let mechanism = arguments.subject.mechanism(&output, reporter)?;
    let start = closed(&mechanism)?;
    let coordinate = mechanism.coordinate(&arguments.drive)?;
    reporter.tell(&arguments.fit(&mechanism, &coordinate)?);
    let range = arguments.range(&mechanism, &start, &coordinate)?;
    let fixed = arguments.fixed(&mechanism, &start)?;
    let transmission = arguments.transmission(&mechanism, coordinate.joint)?;
    let drive = Drive {
        held: driven::held(&mechanism, &start, &coordinate, &fixed),
        coordinate,
        rate: arguments.rate.value(),
    };
    let results = driven::kinematics(
        &mechanism,
        &start,
        &drive,
        range,
        arguments.steps.get(),
        transmission.as_ref(),
    );
    let results = results.map_err(|trouble| refusal(&trouble, &drive.coordinate))?;
    let report = KinematicsReport {
        mechanism: &mechanism,
        drive: &drive,
        transmission: transmission.map(|one| one.joint),
        results: &results,
    };
    match (&arguments.csv, arguments.subject.json) {
        (Some(file), _) if file == Path::new("-") => data(&report.csv())?,
        (file, json) => {
            if let Some(file) = file {
                write(file, &report.csv())?;
            }
            match json {
                true => data(&format!("{:#}\n", report.json()))?,
                false => data(&report.text())?,
            }
        }
    }
    reporter.tell(&report.ended());
    Ok(())
}

impl KinematicsArguments {
    /// Checks that the units fit the driven and held coordinates; warnings.
    fn fit(
        &self,
        mechanism: &Mechanism,
        drive: &WatchedCoordinate,
    ) -> Result<Diagnostics, Diagnostics> {
        let mut list = Diagnostics::new();
        let root = Element::root();
        for (option, value) in [("--from", self.from), ("--to", self.to)] {
            let found =
                value.map(|value| value.fits(position(drive), &root, &format!("`{option}`")));
            list.extend(found.unwrap_or_default());
        }
        let rate = self.rate.of_rate(position(drive));
        list.extend(rate.map_or_else(refused, |()| Diagnostics::new()));
        for (name, value) in &self.hold {
            let (Ok(held), Some(value)) = (mechanism.coordinate(name), value) else {
                continue;
            };
            list.extend(value.fits(position(&held), &root, &format!("`--hold {name}`")));
        }
        list.finish(()).map(|((), warnings)| warnings)
    }

    /// From the start and once round, unless the options say otherwise.
    fn range(
        &self,
        mechanism: &Mechanism,
        start: &State,
        drive: &WatchedCoordinate,
    ) -> Result<(f64, f64), Diagnostics> {
        let from = self.from.map(WrittenQuantity::value);
        let from = from.unwrap_or(mechanism.phi(start)[drive.row]);
        match (self.to.map(WrittenQuantity::value), drive.is_angle) {
            (Some(to), _) => Ok((from, to)),
            (None, true) => Ok((from, from + std::f64::consts::TAU)),
            (None, false) => Err(found(
                Code::C605,
                format!(
                    "`{}` is a length: say with `--to` how far it is driven",
                    drive.name
                ),
            )),
        }
    }

    fn fixed(&self, mechanism: &Mechanism, start: &State) -> Result<Vec<HeldRow>, Diagnostics> {
        let phi = mechanism.phi(start);
        let hold = |(name, value): &(String, Option<WrittenQuantity>)| {
            let row = mechanism.coordinate(name)?.row;
            Ok(HeldRow {
                row,
                value: value.map_or(phi[row], WrittenQuantity::value),
            })
        };
        self.hold.iter().map(hold).collect()
    }

    fn transmission(
        &self,
        mechanism: &Mechanism,
        drive: usize,
    ) -> Result<Option<Transmission>, Diagnostics> {
        let Some(name) = &self.transmission else {
            return Ok(opposite(mechanism, drive));
        };
        let joint = mechanism.joint(name)?;
        let angle = at_joint(mechanism, joint, drive).filter(|_| mechanism.is_planar());
        let message =
            format!("joint `{name}` is in no planar loop, so it has no transmission angle");
        angle.map(Some).ok_or_else(|| found(Code::C605, message))
    }
}

/// The dimension of a joint coordinate.
fn position(coordinate: &WatchedCoordinate) -> Dimension {
    Dimension::new(0, i8::from(!coordinate.is_angle), 0)
}

fn speed(text: &str) -> Result<WrittenQuantity, String> {
    let rate = quantity(text)?;
    match rate.value() == 0.0 {
        true => Err("it must not be zero".to_owned()),
        false => Ok(rate),
    }
}

fn hold(text: &str) -> Result<(String, Option<WrittenQuantity>), String> {
    match text.split_once('=') {
        Some((name, value)) => Ok((name.trim().to_owned(), Some(quantity(value)?))),
        None => Ok((text.trim().to_owned(), None)),
    }
}

fn refusal(trouble: &Trouble, drive: &WatchedCoordinate) -> Diagnostics {
    let name = &drive.name;
    let (message, hint) = match trouble {
        Trouble::NoFreedom => (
            format!("nothing is left that could move `{name}`"),
            "hold fewer coordinates".to_owned(),
        ),
        Trouble::Freedoms(n, names) => (
            format!(
                "with `{name}` driven, {} would remain",
                counted(*n, "degree of freedom", "degrees of freedom")
            ),
            format!(
                "hold {} with `--hold`: {}",
                counted(*n, "of these", "of these"),
                names.join(", ")
            ),
        ),
        Trouble::Idle => (
            format!("`{name}` does not move, whatever the mechanism does"),
            "drive another joint".to_owned(),
        ),
        Trouble::Start(PathEnd::Limit(limit)) => (
            format!(
                "`{name}` cannot come to where the range begins: it goes no further than {}",
                value(limit.theta, drive)
            ),
            "begin within the range of the drive".to_owned(),
        ),
        Trouble::Start(_) => (
            format!(
                "`{name}` cannot come to where the range begins: the joints do not close there"
            ),
            "begin nearer to the start, or hold other values".to_owned(),
        ),
    };
    Diagnostic::error(Code::A702, &Element::root(), message)
        .hint(hint)
        .into()
}

fn value(theta: f64, drive: &WatchedCoordinate) -> String {
    format!(
        "{} {}",
        cell(in_units(theta, drive.is_angle)),
        unit(drive.is_angle)
    )
}

/// The results, for people and programs.
struct KinematicsReport<'r> {
    mechanism: &'r Mechanism<'r>,
    drive: &'r Drive,
    transmission: Option<usize>,
    results: &'r driven::TracedMotion,
}

/// Columns of the CSV file. Derived columns have an underscore. If an output already has that name, they have a dot,
/// which no output can have.
fn titles(drive: &str, outputs: &[String], joint: Option<&str>) -> Vec<String> {
    let derived = |a: &str, b: &str| match format!("{a}_{b}") {
        name if outputs.contains(&name) => format!("{a}.{b}"),
        name => name,
    };
    let first = match outputs.iter().any(|name| name == drive) {
        true => format!("drive.{drive}"),
        false => drive.to_owned(),
    };
    let mut titles = vec![first];
    for name in outputs {
        titles.push(name.clone());
        titles.extend(["rate", "acceleration"].map(|what| derived(name, what)));
    }
    titles.extend(joint.map(|joint| derived("transmission", joint)));
    titles
}

impl KinematicsReport<'_> {
    fn outputs(&self) -> &[String] {
        &self.mechanism.output.outputs[..self.mechanism.elements.n_outputs]
    }

    fn joint(&self) -> Option<&str> {
        let joint = self.transmission?;
        Some(&self.mechanism.elements.joints[joint].name)
    }

    fn text(&self) -> String {
        let mut out = spaced(&self.lines(), 0);
        if let Some(rest @ [_, ..]) = self.outputs().get(OUTPUTS..) {
            let (n, names) = (rest.len(), rest.join(", "));
            let _ = writeln!(
                out,
                "{n} more of the outputs, with `--csv FILE` or `--json`: {names}"
            );
        }
        out.push('\n');
        for one in &self.results.dead_centres {
            let _ = writeln!(out, "{}", self.still(one));
        }
        if let PathEnd::Limit(limit) = &self.results.end {
            let name = &self.drive.coordinate.name;
            let place = value(limit.theta, &self.drive.coordinate);
            let _ = writeln!(out, "limit position: `{name}` stands still at {place}");
        }
        out + self.transmission_text().as_str()
    }

    /// Evenly spaced steps with the first outputs.
    fn lines(&self) -> Vec<Vec<String>> {
        let drive = &self.drive.coordinate;
        let mut titles = vec![format!("{} [{}]", drive.name, unit(drive.is_angle))];
        for name in self.outputs().iter().take(OUTPUTS) {
            titles.extend([name.clone(), format!("{name}'"), format!("{name}''")]);
        }
        titles.extend(self.joint().map(|joint| format!("µ({joint}) [deg]")));
        let steps = &self.results.steps;
        let last = steps.len() - 1;
        let n = ROWS.min(steps.len());
        let picked = (0..n).map(|k| &steps[k * last / (n - 1).max(1)]);
        let line = |step: &OutputStep| {
            let mut cells = vec![cell(in_units(step.theta, drive.is_angle))];
            let numbers = step.outputs.iter().take(OUTPUTS).flatten();
            cells.extend(numbers.map(|number| cell(*number)));
            cells.extend(step.transmission.map(|angle| cell(angle.to_degrees())));
            cells
        };
        std::iter::once(titles).chain(picked.map(line)).collect()
    }

    fn still(&self, one: &DeadCentre) -> String {
        let word = if one.is_largest {
            "largest"
        } else {
            "smallest"
        };
        let place = value(one.theta, &self.drive.coordinate);
        let (output, drive) = (&self.outputs()[one.output], &self.drive.coordinate.name);
        format!(
            "dead centre: `{output}` is {word}, {}, at `{drive}` = {place}",
            cell(one.value)
        )
    }

    fn transmission_text(&self) -> String {
        let Some(joint) = self.joint() else {
            return String::new();
        };
        let Some((least, most)) = self.extremes() else {
            return String::new();
        };
        let text = |step: &OutputStep| {
            let angle = step.transmission.unwrap_or(f64::NAN).to_degrees();
            format!(
                "{} deg at {}",
                cell(angle),
                value(step.theta, &self.drive.coordinate)
            )
        };
        format!(
            "transmission angle in `{joint}`: from {} to {}\n",
            text(least),
            text(most)
        )
    }

    /// The steps with the smallest and the largest transmission angle.
    fn extremes(&self) -> Option<(&OutputStep, &OutputStep)> {
        let angle = |step: &&OutputStep| step.transmission.unwrap_or(f64::NAN);
        let order = |a: &&OutputStep, b: &&OutputStep| angle(a).total_cmp(&angle(b));
        let steps = self.results.steps.iter();
        Some((steps.clone().min_by(order)?, steps.max_by(order)?))
    }

    fn csv(&self) -> String {
        let drive = &self.drive.coordinate.name;
        let mut out = titles(drive, self.outputs(), self.joint()).join(",") + "\n";
        for step in &self.results.steps {
            let numbers = std::iter::once(step.theta).chain(step.outputs.iter().flatten().copied());
            let cells = numbers.chain(step.transmission).map(known);
            let cells: Vec<String> = cells
                .map(|number| number.map_or(String::new(), |number| format!("{number:?}")))
                .collect();
            out += &(cells.join(",") + "\n");
        }
        out
    }

    fn json(&self) -> Value {
        let outputs = self.outputs();
        let step = |step: &OutputStep| {
            let values = outputs.iter().zip(&step.outputs);
            let values: serde_json::Map<String, Value> = values
                .map(|(name, numbers)| (name.clone(), json!(numbers.map(known))))
                .collect();
            json!({ "drive": step.theta, "outputs": values, "transmission": step.transmission })
        };
        let dead_centre = |one: &DeadCentre| {
            json!({
                "output": outputs[one.output],
                "drive": one.theta,
                "value": one.value,
                "extreme": if one.is_largest { "largest" } else { "smallest" },
            })
        };
        let (limit, lost) = match &self.results.end {
            PathEnd::Arrived => (None, None),
            PathEnd::Limit(point) => (Some(point.theta), None),
            PathEnd::Lost(theta) => (None, Some(*theta)),
        };
        json!({
            "drive": self.drive.coordinate.name,
            "unit": if self.drive.coordinate.is_angle { "rad" } else { "m" },
            "rate": self.drive.rate,
            "steps": self.results.steps.iter().map(step).collect::<Vec<_>>(),
            "dead_centres": self.results.dead_centres.iter().map(dead_centre).collect::<Vec<_>>(),
            "limit": limit,
            "lost": lost,
            "transmission": self.joint(),
        })
    }

    /// A703 if the range ends early.
    fn ended(&self) -> Diagnostics {
        let drive = &self.drive.coordinate;
        let message = match &self.results.end {
            PathEnd::Arrived => return Diagnostics::new(),
            PathEnd::Limit(limit) => format!(
                "`{}` can go no further than {}: the mechanism is in a limit position",
                drive.name,
                value(limit.theta, drive)
            ),
            PathEnd::Lost(theta) => format!(
                "the joints close no more beyond `{}` = {}",
                drive.name,
                value(*theta, drive)
            ),
        };
        Diagnostic::warning(Code::A703, &Element::root(), message)
            .hint("drive another joint to pass this position")
            .into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_columns_have_one_name() {
        let outputs = ["bob_", "bob__rate", "A", "transmission_B"].map(str::to_owned);
        let titles = titles("A", &outputs, Some("B"));
        let unique: std::collections::BTreeSet<_> = titles.iter().collect();
        assert_eq!(unique.len(), titles.len(), "{titles:?}");
        assert_eq!(
            titles[..4],
            ["drive.A", "bob_", "bob_.rate", "bob__acceleration"]
        );
    }
}
