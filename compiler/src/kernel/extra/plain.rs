//! Projection in the metric of the velocities themselves.

use super::Source;
use crate::kernel::draft::Draft;
use crate::kernel::{Name, Sizes};

/// [`Name::PlainFactor`], [`Name::PlainCorrection`] and [`Name::InnerCorrection`]
pub fn functions(_: &Source, _: &mut Sizes) -> Vec<Draft> {
    [
        Name::PlainFactor,
        Name::PlainCorrection,
        Name::InnerCorrection,
    ]
    .map(Draft::new)
    .into()
}
