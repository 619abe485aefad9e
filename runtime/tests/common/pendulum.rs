//! A bar on a pin, in x, y, φ: once as it is, once with each row twice, once driven.

use bellcrank::Energy;
use nalgebra::{Matrix2x3, Matrix3, SMatrix, SVector, Vector2, Vector3, Vector4};

use super::{Twin, Twinned};

pub const GRAVITY: f64 = 9.81;

/// Two rows: x = l sin φ, y = −l cos φ.
pub type Pendulum = Twinned<Bar, 3, 2, 1, 3, 6>;
/// The same two rows twice.
pub type DoubledPendulum = Twinned<Doubled, 3, 4, 1, 5, 12>;
/// A third row: φ = φ₀ + ω t.
pub type DrivenPendulum = Twinned<Driven, 3, 3, 0, 3, 9>;

/// With m l² + J = m l (1 m) it swings like a point on a massless bar of 1 m.
#[derive(Clone, Copy, Debug)]
pub struct Bar {
    pub mass: f64,
    pub inertia: f64,
    /// Length, damping and angle at the start.
    pub parameters: [f64; 3],
    /// Torque.
    pub inputs: [f64; 1],
}

impl Default for Bar {
    fn default() -> Self {
        let quarter_turn = core::f64::consts::FRAC_PI_2;
        Self {
            mass: 1.0,
            inertia: 0.25,
            parameters: [0.5, 0.0, -quarter_turn],
            inputs: [0.0],
        }
    }
}

impl Bar {
    pub fn at(&self, angle: f64) -> Vector3<f64> {
        let length = self.parameters[0];
        Vector3::new(length * angle.sin(), -length * angle.cos(), angle)
    }
}

impl Twin<3, 2, 1> for Bar {
    const NAME: &'static str = "pendulum";
    const COORDINATES: &'static [&'static str] = &["x", "y", "angle"];
    const CONSTRAINTS: &'static [&'static str] = &["pin along x", "pin along y"];
    const PARAMETERS: &'static [&'static str] = &["length", "damping", "angle"];
    const INPUTS: &'static [&'static str] = &["torque"];
    const HOLDS: &'static [&'static str] = &["bar.angle"];
    const OUTPUTS: &'static [&'static str] = &["direction"];

    fn start(&self) -> (Vector3<f64>, Vector3<f64>) {
        let assembled = Self {
            parameters: [0.5, 0.0, self.parameters[2]],
            ..*self
        };
        (assembled.at(self.parameters[2]), Vector3::zeros())
    }
    fn guess(&self) -> (Vector3<f64>, Vector3<f64>) {
        (
            Vector3::new(0.1, 0.2, self.parameters[2]),
            Vector3::new(0.0, 0.3, 2.0),
        )
    }
    fn parameters(&self) -> &[f64] {
        &self.parameters
    }
    fn parameters_mut(&mut self) -> &mut [f64] {
        &mut self.parameters
    }
    fn inputs(&self) -> &[f64] {
        &self.inputs
    }
    fn inputs_mut(&mut self) -> &mut [f64] {
        &mut self.inputs
    }
    fn inverse_mass(&self) -> Matrix3<f64> {
        Matrix3::from_diagonal(&Vector3::new(
            1.0 / self.mass,
            1.0 / self.mass,
            1.0 / self.inertia,
        ))
    }
    fn force(&self, _: f64, _: &Vector3<f64>, v: &Vector3<f64>) -> Vector3<f64> {
        Vector3::new(
            0.0,
            -self.mass * GRAVITY,
            self.inputs[0] - self.parameters[1] * v[2],
        )
    }
    fn power(&self, _: f64, _: &Vector3<f64>, v: &Vector3<f64>) -> f64 {
        (self.inputs[0] - self.parameters[1] * v[2]) * v[2]
    }
    fn phi(&self, _: f64, q: &Vector3<f64>) -> Vector2<f64> {
        (q - self.at(q[2])).xy()
    }
    fn jacobian(&self, q: &Vector3<f64>) -> Matrix2x3<f64> {
        let (length, (sin, cos)) = (self.parameters[0], q[2].sin_cos());
        Matrix2x3::new(1.0, 0.0, -length * cos, 0.0, 1.0, -length * sin)
    }
    fn gamma(&self, q: &Vector3<f64>, v: &Vector3<f64>) -> Vector2<f64> {
        let (length, (sin, cos)) = (self.parameters[0], q[2].sin_cos());
        Vector2::new(-sin, cos) * length * v[2] * v[2]
    }
    fn holds(&self, q: &Vector3<f64>) -> SVector<f64, 1> {
        SVector::from([q[2]])
    }
    fn hold_rows(&self) -> SMatrix<f64, 1, 3> {
        SMatrix::from([[0.0], [0.0], [1.0]])
    }
    fn energy(&self, q: &Vector3<f64>, v: &Vector3<f64>) -> Energy<f64> {
        let kinetic = 0.5 * (self.mass * v.xy().norm_squared() + self.inertia * v[2] * v[2]);
        Energy {
            kinetic,
            potential: self.mass * GRAVITY * q[1],
        }
    }
    fn outputs(&self, q: &Vector3<f64>, _: &Vector3<f64>) -> [f64; 1] {
        [q[0].atan2(-q[1])]
    }
}

/// The bar, and how far the second pin is above the first.
#[derive(Clone, Copy, Debug, Default)]
pub struct Doubled(pub Bar, pub f64);

impl Twin<3, 4, 1> for Doubled {
    const NAME: &'static str = "doubled pendulum";
    const COORDINATES: &'static [&'static str] = Bar::COORDINATES;
    const CONSTRAINTS: &'static [&'static str] = &["pin x", "pin y", "pin again x", "pin again y"];
    const HOLDS: &'static [&'static str] = Bar::HOLDS;
    const REDUNDANT: &'static [usize] = &[2, 3];

    fn start(&self) -> (Vector3<f64>, Vector3<f64>) {
        self.0.start()
    }
    fn guess(&self) -> (Vector3<f64>, Vector3<f64>) {
        self.0.guess()
    }
    fn inverse_mass(&self) -> Matrix3<f64> {
        self.0.inverse_mass()
    }
    fn force(&self, t: f64, q: &Vector3<f64>, v: &Vector3<f64>) -> Vector3<f64> {
        self.0.force(t, q, v)
    }
    fn phi(&self, t: f64, q: &Vector3<f64>) -> Vector4<f64> {
        twice(self.0.phi(t, q)) - Vector4::new(0.0, 0.0, 0.0, self.1)
    }
    fn jacobian(&self, q: &Vector3<f64>) -> SMatrix<f64, 4, 3> {
        let d = self.0.jacobian(q);
        SMatrix::from_fn(|i, j| d[(i % 2, j)])
    }
    fn gamma(&self, q: &Vector3<f64>, v: &Vector3<f64>) -> Vector4<f64> {
        twice(self.0.gamma(q, v))
    }
    fn holds(&self, q: &Vector3<f64>) -> SVector<f64, 1> {
        self.0.holds(q)
    }
    fn hold_rows(&self) -> SMatrix<f64, 1, 3> {
        self.0.hold_rows()
    }
    fn energy(&self, q: &Vector3<f64>, v: &Vector3<f64>) -> Energy<f64> {
        self.0.energy(q, v)
    }
}

fn twice(rows: Vector2<f64>) -> Vector4<f64> {
    Vector4::new(rows[0], rows[1], rows[0], rows[1])
}

#[derive(Clone, Copy, Debug)]
pub struct Driven {
    pub bar: Bar,
    pub speed: f64,
}

impl Default for Driven {
    fn default() -> Self {
        Self {
            bar: Bar::default(),
            speed: 3.0,
        }
    }
}

impl Twin<3, 3, 0> for Driven {
    const NAME: &'static str = "driven pendulum";
    const COORDINATES: &'static [&'static str] = Bar::COORDINATES;
    const CONSTRAINTS: &'static [&'static str] = &["pin x", "pin y", "drive"];

    fn start(&self) -> (Vector3<f64>, Vector3<f64>) {
        (
            self.bar.at(0.0),
            Vector3::new(self.bar.parameters[0], 0.0, 1.0) * self.speed,
        )
    }
    fn inverse_mass(&self) -> Matrix3<f64> {
        self.bar.inverse_mass()
    }
    fn force(&self, t: f64, q: &Vector3<f64>, v: &Vector3<f64>) -> Vector3<f64> {
        self.bar.force(t, q, v)
    }
    fn phi(&self, t: f64, q: &Vector3<f64>) -> Vector3<f64> {
        self.bar.phi(t, q).push(q[2] - self.speed * t)
    }
    fn phi_t(&self) -> Vector3<f64> {
        Vector3::new(0.0, 0.0, -self.speed)
    }
    fn jacobian(&self, q: &Vector3<f64>) -> Matrix3<f64> {
        let d = self.bar.jacobian(q);
        Matrix3::from_fn(|i, j| {
            if i < 2 {
                d[(i, j)]
            } else {
                f64::from(u8::from(j == 2))
            }
        })
    }
    fn gamma(&self, q: &Vector3<f64>, v: &Vector3<f64>) -> Vector3<f64> {
        self.bar.gamma(q, v).push(0.0)
    }
    fn energy(&self, q: &Vector3<f64>, v: &Vector3<f64>) -> Energy<f64> {
        self.bar.energy(q, v)
    }
}

/// x and y of a point on 1 m that was released at (−1, 0): x = sin φ, y = −cos φ with
/// φ = −2 asin(k cd(√g t, k)) and k² = ½.
pub fn exact(t: f64) -> [f64; 2] {
    let half = core::f64::consts::FRAC_1_SQRT_2 * cd(GRAVITY.sqrt() * t);
    let angle = -2.0 * half.asin();
    [angle.sin(), -angle.cos()]
}

/// Jacobi's cn/dn for k² = ½, by Landen's descent.
fn cd(u: f64) -> f64 {
    let (mut a, mut b) = (1.0, core::f64::consts::FRAC_1_SQRT_2);
    let mut ratios = Vec::new();
    while ratios.len() < 5 {
        ratios.push(0.5 * (a - b) / (0.5 * (a + b)));
        (a, b) = (0.5 * (a + b), f64::sqrt(a * b));
    }
    let mut amplitude = a * u * 2_f64.powi(ratios.len() as i32);
    for ratio in ratios.iter().rev() {
        amplitude = 0.5 * (amplitude + (ratio * amplitude.sin()).asin());
    }
    let sn = amplitude.sin();
    amplitude.cos() / (1.0 - 0.5 * sn * sn).sqrt()
}
