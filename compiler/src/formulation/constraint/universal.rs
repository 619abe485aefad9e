//! Universal: the points coincide and the two axes of the cross stay perpendicular.
//!
//! The relative angular velocity is θ̇1 z1 + θ̇2 z2, so each rate is its projection on one axis.

use super::super::vector::dot;
use super::{Kind, turning};
use crate::model::JointCoordinate;

pub const KIND: Kind = Kind {
    rows: |sides| {
        let mut rows = sides.coincide();
        rows.push((
            dot(&sides.first[2], &sides.second[2]),
            "right angle of the cross",
        ));
        rows
    },
    coordinate: |sides, coordinate| {
        let ([x1, y1, z1], [x2, y2, z2]) = (&sides.first, &sides.second);
        match coordinate {
            JointCoordinate::Angle => Some(turning(dot(z2, y1), dot(z2, x1), dot(z1, &sides.spin))),
            JointCoordinate::SecondAngle => {
                Some(turning(-dot(z1, y2), dot(z1, x2), dot(z2, &sides.spin)))
            }
            _ => None,
        }
    },
};
