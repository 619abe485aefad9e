//! The emitter on a small kernel that is made by hand, and on random ones.

mod apart;
mod compile;
mod form;
mod random;
mod rolled;
mod sample;

use super::*;
use crate::options::{Lanes, Scalar};

#[test]
fn the_module_reads_well() {
    insta::assert_snapshot!(text(&Options::default()));
}

#[test]
fn long_functions_are_cut() {
    insta::assert_snapshot!(text(&Options {
        piece: 3,
        ..Options::default()
    }));
}

#[test]
fn names_and_types_come_without_a_kernel() {
    let (model, names, header) = (sample::model("Press"), sample::names(), sample::header());
    let tokens = signatures(&model, &names, &header, &Options::default());
    insta::assert_snapshot!(format(tokens).expect("the module parses"));
}

#[test]
fn the_runtime_may_have_another_name() {
    let text = text(&Options {
        runtime: "crate::my-runtime".to_owned(),
        ..Options::default()
    });
    assert!(text.contains("use crate::my_runtime::nalgebra::{SMatrix, SVector};"));
    assert!(text.contains("impl Mechanism for Press"));
    assert!(!text.contains("::bellcrank"));
}

/// A mechanism that has the name of an import keeps it.
#[test]
fn an_import_gives_way_to_the_mechanism() {
    let tokens = sample::module("Real", &Options::default());
    let text = format(tokens).expect("the module parses");
    for line in [
        "Real as ImportedReal,",
        "impl Mechanism for Real {",
        "ImportedReal::sin_cos(",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
}

#[test]
fn single_precision_has_no_doubles_in_functions() {
    let text = text(&Options {
        scalar: Scalar::F32,
        ..Options::default()
    });
    let doubles: Vec<_> = text.lines().filter(|line| line.contains("f64")).collect();
    assert_eq!(doubles, ["        const SIZE: f64 = 0.5;"]);
}

/// Comparisons and choices are by lane, and numbers are spread over the lanes.
#[test]
fn code_for_lanes_has_a_type_parameter() {
    let text = text(&Options {
        lanes: Lanes::Any,
        ..Options::default()
    });
    for line in [
        "pub struct PressOf<T: Number<f64>> {",
        "pub type Press = PressOf<f64>;",
        "impl<T: Number<f64>> Mechanism for PressOf<T> {",
        "impl<const LANES: usize> Batched<LANES> for Press",
        "T::choose(",
        "T::of(",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    assert!(!text.contains("= if "), "{text}");
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    assert_eq!(text(&Options::default()), text(&Options::default()));
}

fn text(options: &Options) -> String {
    format(sample::module("Press", options)).expect("the module parses")
}
