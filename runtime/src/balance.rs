//! Watches the energy balance from one row of output to the next.

use crate::arithmetic::larger;
use crate::{Energy, Frame, Mechanism, Real, Report, Stop};

/// A change below this share of the energy in motion is not reported.
const SHARE: f64 = 0.01;
/// A jump is so many times the largest change of any other row. The error of a method changes with the motion, from row
/// to row by a factor and not by powers of ten.
const TIMES: f64 = 100.0;
/// Number of rows until the usual change by the method is known.
const EARLY: u32 = 10;
/// Fewest rows of output from which a jump can be recognised.
const FEWEST: u32 = 3;

/// Looks for jumps of kinetic + potential − work. It costs an energy a row and nothing in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BalanceWatch<T> {
    time: T,
    balance: T,
    kinetic: T,
    /// Least and largest potential energy.
    potential: (T, T),
    /// Largest change of a row, without the suspect.
    usual: T,
    suspect: Option<Jump<T>>,
    rows: u32,
    dense: usize,
    fired: bool,
}

/// A change of the balance within a row.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Jump<T> {
    since: T,
    time: T,
    by: T,
    dense: usize,
}

impl<T: Real> BalanceWatch<T> {
    /// Begins with this frame.
    pub(crate) fn new<M: Mechanism<Scalar = T>>(frame: &Frame<M>) -> Self {
        let Energy { kinetic, potential } = frame.energies();
        Self {
            time: frame.time(),
            balance: frame.balance(),
            kinetic,
            potential: (potential, potential),
            usual: T::ZERO,
            suspect: None,
            rows: 0,
            dense: 0,
            fired: false,
        }
    }

    /// Takes a step into account, because it may explain a jump. Events may change elements that store energy.
    pub(crate) fn step(&mut self, report: &Report<T>) {
        self.dense += report.counts.dense;
        self.fired |= report.events.iter().next().is_some();
    }

    /// The next row follows an event.
    #[cfg(feature = "std")]
    pub(crate) fn excuse(&mut self) {
        self.fired = true;
    }

    /// Takes a row into account whose steps are known. Returns the jump, if the row has one.
    pub(crate) fn row<M: Mechanism<Scalar = T>>(&mut self, frame: &Frame<M>) -> Option<Stop> {
        let scale = self.scale();
        let Energy { kinetic, potential } = frame.energies();
        let balance = kinetic + potential - frame.work();
        let jump = Jump {
            since: self.time,
            time: frame.time(),
            by: balance - self.balance,
            dense: self.dense,
        };
        let fired = core::mem::take(&mut self.fired);
        (self.time, self.balance, self.dense) = (jump.time, balance, 0);
        self.kinetic = larger(self.kinetic, kinetic);
        self.potential = (
            self.potential.0.min(potential),
            larger(self.potential.1, potential),
        );
        if fired {
            return None;
        }
        self.rows = self.rows.saturating_add(1);
        match self.rows > EARLY {
            true => self.judge(jump, scale),
            false => self.collect(jump),
        }
    }

    /// Whether one of the first rows jumps, in a run that ends among them.
    pub(crate) fn end(&mut self) -> Option<Stop> {
        let suspect = self.suspect.take();
        let scale = self.scale();
        suspect
            .filter(|_| self.rows >= FEWEST)
            .and_then(|suspect| self.judge(suspect, scale))
    }

    /// Energy that moves: the largest kinetic one and the range of the potential one.
    fn scale(&self) -> T {
        self.kinetic + (self.potential.1 - self.potential.0)
    }

    /// Takes one of the first rows into account. The row that changes most is suspect until the usual change is known.
    fn collect(&mut self, jump: Jump<T>) -> Option<Stop> {
        let most = self.suspect.map_or(T::ZERO, |suspect| suspect.by.abs());
        if jump.by.abs() > most {
            self.usual = larger(self.usual, most);
            self.suspect = Some(jump);
        } else {
            self.usual = larger(self.usual, jump.by.abs());
        }
        match self.rows == EARLY {
            true => self.end(),
            false => None,
        }
    }

    /// Whether a change is more than the method and the motion can explain.
    fn judge(&mut self, jump: Jump<T>, scale: T) -> Option<Stop> {
        let by = jump.by.abs();
        let limit = (scale * T::from_f64(SHARE)).max(self.usual * T::from_f64(TIMES));
        self.usual = larger(self.usual, by);
        (by > limit).then(|| Stop::EnergyJump {
            since: jump.since.to_f64(),
            time: jump.time.to_f64(),
            by: jump.by.to_f64(),
            of: scale.to_f64(),
            dense: jump.dense,
        })
    }
}
