//! Couplings: Φ = (b − b₀) − ρ (a − a₀), with a₀ and b₀ the coordinates in the guess.
//!
//! Whole turns are a term of their own, Φ = (β − ρ α − (b₀ − ρ a₀)) + τ (m − ρ n), so Φ loses no digits after many
//! turns. A coupling acts on both joints as an actuator would: λ along b and −ρ λ along a. The reactions of the joints
//! do not include these efforts.

use super::constraint;
use super::kinematics::BodyKinematics;
use super::rows::multiplier;
use super::turns::in_guess;
use super::vector::scale;
use super::{ConstraintEquation, Owner};
use crate::expr::Expr;
use crate::joints::{JointCoordinate, RateTerm, Screw, Sides, Wound, scaled, whole_turn};
use crate::model::{Coupling, CouplingId, JointId};

/// Effect of the multiplier of a coupling on one of its joints.
pub struct Effect {
    /// The joint.
    pub joint: JointId,
    /// λ Φ̇ term by term.
    pub terms: Vec<RateTerm>,
}

/// Adds the constraint equations of all couplings. Returns the effects of their multipliers.
pub fn coupling_rows(kinematics: &mut BodyKinematics, sides: &[Sides]) -> Vec<Effect> {
    let couplings = kinematics.model.couplings.iter().enumerate();
    couplings
        .flat_map(|(index, one)| coupling_row(kinematics, sides, CouplingId(index as u32), one))
        .collect()
}

fn coupling_row(
    kinematics: &mut BodyKinematics,
    sides: &[Sides],
    id: CouplingId,
    coupling: &Coupling,
) -> [Effect; 2] {
    let model = kinematics.model;
    let ratio = &coupling.ratio;
    let (a, b) = (
        Tied::new(kinematics, sides, coupling.first),
        Tied::new(kinematics, sides, coupling.second),
    );
    let offset = in_guess(model, coupling.second) - ratio * in_guess(model, coupling.first);
    let turns = whole_turn() * (&b.wound.turns - ratio * &a.wound.turns);
    let lambda = multiplier(kinematics.system.rows.len());
    kinematics.system.rows.push(ConstraintEquation {
        phi: (&b.wound.angle - ratio * &a.wound.angle - offset) + turns,
        owner: Owner::Coupling(id),
        keeps: "ratio".to_owned(),
        driver: false,
        wrenches: vec![
            (coupling.second.0, b.wrench(&Expr::one())),
            (coupling.first.0, a.wrench(&-ratio)),
        ],
    });
    [
        b.effect(coupling.second.0, &lambda),
        a.effect(coupling.first.0, &-(ratio * &lambda)),
    ]
}

/// A coordinate that a coupling ties.
struct Tied {
    wound: Wound,
    wrench: Screw,
    terms: Vec<RateTerm>,
}

impl Tied {
    fn new(
        kinematics: &BodyKinematics,
        sides: &[Sides],
        (joint, coordinate): (JointId, JointCoordinate),
    ) -> Self {
        let sides = &sides[joint.0 as usize];
        let kind = kinematics.model.joints[joint.0 as usize].kind;
        let found = constraint::coordinate(kind, sides, coordinate)
            .expect("the model only couples coordinates that the joint has");
        let plain = Wound {
            angle: found.value.clone(),
            turns: Expr::zero(),
        };
        Self {
            wound: sides.wound(coordinate).cloned().unwrap_or(plain),
            terms: sides.terms_of(&found),
            wrench: Screw {
                angular: found.torque,
                linear: found.force,
            },
        }
    }

    fn wrench(&self, factor: &Expr) -> Screw {
        Screw {
            angular: scale(factor, &self.wrench.angular),
            linear: scale(factor, &self.wrench.linear),
        }
    }

    fn effect(&self, joint: JointId, factor: &Expr) -> Effect {
        let terms = self.terms.iter().map(|term| scaled(factor, term));
        Effect {
            joint,
            terms: terms.collect(),
        }
    }
}
