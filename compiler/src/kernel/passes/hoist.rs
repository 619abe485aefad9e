//! Moves values that depend on parameters only into [`Name::Prepare`]. Such a value is computed when a parameter is
//! set, and loaded from the derived values elsewhere.

use std::collections::HashMap;

use crate::kernel::builder::draft::FunctionDraft;
use crate::kernel::language::instruction::Dependence;
use crate::kernel::{Array, Function, Instruction, Name, Slot, Value};

/// The values that have been moved so far, numbered by first use.
#[derive(Debug)]
pub struct Prepared {
    draft: FunctionDraft,
    derived: HashMap<Value, usize>,
}

impl Default for Prepared {
    fn default() -> Self {
        Self {
            draft: FunctionDraft::new(Name::Prepare),
            derived: HashMap::new(),
        }
    }
}

impl Prepared {
    /// Number of derived values.
    pub fn n_derived(&self) -> usize {
        self.derived.len()
    }

    /// The function that computes them.
    pub fn finish(self) -> Function {
        self.draft.finish()
    }

    /// The function without the values that depend on parameters only.
    pub fn hoist(&mut self, function: &Function) -> Function {
        let prepared = self.copy(function);
        let needed = needed(function, &prepared);
        let mut draft = FunctionDraft::new(function.name);
        let mut place: Vec<Option<Value>> = vec![None; function.instructions.len()];
        for (index, instruction) in function.instructions.iter().enumerate() {
            if !needed[index] {
                continue;
            }
            let moved = match prepared[index] {
                Some(value) => Instruction::Load(self.slot(value)),
                None => instruction.map(|v| place[v.0 as usize].expect("what is used is needed")),
            };
            place[index] = Some(draft.builder.insert(moved));
        }
        for &(slot, value) in &function.outputs {
            let value = place[value.0 as usize].expect("outputs are needed");
            draft.write(slot.array, slot.index as usize, value);
        }
        draft.finish()
    }

    /// Copies all that depends on parameters only; gives the copy of each real, computed value.
    fn copy(&mut self, function: &Function) -> Vec<Option<Value>> {
        let mut dependence: Vec<Dependence> = Vec::new();
        let mut copies: Vec<Option<Value>> = Vec::new();
        let mut movable = Vec::new();
        for instruction in &function.instructions {
            let depends = instruction.dependence(|v| dependence[v.0 as usize]);
            let copy = (depends < Dependence::State).then(|| {
                let copied = instruction.map(|v| copies[v.0 as usize].expect("operands copied"));
                self.draft.builder.insert(copied)
            });
            let computed = !instruction.is_truth() && !matches!(instruction, Instruction::Load(_));
            movable.push(copy.filter(|_| computed && depends == Dependence::Parameters));
            copies.push(copy);
            dependence.push(depends);
        }
        movable
    }

    fn slot(&mut self, value: Value) -> Slot {
        let next = self.derived.len();
        let index = *self.derived.entry(value).or_insert(next);
        if index == next {
            self.draft.write(Array::Derived, index, value);
        }
        Slot::new(Array::Derived, index)
    }
}

/// The values that are still needed when the prepared ones are loaded.
fn needed(function: &Function, prepared: &[Option<Value>]) -> Vec<bool> {
    let mut needed = vec![false; function.instructions.len()];
    for &(_, value) in &function.outputs {
        needed[value.0 as usize] = true;
    }
    for (index, instruction) in function.instructions.iter().enumerate().rev() {
        if needed[index] && prepared[index].is_none() {
            for operand in instruction.operands() {
                needed[operand.0 as usize] = true;
            }
        }
    }
    needed
}

#[cfg(test)]
mod tests {
    use super::*;

    /// p < 2 decides about a coordinate: the sum p + p moves, the truth stays.
    #[test]
    fn truths_stay_and_their_operands_move() {
        let mut draft = FunctionDraft::new(Name::Outputs);
        let b = &mut draft.builder;
        let [p, x] = [Array::Parameters, Array::Coordinates].map(|a| b.load(Slot::new(a, 0)));
        let (two, sum) = (b.constant(2.0), b.add(p, p));
        let truth = b.less(sum, two);
        let choice = b.select(truth, x, sum);
        draft.write(Array::Outputs, 0, choice);
        let mut prepared = Prepared::default();
        let function = prepared.hoist(&draft.finish());
        assert_eq!(
            function.to_string(),
            "function Outputs: 5 values, 2 other: 2 operations, weighted 2\n  \
             %0 = load derived[0]\n  %1 = 2.0\n  %2 = less %0 %1\n  \
             %3 = load coordinates[0]\n  %4 = select %2 %3 %0\n  outputs[0] = %4\n"
        );
        assert_eq!(prepared.n_derived(), 1);
    }
}
