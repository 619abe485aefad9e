//! Tables: points → the polynomial of each interval.

use super::Table;
use super::context::{Context, Resolved};
use super::number::constant;
use crate::description::{self, Interpolation, Number};
use crate::diagnostics::{Code, Diagnostic, Path};

/// A table with its coefficients; M218.
pub(super) fn table(
    cx: &mut Context,
    name: &str,
    written: &description::Table,
    path: &Path,
) -> Resolved<Table> {
    let x = list(cx, &written.x, &path.key("x"));
    let y = list(cx, &written.y, &path.key("y"));
    let (x, y) = (x?, y?);
    usable(cx, name, &x, &y, path)?;
    let coefficients = match written.interpolation {
        Interpolation::Linear => linear(&x, &y),
        Interpolation::Cubic => natural_spline(&x, &y),
    };
    if coefficients.iter().flatten().any(|c| !c.is_finite()) {
        let message = format!("the slopes of `{name}` are too large");
        return Err(cx.error(Code::M218, path, message));
    }
    Ok(Table {
        name: name.to_owned(),
        x,
        y,
        coefficients,
        interpolation: written.interpolation,
    })
}

fn list(cx: &mut Context, numbers: &[Number], path: &Path) -> Resolved<Vec<f64>> {
    let values: Vec<Resolved<f64>> = (numbers.iter().enumerate())
        .map(|(k, number)| constant(cx, number, &path.index(k), None))
        .collect();
    values.into_iter().collect()
}

fn usable(cx: &mut Context, name: &str, x: &[f64], y: &[f64], path: &Path) -> Resolved<()> {
    if x.len() != y.len() {
        let message = format!("`{name}` has {} `x` but {} `y`", x.len(), y.len());
        let diagnostic = Diagnostic::error(Code::M218, path, message);
        return Err(cx.report(diagnostic.hint("give one `y` for each `x`")));
    }
    if x.len() < 2 {
        let message = format!("`{name}` has fewer than two points");
        let diagnostic = Diagnostic::error(Code::M218, path, message);
        return Err(cx.report(diagnostic.hint("for one value use a constant")));
    }
    match x.windows(2).position(|pair| pair[0] >= pair[1]) {
        None => Ok(()),
        Some(k) => {
            let message = format!("`x` of `{name}` goes from {} to {}", x[k], x[k + 1]);
            let at = path.key("x").index(k + 1);
            let diagnostic = Diagnostic::error(Code::M218, &at, message);
            Err(cx.report(diagnostic.hint("the arguments must grow")))
        }
    }
}

fn linear(x: &[f64], y: &[f64]) -> Vec<[f64; 4]> {
    let interval = |k: usize| [y[k], (y[k + 1] - y[k]) / (x[k + 1] - x[k]), 0.0, 0.0];
    (0..x.len() - 1).map(interval).collect()
}

/// With h_k = x_{k+1} − x_k and second derivatives m_k, m_0 = m_{n−1} = 0:
/// c1 = (y_{k+1} − y_k)/h − h (2 m_k + m_{k+1})/6, c2 = m_k/2, c3 = (m_{k+1} − m_k)/(6 h).
fn natural_spline(x: &[f64], y: &[f64]) -> Vec<[f64; 4]> {
    let m = second_derivatives(x, y);
    let interval = |k: usize| {
        let h = x[k + 1] - x[k];
        [
            y[k],
            (y[k + 1] - y[k]) / h - h * (2.0 * m[k] + m[k + 1]) / 6.0,
            m[k] / 2.0,
            (m[k + 1] - m[k]) / (6.0 * h),
        ]
    };
    (0..x.len() - 1).map(interval).collect()
}

/// Thomas' elimination of
/// h_{k−1} m_{k−1} + 2 (h_{k−1} + h_k) m_k + h_k m_{k+1} = 6 (Δ_k − Δ_{k−1}), Δ_k = (y_{k+1} − y_k)/h_k.
fn second_derivatives(x: &[f64], y: &[f64]) -> Vec<f64> {
    let n = x.len();
    let h: Vec<f64> = x.windows(2).map(|w| w[1] - w[0]).collect();
    let slope: Vec<f64> = (0..n - 1).map(|k| (y[k + 1] - y[k]) / h[k]).collect();
    let (mut upper, mut right) = (vec![0.0; n], vec![0.0; n]);
    for k in 1..n - 1 {
        let pivot = 2.0 * (h[k - 1] + h[k]) - h[k - 1] * upper[k - 1];
        upper[k] = h[k] / pivot;
        right[k] = (6.0 * (slope[k] - slope[k - 1]) - h[k - 1] * right[k - 1]) / pivot;
    }
    let mut m = vec![0.0; n];
    for k in (1..n - 1).rev() {
        m[k] = right[k] - upper[k] * m[k + 1];
    }
    m
}
