//! The arguments of the trait's methods, and which array is where.

use proc_macro2::TokenStream;
use quote::quote;

use super::context::EmitContext;
use super::names::identifier;
use crate::kernel::{self, Array, Name};
use Access::{Read, Return, Value, Write};

/// An argument of a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EmittedArgument {
    /// Its name.
    pub name: &'static str,
    /// The way in which it is passed.
    pub access: Access,
    /// Its type.
    pub kind: ArgumentType,
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
pub enum ArgumentType {
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

/// The state (t, q, v), which the trait's methods take as one argument.
pub const STATE: [Array; 3] = [Array::Time, Array::Coordinates, Array::Velocities];

/// The place of an array: an argument, and maybe a field of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArrayPlace {
    /// Name of the argument, or of the local that stands for it.
    pub name: &'static str,
    /// The field, if the argument is a struct.
    pub field: Option<&'static str>,
}

/// The arguments of a method, in the trait's order: a result with the name of an argument takes its place.
pub fn arguments(name: Name) -> Vec<EmittedArgument> {
    let results = || name.results().iter().map(result);
    let is_read = |one: &&kernel::Argument| !results().any(|result| result.name == one.name);
    let mut arguments: Vec<EmittedArgument> = name
        .arguments()
        .iter()
        .filter(is_read)
        .map(read_only)
        .collect();
    let in_place =
        |one: &EmittedArgument| name.arguments().iter().any(|other| other.name == one.name);
    let (first, last): (Vec<_>, Vec<_>) = results().partition(in_place);
    arguments.splice(0..0, first);
    arguments.extend(last);
    arguments
}

fn read_only(declared: &kernel::Argument) -> EmittedArgument {
    let kind = kind(declared);
    EmittedArgument {
        name: declared.name,
        access: match kind {
            ArgumentType::Scalar => Value,
            _ => Read,
        },
        kind,
        arrays: declared.arrays,
    }
}

fn result(declared: &kernel::Argument) -> EmittedArgument {
    EmittedArgument {
        name: declared.name,
        access: match declared.structure {
            Some("Energy") => Return,
            _ => Write,
        },
        kind: kind(declared),
        arrays: declared.arrays,
    }
}

fn kind(declared: &kernel::Argument) -> ArgumentType {
    match (declared.structure, declared.arrays[0]) {
        (Some(name @ ("Gains" | "Weights" | "Energy")), _) => ArgumentType::Scalars(name),
        (Some(name), _) => ArgumentType::Struct(name),
        (None, Array::Time) => ArgumentType::Scalar,
        (None, Array::Parameters | Array::Derived) => ArgumentType::Field,
        (None, array) => ArgumentType::Vector(vector(array), array),
    }
}

/// The associated type of the trait that has the length of an array.
fn vector(array: Array) -> &'static str {
    match array {
        Array::Coordinates | Array::Rates => "Coordinates",
        Array::Velocities | Array::Accelerations | Array::Forces => "Velocities",
        Array::Multipliers | Array::Constraints => "Multipliers",
        Array::HoldValues | Array::HoldRates => "Holds",
        Array::Factor => "Factor",
        Array::PenaltyFactor => "PenaltyFactor",
        Array::PlainFactor => "PlainFactor",
        Array::StandardFactor => "StandardFactor",
        Array::TangentFactor => "TangentFactor",
        Array::Outputs => "Outputs",
        Array::Reactions => "Reactions",
        Array::Events => "Events",
        Array::Transitions => "Transitions",
        _ => "unknown",
    }
}

/// The arguments with the parts of the state, and the others. The first are empty unless the method takes a state.
pub fn split_state(arguments: &[EmittedArgument]) -> (&[EmittedArgument], &[EmittedArgument]) {
    let is_part =
        |(one, part): (&EmittedArgument, &Array)| one.access != Write && one.arrays == [*part];
    let has_state = arguments.len() >= STATE.len() && arguments.iter().zip(&STATE).all(is_part);
    arguments.split_at(if has_state { STATE.len() } else { 0 })
}

/// The place at which a function reads an array.
pub fn read(name: Name, array: Array) -> ArrayPlace {
    let local = match array {
        Array::Parameters => "p",
        Array::Inputs => "u",
        Array::Variables => "w",
        Array::Derived => "d",
        // Arrays that are written in place are read from a copy.
        Array::Coordinates if matches!(name, Name::Normalize | Name::Advance) => "given",
        _ => return find(name, array, |access| access != Access::Write),
    };
    ArrayPlace {
        name: local,
        field: None,
    }
}

/// The place at which a function writes an array.
pub fn written(name: Name, array: Array) -> ArrayPlace {
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

impl EmittedArgument {
    /// The type in the trait's implementation.
    pub fn declared(&self, context: &EmitContext) -> TokenStream {
        match self.kind {
            ArgumentType::Vector(name, _) => {
                let name = identifier(name);
                self.passed(quote!(Self::#name))
            }
            _ => self.full(context),
        }
    }

    /// The type where the trait's names are out of reach.
    pub fn full(&self, context: &EmitContext) -> TokenStream {
        let real = &context.real;
        self.passed(match self.kind {
            ArgumentType::Scalar => quote!(#real),
            ArgumentType::Field => context.array(context.shape(self.arrays[0]).0),
            ArgumentType::Vector(_, array) => context.vector(context.shape(array).0),
            ArgumentType::Struct(name) => {
                let path = context.item(name);
                quote!(#path<Self>)
            }
            ArgumentType::Scalars(name) => {
                let path = context.item(name);
                quote!(#path<#real>)
            }
        })
    }

    fn passed(&self, kind: TokenStream) -> TokenStream {
        match self.access {
            Access::Value => kind,
            Access::Read => quote!(&#kind),
            Access::Write | Access::Return => quote!(&mut #kind),
        }
    }
}

fn find(name: Name, array: Array, access: impl Fn(Access) -> bool) -> ArrayPlace {
    let found = arguments(name)
        .into_iter()
        .find(|argument| access(argument.access) && argument.arrays.contains(&array));
    let structured = found
        .is_some_and(|one| matches!(one.kind, ArgumentType::Struct(_) | ArgumentType::Scalars(_)));
    ArrayPlace {
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
