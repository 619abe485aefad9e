//! Screw: a cylindrical joint whose displacement is in a fixed ratio to its angle, Φ = s − p θ − (s₀ − p θ₀), with s₀
//! and θ₀ from the guess.

use super::JointCoordinate::{Angle, Displacement};
use super::{
    AxisRule, Facts, Glyph, GlyphEnd, InPlane, JointEquation, JointKind, MotionsLeft,
    RelativeTurns, Screw, Sides, Thread, cylindrical, scaled, whole_turn,
};
use crate::expr::vector::{scale, sub};

pub const KIND: JointKind = JointKind {
    word: "screw",
    elsewhere: &[("a thread", &["helical"])],
    about: "Turns about an axis and slides along it by as much as it turns: a nut on its screw.",
    has_lead: true,
    space: Facts {
        axis: AxisRule::Shared,
        coordinates: &[Angle, Displacement],
        motions: Some(MotionsLeft {
            shifts: &[],
            turns: RelativeTurns::Screwing,
        }),
        turns_wheels: true,
        symbol: &[Glyph::Axle(GlyphEnd::Slider, 2.6, 2.4)],
        ..Facts::PLAIN
    },
    plane: InPlane::Lacks("use `prismatic`, or `pin-slot` if it also turns"),
    rows: |sides| {
        let mut rows = (cylindrical::KIND.rows)(sides);
        rows.extend(way(sides));
        rows
    },
    coordinate: cylindrical::KIND.coordinate,
    freedoms: |sides| {
        let (axis, thread) = (sides.axis(), sides.thread.as_ref()?);
        Some(vec![Screw {
            linear: scale(&thread.pitch, &axis),
            angular: axis,
        }])
    },
    ..JointKind::PLAIN
};

/// The equation of the thread; `None` for sides without whole turns, such as those from which the guess is evaluated.
fn way(sides: &Sides) -> Option<JointEquation> {
    let wound = sides.wound(Angle)?;
    let Thread { pitch, offset } = sides.thread.as_ref()?;
    let (way, angle) = (sides.displacement(2), sides.rotation());
    let turns = pitch * whole_turn() * &wound.turns;
    let mut terms = way.terms;
    let of_angle = sides.terms_of(&angle);
    terms.extend(of_angle.iter().map(|term| scaled(&-pitch, term)));
    Some(JointEquation {
        phi: (way.value - pitch * &wound.angle - offset) - turns,
        keeps: "way along the thread",
        force: way.force,
        torque: sub(&way.torque, &scale(pitch, &angle.torque)),
        terms,
    })
}
