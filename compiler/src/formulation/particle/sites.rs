//! The points that joints bring together, and the distances between points.

use nalgebra::Vector3;

use super::super::rows::Wanted;
use super::points::BodyPoint;
use crate::description::Space;
use crate::expr::Expr;
use crate::joints::Shares;
use crate::model::{BodyId, Joint, Marker, Model, Vector};

/// The body's own end of a joint, and the other one.
pub fn ends(joint: &Joint, id: BodyId) -> (&Marker, &Marker) {
    match joint.second.body == Some(id) {
        true => (&joint.second, &joint.first),
        false => (&joint.first, &joint.second),
    }
}

/// The triads of a joint on the body with the end `own`, and on the other one.
pub fn frames<'j>(joint: &'j Joint, own: &Marker) -> (&'j [[f64; 3]; 3], &'j [[f64; 3]; 3]) {
    match own.body == joint.second.body {
        true => (&joint.second_frame, &joint.first_frame),
        false => (&joint.first_frame, &joint.second_frame),
    }
}

/// The constraint equations of a joint that remain when points are shared.
pub fn remaining(model: &Model, joint: &Joint, shared_points: usize) -> Wanted {
    let needed = joint.kind.facts(model.space).shares.needed();
    match shared_points {
        0 => Wanted::All,
        n if n >= needed => Wanted::None,
        _ => Wanted::BeyondThePoint,
    }
}

/// Points that a joint brings together, on one of its ends; none if they depend on parameters.
pub fn sites(model: &Model, joint: &Joint, end: &Marker) -> Vec<[f64; 3]> {
    let Some(center) = values(&end.point) else {
        return Vec::new();
    };
    // The opposite end must be constant too, or both would not know the same point.
    let both = values(&joint.first.point).is_some() && values(&joint.second.point).is_some();
    match joint.kind.facts(model.space).shares {
        _ if !both => Vec::new(),
        Shares::Axis => {
            let frame = match std::ptr::eq(end, &joint.second) {
                true => &joint.second_frame,
                false => &joint.first_frame,
            };
            let length = axis_length(model, joint);
            let along = std::array::from_fn(|i| center[i] + length * frame[2][i]);
            vec![center, along]
        }
        Shares::Point | Shares::PointAndMore => vec![center],
        Shares::Nothing | Shares::Body => Vec::new(),
    }
}

/// Distance between the two points on an axis: the size of the larger of its bodies.
fn axis_length(model: &Model, joint: &Joint) -> f64 {
    let bodies = [joint.first.body, joint.second.body];
    let sizes = bodies.into_iter().flatten().map(|id| size_of(model, id));
    sizes.fold(0.0, f64::max)
}

/// The radius of gyration at the default parameters, but not below a tenth of how far the joints are from
/// the centre, so that points at this distance and points on joints go together; 1 if both are zero.
pub fn size_of(model: &Model, id: BodyId) -> f64 {
    let body = &model.bodies[id.0 as usize];
    let moment = match model.space {
        Space::Planar => model.at_defaults(&body.inertia[2][2]),
        Space::Spatial => {
            let trace: Expr = (0..3).map(|k| body.inertia[k][k].clone()).sum();
            0.5 * model.at_defaults(&trace)
        }
    };
    let mass = model.at_defaults(&body.mass);
    let gyration = match mass > 0.0 {
        true => (moment / mass).sqrt(),
        false => 0.0,
    };
    let size = gyration.max(0.1 * reach(model, id));
    if size > 0.0 { size } else { 1.0 }
}

/// Distance of the body's joints from its centre.
fn reach(model: &Model, id: BodyId) -> f64 {
    let ends = model
        .joints
        .iter()
        .flat_map(|joint| [&joint.first, &joint.second]);
    let own = ends.filter(|end| end.body == Some(id));
    own.map(|end| model.lever(end)).fold(0.0, f64::max)
}

/// The second point on the axis of a rod if the first is at s: at −k²/s, with which W is diagonal, as long as that is
/// not far out; k is the radius of gyration.
pub fn across_the_centre(first: [f64; 3], axis: [f64; 3], size: f64) -> [f64; 3] {
    let axis = Vector3::from(axis);
    let s = axis.dot(&Vector3::from(first));
    let other = if s.abs() < 0.3 * size {
        s + size
    } else {
        -size * size / s
    };
    (axis * other).into()
}

/// Name of a point of a joint.
pub fn site_name(joint: &Joint, which: usize) -> String {
    match which {
        0 => joint.name.clone(),
        _ => format!("{}.axis", joint.name),
    }
}

/// A vector of numbers, if it depends on no parameter.
pub fn values(point: &Vector) -> Option<[f64; 3]> {
    let [x, y, z] = point.each_ref().map(Expr::as_constant);
    Some([x?, y?, z?])
}

/// The unit vector along axis `k`.
pub fn unit(k: usize) -> Vector3<f64> {
    Vector3::from_fn(|i, _| if i == k { 1.0 } else { 0.0 })
}

/// True if the point is far enough from the point, line or plane of the others.
pub fn is_apart(points: &[BodyPoint], at: [f64; 3], distance: f64) -> bool {
    rest(points, Vector3::from(at)).is_none_or(|rest| rest.norm() >= distance)
}

/// The part of a point that lies off the hull of the others; `None` if there are no others.
fn rest(points: &[BodyPoint], at: Vector3<f64>) -> Option<Vector3<f64>> {
    let first = Vector3::from(points.first()?.at);
    let mut rest = at - first;
    let mut basis: Vec<Vector3<f64>> = Vec::new();
    for point in &points[1..] {
        let mut direction = Vector3::from(point.at) - first;
        for known in &basis {
            direction -= known * known.dot(&direction);
        }
        if direction.norm() > 0.0 {
            basis.push(direction.normalize());
        }
    }
    for direction in &basis {
        rest -= direction * direction.dot(&rest);
    }
    Some(rest)
}

/// A point that is off the others by `size`, in the body axis that leads off them furthest; the first
/// point of all is the centre of mass.
pub fn off(points: &[BodyPoint], size: f64) -> [f64; 3] {
    let Some(first) = points.first() else {
        return [0.0; 3];
    };
    let first = Vector3::from(first.at);
    let planar_or_not = if points.len() == 1 { 2 } else { 3 };
    let best = (0..planar_or_not)
        .filter_map(|k| rest(points, first + unit(k)))
        .max_by(|a, b| a.norm().total_cmp(&b.norm()))
        .unwrap_or_else(|| unit(0));
    (first + best.normalize() * size).into()
}
