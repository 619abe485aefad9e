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
//! then some velocities wait for rows. Where no order is safe with M alone, M has ballast ([`Ballast`]).

use crate::assembly::{Assembly, Sample};
use crate::kernel::builder::draft::FunctionDraft;
use crate::kernel::builder::instructions::Builder;
use crate::kernel::builder::translate::{Lowering, Translation};
use crate::kernel::language::instruction::Dependence;
use crate::kernel::language::interpret::traces;
use crate::kernel::solve::ballast::{self, Ballast, PivotRule};
use crate::kernel::solve::factor::{Factorization, SparseVector, Symmetric, add_product};
use crate::kernel::solve::margin::{Pivot, margin, threshold_of_borders};
use crate::kernel::solve::pivots::{PivotOrder, SOUND, is_definite, pivot_order};
use crate::kernel::solve::project::{Steps, violation};
use crate::kernel::solve::schur::{MatrixRow, forces, mass, power, write, write_rates};
use crate::kernel::solve::stabilization::Stabilization;
use crate::kernel::{Array, Value};
use crate::options::Options;
use crate::symbolic::Equations;

/// Rates, accelerations, multipliers, margin and power, and the steps Δ(Φ) of a projection. The caller writes the
/// factor. `None` if no order of the pivots is safe at all samples, or if there is no sample.
pub fn accelerate(
    equations: &Equations,
    rows: &[usize],
    assembly: &Assembly,
    stabilization: Stabilization,
    options: &Options,
) -> Option<(FunctionDraft, Steps)> {
    solved(equations, rows, assembly, stabilization, options, None)
}

/// The same with ballast and with pivots of one of these levels. `None` for soft rows too, which leave γ open.
pub fn accelerate_with(
    (ballast, levels): (&Ballast, &[PivotRule]),
    equations: &Equations,
    rows: &[usize],
    assembly: &Assembly,
    stabilization: Stabilization,
    options: &Options,
) -> Option<(FunctionDraft, Steps)> {
    (stabilization != Stabilization::Penalty).then_some(())?;
    let loaded = Some((ballast, levels));
    solved(equations, rows, assembly, stabilization, options, loaded)
}

fn solved(
    equations: &Equations,
    rows: &[usize],
    assembly: &Assembly,
    stabilization: Stabilization,
    options: &Options,
    loaded: Option<(&Ballast, &[PivotRule])>,
) -> Option<(FunctionDraft, Steps)> {
    let ballast = loaded.map(|(ballast, _)| ballast);
    let (n, samples) = (equations.n_velocities, &assembly.samples);
    let mut draft = FunctionDraft::new(stabilization.name());
    let mut translation = Translation::new(&equations.auxiliaries);
    write_rates(&mut draft, &mut translation, equations);
    let b = &mut Lowering::new(&mut draft.builder, &mut translation);
    let mut matrix = mass(b, equations);
    let is_constant = matrix.rows.iter().flat_map(SparseVector::values);
    let is_constant = is_constant.map(|&v| b.dependence(v)).max() < Some(Dependence::State);
    let mut jacobian: Vec<MatrixRow> = Vec::with_capacity(rows.len());
    for &k in rows {
        jacobian.push(b.row(&equations.jacobian[k]));
    }
    let plain = matrix.clone();
    if let Some(ballast) = ballast {
        ballast.add_to(b, &mut matrix, &jacobian);
    }
    let border = jacobian.iter().map(|row| row.iter().copied().collect());
    matrix.rows.extend(border);
    let (pivots, refinements) = order(&matrix, samples, rows, loaded)?;
    // The residual below is that of hard constraint equations. A compliance bounds the pivots of soft ones.
    let refinements = match stabilization {
        Stabilization::Penalty => 0,
        Stabilization::None | Stabilization::Baumgarte => refinements,
    };
    stabilization.soften_below(b, &mut matrix, n);
    let factor = matrix.factorize_in(b, pivots.order);

    let gamma = stabilization.gamma(b, equations, rows, &jacobian);
    let right = right(b, equations, &gamma);
    let system = Loaded {
        factor: &factor,
        mass: &plain,
        jacobian: &jacobian,
        ballast,
    };
    let mut accelerations = system.solve(b, &right, refinements);
    let multipliers: SparseVector = accelerations
        .split_off(&n)
        .into_iter()
        .map(|(i, x)| (i - n, b.neg(x)))
        .collect();
    let power = power(b, equations, rows, &multipliers);
    let first = if ballast.is_none() && is_constant && is_definite(samples) {
        n
    } else {
        0
    };
    let share = threshold_of_borders(options.scalar);
    let limit = |i: usize| match ballast {
        None => share * pivots.sizes[i],
        // A velocity that moves by its own little inertia has a pivot that is far below its terms.
        Some(_) => (share * pivots.usual[i]).max(ROUND_OFF * pivots.sizes[i]),
    };
    let pivots = asked(b, &factor, n, first, limit);
    let traces = traces(b, assembly);
    let margin = margin(b, &traces, &pivots);

    let steps = steps(b, &system, n, rows);

    write(&mut draft, Array::Accelerations, &accelerations);
    for (k, value) in multipliers {
        draft.write(Array::Multipliers, rows[k], value);
    }
    draft.write(Array::Margin, 0, margin);
    draft.write(Array::Power, 0, power);
    Some((draft, steps))
}

/// A solution without ballast is refined once where some pivot never keeps more than this share of its terms, as
/// between points of a body that are nearly in line. Without that, one random mechanism in a thousand has forces that
/// are off by some 1e-8 of the largest.
const LOSSY: f64 = 1e-4;

/// Round-off of a pivot, as a share of its terms, with some room.
const ROUND_OFF: f64 = 1e-14;

/// Safe pivots, and how often a solution is refined.
fn order(
    matrix: &Symmetric,
    samples: &[Sample],
    rows: &[usize],
    loaded: Option<(&Ballast, &[PivotRule])>,
) -> Option<(PivotOrder, usize)> {
    let pattern = matrix.neighbours();
    let Some((ballast, levels)) = loaded else {
        let order = pivot_order(SOUND, &pattern, samples, rows)?;
        let refinements = usize::from(order.least_share() < LOSSY);
        return Some((order, refinements));
    };
    let loaded = ballast.on(samples, rows);
    levels.iter().find_map(|&(sound, refinements)| {
        let order = pivot_order(sound, &pattern, &loaded, rows)?;
        Some((order, refinements))
    })
}

/// The factorised matrix, with the matrices that it was made of.
struct Loaded<'a> {
    factor: &'a Factorization,
    mass: &'a Symmetric,
    jacobian: &'a [MatrixRow],
    ballast: Option<&'a Ballast>,
}

impl Loaded<'_> {
    /// K⁻¹ b, refined so often.
    fn solve(
        &self,
        builder: &mut Builder,
        right: &SparseVector,
        refinements: usize,
    ) -> SparseVector {
        let mut x = self.once(builder, right);
        for _ in 0..refinements {
            let left = ballast::residual(builder, self.mass, self.jacobian, right, &x);
            let one = builder.constant(1.0);
            for (i, more) in self.once(builder, &left) {
                add_product(builder, &mut x, i, one, more);
            }
        }
        x
    }

    fn once(&self, builder: &mut Builder, right: &SparseVector) -> SparseVector {
        let Some(ballast) = self.ballast else {
            return self.factor.solve(builder, right);
        };
        let n = self.mass.rows.len();
        let right = ballast.carry(builder, self.jacobian, n, right.clone());
        self.factor.solve(builder, &right)
    }
}

/// K⁻¹ (0; −Φ) = (Δ; y)
fn steps(builder: &mut Builder, system: &Loaded, n: usize, rows: &[usize]) -> Steps {
    let phi = violation(builder, rows);
    let right = phi.iter().map(|(&k, &phi)| (n + k, builder.neg(phi)));
    let right = right.collect();
    let mut velocities = system.once(builder, &right);
    let below = velocities.split_off(&n).into_iter();
    Steps {
        velocities,
        multipliers: below.map(|(i, y)| (rows[i - n], y)).collect(),
    }
}

/// (Q; γ)
fn right<'a>(
    lowering: &mut Lowering<'_, 'a>,
    equations: &'a Equations,
    gamma: &[Value],
) -> SparseVector {
    let mut right = forces(lowering, equations);
    for (k, &gamma) in gamma.iter().enumerate() {
        if !lowering.is_zero(gamma) {
            right.insert(equations.n_velocities + k, gamma);
        }
    }
    right
}

/// |δ_k| and ε s_k of the pivots that change, from the index `first` on.
///
/// s_k is how large the terms of δ_k are at the states that assembly reached: a number, because
/// lengths and masses keep their magnitude along a motion, and ε leaves room for parameters that
/// change it.
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
