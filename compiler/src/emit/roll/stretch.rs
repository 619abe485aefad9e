//! Statements have the same shape if they differ in numbers, elements and temporaries only. Whole stretches of
//! shapes are compared by a hash, so that a long match costs no more than a short one; whoever builds on a match
//! compares the shapes themselves.

use super::TURNS;
use crate::emit::plan::{Statement, StatementPlan};
use crate::kernel::{Array, Instruction, InstructionKey, Value};
use crate::small_keys::SmallKeyMap;

/// Statements that have to match before a period is looked at.
const MATCHED: usize = 8;

/// Periods that are looked at from one statement on.
const PERIODS: usize = 6;

/// A part of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum StatementPart {
    Pair,
    Write(Array),
    Operation(InstructionKey),
    Temporary { is_truth: bool },
    Number,
    Load(Array),
}

/// The shapes of a function.
pub struct Stretches {
    /// A number for each statement, equal for equal shapes.
    shapes: Vec<u64>,
    /// Hash of the shapes before each statement.
    before: Vec<u64>,
    /// Powers of the base of the hash.
    powers: Vec<u64>,
    /// The next statement from which on the same shapes follow.
    next: Vec<Option<usize>>,
}

impl Stretches {
    /// Of all statements.
    pub fn new(plan: &StatementPlan) -> Self {
        const BASE: u64 = 0x9e37_79b9_7f4a_7c15;
        let shapes = shapes(plan);
        let (mut before, mut powers) = (vec![0_u64], vec![1_u64]);
        for (k, shape) in shapes.iter().enumerate() {
            before.push(before[k].wrapping_mul(BASE).wrapping_add(shape + 1));
            powers.push(powers[k].wrapping_mul(BASE));
        }
        let next = Vec::new();
        let mut stretches = Self {
            shapes,
            before,
            powers,
            next,
        };
        stretches.next = stretches.links();
        stretches
    }

    /// Number of turns from a statement on that have the shapes of the first one, at most so many.
    pub fn n_alike(&self, start: usize, period: usize, most: usize) -> usize {
        let turns = self.shapes[start.min(self.shapes.len())..].chunks_exact(period);
        let mut turns = turns.take(most);
        let Some(first) = turns.next() else {
            return 0;
        };
        1 + turns.take_while(|turn| *turn == first).count()
    }

    /// Periods after which the shapes from a statement on may come again and again.
    pub fn periods(&self, start: usize) -> impl Iterator<Item = usize> {
        let follow = |at: &usize| self.next.get(*at).copied().flatten();
        let matches = std::iter::successors(follow(&start), follow).take(PERIODS);
        let periods = matches.map(move |at| at - start);
        periods.filter(move |period| self.common(start, start + period) >= (TURNS - 1) * period)
    }

    fn hash(&self, start: usize, length: usize) -> u64 {
        let end = self.before[start + length];
        end.wrapping_sub(self.before[start].wrapping_mul(self.powers[length]))
    }

    fn links(&self) -> Vec<Option<usize>> {
        let n_starts = (self.shapes.len() + 1).saturating_sub(MATCHED);
        let mut seen: SmallKeyMap<u64, usize> = SmallKeyMap::default();
        let starts = (0..n_starts).rev();
        let mut next: Vec<_> = starts
            .map(|at| seen.insert(self.hash(at, MATCHED), at))
            .collect();
        next.reverse();
        next
    }

    /// For how many statements the same shapes follow from two statements on.
    fn common(&self, a: usize, b: usize) -> usize {
        let (mut low, mut high) = (0, self.shapes.len() - b);
        while low < high {
            let middle = (low + high).div_ceil(2);
            match self.hash(a, middle) == self.hash(b, middle) {
                true => low = middle,
                false => high = middle - 1,
            }
        }
        low
    }
}

/// A number for each statement, equal for equal shapes.
fn shapes(plan: &StatementPlan) -> Vec<u64> {
    let mut numbers: SmallKeyMap<Vec<StatementPart>, u64> = SmallKeyMap::default();
    let number = |statement: &Statement| {
        let next = numbers.len() as u64;
        *numbers.entry(shape(plan, *statement)).or_insert(next)
    };
    plan.statements.iter().map(number).collect()
}

fn shape(plan: &StatementPlan, statement: Statement) -> Vec<StatementPart> {
    let mut parts = Vec::new();
    match statement {
        Statement::Let(value) => below(plan, value, &mut parts),
        Statement::SinCos(value, _) => {
            parts.push(StatementPart::Pair);
            below(plan, value, &mut parts);
        }
        Statement::Write(slot, value) => {
            parts.push(StatementPart::Write(slot.array));
            within(plan, value, &mut parts);
        }
    }
    parts
}

fn within(plan: &StatementPlan, value: Value, parts: &mut Vec<StatementPart>) {
    let instruction = plan.instruction(value);
    let is_truth = instruction.is_truth();
    match (plan.temporary(value), instruction) {
        (Some(_), _) => parts.push(StatementPart::Temporary { is_truth }),
        (None, Instruction::Constant(_)) => parts.push(StatementPart::Number),
        (None, Instruction::Load(slot)) => parts.push(StatementPart::Load(slot.array)),
        (None, _) => below(plan, value, parts),
    }
}

fn below(plan: &StatementPlan, value: Value, parts: &mut Vec<StatementPart>) {
    let instruction = plan.instruction(value);
    parts.push(StatementPart::Operation(
        instruction.map(|_| Value(0)).key(),
    ));
    for operand in instruction.operands() {
        within(plan, operand, parts);
    }
}
