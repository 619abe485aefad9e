//! The origins of a leaf of a round, turn by turn: the same value, a number of each turn, elements of an array at even
//! distances, a value of this turn, of the turn before, or of the turns of an earlier round.

use super::stretch::Stretches;
use super::{Round, TURNS, even, written};
use crate::emit::plan::{Statement, StatementPlan};
use crate::kernel::{Instruction, Slot, Value};
use crate::small_keys::SmallKeyMap;

/// Turns that a value may be old. Older ones are a matter of a longer period.
const AGE: usize = 2;

/// First turns that may differ from those that follow.
const SKIPPED: usize = 3;

/// The origin of a leaf of a round.
#[derive(Clone, Debug, PartialEq)]
pub enum LeafSource {
    /// From outside, the same in each turn.
    Same(Value),
    /// A number of its own in each turn.
    Numbers(Vec<f64>),
    /// Elements of an array, from the first on by so many.
    Loads(Slot, i64),
    /// Of the same turn.
    Here(Home),
    /// Of an earlier turn; in the first turns, of which there are as many as it is old, from outside.
    Before(Home, Vec<Value>),
    /// Of an earlier round, from a turn on by so many.
    Of {
        /// Index of the round.
        round: usize,
        /// The value of its turns.
        home: Home,
        /// The turn that the first turn here uses.
        turn: usize,
        /// Turns by turn.
        stride: i64,
    },
}

/// A value of a turn: the first or the second value of the statement at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Home {
    /// Index of the statement in the turn.
    pub position: usize,
    /// 1 for a cosine that comes with its sine, else 0.
    pub which: usize,
}

impl LeafSource {
    /// The values from outside.
    pub fn outer(&self) -> &[Value] {
        match self {
            Self::Same(value) => std::slice::from_ref(value),
            Self::Before(_, first) => first,
            _ => &[],
        }
    }

    /// The earlier round, and which value of its turns.
    pub fn earlier(&self) -> Option<(usize, Home)> {
        match self {
            Self::Of { round, home, .. } => Some((*round, *home)),
            _ => None,
        }
    }
}

/// The statements that define temporaries.
pub struct Homes<'a> {
    plan: &'a StatementPlan,
    /// Statement, and which of its values.
    homes: SmallKeyMap<Value, (usize, usize)>,
    /// First statement, period and end of each round.
    rounds: Vec<(usize, usize, usize)>,
}

impl<'a> Homes<'a> {
    /// Before any round is known.
    pub fn new(plan: &'a StatementPlan) -> Self {
        let mut homes = SmallKeyMap::default();
        for (at, statement) in plan.statements.iter().enumerate() {
            for (which, value) in plan.defines(*statement).into_iter().enumerate() {
                homes.insert(value, (at, which));
            }
        }
        let rounds = Vec::new();
        Self {
            plan,
            homes,
            rounds,
        }
    }

    /// A further round, after those so far.
    pub fn add(&mut self, round: &Round) {
        self.rounds.push((round.start, round.period, round.end()));
    }

    /// Round, place in its turn, and turn of a value that is defined in one.
    pub fn in_round(&self, value: Value) -> Option<(usize, Home, usize)> {
        let (at, which) = *self.homes.get(&value)?;
        let round = self.rounds.partition_point(|(_, _, end)| *end <= at);
        let &(start, period, _) = self.rounds.get(round)?;
        let distance = at.checked_sub(start)?;
        let position = distance % period;
        Some((round, Home { position, which }, distance / period))
    }
}

/// The longest round of this period from a statement on, or from one of the next turns. More turns are looked at as
/// long as all of them fit, so that what does not costs little, however long the shapes are alike.
pub fn fit(homes: &Homes, stretches: &Stretches, start: usize, period: usize) -> Option<Round> {
    let starts = (0..SKIPPED).map(|skipped| start + skipped * period);
    let rounds = starts.filter_map(|start| {
        let turns = RoundTurns {
            homes,
            start,
            period,
        };
        let mut most = TURNS;
        loop {
            let round = turns.round(stretches.n_alike(start, period, most))?;
            if round.turns < most {
                return Some(round);
            }
            most *= 2;
        }
    });
    rounds.max_by_key(Round::saved)
}

/// Stretches of one length, one after the other.
struct RoundTurns<'a> {
    homes: &'a Homes<'a>,
    start: usize,
    period: usize,
}

impl RoundTurns<'_> {
    fn statement(&self, position: usize, turn: usize) -> Statement {
        self.homes.plan.statements[self.start + turn * self.period + position]
    }

    /// As many of these turns as have sources, if they are enough for a round.
    fn round(&self, most: usize) -> Option<Round> {
        let mut turns = most;
        let (mut leaves, mut strides) = (Vec::new(), Vec::new());
        for position in 0..self.period {
            let own = self.leaves(position, turns);
            let stride = self.stride(position, turns);
            let reaches = own.iter().map(|values| self.best(values).0);
            let reaches = reaches.chain(stride.map(|(reach, _)| reach));
            turns = reaches.min().unwrap_or(turns).min(turns);
            if turns < TURNS {
                return None;
            }
            leaves.push(own);
            strides.push(stride.map_or(0, |(_, stride)| stride));
        }
        let source = |values: &Vec<Value>| self.best(&values[..turns]).1;
        let sources = leaves.iter().map(|own| own.iter().map(source).collect());
        Some(Round {
            start: self.start,
            period: self.period,
            turns,
            sources: sources.collect(),
            strides,
        })
    }

    /// The leaves of the statement at a position, each with its value in every turn.
    fn leaves(&self, position: usize, turns: usize) -> Vec<Vec<Value>> {
        let mut leaves: Vec<Vec<Value>> = Vec::new();
        for turn in 0..turns {
            let mut k = 0;
            let statement = self.statement(position, turn);
            self.homes.plan.leaves(statement, &mut |leaf| {
                if turn == 0 {
                    leaves.push(Vec::with_capacity(turns));
                }
                leaves[k].push(leaf);
                k += 1;
            });
        }
        leaves
    }

    /// The number of turns for which outputs move on evenly, and the distance.
    fn stride(&self, position: usize, turns: usize) -> Option<(usize, i64)> {
        let slots = (0..turns).map_while(|turn| written(self.statement(position, turn)));
        let (stride, reach) = even(slots.map(|slot| slot.index));
        (reach > 0).then_some((reach, stride))
    }

    /// The source that is good for the most turns, and for how many.
    fn best(&self, values: &[Value]) -> (usize, LeafSource) {
        let same = Some(self.same(values));
        let more = [
            self.numbers(values),
            self.loads(values),
            self.own(values),
            self.earlier(values),
        ];
        let all = [same].into_iter().chain(more).flatten();
        let longest = all.reduce(|a, b| if b.0 > a.0 { b } else { a });
        longest.unwrap_or_else(|| self.same(values))
    }

    fn same(&self, values: &[Value]) -> (usize, LeafSource) {
        let first = values[0];
        let is_outer = self.turn_of(first).is_none();
        let same = values
            .iter()
            .take_while(|value| is_outer && **value == first);
        (same.count(), LeafSource::Same(first))
    }

    fn numbers(&self, values: &[Value]) -> Option<(usize, LeafSource)> {
        let number = |value: &Value| match self.homes.plan.instruction(*value) {
            Instruction::Constant(number) => Some(number),
            _ => None,
        };
        let numbers: Vec<f64> = values.iter().map_while(number).collect();
        Some((numbers.len(), LeafSource::Numbers(numbers)))
    }

    fn loads(&self, values: &[Value]) -> Option<(usize, LeafSource)> {
        let slot = |value: &Value| match self.homes.plan.instruction(*value) {
            Instruction::Load(slot) => Some(slot),
            _ => None,
        };
        let first = slot(&values[0])?;
        let slots = values.iter().map_while(slot);
        let slots = slots.take_while(|slot| slot.array == first.array);
        let (stride, reach) = even(slots.map(|slot| slot.index));
        Some((reach, LeafSource::Loads(first, stride)))
    }

    fn own(&self, values: &[Value]) -> Option<(usize, LeafSource)> {
        let young = values.iter().take(AGE + 1);
        let (age, home) = young.enumerate().find_map(|(age, value)| {
            let (turn, home) = self.turn_of(*value)?;
            (turn == 0).then_some((age, home))
        })?;
        let is_own = |value: &Value| self.turn_of(*value).is_some();
        if values[..age].iter().any(is_own) {
            return None;
        }
        let value = values[age];
        if age > 0 && self.homes.plan.instruction(value).is_truth() {
            return None;
        }
        let old = values[age..].iter().enumerate();
        let old = old.take_while(|(turn, value)| self.turn_of(**value) == Some((*turn, home)));
        let source = match age {
            0 => LeafSource::Here(home),
            _ => LeafSource::Before(home, values[..age].to_vec()),
        };
        Some((age + old.count(), source))
    }

    fn earlier(&self, values: &[Value]) -> Option<(usize, LeafSource)> {
        let (round, home, turn) = self.homes.in_round(values[0])?;
        let places = values.iter().map_while(|value| self.homes.in_round(*value));
        let places = places.take_while(|place| (place.0, place.1) == (round, home));
        let (stride, reach) = even(places.map(|(_, _, turn)| turn as u32));
        let source = LeafSource::Of {
            round,
            home,
            turn,
            stride,
        };
        Some((reach, source))
    }

    /// Turn of these and place in it, if the value is defined there.
    fn turn_of(&self, value: Value) -> Option<(usize, Home)> {
        let (at, which) = *self.homes.homes.get(&value)?;
        let distance = at.checked_sub(self.start)?;
        let position = distance % self.period;
        Some((distance / self.period, Home { position, which }))
    }
}
