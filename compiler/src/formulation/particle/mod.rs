//! Points as coordinates (Attia): two for a planar body, four for a spatial body. Bodies share the points that a joint
//! brings together, so most joints need no constraint equations.
//!
//! Every point and direction of a body is a linear combination of its points, with constant coefficients. The mass
//! matrix W ⊗ 1 with W = P⁻¹ J P⁻ᵀ is therefore constant, and there are no gyroscopic terms and no trigonometric
//! functions. Constraint equations are at most quadratic, and D is linear:
//!
//! ```text
//! Φ = ½ (|r_i − r_j|² / L − L)        T = ½ m |v_G|² + ½ Σ Q_kl ė_k · ė_l,   Q = ½ tr(J) 1 − J
//! ```
//!
//! Angles are known up to whole turns. Reactions in joints whose points are shared follow from the equations of motion
//! of one body's points, see [`reaction`].

mod coordinates;
mod inertia;
mod layout;
mod momentum;
mod points;
mod print;
mod reaction;
mod sites;

use super::body::all_sides;
use super::coupling::coupling_rows;
use super::kinematics::{BodyFrame, BodyKinematics, Turning, combine};
use super::loads_and_outputs::loads_and_outputs;
use super::rows::{Reaction, joint_rows};
use super::turns::{self, wound};
use super::vector::{cross, dot, scale, sub, zero};
use super::{ConstraintEquation, Owner, System, measure};
use crate::description::Space;
use crate::expr::Expr;
use crate::joints::Wound;
use crate::model::{BodyId, Coupling, Extent, JointCoordinate, JointId, Measure, Model, Vector};
use crate::topology::Topology;
use inertia::inertia;
pub use inertia::second_moments;
use layout::{Layout, layout};
pub use momentum::is_solid;
use points::Derivative;
pub use print::print;

/// Ways to solve the equations of points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointForm {
    /// Every distance and every constraint equation of a joint has a multiplier, and M is constant. A spatial body has
    /// four points.
    Multiplier,
    /// Accelerations follow from the momentum of each outboard part of the tree. Only the constraint equations that
    /// close loops have multipliers. A spatial body has three points, and the fourth is a function of them.
    Momentum,
    /// Like the first form, but a planar body that is hinged to ground has one velocity, its rate. The arm to its
    /// second point only turns, so its distance needs no constraint equation.
    Swing,
}

impl PointForm {
    /// All forms.
    pub const ALL: [Self; 3] = [Self::Multiplier, Self::Momentum, Self::Swing];

    /// Its word in a description.
    pub fn word(self) -> &'static str {
        match self {
            Self::Multiplier => "particle/multiplier",
            Self::Momentum => "particle/momentum",
            Self::Swing => "particle/swing",
        }
    }
}

/// The equations of a model in points; `None` if the points of a body cannot be placed, or if the form is `Swing` and
/// no body swings.
pub fn particle(model: &Model, topology: &Topology, form: PointForm) -> Option<System> {
    let mut kinematics = BodyKinematics::empty(model);
    let layout = layout(&mut kinematics, topology, form).ok()?;
    let mut bodies = (0..model.bodies.len() as u32).map(BodyId);
    if form == PointForm::Swing && bodies.all(|body| layout.swing(body).is_none()) {
        return None;
    }
    for index in 0..model.bodies.len() {
        let mut frame = frame(model, &layout, index);
        let ties = is_tied(model, BodyId(index as u32));
        if ties || needs_angle(model, BodyId(index as u32)) {
            let wound = counted_angle(&mut kinematics, &frame, index);
            frame.angle = Some(wound.value());
            if ties {
                let [cos, sin, _] = &frame.axes[0];
                turns::keep(&mut kinematics.system, [sin, cos]);
                frame.wound = Some(wound);
            }
        }
        kinematics.add_frame(frame);
    }
    let sides = all_sides(&mut kinematics);
    let mut reactions: Vec<Reaction> = Vec::new();
    for (index, joint) in model.joints.iter().enumerate() {
        let wanted = layout.wanted[index];
        let id = JointId(index as u32);
        reactions.push(joint_rows(
            &mut kinematics,
            id,
            joint,
            &sides[index],
            wanted,
        ));
    }
    let effects = coupling_rows(&mut kinematics, &sides);
    let first_distance = kinematics.system.rows.len();
    distance_rows(&mut kinematics, &layout);
    follower_rows(&mut kinematics, &layout);
    for index in 0..model.bodies.len() {
        inertia(&mut kinematics, &layout, index);
    }
    kinematics.system.gyroscopic = vec![Expr::zero(); kinematics.system.velocities.len()];
    loads_and_outputs(&mut kinematics, &sides);
    let reactions = match form {
        PointForm::Multiplier | PointForm::Swing => reaction::reactions(
            &mut kinematics,
            topology,
            &layout,
            first_distance,
            reactions,
            &effects,
        ),
        PointForm::Momentum => {
            let tree = momentum::tree(&mut kinematics, topology, &layout, &sides, first_distance)?;
            let all = momentum::reactions(&mut kinematics, topology, &layout, &tree, reactions);
            kinematics.system.tree = Some(tree);
            all
        }
    };
    measure::reactions(model, &mut kinematics.system, &reactions);
    kinematics.system.reactions = reactions;
    Some(kinematics.system)
}

/// The first body whose points cannot be placed.
pub fn misplaced(model: &Model, topology: &Topology, form: PointForm) -> Option<BodyId> {
    layout(&mut BodyKinematics::empty(model), topology, form).err()
}

/// True if a law or an output uses the angle of a planar body, by itself or in a joint.
fn needs_angle(model: &Model, body: BodyId) -> bool {
    let is_end = |joint: &JointId| {
        let joint = &model.joints[joint.0 as usize];
        [joint.first.body, joint.second.body].contains(&Some(body))
    };
    let asks = |measure: &Measure| match measure {
        Measure::BodyAngle(id) => *id == body,
        Measure::JointCoordinate(joint, JointCoordinate::Angle) => is_end(joint),
        _ => false,
    };
    model.space == Space::Planar && model.measures.iter().any(asks)
}

/// True if a coupling ties an angle of a planar body in a joint.
fn is_tied(model: &Model, body: BodyId) -> bool {
    let is_end = |(joint, coordinate): (JointId, JointCoordinate)| {
        let joint = &model.joints[joint.0 as usize];
        coordinate.is_angle() && [joint.first.body, joint.second.body].contains(&Some(body))
    };
    let ties = |coupling: &Coupling| is_end(coupling.first) || is_end(coupling.second);
    model.space == Space::Planar && model.couplings.iter().any(ties)
}

/// The angle of a planar body. A coordinate that integrates the angular velocity counts its turns.
fn counted_angle(kinematics: &mut BodyKinematics, frame: &BodyFrame, index: usize) -> Wound {
    let body = &kinematics.model.bodies[index];
    let name = [format!("{}.angle", body.name)];
    let counter = kinematics.coordinates(name, [&body.guess.angle]).remove(0);
    kinematics.system.rates.push(frame.spin[2].clone());
    let [cos, sin, _] = frame.axes[0].clone();
    let [cos_rate, sin_rate, _] = match &frame.turning {
        Turning::Linear { rates, .. } => rates[0].clone(),
        Turning::Spinning { .. } => cross(&frame.spin, &frame.axes[0]),
    };
    wound(kinematics, (sin, sin_rate), (cos, cos_rate), &counter)
}

/// The frame of a body from its points.
fn frame(model: &Model, layout: &Layout, index: usize) -> BodyFrame {
    let points = &layout.bodies[index];
    let axes = |level| -> [Vector; 3] {
        std::array::from_fn(|k| match (model.space, k) {
            (Space::Planar, 2) if level == Derivative::Position => super::vector::unit(2),
            (Space::Planar, 2) => zero(),
            _ => points.combine(&points.direction(k), level),
        })
    };
    let (now, rates) = (axes(Derivative::Position), axes(Derivative::Velocity));
    let first = &points.points[0];
    BodyFrame {
        base: super::vector::constant(first.at),
        position: first.position.clone(),
        velocity: first.velocity.clone(),
        acceleration: first.acceleration.clone(),
        spin: match model.bodies[index].extent {
            Extent::Body => match layout.swing(BodyId(index as u32)) {
                Some(swing) => [Expr::zero(), Expr::zero(), swing.rate.clone()],
                None => spin(model.space, &now, &rates),
            },
            Extent::Line(axis) => line_spin(axis, &now, &rates),
            Extent::Point => zero(),
        },
        basis: None,
        axes: now,
        turning: Turning::Linear {
            rates,
            accelerations: axes(Derivative::Acceleration),
        },
        angle: None,
        wound: None,
        parameters: None,
        turned: Vec::new(),
    }
}

/// ω = ½ Σ e_k × ė_k; in the plane e_x × ė_x.
fn spin(space: Space, axes: &[Vector; 3], rates: &[Vector; 3]) -> Vector {
    match space {
        Space::Planar => cross(&axes[0], &rates[0]),
        Space::Spatial => {
            let mut sum = zero();
            for k in 0..3 {
                sum = super::vector::add(&sum, &cross(&axes[k], &rates[k]));
            }
            scale(&Expr::constant(0.5), &sum)
        }
    }
}

/// ω = u × u̇ of a rod, of which only the direction u is known. Its axes are represented by u_k u.
fn line_spin(axis: [f64; 3], axes: &[Vector; 3], rates: &[Vector; 3]) -> Vector {
    let axis = super::vector::constant(axis);
    cross(&combine(&axis, axes), &combine(&axis, rates))
}

/// Φ = (|r_i − r_j|² − L²) / 2L for the pairs of points that no other body keeps.
fn distance_rows(kinematics: &mut BodyKinematics, layout: &Layout) {
    for pair in &layout.distances {
        let points = &layout.bodies[pair.body.0 as usize].points;
        let (a, b) = (&points[pair.first], &points[pair.second]);
        let d = sub(&b.position, &a.position);
        let square = Expr::constant(pair.length * pair.length);
        let phi = Expr::constant(0.5 / pair.length) * (dot(&d, &d) - square);
        kinematics.system.rows.push(ConstraintEquation {
            phi,
            owner: Owner::Body(pair.body),
            keeps: format!("distance of `{}` and `{}`", a.name, b.name),
            driver: false,
            wrenches: Vec::new(),
        });
    }
}

/// Φ = r − Σ c_i r_i for the points that follow from others.
fn follower_rows(kinematics: &mut BodyKinematics, layout: &Layout) {
    let n = match kinematics.model.space {
        Space::Planar => 2,
        Space::Spatial => 3,
    };
    for (index, points) in layout.bodies.iter().enumerate() {
        for point in &points.followers {
            let at = super::vector::constant(point.at);
            let there = points.combine(&points.point(&at), Derivative::Position);
            for (k, axis) in ["x", "y", "z"].into_iter().enumerate().take(n) {
                kinematics.system.rows.push(ConstraintEquation {
                    phi: &point.position[k] - &there[k],
                    owner: Owner::Body(BodyId(index as u32)),
                    keeps: format!("{axis} of `{}`", point.name),
                    driver: false,
                    wrenches: Vec::new(),
                });
            }
        }
    }
}
