//! The summary of a compilation in a few lines, as `bellcrank check` prints it.

use std::fmt::Write as _;

use crate::Compiled;
use crate::description::Space;
use crate::diagnostics::Code;
use crate::kernel;
use crate::model::JointId;
use crate::search;

/// Degrees of freedom, loops and redundant constraint equations first, then the size of the mechanism and its
/// coordinates.
pub(super) fn summary(compiled: &Compiled) -> String {
    let mut out = String::new();
    let _ = freedom(&mut out, compiled);
    let _ = loops(&mut out, compiled);
    let _ = redundant(&mut out, compiled);
    let _ = counts(&mut out, compiled);
    out
}

/// Operations of each function, and the formulations that were compared.
pub(super) fn operations(compiled: &Compiled) -> String {
    let mut out = String::new();
    let _ = counted_operations(&mut out, compiled);
    let _ = candidates(&mut out, compiled);
    out
}

fn freedom(out: &mut String, compiled: &Compiled) -> std::fmt::Result {
    let (model, system) = (&compiled.model, &compiled.system);
    let space = match model.space {
        Space::Planar => "planar",
        Space::Spatial => "spatial",
    };
    writeln!(out, "{}, {space}", model.name)?;
    let freedoms = compiled.assembly.freedoms;
    write!(out, "  degrees of freedom  {freedoms:>5}")?;
    match system.rows.iter().filter(|row| row.driver).count() {
        0 => writeln!(out),
        1 => writeln!(out, "  (1 more is prescribed by a motion)"),
        n => writeln!(out, "  ({n} more are prescribed by motions)"),
    }
}

fn counts(out: &mut String, compiled: &Compiled) -> std::fmt::Result {
    let Compiled { model, system, .. } = compiled;
    writeln!(out, "  bodies              {:>5}", model.bodies.len())?;
    writeln!(out, "  joints              {:>5}", model.joints.len())?;
    if !model.couplings.is_empty() {
        writeln!(out, "  couplings           {:>5}", model.couplings.len())?;
    }
    writeln!(out, "  formulation         {}", compiled.formulation)?;
    let equations = match system.rows.len() {
        1 => "1 constraint equation".to_owned(),
        n => format!("{n} constraint equations"),
    };
    let (n, m) = (system.coordinates.len(), system.velocities.len());
    writeln!(out, "    {n} coordinates, {m} velocities, {equations}")?;
    compliant(out, compiled)
}

/// The constraint equations that springs replace, by joint.
fn compliant(out: &mut String, compiled: &Compiled) -> std::fmt::Result {
    let rows = &compiled.system.compliant;
    if rows.is_empty() {
        return Ok(());
    }
    writeln!(out, "  compliant           {:>5}", rows.len())?;
    for joint in rows.chunk_by(|a, b| a.owner == b.owner) {
        let kept: Vec<_> = joint.iter().map(|row| row.keeps.as_str()).collect();
        let (name, _) = joint[0].owner(&compiled.model);
        writeln!(out, "    {name}: {}", kept.join(", "))?;
    }
    Ok(())
}

fn loops(out: &mut String, compiled: &Compiled) -> std::fmt::Result {
    let name = |id: &JointId| compiled.model.joints[id.0 as usize].name.as_str();
    writeln!(
        out,
        "  loops               {:>5}",
        compiled.topology.loops.len()
    )?;
    for joints in &compiled.topology.loops {
        let names: Vec<_> = joints.iter().map(name).collect();
        if let Some((cut, rest)) = names.split_first() {
            writeln!(out, "    {cut} closes {}", rest.join(" – "))?;
        }
    }
    Ok(())
}

fn redundant(out: &mut String, compiled: &Compiled) -> std::fmt::Result {
    let rows = &compiled.assembly.redundant;
    writeln!(out, "  redundant           {:>5}", rows.len())?;
    // Where loops were cut in the end decides which equations are left out. The warning names the redundant joints,
    // once.
    let warnings = compiled
        .warnings
        .iter()
        .filter(|one| one.code == Code::T303);
    for warning in warnings {
        writeln!(out, "    {}", warning.message)?;
    }
    Ok(())
}

/// Counts as in the header of the generated code, weighted by the cost of each operation on a current processor.
fn counted_operations(out: &mut String, compiled: &Compiled) -> std::fmt::Result {
    writeln!(out, "  operations                 all  weighted")?;
    for function in &compiled.kernel.functions {
        let name = format!("{:?}", function.name);
        let counts = kernel::counts(&function.instructions);
        let (all, weighted) = (counts.operations(), counts.weighted());
        writeln!(out, "    {name:<20} {all:>7}  {weighted:>8}")?;
    }
    Ok(())
}

/// The formulations that were compared, if there was a choice.
fn candidates(out: &mut String, compiled: &Compiled) -> std::fmt::Result {
    for note in &compiled.notes {
        writeln!(out, "  {note}")?;
    }
    if compiled.candidates.len() > 1 {
        for line in search::aligned(&compiled.candidates).lines() {
            writeln!(out, "    {line}")?;
        }
    }
    Ok(())
}
