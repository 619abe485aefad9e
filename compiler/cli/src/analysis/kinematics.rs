//! A joint coordinate driven through a range.
//!
//! The mechanism follows the one motion n that its joints leave, by small steps along it. It reaches the end of the
//! drive's range without a request that cannot be met: at that end the coordinate stops, ∂θ·n = 0. Between these
//! steps each value of the drive is solved for, and rates and accelerations follow from the equations.

use nalgebra::DVector;

use super::close::{HeldRow, all_closed, close, difference, joints, rows};
use super::equilibrium::reach;
use super::jet::{Jet, Jets, MotionDependence};
use super::linearize::{chosen, spread};
use super::mechanism::{Mechanism, WatchedCoordinate};
use super::motions::Motions;
use super::root::root;
use super::transmission::Transmission;
use crate::front_end::Role;
use crate::kernel::{Array, Name};
use crate::numeric::State;

/// The longest and the shortest step along the motion: a share of the size, and an angle in radians.
const LONGEST: f64 = 0.05;
const SHORTEST: f64 = 1e-10;
/// A drive that has not arrived after this many steps never does.
const STEPS: usize = 100_000;
/// A drive that moves less than this share of the motion counts as standing still.
const STILL: f64 = 1e-9;

/// The drive.
pub struct Drive {
    /// The driven coordinate.
    pub coordinate: WatchedCoordinate,
    /// Its speed.
    pub rate: f64,
    /// The other equations that hold.
    pub held: Vec<HeldRow>,
}

/// One position of the mechanism during the drive.
#[derive(Clone, Debug)]
pub struct PathPoint {
    /// The state, at rest.
    pub state: State,
    /// The drive, with its whole turns.
    pub theta: f64,
    /// n, of unit kinetic energy, in the direction of the drive's motion.
    tangent: DVector<f64>,
    /// ∂θ·n
    pivot: f64,
}

/// The outputs at one position.
#[derive(Clone, Debug)]
pub struct OutputStep {
    /// The drive.
    pub theta: f64,
    /// Each output with its rate and its acceleration, if these are known without forces.
    pub outputs: Vec<[f64; 3]>,
    /// The transmission angle, if it was requested.
    pub transmission: Option<f64>,
}

/// A position where an output stands still while the drive moves.
#[derive(Clone, Debug)]
pub struct DeadCentre {
    /// The output.
    pub output: usize,
    /// The value of the drive.
    pub theta: f64,
    /// The value of the output.
    pub value: f64,
    /// True if the output is largest there, false if it is smallest.
    pub is_largest: bool,
}

/// How the drive ended.
#[derive(Clone, Debug)]
pub enum PathEnd {
    /// At the end of the range.
    Arrived,
    /// In a limit position: the drive stands still while the mechanism moves.
    Limit(PathPoint),
    /// At a position beyond which the joints do not close, for a reason other than a limit of the drive.
    Lost(f64),
}

/// The result of the drive.
pub struct TracedMotion {
    /// Positions, evenly spaced in the drive.
    pub steps: Vec<OutputStep>,
    /// Positions where outputs stand still.
    pub dead_centres: Vec<DeadCentre>,
    /// How the drive ended.
    pub end: PathEnd,
}

/// Reason why the drive is impossible.
pub enum Trouble {
    /// No coordinate is left to drive.
    NoFreedom,
    /// These coordinates are still free: hold as many as the number says.
    Freedoms(usize, Vec<String>),
    /// The coordinate does not move, whatever the mechanism does.
    Idle,
    /// The drive cannot reach the beginning of the range; it ended there.
    Start(PathEnd),
}

/// Joints, and driven coordinates at their present values; the coordinate that the drive moves is free.
pub fn held(
    mechanism: &Mechanism,
    start: &State,
    drive: &WatchedCoordinate,
    fixed: &[HeldRow],
) -> Vec<HeldRow> {
    let phi = mechanism.phi(start);
    let is_driven = |hold: &HeldRow| mechanism.elements.rows[hold.row].role == Role::Driven;
    let (driven, mut held): (Vec<HeldRow>, Vec<HeldRow>) =
        joints(mechanism).into_iter().partition(is_driven);
    // A driver depends on time. The coordinate that it drives, held at its present value, does not.
    let coordinates = mechanism.coordinates().into_iter();
    let driven = coordinates.filter(|one| {
        let driver = mechanism.driver(one.row);
        driver.is_some_and(|row| driven.iter().any(|hold| hold.row == row))
    });
    held.extend(driven.map(|one| HeldRow {
        row: one.row,
        value: phi[one.row],
    }));
    held.retain(|hold| hold.row != drive.row && fixed.iter().all(|one| one.row != hold.row));
    held.extend(fixed);
    held
}

/// Drives from one value to another in this many steps.
pub fn kinematics(
    mechanism: &Mechanism,
    start: &State,
    drive: &Drive,
    (from, to): (f64, f64),
    n_steps: usize,
    transmission: Option<&Transmission>,
) -> Result<TracedMotion, Trouble> {
    let path = DrivePath {
        mechanism,
        drive,
        rows: rows(&drive.held),
    };
    let first = path.begin(start)?;
    let mut here = match path.go(&first, from) {
        Ok(point) => point,
        Err(end) => return Err(Trouble::Start(end)),
    };
    let mut steps = vec![path.step(&here, transmission)];
    let mut dead_centres = Vec::new();
    let mut end = PathEnd::Arrived;
    for k in 1..=n_steps {
        let theta = from + (to - from) * k as f64 / n_steps as f64;
        let next = match path.go(&here, theta) {
            Ok(point) => point,
            Err(why) => {
                end = why;
                break;
            }
        };
        let step = path.step(&next, transmission);
        path.stand_still(&here, &next, &mut dead_centres);
        steps.push(step);
        here = next;
    }
    if let PathEnd::Limit(limit) = &end {
        path.stand_still(&here, limit, &mut dead_centres);
    }
    dead_centres.retain(|one| varies(&steps, one, mechanism.size()));
    Ok(TracedMotion {
        steps,
        dead_centres,
        end,
    })
}

/// False for an output that changes by no more than the error of positions, which are closed to 1e-12 of the size.
/// The rate of a constant output is round-off and changes its sign anywhere.
fn varies(steps: &[OutputStep], one: &DeadCentre, size: f64) -> bool {
    let values = steps.iter().map(|step| step.outputs[one.output][0]);
    let away = values.map(|value| (value - one.value).abs());
    away.fold(0.0, f64::max) > 1e-10 * (one.value.abs() + size)
}

/// The data that stay the same during the whole drive.
struct DrivePath<'w> {
    mechanism: &'w Mechanism<'w>,
    drive: &'w Drive,
    rows: Vec<usize>,
}

impl DrivePath<'_> {
    /// The start, if the joints leave one motion and the drive takes part in it.
    fn begin(&self, start: &State) -> Result<PathPoint, Trouble> {
        let state = start.at_rest();
        let closed = close(self.mechanism, &state, &self.drive.held);
        if !all_closed(self.mechanism, &closed) {
            return Err(Trouble::Start(PathEnd::Lost(f64::NAN)));
        }
        let local = self.mechanism.local(&closed.state);
        let motions = Motions::new(self.mechanism, &closed.state, &local, &self.rows);
        let motions = motions.ok_or(Trouble::NoFreedom)?;
        match motions.n_free() {
            0 => return Err(Trouble::NoFreedom),
            1 => {}
            n => {
                return Err(Trouble::Freedoms(
                    n - 1,
                    self.movable(&motions, &local.rows),
                ));
            }
        }
        let theta = self.mechanism.phi(&closed.state)[self.drive.coordinate.row];
        let tangent: DVector<f64> = motions.free.column(0).into();
        let pivot = local
            .rows
            .row(self.drive.coordinate.row)
            .transpose()
            .dot(&tangent);
        let point = PathPoint {
            state: closed.state,
            theta,
            tangent,
            pivot,
        };
        match self.moves(&point) {
            true => Ok(point),
            false => Err(Trouble::Idle),
        }
    }

    /// Coordinates other than the drive that the motions move.
    fn movable(&self, motions: &Motions, rows: &nalgebra::DMatrix<f64>) -> Vec<String> {
        let all = self.mechanism.coordinates().into_iter();
        let others = all.filter(|one| one.row != self.drive.coordinate.row);
        let moving = others.filter(|one| {
            let moves = rows.row(one.row) * &motions.free;
            moves.amax() > 1e-9 * rows.row(one.row).norm() * motions.free.amax()
        });
        moving.map(|one| one.name).collect()
    }

    /// Whether the drive moves here, or at a nearby position.
    fn moves(&self, point: &PathPoint) -> bool {
        let small = |point: &PathPoint| {
            let gradient = reach(self.mechanism, &point.tangent);
            point.pivot.abs() <= 1e-9 * gradient
        };
        if !small(point) {
            return true;
        }
        let step = 0.01 / reach(self.mechanism, &point.tangent);
        self.advanced(point, step).is_some_and(|next| !small(&next))
    }

    /// The position of a state, with its motion in the direction of that of another position.
    fn at(&self, state: State, near: &PathPoint) -> Option<PathPoint> {
        let local = self.mechanism.local(&state);
        let motions = Motions::new(self.mechanism, &state, &local, &self.rows)?;
        // A singular position has several motions: the mechanism continues as it came.
        let weights = motions.free.tr_mul(&local.mass) * &near.tangent;
        let tangent = (&motions.free * &weights) / weights.norm();
        let row = self.drive.coordinate.row;
        let now = self.mechanism.phi(&state)[row];
        let pivot = local.rows.row(row).transpose().dot(&tangent);
        Some(PathPoint {
            theta: near.theta + difference(self.mechanism, row, now - near.theta),
            state,
            tangent,
            pivot,
        })
    }

    /// The position one step further along the motion; `None` if the joints do not close there.
    fn advanced(&self, from: &PathPoint, step: f64) -> Option<PathPoint> {
        let guess = self.mechanism.moved(&from.state, &(&from.tangent * step));
        let closed = close(self.mechanism, &guess, &self.drive.held);
        match all_closed(self.mechanism, &closed) {
            true => self.at(closed.state, from),
            false => None,
        }
    }

    /// Moves to a value of the drive, or to the end of its range.
    fn go(&self, from: &PathPoint, theta: f64) -> Result<PathPoint, PathEnd> {
        let round_off = 4.0 * f64::EPSILON * (1.0 + theta.abs());
        if (from.theta - theta).abs() <= round_off {
            return Ok(from.clone());
        }
        let mut here = self.towards(from, theta);
        let mut step = LONGEST / reach(self.mechanism, &here.tangent);
        for _ in 0..STEPS {
            let (next, taken) = match self.straight(&here, step) {
                Some(next) => next,
                None => return Err(PathEnd::Lost(here.theta)),
            };
            let turns_back = next.pivot * here.pivot < 0.0;
            let (last, length) = match turns_back {
                true => self
                    .limit(&here, &next, taken)
                    .ok_or(PathEnd::Lost(here.theta))?,
                false => (next.clone(), taken),
            };
            if (last.theta - theta) * (here.theta - theta) <= 0.0 {
                return self
                    .exactly(&here, &last, length, theta)
                    .ok_or(PathEnd::Lost(here.theta));
            }
            if turns_back {
                return Err(PathEnd::Limit(last));
            }
            here = next;
            step = (1.5 * taken).min(LONGEST / reach(self.mechanism, &here.tangent));
        }
        Err(PathEnd::Lost(here.theta))
    }

    /// The same position, with the motion in the direction in which the drive comes nearer to `theta`.
    fn towards(&self, from: &PathPoint, theta: f64) -> PathPoint {
        let wanted = (theta - from.theta).signum();
        let small = 1e-9 * reach(self.mechanism, &from.tangent);
        let sense = match from.pivot.abs() > small {
            true => from.pivot.signum(),
            // At a limit the drive moves a little further on, to the same side in both directions.
            false => {
                let step = 0.01 / reach(self.mechanism, &from.tangent);
                let next = self.advanced(from, step);
                next.map_or(1.0, |next| (next.theta - from.theta).signum())
            }
        };
        PathPoint {
            tangent: &from.tangent * (wanted * sense),
            pivot: from.pivot * wanted * sense,
            ..from.clone()
        }
    }

    /// A step during which the motion hardly turns, and its length.
    fn straight(&self, here: &PathPoint, mut step: f64) -> Option<(PathPoint, f64)> {
        const COSINE: f64 = 0.98;
        while step * reach(self.mechanism, &here.tangent) > SHORTEST {
            if let Some(next) = self.advanced(here, step) {
                let mass = self.mechanism.local(&next.state).mass;
                let cosine = next.tangent.dot(&(mass * &here.tangent));
                if cosine > COSINE {
                    return Some((next, step));
                }
            }
            step *= 0.5;
        }
        None
    }

    /// The position between two others where the drive stands still.
    fn limit(&self, here: &PathPoint, next: &PathPoint, step: f64) -> Option<(PathPoint, f64)> {
        let pivot = |length: f64| {
            let point = self.advanced(here, length)?;
            Some((point.pivot, point))
        };
        let (length, point) = root(pivot, (0.0, here.pivot), (step, next.pivot))?;
        Some((point, length))
    }

    /// The position between two others where the drive has this value.
    fn exactly(
        &self,
        here: &PathPoint,
        last: &PathPoint,
        length: f64,
        theta: f64,
    ) -> Option<PathPoint> {
        let away = |length: f64| {
            let point = self.advanced(here, length)?;
            Some((point.theta - theta, point))
        };
        let ends = ((0.0, here.theta - theta), (length, last.theta - theta));
        let (_, point) = root(away, ends.0, ends.1)?;
        Some(self.polished(point, theta))
    }

    /// The same position with the drive among the equations that hold, where that is well posed.
    fn polished(&self, point: PathPoint, theta: f64) -> PathPoint {
        let mut held = self.drive.held.clone();
        held.push(HeldRow {
            row: self.drive.coordinate.row,
            value: theta,
        });
        let closed = close(self.mechanism, &point.state, &held);
        match self.at(closed.state, &point) {
            Some(better) if (better.theta - theta).abs() <= (point.theta - theta).abs() => {
                PathPoint { theta, ..better }
            }
            _ => PathPoint { theta, ..point },
        }
    }

    /// Outputs with their rates and accelerations while the drive moves at its speed.
    fn step(&self, point: &PathPoint, transmission: Option<&Transmission>) -> OutputStep {
        OutputStep {
            theta: point.theta,
            outputs: self.outputs(point).unwrap_or_else(|| self.standing(point)),
            transmission: transmission.map(|one| one.angle(self.mechanism, &point.state)),
        }
    }

    /// Outputs where the drive stands still: their values, and no rates.
    fn standing(&self, point: &PathPoint) -> Vec<[f64; 3]> {
        let rest = DVector::zeros(self.mechanism.n_velocities());
        let forces = DVector::zeros(self.mechanism.elements.rows.len());
        let outputs = self.mechanism.outputs(&point.state, &rest, &forces);
        let values = outputs.iter().take(self.mechanism.elements.n_outputs);
        values.map(|value| [*value, f64::NAN, f64::NAN]).collect()
    }

    /// v = n θ̇/(∂θ·n), E v̇ = γ with the drive among the rows, and Eᵀλ = M v̇ − Q for outputs of forces.
    fn outputs(&self, point: &PathPoint) -> Option<Vec<[f64; 3]>> {
        let mechanism = self.mechanism;
        if point.pivot.abs() <= STILL * reach(mechanism, &point.tangent) {
            return None;
        }
        let sense = point.pivot.signum();
        let v = &point.tangent * (sense * self.drive.rate / point.pivot.abs());
        let state = State {
            v: v.as_slice().to_vec(),
            ..point.state.clone()
        };
        let local = mechanism.local(&state);
        let mut rows = self.rows.clone();
        rows.push(self.drive.coordinate.row);
        let motions = Motions::new(mechanism, &state, &local, &rows)?;
        let a = motions.to(&chosen(&local.gamma, &rows));
        let lambda = motions.multipliers(&(&local.mass * &a - &local.forces));
        let (v, a) = (state.v.as_slice(), a.as_slice());
        // A coordinate is driven by the effort of its driver, if the description has one.
        let effort = rows
            .iter()
            .map(|row| mechanism.driver(*row).unwrap_or(*row));
        let multipliers = spread(mechanism, &effort.collect::<Vec<_>>(), &lambda);
        let multipliers = Jet::list(&multipliers, &[], &[]);
        let inputs = Jets::default()
            .with(Array::Time, vec![Jet::constant(state.t)])
            .with(Array::Coordinates, self.curve(&state, a))
            .with(Array::Velocities, Jet::list(v, a, &[]))
            .with(Array::Accelerations, Jet::list(a, &[], &[]))
            .with(Array::Multipliers, multipliers);
        let jets = mechanism.evaluate_jets(Name::Outputs, inputs);
        let levels = mechanism.levels();
        let values = levels.iter().enumerate().map(|(k, level)| {
            let jet = jets.get(Array::Outputs).get(k).copied().unwrap_or_default();
            match level {
                MotionDependence::Position => [jet.value, jet.rate, jet.curve],
                MotionDependence::Velocity => [jet.value, jet.rate, f64::NAN],
                MotionDependence::Force => [jet.value, f64::NAN, f64::NAN],
            }
        });
        Some(values.collect())
    }

    /// q with q̇ = T v and q̈ = (T v)˙
    fn curve(&self, state: &State, a: &[f64]) -> Vec<Jet> {
        let v = state.v.as_slice();
        let inputs = Jets::default()
            .with(
                Array::Coordinates,
                self.mechanism.moving(state, &state.velocities()),
            )
            .with(Array::Velocities, Jet::list(v, a, &[]));
        let jets = self.mechanism.evaluate_jets(Name::Rates, inputs);
        let rates = jets.get(Array::Rates);
        let coordinates = state.q.iter().zip(rates);
        coordinates
            .map(|(q, rate)| Jet::new(*q, rate.value, rate.rate))
            .collect()
    }

    /// Outputs that reverse between two positions.
    fn stand_still(&self, here: &PathPoint, next: &PathPoint, list: &mut Vec<DeadCentre>) {
        let (Some(before), Some(after)) = (self.outputs(here), self.outputs(next)) else {
            return;
        };
        let levels = self.mechanism.levels();
        for output in (0..levels.len()).filter(|k| levels[*k] == MotionDependence::Position) {
            let (a, b) = (before[output], after[output]);
            let known = list.iter().any(|one: &DeadCentre| {
                one.output == output && (one.theta - here.theta).abs() <= 1e-9
            });
            let found = match (self.is_still(&a), self.is_still(&b)) {
                (true, true) => None,
                (true, false) => (!known).then(|| (here.clone(), a)),
                (false, true) => Some((next.clone(), b)),
                (false, false) if a[1] * b[1] < 0.0 => self.still(here, next, output, a[1], b[1]),
                (false, false) => None,
            };
            let Some((point, [value, _, curve])) = found else {
                continue;
            };
            list.push(DeadCentre {
                output,
                theta: point.theta,
                value,
                is_largest: curve < 0.0,
            });
        }
    }

    /// True if a rate is round-off, compared with the change that the acceleration causes within a radian or a metre,
    /// or with the size of the mechanism.
    fn is_still(&self, [value, rate, curve]: &[f64; 3]) -> bool {
        let rate = rate.abs() * self.drive.rate.abs();
        let places = value.abs() + 0.01 * self.mechanism.size();
        rate <= 1e-13 * (curve.abs() + places * self.drive.rate.powi(2))
    }

    fn still(
        &self,
        here: &PathPoint,
        next: &PathPoint,
        output: usize,
        before: f64,
        after: f64,
    ) -> Option<(PathPoint, [f64; 3])> {
        let rate = |theta: f64| {
            let point = self.go(here, theta).ok()?;
            let values = self.outputs(&point)?[output];
            Some((values[1], (point, values)))
        };
        root(rate, (here.theta, before), (next.theta, after)).map(|(_, found)| found)
    }
}
