//! How far a run leaves its manifold and its energy.

use crate::arithmetic::larger;
use crate::{Frame, Mechanism, Real, Report};

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
        }
    }

    /// Takes another frame into account.
    pub fn observe<M: Mechanism<Scalar = T>>(&mut self, frame: &Frame<M>) {
        self.observe_report(frame.report());
        self.energy_drift = larger(self.energy_drift, (frame.balance() - self.start).abs());
    }

    /// Takes only the violations of a step into account, which are already known.
    pub fn observe_report(&mut self, report: &Report<T>) {
        self.phi = larger(self.phi, report.phi);
        self.phi_dot = larger(self.phi_dot, report.phi_dot);
    }
}
