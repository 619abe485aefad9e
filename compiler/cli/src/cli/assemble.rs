//! `bellcrank assemble`: closes a rough guess, or reports the joints that stay open.

use std::fmt::Write as _;

use clap::Args;
use serde_json::{Value, json};

use super::analysis::{AnalysedModel, cell, counted};
use super::data;
use super::report::Reporter;
use crate::analysis::assemble::{self, AssemblyAnswer, PlacedBody};
use crate::analysis::mechanism::Mechanism;
use crate::analysis::open::open;
use crate::columns::spaced;
use crate::diagnostics::Diagnostics;

/// Arguments of `assemble`.
#[derive(Clone, Debug, Args)]
pub(super) struct Assemble {
    #[command(flatten)]
    subject: AnalysedModel,
    /// Print the closed positions as TOML, to paste into the description
    #[arg(long, conflicts_with = "json")]
    write: bool,
}

/// Prints where everything is; joints that stay open are an error.
pub(super) fn assemble(arguments: &Assemble, reporter: &mut Reporter) -> Result<(), Diagnostics> {
    let output = arguments.subject.compile(reporter)?;
    let mechanism = arguments.subject.mechanism(&output, reporter)?;
    let assembled = assemble::assemble(&mechanism);
    let found = open(&mechanism, &assembled.open);
    let text = match (arguments.subject.json, arguments.write) {
        (true, _) => format!("{:#}\n", as_json(&mechanism, &assembled, &found)),
        (_, true) if found.is_empty() => toml(&mechanism, &assembled),
        // A place that does not close is nothing to start from.
        (_, true) => String::new(),
        _ => text(&mechanism, &assembled),
    };
    data(&text)?;
    found.finish(()).map(drop)
}

fn text(mechanism: &Mechanism, assembled: &AssemblyAnswer) -> String {
    let mut out = String::new();
    let state = if assembled.open.is_empty() {
        "closed"
    } else {
        "open"
    };
    let freedoms = counted(
        assembled.freedoms,
        "degree of freedom",
        "degrees of freedom",
    );
    let redundant = counted(
        assembled.redundant.len(),
        "redundant constraint equation",
        "redundant constraint equations",
    );
    let _ = writeln!(out, "{state}: {freedoms}, {redundant}\n");
    out += &bodies(mechanism, assembled);
    out.push('\n');
    out += &joints(mechanism, assembled);
    for row in &assembled.redundant {
        let part = &mechanism.elements.rows[*row];
        let _ = writeln!(out, "`{}` of `{}` is redundant", part.keeps, part.owner);
    }
    out
}

fn bodies(mechanism: &Mechanism, assembled: &AssemblyAnswer) -> String {
    let planar = mechanism.is_planar();
    let titles: &[&str] = match planar {
        true => &[
            "body",
            "x [m]",
            "y [m]",
            "angle [deg]",
            "moved [m]",
            "turned [deg]",
        ],
        false => &[
            "body",
            "x [m]",
            "y [m]",
            "z [m]",
            "e0",
            "e1",
            "e2",
            "e3",
            "moved [m]",
            "turned [deg]",
        ],
    };
    let line = |(name, body): (&String, &PlacedBody)| {
        let mut numbers: Vec<f64> = place(body, planar);
        match planar {
            true => numbers.push(body.angle.to_degrees()),
            false => numbers.extend(body.orientation),
        }
        numbers.extend([body.moved, body.turned.to_degrees()]);
        let cells = numbers.into_iter().map(cell);
        std::iter::once(name.clone()).chain(cells).collect()
    };
    let names = mechanism.elements.bodies.iter().map(|body| &body.name);
    let lines = names.zip(&assembled.bodies).map(line);
    let titles = titles.iter().map(|title| (*title).to_owned()).collect();
    spaced(&std::iter::once(titles).chain(lines).collect::<Vec<_>>(), 1)
}

fn joints(mechanism: &Mechanism, assembled: &AssemblyAnswer) -> String {
    let titles = ["joint", "keeps", "in the guess", "left"].map(str::to_owned);
    let mut lines = vec![titles.to_vec()];
    for gap in &assembled.rows {
        let part = &mechanism.elements.rows[gap.row];
        let joint = part.owner.clone();
        let sizes = [gap.before, gap.after].map(|gap| format!("{gap:.2e}"));
        let [before, after] = sizes;
        lines.push(vec![joint, part.keeps.clone(), before, after]);
    }
    spaced(&lines, 2)
}

fn place(body: &PlacedBody, planar: bool) -> Vec<f64> {
    let n = if planar { 2 } else { 3 };
    body.position[..n].to_vec()
}

/// With all digits, so that the guess is closed from then on.
fn toml(mechanism: &Mechanism, assembled: &AssemblyAnswer) -> String {
    let planar = mechanism.is_planar();
    let mut out = String::new();
    for (part, body) in mechanism.elements.bodies.iter().zip(&assembled.bodies) {
        let _ = writeln!(out, "[bodies.{}]", part.name);
        let _ = writeln!(out, "position = {:?}", place(body, planar));
        let _ = match planar {
            true => writeln!(out, "angle = {:?}\n", body.angle),
            false => writeln!(out, "orientation = {:?}\n", body.orientation),
        };
    }
    out
}

fn as_json(mechanism: &Mechanism, assembled: &AssemblyAnswer, found: &Diagnostics) -> Value {
    let elements = mechanism.elements;
    let bodies = elements.bodies.iter().zip(&assembled.bodies);
    let bodies: Vec<Value> = bodies
        .map(|(part, body)| {
            let mut entry = json!({
                "name": part.name,
                "position": place(body, mechanism.is_planar()),
                "moved": body.moved,
                "turned": body.turned,
            });
            match mechanism.is_planar() {
                true => entry["angle"] = json!(body.angle),
                false => entry["orientation"] = json!(body.orientation),
            }
            entry
        })
        .collect();
    let row = |row: usize| {
        let part = &elements.rows[row];
        json!({ "joint": part.owner, "keeps": part.keeps })
    };
    let rows: Vec<Value> = assembled
        .rows
        .iter()
        .map(|gap| {
            let mut entry = row(gap.row);
            entry["before"] = json!(gap.before);
            entry["after"] = json!(gap.after);
            entry
        })
        .collect();
    let gaps = assembled.open.iter().filter_map(|one| match one {
        assemble::OpenJoint::Joint(gap) => Some(json!({
            "joint": elements.joints[gap.joint].name,
            "gap": gap.gap,
            "unit": if gap.is_angle { "rad" } else { "m" },
        })),
        _ => None,
    });
    json!({
        "closed": assembled.open.is_empty(),
        "freedoms": assembled.freedoms,
        "redundant": assembled.redundant.iter().map(|one| row(*one)).collect::<Vec<_>>(),
        "bodies": bodies,
        "rows": rows,
        "open": gaps.collect::<Vec<_>>(),
        "found": found.iter().map(|one| one.message.clone()).collect::<Vec<_>>(),
    })
}
