//! The integrators.

use super::Evaluate;
use super::machine::{InterpretedEvaluation, Machine, Moment, add};
use crate::description::Integrator;
use crate::kernel::{Array, Name};
use crate::numeric::State;

impl<E: Evaluate> Machine<'_, E> {
    /// One step to the time `next`.
    pub(crate) fn advance(
        &mut self,
        moment: &mut Moment,
        next: f64,
        integrator: Integrator,
    ) -> Result<(), String> {
        let h = next - moment.state.t;
        match integrator {
            Integrator::Rk4 => self.rk4(moment, h)?,
            Integrator::SemiImplicitEuler => self.semi_implicit_euler(moment, h)?,
            other => return Err(format!("`{}` is not interpreted", other.word())),
        }
        moment.state.t = next;
        self.normalize(&mut moment.state);
        Ok(())
    }

    /// y ← y + h/6 (k₁ + 2 k₂ + 2 k₃ + k₄)
    fn rk4(&mut self, moment: &mut Moment, h: f64) -> Result<(), String> {
        let start = &moment.state;
        let k1 = self.begin(start)?;
        let k2 = self.evaluate(&moved(start, &k1, h / 2.0))?;
        let k3 = self.evaluate(&moved(start, &k2, h / 2.0))?;
        let k4 = self.evaluate(&moved(start, &k3, h))?;
        for (k, weight) in [(k1, 1.0), (k2, 2.0), (k3, 2.0), (k4, 1.0)] {
            let share = weight * h / 6.0;
            moment.state = moved(&moment.state, &k, share);
            moment.work += share * k.power;
        }
        Ok(())
    }

    /// v ← v + h v̇,  q ← q moved along h v
    fn semi_implicit_euler(&mut self, moment: &mut Moment, h: f64) -> Result<(), String> {
        let state = &mut moment.state;
        let k = self.begin(state)?;
        add(&mut state.v, h, &k.accelerations);
        moment.work += h * k.power;
        let mut travel = state.at_rest();
        add(&mut travel.v, h, &state.v);
        self.call_at(Name::Advance, &travel);
        state.q = self.take(Array::Coordinates);
        Ok(())
    }

    /// Scales Euler parameters back to unit length.
    pub(super) fn normalize(&mut self, state: &mut State) {
        self.call_at(Name::Normalize, state);
        state.q = self.take(Array::Coordinates);
    }
}

/// y + h k
fn moved(state: &State, k: &InterpretedEvaluation, h: f64) -> State {
    let mut moved = state.clone();
    moved.t += h;
    add(&mut moved.q, h, &k.rates);
    add(&mut moved.v, h, &k.accelerations);
    moved
}
