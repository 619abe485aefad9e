//! A function while it is built, and its completion: instructions that no output needs are left out, the rest stands in
//! the order of first use.

use crate::kernel::builder::instructions::Builder;
use crate::kernel::{Array, Function, Instruction, Name, Slot, Value};

/// A function under construction.
#[derive(Clone, Debug)]
pub struct FunctionDraft {
    /// Name of the function.
    pub name: Name,
    /// Its instructions.
    pub builder: Builder,
    outputs: Vec<(Slot, Value)>,
}

impl FunctionDraft {
    /// Nothing yet.
    pub fn new(name: Name) -> Self {
        Self {
            name,
            builder: Builder::new(),
            outputs: Vec::new(),
        }
    }

    /// Gives element `index` of `array` its value; zeros need not be written.
    pub fn write(&mut self, array: Array, index: usize, value: Value) {
        if !self.builder.is_zero(value) {
            self.outputs.push((Slot::new(array, index), value));
        }
    }

    /// The live instructions, each just before its first use, depth first from the first output on.
    pub fn finish(mut self) -> Function {
        self.outputs.sort_unstable_by_key(|&(slot, _)| slot);
        let old = self.builder.instructions();
        let mut places = vec![None; old.len()];
        let mut instructions = Vec::new();
        for &(_, output) in &self.outputs {
            visit(output, old, &mut places, &mut instructions);
        }
        let outputs = self
            .outputs
            .iter()
            .map(|&(slot, v)| (slot, place(&places, v)));
        Function {
            name: self.name,
            outputs: outputs.collect(),
            instructions,
        }
    }
}

/// Appends `root` and its operands. An explicit stack, since sums and chains can be deep.
pub fn visit(
    root: Value,
    old: &[Instruction],
    places: &mut [Option<Value>],
    instructions: &mut Vec<Instruction>,
) {
    let mut stack = vec![root];
    while let Some(&value) = stack.last() {
        let index = value.0 as usize;
        let depth = stack.len();
        if places[index].is_none() {
            let missing = |v: &Value| places[v.0 as usize].is_none();
            stack.extend(old[index].operands().rev().filter(missing));
        }
        if stack.len() == depth {
            stack.pop();
            if places[index].is_none() {
                places[index] = Some(Value(instructions.len() as u32));
                instructions.push(old[index].map(|v| place(places, v)));
            }
        }
    }
}

/// The new place of a value.
pub fn place(places: &[Option<Value>], value: Value) -> Value {
    places[value.0 as usize].expect("operands are placed before their use")
}
