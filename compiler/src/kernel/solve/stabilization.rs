//! Right-hand sides of the constraint equations for accelerations, with gains a and b, a compliance c and multipliers
//! λ* that the caller sets:
//!
//! ```text
//! D v̇ + c (λ − λ*) = γ − a Φ̇ − b Φ        Φ̇ = D v + Φ_t
//! ```
//!
//! With c = 1/α and λ* = 0 this is the penalty method, (M + α DᵀD) v̇ = Q + α Dᵀ(γ − a Φ̇ − b Φ), without its large
//! numbers: by Woodbury's identity (M + α DᵀD)⁻¹ α Dᵀ = M⁻¹ Dᵀ (D M⁻¹ Dᵀ + c)⁻¹.

use crate::kernel::builder::instructions::Builder;
use crate::kernel::builder::translate::Lowering;
use crate::kernel::solve::factor::Symmetric;
use crate::kernel::solve::schur::{MatrixRow, along_velocities};
use crate::kernel::{Array, Name, Slot, Value};
use crate::symbolic::Equations;

/// Conditions that constraint equations impose on accelerations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stabilization {
    /// D v̇ = γ
    None,
    /// D v̇ = γ − a Φ̇ − b Φ
    Baumgarte,
    /// D v̇ + c (λ − λ*) = γ − a Φ̇ − b Φ
    Penalty,
}

impl Stabilization {
    /// The function that solves with it.
    pub fn name(self) -> Name {
        match self {
            Self::None => Name::Accelerate,
            Self::Baumgarte => Name::AccelerateBaumgarte,
            Self::Penalty => Name::AcceleratePenalty,
        }
    }

    /// The right-hand sides of these rows, whose D is given.
    pub fn gamma<'a, 'r>(
        self,
        lowering: &mut Lowering<'_, 'a>,
        equations: &'a Equations,
        rows: &[usize],
        jacobian: impl IntoIterator<Item = &'r MatrixRow>,
    ) -> Vec<Value> {
        let mut gamma = Vec::with_capacity(rows.len());
        for (&k, row) in rows.iter().zip(jacobian) {
            let own = lowering.value(&equations.gamma[k]);
            gamma.push(match self {
                Self::None => own,
                Self::Baumgarte => {
                    let feedback = feedback(lowering, equations, k, row);
                    lowering.sub(own, feedback)
                }
                Self::Penalty => {
                    let feedback = feedback(lowering, equations, k, row);
                    let hard = lowering.sub(own, feedback);
                    let known = lowering.load(Slot::new(Array::Multipliers, k));
                    let compliance = lowering.load(Slot::new(Array::Compliance, 0));
                    let given = lowering.mul(compliance, known);
                    lowering.add(hard, given)
                }
            });
        }
        gamma
    }

    /// S ← S + c
    pub fn soften(self, builder: &mut Builder, schur: &mut Symmetric) {
        if self == Self::Penalty {
            let compliance = builder.load(Slot::new(Array::Compliance, 0));
            add_to_diagonal(builder, schur, 0, compliance);
        }
    }

    /// −c in place of the zeros below M.
    pub fn soften_below(self, builder: &mut Builder, bordered: &mut Symmetric, first: usize) {
        if self == Self::Penalty {
            let compliance = builder.load(Slot::new(Array::Compliance, 0));
            let negative = builder.neg(compliance);
            add_to_diagonal(builder, bordered, first, negative);
        }
    }
}

fn add_to_diagonal(builder: &mut Builder, matrix: &mut Symmetric, first: usize, value: Value) {
    for (k, row) in matrix.rows.iter_mut().enumerate().skip(first) {
        let own = row.get(&k).copied().unwrap_or_else(|| builder.zero());
        row.insert(k, builder.add(own, value));
    }
}

/// a (D v + Φ_t) + b Φ
fn feedback<'a>(
    lowering: &mut Lowering<'_, 'a>,
    equations: &'a Equations,
    k: usize,
    row: &MatrixRow,
) -> Value {
    let [damping, stiffness] =
        [Array::DampingGain, Array::StiffnessGain].map(|gain| lowering.load(Slot::new(gain, 0)));
    let rate = rate(lowering, equations, k, row);
    let phi = lowering.value(&equations.phi[k]);
    let damped = lowering.mul(damping, rate);
    let sprung = lowering.mul(stiffness, phi);
    lowering.add(damped, sprung)
}

/// Φ̇ = D v + Φ_t
pub fn rate<'a>(
    lowering: &mut Lowering<'_, 'a>,
    equations: &'a Equations,
    k: usize,
    row: &MatrixRow,
) -> Value {
    let along = match equations.phi_rate.get(k) {
        Some(rate) => lowering.value(rate),
        None => along_velocities(lowering, row),
    };
    let phi_t = lowering.value(&equations.phi_t[k]);
    lowering.add(along, phi_t)
}
