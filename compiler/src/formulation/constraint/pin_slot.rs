//! Pin in a slot: the second point on a line of the first body.

use super::{Kind, any_turn, shift};
use crate::model::JointCoordinate;

pub const KIND: Kind = Kind {
    rows: |sides| sides.on_line(),
    coordinate: |sides, coordinate| match coordinate {
        JointCoordinate::Displacement => Some(sides.displacement(2)),
        JointCoordinate::Angle if sides.planar => Some(sides.rotation()),
        _ => None,
    },
    freedoms: |sides| {
        let mut freedoms = any_turn();
        if sides.planar {
            freedoms.drain(..2);
        }
        freedoms.push(shift(sides.first[2].clone()));
        Some(freedoms)
    },
};
