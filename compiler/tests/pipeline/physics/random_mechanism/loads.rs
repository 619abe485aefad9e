//! Random force elements.

use bellcrank_compiler::description::{JointType, Space};
use proptest::prelude::*;
use proptest::sample::Index;

use super::parts::vector;
use crate::physics::mechanism::{Element, Marker, Mechanism, Vector};

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

/// A force element before its ends are known.
#[derive(Clone, Debug)]
pub struct Draw {
    kind: usize,
    ends: [Index; 2],
    points: [Vector; 2],
    vector: Vector,
    numbers: [f64; 3],
    flag: bool,
}

pub fn draw(space: Space) -> impl Strategy<Value = Draw> {
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

/// Adds the drawn loads, as far as they fit the mechanism.
pub fn load(mechanism: &mut Mechanism, draws: &[Draw], loads: Loads) {
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
pub fn acted_on(kind: JointType, planar: bool) -> &'static [&'static str] {
    match kind {
        JointType::Revolute | JointType::Planar => &["angle"],
        JointType::Prismatic => &["displacement"],
        JointType::Cylindrical | JointType::Screw => &["angle", "displacement"],
        JointType::Universal => &["angle", "second_angle"],
        JointType::PinSlot if planar => &["angle", "displacement"],
        JointType::PinSlot => &["displacement"],
        JointType::Spherical
        | JointType::Fixed
        | JointType::Distance
        | JointType::ConstantVelocity
        | JointType::PointInPlane
        | JointType::RevoluteSpherical => &[],
    }
}
