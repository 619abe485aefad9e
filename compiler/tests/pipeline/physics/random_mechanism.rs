//! Random mechanisms. Poses are drawn first and joints are placed where both bodies already are, so
//! every tree and every loop is assembled in the guess by construction; velocities are drawn freely,
//! and assembly makes them consistent. Everything is of the order of one metre, kilogram and second,
//! which the tolerances of the tests rely on.

use std::ops::RangeInclusive;

use bellcrank_compiler::description::{JointType, Space};
use nalgebra::{Matrix3, Quaternion, UnitQuaternion};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::mechanism::{Body, Element, Joint, Marker, Mechanism, Vector};

/// Which force elements a mechanism may have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Loads {
    /// Springs.
    Conservative,
    /// Everything.
    Any,
    /// Everything that acts between two moving bodies.
    Internal,
}

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

/// A spatial loop with one or two freedoms.
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

/// A body on massless rods to ground, one freedom left.
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

/// A body with its joint to a parent, before either has a name.
#[derive(Clone, Debug)]
pub struct Link {
    body: Body,
    parent: Index,
    kind: Index,
    at: Vector,
    /// How far the second point is along the directions that the joint leaves.
    offset: Vector,
    axis: Vector,
    /// Anything that is not parallel to the axis.
    other: Vector,
    by_at: bool,
    swapped: bool,
}

/// A force element before its ends are known.
#[derive(Clone, Debug)]
struct Draw {
    kind: usize,
    ends: [Index; 2],
    points: [Vector; 2],
    vector: Vector,
    numbers: [f64; 3],
    flag: bool,
}

fn empty(space: Space, gravity: Vector) -> Mechanism {
    Mechanism {
        space,
        gravity,
        bodies: Vec::new(),
        joints: Vec::new(),
        elements: Vec::new(),
    }
}

/// Components in [−1, 1]; z is zero in the plane.
pub fn vector(space: Space) -> impl Strategy<Value = Vector> {
    let z = if space == Space::Planar { 0.0 } else { 1.0 };
    prop::array::uniform3(-1.0..1.0).prop_map(move |[x, y, w]| Vector::new(x, y, z * w))
}

/// A unit vector.
pub fn direction(space: Space) -> impl Strategy<Value = Vector> {
    vector(space)
        .prop_filter("has a direction", |v| v.norm() > 0.2)
        .prop_map(|v| v.normalize())
}

/// Any rotation, with its angle in the plane.
pub fn rotation(space: Space) -> BoxedStrategy<(UnitQuaternion<f64>, f64)> {
    if space == Space::Planar {
        let about_z = |angle| UnitQuaternion::from_axis_angle(&Vector::z_axis(), angle);
        return (-4.0..4.0)
            .prop_map(move |angle| (about_z(angle), angle))
            .boxed();
    }
    prop::array::uniform4(-1.0..1.0)
        .prop_map(|[a, b, c, d]: [f64; 4]| Quaternion::new(a, b, c, d))
        .prop_filter("has a direction", |q| q.norm() > 0.2)
        .prop_map(|q| (UnitQuaternion::from_quaternion(q), 0.0))
        .boxed()
}

/// A physical tensor: the principal second moments are positive, and the axes may be turned.
fn inertia(space: Space, mass: f64) -> impl Strategy<Value = Matrix3<f64>> {
    let turned = prop::option::of(rotation(space));
    (prop::array::uniform3(0.02..0.3), turned).prop_map(move |([a, b, c], turned)| {
        let principal = Matrix3::from_diagonal(&(mass * Vector::new(b + c, a + c, a + b)));
        match turned {
            Some((turn, _)) if space == Space::Spatial => {
                let axes = turn.to_rotation_matrix().into_inner();
                axes * principal * axes.transpose()
            }
            _ => principal,
        }
    })
}

fn body(space: Space) -> impl Strategy<Value = Body> {
    let with_inertia =
        (0.5..3.0).prop_flat_map(move |mass| (Just(mass), inertia(space, mass), any::<bool>()));
    let motion = (vector(space), prop::array::uniform3(-2.0..2.0));
    let pose = (vector(space), rotation(space));
    (with_inertia, vector(space), pose, motion).prop_map(
        move |((mass, inertia, about_origin), center, (position, (rotation, angle)), (v, w))| {
            let in_plane = Vector::new(0.0, 0.0, w[2]);
            Body {
                name: String::new(),
                mass,
                inertia,
                about_origin,
                center: 0.3 * center,
                position,
                rotation,
                angle,
                velocity: v,
                spin: if space == Space::Planar {
                    in_plane
                } else {
                    Vector::from(w)
                },
                free: false,
            }
        },
    )
}

fn link(space: Space) -> impl Strategy<Value = Link> {
    let choice = (any::<Index>(), any::<Index>(), any::<bool>(), any::<bool>());
    let place = (
        vector(space),
        vector(space),
        direction(space),
        direction(space),
    );
    (body(space), choice, place).prop_map(
        |(body, (parent, kind, by_at, swapped), (at, offset, axis, other))| Link {
            body,
            parent,
            kind,
            at,
            offset,
            axis,
            other,
            by_at,
            swapped,
        },
    )
}

fn draw(space: Space) -> impl Strategy<Value = Draw> {
    let ends = [any::<Index>(), any::<Index>()];
    let points = [vector(space), vector(space)];
    let numbers = prop::array::uniform3(0.1..1.0);
    (
        0..4usize,
        ends,
        points,
        prop::array::uniform3(-1.0..1.0),
        numbers,
        any::<bool>(),
    )
        .prop_map(|(kind, ends, points, vector, numbers, flag)| Draw {
            kind,
            ends,
            points,
            vector: Vector::from(vector),
            numbers,
            flag,
        })
}

fn named(body: &Body, index: usize) -> Body {
    Body {
        name: format!("b{index}"),
        ..body.clone()
    }
}

/// Hangs every link on ground or on an earlier one.
fn grow(mechanism: &mut Mechanism, links: &[Link], free: bool) {
    let kinds: &[JointType] = if mechanism.planar() {
        &PLANAR
    } else {
        &SPATIAL
    };
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
fn hinge(
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
    let second = if kind == JointType::Universal {
        other
    } else {
        link.axis
    };
    let offset = match kind {
        JointType::Distance => link.axis * (0.6 + 0.3 * link.offset.x),
        _ if link.by_at => Vector::zeros(),
        JointType::Prismatic | JointType::Cylindrical | JointType::PinSlot => {
            link.axis * link.offset.x
        }
        JointType::Planar => link.offset - link.axis * link.axis.dot(&link.offset),
        _ => Vector::zeros(),
    };
    Joint {
        name: format!("j{index}"),
        kind,
        ends: [
            mechanism.marker(ends[0], link.at),
            mechanism.marker(ends[1], link.at + offset),
        ],
        at: link.by_at && kind != JointType::Distance,
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

fn load(mechanism: &mut Mechanism, draws: &[Draw], loads: Loads) {
    for draw in draws {
        let element = match (draw.kind, loads) {
            (0 | 1, Loads::Any) if draw.flag == (draw.kind == 0) => single_ended(mechanism, draw),
            (0 | 1, _) => between(mechanism, draw, loads),
            _ => on_joint(mechanism, draw, loads),
        };
        mechanism.elements.extend(element);
    }
}

fn single_ended(mechanism: &Mechanism, draw: &Draw) -> Option<Element> {
    let body = draw.ends[0].index(mechanism.bodies.len());
    let planar = mechanism.planar();
    let follows = draw.numbers[0] < 0.5;
    if draw.flag {
        let force = Vector::new(
            draw.vector.x,
            draw.vector.y,
            if planar { 0.0 } else { draw.vector.z },
        );
        let at = mechanism.marker(Some(body), draw.points[0]);
        return Some(Element::Force {
            at,
            force: 3.0 * force,
            follows,
        });
    }
    let torque = if planar {
        Vector::z() * draw.vector.z
    } else {
        draw.vector
    };
    Some(Element::Torque {
        body,
        torque,
        follows,
    })
}

/// None if both ends are on one body, or so near that the direction of the force is ill-defined.
fn between(mechanism: &Mechanism, draw: &Draw, loads: Loads) -> Option<Element> {
    let n = mechanism.bodies.len();
    let body = |index: &Index| match loads {
        Loads::Internal => Some(index.index(n)),
        _ => index.index(n + 1).checked_sub(1),
    };
    let (first, second) = (body(&draw.ends[0]), body(&draw.ends[1]));
    if first == second || (draw.points[0] - draw.points[1]).norm() < 0.5 {
        return None;
    }
    let ends: [Marker; 2] = [
        mechanism.marker(first, draw.points[0]),
        mechanism.marker(second, draw.points[1]),
    ];
    Some(Element::Between {
        ends,
        stiffness: 20.0 * draw.numbers[0],
        damping: damping(draw, loads),
        free: draw.numbers[2],
    })
}

fn damping(draw: &Draw, loads: Loads) -> f64 {
    if loads == Loads::Conservative {
        0.0
    } else {
        draw.numbers[1]
    }
}

fn on_joint(mechanism: &Mechanism, draw: &Draw, loads: Loads) -> Option<Element> {
    let n = mechanism.joints.len();
    (n > 0)
        .then(|| draw.ends[0].index(n))
        .and_then(|joint| on_coordinate(mechanism, draw, loads, joint))
}

/// None if the joint has no coordinate. The angle of a joint is only as invariant as the frames of its
/// bodies, and in space it jumps at half a turn: so only moving planar bodies get a spring on it.
fn on_coordinate(
    mechanism: &Mechanism,
    draw: &Draw,
    loads: Loads,
    joint: usize,
) -> Option<Element> {
    let written = &mechanism.joints[joint];
    let list = acted_on(written.kind, mechanism.planar());
    if list.is_empty() {
        return None;
    }
    let coordinate = list[draw.ends[1].index(list.len())];
    let moving = written.ends.iter().all(|end| end.body.is_some());
    let springs = coordinate == "displacement" || (mechanism.planar() && moving);
    if draw.kind == 2 && loads != Loads::Conservative {
        let effort = 2.0 * draw.vector.x;
        return Some(Element::Push {
            joint,
            coordinate,
            effort,
        });
    }
    let damping = damping(draw, loads);
    let stiffness = if springs { 10.0 * draw.numbers[0] } else { 0.0 };
    (stiffness > 0.0 || damping > 0.0).then_some(Element::Spring {
        joint,
        coordinate,
        stiffness,
        damping,
        free: draw.vector.y,
    })
}

/// Coordinates that forces act on here.
fn acted_on(kind: JointType, planar: bool) -> &'static [&'static str] {
    match kind {
        JointType::Revolute | JointType::Planar => &["angle"],
        JointType::Prismatic => &["displacement"],
        JointType::Cylindrical => &["angle", "displacement"],
        JointType::Universal => &["angle", "second_angle"],
        JointType::PinSlot if planar => &["angle", "displacement"],
        JointType::PinSlot => &["displacement"],
        JointType::Spherical | JointType::Fixed | JointType::Distance => &[],
    }
}
