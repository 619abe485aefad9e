//! The formulation with springs for joints. It is never chosen by its cost, because its motion differs.

use super::{Assembled, Candidate, CandidateFigures, Choice, Request};
use crate::assembly::{self, SpringStiffness};
use crate::diagnostics::{Code, Diagnostic, Diagnostics};
use crate::expr::{Expr, Symbol};
use crate::formulation::{self, JointSpring, RowRate, System};
use crate::model::Model;
use crate::symbolic::{self, Equations};

/// The candidate. `derive` is the stage of that name.
pub fn springs(
    request: &Request,
    absolute: &Assembled,
    derive: impl Fn(&System) -> Result<Equations, Diagnostics>,
) -> Result<Choice, Diagnostics> {
    let Request {
        model,
        topology,
        options,
        ..
    } = *request;
    let start = &absolute.assembly;
    let (system, equations) = (&absolute.system, &absolute.equations);
    let (springs, warnings) = assembly::stiffness(model, system, equations, &start.states)?;
    let rigid = symbolic::derive(&formulation::discrete(model))?;
    let system = formulation::soften(model, &springs.of_rows, &rates(&rigid));
    let equations = derive(&system)?;
    let axes = |model: &Model| Some(formulation::discrete(model));
    let assembly = assembly::transfer(model, start, &equations, axes).unwrap_or_default();
    let assembled = Assembled {
        system,
        equations,
        assembly,
    };
    let notes = vec![note(&assembled.system, &springs, model)];
    let kept = Candidate::lower("discrete", model, topology.clone(), assembled, options);
    let figures = CandidateFigures {
        kept: true,
        ..kept.figures(model)
    };
    Ok(Choice {
        kept,
        figures: vec![figures],
        notes,
        stable_below: Some(springs.stable_below),
        warnings,
    })
}

/// The names and sizes of the equations, without algebra.
pub fn outline(model: &Model) -> System {
    let n = formulation::discrete(model).rows.len();
    let spring = JointSpring {
        stiffness: Expr::zero(),
        damping: Expr::zero(),
    };
    let rate = RowRate {
        motion: Expr::zero(),
        time: Expr::zero(),
    };
    formulation::soften(model, &vec![spring; n], &vec![rate; n])
}

/// Joints and couplings that would give way, in a formulation in which none does.
pub fn without_effect(model: &Model, formulation: &str) -> Diagnostics {
    let mut found = Diagnostics::new();
    let joints = model.joints.iter().filter(|j| !j.compliance.is_empty());
    let joints = joints.map(|joint| ("joint", &joint.name, &joint.path));
    let couplings = model.couplings.iter().filter(|c| !c.compliance.is_empty());
    let couplings = couplings.map(|coupling| ("coupling", &coupling.name, &coupling.path));
    for (noun, name, path) in joints.chain(couplings) {
        let message = format!(
            "{noun} `{name}` is rigid in the formulation `{formulation}`: its stiffness and damping are not used"
        );
        let warning = Diagnostic::warning(Code::F405, path, message);
        let acts = match noun {
            "joint" => format!(
                "for a spring or a damper that acts in the joint write `[forces.{name}_damper]` with `type = \"damper\"`, \
                 `joint = \"{name}\"` and `damping`, or `type = \"spring\"` with `stiffness`; for"
            ),
            _ => "for".to_owned(),
        };
        found.push(warning.hint(format!(
            "{acts} a {noun} that gives way write `formulation = \"discrete\"`"
        )));
    }
    found
}

/// D v and Φ_t of every constraint equation.
fn rates(rigid: &Equations) -> Vec<RowRate> {
    let velocity = |j: u32| Expr::symbol(Symbol::Velocity(j));
    let rows = rigid.jacobian.iter().zip(&rigid.phi_t);
    rows.map(|(row, phi_t)| RowRate {
        motion: row.iter().map(|(j, entry)| entry * velocity(*j)).sum(),
        time: phi_t.clone(),
    })
    .collect()
}

fn note(system: &System, springs: &SpringStiffness, model: &Model) -> String {
    format!(
        "Joints are {} springs for steps of {:e} s; steps below {:.1e} s are stable.",
        system.compliant.len(),
        model.simulation.step,
        springs.stable_below
    )
}
