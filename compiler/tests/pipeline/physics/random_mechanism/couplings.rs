//! Random trees whose joints are tied together in pairs.

use bellcrank_compiler::description::{CouplingType, JointType, Space};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

use super::loads::{Loads, acted_on, draw, load};
use super::parts::{link, vector};
use super::{empty, grow_with};
use crate::physics::mechanism::{Coupling, Mechanism};

/// Joints with coordinates in the plane.
const PLANAR: [JointType; 3] = [
    JointType::Revolute,
    JointType::Prismatic,
    JointType::PinSlot,
];

/// Joints with coordinates in space.
const SPATIAL: [JointType; 5] = [
    JointType::Revolute,
    JointType::Prismatic,
    JointType::Cylindrical,
    JointType::Screw,
    JointType::Universal,
];

/// How a pair is tied, before its joints are known.
#[derive(Clone, Debug)]
struct Tie {
    coordinates: [Index; 2],
    ratio: f64,
}

/// A tree on ground under gravity. Each pair of joints is tied by a coupling, if one of them turns.
pub fn coupled_tree(space: Space, bodies: usize, loads: Loads) -> impl Strategy<Value = Mechanism> {
    let parts = (
        vec(link(space), bodies),
        vec(draw(space), 0..3),
        vector(space),
    );
    (parts, vec(tie(), bodies / 2)).prop_map(move |((links, draws, gravity), ties)| {
        let mut mechanism = empty(space, 9.81 * gravity);
        let kinds = match space {
            Space::Planar => &PLANAR[..],
            Space::Spatial => &SPATIAL[..],
        };
        grow_with(&mut mechanism, &links, false, kinds);
        for (index, tie) in ties.iter().enumerate() {
            let coupling = couple(&mechanism, index, tie);
            mechanism.couplings.extend(coupling);
        }
        load(&mut mechanism, &draws, loads);
        mechanism
    })
}

fn tie() -> impl Strategy<Value = Tie> {
    let ratio = prop_oneof![-2.0..-0.3, 0.3..2.0];
    ([any::<Index>(), any::<Index>()], ratio)
        .prop_map(|(coordinates, ratio)| Tie { coordinates, ratio })
}

fn couple(mechanism: &Mechanism, index: usize, tie: &Tie) -> Option<Coupling> {
    let end = |k: usize| {
        let joint = 2 * index + k;
        let list = acted_on(mechanism.joints[joint].kind, mechanism.planar());
        (joint, list[tie.coordinates[k].index(list.len())])
    };
    let slides = |end: &(usize, &str)| end.1 == "displacement";
    let (one, two) = (end(0), end(1));
    let (ends, kind) = match (slides(&one), slides(&two)) {
        (false, false) => ([one, two], CouplingType::Gear),
        (false, true) => ([one, two], CouplingType::Rack),
        (true, false) => ([two, one], CouplingType::Rack),
        (true, true) => return None,
    };
    Some(Coupling {
        name: format!("c{index}"),
        kind,
        ends,
        ratio: tie.ratio,
    })
}
