//! Projection of all coordinates, norms of Euler parameters included.

use super::Source;
use crate::kernel::draft::Draft;
use crate::kernel::{Name, Sizes};

/// [`Name::StandardFactor`] and [`Name::StandardCorrection`]
pub fn functions(_: &Source, _: &mut Sizes) -> Vec<Draft> {
    [Name::StandardFactor, Name::StandardCorrection]
        .map(Draft::new)
        .into()
}
