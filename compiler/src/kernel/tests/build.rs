//! Each rewrite of the builder.

use crate::expr::{Binary, Unary};
use crate::kernel::{Array, Builder, Dependence, Instruction, Slot, Truth, Value};

/// A builder with x, y, z loaded.
fn start() -> (Builder, [Value; 3]) {
    let mut builder = Builder::new();
    let loads = [0, 1, 2].map(|index| {
        builder.load(Slot {
            array: Array::Coordinates,
            index,
        })
    });
    (builder, loads)
}

#[test]
fn a_value_is_computed_once() {
    let (mut b, [x, y, _]) = start();
    assert_eq!(b.mul(x, y), b.mul(y, x));
    assert_eq!(b.add(x, y), b.add(y, x));
    assert_ne!(b.sub(x, y), b.sub(y, x));
}

#[test]
fn numbers_fold() {
    let (mut b, _) = start();
    let (two, three) = (b.constant(2.0), b.constant(3.0));
    let found = [
        b.add(two, three),
        b.sub(two, three),
        b.mul(two, three),
        b.div(three, two),
    ];
    assert_eq!(
        found.map(|v| b.as_constant(v).unwrap()),
        [5.0, -1.0, 6.0, 1.5]
    );
    let root = b.unary(Unary::Sqrt, two);
    assert_eq!(b.as_constant(root), Some(2.0_f64.sqrt()));
    let most = b.binary(Binary::Max, two, three);
    assert_eq!(most, three);
}

#[test]
fn negative_zero_is_zero() {
    let (mut b, _) = start();
    let zero = b.zero();
    assert_eq!(b.constant(-0.0), zero);
    assert_eq!(b.neg(zero), zero);
}

#[test]
fn nothing_folds_to_infinity() {
    let (mut b, _) = start();
    let (one, zero, huge) = (b.constant(1.0), b.zero(), b.constant(1e300));
    let quotient = b.div(one, zero);
    assert_eq!(b.instruction(quotient), Instruction::Div(one, zero));
    let product = b.mul(huge, huge);
    assert_eq!(b.instruction(product), Instruction::Mul(huge, huge));
    let minus = b.constant(-1.0);
    let root = b.unary(Unary::Sqrt, minus);
    assert_eq!(b.instruction(root), Instruction::Unary(Unary::Sqrt, minus));
}

#[test]
fn zero_and_one_are_neutral() {
    let (mut b, [x, ..]) = start();
    let (zero, one, minus) = (b.zero(), b.constant(1.0), b.constant(-1.0));
    assert_eq!([b.add(x, zero), b.add(zero, x), b.sub(x, zero)], [x; 3]);
    assert_eq!([b.mul(x, one), b.mul(one, x), b.div(x, one)], [x; 3]);
    assert_eq!([b.mul(x, zero), b.div(zero, x), b.sub(x, x)], [zero; 3]);
    let negative = b.neg(x);
    assert_eq!(
        [b.mul(minus, x), b.sub(zero, x), b.div(x, minus)],
        [negative; 3]
    );
}

#[test]
fn nested_factors_multiply() {
    let (mut b, [x, ..]) = start();
    let (two, three, six) = (b.constant(2.0), b.constant(3.0), b.constant(6.0));
    let inner = b.mul(three, x);
    let wanted = b.mul(six, x);
    assert_eq!(b.mul(two, inner), wanted);
    assert_eq!(b.mul(inner, two), wanted);
    let third = b.constant(1.0 / 3.0);
    assert_eq!(b.mul(third, inner), x);
}

#[test]
fn like_terms_are_one_product() {
    let (mut b, [x, y, _]) = start();
    let [two, three, five] = [2.0, 3.0, 5.0].map(|number| b.constant(number));
    let (double, triple, wanted) = (b.mul(two, x), b.mul(three, x), b.mul(five, x));
    assert_eq!([b.add(double, triple), b.add(triple, double)], [wanted; 2]);
    assert_eq!(
        [b.sub(wanted, double), b.sub(wanted, triple)],
        [triple, double]
    );
    assert_eq!([b.sub(triple, double), b.add(x, double)], [x, triple]);
    let negative = b.neg(x);
    assert_eq!(b.sub(double, triple), negative);
    let other = b.mul(three, y);
    let sum = b.add(double, other);
    assert_eq!(b.instruction(sum), Instruction::Add(double, other));
}

#[test]
fn minus_signs_go_outwards() {
    let (mut b, [x, y, _]) = start();
    let (minus_x, minus_y) = (b.neg(x), b.neg(y));
    assert_eq!(b.neg(minus_x), x);
    let (sum, product, quotient) = (b.add(x, y), b.mul(x, y), b.div(x, y));
    let (minus_sum, minus_product) = (b.neg(sum), b.neg(product));
    let minus_quotient = b.neg(quotient);
    assert_eq!(b.mul(minus_x, minus_y), product);
    assert_eq!([b.mul(minus_x, y), b.mul(x, minus_y)], [minus_product; 2]);
    assert_eq!(b.div(minus_x, minus_y), quotient);
    assert_eq!([b.div(minus_x, y), b.div(x, minus_y)], [minus_quotient; 2]);
    assert_eq!([b.add(minus_x, minus_y), b.sub(minus_x, y)], [minus_sum; 2]);
    assert_eq!(b.sub(x, minus_y), sum);
}

#[test]
fn sums_take_up_minus_signs() {
    let (mut b, [x, y, _]) = start();
    let (minus_x, minus_y) = (b.neg(x), b.neg(y));
    let difference = b.sub(x, y);
    assert_eq!(b.instruction(difference), Instruction::Sub(x, y));
    assert_eq!([b.add(x, minus_y), b.add(minus_y, x)], [difference; 2]);
    let opposite = b.neg(difference);
    assert_eq!([b.add(minus_x, y), b.sub(y, x)], [opposite; 2]);
}

#[test]
fn negative_factors_are_positive_ones_negated() {
    let (mut b, [x, y, _]) = start();
    let (two, minus_two) = (b.constant(2.0), b.constant(-2.0));
    let product = b.mul(two, x);
    let opposite = b.neg(product);
    assert_eq!(b.mul(minus_two, x), opposite);
    let difference = b.sub(y, product);
    assert_eq!(b.add(y, opposite), difference);
}

#[test]
fn division_by_a_power_of_two_is_a_product() {
    let (mut b, [x, ..]) = start();
    let (four, quarter, three) = (b.constant(4.0), b.constant(0.25), b.constant(3.0));
    let wanted = b.mul(quarter, x);
    assert_eq!(b.div(x, four), wanted);
    let third = b.div(x, three);
    assert_eq!(b.instruction(third), Instruction::Div(x, three));
    let minus_three = b.constant(-3.0);
    let opposite = b.neg(third);
    assert_eq!(b.div(x, minus_three), opposite);
}

#[test]
fn powers_are_repeated_squares() {
    let (mut b, [x, ..]) = start();
    let before = b.instructions().len();
    let eighth = b.power(x, 8);
    assert_eq!(b.instructions().len() - before, 3);
    let inverse = b.power(x, -8);
    assert_eq!(b.reciprocal(eighth), inverse);
    assert_eq!(b.power(x, 1), x);
    let minus = b.neg(x);
    assert_eq!(b.power(minus, 8), eighth);
    let (cube, minus_cube) = (b.power(x, 3), b.power(minus, 3));
    assert_eq!(b.neg(cube), minus_cube);
}

#[test]
fn odd_and_even_functions_share_their_argument() {
    let (mut b, [x, ..]) = start();
    let minus = b.neg(x);
    let (sin, cos) = (b.unary(Unary::Sin, x), b.unary(Unary::Cos, x));
    let minus_sin = b.neg(sin);
    assert_eq!(b.unary(Unary::Sin, minus), minus_sin);
    assert_eq!(b.unary(Unary::Cos, minus), cos);
    let exp = b.unary(Unary::Exp, minus);
    assert_eq!(b.instruction(exp), Instruction::Unary(Unary::Exp, minus));
}

#[test]
fn decided_conditions_choose() {
    let (mut b, [x, y, _]) = start();
    let (one, two) = (b.constant(1.0), b.constant(2.0));
    let (yes, no) = (b.less(one, two), b.equal(one, two));
    assert_eq!((yes, no), (Truth::Known(true), Truth::Known(false)));
    assert_eq!([b.select(yes, x, y), b.select(no, y, x)], [x; 2]);
    let asked = b.less_equal(x, y);
    assert_eq!(b.select(asked, x, x), x);
    assert_eq!(
        [b.and(asked, yes), b.or(asked, no), b.and(asked, asked)],
        [asked; 3]
    );
    assert_eq!([b.and(no, asked), b.or(asked, yes)], [no, yes]);
    let not = b.not(asked);
    assert_eq!(b.not(not), asked);
}

#[test]
fn dependence_is_that_of_the_operands() {
    let (mut b, [x, ..]) = start();
    let p = b.load(Slot {
        array: Array::Parameters,
        index: 0,
    });
    let two = b.constant(2.0);
    let scaled = b.mul(two, p);
    let moving = b.mul(scaled, x);
    let found = [two, scaled, moving].map(|v| b.dependence(v));
    assert_eq!(
        found,
        [
            Dependence::Nothing,
            Dependence::Parameters,
            Dependence::State
        ]
    );
}
