//! Tangents of the twins by differences. Their unrolled factor is never good, so each step of an implicit
//! integrator takes the dense one.

use bellcrank::{StateView, Tangent, TangentFactorization, Tangents, Weights};
use nalgebra::{SMatrix, SVector};

use super::double_four_bar::DoubleFourBar;
use super::pendulum::{DoubledPendulum, DrivenPendulum, Pendulum};
use super::{Twin, Twinned};

/// Far from the rounding of what is differentiated, which is of the order of 10, and from its curvature.
const H: f64 = 1e-5;

/// M v̇ − Q − Dᵀ λ
fn residual<T: Twin<N, C, H>, const N: usize, const C: usize, const H: usize>(
    twin: &T,
    t: f64,
    [q, v, accelerations]: [&SVector<f64, N>; 3],
    multipliers: &SVector<f64, C>,
) -> SVector<f64, N> {
    let mass = twin.inverse_mass().try_inverse();
    let pull = twin.jacobian(q).transpose() * multipliers;
    mass.expect("every twin has mass") * accelerations - twin.force(t, q, v) - pull
}

fn differences<const N: usize>(
    f: impl Fn(SVector<f64, N>) -> SVector<f64, N>,
) -> SMatrix<f64, N, N> {
    let mut columns = SMatrix::<f64, N, N>::zeros();
    for j in 0..N {
        let mut step = SVector::zeros();
        step[j] = H;
        columns.set_column(j, &((f(step) - f(-step)) / (2.0 * H)));
    }
    columns
}

macro_rules! tangent {
    ($($name:ident, $n:literal, $c:literal, $both:literal;)*) => {$(
        impl Tangent for $name {
            type TangentFactor = SVector<f64, 0>;
            type Saddle = SMatrix<f64, $both, $both>;

            fn residual(
                &self,
                StateView { t, q, v }: StateView<'_, Self>,
                accelerations: &SVector<f64, $n>,
                multipliers: &SVector<f64, $c>,
                forces: &mut SVector<f64, $n>,
            ) {
                let Twinned(twin) = self;
                *forces = residual(twin, t, [q, v, accelerations], multipliers);
            }

            fn tangents(
                &self,
                StateView { t, q, v }: StateView<'_, Self>,
                a: &SVector<f64, $n>,
                multipliers: &SVector<f64, $c>,
                out: &mut Tangents<Self>,
            ) {
                let Twinned(twin) = self;
                out.stiffness = differences(|d| residual(twin, t, [&(q + d), v, a], multipliers));
                out.damping = differences(|d| residual(twin, t, [q, &(v + d), a], multipliers));
            }

            fn tangent_factor(
                &self,
                _: StateView<'_, Self>,
                _: &SVector<f64, $n>,
                _: &SVector<f64, $c>,
                _: &Weights<f64>,
                out: &mut TangentFactorization<Self>,
            ) {
                out.margin = -1.0;
            }

            fn tangent_solve(
                &self,
                _: &SVector<f64, 0>,
                _: &SVector<f64, $n>,
                _: &SVector<f64, $c>,
                _: &mut SVector<f64, $n>,
                _: &mut SVector<f64, $c>,
            ) {
                unreachable!("the factor is never good");
            }
        }
    )*};
}

tangent! {
    Pendulum, 3, 2, 5;
    DoubledPendulum, 3, 4, 7;
    DrivenPendulum, 3, 3, 6;
    DoubleFourBar, 6, 5, 11;
}
