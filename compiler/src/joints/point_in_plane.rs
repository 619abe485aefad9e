//! Point in plane: the second point is in the plane through the first point whose normal is z of the first triad.

use super::JointCoordinate::{X, Y};
use super::sides::any_turn;
use super::{
    AxisRule, Facts, Glyph, GlyphEnd, InPlane, JointKind, MotionsLeft, RelativeTurns, shift,
};

pub const KIND: JointKind = JointKind {
    word: "point-in-plane",
    about: "The second body's point stays in a plane of the first body, whose normal is the axis.",
    space: Facts {
        axis: AxisRule::OfFirst("the plane of a point-in-plane joint is on its first body"),
        coordinates: &[X, Y],
        motions: Some(MotionsLeft {
            shifts: &[(0, X), (1, Y)],
            turns: RelativeTurns::Freely,
        }),
        holds_a_point: [false, true],
        symbol: &[Glyph::Table, Glyph::Dot(GlyphEnd::Second, 1.4)],
        ..Facts::PLAIN
    },
    plane: InPlane::Lacks("use `pin-slot`, which keeps a point on a line"),
    rows: |sides| vec![sides.in_plane(2, "distance from the plane")],
    coordinate: |sides, coordinate| match coordinate {
        X => Some(sides.displacement(0)),
        Y => Some(sides.displacement(1)),
        _ => None,
    },
    freedoms: |sides| {
        let [x, y, _] = sides.first.clone();
        let mut freedoms = any_turn();
        freedoms.extend([shift(x), shift(y)]);
        Some(freedoms)
    },
    ..JointKind::PLAIN
};
