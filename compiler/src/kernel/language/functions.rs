//! The functions of a mechanism, each declared once: its meaning, its name in the runtime's trait, its arguments and
//! its results.
//!
//! A new function is one declaration here and one line in `lower`. Everything else is derived from the declaration: the
//! arrays that the function may read and write, the extra that asks for it, its signature and its comment in generated
//! code.

use serde::{Deserialize, Serialize};

use super::Array;
use crate::options::Extra;

/// An argument or a result of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Argument {
    /// Its name.
    pub name: &'static str,
    /// The struct of the runtime that holds the arrays; `None` if the argument is one array.
    pub structure: Option<&'static str>,
    /// The arrays that it holds.
    pub arrays: &'static [Array],
}

/// Declares functions in the form
///
/// ```text
/// Name for Extra = method(argument: Array, argument: Struct[Array, …]) -> (result: Array, …);
/// ```
///
/// A result with the name of an argument takes its place: the function reads the array and writes it.
macro_rules! functions {
    ($(
        $(#[doc = $line:literal])+
        $name:ident $(for $extra:ident)? = $method:ident(
            $($argument:ident: $array:ident $([$($field:ident),+])?),*
        ) -> ($($result:ident: $written:ident $([$($part:ident),+])?),+);
    )+) => {
        /// The functions of a mechanism, in the order of a kernel.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum Name {
            $($(#[doc = $line])+ $name),+
        }

        impl Name {
            /// Every function, in order.
            pub const ALL: &[Self] = &[$(Self::$name),+];

            /// A description of the function, for the comment above its code.
            pub fn about(self) -> &'static str {
                match self {
                    $(Self::$name => concat!($($line),+).trim_start()),+
                }
            }

            /// The method of the runtime's trait.
            pub fn method(self) -> &'static str {
                match self {
                    $(Self::$name => stringify!($method)),+
                }
            }

            /// The extra that asks for the function, if not every method does.
            pub fn extra(self) -> Option<Extra> {
                match self {
                    $(Self::$name => None $(.or(Some(Extra::$extra)))?),+
                }
            }

            /// The arguments.
            pub fn arguments(self) -> &'static [Argument] {
                match self {
                    $(Self::$name => &[$(argument!($argument: $array $([$($field),+])?)),*]),+
                }
            }

            /// The results.
            pub fn results(self) -> &'static [Argument] {
                match self {
                    $(Self::$name => &[$(argument!($result: $written $([$($part),+])?)),+]),+
                }
            }
        }
    };
}

macro_rules! argument {
    ($name:ident: $array:ident) => {
        Argument {
            name: stringify!($name),
            structure: None,
            arrays: &[Array::$array],
        }
    };
    ($name:ident: $structure:ident [$($array:ident),+]) => {
        Argument {
            name: stringify!($name),
            structure: Some(stringify!($structure)),
            arrays: &[$(Array::$array),+],
        }
    };
}

functions! {
    /// Derives from the parameters `p` the values `d` that depend on nothing else.
    Prepare = prepare(p: Parameters) -> (d: Derived);

    /// The initial guess of the description at the parameters as they are. Assembly starts from it.
    Guess = guess() -> (q: Coordinates, v: Velocities);

    /// Rates of the coordinates from the velocities: q̇ = T v.
    Rates = rates(q: Coordinates, v: Velocities) -> (q_dot: Rates);

    /// Accelerations v̇ and multipliers λ of the state (t, q, v): M v̇ = Q + Dᵀ λ and D v̇ = γ. `out` also gets q̇ =
    /// T v, the factor of D M⁻¹ Dᵀ for the corrections, the margin of its smallest pivot, and the power of the forces
    /// without a potential.
    Accelerate = accelerate(
        t: Time, q: Coordinates, v: Velocities
    ) -> (out: Acceleration[Rates, Accelerations, Multipliers, Factor, Margin, Power]);

    /// Violations of the constraint equations: Φ(q, t).
    Constraints = constraints(t: Time, q: Coordinates) -> (phi: Constraints);

    /// Violations of the constraint equations at velocity level: Φ̇ = D v + Φ_t.
    VelocityConstraints = velocity_constraints(t: Time, q: Coordinates, v: Velocities) -> (phi_dot: Constraints);

    /// A Newton step of the coordinates towards Φ = 0, with the factor `f` that `accelerate` gave: Δq = −T M⁻¹ Dᵀ (D
    /// M⁻¹ Dᵀ)⁻¹ Φ.
    PositionCorrection = position_correction(q: Coordinates, f: Factor, phi: Constraints) -> (dq: Rates);

    /// The change of velocities that makes Φ̇ = 0, with the factor `f` that `accelerate` gave: Δv = −M⁻¹ Dᵀ (D M⁻¹
    /// Dᵀ)⁻¹ Φ̇.
    VelocityCorrection = velocity_correction(f: Factor, phi_dot: Constraints) -> (dv: Velocities);

    /// Restores coordinates `q` that belong together: p ← p L / √(p · p) for arms, axes and Euler parameters of
    /// constant length L. Three axes also become orthogonal, and an angle that counts turns becomes that of its axis
    /// or arm, in the same turn.
    Normalize = normalize(q: Coordinates) -> (q: Coordinates);

    /// Moves the coordinates `q` along q̇ = T v for unit time with v = `step`. Arms, axes and Euler parameters keep
    /// their lengths.
    Advance = advance(q: Coordinates, step: Velocities) -> (q: Coordinates);

    /// The terms of the equations for the dense solve of the runtime: M, E = (D; H), Q, γ, q̇, Φ_t and the power of
    /// the applied forces without a potential. H are the rows of what assembly holds.
    Dense = dense(
        t: Time, q: Coordinates, v: Velocities
    ) -> (out: Dense[Mass, Rows, Forces, Gamma, Rates, PhiT, Power]);

    /// The product M x at the coordinates `q`, without the matrix.
    MassTimes = mass_times(q: Coordinates, x: Accelerations) -> (forces: Forces);

    /// Quantities that assembly holds besides the constraint equations, and their rates.
    Holds = holds(t: Time, q: Coordinates, v: Velocities) -> (values: HoldValues, rates: HoldRates);

    /// Kinetic energy of the bodies, and potential energy of gravity and springs.
    Energy = energy(t: Time, q: Coordinates, v: Velocities) -> (out: Energy[Kinetic, Potential]);

    /// The outputs of the description at the state (t, q, v) with its accelerations and multipliers, in the order of
    /// `OUTPUTS`.
    Outputs = outputs(
        t: Time, q: Coordinates, v: Velocities, accelerations: Accelerations, multipliers: Multipliers
    ) -> (out: Outputs);

    /// Force and torque of each joint on its second body, in world axes, in the order of `JOINTS`: six numbers a
    /// joint, from the state with its accelerations and multipliers.
    Reactions = reactions(
        t: Time, q: Coordinates, v: Velocities, accelerations: Accelerations, multipliers: Multipliers
    ) -> (out: Reactions);

    /// The expressions that cross zero at events, in the order of `EVENTS`, from the state with its accelerations and
    /// multipliers.
    Events = events(
        t: Time, q: Coordinates, v: Velocities, accelerations: Accelerations, multipliers: Multipliers
    ) -> (out: Events);

    /// The values that events give to variables, event after event, from the state and the variables as they are.
    Transitions = transitions(
        t: Time, q: Coordinates, v: Velocities, accelerations: Accelerations, multipliers: Multipliers
    ) -> (out: Transitions);

    /// Accelerations and multipliers that pull violations back: M v̇ = Q + Dᵀ λ and D v̇ = γ − a Φ̇ − b Φ, with a the
    /// damping and b the stiffness of `gains`.
    AccelerateBaumgarte for Baumgarte = accelerate_baumgarte(
        t: Time, q: Coordinates, v: Velocities, gains: Gains[DampingGain, StiffnessGain, Compliance]
    ) -> (out: Acceleration[Rates, Accelerations, Multipliers, Margin, Power]);

    /// Accelerations and multipliers of constraint equations that give way, for the multipliers λ* that are given: M
    /// v̇ = Q + Dᵀ λ and D v̇ + c (λ − λ*) = γ − a Φ̇ − b Φ, with a, b and c the damping, stiffness and compliance of
    /// `gains`.
    AcceleratePenalty for Penalty = accelerate_penalty(
        t: Time, q: Coordinates, v: Velocities, multipliers: Multipliers, gains: Gains[DampingGain, StiffnessGain, Compliance]
    ) -> (out: Acceleration[Rates, Accelerations, Multipliers, Margin, Power], f: PenaltyFactor);

    /// A projection with the factor `f` that `accelerate_penalty` gave: Δ = −M⁻¹ Dᵀ y with (D M⁻¹ Dᵀ + c) y = Φ.
    PenaltyCorrection for Penalty = penalty_correction(
        f: PenaltyFactor, phi: Constraints
    ) -> (dv: Velocities, multipliers: Multipliers);

    /// The factor of a projection without masses: D Dᵀ = L Δ Lᵀ.
    PlainFactor for Plain = plain_factor(t: Time, q: Coordinates) -> (out: PlainFactorization[PlainFactor, Margin]);

    /// A projection without masses, with the factor `f` that `plain_factor` gave: Δ = −Dᵀ (D Dᵀ)⁻¹ Φ.
    PlainCorrection for Plain = plain_correction(f: PlainFactor, phi: Constraints) -> (dv: Velocities);

    /// `plain_correction` with those constraint equations alone that keep distances between points of one body: Δ =
    /// −Dᵀ (D Dᵀ)⁻¹ Φ.
    InnerCorrection for Plain = inner_correction(f: PlainFactor, phi: Constraints) -> (dv: Velocities);

    /// The factor of a projection of all coordinates: H Hᵀ = L Δ Lᵀ with H = ∂(f, Φ)/∂q, where f = p · p − 1 for each
    /// set of Euler parameters p.
    StandardFactor for Standard = standard_factor(
        t: Time, q: Coordinates
    ) -> (out: StandardFactorization[StandardFactor, Margin]);

    /// A projection of all coordinates, with the factor `f` that `standard_factor` gave: Δq = −Hᵀ (H Hᵀ)⁻¹ (f, Φ).
    StandardCorrection for Standard = standard_correction(
        q: Coordinates, f: StandardFactor, phi: Constraints
    ) -> (dq: Rates);

    /// The Jacobian of the constraint equations: D = ∂Φ̇/∂v.
    Jacobian for Jacobian = jacobian(t: Time, q: Coordinates) -> (out: Jacobian[Rows]);

    /// The residual of the equations of motion at the given accelerations and multipliers: M v̇ − Q − Dᵀ λ.
    Residual for Tangents = residual(
        t: Time, q: Coordinates, v: Velocities, accelerations: Accelerations, multipliers: Multipliers
    ) -> (forces: Forces);

    /// Derivatives of the residual r = M v̇ − Q − Dᵀ λ: the stiffness K = ∂r/∂s along δq = T δs, and the damping C =
    /// ∂r/∂v.
    Tangents for Tangents = tangents(
        t: Time, q: Coordinates, v: Velocities, accelerations: Accelerations, multipliers: Multipliers
    ) -> (out: Tangents[Stiffness, Damping]);

    /// The factor of the matrix of a Newton step, [m M + c C + k K, −Dᵀ; D, ε], with m, c, k and ε the mass, damping,
    /// stiffness and compliance of `weights`.
    TangentFactor for Tangents = tangent_factor(
        t: Time, q: Coordinates, v: Velocities, accelerations: Accelerations, multipliers: Multipliers, weights: Weights[MassWeight, DampingWeight, StiffnessWeight, Compliance]
    ) -> (out: TangentFactorization[TangentFactor, Margin]);

    /// A Newton step with the factor `f` that `tangent_factor` gave: (m M + c C + k K) x − Dᵀ y = `forces` and D x +
    /// ε y = `phi`, with x in `dv` and y in `multipliers`.
    TangentSolve for Tangents = tangent_solve(
        f: TangentFactor, forces: Forces, phi: Constraints
    ) -> (dv: Velocities, multipliers: Multipliers);
}

impl Name {
    /// The arrays that the function may read, besides those that every function may read.
    pub fn reads(self) -> impl Iterator<Item = Array> {
        let arguments = self.arguments().iter();
        arguments.flat_map(|argument| argument.arrays.iter().copied())
    }

    /// The arrays that the function writes.
    pub fn writes(self) -> impl Iterator<Item = Array> {
        let results = self.results().iter();
        results.flat_map(|result| result.arrays.iter().copied())
    }

    /// True if the function may load from `array`.
    pub fn may_read(self, array: Array) -> bool {
        let everywhere = self != Self::Prepare && Array::EVERYWHERE.contains(&array);
        everywhere || self.reads().any(|one| one == array)
    }

    /// True for functions that solve for accelerations, the bulk of a step.
    pub fn solves(self) -> bool {
        matches!(
            self,
            Self::Accelerate | Self::AccelerateBaumgarte | Self::AcceleratePenalty
        )
    }

    /// The functions of a mechanism that is asked for these extras, in order.
    pub fn asked(extras: &[Extra]) -> impl Iterator<Item = Self> {
        let asked = |name: &Self| name.extra().is_none_or(|extra| extras.contains(&extra));
        Self::ALL.iter().copied().filter(asked)
    }
}
