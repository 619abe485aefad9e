//! Reference twins: mechanisms written by hand in small dense matrices, in place of generated code.
#![allow(dead_code, reason = "each test file uses some of the twins")]

pub mod double_four_bar;
pub mod line;
pub mod pendulum;
pub mod rotor;
pub mod tangent;
pub mod unrolled;

use bellcrank::{Acceleration, Defaults, Dense, Energy, Mechanism, StateView};
use nalgebra::{SMatrix, SVector};

/// The equations of a mechanism whose velocities are the rates of its coordinates.
pub trait Twin<const N: usize, const C: usize, const H: usize> {
    const NAME: &'static str;
    const COORDINATES: &'static [&'static str];
    const CONSTRAINTS: &'static [&'static str];
    const PARAMETERS: &'static [&'static str] = &[];
    const INPUTS: &'static [&'static str] = &[];
    const HOLDS: &'static [&'static str] = &[];
    const OUTPUTS: &'static [&'static str] = &[];
    const REDUNDANT: &'static [usize] = &[];
    fn start(&self) -> (SVector<f64, N>, SVector<f64, N>);
    fn is_default(&self) -> bool {
        true
    }
    fn guess(&self) -> (SVector<f64, N>, SVector<f64, N>) {
        self.start()
    }
    fn parameters(&self) -> &[f64] {
        &[]
    }
    fn parameters_mut(&mut self) -> &mut [f64] {
        &mut []
    }
    fn inputs(&self) -> &[f64] {
        &[]
    }
    fn inputs_mut(&mut self) -> &mut [f64] {
        &mut []
    }
    fn inverse_mass(&self) -> SMatrix<f64, N, N>;
    fn force(&self, t: f64, q: &SVector<f64, N>, v: &SVector<f64, N>) -> SVector<f64, N>;
    fn power(&self, _: f64, _: &SVector<f64, N>, _: &SVector<f64, N>) -> f64 {
        0.0
    }
    fn phi(&self, t: f64, q: &SVector<f64, N>) -> SVector<f64, C>;
    fn phi_t(&self) -> SVector<f64, C> {
        SVector::zeros()
    }
    fn jacobian(&self, q: &SVector<f64, N>) -> SMatrix<f64, C, N>;
    fn gamma(&self, q: &SVector<f64, N>, v: &SVector<f64, N>) -> SVector<f64, C>;
    fn holds(&self, _: &SVector<f64, N>) -> SVector<f64, H> {
        SVector::zeros()
    }
    fn hold_rows(&self) -> SMatrix<f64, H, N> {
        SMatrix::zeros()
    }
    fn energy(&self, q: &SVector<f64, N>, v: &SVector<f64, N>) -> Energy<f64>;
    fn outputs(&self, _: &SVector<f64, N>, _: &SVector<f64, N>) -> [f64; 1] {
        [0.0]
    }
}

/// A twin as a mechanism; R = C + H rows, F = N C numbers of M⁻¹ Dᵀ (D M⁻¹ Dᵀ)⁻¹.
#[derive(Clone, Copy, Debug, Default)]
pub struct Twinned<
    T,
    const N: usize,
    const C: usize,
    const H: usize,
    const R: usize,
    const F: usize,
>(pub T);

impl<T, const N: usize, const C: usize, const H: usize, const R: usize, const F: usize>
    Twinned<T, N, C, H, R, F>
where
    T: Twin<N, C, H>,
{
    /// E = (D; H)
    fn rows(&self, q: &SVector<f64, N>) -> SMatrix<f64, R, N> {
        let (d, h) = (self.0.jacobian(q), self.0.hold_rows());
        SMatrix::from_fn(|i, j| if i < C { d[(i, j)] } else { h[(i - C, j)] })
    }
}

impl<T, const N: usize, const C: usize, const H: usize, const R: usize, const F: usize> Mechanism
    for Twinned<T, N, C, H, R, F>
where
    T: Twin<N, C, H>,
{
    type Scalar = f64;
    type Coordinates = SVector<f64, N>;
    type Velocities = SVector<f64, N>;
    type Multipliers = SVector<f64, C>;
    type Factor = SVector<f64, F>;
    type Holds = SVector<f64, H>;
    type Outputs = SVector<f64, 1>;
    type Reactions = SVector<f64, C>;
    type Variables = SVector<f64, 0>;
    type Events = SVector<f64, 0>;
    type Transitions = SVector<f64, 0>;
    type Schur = SMatrix<f64, R, R>;
    type Mass = SMatrix<f64, N, N>;
    type Rows = SMatrix<f64, R, N>;

    const NAME: &'static str = T::NAME;
    const COORDINATES: &'static [&'static str] = T::COORDINATES;
    const VELOCITIES: &'static [&'static str] = T::COORDINATES;
    const CONSTRAINTS: &'static [&'static str] = T::CONSTRAINTS;
    const PARAMETERS: &'static [&'static str] = T::PARAMETERS;
    const INPUTS: &'static [&'static str] = T::INPUTS;
    const OUTPUTS: &'static [&'static str] = T::OUTPUTS;
    const JOINTS: &'static [&'static str] = &[];
    const HOLDS: &'static [&'static str] = T::HOLDS;
    const UNROLLED: bool = T::REDUNDANT.is_empty();
    const REDUNDANT: &'static [usize] = T::REDUNDANT;
    const ROUNDED: bool = !T::REDUNDANT.is_empty();
    const FREEDOMS: usize = N - (C - T::REDUNDANT.len());
    const SIZE: f64 = 1.0;
    const DEFAULTS: Defaults = Defaults {
        until: 1.0,
        step: 1e-3,
        tolerance: 1e-6,
        integrator: "rk4",
        stabilizer: "direct-correction",
    };

    fn start(&self) -> (Self::Coordinates, Self::Velocities) {
        self.0.start()
    }
    fn guess(&self, q: &mut Self::Coordinates, v: &mut Self::Velocities) {
        (*q, *v) = self.0.guess();
    }
    fn is_default(&self) -> bool {
        self.0.is_default()
    }
    fn parameters(&self) -> &[f64] {
        self.0.parameters()
    }
    fn set_parameter(&mut self, index: usize, value: f64) {
        self.0.parameters_mut()[index] = value;
    }
    fn inputs(&self) -> &[f64] {
        self.0.inputs()
    }
    fn inputs_mut(&mut self) -> &mut [f64] {
        self.0.inputs_mut()
    }
    fn rates(&self, _: &Self::Coordinates, v: &Self::Velocities, q_dot: &mut Self::Coordinates) {
        *q_dot = *v;
    }

    fn accelerate(&self, StateView { t, q, v }: StateView<'_, Self>, out: &mut Acceleration<Self>) {
        let (d, inverse_mass) = (self.0.jacobian(q), self.0.inverse_mass());
        let schur = d * inverse_mass * d.transpose();
        let free = inverse_mass * self.0.force(t, q, v);
        out.rates = *v;
        out.margin = -1.0;
        let Some(cholesky) = schur.cholesky() else {
            return;
        };
        let pivots = (0..C).map(|k| cholesky.l_dirty()[(k, k)].powi(2) / schur[(k, k)]);
        out.margin = pivots.fold(1.0, f64::min) - 1e-10;
        out.multipliers = cholesky.solve(&(self.0.gamma(q, v) - d * free));
        let pull = inverse_mass * d.transpose();
        out.accelerations = free + pull * out.multipliers;
        out.factor = SVector::from_column_slice((pull * cholesky.inverse()).as_slice());
        out.power = self.0.power(t, q, v) - out.multipliers.dot(&self.0.phi_t());
    }

    fn constraints(&self, t: f64, q: &Self::Coordinates, phi: &mut Self::Multipliers) {
        *phi = self.0.phi(t, q);
    }
    fn velocity_constraints(
        &self,
        StateView { q, v, .. }: StateView<'_, Self>,
        phi_dot: &mut Self::Multipliers,
    ) {
        *phi_dot = self.0.jacobian(q) * v + self.0.phi_t();
    }
    fn position_correction(
        &self,
        _: &Self::Coordinates,
        factor: &Self::Factor,
        phi: &Self::Multipliers,
        dq: &mut Self::Coordinates,
    ) {
        *dq = -(SMatrix::<f64, N, C>::from_column_slice(factor.as_slice()) * phi);
    }
    fn velocity_correction(
        &self,
        factor: &Self::Factor,
        phi_dot: &Self::Multipliers,
        dv: &mut Self::Velocities,
    ) {
        *dv = -(SMatrix::<f64, N, C>::from_column_slice(factor.as_slice()) * phi_dot);
    }
    fn normalize(&self, _: &mut Self::Coordinates) {}

    fn advance(&self, q: &mut Self::Coordinates, step: &Self::Velocities) {
        *q += step;
    }

    fn dense(&self, StateView { t, q, v }: StateView<'_, Self>, out: &mut Dense<Self>) {
        let mass = self.0.inverse_mass().try_inverse();
        out.mass = mass.expect("every twin has mass");
        out.rows = self.rows(q);
        out.forces = self.0.force(t, q, v);
        out.gamma = self.0.gamma(q, v);
        out.rates = *v;
        out.phi_t = self.0.phi_t();
        out.power = self.0.power(t, q, v);
    }

    fn holds(
        &self,
        StateView { q, v, .. }: StateView<'_, Self>,
        values: &mut Self::Holds,
        rates: &mut Self::Holds,
    ) {
        *values = self.0.holds(q);
        *rates = self.0.hold_rows() * v;
    }
    fn energy(&self, StateView { q, v, .. }: StateView<'_, Self>) -> Energy<f64> {
        self.0.energy(q, v)
    }
    fn outputs(
        &self,
        StateView { q, v, .. }: StateView<'_, Self>,
        _: &Self::Velocities,
        _: &Self::Multipliers,
        out: &mut Self::Outputs,
    ) {
        *out = SVector::from(self.0.outputs(q, v));
    }
    fn reactions(
        &self,
        _: StateView<'_, Self>,
        _: &Self::Velocities,
        multipliers: &Self::Multipliers,
        out: &mut Self::Reactions,
    ) {
        *out = *multipliers;
    }
}
