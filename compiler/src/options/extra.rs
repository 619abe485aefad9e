//! Groups of functions that only some methods need. The others do not pay for them.

use serde::{Deserialize, Serialize};

use crate::description::{Integrator, Method, Stabilizer};

/// Functions beyond those that every method needs; each is a trait of the runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Extra {
    /// Accelerations that pull the violation to zero.
    Baumgarte,
    /// The same with soft rows.
    Penalty,
    /// Projection in the metric of the velocities themselves.
    Plain,
    /// Projection of all coordinates, norms of Euler parameters included.
    Standard,
    /// D
    Jacobian,
    /// Solves that implicit integrators need.
    Tangents,
}

impl Extra {
    /// Name of the runtime's trait.
    pub fn trait_name(self) -> &'static str {
        match self {
            Self::Baumgarte => "Baumgarted",
            Self::Penalty => "Penalized",
            Self::Plain => "Plain",
            Self::Standard => "Standard",
            Self::Jacobian => "Jacobians",
            Self::Tangents => "Tangent",
        }
    }
}

impl Method {
    /// The functions that a method needs beyond those of every method.
    pub fn extras(self) -> &'static [Extra] {
        match self {
            Self::Integrator(integrator) => match integrator {
                Integrator::Rk4
                | Integrator::Rk2
                | Integrator::SemiImplicitEuler
                | Integrator::DormandPrince => &[],
                Integrator::Bdf
                | Integrator::GeneralizedAlpha
                | Integrator::GeneralizedAlphaIndex3
                | Integrator::AugmentedLagrangianIndex3 => &[Extra::Tangents],
            },
            Self::Stabilizer(stabilizer) => match stabilizer {
                Stabilizer::DirectCorrection
                | Stabilizer::EnergyCorrection
                | Stabilizer::None
                | Stabilizer::Ggl => &[],
                Stabilizer::Baumgarte => &[Extra::Baumgarte],
                Stabilizer::Penalty
                | Stabilizer::AugmentedLagrangian
                | Stabilizer::AugmentedLagrangianProjections => &[Extra::Penalty],
                Stabilizer::CoordinatePartitioning => &[Extra::Jacobian],
                Stabilizer::DirectCorrectionPlain | Stabilizer::SuccessiveProjection => {
                    &[Extra::Plain]
                }
                Stabilizer::StandardProjection => &[Extra::Plain, Extra::Standard],
            },
        }
    }
}
