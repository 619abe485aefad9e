//! One case: compiled once in absolute coordinates and lowered in every other formulation, compared at three states.

use std::panic::{AssertUnwindSafe, catch_unwind};

use bellcrank_compiler::description::{Description, Space};
use bellcrank_compiler::diagnostics::{Code, Diagnostics};
use bellcrank_compiler::stages::assembly::{State, assemble};
use bellcrank_compiler::stages::formulation::formulate;
use bellcrank_compiler::stages::kernel::{LoweringSettings, lower};
use bellcrank_compiler::stages::search::Coordinates;
use bellcrank_compiler::stages::symbolic::derive;
use bellcrank_compiler::stages::{model, topology};
use bellcrank_compiler::{Compiled, Options};

use super::bordered::{Owner, Solution, kinetic, solve};
use super::case::{Asked, CROSSING, Case, Now, Watched, transition};
use super::draw::draw;
use super::rows::Moving;
use super::way::{Asking, Told};
use crate::physics::applied::{Wrench, act, applied};
use crate::physics::machine::{Machine, Motion, Run};
use crate::physics::mechanism::Mechanism;

/// The result of a case.
#[derive(Debug)]
pub enum Outcome {
    Agreed,
    /// The compiler refuses it, with these codes.
    #[allow(dead_code, reason = "a single case is printed with them")]
    Refused(String),
    /// The constraint Jacobian is nearly rank deficient at every state.
    Singular,
    Wrong(String),
}

impl Outcome {
    pub fn word(&self) -> &'static str {
        match self {
            Self::Agreed => "agreed",
            Self::Refused(_) => "refused",
            Self::Singular => "singular",
            Self::Wrong(_) => "wrong",
        }
    }
}

/// Of the largest value in the list. Both sides are good to some 1e-15 times the condition of their systems; pivots
/// down to [`REGULAR`] leave 1e-10 of that, and the Schur complement squares the condition of rows.
const CLOSE: f64 = 1e-9;

/// The smallest pivot of the bordered matrix, as a share of the largest, at which states are compared.
const REGULAR: f64 = 1e-4;

/// Φ and Φ̇ of a state, in a mechanism of a few metres and metres a second. Other coordinates and rows by hand have
/// other lengths.
const CLOSED: f64 = 1e-11;

/// Compares these formulations with absolute coordinates and with the independent solver.
pub fn check(number: u64, ways: &[Coordinates]) -> Outcome {
    let case = draw(number);
    let compiled = match in_bodies(&case.description()) {
        Ok(compiled) => compiled,
        Err(found) => return refused(&found),
    };
    let compared = catch_unwind(AssertUnwindSafe(|| compare(&case, compiled, ways)));
    match compared {
        Ok(Ok(0)) => Outcome::Singular,
        Ok(Ok(_)) => Outcome::Agreed,
        Ok(Err(wrong)) => Outcome::Wrong(wrong),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().cloned();
            Outcome::Wrong(text.unwrap_or_else(|| "panicked".to_owned()))
        }
    }
}

/// The stages of the compiler down to the kernel in absolute coordinates. What makes code shorter is left out, and so
/// is the code: both take longer than all the rest.
fn in_bodies(description: &Description) -> Result<Compiled, Diagnostics> {
    let (model, warnings) = model::resolve(description, "Random")?;
    let topology = topology::analyze(&model)?;
    let system = formulate(&model);
    let equations = derive(&system)?;
    let (assembly, _) = assemble(&model, &topology, &system, &equations)?;
    let settings = LoweringSettings {
        parameters: model.parameters.len(),
        inputs: model.inputs.len(),
        variables: model.variables.len(),
        extras: Vec::new(),
    };
    let kernel = lower(&equations, &assembly, settings, &Options::default());
    Ok(Compiled {
        model,
        topology,
        formulation: "body".to_owned(),
        candidates: Vec::new(),
        notes: Vec::new(),
        stable_below: None,
        system,
        equations,
        assembly,
        kernel,
        rust: String::new(),
        warnings,
    })
}

/// Accepted reasons to refuse a random mechanism: nothing moves, constraint equations contradict each other, a driver
/// is redundant, a motion has no inertia.
fn refused(found: &Diagnostics) -> Outcome {
    let allowed = [
        Code::T301,
        Code::T302,
        Code::T304,
        Code::T305,
        Code::T306,
        Code::T307,
    ];
    let codes: Vec<String> = found.iter().map(|one| one.code.to_string()).collect();
    let codes = codes.join(" ");
    match found.iter().all(|one| allowed.contains(&one.code)) {
        true => Outcome::Refused(codes),
        false => Outcome::Wrong(format!("{codes}: {found}")),
    }
}

/// At how many states everything agrees.
fn compare(case: &Case, compiled: Compiled, ways: &[Coordinates]) -> Result<usize, String> {
    let machine = Machine::of(compiled);
    let start = machine.start();
    let mut states = vec![(start.clone(), Now::START)];
    if case.changes() {
        states.push((start, Now::LATER));
    }
    let body = Asking::in_bodies(&machine.compiled);
    // Light bodies may turn so fast that only shorter steps follow, and dampers on them may be too stiff for all.
    let is_closed = |run: &Run| {
        let State { q, v, .. } = &run.state;
        if !q.iter().chain(v).all(|x| x.is_finite()) {
            return false;
        }
        let told = body.tell(&run.state, Now::START);
        told.is_some_and(|told| told.violation < CLOSED)
    };
    let mut runs = [1e-2, 1e-3, 1e-4].into_iter();
    let later = runs.find_map(|step| machine.try_run(step, 3).filter(is_closed));
    states.extend(later.map(|run| (machine.without_idle_spin(run.state), Now::START)));
    let ways = ways
        .iter()
        .filter_map(|way| Asking::along(&machine.compiled, *way));
    let all: Vec<Asking> = std::iter::once(body).chain(ways).collect();
    let mut compared = 0;
    for (state, now) in &states {
        let expected = Expected::new(case, &machine, state, *now);
        if expected.solution.least < REGULAR {
            continue;
        }
        compared += 1;
        let mut first: Option<Told> = None;
        for way in &all {
            let Some(told) = way.tell(state, *now) else {
                continue;
            };
            let (violation, unbalanced) = (told.violation, told.unbalanced);
            let place = |wrong| {
                format!(
                    "{} at {} with {now:?}, Φ {violation:e}, unbalanced {unbalanced:?}, pivots {:e}: {wrong}",
                    way.name, state.t, expected.solution.least
                )
            };
            expected.check(&told).map_err(place)?;
            match &first {
                Some(first) => expected.agree(first, &told).map_err(place)?,
                None => first = Some(told),
            }
        }
    }
    Ok(compared)
}

/// The results of the independent solver.
struct Expected<'a> {
    case: &'a Case,
    mechanism: Mechanism,
    motions: Vec<Motion>,
    solution: Solution,
    now: Now,
}

impl<'a> Expected<'a> {
    fn new(case: &'a Case, machine: &Machine, state: &State, now: Now) -> Self {
        let (mechanism, laws) = case.at(now);
        let motions = machine.motions(state);
        let solution = solve(&mechanism, &motions, &laws, state.t);
        Self {
            case,
            mechanism,
            motions,
            solution,
            now,
        }
    }

    fn check(&self, told: &Told) -> Result<(), String> {
        // Projections and transfers leave round-off of a few metres and metres a second.
        small(
            self.solution.violation,
            10.0 * CLOSED,
            "rate of the rows by hand",
        )?;
        small(told.violation, 100.0 * CLOSED, "Φ or Φ̇")?;
        self.outputs(told)?;
        self.energies(told)?;
        self.reactions(told)?;
        self.events(told)?;
        let scale = self.scale();
        small(told.unbalanced[0], CLOSE * scale, "D v̇ − γ")?;
        small(told.unbalanced[1], CLOSE * scale, "M v̇ − Q − Dᵀλ")
    }

    /// The largest force or acceleration.
    fn scale(&self) -> f64 {
        let forces = self.solution.reactions.iter();
        let forces = forces.flat_map(|one| [one.force.amax(), one.torque.amax()]);
        let accelerations = self.solution.accelerations.iter().flatten();
        let accelerations = accelerations.map(|a| a.amax());
        let multipliers = self.solution.multipliers.iter().map(|(_, x)| x.abs());
        let all = forces.chain(accelerations).chain(multipliers);
        all.fold(1.0, f64::max)
    }

    fn outputs(&self, told: &Told) -> Result<(), String> {
        let scale = self.scale();
        for (asked, found) in self.case.asked().iter().zip(&told.outputs) {
            let expected = match self.expected(asked) {
                Some(expected) => expected,
                None => continue,
            };
            let off = (found - expected).abs();
            let what = format!("{asked:?}: {found} instead of {expected}");
            small(off, CLOSE * scale, &what)?;
        }
        Ok(())
    }

    /// `None` where it is known up to a constant.
    fn expected(&self, asked: &Asked) -> Option<f64> {
        let joints = &self.mechanism.joints;
        let moving = || Moving {
            mechanism: &self.mechanism,
            motions: self.motions.clone(),
        };
        let coordinate = |joint: usize, name: &str| moving().coordinate(&joints[joint], name);
        match *asked {
            Asked::Acceleration(body, arm, k) => {
                let now = &self.motions[body];
                let [a, turn] = self.solution.accelerations[body];
                let arm = now.rotation * arm;
                let bent = now.spin.cross(&now.spin.cross(&arm));
                Some((a + turn.cross(&arm) + bent)[k])
            }
            Asked::Coordinate(joint, name) => {
                let known = self.mechanism.planar() || name == "displacement";
                known.then(|| coordinate(joint, name).0[0])
            }
            Asked::AngularAcceleration(body, k) => Some(self.solution.accelerations[body][1][k]),
            Asked::Rate(joint, name) => Some(coordinate(joint, name).0[1]),
            // The rate is linear in velocities, so accelerations in their place give what they add to the second
            // derivative of a motion without any.
            Asked::JointAcceleration(joint, name) => {
                let pairs = self.motions.iter().zip(&self.solution.accelerations);
                let motions = pairs.map(|(now, [a, turn])| Motion {
                    velocity: *a,
                    spin: *turn,
                    ..*now
                });
                let accelerated = Moving {
                    mechanism: &self.mechanism,
                    motions: motions.collect(),
                };
                let added = accelerated.coordinate(&joints[joint], name).0[1];
                Some(added + 2.0 * coordinate(joint, name).0[2])
            }
            Asked::Drive(joint, n) => self.multiplier(Owner::Driver(joint, n)),
            Asked::Coupling(index) => self.multiplier(Owner::Coupling(index)),
        }
    }

    fn multiplier(&self, owner: Owner) -> Option<f64> {
        let mut all = self.solution.multipliers.iter();
        all.find(|(one, _)| *one == owner).map(|(_, x)| *x)
    }

    fn energies(&self, told: &Told) -> Result<(), String> {
        let expected = kinetic(&self.mechanism, &self.motions);
        let off = (told.energies[0] - expected).abs();
        let what = format!("kinetic energy {} instead of {expected}", told.energies[0]);
        small(off, CLOSE * (1.0 + expected.abs()), &what)
    }

    /// Quantities that are only compared between formulations: they are known up to a constant, or the solver does
    /// not compute them.
    fn agree(&self, one: &Told, two: &Told) -> Result<(), String> {
        let scale = CLOSE * self.scale();
        let pairs = [
            ("energies and power", &one.energies, &two.energies),
            ("rates of holds", &one.hold_rates, &two.hold_rates),
        ];
        for (what, one, two) in pairs {
            for (one, two) in one.iter().zip(two) {
                small(
                    (one - two).abs(),
                    scale,
                    &format!("{what}: {one} and {two}"),
                )?;
            }
        }
        // Angles in space are known up to whole turns.
        let asked = self.case.asked();
        let outputs = asked.iter().zip(one.outputs.iter().zip(&two.outputs));
        let outputs = outputs.filter(|(asked, _)| matches!(asked, Asked::Coordinate(..)));
        let values = outputs.map(|(_, pair)| pair);
        for (one, two) in values.chain(one.holds.iter().zip(&two.holds)) {
            let turns = std::f64::consts::TAU * ((one - two) / std::f64::consts::TAU).round();
            let turns = if self.mechanism.planar() { 0.0 } else { turns };
            let what = format!("coordinate or hold: {one} and {two}");
            small((one - two - turns).abs(), scale, &what)?;
        }
        Ok(())
    }

    fn reactions(&self, told: &Told) -> Result<(), String> {
        let found = told.reactions.chunks(6).map(Wrench::from_slice);
        let found: Vec<Wrench> = found.collect();
        self.balance(told, &found)?;
        let scale = self.scale();
        let planar = self.case.mechanism.space == Space::Planar;
        for (index, (found, expected)) in found.iter().zip(&self.solution.reactions).enumerate() {
            let force = (found.force - expected.force).amax();
            let torque = found.torque - expected.torque;
            let torque = if planar {
                torque.z.abs()
            } else {
                torque.amax()
            };
            let what = format!("joint {index}: {found:?} instead of {expected:?}");
            small(force.max(torque), CLOSE * scale, &what)?;
        }
        Ok(())
    }

    /// The joint effect of all joints and couplings on a body, where that of each of them is not unique.
    fn balance(&self, told: &Told, found: &[Wrench]) -> Result<(), String> {
        let (mechanism, motions) = (&self.mechanism, &self.motions);
        let mut total = applied(mechanism, motions);
        let mut scale = self.scale();
        for (asked, effort) in self.case.asked().iter().zip(&told.outputs) {
            if let Asked::Coupling(index) = asked {
                scale = scale.max(effort.abs());
                for push in mechanism.couplings[*index].pushes(*effort) {
                    act(mechanism, &push, motions, &mut total);
                }
            }
        }
        for (joint, reaction) in mechanism.joints.iter().zip(found) {
            scale = scale.max(reaction.force.amax()).max(reaction.torque.amax());
            let at = mechanism.now(&joint.ends[1], motions);
            let [first, second] = joint.ends.map(|end| end.body);
            for (body, wrench) in [(second, *reaction), (first, reaction.reversed())] {
                if let Some(body) = body {
                    total[body] += wrench.moved(at, motions[body].center);
                }
            }
        }
        for (index, (total, now)) in total.iter().zip(motions).enumerate() {
            let body = &mechanism.bodies[index];
            let [a, turn] = self.solution.accelerations[index];
            let tensor = now.turned(&body.inertia);
            let force = body.mass * (a - mechanism.gravity) - total.force;
            let torque = tensor * turn + now.spin.cross(&(tensor * now.spin)) - total.torque;
            let torque = if mechanism.planar() {
                torque.z.abs()
            } else {
                torque.amax()
            };
            let what = format!(
                "forces on body {index}: {:e} N, {torque:e} N m off",
                force.amax()
            );
            small(force.amax().max(torque), CLOSE * scale, &what)?;
        }
        Ok(())
    }

    fn events(&self, told: &Told) -> Result<(), String> {
        let Some((_, watched)) = &self.case.event else {
            return Ok(());
        };
        let (value, rate) = match watched {
            Watched::Body(body) => {
                let now = &self.motions[*body];
                (Some(now.center.x), now.velocity.x)
            }
            Watched::Joint(joint, name) => (
                self.expected(&Asked::Coordinate(*joint, name)),
                self.expected(&Asked::Rate(*joint, name)).unwrap_or(0.0),
            ),
        };
        if let Some(value) = value {
            let off = (told.events[0] - (value - CROSSING)).abs();
            small(off, CLOSE * (1.0 + value.abs()), "event")?;
        }
        let expected = transition(self.now.variable, rate);
        let off = (told.transitions[0] - expected).abs();
        small(off, CLOSE * (1.0 + rate.abs()), "transition")
    }
}

fn small(off: f64, allowed: f64, what: &str) -> Result<(), String> {
    match off <= allowed {
        true => Ok(()),
        false => Err(format!("{off:e} off, {allowed:e} allowed: {what}")),
    }
}
