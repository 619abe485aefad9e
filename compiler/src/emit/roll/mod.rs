//! Finds statements that repeat, as they do in the functions of a mechanism of many similar bodies. A round is a
//! stretch of statements that is repeated with other numbers, other elements of the same arrays, and values of the
//! previous turn or of an earlier round. It is written once, as a loop. The operations and their order do not change,
//! so the results are the same bits.

/// Origins of the leaves of a round.
mod source;
/// Stretches of statements of the same shape, one after the other.
mod stretch;

use std::collections::BTreeSet;
use std::ops::Range;

use super::plan::{Statement, StatementPlan};
use crate::kernel::{Slot, Value};
pub use source::{Home, LeafSource};
use source::{Homes, fit};
use stretch::Stretches;

/// A stretch of a function.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// Statements that are written as they are.
    Once(Range<usize>),
    /// Statements that are written as a loop.
    Round(Round),
}

/// Statements that come again and again.
#[derive(Clone, Debug, PartialEq)]
pub struct Round {
    /// The first statement of the first turn.
    pub start: usize,
    /// Statements in a turn.
    pub period: usize,
    /// Number of turns.
    pub turns: usize,
    /// Origins of the leaves of each statement, in the order of [`StatementPlan::leaves`].
    pub sources: Vec<Vec<LeafSource>>,
    /// Number of elements by which the output of each statement moves on from turn to turn.
    pub strides: Vec<i64>,
}

/// A function with its rounds.
#[derive(Clone, Debug, PartialEq)]
pub struct Rolled {
    /// All statements, in order.
    pub blocks: Vec<Block>,
    /// Of each round, the values of a turn that are used after it, in growing order.
    pub kept: Vec<Vec<Home>>,
}

/// Statements that a round has to save, else it is not worth a loop.
const SAVED: usize = 24;

/// Fewer turns are no pattern.
pub const TURNS: usize = 3;

/// The function with its rounds, if they save a quarter of its statements.
pub fn roll(plan: &StatementPlan) -> Option<Rolled> {
    let blocks = blocks(plan);
    let rolled = Rolled {
        kept: kept(plan, &blocks)?,
        blocks,
    };
    (4 * rolled.n_statements() <= 3 * plan.statements.len()).then_some(rolled)
}

impl Rolled {
    /// Statements that are written.
    pub fn n_statements(&self) -> usize {
        let count = |block: &Block| match block {
            Block::Once(range) => range.len(),
            Block::Round(round) => round.period,
        };
        self.blocks.iter().map(count).sum()
    }

    /// The rounds, in order.
    pub fn rounds(&self) -> impl Iterator<Item = &Round> {
        rounds(&self.blocks)
    }
}

impl Round {
    /// The statement after the last turn.
    pub fn end(&self) -> usize {
        self.start + self.period * self.turns
    }

    /// The statements of the first turn.
    pub fn first<'a>(&self, plan: &'a StatementPlan) -> &'a [Statement] {
        &plan.statements[self.start..self.start + self.period]
    }

    fn saved(&self) -> usize {
        self.period * (self.turns - 1)
    }
}

fn rounds(blocks: &[Block]) -> impl Iterator<Item = &Round> {
    blocks.iter().filter_map(|block| match block {
        Block::Round(round) => Some(round),
        Block::Once(_) => None,
    })
}

/// From the first statement on, at each the round that saves most.
fn blocks(plan: &StatementPlan) -> Vec<Block> {
    let stretches = Stretches::new(plan);
    let mut homes = Homes::new(plan);
    let mut blocks = Vec::new();
    let (mut done, mut at) = (0, 0);
    while at < plan.statements.len() {
        let periods = stretches.periods(at);
        let rounds = periods.filter_map(|period| fit(&homes, &stretches, at, period));
        let worth = rounds.filter(|round| round.saved() >= SAVED);
        let Some(round) = worth.max_by_key(Round::saved) else {
            at += 1;
            continue;
        };
        if done < round.start {
            blocks.push(Block::Once(done..round.start));
        }
        homes.add(&round);
        (done, at) = (round.end(), round.end());
        blocks.push(Block::Round(round));
    }
    if done < at {
        blocks.push(Block::Once(done..at));
    }
    blocks
}

/// Of each round, the values of a turn that are used after it; nothing if one of them is a truth value, which
/// arrays of numbers do not hold.
fn kept(plan: &StatementPlan, blocks: &[Block]) -> Option<Vec<Vec<Home>>> {
    let mut homes = Homes::new(plan);
    let mut kept: Vec<BTreeSet<Home>> = Vec::new();
    for block in blocks {
        let mut keep = |value: Value| {
            if let Some((round, home, _)) = homes.in_round(value) {
                kept[round].insert(home);
            }
        };
        match block {
            Block::Once(range) => {
                for statement in &plan.statements[range.clone()] {
                    plan.leaves(*statement, &mut keep);
                }
            }
            Block::Round(round) => {
                let sources = round.sources.iter().flatten();
                sources
                    .flat_map(LeafSource::outer)
                    .copied()
                    .for_each(&mut keep);
                for (from, home) in round
                    .sources
                    .iter()
                    .flatten()
                    .filter_map(LeafSource::earlier)
                {
                    kept[from].insert(home);
                }
                homes.add(round);
                kept.push(BTreeSet::new());
            }
        }
    }
    let kept: Vec<Vec<Home>> = kept
        .into_iter()
        .map(|homes| homes.into_iter().collect())
        .collect();
    let truth = |(round, homes): (&Round, &Vec<Home>)| {
        let defined = |home: &Home| plan.defines(round.first(plan)[home.position])[home.which];
        homes
            .iter()
            .any(|home| plan.instruction(defined(home)).is_truth())
    };
    let any = rounds(blocks).zip(&kept).any(truth);
    (!any).then_some(kept)
}

/// By how much the elements of a sequence grow, as far as they grow evenly: the stride and how many do.
fn even(mut indices: impl Iterator<Item = u32>) -> (i64, usize) {
    let (Some(first), second) = (indices.next(), indices.next()) else {
        return (0, 0);
    };
    let Some(second) = second else {
        return (0, 1);
    };
    let stride = i64::from(second) - i64::from(first);
    let expected = (2..).map(|k| i64::from(first) + k * stride);
    let more = indices
        .zip(expected)
        .take_while(|(index, expected)| i64::from(*index) == *expected);
    (stride, 2 + more.count())
}

/// The slot that a statement writes.
fn written(statement: Statement) -> Option<Slot> {
    match statement {
        Statement::Write(slot, _) => Some(slot),
        _ => None,
    }
}
