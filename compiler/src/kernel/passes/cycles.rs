//! Estimates the cycles that a processor takes for a function in which every operation begins as soon as its operands
//! are there. The order of operations is chosen by this estimate. It affects speed and nothing else.

use crate::kernel::{Function, Instruction, Value};

/// Cycles of a product and a sum in one operation.
pub const FUSED: u32 = 4;

/// Cycles that an instruction takes, about the same on processors of the last ten years.
pub fn latency(instruction: &Instruction) -> u32 {
    match instruction {
        Instruction::Constant(_) | Instruction::Load(_) | Instruction::Neg(_) => 0,
        Instruction::Add(..) | Instruction::Sub(..) | Instruction::Mul(..) => 3,
        Instruction::Div(..) => 13,
        Instruction::Unary(..) | Instruction::Binary(..) | Instruction::Table(..) => 20,
        _ => 1,
    }
}

/// A function as operations that wait for each other: a sum and a product that is used nowhere else are one.
pub struct Operations<'a> {
    function: &'a Function,
    /// The product in each sum.
    products: Vec<Option<Value>>,
}

impl<'a> Operations<'a> {
    /// Of all instructions.
    pub fn new(function: &'a Function) -> Self {
        let uses = function.uses();
        let is_own = |value: &Value| {
            let index = value.0 as usize;
            matches!(function.instructions[index], Instruction::Mul(..)) && uses[index] == 1
        };
        let product = |instruction: &Instruction| match instruction {
            Instruction::Add(..) | Instruction::Sub(..) => instruction.operands().find(is_own),
            _ => None,
        };
        let products = function.instructions.iter().map(product).collect();
        Self { function, products }
    }

    /// The instructions that are part of a sum.
    pub fn parts(&self) -> Vec<bool> {
        let mut parts = vec![false; self.products.len()];
        for product in self.products.iter().flatten() {
            parts[product.0 as usize] = true;
        }
        parts
    }

    /// The operands that an operation waits for.
    pub fn operands(&self, index: usize) -> impl Iterator<Item = usize> {
        let product = self.products[index];
        let own = self.function.instructions[index].operands();
        let own = own.filter(move |value| Some(*value) != product);
        let factors = product.map(|product| self.function.instructions[product.0 as usize]);
        let factors = factors.into_iter().flat_map(|product| product.operands());
        own.chain(factors).map(|value| value.0 as usize)
    }

    /// True for a sum with a product in it.
    pub fn is_fused(&self, index: usize) -> bool {
        self.products[index].is_some()
    }

    /// Cycles that an operation takes.
    pub fn latency(&self, index: usize) -> u32 {
        match self.products[index] {
            Some(_) => FUSED,
            None => latency(&self.function.instructions[index]),
        }
    }
}

/// Cycles of the longest chain of operations.
pub fn cycles(function: &Function) -> u32 {
    let operations = Operations::new(function);
    let mut ready: Vec<u32> = Vec::with_capacity(function.instructions.len());
    for index in 0..function.instructions.len() {
        let begun = operations
            .operands(index)
            .map(|operand| ready[operand])
            .max();
        ready.push(begun.unwrap_or(0) + operations.latency(index));
    }
    ready.into_iter().max().unwrap_or(0)
}
