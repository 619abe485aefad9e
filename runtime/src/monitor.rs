//! Violation of the constraints and the energy balance over a run.

use crate::arithmetic::larger;
use crate::balance::BalanceWatch;
use crate::{Frame, Mechanism, Real, Report, Stop};

/// Running largest values of ‖Φ‖∞, ‖Φ̇‖∞ and the drift of kinetic + potential − work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Monitor<T> {
    start: T,
    /// Largest ‖Φ‖∞.
    pub phi: T,
    /// Largest ‖Φ̇‖∞.
    pub phi_dot: T,
    /// Largest |kinetic + potential − work − its first value|.
    pub energy_drift: T,
    /// The first jump of that balance between two frames that neither the method nor the motion explains, as the
    /// `Stop` of a run that ends there.
    pub energy_jump: Option<Stop>,
    watch: BalanceWatch<T>,
}

impl<T: Real> Monitor<T> {
    /// Begins with this frame.
    pub fn new<M: Mechanism<Scalar = T>>(frame: &Frame<M>) -> Self {
        let report = frame.report();
        let (phi, phi_dot) = (report.phi, report.phi_dot);
        Self {
            start: frame.balance(),
            phi,
            phi_dot,
            energy_drift: T::ZERO,
            energy_jump: None,
            watch: BalanceWatch::new(frame),
        }
    }

    /// Takes another frame into account.
    pub fn observe<M: Mechanism<Scalar = T>>(&mut self, frame: &Frame<M>) {
        self.observe_report(frame.report());
        self.observe_balance(frame);
    }

    /// The same for a frame whose step is taken into account already.
    pub(crate) fn observe_balance<M: Mechanism<Scalar = T>>(&mut self, frame: &Frame<M>) {
        let jump = self.watch.row(frame);
        self.energy_jump = self.energy_jump.or(jump);
        self.energy_drift = larger(self.energy_drift, (frame.balance() - self.start).abs());
    }

    /// Takes only the violations of a step into account, which are already known.
    pub fn observe_report(&mut self, report: &Report<T>) {
        self.phi = larger(self.phi, report.phi);
        self.phi_dot = larger(self.phi_dot, report.phi_dot);
        self.watch.step(report);
    }

    /// The next frame follows an event that no report has mentioned.
    #[cfg(feature = "std")]
    pub(crate) fn excuse(&mut self) {
        self.watch.excuse();
    }

    /// Takes into account that there are no more frames: a jump among the first ones is known only after some more.
    pub fn end(&mut self) {
        let jump = self.watch.end();
        self.energy_jump = self.energy_jump.or(jump);
    }
}
