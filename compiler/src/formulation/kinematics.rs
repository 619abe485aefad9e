//! Where points are, how fast they move and where body-fixed directions point, in terms of the
//! coordinates. Joints and forces are written against this, not against coordinates.
//!
//! A body-fixed vector in world axes is an auxiliary r with rate ω × r: exact for the Euler parameters
//! of any length, because A(p) is taken homogeneous of degree 2 and ṗ = ½ Eᵀ ω is orthogonal to p.

use super::vector::{add, constant, cross, dot, sub, zero};
use super::{Auxiliary, System};
use crate::description::Space;
use crate::expr::{Expr, Symbol};
use crate::model::{BodyId, Marker, Model, Vector};

/// The bodies of a model in absolute coordinates.
pub struct Kinematics<'a> {
    /// The model.
    pub model: &'a Model,
    /// The equations so far.
    pub system: System,
    bodies: Vec<Frame>,
    distances: Vec<(Marker, Marker, Expr)>,
}

/// What is known of one body.
struct Frame {
    position: Vector,
    velocity: Vector,
    acceleration: Vector,
    /// Angular velocity ω in world axes.
    spin: Vector,
    /// Angular acceleration in world axes.
    spin_rate: Vector,
    /// World directions of the body's axes.
    axes: [Vector; 3],
    /// Body vectors that were already turned into world axes.
    turned: Vec<(Vector, Vector)>,
}

impl<'a> Kinematics<'a> {
    /// Coordinates for every body of the model.
    pub fn new(model: &'a Model) -> Self {
        let mut this = Self {
            model,
            system: System::default(),
            bodies: Vec::new(),
            distances: Vec::new(),
        };
        for body in &model.bodies {
            let frame = match model.space {
                Space::Planar => this.planar_frame(body),
                Space::Spatial => this.spatial_frame(body),
            };
            this.bodies.push(frame);
        }
        this
    }

    /// Angle of a planar body; zero for ground.
    pub fn angle(&self, body: Option<BodyId>) -> Expr {
        body.map_or_else(Expr::zero, |id| {
            Expr::symbol(Symbol::Coordinate(3 * id.0 + 2))
        })
    }

    /// Euler parameter `k` of a spatial body.
    pub fn euler_parameter(&self, body: BodyId, k: u8) -> Expr {
        Expr::symbol(Symbol::Coordinate(7 * body.0 + 3 + u32::from(k)))
    }

    /// Velocities of a body: x, y, z, about x, about y, about z.
    pub fn columns(&self, body: BodyId) -> [Option<u32>; 6] {
        match self.model.space {
            Space::Planar => {
                let first = 3 * body.0;
                [
                    Some(first),
                    Some(first + 1),
                    None,
                    None,
                    None,
                    Some(first + 2),
                ]
            }
            Space::Spatial => std::array::from_fn(|i| Some(6 * body.0 + i as u32)),
        }
    }

    /// World position of the centre of mass.
    pub fn center(&self, body: Option<BodyId>) -> Vector {
        self.frame(body).map_or_else(zero, |f| f.position.clone())
    }

    /// World velocity of the centre of mass.
    pub fn center_velocity(&self, body: Option<BodyId>) -> Vector {
        self.frame(body).map_or_else(zero, |f| f.velocity.clone())
    }

    /// Angular velocity in world axes.
    pub fn angular_velocity(&self, body: Option<BodyId>) -> Vector {
        self.frame(body).map_or_else(zero, |f| f.spin.clone())
    }

    /// World directions of the body's axes.
    pub fn axes(&self, body: BodyId) -> [Vector; 3] {
        self.bodies[body.0 as usize].axes.clone()
    }

    /// World components of a body-fixed direction.
    pub fn direction(&mut self, body: Option<BodyId>, direction: [f64; 3]) -> Vector {
        self.turn(body, &constant(direction))
    }

    /// World position of a point.
    pub fn point(&mut self, marker: &Marker) -> Vector {
        let arm = self.turn(marker.body, &marker.point);
        add(&self.center(marker.body), &arm)
    }

    /// World velocity of a point: ẋ + ω × r
    pub fn velocity(&mut self, marker: &Marker) -> Vector {
        let arm = self.turn(marker.body, &marker.point);
        let spin = self.angular_velocity(marker.body);
        add(&self.center_velocity(marker.body), &cross(&spin, &arm))
    }

    /// World acceleration of a point: ẍ + ω̇ × r + ω × (ω × r)
    pub fn acceleration(&mut self, marker: &Marker) -> Vector {
        let arm = self.turn(marker.body, &marker.point);
        let Some(frame) = self.frame(marker.body) else {
            return zero();
        };
        let turning = cross(&frame.spin, &cross(&frame.spin, &arm));
        add(
            &add(&frame.acceleration, &cross(&frame.spin_rate, &arm)),
            &turning,
        )
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
        let axes = self.bodies[index].axes.clone();
        let spin = self.bodies[index].spin.clone();
        let value: Vector = std::array::from_fn(|i| (0..3).map(|k| &vector[k] * &axes[k][i]).sum());
        if value.iter().all(is_leaf) {
            return value;
        }
        self.rotating(value, &spin)
    }

    /// Auxiliaries for a vector that turns with angular velocity `spin`; constants stay as they are.
    fn rotating(&mut self, value: Vector, spin: &Vector) -> Vector {
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

    fn auxiliary(&mut self, value: Expr, rate: Expr) -> Expr {
        let index = self.system.auxiliaries.len() as u32;
        self.system.auxiliaries.push(Auxiliary { value, rate });
        Expr::symbol(Symbol::Auxiliary(index))
    }

    fn closing(&mut self, a: &Marker, b: &Marker, length: &Expr) -> Expr {
        let d = self.between(a, b);
        let (va, vb) = (self.velocity(a), self.velocity(b));
        dot(&d, &sub(&vb, &va)) / length
    }

    fn frame(&self, body: Option<BodyId>) -> Option<&Frame> {
        body.map(|id| &self.bodies[id.0 as usize])
    }

    /// x, y, φ with velocities ẋ, ẏ, φ̇; the axes are (cos φ, sin φ) and (−sin φ, cos φ).
    fn planar_frame(&mut self, body: &crate::model::Body) -> Frame {
        let q = ["x", "y", "angle"].map(|n| format!("{}.{n}", body.name));
        let v = ["vx", "vy", "rate"].map(|n| format!("{}.{n}", body.name));
        let guess = &body.guess;
        let pose = [&guess.position[0], &guess.position[1], &guess.angle];
        let speed = [
            &guess.velocity[0],
            &guess.velocity[1],
            &guess.angular_velocity[2],
        ];
        let q = self.coordinates(q, pose);
        let (v, a) = self.velocities(v, speed);
        self.system.rates.extend(v.clone());
        let (sin, cos) = (q[2].sin(), q[2].cos());
        let spin = [Expr::zero(), Expr::zero(), v[2].clone()];
        let x = self.rotating([cos, sin, Expr::zero()], &spin);
        let y = [-&x[1], x[0].clone(), Expr::zero()];
        Frame {
            position: [q[0].clone(), q[1].clone(), Expr::zero()],
            velocity: [v[0].clone(), v[1].clone(), Expr::zero()],
            acceleration: [a[0].clone(), a[1].clone(), Expr::zero()],
            spin,
            spin_rate: [Expr::zero(), Expr::zero(), a[2].clone()],
            axes: [x, y, constant([0.0, 0.0, 1.0])],
            turned: Vec::new(),
        }
    }

    /// x, y, z, e0…e3 with velocities ẋ and ω in world axes; ṗ = ½ Eᵀ ω, E = [−e, ẽ + e0 1].
    fn spatial_frame(&mut self, body: &crate::model::Body) -> Frame {
        let q = ["x", "y", "z", "e0", "e1", "e2", "e3"].map(|n| format!("{}.{n}", body.name));
        let v = ["vx", "vy", "vz", "wx", "wy", "wz"].map(|n| format!("{}.{n}", body.name));
        let [x, y, z] = &body.guess.position;
        let [e0, e1, e2, e3] = &body.orientation.map(Expr::constant);
        let [vx, vy, vz] = &body.guess.velocity;
        let [wx, wy, wz] = &body.guess.angular_velocity;
        let q = self.coordinates(q, [x, y, z, e0, e1, e2, e3]);
        let (v, a) = self.velocities(v, [vx, vy, vz, wx, wy, wz]);
        let first = (self.system.coordinates.len() - 4) as u32;
        self.system
            .unit
            .push([first, first + 1, first + 2, first + 3]);
        let p = &q[3..7];
        let spin: Vector = std::array::from_fn(|i| v[3 + i].clone());
        self.system.rates.extend(v[..3].iter().cloned());
        self.system.rates.extend(euler_rates(p, &spin));
        let axes = rotation_columns(p).map(|column| self.rotating(column, &spin));
        let part =
            |list: &[Expr], at: usize| -> Vector { std::array::from_fn(|i| list[at + i].clone()) };
        Frame {
            position: part(&q, 0),
            velocity: part(&v, 0),
            acceleration: part(&a, 0),
            spin_rate: part(&a, 3),
            spin,
            axes,
            turned: Vec::new(),
        }
    }

    fn coordinates<const N: usize>(&mut self, names: [String; N], guess: [&Expr; N]) -> Vec<Expr> {
        let list = &mut self.system.coordinates;
        let first = list.len() as u32;
        list.extend(variables(names, guess));
        (first..first + N as u32)
            .map(|i| Expr::symbol(Symbol::Coordinate(i)))
            .collect()
    }

    fn velocities<const N: usize>(
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
) -> impl Iterator<Item = super::Variable> {
    names
        .into_iter()
        .zip(guess)
        .map(|(name, guess)| super::Variable {
            name,
            guess: guess.clone(),
        })
}

/// True for a constant or a symbol, possibly with a minus sign: nothing is gained by naming it again.
fn is_leaf(expr: &Expr) -> bool {
    use crate::expr::Node;
    match expr.node() {
        Node::Constant(_) | Node::Symbol(_) => true,
        Node::Neg(inner) => matches!(inner.node(), Node::Symbol(_)),
        _ => false,
    }
}

/// ṗ = ½ Eᵀ ω
fn euler_rates(p: &[Expr], w: &Vector) -> [Expr; 4] {
    let half = Expr::constant(0.5);
    let e: Vector = std::array::from_fn(|i| p[1 + i].clone());
    let vector = sub(&super::vector::scale(&p[0], w), &cross(&e, w));
    [
        -(&half * dot(&e, w)),
        &half * &vector[0],
        &half * &vector[1],
        &half * &vector[2],
    ]
}

/// Columns of A = (e0² − e·e) 1 + 2 (e eᵀ + e0 ẽ)
fn rotation_columns(p: &[Expr]) -> [Vector; 3] {
    let two = Expr::constant(2.0);
    let e: Vector = std::array::from_fn(|i| p[1 + i].clone());
    let diagonal = p[0].square() - dot(&e, &e);
    std::array::from_fn(|k| {
        let unit: Vector = std::array::from_fn(|i| Expr::constant(if i == k { 1.0 } else { 0.0 }));
        let turned = cross(&e, &unit);
        std::array::from_fn(|i| &unit[i] * &diagonal + &two * (&e[i] * &e[k] + &p[0] * &turned[i]))
    })
}
