//! The position where forces balance: Nᵀ Q = 0 with the equations that hold.
//!
//! Newton's method with K = −∂(Q + Eᵀλ)/∂s on the remaining motions. Where K is not positive, the magnitudes of its
//! eigenvalues are used. Every step then goes along the forces, to a stable equilibrium. A search that begins in
//! balance stays there.

use nalgebra::{DMatrix, DVector, SymmetricEigen};

use super::close::{HeldRow, all_closed, close, rows};
use super::mechanism::{Change, DenseEquations, Mechanism};
use super::motions::Motions;
use crate::numeric::State;

const STEPS: usize = 300;

/// Forces balance if their sum is below this share of the forces themselves: a thousand times round-off.
const BALANCED: f64 = 1e-12;

/// A stiffness below this share of the largest one counts as zero.
pub const NO_STIFFNESS: f64 = 1e-9;

/// The largest step: a share of the mechanism's size, and an angle in radians.
const REACH: f64 = 0.2;

/// Forces at rest and how they change.
pub trait StaticLoad {
    /// Q
    fn forces(&self, state: &State, local: &DenseEquations) -> DVector<f64>;
    /// ∂Q/∂s along a direction, which changes the equations by `change`.
    fn change(
        &self,
        state: &State,
        local: &DenseEquations,
        along: &DVector<f64>,
        change: &Change,
    ) -> DVector<f64>;
}

/// The forces of the model itself.
pub struct Applied;

impl StaticLoad for Applied {
    fn forces(&self, _: &State, local: &DenseEquations) -> DVector<f64> {
        local.forces.clone()
    }

    fn change(
        &self,
        _: &State,
        _: &DenseEquations,
        _: &DVector<f64>,
        change: &Change,
    ) -> DVector<f64> {
        change.forces.clone()
    }
}

/// The balance of forces at a place.
pub struct Balance {
    /// The place, at rest.
    pub state: State,
    /// λ of the equations that hold, in their order.
    pub multipliers: DVector<f64>,
    /// The remaining motions.
    pub motions: Motions,
    /// Unbalanced forces along these motions.
    pub open: DVector<f64>,
    /// Stiffness along these motions.
    pub stiffness: DMatrix<f64>,
    /// True if the forces balance.
    pub found: bool,
}

/// The nearest equilibrium in the direction of the forces, or the last place of the search.
pub fn equilibrium(
    mechanism: &Mechanism,
    start: &State,
    held: &[HeldRow],
    load: &dyn StaticLoad,
) -> Option<Balance> {
    let mut here = balance(mechanism, &start.at_rest(), held, load)?;
    for _ in 0..STEPS {
        if here.found {
            break;
        }
        let step = limited(mechanism, &here.motions.free * direction(&here));
        let next = go(mechanism, &here, held, load, &step)?;
        // Round-off: forces fall no further, and the step is at the resolution of positions.
        let ends = step.amax() <= 1e-13 * mechanism.size().max(1.0)
            && next.open.norm() >= here.open.norm();
        if ends {
            here.found = true;
            break;
        }
        here = next;
    }
    Some(here)
}

/// Forces, multipliers and stiffness at a place.
pub fn balance(
    mechanism: &Mechanism,
    state: &State,
    held: &[HeldRow],
    load: &dyn StaticLoad,
) -> Option<Balance> {
    let rows = rows(held);
    let local = mechanism.local(state);
    let motions = Motions::new(mechanism, state, &local, &rows)?;
    let forces = load.forces(state, &local);
    let multipliers = motions.multipliers(&-&forces);
    let open = motions.free.tr_mul(&forces);
    let stiffness = stiffness(
        mechanism,
        state,
        &local,
        &rows,
        &motions,
        &multipliers,
        load,
    );
    let found = is_balanced(&motions, &forces, &open);
    Some(Balance {
        state: state.clone(),
        multipliers: multipliers.rows(0, rows.len()).into(),
        motions,
        open,
        stiffness,
        found,
    })
}

/// Each force along a motion against the sum of its parts.
fn is_balanced(motions: &Motions, forces: &DVector<f64>, open: &DVector<f64>) -> bool {
    let parts = motions.free.abs().tr_mul(&forces.abs());
    let mut pairs = open.iter().zip(parts.iter());
    pairs.all(|(open, parts)| open.abs() <= BALANCED * parts)
}

/// K_ij = −n_i · (∂Q/∂s + (∂E/∂s)ᵀ λ) n_j
fn stiffness(
    mechanism: &Mechanism,
    state: &State,
    local: &DenseEquations,
    rows: &[usize],
    motions: &Motions,
    multipliers: &DVector<f64>,
    load: &dyn StaticLoad,
) -> DMatrix<f64> {
    let f = motions.n_free();
    let rest = DVector::zeros(mechanism.n_velocities());
    let mut stiffness = DMatrix::zeros(f, f);
    for column in 0..f {
        let along: DVector<f64> = motions.free.column(column).into();
        let change = mechanism.change(state, &along, &rest, &[]);
        let mut forces = load.change(state, local, &along, &change);
        for (index, row) in rows.iter().enumerate() {
            forces += change.rows.row(*row).transpose() * multipliers[index];
        }
        stiffness.set_column(column, &-motions.free.tr_mul(&forces));
    }
    stiffness
}

/// K⁻¹ g where K is positive, else |K|⁻¹ g.
fn direction(here: &Balance) -> DVector<f64> {
    let symmetric = (&here.stiffness + here.stiffness.transpose()) * 0.5;
    let SymmetricEigen {
        eigenvectors,
        eigenvalues,
    } = symmetric.symmetric_eigen();
    let floor = (NO_STIFFNESS * eigenvalues.amax()).max(f64::MIN_POSITIVE);
    if eigenvalues.iter().all(|value| *value > floor)
        && let Some(step) = here.stiffness.clone().lu().solve(&here.open)
    {
        return step;
    }
    let along = eigenvectors.tr_mul(&here.open);
    let stiff = eigenvalues.map(|value| value.abs().max(floor));
    let step = along.component_div(&stiff);
    let large = f64::MAX.sqrt();
    eigenvectors * step.map(|x| x.clamp(-large, large))
}

/// A step shortened to the range in which a linear model of the mechanism is good.
fn limited(mechanism: &Mechanism, step: DVector<f64>) -> DVector<f64> {
    let reach = reach(mechanism, &step);
    match reach > REACH {
        true => step * (REACH / reach),
        false => step,
    }
}

/// Size of a motion: lengths relative to the size of the mechanism, angles in radians.
pub fn reach(mechanism: &Mechanism, step: &DVector<f64>) -> f64 {
    let share = |(index, x): (usize, &f64)| match mechanism.is_turn(index) {
        true => x.abs(),
        false => x.abs() / mechanism.size(),
    };
    step.iter().enumerate().map(share).fold(0.0, f64::max)
}

/// Makes a step. Halves it while the forces at its end push back along it by more than half of the initial ones.
fn go(
    mechanism: &Mechanism,
    here: &Balance,
    held: &[HeldRow],
    load: &dyn StaticLoad,
    step: &DVector<f64>,
) -> Option<Balance> {
    const HALVINGS: usize = 40;
    let driven = here
        .open
        .dot(&(here.motions.free.tr_mul(&mechanism.local(&here.state).mass) * step));
    let mut scale = 1.0;
    for _ in 0..HALVINGS {
        let closed = close(
            mechanism,
            &mechanism.moved(&here.state, &(step * scale)),
            held,
        );
        let next = balance(mechanism, &closed.state.at_rest(), held, load)?;
        let mass = mechanism.local(&next.state).mass;
        let along = next.motions.free.tr_mul(&mass) * step;
        if all_closed(mechanism, &closed) && next.open.dot(&along) >= -0.5 * driven.abs() {
            return Some(next);
        }
        scale *= 0.5;
    }
    balance(mechanism, &here.state, held, load)
}
