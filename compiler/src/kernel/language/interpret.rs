//! Evaluates a function directly, so that the kernel is tested without rustc.

use std::collections::BTreeMap;

use crate::assembly::{Assembly, State};
use crate::kernel::builder::instructions::Builder;
use crate::kernel::{Array, Function, Instruction, Slot};
use crate::model::Table;

/// Arrays by name. An element that was never set is zero, as are the outputs that a function does not list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Memory {
    arrays: BTreeMap<Array, Vec<f64>>,
}

impl Memory {
    /// All zero.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same memory with one array set.
    pub fn with(mut self, array: Array, numbers: &[f64]) -> Self {
        self.put(array, numbers);
        self
    }

    /// Replaces an array.
    pub fn put(&mut self, array: Array, numbers: impl Into<Vec<f64>>) {
        self.arrays.insert(array, numbers.into());
    }

    /// An array as it was written; empty if it never was.
    pub fn list(&self, array: Array) -> &[f64] {
        self.arrays.get(&array).map_or(&[], Vec::as_slice)
    }

    /// One number.
    pub fn get(&self, slot: Slot) -> f64 {
        let array = self.arrays.get(&slot.array);
        array
            .and_then(|numbers| numbers.get(slot.index as usize))
            .copied()
            .unwrap_or(0.0)
    }

    /// Sets one number.
    pub fn set(&mut self, slot: Slot, number: f64) {
        let numbers = self.arrays.entry(slot.array).or_default();
        let index = slot.index as usize;
        if numbers.len() <= index {
            numbers.resize(index + 1, 0.0);
        }
        numbers[index] = number;
    }

    /// The first `length` numbers of an array.
    pub fn array(&self, array: Array, length: usize) -> Vec<f64> {
        (0..length)
            .map(|index| self.get(Slot::new(array, index)))
            .collect()
    }

    /// The only number of an array.
    pub fn scalar(&self, array: Array) -> f64 {
        self.get(Slot { array, index: 0 })
    }
}

/// The outputs of a function.
pub fn interpret(function: &Function, memory: &Memory, tables: &[Table]) -> Memory {
    let values = trace(&function.instructions, memory, tables);
    let mut outputs = Memory::new();
    for &(slot, value) in &function.outputs {
        outputs.set(slot, values[value.0 as usize]);
    }
    outputs
}

/// The value of every instruction; of a table that is not given, not a number.
pub fn trace(instructions: &[Instruction], memory: &Memory, tables: &[Table]) -> Vec<f64> {
    let mut values: Vec<f64> = Vec::with_capacity(instructions.len());
    for instruction in instructions {
        values.push(evaluate(instruction, &values, memory, tables));
    }
    values
}

/// Every value of a builder at each assembled state, with zero for all inputs but parameters and coordinates.
pub fn traces(builder: &Builder, assembly: &Assembly) -> Vec<Vec<f64>> {
    let at = |state: &State| {
        let memory = Memory::new()
            .with(Array::Parameters, &assembly.parameters)
            .with(Array::Coordinates, &state.q);
        trace(builder.instructions(), &memory, &[])
    };
    assembly.states.iter().map(at).collect()
}

/// A truth is 1 or 0.
fn evaluate(instruction: &Instruction, values: &[f64], memory: &Memory, tables: &[Table]) -> f64 {
    let at = |value: super::Value| values[value.0 as usize];
    let truth = |holds: bool| f64::from(u8::from(holds));
    match *instruction {
        Instruction::Constant(number) => number,
        Instruction::Load(slot) => memory.get(slot),
        Instruction::Add(a, b) => at(a) + at(b),
        Instruction::Sub(a, b) => at(a) - at(b),
        Instruction::Mul(a, b) => at(a) * at(b),
        Instruction::Div(a, b) => at(a) / at(b),
        Instruction::Neg(a) => -at(a),
        Instruction::Unary(function, a) => function.apply(at(a)),
        Instruction::Binary(function, a, b) => function.apply(at(a), at(b)),
        Instruction::Table(id, derivative, a) => match tables.get(id as usize) {
            Some(table) => table.value(derivative, at(a)),
            None => f64::NAN,
        },
        Instruction::Less(a, b) => truth(at(a) < at(b)),
        Instruction::LessEqual(a, b) => truth(at(a) <= at(b)),
        Instruction::Equal(a, b) => truth(at(a) == at(b)),
        Instruction::And(a, b) => at(a) * at(b),
        Instruction::Or(a, b) => at(a).max(at(b)),
        Instruction::Not(a) => 1.0 - at(a),
        Instruction::Select(c, _, b) if at(c) == 0.0 => at(b),
        Instruction::Select(_, a, _) => at(a),
    }
}
