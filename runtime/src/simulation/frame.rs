//! A state of a run, with its outputs, energies and reactions.

use core::cell::RefCell;

use super::Progress;
use crate::{Counts, Energy, Fired, Mechanism, State, Stop, Vector, Workspace};

/// A state of a run. Energies, outputs and reactions are computed when they are read.
pub struct Frame<'a, M: Mechanism> {
    mechanism: &'a M,
    workspace: &'a RefCell<Workspace<M>>,
    state: State<M>,
    pub(super) variables: M::Variables,
    report: Report<M::Scalar>,
}

/// Report of a step: its end, its work, and the remaining violation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Report<T> {
    /// t after it.
    pub time: T,
    /// Work of the step.
    pub counts: Counts,
    /// Corrections of the position.
    pub position_passes: usize,
    /// Corrections of the velocity.
    pub velocity_passes: usize,
    /// ‖Φ‖∞ after it.
    pub phi: T,
    /// ‖Φ̇‖∞ after it.
    pub phi_dot: T,
    /// The events that ended the step.
    pub events: Fired,
    /// Whether events ended the step before its time.
    pub cut: bool,
    /// Whether one of these events ends the run.
    pub stopped: bool,
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
            variables: mechanism.variables(),
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

    /// Work done so far by forces without a potential.
    pub fn work(&self) -> M::Scalar {
        self.state.work
    }

    /// Report of the step before this frame.
    pub fn report(&self) -> &Report<M::Scalar> {
        &self.report
    }

    /// Discrete variables, in the order of [`Mechanism::VARIABLES`], as the events of this frame left them.
    pub fn variables(&self) -> &M::Variables {
        &self.variables
    }

    /// Names of the events that ended the step before this frame, in the order of the description.
    pub fn events(&self) -> impl Iterator<Item = &'static str> {
        self.report.events.iter().map(|index| M::EVENTS[index].name)
    }

    /// Name of the event that ended the run here.
    pub fn stopped(&self) -> Option<&'static str> {
        let mut fired = self.report.events.iter();
        let stopping = fired.find(|index| self.report.stopped && M::EVENTS[*index].stops);
        stopping.map(|index| M::EVENTS[index].name)
    }

    /// The mechanism.
    pub fn mechanism(&self) -> &'a M {
        self.mechanism
    }

    /// Kinetic and potential energy.
    pub fn energies(&self) -> Energy<M::Scalar> {
        self.here(|mechanism| mechanism.energy(self.state.view()))
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
        self.here(|mechanism| {
            let read = workspace.read(mechanism, &self.state)?;
            Ok(read.accelerations)
        })
    }

    /// λ; if constraint equations are redundant, the λ with the smallest reactions.
    pub fn multipliers(&self) -> Result<M::Multipliers, Stop> {
        let mut workspace = self.workspace.borrow_mut();
        self.here(|mechanism| workspace.read_multipliers(mechanism, &self.state))
    }

    /// Named outputs, in the order of [`Mechanism::OUTPUTS`].
    pub fn outputs(&self) -> Result<M::Outputs, Stop> {
        let multipliers = match M::OUTPUTS_NEED_MULTIPLIERS {
            true => self.multipliers()?,
            false => M::Multipliers::zero(),
        };
        let accelerations = self.accelerations()?;
        let mut outputs = M::Outputs::zero();
        self.here(|mechanism| {
            mechanism.outputs(
                self.state.view(),
                &accelerations,
                &multipliers,
                &mut outputs,
            );
        });
        Ok(outputs)
    }

    /// One named output. Panics if there is none with this index.
    pub fn output(&self, index: usize) -> Result<M::Scalar, Stop> {
        Ok(self.outputs()?[index])
    }

    /// Force and torque in every joint, six numbers each.
    pub fn reactions(&self) -> Result<M::Reactions, Stop> {
        let (multipliers, accelerations) = (self.multipliers()?, self.accelerations()?);
        let mut reactions = M::Reactions::zero();
        self.here(|mechanism| {
            mechanism.reactions(
                self.state.view(),
                &accelerations,
                &multipliers,
                &mut reactions,
            );
        });
        Ok(reactions)
    }

    /// Reads the mechanism with the variables of this frame, although events may have changed them since.
    #[inline]
    fn here<R>(&self, read: impl FnOnce(&M) -> R) -> R {
        if M::Variables::LEN == 0 {
            return read(self.mechanism);
        }
        let now = self.mechanism.variables();
        self.mechanism.set_variables(&self.variables);
        let result = read(self.mechanism);
        self.mechanism.set_variables(&now);
        result
    }
}
