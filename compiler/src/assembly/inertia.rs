//! Motions without inertia: a rod that turns about its own axis, a point mass that turns at all, a massless body that
//! constraints leave free.
//!
//! M is semi-definite, so a motion s that the constraint equations allow and that takes no kinetic energy is a null
//! vector of M + DᵀD. Such a motion has no acceleration, whatever the forces are. The size of a mass does not matter
//! for that, so the masses of all bodies are scaled to 1.

use nalgebra::{DMatrix, DVector, Quaternion, UnitQuaternion, Vector3};

use super::State;
use super::numbers::{moved, numbers};
use super::probes::Random;
use crate::description::Space;
use crate::diagnostics::{Code, Diagnostic, Diagnostics};
use crate::model::{BodyId, Joint, Model, why_it_turns};
use crate::symbolic::Equations;

/// Eigenvalues of the scaled matrix below this are zero: far above round-off, far below those of a real moment of
/// inertia.
const NONE: f64 = 1e-10;

/// Checks that every motion that the constraint equations allow has inertia, at one of the states at least. At a single
/// state constraint equations may depend on each other.
pub fn has_inertia(
    model: &Model,
    equations: &Equations,
    states: &[State],
) -> Result<(), Diagnostics> {
    let is_light = |body| model.is_thin(body) || model.is_massless(body);
    if !model.bodies.iter().any(is_light) {
        return Ok(());
    }
    let mut first = None;
    for state in states {
        match idle_motion(model, equations, state) {
            Some(motion) => first = first.or(Some((state, motion))),
            None => return Ok(()),
        }
    }
    match first {
        Some((state, motion)) => Err(refusal(model, state, &motion).into()),
        None => Ok(()),
    }
}

/// The guess and two states near it, where the constraint equations need not hold.
pub fn around(model: &Model, equations: &Equations, guess: &State) -> Vec<State> {
    let mut random = Random::new();
    let mut near = || DVector::from_fn(equations.n_velocities, |_, _| 0.1 * random.next());
    let kicks = [near(), near()];
    let kicked = kicks.map(|kick| moved(model, equations, guess, &kick));
    std::iter::once(guess.clone()).chain(kicked).collect()
}

/// A null vector of M + DᵀD, scaled so that metres and radians are comparable, and light and heavy bodies too.
fn idle_motion(model: &Model, equations: &Equations, state: &State) -> Option<DVector<f64>> {
    let now = numbers(model, equations, state);
    let mut rows = now.rows.rows(0, now.phi.len()).into_owned();
    for mut row in rows.row_iter_mut() {
        let norm = row.norm();
        if norm > 0.0 {
            row /= norm;
        }
    }
    let sum: DMatrix<f64> = unit_masses(model, now.mass) + rows.transpose() * &rows;
    if sum.iter().any(|entry| !entry.is_finite()) {
        return None;
    }
    let n = sum.nrows();
    if let Some(k) = (0..n).find(|&k| sum[(k, k)] <= 0.0) {
        return Some(DVector::from_fn(n, |i, _| if i == k { 1.0 } else { 0.0 }));
    }
    let scale = DVector::from_fn(n, |k, _| 1.0 / sum[(k, k)].sqrt());
    let scaled = DMatrix::from_fn(n, n, |i, j| scale[i] * sum[(i, j)] * scale[j]);
    let eigen = scaled.symmetric_eigen();
    let least = eigen.eigenvalues.imin();
    let motion = eigen.eigenvectors.column(least).component_mul(&scale);
    (eigen.eigenvalues[least] < NONE).then_some(motion)
}

/// The inertia of each body in translation and in rotation, each scaled to 1 if it is not zero.
fn unit_masses(model: &Model, mut mass: DMatrix<f64>) -> DMatrix<f64> {
    let parts: &[usize] = match model.space {
        Space::Planar => &[2, 1],
        Space::Spatial => &[3, 3],
    };
    let mut first = 0;
    for size in parts.iter().cycle().take(2 * model.bodies.len()) {
        let mut part = mass.view_mut((first, first), (*size, *size));
        let largest = part.amax();
        if largest > 0.0 {
            part /= largest;
        }
        first += size;
    }
    mass
}

/// Names the body that moves most, because bodies with mass do not move in such a motion.
fn refusal(model: &Model, state: &State, motion: &DVector<f64>) -> Diagnostic {
    if let Some(found) = shift(model, motion) {
        return found;
    }
    let spin = |index: usize| match model.space {
        Space::Planar => Vector3::new(0.0, 0.0, motion[3 * index + 2]),
        Space::Spatial => motion.fixed_rows::<3>(6 * index + 3).into_owned(),
    };
    let index = (0..model.bodies.len())
        .max_by(|&a, &b| spin(a).norm().total_cmp(&spin(b).norm()))
        .unwrap_or_default();
    let body = &model.bodies[index];
    let id = BodyId(index as u32);
    let about = match model.space {
        Space::Planar => String::new(),
        Space::Spatial => {
            let e = &state.q[7 * index + 3..7 * index + 7];
            let turn = UnitQuaternion::from_quaternion(Quaternion::new(e[0], e[1], e[2], e[3]));
            format!(" about {}", axis(&(turn.inverse() * spin(index))))
        }
    };
    let wherein = joints_of(model, id);
    let message = format!(
        "body `{}` can turn {wherein}{about}, and it has no inertia against that",
        body.name
    );
    let free = match model.space {
        Space::Planar => {
            "a point mass that only `distance` joints and forces hold by its centre needs none"
        }
        Space::Spatial => {
            "a rod or point mass that only `spherical` and `distance` joints and forces hold by its axis or centre needs none"
        }
    };
    let why = why_it_turns(model, id).map_or(String::new(), |why| format!(", but {why}"));
    Diagnostic::error(Code::T307, &body.path, message)
        .label("turns without inertia")
        .hint(format!(
            "give it inertia about that axis, or hold it by a joint that does not let it turn, such as `fixed`; {free}{why}"
        ))
}

/// A massless body whose centre moves, if no body turns by more.
fn shift(model: &Model, motion: &DVector<f64>) -> Option<Diagnostic> {
    let n = motion.len() / model.bodies.len();
    let turning = if n == 3 { 1 } else { 3 };
    let size = |index: usize, from: usize, len: usize| motion.rows(n * index + from, len).norm();
    let turned = (0..model.bodies.len()).map(|index| size(index, n - turning, turning));
    let turned = turned.fold(0.0, f64::max);
    let massless = (0..model.bodies.len()).filter(|&i| model.is_massless(&model.bodies[i]));
    let shifts = |index: usize| size(index, 0, n - turning);
    let index = massless.max_by(|&a, &b| shifts(a).total_cmp(&shifts(b)))?;
    let body = &model.bodies[index];
    let message = format!(
        "body `{}` can move {}, and nothing that moves with it has mass",
        body.name,
        joints_of(model, BodyId(index as u32))
    );
    let found = Diagnostic::error(Code::T307, &body.path, message)
        .label("moves without inertia")
        .hint("give it a mass, or joints to bodies with mass that leave it no motion of its own");
    (turned <= 1e-6 * shifts(index)).then_some(found)
}

/// `in joints `A` and `B``
fn joints_of(model: &Model, id: BodyId) -> String {
    let touches = |joint: &&Joint| [joint.first.body, joint.second.body].contains(&Some(id));
    let joints: Vec<String> = (model.joints.iter().filter(touches))
        .map(|joint| format!("`{}`", joint.name))
        .collect();
    match joints.as_slice() {
        [] => "freely".to_owned(),
        [one] => format!("in joint {one}"),
        [rest @ .., last] => format!("in joints {} and {last}", rest.join(", ")),
    }
}

/// A direction in body axes, in words.
fn axis(direction: &Vector3<f64>) -> String {
    let direction = direction / direction.amax();
    let names = ["x", "y", "z"];
    let off = |k: usize| {
        (0..3)
            .filter(|i| *i != k)
            .map(|i| direction[i].abs())
            .fold(0.0, f64::max)
    };
    match (0..3).find(|&k| off(k) < 1e-6) {
        Some(k) => format!("its {} axis", names[k]),
        None => {
            let unit = direction.normalize();
            format!(
                "its direction [{:.3}, {:.3}, {:.3}]",
                unit.x, unit.y, unit.z
            )
        }
    }
}
