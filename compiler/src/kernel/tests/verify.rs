//! Each rule of the verifier, broken once.

use super::kernel;
use super::systems::{Numbering, chain};
use crate::kernel::{Array, Function, Instruction, Kernel, Name, Slot, Value};

/// Changes `Constraints`, which has cosines and several outputs, and expects one message.
fn broken(change: impl FnOnce(&mut Function), message: &str) {
    let mut kernel = kernel(&chain(2, Numbering::Constants), &[]);
    let function = kernel
        .functions
        .iter_mut()
        .find(|f| f.name == Name::Constraints);
    change(function.expect("every name has its function"));
    expect(&kernel, message);
}

fn expect(kernel: &Kernel, message: &str) {
    let errors = crate::kernel::verify(kernel).expect_err("a rule is broken");
    assert!(
        errors.iter().any(|error| error.contains(message)),
        "{errors:#?}"
    );
}

fn last(function: &Function) -> Value {
    Value(function.instructions.len() as u32 - 1)
}

#[test]
fn every_name_has_its_function() {
    let mut kernel = kernel(&chain(1, Numbering::Constants), &[]);
    assert!(is_verified(&kernel));
    kernel.functions.swap(1, 2);
    expect(&kernel, "one for each name");
}

#[test]
fn operands_are_earlier() {
    broken(
        |f| f.instructions[1] = Instruction::Neg(Value(1)),
        "%1 is not an earlier value",
    );
}

#[test]
fn truths_and_reals_do_not_mix() {
    let condition = |f: &mut Function| f.instructions.push(Instruction::Less(Value(0), Value(1)));
    broken(
        |f| {
            condition(f);
            f.instructions.push(Instruction::Neg(last(f)));
        },
        "is not a real number",
    );
    broken(
        |f| f.instructions.push(Instruction::Not(Value(0))),
        "%0 is not a truth",
    );
    broken(
        |f| {
            f.instructions
                .push(Instruction::Select(Value(0), Value(0), Value(1)))
        },
        "%0 is not a truth",
    );
    broken(
        |f| {
            condition(f);
            f.outputs[3].1 = last(f);
        },
        "is not a real number",
    );
}

#[test]
fn loads_are_from_readable_arrays_and_in_range() {
    let load = |array, index| {
        move |f: &mut Function| {
            f.instructions
                .push(Instruction::Load(Slot { array, index }));
        }
    };
    broken(load(Array::Velocities, 0), "may not read Velocities");
    broken(load(Array::Coordinates, 6), "out of range");
}

#[test]
fn outputs_are_in_order_and_in_range() {
    broken(|f| f.outputs.swap(0, 1), "does not come after");
    broken(|f| f.outputs[1].0 = f.outputs[0].0, "does not come after");
    broken(|f| f.outputs[3].0.index = 4, "is out of range");
    broken(
        |f| f.outputs[3].0.array = Array::Gamma,
        "may not write Gamma",
    );
    broken(|f| f.outputs[3].1 = Value(1000), "does not exist");
}

#[test]
fn numbers_are_finite() {
    broken(
        |f| f.instructions.push(Instruction::Constant(f64::NAN)),
        "not finite",
    );
    broken(
        |f| f.instructions.push(Instruction::Constant(f64::INFINITY)),
        "not finite",
    );
}

#[test]
fn nothing_is_dead() {
    broken(
        |f| f.instructions.push(Instruction::Neg(Value(0))),
        "not used",
    );
}

#[test]
fn nothing_is_computed_twice() {
    broken(
        |f| {
            let Some(&Instruction::Mul(a, b)) = f
                .instructions
                .iter()
                .find(|i| matches!(i, Instruction::Mul(..)))
            else {
                panic!("no product")
            };
            f.instructions.push(Instruction::Mul(b, a));
        },
        "the same as",
    );
}

#[test]
fn prepare_reads_parameters_only() {
    assert!(Name::Prepare.may_read(Array::Parameters));
    assert!(!Name::Prepare.may_read(Array::Inputs));
    assert!(!Name::Prepare.may_read(Array::Derived));
}

fn is_verified(kernel: &Kernel) -> bool {
    crate::kernel::verify(kernel).is_ok_and(|verified| verified.kernel() == kernel)
}
