//! Sizes, sharing and repeatability of whole kernels.

use super::kernel;
use super::systems::{Numbering, chain, random};
use super::twin::function;
use crate::emit::chunks::chunks;
use crate::emit::plan::StatementPlan;
use crate::kernel::counts;
use crate::kernel::{Array, Counts, Instruction, Kernel, Name};
use crate::options::Scalar;

fn total(kernel: &Kernel, name: Name) -> usize {
    counts(&function(kernel, name).instructions).weighted()
}

/// From n to 2n pendulums the work grows by what n links cost, whatever n is.
#[test]
fn chains_grow_linearly() {
    let names = [
        Name::Accelerate,
        Name::PositionCorrection,
        Name::VelocityCorrection,
        Name::Dense,
    ];
    let kernels = [5, 10, 20, 40].map(|n| kernel(&chain(n, Numbering::Constants), &[]));
    for name in names {
        let totals = kernels.each_ref().map(|kernel| total(kernel, name));
        let slopes: Vec<usize> = (0..3)
            .map(|k| (totals[k + 1] - totals[k]) / (5 << k))
            .collect();
        let spread = slopes.iter().max().unwrap() - slopes.iter().min().unwrap();
        assert!(
            spread <= 1,
            "{name:?}: {totals:?} grows by {slopes:?} a link"
        );
    }
    let factors = kernels.each_ref().map(|kernel| kernel.sizes.factor);
    assert_eq!(factors[3] - factors[2], 2 * (factors[2] - factors[1]));
}

/// The values that pieces of a function pass to each other grow in number with the length of the chain. Each value is
/// passed once, and read by the pieces that use it. Only the ends of the chain and the places of the cuts differ, so
/// the slopes agree to a tenth.
#[test]
fn pieces_grow_linearly() {
    let passed = |n: usize| {
        let kernel = kernel(&chain(n, Numbering::Constants), &[]);
        let plan = StatementPlan::new(function(&kernel, Name::Accelerate), Scalar::F64);
        let pieces = chunks(&plan, 0, 50).list;
        let passed = pieces
            .iter()
            .map(|piece| piece.entering.len() + piece.leaving.len());
        passed.sum::<usize>()
    };
    let [short, middle, long] = [40, 80, 160].map(passed);
    assert!(
        (long - middle) * 10 <= (middle - short) * 22,
        "{short}, {middle}, {long}"
    );
}

/// An algorithmic regression shows as a changed count.
#[test]
fn counts_of_a_pendulum_and_a_chain() {
    let text = |n| {
        let kernel = kernel(&chain(n, Numbering::Constants), &[]);
        counts(&function(&kernel, Name::Accelerate).instructions).to_string()
    };
    insta::assert_snapshot!(text(1), @"12 add, 25 mul, 2 div, 2 trig, 1 other: 42 operations, weighted 88");
    insta::assert_snapshot!(text(10), @"415 add, 453 mul, 20 div, 20 trig, 19 other: 927 operations, weighted 1387");
}

#[test]
fn printed_pendulum() {
    let kernel = kernel(&chain(1, Numbering::Parameters), &[]);
    let printed: Vec<String> = [Name::Prepare, Name::Constraints, Name::VelocityCorrection]
        .iter()
        .map(|name| function(&kernel, *name).to_string())
        .collect();
    insta::assert_snapshot!(printed.join("\n"), @r"
    function Prepare: 11 values, 1 add, 3 mul, 2 div: 6 operations, weighted 14
      %0 = 1.0
      %1 = load parameters[1]
      %2 = div %0 %1
      %3 = load parameters[2]
      %4 = div %0 %3
      %5 = 9.81
      %6 = mul %1 %5
      %7 = neg %6
      %8 = 0.5
      %9 = mul %1 %8
      %10 = mul %3 %8
      derived[0] = %2
      derived[1] = %4
      derived[2] = %7
      derived[3] = %9
      derived[4] = %10
      derived[5] = %6

    function Constraints: 10 values, 2 add, 2 mul, 2 trig: 6 operations, weighted 44
      %0 = load parameters[0]
      %1 = load coordinates[2]
      %2 = cos %1
      %3 = mul %0 %2
      %4 = load coordinates[0]
      %5 = sub %3 %4
      %6 = sin %1
      %7 = mul %0 %6
      %8 = load coordinates[1]
      %9 = sub %7 %8
      constraints[0] = %5
      constraints[1] = %9

    function VelocityCorrection: 19 values, 3 add, 8 mul: 11 operations, weighted 11
      %0 = load derived[0]
      %1 = load factor[1]
      %2 = load constraints[0]
      %3 = mul %1 %2
      %4 = load factor[0]
      %5 = load factor[2]
      %6 = load constraints[1]
      %7 = mul %2 %4
      %8 = add %6 %7
      %9 = mul %5 %8
      %10 = mul %4 %9
      %11 = add %3 %10
      %12 = mul %0 %11
      %13 = mul %0 %9
      %14 = load factor[3]
      %15 = mul %11 %14
      %16 = load factor[4]
      %17 = mul %9 %16
      %18 = sub %15 %17
      velocities[0] = %12
      velocities[1] = %13
      velocities[2] = %18
    ");
}

#[test]
fn same_equations_same_kernel() {
    let equations = random(6, 4);
    let first = kernel(&equations, &[0]);
    assert_eq!(first, kernel(&equations, &[0]));
    assert_eq!(first.to_string(), kernel(&random(6, 4), &[0]).to_string());
}

/// Masses are inverted when they are set, not at each step.
#[test]
fn parameters_are_hoisted() {
    let kernel = kernel(&chain(3, Numbering::Parameters), &[]);
    let prepare = counts(&function(&kernel, Name::Prepare).instructions);
    assert!(prepare.div >= 2, "{prepare}");
    assert!(kernel.sizes.derived > 0);
    for function in &kernel.functions[1..] {
        let only_parameters = function.instructions.iter().filter(|instruction| {
            let mut operands = instruction.operands().peekable();
            operands.peek().is_some()
                && operands.all(|v| match function.instructions[v.0 as usize] {
                    Instruction::Constant(_) => true,
                    Instruction::Load(slot) => {
                        matches!(slot.array, Array::Parameters | Array::Derived)
                    }
                    _ => false,
                })
        });
        assert_eq!(only_parameters.count(), 0, "{function}");
    }
}

/// One reciprocal a pivot, and no more.
#[test]
fn one_quotient_a_pivot() {
    let equations = chain(4, Numbering::Constants);
    let Counts { div, trig, .. } =
        counts(&function(&kernel(&equations, &[]), Name::Accelerate).instructions);
    assert_eq!(div, 8);
    assert_eq!(trig, 8);
}

/// A long sum needs no deep stack.
#[test]
fn long_sums_do_not_recurse() {
    let mut equations = chain(1, Numbering::Constants);
    let mut power = equations.power.clone();
    for k in 0..3_000 {
        power = power + super::systems::q(k % 3) * super::systems::number(k as f64 + 0.5);
    }
    equations.power = power;
    let kernel = kernel(&equations, &[]);
    assert!(counts(&function(&kernel, Name::Dense).instructions).add >= 2_999);
}
