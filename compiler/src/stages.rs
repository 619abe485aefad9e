//! The stages and shared modules of the compiler, for the workbench (`bellcrank-cli`) and for tests. They promise no
//! stability.

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
    /// The resolved description: ids, SI units, laws as expressions.
    model;
    /// The spanning tree, cut joints and loops.
    topology;
    /// Coordinates, constraint equations, energies and loads.
    formulation;
    /// Derivatives of the equations.
    symbolic;
    /// A consistent start, the redundant constraint equations and the degrees of freedom.
    assembly;
    /// The search for the formulation, the cuts and the way to write the equations that take the fewest operations.
    search;
    /// Straight-line code, and its interpreter.
    kernel;
    /// The generated module.
    emit;
    /// The kinds of joints, one file each.
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
