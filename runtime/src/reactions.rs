//! Reactions of redundant constraints.
//!
//! Where constraint equations are redundant, the motion is unique and the reactions are not: with n a null vector of
//! Dᵀ, λ + n balances the same forces. n is a state of self-stress. Of all λ, readers get the one whose reactions have
//! the smallest sum of squares,
//!
//! ```text
//! min over z of |R(λ + N z)|²        Dᵀ N = 0        R affine in λ
//! ```
//!
//! with R the forces (N) and torques (N m) in all joints, about the point of the second body, and the multipliers of
//! the couplings. R does not depend on the coordinates, so every formulation has the same reactions. The smallest λ
//! would depend on them: joint coordinates have multipliers only for the joints that close loops.

use crate::arithmetic::{add_scaled, dot};
use crate::{Evaluation, Mechanism, Real, RowValues, State, Stop, Vector};

/// A self-stress that no joint or coupling feels by more than this share of its size is not a self-stress of the
/// mechanism, but of the points inside a body.
const FELT: f64 = 1e-7;

/// λ with the smallest reactions, from the accelerations and one possible λ in `evaluation`. The dense equations there
/// become those of this state.
#[cold]
pub(crate) fn smallest_reactions<M: Mechanism>(
    m: &M,
    state: &State<M>,
    evaluation: &mut Evaluation<M>,
) -> Result<M::Multipliers, Stop> {
    evaluation.factorize(m, state.view(), &independent())?;
    let felt = Felt::new(m, state, &evaluation.acceleration.accelerations);
    let mut multipliers = evaluation.acceleration.multipliers;
    // Once factorised, the matrix is not needed any more. Its rows keep the self-stresses.
    let kept = &mut evaluation.reduced.schur;
    let mut n_kept = 0;
    for row in evaluation.factor.dependents() {
        let mut stress = evaluation.factor.null_vector(row).constraints;
        let mut reactions = felt.stress(&stress);
        let whole = dot(&stress, &stress).sqrt();
        for k in 0..n_kept {
            let other = read::<M>(kept, k);
            let others = felt.stress(&other);
            let along = reactions.dot(&others);
            add_scaled(&mut stress, -along, &other);
            reactions.add_scaled(-along, &others);
        }
        let size = reactions.dot(&reactions).sqrt();
        if size > M::Scalar::from_f64(FELT) * whole {
            write::<M>(kept, n_kept, &stress, size);
            n_kept += 1;
        }
    }
    for k in 0..n_kept {
        let stress = read::<M>(kept, k);
        let along = felt.all(&multipliers).dot(&felt.stress(&stress));
        add_scaled(&mut multipliers, -along, &stress);
    }
    Ok(multipliers)
}

/// Redundant rows are not taken, whatever round-off makes of them. In joint coordinates all entries of such a row may
/// be zero.
fn independent<M: Mechanism>() -> RowValues<M> {
    let mut usual = RowValues::zero();
    for &row in M::REDUNDANT {
        usual[row] = M::Scalar::ONE / M::Scalar::ZERO;
    }
    usual
}

fn read<M: Mechanism>(kept: &M::Schur, row: usize) -> M::Multipliers {
    let mut stress = M::Multipliers::zero();
    for k in 0..M::Multipliers::LEN {
        stress[k] = kept[(row, k)];
    }
    stress
}

fn write<M: Mechanism>(kept: &mut M::Schur, row: usize, stress: &M::Multipliers, size: M::Scalar) {
    for k in 0..M::Multipliers::LEN {
        kept[(row, k)] = stress[k] / size;
    }
}

/// Forces of multipliers on joints and couplings at a state.
struct Felt<'a, M: Mechanism> {
    mechanism: &'a M,
    state: &'a State<M>,
    accelerations: &'a M::Velocities,
    /// Without multipliers.
    none: M::Reactions,
}

impl<'a, M: Mechanism> Felt<'a, M> {
    fn new(mechanism: &'a M, state: &'a State<M>, accelerations: &'a M::Velocities) -> Self {
        let mut felt = Self {
            mechanism,
            state,
            accelerations,
            none: M::Reactions::zero(),
        };
        felt.none = felt.all(&M::Multipliers::zero()).joints;
        felt
    }

    /// R(λ)
    fn all(&self, multipliers: &M::Multipliers) -> Reactions<M> {
        let mut joints = M::Reactions::zero();
        self.mechanism.reactions(
            self.state.view(),
            self.accelerations,
            multipliers,
            &mut joints,
        );
        let mut couplings = M::Multipliers::zero();
        for &row in M::COUPLINGS {
            couplings[row] = multipliers[row];
        }
        Reactions { joints, couplings }
    }

    /// R(n) − R(0)
    fn stress(&self, stress: &M::Multipliers) -> Reactions<M> {
        let mut reactions = self.all(stress);
        add_scaled(&mut reactions.joints, -M::Scalar::ONE, &self.none);
        reactions
    }
}

struct Reactions<M: Mechanism> {
    joints: M::Reactions,
    couplings: M::Multipliers,
}

impl<M: Mechanism> Reactions<M> {
    fn dot(&self, other: &Self) -> M::Scalar {
        dot(&self.joints, &other.joints) + dot(&self.couplings, &other.couplings)
    }

    fn add_scaled(&mut self, factor: M::Scalar, other: &Self) {
        add_scaled(&mut self.joints, factor, &other.joints);
        add_scaled(&mut self.couplings, factor, &other.couplings);
    }
}
