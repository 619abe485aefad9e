//! Piecewise cubics, for forces and motions given by points.

use crate::Real;
use crate::arithmetic::is_nan;

/// On [x_k, x_{k+1}] the value is c0 + c1 s + c2 s² + c3 s³ with s = x − x_k; `derivative` is the order of the
/// derivative. Beyond the ends the end values are kept, so derivatives are zero there. NaN gives NaN, and so does an
/// empty table.
pub fn table<T: Real>(x: &[T], coefficients: &[[T; 4]], derivative: u8, at: T) -> T {
    let nan = T::from_f64(f64::NAN);
    let n_intervals = coefficients.len().min(x.len().saturating_sub(1));
    let (Some(first), Some(last)) = (x.first(), x.get(n_intervals)) else {
        return nan;
    };
    if n_intervals == 0 || is_nan(at) {
        return nan;
    }
    if derivative > 0 && (at < *first || at > *last) {
        return T::ZERO;
    }
    let at = if at < *first {
        *first
    } else if at > *last {
        *last
    } else {
        at
    };
    let interval = x[1..n_intervals].partition_point(|knot| *knot <= at);
    cubic(&coefficients[interval], derivative, at - x[interval])
}

/// The polynomial or one of its derivatives, by Horner's rule.
fn cubic<T: Real>(c: &[T; 4], derivative: u8, s: T) -> T {
    let [two, three, six] = [2.0, 3.0, 6.0].map(T::from_f64);
    match derivative {
        0 => c[0] + s * (c[1] + s * (c[2] + s * c[3])),
        1 => c[1] + s * (two * c[2] + s * (three * c[3])),
        2 => two * c[2] + s * (six * c[3]),
        3 => six * c[3],
        _ => T::ZERO,
    }
}
