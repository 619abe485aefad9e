//! A point on a turning arm, in the unit vector (c, s) and the rate of its angle: no constraint rows, and
//! coordinates that are not the integrals of the velocities, like Euler parameters.

use bellcrank::{Acceleration, Defaults, Dense, Energy, Mechanism, StateView};
use nalgebra::{SMatrix, SVector, Vector1, Vector2};

/// ω̇ = g s, with the direction (c, s) and gravity along −c.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rotor;

const GRAVITY: f64 = 9.81;

impl Mechanism for Rotor {
    type Scalar = f64;
    type Coordinates = Vector2<f64>;
    type Velocities = Vector1<f64>;
    type Multipliers = SVector<f64, 0>;
    type Factor = SVector<f64, 0>;
    type Holds = SVector<f64, 0>;
    type Outputs = SVector<f64, 0>;
    type Reactions = SVector<f64, 0>;
    type Variables = SVector<f64, 0>;
    type Events = SVector<f64, 0>;
    type Transitions = SVector<f64, 0>;
    type Schur = SMatrix<f64, 0, 0>;
    type Mass = SMatrix<f64, 1, 1>;
    type Rows = SMatrix<f64, 0, 1>;

    const NAME: &'static str = "rotor";
    const COORDINATES: &'static [&'static str] = &["c", "s"];
    const VELOCITIES: &'static [&'static str] = &["omega"];
    const CONSTRAINTS: &'static [&'static str] = &[];
    const PARAMETERS: &'static [&'static str] = &[];
    const INPUTS: &'static [&'static str] = &[];
    const OUTPUTS: &'static [&'static str] = &[];
    const JOINTS: &'static [&'static str] = &[];
    const HOLDS: &'static [&'static str] = &[];
    const REDUNDANT: &'static [usize] = &[];
    const FREEDOMS: usize = 1;
    const SIZE: f64 = 1.0;
    const DEFAULTS: Defaults = Defaults {
        until: 1.0,
        step: 1e-3,
        tolerance: 1e-6,
        integrator: "rk4",
        stabilizer: "none",
    };

    fn start(&self) -> (Self::Coordinates, Self::Velocities) {
        (Vector2::new(0.0, 1.0), Vector1::new(0.0))
    }
    fn guess(&self, q: &mut Self::Coordinates, v: &mut Self::Velocities) {
        (*q, *v) = self.start();
    }
    fn is_default(&self) -> bool {
        true
    }
    fn parameters(&self) -> &[f64] {
        &[]
    }
    fn set_parameter(&mut self, _: usize, _: f64) {}
    fn inputs(&self) -> &[f64] {
        &[]
    }
    fn inputs_mut(&mut self) -> &mut [f64] {
        &mut []
    }
    fn rates(&self, q: &Self::Coordinates, v: &Self::Velocities, q_dot: &mut Self::Coordinates) {
        *q_dot = Vector2::new(-q[1], q[0]) * v[0];
    }
    fn accelerate(
        &self,
        StateView { q, v, .. }: StateView<'_, Self>,
        out: &mut Acceleration<Self>,
    ) {
        self.rates(q, v, &mut out.rates);
        out.accelerations = Vector1::new(GRAVITY * q[1]);
        out.margin = 1.0;
    }
    fn constraints(&self, _: f64, _: &Self::Coordinates, _: &mut Self::Multipliers) {}
    fn velocity_constraints(&self, _: StateView<'_, Self>, _: &mut Self::Multipliers) {}
    fn position_correction(
        &self,
        _: &Self::Coordinates,
        _: &Self::Factor,
        _: &Self::Multipliers,
        _: &mut Self::Coordinates,
    ) {
    }
    fn velocity_correction(
        &self,
        _: &Self::Factor,
        _: &Self::Multipliers,
        _: &mut Self::Velocities,
    ) {
    }
    fn normalize(&self, q: &mut Self::Coordinates) {
        q.normalize_mut();
    }
    fn advance(&self, q: &mut Self::Coordinates, step: &Self::Velocities) {
        let mut change = Self::Coordinates::zeros();
        self.rates(q, step, &mut change);
        *q += change;
    }
    fn dense(&self, StateView { q, v, .. }: StateView<'_, Self>, out: &mut Dense<Self>) {
        self.rates(q, v, &mut out.rates);
        out.mass = SMatrix::identity();
        out.forces = Vector1::new(GRAVITY * q[1]);
    }
    fn holds(&self, _: StateView<'_, Self>, _: &mut Self::Holds, _: &mut Self::Holds) {}
    fn energy(&self, StateView { q, v, .. }: StateView<'_, Self>) -> Energy<f64> {
        Energy {
            kinetic: 0.5 * v[0] * v[0],
            potential: GRAVITY * q[0],
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
