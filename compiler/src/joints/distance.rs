//! Distance: a massless rod, Φ = ½ (d·d/L − L). Its multiplier is the force in the rod.

use super::JointCoordinate::Length;
use super::sides::push;
use super::{Facts, Glyph, GlyphEnd, InPlane, JointCoordinateValue, JointKind, Pushes};
use crate::expr::Expr;
use crate::expr::vector::dot;

pub const KIND: JointKind = JointKind {
    word: "distance",
    elsewhere: &[(
        "a massless rod between two points",
        &["rod", "link", "rope", "string", "massless-rod"],
    )],
    about: "A massless rod between two points.",
    is_rod: true,
    pushes: Pushes::Along,
    space: Facts {
        coordinates: &[Length],
        holds_a_point: [true; 2],
        symbol: &[
            Glyph::Dot(GlyphEnd::First, 1.0),
            Glyph::Dot(GlyphEnd::Second, 1.0),
        ],
        ..Facts::PLAIN
    },
    plane: InPlane::Has(Facts {
        coordinates: &[Length],
        holds_a_point: [true; 2],
        symbol: &[
            Glyph::Dot(GlyphEnd::First, 1.1),
            Glyph::Dot(GlyphEnd::Second, 1.1),
        ],
        ..Facts::PLAIN
    }),
    rows: |sides| {
        let Some(length) = &sides.length else {
            // The driver alone keeps a driven length.
            return Vec::new();
        };
        let row = Expr::constant(0.5) * (dot(&sides.d, &sides.d) / length - length);
        let direction = sides.d.clone().map(|c| c / length);
        vec![push(row, "length", direction)]
    },
    coordinate: |sides, coordinate| match (coordinate, &sides.distance) {
        (Length, Some((value, rate))) => {
            let along = push(value.clone(), "", sides.d.clone().map(|c| c / value));
            Some(JointCoordinateValue {
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
    ..JointKind::PLAIN
};
