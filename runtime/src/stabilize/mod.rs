//! Keeping the constraints: by other accelerations during a step, or by projection to the manifold Φ = 0, Φ̇ = 0
//! after it.

mod augmented_lagrangian;
mod baumgarte;
pub(crate) mod contract;
mod coordinate_partitioning;
mod direct_correction;
mod energy_correction;
mod ggl;
mod none;
mod penalty;
mod plain_correction;
mod standard_projection;
mod successive_projection;

pub use augmented_lagrangian::{AugmentedLagrangian, AugmentedLagrangianProjections};
pub use baumgarte::Baumgarte;
pub use contract::Goals;
pub use coordinate_partitioning::{CoordinatePartitioning, Partition};
pub use direct_correction::DirectCorrection;
pub use energy_correction::{EnergyCorrection, EnergyMemory};
pub use ggl::Ggl;
pub use none::NoStabilizer;
pub(crate) use none::violation;
pub use penalty::{Penalty, PenaltyMemory};
pub use plain_correction::PlainCorrection;
pub use standard_projection::StandardProjection;
pub use successive_projection::SuccessiveProjection;

use crate::names::{UnknownName, position};
use crate::{
    Acceleration, Jacobians, Mechanism, Plain, Standard, State, StateView, Stop, Workspace,
};
use contract::ConstraintLevel;
pub(crate) use direct_correction::MassWeighted;

/// A method that keeps the state on the manifold.
pub trait Stabilizer<M: Mechanism> {
    /// Memory of the stabilizer from step to step.
    type Memory: Clone;

    /// True if accelerations are those of the mechanism, false if [`Stabilizer::evaluate`] changes them.
    const PLAIN: bool = true;

    /// True if the state is on the manifold after each step.
    #[inline]
    fn projects(&self) -> bool {
        false
    }

    /// The memory at the start.
    fn memory(&self) -> Self::Memory;

    /// Receives the state at the beginning of a step.
    #[inline]
    fn begin(&self, m: &M, state: &State<M>, memory: &mut Self::Memory) {
        let _ = (m, state, memory);
    }

    /// Accelerations at a stage of a step.
    #[inline]
    fn evaluate<'w>(
        &self,
        m: &M,
        state: StateView<'_, M>,
        workspace: &'w mut Workspace<M>,
        memory: &mut Self::Memory,
    ) -> Result<&'w Acceleration<M>, Stop> {
        let _ = memory;
        workspace.evaluate(m, state)
    }

    /// Moves the state back after a step. The workspace holds the last evaluation of the integrator. Stabilizers that
    /// only change accelerations measure the violation and do not move the state.
    fn project(
        &self,
        m: &M,
        state: &mut State<M>,
        workspace: &mut Workspace<M>,
        memory: &mut Self::Memory,
    ) -> Result<Projection<M::Scalar>, Stop> {
        let _ = (workspace, memory);
        Ok(measured(m, state))
    }
}

/// Stabilizers that do not change accelerations and project after the step. Integrators that solve for constrained
/// motion themselves take only these.
#[diagnostic::on_unimplemented(
    message = "`{Self}` works through accelerations, which this integrator does not ask for",
    note = "take a projection, or `NoStabilizer`"
)]
pub trait Projecting<M: Mechanism>: Stabilizer<M> {}

impl<M: Mechanism> Projecting<M> for NoStabilizer {}
impl<M: Mechanism> Projecting<M> for DirectCorrection {}
impl<M: Mechanism> Projecting<M> for EnergyCorrection {}
impl<M: Plain> Projecting<M> for PlainCorrection {}
impl<M: Plain> Projecting<M> for SuccessiveProjection {}
impl<M: Standard> Projecting<M> for StandardProjection {}
impl<M: Jacobians> Projecting<M> for CoordinatePartitioning {}

/// Velocities after an impulse along the constraint forces, with the factor of the last evaluation.
pub(crate) fn follow<M: Mechanism>(
    m: &M,
    state: &mut State<M>,
    workspace: &mut Workspace<M>,
) -> Result<(), Stop> {
    let mut corrector = MassWeighted(workspace);
    let contracted = Goals::default().contract(m, state, ConstraintLevel::Velocity, &mut corrector);
    contracted.map(drop)
}

/// A projection without passes, with the violation of the state.
pub(crate) fn measured<M: Mechanism>(m: &M, state: &State<M>) -> Projection<M::Scalar> {
    let (phi, phi_dot) = violation(m, state);
    Projection {
        position_passes: 0,
        velocity_passes: 0,
        phi,
        phi_dot,
    }
}

/// Result of a projection, with its work.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Projection<T> {
    /// Corrections of the position.
    pub position_passes: usize,
    /// Corrections of the velocity.
    pub velocity_passes: usize,
    /// ‖Φ‖∞ afterwards.
    pub phi: T,
    /// ‖Φ̇‖∞ afterwards.
    pub phi_dot: T,
}

/// A stabilizer that is chosen at run time, among those that every generated mechanism supports.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AnyStabilizer {
    /// `direct-correction`
    DirectCorrection(DirectCorrection),
    /// `none`
    NoStabilizer(NoStabilizer),
}

impl AnyStabilizer {
    /// Names that [`AnyStabilizer::named`] knows.
    pub const NAMES: &'static [&'static str] = &["direct-correction", "none"];

    /// The stabilizer of that name.
    pub fn named(name: &str) -> Result<Self, UnknownName> {
        Ok(match position("stabilizer", Self::NAMES, name)? {
            0 => Self::DirectCorrection(DirectCorrection::default()),
            _ => Self::NoStabilizer(NoStabilizer),
        })
    }
}

impl From<DirectCorrection> for AnyStabilizer {
    fn from(method: DirectCorrection) -> Self {
        Self::DirectCorrection(method)
    }
}

impl From<NoStabilizer> for AnyStabilizer {
    fn from(method: NoStabilizer) -> Self {
        Self::NoStabilizer(method)
    }
}

impl<M: Mechanism> Projecting<M> for AnyStabilizer {}

impl<M: Mechanism> Stabilizer<M> for AnyStabilizer {
    type Memory = ();

    fn projects(&self) -> bool {
        matches!(self, Self::DirectCorrection(_))
    }

    fn memory(&self) {}

    fn project(
        &self,
        m: &M,
        state: &mut State<M>,
        workspace: &mut Workspace<M>,
        memory: &mut (),
    ) -> Result<Projection<M::Scalar>, Stop> {
        match self {
            Self::DirectCorrection(method) => method.project(m, state, workspace, memory),
            Self::NoStabilizer(method) => method.project(m, state, workspace, memory),
        }
    }
}
