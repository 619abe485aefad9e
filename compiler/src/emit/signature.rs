//! The arguments of the trait's methods, and which array is where.

use proc_macro2::TokenStream;
use quote::quote;

use super::context::Context;
use super::names::identifier;
use crate::kernel::{Array, Name};
use Access::{Read, Return, Value, Write};

/// An argument of a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Argument {
    /// Its name.
    pub name: &'static str,
    /// The way in which it is passed.
    pub access: Access,
    /// Its type.
    pub kind: Kind,
    /// The arrays that it holds.
    pub arrays: &'static [Array],
}

/// Ways to pass an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Copied.
    Value,
    /// By shared reference.
    Read,
    /// By exclusive reference.
    Write,
    /// Not passed, but made in the method and returned.
    Return,
}

/// The type of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A number.
    Scalar,
    /// A plain array: fields of the struct.
    Field,
    /// An associated type of the trait, and the array that has its length.
    Vector(&'static str, Array),
    /// A struct of the runtime that is generic over the mechanism.
    Struct(&'static str),
    /// A struct of the runtime that is generic over the scalar type.
    Scalars(&'static str),
}

/// The place of an array: an argument, and maybe a field of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Name of the argument, or of the local that stands for it.
    pub name: &'static str,
    /// The field, if the argument is a struct.
    pub field: Option<&'static str>,
}

/// The method's name in the trait.
pub fn method(name: Name) -> &'static str {
    match name {
        Name::Prepare => "prepare",
        Name::Guess => "guess",
        Name::Rates => "rates",
        Name::Accelerate => "accelerate",
        Name::Constraints => "constraints",
        Name::VelocityConstraints => "velocity_constraints",
        Name::PositionCorrection => "position_correction",
        Name::VelocityCorrection => "velocity_correction",
        Name::Normalize => "normalize",
        Name::Dense => "dense",
        Name::MassTimes => "mass_times",
        Name::Holds => "holds",
        Name::Energy => "energy",
        Name::Outputs => "outputs",
        Name::Reactions => "reactions",
        Name::Events => "events",
        Name::Transitions => "transitions",
        Name::Advance => "advance",
        Name::AccelerateBaumgarte => "accelerate_baumgarte",
        Name::AcceleratePenalty => "accelerate_penalty",
        Name::PenaltyCorrection => "penalty_correction",
        Name::PlainFactor => "plain_factor",
        Name::PlainCorrection => "plain_correction",
        Name::InnerCorrection => "inner_correction",
        Name::StandardFactor => "standard_factor",
        Name::StandardCorrection => "standard_correction",
        Name::Jacobian => "jacobian",
        Name::Residual => "residual",
        Name::Tangents => "tangents",
        Name::TangentFactor => "tangent_factor",
        Name::TangentSolve => "tangent_solve",
    }
}

/// The arguments of a method, in the trait's order.
pub fn arguments(name: Name) -> Vec<Argument> {
    match name {
        Name::Prepare => vec![P, D],
        Name::Guess => vec![Q.written(), V.written()],
        Name::Rates => vec![Q, V, Q_DOT],
        Name::Accelerate => vec![T, Q, V, ACCELERATION],
        Name::Constraints => vec![T, Q, PHI.written()],
        Name::VelocityConstraints => vec![T, Q, V, PHI_DOT.written()],
        Name::PositionCorrection => vec![Q, F, PHI, DQ],
        Name::VelocityCorrection => vec![F, PHI_DOT, DV],
        Name::Normalize => vec![Q.written()],
        Name::Dense => vec![T, Q, V, DENSE],
        Name::MassTimes => vec![Q, X, FORCES.written()],
        Name::Holds => vec![T, Q, V, VALUES, RATES],
        Name::Energy => vec![T, Q, V, ENERGY],
        Name::Outputs => vec![T, Q, V, ACCELERATIONS, MULTIPLIERS, OUTPUTS],
        Name::Reactions => vec![T, Q, V, ACCELERATIONS, MULTIPLIERS, REACTIONS],
        Name::Events => vec![T, Q, V, ACCELERATIONS, MULTIPLIERS, EVENTS],
        Name::Transitions => vec![T, Q, V, ACCELERATIONS, MULTIPLIERS, TRANSITIONS],
        Name::Advance => vec![Q.written(), STEP],
        Name::AccelerateBaumgarte => vec![T, Q, V, GAINS, STABILIZED],
        Name::AcceleratePenalty => vec![
            T,
            Q,
            V,
            MULTIPLIERS,
            GAINS,
            STABILIZED,
            PENALTY_FACTOR.written(),
        ],
        Name::PenaltyCorrection => vec![PENALTY_FACTOR, PHI, DV, LAMBDA],
        Name::PlainFactor => vec![T, Q, PLAIN_FACTORIZATION],
        Name::PlainCorrection | Name::InnerCorrection => vec![PLAIN_FACTOR, PHI, DV],
        Name::StandardFactor => vec![T, Q, STANDARD_FACTORIZATION],
        Name::StandardCorrection => vec![Q, STANDARD_FACTOR, PHI, DQ],
        Name::Jacobian => vec![T, Q, JACOBIAN],
        Name::Residual => vec![T, Q, V, ACCELERATIONS, MULTIPLIERS, FORCES.written()],
        Name::Tangents => vec![T, Q, V, ACCELERATIONS, MULTIPLIERS, TANGENTS],
        Name::TangentFactor => vec![
            T,
            Q,
            V,
            ACCELERATIONS,
            MULTIPLIERS,
            WEIGHTS,
            TANGENT_FACTORIZATION,
        ],
        Name::TangentSolve => vec![TANGENT_FACTOR, FORCES, PHI, DV, LAMBDA],
    }
}

/// The place at which a function reads an array.
pub fn read(name: Name, array: Array) -> Place {
    let local = match array {
        Array::Parameters => "p",
        Array::Inputs => "u",
        Array::Variables => "w",
        Array::Derived => "d",
        // Arrays that are written in place are read from a copy.
        Array::Coordinates if matches!(name, Name::Normalize | Name::Advance) => "given",
        _ => return find(name, array, |access| access != Access::Write),
    };
    Place {
        name: local,
        field: None,
    }
}

/// The place at which a function writes an array.
pub fn written(name: Name, array: Array) -> Place {
    find(name, array, |access| {
        matches!(access, Access::Write | Access::Return)
    })
}

/// The arrays that a function writes.
pub fn results(name: Name) -> Vec<Array> {
    let arguments = arguments(name).into_iter();
    let written = arguments.filter(|a| matches!(a.access, Access::Write | Access::Return));
    written
        .flat_map(|argument| argument.arrays.iter().copied())
        .collect()
}

impl Argument {
    /// The type in the trait's implementation.
    pub fn declared(&self, context: &Context) -> TokenStream {
        match self.kind {
            Kind::Vector(name, _) => {
                let name = identifier(name);
                self.passed(quote!(Self::#name))
            }
            _ => self.full(context),
        }
    }

    /// The type where the trait's names are out of reach.
    pub fn full(&self, context: &Context) -> TokenStream {
        let real = &context.real;
        self.passed(match self.kind {
            Kind::Scalar => quote!(#real),
            Kind::Field => context.array(context.shape(self.arrays[0]).0),
            Kind::Vector(_, array) => context.vector(context.shape(array).0),
            Kind::Struct(name) => {
                let path = context.item(name);
                quote!(#path<Self>)
            }
            Kind::Scalars(name) => {
                let path = context.item(name);
                quote!(#path<#real>)
            }
        })
    }

    const fn written(mut self) -> Self {
        self.access = Access::Write;
        self
    }

    fn passed(&self, kind: TokenStream) -> TokenStream {
        match self.access {
            Access::Value => kind,
            Access::Read => quote!(&#kind),
            Access::Write | Access::Return => quote!(&mut #kind),
        }
    }
}

fn find(name: Name, array: Array, access: impl Fn(Access) -> bool) -> Place {
    let found = arguments(name)
        .into_iter()
        .find(|argument| access(argument.access) && argument.arrays.contains(&array));
    let structured =
        found.is_some_and(|one| matches!(one.kind, Kind::Struct(_) | Kind::Scalars(_)));
    Place {
        // A verified kernel reads and writes only what its functions are given.
        name: found.map_or("unknown", |argument| argument.name),
        field: structured.then(|| field(array)),
    }
}

fn field(array: Array) -> &'static str {
    match array {
        Array::Rates => "rates",
        Array::Accelerations => "accelerations",
        Array::Multipliers => "multipliers",
        Array::Factor => "factor",
        Array::Margin => "margin",
        Array::Power => "power",
        Array::Mass => "mass",
        Array::Rows => "rows",
        Array::Forces => "forces",
        Array::Gamma => "gamma",
        Array::PhiT => "phi_t",
        Array::Kinetic => "kinetic",
        Array::Potential => "potential",
        Array::PlainFactor | Array::StandardFactor | Array::TangentFactor => "factor",
        Array::DampingGain | Array::DampingWeight | Array::Damping => "damping",
        Array::StiffnessGain | Array::StiffnessWeight | Array::Stiffness => "stiffness",
        Array::MassWeight => "mass",
        Array::Compliance => "compliance",
        _ => "unknown",
    }
}

const fn vector(
    name: &'static str,
    access: Access,
    kind: &'static str,
    arrays: &'static [Array],
) -> Argument {
    Argument {
        name,
        access,
        kind: Kind::Vector(kind, arrays[0]),
        arrays,
    }
}

const fn structure(kind: &'static str, arrays: &'static [Array]) -> Argument {
    Argument {
        name: "out",
        access: Write,
        kind: Kind::Struct(kind),
        arrays,
    }
}

const T: Argument = Argument {
    name: "t",
    access: Value,
    kind: Kind::Scalar,
    arrays: &[Array::Time],
};
const P: Argument = Argument {
    name: "p",
    access: Read,
    kind: Kind::Field,
    arrays: &[Array::Parameters],
};
const D: Argument = Argument {
    name: "d",
    access: Write,
    kind: Kind::Field,
    arrays: &[Array::Derived],
};
const Q: Argument = vector("q", Read, "Coordinates", &[Array::Coordinates]);
const V: Argument = vector("v", Read, "Velocities", &[Array::Velocities]);
const F: Argument = vector("f", Read, "Factor", &[Array::Factor]);
const PHI: Argument = vector("phi", Read, "Multipliers", &[Array::Constraints]);
const PHI_DOT: Argument = vector("phi_dot", Read, "Multipliers", &[Array::Constraints]);
const Q_DOT: Argument = vector("q_dot", Write, "Coordinates", &[Array::Rates]);
const DQ: Argument = vector("dq", Write, "Coordinates", &[Array::Rates]);
const DV: Argument = vector("dv", Write, "Velocities", &[Array::Velocities]);
const VALUES: Argument = vector("values", Write, "Holds", &[Array::HoldValues]);
const RATES: Argument = vector("rates", Write, "Holds", &[Array::HoldRates]);
const ACCELERATIONS: Argument =
    vector("accelerations", Read, "Velocities", &[Array::Accelerations]);
const X: Argument = vector("x", Read, "Velocities", &[Array::Accelerations]);
const MULTIPLIERS: Argument = vector("multipliers", Read, "Multipliers", &[Array::Multipliers]);
const OUTPUTS: Argument = vector("out", Write, "Outputs", &[Array::Outputs]);
const REACTIONS: Argument = vector("out", Write, "Reactions", &[Array::Reactions]);
const EVENTS: Argument = vector("out", Write, "Events", &[Array::Events]);
const TRANSITIONS: Argument = vector("out", Write, "Transitions", &[Array::Transitions]);
const ACCELERATION: Argument = Argument {
    name: "out",
    access: Write,
    kind: Kind::Struct("Acceleration"),
    arrays: &[
        Array::Rates,
        Array::Accelerations,
        Array::Multipliers,
        Array::Factor,
        Array::Margin,
        Array::Power,
    ],
};
const STEP: Argument = vector("step", Read, "Velocities", &[Array::Velocities]);
const FORCES: Argument = vector("forces", Read, "Velocities", &[Array::Forces]);
const LAMBDA: Argument = vector("multipliers", Write, "Multipliers", &[Array::Multipliers]);
const PENALTY_FACTOR: Argument = vector("f", Read, "PenaltyFactor", &[Array::PenaltyFactor]);
const PLAIN_FACTOR: Argument = vector("f", Read, "PlainFactor", &[Array::PlainFactor]);
const STANDARD_FACTOR: Argument = vector("f", Read, "StandardFactor", &[Array::StandardFactor]);
const TANGENT_FACTOR: Argument = vector("f", Read, "TangentFactor", &[Array::TangentFactor]);
const GAINS: Argument = Argument {
    name: "gains",
    access: Read,
    kind: Kind::Scalars("Gains"),
    arrays: &[Array::DampingGain, Array::StiffnessGain, Array::Compliance],
};
const WEIGHTS: Argument = Argument {
    name: "weights",
    access: Read,
    kind: Kind::Scalars("Weights"),
    arrays: &[
        Array::MassWeight,
        Array::DampingWeight,
        Array::StiffnessWeight,
        Array::Compliance,
    ],
};
const STABILIZED: Argument = Argument {
    name: "out",
    access: Write,
    kind: Kind::Struct("Acceleration"),
    arrays: &[
        Array::Rates,
        Array::Accelerations,
        Array::Multipliers,
        Array::Margin,
        Array::Power,
    ],
};
const PLAIN_FACTORIZATION: Argument =
    structure("PlainFactorization", &[Array::PlainFactor, Array::Margin]);
const STANDARD_FACTORIZATION: Argument = structure(
    "StandardFactorization",
    &[Array::StandardFactor, Array::Margin],
);
const TANGENT_FACTORIZATION: Argument = structure(
    "TangentFactorization",
    &[Array::TangentFactor, Array::Margin],
);
const JACOBIAN: Argument = structure("Jacobian", &[Array::Rows]);
const TANGENTS: Argument = structure("Tangents", &[Array::Stiffness, Array::Damping]);
const DENSE: Argument = Argument {
    name: "out",
    access: Write,
    kind: Kind::Struct("Dense"),
    arrays: &[
        Array::Mass,
        Array::Rows,
        Array::Forces,
        Array::Gamma,
        Array::Rates,
        Array::PhiT,
        Array::Power,
    ],
};
const ENERGY: Argument = Argument {
    name: "out",
    access: Return,
    kind: Kind::Scalars("Energy"),
    arrays: &[Array::Kinetic, Array::Potential],
};
