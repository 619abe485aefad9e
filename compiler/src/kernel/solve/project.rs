//! The projections with the factorisation of one evaluation:
//!
//! ```text
//! Δq = T Δ(Φ)        Δv = Δ(Φ̇)        [ M  Dᵀ ] [ Δ ]   [  0 ]
//!                                      [ D  0  ] [ · ] = [ −Φ ]
//! ```
//!
//! Each solve writes Δ as values of [`Name::Accelerate`] that use the violation Φ. The values that depend on the
//! violation become the correction. Where such a value uses a value of the state alone, that value is a slot of the
//! factor. Numbers are folded in, and values that depend on parameters only are prepared.

use std::collections::HashMap;

use crate::expr::Symbol;
use crate::kernel::builder::draft::FunctionDraft;
use crate::kernel::builder::instructions::Builder;
use crate::kernel::builder::translate::Translation;
use crate::kernel::language::instruction::Dependence;
use crate::kernel::solve::factor::SparseVector;
use crate::kernel::solve::schur::write_rates;
use crate::kernel::{Array, Instruction, Name, Slot, Value};
use crate::symbolic::Equations;

/// The violation of these rows, as a function that has it reads it.
pub fn violation(builder: &mut Builder, rows: &[usize]) -> SparseVector {
    let load = |(n, &k): (usize, &usize)| (n, builder.load(Slot::new(Array::Constraints, k)));
    rows.iter().enumerate().map(load).collect()
}

/// Result of a solve for a violation.
#[derive(Debug, Default)]
pub struct Steps {
    /// Δ by velocity.
    pub velocities: SparseVector,
    /// The multipliers y with Δ = −M⁻¹ Dᵀ y, by row; empty if they are not needed.
    pub multipliers: SparseVector,
}

/// Places in the factor of the values that corrections need of the function that factorises.
#[derive(Debug)]
pub struct Factor<'a> {
    array: Array,
    roots: Vec<Value>,
    source: &'a Builder,
    slots: HashMap<Value, usize>,
    /// The values, in the order of their slots.
    pub values: Vec<Value>,
}

impl<'a> Factor<'a> {
    /// Numbers the values of `source` that the corrections `roots` need. The corrections find these values in `array`.
    pub fn new<'v>(
        array: Array,
        roots: impl IntoIterator<Item = &'v SparseVector>,
        source: &'a Builder,
    ) -> Self {
        let roots = roots.into_iter().flat_map(SparseVector::values);
        let mut factor = Self {
            array,
            roots: roots.copied().collect(),
            source,
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

    /// The values that the corrections are computed from.
    fn needed(&self) -> Vec<bool> {
        let instructions = self.source.instructions();
        let mut needed = vec![false; instructions.len()];
        for value in &self.roots {
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

    /// Writes the factor where its corrections find it; how long it is.
    pub fn write(&self, draft: &mut FunctionDraft) -> usize {
        for (slot, &value) in self.values.iter().enumerate() {
            draft.write(self.array, slot, value);
        }
        self.values.len()
    }

    /// Δq = T Δ(Φ)
    pub fn position_correction(
        &self,
        steps: &SparseVector,
        equations: &Equations,
    ) -> FunctionDraft {
        let mut draft = FunctionDraft::new(Name::PositionCorrection);
        let steps = self.read(&mut draft.builder, steps, &HashMap::new());
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

    /// A function that gives some corrections as they are.
    pub fn correction(&self, name: Name, results: &[(Array, &SparseVector)]) -> FunctionDraft {
        let mut draft = FunctionDraft::new(name);
        for (array, steps) in results {
            for (j, step) in self.read(&mut draft.builder, steps, &HashMap::new()) {
                draft.write(*array, j, step);
            }
        }
        draft
    }

    /// Corrections for use in another function; the values in `given` stand for loads of the violation.
    pub fn read(
        &self,
        target: &mut Builder,
        steps: &SparseVector,
        given: &HashMap<Slot, Value>,
    ) -> SparseVector {
        let copies = self.copy(target, given);
        let at = |value: &Value| copies[value.0 as usize].expect("corrections are copied");
        steps.iter().map(|(&j, step)| (j, at(step))).collect()
    }

    /// The values that another function can have: loaded from the factor, computed from the violation,
    /// or computed again if they are numbers or depend on parameters only.
    fn copy(&self, target: &mut Builder, given: &HashMap<Slot, Value>) -> Vec<Option<Value>> {
        let mut copies: Vec<Option<Value>> = Vec::with_capacity(self.source.instructions().len());
        let needed = self.needed();
        for (index, instruction) in self.source.instructions().iter().enumerate() {
            let value = Value(index as u32);
            let copy = match (instruction, self.slots.get(&value)) {
                (_, Some(&slot)) => Some(target.load(Slot::new(self.array, slot))),
                _ if !needed[index] => None,
                (Instruction::Load(slot), None) if given.contains_key(slot) => Some(given[slot]),
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
