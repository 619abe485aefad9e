//! Whether a damper or a brake answers faster than the steps of an explicit method can follow.
//!
//! Accelerations at three points of a step give the rate λ at which they answer a change of velocity [Hairer, Wanner,
//! *Solving Ordinary Differential Equations II*, IV.2]:
//!
//! ```text
//! k₁ = f(y)        k₂ = f(y + h/2 k₁)        k₃ = f(y + h/2 k₂)        a₃ − a₂ ≈ −(h λ/2) (a₂ − a₁)
//! ```
//!
//! With h λ > 2.8 a linear damper makes the motion explode, which is visible in every run. A brake is stiff near rest
//! only and never exerts more than its largest force. The motion then looks right, but the force changes its sign
//! from step to step.

use std::format;
use std::string::String;

use crate::arithmetic::{add_scaled, dot, norm, sum_scaled};
use crate::nearness::NEAR;
use crate::{Acceleration, Frame, Mechanism, Real, StateView, Vector};

/// Response to a change, as a share of the change, above which the steps do not follow the force of a damper.
const FOLLOWED: f64 = 0.9;

/// A change below this share of the accelerations is the error of the method in following a damper, or round-off.
const SHARE: f64 = 0.1;

/// A report is due after this many rows in succession. A fast motion that decays takes fewer rows.
const ROWS: u32 = 20;

/// Number of rows of a run that are examined, evenly spread. Each costs three evaluations.
const LOOKS: f64 = 2000.0;

/// Looks for forces that change their sign from step to step.
pub(super) struct ChatterWatch<T> {
    step: T,
    /// Every so many rows.
    every: u64,
    rows: u64,
    in_succession: u32,
    since: T,
    is_reported: bool,
}

impl<T: Real> ChatterWatch<T> {
    /// For steps of this length and this number of rows.
    pub(super) fn new(step: f64, rows: f64) -> Self {
        Self {
            step: T::from_f64(step),
            every: (rows / LOOKS).ceil().max(1.0) as u64,
            rows: 0,
            in_succession: 0,
            since: T::ZERO,
            is_reported: false,
        }
    }

    /// Takes a row into account. Returns the warning, once.
    pub(super) fn row<M: Mechanism<Scalar = T>>(&mut self, frame: &Frame<M>) -> Option<String> {
        self.rows += 1;
        if self.is_reported || !self.rows.is_multiple_of(self.every) {
            return None;
        }
        let Some((velocity, rate)) = self.overtaken(frame) else {
            self.in_succession = 0;
            return None;
        };
        if self.in_succession == 0 {
            self.since = frame.time();
        }
        self.in_succession += 1;
        self.is_reported = self.in_succession >= ROWS;
        self.is_reported.then(|| {
            format!(
                "from t = {:?} on, a damper or a brake changes its force from step to step, most of all that of `{velocity}`: it \
                 answers within some {:.0e} s, and a step takes {:?} s; the forces that are recorded are not those of the mechanism; \
                 write `--integrator bdf`, or a smaller `--step`",
                self.since.to_f64(),
                1.0 / rate,
                self.step.to_f64(),
            )
        })
    }

    /// The velocity whose acceleration answers a change by as much against it, and the rate of the answer.
    fn overtaken<M: Mechanism<Scalar = T>>(&self, frame: &Frame<M>) -> Option<(&'static str, f64)> {
        let first = slope(frame, T::ZERO, None)?;
        let half = self.step / (T::ONE + T::ONE);
        let second = slope(frame, half, Some(&first))?;
        let third = slope(frame, half, Some(&second))?;
        let largest = norm(&first.accelerations).max(norm(&third.accelerations));
        let change = sum_scaled(&second.accelerations, -T::ONE, &first.accelerations);
        let answer = sum_scaled(&third.accelerations, -T::ONE, &second.accelerations);
        let (size, answered) = (norm(&change), norm(&answer));
        let is_felt = size > T::from_f64(SHARE) * largest;
        let is_against = dot(&change, &answer) < T::ZERO;
        let is_overtaken = answered > T::from_f64(FOLLOWED) * size;
        if !(is_felt && is_against && is_overtaken) {
            return None;
        }
        let component = |j: &usize| answer[*j].abs() == answered;
        let most = (0..M::Velocities::LEN).find(component)?;
        Some((M::VELOCITIES[most], (answered / size / half).to_f64()))
    }
}

/// The slope where this one leads to from a frame; `None` near a singular position and where it is not finite.
fn slope<M: Mechanism>(
    frame: &Frame<M>,
    offset: M::Scalar,
    along: Option<&Acceleration<M>>,
) -> Option<Acceleration<M>> {
    let (mut q, mut v) = (*frame.coordinates(), *frame.velocities());
    if let Some(along) = along {
        add_scaled(&mut q, offset, &along.rates);
        add_scaled(&mut v, offset, &along.accelerations);
    }
    let mut out = Acceleration::zero();
    let (t, q, v) = (frame.time() + offset, &q, &v);
    frame
        .mechanism()
        .accelerate(StateView { t, q, v }, &mut out);
    let is_clear = out.margin > M::Scalar::from_f64(NEAR);
    (is_clear && norm(&out.accelerations).is_finite()).then_some(out)
}
