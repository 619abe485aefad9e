//! The functions that the machine computes: straight-line code in static single assignment, with the linear solve unrolled.
//!
//! A `Function` is a list of instructions; the value of an instruction is known by its index, and an
//! instruction refers to earlier ones only. Values are real numbers, or truth values made by
//! comparisons and used by `Select`, `And`, `Or` and `Not`. Inputs are loaded from `Slot`s, outputs
//! are a list of slots with the value that each gets. Instructions are hash-consed: a value is computed
//! once in a function.

/// Coordinates moved by a step.
mod advance;
/// The arrays that a function may read and write, and their lengths.
mod arrays;
/// Axes that turn about one of them, or move along one.
mod axial;
/// Sums in the order in which their terms are there.
mod balance;
/// Constraint equations in the place of mass.
mod ballast;
/// Numbers by their bits.
mod bits;
/// Accelerations and multipliers from the bordered matrix as it stands.
mod bordered;
/// One instruction after another, each value once, by named rewrites.
mod build;
/// Chooses the solve with the least work.
mod choose;
/// Operation counts of a function.
mod counts;
/// Estimates the cycles of a function in which every operation begins as soon as it can.
mod cycles;
/// After this point nothing is dead, and everything stands just before its first use until it is scheduled.
mod draft;
/// Accelerations and multipliers by the Schur complement, and the equations without a solve.
mod dynamics;
/// Functions that only some methods need.
mod extra;
/// A = L Δ Lᵀ and A x = b for sparse matrices of values.
mod factor;
/// After this point values that depend on parameters only are computed when parameters are set.
mod hoist;
/// Operands, identity, type and dependence of an instruction.
mod instruction;
/// The functions evaluated directly.
mod interpret;
/// Equations → Kernel.
mod lower;
/// Margin of a solve: its distance to a singular position.
mod margin;
/// Accelerations from the momentum of each outboard part of a tree.
mod momentum;
/// Normalizes coordinates: Euler parameters, axes, counted angles.
mod normalize;
/// Finds safe pivots of an indefinite matrix.
mod pivots;
/// The text form.
mod print;
/// The projections, with a factor that holds no more than they need.
mod project;
/// Right-hand sides of the constraint equations for accelerations, with and without gains.
mod pull;
/// Instructions in the order in which a processor can begin them.
mod schedule;
/// Twists, wrenches and articulated inertias.
mod screw;
/// Minus signs back to where they cost nothing.
mod settle;
/// Expressions → values.
mod translate;
/// Conditions and choices.
mod truth;
/// Angular accelerations without a solve.
mod turned;
/// A = L Δ U and A x = b for sparse matrices whose pattern alone is symmetric.
mod unsymmetric;
/// After this point every rule of a kernel holds, by type.
mod verify;

#[cfg(test)]
mod tests;

pub use arrays::EVERYWHERE;
pub use build::Builder;
pub use counts::{Counts, counts};
pub use extra::Extra;
pub use instruction::{Dependence, Key};
pub use interpret::{Memory, interpret};
pub use lower::{Settings, lower};
pub use truth::Truth;
pub use verify::{Verified, verify};

use serde::{Deserialize, Serialize};

/// All functions of a mechanism.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Kernel {
    /// One for each [`Name`] that is asked for, in the order of [`Name::ALL`].
    pub functions: Vec<Function>,
    /// Functions beyond those that every method needs.
    pub extras: Vec<Extra>,
    /// Lengths of the arrays that depend on the mechanism.
    pub sizes: Sizes,
    /// The solve of the linear system.
    pub solve: Solve,
}

/// Solves of the linear system M v̇ = Q + Dᵀ λ, D v̇ = γ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Solve {
    /// S = D M⁻¹ Dᵀ is factorised, unrolled.
    #[default]
    Schur,
    /// [M Dᵀ; D 0] is factorised, unrolled.
    Bordered,
    /// [M + DᵀΣD Dᵀ; D 0] is factorised, unrolled, because some bodies have next to no mass.
    Ballasted,
    /// Along the tree of links, unrolled.
    Momentum,
    /// By the runtime at each evaluation, because nothing that could be unrolled is safe.
    Dense,
}

/// Lengths of the arrays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "each is the length of the array of that name")]
pub struct Sizes {
    pub coordinates: usize,
    pub velocities: usize,
    pub constraints: usize,
    /// Rows inside bodies that repeat no others, where a plain projection is asked for.
    pub inner: usize,
    pub parameters: usize,
    pub inputs: usize,
    pub variables: usize,
    pub derived: usize,
    pub factor: usize,
    pub penalty_factor: usize,
    pub plain_factor: usize,
    pub standard_factor: usize,
    pub tangent_factor: usize,
    pub holds: usize,
    /// Number of the last holds that are constraint equations kept by springs.
    pub compliant: usize,
    pub outputs: usize,
    pub reactions: usize,
    pub events: usize,
    pub transitions: usize,
}

/// The functions of a mechanism, named as in the runtime's trait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Name {
    /// Parameters → Derived: values that depend on parameters only.
    Prepare,
    /// Parameters → Coordinates, Velocities: the guess of the description.
    Guess,
    /// Coordinates, Velocities → Rates.
    Rates,
    /// Time, Coordinates, Velocities → Rates, Accelerations, Multipliers, Factor, Margin, Power.
    Accelerate,
    /// Time, Coordinates → Constraints.
    Constraints,
    /// Time, Coordinates, Velocities → Constraints (that is, Φ̇).
    VelocityConstraints,
    /// Coordinates, Factor, Constraints → Rates (that is, Δq).
    PositionCorrection,
    /// Factor, Constraints → Velocities (that is, Δv).
    VelocityCorrection,
    /// Coordinates → Coordinates with unit Euler parameters and orthonormal axes.
    Normalize,
    /// Coordinates, Velocities (that is, a step) → Coordinates moved along q̇ = T v for unit time.
    Advance,
    /// Time, Coordinates, Velocities → Mass, Rows, Forces, Gamma, Rates, PhiT, Power. Mass is left out where
    /// `MassTimes` writes something.
    Dense,
    /// Coordinates, Accelerations (that is, any x) → Forces (that is, M x), of trees in joint coordinates.
    MassTimes,
    /// Time, Coordinates, Velocities → HoldValues, HoldRates.
    Holds,
    /// Time, Coordinates, Velocities → Kinetic, Potential.
    Energy,
    /// Time, Coordinates, Velocities, Accelerations, Multipliers → Outputs.
    Outputs,
    /// Time, Coordinates, Velocities, Accelerations, Multipliers → Reactions.
    Reactions,
    /// Time, Coordinates, Velocities, Accelerations, Multipliers → Events (that is, expressions that cross zero).
    Events,
    /// Time, Coordinates, Velocities, Accelerations, Multipliers → Transitions (that is, values that events set).
    Transitions,
    /// Time, Coordinates, Velocities, gains → Rates, Accelerations, Multipliers, Margin, Power with γ
    /// that pulls the violation to zero.
    AccelerateBaumgarte,
    /// Time, Coordinates, Velocities, Multipliers, gains → the same with soft rows, and PenaltyFactor.
    AcceleratePenalty,
    /// PenaltyFactor, Constraints → Velocities (that is, Δv), Multipliers.
    PenaltyCorrection,
    /// Time, Coordinates → PlainFactor, Margin.
    PlainFactor,
    /// PlainFactor, Constraints → Velocities (that is, Δ).
    PlainCorrection,
    /// PlainFactor, Constraints → Velocities (that is, Δ), with the rows inside bodies only.
    InnerCorrection,
    /// Time, Coordinates → StandardFactor, Margin.
    StandardFactor,
    /// Coordinates, StandardFactor, Constraints → Rates (that is, Δq).
    StandardCorrection,
    /// Time, Coordinates → Rows.
    Jacobian,
    /// Time, Coordinates, Velocities, Accelerations, Multipliers → Forces (that is, M v̇ − Q − Dᵀ λ).
    Residual,
    /// Time, Coordinates, Velocities, Accelerations, Multipliers → Stiffness, Damping.
    Tangents,
    /// Time, Coordinates, Velocities, Accelerations, Multipliers, weights → TangentFactor, Margin.
    TangentFactor,
    /// TangentFactor, Forces, Constraints → Velocities, Multipliers.
    TangentSolve,
}

/// An array that functions read from or write to. Parameters, inputs, variables and values that are derived from parameters are
/// readable everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[allow(missing_docs, reason = "each is named as in the runtime's trait")]
pub enum Array {
    Time,
    Parameters,
    Inputs,
    Variables,
    Derived,
    Coordinates,
    Velocities,
    Accelerations,
    Multipliers,
    Factor,
    Constraints,
    Rates,
    Margin,
    Power,
    /// Square, row-major, one row a velocity.
    Mass,
    /// Row-major, constraint rows and then holds, one column a velocity.
    Rows,
    Forces,
    Gamma,
    PhiT,
    HoldValues,
    HoldRates,
    Kinetic,
    Potential,
    Outputs,
    Reactions,
    Events,
    Transitions,
    /// Gain of γ against Φ̇.
    DampingGain,
    /// Gain of γ against Φ.
    StiffnessGain,
    /// Compliance: how far a constraint equation gives way to its multiplier.
    Compliance,
    PenaltyFactor,
    PlainFactor,
    StandardFactor,
    TangentFactor,
    /// Square, row-major, one row a velocity.
    Stiffness,
    /// Square, row-major, one row a velocity.
    Damping,
    MassWeight,
    DampingWeight,
    StiffnessWeight,
}

/// A place in an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Slot {
    /// The array.
    pub array: Array,
    /// Index of the element; 0 for the scalars.
    pub index: u32,
}

/// The value of an instruction of the same function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Value(pub u32);

/// A straight-line function.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Function {
    /// Name of the function.
    pub name: Name,
    /// The instructions, in order.
    pub instructions: Vec<Instruction>,
    /// Every output slot once, in growing order; slots that are not listed are zero.
    pub outputs: Vec<(Slot, Value)>,
}

/// One operation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Instruction {
    /// A number.
    Constant(#[serde(with = "bits")] f64),
    /// Reads an input.
    Load(Slot),
    /// `a + b`
    Add(Value, Value),
    /// `a − b`
    Sub(Value, Value),
    /// `a · b`
    Mul(Value, Value),
    /// `a / b`
    Div(Value, Value),
    /// `−a`
    Neg(Value),
    /// A function of one argument.
    Unary(crate::expr::Unary, Value),
    /// A function of two arguments.
    Binary(crate::expr::Binary, Value, Value),
    /// The n-th derivative of a table.
    Table(u32, u8, Value),
    /// `a < b`
    Less(Value, Value),
    /// `a ≤ b`
    LessEqual(Value, Value),
    /// `a = b`
    Equal(Value, Value),
    /// Both truths.
    And(Value, Value),
    /// At least one truth.
    Or(Value, Value),
    /// The opposite truth.
    Not(Value),
    /// `if truth then a else b`
    Select(Value, Value, Value),
}

impl Function {
    /// Number of uses of each value.
    pub fn uses(&self) -> Vec<u32> {
        let mut uses = vec![0; self.instructions.len()];
        let operands = self.instructions.iter().flat_map(Instruction::operands);
        for value in operands.chain(self.outputs.iter().map(|&(_, v)| v)) {
            uses[value.0 as usize] += 1;
        }
        uses
    }
}

impl Solve {
    /// A sentence for the head of the generated code.
    pub fn note(self) -> &'static str {
        match self {
            Self::Schur => "Solved by `D M⁻¹ Dᵀ = L Δ Lᵀ`.",
            Self::Bordered => "Solved by `[M Dᵀ; D 0] = L Δ Lᵀ`.",
            Self::Ballasted => {
                "Solved by `[M + Dᵀ Σ D, Dᵀ; D, 0] = L Δ Lᵀ`, because some bodies have next to no mass."
            }
            Self::Momentum => {
                "Solved by the momentum of each outboard part, from the leaves inwards."
            }
            Self::Dense => {
                "Solved by the runtime at each evaluation: nothing that could be unrolled is safe."
            }
        }
    }
}

impl Name {
    /// True for functions that solve for accelerations, the bulk of a step.
    pub fn solves(self) -> bool {
        matches!(
            self,
            Self::Accelerate | Self::AccelerateBaumgarte | Self::AcceleratePenalty
        )
    }

    /// Every function, in order.
    pub const ALL: [Name; 31] = [
        Name::Prepare,
        Name::Guess,
        Name::Rates,
        Name::Accelerate,
        Name::Constraints,
        Name::VelocityConstraints,
        Name::PositionCorrection,
        Name::VelocityCorrection,
        Name::Normalize,
        Name::Advance,
        Name::Dense,
        Name::MassTimes,
        Name::Holds,
        Name::Energy,
        Name::Outputs,
        Name::Reactions,
        Name::Events,
        Name::Transitions,
        Name::AccelerateBaumgarte,
        Name::AcceleratePenalty,
        Name::PenaltyCorrection,
        Name::PlainFactor,
        Name::PlainCorrection,
        Name::InnerCorrection,
        Name::StandardFactor,
        Name::StandardCorrection,
        Name::Jacobian,
        Name::Residual,
        Name::Tangents,
        Name::TangentFactor,
        Name::TangentSolve,
    ];
}
