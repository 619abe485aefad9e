//! Random expressions: the interpreted function against direct evaluation.

use super::systems::{number, parameter, q, v};
use super::twin::{State, run};
use super::{Numbers, kernel};
use crate::description::Interpolation;
use crate::expr::{Binary, Condition, Expr, Symbol, Unary};
use crate::kernel::interpret;
use crate::kernel::{Array, Function, Instruction, Memory, Name, Slot, Value};
use crate::model::Table;
use crate::symbolic::Equations;

/// Functions that are finite everywhere.
const UNARY: [Unary; 6] = [
    Unary::Sin,
    Unary::Cos,
    Unary::Atan,
    Unary::Tanh,
    Unary::Abs,
    Unary::Sign,
];

/// The second branch is shallower than the first, so trees stay small.
fn tree(numbers: &mut Numbers, pool: &mut Vec<Expr>, depth: usize) -> Expr {
    if depth == 0 {
        return leaf(numbers, pool);
    }
    let a = tree(numbers, pool, depth - 1);
    let b = tree(numbers, pool, depth.saturating_sub(2));
    let expr = match numbers.whole(14) {
        0..=2 => a + b,
        3..=4 => a - b,
        5..=7 => a * b,
        8 => a / (b.square() + number(1.0)),
        9 => -a,
        10 => Expr::unary(UNARY[numbers.whole(UNARY.len())], a),
        11 => Expr::binary(
            [Binary::Min, Binary::Max, Binary::Atan2][numbers.whole(3)],
            a,
            b,
        ),
        12 => (a.square() + number(0.5)).power(numbers.whole(5) as i32 - 2),
        _ => {
            let condition = Condition::Or(
                Condition::Less(a.clone(), b.clone()).into(),
                Condition::Not(Condition::LessEqual(number(0.1), a.clone()).into()).into(),
            );
            Expr::select(condition, a.sin(), b)
        }
    };
    pool.push(expr.clone());
    expr
}

fn leaf(numbers: &mut Numbers, pool: &[Expr]) -> Expr {
    match numbers.whole(9) {
        0..=1 => q(numbers.whole(3)),
        2 => v(numbers.whole(3)),
        3 => parameter(numbers.whole(3) as u32),
        4 => Expr::symbol(Symbol::Time),
        5 => number([0.0, 1.0, -1.0, 2.0, -0.5, 0.3, -7.0][numbers.whole(7)]),
        6..=7 if !pool.is_empty() => pool[numbers.whole(pool.len())].clone(),
        _ => Expr::symbol(Symbol::Input(0)),
    }
}

#[test]
fn interpreted_equals_evaluated() {
    for seed in 0..300 {
        let mut numbers = Numbers(seed);
        let mut pool = Vec::new();
        let outputs: Vec<Expr> = (0..4).map(|_| tree(&mut numbers, &mut pool, 6)).collect();
        let equations = Equations {
            n_coordinates: 3,
            n_velocities: 3,
            outputs,
            ..Equations::default()
        };
        let kernel = kernel(&equations, &[]);
        let state = State::random(&equations, seed + 1);
        let found = run(&kernel, Name::Outputs, &state.memory(&kernel)).array(Array::Outputs, 4);
        for (expr, found) in equations.outputs.iter().zip(found) {
            let wanted = state.evaluate(&equations, expr);
            // Reassociated factors and repeated squaring differ by some units in the last place,
            // which sums may enlarge.
            let close = (found - wanted).abs() <= 1e-9 * wanted.abs().max(1.0);
            assert!(close, "seed {seed}: {found} is not {wanted}\n{kernel}");
        }
    }
}

#[test]
fn tables_keep_their_end_values() {
    let table = Table {
        name: "t".to_owned(),
        x: vec![1.0, 2.0, 4.0],
        y: vec![0.0, 3.0, 7.0],
        coefficients: vec![[0.0, 1.0, 1.0, 1.0], [3.0, 2.0, 0.0, 0.0]],
        interpolation: Interpolation::Cubic,
    };
    let time = Slot {
        array: Array::Time,
        index: 0,
    };
    let value = |derivative: u8, x: f64| {
        let function = Function {
            name: Name::Outputs,
            instructions: vec![
                Instruction::Load(time),
                Instruction::Table(0, derivative, Value(0)),
            ],
            outputs: vec![(
                Slot {
                    array: Array::Outputs,
                    index: 0,
                },
                Value(1),
            )],
        };
        let memory = Memory::new().with(Array::Time, &[x]);
        interpret(&function, &memory, std::slice::from_ref(&table)).scalar(Array::Outputs)
    };
    let values = [0.0, 1.0, 1.5, 2.0, 3.0, 4.0, 9.0].map(|x| value(0, x));
    assert_eq!(values, [0.0, 0.0, 0.875, 3.0, 5.0, 7.0, 7.0]);
    let slopes = [0.5, 1.0, 1.5, 2.0, 4.0, 4.5].map(|x| value(1, x));
    assert_eq!(slopes, [0.0, 1.0, 2.75, 2.0, 2.0, 0.0]);
    assert_eq!(
        [value(2, 1.5), value(3, 1.5), value(4, 1.5)],
        [5.0, 6.0, 0.0]
    );
}
