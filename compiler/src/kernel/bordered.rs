//! Accelerations and multipliers from the bordered system as it stands:
//!
//! ```text
//! [ M  Dᵀ ] [ v̇  ]   [ Q ]
//! [ D  0  ] [ −λ ] = [ γ ]        K = L Δ Lᵀ
//! ```
//!
//! over the independent rows of D, with one pivot at a time in an order that is fixed here. Where M
//! couples neighbours, M⁻¹ is full, but the order from the leaves of the mechanism to its root fills
//! next to nothing: the work is that of an articulated-body recursion. M may be only semi-definite,
//! then some velocities wait for rows.

use super::build::Builder;
use super::draft::Draft;
use super::dynamics::{Row, forces, mass, power, write, write_rates};
use super::factor::{Factorization, SparseVector};
use super::instruction::Dependence;
use super::interpret::traces;
use super::margin::{Pivot, margin};
use super::pivots::{is_definite, pivot_order};
use super::project::{Steps, violation};
use super::pull::Pull;
use super::translate::Translation;
use super::{Array, Value};
use crate::assembly::Assembly;
use crate::options::{Options, Scalar};
use crate::symbolic::Equations;

/// Rates, accelerations, multipliers, margin and power, and the steps Δ(Φ) of a projection; the factor
/// is written by the caller. `None` if no order of the pivots is safe at all samples, or there is no sample to tell.
pub fn accelerate(
    equations: &Equations,
    rows: &[usize],
    assembly: &Assembly,
    pull: Pull,
    options: &Options,
) -> Option<(Draft, Steps)> {
    let (n, samples) = (equations.n_velocities, &assembly.samples);
    let mut draft = Draft::new(pull.name());
    let mut translation = Translation::new(&equations.auxiliaries);
    write_rates(&mut draft, &mut translation, equations);
    let b = &mut draft.builder;
    let mut matrix = mass(b, &mut translation, equations);
    let is_constant = matrix.rows.iter().flat_map(SparseVector::values);
    let is_constant = is_constant.map(|&v| b.dependence(v)).max() < Some(Dependence::State);
    let mut jacobian: Vec<Row> = Vec::with_capacity(rows.len());
    for &k in rows {
        jacobian.push(translation.row(b, &equations.jacobian[k]));
    }
    let border = jacobian.iter().map(|row| row.iter().copied().collect());
    matrix.rows.extend(border);
    let pivots = pivot_order(&matrix.neighbours(), samples, rows)?;
    pull.soften_below(b, &mut matrix, n);
    let factor = matrix.factorize_in(b, pivots.order);

    let gamma = pull.gamma(b, &mut translation, equations, rows, &jacobian);
    let right = right(b, &mut translation, equations, &gamma);
    let mut accelerations = factor.solve(b, &right);
    let multipliers: SparseVector = accelerations
        .split_off(&n)
        .into_iter()
        .map(|(i, x)| (i - n, b.neg(x)))
        .collect();
    let power = power(b, &mut translation, equations, rows, &multipliers);
    let first = if is_constant && is_definite(samples) {
        n
    } else {
        0
    };
    let limit = |i: usize| threshold(options.scalar) * pivots.sizes[i];
    let pivots = asked(b, &factor, n, first, limit);
    let traces = traces(b, assembly);
    let margin = margin(b, &traces, &pivots);

    let steps = steps(b, &factor, n, rows);

    write(&mut draft, Array::Accelerations, &accelerations);
    for (k, value) in multipliers {
        draft.write(Array::Multipliers, rows[k], value);
    }
    draft.write(Array::Margin, 0, margin);
    draft.write(Array::Power, 0, power);
    Some((draft, steps))
}

/// K⁻¹ (0; −Φ) = (Δ; y)
fn steps(builder: &mut Builder, factor: &Factorization, n: usize, rows: &[usize]) -> Steps {
    let phi = violation(builder, rows);
    let right = phi.iter().map(|(&k, &phi)| (n + k, builder.neg(phi)));
    let right = right.collect();
    let mut velocities = factor.solve(builder, &right);
    let below = velocities.split_off(&n).into_iter();
    Steps {
        velocities,
        multipliers: below.map(|(i, y)| (rows[i - n], y)).collect(),
    }
}

/// (Q; γ)
fn right<'a>(
    builder: &mut Builder,
    translation: &mut Translation<'a>,
    equations: &'a Equations,
    gamma: &[Value],
) -> SparseVector {
    let mut right = forces(builder, translation, equations);
    for (k, &gamma) in gamma.iter().enumerate() {
        if !builder.is_zero(gamma) {
            right.insert(equations.n_velocities + k, gamma);
        }
    }
    right
}

/// |δ_k| and ε s_k of the pivots that change, from the index `first` on.
///
/// s_k is how large the terms of δ_k are at the states that assembly reached: a number, because
/// lengths and masses keep their magnitude along a motion, and ε leaves room for parameters that
/// change it. ε is the root of the round-off u. A pivot just above ε lets what follows grow by 1/ε, so
/// that the round-off in a later pivot is u/ε = ε: one that should vanish is still seen. Where rows
/// become dependent this is an angle of 1e-4 for doubles.
///
/// The pivot of a velocity is never below what M alone leaves of it, since rows only add to it. So it
/// is asked for only if M changes, or may vanish in some direction.
fn asked(
    builder: &mut Builder,
    factor: &Factorization,
    n_velocities: usize,
    first: usize,
    limit: impl Fn(usize) -> f64,
) -> Vec<Pivot> {
    let mut asked = Vec::new();
    for (&index, &pivot) in factor.order.iter().zip(&factor.pivots) {
        if index < first || builder.dependence(pivot) == Dependence::Nothing {
            continue;
        }
        let value = if index < n_velocities {
            pivot
        } else {
            builder.neg(pivot)
        };
        let limit = builder.constant(limit(index));
        asked.push(Pivot { value, limit });
    }
    asked
}

/// ε = √u
pub fn threshold(scalar: Scalar) -> f64 {
    match scalar {
        Scalar::F64 => f64::EPSILON.sqrt(),
        Scalar::F32 => f64::from(f32::EPSILON).sqrt(),
    }
}
