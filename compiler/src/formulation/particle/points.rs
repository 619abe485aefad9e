//! The points of one body, and the coefficients by which they determine the rest of it.

use nalgebra::DMatrix;

use super::super::vector::{add, constant, dot, scale, sub, unit, zero};
use crate::expr::{Expr, Node};
use crate::model::{BodyId, Extent, Vector};

/// Coefficients this small, or this near to one, are exactly zero or one.
const SNAP: f64 = 1e-12;

/// The points of a body.
#[derive(Default)]
pub struct BodyPoints {
    /// Two in the plane, three or four in space. A rod without spin has two, a point mass one.
    pub points: Vec<BodyPoint>,
    /// (r2 − r1) × (r3 − r1), in place of a fourth point if there are three.
    pub normal: Option<BodyPoint>,
    /// Places of further joints with coordinates of their own, so that the equations of outboard bodies do not depend
    /// on inboard ones.
    pub followers: Vec<BodyPoint>,
    /// P⁻¹: from homogeneous body coordinates to coefficients of the points.
    inverse: DMatrix<f64>,
    planar: bool,
    /// The part of the body that the points describe.
    extent: Extent,
}

/// A point of a body.
#[derive(Clone)]
pub struct BodyPoint {
    /// For the names of constraint equations and coordinates.
    pub name: String,
    /// From the centre of mass, in body axes.
    pub at: [f64; 3],
    /// World position.
    pub position: Vector,
    /// World velocity.
    pub velocity: Vector,
    /// World acceleration.
    pub acceleration: Vector,
    /// The part of it that is quadratic in the velocities.
    pub swirl: Vector,
    /// True if the point was taken over from the inboard body or from ground, which keeps its distances.
    pub inherited: bool,
    /// Its swing, if it is a point of a body that is hinged to ground.
    pub swing: Option<Swing>,
}

/// The motion of a point on a circle about a place at rest.
#[derive(Clone)]
pub struct Swing {
    /// The body that is hinged there.
    pub body: BodyId,
    /// Distance from the hinge.
    pub length: f64,
    /// From that place to the point.
    pub arm: Vector,
    /// The angular velocity.
    pub rate: Expr,
}

impl BodyPoint {
    /// Its position, velocity, acceleration, or the part of that which is quadratic in the velocities.
    pub fn at_level(&self, level: Derivative) -> &Vector {
        match level {
            Derivative::Position => &self.position,
            Derivative::Velocity => &self.velocity,
            Derivative::Acceleration => &self.acceleration,
            Derivative::Swirl => &self.swirl,
        }
    }

    /// True for a point of ground.
    pub fn rests(&self) -> bool {
        self.velocity.iter().all(Expr::is_zero)
    }

    /// True if each component of its position is a coordinate or a number, and no combination of them.
    pub fn is_plain(&self) -> bool {
        let is_leaf = |e: &Expr| matches!(e.node(), Node::Constant(_) | Node::Symbol(_));
        self.position.iter().all(|c| match c.node() {
            Node::Add(place, arm) => self.swing.is_some() && is_leaf(place) && is_leaf(arm),
            _ => is_leaf(c),
        })
    }

    /// True if a part of its acceleration is quadratic in the velocities.
    pub fn swirls(&self) -> bool {
        !self.swirl.iter().all(Expr::is_zero)
    }

    /// |v|². For a point on a circle it does not depend on the position.
    pub fn speed_square(&self) -> Expr {
        match &self.swing {
            Some(swing) => Expr::constant(swing.length * swing.length) * swing.rate.square(),
            None => dot(&self.velocity, &self.velocity),
        }
    }
}

/// Position, velocity, acceleration, or the part of it that is quadratic in the velocities.
#[derive(Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Derivative {
    Position,
    Velocity,
    Acceleration,
    Swirl,
}

/// Coefficients of the points and the normal: r = Σ (a_i + b_i J) r_i, with J a quarter turn, only in the
/// plane.
pub type Coefficients = Vec<(Expr, Expr)>;

impl BodyPoints {
    /// The points of a body; `None` if they span too little.
    pub fn new(points: Vec<BodyPoint>, normal: Option<BodyPoint>, planar: bool) -> Option<Self> {
        let inverse = if planar {
            DMatrix::zeros(0, 0)
        } else {
            let column = |j: usize| points.get(j).or(normal.as_ref());
            let weight = |j: usize| if j < points.len() { 1.0 } else { 0.0 };
            column(3)?;
            let matrix = DMatrix::from_fn(4, 4, |i, j| match i {
                3 => weight(j),
                _ => column(j).map_or(0.0, |point| point.at[i]),
            });
            matrix.try_inverse()?
        };
        Some(Self {
            points,
            normal,
            followers: Vec::new(),
            inverse,
            planar,
            extent: Extent::Body,
        })
    }

    /// Points and normals of which every point and vector of the body is a combination.
    pub fn generators(&self) -> impl Iterator<Item = &BodyPoint> {
        self.points.iter().chain(&self.normal)
    }

    /// True if all its points are coordinates or numbers, and none is a combination.
    pub fn are_plain(&self) -> bool {
        self.points.iter().all(BodyPoint::is_plain)
    }

    /// The point at this place that has coordinates of its own, if there is one.
    pub fn follower(&self, at: [f64; 3]) -> Option<&BodyPoint> {
        self.followers.iter().find(|point| point.at == at)
    }

    /// The two points on the axis of a rod, or the one point of a point mass.
    pub fn thin(points: Vec<BodyPoint>, extent: Extent) -> Self {
        Self {
            points,
            extent,
            ..Self::default()
        }
    }

    /// W of a rod with mass m and moment j across, for points at s1 and s2 on its axis and L = s2 − s1:
    /// W11 = (j + m s2²)/L², W12 = −(j + m s1 s2)/L², W22 = (j + m s1²)/L²
    pub fn weights(&self, mass: &Expr, moment: &Expr) -> [[Expr; 2]; 2] {
        let [s1, s2] = [0, 1].map(|i| self.along(self.points[i].at));
        let entry = |a: f64, b: f64| {
            let product = a * b;
            let sum = moment + mass * Expr::constant(product);
            let square = Expr::constant((s2 - s1).powi(2));
            match (moment.as_constant(), sum.as_constant()) {
                (Some(j), Some(sum)) if sum.abs() <= SNAP * j => Expr::zero(),
                _ => sum / square,
            }
        };
        let mixed = -entry(s1, s2);
        [[entry(s2, s2), mixed.clone()], [mixed, entry(s1, s1)]]
    }

    /// Distance of a place along the axis of a rod.
    fn along(&self, at: [f64; 3]) -> f64 {
        match self.extent {
            Extent::Line(axis) => (0..3).map(|k| axis[k] * at[k]).sum(),
            Extent::Body | Extent::Point => 0.0,
        }
    }

    /// Coefficients of a point of a rod at s: (s2 − s, s − s1)/(s2 − s1); or of the only point.
    fn thin_point(&self, p: &Vector) -> Coefficients {
        let Extent::Line(axis) = self.extent else {
            return vec![(Expr::one(), Expr::zero())];
        };
        let [s1, s2] = [0, 1].map(|i| self.along(self.points[i].at));
        let s: Expr = (0..3).map(|k| Expr::constant(axis[k]) * &p[k]).sum();
        let share = snap((s - Expr::constant(s1)) / Expr::constant(s2 - s1));
        let rest = Expr::one() - &share;
        vec![(rest, Expr::zero()), (share, Expr::zero())]
    }

    /// Coefficients of the part of the body's axis `k` that is along a rod: u_k (−1, 1)/(s2 − s1)
    fn thin_direction(&self, k: usize) -> Coefficients {
        let Extent::Line(axis) = self.extent else {
            return vec![Default::default()];
        };
        let [s1, s2] = [0, 1].map(|i| self.along(self.points[i].at));
        let part = Expr::constant(axis[k] / (s2 - s1));
        vec![(-&part, Expr::zero()), (part, Expr::zero())]
    }

    /// Coefficients of a point that is given from the centre of mass, in body axes.
    pub fn point(&self, p: &Vector) -> Coefficients {
        if self.extent != Extent::Body {
            return self.thin_point(p);
        }
        if self.planar {
            let from_first = sub(p, &constant(self.points[0].at));
            let (a, b) = self.quotient(&from_first);
            return vec![(Expr::one() - &a, -&b), (a, b)];
        }
        (0..4)
            .map(|i| {
                let last = Expr::constant(snapped(self.inverse[(i, 3)]));
                let mut sum = last;
                for (k, p) in p.iter().enumerate() {
                    sum = sum + Expr::constant(self.inverse[(i, k)]) * p;
                }
                (snap(sum), Expr::zero())
            })
            .collect()
    }

    /// Coefficients of a body-fixed vector.
    pub fn vector(&self, v: &Vector) -> Coefficients {
        let mut sum: Coefficients = vec![Default::default(); self.generators().count()];
        let n = if self.planar { 2 } else { 3 };
        for (k, v) in v.iter().enumerate().take(n) {
            for (total, (a, b)) in sum.iter_mut().zip(self.direction(k)) {
                *total = (&total.0 + v * a, &total.1 + v * b);
            }
        }
        sum
    }

    /// Coefficients of the body's axis `k`.
    pub fn direction(&self, k: usize) -> Coefficients {
        if self.extent != Extent::Body {
            return self.thin_direction(k);
        }
        if self.planar {
            let (a, b) = self.quotient(&unit(k));
            return vec![(-&a, -&b), (a, b)];
        }
        (0..4)
            .map(|i| (Expr::constant(snapped(self.inverse[(i, k)])), Expr::zero()))
            .collect()
    }

    /// The combination of positions, velocities or accelerations.
    pub fn combine(&self, coefficients: &Coefficients, level: Derivative) -> Vector {
        let mut sum = zero();
        for (point, (a, b)) in self.generators().zip(coefficients) {
            let r = point.at_level(level);
            let turned = [-(b * &r[1]), b * &r[0], Expr::zero()];
            sum = add(&sum, &add(&scale(a, r), &turned));
        }
        sum
    }

    /// Effect on point `i` of a force at the combination: a F + b Jᵀ F
    pub fn spread(&self, coefficients: &Coefficients, i: usize, force: &Vector) -> Vector {
        let (a, b) = &coefficients[i];
        let turned = [b * &force[1], -(b * &force[0]), Expr::zero()];
        add(&scale(a, force), &turned)
    }

    /// v / (s2 − s1) as complex numbers: (v·s, s×v) / |s|²
    fn quotient(&self, v: &Vector) -> (Expr, Expr) {
        let (p, q) = (self.points[0].at, self.points[1].at);
        let s = [q[0] - p[0], q[1] - p[1]];
        let square = s[0] * s[0] + s[1] * s[1];
        let c = |x: f64| Expr::constant(x / square);
        (
            snap(c(s[0]) * &v[0] + c(s[1]) * &v[1]),
            snap(c(s[0]) * &v[1] - c(s[1]) * &v[0]),
        )
    }
}

fn snapped(x: f64) -> f64 {
    if (x - x.round()).abs() < SNAP {
        x.round()
    } else {
        x
    }
}

fn snap(expr: Expr) -> Expr {
    match expr.as_constant() {
        Some(x) => Expr::constant(snapped(x)),
        None => expr,
    }
}
