//! The coordinates that assembly holds, by name, with their rates.
//!
//! A body or a joint alone stands for all of its coordinates. For a spatial body these are the
//! coordinates of its frame's origin and the rotation r = e ∘ ē₀ from the guess e₀: 2 r₁, 2 r₂, 2 r₃,
//! which are independent at the guess, with the rates r₀ ω + ω × r.

use super::context::{Context, Reported, Resolved};
use super::measure::{find, marker};
use super::names::NamedElement;
use super::{BodyId, Hold, JointId, Measure};
use crate::diagnostics::{Code, Diagnostic, Path};
use crate::expr::Expr;

/// The holds that one name stands for.
pub(super) fn holds(cx: &mut Context, name: &str, path: &Path) -> Resolved<Vec<Hold>> {
    let pairs = match cx.names.get(name) {
        Some(NamedElement::Body(id)) => whole_body(cx, *id)?,
        Some(NamedElement::Joint(id)) => whole_joint(cx, *id),
        _ => vec![single(cx, name, path)?],
    };
    if pairs.is_empty() {
        let message = format!("`{name}` has no coordinates to hold");
        return Err(cx.error(Code::M217, path, message));
    }
    let hold = |(value, rate)| Hold {
        name: name.to_owned(),
        path: path.clone(),
        value,
        rate,
    };
    Ok(pairs.into_iter().map(hold).collect())
}

type ValueAndRate = (Expr, Expr);

fn single(cx: &mut Context, name: &str, path: &Path) -> Resolved<ValueAndRate> {
    let parts: Vec<String> = name.split('.').map(str::to_owned).collect();
    let measure = find(cx, &parts)
        .map_err(|problem| problem.report(cx, |m| Diagnostic::error(Code::M201, path, m)))?;
    if let Measure::EulerParameter(id, k) = measure {
        let (e, rate) = euler_parameters(cx, id);
        return Ok((e[k as usize].clone(), rate[k as usize].clone()));
    }
    match (rate_of(&measure), on_ground(&measure)) {
        (Some(rate), false) => Ok((cx.held(measure), cx.held(rate))),
        (_, true) => Err(cx.error(Code::M201, path, format!("`{name}` does not move"))),
        (None, _) => {
            let message = format!("`{name}` is no position, so it cannot be held");
            let diagnostic = Diagnostic::error(Code::M201, path, message);
            Err(cx.report(diagnostic.hint("name the coordinate: its rate is held with it")))
        }
    }
}

fn rate_of(measure: &Measure) -> Option<Measure> {
    match measure {
        Measure::Position(at, k) => Some(Measure::Velocity(at.clone(), *k)),
        Measure::BodyAngle(id) => Some(Measure::AngularVelocity(*id, 2)),
        Measure::JointCoordinate(id, c) => Some(Measure::JointRate(*id, *c)),
        Measure::Distance(a, b) => Some(Measure::DistanceRate(a.clone(), b.clone())),
        _ => None,
    }
}

fn on_ground(measure: &Measure) -> bool {
    matches!(measure, Measure::Position(at, _) | Measure::Velocity(at, _) if at.body.is_none())
}

fn whole_joint(cx: &mut Context, id: JointId) -> Vec<ValueAndRate> {
    let description = cx.description;
    let Some((_, joint)) = description.joints.get_index(id.0 as usize) else {
        return Vec::new();
    };
    let list = joint.kind.facts(description.space).coordinates.iter();
    list.map(|c| {
        let value = cx.held(Measure::JointCoordinate(id, *c));
        (value, cx.held(Measure::JointRate(id, *c)))
    })
    .collect()
}

fn whole_body(cx: &mut Context, id: BodyId) -> Resolved<Vec<ValueAndRate>> {
    let origin = marker(cx, Some(id), "origin").map_err(|_| Reported)?;
    let mut pairs = Vec::new();
    for k in 0..cx.n_components() as u8 {
        let value = cx.held(Measure::Position(origin.clone(), k));
        pairs.push((value, cx.held(Measure::Velocity(origin.clone(), k))));
    }
    if cx.planar() {
        let value = cx.held(Measure::BodyAngle(id));
        pairs.push((value, cx.held(Measure::AngularVelocity(id, 2))));
    } else {
        pairs.extend(rotation(cx, id)?);
    }
    Ok(pairs)
}

fn rotation(cx: &mut Context, id: BodyId) -> Resolved<[ValueAndRate; 3]> {
    let pose = cx.shape(Some(id)).pose?;
    let start = pose.rotation.quaternion().conjugate();
    let start = [start.w, start.i, start.j, start.k].map(Expr::constant);
    let (e, _) = euler_parameters(cx, id);
    let r = product(&e, &start);
    let w = spin(cx, id);
    let cross = cross(&w, &[r[1].clone(), r[2].clone(), r[3].clone()]);
    Ok([0, 1, 2].map(|k| {
        let rate = &r[0] * &w[k] + &cross[k];
        (Expr::constant(2.0) * &r[k + 1], rate)
    }))
}

/// Euler parameters e and their rates ė = ½ (0, ω) ∘ e.
fn euler_parameters(cx: &mut Context, id: BodyId) -> ([Expr; 4], [Expr; 4]) {
    let e = [0, 1, 2, 3].map(|k| cx.held(Measure::EulerParameter(id, k)));
    let [x, y, z] = spin(cx, id);
    let rate = product(&[Expr::zero(), x, y, z], &e);
    (e, rate.map(|entry| Expr::constant(0.5) * entry))
}

fn spin(cx: &mut Context, id: BodyId) -> [Expr; 3] {
    [0, 1, 2].map(|k| cx.held(Measure::AngularVelocity(id, k)))
}

/// Product of two quaternions.
fn product(a: &[Expr; 4], b: &[Expr; 4]) -> [Expr; 4] {
    [
        &a[0] * &b[0] - &a[1] * &b[1] - &a[2] * &b[2] - &a[3] * &b[3],
        &a[0] * &b[1] + &a[1] * &b[0] + &a[2] * &b[3] - &a[3] * &b[2],
        &a[0] * &b[2] - &a[1] * &b[3] + &a[2] * &b[0] + &a[3] * &b[1],
        &a[0] * &b[3] + &a[1] * &b[2] - &a[2] * &b[1] + &a[3] * &b[0],
    ]
}

fn cross(a: &[Expr; 3], b: &[Expr; 3]) -> [Expr; 3] {
    [
        &a[1] * &b[2] - &a[2] * &b[1],
        &a[2] * &b[0] - &a[0] * &b[2],
        &a[0] * &b[1] - &a[1] * &b[0],
    ]
}
