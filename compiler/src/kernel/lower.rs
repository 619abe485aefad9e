//! From the derived equations to the functions of the kernel.

use super::advance::advance;
use super::extra::{ExtraInputs, functions};
use super::normalize::normalize;
use crate::assembly::Assembly;
use crate::expr::Expr;
use crate::kernel::builder::draft::FunctionDraft;
use crate::kernel::builder::translate::{Lowering, Translation};
use crate::kernel::passes::balance::balance;
use crate::kernel::passes::hoist::Prepared;
use crate::kernel::passes::place_signs::place_signs;
use crate::kernel::passes::schedule::schedule;
use crate::kernel::solve::choose::{SolveCandidate, choose};
use crate::kernel::solve::schur;
use crate::kernel::solve::stabilization;
use crate::kernel::{Array, Kernel, Name, Sizes};
use crate::options::{Extra, Options};
use crate::symbolic::Equations;

/// Numbers of values that the caller of a mechanism or its events may set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoweringSettings {
    /// Parameters of the model.
    pub parameters: usize,
    /// Inputs of the model.
    pub inputs: usize,
    /// Discrete variables of the model.
    pub variables: usize,
    /// Functions beyond those that every method needs, in order.
    pub extras: Vec<Extra>,
}

/// The functions of a mechanism.
pub fn lower(
    equations: &Equations,
    assembly: &Assembly,
    settings: LoweringSettings,
    options: &Options,
) -> Kernel {
    let chosen = choose(equations, assembly, options);
    lower_chosen(equations, assembly, chosen, settings, options)
}

/// The functions of a mechanism that is solved in this way.
pub fn lower_chosen(
    equations: &Equations,
    assembly: &Assembly,
    chosen: SolveCandidate,
    settings: LoweringSettings,
    options: &Options,
) -> Kernel {
    let source = ExtraInputs {
        equations,
        assembly,
        solve: chosen.solve,
        rows: &independent(equations, assembly),
        options,
    };
    let mut sizes = sizes(equations, &settings, chosen.n_factor);
    let extras = settings.extras.iter();
    let extras: Vec<_> = extras
        .flat_map(|one| functions(*one, &source, &mut sizes))
        .collect();
    let drafts = [
        rates(equations),
        chosen.accelerate,
        plain(
            equations,
            Name::Constraints,
            &[(Array::Constraints, &equations.phi)],
        ),
        velocity_constraints(equations),
        chosen.position_correction,
        chosen.velocity_correction,
        normalize(equations),
        advance(equations),
        schur::dense(equations),
        schur::mass_times(equations),
        holds(equations),
        energy(equations),
        plain(
            equations,
            Name::Outputs,
            &[(Array::Outputs, &equations.outputs)],
        ),
        plain(
            equations,
            Name::Reactions,
            &[(Array::Reactions, equations.reactions.as_flattened())],
        ),
        plain(
            equations,
            Name::Events,
            &[(Array::Events, &equations.events)],
        ),
        plain(
            equations,
            Name::Transitions,
            &[(Array::Transitions, &equations.transitions)],
        ),
    ];
    let mut prepared = Prepared::default();
    let drafts = drafts.into_iter().chain(extras);
    let hoisted: Vec<_> = drafts
        .map(|draft| prepared.hoist(&draft.finish()))
        .collect();
    sizes.derived = prepared.n_derived();
    // The guess is asked for once, so nothing of it is worth keeping.
    let once = [prepared.finish(), guess(equations).finish()];
    let functions = once.into_iter().chain(hoisted);
    Kernel {
        functions: functions
            .map(|function| schedule(&place_signs(&balance(&function))))
            .collect(),
        extras: settings.extras,
        sizes,
        solve: chosen.solve,
    }
}

/// The rows that repeat no others.
pub fn independent(equations: &Equations, assembly: &Assembly) -> Vec<usize> {
    let redundant = |k: &usize| assembly.redundant.binary_search(&(*k as u32)).is_ok();
    let rows = 0..equations.jacobian.len();
    rows.filter(|k| !redundant(k)).collect()
}

fn sizes(equations: &Equations, settings: &LoweringSettings, factor: usize) -> Sizes {
    Sizes {
        coordinates: equations.n_coordinates,
        velocities: equations.n_velocities,
        constraints: equations.phi.len(),
        parameters: settings.parameters,
        inputs: settings.inputs,
        variables: settings.variables,
        factor,
        holds: equations.hold_values.len(),
        compliant: equations.n_compliant,
        outputs: equations.outputs.len(),
        reactions: equations.reactions.as_flattened().len(),
        events: equations.events.len(),
        transitions: equations.transitions.len(),
        ..Sizes::default()
    }
}

/// A function that writes expressions as they are.
fn plain(equations: &Equations, name: Name, arrays: &[(Array, &[Expr])]) -> FunctionDraft {
    let mut draft = FunctionDraft::new(name);
    let mut translation = Translation::new(&equations.auxiliaries);
    for (array, expressions) in arrays {
        for (index, expression) in expressions.iter().enumerate() {
            let value = translation.value(&mut draft.builder, expression);
            draft.write(*array, index, value);
        }
    }
    draft
}

/// q̇ = T v
pub fn rates(equations: &Equations) -> FunctionDraft {
    plain(equations, Name::Rates, &[(Array::Rates, &equations.rates)])
}

fn guess(equations: &Equations) -> FunctionDraft {
    let coordinates = (Array::Coordinates, &equations.guess_coordinates[..]);
    let velocities = (Array::Velocities, &equations.guess_velocities[..]);
    plain(equations, Name::Guess, &[coordinates, velocities])
}

fn holds(equations: &Equations) -> FunctionDraft {
    let values = (Array::HoldValues, &equations.hold_values[..]);
    let rates = (Array::HoldRates, &equations.hold_rates[..]);
    plain(equations, Name::Holds, &[values, rates])
}

fn energy(equations: &Equations) -> FunctionDraft {
    let kinetic = (Array::Kinetic, std::slice::from_ref(&equations.kinetic));
    let potential = (Array::Potential, std::slice::from_ref(&equations.potential));
    plain(equations, Name::Energy, &[kinetic, potential])
}

/// Φ̇ = D v + Φ_t
fn velocity_constraints(equations: &Equations) -> FunctionDraft {
    let mut draft = FunctionDraft::new(Name::VelocityConstraints);
    let mut translation = Translation::new(&equations.auxiliaries);
    for (k, row) in equations.jacobian.iter().enumerate() {
        let b = &mut Lowering::new(&mut draft.builder, &mut translation);
        let row = match equations.phi_rate.is_empty() {
            true => b.row(row),
            false => Vec::new(),
        };
        let rate = stabilization::rate(b, equations, k, &row);
        draft.write(Array::Constraints, k, rate);
    }
    draft
}
