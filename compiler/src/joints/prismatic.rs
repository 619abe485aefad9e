//! Prismatic: the bodies do not turn relative to each other, and the second point is on the line along the axis.

use super::JointCoordinate::Displacement;
use super::{
    AxisRule, Facts, Glyph, InPlane, JointKind, MotionsLeft, RelativeTurns, TriadRule, shift,
};

pub const KIND: JointKind = JointKind {
    word: "prismatic",
    elsewhere: &[(
        "a slider",
        &[
            "slider",
            "slide",
            "sliding",
            "linear",
            "translational",
            "translation",
        ],
    )],
    about: "Slides along an axis.",
    space: Facts {
        axis: AxisRule::Shared,
        triads: TriadRule::AsGuessed,
        coordinates: &[Displacement],
        motions: Some(MotionsLeft {
            shifts: &[(2, Displacement)],
            turns: RelativeTurns::None,
        }),
        symbol: &[Glyph::Block],
        ..Facts::PLAIN
    },
    plane: InPlane::Has(Facts {
        axis: AxisRule::Shared,
        triads: TriadRule::AsGuessed,
        coordinates: &[Displacement],
        motions: Some(MotionsLeft {
            shifts: &[(2, Displacement)],
            turns: RelativeTurns::None,
        }),
        symbol: &[Glyph::Block],
        ..Facts::PLAIN
    }),
    rows: |sides| {
        let mut rows = sides.on_line();
        rows.extend(sides.locked());
        rows
    },
    coordinate: |sides, coordinate| match coordinate {
        Displacement => Some(sides.displacement(2)),
        _ => None,
    },
    freedoms: |sides| Some(vec![shift(sides.axis())]),
    ..JointKind::PLAIN
};
