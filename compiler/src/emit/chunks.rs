//! Cuts long functions into pieces where few values are alive, because rustc needs more than twice
//! the time for a function of twice the length.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::plan::{Statement, StatementPlan};
use crate::kernel::Value;

/// A function in pieces.
#[derive(Clone, Debug, PartialEq)]
pub struct Pieces {
    /// The pieces, in order.
    pub list: Vec<FunctionPiece>,
    /// Number of places for values that one piece leaves to others.
    pub n_places: usize,
}

/// A piece of a function. Values that it takes from earlier pieces and leaves to later ones lie in numbered places, so
/// that values which only pass by cost nothing. In a long solve there are many such values. Handing them on from piece
/// to piece would take text and time that grow with the square of the length.
#[derive(Clone, Debug, PartialEq)]
pub struct FunctionPiece {
    /// Its statements.
    pub statements: Range<usize>,
    /// Temporaries of earlier pieces that it uses, in the order of their definition.
    pub entering: Vec<PlacedValue>,
    /// Temporaries that later pieces use, in the order of their definition. They may take the places
    /// of those that enter and are not used later.
    pub leaving: Vec<PlacedValue>,
}

/// A temporary and its place between pieces.
pub type PlacedValue = (Value, usize);

impl FunctionPiece {
    /// The statements of the piece.
    pub fn of<'a>(&self, plan: &'a StatementPlan) -> &'a [Statement] {
        &plan.statements[self.statements.clone()]
    }
}

/// The pieces of a function, none longer than `length` statements; one if it is short enough. The first statements
/// may be a piece by themselves, however many.
pub fn chunks(plan: &StatementPlan, n_apart: usize, length: usize) -> Pieces {
    let lives = lives(plan);
    let cuts = cuts(plan, &lives, n_apart, length.max(1));
    let ends = cuts.iter().copied().chain([plan.statements.len()]);
    let starts = [0].into_iter().chain(cuts.iter().copied());
    let piece = |(start, end)| FunctionPiece {
        statements: start..end,
        entering: Vec::new(),
        leaving: Vec::new(),
    };
    let list = starts.zip(ends).map(piece).collect();
    let mut pieces = Pieces { list, n_places: 0 };
    pieces.place(&lives, &cuts);
    pieces
}

impl Pieces {
    /// Gives a place to a value that is used outside of the piece that defines it: the lowest that is free.
    fn place(&mut self, lives: &[Life], cuts: &[usize]) {
        let piece_of = |statement: usize| cuts.partition_point(|cut| *cut <= statement);
        let mut places = PiecePlaces::default();
        let mut current = 0;
        for life in lives.iter() {
            let home = piece_of(life.first);
            let users: BTreeSet<usize> = life.uses.iter().map(|at| piece_of(*at)).collect();
            let Some(&last) = users.last().filter(|last| **last > home) else {
                continue;
            };
            while current < home {
                current += 1;
                places.free_after(current);
            }
            let placed = (life.value, places.take(last));
            self.list[home].leaving.push(placed);
            for user in users.into_iter().filter(|user| *user > home) {
                self.list[user].entering.push(placed);
            }
        }
        self.n_places = places.n_places;
    }
}

/// The places that are taken, and the piece until which each is taken.
#[derive(Default)]
struct PiecePlaces {
    n_places: usize,
    free: BTreeSet<usize>,
    taken: BTreeMap<usize, Vec<usize>>,
}

impl PiecePlaces {
    /// Places whose value is last used in `piece` are free at its end.
    fn free_after(&mut self, piece: usize) {
        self.free
            .extend(self.taken.remove(&piece).unwrap_or_default());
    }

    /// The lowest free place, until the end of piece `last`.
    fn take(&mut self, last: usize) -> usize {
        let place = self.free.pop_first().unwrap_or(self.n_places);
        self.n_places = self.n_places.max(place + 1);
        self.taken.entry(last).or_default().push(place);
        place
    }
}

/// From the statement that defines a temporary to those that use it.
struct Life {
    value: Value,
    truth: bool,
    first: usize,
    uses: Vec<usize>,
}

impl Life {
    /// The last statement that uses the value.
    fn last(&self) -> usize {
        self.uses.last().copied().unwrap_or(self.first)
    }
}

/// The lives of all temporaries, in the order of their definition.
fn lives(plan: &StatementPlan) -> Vec<Life> {
    let mut lives: Vec<Life> = Vec::new();
    let mut places: BTreeMap<Value, usize> = BTreeMap::new();
    for (index, statement) in plan.statements.iter().enumerate() {
        plan.leaves(*statement, &mut |leaf| {
            if let Some(place) = places.get(&leaf) {
                lives[*place].uses.push(index);
            }
        });
        for value in plan.defines(*statement) {
            let truth = plan.instruction(value).is_truth();
            places.insert(value, lives.len());
            lives.push(Life {
                value,
                truth,
                first: index,
                uses: Vec::new(),
            });
        }
    }
    lives
}

/// The statements at which to cut: in the second half of a piece's longest length, at the place with the fewest truth
/// values alive, then the fewest numbers, then the latest.
fn cuts(plan: &StatementPlan, lives: &[Life], n_apart: usize, length: usize) -> Vec<usize> {
    let costs = costs(lives, plan.statements.len());
    let is_cut = n_apart > 0 && n_apart < plan.statements.len();
    let mut start = if is_cut { n_apart } else { 0 };
    let mut cuts: Vec<usize> = is_cut.then_some(n_apart).into_iter().collect();
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
        change(life.last() + 1, -1);
    }
    let mut alive = (0, 0);
    let mut count = |change: (isize, isize)| {
        alive = (alive.0 + change.0, alive.1 + change.1);
        (alive.0.unsigned_abs(), alive.1.unsigned_abs())
    };
    changes.into_iter().map(&mut count).collect()
}
