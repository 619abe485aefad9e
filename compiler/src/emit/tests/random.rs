//! Random functions: what the pieces compute, statement by statement, is what the kernel computes.

use std::collections::BTreeMap;

use proptest::prelude::*;

use crate::emit::chunks::chunks;
use crate::emit::plan::{Statement, StatementPlan};
use crate::expr::Unary;
use crate::kernel::{Array, Function, Instruction, Name, Slot, Value};
use crate::options::Scalar;

/// How many coordinates random functions read, and how many accelerations they write.
pub const SIZE: u32 = 4;

proptest! {
    #[test]
    fn pieces_compute_what_the_function_computes(
        function in function(60),
        length in 1_usize..12,
        q in proptest::array::uniform4(-2.0..2.0),
    ) {
        let expected = interpret(&function, &q);
        let plan = StatementPlan::new(&function, Scalar::F64);
        prop_assert_eq!(piecewise(&plan, length, &q), expected);
    }

    #[test]
    fn pieces_are_short(function in function(60), length in 1_usize..12) {
        let plan = StatementPlan::new(&function, Scalar::F64);
        let pieces = chunks(&plan, 0, length).list;
        prop_assert!(pieces.iter().all(|piece| piece.statements.len() <= length));
        prop_assert!(pieces.iter().all(|piece| !piece.statements.is_empty()) || plan.statements.is_empty());
    }
}

/// A function of `n` random instructions in which truth values are used as such.
pub fn function(n: usize) -> impl Strategy<Value = Function> {
    let choice = (0_u8..14, any::<[prop::sample::Index; 3]>(), -3.0..3.0);
    let writes = proptest::array::uniform4(any::<prop::sample::Index>());
    (proptest::collection::vec(choice, 1..n), writes).prop_map(|(choices, writes)| {
        let mut code: Vec<Instruction> = (0..SIZE)
            .map(|k| Instruction::Load(slot(Array::Coordinates, k)))
            .collect();
        for (kind, picks, number) in choices {
            code.push(instruction(&code, kind, picks, number));
        }
        let (numbers, _) = by_kind(&code);
        let outputs = writes
            .iter()
            .enumerate()
            .map(|(k, pick)| (slot(Array::Accelerations, k as u32), *pick.get(&numbers)));
        Function {
            name: Name::Accelerate,
            outputs: outputs.collect(),
            instructions: code,
        }
    })
}

/// The outputs, bit for bit.
pub fn interpret(function: &Function, q: &[f64]) -> Vec<u64> {
    let mut values: Vec<f64> = Vec::new();
    for instruction in &function.instructions {
        let value = apply(*instruction, q, &|value| values[value.0 as usize]);
        values.push(value);
    }
    function
        .outputs
        .iter()
        .map(|(_, value)| bits(values[value.0 as usize]))
        .collect()
}

/// The bits of a number; all that are not a number count as equal.
fn bits(value: f64) -> u64 {
    if value.is_nan() {
        f64::NAN.to_bits()
    } else {
        value.to_bits()
    }
}

fn slot(array: Array, index: u32) -> Slot {
    Slot { array, index }
}

fn by_kind(code: &[Instruction]) -> (Vec<Value>, Vec<Value>) {
    (0..code.len() as u32)
        .map(Value)
        .partition(|value| !code[value.0 as usize].is_truth())
}

fn instruction(
    code: &[Instruction],
    kind: u8,
    picks: [prop::sample::Index; 3],
    number: f64,
) -> Instruction {
    use Instruction::*;
    let (numbers, truths) = by_kind(code);
    let [a, b, _] = picks.map(|pick| *pick.get(&numbers));
    let truth = |k: usize| *picks[k].get(&truths);
    match kind {
        0 => Constant(number),
        1 => Sub(a, b),
        2 => Mul(a, b),
        3 => Div(a, b),
        4 => Neg(a),
        5 => Unary(crate::expr::Unary::Sin, a),
        6 => Unary(crate::expr::Unary::Cos, a),
        7 => Less(a, b),
        8 => Equal(a, b),
        9 if !truths.is_empty() => Not(truth(0)),
        10 if !truths.is_empty() => And(truth(0), truth(1)),
        11 if !truths.is_empty() => Or(truth(0), truth(1)),
        12 if !truths.is_empty() => Select(truth(2), a, b),
        _ => Add(a, b),
    }
}

fn apply(instruction: Instruction, q: &[f64], of: &dyn Fn(Value) -> f64) -> f64 {
    use Instruction::*;
    let truth = |value: Value| of(value) != 0.0;
    match instruction {
        Constant(number) => number,
        Load(slot) => q[slot.index as usize],
        Add(a, b) => of(a) + of(b),
        Sub(a, b) => of(a) - of(b),
        Mul(a, b) => of(a) * of(b),
        Div(a, b) => of(a) / of(b),
        Neg(a) => -of(a),
        Unary(function, a) => function.apply(of(a)),
        Less(a, b) => f64::from(of(a) < of(b)),
        LessEqual(a, b) => f64::from(of(a) <= of(b)),
        Equal(a, b) => f64::from(of(a) == of(b)),
        And(a, b) => f64::from(truth(a) && truth(b)),
        Or(a, b) => f64::from(truth(a) || truth(b)),
        Not(a) => f64::from(!truth(a)),
        Select(c, a, b) => {
            if truth(c) {
                of(a)
            } else {
                of(b)
            }
        }
        Binary(..) | Table(..) => f64::NAN,
    }
}

/// Runs the pieces one after the other; a piece knows only what enters it.
fn piecewise(plan: &StatementPlan, length: usize, q: &[f64]) -> Vec<u64> {
    let mut written = BTreeMap::new();
    let pieces = chunks(plan, 0, length);
    let mut live = vec![f64::NAN; pieces.n_places];
    for piece in pieces.list {
        let entering = piece.entering.iter();
        let mut known: BTreeMap<Value, f64> =
            entering.map(|&(value, at)| (value, live[at])).collect();
        for statement in piece.of(plan) {
            match *statement {
                Statement::Let(value) => {
                    let result = apply(plan.instruction(value), q, &|operand| {
                        evaluate(plan, &known, q, operand)
                    });
                    known.insert(value, result);
                }
                Statement::SinCos(sin, cos) => {
                    let angle = evaluate(
                        plan,
                        &known,
                        q,
                        plan.instruction(sin).operands().next().expect("an angle"),
                    );
                    known.insert(sin, Unary::Sin.apply(angle));
                    known.insert(cos, Unary::Cos.apply(angle));
                }
                Statement::Write(slot, value) => {
                    written.insert(slot, bits(evaluate(plan, &known, q, value)));
                }
            }
        }
        for (value, place) in piece.leaving {
            live[place] = known[&value];
        }
    }
    written.into_values().collect()
}

fn evaluate(plan: &StatementPlan, known: &BTreeMap<Value, f64>, q: &[f64], value: Value) -> f64 {
    match plan.temporary(value) {
        Some(_) => known[&value],
        None => apply(plan.instruction(value), q, &|operand| {
            evaluate(plan, known, q, operand)
        }),
    }
}
