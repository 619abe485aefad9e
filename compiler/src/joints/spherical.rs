//! Spherical: the points coincide.

use super::sides::any_turn;
use super::{Facts, Glyph, GlyphEnd, InPlane, JointKind, MotionsLeft, RelativeTurns, Shares};

pub const KIND: JointKind = JointKind {
    word: "spherical",
    elsewhere: &[(
        "a ball joint",
        &["ball", "ball-socket", "ball-and-socket", "socket"],
    )],
    about: "Keeps a point; turns about every axis.",
    space: Facts {
        motions: Some(MotionsLeft {
            shifts: &[],
            turns: RelativeTurns::Freely,
        }),
        shares: Shares::Point,
        holds_a_point: [true; 2],
        symbol: &[Glyph::Dot(GlyphEnd::First, 1.7)],
        ..Facts::PLAIN
    },
    plane: InPlane::Lacks("use `revolute`"),
    rows: |sides| sides.coincide(),
    freedoms: |_| Some(any_turn()),
    ..JointKind::PLAIN
};
