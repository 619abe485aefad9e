//! The trait that generated code implements.

use core::fmt;

use crate::{Event, Matrix, Real, StateView, Vector};

/// A compiled mechanism: the equations
///
/// ```text
/// M v̇ = Q + Dᵀ λ        D v̇ = γ        q̇ = T v        Φ(q, t) = 0
/// ```
///
/// with their unrolled sparse solve. Constraint equations that the compiler found to be redundant are left out of that
/// solve, with multipliers of zero. The dense solve has them.
pub trait Mechanism {
    /// The floating-point type.
    type Scalar: Real;
    /// Coordinates q.
    type Coordinates: Vector<Self::Scalar>;
    /// Velocities v.
    type Velocities: Vector<Self::Scalar>;
    /// One number for each constraint equation: λ, Φ, Φ̇.
    type Multipliers: Vector<Self::Scalar>;
    /// The part of the factorisation that the projections need.
    type Factor: Vector<Self::Scalar>;
    /// One number for each coordinate that assembly holds.
    type Holds: Vector<Self::Scalar>;
    /// Named outputs.
    type Outputs: Vector<Self::Scalar>;
    /// Six numbers for each joint: force and torque on the second body, in world axes.
    type Reactions: Vector<Self::Scalar>;
    /// Discrete variables, which only events change.
    type Variables: Vector<Self::Scalar>;
    /// One number for each event: the expression that crosses zero.
    type Events: Vector<Self::Scalar>;
    /// Values that events set, event after event, each in the order of its [`Event::sets`].
    type Transitions: Vector<Self::Scalar>;
    /// Square, with one row for each constraint equation and then one for each hold.
    type Schur: Matrix<Self::Scalar>;
    /// Square, with one row for each velocity.
    type Mass: Matrix<Self::Scalar>;
    /// One row for each constraint equation and then each hold, one column for each velocity.
    type Rows: Matrix<Self::Scalar>;

    /// Name of the mechanism.
    const NAME: &'static str;
    /// Names of the coordinates.
    const COORDINATES: &'static [&'static str];
    /// Names of the velocities.
    const VELOCITIES: &'static [&'static str];
    /// Names of the constraint equations: the joint and the quantity that the equation keeps.
    const CONSTRAINTS: &'static [&'static str];
    /// Names of the parameters.
    const PARAMETERS: &'static [&'static str];
    /// Names of the inputs.
    const INPUTS: &'static [&'static str];
    /// Names of the discrete variables.
    const VARIABLES: &'static [&'static str] = &[];
    /// The events, at most 64.
    const EVENTS: &'static [Event] = &[];
    /// Whether an event depends on accelerations or multipliers, so that watching it costs an evaluation.
    const EVENTS_NEED_FORCES: bool = false;
    /// Names of the outputs.
    const OUTPUTS: &'static [&'static str];
    /// Whether an output depends on multipliers. Where constraint equations are redundant, finding those of the
    /// smallest norm takes as long as many steps.
    const OUTPUTS_NEED_MULTIPLIERS: bool = true;
    /// Indices of the constraint equations of couplings, if some equations are redundant. No joint carries the
    /// multipliers of these equations.
    const COUPLINGS: &'static [usize] = &[];
    /// Names of the joints.
    const JOINTS: &'static [&'static str];
    /// Names of the coordinates that the assembly holds.
    const HOLDS: &'static [&'static str];
    /// Number of the last constraint equations that springs replace: assembly brings them to zero.
    const COMPLIANT: usize = 0;
    /// For each constraint equation, if its row may vanish: the diagonal of D M⁻¹ Dᵀ as a share of the largest one, the
    /// largest share that the compiler has seen. A row that is small against it is small, whatever its unit.
    const SHARES: &'static [f64] = &[];
    /// Whether accelerations have an unrolled solve. If not, each evaluation takes the dense solve, and its margin has
    /// no meaning.
    const UNROLLED: bool = true;
    /// Names of the force elements whose laws can jump, as `sign(rate)` does.
    const JUMPS: &'static [&'static str] = &[];
    /// Indices of the constraint equations that depend on the others at every state.
    const REDUNDANT: &'static [usize];
    /// True if some of these are redundant only within the compiler's tolerance for rounding: projections then leave
    /// them out.
    const ROUNDED: bool = false;
    /// Degrees of freedom.
    const FREEDOMS: usize;
    /// Length that makes Φ comparable to 1: the size of the mechanism.
    const SIZE: f64;
    /// Settings of a run, from the description.
    const DEFAULTS: Defaults;

    /// The start that the compiler assembled, consistent at the default parameters.
    fn start(&self) -> (Self::Coordinates, Self::Velocities);

    /// The guess of the description at the present parameters. Assembly starts from it if they are not the default
    /// ones.
    fn guess(&self, q: &mut Self::Coordinates, v: &mut Self::Velocities);

    /// True if all parameters have their default values, for which `start` was assembled.
    fn is_default(&self) -> bool;

    /// Values of the parameters.
    fn parameters(&self) -> &[Self::Scalar];

    /// Sets a parameter and the values that the compiler derived from it.
    fn set_parameter(&mut self, index: usize, value: Self::Scalar);

    /// Values of the inputs.
    fn inputs(&self) -> &[Self::Scalar];

    /// Values of the inputs, to be set between steps.
    fn inputs_mut(&mut self) -> &mut [Self::Scalar];

    /// Values of the discrete variables.
    fn variables(&self) -> Self::Variables {
        Self::Variables::zero()
    }

    /// Sets the discrete variables. They are in a cell, because frames of a run share the mechanism while
    /// events change them.
    fn set_variables(&self, values: &Self::Variables) {
        let _ = values;
    }

    /// Values of the discrete variables at the start.
    fn start_variables(&self) -> Self::Variables {
        Self::Variables::zero()
    }

    /// q̇ = T v
    fn rates(&self, q: &Self::Coordinates, v: &Self::Velocities, q_dot: &mut Self::Coordinates);

    /// Accelerations, multipliers, the factor for the projections, and the power of forces without a potential. The
    /// result is only valid if `margin` is positive.
    fn accelerate(&self, state: StateView<'_, Self>, out: &mut Acceleration<Self>);

    /// Φ(q, t), all constraint equations.
    fn constraints(&self, t: Self::Scalar, q: &Self::Coordinates, phi: &mut Self::Multipliers);

    /// Φ̇ = D v + Φ_t, all constraint equations.
    fn velocity_constraints(&self, state: StateView<'_, Self>, phi_dot: &mut Self::Multipliers);

    /// Δq = −T M⁻¹ Dᵀ (D M⁻¹ Dᵀ)⁻¹ Φ with the given factor.
    fn position_correction(
        &self,
        q: &Self::Coordinates,
        factor: &Self::Factor,
        phi: &Self::Multipliers,
        dq: &mut Self::Coordinates,
    );

    /// Δv = −M⁻¹ Dᵀ (D M⁻¹ Dᵀ)⁻¹ Φ̇ with the given factor.
    fn velocity_correction(
        &self,
        factor: &Self::Factor,
        phi_dot: &Self::Multipliers,
        dv: &mut Self::Velocities,
    );

    /// Scales Euler parameters back to unit length and makes axes orthonormal; nothing else changes.
    fn normalize(&self, q: &mut Self::Coordinates);

    /// Moves the coordinates along q̇ = T v for unit time, v being the step.
    fn advance(&self, q: &mut Self::Coordinates, step: &Self::Velocities);

    /// The same equations without the unrolled solve, all constraint equations and holds.
    fn dense(&self, state: StateView<'_, Self>, out: &mut Dense<Self>);

    /// Coordinates that the assembly holds, and their rates.
    fn holds(&self, state: StateView<'_, Self>, values: &mut Self::Holds, rates: &mut Self::Holds);

    /// Kinetic and potential energy.
    fn energy(&self, state: StateView<'_, Self>) -> Energy<Self::Scalar>;

    /// Named outputs; accelerations and multipliers are those at this state.
    fn outputs(
        &self,
        state: StateView<'_, Self>,
        accelerations: &Self::Velocities,
        multipliers: &Self::Multipliers,
        out: &mut Self::Outputs,
    );

    /// Force and torque in every joint; accelerations and multipliers are those at this state.
    fn reactions(
        &self,
        state: StateView<'_, Self>,
        accelerations: &Self::Velocities,
        multipliers: &Self::Multipliers,
        out: &mut Self::Reactions,
    );

    /// Expressions that are zero at events. Accelerations and multipliers are those at this state if
    /// [`Mechanism::EVENTS_NEED_FORCES`]; otherwise they are not read.
    fn events(
        &self,
        state: StateView<'_, Self>,
        accelerations: &Self::Velocities,
        multipliers: &Self::Multipliers,
        out: &mut Self::Events,
    ) {
        let _ = (state, accelerations, multipliers, out);
    }

    /// Values that events set, computed from the current variables. The arguments are those of [`Mechanism::events`].
    fn transitions(
        &self,
        state: StateView<'_, Self>,
        accelerations: &Self::Velocities,
        multipliers: &Self::Multipliers,
        out: &mut Self::Transitions,
    ) {
        let _ = (state, accelerations, multipliers, out);
    }
}

/// Result of one evaluation of the dynamics.
pub struct Acceleration<M: Mechanism + ?Sized> {
    /// q̇ = T v
    pub rates: M::Coordinates,
    /// v̇
    pub accelerations: M::Velocities,
    /// λ
    pub multipliers: M::Multipliers,
    /// The part of the factorisation that the projections need.
    pub factor: M::Factor,
    /// Smallest pivot of the unrolled solve less its threshold, relative to its usual size: the solve is only valid
    /// if this is positive. It falls with the square of the distance to a singular position.
    pub margin: M::Scalar,
    /// Power of the forces without a potential, drivers included.
    pub power: M::Scalar,
}

/// The equations without the unrolled solve, with E = (D; H) the rows of the constraint equations and of the holds.
pub struct Dense<M: Mechanism + ?Sized> {
    /// M
    pub mass: M::Mass,
    /// E
    pub rows: M::Rows,
    /// Q
    pub forces: M::Velocities,
    /// γ
    pub gamma: M::Multipliers,
    /// q̇ = T v
    pub rates: M::Coordinates,
    /// Φ_t
    pub phi_t: M::Multipliers,
    /// Power of the applied forces without a potential, drivers excluded.
    pub power: M::Scalar,
}

/// Kinetic and potential energy.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy<T> {
    /// Of motion.
    pub kinetic: T,
    /// Of gravity and springs.
    pub potential: T,
}

/// Settings of a run, from the description.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Defaults {
    /// End time.
    pub until: f64,
    /// Step size.
    pub step: f64,
    /// Error that a step of an adaptive integrator may make, relative to the size of the mechanism.
    pub tolerance: f64,
    /// Name of the integrator.
    pub integrator: &'static str,
    /// Name of the stabilizer.
    pub stabilizer: &'static str,
}

impl<M: Mechanism + ?Sized> Acceleration<M> {
    /// All zero.
    pub fn zero() -> Self {
        Self {
            rates: M::Coordinates::zero(),
            accelerations: M::Velocities::zero(),
            multipliers: M::Multipliers::zero(),
            factor: M::Factor::zero(),
            margin: M::Scalar::ZERO,
            power: M::Scalar::ZERO,
        }
    }
}

impl<M: Mechanism + ?Sized> Dense<M> {
    /// All zero.
    pub fn zero() -> Self {
        Self {
            mass: M::Mass::zero(),
            rows: M::Rows::zero(),
            forces: M::Velocities::zero(),
            gamma: M::Multipliers::zero(),
            rates: M::Coordinates::zero(),
            phi_t: M::Multipliers::zero(),
            power: M::Scalar::ZERO,
        }
    }

    /// Sets M, column by column, from `product(x, y)`, which sets y = M x. Generated code uses it where M is full
    /// and its entries are not written out.
    pub fn fill_mass(&mut self, product: impl Fn(&M::Velocities, &mut M::Velocities)) {
        let mut column = M::Velocities::zero();
        for j in 0..M::Velocities::LEN {
            let mut unit = M::Velocities::zero();
            unit[j] = M::Scalar::ONE;
            product(&unit, &mut column);
            for i in 0..M::Velocities::LEN {
                self.mass[(i, j)] = column[i];
            }
        }
    }
}

// Written by hand: a derive would require `M: Clone` and so on, which is not needed here.

impl<M: Mechanism + ?Sized> Clone for Acceleration<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: Mechanism + ?Sized> Copy for Acceleration<M> {}

impl<M: Mechanism + ?Sized> fmt::Debug for Acceleration<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Acceleration")
            .field("rates", &self.rates)
            .field("accelerations", &self.accelerations)
            .field("multipliers", &self.multipliers)
            .field("factor", &self.factor)
            .field("margin", &self.margin)
            .field("power", &self.power)
            .finish()
    }
}

impl<M: Mechanism + ?Sized> Clone for Dense<M> {
    fn clone(&self) -> Self {
        Self {
            mass: self.mass.clone(),
            rows: self.rows.clone(),
            ..*self
        }
    }
}

impl<M: Mechanism + ?Sized> fmt::Debug for Dense<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dense")
            .field("mass", &self.mass)
            .field("rows", &self.rows)
            .field("forces", &self.forces)
            .field("gamma", &self.gamma)
            .field("rates", &self.rates)
            .field("phi_t", &self.phi_t)
            .field("power", &self.power)
            .finish()
    }
}
