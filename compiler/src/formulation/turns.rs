//! Angles with their whole turns, where the model uses them.
//!
//! The axes of bodies determine an angle α up to whole turns. A coordinate k that integrates its rate gives their
//! number, n = ⌊(k − α)/τ + ½⌋. θ = α + τ n is therefore as exact after a thousand turns as before the first. For the
//! algebra α is an auxiliary with the rate (c ṡ − s ċ)/(s² + c²), where s and c are its sine and cosine up to a factor,
//! and n is an auxiliary that does not change.
//!
//! A count need not be exact. k is left as it is while it is near its angle, and that test needs no arctangent.

use std::f64::consts::{FRAC_PI_2, PI};

use super::constraint;
use super::kinematics::BodyKinematics;
use super::{Counter, System};
use crate::expr::{Binary, Condition, Expr, Symbol, Unary};
use crate::joints::{JointCoordinate, Sides, Wound, whole_turn};
use crate::model::{CountedAngle, Joint, JointId, Model};

/// A sine or cosine with its rate.
pub type ValueWithRate = (Expr, Expr);

/// The angle of a sine and a cosine, whose turns a coordinate counts.
pub fn wound(
    kinematics: &mut BodyKinematics,
    sin: ValueWithRate,
    cos: ValueWithRate,
    counter: &Expr,
) -> Wound {
    let (s, s_rate) = named(kinematics, sin);
    let (c, c_rate) = named(kinematics, cos);
    let rate = (&c * s_rate - &s * c_rate) / (s.square() + c.square());
    counted(kinematics, [&s, &c], rate, counter)
}

/// The angle of a sine and a cosine that have names already, if the rate of the angle is known.
pub fn counted(
    kinematics: &mut BodyKinematics,
    [sin, cos]: [&Expr; 2],
    rate: Expr,
    counter: &Expr,
) -> Wound {
    let angle = Expr::binary(Binary::Atan2, sin.clone(), cos.clone());
    let angle = kinematics.auxiliary(angle, rate);
    let turns = kinematics.auxiliary(whole_turns(counter, &angle), Expr::zero());
    Wound { angle, turns }
}

/// The same angle on the turn that is nearest to another.
pub fn on_turn(near: &Expr, angle: Expr) -> Expr {
    let turns = whole_turns(near, &angle);
    angle + whole_turn() * turns
}

/// n = ⌊(k − α)/τ + ½⌋
fn whole_turns(counter: &Expr, angle: &Expr) -> Expr {
    let turns = (counter - angle) / whole_turn() + Expr::constant(0.5);
    Expr::unary(Unary::Floor, turns)
}

fn named(kinematics: &mut BodyKinematics, (value, rate): ValueWithRate) -> ValueWithRate {
    let name = match value.as_constant() {
        Some(_) => value,
        None => kinematics.auxiliary(value, rate.clone()),
    };
    (name, rate)
}

/// The angles of a spatial joint whose turns count, each with a coordinate that counts them.
pub fn of_joint(
    kinematics: &mut BodyKinematics,
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
    kinematics: &mut BodyKinematics,
    joint: &Joint,
    turns: &CountedAngle,
    sides: &Sides,
) -> Option<Wound> {
    let found = (joint.kind.kind().coordinate)(sides, turns.coordinate)?;
    let (sin, cos) = found.turn?;
    let name = [format!("{}.{}", joint.name, turns.coordinate)];
    let guess = in_guess(kinematics.model, (turns.joint, turns.coordinate));
    let counter = kinematics.coordinates(name, [&guess]).remove(0);
    let sin_rate = kinematics.rate_along(joint, &sin.terms);
    let cos_rate = kinematics.rate_along(joint, &cos.terms);
    // In points an angular velocity takes more operations than the rates of two products.
    let rate = match sides.linear {
        true => &cos.value * &sin_rate - &sin.value * &cos_rate,
        false => found.rate,
    };
    kinematics.system.rates.push(rate);
    keep(&mut kinematics.system, [&sin.value, &cos.value]);
    Some(wound(
        kinematics,
        (sin.value, sin_rate),
        (cos.value, cos_rate),
        &counter,
    ))
}

/// Largest difference between a count and its angle: much more than the error of [`near_angle`], and much less than
/// half a turn.
const STRAY: f64 = 1e-4;

/// The last coordinate counts the turns of the angle of this sine and cosine. It is set to that angle where it has
/// strayed from it, so that it never drifts off by half a turn.
pub fn keep(system: &mut System, [sin, cos]: [&Expr; 2]) {
    let coordinate = system.coordinates.len() as u32 - 1;
    let counter = Expr::symbol(Symbol::Coordinate(coordinate));
    let angle = near_angle(sin, cos);
    let near = on_turn(&counter, angle);
    let strayed = Expr::unary(Unary::Abs, &counter - &near);
    let is_near = Condition::LessEqual(strayed, Expr::constant(STRAY));
    system.counters.push(Counter {
        coordinate,
        value: Expr::select(is_near, counter, near),
    });
}

/// The coefficients of x, x³, … in arctan x for |x| ≤ 1, off by 1.15e-5 at most: Abramowitz and Stegun, 4.4.49.
const ARCTANGENT: [f64; 5] = [
    0.999_866_0,
    -0.330_299_5,
    0.180_141_0,
    -0.085_133_0,
    0.020_835_1,
];

/// The angle of a sine and a cosine that are known up to a factor, within that error.
fn near_angle(sin: &Expr, cos: &Expr) -> Expr {
    let [rise, run] = [sin, cos].map(|one| Expr::unary(Unary::Abs, one.clone()));
    let [less, more] =
        [Binary::Min, Binary::Max].map(|which| Expr::binary(which, rise.clone(), run.clone()));
    let ratio = less / more;
    let square = ratio.square();
    let terms = ARCTANGENT.iter().rev();
    let sum = terms.fold(Expr::zero(), |sum, next| {
        sum * &square + Expr::constant(*next)
    });
    let flat = ratio * sum;
    let is_steep = Condition::Less(run, rise);
    let steep = Expr::constant(FRAC_PI_2) - &flat;
    let ahead = Expr::select(is_steep, steep, flat);
    let back = Expr::constant(PI) - &ahead;
    let left = Expr::select(Condition::Less(cos.clone(), Expr::zero()), back, ahead);
    let right = -&left;
    Expr::select(Condition::Less(sin.clone(), Expr::zero()), right, left)
}

/// The value of a joint coordinate in the guess, in terms of parameters only. A spatial angle whose turns matter is on
/// the turn that the model gives.
pub fn in_guess(model: &Model, (id, coordinate): (JointId, JointCoordinate)) -> Expr {
    let joint = &model.joints[id.0 as usize];
    let mut kinematics = BodyKinematics::of_joint(model, joint);
    let sides = constraint::plain_sides(&mut kinematics, joint);
    let found = (joint.kind.kind().coordinate)(&sides, coordinate)
        .expect("the model only refers to coordinates that the joint has");
    let value = guessed(&kinematics.system, &found.value);
    let counts = |turns: &&CountedAngle| turns.joint == id && turns.coordinate == coordinate;
    match model.turns.iter().find(counts) {
        None => value,
        Some(turns) => {
            let (value, turn) = (model.at_defaults(&value), std::f64::consts::TAU);
            Expr::constant(value + turn * ((turns.near - value) / turn).round())
        }
    }
}

/// The value of an expression of coordinates and auxiliaries at the guess.
fn guessed(system: &System, expr: &Expr) -> Expr {
    expr.substitute(&mut |symbol| match symbol {
        Symbol::Coordinate(i) => Some(system.coordinates[i as usize].guess.clone()),
        Symbol::Auxiliary(i) => Some(guessed(system, &system.auxiliaries[i as usize].value)),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use super::*;
    use crate::evaluate::Evaluator;
    use crate::formulation::StateVariable;

    const ANGLES: u32 = 3600;

    const NEAR: f64 = 1.15e-5;

    fn angles() -> impl Iterator<Item = f64> {
        (0..=ANGLES).map(|k| TAU * (f64::from(k) / f64::from(ANGLES) - 0.5))
    }

    fn value(expr: &Expr, counter: f64) -> f64 {
        Evaluator::new(&[], &|_| counter).value(expr)
    }

    #[test]
    fn the_near_angle_is_near() {
        for angle in angles() {
            for length in [1.0, 0.3, 40.0] {
                let [sin, cos] = [length * angle.sin(), length * angle.cos()];
                let near = near_angle(&Expr::constant(sin), &Expr::constant(cos));
                let off = value(&near, 0.0) - sin.atan2(cos);
                assert!(off.abs() <= NEAR, "{angle}: {off}");
            }
        }
    }

    #[test]
    fn a_count_stays_until_it_strays() {
        for angle in angles().map(|angle| angle + 7.0 * TAU) {
            let mut system = System::default();
            let guess = Expr::zero();
            let name = "hinge.angle".to_owned();
            system.coordinates.push(StateVariable { name, guess });
            let [sin, cos] = [angle.sin(), angle.cos()].map(Expr::constant);
            keep(&mut system, [&sin, &cos]);
            let kept = |counter| value(&system.counters[0].value, counter);
            for off in [-5e-5, 0.0, 5e-5] {
                assert_eq!(kept(angle + off), angle + off);
            }
            for off in [-3.0, -2e-4, 2e-4, 3.0] {
                let near = kept(angle + off) - angle;
                assert!(near.abs() <= NEAR, "{angle}, {off}: {near}");
            }
        }
    }
}
