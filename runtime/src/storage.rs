//! The interface of the runtime to nalgebra's fixed-size vectors and matrices. It keeps sizes out of the signatures:
//! generated code names the sizes once, in its associated types.

use core::fmt::Debug;
use core::ops::{Index, IndexMut};

use nalgebra::{ArrayStorage, SMatrix};

use crate::Real;

/// A vector of fixed length.
pub trait Vector<T: Real>:
    Copy + Debug + PartialEq + Index<usize, Output = T> + IndexMut<usize>
{
    /// Number of components.
    const LEN: usize;
    /// All components zero.
    fn zero() -> Self;
    /// The components.
    fn as_slice(&self) -> &[T];
    /// The components.
    fn as_mut_slice(&mut self) -> &mut [T];
}

/// A matrix of fixed size.
pub trait Matrix<T: Real>:
    Clone + Debug + Index<(usize, usize), Output = T> + IndexMut<(usize, usize)>
{
    /// Number of rows.
    const ROWS: usize;
    /// Number of columns.
    const COLUMNS: usize;
    /// All entries zero.
    fn zero() -> Self;
}

impl<T: Real, const N: usize> Vector<T> for SMatrix<T, N, 1> {
    const LEN: usize = N;
    #[inline]
    fn zero() -> Self {
        Self::from_array_storage(ArrayStorage([[T::ZERO; N]]))
    }
    #[inline]
    fn as_slice(&self) -> &[T] {
        self.as_slice()
    }
    #[inline]
    fn as_mut_slice(&mut self) -> &mut [T] {
        self.as_mut_slice()
    }
}

impl<T: Real, const R: usize, const C: usize> Matrix<T> for SMatrix<T, R, C> {
    const ROWS: usize = R;
    const COLUMNS: usize = C;
    #[inline]
    fn zero() -> Self {
        Self::from_array_storage(ArrayStorage([[T::ZERO; R]; C]))
    }
}
