//! The axes of a link in its body, and the way between two such triads.
//!
//! z is along the inboard joint. Where a link carries others, x is along the common perpendicular of its joint and of
//! the next, and the origin is its foot (Denavit and Hartenberg). Then one shift and one turn about x, and one about z,
//! lead from link to link; for any other triad a shift and a turn about z come before.

use nalgebra::Vector3;

use super::super::LinkStep;
use super::super::vector::{constant, dot, sub};
use crate::expr::Expr;
use crate::model::{BodyId, Vector};

/// Round-off of unit vectors and their products after a few operations.
const ROUND_OFF: f64 = 4e-15;

/// Axes whose sine is smaller than the root of this have a common perpendicular that may be far off.
const NEARLY_PARALLEL: f64 = 1e-3;

/// The axes of a link, in body axes.
#[derive(Clone, Debug, Default)]
pub struct Placement {
    /// The point where the joint holds it, from the centre of mass.
    pub base: Vector,
    /// Distance of the origin from the base along z.
    pub slide: Expr,
    /// x, y and z.
    pub axes: [Vector3<f64>; 3],
    /// The outboard body for whose joint the axes were chosen.
    pub toward: Option<BodyId>,
}

/// A triad at a point, in the axes of the same body.
#[derive(Clone, Debug)]
pub struct PlacedTriad {
    /// The point.
    pub point: Vector,
    /// x, y and z.
    pub axes: [Vector3<f64>; 3],
}

/// The way from a placement to a triad.
#[derive(Clone, Debug)]
pub struct TriadPath {
    /// All but the last shift along z and the last turn about it.
    pub steps: Vec<LinkStep>,
    /// That shift.
    pub slide: Expr,
    /// Cosine and sine of that turn.
    pub turn: [f64; 2],
}

impl Placement {
    /// The world.
    pub fn world() -> Self {
        Self {
            axes: [0, 1, 2].map(|k| Vector3::ith(k, 1.0)),
            ..Self::default()
        }
    }

    /// From the origin to a point of the body, in its axes.
    pub fn arm_to(&self, point: &Vector) -> Vector {
        let from_base = sub(point, &self.base);
        let [x, y, z] = self.axes.each_ref().map(|axis| along(axis, &from_base));
        [x, y, z - &self.slide]
    }

    /// The way to a triad that the body `toward` hangs on.
    pub fn path(&self, to: &PlacedTriad, toward: BodyId) -> TriadPath {
        let r = sub(&to.point, &self.base);
        let [x, _, z] = &self.axes;
        let w = &to.axes[2];
        let (normal, cos) = (z.cross(w), without_round_off(z.dot(w)));
        let square = normal.norm_squared();
        if square < ROUND_OFF * ROUND_OFF {
            return self.parallel(to, &r, cos.signum());
        }
        let sin = square.sqrt();
        // Of axes that are parallel but for round-off the normal is round-off, and need not be across z.
        let across = (normal - z * z.dot(&normal)).normalize();
        let y = w.cross(&across);
        let turn = angle(&to.axes[0], &across, &y);
        let mut steps = Vec::new();
        if square < NEARLY_PARALLEL {
            for (k, by) in self.arm_to(&to.point).into_iter().enumerate() {
                shift(&mut steps, k, by);
            }
            turn_by(&mut steps, 2, angle(&across, x, &self.axes[1]));
            turn_by(&mut steps, 0, [cos, without_round_off(sin)]);
            return TriadPath {
                steps,
                slide: Expr::zero(),
                turn,
            };
        }
        if self.toward != Some(toward) {
            let foot = along(&foot(z, w), &r);
            shift(&mut steps, 2, foot - &self.slide);
            turn_by(&mut steps, 2, angle(&across, x, &self.axes[1]));
        }
        shift(&mut steps, 0, along(&across, &r));
        turn_by(&mut steps, 0, [cos, without_round_off(sin)]);
        TriadPath {
            steps,
            slide: along(&foot(w, z), &r),
            turn,
        }
    }

    /// The way to a triad whose z is ± that of the placement.
    fn parallel(&self, to: &PlacedTriad, r: &Vector, sign: f64) -> TriadPath {
        let [x, y, z] = &self.axes;
        let mut steps = Vec::new();
        shift(&mut steps, 0, along(x, r));
        shift(&mut steps, 1, along(y, r));
        turn_by(&mut steps, 0, [sign, 0.0]);
        TriadPath {
            steps,
            slide: Expr::constant(sign) * (along(z, r) - &self.slide),
            turn: angle(&to.axes[0], x, &(y * sign)),
        }
    }
}

/// With k = z · w, the vector whose product with r = λ z + a n + μ w is λ: (z − k w)/(1 − k²)
pub fn foot(z: &Vector3<f64>, w: &Vector3<f64>) -> Vector3<f64> {
    let k = z.dot(w);
    (z - w * k) / (1.0 - k * k)
}

/// The common perpendicular of two axes, unless they are too nearly parallel to have a good one.
pub fn perpendicular(z: &Vector3<f64>, w: &Vector3<f64>) -> Option<Vector3<f64>> {
    let normal = z.cross(w);
    (normal.norm_squared() >= NEARLY_PARALLEL).then(|| normal.normalize())
}

/// The direction across z in which a vector points, if it is the same for all parameters.
pub fn aside(z: &Vector3<f64>, r: &Vector) -> Option<Vector3<f64>> {
    let numbers: Vec<f64> = r.iter().filter_map(Expr::as_constant).collect();
    let across = |v: Vector3<f64>| v - z * z.dot(&v);
    let direction = match (numbers.len(), r) {
        (3, _) => across(Vector3::from_column_slice(&numbers)),
        (_, r) => {
            let mut found = (0..3).filter(|k| !r[*k].is_zero());
            let (only, other) = (found.next()?, found.next());
            other.is_none().then(|| across(Vector3::ith(only, 1.0)))?
        }
    };
    let size = Vector3::from_iterator(numbers.into_iter().chain([0.0; 3])).norm();
    let least = 1e-9 * size.max(1e-3);
    (direction.norm() > least).then(|| direction.normalize())
}

/// Cosine and sine of the angle from x to v, in the plane of x and y.
pub fn angle(v: &Vector3<f64>, x: &Vector3<f64>, y: &Vector3<f64>) -> [f64; 2] {
    [without_round_off(v.dot(x)), without_round_off(v.dot(y))]
}

/// d · v, or zero if it is round-off.
pub fn along(direction: &Vector3<f64>, v: &Vector) -> Expr {
    let direction = direction.map(without_round_off);
    let sum = dot(&constant(direction.into()), v);
    let numbers: Vec<f64> = v.iter().filter_map(Expr::as_constant).collect();
    match sum.as_constant() {
        Some(x) if x.abs() < ROUND_OFF * numbers.iter().map(|x| x.abs()).sum::<f64>() => {
            Expr::zero()
        }
        _ => sum,
    }
}

/// A component of a unit vector without the round-off by which it is off zero or one.
pub fn without_round_off(x: f64) -> f64 {
    if x.abs() < ROUND_OFF {
        0.0
    } else if (x.abs() - 1.0).abs() < ROUND_OFF {
        1.0_f64.copysign(x)
    } else {
        x
    }
}

/// Adds a shift, if it is one.
pub fn shift(steps: &mut Vec<LinkStep>, along: usize, by: Expr) {
    if !by.is_zero() {
        steps.push(LinkStep::Shift { along, by });
    }
}

/// Adds a turn, if it is one.
pub fn turn_by(steps: &mut Vec<LinkStep>, about: usize, [cos, sin]: [f64; 2]) {
    if [cos, sin] != [1.0, 0.0] {
        steps.push(LinkStep::Turn {
            about,
            cos: Expr::constant(cos),
            sin: Expr::constant(sin),
        });
    }
}
