//! Statements that serve one array only are put before all others, unless others need what they define.

use crate::emit::plan::{Statement, StatementPlan};
use crate::kernel::{Array, Function, Instruction, Name, Slot, Value};
use crate::options::Scalar;

/// Accelerations q₀², q₁² and rates of q₂⁴ or, if they are shared, of q₁⁴: a square is defined where it is used twice.
fn plan(shared: bool) -> StatementPlan {
    use Instruction::{Load, Mul};
    let load = |k| Load(Slot::new(Array::Coordinates, k));
    let square = |k| Mul(Value(k), Value(k));
    let code = vec![load(0), load(1), load(2), square(0), square(1), square(2)];
    let rate = if shared { 4 } else { 5 };
    let instructions = [code, vec![square(rate)]].concat();
    let write = |array, k: usize, value| (Slot::new(array, k), Value(value));
    let function = Function {
        name: Name::Accelerate,
        instructions,
        outputs: vec![
            write(Array::Accelerations, 0, 3),
            write(Array::Accelerations, 1, 4),
            write(Array::Rates, 0, 6),
        ],
    };
    StatementPlan::new(&function, Scalar::F64)
}

#[test]
fn what_serves_rates_only_stands_first() {
    let mut plan = plan(false);
    let before = plan.statements.clone();
    let n_apart = plan.set_apart(Array::Rates);
    assert_eq!(n_apart, 2, "{:?}", plan.statements);
    let [first, second, ..] = plan.statements[..] else {
        panic!("{:?}", plan.statements);
    };
    assert_eq!(first, Statement::Let(Value(5)));
    assert_eq!(
        second,
        Statement::Write(Slot::new(Array::Rates, 0), Value(6))
    );
    let others = before.iter().filter(|one| ![first, second].contains(one));
    assert_eq!(plan.statements[2..], others.copied().collect::<Vec<_>>());
}

#[test]
fn what_accelerations_need_too_stays() {
    let mut plan = plan(true);
    let before = plan.statements.clone();
    assert_eq!(plan.set_apart(Array::Rates), 0);
    assert_eq!(plan.statements, before);
}
