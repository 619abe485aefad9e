//! The spanning tree of the joint graph, by breadth first from ground, so that chains stay short.

use std::collections::VecDeque;

use super::{Parent, Topology};
use crate::diagnostics::{Code, Diagnostic, Diagnostics};
use crate::model::{BodyId, JointId, Model};

/// Each joint in the tree or cut. A joint whose cut is forced is left for last; if it is needed all the
/// same to reach a body, that is an error.
pub fn spanning_tree(model: &Model) -> Result<Topology, Diagnostics> {
    let forced = model.joints.iter().map(|joint| joint.cut).collect();
    let mut search = TreeSearch::new(model, forced);
    search.all();
    if !search.is_whole() {
        search.through_closed();
    }
    let mut found = Diagnostics::new();
    search.report_unreached(&mut found);
    search.report_useless_cuts(&mut found);
    if found.has_errors() {
        return Err(found);
    }
    Ok(search.topology())
}

/// The tree that is left when these joints are cut, again by breadth first; `None` if they cut off a
/// body, or if there are loops left.
pub fn with_cuts(model: &Model, cuts: &[JointId]) -> Option<Topology> {
    let mut closed = vec![false; model.joints.len()];
    cuts.iter().for_each(|cut| closed[cut.0 as usize] = true);
    let mut search = TreeSearch::new(model, closed);
    search.all();
    let topology = search.is_whole().then(|| search.topology())?;
    (topology.cuts.len() == cuts.len()).then_some(topology)
}

struct TreeSearch<'a> {
    model: &'a Model,
    parents: Vec<Option<Parent>>,
    order: Vec<BodyId>,
    in_tree: Vec<bool>,
    /// Joints that are left for last.
    closed: Vec<bool>,
    /// The joints of each body in the order of the model, and last those of ground.
    touching: Vec<Vec<usize>>,
}

/// One list a body and one for ground, so that growing the tree looks at each joint twice.
fn touching(model: &Model) -> Vec<Vec<usize>> {
    let mut touching = vec![Vec::new(); model.bodies.len() + 1];
    for (index, joint) in model.joints.iter().enumerate() {
        for body in [joint.first.body, joint.second.body] {
            touching[place(model, body)].push(index);
        }
    }
    touching
}

/// Ground stands after the bodies.
fn place(model: &Model, body: Option<BodyId>) -> usize {
    body.map_or(model.bodies.len(), |id| id.0 as usize)
}

impl<'a> TreeSearch<'a> {
    fn new(model: &'a Model, closed: Vec<bool>) -> Self {
        Self {
            model,
            parents: vec![None; model.bodies.len()],
            order: Vec::new(),
            in_tree: vec![false; model.joints.len()],
            closed,
            touching: touching(model),
        }
    }

    fn is_whole(&self) -> bool {
        self.order.len() == self.model.bodies.len()
    }

    /// From ground, then from each group that flies, without the closed joints.
    fn all(&mut self) {
        self.grow(VecDeque::from([None]));
        self.free_groups();
    }

    fn reached(&self, body: Option<BodyId>) -> bool {
        body.is_none_or(|id| self.parents[id.0 as usize].is_some())
    }

    /// Grows the tree from the bodies in `queue`.
    fn grow(&mut self, mut queue: VecDeque<Option<BodyId>>) {
        while let Some(inboard) = queue.pop_front() {
            let place = place(self.model, inboard);
            for index in self.touching[place].clone() {
                let joint = &self.model.joints[index];
                let outboard = match joint.first.body == inboard {
                    true => joint.second.body,
                    false => joint.first.body,
                };
                if self.closed[index] || self.reached(outboard) {
                    continue;
                }
                let id = outboard.expect("ground is reached from the start");
                self.in_tree[index] = true;
                let joint = Some(JointId(index as u32));
                self.parents[id.0 as usize] = Some(Parent {
                    joint,
                    body: inboard,
                });
                self.order.push(id);
                queue.push_back(outboard);
            }
        }
    }

    /// Groups that fly start from their first body that says so.
    fn free_groups(&mut self) {
        for index in 0..self.model.bodies.len() {
            if self.model.bodies[index].free && self.parents[index].is_none() {
                let id = BodyId(index as u32);
                self.parents[index] = Some(Parent {
                    joint: None,
                    body: None,
                });
                self.order.push(id);
                self.grow(VecDeque::from([Some(id)]));
            }
        }
    }

    /// On from what is reached, through joints that were closed.
    fn through_closed(&mut self) {
        self.closed.fill(false);
        let all: VecDeque<_> = std::iter::once(None)
            .chain(self.order.iter().copied().map(Some))
            .collect();
        self.grow(all);
        self.free_groups();
    }

    fn report_unreached(&self, found: &mut Diagnostics) {
        for (index, body) in self.model.bodies.iter().enumerate() {
            if self.parents[index].is_none() {
                found.push(
                    Diagnostic::error(
                        Code::T301,
                        &body.path,
                        format!(
                            "no chain of joints leads from body `{}` to ground",
                            body.name
                        ),
                    )
                    .hint("add the missing joint, or `free = true` if it is meant to fly"),
                );
            }
        }
    }

    fn report_useless_cuts(&self, found: &mut Diagnostics) {
        for (index, joint) in self.model.joints.iter().enumerate() {
            if joint.cut && self.in_tree[index] {
                found.push(
                    Diagnostic::error(
                        Code::T304,
                        &joint.path.key("cut"),
                        format!("joint `{}` cannot be cut: it closes no loop, or other forced cuts open the same loop", joint.name),
                    )
                    .hint("remove `cut = true` here"),
                );
            }
        }
    }

    fn topology(self) -> Topology {
        let cuts: Vec<JointId> = (0..self.model.joints.len())
            .filter(|&index| !self.in_tree[index])
            .map(|index| JointId(index as u32))
            .collect();
        let parents: Vec<Parent> = self.parents.into_iter().flatten().collect();
        let loops = cuts
            .iter()
            .map(|&cut| super::loops::joints_of_loop(self.model, &parents, cut))
            .collect();
        Topology {
            parents,
            order: self.order,
            cuts,
            loops,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PENDULUM: &str = r#"
        space = "planar"
        [bodies.rod]
        mass = 1
        inertia = 1
        [joints.A]
        type = "revolute"
        between = ["ground", "rod"]
    "#;

    /// So long that a search through all joints for each body would take minutes.
    const LINKS: u32 = 100_000;

    #[test]
    fn a_long_chain_is_searched_in_linear_time() {
        let description = toml::from_str(PENDULUM).unwrap();
        let (mut model, _) = crate::model::resolve(&description, "Chain").unwrap();
        let (body, joint) = (model.bodies.remove(0), model.joints.remove(0));
        for link in 0..LINKS {
            model.bodies.push(body.clone());
            let mut joint = joint.clone();
            joint.first.body = link.checked_sub(1).map(BodyId);
            joint.second.body = Some(BodyId(link));
            model.joints.push(joint);
        }
        let topology = spanning_tree(&model).unwrap();
        assert!(topology.order.iter().copied().eq((0..LINKS).map(BodyId)));
        assert!(topology.cuts.is_empty());
    }
}
