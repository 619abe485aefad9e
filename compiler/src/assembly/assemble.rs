//! A consistent start, its degrees of freedom and its redundant constraint equations.

use nalgebra::DVector;

use super::State;
use super::close::{Asked, ClosedLoops, close_positions_to, close_velocities};
use super::far::far;
use super::inertia::{around, has_inertia};
use super::numbers::{at, local};
use super::probes::{later, near, reached};
use super::rank::{RankQuestion, Redundancy, TOLERANCE, rank};
use super::redundancy::NEW;
use super::samples::samples;
use super::{Assembly, redundancy, sparse};
use crate::description::Space;
use crate::diagnostics::{Code, Diagnostic, Diagnostics, Path};
use crate::evaluate::Evaluator;
use crate::expr::{Expr, Symbol};
use crate::formulation::{ConstraintEquation, Load, Owner, StateVariable, System};
use crate::model::{Action, CouplingId, Event, Hold, JointId, Model, Output};
use crate::symbolic::Equations;
use crate::topology::Topology;

/// Loops count as closed below this part of the mechanism's size: assembly ends at round-off, a loop
/// that cannot close stays open by a visible amount.
pub const CLOSED: f64 = 1e-9;

/// Loops that stay open by more than this part of the size are not closed up to rounding either.
const WIDE: f64 = 10.0 * TOLERANCE;

/// A consistent start. Warnings report redundant constraint equations.
pub fn assemble(
    model: &Model,
    topology: &Topology,
    system: &System,
    equations: &Equations,
) -> Result<(Assembly, Diagnostics), Diagnostics> {
    let guess = guess(model, system);
    finite(model, system, equations, &guess, FiniteCheck::Constraints)?;
    has_inertia(model, equations, &around(model, equations, &guess))?;
    let rates = local(model, equations, &guess).hold_rates;
    let (closed, size) = closed_to_size(model, equations, &guess);
    let limits = limits(model, equations, &closed.state, size);
    let open = check_closed(model, system, &closed, &limits, || {
        let all = Asked::all(false);
        let alone = close_positions_to(round_off(size), model, equations, &guess, all);
        let gaps = alone.phi.iter().zip(&limits);
        gaps.into_iter().all(|(gap, limit)| gap.abs() <= *limit)
    });
    // Equations that are redundant up to rounding contradict each other by as much. The redundant ones are not known
    // yet.
    if let Err(open) = &open
        && closed.worst() > WIDE * size.max(1.0)
    {
        return Err(open.clone());
    }
    let (mut start, mut left) = close_velocities(model, equations, &closed.state, &rates, &[]);
    let mut near = near(model, equations, &closed.state, size);
    if system.rows.iter().any(|row| row.driver) {
        near.states
            .extend(later(model, equations, &start, size, &[]));
    }
    has_inertia(model, equations, &near.states)?;
    let subject = RankQuestion {
        model,
        topology,
        system,
        equations,
        size,
    };
    let found = rank(&subject, &near);
    let deviation = &found.deviation;
    let is_near = !deviation.is_exact(size) && deviation.is_within(&subject, &found.redundant);
    if !is_near {
        open?;
    }
    let freedoms = freedoms(&subject, &found, &closed.state)?;
    let Redundancy {
        redundant,
        deviation,
        ..
    } = found;
    let without: &[u32] = if is_near { &redundant } else { &[] };
    if is_near {
        let asked = Asked {
            without,
            hold: true,
        };
        let closed = close_positions_to(round_off(size), model, equations, &closed.state, asked)
            .without(without);
        check_closed(model, system, &closed, &limits, || true)?;
        (start, left) = close_velocities(model, equations, &closed.state, &rates, without);
        without.iter().for_each(|row| left[*row as usize] = 0.0);
        near.states
            .extend(near.rough.into_iter().map(|(state, _)| state));
    }
    check_velocities(model, system, &left, size)?;
    finite(model, system, equations, &start, FiniteCheck::All)?;
    let mut found: Diagnostics = far(model, &guess, &closed.state, size)
        .into_iter()
        .collect();
    let rows = constraint_rows(model, equations, &start, size);
    let words = |owner: Owner| match is_near {
        true => deviation.words(system, &redundant, |row| system.rows[row].owner == owner),
        false => String::new(),
    };
    for warning in redundancy::warnings(model, system, &rows, &redundant, words) {
        found.push(warning);
    }
    let start = State {
        q: start.q.into_iter().map(|x| clean(x, size)).collect(),
        v: start.v.into_iter().map(|x| clean(x, size)).collect(),
        ..start
    };
    let states = reached(model, equations, near.states, size, without);
    let samples = samples(model, equations, &states);
    let states = std::iter::once(start.clone())
        .chain(states.into_iter().skip(1))
        .collect();
    let assembly = Assembly {
        coordinates: start.q,
        velocities: start.v,
        parameters: model.parameters.iter().map(|p| p.default).collect(),
        states,
        redundant,
        rounded: is_near,
        freedoms,
        shares: Vec::new(),
        size,
        samples,
    };
    Ok((assembly, found))
}

/// The guess as it was written, without closing loops. Analyses close it themselves.
pub fn as_guessed(
    model: &Model,
    system: &System,
    equations: &Equations,
) -> Result<(Assembly, Diagnostics), Diagnostics> {
    let guess = guess(model, system);
    finite(model, system, equations, &guess, FiniteCheck::Constraints)?;
    has_inertia(model, equations, &around(model, equations, &guess))?;
    let size = lasting_size(model);
    let rows = constraint_rows(model, equations, &guess, size);
    let order: Vec<usize> = (0..rows.len()).collect();
    let kept = redundancy::independent(&rows, &order, 0.0, NEW);
    let n = equations.n_velocities.saturating_sub(model.idle_turns());
    let states = vec![guess.clone()];
    let assembly = Assembly {
        coordinates: guess.q,
        velocities: guess.v,
        parameters: model.parameters.iter().map(|p| p.default).collect(),
        redundant: redundancy::others(rows.len(), &kept),
        rounded: false,
        freedoms: n.saturating_sub(kept.len()),
        shares: Vec::new(),
        size,
        samples: samples(model, equations, &states),
        states,
    };
    Ok((assembly, Diagnostics::new()))
}

/// The guess of a system at the default parameters.
pub fn guess(model: &Model, system: &System) -> State {
    let parameters = |symbol| default_of(model, symbol);
    let mut evaluator = Evaluator::new(&model.tables, &parameters);
    let mut values =
        |list: &[StateVariable]| list.iter().map(|x| evaluator.value(&x.guess)).collect();
    State {
        t: 0.0,
        q: values(&system.coordinates),
        v: values(&system.velocities),
    }
}

fn default_of(model: &Model, symbol: Symbol) -> f64 {
    match symbol {
        Symbol::Parameter(i) => model.parameters[i as usize].default,
        _ => f64::NAN,
    }
}

/// Numbers far below round-off become zero, so that the generated start is easy to read.
fn clean(x: f64, size: f64) -> f64 {
    if x.abs() < 1e-3 * f64::EPSILON * size {
        0.0
    } else {
        x
    }
}

/// The largest lever arm or distance from the origin in the guess.
pub fn size(model: &Model) -> f64 {
    let ends = model.joints.iter();
    let ends = ends.flat_map(|joint| [&joint.first, &joint.second]);
    let largest = model
        .bodies
        .iter()
        .map(|body| body.position.iter().map(|c| c * c).sum::<f64>().sqrt())
        .chain(ends.map(|end| model.lever(end)))
        .filter(|length| length.is_finite())
        .fold(0.0, f64::max);
    if largest > 0.0 { largest } else { 1.0 }
}

/// Sizes at which metres and radians are of the same order. For smaller and larger mechanisms they are scaled
/// separately.
pub(super) const USUAL: std::ops::RangeInclusive<f64> = 1e-3..=1e3;

/// A guess this many times further away than the mechanism turns out to be says nothing about its size.
const FAR: f64 = 1e3;

/// The largest lever arm.
fn arm(model: &Model) -> f64 {
    let ends = model.joints.iter();
    let ends = ends.flat_map(|joint| [&joint.first, &joint.second]);
    let arms = ends.map(|end| model.lever(end));
    arms.filter(|arm| arm.is_finite()).fold(0.0, f64::max)
}

/// The size if there is no closed position. It ignores the guess if that is too far away to be meant.
fn lasting_size(model: &Model) -> f64 {
    let (arm, size) = (arm(model), size(model));
    if arm > 0.0 && size > FAR * FAR * arm {
        arm
    } else {
        size
    }
}

/// The closed position and the mechanism's size in it. Closing from a distant guess ends at the round-off of the guess,
/// which may be metres. If the mechanism turns out to be smaller, it is closed once more.
fn closed_to_size(model: &Model, equations: &Equations, guess: &State) -> (ClosedLoops, f64) {
    let mut size = size(model);
    loop {
        let closed = close_positions_to(round_off(size), model, equations, guess, Asked::all(true));
        let places = places(model, &closed.state).filter(|place| place.is_finite());
        let reached = places.fold(arm(model), f64::max);
        if reached <= 0.0 || reached * FAR > size {
            return (closed, size);
        }
        size = reached;
    }
}

/// Distances of the bodies from the origin, along each axis.
fn places<'s>(model: &Model, state: &'s State) -> impl Iterator<Item = f64> + 's {
    let (n_axes, n) = match model.space {
        Space::Planar => (2, 3),
        Space::Spatial => (3, 7),
    };
    let bodies = state.q.chunks(n).take(model.bodies.len());
    bodies.flat_map(move |body| body.iter().take(n_axes).map(|x| x.abs()))
}

/// The residual at which iterations end.
pub(super) fn round_off(size: f64) -> f64 {
    match USUAL.contains(&size) {
        true => f64::EPSILON * size,
        // Radians may be smaller or larger than metres here, so the smaller of the two decides.
        false => f64::EPSILON * size.min(1.0),
    }
}

/// Residual up to which a state other than the start counts as closed.
pub(super) fn closed_enough(size: f64) -> f64 {
    match size < *USUAL.start() {
        true => CLOSED * size,
        false => CLOSED * size.max(1.0),
    }
}

/// Whether a column of D is for metres, not for radians.
pub(super) fn is_translation(model: &Model, column: usize) -> bool {
    let (n_axes, n) = match model.space {
        Space::Planar => (2, 3),
        Space::Spatial => (3, 6),
    };
    column / n < model.bodies.len() && column % n < n_axes
}

/// Residual up to which each constraint equation, and each hold after them, counts as closed.
fn limits(model: &Model, equations: &Equations, state: &State, size: f64) -> Vec<f64> {
    let rows = local(model, equations, state).rows;
    let limit = |row: &sparse::SparseRowValues| match USUAL.contains(&size) {
        true => CLOSED * size.max(1.0),
        false if row.iter().any(|(k, _)| is_translation(model, *k as usize)) => CLOSED * size,
        false => CLOSED,
    };
    rows.iter().map(limit).collect()
}

/// Reports joints that stay open. If the joints close without the holds, the holds are to blame.
fn check_closed(
    model: &Model,
    system: &System,
    closed: &ClosedLoops,
    limits: &[f64],
    joints_can_close: impl Fn() -> bool,
) -> Result<(), Diagnostics> {
    let joints = open_joints(model, system, closed, limits);
    let holds = lost_holds(model, closed, &limits[closed.phi.len()..]);
    let mut found = Diagnostics::new();
    if holds.is_empty() || !joints_can_close() {
        found.extend(joints);
    }
    found.extend(holds);
    found.finish(()).map(|_| ())
}

fn open_joints(
    model: &Model,
    system: &System,
    closed: &ClosedLoops,
    limits: &[f64],
) -> Diagnostics {
    let open = |row: usize| closed.phi[row].abs() / limits[row];
    let worst_row = |owner: Owner| {
        let rows = (0..system.rows.len()).filter(|&i| system.rows[i].owner == owner);
        rows.max_by(|&a, &b| open(a).total_cmp(&open(b)))
    };
    let stays_open = |owner: Owner| {
        let row = worst_row(owner)?;
        let gap = closed.phi[row];
        let keeps = &system.rows[row].keeps;
        let message = format!(
            "{} does not close: `{keeps}` stays {} away",
            owner.describe(model),
            amount(gap)
        );
        let path = path_of_row(model, system, row);
        let found = Diagnostic::error(Code::T305, path, message)
            .label("stays open")
            .hint("check the lengths and the guessed positions of the bodies in this loop");
        (gap.abs() > limits[row] || !gap.is_finite()).then_some(found)
    };
    let joints = (0..model.joints.len() as u32).map(|i| Owner::Joint(JointId(i)));
    let couplings = (0..model.couplings.len() as u32).map(|i| Owner::Coupling(CouplingId(i)));
    joints.chain(couplings).filter_map(stays_open).collect()
}

fn lost_holds(model: &Model, closed: &ClosedLoops, limits: &[f64]) -> Diagnostics {
    let lost = |((hold, gap), limit): ((&Hold, &f64), &f64)| {
        let message = format!(
            "`{}` cannot be held: assembly is {} away from its guess",
            hold.name,
            amount(*gap)
        );
        let found = Diagnostic::error(Code::T305, &hold.path, message)
            .hint("hold fewer coordinates, or give a guess that the joints allow");
        (gap.abs() > *limit || !gap.is_finite()).then_some(found)
    };
    let holds = model.holds.iter().zip(closed.holds.iter()).zip(limits);
    holds.filter_map(lost).collect()
}

/// A size, rounded for people.
fn amount(gap: f64) -> String {
    match gap.abs() {
        plain @ 1e-3..1e4 => format!("{plain:.4}")
            .trim_end_matches('0')
            .trim_end_matches('.')
            .to_owned(),
        extreme => format!("{extreme:.2e}"),
    }
}

/// The path at which a row was written. A driver has the path of its motion; drivers stand in the order of the joint's
/// motions.
fn path_of_row<'m>(model: &'m Model, system: &System, index: usize) -> &'m Path {
    let row = &system.rows[index];
    let is_driver = |other: &&ConstraintEquation| other.driver && other.owner == row.owner;
    let before = system.rows[..index].iter().filter(is_driver).count();
    let joint = row.joint().map(|id| &model.joints[id.0 as usize]);
    match joint.and_then(|joint| joint.motions.get(before)) {
        Some(motion) if row.driver => &motion.path,
        _ => row.owner(model).1,
    }
}

fn check_velocities(
    model: &Model,
    system: &System,
    left: &DVector<f64>,
    size: f64,
) -> Result<(), Diagnostics> {
    let mut found = Diagnostics::new();
    for (index, gap) in left.iter().enumerate() {
        if gap.abs() <= CLOSED * size.max(1.0) {
            continue;
        }
        let (path, what) = match system.rows.get(index) {
            Some(row) => {
                let owner = row.owner.describe(model);
                (
                    path_of_row(model, system, index),
                    format!("`{}` of {owner}", row.keeps),
                )
            }
            None => {
                let hold = &model.holds[index - system.rows.len()];
                (&hold.path, format!("the rate of `{}`", hold.name))
            }
        };
        found.push(
            Diagnostic::error(
                Code::T306,
                path,
                format!(
                    "no velocity satisfies {what}: {} per second is left",
                    amount(*gap)
                ),
            )
            .hint("hold fewer coordinates, or check the prescribed motions"),
        );
    }
    found.finish(()).map(|_| ())
}

/// The degrees of freedom, if there are any and drivers do not take more than there are.
fn freedoms(
    subject: &RankQuestion,
    found: &Redundancy,
    start: &State,
) -> Result<usize, Diagnostics> {
    let (model, system) = (subject.model, subject.system);
    // Turns that are no motions count neither as velocities nor as degrees of freedom.
    let n = subject
        .equations
        .n_velocities
        .saturating_sub(model.idle_turns());
    if found.joints_alone == n {
        let error = no_freedom(model);
        return Err(match deviating(subject, start) {
            Some(hint) => error.hint(hint),
            None => error.hint("remove a joint, or give one more degrees of freedom; `statics` gives the reactions of a structure that is meant to stand still"),
        }
        .into());
    }
    let drivers = over_driven(model, system, &found.redundant);
    if drivers.has_errors() {
        return Err(drivers);
    }
    Ok(n - found.rank)
}

/// Names of the joints and couplings that take the last degree of freedom although they would be redundant in a
/// slightly different geometry.
fn deviating(subject: &RankQuestion, start: &State) -> Option<String> {
    let (suspect, deviation) = subject.suspect(start);
    let system = subject.system;
    let mut owners: Vec<Owner> = suspect
        .iter()
        .map(|row| system.rows[*row as usize].owner)
        .collect();
    owners.dedup();
    let names: Vec<String> = owners
        .into_iter()
        .map(|owner| owner.describe(subject.model))
        .collect();
    let gap = deviation.words(system, &suspect, |_| true);
    let is_meant = !names.is_empty() && !gap.is_empty();
    is_meant.then(|| {
        format!(
            "constraint equations of {} are almost redundant: they deviate by {gap} where the mechanism would move, and only up to {TOLERANCE:e} rad, or {TOLERANCE:e} of its size, counts as rounding; check axes and lengths there, or take a joint with more degrees of freedom",
            names.join(" and ")
        )
    })
}

fn no_freedom(model: &Model) -> Diagnostic {
    let (joints, bodies) = (
        model.joints.len(),
        counted(model.bodies.len(), "body", "bodies"),
    );
    let message = match model.couplings.len() {
        0 => format!(
            "{} {bodies} no degree of freedom",
            counted(joints, "joint leaves", "joints leave")
        ),
        n => format!(
            "{} and {} leave {bodies} no degree of freedom",
            counted(joints, "joint", "joints"),
            counted(n, "coupling", "couplings")
        ),
    };
    Diagnostic::error(Code::T302, &Path::new("joints"), message)
}

fn counted(n: usize, one: &str, many: &str) -> String {
    match n {
        1 => format!("1 {one}"),
        n => format!("{n} {many}"),
    }
}

fn over_driven(model: &Model, system: &System, redundant: &[u32]) -> Diagnostics {
    let mut found = Diagnostics::new();
    for &index in redundant {
        let row = &system.rows[index as usize];
        if row.driver {
            let (joint, _) = row.owner(model);
            found.push(
                Diagnostic::error(
                    Code::T302,
                    path_of_row(model, system, index as usize),
                    format!("joint `{}` is driven, but the other joints and drivers already fix its motion", joint),
                )
                .hint("a mechanism can have as many drivers as degrees of freedom"),
            );
        }
    }
    found
}

/// D, with translations in units of the mechanism's size if metres and radians are of very different order.
pub(super) fn constraint_rows(
    model: &Model,
    equations: &Equations,
    state: &State,
    size: f64,
) -> Vec<sparse::SparseRowValues> {
    let mut rows = local(model, equations, state).rows;
    rows.truncate(equations.phi.len());
    if USUAL.contains(&size) {
        return rows;
    }
    for (column, value) in rows.iter_mut().flatten() {
        if is_translation(model, *column as usize) {
            *value *= size;
        }
    }
    rows
}

/// The values that must be finite.
#[derive(PartialEq)]
enum FiniteCheck {
    Constraints,
    All,
}

/// Every law has a finite value at the state.
fn finite(
    model: &Model,
    system: &System,
    equations: &Equations,
    state: &State,
    level: FiniteCheck,
) -> Result<(), Diagnostics> {
    let mut laws = constraint_laws(model, system, equations);
    if level == FiniteCheck::All {
        laws.extend(force_laws(model, system));
        laws.extend(output_laws(model, equations));
        laws.extend(event_laws(model, equations));
    }
    let mut found = Diagnostics::new();
    at(model, equations, state, |evaluator| {
        for law in &laws {
            let value = evaluator.value(law.value);
            if !value.is_finite() && !found.iter().any(|known| known.path == law.path) {
                let message = format!("{} is {value} at the start", law.what);
                found.push(Diagnostic::error(Code::F401, &law.path, message).hint(law.hint));
            }
        }
    });
    found.finish(()).map(|_| ())
}

/// A value that must be finite, and the message if it is not.
struct FirstLaw<'e> {
    path: Path,
    what: String,
    value: &'e Expr,
    hint: &'static str,
}

const UNDEFINED: &str = "look for a division by zero, or a root or logarithm of a negative number";

/// Constraint equations and holds with their derivatives in time. For example √t has a finite value at the start, but
/// no finite rate.
fn constraint_laws<'e>(
    model: &Model,
    system: &System,
    equations: &'e Equations,
) -> Vec<FirstLaw<'e>> {
    let mut laws = Vec::new();
    for (index, row) in system.rows.iter().enumerate() {
        let owner = row.owner.describe(model);
        let levels = [
            ("", &equations.phi[index]),
            ("the rate of ", &equations.phi_t[index]),
            ("the acceleration of ", &equations.gamma[index]),
        ];
        laws.extend(levels.map(|(level, value)| FirstLaw {
            path: path_of_row(model, system, index).clone(),
            what: format!("{level}`{}` of {owner}", row.keeps),
            value,
            hint: UNDEFINED,
        }));
    }
    for (index, hold) in model.holds.iter().enumerate() {
        let levels = [
            ("", &equations.hold_values[index]),
            ("the rate of ", &equations.hold_rates[index]),
        ];
        laws.extend(levels.map(|(level, value)| FirstLaw {
            path: hold.path.clone(),
            what: format!("{level}`{}`", hold.name),
            value,
            hint: "hold another coordinate, or change the guess",
        }));
    }
    laws
}

fn force_laws<'s>(model: &Model, system: &'s System) -> Vec<FirstLaw<'s>> {
    let law = |load: &'s Load| {
        let element = model.elements.iter().find(|e| e.path == load.path);
        let key = element.map(|element| match element.action {
            Action::Force { .. } => "force",
            Action::Torque { .. } => "torque",
            Action::Between { .. } | Action::Joint { .. } => "law",
        });
        let effort = FirstLaw {
            path: key.map_or(load.path.clone(), |key| load.path.key(key)),
            what: format!("the force of `{}`", load.path),
            value: &load.effort,
            hint: UNDEFINED,
        };
        let flow = FirstLaw {
            path: load.path.key("between"),
            what: format!("the direction of `{}`", load.path),
            value: &load.flow,
            hint: "two points that coincide have no line between them: move one of them",
        };
        [effort, flow]
    };
    system.loads.iter().flat_map(law).collect()
}

fn output_laws<'e>(model: &Model, equations: &'e Equations) -> Vec<FirstLaw<'e>> {
    let outputs = model.outputs.iter().zip(&equations.outputs);
    let law = |(output, value): (&Output, &'e Expr)| FirstLaw {
        path: output.path.clone(),
        what: format!("output `{}`", output.name),
        value,
        hint: UNDEFINED,
    };
    outputs.map(law).collect()
}

/// Expressions that events watch. The values that events set are checked when events happen.
fn event_laws<'e>(model: &Model, equations: &'e Equations) -> Vec<FirstLaw<'e>> {
    let events = model.events.iter().zip(&equations.events);
    let law = |(event, value): (&Event, &'e Expr)| FirstLaw {
        path: event.path.key("when"),
        what: format!("what the event `{}` watches", event.name),
        value,
        hint: UNDEFINED,
    };
    events.map(law).collect()
}
