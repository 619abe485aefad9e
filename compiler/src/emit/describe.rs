//! Describes each function in its doc comment: its results, its inputs, its formula and its cost.

use proc_macro2::TokenStream;

use super::context::Context;
use super::docs::{cost, doc};
use super::plan::{Plan, Statement};
use crate::kernel::{Array, Name};

/// Names of coordinates that a comment lists; more are counted.
const LISTED: usize = 12;

/// Characters that a line of a comment may have.
const WIDTH: usize = 88;

/// The doc comment of a function.
pub fn describe(context: &Context, plan: &Plan) -> TokenStream {
    let about = match plan.name {
        Name::Accelerate => accelerate(context, plan).to_owned(),
        Name::Normalize => normalize(context, plan),
        name => about(name).to_owned(),
    };
    let costs = cost(plan);
    let (first, rest) = costs.split_at(1);
    doc(&format!(
        "{}\n\n{}{rest}.",
        wrapped(&about),
        first.to_uppercase()
    ))
}

/// The text in lines of at most [`WIDTH`] characters.
fn wrapped(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().expect("there is a line");
        match line.chars().count() + 1 + word.chars().count() {
            _ if line.is_empty() => line.push_str(word),
            ..=WIDTH => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.join("\n")
}

fn about(name: Name) -> &'static str {
    match name {
        Name::Prepare => {
            "Derives from the parameters `p` the values `d` that depend on nothing else."
        }
        Name::Guess => {
            "The initial guess of the description at the parameters as they are. Assembly starts from it."
        }
        Name::Rates => "Rates of the coordinates from the velocities: q̇ = T v.",
        Name::Accelerate => {
            "Accelerations v̇ and multipliers λ of the state (t, q, v): M v̇ = Q + Dᵀ λ and D v̇ = γ. `out` also gets q̇ = T v, \
             the factor of D M⁻¹ Dᵀ for the corrections, the margin of its smallest pivot, and the power of the forces without \
             a potential."
        }
        Name::Constraints => "Violations of the constraint equations: Φ(q, t).",
        Name::VelocityConstraints => {
            "Violations of the constraint equations at velocity level: Φ̇ = D v + Φ_t."
        }
        Name::PositionCorrection => {
            "A Newton step of the coordinates towards Φ = 0, with the factor `f` that `accelerate` gave: \
             Δq = −T M⁻¹ Dᵀ (D M⁻¹ Dᵀ)⁻¹ Φ."
        }
        Name::VelocityCorrection => {
            "The change of velocities that makes Φ̇ = 0, with the factor `f` that `accelerate` gave: \
             Δv = −M⁻¹ Dᵀ (D M⁻¹ Dᵀ)⁻¹ Φ̇."
        }
        Name::Normalize => {
            "Restores coordinates `q` that belong together: p ← p L / √(p · p) for arms, axes and Euler parameters of \
             constant length L. Three axes also become orthogonal, and an angle that counts turns becomes that of its \
             axis or arm, in the same turn."
        }
        Name::Dense => {
            "The terms of the equations for the dense solve of the runtime: M, E = (D; H), Q, γ, q̇, Φ_t and the power of the \
             applied forces without a potential. H are the rows of what assembly holds."
        }
        Name::MassTimes => "The product M x at the coordinates `q`, without the matrix.",
        Name::Holds => "What assembly holds besides the constraint equations, and its rates.",
        Name::Energy => {
            "Kinetic energy of the bodies, and potential energy of gravity and springs."
        }
        Name::Outputs => {
            "The outputs of the description at the state (t, q, v) with its accelerations and multipliers, in the order of \
             `OUTPUTS`."
        }
        Name::Reactions => {
            "Force and torque of each joint on its second body, in world axes, in the order of `JOINTS`: six numbers a joint, \
             from the state with its accelerations and multipliers."
        }
        Name::Events => {
            "The expressions that cross zero at events, in the order of `EVENTS`, from the state with its accelerations and \
             multipliers."
        }
        Name::Transitions => {
            "The values that events give to variables, event after event, from the state and the variables as they are."
        }
        Name::Advance => {
            "Moves the coordinates `q` along q̇ = T v for unit time with v = `step`. Arms, axes and Euler parameters keep their \
             lengths."
        }
        Name::AccelerateBaumgarte => {
            "Accelerations and multipliers that pull violations back: M v̇ = Q + Dᵀ λ and D v̇ = γ − a Φ̇ − b Φ, with a the \
             damping and b the stiffness of `gains`."
        }
        Name::AcceleratePenalty => {
            "Accelerations and multipliers of constraint equations that give way, for the multipliers λ* that are given: \
             M v̇ = Q + Dᵀ λ and D v̇ + c (λ − λ*) = γ − a Φ̇ − b Φ, with a, b and c the damping, stiffness and compliance of \
             `gains`."
        }
        Name::PenaltyCorrection => {
            "A projection with the factor `f` that `accelerate_penalty` gave: Δ = −M⁻¹ Dᵀ y with (D M⁻¹ Dᵀ + c) y = Φ."
        }
        Name::PlainFactor => "The factor of a projection without masses: D Dᵀ = L Δ Lᵀ.",
        Name::PlainCorrection => {
            "A projection without masses, with the factor `f` that `plain_factor` gave: Δ = −Dᵀ (D Dᵀ)⁻¹ Φ."
        }
        Name::InnerCorrection => {
            "`plain_correction` with those constraint equations alone that keep distances between points of one body: \
             Δ = −Dᵀ (D Dᵀ)⁻¹ Φ."
        }
        Name::StandardFactor => {
            "The factor of a projection of all coordinates: H Hᵀ = L Δ Lᵀ with H = ∂(f, Φ)/∂q, where f = p · p − 1 for each set \
             of Euler parameters p."
        }
        Name::StandardCorrection => {
            "A projection of all coordinates, with the factor `f` that `standard_factor` gave: Δq = −Hᵀ (H Hᵀ)⁻¹ (f, Φ)."
        }
        Name::Jacobian => "The Jacobian of the constraint equations: D = ∂Φ̇/∂v.",
        Name::Residual => {
            "What the accelerations and multipliers that are given leave of the equations of motion: M v̇ − Q − Dᵀ λ."
        }
        Name::Tangents => {
            "Derivatives of the residual r = M v̇ − Q − Dᵀ λ: the stiffness K = ∂r/∂s along δq = T δs, and the damping \
             C = ∂r/∂v."
        }
        Name::TangentFactor => {
            "The factor of the matrix of a Newton step, [m M + c C + k K, −Dᵀ; D, ε], with m, c, k and ε the mass, damping, \
             stiffness and compliance of `weights`."
        }
        Name::TangentSolve => {
            "A Newton step with the factor `f` that `tangent_factor` gave: (m M + c C + k K) x − Dᵀ y = `forces` and \
             D x + ε y = `phi`, with x in `dv` and y in `multipliers`."
        }
    }
}

/// Without an unrolled solve the function has little to say, and without constraint equations there are no multipliers.
fn accelerate(context: &Context, plan: &Plan) -> &'static str {
    let writes = |array| {
        let is = |statement: &Statement| matches!(statement, Statement::Write(slot, _) if slot.array == array);
        plan.statements.iter().any(is)
    };
    match (writes(Array::Margin), context.sizes.constraints) {
        (false, _) => "Leaves the accelerations to the dense solve of the runtime.",
        (true, 0) => {
            "Accelerations v̇ of the state (t, q, v): M v̇ = Q. `out` also gets q̇ = T v, the margin of the smallest pivot of M, \
             and the power of the forces without a potential."
        }
        (true, _) => about(Name::Accelerate),
    }
}

fn normalize(context: &Context, plan: &Plan) -> String {
    let written = plan.statements.iter().filter_map(|one| match one {
        Statement::Write(slot, _) => Some(slot.index),
        _ => None,
    });
    let mut written: Vec<u32> = written.collect();
    written.sort_unstable();
    let name = |index: &u32| {
        let name = context.locals.name(Array::Coordinates, *index);
        name.map_or(format!("`q[{index}]`"), |name| format!("`{name}`"))
    };
    match written.len() {
        0 => "Changes nothing: no coordinates have a constant length.".to_owned(),
        1..=LISTED => {
            let list: Vec<_> = written.iter().map(name).collect();
            format!("{} Here: {}.", about(Name::Normalize), list.join(", "))
        }
        n => format!("{} Here: {n} of them.", about(Name::Normalize)),
    }
}
