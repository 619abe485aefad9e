//! Distance of a step to a singular position.
//!
//! The margin of a solve falls with the square of the distance σ to the position where constraint equations become
//! dependent. The motion is smooth on its way there, but a stage amplifies its own error: if it is off the manifold
//! by e, its acceleration across the motion has an error of e/σ. The error e of a stage is of the order of the
//! squared step. A step therefore has its nominal order only if its distance from the singular position is some share
//! of its own length.

use crate::{Acceleration, Mechanism, Real};

/// A margin below this is looked at more closely: a tenth of the usual distance.
pub const NEAR: f64 = 1e-2;

/// A distance below this is too near whatever the step is: round-off ε of a position is ε/σ³ in an
/// acceleration across the motion.
const LEAST: f64 = 3e-4;

/// A distance below which v̇ and λ are read as limits along the motion, squared. Plain solves are off by some
/// hundredths of λ at this distance. From 1e-4 on, limits would be read in regular motion too: the double-action press
/// is then off by 5e-7 N.
const UNREADABLE: f64 = 1e-6;

/// The share of its own way that a step keeps away from a singular position.
const SHARE: f64 = 0.125;

/// The same where constraint equations are redundant, compared with the fourth roots of margins. Of equations that
/// depend on each other everywhere some are left out, the same ones in every position. Those that are kept may come to
/// depend on each other twice then, as in Bricard's folded ring: the margin falls with σ⁴, and off the manifold by e an
/// acceleration is wrong by e/σ², whatever the step is. With this share steps are plain from some ten steps away on,
/// and make 1e-6 of the energy each.
const SHARE_OF_REDUNDANT: f64 = 8.0;

/// The margins of those evaluations of a step that were near.
#[derive(Clone, Copy, Debug)]
pub struct Nearness<T> {
    least: T,
    most: T,
    n_near: usize,
}

impl<T: Real> Nearness<T> {
    /// Nothing was near.
    pub fn none() -> Self {
        Self {
            least: T::ONE,
            most: T::ZERO,
            n_near: 0,
        }
    }

    /// Records one more evaluation with a small margin, which may be negative or NaN.
    #[cold]
    pub fn note<M: Mechanism<Scalar = T>>(&mut self, acceleration: &Acceleration<M>) {
        let margin = acceleration.margin.max(T::ZERO);
        self.least = self.least.min(margin);
        self.most = self.most.max(margin);
        self.n_near += 1;
    }

    /// True if an evaluation with this margin is as good as at a singular position.
    pub fn is_at(margin: T) -> bool {
        let away = margin > T::from_f64(LEAST * LEAST);
        !away
    }

    /// True if an evaluation with this margin is too near to be read.
    pub fn is_unreadable(margin: T) -> bool {
        let away = margin > T::from_f64(UNREADABLE);
        !away
    }

    /// True if any evaluation was near.
    #[inline]
    pub fn any(&self) -> bool {
        self.n_near > 0
    }

    /// True if one of so many evaluations was too near for the order of the step.
    pub fn is_too_near<M: Mechanism<Scalar = T>>(&self, n_evaluations: usize) -> bool {
        let most = match self.n_near < n_evaluations {
            true => self.most.max(T::from_f64(NEAR)),
            false => self.most,
        };
        let (least, most) = (self.least.sqrt(), most.sqrt());
        let way = match M::REDUNDANT.is_empty() {
            true => (most - least) * T::from_f64(SHARE),
            false => (most.sqrt() - least.sqrt()) * T::from_f64(SHARE_OF_REDUNDANT),
        };
        least < way.max(T::from_f64(LEAST))
    }
}
