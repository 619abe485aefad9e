//! Options of the caller. All of them go into the header of the generated code and into the content key of the caches.

use crate::description::{Formulation, Method};
use crate::model::Model;

pub use extra::Extra;

mod extra;

/// Options of one compilation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Options {
    /// Path by which generated code reaches the runtime.
    pub runtime: String,
    /// The floating-point type of the generated code.
    pub scalar: Scalar,
    /// Number of lanes that the generated code evaluates at once.
    pub lanes: Lanes,
    /// Statements a generated function may have before it is written as loops or cut into pieces; what a step asks for
    /// may have many times more.
    pub piece: usize,
    /// In which coordinates the equations are written, whatever the description says.
    pub formulation: Option<Formulation>,
    /// Methods that the generated code serves besides those of the description.
    pub methods: Vec<Method>,
    /// The purpose of the equations.
    pub purpose: Purpose,
}

/// The purpose of the equations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// Motion: a consistent start, and Rust that goes on from there.
    #[default]
    Motion,
    /// The same in a program of the command line: what no such program asks for is left out.
    Program,
    /// The same, with further outputs for the pose of every body.
    Pictures,
    /// Questions of kinematics and statics: the start is the guess as it was written, every joint coordinate
    /// is watched, and no Rust is written.
    Analysis,
}

impl Purpose {
    /// Every purpose.
    pub const ALL: [Self; 4] = [Self::Motion, Self::Program, Self::Pictures, Self::Analysis];

    /// Its name.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Motion => "motion",
            Self::Program => "program",
            Self::Pictures => "pictures",
            Self::Analysis => "analysis",
        }
    }

    /// Whether everything may be asked for, reactions in joints and the text of each stage too. A program has reactions
    /// among its outputs or not at all. They are a third of the code of a chain that rustc would read.
    pub const fn is_whole(self) -> bool {
        matches!(self, Self::Motion | Self::Analysis)
    }

    /// The same where a program is built.
    pub const fn in_program(self) -> Self {
        match self {
            Self::Motion => Self::Program,
            other => other,
        }
    }

    /// The one that a word means.
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.word() == word)
    }
}

/// The methods of the description and of the caller.
pub fn methods(model: &Model, options: &Options) -> Vec<Method> {
    let run = &model.simulation;
    let own = [
        Method::Integrator(run.integrator),
        Method::Stabilizer(run.stabilizer),
    ];
    let further = run.methods.iter().chain(&options.methods);
    own.iter().chain(further).copied().collect()
}

/// Functions that the methods of the description and of the caller need, in order.
pub fn extras(model: &Model, options: &Options) -> Vec<Extra> {
    let methods = methods(model, options);
    let mut extras: Vec<Extra> = methods
        .iter()
        .flat_map(|method| method.extras())
        .copied()
        .collect();
    extras.sort_unstable();
    extras.dedup();
    extras
}

/// The floating-point type of the generated code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Scalar {
    /// Double precision.
    #[default]
    F64,
    /// Single precision.
    F32,
}

/// Number of lanes that the generated code evaluates at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Lanes {
    /// One: a mechanism has the scalar type.
    #[default]
    One,
    /// Any: the type has a parameter, and batches step several mechanisms in the lanes of a register.
    Any,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            runtime: "::bellcrank".to_owned(),
            scalar: Scalar::F64,
            lanes: Lanes::One,
            piece: 300,
            formulation: None,
            methods: Vec::new(),
            purpose: Purpose::Motion,
        }
    }
}
