//! Functions that repeat themselves: a turn of a round stands for what it replaces, and the text does not grow.

use crate::emit::plan::{Statement, StatementPlan};
use crate::emit::roll::{Block, LeafSource, Rolled, Round, roll};
use crate::expr::Unary;
use crate::kernel::{Array, Function, Instruction, Name, Slot, Value};
use crate::options::Scalar;

/// n angles one after the other, each with what the one before leaves, and back again with what was found on the way:
///
/// ```text
/// x_k = c_k sin x_k−1 + q_k x_k−2 − cos x_k−1        y_k = x_k y_k+1 + q_k if x_k < x_k+1, else d_k − y_k+1
/// ```
pub fn there_and_back(n: usize) -> Function {
    let mut code = Vec::new();
    let mut push = |instruction| {
        code.push(instruction);
        Value(code.len() as u32 - 1)
    };
    let slot = |array, k: usize| Slot::new(array, k);
    let q: Vec<Value> = (0..n)
        .map(|k| push(Instruction::Load(slot(Array::Coordinates, k))))
        .collect();
    let mut x = vec![q[0]];
    for k in 1..n {
        let last = x[k - 1];
        let sin = push(Instruction::Unary(Unary::Sin, last));
        let cos = push(Instruction::Unary(Unary::Cos, last));
        let number = push(Instruction::Constant(0.5 + k as f64 / n as f64));
        let product = push(Instruction::Mul(number, sin));
        let older = push(Instruction::Mul(q[k], x[k.saturating_sub(2)]));
        let sum = push(Instruction::Add(product, older));
        x.push(push(Instruction::Sub(sum, cos)));
    }
    let mut outputs = vec![(slot(Array::Accelerations, n - 1), x[n - 1])];
    let mut y = x[n - 1];
    for k in (0..n - 1).rev() {
        let product = push(Instruction::Mul(x[k], y));
        let sum = push(Instruction::Add(product, q[k]));
        let number = push(Instruction::Constant(1.0 / (1 + k) as f64));
        let other = push(Instruction::Sub(number, y));
        let truth = push(Instruction::Less(x[k], x[k + 1]));
        y = push(Instruction::Select(truth, sum, other));
        outputs.push((slot(Array::Accelerations, k), y));
    }
    outputs.reverse();
    Function {
        name: Name::Accelerate,
        instructions: code,
        outputs,
    }
}

fn rolled(n: usize) -> (StatementPlan, Rolled) {
    let plan = StatementPlan::new(&there_and_back(n), Scalar::F64);
    let rolled = roll(&plan).expect("what repeats is found");
    (plan, rolled)
}

#[test]
fn a_longer_function_has_no_more_statements() {
    let [short, long] = [20, 200].map(|n| rolled(n).1);
    assert_eq!(short.n_statements(), long.n_statements());
    assert_eq!(short.blocks.len(), long.blocks.len());
    // All but the ends.
    assert!(long.rounds().any(|round| round.turns >= 195));
}

#[test]
fn blocks_are_all_statements_in_order() {
    let (plan, rolled) = rolled(30);
    let mut next = 0;
    for block in &rolled.blocks {
        let (start, end) = match block {
            Block::Once(range) => (range.start, range.end),
            Block::Round(round) => (round.start, round.end()),
        };
        assert_eq!(start, next);
        next = end;
    }
    assert_eq!(next, plan.statements.len());
}

#[test]
fn sources_are_what_the_function_has_in_each_turn() {
    let (plan, rolled) = rolled(30);
    let rounds: Vec<&Round> = rolled.rounds().collect();
    for round in &rounds {
        for turn in 0..round.turns {
            for (position, sources) in round.sources.iter().enumerate() {
                let statement = plan.statements[round.start + turn * round.period + position];
                let mut leaves = Vec::new();
                plan.leaves(statement, &mut |leaf| leaves.push(leaf));
                assert_eq!(leaves.len(), sources.len());
                for (leaf, source) in leaves.into_iter().zip(sources) {
                    assert!(
                        means(&plan, &rounds, round, source, turn, leaf),
                        "{source:?} in turn {turn} is not {leaf:?}"
                    );
                }
                if let (Statement::Write(slot, _), Statement::Write(first, _)) =
                    (statement, round.first(&plan)[position])
                {
                    let moved = round.strides[position] * turn as i64;
                    assert_eq!(i64::from(slot.index), i64::from(first.index) + moved);
                }
            }
        }
    }
    let all: Vec<&LeafSource> = rounds
        .iter()
        .flat_map(|r| r.sources.iter().flatten())
        .collect();
    let has = |is: fn(&LeafSource) -> bool| all.iter().any(|source| is(source));
    assert!(has(|source| matches!(source, LeafSource::Numbers(_))));
    assert!(has(|source| matches!(source, LeafSource::Loads(_, 1))));
    assert!(has(|source| matches!(source, LeafSource::Here(_))));
    assert!(has(
        |source| matches!(source, LeafSource::Before(_, first) if first.len() == 1)
    ));
    assert!(has(
        |source| matches!(source, LeafSource::Before(_, first) if first.len() == 2)
    ));
    assert!(has(|source| matches!(
        source,
        LeafSource::Of { stride: -1, .. }
    )));
}

/// Whether a source is this value in a turn.
fn means(
    plan: &StatementPlan,
    rounds: &[&Round],
    round: &Round,
    source: &LeafSource,
    turn: usize,
    leaf: Value,
) -> bool {
    let defined = |round: &Round, home: &crate::emit::roll::Home, turn: usize| {
        let at = round.start + turn * round.period + home.position;
        plan.defines(plan.statements[at])[home.which]
    };
    match source {
        LeafSource::Same(value) => *value == leaf,
        LeafSource::Numbers(numbers) => {
            plan.instruction(leaf) == Instruction::Constant(numbers[turn])
        }
        LeafSource::Loads(first, stride) => {
            let index = i64::from(first.index) + stride * turn as i64;
            plan.instruction(leaf) == Instruction::Load(Slot::new(first.array, index as usize))
        }
        LeafSource::Here(home) => defined(round, home, turn) == leaf,
        // The first turns have it from outside, that is, from a statement before the round.
        LeafSource::Before(_, first) if turn < first.len() => {
            let before = &plan.statements[..round.start];
            let is_outer = before.iter().any(|one| plan.defines(*one).contains(&leaf));
            first[turn] == leaf && (is_outer || plan.temporary(leaf).is_none())
        }
        LeafSource::Before(home, first) => defined(round, home, turn - first.len()) == leaf,
        LeafSource::Of {
            round,
            home,
            turn: from,
            stride,
        } => {
            let turn = *from as i64 + stride * turn as i64;
            defined(rounds[*round], home, turn as usize) == leaf
        }
    }
}

#[test]
fn what_does_not_repeat_is_left_as_it_is() {
    let plan = StatementPlan::new(&there_and_back(3), Scalar::F64);
    assert_eq!(roll(&plan), None);
}
