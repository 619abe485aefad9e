//! Points in terms of coordinates. A point has coordinates of its own, is the end of a swinging arm, is taken over from
//! the inboard body, or is the normal of three points.

use nalgebra::Vector3;

use super::super::Rotation;
use super::super::vector::{add, constant, cross, scale, sub, zero};
use super::PointForm;
use super::layout::Planner;
use super::points::{BodyPoint, Derivative, Swing};
use super::sites::values;
use crate::description::Space;
use crate::expr::Expr;
use crate::model::{Body, BodyId, Marker, Vector};

impl Planner<'_, '_> {
    /// A new point. If the body is planar and hinged to ground, it is the end of a swinging arm, else it has
    /// coordinates of its own.
    pub(super) fn new_point(
        &mut self,
        id: BodyId,
        name: String,
        at: [f64; 3],
        known: &[BodyPoint],
    ) -> BodyPoint {
        let may_swing =
            self.form == PointForm::Swing && self.kinematics.model.space == Space::Planar;
        match known {
            [pivot] if may_swing && pivot.rests() && pivot.inherited => {
                self.swinging(id, name, at, pivot)
            }
            _ => self.node(&self.kinematics.model.bodies[id.0 as usize], name, at),
        }
    }

    /// A point at the end of an arm a that turns about a point p at rest: r = p + a, ȧ = ω J a. The coordinates are the
    /// components of a.
    fn swinging(&mut self, id: BodyId, name: String, at: [f64; 3], pivot: &BodyPoint) -> BodyPoint {
        let body = &self.kinematics.model.bodies[id.0 as usize];
        let arm: [f64; 3] = std::array::from_fn(|k| at[k] - pivot.at[k]);
        let length = Vector3::from(arm).norm();
        let spin = body.guess.angular_velocity[2].clone();
        let arm = turned(body, arm);
        let first = self.kinematics.system.coordinates.len() as u32;
        let velocity = self.kinematics.system.velocities.len() as u32;
        let names = ["x", "y"].map(|axis| format!("{}.arm_{axis}", body.name));
        let arm = self.kinematics.coordinates(names, [&arm[0], &arm[1]]);
        let names = [format!("{}.rate", body.name)];
        let (rate, acceleration) = self.kinematics.velocities(names, [&spin]);
        let (rate, acceleration) = (&rate[0], &acceleration[0]);
        let turn = |by: &Expr| [-(by * &arm[1]), by * &arm[0], Expr::zero()];
        let arm = [arm[0].clone(), arm[1].clone(), Expr::zero()];
        let swirl = scale(&-rate.square(), &arm);
        let system = &mut self.kinematics.system;
        system.rates.extend(turn(rate).into_iter().take(2));
        system.rotations.push(Rotation::Planar {
            axis: [first, first + 1],
            length,
            spin: velocity,
        });
        BodyPoint {
            name,
            at,
            position: add(&pivot.position, &arm),
            velocity: turn(rate),
            acceleration: add(&turn(acceleration), &swirl),
            swirl,
            inherited: false,
            swing: Some(Swing {
                body: id,
                length,
                arm,
                rate: rate.clone(),
            }),
        }
    }

    /// A point that this body takes over: at `marker` on the inboard body, and at `at` on this one.
    pub(super) fn taken_over(&self, name: String, at: [f64; 3], marker: &Marker) -> BodyPoint {
        BodyPoint {
            name,
            at,
            position: self.of(marker, Derivative::Position),
            velocity: self.of(marker, Derivative::Velocity),
            acceleration: self.of(marker, Derivative::Acceleration),
            swirl: self.of(marker, Derivative::Swirl),
            inherited: true,
            swing: self.swing_of(marker),
        }
    }

    /// The swing of a point on a body that swings.
    fn swing_of(&self, marker: &Marker) -> Option<Swing> {
        let body = marker.body?;
        let [pivot, arm] = &self.bodies[body.0 as usize].points[..] else {
            return None;
        };
        let swing = arm.swing.as_ref().filter(|swing| swing.body == body)?;
        let at = values(&marker.point)?;
        Some(Swing {
            length: (Vector3::from(at) - Vector3::from(pivot.at)).norm(),
            arm: sub(&self.of(marker, Derivative::Position), &pivot.position),
            ..swing.clone()
        })
    }

    /// The position of a point on ground or on a body whose points are placed already, or a derivative of it.
    fn of(&self, marker: &Marker, level: Derivative) -> Vector {
        match marker.body {
            None if level == Derivative::Position => marker.point.clone(),
            None => zero(),
            Some(body) => {
                let points = &self.bodies[body.0 as usize];
                let follower = values(&marker.point).and_then(|at| points.follower(at));
                match follower {
                    Some(point) => point.at_level(level).clone(),
                    None => points.combine(&points.point(&marker.point), level),
                }
            }
        }
    }

    /// The normal n = (r2 − r1) × (r3 − r1), as three auxiliaries.
    pub(super) fn normal(&mut self, points: &[BodyPoint], body: &Body) -> BodyPoint {
        let of = |level: fn(&BodyPoint) -> &Vector| {
            let [r1, r2, r3] = [0, 1, 2].map(|i| level(&points[i]));
            (sub(r2, r1), sub(r3, r1))
        };
        let (a, b) = of(|point| &point.position);
        let (va, vb) = of(|point| &point.velocity);
        let (aa, ab) = of(|point| &point.acceleration);
        let (sa, sb) = of(|point| &point.swirl);
        let product_rule = |x: &Vector, y: &Vector| add(&cross(x, &b), &cross(&a, y));
        let velocity = product_rule(&va, &vb);
        let turning = scale(&Expr::constant(2.0), &cross(&va, &vb));
        let [p, q, r] = [0, 1, 2].map(|i| Vector3::from(points[i].at));
        BodyPoint {
            name: format!("{}.normal", body.name),
            at: (q - p).cross(&(r - p)).into(),
            position: self.kinematics.named(cross(&a, &b), &velocity),
            acceleration: add(&product_rule(&aa, &ab), &turning),
            swirl: add(&product_rule(&sa, &sb), &turning),
            velocity,
            inherited: false,
            swing: None,
        }
    }

    /// A point with coordinates of its own.
    pub(super) fn node(&mut self, body: &Body, name: String, at: [f64; 3]) -> BodyPoint {
        let planar = self.kinematics.model.space == Space::Planar;
        let (position, velocity) = guess(body, at, planar);
        let (q, v, a) = match planar {
            true => self.variables::<2>(&name, &position, &velocity),
            false => self.variables::<3>(&name, &position, &velocity),
        };
        BodyPoint {
            name,
            at,
            position: q,
            velocity: v,
            acceleration: a,
            swirl: zero(),
            inherited: false,
            swing: None,
        }
    }

    fn variables<const N: usize>(
        &mut self,
        name: &str,
        position: &Vector,
        velocity: &Vector,
    ) -> (Vector, Vector, Vector) {
        let axes = ["x", "y", "z"];
        let names = |prefix: &str| -> [String; N] {
            std::array::from_fn(|i| format!("{name}.{prefix}{}", axes[i]))
        };
        let q = self
            .kinematics
            .coordinates(names(""), std::array::from_fn(|i| &position[i]));
        let (v, a) = self
            .kinematics
            .velocities(names("v"), std::array::from_fn(|i| &velocity[i]));
        self.kinematics.system.rates.extend(v.iter().cloned());
        let fill = |list: Vec<Expr>| -> Vector {
            std::array::from_fn(|i| list.get(i).cloned().unwrap_or_default())
        };
        (fill(q), fill(v), fill(a))
    }
}

/// Position and velocity of a body's point in the guess.
fn guess(body: &Body, at: [f64; 3], planar: bool) -> (Vector, Vector) {
    let guess = &body.guess;
    let arm: Vector = if planar {
        turned(body, at)
    } else {
        let [w, i, j, k] = body.orientation;
        let turn = nalgebra::UnitQuaternion::from_quaternion(nalgebra::Quaternion::new(w, i, j, k));
        let world: Vector3<f64> = turn * Vector3::from(at);
        constant(world.into())
    };
    let swing = cross(&guess.angular_velocity, &arm);
    (add(&guess.position, &arm), add(&guess.velocity, &swing))
}

/// A vector of a planar body, in world axes at the guess.
fn turned(body: &Body, v: [f64; 3]) -> Vector {
    let (sin, cos) = (body.guess.angle.sin(), body.guess.angle.cos());
    let [x, y, _] = v.map(Expr::constant);
    [&cos * &x - &sin * &y, &sin * &x + &cos * &y, Expr::zero()]
}
