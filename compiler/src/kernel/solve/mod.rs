//! The solves of the linear system M v̇ = Q + Dᵀ λ, D v̇ = γ, unrolled.

/// Along a tree of links, from the momentum of each outboard part.
pub mod articulated;
/// Axes that turn about one of them, or move along one.
pub mod axial;
/// Ballast from constraint equations, for bodies of little mass.
pub mod ballast;
/// The bordered matrix as it stands.
pub mod bordered;
/// Chooses the solve with the least work.
pub mod choose;
/// A = L Δ Lᵀ and A x = b for sparse matrices of values.
pub mod factor;
/// The margin of a solve, and the smallest pivots that the solves allow.
pub mod margin;
/// Finds safe pivots of an indefinite matrix.
pub mod pivots;
/// The projections, and the part of the factor that they need.
pub mod project;
/// The Schur complement, and the equations without a solve.
pub mod schur;
/// Twists, wrenches and articulated inertias.
pub mod screw;
/// Right-hand sides of the constraint equations for accelerations, with and without gains.
pub mod stabilization;
/// Angular accelerations without a solve.
pub mod turned;
/// A = L Δ U and A x = b for sparse matrices whose pattern alone is symmetric.
pub mod unsymmetric;

use serde::{Deserialize, Serialize};

/// Ways to solve the linear system M v̇ = Q + Dᵀ λ, D v̇ = γ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Solve {
    /// S = D M⁻¹ Dᵀ is factorised, unrolled.
    #[default]
    Schur,
    /// [M Dᵀ; D 0] is factorised, unrolled.
    Bordered,
    /// [M + DᵀΣD Dᵀ; D 0] is factorised, unrolled, because some bodies have next to no mass.
    Ballasted,
    /// Along the tree of links, unrolled.
    Momentum,
    /// The runtime solves at each evaluation, because no unrolled solve is safe.
    Dense,
}

impl Solve {
    /// A sentence for the head of the generated code.
    pub fn note(self) -> &'static str {
        match self {
            Self::Schur => "Solved by `D M⁻¹ Dᵀ = L Δ Lᵀ`.",
            Self::Bordered => "Solved by `[M Dᵀ; D 0] = L Δ Lᵀ`.",
            Self::Ballasted => {
                "Solved by `[M + Dᵀ Σ D, Dᵀ; D, 0] = L Δ Lᵀ`, because some bodies have next to no mass."
            }
            Self::Momentum => {
                "Solved by the momentum of each outboard part, from the leaves inwards."
            }
            Self::Dense => {
                "Solved by the runtime at each evaluation: nothing that could be unrolled is safe."
            }
        }
    }
}
