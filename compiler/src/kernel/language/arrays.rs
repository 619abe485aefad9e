//! The arrays that a function may read and write, and their lengths.

use serde::{Deserialize, Serialize};

/// An array that functions read from or write to. Parameters, inputs, variables and values that are derived from
/// parameters are readable everywhere.
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

impl Slot {
    /// Element `index` of `array`.
    pub fn new(array: Array, index: usize) -> Self {
        let index = u32::try_from(index).expect("arrays are shorter than 2³²");
        Self { array, index }
    }
}

impl Array {
    /// The arrays that every function may read, but for [`super::Name::Prepare`].
    pub const EVERYWHERE: [Self; 4] = [
        Self::Parameters,
        Self::Inputs,
        Self::Variables,
        Self::Derived,
    ];

    /// True if it is one number and no array: its length is 1 even where all others are 0.
    pub fn is_scalar(self) -> bool {
        Sizes::default().length(self) == 1
    }
}

impl Sizes {
    /// The length of an array; 1 for the scalars.
    pub fn length(&self, array: Array) -> usize {
        let rows = self.constraints + self.holds;
        match array {
            Array::Time
            | Array::Margin
            | Array::Power
            | Array::Kinetic
            | Array::Potential
            | Array::DampingGain
            | Array::StiffnessGain
            | Array::Compliance
            | Array::MassWeight
            | Array::DampingWeight
            | Array::StiffnessWeight => 1,
            Array::Parameters => self.parameters,
            Array::Inputs => self.inputs,
            Array::Variables => self.variables,
            Array::Derived => self.derived,
            Array::Coordinates | Array::Rates => self.coordinates,
            Array::Velocities | Array::Accelerations | Array::Forces => self.velocities,
            Array::Multipliers | Array::Constraints | Array::Gamma | Array::PhiT => {
                self.constraints
            }
            Array::Factor => self.factor,
            Array::PenaltyFactor => self.penalty_factor,
            Array::PlainFactor => self.plain_factor,
            Array::StandardFactor => self.standard_factor,
            Array::TangentFactor => self.tangent_factor,
            Array::Mass | Array::Stiffness | Array::Damping => self.velocities * self.velocities,
            Array::Rows => rows * self.velocities,
            Array::HoldValues | Array::HoldRates => self.holds,
            Array::Outputs => self.outputs,
            Array::Reactions => self.reactions,
            Array::Events => self.events,
            Array::Transitions => self.transitions,
        }
    }
}
