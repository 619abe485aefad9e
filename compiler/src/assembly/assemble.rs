//! A consistent start, its freedoms and its redundant rows.

use nalgebra::{DMatrix, DVector};

use super::close::{Closed, close_positions, close_velocities, least_norm};
use super::numbers::{State, at, moved, numbers};
use super::{Assembly, redundancy};
use crate::diagnostics::{Code, Diagnostic, Diagnostics, Path};
use crate::evaluate::Evaluator;
use crate::expr::{Expr, Symbol};
use crate::formulation::{System, Variable};
use crate::model::Model;
use crate::symbolic::Equations;
use crate::topology::Topology;

/// Loops count as closed below this part of the mechanism's size: assembly ends at round-off, a loop
/// that cannot close stays open by a visible amount.
const CLOSED: f64 = 1e-9;

/// States besides the start at which the rank is taken.
const PROBES: usize = 4;

/// A consistent start; warnings tell what is redundant.
pub fn assemble(
    model: &Model,
    topology: &Topology,
    system: &System,
    equations: &Equations,
) -> Result<(Assembly, Diagnostics), Diagnostics> {
    let guess = guess(model, system);
    let size = size(model);
    finite(model, system, equations, &guess, Level::Constraints)?;
    let rates = numbers(model, equations, &guess).hold_rates;
    let closed = close_positions(model, equations, &guess, true);
    check_closed(model, system, &closed, size)?;
    let states = states(model, equations, &closed.state, size);
    let (redundant, freedoms) = redundancy_of(model, topology, system, equations, &states)?;
    let (start, left) = close_velocities(model, equations, &closed.state, &rates);
    check_velocities(model, system, &left, size)?;
    finite(model, system, equations, &start, Level::All)?;
    let mut found = Diagnostics::new();
    let rows = constraint_rows(model, equations, &closed.state);
    for warning in redundancy::warnings(model, system, &rows, &redundant) {
        found.push(warning);
    }
    let assembly = Assembly {
        coordinates: start.q.into_iter().map(|x| clean(x, size)).collect(),
        velocities: start.v.into_iter().map(|x| clean(x, size)).collect(),
        redundant,
        freedoms,
        size,
    };
    Ok((assembly, found))
}

fn guess(model: &Model, system: &System) -> State {
    let parameters = |symbol| default_of(model, symbol);
    let mut evaluator = Evaluator::new(&model.tables, &parameters);
    let mut values = |list: &[Variable]| list.iter().map(|x| evaluator.value(&x.guess)).collect();
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

/// What is far below round-off is zero: it would only clutter the generated start.
fn clean(x: f64, size: f64) -> f64 {
    if x.abs() < 1e-3 * f64::EPSILON * size {
        0.0
    } else {
        x
    }
}

/// The largest lever arm or distance from the origin in the guess.
pub fn size(model: &Model) -> f64 {
    let parameters = |symbol| default_of(model, symbol);
    let mut evaluator = Evaluator::new(&model.tables, &parameters);
    let arms = model
        .joints
        .iter()
        .flat_map(|joint| [&joint.first.point, &joint.second.point])
        .map(|point| point.each_ref().map(|c| evaluator.value(c)))
        .collect::<Vec<_>>();
    let largest = model
        .bodies
        .iter()
        .map(|body| body.position)
        .chain(arms)
        .map(|p| p.iter().map(|c| c * c).sum::<f64>().sqrt())
        .filter(|length| length.is_finite())
        .fold(0.0, f64::max);
    if largest > 0.0 { largest } else { 1.0 }
}

fn check_closed(
    model: &Model,
    system: &System,
    closed: &Closed,
    size: f64,
) -> Result<(), Diagnostics> {
    let mut found = Diagnostics::new();
    let limit = CLOSED * size.max(1.0);
    for (index, joint) in model.joints.iter().enumerate() {
        let worst = system
            .rows
            .iter()
            .zip(closed.phi.iter())
            .filter(|(row, _)| row.joint.0 as usize == index)
            .max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()));
        let Some((row, gap)) = worst else { continue };
        if gap.abs() > limit || !gap.is_finite() {
            found.push(
                Diagnostic::error(
                    Code::T305,
                    &joint.path,
                    format!(
                        "joint `{}` does not close: `{}` stays {gap:.3e} away",
                        joint.name, row.keeps
                    ),
                )
                .label("stays open")
                .hint("check the lengths and the guessed positions of the bodies in this loop"),
            );
        }
    }
    for (hold, gap) in model.holds.iter().zip(closed.holds.iter()) {
        if gap.abs() > limit {
            found.push(
                Diagnostic::error(
                    Code::T305,
                    &hold.path,
                    format!(
                        "`{}` cannot be held: assembly is {gap:.3e} away from its guess",
                        hold.name
                    ),
                )
                .hint("hold fewer coordinates, or give a guess that the joints allow"),
            );
        }
    }
    found.finish(()).map(|_| ())
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
                let joint = &model.joints[row.joint.0 as usize];
                (
                    &joint.path,
                    format!("`{}` of joint `{}`", row.keeps, joint.name),
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
                format!("no velocity satisfies {what}: {gap:.3e} per second is left"),
            )
            .hint("hold fewer coordinates, or check the prescribed motions"),
        );
    }
    found.finish(()).map(|_| ())
}

/// The start and a few states around it, all assembled.
fn states(model: &Model, equations: &Equations, start: &State, size: f64) -> Vec<State> {
    let mut states = vec![start.clone()];
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for _ in 0..PROBES {
        let kick = DVector::from_fn(equations.n_velocities, |_, _| 0.3 * random.next());
        let now = numbers(model, equations, start);
        let rows = now.rows.rows(0, now.phi.len()).into_owned();
        let forbidden = &rows * &kick;
        let Some(back) = least_norm(&now.mass, &rows, &forbidden) else {
            continue;
        };
        let moved = moved(model, equations, start, &(kick - back));
        let closed = close_positions(model, equations, &moved, false);
        if closed.phi.amax() <= CLOSED * size.max(1.0) {
            states.push(closed.state);
        }
    }
    states
}

/// Rows that are redundant at the state of the largest rank, tree joints first so that repeated rows
/// are found in the joints that close loops; and the freedoms there.
fn redundancy_of(
    model: &Model,
    topology: &Topology,
    system: &System,
    equations: &Equations,
    states: &[State],
) -> Result<(Vec<u32>, usize), Diagnostics> {
    let mut order: Vec<usize> = (0..system.rows.len()).collect();
    order.sort_by_key(|&i| {
        let row = &system.rows[i];
        (row.driver, topology.cuts.contains(&row.joint), i)
    });
    let n = equations.n_velocities;
    let mut best: Option<(Vec<usize>, DMatrix<f64>)> = None;
    for state in states {
        let rows = constraint_rows(model, equations, state);
        let kept = redundancy::independent(&rows, &order);
        if best
            .as_ref()
            .is_none_or(|(known, _)| kept.len() > known.len())
        {
            best = Some((kept, rows));
        }
    }
    let (kept, rows) = best.unwrap_or_default();
    let joints_alone = redundancy::rank(&rows, |i| !system.rows[i].driver);
    if joints_alone == n {
        return Err(no_freedom(model).into());
    }
    let redundant: Vec<u32> = (0..system.rows.len())
        .filter(|i| !kept.contains(i))
        .map(|i| i as u32)
        .collect();
    let drivers = over_driven(model, system, &redundant);
    if drivers.has_errors() {
        return Err(drivers);
    }
    Ok((redundant, n - kept.len()))
}

fn no_freedom(model: &Model) -> Diagnostic {
    Diagnostic::error(
        Code::T302,
        &Path::new("joints"),
        format!(
            "the {} joints leave none of the {} bodies any freedom",
            model.joints.len(),
            model.bodies.len()
        ),
    )
    .hint("remove a joint, or give one more freedom")
}

fn over_driven(model: &Model, system: &System, redundant: &[u32]) -> Diagnostics {
    let mut found = Diagnostics::new();
    for &index in redundant {
        let row = &system.rows[index as usize];
        if row.driver {
            let joint = &model.joints[row.joint.0 as usize];
            found.push(
                Diagnostic::error(
                    Code::T302,
                    &joint.path.key("motion"),
                    format!("joint `{}` is driven, but the other joints and drivers already fix its motion", joint.name),
                )
                .hint("a mechanism can have as many drivers as freedoms"),
            );
        }
    }
    found
}

fn constraint_rows(model: &Model, equations: &Equations, state: &State) -> DMatrix<f64> {
    let now = numbers(model, equations, state);
    now.rows.rows(0, now.phi.len()).into_owned()
}

/// What must be finite.
#[derive(PartialEq)]
enum Level {
    Constraints,
    All,
}

/// Every law has a finite value at the state.
fn finite(
    model: &Model,
    system: &System,
    equations: &Equations,
    state: &State,
    level: Level,
) -> Result<(), Diagnostics> {
    let mut laws: Vec<(Path, String, &Expr)> = Vec::new();
    for (row, phi) in system.rows.iter().zip(&equations.phi) {
        let joint = &model.joints[row.joint.0 as usize];
        laws.push((
            joint.path.clone(),
            format!("`{}` of joint `{}`", row.keeps, joint.name),
            phi,
        ));
    }
    if level == Level::All {
        for load in &system.loads {
            laws.push((
                load.path.clone(),
                format!("the force of `{}`", load.path),
                &load.effort,
            ));
            laws.push((
                load.path.clone(),
                format!("the direction of `{}`", load.path),
                &load.flow,
            ));
        }
        for (output, value) in model.outputs.iter().zip(&equations.outputs) {
            laws.push((
                output.path.clone(),
                format!("output `{}`", output.name),
                value,
            ));
        }
    }
    let mut found = Diagnostics::new();
    at(model, equations, state, |evaluator| {
        for (path, what, law) in &laws {
            let value = evaluator.value(law);
            if !value.is_finite() {
                found.push(
                    Diagnostic::error(Code::F401, path, format!("{what} is {value} at the start"))
                        .hint("look for a division by zero, or a root or logarithm of a negative number"),
                );
            }
        }
    });
    found.finish(()).map(|_| ())
}

/// A small deterministic generator (xorshift): the same mechanism is probed at the same states.
struct Random(u64);

impl Random {
    /// A number in [−1, 1).
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}
