//! The functions with the linear solve in them:
//!
//! ```text
//! M = L Δ Lᵀ        W = M⁻¹ Dᵀ        S = D W = L Δ Lᵀ
//! S λ = γ − D M⁻¹ Q        v̇ = M⁻¹ Q + W λ
//! ```
//!
//! over the independent rows of D; [`accelerate`] also gives what the projections need of it.

use super::build::Builder;
use super::draft::Draft;
use super::factor::{Factorization, SparseVector, Symmetric, add_product, dot};
use super::translate::Translation;
use super::{Array, Name, Value};
use crate::expr::Binary;
use crate::options::{Options, Scalar};
use crate::symbolic::{Equations, SparseRow};

type Row = Vec<(usize, Value)>;

/// The solved constraint rows, as values of [`Name::Accelerate`].
#[derive(Clone, Debug)]
pub struct Projection {
    /// The independent rows of Φ.
    pub rows: Vec<usize>,
    /// Wᵀ: for each independent row k, M⁻¹ D_kᵀ.
    pub weighted: Vec<SparseVector>,
    /// S = L Δ Lᵀ
    pub schur: Factorization,
}

/// Rates, accelerations, multipliers, margin and power; the factor is written by the caller.
pub fn accelerate(
    equations: &Equations,
    redundant: &[u32],
    options: &Options,
) -> (Draft, Projection) {
    let mut draft = Draft::new(Name::Accelerate);
    let mut translation = Translation::new(&equations.auxiliaries);
    write_rates(&mut draft, &mut translation, equations);
    let b = &mut draft.builder;
    let mass = mass(b, &mut translation, equations);
    let free = free(b, &mut translation, equations, &mass);
    let rows: Vec<usize> = (0..equations.jacobian.len())
        .filter(|&k| redundant.binary_search(&(k as u32)).is_err())
        .collect();
    let chosen = rows.iter().map(|&k| &equations.jacobian[k]);
    let (jacobian, weighted) = weigh(b, &mut translation, &mass, chosen);
    let product = gram(b, &jacobian, &weighted);
    let schur = product.factorize(b);

    let right = right(b, &mut translation, equations, &rows, &jacobian, &free);
    let multipliers = schur.solve(b, &right);
    let mut accelerations = free;
    combine(b, &mut accelerations, &weighted, &multipliers);
    let power = power(b, &mut translation, equations, &rows, &multipliers);
    let margin = margin(b, &product, &schur, threshold(options.scalar));

    write(&mut draft, Array::Accelerations, &accelerations);
    for (n, value) in multipliers {
        draft.write(Array::Multipliers, rows[n], value);
    }
    draft.write(Array::Margin, 0, margin);
    draft.write(Array::Power, 0, power);
    let projection = Projection {
        rows,
        weighted,
        schur,
    };
    (draft, projection)
}

/// With E = (D; H): E, E M⁻¹, E M⁻¹ Eᵀ, M⁻¹ Q, γ, q̇, Φ_t and the power of the applied forces.
pub fn dense(equations: &Equations) -> Draft {
    let mut draft = Draft::new(Name::Dense);
    let mut translation = Translation::new(&equations.auxiliaries);
    write_rates(&mut draft, &mut translation, equations);
    let b = &mut draft.builder;
    let mass = mass(b, &mut translation, equations);
    let free = free(b, &mut translation, equations, &mass);
    let all = equations.jacobian.iter().chain(&equations.hold_jacobian);
    let (rows, weighted) = weigh(b, &mut translation, &mass, all);
    let schur = gram(b, &rows, &weighted);
    write(&mut draft, Array::Free, &free);

    let (n_rows, n_columns) = (rows.len(), equations.n_velocities);
    for k in 0..n_rows {
        for &(j, value) in &rows[k] {
            draft.write(Array::Rows, k * n_columns + j, value);
        }
        for (&j, &value) in &weighted[k] {
            draft.write(Array::Weighted, k * n_columns + j, value);
        }
        for (&l, &value) in &schur.rows[k] {
            draft.write(Array::Schur, k * n_rows + l, value);
            if l != k {
                draft.write(Array::Schur, l * n_rows + k, value);
            }
        }
    }
    for (array, expressions) in [
        (Array::Gamma, &equations.gamma[..]),
        (Array::PhiT, &equations.phi_t),
        (Array::Power, std::slice::from_ref(&equations.power)),
    ] {
        for (k, expression) in expressions.iter().enumerate() {
            let value = translation.value(&mut draft.builder, expression);
            draft.write(array, k, value);
        }
    }
    draft
}

/// x ← x + W λ
pub fn combine(
    builder: &mut Builder,
    x: &mut SparseVector,
    weighted: &[SparseVector],
    multipliers: &SparseVector,
) {
    for (&n, &multiplier) in multipliers {
        for (&j, &weight) in &weighted[n] {
            add_product(builder, x, j, weight, multiplier);
        }
    }
}

/// q̇ = T v
pub fn write_rates<'a>(
    draft: &mut Draft,
    translation: &mut Translation<'a>,
    equations: &'a Equations,
) {
    for (i, rate) in equations.rates.iter().enumerate() {
        let value = translation.value(&mut draft.builder, rate);
        draft.write(Array::Rates, i, value);
    }
}

/// M = L Δ Lᵀ
fn mass<'a>(
    builder: &mut Builder,
    translation: &mut Translation<'a>,
    equations: &'a Equations,
) -> Factorization {
    let mut rows = Vec::with_capacity(equations.mass.len());
    for (i, row) in equations.mass.iter().enumerate() {
        let values = translation.row(builder, row);
        rows.push(values.into_iter().filter(|&(j, _)| j <= i).collect());
    }
    Symmetric { rows }.factorize(builder)
}

/// M⁻¹ Q
fn free<'a>(
    builder: &mut Builder,
    translation: &mut Translation<'a>,
    equations: &'a Equations,
    mass: &Factorization,
) -> SparseVector {
    let mut forces = SparseVector::new();
    for (i, force) in equations.forces.iter().enumerate() {
        let value = translation.value(builder, force);
        if !builder.is_zero(value) {
            forces.insert(i, value);
        }
    }
    mass.solve(builder, &forces)
}

/// The rows E and (M⁻¹ Eᵀ)ᵀ.
fn weigh<'a>(
    builder: &mut Builder,
    translation: &mut Translation<'a>,
    mass: &Factorization,
    expressions: impl Iterator<Item = &'a SparseRow>,
) -> (Vec<Row>, Vec<SparseVector>) {
    let mut rows = Vec::new();
    let mut weighted = Vec::new();
    for expression in expressions {
        let row = translation.row(builder, expression);
        weighted.push(mass.solve(builder, &row.iter().copied().collect()));
        rows.push(row);
    }
    (rows, weighted)
}

/// The lower triangle of E M⁻¹ Eᵀ, column by column of E so that rows without a common column never
/// meet.
fn gram(builder: &mut Builder, rows: &[Row], weighted: &[SparseVector]) -> Symmetric {
    let n_columns = weighted
        .iter()
        .filter_map(|w| w.last_key_value())
        .map(|(&j, _)| j + 1)
        .max();
    let mut columns: Vec<Row> = vec![Vec::new(); n_columns.unwrap_or(0)];
    let mut product = Symmetric::default();
    for (row, weights) in rows.iter().zip(weighted) {
        for (&j, &weight) in weights {
            columns[j].push((product.rows.len(), weight));
        }
        let mut entries = SparseVector::new();
        for &(j, value) in row {
            for &(l, weight) in columns.get(j).into_iter().flatten() {
                add_product(builder, &mut entries, l, value, weight);
            }
        }
        product.rows.push(entries);
    }
    product
}

/// γ − D M⁻¹ Q
fn right<'a>(
    builder: &mut Builder,
    translation: &mut Translation<'a>,
    equations: &'a Equations,
    rows: &[usize],
    jacobian: &[Row],
    free: &SparseVector,
) -> SparseVector {
    let mut right = SparseVector::new();
    for (n, &k) in rows.iter().enumerate() {
        let gamma = translation.value(builder, &equations.gamma[k]);
        let along = dot(builder, &jacobian[n], free);
        let difference = builder.sub(gamma, along);
        if !builder.is_zero(difference) {
            right.insert(n, difference);
        }
    }
    right
}

/// P − λ · Φ_t: the power of the applied forces and of the drivers.
fn power<'a>(
    builder: &mut Builder,
    translation: &mut Translation<'a>,
    equations: &'a Equations,
    rows: &[usize],
    multipliers: &SparseVector,
) -> Value {
    let mut power = translation.value(builder, &equations.power);
    for (&n, &multiplier) in multipliers {
        let phi_t = translation.value(builder, &equations.phi_t[rows[n]]);
        let driven = builder.mul(multiplier, phi_t);
        power = builder.sub(power, driven);
    }
    power
}

/// min over the pivots of δ_k − ε S_kk; 1 if there are none.
fn margin(
    builder: &mut Builder,
    product: &Symmetric,
    schur: &Factorization,
    threshold: f64,
) -> Value {
    let mut least = None;
    let threshold = builder.constant(threshold);
    for (&index, &pivot) in schur.order.iter().zip(&schur.pivots) {
        let diagonal = product.diagonal(index).unwrap_or_else(|| builder.zero());
        let limit = builder.mul(threshold, diagonal);
        let above = builder.sub(pivot, limit);
        least = Some(match least {
            None => above,
            Some(least) => builder.binary(Binary::Min, least, above),
        });
    }
    least.unwrap_or_else(|| builder.constant(1.0))
}

/// How small a pivot may be against its diagonal entry: well above what rounding leaves of a row that
/// depends on the others. For doubles this is 1e-5 on D, squared.
fn threshold(scalar: Scalar) -> f64 {
    match scalar {
        Scalar::F64 => 1e-10,
        Scalar::F32 => 1e-5,
    }
}

fn write(draft: &mut Draft, array: Array, vector: &SparseVector) {
    for (&index, &value) in vector {
        draft.write(array, index, value);
    }
}
