//! An independent solver: the plain bordered system in absolute coordinates, by dense algebra.
//!
//! ```text
//! M v̇ = Q + Dᵀ λ        D v̇ = γ
//! ```
//!
//! M is that of rigid bodies about their centres, rows are those of [`super::rows`], and D and γ are their coefficients
//! along motions. Nothing here knows the compiler.

use nalgebra::{DMatrix, DVector, Matrix3};

use super::case::Law;
use super::jet::Jet;
use super::rows::Moving;
use crate::physics::applied::{Wrench, applied};
use crate::physics::machine::Motion;
use crate::physics::mechanism::{Mechanism, Vector};

/// Whose row it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    Joint(usize),
    /// Of a joint, and which of its driven coordinates.
    Driver(usize, usize),
    Coupling(usize),
}

/// The result of the solver.
pub struct Solution {
    /// Of the centre and of the turn of each body.
    pub accelerations: Vec<[Vector; 2]>,
    /// Owners and multipliers of the rows.
    pub multipliers: Vec<(Owner, f64)>,
    /// Force and torque on the second body of each joint, about its point; drivers included.
    pub reactions: Vec<Wrench>,
    /// The largest Φ̇, of which a consistent state leaves nothing.
    pub violation: f64,
    /// The smallest pivot that counts, as a share of the largest.
    pub least: f64,
}

/// A pivot that is smaller than this share of the largest is round-off: of a row that repeats others, or of a turn
/// without inertia. Round-off leaves some 1e-15.
const ROUND_OFF: f64 = 1e-13;

/// Accelerations and multipliers. `laws` are those of drivers, by joint and coordinate.
pub fn solve(
    mechanism: &Mechanism,
    motions: &[Motion],
    laws: &[(usize, &'static str, Law)],
    time: f64,
) -> Solution {
    let rows = rows(mechanism, motions, laws, time);
    let axes = axes(mechanism);
    let (n, m) = (axes.len() * motions.len(), rows.len());
    let mut matrix = DMatrix::zeros(n + m, n + m);
    let mut right = DVector::zeros(n + m);
    let loads = applied(mechanism, motions);
    for (i, (now, load)) in motions.iter().zip(&loads).enumerate() {
        let body = &mechanism.bodies[i];
        let tensor = now.turned(&body.inertia);
        let force = body.mass * mechanism.gravity + load.force;
        let torque = load.torque - now.spin.cross(&(tensor * now.spin));
        for (j, one) in axes.iter().enumerate() {
            let row = axes.len() * i + j;
            right[row] = one[0].dot(&force) + one[1].dot(&torque);
            for (k, two) in axes.iter().enumerate() {
                let translation = body.mass * one[0].dot(&two[0]);
                matrix[(row, axes.len() * i + k)] = translation + one[1].dot(&(tensor * two[1]));
            }
        }
    }
    for (k, row) in rows.iter().enumerate() {
        right[n + k] = row.gamma;
        for &(body, axis, entry) in &row.entries {
            let column = axes.len() * body + axis;
            matrix[(n + k, column)] = entry;
            matrix[(column, n + k)] = -entry;
        }
    }
    let found = eliminate(matrix, right);
    let accelerations = (0..motions.len()).map(|i| {
        let part = |side: usize| -> Vector {
            let sum = axes.iter().enumerate();
            sum.map(|(j, axis)| found.x[axes.len() * i + j] * axis[side])
                .sum()
        };
        [part(0), part(1)]
    });
    let multipliers = rows
        .iter()
        .enumerate()
        .map(|(k, row)| (row.owner, found.x[n + k]));
    let multipliers: Vec<(Owner, f64)> = multipliers.collect();
    let owned = |values: &DVector<f64>| -> Vec<(Owner, f64)> {
        let each = multipliers.iter().zip(values.iter());
        each.map(|((owner, _), value)| (*owner, *value)).collect()
    };
    let felt = |values: &DVector<f64>| {
        let values = owned(values);
        let joints = reactions(mechanism, motions, &rows, &axes, &values);
        let joints = joints.iter().flat_map(|one| [one.force, one.torque]);
        let joints = joints.flat_map(|one| [one.x, one.y, one.z]);
        let couplings = values.iter();
        let couplings = couplings.filter(|(owner, _)| matches!(owner, Owner::Coupling(_)));
        let all: Vec<f64> = joints.chain(couplings.map(|(_, x)| *x)).collect();
        DVector::from_vec(all)
    };
    let given = DVector::from_iterator(m, multipliers.iter().map(|(_, x)| *x));
    let multipliers = owned(&smallest(&given, &matrix_of(&rows, n), felt));
    Solution {
        accelerations: accelerations.collect(),
        reactions: reactions(mechanism, motions, &rows, &axes, &multipliers),
        violation: rows.iter().fold(0.0, |most, row| most.max(row.rate.abs())),
        multipliers,
        least: found.least,
    }
}

/// λ + N z with the smallest R(λ + N z), for R that is affine: reactions where constraints are redundant.
pub fn smallest(
    given: &DVector<f64>,
    rows: &DMatrix<f64>,
    felt: impl Fn(&DVector<f64>) -> DVector<f64>,
) -> DVector<f64> {
    let none = felt(given);
    let stresses = null_space(rows).into_iter();
    let stresses = stresses.map(|one| (felt(&(given + &one)) - &none, one));
    // Self-stresses of points inside a body are felt by no joint.
    let (taken, _) = orthonormal(stresses.collect(), 1e-7);
    let mut found = given.clone();
    for (felt_of_it, stress) in taken {
        found -= stress * felt_of_it.dot(&felt(&found));
    }
    found
}

/// Vectors that span Dᵀ n = 0. Rows have entries of about 1. States are compared where pivots are above 1e-4, and
/// round-off leaves 1e-15; points of a body may lie so that distances between them are nearly parallel.
fn null_space(rows: &DMatrix<f64>) -> Vec<DVector<f64>> {
    let m = rows.nrows();
    let unit = |k: usize| DVector::from_fn(m, |i, _| f64::from(u8::from(i == k)));
    let named = (0..m).map(|k| (rows.row(k).transpose(), unit(k)));
    let (_, left) = orthonormal(named.collect(), 1e-11);
    left.into_iter().map(|(_, stress)| stress).collect()
}

/// A vector, and what it is a combination of.
type Combined = (DVector<f64>, DVector<f64>);

/// Gram and Schmidt, the largest vector first, until none is larger than `least`. Returns orthonormal vectors and the
/// rest.
fn orthonormal(mut list: Vec<Combined>, least: f64) -> (Vec<Combined>, Vec<Combined>) {
    let mut taken: Vec<Combined> = Vec::new();
    loop {
        let sizes = list.iter().map(|(vector, _)| vector.norm()).enumerate();
        let largest = sizes.max_by(|(_, a), (_, b)| a.total_cmp(b));
        let Some((index, size)) = largest.filter(|(_, size)| *size > least) else {
            return (taken, list);
        };
        let (mut vector, mut of) = list.swap_remove(index);
        vector /= size;
        of /= size;
        for (other, other_of) in &mut list {
            // Twice is enough.
            for _ in 0..2 {
                let along = other.dot(&vector);
                other.axpy(-along, &vector, 1.0);
                other_of.axpy(-along, &of, 1.0);
            }
        }
        taken.push((vector, of));
    }
}

/// A unit velocity and a unit angular velocity.
type Axis = [Vector; 2];

/// Directions in which a body moves.
fn axes(mechanism: &Mechanism) -> Vec<Axis> {
    let shift = |k: usize| [Vector::ith(k, 1.0), Vector::zeros()];
    let turn = |k: usize| [Vector::zeros(), Vector::ith(k, 1.0)];
    match mechanism.planar() {
        true => vec![shift(0), shift(1), turn(2)],
        false => (0..3).map(shift).chain((0..3).map(turn)).collect(),
    }
}

struct Row {
    owner: Owner,
    /// Body, axis and what the row has of it.
    entries: Vec<(usize, usize, f64)>,
    /// Φ̇ = D v + Φ_t
    rate: f64,
    /// −Φ̈ at v̇ = 0
    gamma: f64,
}

fn rows(
    mechanism: &Mechanism,
    motions: &[Motion],
    laws: &[(usize, &'static str, Law)],
    time: f64,
) -> Vec<Row> {
    let mut rows = Vec::new();
    let none = [0.0; 2];
    for (index, joint) in mechanism.joints.iter().enumerate() {
        let bodies = bodies(mechanism, &[index]);
        let kept = |moving: &Moving| moving.kept(joint);
        rows.extend(along(
            mechanism,
            motions,
            &bodies,
            Owner::Joint(index),
            none,
            kept,
        ));
        let driven = laws.iter().filter(|(driven, ..)| *driven == index);
        for (n, (_, name, law)) in driven.enumerate() {
            let value = |moving: &Moving| vec![moving.coordinate(joint, name)];
            let owner = Owner::Driver(index, n);
            rows.extend(along(
                mechanism,
                motions,
                &bodies,
                owner,
                law.rates(time),
                value,
            ));
        }
    }
    for (index, coupling) in mechanism.couplings.iter().enumerate() {
        let [(a, first), (b, second)] = coupling.ends;
        let value = |moving: &Moving| {
            let joints = &mechanism.joints;
            let one = moving.coordinate(&joints[a], first);
            vec![moving.coordinate(&joints[b], second) - coupling.ratio * one]
        };
        let bodies = bodies(mechanism, &[a, b]);
        rows.extend(along(
            mechanism,
            motions,
            &bodies,
            Owner::Coupling(index),
            none,
            value,
        ));
    }
    rows
}

/// The bodies of joints, each once.
fn bodies(mechanism: &Mechanism, joints: &[usize]) -> Vec<usize> {
    let ends = joints
        .iter()
        .flat_map(|&joint| mechanism.joints[joint].ends);
    let mut bodies: Vec<usize> = ends.filter_map(|end| end.body).collect();
    bodies.sort_unstable();
    bodies.dedup();
    bodies
}

/// Rows from their values along motions: the given one, and one for each axis of each body. `law` are the first two
/// derivatives of what they are compared with.
fn along(
    mechanism: &Mechanism,
    motions: &[Motion],
    bodies: &[usize],
    owner: Owner,
    law: [f64; 2],
    values: impl Fn(&Moving) -> Vec<Jet>,
) -> Vec<Row> {
    let at = |motions: Vec<Motion>| values(&Moving { mechanism, motions });
    let given = at(motions.to_vec()).into_iter();
    let mut rows: Vec<Row> = given
        .map(|Jet([_, rate, half_second])| Row {
            owner,
            entries: Vec::new(),
            rate: rate - law[0],
            gamma: law[1] - 2.0 * half_second,
        })
        .collect();
    let still = motions.iter().map(|now| Motion {
        velocity: Vector::zeros(),
        spin: Vector::zeros(),
        ..*now
    });
    let still: Vec<Motion> = still.collect();
    for &body in bodies {
        for (k, axis) in axes(mechanism).into_iter().enumerate() {
            let mut moved = still.clone();
            (moved[body].velocity, moved[body].spin) = (axis[0], axis[1]);
            for (row, jet) in rows.iter_mut().zip(at(moved)) {
                row.entries.push((body, k, jet.0[1]));
            }
        }
    }
    rows
}

/// The rows as a matrix of n columns.
fn matrix_of(rows: &[Row], n: usize) -> DMatrix<f64> {
    let width = rows.iter().flat_map(|row| row.entries.iter());
    let per_body = width.map(|(_, axis, _)| axis + 1).max().unwrap_or(1);
    let per_body = if per_body > 3 { 6 } else { 3 };
    let mut matrix = DMatrix::zeros(rows.len(), n);
    for (k, row) in rows.iter().enumerate() {
        for &(body, axis, entry) in &row.entries {
            matrix[(k, per_body * body + axis)] = entry;
        }
    }
    matrix
}

fn reactions(
    mechanism: &Mechanism,
    motions: &[Motion],
    rows: &[Row],
    axes: &[Axis],
    multipliers: &[(Owner, f64)],
) -> Vec<Wrench> {
    let joints = mechanism.joints.iter().enumerate();
    joints
        .map(|(index, joint)| {
            let own =
                |owner: Owner| matches!(owner, Owner::Joint(j) | Owner::Driver(j, _) if j == index);
            // The force on ground is opposite to that on the first body.
            let [first, second] = joint.ends.map(|end| end.body);
            let (body, sign) = match (first, second) {
                (_, Some(body)) => (body, 1.0),
                (Some(body), None) => (body, -1.0),
                (None, None) => return Wrench::zero(),
            };
            let mut total = Wrench::zero();
            for (row, (owner, multiplier)) in rows.iter().zip(multipliers) {
                let entries = row
                    .entries
                    .iter()
                    .filter(|(other, ..)| own(*owner) && *other == body);
                for &(_, axis, entry) in entries {
                    total.force += sign * multiplier * entry * axes[axis][0];
                    total.torque += sign * multiplier * entry * axes[axis][1];
                }
            }
            total.moved(motions[body].center, mechanism.now(&joint.ends[1], motions))
        })
        .collect()
}

struct Found {
    x: DVector<f64>,
    least: f64,
}

/// Gauss with full pivoting; unknowns whose pivots are round-off are zero.
fn eliminate(matrix: DMatrix<f64>, right: DVector<f64>) -> Found {
    let n = matrix.ncols();
    let mut augmented = matrix.insert_column(n, 0.0);
    augmented.set_column(n, &right);
    let Pivots {
        matrix,
        columns,
        sizes,
    } = Pivots::of_augmented(augmented, n);
    let mut x = DVector::zeros(n);
    for k in (0..sizes.len()).rev() {
        let mut left = matrix[(k, n)];
        for j in k + 1..sizes.len() {
            left -= matrix[(k, j)] * x[columns[j]];
        }
        x[columns[k]] = left / matrix[(k, k)];
    }
    let largest = sizes.first().copied().unwrap_or(1.0);
    Found {
        x,
        least: sizes.last().copied().unwrap_or(1.0) / largest,
    }
}

/// A matrix in triangular form with the largest pivot of all first.
struct Pivots {
    matrix: DMatrix<f64>,
    /// Which column stands where.
    columns: Vec<usize>,
    sizes: Vec<f64>,
}

impl Pivots {
    /// Columns from the n-th on only follow.
    fn of_augmented(mut matrix: DMatrix<f64>, n: usize) -> Self {
        let mut columns: Vec<usize> = (0..n).collect();
        let mut sizes: Vec<f64> = Vec::new();
        for k in 0..n.min(matrix.nrows()) {
            let rest = matrix.view((k, k), (matrix.nrows() - k, n - k));
            let (i, j) = rest.iamax_full();
            let size = rest[(i, j)].abs();
            if size <= ROUND_OFF * sizes.first().copied().unwrap_or(0.0) || size == 0.0 {
                break;
            }
            matrix.swap_rows(k, k + i);
            matrix.swap_columns(k, k + j);
            columns.swap(k, k + j);
            sizes.push(size);
            for row in k + 1..matrix.nrows() {
                let factor = matrix[(row, k)] / matrix[(k, k)];
                if factor == 0.0 {
                    continue;
                }
                for column in k..matrix.ncols() {
                    matrix[(row, column)] -= factor * matrix[(k, column)];
                }
            }
        }
        Self {
            matrix,
            columns,
            sizes,
        }
    }
}

/// T of rigid bodies, by hand.
pub fn kinetic(mechanism: &Mechanism, motions: &[Motion]) -> f64 {
    let each = mechanism.bodies.iter().zip(motions);
    each.map(|(body, now)| {
        let tensor: Matrix3<f64> = now.turned(&body.inertia);
        0.5 * (body.mass * now.velocity.norm_squared() + now.spin.dot(&(tensor * now.spin)))
    })
    .sum()
}
