//! Mass-weighted direct correction.

use crate::arithmetic::{add, exceeds, norm};
use crate::{Mechanism, Projection, Real, Stabilizer, State, Stop, Vector, Workspace};

/// Repeats, with the factor that the integrator left,
///
/// ```text
/// q ← q − T M⁻¹ Dᵀ (D M⁻¹ Dᵀ)⁻¹ Φ        v ← v − M⁻¹ Dᵀ (D M⁻¹ Dᵀ)⁻¹ Φ̇
/// ```
///
/// until the violation is round-off: the smallest move in the mass metric. A violation that already is
/// round-off costs one residual.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DirectCorrection {
    /// Violation to reach, in units of round-off at the size of the mechanism.
    pub goal: f64,
    /// Violation above which the projection has failed, relative to the size of the mechanism.
    pub limit: f64,
    /// Most passes at each level.
    pub max_passes: usize,
}

impl Default for DirectCorrection {
    fn default() -> Self {
        Self {
            goal: 16.0,
            limit: 1e-8,
            max_passes: 10,
        }
    }
}

/// A pass that leaves more than this share of the violation asks for a fresh factor.
const SLOW: f64 = 0.25;
/// Passes with one factor; more cost as much as a fresh one.
const FROZEN: usize = 4;
/// A violation below this many goals that falls no further is round-off that the goal did not foresee.
const FLOOR: f64 = 64.0;
/// Fresh factors at each level.
const MAX_REFACTORS: usize = 3;

impl<M: Mechanism> Stabilizer<M> for DirectCorrection {
    type Memory = ();

    fn memory(&self) {}

    fn project(
        &self,
        m: &M,
        state: &mut State<M>,
        workspace: &mut Workspace<M>,
        (): &mut (),
    ) -> Result<Projection<M::Scalar>, Stop> {
        if M::Multipliers::LEN == 0 {
            m.normalize(&mut state.q);
            return Ok(Projection::default());
        }
        let mut surface = Surface {
            m,
            state,
            workspace,
            residual: M::Multipliers::zero(),
        };
        surface.m.normalize(&mut surface.state.q);
        let (position_passes, phi) = self.contract(&mut surface, Level::Position)?;
        let (velocity_passes, phi_dot) = self.contract(&mut surface, Level::Velocity)?;
        Ok(Projection {
            position_passes,
            velocity_passes,
            phi,
            phi_dot,
        })
    }
}

impl DirectCorrection {
    /// Passes until the violation at one level is round-off; how many, and what is left.
    #[inline]
    fn contract<M: Mechanism>(
        &self,
        surface: &mut Surface<M>,
        level: Level,
    ) -> Result<(usize, M::Scalar), Stop> {
        let scale = surface.scale(level);
        let goal = M::Scalar::EPSILON * M::Scalar::from_f64(self.goal) * scale;
        let mut violation = surface.violation(level);
        let (mut passes, mut refactors) = (0, 0);
        while exceeds(violation, goal) && passes < self.max_passes {
            let before = violation;
            surface.correct(level);
            violation = surface.violation(level);
            passes += 1;
            let stuck = exceeds(violation, before * M::Scalar::from_f64(SLOW));
            if violation <= goal || !(stuck || passes % FROZEN == 0) {
                continue;
            }
            let floor = goal * M::Scalar::from_f64(FLOOR);
            if stuck && (before <= floor || refactors == MAX_REFACTORS) {
                break;
            }
            surface.refactor()?;
            refactors += 1;
        }
        let limit =
            M::Scalar::from_f64(self.limit).max(M::Scalar::EPSILON * M::Scalar::from_f64(1e3));
        if violation <= limit * scale {
            return Ok((passes, violation));
        }
        let (time, residual) = (surface.state.time.to_f64(), violation.to_f64());
        Err(Stop::ProjectionFailed {
            time,
            residual,
            passes,
        })
    }
}

/// At which level the constraints are violated.
#[derive(Clone, Copy)]
enum Level {
    Position,
    Velocity,
}

/// The state and what a pass needs.
struct Surface<'a, M: Mechanism> {
    m: &'a M,
    state: &'a mut State<M>,
    workspace: &'a mut Workspace<M>,
    residual: M::Multipliers,
}

impl<M: Mechanism> Surface<'_, M> {
    /// How large Φ and Φ̇ can be: the size of the mechanism, and that a second plus the speed.
    #[inline]
    fn scale(&self, level: Level) -> M::Scalar {
        let size = M::Scalar::from_f64(M::SIZE);
        match level {
            Level::Position => size,
            Level::Velocity => size + norm(&self.state.v),
        }
    }

    /// ‖Φ‖∞ or ‖Φ̇‖∞
    #[inline]
    fn violation(&mut self, level: Level) -> M::Scalar {
        let State { time, q, v, .. } = &*self.state;
        match level {
            Level::Position => self.m.constraints(*time, q, &mut self.residual),
            Level::Velocity => self.m.velocity_constraints(*time, q, v, &mut self.residual),
        }
        norm(&self.residual)
    }

    /// One pass.
    #[inline]
    fn correct(&mut self, level: Level) {
        let Self {
            m,
            state,
            workspace,
            residual,
        } = self;
        match level {
            Level::Position => {
                let mut dq = M::Coordinates::zero();
                workspace
                    .evaluation
                    .position_correction(m, &state.q, residual, &mut dq);
                add(&mut state.q, &dq);
                m.normalize(&mut state.q);
            }
            Level::Velocity => {
                let mut dv = M::Velocities::zero();
                workspace
                    .evaluation
                    .velocity_correction(m, residual, &mut dv);
                add(&mut state.v, &dv);
            }
        }
    }

    /// A fresh factor, where the passes have come to.
    #[cold]
    fn refactor(&mut self) -> Result<(), Stop> {
        let State { time, q, v, .. } = &*self.state;
        self.workspace.evaluate(self.m, *time, q, v)?;
        Ok(())
    }
}
