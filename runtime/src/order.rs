//! A permutation of indices.

use crate::{Real, Vector};

/// Whole numbers in a vector of scalars, because only such a vector has the length that is needed.
#[derive(Clone, Copy)]
pub struct Order<V>(V);

impl<V> Order<V> {
    /// Each index at its own place.
    pub fn natural<T: Real>() -> Self
    where
        V: Vector<T>,
    {
        let mut order = V::zero();
        for (i, place) in order.as_mut_slice().iter_mut().enumerate() {
            *place = T::from_f64(i as f64);
        }
        Self(order)
    }

    /// The index at a place.
    #[inline]
    pub fn at<T: Real>(&self, place: usize) -> usize
    where
        V: Vector<T>,
    {
        self.0[place].to_f64() as usize
    }

    /// Exchanges the indices at two places.
    pub fn swap<T: Real>(&mut self, a: usize, b: usize)
    where
        V: Vector<T>,
    {
        self.0.as_mut_slice().swap(a, b);
    }
}
