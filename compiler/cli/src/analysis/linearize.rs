//! A state and its linear system, in as many coordinates ζ as there are degrees of freedom:
//!
//! ```text
//! x = (δζ, δζ̇)        ẋ = A x + B u        y = C x + D u
//! ```
//!
//! The coordinates are joint coordinates as far as possible, else positions and rotations of bodies. The equations M
//! v̇ = Q + Eᵀλ and E v̇ = γ are differentiated along each of them, at rest and in motion.

use nalgebra::{DMatrix, DVector};

use super::close::{HeldRow, close, close_velocities, rows};
use super::jet::{Jet, Jets};
use super::mechanism::{Change, DenseEquations, Mechanism};
use super::motions::Motions;
use crate::kernel::{Array, Name};
use crate::numeric::State;

/// Accelerations and multipliers.
pub struct Dynamics {
    /// The equations.
    pub local: DenseEquations,
    /// Motions that the rows leave.
    pub motions: Motions,
    /// v̇
    pub accelerations: DVector<f64>,
    /// λ of E
    pub multipliers: DVector<f64>,
}

/// v̇ = E⁺γ + N Nᵀ(Q − M E⁺γ) and Eᵀλ = M v̇ − Q
pub fn dynamics(mechanism: &Mechanism, state: &State, rows: &[usize]) -> Option<Dynamics> {
    let local = mechanism.local(state);
    let motions = Motions::new(mechanism, state, &local, rows)?;
    let bent = motions.to(&chosen(&local.gamma, rows));
    let open = &local.forces - &local.mass * &bent;
    let accelerations = &bent + &motions.free * motions.free.tr_mul(&open);
    let multipliers = motions.multipliers(&(&local.mass * &accelerations - &local.forces));
    Some(Dynamics {
        local,
        motions,
        accelerations,
        multipliers,
    })
}

/// An independent coordinate.
#[derive(Clone, Debug, PartialEq)]
pub struct FreeCoordinate {
    /// `joint.coordinate`, or `body.x`, `body.turn_z`.
    pub name: String,
    /// True for angles, false for lengths.
    pub is_angle: bool,
    source: Excitation,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Excitation {
    /// The coordinate of a joint, by its row.
    Row(usize),
    /// A velocity.
    Velocity(usize),
}

/// The matrices of a state.
pub struct Linear {
    /// ζ
    pub coordinates: Vec<FreeCoordinate>,
    /// Velocities as functions of ζ̇.
    pub shapes: DMatrix<f64>,
    /// A
    pub a: DMatrix<f64>,
    /// B
    pub b: DMatrix<f64>,
    /// C
    pub c: DMatrix<f64>,
    /// D
    pub d: DMatrix<f64>,
    /// ζ̈ at the state itself; zero where it is an equilibrium.
    pub drift: DVector<f64>,
}

/// The linear system about a state; `None` if something is not finite there.
pub fn linearize(mechanism: &Mechanism, state: &State, held: &[HeldRow]) -> Option<Linear> {
    let rows = rows(held);
    let dynamics = dynamics(mechanism, state, &rows)?;
    let coordinates = independent(mechanism, &dynamics);
    let chart = LocalChart::new(mechanism, state, &rows, &dynamics, &coordinates)?;
    let f = coordinates.len();
    let (n_inputs, n_outputs) = (mechanism.inputs().len(), mechanism.elements.n_outputs);
    let mut a = DMatrix::zeros(2 * f, 2 * f);
    let mut c = DMatrix::zeros(n_outputs, 2 * f);
    a.view_mut((0, f), (f, f)).fill_with_identity();
    for column in 0..2 * f {
        let answer = match column < f {
            true => chart.moved(column),
            false => chart.pushed(column - f),
        };
        a.view_mut((f, column), (f, 1))
            .copy_from(&answer.accelerations);
        c.set_column(column, &answer.outputs);
    }
    let mut b = DMatrix::zeros(2 * f, n_inputs);
    let mut d = DMatrix::zeros(n_outputs, n_inputs);
    for column in 0..n_inputs {
        let answer = chart.driven(column);
        b.view_mut((f, column), (f, 1))
            .copy_from(&answer.accelerations);
        d.set_column(column, &answer.outputs);
    }
    let drift = &chart.gradients * &dynamics.accelerations - &chart.gamma;
    let finite = a.iter().chain(b.iter()).all(|x| x.is_finite());
    finite.then(|| Linear {
        shapes: chart.shapes.clone(),
        coordinates,
        a,
        b,
        c,
        d,
        drift,
    })
}

/// Changes of the accelerations ζ̈ and of the outputs.
struct LinearResponse {
    accelerations: DVector<f64>,
    outputs: DVector<f64>,
}

/// A direction of coordinates, velocities and inputs.
struct StateDirection {
    q: DVector<f64>,
    v: DVector<f64>,
    u: Vec<f64>,
}

/// The state with its coordinates ζ: H are their gradients, R relates velocities to ζ̇.
struct LocalChart<'m> {
    mechanism: &'m Mechanism<'m>,
    state: &'m State,
    rows: &'m [usize],
    dynamics: &'m Dynamics,
    coordinates: &'m [FreeCoordinate],
    gradients: DMatrix<f64>,
    gamma: DVector<f64>,
    shapes: DMatrix<f64>,
}

impl<'m> LocalChart<'m> {
    /// R = N (H N)⁻¹
    fn new(
        mechanism: &'m Mechanism,
        state: &'m State,
        rows: &'m [usize],
        dynamics: &'m Dynamics,
        coordinates: &'m [FreeCoordinate],
    ) -> Option<Self> {
        let gradients = gradients(&dynamics.local.rows, coordinates);
        let gamma = coordinates.iter().map(|one| match one.source {
            Excitation::Row(row) => dynamics.local.gamma[row],
            Excitation::Velocity(_) => 0.0,
        });
        let gamma = DVector::from_iterator(coordinates.len(), gamma);
        let free = &dynamics.motions.free;
        let shapes = free * (&gradients * free).try_inverse()?;
        Some(Self {
            mechanism,
            state,
            rows,
            dynamics,
            coordinates,
            gradients,
            gamma,
            shapes,
        })
    }

    /// Along ζ_k, with constant ζ̇: E δv = −δE v − δΦ_t and H δv = −δH v.
    fn moved(&self, k: usize) -> LinearResponse {
        let q: DVector<f64> = self.shapes.column(k).into();
        let rest = DVector::zeros(q.len());
        let change = self.mechanism.change(self.state, &q, &rest, &[]);
        let rows = -(self.rows_of(&change) * self.state.velocities()) - self.chosen(&change.phi_t);
        let bent = self.dynamics.motions.to(&rows);
        let own = -(gradient_changes(&change.rows, self.coordinates) * self.state.velocities());
        let v = &bent + &self.shapes * (own - &self.gradients * &bent);
        self.answer(StateDirection {
            q,
            v,
            u: Vec::new(),
        })
    }

    /// Along ζ̇_k.
    fn pushed(&self, k: usize) -> LinearResponse {
        let v: DVector<f64> = self.shapes.column(k).into();
        self.answer(StateDirection {
            q: DVector::zeros(v.len()),
            v,
            u: Vec::new(),
        })
    }

    /// Along input k.
    fn driven(&self, k: usize) -> LinearResponse {
        let rest = DVector::zeros(self.mechanism.n_velocities());
        let mut u = vec![0.0; self.mechanism.inputs().len()];
        u[k] = 1.0;
        self.answer(StateDirection {
            q: rest.clone(),
            v: rest,
            u,
        })
    }

    /// δv̇ from E δv̇ = δγ − δE v̇ and M δv̇ = Eᵀδλ + δQ + δEᵀλ − δM v̇, then δζ̈ = H δv̇ + δH v̇ − δγ_H.
    fn answer(&self, along: StateDirection) -> LinearResponse {
        let Dynamics {
            local,
            motions,
            accelerations,
            multipliers,
        } = self.dynamics;
        let change = self
            .mechanism
            .change(self.state, &along.q, &along.v, &along.u);
        let rows = self.rows_of(&change);
        let bent = motions.to(&(self.chosen(&change.gamma) - &rows * accelerations));
        let forces = &change.forces + rows.tr_mul(multipliers) - &change.mass * accelerations;
        let open = &forces - &local.mass * &bent;
        let pushed = &bent + &motions.free * motions.free.tr_mul(&open);
        let held = motions.multipliers(&(&local.mass * &pushed - &forces));
        let own = gradient_changes(&change.rows, self.coordinates) * accelerations;
        let gamma = self.coordinates.iter().map(|one| match one.source {
            Excitation::Row(row) => change.gamma[row],
            Excitation::Velocity(_) => 0.0,
        });
        let gamma = DVector::from_iterator(self.coordinates.len(), gamma);
        LinearResponse {
            accelerations: &self.gradients * &pushed + own - gamma,
            outputs: self.outputs(&along, &pushed, &held),
        }
    }

    fn outputs(
        &self,
        along: &StateDirection,
        a: &DVector<f64>,
        held: &DVector<f64>,
    ) -> DVector<f64> {
        let state = self.state;
        let accelerations = self.dynamics.accelerations.as_slice();
        let [multipliers, changes] =
            [&self.dynamics.multipliers, held].map(|part| self.spread(part));
        let inputs = Jets::default()
            .with(Array::Time, vec![Jet::constant(state.t)])
            .with(Array::Coordinates, self.mechanism.moving(state, &along.q))
            .with(
                Array::Velocities,
                Jet::list(state.v.as_slice(), along.v.as_slice(), &[]),
            )
            .with(
                Array::Accelerations,
                Jet::list(accelerations, a.as_slice(), &[]),
            )
            .with(Array::Multipliers, Jet::list(&multipliers, &changes, &[]))
            .with(
                Array::Inputs,
                Jet::list(self.mechanism.inputs(), &along.u, &[]),
            );
        let jets = self.mechanism.evaluate_jets(Name::Outputs, inputs);
        let n = self.mechanism.elements.n_outputs;
        let rate = |k: usize| jets.get(Array::Outputs).get(k).map_or(0.0, |jet| jet.rate);
        DVector::from_iterator(n, (0..n).map(rate))
    }

    /// The rows of a change that hold; rotations that are no motions stay so.
    fn rows_of(&self, change: &Change) -> DMatrix<f64> {
        let rows = change.rows.select_rows(self.rows);
        rows.resize_vertically(self.dynamics.motions.rows.nrows(), 0.0)
    }

    fn chosen(&self, vector: &DVector<f64>) -> DVector<f64> {
        let n = self.dynamics.motions.rows.nrows();
        chosen(vector, self.rows).resize_vertically(n, 0.0)
    }

    /// Values of the rows that hold, placed among all rows.
    fn spread(&self, multipliers: &DVector<f64>) -> Vec<f64> {
        spread(self.mechanism, self.rows, multipliers)
    }
}

/// Values of the rows that hold, placed among all rows.
pub fn spread(mechanism: &Mechanism, rows: &[usize], values: &DVector<f64>) -> Vec<f64> {
    let mut all = vec![0.0; mechanism.elements.rows.len()];
    for (row, value) in rows.iter().zip(values.iter()) {
        if let Some(place) = all.get_mut(*row) {
            *place = *value;
        }
    }
    all
}

/// The entries of rows that hold.
pub fn chosen(vector: &DVector<f64>, rows: &[usize]) -> DVector<f64> {
    DVector::from_iterator(rows.len(), rows.iter().map(|row| vector[*row]))
}

fn gradients(rows: &DMatrix<f64>, coordinates: &[FreeCoordinate]) -> DMatrix<f64> {
    let mut gradients = gradient_changes(rows, coordinates);
    for (k, one) in coordinates.iter().enumerate() {
        if let Excitation::Velocity(index) = one.source {
            gradients[(k, index)] = 1.0;
        }
    }
    gradients
}

fn gradient_changes(rows: &DMatrix<f64>, coordinates: &[FreeCoordinate]) -> DMatrix<f64> {
    let mut gradients = DMatrix::zeros(coordinates.len(), rows.ncols());
    for (k, one) in coordinates.iter().enumerate() {
        if let Excitation::Row(row) = one.source {
            gradients.set_row(k, &rows.row(row));
        }
    }
    gradients
}

/// As many coordinates as there are motions: those of joints in the order of the description, then those of bodies. A
/// coordinate counts if it moves at all and enough of its motion is new. A slider at dead centre does not move.
fn independent(mechanism: &Mechanism, dynamics: &Dynamics) -> Vec<FreeCoordinate> {
    const PASSES: [f64; 2] = [0.3, 1e-3];
    let free = &dynamics.motions.free;
    let (joints, bodies) = candidates(mechanism);
    let motion = |one: &FreeCoordinate| -> DVector<f64> {
        let gradient = gradients(&dynamics.local.rows, std::slice::from_ref(one));
        let scale = if one.is_angle {
            1.0
        } else {
            1.0 / mechanism.size()
        };
        free.tr_mul(&gradient.row(0).transpose()) * scale
    };
    let largest = |list: &[FreeCoordinate]| {
        let norms = list.iter().map(|one| motion(one).norm());
        norms.fold(0.0, f64::max)
    };
    let (mut chosen, mut basis): (Vec<FreeCoordinate>, Vec<DVector<f64>>) = Default::default();
    for list in [joints, bodies] {
        let largest = largest(&list);
        for share in PASSES {
            for one in &list {
                let full = motion(one);
                let mut new = full.clone();
                basis
                    .iter()
                    .for_each(|known| new -= known * known.dot(&new));
                let moves = full.norm() > share * 0.1 * largest;
                if basis.len() < free.ncols() && moves && new.norm() > share * full.norm() {
                    basis.push(new.normalize());
                    chosen.push(one.clone());
                }
            }
        }
    }
    chosen
}

fn candidates(mechanism: &Mechanism) -> (Vec<FreeCoordinate>, Vec<FreeCoordinate>) {
    let joints = mechanism
        .coordinates()
        .into_iter()
        .map(|one| FreeCoordinate {
            name: one.name,
            is_angle: one.is_angle,
            source: Excitation::Row(one.row),
        });
    let names = velocity_names(mechanism).into_iter().enumerate();
    let bodies = names.map(|(index, name)| FreeCoordinate {
        name,
        is_angle: mechanism.is_turn(index),
        source: Excitation::Velocity(index),
    });
    (joints.collect(), bodies.collect())
}

/// Names of the velocities: `crank.x`, `crank.angle`, `wheel.turn_z`. Positions are those of centres of mass.
pub fn velocity_names(mechanism: &Mechanism) -> Vec<String> {
    let parts: &[&str] = match mechanism.is_planar() {
        true => &["x", "y", "angle"],
        false => &["x", "y", "z", "turn_x", "turn_y", "turn_z"],
    };
    let bodies = mechanism.elements.bodies.iter();
    bodies
        .flat_map(|body| parts.iter().map(|part| format!("{}.{part}", body.name)))
        .collect()
}

/// The state at a time, by the classical Runge–Kutta method with closed joints after each step.
pub fn state_at(
    mechanism: &Mechanism,
    start: &State,
    held: &[HeldRow],
    until: f64,
) -> Option<State> {
    let step = mechanism.output.interpretable.simulation.step;
    let n_steps = (until / step).ceil().max(1.0);
    let rows = rows(held);
    let h = until / n_steps;
    let mut state = start.clone();
    for k in 0..n_steps as usize {
        let next = runge_kutta(mechanism, &state, &rows, h)?;
        let next = State {
            t: h * (k + 1) as f64,
            ..next
        };
        state = close_velocities(mechanism, &close(mechanism, &next, held).state, held);
    }
    Some(state)
}

fn runge_kutta(mechanism: &Mechanism, state: &State, rows: &[usize], h: f64) -> Option<State> {
    let slope = |state: &State| {
        let accelerations = dynamics(mechanism, state, rows)?.accelerations;
        Some((
            mechanism.rates(&state.q, &state.velocities()),
            accelerations,
        ))
    };
    let ahead = |(rates, accelerations): &(Vec<f64>, DVector<f64>), h: f64, from: &State| State {
        t: state.t + h,
        q: from
            .q
            .iter()
            .zip(rates)
            .map(|(q, rate)| q + h * rate)
            .collect(),
        v: (from.velocities() + accelerations * h).as_slice().to_vec(),
    };
    let k1 = slope(state)?;
    let k2 = slope(&ahead(&k1, h / 2.0, state))?;
    let k3 = slope(&ahead(&k2, h / 2.0, state))?;
    let k4 = slope(&ahead(&k3, h, state))?;
    let parts = [(k1, 1.0), (k2, 2.0), (k3, 2.0), (k4, 1.0)];
    let sum = parts.iter().fold(state.clone(), |sum, (k, weight)| {
        ahead(k, weight * h / 6.0, &sum)
    });
    Some(mechanism.moved(&sum, &DVector::zeros(mechanism.n_velocities())))
}
