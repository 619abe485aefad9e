//! The penalty method, repeated until the constraint equations hold, and the same with projections.

use super::contract::{ConstraintLevel, Corrector, Goals, move_by};
use super::penalty::{Penalty, PenaltyMemory};
use crate::arithmetic::{add, add_scaled, norm, norm_and_distance, scaled, sum_scaled};
use crate::{
    Acceleration, Evaluation, Gains, Penalized, Projection, Real, SolvePath, Stabilizer, State,
    StateView, Stop, Vector, Workspace,
};

/// The penalty method, repeated with the forces that it found,
///
/// ```text
/// (M + α DᵀD) v̇ᵢ₊₁ = M v̇ᵢ − α Dᵀ(−γ + 2 µ ω Φ̇ + ω² Φ)
/// ```
///
/// until the multipliers are constant. The limit is Baumgarte's method with 2 µ ω and ω². With c = 1/α a repetition
/// is one back-substitution and needs no residual: Δλ = (D M⁻¹ Dᵀ + c)⁻¹ c δ, where δ is the last change of λ. It
/// starts from the λ* of the previous evaluation, D v̇ + c (λ − λ*) = γ − 2 µ ω Φ̇ − ω² Φ, so that most evaluations
/// need no repetition.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AugmentedLagrangian {
    /// The penalty method that is repeated.
    pub penalty: Penalty,
    /// The change of multipliers that the next repetition may make, relative to the largest of them.
    pub tolerance: f64,
    /// Most repetitions.
    pub max_iterations: usize,
}

impl Default for AugmentedLagrangian {
    fn default() -> Self {
        Self {
            penalty: Penalty::default(),
            tolerance: 1e-8,
            max_iterations: 10,
        }
    }
}

impl AugmentedLagrangian {
    #[inline]
    fn accelerate<'w, M: Penalized>(
        &self,
        m: &M,
        state: StateView<'_, M>,
        workspace: &'w mut Workspace<M>,
        memory: &mut PenaltyMemory<M>,
    ) -> Result<&'w Acceleration<M>, Stop> {
        memory.accelerate(&self.penalty.gains(), m, state, workspace)?;
        let Evaluation {
            path, acceleration, ..
        } = &mut workspace.evaluation;
        // The dense path has solved with rigid constraint equations, which is the limit.
        if *path == SolvePath::Unrolled {
            self.iterate(m, acceleration, memory);
        }
        memory.multipliers = acceleration.multipliers;
        Ok(&workspace.evaluation.acceleration)
    }

    /// Repetitions contract linearly, at a rate that changes little from one evaluation to the next. A repetition
    /// that would change nothing is therefore left out.
    #[inline]
    fn iterate<M: Penalized>(
        &self,
        m: &M,
        out: &mut Acceleration<M>,
        memory: &mut PenaltyMemory<M>,
    ) {
        let (largest, mut size) = norm_and_distance(&out.multipliers, &memory.multipliers);
        let small = M::Scalar::from_f64(self.tolerance) * largest;
        if memory.ratio * size <= small {
            return;
        }
        let compliance = self.penalty.gains::<M::Scalar>().compliance;
        let mut added = sum_scaled(&out.multipliers, -M::Scalar::ONE, &memory.multipliers);
        for _ in 0..self.max_iterations {
            if memory.ratio * size <= small {
                break;
            }
            let left = scaled(&added, compliance);
            let mut change = M::Velocities::zero();
            m.penalty_correction(&memory.factor, &left, &mut change, &mut added);
            add_scaled(&mut out.accelerations, -M::Scalar::ONE, &change);
            add(&mut out.multipliers, &added);
            let before = core::mem::replace(&mut size, norm(&added));
            memory.ratio = size / before;
        }
    }
}

impl<M: Penalized> Stabilizer<M> for AugmentedLagrangian {
    type Memory = PenaltyMemory<M>;

    const PLAIN: bool = false;

    fn memory(&self) -> PenaltyMemory<M> {
        PenaltyMemory::new()
    }

    #[inline]
    fn evaluate<'w>(
        &self,
        m: &M,
        state: StateView<'_, M>,
        workspace: &'w mut Workspace<M>,
        memory: &mut PenaltyMemory<M>,
    ) -> Result<&'w Acceleration<M>, Stop> {
        self.accelerate(m, state, workspace, memory)
    }
}

/// [`AugmentedLagrangian`] with mass-orthogonal projections after each step (index-1 ALF, Bayo and Ledesma),
/// for positions
///
/// ```text
/// (M + α DᵀD) Δq = −[ M (qᵢ − q*) + Dᵀ(λᵢ + α Φᵢ) ]        λᵢ₊₁ = λᵢ + α Φᵢ₊₁        λ₀ = 0
/// ```
///
/// and for velocities (M + α DᵀD) vᵢ₊₁ = M vᵢ − α Dᵀ Φ_t, with the matrix and the D of the last stage.
/// With c = 1/α and qᵢ − q* = −M⁻¹ Dᵀ yᵢ both are back-substitutions:
///
/// ```text
/// Δq = −M⁻¹ Dᵀ Δy        Δy = (D M⁻¹ Dᵀ + c)⁻¹ (c (λᵢ − yᵢ) + Φᵢ)        Δv = −M⁻¹ Dᵀ (D M⁻¹ Dᵀ + c)⁻¹ Φ̇
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AugmentedLagrangianProjections {
    /// The method for accelerations.
    pub accelerations: AugmentedLagrangian,
    /// When the passes of the projections end.
    pub goals: Goals,
}

impl<M: Penalized> Stabilizer<M> for AugmentedLagrangianProjections {
    type Memory = PenaltyMemory<M>;

    const PLAIN: bool = false;

    #[inline]
    fn projects(&self) -> bool {
        true
    }

    fn memory(&self) -> PenaltyMemory<M> {
        PenaltyMemory::new()
    }

    #[inline]
    fn evaluate<'w>(
        &self,
        m: &M,
        state: StateView<'_, M>,
        workspace: &'w mut Workspace<M>,
        memory: &mut PenaltyMemory<M>,
    ) -> Result<&'w Acceleration<M>, Stop> {
        let method = &self.accelerations;
        method.accelerate(m, state, workspace, memory)
    }

    #[inline]
    fn project(
        &self,
        m: &M,
        state: &mut State<M>,
        workspace: &mut Workspace<M>,
        memory: &mut PenaltyMemory<M>,
    ) -> Result<Projection<M::Scalar>, Stop> {
        let mut corrector = MassOrthogonal {
            gains: self.accelerations.penalty.gains(),
            workspace,
            memory,
            multipliers: None,
            moved: M::Multipliers::zero(),
            is_fresh: false,
        };
        self.goals.project(m, state, &mut corrector)
    }
}

/// Passes with the factor of the last evaluation.
struct MassOrthogonal<'w, M: Penalized> {
    gains: Gains<M::Scalar>,
    workspace: &'w mut Workspace<M>,
    memory: &'w mut PenaltyMemory<M>,
    /// λ, once there was a pass.
    multipliers: Option<M::Multipliers>,
    /// y
    moved: M::Multipliers,
    /// Whether the factor belongs to a state that the passes have reached.
    is_fresh: bool,
}

impl<M: Penalized> MassOrthogonal<'_, M> {
    /// c (λᵢ − yᵢ) + Φᵢ with λᵢ = λᵢ₋₁ + Φᵢ/c; at first λ and y are zero.
    #[inline]
    fn right(&mut self, phi: &M::Multipliers) -> M::Multipliers {
        let compliance = self.gains.compliance;
        let Some(mut lambda) = self.multipliers else {
            self.multipliers = Some(M::Multipliers::zero());
            return *phi;
        };
        add_scaled(&mut lambda, M::Scalar::ONE / compliance, phi);
        self.multipliers = Some(lambda);
        let mut right = *phi;
        add_scaled(&mut right, compliance, &lambda);
        add_scaled(&mut right, -compliance, &self.moved);
        right
    }
}

impl<M: Penalized> Corrector<M> for MassOrthogonal<'_, M> {
    #[inline]
    fn correct(
        &mut self,
        m: &M,
        state: &mut State<M>,
        level: ConstraintLevel,
        residual: &M::Multipliers,
    ) -> Result<(), Stop> {
        let mut step = M::Velocities::zero();
        if self.workspace.evaluation.path == SolvePath::Unrolled {
            let mut more = M::Multipliers::zero();
            match level {
                ConstraintLevel::Velocity => {
                    let factor = &self.memory.factor;
                    m.penalty_correction(factor, residual, &mut step, &mut more);
                }
                ConstraintLevel::Position => {
                    let right = self.right(residual);
                    let factor = &self.memory.factor;
                    m.penalty_correction(factor, &right, &mut step, &mut more);
                    add(&mut self.moved, &more);
                }
            }
        } else {
            step = self.workspace.evaluation.dense_correction(residual);
        }
        move_by(m, state, level, &step);
        Ok(())
    }

    /// Positions continue from the present state, because y belongs to the old D. Where rows become dependent, D M⁻¹
    /// Dᵀ is less than c in some direction, and passes with compliant constraint equations hardly move along it.
    /// Rigid ones remove the violation that a fresh factor leaves.
    #[cold]
    fn refactor(&mut self, m: &M, state: &State<M>, least: M::Scalar) -> Result<(), Stop> {
        match self.is_fresh {
            false => drop(
                self.memory
                    .accelerate(&self.gains, m, state.view(), self.workspace)?,
            ),
            true => self.workspace.evaluate_densely(m, state.view())?,
        }
        self.workspace.evaluation.refine(least);
        (self.multipliers, self.moved) = (None, M::Multipliers::zero());
        self.is_fresh = true;
        Ok(())
    }
}
