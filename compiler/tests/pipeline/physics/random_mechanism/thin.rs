//! Thin rods and point masses: as leaves that are held by their axis or centre, where they have no spin, and
//! as bodies like others, where a moment of inertia is zero.

use bellcrank_compiler::description::{JointType, Space};
use nalgebra::Matrix3;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

use super::loads::{Loads, draw, load};
use super::parts::{body, direction, link, named, vector};
use super::{empty, grow, tree};
use crate::physics::mechanism::{Body, Element, Joint, Mechanism, Vector};

/// A leaf before it has a parent.
#[derive(Clone, Debug)]
pub struct Leaf {
    body: Body,
    /// A rod along this direction in body axes; a point mass if there is none.
    axis: Option<Vector>,
    parent: Index,
    kind: Index,
    /// Where on the axis it is held, and where a spring or a massless link to ground begins.
    along: [f64; 2],
    /// Where that ends, and the direction of the joint.
    far: Vector,
    direction: Vector,
    tied: Index,
}

/// A tree with rods and point masses on it.
pub fn thin_leaves(space: Space, loads: Loads) -> impl Strategy<Value = Mechanism> {
    let parts = (
        vec(link(space), 1..=2),
        vec(draw(space), 0..3),
        vector(space),
        vec(any_leaf(space), 1..=3),
    );
    parts.prop_map(move |(links, draws, gravity, leaves)| {
        let mut mechanism = empty(space, 9.81 * gravity);
        grow(&mut mechanism, &links, false);
        load(&mut mechanism, &draws, loads);
        for leaf in &leaves {
            hang(&mut mechanism, leaf, links.len());
        }
        mechanism
    })
}

/// A tree in which every second body is a rod, or in the plane a point mass, that its joints turn.
pub fn thin_tree(space: Space) -> impl Strategy<Value = Mechanism> {
    let axes = vec(direction(space), 2);
    (tree(space, 1..=3, Loads::Conservative), axes).prop_map(|(mut mechanism, axes)| {
        let planar = mechanism.planar();
        let thin = mechanism.bodies.iter_mut().step_by(2);
        for (body, axis) in thin.zip(axes) {
            body.inertia = if planar {
                Matrix3::zeros()
            } else {
                rod(0.1 * body.mass, axis)
            };
        }
        mechanism
    })
}

/// A point mass, or in space maybe a rod.
fn any_leaf(space: Space) -> impl Strategy<Value = Leaf> {
    match space {
        Space::Planar => leaf(space, false).boxed(),
        Space::Spatial => any::<bool>()
            .prop_flat_map(move |is_rod| leaf(space, is_rod))
            .boxed(),
    }
}

/// A rod in space, or a point mass.
pub fn leaf(space: Space, is_rod: bool) -> impl Strategy<Value = Leaf> {
    let axis = match is_rod {
        false => Just(None).boxed(),
        true => direction(space).prop_map(Some).boxed(),
    };
    let choice = (any::<Index>(), any::<Index>(), any::<Index>());
    let along = [0.2..0.8, -0.8..-0.2];
    let place = (vector(space), direction(space));
    (body(space), axis, choice, along, place).prop_map(
        |(body, axis, (parent, kind, tied), along, (far, direction))| Leaf {
            body: Body {
                inertia: axis.map_or(Matrix3::zeros(), |axis| rod(0.1 * body.mass, axis)),
                ..body
            },
            axis,
            parent,
            kind,
            along,
            far,
            direction,
            tied,
        },
    )
}

/// j (1 − u uᵀ)
pub fn rod(moment: f64, axis: Vector) -> Matrix3<f64> {
    moment * (Matrix3::identity() - axis * axis.transpose())
}

/// Holds a leaf by a point of its axis, and maybe ties another one to ground.
pub fn hang(mechanism: &mut Mechanism, leaf: &Leaf, n_parents: usize) {
    let index = mechanism.bodies.len();
    mechanism.bodies.push(named(&leaf.body, index));
    let on_axis = |s: f64| {
        let body = &leaf.body;
        let local = body.center + leaf.axis.map_or(Vector::zeros(), |axis| s * axis);
        body.position + body.rotation * local
    };
    let kinds: &[JointType] = match mechanism.planar() {
        true => &[JointType::Distance, JointType::PinSlot],
        false => &[
            JointType::Spherical,
            JointType::Distance,
            JointType::PinSlot,
        ],
    };
    let kind = kinds[leaf.kind.index(kinds.len())];
    let parent = leaf.parent.index(n_parents + 1).checked_sub(1);
    let held = on_axis(leaf.along[0]);
    let start = match kind {
        JointType::Spherical => held,
        _ => held - leaf.direction,
    };
    join(
        mechanism,
        kind,
        [(parent, start), (Some(index), held)],
        leaf.direction,
    );
    let (near, far) = (
        on_axis(leaf.along[1]),
        on_axis(leaf.along[1]) + leaf.far + leaf.direction,
    );
    match leaf.tied.index(3) {
        0 => join(
            mechanism,
            JointType::Distance,
            [(None, far), (Some(index), near)],
            leaf.direction,
        ),
        1 => {
            let ends = [
                mechanism.marker(None, far),
                mechanism.marker(Some(index), near),
            ];
            mechanism.elements.push(Element::Between {
                ends,
                stiffness: 3.0,
                damping: 0.0,
                free: 0.5,
            });
        }
        _ => {}
    }
}

fn join(
    mechanism: &mut Mechanism,
    kind: JointType,
    ends: [(Option<usize>, Vector); 2],
    axis: Vector,
) {
    let [first, second] = ends;
    let joint = Joint {
        name: format!("j{}", mechanism.joints.len()),
        kind,
        ends: [
            mechanism.marker(first.0, first.1),
            mechanism.marker(second.0, second.1),
        ],
        at: false,
        axes: [
            mechanism.local(first.0, axis),
            mechanism.local(second.0, axis),
        ],
        motion: Vec::new(),
    };
    mechanism.joints.push(joint);
}
