//! Universal: the points coincide and the two axes of the cross stay perpendicular.
//!
//! The relative angular velocity is θ̇1 z1 + θ̇2 z2. The axes are perpendicular, so each rate is its component along
//! one axis.

use super::JointCoordinate::{Angle, SecondAngle};
use super::{
    AxisRule, Facts, Glyph, GlyphEnd, InPlane, JointKind, MotionsLeft, RelativeTurns, Shares, turn,
};

pub const KIND: JointKind = JointKind {
    word: "universal",
    elsewhere: &[("Hooke's or Cardan's joint", &["cardan", "hooke", "u"])],
    about: "Keeps a point; turns about two crossed axes.",
    space: Facts {
        axis: AxisRule::OfEach("a universal joint needs two axes, one of each body"),
        coordinates: &[Angle, SecondAngle],
        motions: Some(MotionsLeft {
            shifts: &[],
            turns: RelativeTurns::Twice,
        }),
        shares: Shares::PointAndMore,
        symbol: &[
            Glyph::Axle(GlyphEnd::First, 2.0, 1.1),
            Glyph::Axle(GlyphEnd::Second, 2.0, 1.1),
        ],
        ..Facts::PLAIN
    },
    plane: InPlane::Lacks("use `revolute`"),
    rows: |sides| {
        let mut rows = sides.coincide();
        rows.push(sides.perpendicular(2, 2, "right angle of the cross"));
        rows
    },
    coordinate: |sides, coordinate| match coordinate {
        // The angle of z2 in the first triad: sin = z2·y1, cos = z2·x1.
        Angle => {
            let (sin, cos) = (sides.product(1, 2, 1.0), sides.product(0, 2, 1.0));
            Some(sides.turning(sin, cos, &sides.first[2]))
        }
        // z1 turns the other way in the second triad: sin = −z1·y2, cos = z1·x2.
        SecondAngle => {
            let (sin, cos) = (sides.product(2, 1, -1.0), sides.product(2, 0, 1.0));
            Some(sides.turning(sin, cos, &sides.second[2]))
        }
        _ => None,
    },
    freedoms: |sides| {
        Some(vec![
            turn(sides.first[2].clone()),
            turn(sides.second[2].clone()),
        ])
    },
    ..JointKind::PLAIN
};
