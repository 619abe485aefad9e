//! Chooses the form of a function: whole, as loops, or in pieces. Functions that a step calls should be fast, all
//! others should compile quickly.

use std::ops::RangeInclusive;

use super::plan::StatementPlan;
use super::roll::{Rolled, roll};
use crate::kernel::{Array, Name};

/// The form of a function.
#[derive(Clone, Debug)]
pub enum FunctionForm {
    /// As loops.
    Rounds(Rolled),
    /// In pieces of at most so many statements; whole, if it is no longer.
    Pieces(usize),
    /// With its statements in another order, the first of which are a piece by themselves, the others as above.
    Apart(StatementPlan, usize, usize),
}

/// Statements of a solve of which rates that share nothing with it are a piece by themselves. Rustc computes several of
/// them at once, and in one function with the solve it keeps their parts in wide registers all the while; a chain
/// of 20 takes a tenth less time without. In shorter solves the call takes longer, in longer ones no register is free.
const APART: RangeInclusive<usize> = 1200..=3000;

/// Factor by which a function that is called several times in a step may be longer than others, before rounds are
/// looked for in it.
const LONG: usize = 4;

/// Such a function is rolled if so many times fewer statements are left, so that the code of a large mechanism stays
/// near the processor: of a ladder of 100 four-bars a tenth is left, and it takes an eighth less time. A chain of 100,
/// of which a fifth is left, would take a fifth more: a loop is over before the next begins, and unrolled they overlap.
const FEWER: usize = 8;

/// Factor by which such a function may be longer than others before it is cut. Within one function rustc computes side
/// by side the operations that do not wait for each other.
const WHOLE: usize = 50;

/// The form of a function, of which pieces have at most so many statements if a step does not ask for it.
pub fn form(plan: &StatementPlan, piece: usize) -> FunctionForm {
    let is_hot = is_hot(plan.name);
    let n_statements = plan.statements.len();
    let is_long = n_statements > piece.saturating_mul(if is_hot { LONG } else { 1 });
    let rolled = is_long.then(|| roll(plan)).flatten();
    let is_worth_it = |rolled: &Rolled| !is_hot || FEWER * rolled.n_statements() <= n_statements;
    if let Some(rolled) = rolled.filter(is_worth_it) {
        return FunctionForm::Rounds(rolled);
    }
    let length = piece.saturating_mul(if is_hot { WHOLE } else { 1 });
    if plan.name.solves() && APART.contains(&n_statements) {
        let mut plan = plan.clone();
        let n_apart = plan.set_apart(Array::Rates);
        return FunctionForm::Apart(plan, n_apart, length);
    }
    FunctionForm::Pieces(length)
}

/// True for functions that are called several times in a step.
fn is_hot(name: Name) -> bool {
    let is_cold = matches!(
        name,
        Name::Prepare
            | Name::Guess
            | Name::Dense
            | Name::MassTimes
            | Name::Holds
            | Name::Energy
            | Name::Outputs
            | Name::Reactions
    );
    !is_cold
}
