//! The threshold below which a pivot of a dense factor is noise.

use crate::Real;

/// The square of 1e-5, the corresponding share of a singular value of D. A violation of the constraint equations makes
/// a redundant row look new, but by much less than this.
const NOISE: f64 = 1e-10;

/// Round-off of a pivot, in units of the last place.
const ROUND_OFF: f64 = 64.0;

/// A pivot below this share of its original diagonal entry is noise.
pub fn noise<T: Real>() -> T {
    T::from_f64(NOISE).max(T::EPSILON * T::from_f64(ROUND_OFF))
}
