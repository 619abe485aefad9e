//! Puts minus signs back where they cost nothing, once all sharing has been found:
//! −(a − b) = b − a and −(c · x) = (−c) · x if the inner value has no other use.

use crate::kernel::builder::draft::FunctionDraft;
use crate::kernel::{Function, Instruction, Value};

/// The same function with fewer negations.
pub fn place_signs(function: &Function) -> Function {
    let uses = function.uses();
    let mut draft = FunctionDraft::new(function.name);
    let mut place: Vec<Value> = Vec::with_capacity(function.instructions.len());
    for instruction in &function.instructions {
        let value = match without_sign(function, &uses, instruction) {
            Some(Instruction::Sub(a, b)) => {
                let (a, b) = (place[a.0 as usize], place[b.0 as usize]);
                draft.builder.insert(Instruction::Sub(b, a))
            }
            Some(Instruction::Mul(c, x)) => {
                let number = draft.builder.as_constant(place[c.0 as usize]);
                let number = number.expect("the first factor was found to be a number");
                let c = draft.builder.constant(-number);
                draft
                    .builder
                    .insert(Instruction::Mul(c, place[x.0 as usize]))
            }
            _ => draft
                .builder
                .insert(instruction.map(|v| place[v.0 as usize])),
        };
        place.push(value);
    }
    for &(slot, value) in &function.outputs {
        draft.write(slot.array, slot.index as usize, place[value.0 as usize]);
    }
    draft.finish()
}

/// The difference or scaled value that `instruction` negates, if it is used by nothing else.
fn without_sign(
    function: &Function,
    uses: &[u32],
    instruction: &Instruction,
) -> Option<Instruction> {
    let Instruction::Neg(inner) = *instruction else {
        return None;
    };
    if uses[inner.0 as usize] > 1 {
        return None;
    }
    let is_number = |v: Value| {
        matches!(
            function.instructions[v.0 as usize],
            Instruction::Constant(_)
        )
    };
    match function.instructions[inner.0 as usize] {
        Instruction::Sub(a, b) => Some(Instruction::Sub(a, b)),
        Instruction::Mul(c, x) if is_number(c) => Some(Instruction::Mul(c, x)),
        Instruction::Mul(x, c) if is_number(c) => Some(Instruction::Mul(c, x)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{Array, Name, Slot};

    fn check(build: impl Fn(&mut FunctionDraft, Value, Value), wanted: &[Instruction]) {
        let mut draft = FunctionDraft::new(Name::Outputs);
        let [x, y] = [0, 1].map(|i| draft.builder.load(Slot::new(Array::Coordinates, i)));
        build(&mut draft, x, y);
        let settled = place_signs(&draft.finish());
        let computed = |i: &&Instruction| !matches!(i, Instruction::Load(_));
        let found: Vec<_> = settled
            .instructions
            .iter()
            .filter(computed)
            .copied()
            .collect();
        assert_eq!(found, wanted, "{settled}");
    }

    #[test]
    fn opposite_difference() {
        let build = |draft: &mut FunctionDraft, x, y| {
            let difference = draft.builder.sub(y, x);
            draft.write(Array::Outputs, 0, difference);
        };
        check(build, &[Instruction::Sub(Value(0), Value(1))]);
    }

    #[test]
    fn negative_factor() {
        let build = |draft: &mut FunctionDraft, x, _| {
            let c = draft.builder.constant(-3.0);
            let product = draft.builder.mul(c, x);
            draft.write(Array::Outputs, 0, product);
        };
        let wanted = [
            Instruction::Constant(-3.0),
            Instruction::Mul(Value(0), Value(1)),
        ];
        check(build, &wanted);
    }

    #[test]
    fn a_shared_difference_stays() {
        let build = |draft: &mut FunctionDraft, x, y| {
            let (difference, opposite) = (draft.builder.sub(x, y), draft.builder.sub(y, x));
            draft.write(Array::Outputs, 0, difference);
            draft.write(Array::Outputs, 1, opposite);
        };
        check(
            build,
            &[
                Instruction::Sub(Value(0), Value(1)),
                Instruction::Neg(Value(2)),
            ],
        );
    }
}
