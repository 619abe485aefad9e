//! A rolled function as statements and loops. Values that a turn needs of the one before are in variables. Values that
//! are used after a round are in arrays with an element for each turn, and the numbers in which turns differ are in a
//! table.

use std::collections::BTreeMap;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use super::context::EmitContext;
use super::expression::{ArrayElement, Renderer, Texts};
use super::plan::{Statement, StatementPlan};
use super::roll::{Block, Home, LeafSource, Rolled, Round};
use super::signature::read;
use crate::kernel::{Instruction, Value};

/// The statements of a function, its rounds as loops.
pub fn rounds(
    context: &EmitContext,
    plan: &StatementPlan,
    rolled: &Rolled,
    named: &Texts,
) -> TokenStream {
    let mut texts = texts(plan, rolled);
    texts.extend(named.clone());
    let outer = Renderer {
        context,
        plan,
        texts: &texts,
    };
    let mut number = 0;
    let block = |block: &Block| match block {
        Block::Once(range) => {
            let statements = plan.statements[range.clone()].iter();
            statements.map(|one| outer.statement(*one)).collect()
        }
        Block::Round(round) => {
            number += 1;
            RoundTurn::new(outer, rolled, round, number - 1).render()
        }
    };
    rolled.blocks.iter().map(block).collect()
}

/// The values that a rolled function asks for by their own names: those of statements that are in no round, and those
/// that are the same in each turn.
pub fn outside(plan: &StatementPlan, rolled: &Rolled) -> Vec<Value> {
    let values = |block: &Block| match block {
        Block::Once(range) => {
            let statements = plan.statements[range.clone()].iter();
            statements.flat_map(|one| plan.leaves_of(*one)).collect()
        }
        Block::Round(round) => {
            let sources = round.sources.iter().flatten();
            sources
                .flat_map(LeafSource::outer)
                .copied()
                .collect::<Vec<_>>()
        }
    };
    rolled.blocks.iter().flat_map(values).collect()
}

/// The names of the values of rounds after their loops.
fn texts(plan: &StatementPlan, rolled: &Rolled) -> Texts {
    let mut texts = Texts::new();
    for (number, round) in rolled.rounds().enumerate() {
        for (home, turn) in rolled.kept[number]
            .iter()
            .flat_map(|home| (0..round.turns).map(move |turn| (home, turn)))
        {
            let statement = plan.statements[round.start + turn * round.period + home.position];
            let (array, turn) = (kept(rolled, number, *home), Literal::usize_unsuffixed(turn));
            texts.insert(plan.defines(statement)[home.which], quote!(#array[#turn]));
        }
    }
    texts
}

/// The array with a value of each turn.
fn kept(rolled: &Rolled, round: usize, home: Home) -> Ident {
    let place = rolled.kept[round].binary_search(&home);
    let place = place.expect("what is used after a round is kept");
    format_ident!("kept_{round}_{place}")
}

/// One turn of a round, which stands for all.
struct RoundTurn<'a> {
    outer: Renderer<'a>,
    rolled: &'a Rolled,
    round: &'a Round,
    number: usize,
    /// The same operations as in the first turn, on leaves that are good for every turn.
    plan: StatementPlan,
    texts: Texts,
    /// The value in `plan` for each value of the turn.
    here: BTreeMap<Home, Value>,
    /// The numbers in which turns differ, by their bits: a column for each, an element for each turn.
    columns: Vec<Vec<u64>>,
    /// Values of earlier turns: their present values, and from outside in the first turns.
    before: Vec<(Home, Vec<Value>)>,
}

impl<'a> RoundTurn<'a> {
    fn new(outer: Renderer<'a>, rolled: &'a Rolled, round: &'a Round, number: usize) -> Self {
        let mut turn = Self {
            outer,
            rolled,
            round,
            number,
            plan: StatementPlan::empty(outer.plan.name),
            texts: Texts::new(),
            here: BTreeMap::new(),
            columns: Vec::new(),
            before: Vec::new(),
        };
        for (position, statement) in round.first(outer.plan).iter().enumerate() {
            turn.copy(position, *statement);
        }
        turn
    }

    fn copy(&mut self, position: usize, statement: Statement) {
        let round = self.round;
        let mut sources = round.sources[position].iter();
        let copied = match statement {
            Statement::Let(value) => Statement::Let(self.below(value, &mut sources)),
            Statement::SinCos(sin, cos) => {
                let sin = self.below(sin, &mut sources);
                let angle = self.plan.instruction(sin).operands().next();
                let angle = angle.expect("a sine has an angle");
                let cos = self.outer.plan.instruction(cos).map(|_| angle);
                Statement::SinCos(sin, self.plan.push(cos))
            }
            Statement::Write(slot, value) => {
                Statement::Write(slot, self.within(value, &mut sources))
            }
        };
        let names = self.outer.plan.defines(statement);
        let defined = self.plan.defines(copied);
        for (which, (name, value)) in names.into_iter().zip(defined).enumerate() {
            self.plan.name(value, self.outer.plan.temporary(name));
            self.here.insert(Home { position, which }, value);
        }
        self.plan.statements.push(copied);
    }

    fn within(&mut self, value: Value, sources: &mut std::slice::Iter<LeafSource>) -> Value {
        if !self.outer.plan.is_leaf(value) {
            return self.below(value, sources);
        }
        let source = sources.next().expect("each leaf has a source");
        self.leaf(source)
    }

    fn below(&mut self, value: Value, sources: &mut std::slice::Iter<LeafSource>) -> Value {
        let instruction = self.outer.plan.instruction(value);
        let copied = instruction.map(|operand| self.within(operand, sources));
        self.plan.push(copied)
    }

    fn leaf(&mut self, source: &LeafSource) -> Value {
        let text = match source {
            LeafSource::Here(home) => return self.here[home],
            LeafSource::Same(value) => match self.outer.plan.instruction(*value) {
                number @ Instruction::Constant(_) => return self.plan.push(number),
                _ => self.outer.leaf(*value),
            },
            LeafSource::Numbers(numbers) => {
                let numbers = numbers.iter().map(|number| number.to_bits()).collect();
                let column = place(&mut self.columns, &numbers);
                let column = Literal::usize_unsuffixed(column);
                let number = quote!(numbers[#column]);
                self.outer.context.of(number)
            }
            LeafSource::Loads(slot, stride) => {
                let place = read(self.outer.plan.name, slot.array);
                let element = ArrayElement::new(*slot, *stride);
                self.outer.element(place, element)
            }
            LeafSource::Before(home, first) => {
                let at = place(&mut self.before, &(*home, first.clone()));
                let name = self.older(at, 0);
                quote!(#name)
            }
            LeafSource::Of {
                round,
                home,
                turn,
                stride,
            } => {
                let array = kept(self.rolled, *round, *home);
                let index = ArrayElement::index(*turn, *stride);
                quote!(#array[#index])
            }
        };
        let value = self.plan.push(Instruction::Constant(0.0));
        self.texts.insert(value, text);
        value
    }

    fn render(&self) -> TokenStream {
        let (arrays, keep) = self.kept();
        let (variables, shift) = self.before();
        let (table, row) = self.table();
        let strides = &self.round.strides;
        let inner = self.inner();
        let statements = self.plan.statements.iter().zip(strides);
        let statements = statements.map(|(statement, stride)| match statement {
            Statement::Write(slot, value) => inner.write(ArrayElement::new(*slot, *stride), *value),
            _ => inner.statement(*statement),
        });
        let (turn, turns) = (self.turn(), Literal::usize_unsuffixed(self.round.turns));
        quote! {
            #table
            #arrays
            #variables
            for #turn in 0..#turns {
                #row
                #(#statements)*
                #keep
                #shift
            }
        }
    }

    fn inner(&self) -> Renderer<'_> {
        Renderer {
            plan: &self.plan,
            texts: &self.texts,
            ..self.outer
        }
    }

    /// The name that counts turns, if anything in them asks for it.
    fn turn(&self) -> Ident {
        let mut sources = self.round.sources.iter().flatten();
        let is_even = |source: &LeafSource| match source {
            LeafSource::Loads(_, stride) | LeafSource::Of { stride, .. } => *stride != 0,
            _ => false,
        };
        let is_asked_for = !self.columns.is_empty()
            || !self.rolled.kept[self.number].is_empty()
            || self.round.strides.iter().any(|stride| *stride != 0)
            || sources.any(is_even);
        format_ident!("{}", if is_asked_for { "turn" } else { "_" })
    }

    /// Arrays for values that are used later, and the statements that fill them.
    fn kept(&self) -> (TokenStream, TokenStream) {
        let zero = self.outer.context.number(0.0);
        let turns = Literal::usize_unsuffixed(self.round.turns);
        let homes = self.rolled.kept[self.number].iter();
        let each = homes.map(|home| {
            let array = kept(self.rolled, self.number, *home);
            let value = self.name_of(*home);
            (
                quote!(let mut #array = [#zero; #turns];),
                quote!(#array[turn] = #value;),
            )
        });
        each.unzip()
    }

    /// Variables for values of earlier turns, oldest first, and the statements that move them on.
    fn before(&self) -> (TokenStream, TokenStream) {
        let each = self
            .before
            .iter()
            .enumerate()
            .flat_map(|(at, (home, first))| {
                first.iter().enumerate().map(move |(age, value)| {
                    let (name, outer) = (self.older(at, age), self.outer.leaf(*value));
                    let next = match age + 1 < first.len() {
                        true => {
                            let next = self.older(at, age + 1);
                            quote!(#next)
                        }
                        false => self.name_of(*home),
                    };
                    (quote!(let mut #name = #outer;), quote!(#name = #next;))
                })
            });
        each.unzip()
    }

    /// The table of numbers, and the row of a turn.
    fn table(&self) -> (Option<TokenStream>, Option<TokenStream>) {
        if self.columns.is_empty() {
            return (None, None);
        }
        let element = &self.outer.context.element;
        let name = format_ident!("NUMBERS_{}", self.number);
        let n_columns = Literal::usize_unsuffixed(self.columns.len());
        let turns = Literal::usize_unsuffixed(self.round.turns);
        let rows = (0..self.round.turns).map(|turn| {
            let numbers = self.columns.iter();
            let numbers =
                numbers.map(|column| self.outer.context.element(f64::from_bits(column[turn])));
            quote!([#(#numbers),*])
        });
        let table = quote!(static #name: [[#element; #n_columns]; #turns] = [#(#rows),*];);
        (Some(table), Some(quote!(let numbers = &#name[turn];)))
    }

    fn name_of(&self, home: Home) -> TokenStream {
        self.inner().leaf(self.here[&home])
    }

    /// The variable with a value of an earlier turn: the oldest, which is used, or a younger one.
    fn older(&self, at: usize, age: usize) -> Ident {
        match age {
            0 => format_ident!("last_{}_{at}", self.number),
            _ => format_ident!("last_{}_{at}_{age}", self.number),
        }
    }
}

/// The place of an element in a list, added if it is new.
fn place<T: Clone + PartialEq>(list: &mut Vec<T>, element: &T) -> usize {
    list.iter()
        .position(|one| one == element)
        .unwrap_or_else(|| {
            list.push(element.clone());
            list.len() - 1
        })
}
