//! Results of the pipeline for the models.

use crate::common::{compiled, model, models};
use bellcrank_compiler::stages::kernel::{Array, Kernel, Memory, Name, interpret, verify};
use bellcrank_compiler::{Options, Purpose, compile, source};

#[test]
fn every_model_has_a_kernel_that_verifies() {
    for path in models() {
        let compiled = compiled(&path);
        verify(&compiled.kernel).unwrap_or_else(|broken| panic!("{path:?}: {broken:?}"));
    }
}

#[test]
fn redundant_rows_are_named_and_do_not_stop() {
    let path = model("spatial_four_bar");
    let compiled = compiled(&path);
    assert_eq!(compiled.assembly.freedoms, 1);
    insta::assert_snapshot!(compiled.warnings, @r"
    warning[T303]: 3 constraint equations of joint `C` are redundant: joints `A`, `B` and `D` already imply `z of the point`, `tilt of the axis about y`, `tilt of the axis about x`
      at joints.C: redundant
      = hint: the motion is unique, but the reactions in these joints are not: the ones of smallest norm are reported; a joint with more degrees of freedom (spherical, cylindrical) makes them unique
    ");
}

/// By counting it has no degree of freedom. The redundant constraint equation is redundant in every position.
#[test]
fn bricard_moves_with_one_row_too_many() {
    let path = model("bricard");
    let compiled = compiled(&path);
    assert_eq!(compiled.equations.phi.len(), 30);
    assert_eq!(compiled.assembly.freedoms, 1);
    let told = compiled.warnings.to_string();
    assert!(
        told.starts_with("warning[T303]: 1 constraint equation of joint `hinge4` is redundant"),
        "{told}"
    );
    assert!(told.contains("`tilt of the axis about x`"), "{told}");
}

/// Four digits after the point are given, so the joints of the guess are open by no more than the error of
/// a sum of a few of them.
#[test]
fn the_guess_of_the_four_bar_is_that_of_the_paper() {
    let path = model("four_bar");
    let kernel = compiled(&path).kernel;
    let guess = outputs(&kernel, Name::Guess, &Memory::new()).array(Array::Coordinates, 9);
    let at_guess = Memory::new()
        .with(Array::Time, &[0.0])
        .with(Array::Coordinates, &guess);
    let phi = outputs(&kernel, Name::Constraints, &at_guess).array(Array::Constraints, 8);
    assert!(phi.iter().all(|row| row.abs() < 3e-4), "{phi:?}");
}

/// The output for a program lacks the parts that the command line never asks for. The rest is the same as for
/// everybody, with outputs of reactions.
#[test]
fn a_program_has_all_but_reactions() {
    let path = model("quick_return");
    let source = source::load(&path).unwrap();
    let [whole, program] = [Purpose::Motion, Purpose::Program].map(|purpose| {
        let options = Options {
            purpose,
            ..Options::default()
        };
        compile(&source, &options).unwrap().kernel
    });
    assert_eq!(whole.sizes.reactions, 6 * 5);
    assert_eq!(program.sizes.reactions, 0);
    for (one, other) in whole.functions.iter().zip(&program.functions) {
        assert_eq!(one.name, other.name);
        assert_eq!(one == other, one.name != Name::Reactions, "{:?}", one.name);
    }
}

fn outputs(kernel: &Kernel, name: Name, memory: &Memory) -> Memory {
    let function = kernel.functions.iter().find(|f| f.name == name).unwrap();
    interpret(function, memory, &[])
}
