//! Places the points of each body, and decides which points bodies share.
//!
//! Bodies are visited from the root outwards. A body takes over the points that its joint to the inboard body brings
//! together: two on the axis of a spatial revolute joint, one in a spherical, universal, constant-velocity or planar
//! revolute joint, all in a fixed joint. Its further points are put on its other joints, if these are far enough from
//! the points that it has. There it shares them with the body on the other side of a cut. Points that are still missing
//! are put off the line or plane of the others, at the distance of the radius of gyration. A rod without spin has two
//! points on its axis, a point mass one.

use nalgebra::Vector3;

use super::super::kinematics::BodyKinematics;
use super::super::rows::Wanted;
use super::super::vector::constant;
use super::PointForm;
use super::points::{BodyPoint, BodyPoints, Swing};
use super::sites::{
    across_the_centre, ends, frames, is_apart, off, remaining, site_name, sites, size_of, unit,
    values,
};
use crate::description::Space;
use crate::joints::Shares;
use crate::model::{BodyId, Extent, Joint, JointId, Marker, Model, Vector};
use crate::topology::Topology;

/// A point must be at least this part of the body's size away from the line or plane of the others.
const APART: f64 = 0.1;

/// The chosen points, and the equations that they need.
pub struct Layout {
    /// Points of each body.
    pub bodies: Vec<BodyPoints>,
    /// Distances that constraint equations keep.
    pub distances: Vec<KeptDistance>,
    /// Rows that each joint still needs.
    pub wanted: Vec<Wanted>,
    /// For each joint that shared points realise: the body whose equations of motion give its reaction, and the points.
    pub through: Vec<Option<(BodyId, Vec<usize>)>>,
}

/// A distance that a constraint equation keeps.
pub struct KeptDistance {
    /// The body.
    pub body: BodyId,
    /// One point.
    pub first: usize,
    /// The other.
    pub second: usize,
    /// Their distance.
    pub length: f64,
}

impl Layout {
    /// The swing of a body round its hinge on ground, if the body has no other motion.
    pub fn swing(&self, body: BodyId) -> Option<&Swing> {
        let arm = self.bodies[body.0 as usize].points.get(1)?;
        arm.swing.as_ref().filter(|swing| swing.body == body)
    }

    /// The place of the n-th point of a joint on the other body, given its place on this one.
    pub fn opposite(
        &self,
        model: &Model,
        joint: &Joint,
        own: &Marker,
        other: &Marker,
        n: usize,
        at: [f64; 3],
    ) -> [f64; 3] {
        if let Some(there) = sites(model, joint, other).get(n) {
            return *there;
        }
        across(joint, own, other, at)
    }
}

/// The place at the other end of a fixed joint that corresponds to a place of this body: the same components along the
/// joint's triad.
fn across(joint: &Joint, own: &Marker, other: &Marker, at: [f64; 3]) -> [f64; 3] {
    let (from, to) = frames(joint, own);
    let base = values(&own.point).unwrap_or_default();
    let other_base = values(&other.point).unwrap_or_default();
    let arm: [f64; 3] = std::array::from_fn(|i| at[i] - base[i]);
    let local: [f64; 3] = from.map(|axis| (0..3).map(|i| axis[i] * arm[i]).sum());
    std::array::from_fn(|i| other_base[i] + (0..3).map(|m| local[m] * to[m][i]).sum::<f64>())
}

/// A point that a joint brings: where it is on the body, and which point of the joint.
type JointPoint = (JointId, usize);

/// Chooses the points of all bodies, or returns the first body whose points cannot be chosen well.
pub fn layout(
    kinematics: &mut BodyKinematics,
    topology: &Topology,
    form: PointForm,
) -> Result<Layout, BodyId> {
    let model = kinematics.model;
    let mut planner = Planner {
        form,
        kinematics,
        topology,
        bodies: (0..model.bodies.len())
            .map(|_| BodyPoints::default())
            .collect(),
        nodes: Vec::new(),
        kept: Vec::new(),
        distances: Vec::new(),
        wanted: vec![Wanted::All; model.joints.len()],
        through: vec![None; model.joints.len()],
    };
    for &body in &topology.order {
        planner.place(body).ok_or(body)?;
    }
    Ok(Layout {
        bodies: planner.bodies,
        distances: planner.distances,
        wanted: planner.wanted,
        through: planner.through,
    })
}

pub(super) struct Planner<'p, 'm> {
    pub(super) form: PointForm,
    pub(super) kinematics: &'p mut BodyKinematics<'m>,
    topology: &'p Topology,
    pub(super) bodies: Vec<BodyPoints>,
    /// Points of joints that have coordinates of their own.
    nodes: Vec<(JointPoint, BodyPoint)>,
    /// Pairs of positions whose distance another equation keeps already.
    kept: Vec<(Vector, Vector)>,
    distances: Vec<KeptDistance>,
    wanted: Vec<Wanted>,
    through: Vec<Option<(BodyId, Vec<usize>)>>,
}

impl Planner<'_, '_> {
    fn place(&mut self, id: BodyId) -> Option<()> {
        let model = self.kinematics.model;
        let body = &model.bodies[id.0 as usize];
        let size = size_of(model, id);
        let all = match (model.space, self.form) {
            (Space::Planar, _) => 2,
            (Space::Spatial, PointForm::Momentum) => 3,
            (Space::Spatial, PointForm::Multiplier | PointForm::Swing) => 4,
        };
        let wanted = match body.extent {
            Extent::Body => all,
            Extent::Line(_) => 2,
            Extent::Point => 1,
        };
        let mut points = self.inherited(id, all)?;
        for (site, at) in self.candidates(id) {
            if points.len() < wanted && is_apart(&points, at, APART * size) {
                let point = match self.met(id, site, at, &points) {
                    Some(met) => {
                        self.share(id, site.0, points.len());
                        met
                    }
                    None => {
                        let name = site_name(&model.joints[site.0.0 as usize], site.1);
                        self.new_point(id, name, at, &points)
                    }
                };
                points.push(point);
            }
        }
        while points.len() < wanted {
            let at = match (body.extent, points.first()) {
                (Extent::Line(axis), Some(first)) => across_the_centre(first.at, axis, size),
                _ => off(&points, size),
            };
            let name = format!("{}.p{}", body.name, points.len() + 1);
            points.push(self.new_point(id, name, at, &points));
        }
        self.offer(id, &points);
        let points = match body.extent {
            Extent::Body => {
                let normal = (all == 3).then(|| self.normal(&points, body));
                BodyPoints::new(points, normal, model.space == Space::Planar)?
            }
            extent => BodyPoints::thin(points, extent),
        };
        self.keep_distances(id, &points);
        self.bodies[id.0 as usize] = points;
        if self.form == PointForm::Momentum {
            self.follow(id);
        }
        self.settle_cuts(id);
        Some(())
    }

    /// The point that a cut meets on its other side: one of a body that has its points, or one of ground. There is none
    /// if the body would then stand on two points of ground and have no constraint equation that shows whether it fits
    /// between them.
    fn met(
        &self,
        id: BodyId,
        site: JointPoint,
        at: [f64; 3],
        points: &[BodyPoint],
    ) -> Option<BodyPoint> {
        let model = self.kinematics.model;
        let joint = &model.joints[site.0.0 as usize];
        let name = site_name(joint, site.1);
        let (_, other) = ends(joint, id);
        if other.body.is_none() {
            let place = *sites(model, joint, other).get(site.1)?;
            let marker = Marker {
                body: None,
                point: constant(place),
            };
            let ground = BodyPoint {
                inherited: false,
                ..self.taken_over(name, at, &marker)
            };
            let own = |point: &BodyPoint| (0..=1).any(|n| point.name == site_name(joint, n));
            let stands = points.iter().any(|point| point.rests() && !own(point));
            return (!stands).then_some(ground);
        }
        let known = self.nodes.iter().find(|(known, _)| *known == site);
        known.map(|(_, node)| BodyPoint {
            at,
            name,
            inherited: false,
            ..node.clone()
        })
    }

    /// Points with coordinates of their own, for the joints that meet there.
    fn offer(&mut self, id: BodyId, points: &[BodyPoint]) {
        for (site, at) in self.candidates(id) {
            let here = |point: &&BodyPoint| point.at == at && point.is_plain() && !point.rests();
            if let Some(point) = points.iter().find(here) {
                self.nodes.push((site, point.clone()));
            }
        }
    }

    /// Points that the joint to the inboard body brings together.
    fn inherited(&mut self, id: BodyId, all: usize) -> Option<Vec<BodyPoint>> {
        let model = self.kinematics.model;
        let parent = self.topology.parents[id.0 as usize];
        let Some(joint_id) = parent.joint else {
            return Some(Vec::new());
        };
        let joint = &model.joints[joint_id.0 as usize];
        let (own, other) = ends(joint, id);
        if joint.kind.facts(model.space).shares == Shares::Body {
            return self.rigid(id, joint_id, all);
        }
        let mut points = Vec::new();
        for (which, at) in sites(model, joint, own).into_iter().enumerate() {
            let there = sites(model, joint, other);
            let place = there.get(which)?;
            let marker = Marker {
                body: other.body,
                point: constant(*place),
            };
            points.push(self.taken_over(site_name(joint, which), at, &marker));
        }
        if !points.is_empty() {
            self.wanted[joint_id.0 as usize] = remaining(model, joint, points.len());
            self.through[joint_id.0 as usize] = Some((id, (0..points.len()).collect()));
        }
        Some(points)
    }

    /// A body that is fixed to its inboard body has the same points, and one that is fixed to ground has
    /// all of them there.
    fn rigid(&mut self, id: BodyId, joint_id: JointId, all: usize) -> Option<Vec<BodyPoint>> {
        let model = self.kinematics.model;
        let joint = &model.joints[joint_id.0 as usize];
        let (own, other) = ends(joint, id);
        let (from, to) = frames(joint, own);
        let (Some(base), Some(other_base)) = (values(&own.point), values(&other.point)) else {
            // Constraint equations keep a place that depends on parameters.
            return Some(Vec::new());
        };
        if let Some(inboard) = other.body {
            let there = &self.bodies[inboard.0 as usize].points;
            let points: Vec<BodyPoint> = there
                .iter()
                .map(|point| BodyPoint {
                    at: across(joint, other, own, point.at),
                    inherited: true,
                    ..point.clone()
                })
                .collect();
            self.wanted[joint_id.0 as usize] = Wanted::None;
            self.through[joint_id.0 as usize] = Some((id, (0..points.len()).collect()));
            return Some(points);
        }
        let size = size_of(model, id);
        let mut points: Vec<BodyPoint> = Vec::new();
        for k in 0..all {
            let local = if k == 0 {
                Vector3::zeros()
            } else {
                unit(k - 1) * size
            };
            // Along the joint's triad, which both bodies know.
            let along = |frame: &[[f64; 3]; 3]| -> [f64; 3] {
                std::array::from_fn(|i| (0..3).map(|m| local[m] * frame[m][i]).sum())
            };
            let plus = |a: [f64; 3], b: [f64; 3]| std::array::from_fn(|i| a[i] + b[i]);
            let marker = Marker {
                body: other.body,
                point: constant(plus(other_base, along(to))),
            };
            let name = format!("{}.p{}", model.bodies[id.0 as usize].name, k + 1);
            points.push(self.taken_over(name, plus(base, along(from)), &marker));
        }
        self.wanted[joint_id.0 as usize] = Wanted::None;
        self.through[joint_id.0 as usize] = Some((id, (0..all).collect()));
        Some(points)
    }

    /// Gives the joints outboard of a body points of their own, unless the bodies that they carry end there and are
    /// made of points that are coordinates.
    fn follow(&mut self, id: BodyId) {
        let model = self.kinematics.model;
        let are_plain = self.bodies[id.0 as usize].are_plain();
        for (site, at) in self.candidates(id) {
            if are_plain && self.ends_at(site.0) {
                continue;
            }
            let points = &self.bodies[id.0 as usize];
            let is_known = |point: &BodyPoint| point.at == at;
            if points.points.iter().chain(&points.followers).any(is_known) {
                continue;
            }
            let name = site_name(&model.joints[site.0.0 as usize], site.1);
            let follower = self.node(&model.bodies[id.0 as usize], name, at);
            self.bodies[id.0 as usize].followers.push(follower);
        }
    }

    /// True if the body that this joint carries has no outboard bodies.
    fn ends_at(&self, joint: JointId) -> bool {
        let parents = &self.topology.parents;
        let carried = parents
            .iter()
            .position(|parent| parent.joint == Some(joint));
        carried.is_none_or(|body| {
            let body = Some(BodyId(body as u32));
            parents.iter().all(|parent| parent.body != body)
        })
    }

    /// Points of the body's other joints, in the tree first. A solve along the tree has no use for
    /// points that loops share.
    fn candidates(&self, id: BodyId) -> Vec<(JointPoint, [f64; 3])> {
        let model = self.kinematics.model;
        let inboard = self.topology.parents[id.0 as usize].joint;
        let mut joints: Vec<JointId> = (0..model.joints.len() as u32).map(JointId).collect();
        let cuts = &self.topology.cuts;
        joints.retain(|joint| Some(*joint) != inboard);
        joints.retain(|joint| self.form != PointForm::Momentum || !cuts.contains(joint));
        joints.sort_by_key(|joint| (self.topology.cuts.contains(joint), *joint));
        let mut list = Vec::new();
        for joint_id in joints {
            let joint = &model.joints[joint_id.0 as usize];
            for end in [&joint.first, &joint.second] {
                if end.body == Some(id) {
                    let sites = sites(model, joint, end).into_iter().enumerate();
                    list.extend(sites.map(|(which, at)| ((joint_id, which), at)));
                }
            }
        }
        list
    }

    fn share(&mut self, id: BodyId, joint: JointId, index: usize) {
        let entry = &mut self.through[joint.0 as usize];
        match entry {
            Some((body, points)) if *body == id => points.push(index),
            _ => *entry = Some((id, vec![index])),
        }
    }

    /// A cut whose points are shared needs fewer constraint equations.
    fn settle_cuts(&mut self, id: BodyId) {
        let model = self.kinematics.model;
        for &cut in &self.topology.cuts {
            let index = cut.0 as usize;
            if let Some((body, points)) = &self.through[index]
                && *body == id
            {
                let joint = &model.joints[index];
                // Sharing only the second point on an axis does not keep the first.
                let first = site_name(joint, 0);
                let has_first = self.bodies[id.0 as usize].points[points[0]].name == first;
                if has_first {
                    self.wanted[index] = remaining(model, joint, points.len());
                } else {
                    self.through[index] = None;
                }
            }
        }
    }

    /// True if two shared points belong to different joints. Then the body can push the other one apart there, so that
    /// the reactions need a multiplier for each of both bodies.
    fn is_strut(&self, id: BodyId, first: usize, second: usize) -> bool {
        let has = |point: usize| {
            move |entry: &Option<(BodyId, Vec<usize>)>| {
                let shared = entry.as_ref().filter(|(body, _)| *body == id);
                shared.is_some_and(|(_, points)| points.contains(&point))
            }
        };
        let joint = |point: usize| self.through.iter().position(has(point));
        joint(first) != joint(second)
    }

    fn keep_distances(&mut self, id: BodyId, points: &BodyPoints) {
        let list = &points.points;
        for first in 0..list.len() {
            for second in first + 1..list.len() {
                let (a, b) = (&list[first], &list[second]);
                let swings = b.swing.as_ref().is_some_and(|swing| swing.body == id);
                if (a.inherited && b.inherited) || (a.rests() && b.rests()) || swings {
                    continue;
                }
                let ends = (a.position.clone(), b.position.clone());
                let twin = (ends.1.clone(), ends.0.clone());
                let is_kept = self.kept.contains(&ends) || self.kept.contains(&twin);
                if is_kept && !self.is_strut(id, first, second) {
                    continue;
                }
                self.kept.push(ends);
                let length = (Vector3::from(a.at) - Vector3::from(b.at)).norm();
                self.distances.push(KeptDistance {
                    body: id,
                    first,
                    second,
                    length,
                });
            }
        }
    }
}
