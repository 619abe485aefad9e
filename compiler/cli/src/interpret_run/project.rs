//! Projection to the manifold after a step, and assembly at the start.

use super::Evaluate;
use super::machine::{Machine, State, add, largest};
use super::solve::Dense;
use crate::kernel::{Array, Name};

/// The violation that a projection aims at, in units of round-off at the size of the mechanism.
const GOAL: f64 = 16.0;
/// Violation above which a projection has failed, relative to the size of the mechanism.
const LIMIT: f64 = 1e-8;
/// Allowed violation of redundant equations at the start and later, relative to the size of the mechanism, as in
/// `runtime/src/redundant.rs`.
const AT_START: f64 = 1e-5;
const IN_A_RUN: f64 = 2e-3;
const MAX_PASSES: usize = 10;
const MAX_ITERATIONS: usize = 100;

impl<E: Evaluate> Machine<'_, E> {
    /// Direct correction with the factor of the last evaluation, or densely where there is none:
    ///
    /// ```text
    /// q ← q − T M⁻¹ Dᵀ (D M⁻¹ Dᵀ)⁻¹ Φ        v ← v − M⁻¹ Dᵀ (D M⁻¹ Dᵀ)⁻¹ Φ̇
    /// ```
    pub(crate) fn project(&mut self, state: &mut State) -> Result<(), String> {
        if self.sizes.constraints == 0 {
            return Ok(());
        }
        let scale = self.size;
        self.contract(state, scale, Name::Constraints, Self::correct_position)?;
        let scale = self.size + largest(&state.v);
        self.contract(
            state,
            scale,
            Name::VelocityConstraints,
            Self::correct_velocity,
        )
    }

    /// Repeats passes until the violation is round-off or falls no further.
    fn contract(
        &mut self,
        state: &mut State,
        scale: f64,
        level: Name,
        correct: fn(&mut Self, &mut State, &[f64]),
    ) -> Result<(), String> {
        let mut last = f64::INFINITY;
        for _ in 0..MAX_PASSES {
            self.call_at(level, state);
            let residual = self.take(Array::Constraints);
            let violation = largest(&self.independent(residual.clone()));
            let settled = violation <= GOAL * f64::EPSILON * scale;
            if settled || (violation >= last && violation <= LIMIT * scale) {
                return self.agrees(state, IN_A_RUN * scale.max(1.0), &residual);
            }
            last = violation;
            correct(self, state, &residual);
        }
        self.call_at(level, state);
        let residual = self.take(Array::Constraints);
        let violation = largest(&self.independent(residual.clone()));
        if violation <= LIMIT * scale {
            return self.agrees(state, IN_A_RUN * scale.max(1.0), &residual);
        }
        Err(format!(
            "the projection failed at {} s: {violation:.1e} is left",
            state.time
        ))
    }

    /// Checks that rounding explains the violation of the redundant equations.
    fn agrees(&self, state: &State, limit: f64, residual: &[f64]) -> Result<(), String> {
        let violation = largest(residual);
        let is_rounding = violation <= limit || self.rows.redundant.is_empty();
        match is_rounding {
            true => Ok(()),
            false => Err(format!(
                "redundant constraint equations contradict the others by {violation:.1e} at {} s",
                state.time
            )),
        }
    }

    /// The residual with zeros for redundant equations.
    fn independent(&self, mut residual: Vec<f64>) -> Vec<f64> {
        for row in &self.rows.redundant {
            residual[*row] = 0.0;
        }
        residual
    }

    fn correct_position(&mut self, state: &mut State, phi: &[f64]) {
        if self.factored {
            self.memory.set(Array::Constraints, phi);
            self.call_at(Name::PositionCorrection, state);
            let change = self.take(Array::Rates);
            add(&mut state.q, 1.0, &change);
        } else {
            let change = Dense::at(self, state).correction(phi);
            self.shift(state, &change, 1.0);
        }
        self.normalize(state);
    }

    fn correct_velocity(&mut self, state: &mut State, phi_dot: &[f64]) {
        let change = if self.factored {
            self.memory.set(Array::Constraints, phi_dot);
            self.call_at(Name::VelocityCorrection, state);
            self.take(Array::Velocities)
        } else {
            Dense::at(self, state).correction(phi_dot)
        };
        add(&mut state.v, 1.0, &change);
    }

    /// q ← q + α T Δ
    fn shift(&mut self, state: &mut State, change: &[f64], alpha: f64) {
        let velocities = change.to_vec();
        let moving = State {
            v: velocities,
            ..state.clone()
        };
        self.call_at(Name::Rates, &moving);
        let rates = self.take(Array::Rates);
        add(&mut state.q, alpha, &rates);
    }

    /// A consistent start from a guess, with the holds unchanged: steps of the smallest size in the mass metric, halved
    /// until they help, bring r = (Φ; h − h₀) to zero. The velocities follow.
    pub(crate) fn assemble(&mut self, mut state: State) -> Result<State, String> {
        self.call_at(Name::Holds, &state);
        let mut held = self.take(Array::HoldValues);
        let mut held_rates = self.take(Array::HoldRates);
        // Constraint equations that springs replace are closed, too.
        let first = self.sizes.holds - self.sizes.compliant;
        held[first..].fill(0.0);
        held_rates[first..].fill(0.0);
        // Redundant rows help from afar. Where they keep the residual from zero, the rest is done without them.
        let redundant = self.rows.redundant.clone();
        let mut left_out: &[usize] = &[];
        if self.close(&mut state, left_out, &held) > LIMIT * self.size && !redundant.is_empty() {
            left_out = &redundant;
        }
        let open = self.close(&mut state, left_out, &held);
        // A comparison that is false for NaN.
        let closed = open <= LIMIT * self.size;
        if !closed {
            return Err(self.unclosed(&state, left_out, &held));
        }
        self.call_at(Name::Constraints, &state);
        let residual = self.take(Array::Constraints);
        self.agrees(&state, AT_START * self.size.max(1.0), &residual)?;
        let level = Name::VelocityConstraints;
        let residual = self.residual(&state, level, Array::HoldRates, &held_rates);
        let change = Dense::at(self, &state).correction_without(left_out, &residual);
        add(&mut state.v, 1.0, &change);
        Ok(state)
    }

    /// The joint or coupling that stays open furthest.
    fn unclosed(&mut self, state: &State, left_out: &[usize], held: &[f64]) -> String {
        let residual = self.residual(state, Name::Constraints, Array::HoldValues, held);
        let rows = (0..self.rows.names.len()).filter(|row| !left_out.contains(row));
        let worst = rows.max_by(|&a, &b| residual[a].abs().total_cmp(&residual[b].abs()));
        let place = worst.map(|row| {
            let [owner, keeps] = &self.rows.names[row];
            let open = residual[row].abs();
            format!(
                ": {owner} stays open, where {keeps} is off by {open:.2e}; check the lengths around it, or guess its bodies \
                 nearer to where they meet"
            )
        });
        format!(
            "the mechanism does not assemble with these values{}",
            place.unwrap_or_default()
        )
    }

    /// Brings the equations that are not left out to zero; returns the largest violation that remains.
    fn close(&mut self, state: &mut State, left_out: &[usize], held: &[f64]) -> f64 {
        let goal = LIMIT * 1e-4 * self.size;
        let open = |machine: &mut Self, state: &State| {
            let mut residual = machine.residual(state, Name::Constraints, Array::HoldValues, held);
            left_out.iter().for_each(|row| residual[*row] = 0.0);
            residual
        };
        for _ in 0..MAX_ITERATIONS {
            let residual = open(self, state);
            if largest(&residual) <= goal {
                break;
            }
            let change = Dense::at(self, state).correction_without(left_out, &residual);
            let before = largest(&residual);
            *state = self.damped(state, &change, before, |machine, state| {
                largest(&open(machine, state))
            });
        }
        largest(&open(self, state))
    }

    fn damped(
        &mut self,
        state: &State,
        change: &[f64],
        before: f64,
        open: impl Fn(&mut Self, &State) -> f64,
    ) -> State {
        let mut alpha = 1.0;
        loop {
            let mut next = state.clone();
            self.shift(&mut next, change, alpha);
            self.normalize(&mut next);
            if open(self, &next) < before || alpha < 1e-3 {
                return next;
            }
            alpha /= 2.0;
        }
    }

    fn residual(&mut self, state: &State, level: Name, array: Array, held: &[f64]) -> Vec<f64> {
        self.call_at(level, state);
        let mut residual = self.take(Array::Constraints);
        self.call_at(Name::Holds, state);
        let now = self.memory.get(array);
        residual.extend(now.iter().zip(held).map(|(now, held)| now - held));
        residual
    }
}
