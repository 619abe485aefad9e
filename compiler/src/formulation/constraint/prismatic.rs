//! Prismatic: no relative turn, and the second point on the line along the axis.

use super::{Kind, shift};
use crate::model::JointCoordinate;

pub const KIND: Kind = Kind {
    rows: |sides| {
        let mut rows = sides.on_line();
        rows.extend(sides.locked());
        rows
    },
    coordinate: |sides, coordinate| match coordinate {
        JointCoordinate::Displacement => Some(sides.displacement(2)),
        _ => None,
    },
    freedoms: |sides| Some(vec![shift(sides.axis())]),
};
