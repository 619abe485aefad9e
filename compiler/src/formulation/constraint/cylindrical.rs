//! Cylindrical: parallel axes, and the second point on the line along the axis.

use super::{Kind, shift, turn};
use crate::model::JointCoordinate;

pub const KIND: Kind = Kind {
    rows: |sides| {
        let mut rows = sides.on_line();
        rows.extend(sides.parallel());
        rows
    },
    coordinate: |sides, coordinate| match coordinate {
        JointCoordinate::Angle => Some(sides.rotation()),
        JointCoordinate::Displacement => Some(sides.displacement(2)),
        _ => None,
    },
    freedoms: |sides| Some(vec![turn(sides.axis()), shift(sides.axis())]),
};
