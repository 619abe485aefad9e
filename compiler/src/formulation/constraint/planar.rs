//! Planar: the second point in the plane through the first, and parallel normals.

use super::super::vector::dot;
use super::Kind;
use crate::model::JointCoordinate;

pub const KIND: Kind = Kind {
    rows: |sides| {
        let mut rows = vec![(dot(&sides.first[2], &sides.d), "distance from the plane")];
        rows.extend(sides.parallel());
        rows
    },
    coordinate: |sides, coordinate| match coordinate {
        JointCoordinate::X => Some(sides.displacement(0)),
        JointCoordinate::Y => Some(sides.displacement(1)),
        JointCoordinate::Angle => Some(sides.rotation()),
        _ => None,
    },
};
