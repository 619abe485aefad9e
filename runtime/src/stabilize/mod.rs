//! Projection back to the manifold Φ = 0, Φ̇ = 0 after a step.

mod direct_correction;
mod none;

pub use direct_correction::DirectCorrection;
pub use none::NoStabilizer;
pub(crate) use none::violation;

use crate::names::{UnknownName, position};
use crate::{Mechanism, State, Stop, Workspace};

/// A method that keeps the state on the manifold.
pub trait Stabilizer<M: Mechanism> {
    /// Moves the state back; the workspace holds the last evaluation of the integrator.
    fn project(
        &self,
        m: &M,
        state: &mut State<M>,
        workspace: &mut Workspace<M>,
    ) -> Result<Projection<M::Scalar>, Stop>;
}

/// What a projection did and left.
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

/// A stabilizer that is chosen at run time.
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

impl<M: Mechanism> Stabilizer<M> for AnyStabilizer {
    fn project(
        &self,
        m: &M,
        state: &mut State<M>,
        workspace: &mut Workspace<M>,
    ) -> Result<Projection<M::Scalar>, Stop> {
        match self {
            Self::DirectCorrection(method) => method.project(m, state, workspace),
            Self::NoStabilizer(method) => method.project(m, state, workspace),
        }
    }
}
