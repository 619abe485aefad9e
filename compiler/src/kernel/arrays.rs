//! The arrays that a function may read and write, and their lengths.

use super::{Array, Name, Sizes, Slot};

impl Slot {
    /// Element `index` of `array`.
    pub fn new(array: Array, index: usize) -> Self {
        let index = u32::try_from(index).expect("arrays are shorter than 2³²");
        Self { array, index }
    }
}

/// The arrays that every function may read.
pub const EVERYWHERE: [Array; 4] = [
    Array::Parameters,
    Array::Inputs,
    Array::Variables,
    Array::Derived,
];

impl Name {
    /// The arrays that the function may read, besides parameters, inputs, variables and values that are derived from
    /// parameters; [`Name::Prepare`] reads parameters only.
    pub fn reads(self) -> &'static [Array] {
        use Array::{
            Accelerations, Compliance, Constraints, Coordinates, DampingGain, DampingWeight,
            Factor, Forces, MassWeight, Multipliers, PenaltyFactor, PlainFactor, StandardFactor,
            StiffnessGain, StiffnessWeight, TangentFactor, Time, Velocities,
        };
        match self {
            Self::Prepare | Self::Guess => &[],
            Self::Rates | Self::Advance => &[Coordinates, Velocities],
            Self::Constraints | Self::PlainFactor | Self::StandardFactor | Self::Jacobian => {
                &[Time, Coordinates]
            }
            Self::Accelerate
            | Self::VelocityConstraints
            | Self::Dense
            | Self::Holds
            | Self::Energy => &[Time, Coordinates, Velocities],
            Self::PositionCorrection => &[Coordinates, Factor, Constraints],
            Self::VelocityCorrection => &[Factor, Constraints],
            Self::Normalize => &[Coordinates],
            Self::MassTimes => &[Coordinates, Accelerations],
            Self::Outputs
            | Self::Reactions
            | Self::Events
            | Self::Transitions
            | Self::Residual
            | Self::Tangents => &[Time, Coordinates, Velocities, Accelerations, Multipliers],
            Self::AccelerateBaumgarte => {
                &[Time, Coordinates, Velocities, DampingGain, StiffnessGain]
            }
            Self::AcceleratePenalty => &[
                Time,
                Coordinates,
                Velocities,
                Multipliers,
                DampingGain,
                StiffnessGain,
                Compliance,
            ],
            Self::PenaltyCorrection => &[PenaltyFactor, Constraints],
            Self::PlainCorrection | Self::InnerCorrection => &[PlainFactor, Constraints],
            Self::StandardCorrection => &[Coordinates, StandardFactor, Constraints],
            Self::TangentFactor => &[
                Time,
                Coordinates,
                Velocities,
                Accelerations,
                Multipliers,
                MassWeight,
                DampingWeight,
                StiffnessWeight,
                Compliance,
            ],
            Self::TangentSolve => &[TangentFactor, Forces, Constraints],
        }
    }

    /// The arrays that the function writes.
    pub fn writes(self) -> &'static [Array] {
        match self {
            Self::Prepare => &[Array::Derived],
            Self::Guess => &[Array::Coordinates, Array::Velocities],
            Self::Rates | Self::PositionCorrection | Self::StandardCorrection => &[Array::Rates],
            Self::Accelerate => &[
                Array::Rates,
                Array::Accelerations,
                Array::Multipliers,
                Array::Factor,
                Array::Margin,
                Array::Power,
            ],
            Self::Constraints | Self::VelocityConstraints => &[Array::Constraints],
            Self::VelocityCorrection | Self::PlainCorrection | Self::InnerCorrection => {
                &[Array::Velocities]
            }
            Self::Normalize | Self::Advance => &[Array::Coordinates],
            Self::Dense => &[
                Array::Mass,
                Array::Rows,
                Array::Forces,
                Array::Gamma,
                Array::Rates,
                Array::PhiT,
                Array::Power,
            ],
            Self::Holds => &[Array::HoldValues, Array::HoldRates],
            Self::Energy => &[Array::Kinetic, Array::Potential],
            Self::Outputs => &[Array::Outputs],
            Self::Reactions => &[Array::Reactions],
            Self::Events => &[Array::Events],
            Self::Transitions => &[Array::Transitions],
            Self::AccelerateBaumgarte => &[
                Array::Rates,
                Array::Accelerations,
                Array::Multipliers,
                Array::Margin,
                Array::Power,
            ],
            Self::AcceleratePenalty => &[
                Array::Rates,
                Array::Accelerations,
                Array::Multipliers,
                Array::Margin,
                Array::Power,
                Array::PenaltyFactor,
            ],
            Self::PenaltyCorrection | Self::TangentSolve => {
                &[Array::Velocities, Array::Multipliers]
            }
            Self::PlainFactor => &[Array::PlainFactor, Array::Margin],
            Self::StandardFactor => &[Array::StandardFactor, Array::Margin],
            Self::Jacobian => &[Array::Rows],
            Self::Residual | Self::MassTimes => &[Array::Forces],
            Self::Tangents => &[Array::Stiffness, Array::Damping],
            Self::TangentFactor => &[Array::TangentFactor, Array::Margin],
        }
    }

    /// True if the function may load from `array`.
    pub fn may_read(self, array: Array) -> bool {
        let everywhere = match self {
            Self::Prepare => array == Array::Parameters,
            _ => EVERYWHERE.contains(&array),
        };
        everywhere || self.reads().contains(&array)
    }
}

impl Array {
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
