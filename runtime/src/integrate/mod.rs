//! Time stepping: explicit methods on the index-1 equations.

mod rk4;
mod semi_implicit_euler;

pub use rk4::Rk4;
pub use semi_implicit_euler::SemiImplicitEuler;

use crate::names::{UnknownName, position};
use crate::{Mechanism, Real, State, Stop, Workspace};

/// A method that carries a state over one step.
pub trait Integrator<M: Mechanism> {
    /// The step that it was made for.
    fn step_size(&self) -> M::Scalar;

    /// Carries the state over `step`. The evaluation that it makes last stays in the workspace, where
    /// the stabilizer finds its factor.
    fn step(
        &self,
        m: &M,
        state: &mut State<M>,
        step: M::Scalar,
        workspace: &mut Workspace<M>,
    ) -> Result<(), Stop>;
}

/// An integrator that is chosen at run time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AnyIntegrator<T> {
    /// `rk4`
    Rk4(Rk4<T>),
    /// `semi-implicit-euler`
    SemiImplicitEuler(SemiImplicitEuler<T>),
}

impl<T: Real> AnyIntegrator<T> {
    /// Names that [`AnyIntegrator::named`] knows.
    pub const NAMES: &'static [&'static str] = &["rk4", "semi-implicit-euler"];

    /// The integrator of that name.
    pub fn named(name: &str, step: T) -> Result<Self, UnknownName> {
        Ok(match position("integrator", Self::NAMES, name)? {
            0 => Self::Rk4(Rk4::new(step)),
            _ => Self::SemiImplicitEuler(SemiImplicitEuler::new(step)),
        })
    }
}

impl<M: Mechanism> Integrator<M> for AnyIntegrator<M::Scalar> {
    fn step_size(&self) -> M::Scalar {
        match self {
            Self::Rk4(method) => Integrator::<M>::step_size(method),
            Self::SemiImplicitEuler(method) => Integrator::<M>::step_size(method),
        }
    }

    fn step(
        &self,
        m: &M,
        state: &mut State<M>,
        step: M::Scalar,
        workspace: &mut Workspace<M>,
    ) -> Result<(), Stop> {
        match self {
            Self::Rk4(method) => method.step(m, state, step, workspace),
            Self::SemiImplicitEuler(method) => method.step(m, state, step, workspace),
        }
    }
}
