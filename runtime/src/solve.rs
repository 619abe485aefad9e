//! Accelerations by the unrolled solve, or by the dense one where that fails.
//!
//! ```text
//! M v̇ = Q + Dᵀ λ     D v̇ = γ     ⇒     (D M⁻¹ Dᵀ) λ = γ − D M⁻¹ Q
//! ```
//!
//! The unrolled solve of the generated code is only valid where D M⁻¹ Dᵀ is regular. Elsewhere the multipliers of the
//! smallest norm are taken, and the projections that follow use the same factor.

use core::fmt;

use crate::arithmetic::{add_scaled, dot, is_finite, norm, scaled, sum_scaled};
use crate::integrate::Slope;
use crate::nearness::{NEAR, Nearness};
use crate::orthogonal::Orthogonal;
use crate::passage;
use crate::reactions::smallest_reactions;
use crate::{
    Acceleration, Dense, Gains, Matrix, Mechanism, Quantity, RankFactor, Real, Reduced, RowValues,
    State, StateView, Stop, Vector,
};

/// The share of γ and D M⁻¹ Q that may stay unbalanced if the rows are dependent. It is wide, because the stages of a
/// step are off the manifold by the order of the squared step. Rows that contradict each other leave all of it
/// unbalanced.
const CONTRADICTION: f64 = 0.1;

/// Accelerations and multipliers at this state, by the unrolled solve if it is valid, else by the dense one.
#[inline]
pub fn evaluate<M: Mechanism>(
    m: &M,
    state: StateView<'_, M>,
    out: &mut Evaluation<M>,
) -> Result<(), Stop> {
    evaluate_with(m, state, &Gains::default(), out, |out| {
        m.accelerate(state, out);
    })
}

/// The same by an unrolled solve that counteracts violations with these gains. If the unrolled solve fails, the
/// constraint equations of the dense solve are rigid: it needs no compliance.
#[inline]
fn evaluate_with<M: Mechanism>(
    m: &M,
    state: StateView<'_, M>,
    gains: &Gains<M::Scalar>,
    out: &mut Evaluation<M>,
    accelerate: impl FnOnce(&mut Acceleration<M>),
) -> Result<(), Stop> {
    accelerate(&mut out.acceleration);
    out.path = SolvePath::Unrolled;
    if is_near(&out.acceleration) && !out.note_near() {
        evaluate_dense(m, state, gains, out)?;
    }
    check(
        state.t,
        Quantity::Accelerations,
        M::VELOCITIES,
        &out.acceleration.accelerations,
    )
}

/// True if an evaluation needs a closer check; that includes NaN.
#[inline]
fn is_near<M: Mechanism>(acceleration: &Acceleration<M>) -> bool {
    let is_clear = acceleration.margin > M::Scalar::from_f64(NEAR);
    !is_clear
}

/// λ of the smallest norm, by the dense path. The accelerations in `out` stay as they are.
pub fn minimum_norm_multipliers<M: Mechanism>(
    m: &M,
    state: StateView<'_, M>,
    out: &mut Evaluation<M>,
) -> Result<M::Multipliers, Stop> {
    pulled_multipliers(m, state, &Gains::default(), out)
}

fn pulled_multipliers<M: Mechanism>(
    m: &M,
    state: StateView<'_, M>,
    gains: &Gains<M::Scalar>,
    out: &mut Evaluation<M>,
) -> Result<M::Multipliers, Stop> {
    out.factorize(m, state, &RowValues::zero())?;
    pull_back(m, state, gains, &mut out.dense.gamma);
    let schur = &out.reduced.schur;
    let b = right_hand_side(&out.dense, &out.reduced.free);
    let multipliers = out.factor.solve(schur, &b);
    let scale = norm(&out.dense.gamma) + norm(&b.constraints);
    let unbalanced = norm(&out.factor.residual(schur, &multipliers, &b).constraints);
    if unbalanced > M::Scalar::from_f64(CONTRADICTION) * scale {
        return Err(Stop::Singular {
            time: state.t.to_f64(),
            rank: out.factor.rank(),
            rows: M::Multipliers::LEN,
        });
    }
    Ok(multipliers.constraints)
}

/// v̇ = M⁻¹ Q + M⁻¹ Dᵀ λ, and the drivers' power λᵀ D v = −λᵀ Φ_t.
#[cold]
#[inline(never)]
fn evaluate_dense<M: Mechanism>(
    m: &M,
    state: StateView<'_, M>,
    gains: &Gains<M::Scalar>,
    out: &mut Evaluation<M>,
) -> Result<(), Stop> {
    let multipliers = pulled_multipliers(m, state, gains, out)?;
    let (dense, acceleration) = (&out.dense, &mut out.acceleration);
    acceleration.rates = dense.rates;
    acceleration.accelerations = out.reduced.free;
    let pushed = push(&out.reduced, M::Multipliers::LEN, |row| multipliers[row]);
    add_scaled(&mut acceleration.accelerations, M::Scalar::ONE, &pushed);
    acceleration.multipliers = multipliers;
    acceleration.power = dense.power - dot(&multipliers, &dense.phi_t);
    out.path = SolvePath::Dense {
        rank: out.factor.rank(),
    };
    Ok(())
}

/// γ ← γ − a Φ̇ − b Φ
fn pull_back<M: Mechanism>(
    m: &M,
    state: StateView<'_, M>,
    gains: &Gains<M::Scalar>,
    gamma: &mut M::Multipliers,
) {
    if gains.damping == M::Scalar::ZERO && gains.stiffness == M::Scalar::ZERO {
        return;
    }
    let (mut phi, mut phi_dot) = (M::Multipliers::zero(), M::Multipliers::zero());
    m.constraints(state.t, state.q, &mut phi);
    m.velocity_constraints(state, &mut phi_dot);
    add_scaled(gamma, -gains.damping, &phi_dot);
    add_scaled(gamma, -gains.stiffness, &phi);
}

/// γ − D M⁻¹ Q
fn right_hand_side<M: Mechanism>(dense: &Dense<M>, free: &M::Velocities) -> RowValues<M> {
    let mut b = RowValues::zero();
    for row in 0..M::Multipliers::LEN {
        let products = (0..M::Velocities::LEN).map(|j| dense.rows[(row, j)] * free[j]);
        b[row] = products.fold(dense.gamma[row], |sum, product| sum - product);
    }
    b
}

/// M⁻¹ Eᵀ y over the first `rows` rows.
pub(crate) fn push<M: Mechanism>(
    reduced: &Reduced<M>,
    rows: usize,
    y: impl Fn(usize) -> M::Scalar,
) -> M::Velocities {
    let mut sum = M::Velocities::zero();
    for row in 0..rows {
        let factor = y(row);
        for (j, sum) in sum.as_mut_slice().iter_mut().enumerate() {
            *sum += reduced.weighted[(row, j)] * factor;
        }
    }
    sum
}

/// A row with NaN must not pass for a redundant one.
pub(crate) fn check_rows<M: Mechanism>(t: M::Scalar, schur: &M::Schur) -> Result<(), Stop> {
    let infinite = (0..M::Schur::ROWS).find(|row| !schur[(*row, *row)].is_finite());
    infinite.map_or(Ok(()), |index| {
        let name = RowValues::<M>::name(index);
        Err(Stop::NotFinite {
            time: t.to_f64(),
            what: Quantity::Constraints,
            index,
            name,
        })
    })
}

/// Names the first component that is not finite.
#[inline]
pub(crate) fn check<T: Real, V: Vector<T>>(
    t: T,
    what: Quantity,
    names: &[&'static str],
    values: &V,
) -> Result<(), Stop> {
    if is_finite(values) {
        return Ok(());
    }
    let index = values
        .as_slice()
        .iter()
        .position(|value| !value.is_finite())
        .unwrap_or(0);
    let name = names.get(index).copied().unwrap_or("unnamed");
    Err(Stop::NotFinite {
        time: t.to_f64(),
        what,
        index,
        name,
    })
}

/// The solve that an evaluation took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolvePath {
    /// The unrolled one of the generated code.
    Unrolled,
    /// The dense, minimum-norm one, because the rows have only this rank.
    Dense {
        /// Rank of the constraint equations.
        rank: usize,
    },
}

/// One evaluation of the dynamics with the factor that it leaves for the projections.
pub struct Evaluation<M: Mechanism> {
    /// Accelerations, multipliers, power.
    pub acceleration: Acceleration<M>,
    /// The solve that gave them.
    pub path: SolvePath,
    pub(crate) dense: Dense<M>,
    pub(crate) reduced: Reduced<M>,
    pub(crate) factor: RankFactor<M>,
    /// Distance of the evaluations of this step to a singular position.
    pub(crate) nearness: Nearness<M::Scalar>,
    /// Takes the place of the factor once a projection needs more rows than multipliers can use.
    orthogonal: Option<Orthogonal<M>>,
}

impl<M: Mechanism> Clone for Evaluation<M> {
    fn clone(&self) -> Self {
        Self {
            acceleration: self.acceleration,
            path: self.path,
            dense: self.dense.clone(),
            reduced: self.reduced.clone(),
            factor: self.factor.clone(),
            nearness: self.nearness,
            orthogonal: self.orthogonal.clone(),
        }
    }
}

impl<M: Mechanism> fmt::Debug for Evaluation<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Evaluation")
            .field("acceleration", &self.acceleration)
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}

impl<M: Mechanism> Evaluation<M> {
    /// Room for one.
    pub fn zero() -> Self {
        Self {
            acceleration: Acceleration::zero(),
            path: SolvePath::Unrolled,
            dense: Dense::zero(),
            reduced: Reduced::zero(),
            factor: RankFactor::zero(),
            nearness: Nearness::none(),
            orthogonal: None,
        }
    }

    /// Records that this evaluation is near a singular position. True if its solve is valid nevertheless.
    #[cold]
    fn note_near(&mut self) -> bool {
        self.nearness.note(&self.acceleration);
        self.acceleration.margin > M::Scalar::ZERO
    }

    /// Δq = −T M⁻¹ Dᵀ (D M⁻¹ Dᵀ)⁻¹ Φ with the factor of this evaluation.
    #[inline]
    pub fn position_correction(
        &self,
        m: &M,
        q: &M::Coordinates,
        phi: &M::Multipliers,
        dq: &mut M::Coordinates,
    ) {
        match self.path {
            SolvePath::Unrolled => m.position_correction(q, &self.acceleration.factor, phi, dq),
            SolvePath::Dense { .. } => m.rates(q, &self.dense_correction(phi), dq),
        }
    }

    /// Δv = −M⁻¹ Dᵀ (D M⁻¹ Dᵀ)⁻¹ Φ̇ with the factor of this evaluation.
    #[inline]
    pub fn velocity_correction(&self, m: &M, phi_dot: &M::Multipliers, dv: &mut M::Velocities) {
        match self.path {
            SolvePath::Unrolled => m.velocity_correction(&self.acceleration.factor, phi_dot, dv),
            SolvePath::Dense { .. } => *dv = self.dense_correction(phi_dot),
        }
    }

    /// The rank-revealing factor of D M⁻¹ Dᵀ at this state, for [`Evaluation::dense_correction`]; rows that are small
    /// against their usual diagonal are left out.
    #[cold]
    pub(crate) fn factorize(
        &mut self,
        m: &M,
        state: StateView<'_, M>,
        usual: &RowValues<M>,
    ) -> Result<(), Stop> {
        m.dense(state, &mut self.dense);
        self.reduced.reduce(&mut self.dense);
        let schur = &self.reduced.schur;
        check_rows::<M>(state.t, schur)?;
        let (rows, undamped) = (M::Multipliers::LEN, M::Scalar::ZERO);
        self.factor.decompose_against(schur, rows, undamped, usual);
        self.orthogonal = None;
        Ok(())
    }

    /// v̇ = M⁻¹ Q − M⁻¹ Qᵀ y with R y = D M⁻¹ Q − γ, and the drivers' power −λᵀ Φ_t = yᵀ R⁻¹ Φ_t. Returns the margin.
    #[cold]
    fn orthogonally(&mut self, m: &M, state: &State<M>) -> Result<M::Scalar, Stop> {
        m.dense(state.view(), &mut self.dense);
        self.reduced.reduce(&mut self.dense);
        check_rows::<M>(state.time, &self.reduced.schur)?;
        let excess = scaled(
            &right_hand_side(&self.dense, &self.reduced.free).constraints,
            -M::Scalar::ONE,
        );
        let made = Orthogonal::new(&mut self.dense, &mut self.reduced, M::Scalar::ZERO);
        let pushed = made.correction(&self.reduced, &excess);
        let (y, along) = (
            made.solve(&self.reduced, &excess),
            made.solve(&self.reduced, &self.dense.phi_t),
        );
        let acceleration = &mut self.acceleration;
        acceleration.rates = self.dense.rates;
        acceleration.accelerations = sum_scaled(&self.reduced.free, M::Scalar::ONE, &pushed);
        acceleration.power = self.dense.power + dot(&y, &along);
        let (rank, margin) = (made.rank(), made.margin());
        self.path = SolvePath::Dense { rank };
        self.orthogonal = Some(made);
        let accelerations = &self.acceleration.accelerations;
        check(
            state.time,
            Quantity::Accelerations,
            M::VELOCITIES,
            accelerations,
        )?;
        Ok(margin)
    }

    /// Reason why a state that satisfies its constraint equations has no acceleration. Without a driver the equations
    /// contradict each other only if the velocity is along none of the motions that cross there.
    #[cold]
    fn why(&mut self, m: &M, state: &State<M>, stop: Stop) -> Stop {
        let is_driven = norm(&self.dense.phi_t) > M::Scalar::ZERO;
        match stop {
            Stop::Singular { .. } if !is_driven => self.undetermined(m, state),
            other => other,
        }
    }

    /// Names the constraint equation that depends on the others at this state.
    #[cold]
    pub(crate) fn undetermined(&mut self, m: &M, state: &State<M>) -> Stop {
        match self.factorize(m, state.view(), &RowValues::zero()) {
            Err(stop) => stop,
            Ok(()) => Stop::Undetermined {
                time: state.time.to_f64(),
                row: RowValues::<M>::name(self.dependent()),
            },
        }
    }

    /// The row that depended on the others when the rank was last determined, or the smallest row if that one
    /// vanishes.
    pub(crate) fn dependent(&self) -> usize {
        let diagonal = self.diagonal();
        let smaller = |a: usize, b: usize| if diagonal[b] < diagonal[a] { b } else { a };
        let smallest = || (0..M::Multipliers::LEN).fold(0, smaller);
        self.factor.dependent().unwrap_or_else(smallest)
    }

    /// The diagonal of D M⁻¹ Dᵀ that was factorised last.
    pub(crate) fn diagonal(&self) -> RowValues<M> {
        let mut diagonal = RowValues::zero();
        for row in 0..M::Multipliers::LEN {
            diagonal[row] = self.reduced.schur[(row, row)];
        }
        diagonal
    }

    /// The rank-revealing factor of D Dᵀ at this state, for [`Evaluation::dense_correction`].
    #[cold]
    pub(crate) fn factorize_plain(&mut self, m: &M, state: &State<M>) -> Result<(), Stop> {
        m.dense(state.view(), &mut self.dense);
        self.reduced.reduce_plain(&self.dense);
        let schur = &self.reduced.schur;
        check_rows::<M>(state.time, schur)?;
        self.factor
            .decompose(schur, M::Multipliers::LEN, M::Scalar::ZERO);
        self.orthogonal = None;
        Ok(())
    }

    /// Makes corrections after the dense path use all rows of which at least this part is new.
    #[cold]
    pub(crate) fn refine(&mut self, least: M::Scalar) {
        if self.path != SolvePath::Unrolled {
            self.orthogonalize(least);
        }
    }

    /// The same after any solve, for [`Evaluation::dense_correction`].
    #[cold]
    pub(crate) fn orthogonalize(&mut self, least: M::Scalar) {
        let made = Orthogonal::new(&mut self.dense, &mut self.reduced, least);
        self.orthogonal = Some(made);
    }

    /// −M⁻¹ Dᵀ (D M⁻¹ Dᵀ)⁺ r with the dense factor, and with the matrix that it has in place of M.
    #[cold]
    pub(crate) fn dense_correction(&self, residual: &M::Multipliers) -> M::Velocities {
        if let Some(orthogonal) = &self.orthogonal {
            return orthogonal.correction(&self.reduced, residual);
        }
        let b = RowValues {
            constraints: *residual,
            holds: M::Holds::zero(),
        };
        let y = self.factor.solve(&self.reduced.schur, &b);
        push(&self.reduced, M::Multipliers::LEN, |row| -y[row])
    }
}

/// Counts of the work that was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Evaluations of the dynamics.
    pub evaluations: usize,
    /// Factorisations, those of the evaluations included.
    pub factorizations: usize,
    /// Evaluations and Newton matrices that took the dense path.
    pub dense: usize,
    /// Newton iterations of implicit integrators.
    pub iterations: usize,
    /// Rejected steps, whose error was too large or whose iteration did not converge.
    pub rejections: usize,
}

impl core::ops::Sub for Counts {
    type Output = Self;
    fn sub(self, before: Self) -> Self {
        Self {
            evaluations: self.evaluations - before.evaluations,
            factorizations: self.factorizations - before.factorizations,
            dense: self.dense - before.dense,
            iterations: self.iterations - before.iterations,
            rejections: self.rejections - before.rejections,
        }
    }
}

/// The storage of a run: the last evaluation, its state, and the counts.
pub struct Workspace<M: Mechanism> {
    /// The last evaluation.
    pub evaluation: Evaluation<M>,
    /// Counts of the work so far.
    pub counts: Counts,
    kept: Option<KeptEvaluation<M>>,
}

/// The state at which an evaluation was read, so that the next step can begin with it.
struct KeptEvaluation<M: Mechanism> {
    state: State<M>,
    multipliers: Option<M::Multipliers>,
}

// Written by hand: a derive would require `M: Clone`, which is not needed here.

impl<M: Mechanism> Clone for Workspace<M> {
    fn clone(&self) -> Self {
        Self {
            evaluation: self.evaluation.clone(),
            counts: self.counts,
            kept: self.kept,
        }
    }
}

impl<M: Mechanism> fmt::Debug for Workspace<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Workspace")
            .field("evaluation", &self.evaluation)
            .field("counts", &self.counts)
            .finish_non_exhaustive()
    }
}

impl<M: Mechanism> Clone for KeptEvaluation<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: Mechanism> Copy for KeptEvaluation<M> {}

impl<M: Mechanism> Workspace<M> {
    /// Room for a run.
    pub fn zero() -> Self {
        Self {
            evaluation: Evaluation::zero(),
            counts: Counts::default(),
            kept: None,
        }
    }

    /// Evaluates anywhere, as the stages of a step do.
    #[inline]
    pub fn evaluate(&mut self, m: &M, state: StateView<'_, M>) -> Result<&Acceleration<M>, Stop> {
        self.kept = None;
        evaluate(m, state, &mut self.evaluation)?;
        self.count();
        Ok(&self.evaluation.acceleration)
    }

    /// The same by value, so that the next stage need not wait for the memory.
    #[inline(always)]
    pub(crate) fn slope(&mut self, m: &M, state: StateView<'_, M>) -> Result<Slope<M>, Stop> {
        let mut out = Acceleration::zero();
        m.accelerate(state, &mut out);
        if is_near(&out) {
            // Evaluated once more: what was found stays in registers in all other steps, and would not if it were
            // handed on by reference here. A call of its own, though cold, would cost the four-bar a sixth of its step.
            return self.evaluate(m, state).map(Slope::of);
        }
        let slope = Slope::of(&out);
        check(state.t, Quantity::Accelerations, M::VELOCITIES, &slope.v)?;
        self.kept = None;
        self.evaluation.acceleration = out;
        self.evaluation.path = SolvePath::Unrolled;
        self.count();
        Ok(slope)
    }

    /// The same with accelerations that counteract violations.
    #[inline]
    pub(crate) fn evaluate_with(
        &mut self,
        m: &M,
        state: StateView<'_, M>,
        gains: &Gains<M::Scalar>,
        accelerate: impl FnOnce(&mut Acceleration<M>),
    ) -> Result<&mut Acceleration<M>, Stop> {
        self.kept = None;
        evaluate_with(m, state, gains, &mut self.evaluation, accelerate)?;
        self.count();
        Ok(&mut self.evaluation.acceleration)
    }

    /// The same by the dense solve, even if the unrolled one is valid.
    #[cold]
    pub(crate) fn evaluate_densely(&mut self, m: &M, state: StateView<'_, M>) -> Result<(), Stop> {
        self.kept = None;
        evaluate_dense(m, state, &Gains::default(), &mut self.evaluation)?;
        self.count();
        Ok(())
    }

    /// The same by rows that are made orthonormal. Near a singular position this loses half as many digits as every
    /// other solve, but it takes longest. Returns the margin. It does not compute multipliers.
    #[cold]
    pub(crate) fn evaluate_orthogonally(
        &mut self,
        m: &M,
        state: &State<M>,
    ) -> Result<M::Scalar, Stop> {
        self.kept = None;
        let margin = self.evaluation.orthogonally(m, state)?;
        self.count();
        Ok(margin)
    }

    /// Evaluates at the beginning of a step, unless that was just done.
    #[inline]
    pub fn begin(&mut self, m: &M, state: &State<M>) -> Result<&Acceleration<M>, Stop> {
        if self.holds(state) {
            return Ok(&self.evaluation.acceleration);
        }
        self.evaluate(m, state.view())
    }

    /// Evaluates for an output; the next step begins with the same evaluation and does not repeat it.
    pub fn read(&mut self, m: &M, state: &State<M>) -> Result<&Acceleration<M>, Stop> {
        if !self.holds(state) {
            let found = self.evaluate(m, state.view());
            match found.is_ok_and(|found| !Nearness::is_unreadable(found.margin)) {
                true => self.keep(state),
                false => self.read_limit(m, state)?,
            }
        }
        Ok(&self.evaluation.acceleration)
    }

    /// The same very near a singular position: v̇ and λ are the limits along the motion, if there are any.
    #[cold]
    fn read_limit(&mut self, m: &M, state: &State<M>) -> Result<(), Stop> {
        let limit = match M::UNROLLED {
            true => passage::limit(m, self, state),
            false => None,
        };
        let found = self.evaluate(m, state.view()).map(|_| ());
        let Some((accelerations, multipliers)) = limit else {
            found.map_err(|stop| self.evaluation.why(m, state, stop))?;
            self.keep(state);
            return Ok(());
        };
        self.evaluation.acceleration.accelerations = accelerations;
        self.evaluation.acceleration.multipliers = multipliers;
        self.kept = Some(KeptEvaluation {
            state: *state,
            multipliers: Some(multipliers),
        });
        Ok(())
    }

    /// λ for an output: the one with the smallest reactions if constraint equations are redundant.
    pub fn read_multipliers(&mut self, m: &M, state: &State<M>) -> Result<M::Multipliers, Stop> {
        self.read(m, state)?;
        if let Some(KeptEvaluation {
            multipliers: Some(multipliers),
            ..
        }) = self.kept
        {
            return Ok(multipliers);
        }
        let multipliers = self.smallest_multipliers(m, state)?;
        self.kept = Some(KeptEvaluation {
            state: *state,
            multipliers: Some(multipliers),
        });
        Ok(multipliers)
    }

    /// The same at any state.
    pub(crate) fn multipliers_at(
        &mut self,
        m: &M,
        state: &State<M>,
    ) -> Result<M::Multipliers, Stop> {
        self.evaluate(m, state.view())?;
        self.smallest_multipliers(m, state)
    }

    /// λ of the last evaluation, with the smallest reactions.
    fn smallest_multipliers(&mut self, m: &M, state: &State<M>) -> Result<M::Multipliers, Stop> {
        if M::REDUNDANT.is_empty() || self.evaluation.path != SolvePath::Unrolled {
            return Ok(self.evaluation.acceleration.multipliers);
        }
        smallest_reactions(m, state, &mut self.evaluation)
    }

    /// The last evaluation was made at this state: a step that begins there does not repeat it.
    #[inline]
    pub fn keep(&mut self, state: &State<M>) {
        self.kept = Some(KeptEvaluation {
            state: *state,
            multipliers: None,
        });
    }

    /// One more evaluation, with its factorisation.
    #[inline]
    pub fn count(&mut self) {
        self.counts.evaluations += 1;
        self.counts.factorizations += 1;
        self.counts.dense += usize::from(self.evaluation.path != SolvePath::Unrolled);
    }

    /// Forgets the last evaluation, because inputs or parameters changed.
    pub fn forget(&mut self) {
        self.kept = None;
    }

    #[inline]
    pub(crate) fn holds(&self, state: &State<M>) -> bool {
        self.kept.as_ref().is_some_and(|kept| {
            kept.state.time == state.time && kept.state.q == state.q && kept.state.v == state.v
        })
    }
}
