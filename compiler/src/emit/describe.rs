//! Describes each function in its doc comment: its results, its inputs, its formula and its cost.

use proc_macro2::TokenStream;

use super::context::EmitContext;
use super::docs::{cost, doc};
use super::plan::{Statement, StatementPlan};
use crate::kernel::{Array, Name};

/// Names of coordinates that a comment lists; more are counted.
const LISTED: usize = 12;

/// Characters that a line of a comment may have.
const WIDTH: usize = 88;

/// The doc comment of a function.
pub fn describe(context: &EmitContext, plan: &StatementPlan) -> TokenStream {
    let about = match plan.name {
        Name::Accelerate => accelerate(context, plan).to_owned(),
        Name::Normalize => normalize(context, plan),
        name => name.about().to_owned(),
    };
    let costs = cost(plan);
    let (first, rest) = costs.split_at(1);
    doc(&format!(
        "{}\n\n{}{rest}.",
        wrapped(&about),
        first.to_uppercase()
    ))
}

/// The text in lines of at most [`WIDTH`] characters.
fn wrapped(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().expect("there is a line");
        match line.chars().count() + 1 + word.chars().count() {
            _ if line.is_empty() => line.push_str(word),
            ..=WIDTH => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.join("\n")
}

/// Without an unrolled solve the function has little to say, and without constraint equations there are no multipliers.
fn accelerate(context: &EmitContext, plan: &StatementPlan) -> &'static str {
    let writes = |array| {
        let is = |statement: &Statement| matches!(statement, Statement::Write(slot, _) if slot.array == array);
        plan.statements.iter().any(is)
    };
    match (writes(Array::Margin), context.sizes.constraints) {
        (false, _) => "Leaves the accelerations to the dense solve of the runtime.",
        (true, 0) => {
            "Accelerations v̇ of the state (t, q, v): M v̇ = Q. `out` also gets q̇ = T v, the margin of the smallest pivot of M, \
             and the power of the forces without a potential."
        }
        (true, _) => Name::Accelerate.about(),
    }
}

fn normalize(context: &EmitContext, plan: &StatementPlan) -> String {
    let written = plan.statements.iter().filter_map(|one| match one {
        Statement::Write(slot, _) => Some(slot.index),
        _ => None,
    });
    let mut written: Vec<u32> = written.collect();
    written.sort_unstable();
    let name = |index: &u32| {
        let name = context.locals.name(Array::Coordinates, *index);
        name.map_or(format!("`q[{index}]`"), |name| format!("`{name}`"))
    };
    match written.len() {
        0 => "Changes nothing: no coordinates have a constant length.".to_owned(),
        1..=LISTED => {
            let list: Vec<_> = written.iter().map(name).collect();
            format!("{} Here: {}.", Name::Normalize.about(), list.join(", "))
        }
        n => format!("{} Here: {n} of them.", Name::Normalize.about()),
    }
}
