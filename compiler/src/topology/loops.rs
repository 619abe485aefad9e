//! The loop that a cut joint closes.

use super::Parent;
use crate::model::{BodyId, JointId, Model};

/// The cut joint, then the tree joints on both ways inboard up to where they meet.
pub fn joints_of_loop(model: &Model, parents: &[Parent], cut: JointId) -> Vec<JointId> {
    let joint = &model.joints[cut.0 as usize];
    let mut first = path_to_root(parents, joint.first.body);
    let mut second = path_to_root(parents, joint.second.body);
    while first.last().is_some() && first.last() == second.last() {
        first.pop();
        second.pop();
    }
    let mut joints = vec![cut];
    joints.extend(second);
    joints.extend(first.into_iter().rev());
    joints
}

fn path_to_root(parents: &[Parent], mut body: Option<BodyId>) -> Vec<JointId> {
    let mut path = Vec::new();
    while let Some(id) = body {
        let parent = parents[id.0 as usize];
        path.extend(parent.joint);
        body = parent.body;
    }
    path
}
