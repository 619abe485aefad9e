//! A unit mass on a line under a law that events switch, written by hand.

use core::cell::Cell;

use bellcrank::{Acceleration, Defaults, Dense, Energy, Event, Mechanism, StateView};
use nalgebra::{SMatrix, SVector, Vector1, Vector2};

/// The forces and events of the mass: E events that set T values of two variables.
pub trait Law<const E: usize, const T: usize> {
    const EVENTS: &'static [Event];
    const EVENTS_NEED_FORCES: bool = false;
    /// Position and velocity.
    const START: [f64; 2];
    const VARIABLES: [f64; 2] = [0.0, 0.0];
    fn force(at: &At) -> f64;
    fn events(at: &At) -> [f64; E];
    fn transitions(_: &At) -> [f64; T] {
        [0.0; T]
    }
}

/// The state that a law can read.
pub struct At {
    pub time: f64,
    pub x: f64,
    pub v: f64,
    /// The acceleration, where events ask for it.
    pub acceleration: f64,
    pub variables: Vector2<f64>,
    pub input: f64,
}

/// The mass.
pub struct Line<L, const E: usize, const T: usize> {
    pub variables: Cell<Vector2<f64>>,
    inputs: [f64; 1],
    law: core::marker::PhantomData<L>,
}

impl<L: Law<E, T>, const E: usize, const T: usize> Default for Line<L, E, T> {
    fn default() -> Self {
        Self {
            variables: Cell::new(L::VARIABLES.into()),
            inputs: [0.0],
            law: core::marker::PhantomData,
        }
    }
}

impl<L: Law<E, T>, const E: usize, const T: usize> Line<L, E, T> {
    fn at(&self, time: f64, q: &Vector1<f64>, v: &Vector1<f64>, acceleration: f64) -> At {
        At {
            time,
            x: q[0],
            v: v[0],
            acceleration,
            variables: self.variables.get(),
            input: self.inputs[0],
        }
    }

    fn force(&self, t: f64, q: &Vector1<f64>, v: &Vector1<f64>) -> f64 {
        L::force(&self.at(t, q, v, f64::NAN))
    }
}

impl<L: Law<E, T>, const E: usize, const T: usize> Mechanism for Line<L, E, T> {
    type Scalar = f64;
    type Coordinates = Vector1<f64>;
    type Velocities = Vector1<f64>;
    type Multipliers = SVector<f64, 0>;
    type Factor = SVector<f64, 0>;
    type Holds = SVector<f64, 0>;
    type Outputs = Vector1<f64>;
    type Reactions = SVector<f64, 0>;
    type Variables = Vector2<f64>;
    type Events = SVector<f64, E>;
    type Transitions = SVector<f64, T>;
    type Schur = SMatrix<f64, 0, 0>;
    type Mass = SMatrix<f64, 1, 1>;
    type Rows = SMatrix<f64, 0, 1>;

    const NAME: &'static str = "line";
    const COORDINATES: &'static [&'static str] = &["x"];
    const VELOCITIES: &'static [&'static str] = &["v"];
    const CONSTRAINTS: &'static [&'static str] = &[];
    const PARAMETERS: &'static [&'static str] = &[];
    const INPUTS: &'static [&'static str] = &["input"];
    const VARIABLES: &'static [&'static str] = &["a", "b"];
    const EVENTS: &'static [Event] = L::EVENTS;
    const EVENTS_NEED_FORCES: bool = L::EVENTS_NEED_FORCES;
    const OUTPUTS: &'static [&'static str] = &["first"];
    const JOINTS: &'static [&'static str] = &[];
    const HOLDS: &'static [&'static str] = &[];
    const REDUNDANT: &'static [usize] = &[];
    const FREEDOMS: usize = 1;
    const SIZE: f64 = 1.0;
    const DEFAULTS: Defaults = Defaults {
        until: 1.0,
        step: 1e-2,
        tolerance: 1e-6,
        integrator: "rk4",
        stabilizer: "none",
    };

    fn start(&self) -> (Self::Coordinates, Self::Velocities) {
        let [x, v] = L::START;
        (Vector1::new(x), Vector1::new(v))
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
        &self.inputs
    }
    fn inputs_mut(&mut self) -> &mut [f64] {
        &mut self.inputs
    }
    fn variables(&self) -> Vector2<f64> {
        self.variables.get()
    }
    fn set_variables(&self, values: &Vector2<f64>) {
        self.variables.set(*values);
    }
    fn start_variables(&self) -> Vector2<f64> {
        L::VARIABLES.into()
    }
    fn rates(&self, _: &Self::Coordinates, v: &Self::Velocities, q_dot: &mut Self::Coordinates) {
        *q_dot = *v;
    }
    fn accelerate(&self, StateView { t, q, v }: StateView<'_, Self>, out: &mut Acceleration<Self>) {
        let force = self.force(t, q, v);
        out.rates = *v;
        out.accelerations = Vector1::new(force);
        out.power = force * v[0];
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
    fn normalize(&self, _: &mut Self::Coordinates) {}
    fn advance(&self, q: &mut Self::Coordinates, step: &Self::Velocities) {
        *q += step;
    }
    fn dense(&self, StateView { t, q, v }: StateView<'_, Self>, out: &mut Dense<Self>) {
        out.rates = *v;
        out.mass = SMatrix::identity();
        out.forces = Vector1::new(self.force(t, q, v));
    }
    fn holds(&self, _: StateView<'_, Self>, _: &mut Self::Holds, _: &mut Self::Holds) {}
    fn energy(&self, StateView { v, .. }: StateView<'_, Self>) -> Energy<f64> {
        Energy {
            kinetic: 0.5 * v[0] * v[0],
            potential: 0.0,
        }
    }
    fn outputs(
        &self,
        _: StateView<'_, Self>,
        _: &Self::Velocities,
        _: &Self::Multipliers,
        out: &mut Self::Outputs,
    ) {
        out[0] = self.variables.get()[0];
    }
    fn reactions(
        &self,
        _: StateView<'_, Self>,
        _: &Self::Velocities,
        _: &Self::Multipliers,
        _: &mut Self::Reactions,
    ) {
    }
    fn events(
        &self,
        StateView { t, q, v }: StateView<'_, Self>,
        accelerations: &Self::Velocities,
        _: &Self::Multipliers,
        out: &mut Self::Events,
    ) {
        *out = L::events(&self.at(t, q, v, accelerations[0])).into();
    }
    fn transitions(
        &self,
        StateView { t, q, v }: StateView<'_, Self>,
        accelerations: &Self::Velocities,
        _: &Self::Multipliers,
        out: &mut Self::Transitions,
    ) {
        *out = L::transitions(&self.at(t, q, v, accelerations[0])).into();
    }
}
