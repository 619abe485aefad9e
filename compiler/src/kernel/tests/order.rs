//! Sums in the order of their terms, and instructions in the order of their chains: the same results, sooner.

use super::systems::{Numbering, chain};
use super::twin::function;
use super::*;
use crate::kernel::builder::draft::FunctionDraft;
use crate::kernel::passes::balance::balance;
use crate::kernel::passes::cycles::cycles;
use crate::kernel::passes::place_signs::place_signs;
use crate::kernel::passes::schedule::schedule;

/// ((late + q₀ q₁) + q₂) + q₃ with late = 1 / q₃: the quotient is there last.
fn late_term(name: Name) -> Function {
    let mut draft = FunctionDraft::new(name);
    let b = &mut draft.builder;
    let q: Vec<Value> = (0..4)
        .map(|k| b.load(Slot::new(Array::Coordinates, k)))
        .collect();
    let late = b.reciprocal(q[3]);
    let product = b.mul(q[0], q[1]);
    let sum = b.insert(Instruction::Add(late, product));
    let sum = b.insert(Instruction::Sub(sum, q[2]));
    let sum = b.insert(Instruction::Add(sum, q[3]));
    draft.write(Array::Accelerations, 0, sum);
    draft.finish()
}

#[test]
fn what_comes_last_is_added_last() {
    let function = late_term(Name::Accelerate);
    let balanced = balance(&function);
    // 13 for the quotient and 4 + 3 + 3 for what is added to it one by one; 3 for all of it together.
    assert_eq!([&function, &balanced].map(cycles), [23, 16]);
    let memory = Memory::new().with(Array::Coordinates, &[3.0, 5.0, 7.0, 4.0]);
    for function in [&function, &balanced] {
        let sum = interpret(function, &memory, &[]).array(Array::Accelerations, 1);
        assert_eq!(sum, [12.25]);
    }
}

/// 0.5 + 1 / q₀ − 0.25 + q₁, with the numbers where the derivation has them.
#[test]
fn numbers_of_a_sum_become_one() {
    let mut draft = FunctionDraft::new(Name::Accelerate);
    let b = &mut draft.builder;
    let [x, y] = [0, 1].map(|k| b.load(Slot::new(Array::Coordinates, k)));
    let [half, quarter] = [0.5, 0.25].map(|number| b.constant(number));
    let late = b.reciprocal(x);
    let sum = b.insert(Instruction::Add(half, late));
    let sum = b.insert(Instruction::Sub(sum, quarter));
    let sum = b.insert(Instruction::Add(sum, y));
    draft.write(Array::Accelerations, 0, sum);
    let balanced = balance(&draft.finish());
    assert_eq!(counts(&balanced.instructions).add, 2);
    let memory = Memory::new().with(Array::Coordinates, &[4.0, 7.0]);
    let sum = interpret(&balanced, &memory, &[]).array(Array::Accelerations, 1);
    assert_eq!(sum, [7.5]);
}

#[test]
fn residuals_keep_the_order_of_their_equation() {
    let function = late_term(Name::Constraints);
    assert_eq!(balance(&function), function);
}

/// Where nothing comes late, sums stay as they are.
#[test]
fn an_order_that_gains_nothing_is_left_alone() {
    let mut draft = FunctionDraft::new(Name::Accelerate);
    let b = &mut draft.builder;
    let [x, y, z] = [2, 0, 1].map(|k| b.load(Slot::new(Array::Coordinates, k)));
    let sum = b.insert(Instruction::Add(x, y));
    let sum = b.insert(Instruction::Add(sum, z));
    draft.write(Array::Accelerations, 0, sum);
    let function = draft.finish();
    assert_eq!(balance(&function), function);
}

/// The same instructions on the same values, so the results are equal to the last bit.
#[test]
fn another_order_of_instructions_changes_no_bit() {
    let kernel = kernel(&chain(12, Numbering::Constants), &[]);
    let function = &place_signs(function(&kernel, Name::Accelerate));
    let scheduled = schedule(function);
    assert!(scheduled.instructions != function.instructions);
    assert_eq!(scheduled.instructions.len(), function.instructions.len());
    assert_eq!(
        counts(&scheduled.instructions),
        counts(&function.instructions)
    );
    let n = kernel.sizes.coordinates;
    let mut numbers = Numbers(5);
    let mut random =
        |n: usize| -> Vec<f64> { (0..n).map(|_| numbers.whole(1000) as f64 * 1e-3).collect() };
    let memory = Memory::new()
        .with(Array::Coordinates, &random(n))
        .with(Array::Velocities, &random(n))
        .with(Array::Inputs, &random(1));
    let results = [function, &scheduled].map(|function| {
        let found = interpret(function, &memory, &[]);
        found.array(Array::Accelerations, kernel.sizes.velocities)
    });
    assert_eq!(results[0], results[1]);
    assert!(results[0].iter().all(|number| number.is_finite()));
}
