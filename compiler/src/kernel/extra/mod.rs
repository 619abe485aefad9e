//! Functions that only some methods need. They are lowered when an integrator or a stabilizer asks for
//! them, so the others cost nothing.

mod jacobian;
mod penalty;
mod plain;
mod standard;
mod tangents;

use crate::assembly::Assembly;
use crate::kernel::builder::draft::FunctionDraft;
use crate::kernel::{Sizes, Solve};
use crate::options::{Extra, Options};
use crate::symbolic::Equations;

/// Inputs from which the functions of an extra are built.
pub struct ExtraInputs<'a> {
    /// The derived equations.
    pub equations: &'a Equations,
    /// The start of the mechanism.
    pub assembly: &'a Assembly,
    /// The solve for accelerations.
    pub solve: Solve,
    /// The rows that are not redundant.
    pub rows: &'a [usize],
    /// Options of the caller.
    pub options: &'a Options,
}

/// The functions of an extra, in the order of their names; lengths of their factors go to `sizes`.
pub fn functions(extra: Extra, source: &ExtraInputs, sizes: &mut Sizes) -> Vec<FunctionDraft> {
    match extra {
        Extra::Baumgarte => vec![penalty::baumgarte(source)],
        Extra::Penalty => penalty::penalty(source, sizes),
        Extra::Plain => plain::functions(source, sizes),
        Extra::Standard => standard::functions(source, sizes),
        Extra::Jacobian => vec![jacobian::jacobian(source.equations)],
        Extra::Tangents => tangents::functions(source, sizes),
    }
}
