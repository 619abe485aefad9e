//! Constant velocity: two shafts that meet at a point turn by the same angle, whatever the angle between them is,
//!
//! ```text
//! d = 0        ½ (y1·x2 − x1·y2) = 0
//! ```
//!
//! with z of both triads along the shafts (Hunt, Constant-velocity shaft couplings, 1973). A bend without a turn about
//! the shafts has the rotation vector n θ with n in the plane of x and y. Its matrix R satisfies R_xy = R_yx. No other
//! rotation by less than half a turn does. Between aligned shafts Φ is the sine of the turn. Its multiplier is the
//! torque about z1 + z2, which bisects the angle between the shafts.
//!
//! The bodies turn relative to each other about every direction perpendicular to z1 + z2. No two coordinates describe
//! these turns in every pose.

use super::{
    AxisRule, Facts, Glyph, GlyphEnd, InPlane, JointEquation, JointKind, Shares, Sides, TriadRule,
    turn,
};
use crate::expr::Expr;
use crate::expr::vector::{add, cross, scale, sub, zero};

pub const KIND: JointKind = JointKind {
    word: "constant-velocity",
    elsewhere: &[(
        "a homokinetic joint",
        &["cv", "homokinetic", "rzeppa", "tripod", "constant-speed"],
    )],
    about: "Keeps a point; bends in every direction, while both shafts turn by the same angle.",
    space: Facts {
        axis: AxisRule::Shared,
        triads: TriadRule::AsGuessed,
        shares: Shares::PointAndMore,
        symbol: &[
            Glyph::Axle(GlyphEnd::First, 2.0, 1.1),
            Glyph::Axle(GlyphEnd::Second, 2.0, 1.1),
            Glyph::Dot(GlyphEnd::First, 1.7),
        ],
        ..Facts::PLAIN
    },
    plane: InPlane::Lacks("use `revolute`"),
    rows: |sides| {
        let mut rows = sides.coincide();
        rows.push(equal_turn(sides));
        rows
    },
    freedoms: |sides| {
        let across = |k: usize| turn(add(&sides.first[k], &sides.second[k]));
        Some(vec![across(0), across(1)])
    },
    ..JointKind::PLAIN
};

/// ½ (y1·x2 − x1·y2) = 0; a turn δ of the second body changes it by ½ δ·(x2 × y1 − y2 × x1).
fn equal_turn(sides: &Sides) -> JointEquation {
    let (one, other) = (sides.product(1, 0, 0.5), sides.product(0, 1, -0.5));
    let [x1, y1, _] = &sides.first;
    let [x2, y2, _] = &sides.second;
    JointEquation {
        phi: one.value + other.value,
        keeps: "equal turn of both shafts",
        force: zero(),
        torque: scale(&Expr::constant(0.5), &sub(&cross(x2, y1), &cross(y2, x1))),
        terms: [one.terms, other.terms].concat(),
    }
}
