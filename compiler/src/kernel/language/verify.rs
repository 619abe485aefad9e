//! Rules that every emitted kernel satisfies:
//!
//! 1. There is one function for each name that is asked for, in order.
//! 2. An instruction uses earlier values only.
//! 3. Truths come from comparisons and go into `and`, `or`, `not` and the condition of a `select`;
//!    everything else is real, outputs included.
//! 4. Loads are from arrays that the function may read, and in range.
//! 5. Outputs are to arrays that the function writes, in range, each slot once, in growing order.
//! 6. Numbers are finite.
//! 7. Every instruction is used by a later one or by an output.
//! 8. No two instructions compute the same.

use std::collections::HashMap;

use crate::kernel::{Function, Instruction, Kernel, Name, Sizes, Value};

/// A kernel of which all rules hold.
#[derive(Clone, Copy, Debug)]
pub struct Verified<'a>(&'a Kernel);

impl<'a> Verified<'a> {
    /// The kernel.
    pub fn kernel(self) -> &'a Kernel {
        self.0
    }
}

/// Checks all rules; the errors say which function and instruction break which.
pub fn verify(kernel: &Kernel) -> Result<Verified<'_>, Vec<String>> {
    let mut errors = Vec::new();
    let names: Vec<Name> = kernel
        .functions
        .iter()
        .map(|function| function.name)
        .collect();
    if !names.iter().copied().eq(Name::asked(&kernel.extras)) {
        errors.push(format!(
            "the functions are {names:?}, not one for each name in order"
        ));
    }
    for function in &kernel.functions {
        let mut report = |what: String| errors.push(format!("{:?}: {what}", function.name));
        for (index, instruction) in function.instructions.iter().enumerate() {
            let mut report = |what: String| report(format!("%{index} = {instruction}: {what}"));
            if check_operands(function, index, &mut report) {
                check_types(function, instruction, &mut report);
            }
            check_leaf(function, instruction, &kernel.sizes, &mut report);
        }
        check_outputs(function, &kernel.sizes, &mut report);
        check_use(function, &mut report);
        check_sharing(function, &mut report);
    }
    if errors.is_empty() {
        Ok(Verified(kernel))
    } else {
        Err(errors)
    }
}

/// Rule 2.
fn check_operands(function: &Function, index: usize, report: &mut dyn FnMut(String)) -> bool {
    let late = function.instructions[index]
        .operands()
        .find(|v| v.0 as usize >= index);
    if let Some(late) = late {
        report(format!("{late} is not an earlier value"));
    }
    late.is_none()
}

/// Rule 3.
fn check_types(function: &Function, instruction: &Instruction, report: &mut dyn FnMut(String)) {
    for (n, operand) in instruction.operands().enumerate() {
        let wanted = match instruction {
            Instruction::And(..) | Instruction::Or(..) | Instruction::Not(_) => true,
            Instruction::Select(..) => n == 0,
            _ => false,
        };
        if is_truth(function, operand) != wanted {
            let kind = if wanted { "a truth" } else { "a real number" };
            report(format!("{operand} is not {kind}"));
        }
    }
}

/// Rules 4 and 6.
fn check_leaf(
    function: &Function,
    instruction: &Instruction,
    sizes: &Sizes,
    report: &mut dyn FnMut(String),
) {
    match instruction {
        Instruction::Constant(number) if !number.is_finite() => report("not finite".to_owned()),
        Instruction::Load(slot) => {
            if !function.name.may_read(slot.array) {
                report(format!("may not read {:?}", slot.array));
            }
            if slot.index as usize >= sizes.length(slot.array) {
                report("out of range".to_owned());
            }
        }
        _ => {}
    }
}

/// Rules 5 and 3.
fn check_outputs(function: &Function, sizes: &Sizes, report: &mut dyn FnMut(String)) {
    for (n, &(slot, value)) in function.outputs.iter().enumerate() {
        if n > 0 && function.outputs[n - 1].0 >= slot {
            report(format!("output {slot} does not come after the one before"));
        }
        if !function.name.writes().any(|array| array == slot.array) {
            report(format!("output {slot}: may not write {:?}", slot.array));
        }
        if slot.index as usize >= sizes.length(slot.array) {
            report(format!("output {slot} is out of range"));
        }
        if value.0 as usize >= function.instructions.len() {
            report(format!("output {slot}: {value} does not exist"));
        } else if is_truth(function, value) {
            report(format!("output {slot}: {value} is not a real number"));
        }
    }
}

/// Rule 7.
fn check_use(function: &Function, report: &mut dyn FnMut(String)) {
    let mut used = vec![false; function.instructions.len()];
    let operands = function.instructions.iter().flat_map(Instruction::operands);
    for value in operands.chain(function.outputs.iter().map(|&(_, value)| value)) {
        if let Some(used) = used.get_mut(value.0 as usize) {
            *used = true;
        }
    }
    for (index, instruction) in function.instructions.iter().enumerate() {
        if !used[index] {
            report(format!("%{index} = {instruction}: not used"));
        }
    }
}

/// Rule 8.
fn check_sharing(function: &Function, report: &mut dyn FnMut(String)) {
    let mut seen = HashMap::new();
    for (index, instruction) in function.instructions.iter().enumerate() {
        let first = *seen.entry(instruction.key()).or_insert(index);
        if first != index {
            report(format!("%{index} = {instruction}: the same as %{first}"));
        }
    }
}

fn is_truth(function: &Function, value: Value) -> bool {
    function.instructions[value.0 as usize].is_truth()
}
