//! Reports redundant constraint equations in the words of the model.

use std::collections::BTreeSet;

use super::order::elimination_order;
use super::rank::TOLERANCE;
use super::sparse::{SparseRowValues, norm, scaled, to_unit};
use super::triangle::Triangle;
use crate::diagnostics::{Code, Diagnostic};
use crate::formulation::{Owner, System};
use crate::model::Model;

/// A constraint equation counts as redundant if less than this part of its row is new. States are assembled to
/// round-off, so the new part of a redundant row is far below, and that of an independent one far above.
pub const NEW: f64 = 1e-7;

/// A row this small against the largest one is round-off: no motion changes the quantity that it keeps.
const NOISE: f64 = 1e-12;

/// Rank of the rows that `which` admits, of which more than `new` is to be new.
pub fn rank(rows: &[SparseRowValues], which: impl Fn(usize) -> bool, new: f64) -> usize {
    let order: Vec<usize> = (0..rows.len()).filter(|&i| which(i)).collect();
    independent(rows, &order, 0.0, new).len()
}

/// The rows of `order` of which more than `new` is independent of the ones before them. The order only decides which of
/// the dependent rows count as redundant. So if none is redundant in the order that fills least, none is in any.
/// Entries are sums of terms up to `terms`, if that is larger than the rows: along a tree they may cancel in all rows.
pub fn independent(rows: &[SparseRowValues], order: &[usize], terms: f64, new: f64) -> Vec<usize> {
    let largest = rows.iter().map(norm).fold(terms, f64::max);
    // In joint coordinates a row that repeats others only up to rounding may be as small as that.
    let noise = if new > NEW { new } else { NOISE };
    let unit = |row: &SparseRowValues| match norm(row) > noise * largest {
        true => scaled(row, to_unit(row)),
        false => SparseRowValues::new(),
    };
    let units: Vec<SparseRowValues> = rows.iter().map(unit).collect();
    let asked: Vec<SparseRowValues> = order.iter().map(|&i| units[i].clone()).collect();
    let least_fill = elimination_order(&asked);
    if Triangle::new(&asked, &least_fill, new).is_full() {
        return order.to_vec();
    }
    Triangle::new(&units, order, new).independent()
}

/// The constraint equations, of n, that are not in the list, in growing order.
pub fn others(n_rows: usize, kept: &[usize]) -> Vec<u32> {
    let kept: BTreeSet<usize> = kept.iter().copied().collect();
    let others = (0..n_rows).filter(|i| !kept.contains(i));
    others.map(|i| i as u32).collect()
}

/// One warning for each joint or coupling with redundant constraint equations. `deviation` is the amount by which these
/// contradict the others, as text; it is empty if they do not.
pub fn warnings(
    model: &Model,
    system: &System,
    rows: &[SparseRowValues],
    redundant: &[u32],
    deviation: impl Fn(Owner) -> String,
) -> Vec<Diagnostic> {
    let kept: Vec<usize> = (0..rows.len())
        .filter(|i| redundant.binary_search(&(*i as u32)).is_err())
        .collect();
    let mut owners: Vec<Owner> = redundant
        .iter()
        .map(|&i| system.rows[i as usize].owner)
        .collect();
    owners.dedup();
    owners
        .into_iter()
        .map(|owner| {
            let mine: Vec<usize> = redundant
                .iter()
                .map(|&i| i as usize)
                .filter(|&i| system.rows[i].owner == owner)
                .collect();
            warning(model, system, rows, &kept, owner, &mine, &deviation(owner))
        })
        .collect()
}

fn warning(
    model: &Model,
    system: &System,
    rows: &[SparseRowValues],
    kept: &[usize],
    owner: Owner,
    mine: &[usize],
    deviation: &str,
) -> Diagnostic {
    let keeps: Vec<String> = mine
        .iter()
        .map(|&i| format!("`{}`", system.rows[i].keeps))
        .collect();
    let mut others: Vec<(&str, Owner)> = mine
        .iter()
        .flat_map(|&i| repeated_by(rows, kept, i))
        .map(|i| system.rows[i].owner)
        .filter(|other| *other != owner)
        .map(|other| (other.name(model).0, other))
        .collect();
    others.sort_unstable();
    others.dedup();
    let (joints, couplings): (Vec<_>, Vec<_>) = others
        .into_iter()
        .partition(|(_, other)| matches!(other, Owner::Joint(_)));
    let others = [("joint", joints), ("coupling", couplings)];
    let (noun, verb) = if mine.len() == 1 {
        ("constraint equation", "is")
    } else {
        ("constraint equations", "are")
    };
    let (within, rounded) = match deviation {
        "" => (String::new(), String::new()),
        deviation => (
            format!(" within {deviation}"),
            format!(
                "; equations that deviate by at most {TOLERANCE:e} rad, or {TOLERANCE:e} of the mechanism's size, count as redundant and are left out, so they stay violated by as much"
            ),
        ),
    };
    Diagnostic::warning(
        Code::T303,
        owner.name(model).1,
        format!(
            "{} {noun} of {} {verb} redundant{within}: {} {}",
            mine.len(),
            owner.describe(model),
            listed(&others),
            keeps.join(", ")
        ),
    )
    .label("redundant")
    .hint(format!("the motion is unique, but the reactions in these joints are not: the ones of smallest norm are reported; a joint with more degrees of freedom (spherical, cylindrical) makes them unique{rounded}"))
}

/// Rows of `kept` that a repeated row is a combination of.
fn repeated_by(rows: &[SparseRowValues], kept: &[usize], row: usize) -> Vec<usize> {
    let lengths: Vec<f64> = rows.iter().map(norm).collect();
    let units: Vec<SparseRowValues> = rows.iter().map(|row| scaled(row, to_unit(row))).collect();
    let order: Vec<usize> = kept.iter().copied().chain([row]).collect();
    let composition = Triangle::new(&units, &order, NEW).composition_of_last();
    let takes_part = |(i, weight): &(usize, f64)| weight.abs() * lengths[row] > 1e-6 * lengths[*i];
    let parts = composition.into_iter().filter(takes_part);
    parts.map(|(i, _)| i).collect()
}

/// `joints `A` and `B` already imply`, each group under its noun.
fn listed(groups: &[(&str, Vec<(&str, Owner)>)]) -> String {
    let group = |(noun, names): &(&str, Vec<(&str, Owner)>)| {
        let quoted: Vec<String> = names.iter().map(|(name, _)| format!("`{name}`")).collect();
        match quoted.as_slice() {
            [] => None,
            [one] => Some(format!("{noun} {one}")),
            [rest @ .., last] => Some(format!("{noun}s {} and {last}", rest.join(", "))),
        }
    };
    let n: usize = groups.iter().map(|(_, names)| names.len()).sum();
    let words: Vec<String> = groups.iter().filter_map(group).collect();
    match n {
        0 => "its own other equations already imply".to_owned(),
        1 => format!("{} already implies", words.join(" and ")),
        _ => format!("{} already imply", words.join(" and ")),
    }
}
