//! Pin in a slot: the second point is on a line of the first body.

use super::JointCoordinate::{Angle, Displacement};
use super::sides::any_turn;
use super::{
    AxisRule, Facts, Glyph, GlyphEnd, InPlane, JointKind, MotionsLeft, Pushes, RelativeTurns, shift,
};

const AXIS: &str = "the line of a pin-slot joint is on its first body";

pub const KIND: JointKind = JointKind {
    word: "pin-slot",
    aliases: &["point-on-line"],
    elsewhere: &[(
        "a pin in a slot",
        &["slot", "pin-in-slot", "point-on-curve"],
    )],
    about: "A point on a line, also called point-on-line.",
    pushes: Pushes::Across,
    space: Facts {
        axis: AxisRule::OfFirst(AXIS),
        coordinates: &[Displacement],
        motions: Some(MotionsLeft {
            shifts: &[(2, Displacement)],
            turns: RelativeTurns::Freely,
        }),
        holds_a_point: [false, true],
        symbol: &[Glyph::Dot(GlyphEnd::Second, 1.4)],
        ..Facts::PLAIN
    },
    plane: InPlane::Has(Facts {
        axis: AxisRule::OfFirst(AXIS),
        coordinates: &[Displacement, Angle],
        motions: Some(MotionsLeft {
            shifts: &[(2, Displacement)],
            turns: RelativeTurns::Once,
        }),
        holds_a_point: [false, true],
        symbol: &[Glyph::Dot(GlyphEnd::Second, 1.1)],
        ..Facts::PLAIN
    }),
    rows: |sides| sides.on_line(),
    coordinate: |sides, coordinate| match coordinate {
        Displacement => Some(sides.displacement(2)),
        Angle if sides.plane.is_some() => Some(sides.rotation()),
        _ => None,
    },
    freedoms: |sides| {
        let mut freedoms = any_turn();
        if sides.plane.is_some() {
            freedoms.drain(..2);
        }
        freedoms.push(shift(sides.first[2].clone()));
        Some(freedoms)
    },
    ..JointKind::PLAIN
};
