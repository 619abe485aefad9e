//! The pendulum once more, as straight-line code like that of the compiler: fast enough for long runs.

use bellcrank::{Acceleration, Defaults, Dense, Energy, Mechanism, Real, StateView};
use nalgebra::{Matrix2, Matrix2x3, Matrix3, SVector, Vector2, Vector3};

macro_rules! pendulum {
    ($name:ident, $float:ident) => {
        /// m = 1, l = 0.5, J = 0.25, released from φ = −π/2.
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $name;

        impl $name {
            const GRAVITY: $float = 9.81;
            const LENGTH: $float = 0.5;
            const INERTIA: $float = 0.25;
        }

        impl Mechanism for $name {
            type Scalar = $float;
            type Coordinates = Vector3<$float>;
            type Velocities = Vector3<$float>;
            type Multipliers = Vector2<$float>;
            type Factor = SVector<$float, 5>;
            type Holds = SVector<$float, 0>;
            type Outputs = SVector<$float, 0>;
            type Reactions = SVector<$float, 0>;
            type Variables = SVector<$float, 0>;
            type Events = SVector<$float, 0>;
            type Transitions = SVector<$float, 0>;
            type Schur = Matrix2<$float>;
            type Mass = Matrix3<$float>;
            type Rows = Matrix2x3<$float>;

            const NAME: &'static str = "unrolled pendulum";
            const COORDINATES: &'static [&'static str] = &["x", "y", "angle"];
            const VELOCITIES: &'static [&'static str] = &["x", "y", "angle"];
            const CONSTRAINTS: &'static [&'static str] = &["pin x", "pin y"];
            const PARAMETERS: &'static [&'static str] = &[];
            const INPUTS: &'static [&'static str] = &[];
            const OUTPUTS: &'static [&'static str] = &[];
            const JOINTS: &'static [&'static str] = &["pin"];
            const HOLDS: &'static [&'static str] = &[];
            const REDUNDANT: &'static [usize] = &[];
            const FREEDOMS: usize = 1;
            const SIZE: f64 = 1.0;
            const DEFAULTS: Defaults = Defaults {
                until: 1.0,
                step: 1e-3,
                tolerance: 1e-6,
                integrator: "rk4",
                stabilizer: "direct-correction",
            };

            fn start(&self) -> (Self::Coordinates, Self::Velocities) {
                let angle = -(core::f64::consts::FRAC_PI_2 as $float);
                let q = Vector3::new(
                    Self::LENGTH * angle.sin(),
                    -Self::LENGTH * angle.cos(),
                    angle,
                );
                (q, Vector3::new(0.0, 0.0, 0.0))
            }
            fn guess(&self, q: &mut Self::Coordinates, v: &mut Self::Velocities) {
                (*q, *v) = self.start();
            }
            fn is_default(&self) -> bool {
                true
            }
            fn parameters(&self) -> &[$float] {
                &[]
            }
            fn set_parameter(&mut self, _: usize, _: $float) {}
            fn inputs(&self) -> &[$float] {
                &[]
            }
            fn inputs_mut(&mut self) -> &mut [$float] {
                &mut []
            }
            fn rates(
                &self,
                _: &Self::Coordinates,
                v: &Self::Velocities,
                q_dot: &mut Self::Coordinates,
            ) {
                *q_dot = *v;
            }

            /// D M⁻¹ Dᵀ = (1 + k c², k c s; k c s, 1 + k s²) with k = l²/J and D = (1, 0, −l c; 0, 1, −l s).
            fn accelerate(
                &self,
                StateView { q, v, .. }: StateView<'_, Self>,
                out: &mut Acceleration<Self>,
            ) {
                let [[_, _, angle]] = q.data.0;
                let [[_, _, omega]] = v.data.0;
                let (sin, cos) = angle.sin_cos();
                let (d0, d1) = (-Self::LENGTH * cos, -Self::LENGTH * sin);
                let (a00, a10, a11) = (
                    1.0 + d0 * d0 / Self::INERTIA,
                    d0 * d1 / Self::INERTIA,
                    1.0 + d1 * d1 / Self::INERTIA,
                );
                let below = a10 / a00;
                let pivot = a11 - below * a10;
                let factor = [d0, d1, a00, below, pivot];
                let b = [d1 * omega * omega, Self::GRAVITY - d0 * omega * omega];
                let [l0, l1] = divide(&factor, b);
                out.rates = *v;
                out.accelerations =
                    Vector3::new(l0, l1 - Self::GRAVITY, (d0 * l0 + d1 * l1) / Self::INERTIA);
                out.multipliers = Vector2::new(l0, l1);
                out.factor = SVector::from_array_storage(nalgebra::ArrayStorage([factor]));
                out.margin = pivot / a11 - 1e-10;
                out.power = 0.0;
            }

            fn constraints(&self, _: $float, q: &Self::Coordinates, phi: &mut Self::Multipliers) {
                let [[x, y, angle]] = q.data.0;
                let (sin, cos) = angle.sin_cos();
                *phi = Vector2::new(x - Self::LENGTH * sin, y + Self::LENGTH * cos);
            }
            fn velocity_constraints(
                &self,
                StateView { q, v, .. }: StateView<'_, Self>,
                phi_dot: &mut Self::Multipliers,
            ) {
                let [[_, _, angle]] = q.data.0;
                let [[x, y, omega]] = v.data.0;
                let (sin, cos) = angle.sin_cos();
                *phi_dot = Vector2::new(
                    x - Self::LENGTH * cos * omega,
                    y - Self::LENGTH * sin * omega,
                );
            }
            fn position_correction(
                &self,
                _: &Self::Coordinates,
                factor: &Self::Factor,
                phi: &Self::Multipliers,
                dq: &mut Self::Coordinates,
            ) {
                self.velocity_correction(factor, phi, dq);
            }
            fn velocity_correction(
                &self,
                factor: &Self::Factor,
                phi_dot: &Self::Multipliers,
                dv: &mut Self::Velocities,
            ) {
                let [factor] = &factor.data.0;
                let [y0, y1] = divide(factor, phi_dot.data.0[0]);
                *dv = Vector3::new(-y0, -y1, -(factor[0] * y0 + factor[1] * y1) / Self::INERTIA);
            }
            fn normalize(&self, _: &mut Self::Coordinates) {}

            fn advance(&self, q: &mut Self::Coordinates, step: &Self::Velocities) {
                *q += step;
            }

            fn dense(&self, StateView { q, v, .. }: StateView<'_, Self>, out: &mut Dense<Self>) {
                let (sin, cos) = q[2].sin_cos();
                out.rows =
                    Matrix2x3::new(1.0, 0.0, -Self::LENGTH * cos, 0.0, 1.0, -Self::LENGTH * sin);
                out.mass = Matrix3::from_diagonal(&Vector3::new(1.0, 1.0, Self::INERTIA));
                out.forces = Vector3::new(0.0, -Self::GRAVITY, 0.0);
                out.gamma = Vector2::new(-sin, cos) * Self::LENGTH * v[2] * v[2];
                out.rates = *v;
            }
            fn holds(&self, _: StateView<'_, Self>, _: &mut Self::Holds, _: &mut Self::Holds) {}
            fn energy(&self, StateView { q, v, .. }: StateView<'_, Self>) -> Energy<$float> {
                let [[x, y, omega]] = v.data.0;
                let kinetic = 0.5 * (x * x + y * y + Self::INERTIA * omega * omega);
                Energy {
                    kinetic,
                    potential: Self::GRAVITY * q[1],
                }
            }
            fn outputs(
                &self,
                _: StateView<'_, Self>,
                _: &Self::Velocities,
                _: &Self::Multipliers,
                _: &mut Self::Outputs,
            ) {
            }
            fn reactions(
                &self,
                _: StateView<'_, Self>,
                _: &Self::Velocities,
                _: &Self::Multipliers,
                _: &mut Self::Reactions,
            ) {
            }
        }
    };
}

pendulum!(UnrolledPendulum, f64);
pendulum!(SinglePendulum, f32);

/// (D M⁻¹ Dᵀ)⁻¹ b by L D Lᵀ.
fn divide<T: Real>(factor: &[T; 5], b: [T; 2]) -> [T; 2] {
    let [_, _, a00, below, pivot] = *factor;
    let second = (b[1] - below * b[0]) / pivot;
    [b[0] / a00 - below * second, second]
}
