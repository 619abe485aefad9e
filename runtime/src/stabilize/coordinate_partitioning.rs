//! Dependent coordinates that follow the independent ones.

use core::fmt;

use super::contract::{ConstraintLevel, Corrector, Goals, move_by};
use crate::order::Order;
use crate::orthogonal::LEAST;
use crate::{
    Jacobian, Jacobians, Matrix, Projection, Real, Stabilizer, State, Stop, Vector, Workspace,
};

/// Independent coordinates are integrated, the dependent ones follow from the constraints by Newton's
/// method, and dependent velocities by a linear solve:
///
/// ```text
/// D_d Δ_d = −Φ        q ← q + T Δ        D_d Δ_d = −Φ̇        v ← v + Δ        Δ_i = 0
/// ```
///
/// Full pivoting of D chooses the dependent ones; D_d is factorised once a step, with partial pivoting.
///
/// Independent velocities are not corrected. Near a singular position round-off causes accelerations across the
/// motion. Their effect on an independent velocity stays in the motion, while a projection in the mass metric removes
/// all of it. With this method the energy therefore jumps there, sometimes by much.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoordinatePartitioning {
    /// When its passes end; passes that do not converge with one factor cause a new choice as well.
    pub goals: Goals,
    /// The share to which the ratio of the smallest pivot to the largest may fall before other coordinates are
    /// chosen.
    pub degraded: f64,
}

impl Default for CoordinatePartitioning {
    fn default() -> Self {
        Self {
            goals: Goals::default(),
            degraded: 1e-2,
        }
    }
}

impl<M: Jacobians> Stabilizer<M> for CoordinatePartitioning {
    type Memory = Partition<M>;

    #[inline]
    fn projects(&self) -> bool {
        true
    }

    fn memory(&self) -> Partition<M> {
        Partition::none()
    }

    fn project(
        &self,
        m: &M,
        state: &mut State<M>,
        workspace: &mut Workspace<M>,
        partition: &mut Partition<M>,
    ) -> Result<Projection<M::Scalar>, Stop> {
        let mut corrector = Dependent {
            degraded: M::Scalar::from_f64(self.degraded),
            workspace,
            partition,
            is_fresh: false,
        };
        self.goals.project(m, state, &mut corrector)
    }
}

/// Passes with one factor, which is made when it is first needed.
struct Dependent<'w, M: Jacobians> {
    degraded: M::Scalar,
    workspace: &'w mut Workspace<M>,
    partition: &'w mut Partition<M>,
    is_fresh: bool,
}

impl<M: Jacobians> Dependent<'_, M> {
    /// The factor at this state, with other coordinates if the present ones have degraded.
    fn factorize(&mut self, m: &M, state: &State<M>) {
        let mut jacobian = Jacobian::zero();
        m.jacobian(state.time, &state.q, &mut jacobian);
        let ratio = self.partition.factorize(&jacobian.rows);
        self.workspace.counts.factorizations += 1;
        self.is_fresh = true;
        let sound = ratio > self.degraded * self.partition.ratio;
        if !sound {
            self.choose(&jacobian, M::Scalar::from_f64(TOLERANCE));
        }
    }

    #[cold]
    fn choose(&mut self, jacobian: &Jacobian<M>, least: M::Scalar) {
        self.partition.choose(&jacobian.rows, least);
        self.partition.ratio = self.partition.factorize(&jacobian.rows);
        self.workspace.counts.factorizations += 2;
    }
}

impl<M: Jacobians> Corrector<M> for Dependent<'_, M> {
    fn correct(
        &mut self,
        m: &M,
        state: &mut State<M>,
        level: ConstraintLevel,
        residual: &M::Multipliers,
    ) -> Result<(), Stop> {
        if !self.is_fresh {
            self.factorize(m, state);
        }
        let step = self.partition.step(residual);
        move_by(m, state, level, &step);
        Ok(())
    }

    #[cold]
    fn refactor(&mut self, m: &M, state: &State<M>, least: M::Scalar) -> Result<(), Stop> {
        let mut jacobian = Jacobian::zero();
        m.jacobian(state.time, &state.q, &mut jacobian);
        self.choose(&jacobian, least.max(M::Scalar::from_f64(LEAST)));
        Ok(())
    }
}

/// A pivot below this share of the largest is noise. A redundant row gets a pivot of the size of the violation when it
/// is evaluated off the manifold, so this is well above the violation that steps leave.
const TOLERANCE: f64 = 1e-5;

/// The choice of dependent velocities, and D_d = L U in the order of its pivots.
pub struct Partition<M: Jacobians + ?Sized> {
    /// Velocities, the dependent ones first.
    columns: Order<M::Velocities>,
    /// Number of dependent velocities; none before the first step.
    rank: usize,
    /// Ratio of the smallest pivot to the largest at the time of the choice.
    ratio: M::Scalar,
    /// L below the diagonal and U on and above it, by rows of D.
    factor: M::Rows,
    /// Rows of D, those that are solved for first.
    rows: Order<M::Multipliers>,
    /// Factor by which each row of D is multiplied, so that its largest entry is 1.
    scales: M::Multipliers,
}

impl<M: Jacobians + ?Sized> Partition<M> {
    /// No choice yet.
    fn none() -> Self {
        Self {
            columns: Order::natural(),
            rank: 0,
            ratio: M::Scalar::ZERO,
            factor: M::Rows::zero(),
            rows: Order::natural(),
            scales: M::Multipliers::zero(),
        }
    }

    /// Gaussian elimination with the largest remaining entry as pivot, as long as it is more than this share of the
    /// first: its columns are dependent. Never more rows than are independent elsewhere.
    fn choose(&mut self, jacobian: &M::Rows, share: M::Scalar) {
        (self.columns, self.rows, self.rank) = (Order::natural(), Order::natural(), 0);
        self.scale(jacobian, M::Velocities::LEN);
        let noise = M::Scalar::EPSILON * M::Scalar::from_f64(64.0);
        let mut least = M::Scalar::ZERO;
        while let Some((row, column)) = self.largest(least) {
            if self.rank == M::Multipliers::LEN - M::REDUNDANT.len() {
                break;
            }
            self.rows.swap(self.rank, row);
            self.swap_columns(self.rank, column);
            self.eliminate(self.rank, M::Velocities::LEN);
            if self.rank == 0 {
                least = self.pivot(0) * share.max(noise);
            }
            self.rank += 1;
        }
    }

    /// D_d = L U with the largest entry of each column as pivot; the ratio of the smallest to the largest.
    fn factorize(&mut self, jacobian: &M::Rows) -> M::Scalar {
        self.rows = Order::natural();
        self.scale(jacobian, self.rank);
        let (mut least, mut most) = (M::Scalar::from_f64(f64::INFINITY), M::Scalar::ZERO);
        for k in 0..self.rank {
            let mut best = k;
            for i in k + 1..M::Multipliers::LEN {
                if self.entry(i, k).abs() > self.entry(best, k).abs() {
                    best = i;
                }
            }
            self.rows.swap(k, best);
            self.eliminate(k, self.rank);
            (least, most) = (least.min(self.pivot(k)), most.max(self.pivot(k)));
        }
        match most > M::Scalar::ZERO {
            true => least / most,
            false => M::Scalar::ZERO,
        }
    }

    /// −D_d⁻¹ r for dependent velocities, zero for the others.
    fn step(&self, residual: &M::Multipliers) -> M::Velocities {
        let mut x = M::Velocities::zero();
        for i in 0..self.rank {
            let row = self.rows.at(i);
            let known = (0..i).map(|j| self.entry(i, j) * x[j]);
            x[i] = known.fold(residual[row] * self.scales[row], |sum, term| sum - term);
        }
        for i in (0..self.rank).rev() {
            let known = (i + 1..self.rank).map(|j| self.entry(i, j) * x[j]);
            x[i] = known.fold(x[i], |sum, term| sum - term) / self.entry(i, i);
        }
        let mut step = M::Velocities::zero();
        (0..self.rank).for_each(|i| step[self.columns.at(i)] = -x[i]);
        step
    }

    /// The first columns in their order, each row with a largest entry of 1.
    fn scale(&mut self, jacobian: &M::Rows, columns: usize) {
        for row in 0..M::Multipliers::LEN {
            let entries = (0..M::Velocities::LEN).map(|j| jacobian[(row, j)].abs());
            let largest = entries.fold(M::Scalar::ZERO, M::Scalar::max);
            let scale = match largest > M::Scalar::ZERO {
                true => M::Scalar::ONE / largest,
                false => M::Scalar::ZERO,
            };
            self.scales[row] = scale;
            for j in 0..columns {
                self.factor[(row, j)] = jacobian[(row, self.columns.at(j))] * scale;
            }
        }
    }

    /// Place of the largest entry that was not eliminated, if the entry is above `least`.
    fn largest(&self, least: M::Scalar) -> Option<(usize, usize)> {
        let (mut largest, mut place) = (least, None);
        for i in self.rank..M::Multipliers::LEN {
            for j in self.rank..M::Velocities::LEN {
                let entry = self.entry(i, j).abs();
                if entry > largest {
                    (largest, place) = (entry, Some((i, j)));
                }
            }
        }
        place
    }

    /// a_ij ← a_ij − l_ik a_kj below the k-th pivot, with l_ik = a_ik / a_kk in the place of a_ik.
    fn eliminate(&mut self, k: usize, columns: usize) {
        let above = self.rows.at(k);
        let pivot = self.factor[(above, k)];
        for i in k + 1..M::Multipliers::LEN {
            let row = self.rows.at(i);
            if self.factor[(row, k)] == M::Scalar::ZERO {
                continue;
            }
            let share = self.factor[(row, k)] / pivot;
            self.factor[(row, k)] = share;
            for j in k + 1..columns {
                let product = share * self.factor[(above, j)];
                self.factor[(row, j)] -= product;
            }
        }
    }

    fn swap_columns(&mut self, a: usize, b: usize) {
        self.columns.swap(a, b);
        for row in 0..M::Multipliers::LEN {
            let (left, right) = (self.factor[(row, a)], self.factor[(row, b)]);
            (self.factor[(row, a)], self.factor[(row, b)]) = (right, left);
        }
    }

    fn entry(&self, i: usize, j: usize) -> M::Scalar {
        self.factor[(self.rows.at(i), j)]
    }

    fn pivot(&self, k: usize) -> M::Scalar {
        self.entry(k, k).abs()
    }
}

impl<M: Jacobians + ?Sized> Clone for Partition<M> {
    fn clone(&self) -> Self {
        Self {
            factor: self.factor.clone(),
            ..*self
        }
    }
}

impl<M: Jacobians + ?Sized> fmt::Debug for Partition<M> {
    /// The names of the dependent velocities.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |i: usize| M::VELOCITIES.get(self.columns.at::<M::Scalar>(i));
        f.debug_list()
            .entries((0..self.rank).filter_map(name))
            .finish()
    }
}
