//! Revolute: the points coincide and, in space, the axes are parallel.

use super::{Kind, turn};
use crate::model::JointCoordinate;

pub const KIND: Kind = Kind {
    rows: |sides| {
        let mut rows = sides.coincide();
        if !sides.planar {
            rows.extend(sides.parallel());
        }
        rows
    },
    coordinate: |sides, coordinate| match coordinate {
        JointCoordinate::Angle => Some(sides.rotation()),
        _ => None,
    },
    freedoms: |sides| Some(vec![turn(sides.axis())]),
};
