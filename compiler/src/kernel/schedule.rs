//! Instructions in the order in which a processor can begin them. It looks a few hundred instructions ahead and no
//! further, and neither does rustc undo an order that is far from this: what solves for accelerations goes along
//! a mechanism three times, and turns that do not wait for each other are far apart in the text. Here, at each
//! cycle, those are next from which the longest chains of operations lead to the results.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::cycles::Operations;
use super::draft::{place, visit};
use super::{Function, Instruction, Value};

/// Instructions of the longest function that is put in order. In longer ones so much is begun before it is needed
/// that storing it takes longer than waiting would.
const LONGEST: usize = 4000;

/// Products, quotients and functions that begin in a cycle.
const PRODUCTS: usize = 2;

/// Sums and whatever else begins in a cycle.
const SUMS: usize = 2;

/// The same function in that order, if accelerations are solved for in it.
pub fn schedule(function: &Function) -> Function {
    if !function.name.solves() || function.instructions.len() > LONGEST {
        return function.clone();
    }
    let mut places = vec![None; function.instructions.len()];
    let mut instructions = Vec::with_capacity(function.instructions.len());
    for index in order(function) {
        let value = Value(index as u32);
        visit(
            value,
            &function.instructions,
            &mut places,
            &mut instructions,
        );
    }
    let outputs = function.outputs.iter();
    for &(_, value) in outputs.clone() {
        visit(
            value,
            &function.instructions,
            &mut places,
            &mut instructions,
        );
    }
    Function {
        name: function.name,
        outputs: outputs
            .map(|&(slot, value)| (slot, place(&places, value)))
            .collect(),
        instructions,
    }
}

/// The operations of a function, without what costs nothing or is part of another.
fn order(function: &Function) -> Vec<usize> {
    let operations = Operations::new(function);
    let parts = operations.parts();
    let n = function.instructions.len();
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); n];
    let mut missing = vec![0_usize; n];
    for index in (0..n).filter(|index| !parts[*index]) {
        for operand in operations.operands(index) {
            users[operand].push(index);
            missing[index] += 1;
        }
    }
    let mut heights = vec![0_u32; n];
    for index in (0..n).rev() {
        let above = users[index].iter().map(|user| heights[*user]).max();
        heights[index] = above.unwrap_or(0) + operations.latency(index);
    }
    let mut waiting: BinaryHeap<Reverse<(u32, usize)>> = BinaryHeap::new();
    let ready = (0..n).filter(|index| !parts[*index] && missing[*index] == 0);
    waiting.extend(ready.map(|index| Reverse((0, index))));
    let mut next: BinaryHeap<(u32, Reverse<usize>)> = BinaryHeap::new();
    let mut begins = vec![0_u32; n];
    let mut order = Vec::with_capacity(n);
    let mut cycle = 0;
    while !waiting.is_empty() || !next.is_empty() {
        let (mut products, mut sums) = (PRODUCTS, SUMS);
        let mut left = Vec::new();
        loop {
            while let Some(&Reverse((begin, index))) = waiting.peek()
                && begin <= cycle
            {
                waiting.pop();
                next.push((heights[index], Reverse(index)));
            }
            let Some((height, Reverse(index))) = next.pop() else {
                break;
            };
            let instruction = &function.instructions[index];
            let is_free = is_free(instruction);
            let room = match is_product(&operations, index, instruction) {
                true => &mut products,
                false => &mut sums,
            };
            if !is_free && *room == 0 {
                left.push((height, Reverse(index)));
                continue;
            }
            if !is_free {
                *room -= 1;
                order.push(index);
            }
            for &user in &users[index] {
                begins[user] = begins[user].max(cycle + operations.latency(index));
                missing[user] -= 1;
                if missing[user] == 0 {
                    waiting.push(Reverse((begins[user], user)));
                }
            }
        }
        next.extend(left);
        cycle += 1;
    }
    order
}

/// True for what takes no operation of its own.
fn is_free(instruction: &Instruction) -> bool {
    matches!(
        instruction,
        Instruction::Constant(_) | Instruction::Load(_) | Instruction::Neg(_)
    )
}

fn is_product(operations: &Operations, index: usize, instruction: &Instruction) -> bool {
    use Instruction::{Binary, Div, Mul, Table, Unary};
    operations.latency(index) == super::cycles::FUSED
        || matches!(
            instruction,
            Mul(..) | Div(..) | Unary(..) | Binary(..) | Table(..)
        )
}
