//! Area, centre and second moments of a polygon, by triangles.

use super::context::{Context, Reported, Resolved, all};
use super::dimension::LENGTH;
use super::number::{count, evaluate, number};
use crate::description::Number;
use crate::diagnostics::{Code, Diagnostic, Path};
use crate::expr::{Expr, Unary};

/// A corner, in the plane of the polygon.
pub(super) type Corner = [Expr; 2];

/// The area, centre and moments of a polygon.
pub(super) struct Polygon {
    /// Its area, whichever way its corners go round.
    pub area: Expr,
    /// Its centre.
    pub center: Corner,
    /// Means of x², x y and y² over the area, from the centre.
    pub spread: [Expr; 3],
}

/// Most corners that a polygon may have: whether its edges cross is found by trying all pairs.
const MOST: usize = 1000;

/// The corners, which are at least three and two components each.
pub(super) fn corners(
    cx: &mut Context,
    written: &[Vec<Number>],
    path: &Path,
) -> Resolved<Vec<Corner>> {
    if !(3..=MOST).contains(&written.len()) {
        let message = format!("a polygon has 3 to {MOST} corners, not {}", written.len());
        let diagnostic = Diagnostic::error(Code::M215, path, message);
        return Err(cx.report(diagnostic.hint("write `corners = [[0, 0], [0.2, 0], [0, 0.1]]`")));
    }
    let mut list = Vec::new();
    for (i, corner) in written.iter().enumerate() {
        let path = path.index(i);
        list.push(
            count(cx, corner.len(), 2, &path)
                .and_then(|()| all([0, 1].map(|k| number(cx, &corner[k], &path.index(k), LENGTH)))),
        );
    }
    list.into_iter().collect()
}

/// Moments of a polygon whose edges do not cross, in either sense of going round.
///
/// Each edge from a to b makes a triangle with a reference point, with d = a × b and s = a + b:
///
/// ```text
/// A = Σ d/2        A c = Σ d/6 s        ∫ x y dA = Σ d/24 (aₓ a_y + bₓ b_y + sₓ s_y)        less A cₓ c_y
/// ```
///
/// The reference point is the centre at the default parameters, so that c is small and nothing cancels.
pub(super) fn moments(cx: &mut Context, corners: &[Corner], path: &Path) -> Resolved<Polygon> {
    let values: Vec<[f64; 2]> = corners
        .iter()
        .map(|corner| corner.each_ref().map(|c| evaluate(cx, c)))
        .collect();
    check(cx, &values, path)?;
    let reference = numbers(&values);
    let about = |p: &Corner| [0, 1].map(|k| &p[k] - Expr::constant(reference[k]));
    let corners: Vec<Corner> = corners.iter().map(about).collect();
    let doubled = summed(edges(&corners).map(|(a, b)| cross(a, b)).collect());
    let from = [0, 1].map(|k| {
        let moments = edges(&corners).map(|(a, b)| cross(a, b) * (&a[k] + &b[k]));
        Expr::constant(1.0 / 3.0) * summed(moments.collect()) / &doubled
    });
    let mean = |k: usize, l: usize| -> Expr {
        let moments = edges(&corners).map(|(a, b)| {
            let s = [&a[0] + &b[0], &a[1] + &b[1]];
            cross(a, b) * (&a[k] * &a[l] + &b[k] * &b[l] + &s[k] * &s[l])
        });
        Expr::constant(1.0 / 12.0) * summed(moments.collect()) / &doubled - &from[k] * &from[l]
    };
    Ok(Polygon {
        area: Expr::unary(Unary::Abs, Expr::constant(0.5) * &doubled),
        spread: [mean(0, 0), mean(0, 1), mean(1, 1)],
        center: [0, 1].map(|k| Expr::constant(reference[k]) + &from[k]),
    })
}

/// The centre, by triangles from the first corner.
fn numbers(corners: &[[f64; 2]]) -> [f64; 2] {
    let first = corners[0];
    let (mut doubled, mut moment) = (0.0, [0.0; 2]);
    for pair in corners[1..].windows(2) {
        let [a, b] = [0, 1].map(|i| [0, 1].map(|k| pair[i][k] - first[k]));
        let d = a[0] * b[1] - a[1] * b[0];
        doubled += d;
        moment = [0, 1].map(|k| moment[k] + d * (a[k] + b[k]));
    }
    [0, 1].map(|k| first[k] + moment[k] / (3.0 * doubled))
}

/// A sum by halves, which is not deep however many terms it has.
fn summed(terms: Vec<Expr>) -> Expr {
    match terms.as_slice() {
        [] => Expr::zero(),
        [term] => term.clone(),
        _ => {
            let (left, right) = terms.split_at(terms.len() / 2);
            summed(left.to_vec()) + summed(right.to_vec())
        }
    }
}

/// Edges, the one back to the first corner last.
fn edges(corners: &[Corner]) -> impl Iterator<Item = (&Corner, &Corner)> {
    let next = corners.iter().cycle().skip(1);
    corners.iter().zip(next)
}

fn cross(a: &Corner, b: &Corner) -> Expr {
    &a[0] * &b[1] - &a[1] * &b[0]
}

/// An area, and no edges that cross, at the default parameters.
fn check(cx: &mut Context, values: &[[f64; 2]], path: &Path) -> Resolved<()> {
    let doubled: f64 = values[1..]
        .windows(2)
        .map(|pair| side(values[0], pair[0], pair[1]))
        .sum();
    let reach = |k: usize| {
        let from_first = values.iter().map(|p| (p[k] - values[0][k]).abs());
        from_first.fold(0.0, f64::max)
    };
    // Corners on one line leave rounding.
    if doubled.abs() <= 1e-12 * reach(0) * reach(1) || doubled == 0.0 {
        let message = "the polygon has no area: its corners are on one line";
        let diagnostic = Diagnostic::error(Code::M212, path, message);
        return Err(
            cx.report(diagnostic.hint("give corners that go round an area, or use a `rod`"))
        );
    }
    match crossing(values) {
        Some((i, j)) => Err(crossed(cx, i, j, path)),
        None => Ok(()),
    }
}

fn crossed(cx: &mut Context, i: usize, j: usize, path: &Path) -> Reported {
    let message = format!("the edges after corners {i} and {j} of the polygon cross or touch");
    let diagnostic = Diagnostic::error(Code::M231, path, message);
    cx.report(diagnostic.hint("give the corners in the order in which they go round, each once"))
}

/// Two edges that are no neighbours and have a point in common, or neighbours that lie on each other.
fn crossing(corners: &[[f64; 2]]) -> Option<(usize, usize)> {
    let n = corners.len();
    let edge = |i: usize| (corners[i], corners[(i + 1) % n]);
    (0..n).find_map(|i| {
        let later = (i + 1..n).find(|&j| {
            let ((a, b), (c, d)) = (edge(i), edge(j));
            match (j == i + 1, i == 0 && j == n - 1) {
                (true, _) => folds(a, b, d),
                (_, true) => folds(c, a, b),
                _ => meet(a, b, c, d),
            }
        });
        later.map(|j| (i, j))
    })
}

/// True if the way a, b, c goes back on itself, or stands still.
fn folds(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> bool {
    let back = (b[0] - a[0]) * (c[0] - b[0]) + (b[1] - a[1]) * (c[1] - b[1]);
    a == b || b == c || (side(a, b, c) == 0.0 && back < 0.0)
}

/// True if two segments have a point in common.
fn meet(a: [f64; 2], b: [f64; 2], c: [f64; 2], d: [f64; 2]) -> bool {
    let (s, t) = (side(a, b, c), side(a, b, d));
    let (u, v) = (side(c, d, a), side(c, d, b));
    let within = |k: usize| {
        let low = a[k].min(b[k]).max(c[k].min(d[k]));
        low <= a[k].max(b[k]).min(c[k].max(d[k]))
    };
    s * t <= 0.0 && u * v <= 0.0 && within(0) && within(1)
}

/// Twice the area of a triangle.
fn side(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}
