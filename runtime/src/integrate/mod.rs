//! Integrators: they move the state by a step.

mod augmented_lagrangian;
mod bdf;
mod differences;
mod dormand_prince;
mod generalized_alpha;
mod jump;
mod newton;
mod rk2;
mod rk4;
mod semi_implicit_euler;
mod slope;

pub use augmented_lagrangian::{AugmentedLagrangianIndex3, TrapezoidalMemory};
pub use bdf::{Bdf, BdfMemory, SHAMPINE_REICHELT};
pub use dormand_prince::{DormandPrince, DormandPrinceMemory};
pub use generalized_alpha::{AlphaMemory, GeneralizedAlpha, GeneralizedAlphaIndex3};
pub use rk2::Rk2;
pub use rk4::Rk4;
pub use semi_implicit_euler::SemiImplicitEuler;
pub(crate) use slope::Slope;

use crate::names::{UnknownName, position};
use crate::{Acceleration, Mechanism, Real, Stabilizer, State, StateView, Stop, Workspace};

/// A method that carries a state over one step, together with a stabilizer.
pub trait Integrator<M: Mechanism, S: Stabilizer<M>> {
    /// Memory of the integrator from step to step.
    type Memory: Clone;

    /// True if it chooses the length of its steps.
    const ADAPTIVE: bool = false;

    /// True if [`Integrator::interpolate`] knows the states within a step.
    const DENSE: bool = false;

    /// True if a step uses accelerations at its stages and keeps none of them. A step through a singular position may
    /// then be made in another way.
    const ONE_STEP: bool = false;

    /// The error that a step may make, if it chooses the length of its steps.
    fn tolerance(&self) -> Option<M::Scalar> {
        None
    }

    /// The memory at the start, and after every event that makes the motion jump.
    fn memory(&self) -> Self::Memory;

    /// The step of the method; the longest step if it chooses its steps.
    fn step_size(&self) -> M::Scalar;

    /// Carries the state over a step of the length `limit`, or less if the method is adaptive, and returns the
    /// length. Its last evaluation stays in the workspace, where the stabilizer finds the factor.
    fn step(
        &self,
        run: &mut StepContext<M, S>,
        memory: &mut Self::Memory,
        state: &mut State<M>,
        limit: M::Scalar,
    ) -> Result<M::Scalar, Stop>;

    /// The state at a time within the last step, if the method knows it; it may lie off the manifold by
    /// the error of the method.
    fn interpolate(&self, memory: &Self::Memory, time: M::Scalar) -> Option<State<M>> {
        let _ = (memory, time);
        None
    }
}

/// The data of a step.
pub struct StepContext<'a, M: Mechanism, S: Stabilizer<M>> {
    /// The mechanism.
    pub mechanism: &'a M,
    /// The stabilizer that keeps the constraints.
    pub stabilizer: &'a S,
    /// The last evaluation, and counts.
    pub workspace: &'a mut Workspace<M>,
    /// Memory of the stabilizer from step to step.
    pub memory: &'a mut S::Memory,
}

impl<M: Mechanism, S: Stabilizer<M>> StepContext<'_, M, S> {
    /// Evaluates at the beginning of a step, unless that was just done.
    #[inline]
    pub fn begin(&mut self, state: &State<M>) -> Result<&Acceleration<M>, Stop> {
        if S::PLAIN {
            return self.workspace.begin(self.mechanism, state);
        }
        self.evaluate(state.view())
    }

    /// Slope of the state at the beginning of a step.
    #[inline(always)]
    pub(crate) fn first_slope(&mut self, state: &State<M>) -> Result<Slope<M>, Stop> {
        if S::PLAIN && self.workspace.holds(state) {
            return Ok(Slope::of(&self.workspace.evaluation.acceleration));
        }
        self.slope(state.view())
    }

    /// Slope of the state at a stage of a step.
    #[inline(always)]
    pub(crate) fn slope(&mut self, state: StateView<'_, M>) -> Result<Slope<M>, Stop> {
        if S::PLAIN && size_of::<Acceleration<M>>() <= IN_REGISTERS {
            return self.workspace.slope(self.mechanism, state);
        }
        self.evaluate(state).map(Slope::of)
    }

    /// Evaluates anywhere, as the stages of a step do.
    #[inline]
    pub fn evaluate(&mut self, state: StateView<'_, M>) -> Result<&Acceleration<M>, Stop> {
        self.stabilizer
            .evaluate(self.mechanism, state, self.workspace, self.memory)
    }
}

/// Bytes of an evaluation that stages pass on by value. A stage that reads the values that the last one has just
/// written to memory waits until they have arrived there. For small mechanisms that is longer than its computation.
const IN_REGISTERS: usize = 512;

/// A remainder of a run shorter than this share of a step belongs to the step before it.
pub(crate) const SLIVER: f64 = 1e-6;

/// The wanted step, or the rest of the run if that is hardly longer.
fn fitted<T: Real>(wanted: T, limit: T) -> T {
    if limit <= wanted * T::from_f64(1.0 + SLIVER) {
        return limit;
    }
    wanted
}

/// A step that a tolerance determines must advance the time.
fn check_tolerable<T: Real>(time: T, step: T, tolerance: T) -> Result<(), Stop> {
    match time + step > time {
        true => Ok(()),
        false => Err(Stop::ToleranceTooTight {
            time: time.to_f64(),
            step: step.to_f64(),
            tolerance: tolerance.to_f64(),
        }),
    }
}

/// A step must advance the time.
fn check_moves<T: Real>(time: T, step: T) -> Result<(), Stop> {
    match time + step > time {
        true => Ok(()),
        false => Err(Stop::StepTooSmall {
            time: time.to_f64(),
            step: step.to_f64(),
        }),
    }
}

/// An integrator that is chosen at run time, among those that every generated mechanism supports.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AnyIntegrator<T> {
    /// `rk4`
    Rk4(Rk4<T>),
    /// `rk2`
    Rk2(Rk2<T>),
    /// `semi-implicit-euler`
    SemiImplicitEuler(SemiImplicitEuler<T>),
}

impl<T: Real> AnyIntegrator<T> {
    /// Names that [`AnyIntegrator::named`] knows.
    pub const NAMES: &'static [&'static str] = &["rk4", "rk2", "semi-implicit-euler"];

    /// The integrator of that name.
    pub fn named(name: &str, step: T) -> Result<Self, UnknownName> {
        Ok(match position("integrator", Self::NAMES, name)? {
            0 => Self::Rk4(Rk4::new(step)),
            1 => Self::Rk2(Rk2::new(step)),
            _ => Self::SemiImplicitEuler(SemiImplicitEuler::new(step)),
        })
    }
}

impl<T> From<Rk4<T>> for AnyIntegrator<T> {
    fn from(method: Rk4<T>) -> Self {
        Self::Rk4(method)
    }
}

impl<T> From<Rk2<T>> for AnyIntegrator<T> {
    fn from(method: Rk2<T>) -> Self {
        Self::Rk2(method)
    }
}

impl<T> From<SemiImplicitEuler<T>> for AnyIntegrator<T> {
    fn from(method: SemiImplicitEuler<T>) -> Self {
        Self::SemiImplicitEuler(method)
    }
}

impl<M: Mechanism, S: Stabilizer<M>> Integrator<M, S> for AnyIntegrator<M::Scalar> {
    type Memory = u32;

    const ONE_STEP: bool = true;

    fn memory(&self) -> u32 {
        0
    }

    fn step_size(&self) -> M::Scalar {
        match self {
            Self::Rk4(method) => Integrator::<M, S>::step_size(method),
            Self::Rk2(method) => Integrator::<M, S>::step_size(method),
            Self::SemiImplicitEuler(method) => Integrator::<M, S>::step_size(method),
        }
    }

    fn step(
        &self,
        run: &mut StepContext<M, S>,
        memory: &mut u32,
        state: &mut State<M>,
        limit: M::Scalar,
    ) -> Result<M::Scalar, Stop> {
        match self {
            Self::Rk4(method) => method.step(run, &mut (), state, limit),
            Self::Rk2(method) => method.step(run, &mut (), state, limit),
            Self::SemiImplicitEuler(method) => method.step(run, memory, state, limit),
        }
    }
}
