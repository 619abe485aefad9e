//! The tree of links whose momentum is carried inwards, and the reactions that follow from it.
//!
//! With g_j the vectors from the first point of a body to its other ones and the normal, every vector of
//! the body is Σ c_j g_j with constant c, and W_ij = ∫ c_i c_j dm:
//!
//! ```text
//! h = Σ μ_j g_j        y_i = Σ_j W_ij g_j        Q = Σ g_i y_iᵀ        I = tr(Q) 1 − Q
//! Σ m d = m d_1 + Σ μ_j δ_j        Σ r × m d = h × d_1 + Σ y_j × δ_j        δ_j = d_j − d_1
//! ```

use nalgebra::{DMatrix, Vector3};

use super::super::constraint::{Sides, kind};
use super::super::kinematics::{Attack, Kinematics, Share};
use super::super::rows::Reaction;
use super::super::vector::{add, cross, dot, scale, sub, zero};
use super::super::{Closing, Link, OwnPoint, Row, Screw, Tree};
use super::layout::Layout;
use super::points::{Level, Point, Points};
use super::second_moments;
use crate::description::Space;
use crate::expr::{Expr, Node, Symbol};
use crate::model::{BodyId, Extent, Joint, JointId, Vector};
use crate::topology::Topology;

/// What is below this part of the largest entry of W is round-off of the geometry.
const NOISE: f64 = 1e-14;

/// The links of a model; `None` if a body has no inertia of its own to carry.
pub fn tree(
    kinematics: &mut Kinematics,
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

/// Where each body stands in the tree.
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

/// True if the freedoms of a joint are known in every pose; else its rows close a loop with ground or with
/// another body that flies freely.
fn opens(kinematics: &Kinematics, sides: &[Sides], joint: JointId) -> bool {
    let index = joint.0 as usize;
    let kind = kind(kinematics.model.joints[index].kind);
    (kind.freedoms)(&sides[index]).is_some()
}

/// All motions.
fn floating(space: Space) -> Vec<Screw> {
    let (turns, shifts) = match space {
        Space::Planar => (2..3, 0..2),
        Space::Spatial => (0..3, 0..3),
    };
    let turns = turns.map(|k| Screw {
        angular: super::super::vector::unit(k),
        linear: zero(),
    });
    let shifts = shifts.map(|k| Screw {
        angular: zero(),
        linear: super::super::vector::unit(k),
    });
    turns.chain(shifts).collect()
}

/// g_j, and δ_j in terms of accelerations; in the plane g and J g.
fn generators(points: &Points, space: Space, level: Level) -> Vec<Vector> {
    let of = |point: &Point| point.at_level(level).clone();
    let first = of(&points.points[0]);
    let mut list: Vec<Vector> = points.points[1..]
        .iter()
        .map(|point| sub(&of(point), &first))
        .collect();
    list.extend(points.normal.as_ref().map(of));
    if let (Space::Planar, [[x, y, _]]) = (space, list.as_slice()) {
        let turned = [-y, x.clone(), Expr::zero()];
        list.push(turned);
    }
    list
}

/// c_j of a body-fixed vector.
fn coefficients(points: &Points, space: Space, vector: &Vector) -> Vec<Expr> {
    let list = points.vector(vector).into_iter().skip(1);
    match space {
        Space::Planar => list.flat_map(|(a, b)| [a, b]).collect(),
        Space::Spatial => list.map(|(a, _)| a).collect(),
    }
}

/// Mass, moments, and what a deformation takes.
fn inertia(kinematics: &Kinematics, layout: &Layout, id: BodyId) -> Option<Link> {
    let model = kinematics.model;
    let body = &model.bodies[id.0 as usize];
    let points = &layout.bodies[id.0 as usize];
    if body.mass.is_zero() {
        return None;
    }
    let arm = generators(points, model.space, Level::Position);
    let deformation = generators(points, model.space, Level::Acceleration);
    let first = &points.points[0];
    let from_first = super::super::vector::constant(first.at.map(|x| -x));
    let center = coefficients(points, model.space, &from_first);
    let moments: Vec<Expr> = center.iter().map(|c| &body.mass * c).collect();
    let first_moment = sum(&moments, &arm);
    let mut linear = scale(&body.mass, &first.acceleration);
    linear = add(&linear, &sum(&moments, &deformation));
    let mut angular = cross(&first_moment, &first.acceleration);
    let moment = |of: &Expr| of + &body.mass * dot(&from_first, &from_first);
    let mut turn = |moment: &Expr| {
        let second = Vector3::from(points.points[1].at) - Vector3::from(first.at);
        let factor = moment / Expr::constant(second.norm_squared());
        let turn = cross(&scale(&factor, &arm[0]), &deformation[0]);
        angular = add(&angular, &turn);
    };
    let inertia = match (body.extent, model.space) {
        // Nothing turns it, so any moment will do.
        (Extent::Point, _) => diagonal([0, 1, 2].map(|_| body.mass.clone())),
        // Nothing turns it about its axis, so there it may have the moment that it has across.
        (Extent::Line(_), _) => {
            let moment = moment(&body.moment_across());
            turn(&moment);
            diagonal([0, 1, 2].map(|_| moment.clone()))
        }
        (Extent::Body, Space::Planar) => {
            let moment = moment(&body.inertia[2][2]);
            turn(&moment);
            diagonal([Expr::zero(), Expr::zero(), moment])
        }
        (Extent::Body, Space::Spatial) => {
            let weights = weights(kinematics, points, id, &center);
            let weighted: Vec<Vector> = weights.iter().map(|row| sum(row, &arm)).collect();
            for (y, delta) in weighted.iter().zip(&deformation) {
                angular = add(&angular, &cross(y, delta));
            }
            tensor(&arm, &weighted)
        }
    };
    Some(Link {
        mass: body.mass.clone(),
        first_moment,
        inertia,
        drag: Screw { angular, linear },
        ..Link::default()
    })
}

/// W_ij = Σ E_ki Q_kl E_lj + m c_i c_j with E_k the coefficients of the body's axis k.
fn weights(
    kinematics: &Kinematics,
    points: &Points,
    id: BodyId,
    center: &[Expr],
) -> Vec<Vec<Expr>> {
    let space = kinematics.model.space;
    let body = &kinematics.model.bodies[id.0 as usize];
    let axes = [0, 1, 2].map(|k| coefficients(points, space, &super::super::vector::unit(k)));
    let moments = second_moments(space, &body.inertia);
    let n = center.len();
    let entry = |i: usize, j: usize| -> Expr {
        let of_axes = moments.iter();
        let of_axes: Expr = of_axes
            .map(|(k, l, moment)| &axes[*k][i] * moment * &axes[*l][j])
            .sum();
        of_axes + &body.mass * &center[i] * &center[j]
    };
    let mut rows: Vec<Vec<Expr>> = (0..n)
        .map(|i| (0..n).map(|j| entry(i, j)).collect())
        .collect();
    // Entries are compared along their generators: W_ij against √(W_ii W_jj).
    let size = |rows: &[Vec<Expr>], i: usize| rows[i][i].as_constant().unwrap_or(0.0).abs().sqrt();
    let sizes: Vec<f64> = (0..n).map(|i| size(&rows, i)).collect();
    for i in 0..n {
        for j in 0..n {
            if let Some(x) = rows[i][j].as_constant()
                && i != j
                && x.abs() < NOISE * sizes[i] * sizes[j]
            {
                rows[i][j] = Expr::zero();
            }
        }
    }
    rows
}

/// tr(Q) 1 − Q with Q = Σ g_i y_iᵀ
fn tensor(arm: &[Vector], weighted: &[Vector]) -> [[Expr; 3]; 3] {
    let entry = |k: usize, l: usize| -> Expr {
        let pairs = arm.iter().zip(weighted);
        pairs.map(|(g, y)| &g[k] * &y[l]).sum()
    };
    let squares = [0, 1, 2].map(|k| entry(k, k));
    std::array::from_fn(|k| {
        std::array::from_fn(|l| match k == l {
            true => &squares[(k + 1) % 3] + &squares[(k + 2) % 3],
            false => -entry(k.max(l), k.min(l)),
        })
    })
}

fn diagonal([x, y, z]: [Expr; 3]) -> [[Expr; 3]; 3] {
    let zero = Expr::zero;
    [
        [x, zero(), zero()],
        [zero(), y, zero()],
        [zero(), zero(), z],
    ]
}

fn sum(factors: &[Expr], vectors: &[Vector]) -> Vector {
    let pairs = factors.iter().zip(vectors);
    pairs.fold(zero(), |sum, (factor, vector)| {
        add(&sum, &scale(factor, vector))
    })
}

/// What acts on a body, about its reference point.
fn load(kinematics: &mut Kinematics, layout: &Layout, id: BodyId) -> Screw {
    let base = super::super::vector::constant(layout.bodies[id.0 as usize].points[0].at);
    let shares: Vec<Share> = kinematics
        .shares
        .iter()
        .filter(|share| share.body == id)
        .cloned()
        .collect();
    let mut load = Screw::default();
    for share in shares {
        let (torque, force) = match &share.what {
            Attack::Point(at) => {
                let arm = kinematics.turn(Some(id), &sub(at, &base));
                (cross(&arm, &share.force), share.force)
            }
            Attack::Direction(vector) => {
                let arm = kinematics.turn(Some(id), vector);
                (cross(&arm, &share.force), zero())
            }
            Attack::Spin => (share.force, zero()),
        };
        load.angular = add(&load.angular, &torque);
        load.linear = add(&load.linear, &force);
    }
    load
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

/// Points whose rows keep them where the body has them, one for each of their coordinates.
fn followers(layout: &Layout, id: BodyId, first_distance: usize) -> Vec<OwnPoint> {
    let velocities =
        |point: &Point| -> Vec<u32> { point.velocity.iter().filter_map(velocity_of).collect() };
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
    kinematics: &mut Kinematics,
    layout: &Layout,
    body: BodyId,
    id: JointId,
    sides: &Sides,
) -> Vec<Screw> {
    let joint = &kinematics.model.joints[id.0 as usize];
    let arm = from_joint(kinematics, layout, body, joint);
    let freedoms = (kind(joint.kind).freedoms)(sides).unwrap_or_default();
    let moved = |freedom: Screw| Screw {
        linear: add(&freedom.linear, &cross(&freedom.angular, &arm)),
        angular: freedom.angular,
    };
    freedoms.into_iter().map(moved).collect()
}

/// From the second body's point of a joint to the reference point of a body; exactly zero where that is
/// a point of the joint.
fn from_joint(kinematics: &mut Kinematics, layout: &Layout, body: BodyId, joint: &Joint) -> Vector {
    let first = &layout.bodies[body.0 as usize].points[0];
    if first.inherited {
        return zero();
    }
    let there = kinematics.point(&joint.second);
    sub(&first.position, &there)
}

/// Rows of the joint that carries a body, without its drivers, and what they do to it.
fn joint_rows(
    kinematics: &mut Kinematics,
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

fn rows_of(kinematics: &Kinematics, wanted: impl Fn(&Row) -> bool) -> Vec<usize> {
    let rows = kinematics.system.rows.iter().enumerate();
    rows.filter(|(_, row)| wanted(row))
        .map(|(k, _)| k)
        .collect()
}

/// What the multiplier of a joint's row does to one of its bodies, about the reference point.
fn on_body(kinematics: &mut Kinematics, layout: &Layout, body: BodyId, row: usize) -> Screw {
    let row = kinematics.system.rows[row].clone();
    let Some(id) = row.joint() else {
        return Screw::default();
    };
    let joint = &kinematics.model.joints[id.0 as usize];
    let point = kinematics.point(&joint.second);
    let arm = match carries(layout, body, joint, kinematics) {
        true => zero(),
        false => sub(&point, reference(layout, body)),
    };
    let lever = cross(&arm, &row.wrench.linear);
    let on_second = Screw {
        angular: add(&row.wrench.angular, &lever),
        linear: row.wrench.linear,
    };
    match joint.second.body == Some(body) {
        true => on_second,
        false => Screw {
            angular: sub(&zero(), &on_second.angular),
            linear: sub(&zero(), &on_second.linear),
        },
    }
}

/// True if the reference point of the body is the point of this joint.
fn carries(layout: &Layout, body: BodyId, joint: &Joint, kinematics: &Kinematics) -> bool {
    let first = &layout.bodies[body.0 as usize].points[0];
    let joints = kinematics.model.joints.iter();
    let id = joints
        .enumerate()
        .find(|(_, other)| std::ptr::eq(*other, joint));
    let through = id.and_then(|(index, _)| layout.through[index].as_ref());
    first.inherited
        && through.is_some_and(|(who, points)| *who == body && points.first() == Some(&0))
}

/// Rows that the tree does not keep.
fn closing(
    kinematics: &mut Kinematics,
    topology: &Topology,
    layout: &Layout,
    sides: &[Sides],
    place: &[usize],
) -> Vec<Closing> {
    let open = |id: JointId| !topology.cuts.contains(&id) && opens(kinematics, sides, id);
    let rows = rows_of(kinematics, |row| {
        row.joint().is_some_and(|id| row.driver || !open(id))
    });
    let mut closing = Vec::new();
    for row in rows {
        let joint = kinematics.system.rows[row].joint();
        let ends = joint.map(|id| {
            let joint = &kinematics.model.joints[id.0 as usize];
            [joint.first.body, joint.second.body]
        });
        let mut list = Vec::new();
        for body in ends.into_iter().flatten().flatten() {
            list.push((
                place[body.0 as usize],
                on_body(kinematics, layout, body, row),
            ));
        }
        closing.push(Closing { row, ends: list });
    }
    closing
}

/// Force and torque on the second body of every joint. `known` is what the multipliers of the joints'
/// own rows make; what a joint of the tree carries is the momentum of all that is outboard of it, less
/// what acts there.
pub fn reactions(
    kinematics: &mut Kinematics,
    topology: &Topology,
    layout: &Layout,
    tree: &Tree,
    known: Vec<Reaction>,
) -> Vec<[Expr; 6]> {
    let model = kinematics.model;
    let mut needed = vec![Screw::default(); model.bodies.len()];
    for (body, link) in topology.order.iter().zip(&tree.links) {
        // With all of the acceleration as deformation, what that takes is the rate of momentum.
        let sum = &mut needed[body.0 as usize];
        *sum = link.drag.clone();
        subtract(sum, &link.load);
    }
    for &cut in &topology.cuts {
        let joint = &model.joints[cut.0 as usize];
        let reaction = &known[cut.0 as usize];
        for (body, sign) in [(joint.second.body, 1.0), (joint.first.body, -1.0)] {
            if let Some(body) = body {
                let about = kinematics.point(&joint.second);
                let on_body = shifted(reaction, &sub(&about, reference(layout, body)), sign);
                subtract(&mut needed[body.0 as usize], &on_body);
            }
        }
    }
    let mut total = known;
    for &body in topology.order.iter().rev() {
        let parent = topology.parents[body.0 as usize];
        let wrench = needed[body.0 as usize].clone();
        let Some(joint_id) = parent.joint else {
            continue;
        };
        if let Some(inboard) = parent.body {
            let arm = sub(reference(layout, body), reference(layout, inboard));
            let sum = &mut needed[inboard.0 as usize];
            sum.angular = add(
                &sum.angular,
                &add(&wrench.angular, &cross(&arm, &wrench.linear)),
            );
            sum.linear = add(&sum.linear, &wrench.linear);
        }
        let joint = &model.joints[joint_id.0 as usize];
        let about = kinematics.point(&joint.second);
        let arm = sub(reference(layout, body), &about);
        let sign = match joint.second.body == Some(body) {
            true => Expr::one(),
            false => -Expr::one(),
        };
        let torque = add(&wrench.angular, &cross(&arm, &wrench.linear));
        let reaction = &mut total[joint_id.0 as usize];
        reaction.force = scale(&sign, &wrench.linear);
        reaction.torque = scale(&sign, &torque);
    }
    total.into_iter().map(Reaction::components).collect()
}

/// A reaction on the second body, or its opposite, about another point: `arm` leads there from it.
fn shifted(reaction: &Reaction, arm: &Vector, sign: f64) -> Screw {
    let sign = Expr::constant(sign);
    let torque = add(&reaction.torque, &cross(arm, &reaction.force));
    Screw {
        angular: scale(&sign, &torque),
        linear: scale(&sign, &reaction.force),
    }
}

fn subtract(sum: &mut Screw, wrench: &Screw) {
    sum.angular = sub(&sum.angular, &wrench.angular);
    sum.linear = sub(&sum.linear, &wrench.linear);
}
