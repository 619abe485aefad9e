//! What implicit integrators need.

use super::Source;
use crate::kernel::draft::Draft;
use crate::kernel::{Name, Sizes};

/// [`Name::Residual`], [`Name::Tangents`], [`Name::TangentFactor`] and [`Name::TangentSolve`]
pub fn functions(_: &Source, _: &mut Sizes) -> Vec<Draft> {
    [
        Name::Residual,
        Name::Tangents,
        Name::TangentFactor,
        Name::TangentSolve,
    ]
    .map(Draft::new)
    .into()
}
