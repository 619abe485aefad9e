//! Random mechanisms. Poses are drawn first and joints are placed where both bodies already are, so
//! every tree and every loop is assembled in the guess by construction; velocities are drawn freely,
//! and assembly makes them consistent. Everything is of the order of one metre, kilogram and second,
//! which the tolerances of the tests rely on.

mod couplings;
mod loads;
mod parts;
mod thin;

use std::ops::RangeInclusive;

use bellcrank_compiler::description::{JointType, Space};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

pub use couplings::coupled_tree;
pub use loads::{Loads, acted_on, draw, load};
use parts::body;
pub use parts::{Link, direction, link, named, rotation, vector};
pub use thin::{hang, leaf, rod, thin_leaves, thin_tree};

use super::mechanism::{Body, Joint, Mechanism, Vector};

/// Kinds of joints in the plane.
pub const PLANAR: [JointType; 5] = [
    JointType::Revolute,
    JointType::Prismatic,
    JointType::PinSlot,
    JointType::Distance,
    JointType::Fixed,
];

/// Kinds of joints in space.
pub const SPATIAL: [JointType; 9] = [
    JointType::Revolute,
    JointType::Prismatic,
    JointType::Cylindrical,
    JointType::Spherical,
    JointType::Universal,
    JointType::Planar,
    JointType::PinSlot,
    JointType::Distance,
    JointType::Fixed,
];

/// A tree on ground under gravity.
pub fn tree(
    space: Space,
    size: RangeInclusive<usize>,
    loads: Loads,
) -> impl Strategy<Value = Mechanism> {
    let parts = (
        vec(link(space), size),
        vec(draw(space), 0..4),
        vector(space),
    );
    parts.prop_map(move |(links, draws, gravity)| {
        let mut mechanism = empty(space, 9.81 * gravity);
        grow(&mut mechanism, &links, false);
        load(&mut mechanism, &draws, loads);
        mechanism
    })
}

/// A tree that flies, without gravity.
pub fn free_tree(space: Space, size: RangeInclusive<usize>) -> impl Strategy<Value = Mechanism> {
    let parts = (vec(link(space), size), vec(draw(space), 0..4));
    parts.prop_map(move |(links, draws)| {
        let mut mechanism = empty(space, Vector::zeros());
        grow(&mut mechanism, &links, true);
        load(&mut mechanism, &draws, Loads::Internal);
        mechanism
    })
}

/// A planar polygon of four to six links, ground included, with revolutes and at most one prismatic.
pub fn planar_loop(loads: Loads) -> impl Strategy<Value = Mechanism> {
    let space = Space::Planar;
    let parts = (
        vec(link(space), 3..=5),
        vec(draw(space), 0..4),
        vector(space),
    );
    (parts, any::<Index>(), any::<bool>()).prop_map(
        move |((links, draws, gravity), slider, slides)| {
            let mut kinds = vec![JointType::Revolute; links.len() + 1];
            if slides {
                let at = slider.index(kinds.len());
                kinds[at] = JointType::Prismatic;
            }
            let mut mechanism = empty(space, 9.81 * gravity);
            ring(&mut mechanism, &links, &kinds, None);
            load(&mut mechanism, &draws, loads);
            mechanism
        },
    )
}

/// A spatial loop with one or two degrees of freedom.
pub fn spatial_loop(loads: Loads) -> impl Strategy<Value = Mechanism> {
    use JointType::{
        Cylindrical as C, Distance as D, Prismatic as P, Revolute as R, Spherical as S,
        Universal as U,
    };
    let patterns: Vec<Vec<JointType>> = vec![
        vec![R, S, S, R],
        vec![R, S, U, R],
        vec![R, S, C, R],
        vec![P, S, S, R],
        vec![C, U, S, R],
        vec![R, D, R],
        vec![S, D, R],
        vec![R, R, R, R, R, R, R],
    ];
    let space = Space::Spatial;
    let parts = (vec(link(space), 6), vec(draw(space), 0..4), vector(space));
    (parts, select(patterns)).prop_map(move |((links, draws, gravity), kinds)| {
        let mut mechanism = empty(space, 9.81 * gravity);
        ring(&mut mechanism, &links[..kinds.len() - 1], &kinds, None);
        load(&mut mechanism, &draws, loads);
        mechanism
    })
}

/// A polygon in space whose revolutes are all parallel: it moves, and some of its rows are redundant.
pub fn parallel_loop(loads: Loads) -> impl Strategy<Value = Mechanism> {
    let space = Space::Spatial;
    let parts = (
        vec(link(space), 3..=4),
        vec(draw(space), 0..4),
        vector(space),
    );
    (parts, direction(space)).prop_map(move |((links, draws, gravity), axis)| {
        let kinds = vec![JointType::Revolute; links.len() + 1];
        let mut mechanism = empty(space, 9.81 * gravity);
        ring(&mut mechanism, &links, &kinds, Some(axis));
        load(&mut mechanism, &draws, loads);
        mechanism
    })
}

/// A body on massless rods to ground, with one degree of freedom left.
pub fn rods(space: Space, loads: Loads) -> impl Strategy<Value = Mechanism> {
    let count = if space == Space::Planar { 2 } else { 5 };
    let parts = (link(space), vec(draw(space), 0..3), vector(space));
    let ends = vec((vector(space), direction(space)), count);
    (parts, ends).prop_map(move |((link, draws, gravity), ends)| {
        let mut mechanism = empty(space, 9.81 * gravity);
        mechanism.bodies.push(named(&link.body, 0));
        for (index, (at, along)) in ends.into_iter().enumerate() {
            let markers = [
                mechanism.marker(None, at + along),
                mechanism.marker(Some(0), at),
            ];
            mechanism.joints.push(Joint {
                name: format!("j{index}"),
                kind: JointType::Distance,
                ends: markers,
                at: false,
                axes: [Vector::z(); 2],
                motion: Vec::new(),
            });
        }
        load(&mut mechanism, &draws, loads);
        mechanism
    })
}

/// One body on ground by a joint of this kind.
pub fn single(space: Space, kind: JointType) -> impl Strategy<Value = Mechanism> {
    (link(space), vector(space)).prop_map(move |(link, gravity)| {
        let mut mechanism = empty(space, 9.81 * gravity);
        mechanism.bodies.push(named(&link.body, 0));
        let joint = hinge(&mechanism, &link, kind, [None, Some(0)], 0);
        mechanism.joints.push(joint);
        mechanism
    })
}

/// One body on a flying one by a joint of this kind.
pub fn pair(space: Space, kind: JointType) -> impl Strategy<Value = Mechanism> {
    (link(space), body(space), vector(space)).prop_map(move |(link, base, gravity)| {
        let mut mechanism = empty(space, 9.81 * gravity);
        let free = true;
        mechanism.bodies.push(Body {
            free,
            ..named(&base, 0)
        });
        mechanism.bodies.push(named(&link.body, 1));
        let joint = hinge(&mechanism, &link, kind, [Some(0), Some(1)], 0);
        mechanism.joints.push(joint);
        mechanism
    })
}

pub fn empty(space: Space, gravity: Vector) -> Mechanism {
    Mechanism {
        space,
        gravity,
        bodies: Vec::new(),
        joints: Vec::new(),
        couplings: Vec::new(),
        elements: Vec::new(),
    }
}

/// Hangs every link on ground or on an earlier one.
fn grow(mechanism: &mut Mechanism, links: &[Link], free: bool) {
    let kinds: &[JointType] = if mechanism.planar() {
        &PLANAR
    } else {
        &SPATIAL
    };
    grow_with(mechanism, links, free, kinds);
}

/// The same with joints of these kinds.
fn grow_with(mechanism: &mut Mechanism, links: &[Link], free: bool, kinds: &[JointType]) {
    for (index, link) in links.iter().enumerate() {
        mechanism.bodies.push(named(&link.body, index));
        let kind = match (index, kinds[link.kind.index(kinds.len())]) {
            // Otherwise nothing might move.
            (0, JointType::Fixed) => JointType::Revolute,
            (_, kind) => kind,
        };
        let parent = if free {
            if index == 0 {
                mechanism.bodies[0].free = true;
                continue;
            }
            Some(link.parent.index(index))
        } else {
            link.parent.index(index + 1).checked_sub(1)
        };
        let ends = if link.swapped {
            [Some(index), parent]
        } else {
            [parent, Some(index)]
        };
        let joint = hinge(mechanism, link, kind, ends, mechanism.joints.len());
        mechanism.joints.push(joint);
    }
}

/// A closed chain from ground to ground, its joints round a circle of radius about one.
fn ring(mechanism: &mut Mechanism, links: &[Link], kinds: &[JointType], axis: Option<Vector>) {
    for (index, link) in links.iter().enumerate() {
        mechanism.bodies.push(named(&link.body, index));
    }
    for (index, &kind) in kinds.iter().enumerate() {
        let mut link = links[index % links.len()].clone();
        let turn = std::f64::consts::TAU * index as f64 / kinds.len() as f64;
        let circle = Vector::new(turn.cos(), turn.sin(), 0.0);
        link.at = circle + 0.3 * link.at + 0.2 * links[(index + 1) % links.len()].at;
        link.axis = axis.unwrap_or(link.axis);
        // The last joint shares its link with the first, but must not repeat it.
        if index == links.len() && axis.is_none() {
            std::mem::swap(&mut link.axis, &mut link.other);
        }
        let first = index.checked_sub(1);
        let second = (index < links.len()).then_some(index);
        let ends = if link.swapped {
            [second, first]
        } else {
            [first, second]
        };
        let joint = hinge(mechanism, &link, kind, ends, index);
        mechanism.joints.push(joint);
    }
}

/// A joint that is assembled where its bodies are.
pub fn hinge(
    mechanism: &Mechanism,
    link: &Link,
    kind: JointType,
    ends: [Option<usize>; 2],
    index: usize,
) -> Joint {
    let cross = link.axis.cross(&link.other);
    let other = cross
        .try_normalize(0.1)
        .unwrap_or_else(|| any_normal(link.axis));
    let second = match kind {
        JointType::Universal => other,
        // Bent by 31°.
        JointType::ConstantVelocity => (link.axis + 0.6 * other).normalize(),
        _ => link.axis,
    };
    let offset = match kind {
        JointType::Distance => link.axis * (0.6 + 0.3 * link.offset.x),
        // Perpendicular to the hinge.
        JointType::RevoluteSpherical => other * (0.6 + 0.3 * link.offset.x),
        _ if link.by_at => Vector::zeros(),
        JointType::Prismatic | JointType::Cylindrical | JointType::Screw | JointType::PinSlot => {
            link.axis * link.offset.x
        }
        JointType::Planar | JointType::PointInPlane => {
            link.offset - link.axis * link.axis.dot(&link.offset)
        }
        _ => Vector::zeros(),
    };
    Joint {
        name: format!("j{index}"),
        kind,
        ends: [
            mechanism.marker(ends[0], link.at),
            mechanism.marker(ends[1], link.at + offset),
        ],
        at: link.by_at && !kind.is_rod(),
        axes: [
            mechanism.local(ends[0], link.axis),
            mechanism.local(ends[1], second),
        ],
        motion: Vec::new(),
    }
}

fn any_normal(axis: Vector) -> Vector {
    let least = Vector::ith(axis.iamin(), 1.0);
    axis.cross(&least).normalize()
}
