//! Point in plane: the second point in the plane through the first, across z of the first triad.

use super::{Kind, any_turn, shift};
use crate::model::JointCoordinate;

pub const KIND: Kind = Kind {
    rows: |sides| vec![sides.in_plane(2, "distance from the plane")],
    coordinate: |sides, coordinate| match coordinate {
        JointCoordinate::X => Some(sides.displacement(0)),
        JointCoordinate::Y => Some(sides.displacement(1)),
        _ => None,
    },
    freedoms: |sides| {
        let [x, y, _] = sides.first.clone();
        let mut freedoms = any_turn();
        freedoms.extend([shift(x), shift(y)]);
        Some(freedoms)
    },
};
