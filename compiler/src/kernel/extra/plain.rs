//! Projection in the metric of the velocities themselves:
//!
//! ```text
//! Δ = −Dᵀ (D Dᵀ)⁻¹ Φ        D Dᵀ = L Δ Lᵀ
//! ```
//!
//! over the independent rows. Those inside bodies are eliminated first, so that the leading block of the
//! same factor serves them alone.

use super::ExtraInputs;
use crate::kernel::builder::draft::FunctionDraft;
use crate::kernel::builder::translate::Translation;
use crate::kernel::solve::factor::{SparseVector, Symmetric};
use crate::kernel::solve::project::Factor;
use crate::kernel::solve::schur::{MatrixRow, gram, margin, steps};
use crate::kernel::{Array, Name, Sizes};
use crate::ordering::{Pivots, minimum_fill_of};

/// [`Name::PlainFactor`], [`Name::PlainCorrection`] and [`Name::InnerCorrection`]
pub fn functions(source: &ExtraInputs, sizes: &mut Sizes) -> Vec<FunctionDraft> {
    let equations = source.equations;
    let mut draft = FunctionDraft::new(Name::PlainFactor);
    let mut translation = Translation::new(&equations.auxiliaries);
    let b = &mut draft.builder;
    let mut jacobian: Vec<MatrixRow> = Vec::with_capacity(source.rows.len());
    for &k in source.rows {
        jacobian.push(translation.row(b, &equations.jacobian[k]));
    }
    let own: Vec<SparseVector> = jacobian
        .iter()
        .map(|row| row.iter().copied().collect())
        .collect();
    let product = gram(b, &jacobian, &own);
    let is_inner = |k: &usize| equations.inner.binary_search(k).is_ok();
    let inner: Vec<usize> = (0..own.len())
        .filter(|&n| is_inner(&source.rows[n]))
        .collect();

    let order = inner_first(&product, &inner);
    let whole = product.factorize_in(b, order.clone());
    let least = margin(b, &product, &whole, source.options.scalar, source.assembly);
    let all = steps(b, &whole, &own, source.rows).velocities;
    let leading = leading(&product, &inner, &order[..inner.len()]);
    let leading = leading.0.factorize_in(b, leading.1);
    let rows: Vec<usize> = inner.iter().map(|&n| source.rows[n]).collect();
    let own: Vec<SparseVector> = inner.iter().map(|&n| own[n].clone()).collect();
    let first = steps(b, &leading, &own, &rows).velocities;

    draft.write(Array::Margin, 0, least);
    let builder = draft.builder.clone();
    let factor = Factor::new(Array::PlainFactor, [&all, &first], &builder);
    sizes.plain_factor = factor.write(&mut draft);
    sizes.inner = inner.len();
    let correction = |name, steps| factor.correction(name, &[(Array::Velocities, steps)]);
    let corrections = [
        correction(Name::PlainCorrection, &all),
        correction(Name::InnerCorrection, &first),
    ];
    [draft].into_iter().chain(corrections).collect()
}

/// Minimum fill, inner rows before the others.
fn inner_first(product: &Symmetric, inner: &[usize]) -> Vec<usize> {
    struct InnerFirst<'a>(&'a [usize]);
    impl Pivots for InnerFirst<'_> {
        fn rank(&self, node: usize) -> Option<u8> {
            Some(u8::from(self.0.binary_search(&node).is_err()))
        }
        fn eliminate(&mut self, _: usize) {}
    }
    let order = minimum_fill_of(product.neighbours(), &mut InnerFirst(inner));
    order.expect("every row has a rank")
}

/// The inner rows of the product and their order. The builder finds that their factor is already there.
fn leading(product: &Symmetric, inner: &[usize], order: &[usize]) -> (Symmetric, Vec<usize>) {
    let position = |n: &usize| inner.binary_search(n).ok();
    let row = |&n: &usize| {
        let entries = product.rows[n].iter();
        let kept = entries.filter_map(|(m, &value)| Some((position(m)?, value)));
        kept.collect()
    };
    let rows = inner.iter().map(row).collect();
    (
        Symmetric { rows },
        order.iter().filter_map(position).collect(),
    )
}
