//! The projections with what one evaluation has factorised:
//!
//! ```text
//! Δq = T Δ(Φ)        Δv = Δ(Φ̇)        [ M  Dᵀ ] [ Δ ]   [  0 ]
//!                                      [ D  0  ] [ · ] = [ −Φ ]
//! ```
//!
//! Each way to solve writes Δ as values of [`Name::Accelerate`] that use the violation Φ. What of them
//! depends on the violation becomes the correction; where it meets a value of the state alone, that
//! value is a slot of the factor. Numbers are folded in, and what depends on parameters only is prepared.

use std::collections::HashMap;

use super::build::Builder;
use super::draft::Draft;
use super::dynamics::write_rates;
use super::factor::SparseVector;
use super::instruction::Dependence;
use super::translate::Translation;
use super::{Array, Instruction, Name, Slot, Value};
use crate::expr::Symbol;
use crate::symbolic::Equations;

/// The violation of these rows, as a function that has it reads it.
pub fn violation(builder: &mut Builder, rows: &[usize]) -> SparseVector {
    let load = |(n, &k): (usize, &usize)| (n, builder.load(Slot::new(Array::Constraints, k)));
    rows.iter().enumerate().map(load).collect()
}

/// Where the values of [`Name::Accelerate`] that the corrections need stand in the factor.
#[derive(Debug)]
pub struct Factor<'a> {
    steps: &'a SparseVector,
    source: &'a Builder,
    array: Array,
    slots: HashMap<Value, usize>,
    /// The values, in the order of their slots.
    pub values: Vec<Value>,
}

impl<'a> Factor<'a> {
    /// Numbers what the steps need, which are values of `source`; the factor is this array.
    pub fn new(steps: &'a SparseVector, source: &'a Builder, array: Array) -> Self {
        let mut factor = Self {
            steps,
            source,
            array,
            slots: HashMap::new(),
            values: Vec::new(),
        };
        let needed = factor.needed();
        for (index, instruction) in source.instructions().iter().enumerate() {
            if needed[index] && source.dependence(Value(index as u32)) == Dependence::Violation {
                instruction.operands().for_each(|value| factor.keep(value));
            }
        }
        factor
    }

    /// What the steps are computed from.
    fn needed(&self) -> Vec<bool> {
        let instructions = self.source.instructions();
        let mut needed = vec![false; instructions.len()];
        for value in self.steps.values() {
            needed[value.0 as usize] = true;
        }
        for (index, instruction) in instructions.iter().enumerate().rev() {
            if needed[index] {
                let operands = instruction.operands();
                operands.for_each(|value| needed[value.0 as usize] = true);
            }
        }
        needed
    }

    /// x and −x share a slot.
    fn keep(&mut self, value: Value) {
        let value = match self.source.instruction(value) {
            Instruction::Neg(positive) => positive,
            _ => value,
        };
        let next = self.values.len();
        if self.source.dependence(value) == Dependence::State
            && *self.slots.entry(value).or_insert(next) == next
        {
            self.values.push(value);
        }
    }

    /// Δq = T Δ(Φ)
    pub fn position_correction(&self, equations: &Equations) -> Draft {
        let mut draft = Draft::new(Name::PositionCorrection);
        let steps = self.steps(&mut draft.builder);
        let mut translation = Translation::new(&equations.auxiliaries);
        for j in 0..equations.n_velocities {
            let step = steps
                .get(&j)
                .copied()
                .unwrap_or_else(|| draft.builder.zero());
            translation.give(Symbol::Velocity(j as u32), step);
        }
        write_rates(&mut draft, &mut translation, equations);
        draft
    }

    /// Δv = Δ(Φ̇)
    pub fn velocity_correction(&self) -> Draft {
        let mut draft = Draft::new(Name::VelocityCorrection);
        for (j, step) in self.steps(&mut draft.builder) {
            draft.write(Array::Velocities, j, step);
        }
        draft
    }

    /// Δ(Φ)
    pub fn steps(&self, builder: &mut Builder) -> SparseVector {
        let copies = self.copy(builder);
        let at = |value: &Value| copies[value.0 as usize].expect("steps are copied");
        self.steps.iter().map(|(&j, step)| (j, at(step))).collect()
    }

    /// The values that another function can have: loaded from the factor, computed from the violation,
    /// or computed again if they are numbers or depend on parameters only.
    fn copy(&self, target: &mut Builder) -> Vec<Option<Value>> {
        let mut copies: Vec<Option<Value>> = Vec::with_capacity(self.source.instructions().len());
        let needed = self.needed();
        for (index, instruction) in self.source.instructions().iter().enumerate() {
            let value = Value(index as u32);
            let copy = match (instruction, self.slots.get(&value)) {
                (_, Some(&slot)) => Some(target.load(Slot::new(self.array, slot))),
                _ if !needed[index] => None,
                (Instruction::Neg(positive), None) => {
                    copies[positive.0 as usize].map(|positive| target.neg(positive))
                }
                _ if self.source.dependence(value) == Dependence::State => None,
                _ => Some(target.insert(
                    instruction.map(|v| copies[v.0 as usize].expect("operands are copied")),
                )),
            };
            copies.push(copy);
        }
        copies
    }
}
