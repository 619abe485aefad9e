//! The motion of points and of body-fixed directions, in terms of the frames of the bodies. Joints and forces are
//! written in terms of these and not of coordinates. Each formulation adds the frames in its own coordinates.

use super::constraint::end;
use super::orientation::from_axes;
use super::rate::rate;
use super::vector::{add, constant, cross, dot, sub, unit, zero};
use super::{Auxiliary, System};
use crate::description::Space;
use crate::expr::{Binary, Expr, Symbol};
use crate::joints::{RateTerm, What, Wound};
use crate::model::{BodyId, Extent, Joint, Marker, Model, Vector};

/// Components smaller than this part of a vector are the round-off of a few products.
pub(super) const ROUND_OFF: f64 = 1e-15;

/// The motion of the bodies of a model, whatever the coordinates.
pub struct BodyKinematics<'a> {
    /// The model.
    pub model: &'a Model,
    /// The equations so far.
    pub system: System,
    bodies: Vec<BodyFrame>,
    distances: Vec<(Marker, Marker, Expr)>,
    /// Forces and torques on each body.
    pub shares: Vec<Share>,
    /// Efforts along joint coordinates whose rates are velocities, by velocity.
    pub efforts: Vec<(u32, Expr)>,
}

/// A force or torque on a body. Its power is force · (velocity of `what`).
#[derive(Clone, Debug)]
pub struct Share {
    /// The body.
    pub body: BodyId,
    /// The part of the body that the force acts on.
    pub what: Attack,
    /// A force or torque, in world axes.
    pub force: Vector,
    /// The velocity of the joint coordinate that it comes from, where that is one of the velocities.
    pub along: Option<u32>,
}

/// The part of a body that a share acts on.
#[derive(Clone, Debug)]
pub enum Attack {
    /// The mass. Gravity acts like an opposite acceleration of the whole body.
    Mass,
    /// A point, from the centre of mass in body axes.
    Point(Vector),
    /// A body-fixed vector, in body axes.
    Direction(Vector),
    /// The angular velocity.
    Spin,
}

/// Kinematics of one body: a point of it and its axes, with their rates and accelerations.
#[derive(Default)]
pub(super) struct BodyFrame {
    /// The point that is known, from the centre of mass, in body axes.
    pub base: Vector,
    /// World position of that point.
    pub position: Vector,
    /// Its velocity.
    pub velocity: Vector,
    /// Its acceleration.
    pub acceleration: Vector,
    /// Angular velocity ω in world axes.
    pub spin: Vector,
    /// The axes that are known, in body axes; `None` if they are the body's own.
    pub basis: Option<[[f64; 3]; 3]>,
    /// Their world directions.
    pub axes: [Vector; 3],
    /// The rates of change of these axes.
    pub turning: Turning,
    /// The angle of a planar body, if it is known with its whole turns.
    pub angle: Option<Expr>,
    /// The same with its whole turns by themselves, if constraint equations depend on it.
    pub wound: Option<Wound>,
    /// The Euler parameters of a spatial body, if they are coordinates or were asked for.
    pub parameters: Option<[Expr; 4]>,
    /// Body vectors that were already turned into world axes.
    pub turned: Vec<(Vector, Vector)>,
}

impl Default for Turning {
    fn default() -> Self {
        let spin_rate = zero();
        Self::Spinning { spin_rate }
    }
}

/// The rates of change of the axes of a body.
pub(super) enum Turning {
    /// With ω as velocities: a turned vector r is an auxiliary with rate ω × r.
    Spinning {
        /// Angular acceleration in world axes.
        spin_rate: Vector,
    },
    /// As linear combinations of points: their rates and accelerations are those of the points.
    Linear {
        /// Rates of the axes.
        rates: [Vector; 3],
        /// Accelerations of the axes.
        accelerations: [Vector; 3],
    },
}

impl BodyFrame {
    /// A body vector in the axes that are known; round-off of the basis is zero.
    pub fn local(&self, vector: &Vector) -> Vector {
        let Some(basis) = &self.basis else {
            return vector.clone();
        };
        let numbers: Vec<f64> = vector.iter().filter_map(Expr::as_constant).collect();
        let size = numbers.iter().map(|x| x * x).sum::<f64>().sqrt();
        basis.map(|axis| {
            let sum = dot(&constant(axis), vector);
            match sum.as_constant() {
                Some(x) if numbers.len() == 3 => Expr::constant(without_round_off(x, size)),
                _ => sum,
            }
        })
    }
}

/// A component of a vector of this length. Round-off that separates it from zero or from ± the length is removed.
pub(super) fn without_round_off(x: f64, size: f64) -> f64 {
    if x.abs() < ROUND_OFF * size {
        0.0
    } else if (x.abs() - size).abs() < ROUND_OFF * size {
        size.copysign(x)
    } else {
        x
    }
}

impl<'a> BodyKinematics<'a> {
    /// No body yet.
    pub fn empty(model: &'a Model) -> Self {
        Self {
            model,
            system: System::default(),
            bodies: Vec::new(),
            distances: Vec::new(),
            shares: Vec::new(),
            efforts: Vec::new(),
        }
    }

    /// True if the axes of bodies are linear combinations of points.
    pub fn is_linear(&self) -> bool {
        let linear = |frame: &BodyFrame| matches!(frame.turning, Turning::Linear { .. });
        self.bodies.iter().any(linear)
    }

    /// Records the forces on both bodies of a joint if the effort `factor` acts along a joint coordinate. `along` is
    /// the index of the coordinate's rate among the velocities, if it is one.
    pub fn act_along(
        &mut self,
        joint: &Joint,
        factor: &Expr,
        terms: &[RateTerm],
        along: Option<u32>,
    ) {
        for term in terms {
            let (end, frame) = end(joint, term.side);
            let Some(body) = end.body else { continue };
            let what = match term.what {
                What::Point => Attack::Point(end.point.clone()),
                What::Axis(k) => Attack::Direction(constant(frame[k])),
                What::Spin => Attack::Spin,
            };
            let force = super::vector::scale(factor, &term.force);
            self.shares.push(Share {
                body,
                what,
                force,
                along,
            });
        }
        self.efforts
            .extend(along.map(|velocity| (velocity, factor.clone())));
    }

    /// Σ force · (velocity of `what`) over the terms of a joint's rate.
    pub fn rate_along(&mut self, joint: &Joint, terms: &[RateTerm]) -> Expr {
        let mut rate = |term: &RateTerm| {
            let (end, frame) = end(joint, term.side);
            let moving = match term.what {
                What::Point => self.velocity(end),
                What::Axis(k) => self.direction_rate(end.body, frame[k]),
                What::Spin => self.angular_velocity(end.body),
            };
            dot(&term.force, &moving)
        };
        terms.iter().map(&mut rate).sum()
    }

    /// Σ force · (acceleration of `what`) + (rate of the force) · (velocity of `what`) over the terms of a joint's
    /// rate.
    pub fn acceleration_along(&mut self, joint: &Joint, terms: &[RateTerm]) -> Expr {
        let mut sum = Expr::zero();
        for term in terms {
            let (end, frame) = end(joint, term.side);
            let (moving, accelerated) = match term.what {
                What::Point => (self.velocity(end), self.acceleration(end)),
                What::Axis(k) => {
                    let axis = constant(frame[k]);
                    (
                        self.turn_rate(end.body, &axis),
                        self.turn_acceleration(end.body, &axis),
                    )
                }
                What::Spin => (
                    self.angular_velocity(end.body),
                    self.angular_acceleration(end.body),
                ),
            };
            let force_rate = term.force.each_ref().map(|f| rate(&self.system, f));
            sum = sum + dot(&term.force, &accelerated) + dot(&force_rate, &moving);
        }
        sum
    }

    /// Adds the frame of the next body.
    pub fn add_frame(&mut self, frame: BodyFrame) {
        self.bodies.push(frame);
    }

    /// Stores the frame of a body at its index. Frames may come in any order.
    pub fn place_frame(&mut self, body: BodyId, frame: BodyFrame) {
        while self.bodies.len() <= body.0 as usize {
            self.bodies.push(BodyFrame::default());
        }
        self.bodies[body.0 as usize] = frame;
    }

    /// Angle of a planar body: where it is no coordinate, up to whole turns.
    pub fn angle(&self, body: BodyId) -> Expr {
        let frame = &self.bodies[body.0 as usize];
        frame.angle.clone().unwrap_or_else(|| {
            let [cos, sin, _] = &frame.axes[0];
            Expr::binary(Binary::Atan2, sin.clone(), cos.clone())
        })
    }

    /// Angle of one planar body relative to another, if it counts whole turns.
    pub fn relative_angle(&self, one: Option<BodyId>, two: Option<BodyId>) -> Option<Expr> {
        let angle = |body| match self.frame(body) {
            Some(frame) => frame.angle.clone(),
            None => Some(Expr::zero()),
        };
        let (from, to) = (angle(one)?, angle(two)?);
        (self.model.space == Space::Planar).then(|| to - from)
    }

    /// The same with the whole turns by themselves, where constraint equations depend on it.
    pub fn relative_winding(&self, joint: &Joint) -> Option<Wound> {
        let wound = |body| match self.frame(body) {
            Some(frame) => frame.wound.clone(),
            None => Some(Wound::default()),
        };
        let (from, to) = (wound(joint.first.body)?, wound(joint.second.body)?);
        (self.model.space == Space::Planar).then(|| Wound {
            angle: to.angle - from.angle,
            turns: to.turns - from.turns,
        })
    }

    /// Euler parameter `k` of a spatial body; where it is no coordinate, from the axes.
    pub fn euler_parameter(&mut self, body: BodyId, k: u8) -> Expr {
        let index = body.0 as usize;
        let known = self.bodies[index].parameters.clone();
        let all = known.unwrap_or_else(|| from_axes(self, body));
        let found = all[usize::from(k)].clone();
        self.bodies[index].parameters = Some(all);
        found
    }

    /// World position of the centre of mass.
    pub fn center(&mut self, body: BodyId) -> Vector {
        self.point(&Marker::center(body))
    }

    /// World velocity of the centre of mass.
    pub fn center_velocity(&mut self, body: BodyId) -> Vector {
        self.velocity(&Marker::center(body))
    }

    /// Angular velocity in world axes.
    pub fn angular_velocity(&self, body: Option<BodyId>) -> Vector {
        self.frame(body).map_or_else(zero, |f| f.spin.clone())
    }

    /// Angular acceleration in world axes: ω̇, or ½ Σ e_k × ë_k, in the plane e_x × ë_x.
    pub fn angular_acceleration(&self, body: Option<BodyId>) -> Vector {
        let (Some(id), Some(frame)) = (body, self.frame(body)) else {
            return zero();
        };
        let accelerations = match &frame.turning {
            Turning::Spinning { spin_rate } => return spin_rate.clone(),
            Turning::Linear { accelerations, .. } => accelerations,
        };
        let (axes, extent) = (&frame.axes, self.model.bodies[id.0 as usize].extent);
        match (extent, self.model.space) {
            (Extent::Point, _) => zero(),
            // Its axes are u_k u, so this is u × ü.
            (Extent::Line(axis), _) => {
                let axis = constant(axis);
                cross(&combine(&axis, axes), &combine(&axis, accelerations))
            }
            (Extent::Body, Space::Planar) => cross(&axes[0], &accelerations[0]),
            (Extent::Body, Space::Spatial) => {
                let terms = [0, 1, 2].map(|k| cross(&axes[k], &accelerations[k]));
                let sum = add(&add(&terms[0], &terms[1]), &terms[2]);
                super::vector::scale(&Expr::constant(0.5), &sum)
            }
        }
    }

    /// World directions of the body's axes.
    pub fn axes(&self, body: BodyId) -> [Vector; 3] {
        let frame = &self.bodies[body.0 as usize];
        [0, 1, 2].map(|k| combine(&frame.local(&unit(k)), &frame.axes))
    }

    /// World components of a body-fixed direction.
    pub fn direction(&mut self, body: Option<BodyId>, direction: [f64; 3]) -> Vector {
        self.turn(body, &constant(direction))
    }

    /// Rate of a body-fixed direction.
    pub fn direction_rate(&mut self, body: Option<BodyId>, direction: [f64; 3]) -> Vector {
        self.turn_rate(body, &constant(direction))
    }

    /// World position of a point.
    pub fn point(&mut self, marker: &Marker) -> Vector {
        let Some(frame) = self.frame(marker.body) else {
            return marker.point.clone();
        };
        let (from, arm) = (frame.position.clone(), sub(&marker.point, &frame.base));
        add(&from, &self.turn(marker.body, &arm))
    }

    /// World velocity of a point: ẋ + d/dt of the turned arm
    pub fn velocity(&mut self, marker: &Marker) -> Vector {
        let Some(frame) = self.frame(marker.body) else {
            return zero();
        };
        let (of_base, arm) = (frame.velocity.clone(), sub(&marker.point, &frame.base));
        add(&of_base, &self.turn_rate(marker.body, &arm))
    }

    /// World acceleration of a point: ẍ + ω̇ × r + ω × (ω × r), or that of the linear combination
    pub fn acceleration(&mut self, marker: &Marker) -> Vector {
        let Some(frame) = self.frame(marker.body) else {
            return zero();
        };
        let (of_base, arm) = (frame.acceleration.clone(), sub(&marker.point, &frame.base));
        add(&of_base, &self.turn_acceleration(marker.body, &arm))
    }

    /// Second derivative of the world components of a body-fixed vector.
    pub fn turn_acceleration(&mut self, body: Option<BodyId>, vector: &Vector) -> Vector {
        let world = self.turn(body, vector);
        match self.frame(body) {
            None => zero(),
            Some(frame) => match &frame.turning {
                Turning::Spinning { spin_rate } => add(
                    &cross(spin_rate, &world),
                    &cross(&frame.spin, &cross(&frame.spin, &world)),
                ),
                Turning::Linear { accelerations, .. } => combine(vector, accelerations),
            },
        }
    }

    /// Vector from one point to another.
    pub fn between(&mut self, from: &Marker, to: &Marker) -> Vector {
        let (a, b) = (self.point(from), self.point(to));
        sub(&b, &a)
    }

    /// Distance ℓ of two points, an auxiliary with rate d·ḋ/ℓ.
    pub fn distance(&mut self, a: &Marker, b: &Marker) -> Expr {
        let known = self.distances.iter().find(|(x, y, _)| x == a && y == b);
        if let Some((_, _, length)) = known {
            return length.clone();
        }
        let d = self.between(a, b);
        let index = self.system.auxiliaries.len();
        let length = self.auxiliary(dot(&d, &d).sqrt(), Expr::zero());
        self.system.auxiliaries[index].rate = self.closing(a, b, &length);
        self.distances.push((a.clone(), b.clone(), length.clone()));
        length
    }

    /// Rate of the distance of two points: d·ḋ/ℓ
    pub fn distance_rate(&mut self, a: &Marker, b: &Marker) -> Expr {
        let length = self.distance(a, b);
        self.closing(a, b, &length)
    }

    /// Rate of the world components of a body-fixed vector.
    pub fn turn_rate(&mut self, body: Option<BodyId>, vector: &Vector) -> Vector {
        let world = self.turn(body, vector);
        match self.frame(body) {
            None => zero(),
            Some(frame) => match &frame.turning {
                Turning::Spinning { .. } => cross(&frame.spin, &world),
                Turning::Linear { rates, .. } => combine(vector, rates),
            },
        }
    }

    /// World components of a vector that is given in body axes.
    pub fn turn(&mut self, body: Option<BodyId>, vector: &Vector) -> Vector {
        let Some(frame) = self.frame(body) else {
            return vector.clone();
        };
        if vector.iter().all(Expr::is_zero) {
            return zero();
        }
        if let Some((_, world)) = frame.turned.iter().find(|(known, _)| known == vector) {
            return world.clone();
        }
        let index = body.expect("ground has no frame").0 as usize;
        let world = self.turn_anew(index, vector);
        self.bodies[index]
            .turned
            .push((vector.clone(), world.clone()));
        world
    }

    fn turn_anew(&mut self, index: usize, vector: &Vector) -> Vector {
        let frame = &self.bodies[index];
        let spin = frame.spin.clone();
        let value = combine(&frame.local(vector), &frame.axes);
        if value.iter().all(is_leaf) || matches!(frame.turning, Turning::Linear { .. }) {
            return value;
        }
        self.rotating(value, &spin)
    }

    /// Auxiliaries for a vector that turns with angular velocity `spin`; constants stay as they are.
    pub(super) fn rotating(&mut self, value: Vector, spin: &Vector) -> Vector {
        let first = self.system.auxiliaries.len() as u32;
        let mut next = first;
        let world = value.clone().map(|component| {
            if component.as_constant().is_some() {
                return component;
            }
            next += 1;
            Expr::symbol(Symbol::Auxiliary(next - 1))
        });
        let rate = cross(spin, &world);
        for (component, rate) in value.into_iter().zip(rate) {
            if component.as_constant().is_none() {
                self.auxiliary(component, rate);
            }
        }
        world
    }

    /// Auxiliaries for a vector with these rates.
    pub fn named(&mut self, value: Vector, rates: &Vector) -> Vector {
        let [x, y, z] = value;
        let [u, v, w] = rates.clone();
        [(x, u), (y, v), (z, w)].map(|(value, rate)| match value.as_constant() {
            Some(_) => value,
            None => self.auxiliary(value, rate),
        })
    }

    /// A new intermediate.
    pub fn auxiliary(&mut self, value: Expr, rate: Expr) -> Expr {
        let index = self.system.auxiliaries.len() as u32;
        self.system.auxiliaries.push(Auxiliary { value, rate });
        Expr::symbol(Symbol::Auxiliary(index))
    }

    fn closing(&mut self, a: &Marker, b: &Marker, length: &Expr) -> Expr {
        let d = self.between(a, b);
        let (va, vb) = (self.velocity(a), self.velocity(b));
        dot(&d, &sub(&vb, &va)) / length
    }

    pub(super) fn frame(&self, body: Option<BodyId>) -> Option<&BodyFrame> {
        body.map(|id| &self.bodies[id.0 as usize])
    }

    pub(super) fn coordinates<const N: usize>(
        &mut self,
        names: [String; N],
        guess: [&Expr; N],
    ) -> Vec<Expr> {
        let list = &mut self.system.coordinates;
        let first = list.len() as u32;
        list.extend(variables(names, guess));
        (first..first + N as u32)
            .map(|i| Expr::symbol(Symbol::Coordinate(i)))
            .collect()
    }

    pub(super) fn velocities<const N: usize>(
        &mut self,
        names: [String; N],
        guess: [&Expr; N],
    ) -> (Vec<Expr>, Vec<Expr>) {
        let list = &mut self.system.velocities;
        let indices = list.len() as u32..(list.len() + N) as u32;
        list.extend(variables(names, guess));
        (
            indices
                .clone()
                .map(|i| Expr::symbol(Symbol::Velocity(i)))
                .collect(),
            indices
                .map(|i| Expr::symbol(Symbol::Acceleration(i)))
                .collect(),
        )
    }
}

fn variables<const N: usize>(
    names: [String; N],
    guess: [&Expr; N],
) -> impl Iterator<Item = super::StateVariable> {
    names
        .into_iter()
        .zip(guess)
        .map(|(name, guess)| super::StateVariable {
            name,
            guess: guess.clone(),
        })
}

/// Σ v_k a_k
pub(super) fn combine(vector: &Vector, axes: &[Vector; 3]) -> Vector {
    std::array::from_fn(|i| (0..3).map(|k| &vector[k] * &axes[k][i]).sum())
}

/// True for a constant or a symbol, possibly with a minus sign. Such an expression needs no name.
fn is_leaf(expr: &Expr) -> bool {
    use crate::expr::Node;
    match expr.node() {
        Node::Constant(_) | Node::Symbol(_) => true,
        Node::Neg(inner) => matches!(inner.node(), Node::Symbol(_)),
        _ => false,
    }
}
