//! The solve by the Schur complement, which is cheap where M is block diagonal:
//!
//! ```text
//! M = L Δ Lᵀ        W = M⁻¹ Dᵀ        S = D W = L Δ Lᵀ
//! S λ = γ − D M⁻¹ Q        v̇ = M⁻¹ Q + W λ
//! ```
//!
//! over the independent rows of D; [`accelerate`] also returns the steps that the projections need. And [`dense`], the
//! equations without a solve, all rows and holds.

use crate::assembly::Assembly;
use crate::kernel::builder::draft::FunctionDraft;
use crate::kernel::builder::instructions::Builder;
use crate::kernel::builder::translate::{Lowering, Translation};
use crate::kernel::language::interpret::traces;
use crate::kernel::solve::articulated;
use crate::kernel::solve::ballast::residual;
use crate::kernel::solve::factor::{Factorization, SparseVector, Symmetric, add_product, dot};
use crate::kernel::solve::margin::{self, Pivot, largest, threshold_of_products};
use crate::kernel::solve::pivots::least_share;
use crate::kernel::solve::project::{Steps, violation};
use crate::kernel::solve::stabilization::Stabilization;
use crate::kernel::solve::turned::turn;
use crate::kernel::{Array, Instruction, Name, Slot, Value};
use crate::options::{Options, Scalar};
use crate::structure::Tree;
use crate::symbolic::{Equations, SparseRow};

/// A row by columns.
pub type MatrixRow = Vec<(usize, Value)>;

/// Rates, accelerations, multipliers, margin and power, and the steps Δ(Φ) of a projection; the factor
/// is written by the caller.
pub fn accelerate(
    equations: &Equations,
    assembly: &Assembly,
    rows: &[usize],
    stabilization: Stabilization,
    options: &Options,
) -> (FunctionDraft, Steps) {
    let mut draft = FunctionDraft::new(stabilization.name());
    let mut translation = Translation::new(&equations.auxiliaries);
    write_rates(&mut draft, &mut translation, equations);
    let b = &mut Lowering::new(&mut draft.builder, &mut translation);
    let inertia = mass(b, equations);
    let mass = inertia.factorize(b);
    let forces = forces(b, equations);
    let mut free = mass.solve(b, &forces);
    if rows.is_empty() {
        turn(b, equations, &forces, &mut free);
    }
    let chosen = rows.iter().map(|&k| &equations.jacobian[k]);
    let (jacobian, weighted) = weigh(b, &mass, chosen);
    let mut product = gram(b, &jacobian, &weighted);
    stabilization.soften(b, &mut product);
    let schur = product.factorize(b);

    let gamma = stabilization.gamma(b, equations, rows, &jacobian);
    let right = right(b, &gamma, &jacobian, &free);
    let mut multipliers = schur.solve(b, &right);
    let mut accelerations = free;
    combine(b, &mut accelerations, &weighted, &multipliers);
    // The compliance of a penalty bounds the pivots from below.
    if stabilization != Stabilization::Penalty && is_lossy(assembly, rows) {
        let complement = Complement {
            inertia: &inertia,
            mass: &mass,
            jacobian: &jacobian,
            weighted: &weighted,
            schur: &schur,
        };
        let solution = (&mut accelerations, &mut multipliers);
        complement.refine(b, &forces, gamma, solution);
    }
    let power = power(b, equations, rows, &multipliers);
    let margin = margin(b, &product, &schur, options.scalar, assembly);
    let steps = steps(b, &schur, &weighted, rows);

    write(&mut draft, Array::Accelerations, &accelerations);
    for (n, value) in multipliers {
        draft.write(Array::Multipliers, rows[n], value);
    }
    draft.write(Array::Margin, 0, margin);
    draft.write(Array::Power, 0, power);
    (draft, steps)
}

/// A pivot of S loses digits if it never keeps more than this share of its terms. Points of a body that are nearly in
/// line leave such pivots. The solution is then refined once, by the residual of the equations of motion. Without that,
/// one random mechanism in a thousand violates D v̇ = γ by some 1e-8.
const LOSSY: f64 = 1e-3;

/// True if S loses digits at every state that assembly reached; false if none is known.
fn is_lossy(assembly: &Assembly, rows: &[usize]) -> bool {
    let is_known = assembly.samples.iter().any(|sample| sample.reached);
    is_known && least_share(&assembly.samples, rows) < LOSSY
}

/// The matrices of a solve: M and its factor, D and M⁻¹ Dᵀ by rows, and the factor of S.
struct Complement<'s> {
    inertia: &'s Symmetric,
    mass: &'s Factorization,
    jacobian: &'s [MatrixRow],
    weighted: &'s [SparseVector],
    schur: &'s Factorization,
}

impl Complement<'_> {
    /// Solves once more for the residual that round-off in the pivots of S has left, and adds that solution. The
    /// residual is that of the equations of motion themselves, in which no digits are lost:
    ///
    /// ```text
    /// r = Q − M v̇ + Dᵀ λ        ρ = γ − D v̇
    /// S λ' = ρ − D M⁻¹ r        v̇ ← v̇ + M⁻¹ r + W λ'        λ ← λ + λ'
    /// ```
    fn refine(
        &self,
        builder: &mut Builder,
        forces: &SparseVector,
        gamma: Vec<Value>,
        (accelerations, multipliers): (&mut SparseVector, &mut SparseVector),
    ) {
        let (n, n_rows) = (self.inertia.rows.len(), self.jacobian.len());
        let negative = multipliers.iter().map(|(&k, &x)| (k, builder.neg(x)));
        let solution = joined(accelerations, n, negative);
        let given = joined(forces, n, gamma.into_iter().enumerate());
        let mut left = residual(builder, self.inertia, self.jacobian, &given, &solution);
        let below = left.split_off(&n);
        let below = |k: usize| below.get(&(n + k)).copied();
        let gamma: Vec<Value> = (0..n_rows)
            .map(|k| below(k).unwrap_or_else(|| builder.zero()))
            .collect();
        let free = self.mass.solve(builder, &left);
        let right = right(builder, &gamma, self.jacobian, &free);
        let more = self.schur.solve(builder, &right);
        add(builder, accelerations, &free);
        add(builder, multipliers, &more);
        combine(builder, accelerations, self.weighted, &more);
    }
}

/// (above; below), where `below` begins at the index n.
fn joined(
    above: &SparseVector,
    n: usize,
    below: impl Iterator<Item = (usize, Value)>,
) -> SparseVector {
    let below = below.map(|(k, value)| (n + k, value));
    above.iter().map(|(&j, &x)| (j, x)).chain(below).collect()
}

/// x ← x + y
fn add(builder: &mut Builder, x: &mut SparseVector, y: &SparseVector) {
    let one = builder.constant(1.0);
    for (&k, &more) in y {
        add_product(builder, x, k, one, more);
    }
}

/// −W S⁻¹ Φ and S⁻¹ Φ
pub fn steps(
    builder: &mut Builder,
    schur: &Factorization,
    weighted: &[SparseVector],
    rows: &[usize],
) -> Steps {
    let phi = violation(builder, rows);
    let solved = schur.solve(builder, &phi);
    let mut velocities = SparseVector::new();
    combine(builder, &mut velocities, weighted, &solved);
    for step in velocities.values_mut() {
        *step = builder.neg(*step);
    }
    Steps {
        velocities,
        multipliers: solved.into_iter().map(|(n, y)| (rows[n], y)).collect(),
    }
}

/// With E = (D; H): M, E, Q, γ, q̇, Φ_t and the power of the applied forces. M of a tree of joint rates without
/// rows is left to [`mass_times`].
pub fn dense(equations: &Equations) -> FunctionDraft {
    let mut draft = FunctionDraft::new(Name::Dense);
    let mut translation = Translation::new(&equations.auxiliaries);
    write_rates(&mut draft, &mut translation, equations);
    let n = equations.n_velocities;
    let rows = equations.jacobian.iter().chain(&equations.hold_jacobian);
    let tree = open_tree(equations);
    let mass = equations.mass.iter().map(|row| (Array::Mass, row));
    let mass = mass.enumerate().filter(|_| tree.is_none());
    for (k, (array, row)) in mass.chain(rows.map(|row| (Array::Rows, row)).enumerate()) {
        for (j, value) in translation.row(&mut draft.builder, row) {
            draft.write(array, k * n + j, value);
        }
    }
    let forces = match tree {
        Some(tree) => {
            articulated::forces(&mut draft, &mut translation, tree);
            &[][..]
        }
        None => &equations.forces[..],
    };
    for (array, expressions) in [
        (Array::Forces, forces),
        (Array::Gamma, &equations.gamma),
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

/// M x, where [`dense`] leaves M to it; nothing elsewhere.
pub fn mass_times(equations: &Equations) -> FunctionDraft {
    match open_tree(equations) {
        Some(tree) => articulated::mass_times(equations, tree),
        None => FunctionDraft::new(Name::MassTimes),
    }
}

/// A tree of joint rates without rows and holds. A step never asks for its M, because nothing has to be closed and
/// pivots are positive, and M is full; so it is not written out.
fn open_tree(equations: &Equations) -> Option<&Tree> {
    let tree = equations.tree.as_ref().filter(|tree| tree.relative)?;
    (equations.phi.is_empty() && equations.hold_values.is_empty()).then_some(tree)
}

/// x ← x + W λ
fn combine(
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

/// D_k v, where equal entries share a product: e v_i − e v_j = e (v_i − v_j), which is how fast the distance of two
/// points changes.
pub fn along_velocities(builder: &mut Builder, row: &MatrixRow) -> Value {
    let mut terms: Vec<(Value, Value)> = Vec::with_capacity(row.len());
    for &(j, entry) in row {
        let velocity = builder.load(Slot::new(Array::Velocities, j));
        let (entry, velocity) = match builder.instruction(entry) {
            Instruction::Neg(positive) => (positive, builder.neg(velocity)),
            Instruction::Constant(number) if number < 0.0 => {
                (builder.constant(-number), builder.neg(velocity))
            }
            _ => (entry, velocity),
        };
        match terms.iter_mut().find(|(known, _)| *known == entry) {
            Some((_, sum)) => *sum = builder.add(*sum, velocity),
            None => terms.push((entry, velocity)),
        }
    }
    let mut sum = builder.zero();
    for (entry, velocity) in terms {
        let product = builder.mul(entry, velocity);
        sum = builder.add(sum, product);
    }
    sum
}

/// q̇ = T v
pub fn write_rates<'a>(
    draft: &mut FunctionDraft,
    translation: &mut Translation<'a>,
    equations: &'a Equations,
) {
    for (i, rate) in equations.rates.iter().enumerate() {
        let value = translation.value(&mut draft.builder, rate);
        draft.write(Array::Rates, i, value);
    }
}

/// The lower triangle of M.
pub fn mass<'a>(lowering: &mut Lowering<'_, 'a>, equations: &'a Equations) -> Symmetric {
    let mut rows = Vec::with_capacity(equations.mass.len());
    for (i, row) in equations.mass.iter().enumerate() {
        let values = lowering.row(row);
        rows.push(values.into_iter().filter(|&(j, _)| j <= i).collect());
    }
    Symmetric { rows }
}

/// Q
pub fn forces<'a>(lowering: &mut Lowering<'_, 'a>, equations: &'a Equations) -> SparseVector {
    let mut forces = SparseVector::new();
    for (i, force) in equations.forces.iter().enumerate() {
        let value = lowering.value(force);
        if !lowering.is_zero(value) {
            forces.insert(i, value);
        }
    }
    forces
}

/// The rows E and (M⁻¹ Eᵀ)ᵀ.
fn weigh<'a>(
    lowering: &mut Lowering<'_, 'a>,
    mass: &Factorization,
    expressions: impl Iterator<Item = &'a SparseRow>,
) -> (Vec<MatrixRow>, Vec<SparseVector>) {
    let mut rows = Vec::new();
    let mut weighted = Vec::new();
    for expression in expressions {
        let row = lowering.row(expression);
        weighted.push(mass.solve(lowering, &row.iter().copied().collect()));
        rows.push(row);
    }
    (rows, weighted)
}

/// The lower triangle of E M⁻¹ Eᵀ, column by column of E so that rows without a common column never
/// meet.
pub fn gram(builder: &mut Builder, rows: &[MatrixRow], weighted: &[SparseVector]) -> Symmetric {
    let n_columns = weighted
        .iter()
        .filter_map(|w| w.last_key_value())
        .map(|(&j, _)| j + 1)
        .max();
    let mut columns: Vec<MatrixRow> = vec![Vec::new(); n_columns.unwrap_or(0)];
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
fn right(
    builder: &mut Builder,
    gamma: &[Value],
    jacobian: &[MatrixRow],
    free: &SparseVector,
) -> SparseVector {
    let mut right = SparseVector::new();
    for (n, (&gamma, row)) in gamma.iter().zip(jacobian).enumerate() {
        let along = dot(builder, row, free);
        let difference = builder.sub(gamma, along);
        if !builder.is_zero(difference) {
            right.insert(n, difference);
        }
    }
    right
}

/// P − λ · Φ_t: the power of the applied forces and of the drivers.
pub fn power<'a>(
    lowering: &mut Lowering<'_, 'a>,
    equations: &'a Equations,
    rows: &[usize],
    multipliers: &SparseVector,
) -> Value {
    let mut power = lowering.value(&equations.power);
    for (&n, &multiplier) in multipliers {
        let phi_t = lowering.value(&equations.phi_t[rows[n]]);
        let driven = lowering.mul(multiplier, phi_t);
        power = lowering.sub(power, driven);
    }
    power
}

/// Margin of the pivots above ε s_k. s_k is S_kk, or its value at the assembled states.
pub fn margin(
    builder: &mut Builder,
    product: &Symmetric,
    schur: &Factorization,
    scalar: Scalar,
    assembly: &Assembly,
) -> Value {
    let traces = traces(builder, assembly);
    let usual = usual(product, &traces, assembly);
    let mut pivots = Vec::with_capacity(schur.pivots.len());
    for (&index, &value) in schur.order.iter().zip(&schur.pivots) {
        let size = match &usual {
            Some(sizes) => builder.constant(sizes[index]),
            None => product.diagonal(index).unwrap_or_else(|| builder.zero()),
        };
        let threshold = builder.constant(threshold_of_products(scalar));
        let limit = builder.mul(threshold, size);
        pivots.push(Pivot { value, limit });
    }
    margin::margin(builder, &traces, &pivots)
}

/// The largest S_kk at the assembled states, if rows vanish in some poses: there they are as large as themselves.
fn usual(product: &Symmetric, traces: &[Vec<f64>], assembly: &Assembly) -> Option<Vec<f64>> {
    if assembly.shares.is_empty() {
        return None;
    }
    let size = |k: usize| {
        let diagonal = product.diagonal(k);
        diagonal.map_or(0.0, |diagonal| largest(traces, diagonal))
    };
    Some((0..product.rows.len()).map(size).collect())
}

/// Writes the entries that are not zero.
pub fn write(draft: &mut FunctionDraft, array: Array, vector: &SparseVector) {
    for (&index, &value) in vector {
        draft.write(array, index, value);
    }
}
