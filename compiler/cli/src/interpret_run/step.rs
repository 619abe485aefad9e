//! The integrators.

use super::Evaluate;
use super::machine::{Evaluation, Machine, State, add};
use crate::description::Integrator;
use crate::kernel::{Array, Name};

impl<E: Evaluate> Machine<'_, E> {
    /// One step to the time `next`.
    pub(crate) fn advance(
        &mut self,
        state: &mut State,
        next: f64,
        integrator: Integrator,
    ) -> Result<(), String> {
        let h = next - state.time;
        match integrator {
            Integrator::Rk4 => self.rk4(state, h)?,
            Integrator::SemiImplicitEuler => self.semi_implicit_euler(state, h)?,
            other => return Err(format!("`{}` is not interpreted", other.word())),
        }
        state.time = next;
        self.normalize(state);
        Ok(())
    }

    /// y ← y + h/6 (k₁ + 2 k₂ + 2 k₃ + k₄)
    fn rk4(&mut self, state: &mut State, h: f64) -> Result<(), String> {
        let k1 = self.begin(state)?;
        let k2 = self.evaluate(&moved(state, &k1, h / 2.0))?;
        let k3 = self.evaluate(&moved(state, &k2, h / 2.0))?;
        let k4 = self.evaluate(&moved(state, &k3, h))?;
        for (k, weight) in [(k1, 1.0), (k2, 2.0), (k3, 2.0), (k4, 1.0)] {
            *state = State {
                time: state.time,
                ..moved(state, &k, weight * h / 6.0)
            };
        }
        Ok(())
    }

    /// v ← v + h v̇,  q ← q moved along h v
    fn semi_implicit_euler(&mut self, state: &mut State, h: f64) -> Result<(), String> {
        let k = self.begin(state)?;
        add(&mut state.v, h, &k.accelerations);
        state.work += h * k.power;
        let mut travel = State {
            v: vec![0.0; state.v.len()],
            ..state.clone()
        };
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
fn moved(state: &State, k: &Evaluation, h: f64) -> State {
    let mut moved = state.clone();
    moved.time += h;
    moved.work += h * k.power;
    add(&mut moved.q, h, &k.rates);
    add(&mut moved.v, h, &k.accelerations);
    moved
}
