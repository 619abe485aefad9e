//! Joint coordinates: the coordinates that the joints of the tree leave free, and their rates.
//!
//! The pose of a body follows from its inboard body and the joint between them. Its position, axes and twist are
//! auxiliaries in terms of those of the inboard body. Every expression therefore stays as small as in absolute
//! coordinates, however deep the tree is, and is computed once:
//!
//! ```text
//! ω = ω_p + Σ a q̇        ẋ = ẋ_p + ω_p × ρ + Σ s q̇        rates of these at q̈ = 0: the bias
//! ```
//!
//! Constraint equations, loads and outputs are written in terms of the twists. `derive` takes derivatives by twists and
//! continues to the joint rates along the tree, so nothing is ever expanded over the length of a chain. Joints of the
//! tree have no constraint equations. Cut joints and drivers keep theirs. A joint without `MotionsLeft` has no
//! coordinates that serve in every pose: its outboard body flies freely, and its constraint equations close a loop.

mod asked;
mod guess;
mod links;
mod local;
mod motion;
mod passage;
mod placement;
mod reaction;
mod regroup;
mod steps;
mod turning;

use super::constraint::{self, plain_sides};
use super::coupling::coupling_rows;
use super::kinematics::BodyKinematics;
use super::loads_and_outputs::loads_and_outputs;
use super::rows::{Reaction, Wanted, joint_rows};
use super::{System, measure};
use crate::expr::Expr;
use crate::joints::{Own, Sides};
use crate::model::{JointId, Model};
use crate::topology::Topology;
use links::links;
use local::local;
use motion::{Carried, carry};
use steps::{Carrier, carrier};

/// The equations of a model in joint coordinates; `None` if the mechanism has loops and M, which is full along the
/// tree, is too large to be written out.
pub fn joint(model: &Model, topology: &Topology) -> Option<System> {
    let mut kinematics = BodyKinematics::empty(model);
    let carriers: Vec<Carrier> = topology
        .parents
        .iter()
        .map(|p| carrier(model, *p))
        .collect();
    let carried = carry(&mut kinematics, topology, &carriers);
    let in_tree = |id: JointId| carriers.iter().any(|carrier| carrier.joint == Some(id));
    let mut sides: Vec<Sides> = Vec::new();
    for (index, joint) in model.joints.iter().enumerate() {
        let id = JointId(index as u32);
        // Angles of the tree are coordinates, so their turns need no counting.
        sides.push(match in_tree(id) {
            true => plain_sides(&mut kinematics, joint),
            false => constraint::sides(&mut kinematics, id),
        });
    }
    name_coordinates(&mut sides, &carriers, &carried);
    let mut known: Vec<Reaction> = Vec::new();
    for (index, joint) in model.joints.iter().enumerate() {
        let id = JointId(index as u32);
        let wanted = match in_tree(id) {
            true => Wanted::None,
            false => Wanted::All,
        };
        known.push(joint_rows(
            &mut kinematics,
            id,
            joint,
            &sides[index],
            wanted,
        ));
    }
    let effects = coupling_rows(&mut kinematics, &sides);
    kinematics.system.kinetic = links::kinetic(&mut kinematics, topology, &carried);
    loads_and_outputs(&mut kinematics, &sides);
    kinematics.system.gyroscopic = vec![Expr::zero(); kinematics.system.velocities.len()];
    let mut tree = links(&mut kinematics, topology, &carriers, &carried);
    tree.local = local(&mut kinematics, topology, &carriers, &carried);
    let has_rows = !(kinematics.system.rows.is_empty() && kinematics.system.holds.is_empty());
    if has_rows && !tree.has_mass() {
        return None;
    }
    for effect in effects {
        let joint = &model.joints[effect.joint.0 as usize];
        kinematics.act_along(joint, &Expr::one(), &effect.terms, None);
    }
    let reactions =
        reaction::reactions(&mut kinematics, topology, &carriers, &carried, &tree, known);
    kinematics.system.tree = Some(tree);
    measure::reactions(model, &mut kinematics.system, &reactions);
    kinematics.system.reactions = reactions;
    Some(kinematics.system)
}

/// Tells the joints of the tree which joint coordinates are coordinates of the formulation.
fn name_coordinates(sides: &mut [Sides], carriers: &[Carrier], carried: &[Carried]) {
    for (carrier, carried) in carriers.iter().zip(carried) {
        let Some(joint) = carrier.joint else { continue };
        let sides = &mut sides[joint.0 as usize];
        for one in &carried.coordinates {
            let Some(which) = one.which else { continue };
            sides.own.push(Own {
                which,
                value: one.value.clone(),
                velocity: one.velocity,
            });
            let wound = one.wound.clone();
            sides.wound.extend(wound.map(|wound| (which, wound)));
        }
    }
}
