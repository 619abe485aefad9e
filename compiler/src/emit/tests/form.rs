//! In which form a function is written, by what asks for it, how long it is and how much of it repeats.

use super::rolled::there_and_back;
use crate::emit::form::{FunctionForm, form};
use crate::emit::plan::StatementPlan;
use crate::kernel::{Array, Function, Instruction, Name, Slot, Value};
use crate::options::Scalar;

const PIECE: usize = 100;

/// There and back over so many angles, about six statements each, of which some thirty are left as loops.
fn repeats(name: Name, n: usize) -> FunctionForm {
    let function = Function {
        name,
        ..there_and_back(n)
    };
    form(&StatementPlan::new(&function, Scalar::F64), PIECE)
}

/// Squares of squares that are each used twice and have nothing in common: one to seven of each coordinate, in no
/// order. Rates take those of the first only, and share nothing with accelerations.
fn differs(name: Name, n: usize) -> FunctionForm {
    let mut code = Vec::new();
    let mut push = |instruction| {
        code.push(instruction);
        Value(code.len() as u32 - 1)
    };
    let mut outputs = Vec::new();
    let mut seed = 1_usize;
    for k in 0..n {
        let mut value = push(Instruction::Load(Slot::new(Array::Coordinates, k)));
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        for _ in 0..=(seed >> 33) % 7 {
            value = push(Instruction::Mul(value, value));
        }
        let array = if k == 0 {
            Array::Rates
        } else {
            Array::Accelerations
        };
        outputs.push((Slot::new(array, k), value));
    }
    let instructions = code;
    let function = Function {
        name,
        instructions,
        outputs,
    };
    form(&StatementPlan::new(&function, Scalar::F64), PIECE)
}

#[test]
fn what_is_short_is_whole() {
    for name in [Name::Accelerate, Name::Energy] {
        assert!(matches!(repeats(name, 10), FunctionForm::Pieces(length) if length >= PIECE));
    }
}

#[test]
fn what_a_step_does_not_ask_for_is_rolled_soon() {
    assert!(matches!(repeats(Name::Energy, 40), FunctionForm::Rounds(_)));
    assert!(matches!(
        repeats(Name::Accelerate, 40),
        FunctionForm::Pieces(_)
    ));
}

#[test]
fn what_a_step_asks_for_is_rolled_if_little_is_left() {
    assert!(matches!(
        repeats(Name::Normalize, 100),
        FunctionForm::Rounds(_)
    ));
    assert!(matches!(
        differs(Name::Normalize, 300),
        FunctionForm::Pieces(_)
    ));
}

#[test]
fn what_a_step_asks_for_is_cut_much_later() {
    let length = |form| match form {
        FunctionForm::Pieces(length) => length,
        other => panic!("{other:?}"),
    };
    assert_eq!(length(differs(Name::Energy, 300)), PIECE);
    assert_eq!(length(differs(Name::Normalize, 300)), 50 * PIECE);
}

#[test]
fn rates_stand_apart_in_solves_of_some_length() {
    let FunctionForm::Apart(_, n_apart, length) = differs(Name::Accelerate, 400) else {
        panic!("a solve of 1200 to 3000 statements");
    };
    assert!(n_apart > 0);
    assert_eq!(length, 50 * PIECE);
    for n in [100, 2000] {
        assert!(matches!(
            differs(Name::Accelerate, n),
            FunctionForm::Pieces(_)
        ));
    }
    assert!(matches!(
        differs(Name::Normalize, 400),
        FunctionForm::Pieces(_)
    ));
}
