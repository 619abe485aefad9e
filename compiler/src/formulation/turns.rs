//! Angles with their whole turns, where rows depend on them.
//!
//! The axes of bodies know an angle α up to whole turns. A coordinate c that integrates its rate only has to
//! know how many they are, n = ⌊(c − α)/τ + ½⌋, so θ = α + τ n is as exact after a thousand turns as before
//! the first. For the algebra α is an auxiliary with the rate (c ṡ − s ċ)/(s² + c²), s and c being its sine
//! and cosine up to a factor, and n one that does not change.

use super::constraint::{self, Sides};
use super::kinematics::Kinematics;
use super::{Counter, System};
use crate::expr::{Binary, Expr, Symbol, Unary};
use crate::model::{Joint, JointCoordinate, JointId, Model, Turns};

/// θ = α + τ n
#[derive(Clone, Debug, Default)]
pub struct Wound {
    /// α
    pub angle: Expr,
    /// n
    pub turns: Expr,
}

impl Wound {
    /// θ
    pub fn value(&self) -> Expr {
        &self.angle + turn() * &self.turns
    }
}

/// τ
pub fn turn() -> Expr {
    Expr::constant(std::f64::consts::TAU)
}

/// A sine or cosine with its rate.
pub type Moving = (Expr, Expr);

/// The angle of a sine and a cosine, whose turns a coordinate counts.
pub fn wound(kinematics: &mut Kinematics, sin: Moving, cos: Moving, counter: &Expr) -> Wound {
    let (s, s_rate) = named(kinematics, sin);
    let (c, c_rate) = named(kinematics, cos);
    let rate = (&c * s_rate - &s * c_rate) / (s.square() + c.square());
    let angle = kinematics.auxiliary(Expr::binary(Binary::Atan2, s, c), rate);
    let turns = (counter - &angle) / turn() + Expr::constant(0.5);
    let turns = kinematics.auxiliary(Expr::unary(Unary::Floor, turns), Expr::zero());
    Wound { angle, turns }
}

fn named(kinematics: &mut Kinematics, (value, rate): Moving) -> Moving {
    let name = match value.as_constant() {
        Some(_) => value,
        None => kinematics.auxiliary(value, rate.clone()),
    };
    (name, rate)
}

/// The angles of a spatial joint whose turns count, each with a coordinate that counts them.
pub fn of_joint(
    kinematics: &mut Kinematics,
    id: JointId,
    sides: &Sides,
) -> Vec<(JointCoordinate, Wound)> {
    let model = kinematics.model;
    let counted = model.turns.iter().filter(|turns| turns.joint == id);
    let joint = &model.joints[id.0 as usize];
    counted
        .filter_map(|turns| Some((turns.coordinate, count(kinematics, joint, turns, sides)?)))
        .collect()
}

fn count(
    kinematics: &mut Kinematics,
    joint: &Joint,
    turns: &Turns,
    sides: &Sides,
) -> Option<Wound> {
    let found = (constraint::kind(joint.kind).coordinate)(sides, turns.coordinate)?;
    let (sin, cos) = found.turn?;
    let name = [format!("{}.{}", joint.name, turns.coordinate)];
    let guess = in_guess(kinematics.model, (turns.joint, turns.coordinate));
    let counter = kinematics.coordinates(name, [&guess]).remove(0);
    kinematics.system.rates.push(found.rate);
    let sin_rate = kinematics.rate_along(joint, &sin.terms);
    let cos_rate = kinematics.rate_along(joint, &cos.terms);
    let wound = wound(
        kinematics,
        (sin.value, sin_rate),
        (cos.value, cos_rate),
        &counter,
    );
    keep(&mut kinematics.system, &wound);
    Some(wound)
}

/// The last coordinate counts the turns of an angle that rows depend on. It is set to that angle now and
/// then, so that it never drifts off by half a turn.
pub fn keep(system: &mut System, wound: &Wound) {
    system.counters.push(Counter {
        coordinate: system.coordinates.len() as u32 - 1,
        value: wound.value(),
    });
}

/// The value of a joint coordinate in the guess, of parameters only. In space an angle that counts is on the
/// turn that the model says.
pub fn in_guess(model: &Model, (id, coordinate): (JointId, JointCoordinate)) -> Expr {
    let joint = &model.joints[id.0 as usize];
    let mut kinematics = Kinematics::absolute(model);
    let sides = constraint::plain_sides(&mut kinematics, joint);
    let found = (constraint::kind(joint.kind).coordinate)(&sides, coordinate)
        .expect("the model only refers to coordinates that the joint has");
    let value = guessed(&kinematics.system, &found.value);
    let counts = |turns: &&Turns| turns.joint == id && turns.coordinate == coordinate;
    match model.turns.iter().find(counts) {
        None => value,
        Some(turns) => {
            let (value, turn) = (model.at_defaults(&value), std::f64::consts::TAU);
            Expr::constant(value + turn * ((turns.near - value) / turn).round())
        }
    }
}

/// An expression of coordinates and auxiliaries where the guess has them.
fn guessed(system: &System, expr: &Expr) -> Expr {
    expr.substitute(&mut |symbol| match symbol {
        Symbol::Coordinate(i) => Some(system.coordinates[i as usize].guess.clone()),
        Symbol::Auxiliary(i) => Some(guessed(system, &system.auxiliaries[i as usize].value)),
        _ => None,
    })
}
