//! Orders instructions so that a processor can begin them early. A processor looks a few hundred instructions ahead and
//! no further. But a function that solves for accelerations goes along a mechanism several times, and operations that
//! do not wait for each other are far apart in the text. Here, at each cycle, those are next from which the longest
//! chains of operations lead to the results.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::kernel::builder::draft::{place, visit};
use crate::kernel::passes::cycles::Operations;
use crate::kernel::{Function, Instruction, Value};

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

/// The operations of a function, without instructions that cost nothing or are part of another.
fn order(function: &Function) -> Vec<usize> {
    let mut queue = ReadyQueue::new(function);
    while !queue.waiting.is_empty() || !queue.next.is_empty() {
        queue.spend_cycle();
    }
    queue.order
}

/// Operations that are still to be begun, cycle by cycle.
struct ReadyQueue<'a> {
    function: &'a Function,
    operations: Operations<'a>,
    users: Vec<Vec<usize>>,
    /// Operands that are still to be begun.
    missing: Vec<usize>,
    /// Cycles from each to the last result that waits for it.
    heights: Vec<u32>,
    /// When each can begin, of those whose operands have begun.
    begins: Vec<u32>,
    waiting: BinaryHeap<Reverse<(u32, usize)>>,
    /// Operations that can begin now, longest chain first.
    next: BinaryHeap<(u32, Reverse<usize>)>,
    cycle: u32,
    order: Vec<usize>,
}

impl<'a> ReadyQueue<'a> {
    fn new(function: &'a Function) -> Self {
        let operations = Operations::new(function);
        let (parts, n) = (operations.parts(), function.instructions.len());
        let mut users: Vec<Vec<usize>> = vec![Vec::new(); n];
        let mut missing = vec![0; n];
        for index in (0..n).filter(|index| !parts[*index]) {
            for operand in operations.operands(index) {
                users[operand].push(index);
                missing[index] += 1;
            }
        }
        let mut heights = vec![0; n];
        for index in (0..n).rev() {
            let above = users[index].iter().map(|user| heights[*user]).max();
            heights[index] = above.unwrap_or(0) + operations.latency(index);
        }
        let first = (0..n).filter(|index| !parts[*index] && missing[*index] == 0);
        Self {
            waiting: first.map(|index| Reverse((0, index))).collect(),
            next: BinaryHeap::new(),
            begins: vec![0; n],
            cycle: 0,
            order: Vec::with_capacity(n),
            function,
            operations,
            users,
            missing,
            heights,
        }
    }

    /// Begins as many operations as there is room for.
    fn spend_cycle(&mut self) {
        let (mut products, mut sums) = (PRODUCTS, SUMS);
        let mut left = Vec::new();
        while let Some(index) = self.pop() {
            let instruction = &self.function.instructions[index];
            if is_free(instruction) {
                self.begin(index);
                continue;
            }
            let room = match is_product(&self.operations, index, instruction) {
                true => &mut products,
                false => &mut sums,
            };
            if *room == 0 {
                left.push((self.heights[index], Reverse(index)));
                continue;
            }
            *room -= 1;
            self.order.push(index);
            self.begin(index);
        }
        self.next.extend(left);
        self.cycle += 1;
    }

    fn pop(&mut self) -> Option<usize> {
        while let Some(&Reverse((begin, index))) = self.waiting.peek()
            && begin <= self.cycle
        {
            self.waiting.pop();
            self.next.push((self.heights[index], Reverse(index)));
        }
        self.next.pop().map(|(_, Reverse(index))| index)
    }

    fn begin(&mut self, index: usize) {
        let ready = self.cycle + self.operations.latency(index);
        for &user in &self.users[index] {
            self.begins[user] = self.begins[user].max(ready);
            self.missing[user] -= 1;
            if self.missing[user] == 0 {
                self.waiting.push(Reverse((self.begins[user], user)));
            }
        }
    }
}

/// True for instructions that take no operation of their own.
fn is_free(instruction: &Instruction) -> bool {
    matches!(
        instruction,
        Instruction::Constant(_) | Instruction::Load(_) | Instruction::Neg(_)
    )
}

fn is_product(operations: &Operations, index: usize, instruction: &Instruction) -> bool {
    use Instruction::{Binary, Div, Mul, Table, Unary};
    operations.is_fused(index)
        || matches!(
            instruction,
            Mul(..) | Div(..) | Unary(..) | Binary(..) | Table(..)
        )
}
