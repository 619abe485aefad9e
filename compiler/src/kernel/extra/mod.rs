//! Functions that only some methods need. They are lowered when an integrator or a stabilizer asks for
//! them, so the others cost nothing.

mod jacobian;
mod penalty;
mod plain;
mod standard;
mod tangents;

use serde::{Deserialize, Serialize};

use super::draft::Draft;
use super::{Name, Sizes, Solve};
use crate::assembly::Assembly;
use crate::description::{Integrator, Method, Stabilizer};
use crate::options::Options;
use crate::symbolic::Equations;

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

impl Name {
    /// The extra that asks for the function, if not every method does.
    pub fn extra(self) -> Option<Extra> {
        match self {
            Self::AccelerateBaumgarte => Some(Extra::Baumgarte),
            Self::AcceleratePenalty | Self::PenaltyCorrection => Some(Extra::Penalty),
            Self::PlainFactor | Self::PlainCorrection | Self::InnerCorrection => Some(Extra::Plain),
            Self::StandardFactor | Self::StandardCorrection => Some(Extra::Standard),
            Self::Jacobian => Some(Extra::Jacobian),
            Self::Residual | Self::Tangents | Self::TangentFactor | Self::TangentSolve => {
                Some(Extra::Tangents)
            }
            _ => None,
        }
    }

    /// The functions of a mechanism that is asked for these extras, in order.
    pub fn asked(extras: &[Extra]) -> impl Iterator<Item = Self> {
        let asked = |name: &Self| name.extra().is_none_or(|extra| extras.contains(&extra));
        Self::ALL.into_iter().filter(asked)
    }
}

/// Inputs from which the functions of an extra are built.
pub struct Source<'a> {
    /// The derived equations.
    pub equations: &'a Equations,
    /// The start of the mechanism.
    pub assembly: &'a Assembly,
    /// The solve for accelerations.
    pub solve: Solve,
    /// The rows that are not redundant.
    pub rows: &'a [usize],
    /// Options of the caller.
    pub options: &'a Options,
}

/// The functions of an extra, in the order of their names; lengths of their factors go to `sizes`.
pub fn functions(extra: Extra, source: &Source, sizes: &mut Sizes) -> Vec<Draft> {
    match extra {
        Extra::Baumgarte => vec![penalty::baumgarte(source)],
        Extra::Penalty => penalty::penalty(source, sizes),
        Extra::Plain => plain::functions(source, sizes),
        Extra::Standard => standard::functions(source, sizes),
        Extra::Jacobian => vec![jacobian::jacobian(source.equations)],
        Extra::Tangents => tangents::functions(source, sizes),
    }
}
