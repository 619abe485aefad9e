//! Absolute coordinates of bodies: position and angle in the plane, position and Euler parameters in space. A variant
//! has the axes of each body as coordinates.
//!
//! A body-fixed vector in world axes is an auxiliary r with the rate ω × r. This rate is exact for Euler parameters of
//! any length, because A(p) is homogeneous of degree 2 and ṗ = ½ Eᵀ ω is orthogonal to p.

use super::kinematics::{BodyFrame, BodyKinematics, Turning};
use super::vector::{constant, cross, dot, scale, sub, zero};
use super::{Rotation, UnitLength};
use crate::description::Space;
use crate::expr::Expr;
use crate::model::{Body, BodyId, Joint, Model, Vector};

impl<'a> BodyKinematics<'a> {
    /// Absolute coordinates for every body of the model.
    pub fn absolute(model: &'a Model) -> Self {
        let mut this = Self::empty(model);
        for body in &model.bodies {
            let frame = match model.space {
                Space::Planar => this.planar_frame(body),
                Space::Spatial => this.spatial_frame(body),
            };
            this.add_frame(frame);
        }
        this
    }

    /// Absolute coordinates for the bodies of one joint. All other bodies get an empty frame.
    pub fn of_joint(model: &'a Model, joint: &Joint) -> Self {
        let mut this = Self::empty(model);
        let ends = [joint.first.body, joint.second.body];
        for (id, body) in (0..).map(BodyId).zip(&model.bodies) {
            let frame = match (ends.contains(&Some(id)), model.space) {
                (false, _) => BodyFrame::default(),
                (true, Space::Planar) => this.planar_frame(body),
                (true, Space::Spatial) => this.spatial_frame(body),
            };
            this.add_frame(frame);
        }
        this
    }

    /// Absolute coordinates with the axes of every body as coordinates. Body vectors are linear in them and need no
    /// trigonometric function.
    pub fn with_axes(model: &'a Model) -> Self {
        let mut this = Self::empty(model);
        for body in &model.bodies {
            let frame = match model.space {
                Space::Planar => this.planar_axes(body),
                Space::Spatial => this.spatial_axes(body),
            };
            this.add_frame(frame);
        }
        this
    }

    /// x, y, φ with velocities ẋ, ẏ, φ̇; the axes are (cos φ, sin φ) and (−sin φ, cos φ).
    fn planar_frame(&mut self, body: &Body) -> BodyFrame {
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
        planar_frame(&q, &v, &a, x)
    }

    /// x, y, φ, cos φ, sin φ with velocities ẋ, ẏ, φ̇. φ costs one addition in a step and counts whole turns.
    fn planar_axes(&mut self, body: &Body) -> BodyFrame {
        let q = ["x", "y", "angle", "cos", "sin"].map(|n| format!("{}.{n}", body.name));
        let v = ["vx", "vy", "rate"].map(|n| format!("{}.{n}", body.name));
        let guess = &body.guess;
        let (cos, sin) = (guess.angle.cos(), guess.angle.sin());
        let [x, y, _] = &guess.position;
        let [vx, vy, _] = &guess.velocity;
        let q = self.coordinates(q, [x, y, &guess.angle, &cos, &sin]);
        let (v, a) = self.velocities(v, [vx, vy, &guess.angular_velocity[2]]);
        let first = (self.system.coordinates.len() - 2) as u32;
        self.system.rotations.push(Rotation::Planar {
            axis: [first, first + 1],
            length: 1.0,
            spin: (self.system.velocities.len() - 1) as u32,
        });
        let spin = [Expr::zero(), Expr::zero(), v[2].clone()];
        let x = [q[3].clone(), q[4].clone(), Expr::zero()];
        self.system.rates.extend(v.iter().cloned());
        self.system
            .rates
            .extend(cross(&spin, &x).into_iter().take(2));
        planar_frame(&q, &v, &a, x)
    }

    /// x, y, z and the three axes with velocities ẋ and ω in world axes; ȧ = ω × a.
    fn spatial_axes(&mut self, body: &Body) -> BodyFrame {
        let q = [
            "x", "y", "z", "xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz",
        ];
        let q = q.map(|n| format!("{}.{n}", body.name));
        let v = ["vx", "vy", "vz", "wx", "wy", "wz"].map(|n| format!("{}.{n}", body.name));
        let [a, b, c] = rotation_columns(&body.orientation.map(Expr::constant));
        let [x, y, z] = &body.guess.position;
        let guess = [
            x, y, z, &a[0], &a[1], &a[2], &b[0], &b[1], &b[2], &c[0], &c[1], &c[2],
        ];
        let [vx, vy, vz] = &body.guess.velocity;
        let [wx, wy, wz] = &body.guess.angular_velocity;
        let q = self.coordinates(q, guess);
        let (v, a) = self.velocities(v, [vx, vy, vz, wx, wy, wz]);
        let first = (self.system.coordinates.len() - 9) as u32;
        let spin = (self.system.velocities.len() - 3) as u32;
        self.system.rotations.push(Rotation::Spatial {
            axes: [0, 3, 6].map(|at| [first + at, first + at + 1, first + at + 2]),
            spin: [spin, spin + 1, spin + 2],
        });
        let part =
            |list: &[Expr], at: usize| -> Vector { std::array::from_fn(|i| list[at + i].clone()) };
        let spin = part(&v, 3);
        let axes = [3, 6, 9].map(|at| part(&q, at));
        self.system.rates.extend(part(&v, 0));
        for axis in &axes {
            self.system.rates.extend(cross(&spin, axis));
        }
        BodyFrame {
            base: zero(),
            position: part(&q, 0),
            velocity: part(&v, 0),
            acceleration: part(&a, 0),
            spin,
            basis: None,
            axes,
            turning: Turning::Spinning {
                spin_rate: part(&a, 3),
            },
            angle: None,
            wound: None,
            parameters: None,
            turned: Vec::new(),
        }
    }

    /// x, y, z, e0…e3 with velocities ẋ and ω in world axes; ṗ = ½ Eᵀ ω, E = [−e, ẽ + e0 1].
    fn spatial_frame(&mut self, body: &Body) -> BodyFrame {
        let q = ["x", "y", "z", "e0", "e1", "e2", "e3"].map(|n| format!("{}.{n}", body.name));
        let v = ["vx", "vy", "vz", "wx", "wy", "wz"].map(|n| format!("{}.{n}", body.name));
        let [x, y, z] = &body.guess.position;
        let [e0, e1, e2, e3] = &body.orientation.map(Expr::constant);
        let [vx, vy, vz] = &body.guess.velocity;
        let [wx, wy, wz] = &body.guess.angular_velocity;
        let q = self.coordinates(q, [x, y, z, e0, e1, e2, e3]);
        let (v, a) = self.velocities(v, [vx, vy, vz, wx, wy, wz]);
        let first = (self.system.coordinates.len() - 4) as u32;
        let spin = (self.system.velocities.len() - 3) as u32;
        self.system.unit.push(UnitLength {
            coordinates: [first, first + 1, first + 2, first + 3],
            velocities: [spin, spin + 1, spin + 2],
        });
        let p = &q[3..7];
        let spin: Vector = std::array::from_fn(|i| v[3 + i].clone());
        self.system.rates.extend(v[..3].iter().cloned());
        self.system.rates.extend(euler_rates(p, &spin));
        let axes = rotation_columns(p).map(|column| self.rotating(column, &spin));
        let part =
            |list: &[Expr], at: usize| -> Vector { std::array::from_fn(|i| list[at + i].clone()) };
        BodyFrame {
            base: zero(),
            position: part(&q, 0),
            velocity: part(&v, 0),
            acceleration: part(&a, 0),
            spin,
            basis: None,
            axes,
            turning: Turning::Spinning {
                spin_rate: part(&a, 3),
            },
            angle: None,
            wound: None,
            parameters: Some(std::array::from_fn(|k| p[k].clone())),
            turned: Vec::new(),
        }
    }
}

/// ṗ = ½ Eᵀ ω
pub(super) fn euler_rates(p: &[Expr], w: &Vector) -> [Expr; 4] {
    let half = Expr::constant(0.5);
    let e: Vector = std::array::from_fn(|i| p[1 + i].clone());
    let vector = sub(&scale(&p[0], w), &cross(&e, w));
    [
        -(&half * dot(&e, w)),
        &half * &vector[0],
        &half * &vector[1],
        &half * &vector[2],
    ]
}

/// Columns of A = (e0² − e·e) 1 + 2 (e eᵀ + e0 ẽ)
pub(super) fn rotation_columns(p: &[Expr]) -> [Vector; 3] {
    let two = Expr::constant(2.0);
    let e: Vector = std::array::from_fn(|i| p[1 + i].clone());
    let diagonal = p[0].square() - dot(&e, &e);
    std::array::from_fn(|k| {
        let unit: Vector = std::array::from_fn(|i| Expr::constant(if i == k { 1.0 } else { 0.0 }));
        let turned = cross(&e, &unit);
        std::array::from_fn(|i| &unit[i] * &diagonal + &two * (&e[i] * &e[k] + &p[0] * &turned[i]))
    })
}

/// The frame of a planar body at x, y, φ with the given x axis.
fn planar_frame(q: &[Expr], v: &[Expr], a: &[Expr], x: [Expr; 3]) -> BodyFrame {
    let y = [-&x[1], x[0].clone(), Expr::zero()];
    BodyFrame {
        base: zero(),
        position: [q[0].clone(), q[1].clone(), Expr::zero()],
        velocity: [v[0].clone(), v[1].clone(), Expr::zero()],
        acceleration: [a[0].clone(), a[1].clone(), Expr::zero()],
        spin: [Expr::zero(), Expr::zero(), v[2].clone()],
        basis: None,
        axes: [x, y, constant([0.0, 0.0, 1.0])],
        turning: Turning::Spinning {
            spin_rate: [Expr::zero(), Expr::zero(), a[2].clone()],
        },
        angle: Some(q[2].clone()),
        wound: None,
        parameters: None,
        turned: Vec::new(),
    }
}
