//! Kinetic energy of the points: T = ½ Σ W_ij ṙ_i · ṙ_j, in the plane ½ m |v_G|² + ½ J |ė_x|².

use super::super::kinematics::BodyKinematics;
use super::super::vector::{add, dot, scale, zero};
use super::super::{Load, System};
use super::layout::Layout;
use super::points::{BodyPoint, BodyPoints, Derivative, Swing};
use crate::description::Space;
use crate::diagnostics::Path;
use crate::expr::Expr;
use crate::model::{Body, BodyId, Extent, Vector};

/// Entries below this part of √(W_ii W_jj) are round-off of the geometry.
const NOISE: f64 = 1e-14;

/// Adds the kinetic energy of a body, and the inertia forces of the part of its accelerations that is quadratic in v.
pub fn inertia(kinematics: &mut BodyKinematics, layout: &Layout, index: usize) {
    let body = &kinematics.model.bodies[index];
    let points = &layout.bodies[index];
    let planar = kinematics.model.space == Space::Planar;
    if planar && points.points.iter().any(BodyPoint::swirls) {
        return swinging(&mut kinematics.system, body, points);
    }
    if let (Extent::Body, Space::Planar) = (body.extent, kinematics.model.space) {
        let velocity = kinematics.center_velocity(BodyId(index as u32));
        let rate = points.combine(&points.direction(0), Derivative::Velocity);
        let energy =
            &body.mass * dot(&velocity, &velocity) + &body.inertia[2][2] * dot(&rate, &rate);
        let system = &mut kinematics.system;
        system.kinetic = &system.kinetic + Expr::constant(0.5) * energy;
        return;
    }
    let weights = weights(body, points);
    let generators: Vec<&BodyPoint> = points.generators().collect();
    let system = &mut kinematics.system;
    for (i, point) in generators.iter().enumerate() {
        for (j, other) in generators.iter().enumerate().take(i + 1) {
            let factor = if i == j { 0.5 } else { 1.0 };
            let product = dot(&point.velocity, &other.velocity);
            system.kinetic = &system.kinetic + Expr::constant(factor) * &weights[i][j] * product;
        }
        let parts = generators.iter().zip(&weights[i]);
        let effort = parts.fold(zero(), |sum, (other, weight)| {
            add(&sum, &scale(weight, &other.swirl))
        });
        inertia_loads(system, &body.path, effort, &point.velocity);
    }
}

/// The kinetic energy of a planar body with points on circles, whose |v|² is known. With the centre at r0 + (a + b
/// J)(r1 − r0) and g = m (a² + b²) + J / |r1 − r0|²,
///
/// ```text
/// 2 T = (m − 2 m a + g) |v0|² + g |v1|² + 2 (m a − g) v0 · v1 + 2 m b v0 · J v1
/// ```
///
/// The swirl of a point on a circle is along the arm, so it gives no inertia force on the point itself.
fn swinging(system: &mut System, body: &Body, points: &BodyPoints) {
    let [first, second] = &points.points[..] else {
        return;
    };
    let (a, b) = points.point(&Vector::default())[1].clone();
    let square: f64 = (0..2).map(|k| (second.at[k] - first.at[k]).powi(2)).sum();
    let two = Expr::constant(2.0);
    let share = &body.mass * &a;
    let far = &body.mass * (a.square() + b.square()) + &body.inertia[2][2] / Expr::constant(square);
    let near = &body.mass - &two * &share + &far;
    let (mixed, turned) = (share - &far, &body.mass * &b);
    let quarter = |v: &Vector| [-&v[1], v[0].clone(), Expr::zero()];
    let felt = |v: &Vector, sense: Expr| add(&scale(&mixed, v), &scale(&sense, &quarter(v)));
    let energy = [
        &near * first.speed_square(),
        &far * second.speed_square(),
        two * dot(&first.velocity, &felt(&second.velocity, turned.clone())),
    ];
    for addend in energy {
        system.kinetic = &system.kinetic + Expr::constant(0.5) * addend;
    }
    if let (Some(one), Some(other)) = (&first.swing, &second.swing) {
        return swirling(system, body, [one, other], [&mixed, &turned]);
    }
    let own = |point: &BodyPoint, weight: &Expr| match point.swing {
        Some(_) => zero(),
        None => scale(weight, &point.swirl),
    };
    let effort = add(&own(first, &near), &felt(&second.swirl, turned.clone()));
    inertia_loads(system, &body.path, effort, &first.velocity);
    let effort = add(&own(second, &far), &felt(&first.swirl, -turned));
    inertia_loads(system, &body.path, effort, &second.velocity);
}

/// Inertia forces between two points that go round with ω1 and ω2 on arms a and b, from each other's swirl, with c = m
/// a − g and s = m b of the body between them: ω2² x along ω1 and −ω1² x along ω2, x = c (a × b) + s (a · b).
fn swirling(
    system: &mut System,
    body: &Body,
    [one, other]: [&Swing; 2],
    [mixed, turned]: [&Expr; 2],
) {
    let (a, b) = (&one.arm, &other.arm);
    let felt = mixed * (&a[0] * &b[1] - &a[1] * &b[0]) + turned * dot(a, b);
    let pairs = [
        (other.rate.square() * &felt, &one.rate),
        (-(one.rate.square() * &felt), &other.rate),
    ];
    system.loads.extend(pairs.map(|(effort, flow)| Load {
        path: body.path.clone(),
        conservative: effort.clone(),
        effort,
        flow: flow.clone(),
    }));
}

/// −(m a) · ṙ for the part of the accelerations that is quadratic in v. The kinetic energy accounts for its work.
fn inertia_loads(system: &mut System, path: &Path, effort: Vector, flow: &Vector) {
    let pairs = effort.into_iter().zip(flow);
    let loads = pairs
        .filter(|(effort, _)| !effort.is_zero())
        .map(|(effort, flow)| Load {
            path: path.clone(),
            conservative: -&effort,
            effort: -effort,
            flow: flow.clone(),
        });
    system.loads.extend(loads);
}

/// W_ij = Σ E_ki Q_kl E_lj + m c_i c_j over the points and the normal, with c the coefficients of the centre
/// and E_k those of the body's axis k; of a rod as it is along its axis, of a point mass m.
pub fn weights(body: &Body, points: &BodyPoints) -> Vec<Vec<Expr>> {
    match body.extent {
        Extent::Point => return vec![vec![body.mass.clone()]],
        Extent::Line(_) => {
            let rows = points.weights(&body.mass, &body.moment_across());
            return rows.map(Vec::from).into();
        }
        Extent::Body => {}
    }
    let of = |list: Vec<(Expr, Expr)>| list.into_iter().map(|(a, _)| a).collect::<Vec<Expr>>();
    let center = of(points.point(&Vector::default()));
    let axes = [0, 1, 2].map(|k| of(points.direction(k)));
    let moments = second_moments(Space::Spatial, &body.inertia);
    let entry = |i: usize, j: usize| -> Expr {
        let of_axes = moments.iter();
        let of_axes: Expr = of_axes
            .map(|(k, l, moment)| &axes[*k][i] * moment * &axes[*l][j])
            .sum();
        of_axes + &body.mass * &center[i] * &center[j]
    };
    let n = center.len();
    let rows: Vec<Vec<Expr>> = (0..n)
        .map(|i| (0..n).map(|j| entry(i.max(j), i.min(j))).collect())
        .collect();
    without_noise(rows)
}

fn without_noise(mut rows: Vec<Vec<Expr>>) -> Vec<Vec<Expr>> {
    let size = |(i, row): (usize, &Vec<Expr>)| row[i].as_constant().unwrap_or(0.0).abs().sqrt();
    let sizes: Vec<f64> = rows.iter().enumerate().map(size).collect();
    for (i, row) in rows.iter_mut().enumerate() {
        for (j, entry) in row.iter_mut().enumerate() {
            let is_noise = |x: f64| i != j && x.abs() < NOISE * sizes[i] * sizes[j];
            if entry.as_constant().is_some_and(is_noise) {
                *entry = Expr::zero();
            }
        }
    }
    rows
}

/// Q = ½ tr(J) 1 − J about the centre of mass. In the plane J ė_x · ė_x is the same energy.
pub fn second_moments(space: Space, inertia: &[[Expr; 3]; 3]) -> Vec<(usize, usize, Expr)> {
    if space == Space::Planar {
        return vec![(0, 0, inertia[2][2].clone())];
    }
    let trace = &inertia[0][0] + &inertia[1][1] + &inertia[2][2];
    let mut list = Vec::new();
    for (k, row) in inertia.iter().enumerate() {
        for (l, entry) in row.iter().enumerate() {
            let diagonal = match k == l {
                true => Expr::constant(0.5) * &trace,
                false => Expr::zero(),
            };
            let moment = diagonal - entry;
            if !moment.is_zero() {
                list.push((k, l, moment));
            }
        }
    }
    list
}
