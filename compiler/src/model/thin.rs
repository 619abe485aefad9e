//! Bodies of which only a line or a point counts.
//!
//! A thin rod has no inertia about its own axis u, J = j (1 − u uᵀ), and a point mass has none at all. Where joints,
//! forces and measures use nothing of the body but points of that axis, or its centre, nothing turns the body about u,
//! and nothing depends on that turn either: the turn is no motion of the mechanism. Everywhere else the body is one
//! like others, with a moment of inertia that is zero.

use nalgebra::{Matrix3, UnitQuaternion, Vector3};

use super::{
    Action, Body, BodyId, Extent, Joint, JointCoordinate, JointId, Marker, Measure, Model, Vector,
};
use crate::description::Space;
use crate::expr::Expr;

/// Moments below this part of the largest one are zero: a moment about another point leaves that much
/// rounding.
pub const NO_MOMENT: f64 = 1e-12;

/// A point counts as on the axis if it is off by less than this part of the body's size.
const ON_AXIS: f64 = 1e-9;

/// Tells which bodies are only a line or a point, and takes the turn that they do not have from their
/// guess.
pub(super) fn extents(model: &mut Model) {
    for index in 0..model.bodies.len() {
        let id = BodyId(index as u32);
        let shapes = [
            shape(model.space, &model.bodies[index].inertia),
            line(model, id),
        ];
        let mut shapes = shapes.into_iter().flatten();
        if let Some(extent) = shapes.find(|extent| obstacle(model, id, *extent).is_none()) {
            let body = &mut model.bodies[index];
            body.extent = extent;
            without_spin(body);
        }
    }
}

/// Without mass and moments a body is a rod along every line through its centre: here the one to its outermost joint.
fn line(model: &Model, id: BodyId) -> Option<Extent> {
    let body = &model.bodies[id.0 as usize];
    let is_nothing = body.mass.is_zero() && body.inertia.iter().flatten().all(Expr::is_zero);
    if !is_nothing || model.space == Space::Planar {
        return None;
    }
    let ends = model.joints.iter();
    let ends = ends.flat_map(|joint| [&joint.first, &joint.second]);
    let own = ends.filter(|end| end.body == Some(id));
    let places = own.filter_map(|end| {
        let [x, y, z] = end.point.each_ref().map(Expr::as_constant);
        Some(Vector3::new(x?, y?, z?))
    });
    let far = places.max_by(|a, b| a.norm().total_cmp(&b.norm()))?;
    (far.norm() > 0.0).then(|| Extent::Line(far.normalize().into()))
}

/// Why a body without inertia about an axis has to turn about it all the same, in a few words.
pub fn why_it_turns(model: &Model, id: BodyId) -> Option<String> {
    let extent = shape(model.space, &model.bodies[id.0 as usize].inertia)?;
    obstacle(model, id, extent)
}

/// A line or a point, if the tensor is that of a rod or a point mass whatever the parameters are.
fn shape(space: Space, inertia: &[[Expr; 3]; 3]) -> Option<Extent> {
    if inertia.iter().flatten().all(Expr::is_zero) {
        return Some(Extent::Point);
    }
    if space == Space::Planar {
        return None;
    }
    let along = (0..3).find(|&k| {
        let (a, b) = ((k + 1) % 3, (k + 2) % 3);
        let row = inertia[k].iter().all(Expr::is_zero);
        row && inertia[a][b].is_zero() && inertia[a][a] == inertia[b][b]
    });
    if let Some(k) = along {
        return Some(Extent::Line(Vector3::ith(k, 1.0).into()));
    }
    let number = |i: usize, j: usize| inertia[i][j].as_constant().unwrap_or(f64::NAN);
    axis_of_rod(&Matrix3::from_fn(number)).map(|(axis, _)| Extent::Line(axis.into()))
}

/// Axis and moment of a rod: the smallest principal moment is zero and the other two are equal.
pub(super) fn axis_of_rod(tensor: &Matrix3<f64>) -> Option<(Vector3<f64>, f64)> {
    let scale = tensor.amax();
    if scale == 0.0 || tensor.iter().any(|entry| !entry.is_finite()) {
        return None;
    }
    // Scaled, because the iteration for the eigenvalues squares the entries.
    let eigen = (tensor / scale).symmetric_eigen();
    let least = eigen.eigenvalues.imin();
    let [b, c] = [1, 2].map(|k| eigen.eigenvalues[(least + k) % 3]);
    let is_rod =
        eigen.eigenvalues[least].abs() <= NO_MOMENT * b.max(c) && (b - c).abs() <= 1e-9 * b.max(c);
    let axis = eigen.eigenvectors.column(least).into_owned();
    // The sign is free: the largest component is positive.
    let axis = axis * axis[axis.iamax()].signum();
    is_rod.then_some((axis, 0.5 * (b + c) * scale))
}

/// The first use of more of the body than its axis or centre.
fn obstacle(model: &Model, id: BodyId, extent: Extent) -> Option<String> {
    let thin = Thin { model, id, extent };
    let joints = model.joints.iter().filter_map(|joint| thin.joint(joint));
    let couplings = model.couplings.iter().filter_map(|coupling| {
        let ends = [coupling.first, coupling.second];
        let turns = |(joint, c): &(JointId, JointCoordinate)| c.is_angle() && thin.is_end(*joint);
        let turns = ends.iter().any(turns);
        turns.then(|| format!("coupling `{}` ties its angle", coupling.name))
    });
    let forces = model.elements.iter().filter_map(|element| {
        let why = thin.action(&element.action)?;
        Some(format!("`{}` {why}", element.path))
    });
    let measures = model
        .measures
        .iter()
        .filter_map(|measure| thin.measure(measure));
    let uses = joints.chain(couplings).chain(forces);
    uses.chain(measures).next()
}

struct Thin<'m> {
    model: &'m Model,
    id: BodyId,
    extent: Extent,
}

impl Thin<'_> {
    fn joint(&self, joint: &Joint) -> Option<String> {
        let is_first = joint.first.body == Some(self.id);
        if !is_first && joint.second.body != Some(self.id) {
            return None;
        }
        let holds_a_point = joint.kind.facts(self.model.space).holds_a_point;
        let mut motions = joint.motions.iter();
        let only_points = holds_a_point[usize::from(!is_first)]
            && !motions.any(|motion| motion.coordinate == JointCoordinate::Angle);
        let ends = [&joint.first, &joint.second];
        if !only_points {
            return Some(format!("joint `{}` is `{}`", joint.name, joint.kind));
        }
        let off = ends.into_iter().any(|end| self.is_off(end));
        off.then(|| format!("joint `{}` is off {}", joint.name, self.place()))
    }

    fn action(&self, action: &Action) -> Option<String> {
        let off = |markers: &[&Marker]| {
            let off = markers.iter().any(|marker| self.is_off(marker));
            off.then(|| format!("acts off {}", self.place()))
        };
        match action {
            Action::Force { at, follows, .. } if *follows && at.body == Some(self.id) => {
                Some("turns with the body".to_owned())
            }
            Action::Force { at, .. } => off(&[at]),
            Action::Torque { body, .. } => (*body == self.id).then(|| "is a torque".to_owned()),
            Action::Between { first, second, .. } => off(&[first, second]),
            Action::Joint {
                joint, coordinate, ..
            } => {
                let turns = *coordinate == JointCoordinate::Angle && self.is_end(*joint);
                turns.then(|| "is a torque".to_owned())
            }
        }
    }

    fn measure(&self, measure: &Measure) -> Option<String> {
        let off = match measure {
            Measure::Position(at, _) | Measure::Velocity(at, _) | Measure::Acceleration(at, _) => {
                self.is_off(at)
            }
            Measure::Distance(a, b) | Measure::DistanceRate(a, b) => {
                self.is_off(a) || self.is_off(b)
            }
            _ => false,
        };
        if off {
            return Some(format!(
                "a law, an output or `hold` uses a point off {}",
                self.place()
            ));
        }
        let turns = match measure {
            Measure::BodyAngle(body) | Measure::EulerParameter(body, _) => *body == self.id,
            // A line has an angular velocity, u × u̇; a point has none.
            Measure::AngularVelocity(body, _) | Measure::AngularAcceleration(body, _) => {
                *body == self.id && self.extent == Extent::Point
            }
            Measure::JointCoordinate(joint, JointCoordinate::Angle)
            | Measure::JointRate(joint, JointCoordinate::Angle)
            | Measure::JointAcceleration(joint, JointCoordinate::Angle) => self.is_end(*joint),
            _ => false,
        };
        turns.then(|| "a law, an output or `hold` asks how it is turned".to_owned())
    }

    fn is_end(&self, joint: JointId) -> bool {
        let joint = &self.model.joints[joint.0 as usize];
        [joint.first.body, joint.second.body].contains(&Some(self.id))
    }

    fn place(&self) -> &'static str {
        match self.extent {
            Extent::Line(_) => "its axis",
            Extent::Body | Extent::Point => "its centre",
        }
    }

    /// True for a point of this body off its axis or centre.
    fn is_off(&self, marker: &Marker) -> bool {
        marker.body == Some(self.id) && !self.has(&marker.point)
    }

    fn has(&self, point: &Vector) -> bool {
        let body = &self.model.bodies[self.id.0 as usize];
        let near = ON_AXIS * (length(self.model, point) + length(self.model, &body.origin));
        let is_zero = |c: &Expr| c.is_zero() || c.as_constant().is_some_and(|c| c.abs() <= near);
        let Extent::Line(axis) = self.extent else {
            return point.iter().all(is_zero);
        };
        if let Some(k) = axis.iter().position(|c| c.abs() == 1.0) {
            // The component along the axis may depend on parameters.
            return (0..3).filter(|&i| i != k).all(|i| is_zero(&point[i]));
        }
        let numbers = point.each_ref().map(Expr::as_constant);
        let [Some(x), Some(y), Some(z)] = numbers else {
            return false;
        };
        Vector3::new(x, y, z).cross(&Vector3::from(axis)).norm() <= near
    }
}

/// Length at the default parameters.
fn length(model: &Model, vector: &Vector) -> f64 {
    vector
        .each_ref()
        .map(|c| model.at_defaults(c))
        .iter()
        .map(|c| c * c)
        .sum::<f64>()
        .sqrt()
}

/// ω ← ω − e (e·ω) with e the axis in world axes; a point does not turn at all.
fn without_spin(body: &mut Body) {
    let Extent::Line(axis) = body.extent else {
        body.angular_velocity = [0.0; 3];
        body.guess.angular_velocity = Vector::default();
        return;
    };
    let [w, i, j, k] = body.orientation;
    let turn = UnitQuaternion::from_quaternion(nalgebra::Quaternion::new(w, i, j, k));
    let e = turn * Vector3::from(axis);
    let spin = Vector3::from(body.angular_velocity);
    body.angular_velocity = (spin - e * e.dot(&spin)).into();
    let guess = &body.guess.angular_velocity;
    let along: Expr = (0..3).map(|k| Expr::constant(e[k]) * &guess[k]).sum();
    let across = |k: usize| &guess[k] - Expr::constant(e[k]) * &along;
    body.guess.angular_velocity = [0, 1, 2].map(across);
}

impl Model {
    /// True if a body that turns has no inertia about some axis, at the default parameters.
    pub fn is_thin(&self, body: &Body) -> bool {
        if body.extent != Extent::Body {
            return false;
        }
        let value = |i: usize, j: usize| self.at_defaults(&body.inertia[i][j]);
        if self.space == Space::Planar {
            let arm = body.origin.each_ref().map(|c| self.at_defaults(c));
            let about_origin = self.at_defaults(&body.mass) * Vector3::from(arm).norm_squared();
            return value(2, 2) <= NO_MOMENT * about_origin;
        }
        let tensor = Matrix3::from_fn(value);
        let scale = tensor.amax();
        scale == 0.0 || (tensor / scale).symmetric_eigenvalues().min() <= NO_MOMENT
    }

    /// True if a body has no mass, at the default parameters.
    pub fn is_massless(&self, body: &Body) -> bool {
        self.at_defaults(&body.mass) == 0.0
    }

    /// Turns in absolute coordinates that are no motions: one of each line, all of each point.
    pub fn idle_turns(&self) -> usize {
        let idle = |body: &Body| match (body.extent, self.space) {
            (Extent::Body, _) => 0,
            (Extent::Line(_), _) | (Extent::Point, Space::Planar) => 1,
            (Extent::Point, Space::Spatial) => 3,
        };
        self.bodies.iter().map(idle).sum()
    }
}

impl Body {
    /// The moment j of a thin rod about any line across it through its centre.
    pub fn moment_across(&self) -> Expr {
        let moments = [0, 1, 2].map(|k| self.inertia[k][k].clone());
        let along = moments.iter().position(Expr::is_zero);
        match along {
            Some(k) => moments[(k + 1) % 3].clone(),
            None => Expr::constant(0.5) * moments.into_iter().sum::<Expr>(),
        }
    }
}
