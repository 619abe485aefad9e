//! Cuts long functions into pieces where few values are alive, because rustc needs more than twice
//! the time for a function of twice the length.

use std::collections::BTreeMap;
use std::ops::Range;

use super::plan::{Plan, Statement, is_truth};
use crate::kernel::Value;

/// A piece of a function.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// Its statements.
    pub statements: Range<usize>,
    /// Temporaries of earlier pieces that it or a later one uses, in the order of their definition.
    pub entering: Vec<Value>,
    /// Temporaries that later pieces use, in the order of their definition.
    pub leaving: Vec<Value>,
}

impl Piece {
    /// The statements of the piece.
    pub fn of<'a>(&self, plan: &'a Plan) -> &'a [Statement] {
        &plan.statements[self.statements.clone()]
    }
}

/// The pieces of a function, none longer than `length` statements; one if it is short enough.
pub fn chunks(plan: &Plan, length: usize) -> Vec<Piece> {
    let lives = lives(plan);
    let cuts = cuts(plan, &lives, length.max(1));
    let alive = |cut: usize| -> Vec<Value> {
        let crossing = lives.iter().filter(|life| life.crosses(cut));
        crossing.map(|life| life.value).collect()
    };
    let ends = cuts.iter().copied().chain([plan.statements.len()]);
    let starts = [0].into_iter().chain(cuts.iter().copied());
    let piece = |(start, end)| Piece {
        statements: start..end,
        entering: alive(start),
        leaving: alive(end),
    };
    starts.zip(ends).map(piece).collect()
}

/// From the statement that defines a temporary to the last one that uses it.
struct Life {
    value: Value,
    truth: bool,
    first: usize,
    last: usize,
}

impl Life {
    /// Whether the value is alive just before statement `cut`.
    fn crosses(&self, cut: usize) -> bool {
        self.first < cut && cut <= self.last
    }
}

/// The lives of all temporaries, in the order of their definition.
fn lives(plan: &Plan) -> Vec<Life> {
    let mut lives: Vec<Life> = Vec::new();
    let mut places: BTreeMap<Value, usize> = BTreeMap::new();
    for (index, statement) in plan.statements.iter().enumerate() {
        plan.leaves(*statement, &mut |leaf| {
            if let Some(place) = places.get(&leaf) {
                lives[*place].last = index;
            }
        });
        for value in plan.defines(*statement) {
            let truth = is_truth(plan.instruction(value));
            places.insert(value, lives.len());
            lives.push(Life {
                value,
                truth,
                first: index,
                last: index,
            });
        }
    }
    lives
}

/// Where to cut: in the second half of what a piece may hold, at the place with the fewest truth
/// values alive, then the fewest numbers, then the latest.
fn cuts(plan: &Plan, lives: &[Life], length: usize) -> Vec<usize> {
    let costs = costs(lives, plan.statements.len());
    let mut cuts = Vec::new();
    let mut start = 0;
    while plan.statements.len() - start > length {
        let window = start + length.div_ceil(2)..=start + length;
        let best = window.min_by_key(|cut| (costs[*cut], std::cmp::Reverse(*cut)));
        start = best.unwrap_or(start + length);
        cuts.push(start);
    }
    cuts
}

/// Truth values and numbers alive before each statement.
fn costs(lives: &[Life], n_statements: usize) -> Vec<(usize, usize)> {
    let mut changes = vec![(0_isize, 0_isize); n_statements + 2];
    for life in lives {
        let mut change = |at: usize, by: isize| {
            let (truths, numbers) = &mut changes[at];
            *if life.truth { truths } else { numbers } += by;
        };
        change(life.first + 1, 1);
        change(life.last + 1, -1);
    }
    let mut alive = (0, 0);
    let mut count = |change: (isize, isize)| {
        alive = (alive.0 + change.0, alive.1 + change.1);
        (alive.0.unsigned_abs(), alive.1.unsigned_abs())
    };
    changes.into_iter().map(&mut count).collect()
}
