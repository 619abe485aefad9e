//! Which equations: coordinates are fixed and ordered; constraints, energies and loads are plain
//! expressions of coordinates, velocities and auxiliaries.
//!
//! An [`Auxiliary`] is an intermediate such as a rotated body vector, with a definition and with its
//! rate as an expression that is linear in the velocities. Derivatives go through the rate, so the
//! algebra never sees the definition, and the rows stay small whatever the definition is.

mod body;
mod constraint;
mod force;
mod kinematics;
mod measure;
mod vector;

use std::ops::Range;

use crate::diagnostics::Path;
use crate::expr::Expr;
use crate::model::{JointId, Model};

/// The equations of a model.
pub fn formulate(model: &Model) -> System {
    body::body(model)
}

/// The equations of one formulation, before any derivative is taken.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct System {
    /// Coordinates q with their guess.
    pub coordinates: Vec<Variable>,
    /// Velocities v with their guess.
    pub velocities: Vec<Variable>,
    /// q̇ = T v, linear in v.
    pub rates: Vec<Expr>,
    /// Intermediates, each in terms of coordinates and earlier ones.
    pub auxiliaries: Vec<Auxiliary>,
    /// Coordinates that together have unit length: Euler parameters.
    pub unit: Vec<[u32; 4]>,
    /// Constraint rows Φ.
    pub rows: Vec<Row>,
    /// Kinetic energy, quadratic in v.
    pub kinetic: Expr,
    /// Potential energy.
    pub potential: Expr,
    /// Inertia forces that are quadratic in v, one for each velocity, as they stand in Q.
    pub gyroscopic: Vec<Expr>,
    /// Applied forces.
    pub loads: Vec<Load>,
    /// What the assembly holds.
    pub holds: Vec<HoldRow>,
    /// Named outputs; may use accelerations, multipliers, and the measures of `reactions`.
    pub outputs: Vec<Expr>,
    /// How the reactions of each joint come out of the multipliers.
    pub reactions: Vec<Reaction>,
    /// Measures that stand for a component (0–5) of a reaction, to be replaced by `derive`.
    pub reaction_measures: Vec<ReactionMeasure>,
}

/// A coordinate or a velocity.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// For example `crank.x`.
    pub name: String,
    /// The guess, of parameters only.
    pub guess: Expr,
}

/// An intermediate.
#[derive(Clone, Debug, PartialEq)]
pub struct Auxiliary {
    /// What it is.
    pub value: Expr,
    /// Its time derivative, linear in v.
    pub rate: Expr,
}

/// A constraint row.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Φ, zero when the constraint holds.
    pub phi: Expr,
    /// The joint that it belongs to.
    pub joint: JointId,
    /// What the row keeps, in words: `x of the point`, `angle as driven`.
    pub keeps: String,
    /// True if the row is a prescribed motion.
    pub driver: bool,
}

/// An applied force: its virtual power is `effort · flow`.
#[derive(Clone, Debug, PartialEq)]
pub struct Load {
    /// Where the force was written.
    pub path: Path,
    /// A force or torque component.
    pub effort: Expr,
    /// The part of the effort that the potential energy accounts for.
    pub conservative: Expr,
    /// The velocity that it acts along, linear in v.
    pub flow: Expr,
}

/// A value that the assembly holds.
#[derive(Clone, Debug, PartialEq)]
pub struct HoldRow {
    /// As the user wrote it.
    pub name: String,
    /// The value.
    pub value: Expr,
    /// Its rate, linear in v.
    pub rate: Expr,
}

/// How the reaction on the second body of a joint comes out of the multipliers:
/// F = sign · Σ λ_k D_k,translation and τ = sign · Σ λ_k D_k,rotation − arm × F.
#[derive(Clone, Debug, PartialEq)]
pub struct Reaction {
    /// The joint.
    pub joint: JointId,
    /// Its rows.
    pub rows: Range<u32>,
    /// Velocities of the body: x, y, z, about x, about y, about z.
    pub columns: [Option<u32>; 6],
    /// −1 if the columns are those of the first body.
    pub sign: f64,
    /// From the body's centre of mass to the second body's point.
    pub arm: [Expr; 3],
}

/// A measure that stands for a component of a reaction.
#[derive(Clone, Debug, PartialEq)]
pub struct ReactionMeasure {
    /// Index of the measure.
    pub measure: u32,
    /// Index into `System::reactions`.
    pub reaction: u32,
    /// 0–2 force, 3–5 torque.
    pub component: u8,
}
