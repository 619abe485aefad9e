//! Revolute–spherical: a massless rod of length L with a hinge on the first body and a ball on the second,
//!
//! ```text
//! z1·d = 0        ½ (d·d/L − L) = 0
//! ```
//!
//! This is the composite joint of Haug (Computer Aided Kinematics and Dynamics of Mechanical Systems, 1989). The rod is
//! perpendicular to the hinge's axis. No coordinates serve in every pose.

use super::{AxisRule, Facts, Glyph, GlyphEnd, InPlane, JointKind, distance};

pub const KIND: JointKind = JointKind {
    word: "revolute-spherical",
    about: "A massless rod with a hinge on the first body and a ball on the second: it has a fixed length and stays \
            perpendicular to the hinge's axis.",
    is_rod: true,
    space: Facts {
        axis: AxisRule::OfFirst("the hinge of a revolute-spherical joint is on its first body"),
        holds_a_point: [false, true],
        symbol: &[
            Glyph::Axle(GlyphEnd::First, 1.8, 2.2),
            Glyph::Dot(GlyphEnd::Second, 1.7),
        ],
        ..Facts::PLAIN
    },
    plane: InPlane::Lacks("use `distance`"),
    rows: |sides| {
        let mut rows = vec![sides.in_plane(2, "distance from the plane of the hinge")];
        rows.extend((distance::KIND.rows)(sides));
        rows
    },
    ..JointKind::PLAIN
};
