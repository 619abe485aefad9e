//! What can be read of a state.

use core::cell::RefCell;

use super::Progress;
use crate::{Counts, Energy, Mechanism, State, Stop, Vector, Workspace};

/// A state of a run. Energies, outputs and reactions are computed when they are asked for.
pub struct Frame<'a, M: Mechanism> {
    mechanism: &'a M,
    workspace: &'a RefCell<Workspace<M>>,
    state: State<M>,
    report: Report<M::Scalar>,
}

/// What a step did and left.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Report<T> {
    /// t after it.
    pub time: T,
    /// How much work it was.
    pub counts: Counts,
    /// Corrections of the position.
    pub position_passes: usize,
    /// Corrections of the velocity.
    pub velocity_passes: usize,
    /// ‖Φ‖∞ after it.
    pub phi: T,
    /// ‖Φ̇‖∞ after it.
    pub phi_dot: T,
}

impl<'a, M: Mechanism> Frame<'a, M> {
    #[inline]
    pub(super) fn new(
        mechanism: &'a M,
        workspace: &'a RefCell<Workspace<M>>,
        progress: &Progress<M>,
    ) -> Self {
        Self::at(mechanism, workspace, progress.state, progress.report)
    }

    #[inline]
    pub(super) fn at(
        mechanism: &'a M,
        workspace: &'a RefCell<Workspace<M>>,
        state: State<M>,
        report: Report<M::Scalar>,
    ) -> Self {
        Self {
            mechanism,
            workspace,
            state,
            report,
        }
    }

    /// t
    pub fn time(&self) -> M::Scalar {
        self.state.time
    }

    /// Time, coordinates, velocities and work.
    pub fn state(&self) -> &State<M> {
        &self.state
    }

    /// q
    pub fn coordinates(&self) -> &M::Coordinates {
        &self.state.q
    }

    /// v
    pub fn velocities(&self) -> &M::Velocities {
        &self.state.v
    }

    /// Work done so far by what no potential accounts for.
    pub fn work(&self) -> M::Scalar {
        self.state.work
    }

    /// What the step before this frame did.
    pub fn report(&self) -> &Report<M::Scalar> {
        &self.report
    }

    /// The mechanism.
    pub fn mechanism(&self) -> &'a M {
        self.mechanism
    }

    /// Kinetic and potential energy.
    pub fn energies(&self) -> Energy<M::Scalar> {
        self.mechanism
            .energy(self.state.time, &self.state.q, &self.state.v)
    }

    /// Kinetic + potential energy.
    pub fn energy(&self) -> M::Scalar {
        let Energy { kinetic, potential } = self.energies();
        kinetic + potential
    }

    /// Kinetic + potential energy − work, which a run should not change.
    pub fn balance(&self) -> M::Scalar {
        self.energy() - self.state.work
    }

    /// v̇. Costs an evaluation, with which the next step then begins.
    pub fn accelerations(&self) -> Result<M::Velocities, Stop> {
        let mut workspace = self.workspace.borrow_mut();
        Ok(workspace.read(self.mechanism, &self.state)?.accelerations)
    }

    /// λ, of the smallest norm if rows repeat others.
    pub fn multipliers(&self) -> Result<M::Multipliers, Stop> {
        self.workspace
            .borrow_mut()
            .read_multipliers(self.mechanism, &self.state)
    }

    /// Named outputs, in the order of [`Mechanism::OUTPUTS`].
    pub fn outputs(&self) -> Result<M::Outputs, Stop> {
        let (multipliers, accelerations) = (self.multipliers()?, self.accelerations()?);
        let State { time, q, v, .. } = &self.state;
        let mut outputs = M::Outputs::zero();
        self.mechanism
            .outputs(*time, q, v, &accelerations, &multipliers, &mut outputs);
        Ok(outputs)
    }

    /// One named output. Panics if there is none with this index.
    pub fn output(&self, index: usize) -> Result<M::Scalar, Stop> {
        Ok(self.outputs()?[index])
    }

    /// Force and torque in every joint, six numbers each.
    pub fn reactions(&self) -> Result<M::Reactions, Stop> {
        let (multipliers, accelerations) = (self.multipliers()?, self.accelerations()?);
        let State { time, q, v, .. } = &self.state;
        let mut reactions = M::Reactions::zero();
        self.mechanism
            .reactions(*time, q, v, &accelerations, &multipliers, &mut reactions);
        Ok(reactions)
    }
}
