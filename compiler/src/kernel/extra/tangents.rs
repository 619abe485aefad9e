//! Functions for implicit integrators: the residual r = M v̇ − Q − Dᵀ λ, its tangents, and the matrix of a Newton step,
//!
//! ```text
//! [ A  −Dᵀ ] [ x ]   [ forces ]
//! [ D   ε  ] [ y ] = [  phi   ]        A = m M + c C + k K = L Δ U
//! ```
//!
//! over the independent rows of D. Where the step is short, the symmetric part of A is positive definite,
//! and then every pivot is positive in any order. The order is that of the bordered matrix, which is this one
//! but for a sign; m M and D have pivots m times, or in a row 1/m times, as large as those of M and D.

use super::ExtraInputs;
use crate::expr::{Binary, Unary};
use crate::kernel::builder::draft::FunctionDraft;
use crate::kernel::builder::instructions::Builder;
use crate::kernel::builder::translate::Translation;
use crate::kernel::solve::factor::{SparseVector, add_product};
use crate::kernel::solve::margin::{smaller, threshold_of_borders};
use crate::kernel::solve::pivots::{PivotOrder, SOUND, pivot_order};
use crate::kernel::solve::project::Factor;
use crate::kernel::solve::unsymmetric::{Triangles, Unsymmetric};
use crate::kernel::{Array, Name, Sizes, Slot, Value};
use crate::symbolic::{Equations, Tangents};

/// [`Name::Residual`], [`Name::Tangents`], [`Name::TangentFactor`] and [`Name::TangentSolve`]
pub fn functions(source: &ExtraInputs, sizes: &mut Sizes) -> Vec<FunctionDraft> {
    let tangents = source.equations.tangents.as_ref();
    let tangents = tangents.expect("tangents are derived where they are asked for");
    let [factor, solve] = factor_and_solve(source, tangents, sizes);
    vec![
        residual(source.equations),
        dense(source.equations, tangents),
        factor,
        solve,
    ]
}

/// M v̇ − Q − Dᵀ λ
fn residual(equations: &Equations) -> FunctionDraft {
    let mut draft = FunctionDraft::new(Name::Residual);
    let mut translation = Translation::new(&equations.auxiliaries);
    let b = &mut draft.builder;
    let mut sums = SparseVector::new();
    for (i, row) in equations.mass.iter().enumerate() {
        for (j, value) in translation.row(b, row) {
            let acceleration = b.load(Slot::new(Array::Accelerations, j));
            add_product(b, &mut sums, i, value, acceleration);
        }
    }
    let minus = b.constant(-1.0);
    for (i, force) in equations.forces.iter().enumerate() {
        let force = translation.value(b, force);
        add_product(b, &mut sums, i, minus, force);
    }
    for (k, row) in equations.jacobian.iter().enumerate() {
        let multiplier = b.load(Slot::new(Array::Multipliers, k));
        let pull = b.neg(multiplier);
        for (i, value) in translation.row(b, row) {
            add_product(b, &mut sums, i, value, pull);
        }
    }
    for (i, value) in sums {
        draft.write(Array::Forces, i, value);
    }
    draft
}

/// K and C as they are.
fn dense(equations: &Equations, tangents: &Tangents) -> FunctionDraft {
    let mut draft = FunctionDraft::new(Name::Tangents);
    let mut translation = Translation::new(&equations.auxiliaries);
    for (array, rows) in [
        (Array::Stiffness, &tangents.stiffness),
        (Array::Damping, &tangents.damping),
    ] {
        for (i, row) in rows.iter().enumerate() {
            for (j, value) in translation.row(&mut draft.builder, row) {
                draft.write(array, i * equations.n_velocities + j, value);
            }
        }
    }
    draft
}

/// The factor and the solve with it. If no order of the pivots is safe, the margin stays zero and the
/// runtime solves.
fn factor_and_solve(
    source: &ExtraInputs,
    tangents: &Tangents,
    sizes: &mut Sizes,
) -> [FunctionDraft; 2] {
    let (rows, n) = (source.rows, source.equations.n_velocities);
    let mut draft = FunctionDraft::new(Name::TangentFactor);
    let b = &mut draft.builder;
    let mass_weight = b.load(Slot::new(Array::MassWeight, 0));
    let matrix = saddle(b, source, tangents, mass_weight);
    let samples = &source.assembly.samples;
    let Some(pivots) = pivot_order(SOUND, &matrix.neighbours(), samples, rows) else {
        let unsolved = FunctionDraft::new(Name::TangentSolve);
        return [FunctionDraft::new(Name::TangentFactor), unsolved];
    };
    let triangles = matrix.factorize_in(b, pivots.order.clone());
    let right = right(b, n, rows);
    let mut solution = triangles.solve(b, &right);
    let limit = threshold_of_borders(source.options.scalar);
    let margin = margin(b, &triangles, &pivots, n, mass_weight, limit);

    let builder = draft.builder.clone();
    let multipliers = solution.split_off(&n).into_iter();
    let multipliers: SparseVector = multipliers.map(|(k, y)| (rows[k - n], y)).collect();
    let factor = Factor::new(Array::TangentFactor, [&solution, &multipliers], &builder);
    sizes.tangent_factor = factor.write(&mut draft);
    draft.write(Array::Margin, 0, margin);
    let results = [
        (Array::Velocities, &solution),
        (Array::Multipliers, &multipliers),
    ];
    let solve = factor.correction(Name::TangentSolve, &results);
    [draft, solve]
}

/// [m M + c C + k K, −Dᵀ; D, ε]
fn saddle(
    builder: &mut Builder,
    source: &ExtraInputs,
    tangents: &Tangents,
    mass_weight: Value,
) -> Unsymmetric {
    let equations = source.equations;
    let mut translation = Translation::new(&equations.auxiliaries);
    let n = equations.n_velocities;
    let mut matrix = Unsymmetric {
        rows: vec![SparseVector::new(); n + source.rows.len()],
    };
    let damping_weight = builder.load(Slot::new(Array::DampingWeight, 0));
    let stiffness_weight = builder.load(Slot::new(Array::StiffnessWeight, 0));
    for (weight, rows) in [
        (mass_weight, &equations.mass),
        (damping_weight, &tangents.damping),
        (stiffness_weight, &tangents.stiffness),
    ] {
        for (i, row) in rows.iter().enumerate() {
            for (j, value) in translation.row(builder, row) {
                add_product(builder, &mut matrix.rows[i], j, weight, value);
            }
        }
    }
    let compliance = builder.load(Slot::new(Array::Compliance, 0));
    for (k, &row) in source.rows.iter().enumerate() {
        for (j, value) in translation.row(builder, &equations.jacobian[row]) {
            matrix.rows[n + k].insert(j, value);
            matrix.rows[j].insert(n + k, builder.neg(value));
        }
        matrix.rows[n + k].insert(n + k, compliance);
    }
    matrix
}

/// (forces; phi)
fn right(builder: &mut Builder, n_velocities: usize, rows: &[usize]) -> SparseVector {
    let mut right = SparseVector::new();
    for i in 0..n_velocities {
        right.insert(i, builder.load(Slot::new(Array::Forces, i)));
    }
    for (k, &row) in rows.iter().enumerate() {
        let phi = builder.load(Slot::new(Array::Constraints, row));
        right.insert(n_velocities + k, phi);
    }
    right
}

/// min over the pivots of |δ_k| / (m s_k) − ε, or m |δ_k| / s_k − ε in a row, where s_k is how large the pivot
/// typically is for m = 1 and ε the root of the round-off: see `margin.rs`. A spring that is pressed may
/// make a pivot negative; only a small one is unsafe.
fn margin(
    builder: &mut Builder,
    triangles: &Triangles,
    pivots: &PivotOrder,
    n_velocities: usize,
    mass_weight: Value,
    limit: f64,
) -> Value {
    let [mut velocities, mut rows]: [Option<Value>; 2] = [None, None];
    for (&index, &pivot) in triangles.order.iter().zip(&triangles.pivots) {
        let size = builder.constant(1.0 / pivots.sizes[index]);
        let magnitude = builder.unary(Unary::Abs, pivot);
        let scaled = builder.mul(magnitude, size);
        let least = match index < n_velocities {
            true => &mut velocities,
            false => &mut rows,
        };
        *least = Some(smaller(builder, *least, scaled));
    }
    let least = [
        velocities.map(|least| builder.div(least, mass_weight)),
        rows.map(|least| builder.mul(least, mass_weight)),
    ];
    let least = least.into_iter().flatten();
    let least = least.reduce(|a, b| builder.binary(Binary::Min, a, b));
    let least = least.unwrap_or_else(|| builder.constant(1.0));
    let limit = builder.constant(limit);
    builder.sub(least, limit)
}
