//! Equations that are written another way: the same values, for fewer operations.

use bellcrank_compiler::Compiled;
use bellcrank_compiler::description::Formulation;
use bellcrank_compiler::stages::kernel::{Array, Kernel, LoweringSettings, Name, counts, lower};

use crate::common::{Random, call, compiled_in, model, random_state};

/// Weighted operations of a step as the derivation writes it, and as it is kept. These are 12 %, 3 %, 2 % and nothing.
#[test]
fn a_form_is_kept_where_it_takes_fewer_operations() {
    for (model, derived, kept) in [
        ("stewart_platform", 12156, 10684),
        ("iltis_suspension", 3858, 3737),
        ("four_bar", 483, 471),
        ("pantograph", 2164, 2164),
    ] {
        let [before, after] = both(model);
        let steps = [step(&before.kernel), step(&after.kernel)];
        assert_eq!(steps, [derived, kept], "{model}");
        let is_told = after.notes.iter().any(|note| note.contains("Horner"));
        assert_eq!(is_told, derived > kept, "{model}");
        assert_eq!(before.kernel == after.kernel, derived == kept, "{model}");
    }
}

/// Sums in another order differ by round-off of their largest term. The stop of the suspension, 10⁷ N/m, makes 2e-9 N
/// of the round-off of a metre, 1e-12 of the largest force; a solve makes it larger by the condition of its matrix.
#[test]
fn values_stay_what_they_are() {
    for model in ["stewart_platform", "iltis_suspension", "four_bar"] {
        let [before, after] = both(model);
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        for _ in 0..5 {
            let state = random_state(&before, &mut random);
            for (name, arrays) in [
                (Name::Constraints, &[Array::Constraints][..]),
                (Name::VelocityConstraints, &[Array::Constraints]),
                (Name::Dense, &[Array::Mass, Array::Rows, Array::Forces]),
                (Name::Dense, &[Array::Gamma, Array::PhiT, Array::Power]),
            ] {
                let memories = [&before, &after].map(|one| call(one, name, &state));
                for array in arrays {
                    let numbers = memories
                        .each_ref()
                        .map(|memory| memory.array(*array, LONGEST));
                    agree(&numbers, 1e-11, &format!("{model} {name:?} {array:?}"));
                }
            }
        }
        for state in &before.assembly.states {
            let memories = [&before, &after].map(|one| call(one, Name::Accelerate, state));
            for array in [Array::Accelerations, Array::Multipliers] {
                let numbers = memories
                    .each_ref()
                    .map(|memory| memory.array(array, LONGEST));
                agree(&numbers, 1e-9, &format!("{model} {array:?}"));
            }
        }
    }
}

/// No array here is longer; values beyond its end are zero.
const LONGEST: usize = 2000;

fn agree([a, b]: &[Vec<f64>; 2], tolerance: f64, what: &str) {
    let largest = a.iter().fold(1.0, |largest, x| f64::max(largest, x.abs()));
    for (x, y) in a.iter().zip(b) {
        assert!((x - y).abs() <= tolerance * largest, "{what}: {x} {y}");
    }
}

/// A model as the derivation writes it, and as it is kept.
fn both(name: &str) -> [Compiled; 2] {
    let kept = compiled_in(&model(name), Formulation::Auto);
    let sizes = &kept.kernel.sizes;
    let settings = LoweringSettings {
        parameters: sizes.parameters,
        inputs: sizes.inputs,
        variables: sizes.variables,
        extras: kept.kernel.extras.clone(),
    };
    let options = bellcrank_compiler::Options::default();
    let kernel = lower(&kept.equations, &kept.assembly, settings, &options);
    let derived = Compiled {
        kernel,
        ..kept.clone()
    };
    [derived, kept]
}

/// Of RK4 with one correction of each kind.
fn step(kernel: &Kernel) -> usize {
    let weighted = |name| {
        let mut functions = kernel.functions.iter();
        let function = functions.find(|function| function.name == name).unwrap();
        counts(&function.instructions).weighted()
    };
    4 * weighted(Name::Accelerate)
        + 2 * (weighted(Name::Constraints) + weighted(Name::VelocityConstraints))
        + weighted(Name::PositionCorrection)
        + weighted(Name::VelocityCorrection)
}
