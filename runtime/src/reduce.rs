//! Reduces the dense equations to equations of the multipliers. E are the rows of the dense equations, one for each
//! multiplier:
//!
//! ```text
//! M = L Lᵀ        W = E M⁻¹        A = E M⁻¹ Eᵀ        M⁻¹ Q
//! ```
//!
//! Bodies without mass make M only semi-definite, and bodies of little mass make M⁻¹ so large that the other masses are
//! lost in A. M + σ DᵀD then replaces M, and Q + σ Dᵀγ replaces Q, with any σ > 0. The solution does not change. For D
//! v̇ = γ both sides of M v̇ = Q + Dᵀλ grow by the same σ Dᵀγ, so v̇ and λ stay. For D Δ = −Φ the square ½ Δᵀ M Δ,
//! which a correction minimises, grows by the constant ½ σ ΦᵀΦ, so Δ stays. The sum is positive definite if every
//! motion that the constraints allow moves some mass.

use crate::noise::noise;
use crate::{Dense, Matrix, Mechanism, Real, RowValues, Vector};

/// A velocity counts as massless if its inertia is below this share of the weight of the rows on it.
const LIGHT: f64 = 1e-7;

/// Matrices of the dense solve.
pub struct Reduced<M: Mechanism + ?Sized> {
    /// E M⁻¹ Eᵀ
    pub schur: M::Schur,
    /// E M⁻¹: row k is M⁻¹ times row k of E.
    pub weighted: M::Rows,
    /// M⁻¹ Q
    pub free: M::Velocities,
}

impl<M: Mechanism + ?Sized> Clone for Reduced<M> {
    fn clone(&self) -> Self {
        Self {
            schur: self.schur.clone(),
            weighted: self.weighted.clone(),
            free: self.free,
        }
    }
}

impl<M: Mechanism + ?Sized> Reduced<M> {
    /// All zero.
    pub fn zero() -> Self {
        Self {
            schur: M::Schur::zero(),
            weighted: M::Rows::zero(),
            free: M::Velocities::zero(),
        }
    }

    /// Reduces the equations, with L in place of the lower triangle of M. If some motion has neither mass nor
    /// constraint, all numbers are NaN.
    pub fn reduce(&mut self, dense: &mut Dense<M>) {
        let Some(sigma) = factorize_any(dense) else {
            return self.fail();
        };
        let mass = &dense.mass;
        self.free = dense.forces;
        for row in 0..M::Multipliers::LEN {
            let pull = sigma * dense.gamma[row];
            for j in 0..M::Velocities::LEN {
                self.free[j] += dense.rows[(row, j)] * pull;
            }
        }
        divide::<M>(mass, &mut self.free);
        for row in 0..RowValues::<M>::LEN {
            let mut weighted = M::Velocities::zero();
            (0..M::Velocities::LEN).for_each(|j| weighted[j] = dense.rows[(row, j)]);
            divide::<M>(mass, &mut weighted);
            (0..M::Velocities::LEN).for_each(|j| self.weighted[(row, j)] = weighted[j]);
        }
        self.multiply(&dense.rows);
    }

    /// The same with 1 in place of M, and without forces.
    pub fn reduce_plain(&mut self, dense: &Dense<M>) {
        self.free = M::Velocities::zero();
        self.weighted = dense.rows.clone();
        self.multiply(&dense.rows);
    }

    /// A_kl = Σ_j E_kj W_lj
    fn multiply(&mut self, rows: &M::Rows) {
        self.schur = M::Schur::zero();
        for k in 0..RowValues::<M>::LEN {
            for j in 0..M::Velocities::LEN {
                let entry = rows[(k, j)];
                if entry == M::Scalar::ZERO {
                    continue;
                }
                for l in 0..=k {
                    self.schur[(k, l)] += entry * self.weighted[(l, j)];
                }
            }
            for l in 0..k {
                self.schur[(l, k)] = self.schur[(k, l)];
            }
        }
    }

    fn fail(&mut self) {
        let nothing = M::Scalar::from_f64(f64::NAN);
        self.free.as_mut_slice().fill(nothing);
        for row in 0..RowValues::<M>::LEN {
            self.schur[(row, row)] = nothing;
        }
    }
}

/// L of M, or of M + σ DᵀD if M is not positive definite, or light; σ makes both equally large.
fn factorize_any<M: Mechanism + ?Sized>(dense: &mut Dense<M>) -> Option<M::Scalar> {
    let mut diagonal = M::Velocities::zero();
    (0..M::Velocities::LEN).for_each(|i| diagonal[i] = dense.mass[(i, i)]);
    let sigma = average::<M>(dense, &diagonal);
    let is_light = is_light::<M>(dense, &diagonal, sigma);
    if !is_light && factorize::<M>(&mut dense.mass, &diagonal) {
        return Some(M::Scalar::ZERO);
    }
    let own = diagonal;
    let (mass, rows) = (&mut dense.mass, &dense.rows);
    for i in 0..M::Velocities::LEN {
        mass[(i, i)] = diagonal[i];
        for j in 0..=i {
            let products = (0..M::Multipliers::LEN).map(|k| rows[(k, i)] * rows[(k, j)]);
            let product = products.fold(M::Scalar::ZERO, |sum, product| sum + product);
            // The upper triangle is still that of M.
            mass[(i, j)] = mass[(j, i)] + sigma * product;
        }
        diagonal[i] = mass[(i, i)];
    }
    if factorize::<M>(mass, &diagonal) {
        return Some(sigma);
    }
    // A light body that moves by itself has its own inertia alone.
    for i in 0..M::Velocities::LEN {
        mass[(i, i)] = own[i];
        (0..i).for_each(|j| mass[(i, j)] = mass[(j, i)]);
    }
    (is_light && factorize::<M>(mass, &own)).then_some(M::Scalar::ZERO)
}

/// σ, or 1 where nothing has mass.
fn average<M: Mechanism + ?Sized>(dense: &Dense<M>, diagonal: &M::Velocities) -> M::Scalar {
    let zero = M::Scalar::ZERO;
    let total = diagonal.as_slice().iter();
    let total = total.fold(zero, |sum, entry| sum + *entry);
    let squares = (0..M::Velocities::LEN).map(|j| square::<M>(dense, j));
    let squares = squares.fold(zero, |sum, square| sum + square);
    match total > zero && squares > zero {
        true => total / squares,
        false => M::Scalar::ONE,
    }
}

/// True if some velocity has next to no inertia against what the rows weigh on it.
fn is_light<M: Mechanism + ?Sized>(
    dense: &Dense<M>,
    diagonal: &M::Velocities,
    sigma: M::Scalar,
) -> bool {
    let share = M::Scalar::from_f64(LIGHT) * sigma;
    (0..M::Velocities::LEN).any(|j| diagonal[j] < share * square::<M>(dense, j))
}

/// (DᵀD)_jj
fn square<M: Mechanism + ?Sized>(dense: &Dense<M>, j: usize) -> M::Scalar {
    let entries = (0..M::Multipliers::LEN).map(|row| dense.rows[(row, j)]);
    entries.fold(M::Scalar::ZERO, |sum, entry| sum + entry * entry)
}

/// L_kk = √a_kk, L_ik = a_ik / L_kk, a_ij ← a_ij − L_ik L_jk in the lower triangle; false if a pivot
/// is lost. Block-diagonal matrices cost what their blocks do.
fn factorize<M: Mechanism + ?Sized>(a: &mut M::Mass, diagonal: &M::Velocities) -> bool {
    // This may be generous, because what is taken for semi-definite without need is solved as exactly.
    let share = noise::<M::Scalar>();
    for k in 0..M::Velocities::LEN {
        let sound = a[(k, k)] > share * diagonal[k];
        if !sound {
            return false;
        }
        let root = a[(k, k)].sqrt();
        a[(k, k)] = root;
        for i in k + 1..M::Velocities::LEN {
            a[(i, k)] /= root;
            let entry = a[(i, k)];
            if entry == M::Scalar::ZERO {
                continue;
            }
            for j in k + 1..=i {
                let product = entry * a[(j, k)];
                a[(i, j)] -= product;
            }
        }
    }
    true
}

/// x ← (L Lᵀ)⁻¹ x, passing over what is zero.
fn divide<M: Mechanism + ?Sized>(l: &M::Mass, x: &mut M::Velocities) {
    for k in 0..M::Velocities::LEN {
        if x[k] == M::Scalar::ZERO {
            continue;
        }
        let y = x[k] / l[(k, k)];
        x[k] = y;
        (k + 1..M::Velocities::LEN).for_each(|i| x[i] -= l[(i, k)] * y);
    }
    for k in (0..M::Velocities::LEN).rev() {
        if x[k] == M::Scalar::ZERO {
            continue;
        }
        let y = x[k] / l[(k, k)];
        x[k] = y;
        (0..k).for_each(|i| x[i] -= l[(k, i)] * y);
    }
}
