//! The links in axes that turn with them: moments that do not change, and the inertia forces of the bias.
//!
//! With U = ω̃̇ + ω̃ ω̃ at q̈ = 0, a the acceleration of the reference point, against which gravity pulls, and Q = ½
//! tr(J) 1 − J:
//!
//! ```text
//! F = m a + U h        τ = h × a + Σ Q_kl e_k × U e_l
//! ```

use super::super::kinematics::{Attack, BodyKinematics};
use super::super::vector::{add, cross, dot, scale, sub, zero};
use super::super::{LinkStep, LocalLink, Screw};
use super::links::{about, load, without};
use super::motion::{Carried, swing, times};
use super::passage::{Passage, inner};
use super::placement::{PlacedTriad, Placement, along, without_round_off};
use super::regroup::regroup;
use super::steps::Carrier;
use crate::description::Space;
use crate::expr::{Expr, Symbol};
use crate::formulation::body::tensor;
use crate::joints::RelativeTurns;
use crate::model::{BodyId, Vector};
use crate::topology::Topology;

/// The links of a spatial mechanism. In the plane world axes are as good, and a body that slides along axes of its own
/// after it has turned any way stays in them.
pub fn local(
    kinematics: &mut BodyKinematics,
    topology: &Topology,
    carriers: &[Carrier],
    carried: &[Carried],
) -> Vec<LocalLink> {
    if kinematics.model.space == Space::Planar || carried.iter().any(Carried::slides_turned) {
        return Vec::new();
    }
    let world = Placement::world();
    let mut placements = vec![Placement::default(); carriers.len()];
    let mut motions = vec![LinkMotion::default(); carriers.len()];
    let ground = LinkMotion {
        acceleration: sub(&zero(), &kinematics.model.gravity),
        ..LinkMotion::default()
    };
    let mut links = Vec::new();
    for &body in &topology.order {
        let carrier = carriers[body.0 as usize];
        let inboard = carrier.inboard.map(|id| id.0 as usize);
        let passage = Passage {
            body,
            carrier,
            carried: &carried[body.0 as usize],
            inboard: inboard.map_or(&world, |index| &placements[index]),
            next: next(kinematics, topology, carriers, body),
            kinematics,
        };
        let (placement, steps) = passage.steps();
        let rates = &carried[body.0 as usize].rates;
        let mut motion = inboard.map_or(&ground, |index| &motions[index]).clone();
        motion.follow(&steps, rates);
        if carried[body.0 as usize].turn.is_some() {
            motion.turn_freely(kinematics, body, &placement);
        }
        motion.name(kinematics);
        links.push(link(kinematics, body, &placement, steps));
        placements[body.0 as usize] = placement;
        motions[body.0 as usize] = motion;
    }
    regroup(&mut links, &parents(topology, carriers));
    for (link, &body) in links.iter_mut().zip(&topology.order) {
        let applied = load(kinematics, body, |share| {
            share.along.is_none() && !matches!(share.what, Attack::Mass)
        });
        let taken = inertial(link, &motions[body.0 as usize]);
        link.load = without(&in_axes(&applied, link), &taken);
    }
    links
}

/// The places of the inboard links.
fn parents(topology: &Topology, carriers: &[Carrier]) -> Vec<Option<usize>> {
    let place = |id: BodyId| topology.order.iter().position(|other| *other == id);
    let inboard = |id: &BodyId| carriers[id.0 as usize].inboard;
    let order = topology.order.iter();
    order.map(|id| inboard(id).and_then(place)).collect()
}

/// The outboard body that carries the most, of those on joints with an axis, and the triad that it hangs on.
fn next(
    kinematics: &BodyKinematics,
    topology: &Topology,
    carriers: &[Carrier],
    body: BodyId,
) -> Option<(BodyId, PlacedTriad)> {
    let model = kinematics.model;
    let hangs_on = |outboard: &&BodyId| {
        let carrier = &carriers[outboard.0 as usize];
        let left = carrier.left(model);
        let moves = left.turns != RelativeTurns::None || !left.shifts.is_empty();
        carrier.inboard == Some(body) && moves && left.turns != RelativeTurns::Freely
    };
    let carries = |outboard: &&BodyId| {
        let inboard = |id: BodyId| carriers[id.0 as usize].inboard;
        let path = |id: &BodyId| std::iter::successors(Some(*id), |id| inboard(*id));
        let all = topology.order.iter();
        all.filter(|id| path(id).any(|id| id == **outboard)).count()
    };
    let outboard = topology.order.iter().rev().filter(hangs_on);
    let outboard = *outboard.max_by_key(carries)?;
    Some((outboard, inner(model, &carriers[outboard.0 as usize])?))
}

/// ω, ω̇ at q̈ = 0 and the acceleration against which gravity pulls, in the axes that have been reached.
#[derive(Clone, Debug, Default)]
struct LinkMotion {
    spin: Vector,
    spin_bias: Vector,
    acceleration: Vector,
}

impl LinkMotion {
    /// Goes outwards. A shift before a degree of freedom along the same axis comes after it here, where it uses the
    /// motion that the link itself needs.
    fn follow(&mut self, steps: &[LinkStep], rates: &[u32]) {
        let mut waiting = None;
        for (index, step) in steps.iter().enumerate() {
            let before_freedom = matches!(steps.get(index + 1), Some(LinkStep::Free(..)));
            match step {
                LinkStep::Shift { along, by } if before_freedom => waiting = Some((*along, by)),
                LinkStep::Shift { along, by } => self.shift(*along, by),
                LinkStep::Turn { about, cos, sin } => {
                    self.change(|v| turned(v, *about, cos, sin));
                }
                LinkStep::Axes(axes) => self.change(|v| axes.each_ref().map(|axis| dot(axis, v))),
                LinkStep::Free(n, freedom) => {
                    if let Some(rate) = rates.get(*n) {
                        self.free(freedom, &Expr::symbol(Symbol::Velocity(*rate)));
                    }
                }
            }
            if let (Some((along, by)), false) = (waiting, before_freedom) {
                self.shift(along, by);
                waiting = None;
            }
        }
    }

    fn change(&mut self, turned: impl Fn(&Vector) -> Vector) {
        self.spin = turned(&self.spin);
        self.spin_bias = turned(&self.spin_bias);
        self.acceleration = turned(&self.acceleration);
    }

    /// a ← a + U r
    fn shift(&mut self, along: usize, by: &Expr) {
        let swing = swing(&self.spin_bias, &self.spin);
        let column = swing.map(|row| row[along].clone());
        self.acceleration = add(&self.acceleration, &scale(by, &column));
    }

    /// ω̇ ← ω̇ + ω × s q̇,  a ← a + 2 ω × v q̇,  ω ← ω + s q̇
    fn free(&mut self, freedom: &Screw, rate: &Expr) {
        let turn = scale(rate, &freedom.angular);
        let slide = scale(rate, &freedom.linear);
        let coriolis = scale(&Expr::constant(2.0), &cross(&self.spin, &slide));
        self.acceleration = add(&self.acceleration, &coriolis);
        self.spin_bias = add(&self.spin_bias, &cross(&self.spin, &turn));
        self.spin = add(&self.spin, &turn);
    }

    /// A body with an angular velocity of its own has that one, whatever carries it.
    fn turn_freely(
        &mut self,
        kinematics: &mut BodyKinematics,
        body: BodyId,
        placement: &Placement,
    ) {
        let spin = kinematics.angular_velocity(Some(body));
        let axes = in_world(kinematics, body, placement);
        self.spin = axes.each_ref().map(|axis| dot(axis, &spin));
        self.spin_bias = zero();
    }

    fn name(&mut self, kinematics: &mut BodyKinematics) {
        let vectors = [&mut self.spin, &mut self.spin_bias, &mut self.acceleration];
        for vector in vectors {
            *vector = kinematics.named(vector.clone(), &zero());
        }
    }
}

/// A vector in axes that are turned about one of them.
fn turned(v: &Vector, about: usize, cos: &Expr, sin: &Expr) -> Vector {
    let (i, j) = ((about + 1) % 3, (about + 2) % 3);
    let mut turned = v.clone();
    turned[i] = cos * &v[i] + sin * &v[j];
    turned[j] = cos * &v[j] - sin * &v[i];
    turned
}

fn in_world(kinematics: &mut BodyKinematics, body: BodyId, placement: &Placement) -> [Vector; 3] {
    let axes = placement.axes;
    axes.map(|axis| kinematics.direction(Some(body), axis.map(without_round_off).into()))
}

fn link(
    kinematics: &mut BodyKinematics,
    id: BodyId,
    placement: &Placement,
    steps: Vec<LinkStep>,
) -> LocalLink {
    let body = &kinematics.model.bodies[id.0 as usize];
    let center = placement.arm_to(&zero());
    let inertia = about(&seen(&tensor(body), placement), &body.mass, &center);
    let first_moment = scale(&body.mass, &center);
    let base = kinematics.frame(Some(id)).map(|frame| frame.base.clone());
    LocalLink {
        steps,
        mass: body.mass.clone(),
        first_moment,
        inertia,
        load: Screw::default(),
        axes: in_world(kinematics, id, placement),
        offset: sub(&zero(), &placement.arm_to(&base.unwrap_or_default())),
    }
}

/// A wrench in the axes of a link and about its own reference point.
fn in_axes(wrench: &Screw, link: &LocalLink) -> Screw {
    let [torque, force] =
        [&wrench.angular, &wrench.linear].map(|v| link.axes.each_ref().map(|axis| dot(axis, v)));
    Screw {
        angular: sub(&torque, &cross(&link.offset, &force)),
        linear: force,
    }
}

/// Inertia force and torque of a link at q̈ = 0.
fn inertial(link: &LocalLink, motion: &LinkMotion) -> Screw {
    let LinkMotion {
        spin,
        spin_bias,
        acceleration,
    } = motion;
    let (h, swing) = (&link.first_moment, swing(spin_bias, spin));
    let torque: Vector = std::array::from_fn(|i| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        let off = (&swing[k][k] - &swing[j][j]) * &link.inertia[j][k]
            + &swing[k][i] * &link.inertia[i][j]
            - &swing[j][i] * &link.inertia[i][k];
        diagonal(link, motion, &swing, i) - off
    });
    Screw {
        angular: add(&cross(h, acceleration), &torque),
        linear: add(&scale(&link.mass, acceleration), &times(&swing, h)),
    }
}

/// J_ii ω̇_i + (J_kk − J_jj) ω_j ω_k, or the same as Q_jj U_kj − Q_kk U_jk, whichever has fewer terms.
fn diagonal(link: &LocalLink, motion: &LinkMotion, swing: &[Vector; 3], i: usize) -> Expr {
    let (j, k) = ((i + 1) % 3, (i + 2) % 3);
    let [a, b, c] = [i, j, k].map(|n| &link.inertia[n][n]);
    let half = Expr::constant(0.5);
    let [by_j, by_k] = [a + c - b, a + b - c].map(|q| negligible(&half * q, a));
    let difference = negligible(c - b, a);
    let terms = |list: [&Expr; 2]| list.iter().filter(|x| !x.is_zero()).count();
    if terms([&by_j, &by_k]) <= terms([a, &difference]) {
        return by_j * &swing[k][j] - by_k * &swing[j][k];
    }
    a * &motion.spin_bias[i] + difference * (&motion.spin[j] * &motion.spin[k])
}

/// A moment that is round-off of another one is zero.
fn negligible(moment: Expr, size: &Expr) -> Expr {
    match (moment.as_constant(), size.as_constant()) {
        (Some(x), Some(size)) if x.abs() < 1e-14 * size.abs() => Expr::zero(),
        _ => moment,
    }
}

/// A tensor in the axes of a link.
fn seen(tensor: &[[Expr; 3]; 3], placement: &Placement) -> [[Expr; 3]; 3] {
    let half = tensor
        .each_ref()
        .map(|row| placement.axes.each_ref().map(|axis| along(axis, row)));
    std::array::from_fn(|i| {
        std::array::from_fn(|j| {
            let (i, j) = (i.max(j), i.min(j));
            let column: Vector = std::array::from_fn(|k| half[k][j].clone());
            along(&placement.axes[i], &column)
        })
    })
}
