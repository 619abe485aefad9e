//! Equilibrium, holding efforts, and reactions.

use nalgebra::DVector;

use super::close::{HeldRow, joints, rows};
use super::equilibrium::{Applied, Balance, NO_STIFFNESS, equilibrium};
use super::mechanism::{Mechanism, WatchedCoordinate};
use super::stresses::smallest;
use crate::numeric::State;

/// A mechanism at rest.
pub struct Statics {
    /// The position, with its unbalanced forces and its stiffness.
    pub balance: Balance,
    /// The drivers and held joints that keep it from moving, each with its force or torque.
    pub holding: Vec<Holding>,
    /// Force and torque on the second body of each joint, about its point.
    pub reactions: Vec<[f64; 6]>,
    /// Forces of springs, dampers and actuators.
    pub elements: Vec<f64>,
    /// Outputs of the description.
    pub outputs: Vec<f64>,
    /// Stiffnesses along the remaining motions divided by the mass along them, in increasing order: ω².
    pub stiffnesses: Vec<f64>,
    /// The response to a small push.
    pub stability: Stability,
}

/// A coordinate that is held.
pub struct Holding {
    /// `joint.coordinate`
    pub name: String,
    /// True if it is an angle, and a torque holds it.
    pub is_angle: bool,
    /// Its value.
    pub value: f64,
    /// The effort that holds it; positive increases the coordinate.
    pub effort: f64,
}

/// The response to a small push.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stability {
    /// Nothing can move.
    Fixed,
    /// It returns.
    Stable,
    /// It stays where it was pushed.
    Neutral,
    /// It moves on.
    Unstable,
}

impl Stability {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Fixed => "fixed",
            Self::Stable => "stable",
            Self::Neutral => "neutral",
            Self::Unstable => "unstable",
        }
    }
}

/// Equations that hold at rest: joints, drivers at their present value, and coordinates at their value in a state.
/// Each is listed once, because two equal equations would share the effort.
pub fn held(
    mechanism: &Mechanism,
    start: &State,
    coordinates: &[WatchedCoordinate],
) -> Vec<HeldRow> {
    let phi = mechanism.phi(start);
    let mut held = joints(mechanism);
    for coordinate in coordinates {
        let row = coordinate.row;
        if mechanism.driver(row).is_none() && held.iter().all(|hold| hold.row != row) {
            let value = phi[row];
            held.push(HeldRow { row, value });
        }
    }
    held
}

/// The equilibrium that is found from a state; `None` if something is not finite.
pub fn statics(
    mechanism: &Mechanism,
    start: &State,
    coordinates: &[WatchedCoordinate],
) -> Option<Statics> {
    let held = held(mechanism, start, coordinates);
    let balance = equilibrium(mechanism, start, &held, &Applied)?;
    let mut lambda = DVector::zeros(mechanism.elements.rows.len());
    for (hold, value) in held.iter().zip(balance.multipliers.iter()) {
        lambda[hold.row] = *value;
    }
    let matrix = balance.motions.rows.rows(0, held.len()).into_owned();
    let lambda = smallest(mechanism, &balance.state, &rows(&held), &matrix, lambda);
    let rest = DVector::zeros(mechanism.n_velocities());
    let outputs = mechanism.outputs(&balance.state, &rest, &lambda);
    let n_elements = mechanism.elements.elements.len();
    let reactions = mechanism.reactions(&balance.state, &lambda);
    let reactions = reactions.chunks_exact(6);
    let stiffnesses = stiffnesses(&balance);
    Some(Statics {
        holding: holding(mechanism, &balance.state, coordinates, &lambda),
        reactions: reactions
            .map(|one| std::array::from_fn(|k| one[k]))
            .collect(),
        elements: outputs[outputs.len() - n_elements..].to_vec(),
        outputs: outputs[..mechanism.elements.n_outputs].to_vec(),
        stability: stability(&stiffnesses),
        stiffnesses,
        balance,
    })
}

fn holding(
    mechanism: &Mechanism,
    state: &State,
    coordinates: &[WatchedCoordinate],
    lambda: &DVector<f64>,
) -> Vec<Holding> {
    let phi = mechanism.phi(state);
    let holding = |coordinate: &WatchedCoordinate, row: usize| Holding {
        name: coordinate.name.clone(),
        is_angle: coordinate.is_angle,
        value: phi[coordinate.row],
        effort: lambda[row],
    };
    let all = mechanism.coordinates();
    let driven = all
        .iter()
        .filter_map(|one| Some(holding(one, mechanism.driver(one.row)?)));
    let held = coordinates.iter();
    let held = held.filter(|one| mechanism.driver(one.row).is_none());
    driven
        .chain(held.map(|one| holding(one, one.row)))
        .collect()
}

/// Eigenvalues of the symmetric part, in increasing order.
fn stiffnesses(balance: &Balance) -> Vec<f64> {
    if balance.stiffness.is_empty() {
        return Vec::new();
    }
    let symmetric = (&balance.stiffness + balance.stiffness.transpose()) * 0.5;
    let mut values = symmetric.symmetric_eigenvalues().as_slice().to_vec();
    values.sort_by(f64::total_cmp);
    values
}

fn stability(stiffnesses: &[f64]) -> Stability {
    let largest = stiffnesses.iter().fold(0.0, |a: f64, b| a.max(b.abs()));
    match stiffnesses.first() {
        None => Stability::Fixed,
        Some(least) if *least > NO_STIFFNESS * largest => Stability::Stable,
        Some(least) if *least < -NO_STIFFNESS * largest => Stability::Unstable,
        Some(_) => Stability::Neutral,
    }
}
