//! The compiler from inside, for the workbench (`bellcrank-cli`) and for tests. No stability is promised.

macro_rules! from_inside {
    ($($(#[$about:meta])* $name:ident;)*) => {
        $(
            $(#[$about])*
            pub mod $name {
                pub use crate::$name::*;
            }
        )*
    };
}

from_inside! {
    /// Names resolved: ids, SI units, laws as expressions.
    model;
    /// The spanning tree, cut joints and loops.
    topology;
    /// Coordinates, constraint equations, energies and loads.
    formulation;
    /// Derivatives of the equations.
    symbolic;
    /// A consistent start, the redundant constraint equations and the degrees of freedom.
    assembly;
    /// Formulations and cuts, and their operations.
    search;
    /// Straight-line code, and its interpreter.
    kernel;
    /// The generated module.
    emit;
    /// The kinds of joints.
    joints;
    /// Expressions.
    expr;
    /// The value of an expression as a number.
    evaluate;
    /// Numerical methods that assembly, analyses and the interpreted run share.
    numeric;
    /// Results of earlier compilations.
    cache;
    /// Files that are written whole, or not at all.
    output_file;
    /// Tables of text with aligned columns.
    columns;
}
