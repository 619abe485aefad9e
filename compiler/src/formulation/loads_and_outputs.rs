//! Loads, holds, outputs and events. All formulations write them in the same way once the motion of the bodies is
//! known.

use super::kinematics::{Attack, BodyKinematics, Share};
use super::measure::ExpressedMeasures;
use super::vector::scale;
use super::{HoldRow, Load, force};
use crate::diagnostics::Path;
use crate::joints::Sides;
use crate::model::{Body, BodyId};

/// Adds gravity, force elements, holds, outputs and events to the system.
pub fn loads_and_outputs(kinematics: &mut BodyKinematics, sides: &[Sides]) {
    let model = kinematics.model;
    for (index, body) in model.bodies.iter().enumerate() {
        weight(kinematics, BodyId(index as u32), body);
    }
    let mut measures = ExpressedMeasures::new(model, sides);
    for element in &model.elements {
        force::element(kinematics, &mut measures, sides, element);
    }
    for hold in &model.holds {
        let value = measures.resolve(kinematics, &hold.value);
        let rate = measures.resolve(kinematics, &hold.rate);
        let name = hold.name.clone();
        kinematics.system.holds.push(HoldRow { name, value, rate });
    }
    for output in &model.outputs {
        let value = measures.resolve(kinematics, &output.value);
        kinematics.system.outputs.push(value);
    }
    for event in &model.events {
        let when = measures.resolve(kinematics, &event.when);
        kinematics.system.events.push(when);
        for (_, value) in &event.sets {
            let value = measures.resolve(kinematics, value);
            kinematics.system.transitions.push(value);
        }
    }
}

fn weight(kinematics: &mut BodyKinematics, id: BodyId, body: &Body) {
    let position = kinematics.center(id);
    let velocity = kinematics.center_velocity(id);
    let gravity = kinematics.model.gravity.clone();
    kinematics.shares.push(Share {
        body: id,
        what: Attack::Mass,
        force: scale(&body.mass, &gravity),
        along: None,
    });
    for i in 0..3 {
        let effort = &body.mass * &gravity[i];
        if effort.is_zero() {
            continue;
        }
        let system = &mut kinematics.system;
        system.potential = &system.potential - &effort * &position[i];
        system.loads.push(Load {
            path: Path::new("gravity"),
            conservative: effort.clone(),
            effort,
            flow: velocity[i].clone(),
        });
    }
}
