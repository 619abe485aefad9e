//! Both sides of a joint, and the building blocks of its constraint equations and coordinates.

use super::JointCoordinate;
use crate::expr::vector::{Vector, cross, dot, scale, sub, unit, zero};
use crate::expr::{Binary, Expr};
use crate::structure::Screw;

/// A constraint equation Φ, and the effect of its multiplier on the second body: λ times a force at that body's point
/// and a torque, in world axes. Force and torque are the derivatives of Φ by a displacement and a turn of that body.
#[derive(Clone, Debug)]
pub struct JointEquation {
    /// Φ
    pub phi: Expr,
    /// The quantity that the constraint equation keeps, in words.
    pub keeps: &'static str,
    /// ∂Φ/∂(displacement of the second body's point)
    pub force: Vector,
    /// ∂Φ/∂(turn of the second body about that point)
    pub torque: Vector,
    /// Φ̇ term by term.
    pub terms: Vec<RateTerm>,
}

/// One term of a rate: force · (velocity of `what`).
#[derive(Clone, Debug)]
pub struct RateTerm {
    /// The body of the joint.
    pub side: Side,
    /// The part of the body that moves.
    pub what: What,
    /// The vector by which its velocity is multiplied.
    pub force: Vector,
}

/// A term times a factor.
pub fn scaled(factor: &Expr, term: &RateTerm) -> RateTerm {
    RateTerm {
        force: scale(factor, &term.force),
        ..*term
    }
}

/// A body of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Side {
    First,
    Second,
}

/// The part of a body that moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// Its point.
    Point,
    /// Axis k of its triad.
    Axis(usize),
    /// The whole body turns: its velocity is ω.
    Spin,
}

/// A joint coordinate.
#[derive(Clone, Debug)]
pub struct JointCoordinateValue {
    /// Its value.
    pub value: Expr,
    /// Its rate, linear in v.
    pub rate: Expr,
    /// (sin, cos) of the value, if it is an angle that is only known up to whole turns.
    pub turn: Option<(Product, Product)>,
    /// The rate term by term.
    pub terms: Vec<RateTerm>,
    /// ∂value/∂(displacement of the second body's point)
    pub force: Vector,
    /// ∂value/∂(turn of the second body about that point)
    pub torque: Vector,
}

/// ± (axis i of the first triad) · (axis j of the second)
#[derive(Clone, Debug)]
pub struct Product {
    /// Its value.
    pub value: Expr,
    /// Its rate term by term.
    pub terms: Vec<RateTerm>,
}

/// θ = α + τ n, an angle with its whole turns.
#[derive(Clone, Debug, Default)]
pub struct Wound {
    /// α
    pub angle: Expr,
    /// n
    pub turns: Expr,
}

impl Wound {
    /// θ
    pub fn value(&self) -> Expr {
        &self.angle + whole_turn() * &self.turns
    }
}

/// τ
pub fn whole_turn() -> Expr {
    Expr::constant(std::f64::consts::TAU)
}

/// Both sides of a joint in world axes.
pub struct Sides {
    /// From the first body's point to the second body's.
    pub d: Vector,
    /// Its rate.
    pub d_rate: Vector,
    /// Triad of the first body: x, y, z.
    pub first: [Vector; 3],
    /// Triad of the second body: x, y, z.
    pub second: [Vector; 3],
    /// Rates of the first triad.
    pub first_rates: [Vector; 3],
    /// Angular velocity of the second body relative to the first.
    pub spin: Vector,
    /// Both sides in a planar mechanism; `None` in space.
    pub plane: Option<InOnePlane>,
    /// The distance of the points, and its rate, if it is a coordinate of the joint.
    pub distance: Option<(Expr, Expr)>,
    /// The length that a massless rod keeps; `None` if a driver prescribes it.
    pub length: Option<Expr>,
    /// The thread of a screw.
    pub thread: Option<Thread>,
    /// Angles whose whole turns matter, each with its turns.
    pub wound: Vec<(JointCoordinate, Wound)>,
    /// True if the axes of the bodies are linear combinations of points.
    pub linear: bool,
    /// Coordinates whose rates are velocities of the formulation.
    pub own: Vec<Own>,
}

/// Both sides of a joint in a planar mechanism.
pub struct InOnePlane {
    /// True if z of the triads lies in the plane.
    pub axis_in_plane: bool,
    /// Angle of the second body relative to the first, and the value that it has where both triads coincide, on the
    /// turn of the guess. `None` if the coordinates determine angles only up to whole turns.
    pub angle: Option<(Expr, f64)>,
}

/// The thread of a screw.
pub struct Thread {
    /// Displacement per radian.
    pub pitch: Expr,
    /// Displacement less pitch times angle, in the guess.
    pub offset: Expr,
}

/// A joint coordinate whose rate is a velocity of the formulation.
#[derive(Clone, Debug)]
pub struct Own {
    /// The coordinate of the joint.
    pub which: JointCoordinate,
    /// Its value, if it is known with its whole turns.
    pub value: Option<Expr>,
    /// Its rate.
    pub velocity: u32,
}

impl Sides {
    /// The joint coordinate whose rate is a velocity of the formulation, if it is one.
    pub fn own(&self, which: JointCoordinate) -> Option<&Own> {
        self.own.iter().find(|own| own.which == which)
    }

    /// An angle with its whole turns, if they matter.
    pub fn wound(&self, coordinate: JointCoordinate) -> Option<&Wound> {
        let mut wound = self.wound.iter();
        wound.find(|(c, _)| *c == coordinate).map(|(_, w)| w)
    }

    /// The rate of a coordinate term by term. In points in space, the rate of an angle is written with the rates of the
    /// axes: θ̇ = cos θ (sin θ)˙ − sin θ (cos θ)˙. Elsewhere it is a component of the relative angular velocity.
    pub fn terms_of(&self, coordinate: &JointCoordinateValue) -> Vec<RateTerm> {
        let Some((sin, cos)) = coordinate
            .turn
            .as_ref()
            .filter(|_| self.plane.is_none() && self.linear)
        else {
            return coordinate.terms.clone();
        };
        let of_sin = sin.terms.iter().map(|term| scaled(&cos.value, term));
        let of_cos = cos.terms.iter().map(|term| scaled(&-&sin.value, term));
        of_sin.chain(of_cos).collect()
    }

    /// The angle of planar bodies, if they have angles of their own.
    fn angle(&self) -> Option<&(Expr, f64)> {
        self.plane.as_ref()?.angle.as_ref()
    }

    /// The common axis z. It is taken from the second body if its components are numbers there, else from the first.
    pub(super) fn axis(&self) -> Vector {
        let is_constant = |v: &Vector| v.iter().all(|c| c.as_constant().is_some());
        match is_constant(&self.second[2]) {
            true => self.second[2].clone(),
            false => self.first[2].clone(),
        }
    }

    /// d = 0: the points coincide.
    pub(super) fn coincide(&self) -> Vec<JointEquation> {
        let names = ["x of the point", "y of the point", "z of the point"];
        let n = if self.plane.is_some() { 2 } else { 3 };
        (0..n)
            .map(|i| push(self.d[i].clone(), names[i], unit(i)))
            .collect()
    }

    /// x1·z2 = y1·z2 = 0: the axes are parallel.
    pub(super) fn parallel(&self) -> Vec<JointEquation> {
        vec![
            self.perpendicular(0, 2, "tilt of the axis about y"),
            self.perpendicular(1, 2, "tilt of the axis about x"),
        ]
    }

    /// x1·d = y1·d = 0: the second point is on the line along z through the first.
    pub(super) fn on_line(&self) -> Vec<JointEquation> {
        let along_x = self.in_plane(0, "distance from the line along x");
        let along_y = self.in_plane(1, "distance from the line along y");
        if self.plane.is_some() {
            vec![along_x]
        } else {
            vec![along_x, along_y]
        }
    }

    /// a·d = 0 for axis a = k of the first triad: the second point is in the plane through the first that is
    /// perpendicular to a.
    pub(super) fn in_plane(&self, k: usize, keeps: &'static str) -> JointEquation {
        let axis = &self.first[k];
        let mut kept = push(dot(axis, &self.d), keeps, axis.clone());
        kept.terms
            .push(term(Side::First, What::Axis(k), self.d.clone()));
        kept
    }

    /// The bodies do not turn relative to each other.
    pub(super) fn locked(&self) -> Vec<JointEquation> {
        if let Some((angle, locked)) = self.angle() {
            let phi = angle - Expr::constant(*locked);
            return vec![JointEquation {
                phi,
                keeps: "relative angle",
                force: zero(),
                torque: unit(2),
                terms: twist(&unit(2)),
            }];
        }
        if let Some(plane) = &self.plane {
            // z is the axis of sliding or e_z. The axis in the plane that is perpendicular to x is therefore z or y.
            let other = if plane.axis_in_plane { 2 } else { 1 };
            return vec![self.perpendicular(0, other, "relative angle")];
        }
        let mut rows = self.parallel();
        rows.push(self.perpendicular(0, 1, "turn about the axis"));
        rows
    }

    /// a·b = 0 for axis i of the first and j of the second triad. A turn δ of the second body changes this product by
    /// a·(δ × b) = δ·(b × a).
    pub(super) fn perpendicular(&self, i: usize, j: usize, keeps: &'static str) -> JointEquation {
        let product = self.product(i, j, 1.0);
        JointEquation {
            phi: product.value,
            keeps,
            force: zero(),
            torque: cross(&self.second[j], &self.first[i]),
            terms: product.terms,
        }
    }

    /// ± a·b for axis i of the first and j of the second triad.
    pub(super) fn product(&self, i: usize, j: usize, sign: f64) -> Product {
        let (a, b) = (&self.first[i], &self.second[j]);
        let sign = Expr::constant(sign);
        Product {
            value: &sign * dot(a, b),
            terms: vec![
                term(Side::First, What::Axis(i), scale(&sign, b)),
                term(Side::Second, What::Axis(j), scale(&sign, a)),
            ],
        }
    }

    /// Displacement along axis `k` of the first triad: a·d with rate a·ḋ + ȧ·d
    pub(super) fn displacement(&self, k: usize) -> JointCoordinateValue {
        let axis = &self.first[k];
        let kept = self.in_plane(k, "");
        JointCoordinateValue {
            value: kept.phi,
            rate: dot(axis, &self.d_rate) + dot(&self.first_rates[k], &self.d),
            turn: None,
            terms: kept.terms,
            force: kept.force,
            torque: kept.torque,
        }
    }

    /// Angle about the common axis: atan2(x2·y1, x2·x1) with the rate z1·ω. If planar bodies have angles as
    /// coordinates, it is their difference, which counts whole turns. A planar joint whose axis is in the plane turns
    /// about y of its triad, so z and x take the places of x and y.
    pub(super) fn rotation(&self) -> JointCoordinateValue {
        if let Some((angle, _)) = self.angle() {
            return JointCoordinateValue {
                value: angle.clone(),
                rate: self.spin[2].clone(),
                turn: None,
                terms: twist(&unit(2)),
                force: zero(),
                torque: unit(2),
            };
        }
        let [x, y, z] = match &self.plane {
            Some(plane) if plane.axis_in_plane => [2, 0, 1],
            _ => [0, 1, 2],
        };
        let (sin, cos) = (self.product(y, x, 1.0), self.product(x, x, 1.0));
        self.turning(sin, cos, &self.first[z])
    }

    /// An angle about an axis, given by its sine and cosine.
    pub(super) fn turning(
        &self,
        sin: Product,
        cos: Product,
        axis: &Vector,
    ) -> JointCoordinateValue {
        JointCoordinateValue {
            value: Expr::binary(Binary::Atan2, sin.value.clone(), cos.value.clone()),
            rate: dot(axis, &self.spin),
            turn: Some((sin, cos)),
            terms: twist(axis),
            force: zero(),
            torque: axis.clone(),
        }
    }
}

/// A turn about an axis through the second point.
pub fn turn(axis: Vector) -> Screw {
    Screw {
        angular: axis,
        linear: zero(),
    }
}

/// A turn about every axis through the second point.
pub(super) fn any_turn() -> Vec<Screw> {
    (0..3).map(|k| turn(unit(k))).collect()
}

/// A shift along a direction.
pub fn shift(direction: Vector) -> Screw {
    Screw {
        angular: zero(),
        linear: direction,
    }
}

/// A constraint equation that a displacement of the second point along `direction` changes.
pub(super) fn push(phi: Expr, keeps: &'static str, direction: Vector) -> JointEquation {
    let opposite = sub(&zero(), &direction);
    JointEquation {
        phi,
        keeps,
        terms: vec![
            term(Side::Second, What::Point, direction.clone()),
            term(Side::First, What::Point, opposite),
        ],
        force: direction,
        torque: zero(),
    }
}

/// axis · (ω2 − ω1)
fn twist(axis: &Vector) -> Vec<RateTerm> {
    vec![
        term(Side::Second, What::Spin, axis.clone()),
        term(Side::First, What::Spin, sub(&zero(), axis)),
    ]
}

fn term(side: Side, what: What, force: Vector) -> RateTerm {
    RateTerm { side, what, force }
}
