//! Planar: the second point is in the plane through the first, and the normals are parallel.

use super::JointCoordinate::{Angle, X, Y};
use super::{AxisRule, Facts, Glyph, InPlane, JointKind, MotionsLeft, RelativeTurns, shift, turn};

pub const KIND: JointKind = JointKind {
    word: "planar",
    about: "Slides in a plane and turns about its normal.",
    space: Facts {
        axis: AxisRule::Shared,
        coordinates: &[X, Y, Angle],
        motions: Some(MotionsLeft {
            shifts: &[(0, X), (1, Y)],
            turns: RelativeTurns::Once,
        }),
        symbol: &[Glyph::Table],
        ..Facts::PLAIN
    },
    plane: InPlane::Lacks("in the plane every body already moves like that"),
    rows: |sides| {
        let mut rows = vec![sides.in_plane(2, "distance from the plane")];
        rows.extend(sides.parallel());
        rows
    },
    coordinate: |sides, coordinate| match coordinate {
        X => Some(sides.displacement(0)),
        Y => Some(sides.displacement(1)),
        Angle => Some(sides.rotation()),
        _ => None,
    },
    freedoms: |sides| {
        let [x, y, z] = sides.first.clone();
        Some(vec![shift(x), shift(y), turn(z)])
    },
    ..JointKind::PLAIN
};
