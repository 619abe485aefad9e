//! Orders the terms of a sum by when they are ready. The time of a function is that of its longest chain of operations,
//! for instance from each inertia to the next along a chain of bodies. A term that is ready last is added last, so it
//! delays the sum by one operation only, however long the sum is. Numbers of a sum become one; apart from that, the
//! number of operations stays the same.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::kernel::builder::draft::FunctionDraft;
use crate::kernel::passes::cycles::{FUSED, cycles, latency};
use crate::kernel::{Function, Instruction, Name, Value};

/// The same function with its sums in order. Only the accelerations: other functions are short, or subtract what is
/// nearly equal, such as the residual of a constraint, where the order is the one of the equation.
pub fn balance(function: &Function) -> Function {
    if function.name != Name::Accelerate {
        return function.clone();
    }
    let balanced = balanced(function);
    let is_worth_it = GAIN * cycles(&balanced) <= (GAIN - 1) * cycles(function);
    if is_worth_it {
        balanced
    } else {
        function.clone()
    }
}

fn balanced(function: &Function) -> Function {
    let mut balanced = Balanced {
        function,
        uses: function.uses(),
        draft: FunctionDraft::new(function.name),
        place: vec![None; function.instructions.len()],
        ready: Vec::new(),
    };
    let inner = balanced.inner();
    for (index, instruction) in function.instructions.iter().enumerate() {
        balanced.place[index] = match instruction {
            _ if inner[index] => None,
            Instruction::Add(..) | Instruction::Sub(..) => Some(balanced.sum(instruction, &inner)),
            _ => Some(balanced.copy(instruction)),
        };
    }
    for &(slot, value) in &function.outputs {
        let value = balanced.at(value);
        balanced.draft.write(slot.array, slot.index as usize, value);
    }
    balanced.draft.finish()
}

/// Sums keep their order unless the longest chain of operations gets shorter by one part in so many: terms that wait
/// for their turn are in nobody's way as long as there are registers for them.
const GAIN: u32 = 10;

struct Balanced<'a> {
    function: &'a Function,
    uses: Vec<u32>,
    draft: FunctionDraft,
    place: Vec<Option<Value>>,
    /// When each value of the draft is there.
    ready: Vec<u32>,
}

/// A term of a sum that is still to be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct PendingTerm {
    ready: u32,
    /// Terms that are there at the same time stay in their order.
    number: usize,
    is_negative: bool,
    kind: SumKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum SumKind {
    Plain(Value),
    /// May be multiplied and added in one operation.
    Product(Value, Value),
}

impl Balanced<'_> {
    /// The sums and signs that are parts of one other sum only.
    fn inner(&self) -> Vec<bool> {
        let instructions = &self.function.instructions;
        let mut inner = vec![false; instructions.len()];
        for (index, instruction) in instructions.iter().enumerate().rev() {
            let is_sum = matches!(instruction, Instruction::Add(..) | Instruction::Sub(..));
            let is_sign = matches!(instruction, Instruction::Neg(_)) && inner[index];
            if !is_sum && !is_sign {
                continue;
            }
            for operand in instruction.operands().map(|value| value.0 as usize) {
                let is_part = matches!(
                    instructions[operand],
                    Instruction::Add(..) | Instruction::Sub(..) | Instruction::Neg(_)
                );
                inner[operand] = is_part && self.uses[operand] == 1;
            }
        }
        inner
    }

    fn at(&self, value: Value) -> Value {
        self.place[value.0 as usize].expect("what is used stands before its use")
    }

    fn ready(&self, value: Value) -> u32 {
        self.ready[value.0 as usize]
    }

    fn insert(&mut self, instruction: Instruction, ready: u32) -> Value {
        let value = self.draft.builder.insert(instruction);
        if value.0 as usize == self.ready.len() {
            self.ready.push(ready);
        }
        value
    }

    fn copy(&mut self, instruction: &Instruction) -> Value {
        let copied = instruction.map(|value| self.at(value));
        self.finish(copied)
    }

    /// A value that is there as soon as its operands allow.
    fn finish(&mut self, instruction: Instruction) -> Value {
        let operands = instruction.operands().map(|value| self.ready(value));
        let ready = operands.max().unwrap_or(0) + latency(&instruction);
        self.insert(instruction, ready)
    }

    /// The two terms that are there first become one, until one is left.
    fn sum(&mut self, root: &Instruction, inner: &[bool]) -> Value {
        let terms = self.terms(root, inner);
        let terms = self.with_one_number(terms);
        let mut number = terms.len();
        let mut heap: BinaryHeap<_> = terms.into_iter().map(Reverse).collect();
        while let Some(Reverse(first)) = heap.pop() {
            let Some(Reverse(second)) = heap.pop() else {
                let value = self.value(first);
                return match first.is_negative {
                    true => self.finish(Instruction::Neg(value)),
                    false => value,
                };
            };
            heap.push(Reverse(self.joined(first, second, number)));
            number += 1;
        }
        unreachable!("a sum has two terms at least")
    }

    /// The terms of a sum, in order. An explicit stack, since sums can be deep.
    fn terms(&self, root: &Instruction, inner: &[bool]) -> Vec<PendingTerm> {
        let mut terms = Vec::new();
        let mut stack = operands(root, false);
        while let Some((value, is_negative)) = stack.pop() {
            let instruction = self.function.instructions[value.0 as usize];
            if inner[value.0 as usize] {
                stack.extend(operands(&instruction, is_negative));
                continue;
            }
            let kind = self.kind(value, instruction);
            terms.push(PendingTerm {
                ready: self.kind_ready(kind),
                number: terms.len(),
                is_negative,
                kind,
            });
        }
        terms
    }

    /// The same terms with all numbers added up in the place of the last, unless they add up to nothing that is finite.
    fn with_one_number(&mut self, terms: Vec<PendingTerm>) -> Vec<PendingTerm> {
        let (numbers, mut others): (Vec<PendingTerm>, Vec<PendingTerm>) = terms
            .iter()
            .partition(|term| self.as_number(term).is_some());
        let total: f64 = numbers.iter().filter_map(|one| self.as_number(one)).sum();
        let (Some(last), true) = (
            numbers.get(1..).and_then(<[PendingTerm]>::last),
            total.is_finite(),
        ) else {
            return terms;
        };
        if total != 0.0 || others.is_empty() {
            let kind = SumKind::Plain(self.finish(Instruction::Constant(total)));
            let is_negative = false;
            others.push(PendingTerm {
                is_negative,
                kind,
                ..*last
            });
        }
        others
    }

    fn as_number(&self, term: &PendingTerm) -> Option<f64> {
        let SumKind::Plain(value) = term.kind else {
            return None;
        };
        let number = self.draft.builder.as_constant(value)?;
        Some(if term.is_negative { -number } else { number })
    }

    fn kind(&self, value: Value, instruction: Instruction) -> SumKind {
        match instruction {
            Instruction::Mul(x, y) if self.uses[value.0 as usize] == 1 => {
                SumKind::Product(self.at(x), self.at(y))
            }
            _ => SumKind::Plain(self.at(value)),
        }
    }

    fn kind_ready(&self, kind: SumKind) -> u32 {
        match kind {
            SumKind::Plain(value) => self.ready(value),
            SumKind::Product(x, y) => self.ready(x).max(self.ready(y)),
        }
    }

    fn value(&mut self, term: PendingTerm) -> Value {
        match term.kind {
            SumKind::Plain(value) => value,
            SumKind::Product(x, y) => self.finish(Instruction::Mul(x, y)),
        }
    }

    /// Two terms as one. A product is multiplied and added to the other term in one operation; of two products, the
    /// later one.
    fn joined(&mut self, first: PendingTerm, second: PendingTerm, number: usize) -> PendingTerm {
        let (first, second) = match (first.kind, second.kind) {
            (SumKind::Product(..), SumKind::Plain(_)) => (second, first),
            _ => (first, second),
        };
        let (a, b) = (self.value(first), self.value(second));
        let instruction = match (first.is_negative, second.is_negative) {
            (false, true) => Instruction::Sub(a, b),
            (true, false) => Instruction::Sub(b, a),
            _ => Instruction::Add(a, b),
        };
        let cycles = match second.kind {
            SumKind::Plain(_) => latency(&instruction),
            SumKind::Product(..) => FUSED,
        };
        let ready = self.ready(a).max(self.kind_ready(second.kind)) + cycles;
        let sum = self.insert(instruction, ready);
        PendingTerm {
            ready: self.ready(sum),
            number,
            is_negative: first.is_negative && second.is_negative,
            kind: SumKind::Plain(sum),
        }
    }
}

/// The terms of a sum or a sign, with signs, last first.
fn operands(instruction: &Instruction, is_negative: bool) -> Vec<(Value, bool)> {
    let opposite = match instruction {
        Instruction::Sub(..) => [false, true],
        Instruction::Neg(_) => [true, true],
        _ => [false, false],
    };
    let signed = instruction.operands().zip(opposite);
    let signed = signed.map(|(value, opposite)| (value, is_negative ^ opposite));
    let mut operands: Vec<_> = signed.collect();
    operands.reverse();
    operands
}
