//! Projection to the manifold after a step, and assembly at the start.

use nalgebra::DVector;

use super::Evaluate;
use super::machine::{Machine, add, largest};
use super::solve::Dense;
use crate::kernel::{Array, Name};
use crate::numeric::{self, Closing, State};

/// The violation that a projection aims at, in units of round-off at the size of the mechanism.
const GOAL: f64 = 16.0;
/// Violation above which a projection has failed, relative to the size of the mechanism.
const LIMIT: f64 = 1e-8;
/// Allowed violation of redundant equations at the start and later, relative to the size of the mechanism, as in
/// `runtime/src/redundant.rs`.
const AT_START: f64 = 1e-5;
const IN_A_RUN: f64 = 2e-3;
const MAX_PASSES: usize = 10;

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
            state.t
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
                state.t
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
            self.memory.put(Array::Constraints, phi);
            self.call_at(Name::PositionCorrection, state);
            let change = self.take(Array::Rates);
            add(&mut state.q, 1.0, &change);
        } else {
            let change = Dense::at(self, state).correction(phi);
            self.shift(state, &change);
        }
        self.normalize(state);
    }

    fn correct_velocity(&mut self, state: &mut State, phi_dot: &[f64]) {
        let change = if self.factored {
            self.memory.put(Array::Constraints, phi_dot);
            self.call_at(Name::VelocityCorrection, state);
            self.take(Array::Velocities)
        } else {
            Dense::at(self, state).correction(phi_dot)
        };
        add(&mut state.v, 1.0, &change);
    }

    /// q ← q + T Δ
    fn shift(&mut self, state: &mut State, change: &[f64]) {
        let velocities = change.to_vec();
        let moving = State {
            v: velocities,
            ..state.clone()
        };
        self.call_at(Name::Rates, &moving);
        let rates = self.take(Array::Rates);
        add(&mut state.q, 1.0, &rates);
    }

    /// A consistent start from a guess, with the holds unchanged: steps of the smallest size in the mass metric bring
    /// r = (Φ; h − h₀) to zero. The velocities follow.
    pub(crate) fn assemble(&mut self, guess: State) -> Result<State, String> {
        self.call_at(Name::Holds, &guess);
        let mut held = self.take(Array::HoldValues);
        let mut held_rates = self.take(Array::HoldRates);
        // Constraint equations that springs replace are closed, too.
        let first = self.sizes.holds - self.sizes.compliant;
        held[first..].fill(0.0);
        held_rates[first..].fill(0.0);
        // Redundant rows help from afar. Where they keep the residual from zero, the rest is done without them.
        let redundant = self.rows.redundant.clone();
        let mut left_out: &[usize] = &[];
        let (mut state, mut open) = self.close(guess, left_out, &held);
        if open > LIMIT * self.size && !redundant.is_empty() {
            left_out = &redundant;
            (state, open) = self.close(state, left_out, &held);
        }
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

    /// A state at which the equations hold that are not left out, and the largest violation that remains.
    fn close(&mut self, guess: State, left_out: &[usize], held: &[f64]) -> (State, f64) {
        let goal = LIMIT * 1e-4 * self.size;
        let mut loops = Loops {
            machine: self,
            left_out,
            held,
        };
        let closed = numeric::close(&mut loops, guess, goal);
        (closed.state, largest(closed.residual.as_slice()))
    }

    fn residual(&mut self, state: &State, level: Name, array: Array, held: &[f64]) -> Vec<f64> {
        self.call_at(level, state);
        let mut residual = self.take(Array::Constraints);
        self.call_at(Name::Holds, state);
        let now = self.memory.list(array);
        residual.extend(now.iter().zip(held).map(|(now, held)| now - held));
        residual
    }
}

/// The constraint equations and holds of a machine, some of them left out.
struct Loops<'a, 'e, E> {
    machine: &'a mut Machine<'e, E>,
    left_out: &'a [usize],
    held: &'a [f64],
}

impl<E: Evaluate> Closing for Loops<'_, '_, E> {
    fn residual(&mut self, state: &State) -> DVector<f64> {
        let (level, values) = (Name::Constraints, Array::HoldValues);
        let mut residual = self.machine.residual(state, level, values, self.held);
        self.left_out.iter().for_each(|row| residual[*row] = 0.0);
        DVector::from_vec(residual)
    }

    fn step(&mut self, state: &State, residual: &DVector<f64>) -> Option<DVector<f64>> {
        let dense = Dense::at(self.machine, state);
        let step = dense.correction_without(self.left_out, residual.as_slice());
        let is_finite = step.iter().all(|entry| entry.is_finite());
        is_finite.then(|| DVector::from_vec(step))
    }

    fn moved(&mut self, state: &State, step: &DVector<f64>) -> State {
        let mut moved = state.clone();
        self.machine.shift(&mut moved, step.as_slice());
        self.machine.normalize(&mut moved);
        moved
    }
}
