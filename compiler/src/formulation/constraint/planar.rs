//! Planar: the second point in the plane through the first, and parallel normals.

use super::{Kind, shift, turn};
use crate::model::JointCoordinate;

pub const KIND: Kind = Kind {
    rows: |sides| {
        let mut rows = vec![sides.in_plane(2, "distance from the plane")];
        rows.extend(sides.parallel());
        rows
    },
    coordinate: |sides, coordinate| match coordinate {
        JointCoordinate::X => Some(sides.displacement(0)),
        JointCoordinate::Y => Some(sides.displacement(1)),
        JointCoordinate::Angle => Some(sides.rotation()),
        _ => None,
    },
    freedoms: |sides| {
        let [x, y, z] = sides.first.clone();
        Some(vec![shift(x), shift(y), turn(z)])
    },
};
