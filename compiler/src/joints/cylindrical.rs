//! Cylindrical: the axes are parallel, and the second point is on the line along the axis.

use super::JointCoordinate::{Angle, Displacement};
use super::{
    AxisRule, Facts, Glyph, GlyphEnd, InPlane, JointKind, MotionsLeft, RelativeTurns, shift, turn,
};

pub const KIND: JointKind = JointKind {
    word: "cylindrical",
    about: "Turns about and slides along an axis.",
    space: Facts {
        axis: AxisRule::Shared,
        coordinates: &[Angle, Displacement],
        motions: Some(MotionsLeft {
            shifts: &[(2, Displacement)],
            turns: RelativeTurns::Once,
        }),
        turns_wheels: true,
        symbol: &[Glyph::Axle(GlyphEnd::Slider, 2.6, 2.4)],
        ..Facts::PLAIN
    },
    plane: InPlane::Lacks("use `prismatic`, or `pin-slot` if it also turns"),
    rows: |sides| {
        let mut rows = sides.on_line();
        rows.extend(sides.parallel());
        rows
    },
    coordinate: |sides, coordinate| match coordinate {
        Angle => Some(sides.rotation()),
        Displacement => Some(sides.displacement(2)),
        _ => None,
    },
    freedoms: |sides| Some(vec![turn(sides.axis()), shift(sides.axis())]),
    ..JointKind::PLAIN
};
