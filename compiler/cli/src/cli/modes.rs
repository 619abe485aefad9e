//! `bellcrank modes`: small motions about a state, and its state-space matrices.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use nalgebra::{Complex, DMatrix};
use serde_json::{Value, json};

use super::analysis::{AnalysedModel, cell, closed};
use super::report::Reporter;
use super::unweighed;
use super::{data, found, write};
use crate::analysis::close::joints;
use crate::analysis::linearize::{Linear, linearize, state_at, velocity_names};
use crate::analysis::mechanism::Mechanism;
use crate::analysis::modes::{self as small, Mode, ModeKind};
use crate::analysis::statics;
use crate::columns::spaced;
use crate::diagnostics::{Code, Diagnostic, Diagnostics, Path as Element};
use crate::numeric::State;

/// Parts of a shape below this share of the largest one are not printed.
const SEEN: f64 = 0.01;

/// The state is no equilibrium if an acceleration exceeds this share of the accelerations of a small motion.
const AT_REST: f64 = 1e-6;

/// Arguments of `modes`.
#[derive(Clone, Debug, Args)]
pub(super) struct Modes {
    #[command(flatten)]
    subject: AnalysedModel,
    /// The state: `equilibrium`, `start`, or the state of the motion at a time, `t=0.5`
    #[arg(long, default_value = "equilibrium", value_parser = place)]
    at: ModePosition,
    /// Write the matrices A, B, C and D as CSV files into a folder.
    #[arg(long, value_name = "FOLDER")]
    matrices: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug)]
enum ModePosition {
    Equilibrium,
    Start,
    Time(f64),
}

fn place(text: &str) -> Result<ModePosition, String> {
    match text {
        "equilibrium" => Ok(ModePosition::Equilibrium),
        "start" => Ok(ModePosition::Start),
        _ => {
            let time = text
                .strip_prefix("t=")
                .ok_or("expected `equilibrium`, `start` or `t=TIME`")?;
            let time = super::quantity::time(time)?;
            match time >= 0.0 {
                true => Ok(ModePosition::Time(time)),
                false => Err("time begins at 0".to_owned()),
            }
        }
    }
}

/// Prints frequencies and shapes, writes matrices.
pub(super) fn modes(arguments: &Modes, reporter: &mut Reporter) -> Result<(), Diagnostics> {
    let output = arguments.subject.compile(reporter)?;
    let mechanism = arguments.subject.mechanism(&output, reporter)?;
    unweighed::refuse(&mechanism, "a vibration")?;
    let state = arguments.state(&mechanism)?;
    let linear = linearize(&mechanism, &state, &joints(&mechanism)).ok_or_else(not_finite)?;
    let report = ModesReport {
        modes: small::modes(&linear, &mechanism),
        mechanism: &mechanism,
        linear: &linear,
    };
    if let Some(folder) = &arguments.matrices {
        report.write(folder)?;
    }
    match arguments.subject.json {
        true => data(&format!("{:#}\n", report.json()))?,
        false => data(&report.text())?,
    }
    reporter.tell(&report.moves(&state));
    Ok(())
}

impl Modes {
    fn state(&self, mechanism: &Mechanism) -> Result<State, Diagnostics> {
        let start = closed(mechanism)?;
        match self.at {
            ModePosition::Start => Ok(start),
            ModePosition::Time(_) if mechanism.has_events() => Err(Diagnostic::error(
                Code::C605,
                &Element::root(),
                "the mechanism has events, and nothing follows them here",
            )
            .hint("linearise about `--at start` or `--at equilibrium`")
            .into()),
            ModePosition::Time(time) => {
                let state = state_at(mechanism, &start, &joints(mechanism), time);
                state.ok_or_else(not_finite)
            }
            ModePosition::Equilibrium => {
                let rest = statics::statics(mechanism, &start, &[]).ok_or_else(not_finite)?;
                match rest.balance.found {
                    true => Ok(rest.balance.state),
                    false => Err(Diagnostic::error(
                        Code::A701,
                        &Element::root(),
                        "no equilibrium found to linearise about",
                    )
                    .hint("name another state with `--at start` or `--at t=TIME`")
                    .into()),
                }
            }
        }
    }
}

fn not_finite() -> Diagnostics {
    found(Code::A701, "the equations are not finite at this state")
}

/// The results, for people and programs.
struct ModesReport<'r> {
    mechanism: &'r Mechanism<'r>,
    linear: &'r Linear,
    modes: Vec<Mode>,
}

impl ModesReport<'_> {
    fn text(&self) -> String {
        let names: Vec<&str> = self
            .linear
            .coordinates
            .iter()
            .map(|one| one.name.as_str())
            .collect();
        let mut out = match names.is_empty() {
            true => return "nothing can move\n".to_owned(),
            false => format!("coordinates: {}\n\n", names.join(", ")),
        };
        let titles = [
            "mode",
            "",
            "f [Hz]",
            "damped f [Hz]",
            "damping",
            "growth [1/s]",
        ];
        let mut lines = vec![titles.map(str::to_owned).to_vec()];
        for (index, mode) in self.modes.iter().enumerate() {
            lines.push(vec![
                (index + 1).to_string(),
                mode.kind.words().to_owned(),
                cell(mode.natural_frequency()),
                cell(mode.damped_frequency()),
                cell(mode.damping()),
                cell(mode.eigenvalue.re),
            ]);
        }
        out += &spaced(&lines, 2);
        for (index, mode) in self.modes.iter().enumerate() {
            let _ = writeln!(out, "\nmode {}:", index + 1);
            out += &self.shape(mode);
        }
        out
    }

    /// The parts of a shape. The largest motion of a body has the size 1. Each part has its size, and its phase
    /// unless it moves with or against the largest one.
    fn shape(&self, mode: &Mode) -> String {
        let names = velocity_names(self.mechanism);
        let largest = mode
            .bodies
            .iter()
            .map(|part| part.norm())
            .fold(0.0, f64::max);
        let seen = |(_, part): &(&String, &Complex<f64>)| part.norm() > SEEN * largest;
        let line = |(name, part): (&String, &Complex<f64>)| {
            let mut line = vec![format!("  {name}")];
            match part.im.abs() <= 1e-6 * largest {
                true => line.extend([format!("{:.4}", part.re), String::new()]),
                false => line.extend([
                    format!("{:.4}", part.norm()),
                    format!("phase {:.1} deg", part.arg().to_degrees()),
                ]),
            }
            line
        };
        let lines: Vec<Vec<String>> = names
            .iter()
            .zip(mode.bodies.iter())
            .filter(seen)
            .map(line)
            .collect();
        spaced(&lines, 1)
    }

    fn states(&self) -> Vec<String> {
        let names = self.linear.coordinates.iter().map(|one| one.name.clone());
        let rates = self
            .linear
            .coordinates
            .iter()
            .map(|one| format!("{}_rate", one.name));
        names.chain(rates).collect()
    }

    fn outputs(&self) -> &[String] {
        &self.mechanism.output.outputs[..self.mechanism.elements.n_outputs]
    }

    /// `A.csv` and so on, with names in the first row and the first column.
    fn write(&self, folder: &Path) -> Result<(), Diagnostics> {
        let (states, inputs) = (self.states(), &self.mechanism.output.inputs);
        let Linear { a, b, c, d, .. } = self.linear;
        let files = [
            ("A.csv", a, &states[..], &states[..]),
            ("B.csv", b, &states, inputs),
            ("C.csv", c, self.outputs(), &states),
            ("D.csv", d, self.outputs(), inputs),
        ];
        let failed = |why| {
            found(
                Code::C601,
                format!("cannot write {}: {why}", folder.display()),
            )
        };
        fs::create_dir_all(folder).map_err(failed)?;
        for (name, matrix, rows, columns) in files {
            write(&folder.join(name), &csv(matrix, rows, columns))?;
        }
        Ok(())
    }

    fn json(&self) -> Value {
        let complex = |part: &Complex<f64>| json!([part.re, part.im]);
        let bodies = velocity_names(self.mechanism);
        let mode = |mode: &Mode| {
            let shape = bodies.iter().cloned().zip(mode.bodies.iter().map(complex));
            json!({
                "kind": word(mode.kind),
                "eigenvalue": complex(&mode.eigenvalue),
                "frequency_hz": mode.natural_frequency(),
                "damped_frequency_hz": mode.damped_frequency(),
                "damping_ratio": mode.damping(),
                "coordinates": mode.shape.iter().map(complex).collect::<Vec<_>>(),
                "bodies": shape.collect::<serde_json::Map<_, _>>(),
            })
        };
        let Linear { a, b, c, d, .. } = self.linear;
        json!({
            "states": self.states(),
            "inputs": self.mechanism.output.inputs,
            "outputs": self.outputs(),
            "A": rows(a),
            "B": rows(b),
            "C": rows(c),
            "D": rows(d),
            "undamped_hz": small::undamped(self.linear),
            "modes": self.modes.iter().map(mode).collect::<Vec<_>>(),
            "drift": self.linear.drift.as_slice(),
        })
    }

    /// A704 if the state is no equilibrium.
    fn moves(&self, state: &State) -> Diagnostics {
        let scale = self.linear.a.amax().max(f64::MIN_POSITIVE);
        let accelerates = self.linear.drift.amax() > AT_REST * scale;
        let moving = state.velocities().amax() > AT_REST * self.mechanism.size();
        let message = match (accelerates, moving) {
            (false, false) => return Diagnostics::new(),
            (true, _) => "the state is no equilibrium: the forces do not balance there",
            (false, true) => {
                "the state moves: the matrices hold for small motions beside it, as long as it does not change them"
            }
        };
        let warning = Diagnostic::warning(Code::A704, &Element::root(), message);
        warning.hint("`--at equilibrium` looks for a rest").into()
    }
}

fn word(kind: ModeKind) -> &'static str {
    match kind {
        ModeKind::Rigid => "rigid",
        ModeKind::Oscillating => "oscillating",
        ModeKind::Decaying => "decaying",
        ModeKind::Flutter => "flutter",
        ModeKind::Diverging => "diverging",
    }
}

fn rows(matrix: &DMatrix<f64>) -> Vec<Vec<f64>> {
    let row = |row: nalgebra::DVectorView<f64>| row.iter().copied().collect();
    let transposed = matrix.transpose();
    transposed.column_iter().map(row).collect()
}

fn csv(matrix: &DMatrix<f64>, rows: &[String], columns: &[String]) -> String {
    let mut out = format!(",{}\n", columns.join(","));
    for (index, name) in rows.iter().enumerate() {
        let numbers = matrix
            .row(index)
            .iter()
            .map(|x| format!("{x:?}"))
            .collect::<Vec<_>>();
        out += &format!("{name},{}\n", numbers.join(","));
    }
    out
}
