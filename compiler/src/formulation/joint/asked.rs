//! Finds the joints whose angle is used in the model, so that its turns are counted.

use super::steps::Carrier;
use crate::description::Space;
use crate::model::{BodyId, Joint, JointId, Measure, Model};

/// For each body, whether the model uses the angles of its inboard joint: by themselves, or as part of the angle of a
/// planar body.
pub fn asked(model: &Model, carriers: &[Carrier]) -> Vec<bool> {
    let own = |carrier: &Carrier| carrier.joint.is_some_and(|id| asks_for(model, id));
    let mut asked: Vec<bool> = carriers.iter().map(own).collect();
    if model.space == Space::Planar {
        for body in seen(model, carriers) {
            let mut next = Some(body);
            while let Some(body) = next {
                asked[body.0 as usize] = true;
                next = carriers[body.0 as usize].inboard;
            }
        }
    }
    asked
}

/// True if a driver, a coupling, a thread or a measure uses an angle of a joint.
fn asks_for(model: &Model, id: JointId) -> bool {
    let joint = &model.joints[id.0 as usize];
    let driven = joint
        .motions
        .iter()
        .any(|motion| motion.coordinate.is_angle());
    let couplings = model.couplings.iter();
    let mut tied = couplings.flat_map(|coupling| [coupling.first, coupling.second]);
    let measures = |measure: &Measure| match measure {
        Measure::JointCoordinate(joint, which) => *joint == id && which.is_angle(),
        _ => false,
    };
    driven
        || joint.kind.has_lead()
        || tied.any(|(joint, which)| joint == id && which.is_angle())
        || model.measures.iter().any(measures)
}

/// Planar bodies whose angle the model uses: by itself, or in a joint that closes a loop.
fn seen(model: &Model, carriers: &[Carrier]) -> Vec<BodyId> {
    let angles = model.measures.iter().filter_map(|measure| match measure {
        Measure::BodyAngle(body) => Some(*body),
        _ => None,
    });
    let is_cut = |id: JointId| carriers.iter().all(|carrier| carrier.joint != Some(id));
    let joints = model.joints.iter().enumerate();
    let cuts = joints.filter(|(index, _)| {
        let id = JointId(*index as u32);
        is_cut(id) && asks_for(model, id)
    });
    let ends = |(_, joint): (usize, &Joint)| [joint.first.body, joint.second.body];
    angles.chain(cuts.flat_map(ends).flatten()).collect()
}
