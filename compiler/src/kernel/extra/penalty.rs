//! Accelerations with rows that pull back: Baumgarte's, and soft ones.

use super::Source;
use crate::kernel::draft::Draft;
use crate::kernel::{Name, Sizes};

/// [`Name::AccelerateBaumgarte`]
pub fn baumgarte(_: &Source) -> Draft {
    Draft::new(Name::AccelerateBaumgarte)
}

/// [`Name::AcceleratePenalty`] and [`Name::PenaltyCorrection`]
pub fn penalty(_: &Source, _: &mut Sizes) -> Vec<Draft> {
    [Name::AcceleratePenalty, Name::PenaltyCorrection]
        .map(Draft::new)
        .into()
}
