//! Distance: a massless rod, Φ = ½ (d·d/L − L), whose multiplier is the force in the rod.

use super::super::vector::dot;
use super::{Coordinate, Kind, push};
use crate::expr::Expr;
use crate::model::JointCoordinate;

pub const KIND: Kind = Kind {
    rows: |sides| {
        let Some(length) = &sides.length else {
            // A driven length is kept by its driver alone.
            return Vec::new();
        };
        let row = Expr::constant(0.5) * (dot(&sides.d, &sides.d) / length - length);
        let direction = sides.d.clone().map(|c| c / length);
        vec![push(row, "length", direction)]
    },
    coordinate: |sides, coordinate| match (coordinate, &sides.distance) {
        (JointCoordinate::Length, Some((value, rate))) => {
            let along = push(value.clone(), "", sides.d.clone().map(|c| c / value));
            Some(Coordinate {
                value: along.phi,
                rate: rate.clone(),
                turn: None,
                terms: along.terms,
                force: along.force,
                torque: along.torque,
            })
        }
        _ => None,
    },
    freedoms: |_| None,
};
