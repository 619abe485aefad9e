//! The text form of a topology, in the words of the model.

use std::fmt::Write;

use super::Topology;
use crate::model::{BodyId, JointId, Model};

/// One line a body from the root outwards, then one line a loop.
pub fn print(model: &Model, topology: &Topology) -> String {
    let mut text = String::new();
    let body = |id: Option<BodyId>| id.map_or("ground", |id| &model.bodies[id.0 as usize].name);
    let joint = |id: JointId| &model.joints[id.0 as usize];
    for &id in &topology.order {
        let parent = topology.parents[id.0 as usize];
        let _ = match parent.joint {
            Some(by) => writeln!(
                text,
                "body {} on {} by {} ({})",
                body(Some(id)),
                body(parent.body),
                joint(by).name,
                joint(by).kind
            ),
            None => writeln!(text, "body {} flies freely", body(Some(id))),
        };
    }
    for (cut, members) in topology.cuts.iter().zip(&topology.loops) {
        let names: Vec<&str> = members.iter().map(|&id| joint(id).name.as_str()).collect();
        let _ = writeln!(
            text,
            "cut {} ({}) closes the loop {}",
            joint(*cut).name,
            joint(*cut).kind,
            names.join(" – ")
        );
    }
    text
}
