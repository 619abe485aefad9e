//! Direct correction that also keeps the energy balance.

use super::contract::{ConstraintLevel, Goals};
use super::direct_correction::MassWeighted;
use crate::arithmetic::{add_scaled, larger, norm, sum_scaled};
use crate::{
    Energy, Mechanism, Projection, Real, Stabilizer, State, StateView, Stop, Vector, Workspace,
};

/// Direct correction, and after it the smallest change of the velocities, in the mass metric, that keeps the
/// constraints and restores kinetic + potential energy − work to its value at the start:
///
/// ```text
/// v = u + w,  D u = −Φ_t along the constraint forces,  D w = 0        w ← s w,  s² = 1 − ΔE/T(w)
/// ```
///
/// u and w are orthogonal in that metric, so T(v) = T(u) + T(w), and only w can change. Without prescribed motions u
/// = 0 and v ← s v. The deviation is the error of one step, so s is near to 1 by that error, and the integrator keeps
/// its order. Where w almost vanishes, it would have to change by more than that; the balance is then restored in
/// later steps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EnergyCorrection {
    /// When the passes of the direct correction end.
    pub goals: Goals,
}

/// Memory of the energy correction from step to step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EnergyMemory<T> {
    /// Kinetic + potential energy − work at the start.
    balance: Option<T>,
    /// The largest kinetic energy of w so far.
    most: T,
}

/// w counts as vanished below this share of its largest kinetic energy: it is slower than a thirtieth of its largest
/// speed.
const REST: f64 = 1e-3;

impl<M: Mechanism> Stabilizer<M> for EnergyCorrection {
    type Memory = EnergyMemory<M::Scalar>;

    #[inline]
    fn projects(&self) -> bool {
        true
    }

    fn memory(&self) -> Self::Memory {
        EnergyMemory {
            balance: None,
            most: M::Scalar::ZERO,
        }
    }

    #[inline]
    fn begin(&self, m: &M, state: &State<M>, memory: &mut Self::Memory) {
        if memory.balance.is_none() {
            memory.balance = Some(balance(m, state));
        }
    }

    #[inline]
    fn project(
        &self,
        m: &M,
        state: &mut State<M>,
        workspace: &mut Workspace<M>,
        memory: &mut Self::Memory,
    ) -> Result<Projection<M::Scalar>, Stop> {
        let mut corrector = MassWeighted(workspace);
        let mut projection = self.goals.project(m, state, &mut corrector)?;
        let Some(driven) = prescribed(m, state, corrector.0) else {
            memory.restore(m, state, None);
            return Ok(projection);
        };
        // u comes from a factor that is one stage old, so w is not quite along the manifold. The second time removes
        // the change that the projection has made.
        for _ in 0..2 {
            memory.restore(m, state, Some(&driven));
            let contracted =
                self.goals
                    .contract(m, state, ConstraintLevel::Velocity, &mut corrector)?;
            projection.velocity_passes += contracted.0;
            projection.phi_dot = contracted.1;
        }
        Ok(projection)
    }
}

/// Kinetic + potential energy − work.
#[inline]
fn balance<M: Mechanism>(m: &M, state: &State<M>) -> M::Scalar {
    let Energy { kinetic, potential } = m.energy(state.view());
    kinetic + potential - state.work
}

/// u = −M⁻¹ Dᵀ (D M⁻¹ Dᵀ)⁻¹ Φ_t, if motions are prescribed: Φ_t is Φ̇ without velocities.
#[inline]
fn prescribed<M: Mechanism>(
    m: &M,
    state: &State<M>,
    workspace: &Workspace<M>,
) -> Option<M::Velocities> {
    if M::Multipliers::LEN == 0 {
        return None;
    }
    let mut phi_t = M::Multipliers::zero();
    let still = StateView {
        v: &M::Velocities::zero(),
        ..state.view()
    };
    m.velocity_constraints(still, &mut phi_t);
    (norm(&phi_t) > M::Scalar::ZERO).then(|| {
        let mut u = M::Velocities::zero();
        workspace.evaluation.velocity_correction(m, &phi_t, &mut u);
        u
    })
}

impl<T: Real> EnergyMemory<T> {
    /// v ← v + x w with T(w) x² + (vᵀ M w) x + ΔE = 0; without prescribed motions w = v and vᵀ M w = 2 T(v).
    #[inline]
    fn restore<M: Mechanism<Scalar = T>>(
        &mut self,
        m: &M,
        state: &mut State<M>,
        driven: Option<&M::Velocities>,
    ) {
        let Some(goal) = self.balance else { return };
        let State { time, q, v, work } = state;
        let (t, q) = (*time, &*q);
        let energy = m.energy(StateView { t, q, v });
        let off = energy.kinetic + energy.potential - *work - goal;
        let kinetic = |v: &M::Velocities| m.energy(StateView { t, q, v }).kinetic;
        let two = T::ONE + T::ONE;
        let (free, own, product) = match driven {
            None => (*v, energy.kinetic, two * energy.kinetic),
            Some(u) => {
                let free = sum_scaled(v, -T::ONE, u);
                let own = kinetic(&free);
                let both = kinetic(&sum_scaled(v, T::ONE, &free));
                (free, own, both - energy.kinetic - own)
            }
        };
        self.most = larger(self.most, own);
        let root = (product * product - two * two * own * off).sqrt();
        let moves = own > self.most * T::from_f64(REST) && off.abs() < own && root > T::ZERO;
        if moves {
            add_scaled(v, -two * off / (product + root), &free);
        }
    }
}
