//! `bellcrank statics`: the position where forces balance, the holding efforts, and the reactions.

use std::fmt::Write as _;

use clap::Args;
use nalgebra::DVector;
use serde_json::{Value, json};

use super::analysis::{AnalysedModel, cell, closed, in_units, unit};
use super::data;
use super::report::Reporter;
use super::unweighed;
use crate::analysis::linearize::velocity_names;
use crate::analysis::mechanism::{Mechanism, WatchedCoordinate};
use crate::analysis::statics::{self as rest, Stability};
use crate::columns::spaced;
use crate::diagnostics::{Code, Diagnostic, Diagnostics, Path};

/// Arguments of `statics`.
#[derive(Clone, Debug, Args)]
pub(super) struct StaticsArguments {
    #[command(flatten)]
    subject: AnalysedModel,
    /// Keep a joint coordinate where it starts, and print the effort that this needs
    #[arg(long, value_name = "JOINT[.COORDINATE]", value_delimiter = ',')]
    hold: Vec<String>,
}

/// Prints the equilibrium; A701 if none was found.
pub(super) fn statics(
    arguments: &StaticsArguments,
    reporter: &mut Reporter,
) -> Result<(), Diagnostics> {
    let output = arguments.subject.compile(reporter)?;
    let mechanism = arguments.subject.mechanism(&output, reporter)?;
    unweighed::refuse(&mechanism, "an equilibrium")?;
    let start = closed(&mechanism)?;
    let held = arguments.hold.iter().map(|name| mechanism.coordinate(name));
    let held: Vec<WatchedCoordinate> = held.collect::<Result<_, _>>()?;
    let statics = rest::statics(&mechanism, &start, &held).ok_or_else(not_finite)?;
    if !statics.balance.found {
        return Err(not_found(&mechanism, &statics));
    }
    match arguments.subject.json {
        true => data(&format!("{:#}\n", as_json(&mechanism, &statics))),
        false => data(&text(&mechanism, &statics)),
    }
}

fn not_finite() -> Diagnostics {
    let message = "forces are not finite on the way to a rest";
    let diagnostic = Diagnostic::error(Code::A701, &Path::root(), message);
    diagnostic
        .hint("look for a division by zero, or a root of a negative number")
        .into()
}

/// Names the body that moves most along the motion that stays out of balance.
fn not_found(mechanism: &Mechanism, statics: &rest::Statics) -> Diagnostics {
    let balance = &statics.balance;
    let motion: DVector<f64> = &balance.motions.free * &balance.open;
    let names = velocity_names(mechanism);
    let most = (0..motion.len()).max_by(|a, b| motion[*a].abs().total_cmp(&motion[*b].abs()));
    let name = most.map_or("", |k| names[k].as_str());
    let message = format!("no equilibrium found: nothing balances the forces along `{name}`");
    Diagnostic::error(Code::A701, &Path::root(), message)
        .hint("hold a joint with `--hold`, add what should carry it, or guess a place nearer to the rest")
        .into()
}

fn text(mechanism: &Mechanism, statics: &rest::Statics) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{} equilibrium", statics.stability.word());
    if statics.stability == Stability::Unstable {
        let _ = writeln!(out, "a small push is enough to leave it");
    }
    for part in [
        places(mechanism, statics),
        holding(statics),
        elements(mechanism, statics),
        reactions(mechanism, statics),
        outputs(mechanism, statics),
    ] {
        if !part.is_empty() {
            out.push('\n');
            out += &part;
        }
    }
    out
}

fn titles(list: &[&str]) -> Vec<String> {
    list.iter().map(|title| (*title).to_owned()).collect()
}

fn places(mechanism: &Mechanism, statics: &rest::Statics) -> String {
    let state = &statics.balance.state;
    let places = mechanism.places(state);
    let planar = mechanism.is_planar();
    let mut lines = vec![titles(match planar {
        true => &["body", "x [m]", "y [m]", "angle [deg]"],
        false => &["body", "x [m]", "y [m]", "z [m]", "e0", "e1", "e2", "e3"],
    })];
    for (index, body) in mechanism.elements.bodies.iter().enumerate() {
        let mut numbers = places[index].to_vec();
        match planar {
            true => numbers[2] = state.q[3 * index + 2].to_degrees(),
            false => numbers.extend(&state.q[7 * index + 3..7 * index + 7]),
        }
        let cells = numbers.into_iter().map(cell);
        lines.push(std::iter::once(body.name.clone()).chain(cells).collect());
    }
    spaced(&lines, 1)
}

fn effort(is_angle: bool) -> &'static str {
    if is_angle { "N m" } else { "N" }
}

fn holding(statics: &rest::Statics) -> String {
    if statics.holding.is_empty() {
        return String::new();
    }
    let mut lines = vec![titles(&["held", "", "", "at", "by"])];
    for one in &statics.holding {
        lines.push(vec![
            one.name.clone(),
            unit(one.is_angle).to_owned(),
            effort(one.is_angle).to_owned(),
            cell(in_units(one.value, one.is_angle)),
            cell(one.effort),
        ]);
    }
    spaced(&lines, 3)
}

fn elements(mechanism: &Mechanism, statics: &rest::Statics) -> String {
    let elements = mechanism.elements.elements.iter().zip(&statics.elements);
    let mut lines = vec![titles(&["element", "", "force"])];
    lines.extend(elements.map(|(part, force)| {
        let unit = effort(part.is_torque).to_owned();
        vec![part.name.clone(), unit, cell(*force)]
    }));
    if lines.len() == 1 {
        return String::new();
    }
    spaced(&lines, 2)
}

/// The components that exist in the plane or in space.
fn components(reaction: &[f64; 6], planar: bool) -> Vec<f64> {
    match planar {
        true => vec![reaction[0], reaction[1], reaction[5]],
        false => reaction.to_vec(),
    }
}

fn reactions(mechanism: &Mechanism, statics: &rest::Statics) -> String {
    let planar = mechanism.is_planar();
    let mut lines = vec![titles(match planar {
        true => &["joint", "x [N]", "y [N]", "torque [N m]"],
        false => &[
            "joint", "x [N]", "y [N]", "z [N]", "x [N m]", "y [N m]", "z [N m]",
        ],
    })];
    for (joint, reaction) in mechanism.elements.joints.iter().zip(&statics.reactions) {
        let cells = components(reaction, planar).into_iter().map(cell);
        lines.push(std::iter::once(joint.name.clone()).chain(cells).collect());
    }
    spaced(&lines, 1)
}

fn outputs(mechanism: &Mechanism, statics: &rest::Statics) -> String {
    let names = mechanism.output.outputs.iter().zip(&statics.outputs);
    let mut lines = vec![titles(&["output", "value"])];
    lines.extend(names.map(|(name, value)| vec![name.clone(), cell(*value)]));
    if lines.len() == 1 {
        return String::new();
    }
    spaced(&lines, 1)
}

fn as_json(mechanism: &Mechanism, statics: &rest::Statics) -> Value {
    let elements = mechanism.elements;
    let planar = mechanism.is_planar();
    let state = &statics.balance.state;
    let places = mechanism.places(state);
    let body = |index: usize| {
        let place = &places[index];
        match planar {
            true => json!({ "position": place[..2], "angle": state.q[3 * index + 2] }),
            false => json!({
                "position": place,
                "orientation": state.q[7 * index + 3..7 * index + 7],
            }),
        }
    };
    let named = |names: Vec<&String>, values: Vec<Value>| -> Value {
        let pairs = names.into_iter().cloned().zip(values);
        Value::Object(pairs.collect())
    };
    let numbers = |list: &[f64]| list.iter().map(|x| json!(x)).collect();
    let bodies = (0..elements.bodies.len()).map(body).collect();
    let reactions = statics.reactions.iter();
    let reactions = reactions.map(|one| json!({ "force": one[..3], "torque": one[3..] }));
    let holding = statics.holding.iter().map(|one| {
        json!({
            "coordinate": one.name,
            "value": one.value,
            "effort": one.effort,
            "unit": effort(one.is_angle),
        })
    });
    json!({
        "stability": statics.stability.word(),
        "stiffnesses": statics.stiffnesses,
        "bodies": named(elements.bodies.iter().map(|one| &one.name).collect(), bodies),
        "holding": holding.collect::<Vec<_>>(),
        "elements": named(elements.elements.iter().map(|one| &one.name).collect(), numbers(&statics.elements)),
        "reactions": named(elements.joints.iter().map(|one| &one.name).collect(), reactions.collect()),
        "outputs": named(mechanism.output.outputs.iter().take(elements.n_outputs).collect(), numbers(&statics.outputs)),
    })
}
