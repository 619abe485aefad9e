//! Force elements: effort and flow of each.

use super::Load;
use super::constraint::{self, Sides};
use super::kinematics::Kinematics;
use super::measure::Measures;
use crate::expr::Expr;
use crate::model::{Action, Element, Vector};

/// Adds the loads and the potential energy of an element.
pub fn element(
    kinematics: &mut Kinematics,
    measures: &mut Measures,
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
            let kind = constraint::kind(kinematics.model.joints[joint.0 as usize].kind);
            let Some(on) = (kind.coordinate)(&sides[joint.0 as usize], *coordinate) else {
                return;
            };
            let effort = measures.resolve(kinematics, force);
            let conservative = measures.resolve(kinematics, conservative);
            let flow = on.rate;
            kinematics.system.loads.push(Load {
                path: element.path.clone(),
                effort,
                conservative,
                flow,
            });
        }
    }
}

fn resolve(kinematics: &mut Kinematics, measures: &mut Measures, vector: &Vector) -> Vector {
    vector.clone().map(|c| measures.resolve(kinematics, &c))
}

fn applied(kinematics: &mut Kinematics, element: &Element, effort: Vector, flow: Vector) {
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
