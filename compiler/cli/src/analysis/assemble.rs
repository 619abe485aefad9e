//! Closes a rough guess, or reports the joints that stay open. All joints outside of cuts are closed, and the cuts
//! come as near as they can. A remaining gap is then the missing length of its loop.

use nalgebra::{DMatrix, DVector, UnitQuaternion, Vector3};

use super::close::{
    HeldRow, all_closed, close, close_velocities, is_closed, joints, residual, rows,
};
use super::equilibrium::{StaticLoad, equilibrium};
use super::loops::smallest_loop;
use super::mechanism::{Change, DenseEquations, Mechanism};
use super::motions::Motions;
use crate::front_end::Role;
use crate::joints::JointCoordinate;
use crate::numeric::State;

/// The result of closing a guess.
pub struct AssemblyAnswer {
    /// Bodies, in the order of the description.
    pub bodies: Vec<PlacedBody>,
    /// Violation of each equation that holds.
    pub rows: Vec<RowGap>,
    /// Joints, motions, couplings and holds that stay open; empty if the mechanism closes.
    pub open: Vec<OpenJoint>,
    /// Degrees of freedom that remain.
    pub freedoms: usize,
    /// Redundant rows of D.
    pub redundant: Vec<usize>,
}

/// The place of a body.
pub struct PlacedBody {
    /// The origin of its frame.
    pub position: [f64; 3],
    /// Its angle in the plane.
    pub angle: f64,
    /// Its Euler parameters in space.
    pub orientation: [f64; 4],
    /// Distance of the origin from its guess.
    pub moved: f64,
    /// Angle by which it turned from its guess.
    pub turned: f64,
}

/// Violation of a constraint equation.
pub struct RowGap {
    /// Its row of D.
    pub row: usize,
    /// Violation in the guess.
    pub before: f64,
    /// Violation after assembly.
    pub after: f64,
}

/// One element that stays open.
pub enum OpenJoint {
    /// A joint, with the distance of its points or the remaining angle.
    Joint(Gap),
    /// The equation of a prescribed motion or a coupling, with its violation.
    Row(usize, f64),
    /// A prescribed motion that begins where the joints cannot be, with its violation and the value of the coordinate
    /// that the joints allow.
    Driver(usize, f64, Option<f64>),
    /// Prescribed motions that contradict each other.
    Drivers(Contradiction),
    /// A hold of the description, by its number, with its violation.
    Hold(usize, f64),
}

/// Prescribed motions of which one follows from the others.
pub struct Contradiction {
    /// Rows of the motions. The last one follows from the others.
    pub rows: Vec<usize>,
    /// Degrees of freedom that the joints leave without any prescribed motion.
    pub freedoms: usize,
}

/// A joint that does not close.
pub struct Gap {
    /// The joint.
    pub joint: usize,
    /// The gap, in metres or radians.
    pub gap: f64,
    /// True if the gap is an angle.
    pub is_angle: bool,
    /// Bodies of its loop with their lengths from joint to joint; `None` is ground.
    pub links: Vec<(Option<usize>, f64)>,
    /// Bodies that would close the loop with another length, and whether it has to be longer or shorter.
    pub remedies: Vec<(Option<usize>, Remedy)>,
}

/// The change of a length that would close the loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// It is too short.
    Longer,
    /// It is too long.
    Shorter,
}

/// Closes the guess of a mechanism.
pub fn assemble(mechanism: &Mechanism) -> AssemblyAnswer {
    let guess = mechanism.guess();
    let (state, open) = reached(mechanism, &guess);
    let all = joints(mechanism);
    let before = residual(mechanism, &guess, &all);
    let after = residual(mechanism, &state, &all);
    let gaps = (0..all.len()).map(|k| RowGap {
        row: all[k].row,
        before: before[k],
        after: after[k],
    });
    let (freedoms, redundant) = freedoms(mechanism, &state);
    AssemblyAnswer {
        bodies: placed(mechanism, &guess, &state),
        rows: gaps.collect(),
        open,
        freedoms,
        redundant,
    }
}

/// The closed start with its velocities, for callers that need a closed one.
pub fn start(mechanism: &Mechanism) -> Result<State, Vec<OpenJoint>> {
    let guess = mechanism.guess();
    let (state, open) = reached(mechanism, &guess);
    match open.is_empty() {
        true => Ok(close_velocities(
            mechanism,
            &state,
            &with_holds(mechanism, &guess),
        )),
        false => Err(open),
    }
}

/// Tries to satisfy everything; then all but the holds of the description; then all but the drivers; then comes as
/// near as possible.
fn reached(mechanism: &Mechanism, guess: &State) -> (State, Vec<OpenJoint>) {
    let all = with_holds(mechanism, guess);
    let closed = close(mechanism, guess, &all);
    if all_closed(mechanism, &closed) {
        return (closed.state, Vec::new());
    }
    let held = joints(mechanism);
    let is_driven = |hold: &HeldRow| mechanism.elements.rows[hold.row].role == Role::Driven;
    let (driven, kept): (Vec<HeldRow>, Vec<HeldRow>) =
        held.iter().partition(|hold| is_driven(hold));
    for (attempt, blamed) in [(&held, &all[held.len()..]), (&kept, &driven)] {
        let closed = close(mechanism, guess, attempt);
        if all_closed(mechanism, &closed) && !blamed.is_empty() {
            let contradiction = contradiction(mechanism, &closed.state, attempt, blamed);
            let open = match contradiction {
                Some(found) => vec![OpenJoint::Drivers(found)],
                None => blame(mechanism, &closed.state, blamed),
            };
            return (closed.state, open);
        }
    }
    nearest(mechanism, guess, &kept)
}

fn with_holds(mechanism: &Mechanism, guess: &State) -> Vec<HeldRow> {
    let mut all = joints(mechanism);
    let n = mechanism.elements.rows.len();
    let held = mechanism.held(guess);
    let holds = held.iter().enumerate();
    all.extend(holds.map(|(k, value)| HeldRow {
        row: n + k,
        value: *value,
    }));
    all
}

/// The first prescribed motion that follows from those before it, together with these. Its row is a combination of
/// theirs along the motions N that the joints leave.
fn contradiction(
    mechanism: &Mechanism,
    state: &State,
    kept: &[HeldRow],
    blamed: &[HeldRow],
) -> Option<Contradiction> {
    /// A row follows from others if less than this part of it is new.
    const NEW: f64 = 1e-7;
    let is_driven = |hold: &&HeldRow| {
        let part = mechanism.elements.rows.get(hold.row);
        part.is_some_and(|part| part.role == Role::Driven)
    };
    let local = mechanism.local(state);
    let motions = Motions::new(mechanism, state, &local, &rows(kept))?;
    let mut known: Vec<(usize, DVector<f64>)> = Vec::new();
    for hold in blamed.iter().filter(is_driven) {
        let along = motions.free.tr_mul(&local.rows.row(hold.row).transpose());
        let unit = along.try_normalize(f64::MIN_POSITIVE);
        let follows = match &unit {
            // The joints leave no motion that it could prescribe.
            None => Some(Vec::new()),
            Some(unit) => combination(&known, unit, NEW),
        };
        if let Some(mut others) = follows {
            others.push(hold.row);
            return Some(Contradiction {
                rows: others,
                freedoms: motions.n_free(),
            });
        }
        known.extend(unit.map(|unit| (hold.row, unit)));
    }
    None
}

/// The known rows of which a row is a combination; `None` if more than `new` of it remains.
fn combination(
    known: &[(usize, DVector<f64>)],
    row: &DVector<f64>,
    new: f64,
) -> Option<Vec<usize>> {
    if known.is_empty() {
        return None;
    }
    let columns: Vec<DVector<f64>> = known.iter().map(|(_, column)| column.clone()).collect();
    let matrix = DMatrix::from_columns(&columns);
    let weights = matrix.clone().svd(true, true).solve(row, new).ok()?;
    if (matrix * &weights - row).norm() > new {
        return None;
    }
    let parts = known.iter().zip(weights.iter());
    let parts = parts.filter(|(_, weight)| weight.abs() > new);
    Some(parts.map(|((row, _), _)| *row).collect())
}

fn blame(mechanism: &Mechanism, state: &State, blamed: &[HeldRow]) -> Vec<OpenJoint> {
    let n = mechanism.elements.rows.len();
    let left = residual(mechanism, state, blamed);
    let open = blamed.iter().zip(left.iter());
    let open = open.filter(|(_, left)| !is_closed(mechanism, **left));
    open.map(|(hold, left)| match hold.row < n {
        true => OpenJoint::Driver(hold.row, *left, driven(mechanism, state, hold.row)),
        false => OpenJoint::Hold(hold.row - n, *left),
    })
    .collect()
}

/// The value, at a state, of the coordinate that a row prescribes.
fn driven(mechanism: &Mechanism, state: &State, row: usize) -> Option<f64> {
    let coordinates = mechanism.coordinates();
    let watched = coordinates
        .iter()
        .find(|one| mechanism.driver(one.row) == Some(row))?;
    Some(mechanism.phi(state)[watched.row])
}

/// Springs in the cuts pull them together, while the other joints hold.
struct AnalysisSprings<'m> {
    mechanism: &'m Mechanism<'m>,
    rows: Vec<usize>,
}

impl AnalysisSprings<'_> {
    /// Angles count with the size of the mechanism.
    fn weight(&self, row: usize) -> f64 {
        match self.mechanism.elements.rows[row].is_angle {
            true => self.mechanism.size().powi(2),
            false => 1.0,
        }
    }
}

impl StaticLoad for AnalysisSprings<'_> {
    /// −Σ w D_iᵀ Φ_i
    fn forces(&self, state: &State, local: &DenseEquations) -> DVector<f64> {
        let phi = self.mechanism.phi(state);
        let force =
            |row: &usize| local.rows.row(*row).transpose() * (-self.weight(*row) * phi[*row]);
        let none = DVector::zeros(local.mass.nrows());
        self.rows
            .iter()
            .map(force)
            .fold(none, |sum, force| sum + force)
    }

    fn change(
        &self,
        state: &State,
        local: &DenseEquations,
        along: &DVector<f64>,
        change: &Change,
    ) -> DVector<f64> {
        let phi = self.mechanism.phi(state);
        let force = |row: &usize| {
            let gradient = local.rows.row(*row).transpose();
            let turned = change.rows.row(*row).transpose() * phi[*row];
            let opened = gradient.dot(along);
            (turned + gradient * opened) * -self.weight(*row)
        };
        let none = DVector::zeros(along.len());
        self.rows
            .iter()
            .map(force)
            .fold(none, |sum, force| sum + force)
    }
}

fn nearest(mechanism: &Mechanism, guess: &State, kept: &[HeldRow]) -> (State, Vec<OpenJoint>) {
    let elements = mechanism.elements;
    // A coupling closes the gap that its joints leave open, as a cut does.
    let is_cut = |hold: &HeldRow| {
        let joint = elements.rows[hold.row].joint;
        joint.is_none_or(|joint| elements.joints[joint].cut)
    };
    let (cut, tree): (Vec<HeldRow>, Vec<HeldRow>) = kept.iter().partition(|hold| is_cut(hold));
    let on_tree = close(mechanism, guess, &tree).state;
    let springs = AnalysisSprings {
        mechanism,
        rows: rows(&cut),
    };
    let rest = equilibrium(mechanism, &on_tree, &tree, &springs);
    let state = rest.map_or(on_tree, |rest| rest.state);
    let left = residual(mechanism, &state, kept);
    let is_open = |(_, left): &(&HeldRow, &f64)| !is_closed(mechanism, **left);
    let mut open: Vec<OpenJoint> = Vec::new();
    let mut reported: Vec<usize> = Vec::new();
    for (hold, left) in kept.iter().zip(left.iter()).filter(is_open) {
        match elements.rows[hold.row].joint {
            None => open.push(OpenJoint::Row(hold.row, *left)),
            Some(joint) if reported.contains(&joint) => {}
            Some(joint) => {
                reported.push(joint);
                open.push(OpenJoint::Joint(gap(mechanism, &state, joint)));
            }
        }
    }
    (state, open)
}

/// The distance of the points that should meet. If they meet, the largest angle that is left.
fn gap(mechanism: &Mechanism, state: &State, joint: usize) -> Gap {
    let elements = mechanism.elements;
    let phi = mechanism.phi(state);
    let own = elements.rows.iter().enumerate();
    let own = own.filter(|(_, row)| row.joint == Some(joint) && row.role == Role::Kept);
    let (mut along, mut about) = (0.0_f64, 0.0_f64);
    for (index, row) in own {
        match row.is_angle {
            true => about = about.max(phi[index].abs()),
            false => along = along.hypot(phi[index]),
        }
    }
    let places = mechanism.places(state);
    let [first, second] = mechanism.ends(joint).map(|end| Vector3::from(places[end]));
    let mut apart = second - first;
    let facts = elements.joints[joint].kind.facts(elements.space);
    if facts.has(JointCoordinate::Length) {
        // Φ = ½ (d²/L − L), solved for L; the missing length of the rod lies along it.
        let (distance, half) = (apart.norm(), along);
        let short = [half, -half].map(|phi| distance - (phi.hypot(distance) - phi));
        along = short[0].abs().min(short[1].abs());
        apart *= along / distance;
    }
    let is_angle = is_closed(mechanism, along);
    let link_vectors = link_vectors(mechanism, &places, joint);
    Gap {
        joint,
        gap: if is_angle { about } else { along },
        is_angle,
        links: link_vectors
            .iter()
            .map(|(body, vector)| (*body, vector.norm()))
            .collect(),
        remedies: match is_angle {
            true => Vec::new(),
            false => remedies(&link_vectors, &apart),
        },
    }
}

/// The vector from joint to joint in each body of the loop that a joint closes.
fn link_vectors(
    mechanism: &Mechanism,
    places: &[[f64; 3]],
    joint: usize,
) -> Vec<(Option<usize>, Vector3<f64>)> {
    let elements = mechanism.elements;
    let links = smallest_loop(elements, joint).unwrap_or_default();
    let end = |joint: usize, body: Option<usize>, last: usize| {
        let side = match elements.joints[joint].bodies {
            [a, b] if a == body && b == body => last,
            [a, _] if a == body => 0,
            _ => 1,
        };
        Vector3::from(places[mechanism.ends(joint)[side]])
    };
    let vector = |link: &super::loops::LoopLink| {
        let between = end(link.after, link.body, 1) - end(link.before, link.body, 0);
        (link.body, between)
    };
    links.iter().map(vector).collect()
}

/// The gap is the sum of all lengths around its loop. A length along the gap closes the loop if it becomes shorter,
/// and a length against the gap if it becomes longer.
fn remedies(
    link_vectors: &[(Option<usize>, Vector3<f64>)],
    apart: &Vector3<f64>,
) -> Vec<(Option<usize>, Remedy)> {
    /// A length lies along the gap if its cosine exceeds this.
    const ALONG: f64 = 0.95;
    let remedy = |(body, vector): &(Option<usize>, Vector3<f64>)| {
        let cosine = vector.dot(apart) / (vector.norm() * apart.norm());
        match cosine {
            along if along > ALONG => Some((*body, Remedy::Shorter)),
            along if along < -ALONG => Some((*body, Remedy::Longer)),
            _ => None,
        }
    };
    link_vectors.iter().filter_map(remedy).collect()
}

fn placed(mechanism: &Mechanism, guess: &State, state: &State) -> Vec<PlacedBody> {
    let (before, after) = (mechanism.places(guess), mechanism.places(state));
    let place = |index: usize| {
        let moved = Vector3::from(after[index]) - Vector3::from(before[index]);
        let (angle, orientation, turned) = match mechanism.is_planar() {
            true => {
                let [from, to] = [guess, state].map(|state| state.q[3 * index + 2]);
                (to, [1.0, 0.0, 0.0, 0.0], (to - from).abs())
            }
            false => {
                let [from, to] = [guess, state].map(|state| quaternion(&state.q[7 * index + 3..]));
                let e = to.quaternion();
                (0.0, [e.w, e.i, e.j, e.k], from.angle_to(&to))
            }
        };
        PlacedBody {
            position: after[index],
            angle,
            orientation,
            moved: moved.norm(),
            turned,
        }
    };
    (0..mechanism.elements.bodies.len()).map(place).collect()
}

fn quaternion(e: &[f64]) -> UnitQuaternion<f64> {
    UnitQuaternion::from_quaternion(nalgebra::Quaternion::new(e[0], e[1], e[2], e[3]))
}

/// Motions that joints and drivers leave, and redundant rows, at the state of the largest rank nearby. A singular
/// position may hide rank but never invents any.
pub fn freedoms(mechanism: &Mechanism, state: &State) -> (usize, Vec<usize>) {
    let held = joints(mechanism);
    let rows = rows(&held);
    let at = |state: &State| {
        let local = mechanism.local(state);
        let motions = Motions::new(mechanism, state, &local, &rows)?;
        Some((motions, local))
    };
    let Some((mut best, mut local)) = at(state) else {
        return (0, Vec::new());
    };
    let free = best.free.clone();
    for k in 0..free.ncols().min(4) {
        let kick: DVector<f64> = free.column(k).into();
        let kick = &kick * (0.1 / super::equilibrium::reach(mechanism, &kick));
        let closed = close(mechanism, &mechanism.moved(state, &kick), &held);
        if let Some((there, new)) = at(&closed.state)
            && all_closed(mechanism, &closed)
            && there.rank > best.rank
        {
            (best, local) = (there, new);
        }
    }
    (best.n_free(), repeated(mechanism, &local, &rows))
}

/// Joints of the tree first, then cuts, then drivers. A row of which less than 10⁻⁷ is new is redundant with those
/// before it.
fn repeated(mechanism: &Mechanism, local: &DenseEquations, rows: &[usize]) -> Vec<usize> {
    let elements = mechanism.elements;
    let mut order = rows.to_vec();
    order.sort_by_key(|&row| {
        let part = &elements.rows[row];
        let is_cut = part.joint.is_none_or(|joint| elements.joints[joint].cut);
        (part.role == Role::Driven, is_cut, row)
    });
    let mut basis: Vec<DVector<f64>> = Vec::new();
    let mut repeated = Vec::new();
    for row in order {
        let mut rest: DVector<f64> = local.rows.row(row).transpose().normalize();
        for _ in 0..2 {
            for known in &basis {
                rest -= known * known.dot(&rest);
            }
        }
        match rest.norm() > 1e-7 {
            true => basis.push(rest.normalize()),
            false => repeated.push(row),
        }
    }
    repeated.sort_unstable();
    repeated
}
