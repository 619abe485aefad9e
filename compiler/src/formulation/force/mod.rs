//! Force elements: the effort and the flow of each action.

use super::Load;
use super::constraint;
use super::kinematics::{Attack, BodyKinematics, Share};
use super::measure::ExpressedMeasures;
use super::vector::{scale, sub, zero};
use crate::expr::Expr;
use crate::joints::Sides;
use crate::model::{Action, Element, Marker, Vector};

/// Adds the loads and the potential energy of an element.
pub fn element(
    kinematics: &mut BodyKinematics,
    measures: &mut ExpressedMeasures,
    sides: &[Sides],
    element: &Element,
) {
    let potential = measures.resolve(kinematics, &element.potential);
    let system = &mut kinematics.system;
    system.potential = &system.potential + potential;
    match &element.action {
        Action::Force { at, force, follows } => {
            let flow = kinematics.velocity(at);
            let body = follows.then_some(at.body).flatten();
            let effort = resolve(kinematics, measures, force);
            let effort = kinematics.turn(body, &effort);
            act(kinematics, at, effort.clone());
            applied(kinematics, element, effort, flow);
        }
        Action::Torque {
            body,
            torque,
            follows,
        } => {
            let flow = kinematics.angular_velocity(Some(*body));
            let effort = resolve(kinematics, measures, torque);
            let effort = kinematics.turn(follows.then_some(*body), &effort);
            kinematics.shares.push(Share {
                body: *body,
                what: Attack::Spin,
                force: effort.clone(),
                along: None,
            });
            applied(kinematics, element, effort, flow);
        }
        Action::Between {
            first,
            second,
            force,
            conservative,
        } => {
            let flow = kinematics.distance_rate(first, second);
            let effort = -measures.resolve(kinematics, force);
            let conservative = -measures.resolve(kinematics, conservative);
            let length = kinematics.distance(first, second);
            let along = scale(&(&effort / length), &kinematics.between(first, second));
            act(kinematics, first, sub(&zero(), &along));
            act(kinematics, second, along);
            kinematics.system.loads.push(Load {
                path: element.path.clone(),
                effort,
                conservative,
                flow,
            });
        }
        Action::Joint {
            joint,
            coordinate,
            force,
            conservative,
        } => {
            let kind = kinematics.model.joints[joint.0 as usize].kind;
            let sides = &sides[joint.0 as usize];
            let Some(on) = constraint::coordinate(kind, sides, *coordinate) else {
                return;
            };
            let effort = measures.resolve(kinematics, force);
            let conservative = measures.resolve(kinematics, conservative);
            let flow = on.rate;
            let ends = &kinematics.model.joints[joint.0 as usize];
            let along = sides.own(*coordinate).map(|own| own.velocity);
            kinematics.act_along(ends, &effort, &on.terms, along);
            kinematics.system.loads.push(Load {
                path: element.path.clone(),
                effort,
                conservative,
                flow,
            });
        }
    }
}

/// Records a force on a point of a body. A force on ground is ignored.
fn act(kinematics: &mut BodyKinematics, at: &Marker, force: Vector) {
    let Some(body) = at.body else { return };
    let what = Attack::Point(at.point.clone());
    kinematics.shares.push(Share {
        body,
        what,
        force,
        along: None,
    });
}

fn resolve(
    kinematics: &mut BodyKinematics,
    measures: &mut ExpressedMeasures,
    vector: &Vector,
) -> Vector {
    vector.clone().map(|c| measures.resolve(kinematics, &c))
}

fn applied(kinematics: &mut BodyKinematics, element: &Element, effort: Vector, flow: Vector) {
    for (effort, flow) in effort.into_iter().zip(flow) {
        if effort.is_zero() || flow.is_zero() {
            continue;
        }
        let conservative = Expr::zero();
        kinematics.system.loads.push(Load {
            path: element.path.clone(),
            effort,
            conservative,
            flow,
        });
    }
}
