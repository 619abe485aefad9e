use crate::Real;

/// 1e-5 on the singular values of D, squared. That is well above what a violation of the constraint equations puts into
/// a redundant row.
const NOISE: f64 = 1e-10;

/// Round-off of a pivot, in units of the last place.
const ROUND_OFF: f64 = 64.0;

/// A pivot below this share of the whole is noise.
pub fn noise<T: Real>() -> T {
    T::from_f64(NOISE).max(T::EPSILON * T::from_f64(ROUND_OFF))
}
