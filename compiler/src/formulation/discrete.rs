//! Springs for joints: absolute coordinates with the axes of every body as coordinates, and a stiff damped spring in
//! place of every constraint equation of a joint:
//!
//! ```text
//! λ = −(k Φ + c Φ̇)        M v̇ = Q + Dᵀ λ
//! ```
//!
//! Only forces couple the bodies. An acceleration is therefore cheap, because no linear system has to be solved. Stiff
//! springs require small steps. The springs of redundant equations share the load.

use super::body::constrained;
use super::kinematics::BodyKinematics;
use super::{ConstraintEquation, HoldRow, Load, System};
use crate::expr::{Expr, Symbol};
use crate::model::Model;

/// The spring in place of a constraint equation.
#[derive(Clone, Debug, PartialEq)]
pub struct JointSpring {
    /// k
    pub stiffness: Expr,
    /// c
    pub damping: Expr,
}

/// Φ̇ = D v + Φ_t of a constraint equation.
#[derive(Clone, Debug, PartialEq)]
pub struct RowRate {
    /// D v
    pub motion: Expr,
    /// Φ_t
    pub time: Expr,
}

/// The equations with the constraint equations that are still rigid.
pub fn discrete(model: &Model) -> System {
    constrained(BodyKinematics::with_axes(model), |_| Expr::zero())
}

/// The equations with springs in place of the constraint equations. Springs of joints store energy. A driver is a motor
/// behind a spring, and its force does work only. Assembly closes the constraint equations that springs replace.
pub fn soften(model: &Model, springs: &[JointSpring], rates: &[RowRate]) -> System {
    let mut system = constrained(BodyKinematics::with_axes(model), |rows| {
        energy(rows, springs)
    });
    let rows = std::mem::take(&mut system.rows);
    let mut multipliers = Vec::with_capacity(rows.len());
    for ((row, spring), rate) in rows.iter().zip(springs).zip(rates) {
        let load = load(model, row, spring, rate);
        multipliers.push(load.effort.clone());
        system.loads.push(load);
        system.holds.push(HoldRow {
            name: format!("{}: {}", row.owner(model).0, row.keeps),
            value: row.phi.clone(),
            rate: &rate.motion + &rate.time,
        });
    }
    let mut known = |symbol| match symbol {
        Symbol::Multiplier(row) => Some(multipliers[row as usize].clone()),
        _ => None,
    };
    let reactions = system.reactions.as_flattened_mut().iter_mut();
    for read in system.outputs.iter_mut().chain(reactions) {
        *read = read.substitute(&mut known);
    }
    system.compliant = rows;
    system
}

/// Σ ½ k Φ² over the constraint equations of joints.
fn energy(rows: &[ConstraintEquation], springs: &[JointSpring]) -> Expr {
    let joints = rows.iter().zip(springs).filter(|(row, _)| !row.driver);
    let one = |(row, spring): (&ConstraintEquation, &JointSpring)| {
        Expr::constant(0.5) * &spring.stiffness * row.phi.square()
    };
    joints.map(one).sum()
}

/// λ = −(k Φ + c Φ̇) along Φ.
fn load(model: &Model, row: &ConstraintEquation, spring: &JointSpring, rate: &RowRate) -> Load {
    let pull = -(&spring.stiffness * &row.phi);
    let effort = &pull - &spring.damping * (&rate.motion + &rate.time);
    Load {
        path: row.owner(model).1.clone(),
        effort,
        conservative: match row.driver {
            true => Expr::zero(),
            false => pull,
        },
        flow: rate.motion.clone(),
    }
}
