//! Projection of all coordinates, norms of Euler parameters included:
//!
//! ```text
//! Δq = −Hᵀ (H Hᵀ)⁻¹ h        h = (f, Φ)        H = ∂h/∂q        f = p · p − 1
//! ```
//!
//! over the independent rows. Without Euler parameters there is no f, and this is the plain projection.

use std::collections::HashMap;

use super::ExtraInputs;
use crate::expr::Symbol;
use crate::kernel::builder::draft::FunctionDraft;
use crate::kernel::builder::instructions::Builder;
use crate::kernel::builder::translate::Translation;
use crate::kernel::solve::factor::{SparseVector, add_product};
use crate::kernel::solve::project::Factor;
use crate::kernel::solve::schur::{MatrixRow, gram, margin, steps};
use crate::kernel::{Array, Name, Sizes, Slot, Value};
use crate::structure::UnitLength;
use crate::symbolic::{Equations, Gradient, Gradients};

/// [`Name::StandardFactor`] and [`Name::StandardCorrection`]
pub fn functions(source: &ExtraInputs, sizes: &mut Sizes) -> Vec<FunctionDraft> {
    let equations = source.equations;
    let mut draft = FunctionDraft::new(Name::StandardFactor);
    let b = &mut draft.builder;
    let rows = rows(b, source);
    let h: Vec<MatrixRow> = rows
        .iter()
        .map(|row| row.iter().map(|(&i, &value)| (i, value)).collect())
        .collect();
    let product = gram(b, &h, &rows);
    let factorized = product.factorize(b);
    let least = margin(
        b,
        &product,
        &factorized,
        source.options.scalar,
        source.assembly,
    );
    // A norm stands behind the rows of Φ; the correction computes it where the factor does not know it.
    let norms = (0..equations.unit.len()).map(|k| equations.phi.len() + k);
    let indices: Vec<usize> = source.rows.iter().copied().chain(norms).collect();
    let moved = steps(b, &factorized, &rows, &indices).velocities;

    draft.write(Array::Margin, 0, least);
    let builder = draft.builder.clone();
    let factor = Factor::new(Array::StandardFactor, [&moved], &builder);
    sizes.standard_factor = factor.write(&mut draft);
    vec![draft, correction(&factor, &moved, equations)]
}

fn correction(factor: &Factor, moved: &SparseVector, equations: &Equations) -> FunctionDraft {
    let mut draft = FunctionDraft::new(Name::StandardCorrection);
    let b = &mut draft.builder;
    let mut given = HashMap::new();
    for (k, unit) in equations.unit.iter().enumerate() {
        let slot = Slot::new(Array::Constraints, equations.phi.len() + k);
        given.insert(slot, norm(b, unit));
    }
    for (i, step) in factor.read(b, moved, &given) {
        draft.write(Array::Rates, i, step);
    }
    draft
}

/// p · p − 1
fn norm(builder: &mut Builder, unit: &UnitLength) -> Value {
    let one = builder.constant(1.0);
    let mut square = builder.zero();
    for p in coordinates(builder, unit) {
        let product = builder.mul(p, p);
        square = builder.add(square, product);
    }
    builder.sub(square, one)
}

fn coordinates(builder: &mut Builder, unit: &UnitLength) -> [Value; 4] {
    let load = |i: u32| builder.load(Slot::new(Array::Coordinates, i as usize));
    unit.coordinates.map(load)
}

/// ∂Φ/∂q of the independent rows, and ∂f/∂q = 2 pᵀ.
fn rows(builder: &mut Builder, source: &ExtraInputs) -> Vec<SparseVector> {
    let equations = source.equations;
    let gradients = equations.gradients.as_ref();
    let gradients = gradients.expect("a candidate has what its extras need");
    let mut chain = Chain {
        translation: Translation::new(&equations.auxiliaries),
        gradients,
        known: HashMap::new(),
    };
    let mut rows = Vec::new();
    for &k in source.rows {
        rows.push(chain.total(builder, &gradients.rows[k]));
    }
    for unit in &equations.unit {
        let two = builder.constant(2.0);
        let p = coordinates(builder, unit);
        let entries = unit.coordinates.into_iter().zip(p);
        rows.push(
            entries
                .map(|(i, p)| (i as usize, builder.mul(two, p)))
                .collect(),
        );
    }
    rows
}

/// Derivatives through the definitions of auxiliaries.
struct Chain<'a> {
    translation: Translation<'a>,
    gradients: &'a Gradients,
    /// ∂/∂q of the auxiliaries that were asked for.
    known: HashMap<u32, SparseVector>,
}

impl<'a> Chain<'a> {
    /// f_q = Σ_y f_y y_q
    fn total(&mut self, builder: &mut Builder, gradient: &'a Gradient) -> SparseVector {
        let mut total = SparseVector::new();
        let one = builder.constant(1.0);
        for (symbol, partial) in gradient {
            let partial = self.translation.value(builder, partial);
            let inner = match symbol {
                Symbol::Auxiliary(i) => self.auxiliary(builder, *i),
                Symbol::Coordinate(i) => SparseVector::from([(*i as usize, one)]),
                _ => SparseVector::new(),
            };
            for (i, value) in inner {
                add_product(builder, &mut total, i, partial, value);
            }
        }
        total
    }

    /// Auxiliaries are defined by earlier ones, as deep as bodies nest vectors, which is not deep.
    fn auxiliary(&mut self, builder: &mut Builder, index: u32) -> SparseVector {
        if let Some(known) = self.known.get(&index) {
            return known.clone();
        }
        let gradients = self.gradients;
        let total = self.total(builder, &gradients.auxiliaries[index as usize]);
        self.known.insert(index, total.clone());
        total
    }
}
