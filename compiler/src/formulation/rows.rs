//! The parts of every formulation that deal with joints: their constraint equations, their drivers, and the reactions
//! that follow from the multipliers.

use super::constraint;
use super::kinematics::BodyKinematics;
use super::vector::{add, scale, zero};
use super::{ConstraintEquation, Owner};
use crate::expr::{Binary, Expr, Symbol};
use crate::joints::{JointCoordinateValue, JointEquation, RateTerm, Screw, Sides, scaled};
use crate::model::{Joint, JointId, Motion, Vector};

/// Effect of the multipliers of a joint on its second body.
#[derive(Clone, Debug)]
pub struct Reaction {
    /// Force at the second body's point.
    pub force: Vector,
    /// Torque about that point.
    pub torque: Vector,
    /// λ Φ̇ term by term.
    pub terms: Vec<RateTerm>,
}

/// The constraint equations that a joint gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// All constraint equations of its kind.
    All,
    /// Those that remain if both bodies share the joint's first point.
    BeyondThePoint,
    /// None, because the bodies share enough points.
    None,
}

/// Adds the constraint equations and drivers of a joint. Returns the reaction of their multipliers.
pub fn joint_rows(
    kinematics: &mut BodyKinematics,
    id: JointId,
    joint: &Joint,
    sides: &Sides,
    wanted: Wanted,
) -> Reaction {
    let kept = (joint.kind.kind().rows)(sides).into_iter();
    let beyond = |row: &JointEquation| row.force.iter().all(Expr::is_zero);
    let kept: Vec<JointEquation> = match wanted {
        Wanted::All => kept.collect(),
        Wanted::BeyondThePoint => kept.filter(beyond).collect(),
        Wanted::None => Vec::new(),
    };
    let mut reaction = Reaction {
        force: zero(),
        torque: zero(),
        terms: Vec::new(),
    };
    for row in kept {
        let lambda = multiplier(kinematics.system.rows.len());
        reaction.add(&lambda, &row.force, &row.torque, &row.terms);
        kinematics.system.rows.push(ConstraintEquation {
            phi: row.phi,
            owner: Owner::Joint(id),
            keeps: row.keeps.to_owned(),
            driver: false,
            wrenches: wrench(id, row.force, row.torque),
        });
    }
    for motion in &joint.motions {
        if let Some(coordinate) = constraint::coordinate(joint.kind, sides, motion.coordinate) {
            let lambda = multiplier(kinematics.system.rows.len());
            let (row, terms) = driver_row(kinematics, id, motion, &coordinate);
            reaction.add(&lambda, &coordinate.force, &coordinate.torque, &terms);
            kinematics.system.rows.push(row);
        }
    }
    reaction
}

/// A force and a torque on the second body of one joint.
fn wrench(joint: JointId, force: Vector, torque: Vector) -> Vec<(JointId, Screw)> {
    let screw = Screw {
        angular: torque,
        linear: force,
    };
    vec![(joint, screw)]
}

/// Symbol of the multiplier of a constraint equation.
pub fn multiplier(row: usize) -> Expr {
    Expr::symbol(Symbol::Multiplier(row as u32))
}

impl Reaction {
    fn add(&mut self, lambda: &Expr, force: &Vector, torque: &Vector, terms: &[RateTerm]) {
        self.force = add(&self.force, &scale(lambda, force));
        self.torque = add(&self.torque, &scale(lambda, torque));
        self.terms
            .extend(terms.iter().map(|term| scaled(lambda, term)));
    }

    /// Force and torque as one list.
    pub fn components(self) -> [Expr; 6] {
        let ([fx, fy, fz], [tx, ty, tz]) = (self.force, self.torque);
        [fx, fy, fz, tx, ty, tz]
    }
}

/// Φ = s − f(t). An angle that is known up to whole turns is compared by atan2(sin θ cos f − cos θ sin f, cos θ cos f +
/// sin θ sin f), which is exact in every direction. In points only the first argument is used, which keeps the equation
/// quadratic.
fn driver_row(
    kinematics: &BodyKinematics,
    joint: JointId,
    motion: &Motion,
    coordinate: &JointCoordinateValue,
) -> (ConstraintEquation, Vec<RateTerm>) {
    let (phi, terms) = match &coordinate.turn {
        None => (&coordinate.value - &motion.law, coordinate.terms.clone()),
        Some((sin, cos)) => {
            let (law_sin, law_cos) = (motion.law.sin(), motion.law.cos());
            let sine = &sin.value * &law_cos - &cos.value * &law_sin;
            if kinematics.is_linear() {
                let of_sin = sin.terms.iter().map(|term| scaled(&law_cos, term));
                let of_cos = cos.terms.iter().map(|term| scaled(&-&law_sin, term));
                (sine, of_sin.chain(of_cos).collect())
            } else {
                let cosine = &cos.value * &law_cos + &sin.value * &law_sin;
                let angle = Expr::binary(Binary::Atan2, sine, cosine);
                (angle, coordinate.terms.clone())
            }
        }
    };
    let row = ConstraintEquation {
        phi,
        owner: Owner::Joint(joint),
        keeps: format!("{} as driven", motion.coordinate),
        driver: true,
        wrenches: wrench(joint, coordinate.force.clone(), coordinate.torque.clone()),
    };
    (row, terms)
}
