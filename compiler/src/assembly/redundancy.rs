//! Rows that repeat others, told in the words of the model.

use nalgebra::{DMatrix, DVector};

use crate::diagnostics::{Code, Diagnostic};
use crate::formulation::System;
use crate::model::{JointId, Model};

/// A row counts as repeated if less than this part of it is new. States are assembled to round-off, so
/// what is left of a repeated row is far below, and a constraint that is independent in earnest far above.
const NEW: f64 = 1e-7;

/// A row this small against the largest one is round-off: nothing that could move moves what it keeps.
const NOISE: f64 = 1e-12;

/// Rank of the rows that `which` admits.
pub fn rank(rows: &DMatrix<f64>, which: impl Fn(usize) -> bool) -> usize {
    let order: Vec<usize> = (0..rows.nrows()).filter(|&i| which(i)).collect();
    independent(rows, &order).len()
}

/// The rows of `order` that are independent of the ones before them, by Gram–Schmidt, done twice for
/// the sake of round-off.
pub fn independent(rows: &DMatrix<f64>, order: &[usize]) -> Vec<usize> {
    let largest = rows.row_iter().map(|row| row.norm()).fold(0.0, f64::max);
    let mut basis: Vec<DVector<f64>> = Vec::new();
    let mut kept = Vec::new();
    for &i in order {
        let row = rows.row(i).transpose();
        let norm = row.norm();
        if norm <= NOISE * largest {
            continue;
        }
        let mut rest = row / norm;
        for _ in 0..2 {
            for direction in &basis {
                rest -= direction * direction.dot(&rest);
            }
        }
        if rest.norm() > NEW {
            basis.push(rest.normalize());
            kept.push(i);
        }
    }
    kept
}

/// One warning a joint whose rows repeat others.
pub fn warnings(
    model: &Model,
    system: &System,
    rows: &DMatrix<f64>,
    redundant: &[u32],
) -> Vec<Diagnostic> {
    let kept: Vec<usize> = (0..rows.nrows())
        .filter(|i| !redundant.contains(&(*i as u32)))
        .collect();
    let mut joints: Vec<u32> = redundant
        .iter()
        .filter_map(|&i| system.rows[i as usize].joint())
        .map(|joint| joint.0)
        .collect();
    joints.dedup();
    joints
        .into_iter()
        .map(|joint| {
            let mine: Vec<usize> = redundant
                .iter()
                .map(|&i| i as usize)
                .filter(|&i| system.rows[i].joint() == Some(JointId(joint)))
                .collect();
            warning(model, system, rows, &kept, joint, &mine)
        })
        .collect()
}

fn warning(
    model: &Model,
    system: &System,
    rows: &DMatrix<f64>,
    kept: &[usize],
    joint: u32,
    mine: &[usize],
) -> Diagnostic {
    let name = &model.joints[joint as usize].name;
    let keeps: Vec<String> = mine
        .iter()
        .map(|&i| format!("`{}`", system.rows[i].keeps))
        .collect();
    let mut others: Vec<&str> = mine
        .iter()
        .flat_map(|&i| repeated_by(rows, kept, i))
        .map(|i| system.rows[i].owner(model).0)
        .filter(|other| other != name)
        .collect();
    others.sort_unstable();
    others.dedup();
    let (noun, verb) = if mine.len() == 1 {
        ("row", "repeats")
    } else {
        ("rows", "repeat")
    };
    Diagnostic::warning(
        Code::T303,
        &model.joints[joint as usize].path,
        format!(
            "{} {noun} of joint `{name}` {verb} what {}: {}",
            mine.len(),
            listed(&others),
            keeps.join(", ")
        ),
    )
    .label("redundant")
    .hint("the motion is unique, but the reactions in these joints are not: the ones of smallest norm are reported; a joint with more freedom (spherical, cylindrical) makes them unique")
}

/// Rows of `kept` that a repeated row is a combination of.
fn repeated_by(rows: &DMatrix<f64>, kept: &[usize], row: usize) -> Vec<usize> {
    if kept.is_empty() {
        return Vec::new();
    }
    let basis = DMatrix::from_fn(rows.ncols(), kept.len(), |i, j| rows[(kept[j], i)]);
    let target = rows.row(row).transpose();
    let svd = basis.svd(true, true);
    let cutoff = NEW * svd.singular_values.max();
    match svd.solve(&target, cutoff) {
        Ok(weights) => (0..kept.len())
            .filter(|&j| weights[j].abs() > 1e-6)
            .map(|j| kept[j])
            .collect(),
        Err(_) => Vec::new(),
    }
}

fn listed(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.as_slice() {
        [] => "its own other rows already keep".to_owned(),
        [one] => format!("joint {one} already keeps"),
        [rest @ .., last] => format!("joints {} and {last} already keep", rest.join(", ")),
    }
}
