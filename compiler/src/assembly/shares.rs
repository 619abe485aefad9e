//! Usual sizes of the rows of a mechanism, relative to each other.
//!
//! In joint coordinates, and for bodies that swing, the derivative of a row by the angles may vanish in some poses.
//! Where the links of a loop are level, none of them moves its end along x. The dense solve of the runtime then has to
//! know that the row is small, which the row itself does not show.

use super::State;
use super::metric;
use super::numbers::numbers;
use crate::model::Model;
use crate::symbolic::Equations;

/// For each row its diagonal entry of D M⁻¹ Dᵀ as a share of the largest entry, maximal over the states. Two digits
/// suffice. Shares, unlike sizes, hardly change with parameters for masses and lengths.
pub fn shares(model: &Model, equations: &Equations, states: &[State]) -> Vec<f64> {
    // A tree without rows may have no mass matrix.
    if equations.phi.is_empty() {
        return Vec::new();
    }
    let mut shares = vec![0.0_f64; equations.phi.len()];
    for state in states {
        let Some(diagonal) = diagonal(model, equations, state) else {
            continue;
        };
        let largest = diagonal.iter().copied().fold(0.0, f64::max);
        for (share, entry) in shares.iter_mut().zip(&diagonal) {
            *share = share.max(entry / largest);
        }
    }
    shares.into_iter().map(rounded).collect()
}

/// D_i M⁻¹ D_iᵀ
fn diagonal(model: &Model, equations: &Equations, state: &State) -> Option<Vec<f64>> {
    let now = numbers(model, equations, state);
    let rows = now.rows.rows(0, equations.phi.len()).into_owned();
    let metric = metric(now.mass, &rows)?;
    let weighted = metric.factor.solve(&rows.transpose());
    let entry = |i: usize| rows.row(i).transpose().dot(&weighted.column(i));
    Some((0..rows.nrows()).map(entry).collect())
}

fn rounded(share: f64) -> f64 {
    format!("{share:.1e}").parse().unwrap_or(share)
}
