//! The form `particle/momentum`: the mechanism as a tree of links whose momentum is carried inwards.

mod inertia;
mod reaction;

pub use inertia::is_solid;
pub use reaction::reactions;

use nalgebra::{DMatrix, Vector3};

use super::super::kinematics::BodyKinematics;
use super::super::vector::{add, cross, scale, sub, unit, zero};
use super::super::{ConstraintEquation, LoopEquation, OwnPoint, Owner, Screw, Tree};
use super::layout::Layout;
use super::points::BodyPoint;
use crate::description::Space;
use crate::expr::{Expr, Node, Symbol};
use crate::joints::{Sides, shift, turn};
use crate::model::{BodyId, JointId, Vector};
use crate::topology::Topology;
use inertia::{inertia, load};

/// The links of a model; `None` if a body has no inertia of its own.
pub fn tree(
    kinematics: &mut BodyKinematics,
    topology: &Topology,
    layout: &Layout,
    sides: &[Sides],
    first_distance: usize,
) -> Option<Tree> {
    let mut tree = Tree::default();
    let place = places(topology);
    for &body in &topology.order {
        let parent = topology.parents[body.0 as usize];
        let mut link = inertia(kinematics, layout, body)?;
        link.parent = parent.body.map(|id| place[id.0 as usize]);
        link.arm = match parent.body {
            Some(id) => sub(reference(layout, body), reference(layout, id)),
            None => zero(),
        };
        link.load = load(kinematics, layout, body);
        link.points = own_points(layout, body, first_distance)?;
        let joint = parent.joint.filter(|id| opens(kinematics, sides, *id));
        match joint {
            Some(id) => {
                let sides = &sides[id.0 as usize];
                link.freedoms = freedoms(kinematics, layout, body, id, sides);
                link.rows = joint_rows(kinematics, layout, body, id);
            }
            None => link.freedoms = floating(kinematics.model.space),
        }
        tree.links.push(link);
    }
    tree.closing = closing(kinematics, topology, layout, sides, &place);
    Some(tree)
}

/// The index of each body in the tree.
fn places(topology: &Topology) -> Vec<usize> {
    let mut place = vec![0; topology.order.len()];
    for (index, body) in topology.order.iter().enumerate() {
        place[body.0 as usize] = index;
    }
    place
}

fn reference(layout: &Layout, body: BodyId) -> &Vector {
    &layout.bodies[body.0 as usize].points[0].position
}

/// True if one basis of the joint's motions serves in every pose. Otherwise its equations close a loop with ground, or
/// with another body that flies freely.
fn opens(kinematics: &BodyKinematics, sides: &[Sides], joint: JointId) -> bool {
    let index = joint.0 as usize;
    let kind = kinematics.model.joints[index].kind;
    (kind.kind().freedoms)(&sides[index]).is_some()
}

/// All motions.
fn floating(space: Space) -> Vec<Screw> {
    let (turns, shifts) = match space {
        Space::Planar => (2..3, 0..2),
        Space::Spatial => (0..3, 0..3),
    };
    let turns = turns.map(|k| turn(unit(k)));
    let shifts = shifts.map(|k| shift(unit(k)));
    turns.chain(shifts).collect()
}

/// Points that have coordinates of their own.
fn own_points(layout: &Layout, id: BodyId, first_distance: usize) -> Option<Vec<OwnPoint>> {
    let points = &layout.bodies[id.0 as usize].points;
    let mut own = Vec::new();
    for (index, point) in points.iter().enumerate() {
        if point.inherited {
            continue;
        }
        let pairs = layout.distances.iter().enumerate();
        let pairs = pairs.filter(|(_, pair)| pair.body == id && pair.second == index);
        let (mut rows, mut directions) = (Vec::new(), Vec::new());
        for (row, pair) in pairs {
            rows.push(first_distance + row);
            let arm = Vector3::from(point.at) - Vector3::from(points[pair.first].at);
            directions.push(arm / pair.length);
        }
        let n = rows.len();
        let gram = DMatrix::from_fn(n, n, |i, j| directions[i].dot(&directions[j]));
        let gram = gram.try_inverse()?;
        own.push(OwnPoint {
            velocities: point.velocity.iter().filter_map(velocity_of).collect(),
            arm: sub(&point.position, &points[0].position),
            rows,
            gram: (0..n)
                .map(|i| gram.row(i).iter().copied().collect())
                .collect(),
        });
    }
    own.extend(followers(layout, id, first_distance));
    Some(own)
}

/// Points that constraint equations keep in place on the body, one equation for each of their coordinates.
fn followers(layout: &Layout, id: BodyId, first_distance: usize) -> Vec<OwnPoint> {
    let velocities =
        |point: &BodyPoint| -> Vec<u32> { point.velocity.iter().filter_map(velocity_of).collect() };
    let before = layout.bodies[..id.0 as usize].iter();
    let before = before.flat_map(|points| &points.followers);
    let before: usize = before.map(|point| velocities(point).len()).sum();
    let mut next = first_distance + layout.distances.len() + before;
    let points = &layout.bodies[id.0 as usize];
    let mut own = Vec::new();
    for point in &points.followers {
        let velocities = velocities(point);
        let n = velocities.len();
        let unit = |k: usize| (0..n).map(|i| f64::from(u8::from(i == k))).collect();
        own.push(OwnPoint {
            velocities,
            arm: sub(&point.position, &points.points[0].position),
            rows: (next..next + n).collect(),
            gram: (0..n).map(unit).collect(),
        });
        next += n;
    }
    own
}

fn velocity_of(expr: &Expr) -> Option<u32> {
    match expr.node() {
        Node::Symbol(Symbol::Velocity(i)) => Some(*i),
        _ => None,
    }
}

/// Motions of a body that its joint leaves, about its reference point.
fn freedoms(
    kinematics: &mut BodyKinematics,
    layout: &Layout,
    body: BodyId,
    id: JointId,
    sides: &Sides,
) -> Vec<Screw> {
    let joint = &kinematics.model.joints[id.0 as usize];
    let arm = to_joint(kinematics, layout, body, id);
    let freedoms = (joint.kind.kind().freedoms)(sides).unwrap_or_default();
    let moved = |freedom: Screw| Screw {
        linear: add(&freedom.linear, &cross(&arm, &freedom.angular)),
        angular: freedom.angular,
    };
    freedoms.into_iter().map(moved).collect()
}

/// From the reference point of a body to the second body's point of a joint; exactly zero where both are
/// the same.
fn to_joint(kinematics: &mut BodyKinematics, layout: &Layout, body: BodyId, id: JointId) -> Vector {
    if carries(layout, body, id) {
        return zero();
    }
    let joint = &kinematics.model.joints[id.0 as usize];
    sub(&kinematics.point(&joint.second), reference(layout, body))
}

/// Constraint equations of the joint that carries a body, without its drivers, and the wrenches of their multipliers on
/// the body.
fn joint_rows(
    kinematics: &mut BodyKinematics,
    layout: &Layout,
    body: BodyId,
    id: JointId,
) -> Vec<(usize, Screw)> {
    let rows = rows_of(kinematics, |row| row.joint() == Some(id) && !row.driver);
    rows.into_iter()
        .map(|index| {
            let wrench = on_body(kinematics, layout, body, index);
            (index, wrench)
        })
        .collect()
}

fn rows_of(
    kinematics: &BodyKinematics,
    wanted: impl Fn(&ConstraintEquation) -> bool,
) -> Vec<usize> {
    let rows = kinematics.system.rows.iter().enumerate();
    rows.filter(|(_, row)| wanted(row))
        .map(|(k, _)| k)
        .collect()
}

/// Wrench of the multiplier of a constraint equation on a body, about the reference point.
fn on_body(kinematics: &mut BodyKinematics, layout: &Layout, body: BodyId, row: usize) -> Screw {
    let row = kinematics.system.rows[row].clone();
    let mut sum = Screw::default();
    for (id, wrench) in row.wrenches {
        let joint = &kinematics.model.joints[id.0 as usize];
        let sign = match (joint.first.body, joint.second.body) {
            (_, Some(second)) if second == body => Expr::one(),
            (Some(first), _) if first == body => -Expr::one(),
            _ => continue,
        };
        let arm = to_joint(kinematics, layout, body, id);
        let torque = add(&wrench.angular, &cross(&arm, &wrench.linear));
        sum.angular = add(&sum.angular, &scale(&sign, &torque));
        sum.linear = add(&sum.linear, &scale(&sign, &wrench.linear));
    }
    sum
}

/// True if the reference point of the body is the point of this joint.
fn carries(layout: &Layout, body: BodyId, joint: JointId) -> bool {
    let first = &layout.bodies[body.0 as usize].points[0];
    let through = layout.through[joint.0 as usize].as_ref();
    let is_first = through.is_some_and(|(who, points)| *who == body && points.first() == Some(&0));
    first.inherited && is_first
}

/// Constraint equations that the tree does not keep.
fn closing(
    kinematics: &mut BodyKinematics,
    topology: &Topology,
    layout: &Layout,
    sides: &[Sides],
    place: &[usize],
) -> Vec<LoopEquation> {
    let open = |id: JointId| !topology.cuts.contains(&id) && opens(kinematics, sides, id);
    let rows = rows_of(kinematics, |row| {
        let opened = row.joint().is_some_and(|id| row.driver || !open(id));
        opened || matches!(row.owner, Owner::Coupling(_))
    });
    let mut closing = Vec::new();
    for row in rows {
        let mut ends = Vec::new();
        for body in bodies_of(kinematics, row) {
            let wrench = on_body(kinematics, layout, body, row);
            ends.push((place[body.0 as usize], wrench));
        }
        closing.push(LoopEquation {
            row,
            ends,
            rates: Vec::new(),
        });
    }
    closing
}

/// The bodies that a constraint equation acts on, each once.
fn bodies_of(kinematics: &BodyKinematics, row: usize) -> Vec<BodyId> {
    let mut bodies = Vec::new();
    for (id, _) in &kinematics.system.rows[row].wrenches {
        let joint = &kinematics.model.joints[id.0 as usize];
        for body in [joint.first.body, joint.second.body].into_iter().flatten() {
            if !bodies.contains(&body) {
                bodies.push(body);
            }
        }
    }
    bodies
}
