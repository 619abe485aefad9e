//! Other joints of a loop where it can be opened as well.

use super::{Topology, with_cuts};
use crate::model::{JointId, Model};

/// The topologies that open the loop of `cut` at another of its joints, in the order of the loop; none if
/// the cut is forced. The other cuts stay.
///
/// A tree joint of the loop that a cut closes lies between the two ends of the cut, so the tree without
/// the one and with the other spans the same bodies.
pub fn exchanges(model: &Model, topology: &Topology, cut: JointId) -> Vec<Topology> {
    let mut found = topology.cuts.iter().zip(&topology.loops);
    let joints = match found.find(|(one, _)| **one == cut) {
        Some((_, joints)) if !model.joints[cut.0 as usize].cut => &joints[1..],
        _ => return Vec::new(),
    };
    let others = topology.cuts.iter().copied().filter(|one| *one != cut);
    let others: Vec<JointId> = others.collect();
    let opened = |joint: &JointId| with_cuts(model, &[&others[..], &[*joint]].concat());
    joints.iter().filter_map(opened).collect()
}

#[cfg(test)]
mod tests {
    use super::super::analyze;
    use super::*;

    const TWO_LOOPS: &str = r#"
        space = "planar"
        bodies.one = { mass = 1, inertia = 1 }
        bodies.two = { mass = 1, inertia = 1 }
        bodies.three = { mass = 1, inertia = 1 }
        joints.A = { type = "revolute", between = ["ground", "one"] }
        joints.B = { type = "revolute", between = ["one", "two"] }
        joints.C = { type = "revolute", between = ["two", "ground"] }
        joints.D = { type = "revolute", between = ["two", "three"] }
        joints.E = { type = "revolute", between = ["three", "ground"] }
    "#;

    fn check(text: &str, expect: &[(&str, &[&str])]) {
        let description = toml::from_str(text).unwrap();
        let (model, _) = crate::model::resolve(&description, "Loops").unwrap();
        let topology = analyze(&model).unwrap();
        let names = |topology: &Topology| -> String {
            let name = |id: &JointId| model.joints[id.0 as usize].name.as_str();
            topology.cuts.iter().map(name).collect()
        };
        let mut found = Vec::new();
        for &cut in &topology.cuts {
            let exchanged = exchanges(&model, &topology, cut);
            for one in &exchanged {
                let mut joints: Vec<_> = one.parents.iter().filter_map(|p| p.joint).collect();
                joints.extend(&one.cuts);
                joints.sort();
                assert_eq!(
                    joints.len(),
                    model.joints.len(),
                    "each joint once: {joints:?}"
                );
                assert_eq!(one.order.len(), model.bodies.len());
            }
            let name = model.joints[cut.0 as usize].name.clone();
            found.push((name, exchanged.iter().map(names).collect::<Vec<_>>()));
        }
        let found: Vec<(&str, Vec<&str>)> = (found.iter())
            .map(|(cut, list)| (cut.as_str(), list.iter().map(String::as_str).collect()))
            .collect();
        let expect: Vec<_> = (expect.iter())
            .map(|(cut, list)| (*cut, list.to_vec()))
            .collect();
        assert_eq!(found, expect);
    }

    #[test]
    fn a_loop_opens_at_each_of_its_joints() {
        let expect: &[(&str, &[&str])] = &[("B", &["CD", "AD"]), ("D", &["BE", "BC"])];
        check(TWO_LOOPS, expect);
    }

    #[test]
    fn a_forced_cut_stays() {
        let text = TWO_LOOPS.replace(
            r#""revolute", between = ["one", "two"]"#,
            r#""revolute", cut = true, between = ["one", "two"]"#,
        );
        check(&text, &[("B", &[]), ("D", &["BE", "BC"])]);
    }
}
