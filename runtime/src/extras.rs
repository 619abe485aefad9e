//! Traits that generated code implements only if an integrator or a stabilizer asks for them.

use core::fmt;

use crate::{Acceleration, Matrix, Mechanism, Real, StateView, Vector};

/// Gains that counteract violations of compliant constraint equations: D v̇ + compliance · (λ − λ*) = γ − damping ·
/// Φ̇ − stiffness · Φ.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Gains<T> {
    /// Gain of Φ̇.
    pub damping: T,
    /// Gain of Φ.
    pub stiffness: T,
    /// Compliance: violation of a constraint equation per unit of its multiplier; zero for rigid constraint
    /// equations.
    pub compliance: T,
}

/// The matrix of a Newton step: [mass · M + damping · C + stiffness · K, −Dᵀ; D, compliance].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Weights<T> {
    /// Of M.
    pub mass: T,
    /// Of C = ∂(M v̇ − Q − Dᵀ λ)/∂v.
    pub damping: T,
    /// Of K = ∂(M v̇ − Q − Dᵀ λ)/∂s, where δq = T δs.
    pub stiffness: T,
    /// Compliance: violation of a constraint equation per unit of its multiplier; zero for rigid constraint
    /// equations.
    pub compliance: T,
}

/// Accelerations that counteract violations.
#[diagnostic::on_unimplemented(
    message = "the code of `{Self}` was generated without Baumgarte's accelerations",
    note = "add `methods = [\"baumgarte\"]` to `[simulation]` of its description"
)]
pub trait Baumgarted: Mechanism {
    /// M v̇ = Q + Dᵀ λ, D v̇ = γ − a Φ̇ − b Φ. The factor in `out` is left as it is; the compliance is not read.
    fn accelerate_baumgarte(
        &self,
        state: StateView<'_, Self>,
        gains: &Gains<Self::Scalar>,
        out: &mut Acceleration<Self>,
    );
}

/// Compliant constraint equations, and projections with the same factor.
#[diagnostic::on_unimplemented(
    message = "the code of `{Self}` was generated without penalties",
    note = "add `methods = [\"penalty\"]` to `[simulation]` of its description"
)]
pub trait Penalized: Mechanism {
    /// Factor that [`Penalized::penalty_correction`] needs.
    type PenaltyFactor: Vector<Self::Scalar>;

    /// M v̇ = Q + Dᵀ λ, D v̇ + c (λ − λ*) = γ − a Φ̇ − b Φ for given multipliers λ*. With λ* = 0 this is equivalent to
    /// (M + DᵀD/c) v̇ = Q + Dᵀ(γ − a Φ̇ − b Φ)/c, without the large numbers. The factor in `out` is left as it is.
    fn accelerate_penalty(
        &self,
        state: StateView<'_, Self>,
        multipliers: &Self::Multipliers,
        gains: &Gains<Self::Scalar>,
        out: &mut Acceleration<Self>,
        f: &mut Self::PenaltyFactor,
    );

    /// Δ = −M⁻¹ Dᵀ y with (D M⁻¹ Dᵀ + c) y = Φ
    fn penalty_correction(
        &self,
        f: &Self::PenaltyFactor,
        phi: &Self::Multipliers,
        dv: &mut Self::Velocities,
        multipliers: &mut Self::Multipliers,
    );
}

/// Projection in the metric of the velocities themselves.
#[diagnostic::on_unimplemented(
    message = "the code of `{Self}` was generated without plain projections",
    note = "add `methods = [\"successive-projection\"]` to `[simulation]` of its description"
)]
pub trait Plain: Mechanism {
    /// Factor that the corrections need.
    type PlainFactor: Vector<Self::Scalar>;

    /// Number of independent constraint equations inside bodies.
    const INNER: usize;

    /// D Dᵀ = L Δ Lᵀ, constraint equations inside bodies first.
    fn plain_factor(
        &self,
        t: Self::Scalar,
        q: &Self::Coordinates,
        out: &mut PlainFactorization<Self>,
    );

    /// Δ = −Dᵀ (D Dᵀ)⁻¹ Φ
    fn plain_correction(
        &self,
        f: &Self::PlainFactor,
        phi: &Self::Multipliers,
        dv: &mut Self::Velocities,
    );

    /// The same with the constraint equations inside bodies only: distances between the points of a body.
    fn inner_correction(
        &self,
        f: &Self::PlainFactor,
        phi: &Self::Multipliers,
        dv: &mut Self::Velocities,
    );
}

/// D Dᵀ = L Δ Lᵀ
#[derive(Clone, Copy)]
pub struct PlainFactorization<M: Plain + ?Sized> {
    /// Factor that the corrections need.
    pub factor: M::PlainFactor,
    /// Smallest pivot less its threshold: the factor is only good if this is positive.
    pub margin: M::Scalar,
}

/// Projection of all coordinates, norms of Euler parameters included.
#[diagnostic::on_unimplemented(
    message = "the code of `{Self}` was generated without the standard projection",
    note = "add `methods = [\"standard-projection\"]` to `[simulation]` of its description"
)]
pub trait Standard: Plain {
    /// Factor that the correction needs.
    type StandardFactor: Vector<Self::Scalar>;

    /// H Hᵀ = L Δ Lᵀ with H = ∂(f, Φ)/∂q and f = p · p − 1 for each set of Euler parameters.
    fn standard_factor(
        &self,
        t: Self::Scalar,
        q: &Self::Coordinates,
        out: &mut StandardFactorization<Self>,
    );

    /// Δq = −Hᵀ (H Hᵀ)⁻¹ (f, Φ)
    fn standard_correction(
        &self,
        q: &Self::Coordinates,
        f: &Self::StandardFactor,
        phi: &Self::Multipliers,
        dq: &mut Self::Coordinates,
    );
}

/// H Hᵀ = L Δ Lᵀ
#[derive(Clone, Copy)]
pub struct StandardFactorization<M: Standard + ?Sized> {
    /// Factor that the correction needs.
    pub factor: M::StandardFactor,
    /// Smallest pivot less its threshold: the factor is only good if this is positive.
    pub margin: M::Scalar,
}

/// D as it stands.
#[diagnostic::on_unimplemented(
    message = "the code of `{Self}` was generated without its Jacobian",
    note = "add `methods = [\"coordinate-partitioning\"]` to `[simulation]` of its description"
)]
pub trait Jacobians: Mechanism {
    /// D, all rows.
    fn jacobian(&self, t: Self::Scalar, q: &Self::Coordinates, out: &mut Jacobian<Self>);
}

/// D
pub struct Jacobian<M: Jacobians + ?Sized> {
    /// One row for each constraint equation; rows of holds stay zero.
    pub rows: M::Rows,
}

/// Solves that implicit integrators need.
#[diagnostic::on_unimplemented(
    message = "the code of `{Self}` was generated without tangents",
    note = "add `methods = [\"bdf\"]` to `[simulation]` of its description"
)]
pub trait Tangent: Mechanism {
    /// Factor that [`Tangent::tangent_solve`] needs.
    type TangentFactor: Vector<Self::Scalar>;
    /// Square, with one row for each velocity and then one for each constraint equation.
    type Saddle: Matrix<Self::Scalar>;

    /// M v̇ − Q − Dᵀ λ
    fn residual(
        &self,
        state: StateView<'_, Self>,
        accelerations: &Self::Velocities,
        multipliers: &Self::Multipliers,
        forces: &mut Self::Velocities,
    );

    /// Its derivatives, along δq = T δs and by v.
    fn tangents(
        &self,
        state: StateView<'_, Self>,
        accelerations: &Self::Velocities,
        multipliers: &Self::Multipliers,
        out: &mut Tangents<Self>,
    );

    /// [m M + c C + k K, −Dᵀ; D, ε] factorised, over the constraint equations that are not redundant.
    fn tangent_factor(
        &self,
        state: StateView<'_, Self>,
        accelerations: &Self::Velocities,
        multipliers: &Self::Multipliers,
        weights: &Weights<Self::Scalar>,
        out: &mut TangentFactorization<Self>,
    );

    /// (m M + c C + k K) x − Dᵀ y = forces, D x + ε y = phi
    fn tangent_solve(
        &self,
        f: &Self::TangentFactor,
        forces: &Self::Velocities,
        phi: &Self::Multipliers,
        dv: &mut Self::Velocities,
        multipliers: &mut Self::Multipliers,
    );
}

/// Derivatives of M v̇ − Q − Dᵀ λ.
pub struct Tangents<M: Tangent + ?Sized> {
    /// K, along δq = T δs.
    pub stiffness: M::Mass,
    /// C, by v.
    pub damping: M::Mass,
}

/// The matrix of a Newton step, factorised.
#[derive(Clone, Copy)]
pub struct TangentFactorization<M: Tangent + ?Sized> {
    /// Factor that the solve needs.
    pub factor: M::TangentFactor,
    /// Smallest pivot less its threshold: the factor is only good if this is positive.
    pub margin: M::Scalar,
}

macro_rules! zeros {
    ($($name:ident: $bound:ident { $($field:ident = $zero:expr),* })*) => {$(
        impl<M: $bound + ?Sized> $name<M> {
            /// All zero.
            pub fn zero() -> Self {
                Self { $($field: $zero),* }
            }
        }

        impl<M: $bound + ?Sized> fmt::Debug for $name<M> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name))$(.field(stringify!($field), &self.$field))*.finish()
            }
        }
    )*};
}

zeros! {
    PlainFactorization: Plain { factor = M::PlainFactor::zero(), margin = M::Scalar::ZERO }
    StandardFactorization: Standard { factor = M::StandardFactor::zero(), margin = M::Scalar::ZERO }
    Jacobian: Jacobians { rows = M::Rows::zero() }
    Tangents: Tangent { stiffness = M::Mass::zero(), damping = M::Mass::zero() }
    TangentFactorization: Tangent { factor = M::TangentFactor::zero(), margin = M::Scalar::ZERO }
}
