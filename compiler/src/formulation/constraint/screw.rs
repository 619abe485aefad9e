//! Screw: a cylindrical joint whose way is in a fixed ratio to its angle, Φ = s − p θ − (s₀ − p θ₀), with s₀ and
//! θ₀ as in the guess.

use super::super::Screw;
use super::super::rows::scaled;
use super::super::turns::turn;
use super::super::vector::{scale, sub};
use super::{Kept, Kind, Sides, cylindrical};
use crate::model::JointCoordinate;

pub const KIND: Kind = Kind {
    rows: |sides| {
        let mut rows = (cylindrical::KIND.rows)(sides);
        rows.extend(thread(sides));
        rows
    },
    coordinate: cylindrical::KIND.coordinate,
    freedoms: |sides| {
        let axis = sides.axis();
        Some(vec![Screw {
            linear: scale(&sides.pitch, &axis),
            angular: axis,
        }])
    },
};

/// The way along the thread; none while the guess is still asked for.
fn thread(sides: &Sides) -> Option<Kept> {
    let wound = sides.wound(JointCoordinate::Angle)?;
    let pitch = &sides.pitch;
    let (way, angle) = (sides.displacement(2), sides.rotation());
    let turns = pitch * turn() * &wound.turns;
    let mut terms = way.terms;
    let of_angle = sides.terms_of(&angle);
    terms.extend(of_angle.iter().map(|term| scaled(&-pitch, term)));
    Some(Kept {
        phi: (way.value - pitch * &wound.angle - &sides.offset) - turns,
        keeps: "way along the thread",
        force: way.force,
        torque: sub(&way.torque, &scale(pitch, &angle.torque)),
        terms,
    })
}
