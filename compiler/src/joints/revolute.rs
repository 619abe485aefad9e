//! Revolute: the points coincide and, in space, the axes are parallel.

use super::JointCoordinate::Angle;
use super::{
    AxisRule, Facts, Glyph, GlyphEnd, InPlane, JointKind, MotionsLeft, RelativeTurns, Shares, turn,
};

pub const KIND: JointKind = JointKind {
    word: "revolute",
    elsewhere: &[
        ("a hinge", &["hinge"]),
        (
            "a joint that turns about a pin",
            &["pin", "pivot", "bearing"],
        ),
        (
            "a joint that turns",
            &["rotary", "rotational", "rotation", "continuous"],
        ),
    ],
    about: "Turns about an axis.",
    space: Facts {
        axis: AxisRule::Shared,
        coordinates: &[Angle],
        motions: Some(MotionsLeft {
            shifts: &[],
            turns: RelativeTurns::Once,
        }),
        shares: Shares::Axis,
        turns_wheels: true,
        symbol: &[Glyph::Axle(GlyphEnd::First, 1.8, 2.2)],
        ..Facts::PLAIN
    },
    plane: InPlane::Has(Facts {
        coordinates: &[Angle],
        motions: Some(MotionsLeft {
            shifts: &[],
            turns: RelativeTurns::Once,
        }),
        shares: Shares::Point,
        turns_wheels: true,
        symbol: &[Glyph::Dot(GlyphEnd::First, 1.1)],
        ..Facts::PLAIN
    }),
    rows: |sides| {
        let mut rows = sides.coincide();
        if sides.plane.is_none() {
            rows.extend(sides.parallel());
        }
        rows
    },
    coordinate: |sides, coordinate| match coordinate {
        Angle => Some(sides.rotation()),
        _ => None,
    },
    freedoms: |sides| Some(vec![turn(sides.axis())]),
    ..JointKind::PLAIN
};
