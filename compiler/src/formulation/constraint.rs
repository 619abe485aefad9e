//! Fills in `Sides` for each joint, from which the kind of the joint writes its equations.

use super::kinematics::BodyKinematics;
use super::turns;
use crate::description::Space;
use crate::expr::vector::sub;
use crate::expr::{Expr, Symbol};
use crate::joints::{
    InOnePlane, JointCoordinate, JointCoordinateValue, JointType, Side, Sides, Thread,
};
use crate::model::{Joint, JointId, Marker};

/// A coordinate of a joint. If its rate is a velocity of the formulation, rate and value are taken from there.
pub fn coordinate(
    joint: JointType,
    sides: &Sides,
    which: JointCoordinate,
) -> Option<JointCoordinateValue> {
    let found = (joint.kind().coordinate)(sides, which)?;
    Some(match sides.own(which) {
        None => found,
        Some(own) => JointCoordinateValue {
            rate: Expr::symbol(Symbol::Velocity(own.velocity)),
            turn: match own.value {
                Some(_) => None,
                None => found.turn,
            },
            value: own.value.clone().unwrap_or(found.value),
            ..found
        },
    })
}

/// Both sides of a joint, with the whole turns of its angles if they matter.
pub fn sides(kinematics: &mut BodyKinematics, id: JointId) -> Sides {
    let model = kinematics.model;
    let joint = &model.joints[id.0 as usize];
    let mut sides = plain_sides(kinematics, joint);
    sides.wound = match kinematics.relative_winding(joint) {
        Some(wound) => vec![(JointCoordinate::Angle, wound)],
        None => turns::of_joint(kinematics, id, &sides),
    };
    if joint.kind.has_lead() {
        let way = turns::in_guess(model, (id, JointCoordinate::Displacement));
        let angle = turns::in_guess(model, (id, JointCoordinate::Angle));
        sides.thread = Some(Thread {
            offset: way - &joint.pitch * angle,
            pitch: joint.pitch.clone(),
        });
    }
    sides
}

/// Both sides of a joint, with angles known up to whole turns.
pub fn plain_sides(kinematics: &mut BodyKinematics, joint: &Joint) -> Sides {
    let (one, two) = (joint.first.body, joint.second.body);
    let (v1, v2) = (
        kinematics.velocity(&joint.first),
        kinematics.velocity(&joint.second),
    );
    let facts = joint.kind.facts(kinematics.model.space);
    let driven = joint
        .motions
        .iter()
        .any(|m| m.coordinate == JointCoordinate::Length);
    Sides {
        d: kinematics.between(&joint.first, &joint.second),
        d_rate: sub(&v2, &v1),
        first: joint
            .first_frame
            .map(|axis| kinematics.direction(one, axis)),
        second: joint
            .second_frame
            .map(|axis| kinematics.direction(two, axis)),
        first_rates: joint
            .first_frame
            .map(|axis| kinematics.direction_rate(one, axis)),
        spin: sub(
            &kinematics.angular_velocity(two),
            &kinematics.angular_velocity(one),
        ),
        plane: (kinematics.model.space == Space::Planar).then(|| InOnePlane {
            axis_in_plane: joint.first_frame[2][2].abs() < 0.5,
            // In points, angles serve only for measures. Constraint equations and loads do without them and stay
            // quadratic.
            angle: (!kinematics.is_linear())
                .then(|| kinematics.relative_angle(one, two))
                .flatten()
                .map(|angle| (angle, locked_angle(kinematics, joint))),
        }),
        distance: facts.has(JointCoordinate::Length).then(|| {
            (
                kinematics.distance(&joint.first, &joint.second),
                kinematics.distance_rate(&joint.first, &joint.second),
            )
        }),
        length: (!driven).then(|| joint.length.clone()),
        own: Vec::new(),
        wound: Vec::new(),
        thread: joint.kind.has_lead().then(|| Thread {
            pitch: joint.pitch.clone(),
            offset: Expr::zero(),
        }),
        linear: kinematics.is_linear(),
    }
}

/// The relative angle of planar bodies at which both triads coincide, on the turn nearest to the guess.
pub fn locked_angle(kinematics: &BodyKinematics, joint: &Joint) -> f64 {
    let direction = |frame: &[[f64; 3]; 3]| {
        let in_plane = if frame[2][2].abs() < 0.5 {
            frame[2]
        } else {
            frame[0]
        };
        in_plane[1].atan2(in_plane[0])
    };
    let guess = |body: Option<crate::model::BodyId>| {
        body.map_or(0.0, |id| kinematics.model.bodies[id.0 as usize].angle)
    };
    let locked = direction(&joint.first_frame) - direction(&joint.second_frame);
    let guessed = guess(joint.second.body) - guess(joint.first.body);
    locked + std::f64::consts::TAU * ((guessed - locked) / std::f64::consts::TAU).round()
}

/// The end of a joint on one of its bodies, and its triad there.
pub fn end(joint: &Joint, side: Side) -> (&Marker, &[[f64; 3]; 3]) {
    match side {
        Side::First => (&joint.first, &joint.first_frame),
        Side::Second => (&joint.second, &joint.second_frame),
    }
}
