//! Largest stiffness of the springs that stand for the constraint equations of joints, when steps of semi-implicit
//! Euler follow them.
//!
//! Near a position the step h maps x'' = −M⁻¹ (K x + C x') to
//!
//! ```text
//! v₁ = v₀ − h M⁻¹ (K x₀ + C v₀)      x₁ = x₀ + h v₁      K = Dᵀ k D      C = Dᵀ c D
//! ```
//!
//! For a mode x = zⁿ u with uᵀ M u = 1, κ = h² uᵀ K u and δ = h uᵀ C u this is z² + (κ + δ − 2) z + 1 − δ = 0,
//! and |z| < 1 if κ + 2 δ < 4. So the step is stable if
//!
//! ```text
//! G = Σ (h² k + 2 h c) Dᵀ D < 4 M
//! ```
//!
//! Rows are grouped into parts: the lengths that one joint keeps, the angles that it keeps, each driver and each
//! coupling. A part p between the bodies a and b, or among more of them, has |D_p v|² ≤ (α_a + α_b) (T_a + T_b) with α
//! the largest eigenvalue of D_p M⁻¹ D_pᵀ for each body alone and T = vᵀ M v of that body. Summed over the parts,
//! G < 4 M if
//!
//! ```text
//! Σ α_p (h² k_p + 2 h c_p) < 4      over the parts of each body, α_p = α_a + α_b
//! ```
//!
//! For points that coincide and for directions α does not change as a body turns. For a distance it is taken for the
//! worst direction, 1/m + r²/J. So the bound holds in every position. Where a joint slides its arm changes α, and the
//! margin allows for that. With k = ω²/α and c = 2 ζ ω/α each part takes (h ω)² + 4 ζ h ω. An equal share of the bound
//! for each part of the body that has more of them gives ω.

use std::collections::BTreeMap;

use nalgebra::{DMatrix, SymmetricEigen};

use super::State;
use super::numbers::{SparseEquations, local};
use super::sparse::SparseRowValues as SparseRow;
use crate::description::Space;
use crate::diagnostics::{Code, Diagnostic, Diagnostics};
use crate::expr::Expr;
use crate::formulation::{ConstraintEquation, JointSpring, Owner, System};
use crate::model::{Marker, Model};
use crate::symbolic::Equations;

/// Share of the bound that is used.
const MARGIN: f64 = 0.5;
/// ζ of one part alone. With more damping the same bound leaves less for the stiffness, and the deflection under load
/// is the larger error. With this much a vibration is gone after some ten steps.
const DAMPING: f64 = 0.25;
/// The bound.
const LIMIT: f64 = 4.0;
/// The description says nothing about constraint equations within a body.
const RIGID: crate::model::Spring = crate::model::Spring {
    stiffness: None,
    damping: None,
};

/// The springs of a mechanism.
#[derive(Clone, Debug, PartialEq)]
pub struct SpringStiffness {
    /// One for each constraint equation.
    pub of_rows: Vec<JointSpring>,
    /// Steps below this are stable in every position in which the arms of sliding joints are those of the
    /// start.
    pub stable_below: f64,
}

/// The springs that stand for the constraint equations at the step of the model, as far as they are not written; a
/// warning if those that are written are too stiff for it. The constraint equations and states are those of absolute
/// coordinates.
pub fn stiffness(
    model: &Model,
    system: &System,
    equations: &Equations,
    states: &[State],
) -> Result<(SpringStiffness, Diagnostics), Diagnostics> {
    let here = states.iter().map(|state| local(model, equations, state));
    let parts = parts(model, system, &here.collect::<Vec<_>>())?;
    let step = model.simulation.step;
    let of_parts: Vec<JointSpring> = parts
        .iter()
        .map(|part| spring(model, part, crowd(&parts, part), step))
        .collect();
    let numbers = of_parts.iter().map(|spring| at_defaults(model, spring));
    let numbers: Vec<[f64; 2]> = numbers.collect();
    let springs = SpringStiffness {
        of_rows: of_rows(&parts, &of_parts),
        stable_below: stable(&parts, &numbers, LIMIT),
    };
    let mut found = Diagnostics::new();
    let written = parts.iter().find(|part| is_written(model, part));
    if let (Some(first), Some(start)) = (written, states.first())
        && stiffest(model, equations, &springs.of_rows, start, step) >= LIMIT
    {
        let enough = stable(&parts, &numbers, MARGIN * LIMIT);
        found.push(too_stiff(model, first, step, enough));
    }
    Ok((springs, found))
}

/// The spring of each constraint equation, which is that of its part.
fn of_rows(parts: &[SpringGroup], springs: &[JointSpring]) -> Vec<JointSpring> {
    let both = parts.iter().zip(springs);
    let rows = both.flat_map(|(part, spring)| part.rows.iter().map(move |row| (*row, spring)));
    let rows: BTreeMap<usize, &JointSpring> = rows.collect();
    rows.into_values().cloned().collect()
}

/// Rows of one joint or coupling that share a spring.
struct SpringGroup {
    rows: Vec<usize>,
    owner: Owner,
    /// True for lengths, false for angles.
    along: bool,
    /// The bodies that it acts on.
    bodies: Vec<usize>,
    /// α_a + α_b
    alpha: f64,
}

/// The parts: the lengths that one joint keeps, the angles that it keeps, each driver, and each coupling.
fn parts(
    model: &Model,
    system: &System,
    here: &[SparseEquations],
) -> Result<Vec<SpringGroup>, Diagnostics> {
    let mut groups: BTreeMap<(Owner, Option<usize>, bool), Vec<usize>> = BTreeMap::new();
    for (index, row) in system.rows.iter().enumerate() {
        let driver = row.driver.then_some(index);
        let group = groups.entry((row.owner, driver, is_along(row)));
        group.or_default().push(index);
    }
    let part = |((owner, _, along), rows): ((Owner, _, bool), Vec<usize>)| {
        let (bodies, found) = receptance(model, here, &rows)?;
        let alpha = found.max(across(model, here, owner));
        Ok(SpringGroup {
            rows,
            owner,
            along,
            bodies,
            alpha,
        })
    };
    groups.into_iter().map(part).collect()
}

/// By its effect on the one joint, or on the second one of a coupling.
fn is_along(row: &ConstraintEquation) -> bool {
    let mut wrenches = row.wrenches.iter().take(1);
    wrenches.any(|(_, wrench)| !wrench.linear.iter().all(Expr::is_zero))
}

/// The bodies that rows act on, and Σ α over them, the largest of all states.
fn receptance(
    model: &Model,
    here: &[SparseEquations],
    rows: &[usize],
) -> Result<(Vec<usize>, f64), Diagnostics> {
    let n = body_size(model);
    let (mut bodies, mut largest) = (Vec::new(), 0.0);
    for now in here {
        let mut alpha = 0.0;
        for body in 0..model.bodies.len() {
            let block = block(&now.rows, rows, body * n, n);
            if block.amax() == 0.0 {
                continue;
            }
            let all: Vec<usize> = (body * n..(body + 1) * n).collect();
            let mass = self::block(&now.mass, &all, body * n, n);
            let Some(factor) = mass.cholesky() else {
                return Err(no_inertia(model, body).into());
            };
            let weighted = &block * factor.solve(&block.transpose());
            alpha += largest_eigenvalue(weighted);
            if !bodies.contains(&body) {
                bodies.push(body);
            }
        }
        largest = f64::max(largest, alpha);
    }
    Ok((bodies, largest))
}

/// Σ 1/m + r²/J over the ends of a distance, J being the least moment; zero for others.
fn across(model: &Model, here: &[SparseEquations], owner: Owner) -> f64 {
    let Owner::Joint(joint) = owner else {
        return 0.0;
    };
    let joint = &model.joints[joint.0 as usize];
    let (Some(now), true) = (here.first(), joint.kind.is_rod()) else {
        return 0.0;
    };
    let n = body_size(model);
    let end = |end: &Marker| {
        let Some(body) = end.body else { return 0.0 };
        let first = n * body.0 as usize;
        let turning: Vec<usize> = (first + n.div_ceil(2)..first + n).collect();
        let moments = block(&now.mass, &turning, turning[0], turning.len());
        let least = SymmetricEigen::new(moments).eigenvalues.min();
        let mass = block(&now.mass, &[first], first, 1)[(0, 0)];
        1.0 / mass + model.lever(end).powi(2) / least
    };
    end(&joint.first) + end(&joint.second)
}

/// Velocities of a body.
fn body_size(model: &Model) -> usize {
    match model.space {
        Space::Planar => 3,
        Space::Spatial => 6,
    }
}

/// Some rows of a sparse matrix, and `n` of its columns.
fn block(matrix: &[SparseRow], rows: &[usize], first: usize, n: usize) -> DMatrix<f64> {
    let mut block = DMatrix::zeros(rows.len(), n);
    for (k, row) in rows.iter().enumerate() {
        for &(j, value) in &matrix[*row] {
            if (first..first + n).contains(&(j as usize)) {
                block[(k, j as usize - first)] = value;
            }
        }
    }
    block
}

fn largest_eigenvalue(matrix: DMatrix<f64>) -> f64 {
    SymmetricEigen::new(matrix).eigenvalues.max()
}

/// Number of parts that act on the more crowded body of this part.
fn crowd(parts: &[SpringGroup], part: &SpringGroup) -> usize {
    let on = |body: &usize| parts.iter().filter(|p| p.bodies.contains(body)).count();
    part.bodies.iter().map(on).max().unwrap_or(1)
}

/// The spring of the description, or k = ω²/α and c = 2 ζ √(k/α).
fn spring(model: &Model, part: &SpringGroup, crowd: usize, step: f64) -> JointSpring {
    let share = MARGIN / crowd as f64;
    let omega = 2.0 * ((DAMPING * DAMPING + share).sqrt() - DAMPING) / step;
    let alpha = part.alpha.max(f64::MIN_POSITIVE);
    let written = written(model, part);
    let stiffness = written.stiffness.clone();
    let stiffness = stiffness.unwrap_or_else(|| Expr::constant(omega * omega / alpha));
    let damping = written.damping.clone().unwrap_or_else(|| {
        let root = (&stiffness / Expr::constant(alpha)).sqrt();
        Expr::constant(2.0 * DAMPING) * root
    });
    JointSpring { stiffness, damping }
}

fn written<'m>(model: &'m Model, part: &SpringGroup) -> &'m crate::model::Spring {
    match part.owner {
        Owner::Joint(id) => {
            let compliance = &model.joints[id.0 as usize].compliance;
            match part.along {
                true => &compliance.along,
                false => &compliance.about,
            }
        }
        Owner::Coupling(id) => &model.couplings[id.0 as usize].compliance,
        Owner::Body(_) => &RIGID,
    }
}

fn is_written(model: &Model, part: &SpringGroup) -> bool {
    !written(model, part).is_empty()
}

/// The largest eigenvalue of M⁻¹ G at a state of absolute coordinates: steps are stable there if it is below 4.
pub fn stiffest(
    model: &Model,
    equations: &Equations,
    springs: &[JointSpring],
    state: &State,
    step: f64,
) -> f64 {
    let now = local(model, equations, state);
    let n = now.mass.len();
    let all: Vec<usize> = (0..n).collect();
    let Some(factor) = block(&now.mass, &all, 0, n).cholesky() else {
        return f64::INFINITY;
    };
    let rows: Vec<usize> = (0..springs.len()).collect();
    let mut scaled = block(&now.rows, &rows, 0, n);
    for (mut row, spring) in scaled.row_iter_mut().zip(springs) {
        let [k, c] = at_defaults(model, spring);
        row *= (step * step * k + 2.0 * step * c).sqrt();
    }
    let weighted = factor.solve(&scaled.transpose());
    largest_eigenvalue(scaled * weighted)
}

fn at_defaults(model: &Model, spring: &JointSpring) -> [f64; 2] {
    [&spring.stiffness, &spring.damping].map(|x| model.at_defaults(x))
}

/// The step at which Σ α (h² k + 2 h c) of some body reaches the limit.
fn stable(parts: &[SpringGroup], numbers: &[[f64; 2]], limit: f64) -> f64 {
    let mut sums: BTreeMap<usize, [f64; 2]> = BTreeMap::new();
    for (part, [k, c]) in parts.iter().zip(numbers) {
        for body in &part.bodies {
            let [square, linear] = sums.entry(*body).or_default();
            *square += part.alpha * k;
            *linear += 2.0 * part.alpha * c;
        }
    }
    // a h² + b h = l has the root 2 l / (b + √(b² + 4 a l)), which needs no difference.
    let root = |[a, b]: &[f64; 2]| 2.0 * limit / (b + (b * b + 4.0 * a * limit).sqrt());
    sums.values().map(root).fold(f64::INFINITY, f64::min)
}

fn too_stiff(model: &Model, first: &SpringGroup, step: f64, enough: f64) -> Diagnostic {
    let is_coupling = matches!(first.owner, Owner::Coupling(_));
    let key = match (first.along || is_coupling, &written(model, first).stiffness) {
        (true, Some(_)) => "stiffness",
        (true, None) => "damping",
        (false, Some(_)) => "rotational_stiffness",
        (false, None) => "rotational_damping",
    };
    let message = format!(
        "with the stiffness and damping of {}, steps of {step:e} s are not stable",
        first.owner.describe(model)
    );
    let enough = rounded_down(enough);
    let (_, path) = first.owner.name(model);
    Diagnostic::warning(Code::F406, &path.key(key), message)
        .hint(format!("steps of {enough:e} s are; or leave `{key}` out"))
}

/// One digit of a number, rounded down.
fn rounded_down(x: f64) -> f64 {
    let scale = 10f64.powf(x.log10().floor());
    // Written out and read again, so that the digit is not followed by round-off.
    format!("{:.0}e{:.0}", (x / scale).floor(), scale.log10())
        .parse()
        .unwrap_or(x)
}

fn no_inertia(model: &Model, body: usize) -> Diagnostic {
    let body = &model.bodies[body];
    let message = format!(
        "`discrete` needs inertia about every axis, and body `{}` has none about some",
        body.name
    );
    Diagnostic::error(Code::F402, &body.path, message)
        .hint("give it inertia, or write `formulation = \"body\"`")
}
