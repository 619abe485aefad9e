//! Constraint equations that are redundant but for the digits that lengths and directions were rounded to.

use bellcrank_compiler::description::Formulation;
use bellcrank_compiler::diagnostics::Code;
use bellcrank_compiler::stages::kernel::{Array, Name};
use bellcrank_compiler::{Compiled, Options, Source, compile};

use super::machine::{Machine, Projected};

const FOUR_BAR: &str = include_str!("../../../../models/spatial_four_bar/model.toml");
const CRANKS: &str = include_str!("../../../../tests/models/three_cranks.toml");

const WAYS: [Formulation; 4] = [
    Formulation::Body,
    Formulation::Joint,
    Formulation::Multiplier,
    Formulation::Momentum,
];

/// Joint C tilted on both bodies, so that the loop closes at the start and nowhere else.
fn tilted(by: f64) -> String {
    axis_of_c(&format!("axis = [{by:e}, 0, 1]"))
}

/// Joint C tilted on one body, so that the loop closes nowhere.
fn tilted_on_one_body(by: f64) -> String {
    axis_of_c(&format!("axis = [[{by:e}, 0, 1], [0, 0, 1]]"))
}

fn axis_of_c(axis: &str) -> String {
    let (head, tail) = FOUR_BAR.split_once("[joints.C]").unwrap();
    let tail = tail.replacen("axis = \"z\"", axis, 1);
    format!("{head}[joints.C]{tail}")
}

/// The third crank is longer than the others.
fn longer(by: f64) -> String {
    let longer = format!("tip = [{}, 0.0]", 0.5 + by);
    assert!(CRANKS.contains("tip = [0.5, 0.0]"));
    CRANKS.replace("tip = [0.5, 0.0]", &longer)
}

fn compiled(text: &str, way: Formulation) -> Result<Compiled, String> {
    let source = Source::Toml {
        file: "rounded.toml".to_owned(),
        text: text.to_owned(),
    };
    let options = Options {
        formulation: Some(way),
        ..Options::default()
    };
    compile(&source, &options).map_err(|found| found.to_string())
}

/// The crank's angle and rate after 0.3 s, and the largest violation of equations that are not redundant.
fn after(machine: &Machine) -> ([f64; 2], f64) {
    let state = machine.run(5e-3, 60, Projected::Yes).state;
    let motion = ["crank", "crank_rate"].map(|name| machine.output(name, &state));
    let n_rows = machine.compiled.kernel.sizes.constraints;
    let phi = machine.call(Name::Constraints, &state);
    let phi = phi.array(Array::Constraints, n_rows);
    let redundant = &machine.compiled.assembly.redundant;
    let kept = (0..n_rows).filter(|row| !redundant.contains(&(*row as u32)));
    (motion, kept.fold(0.0, |most, row| phi[row].abs().max(most)))
}

/// As many equations are redundant as in the exact mechanism, the others hold, and the motion is off by no more than
/// some of what was rounded.
fn moves_as_the_exact_one(rounded: impl Fn(f64) -> String, sizes: &[f64]) {
    for way in WAYS {
        let exact = Machine::of(compiled(&rounded(0.0), way).unwrap());
        let ([angle, rate], _) = after(&exact);
        for &size in sizes {
            let machine = Machine::of(compiled(&rounded(size), way).unwrap());
            let what = format!("{size:e} in {}", machine.compiled.formulation);
            let assembly = &machine.compiled.assembly;
            let n_redundant = exact.compiled.assembly.redundant.len();
            assert_eq!(assembly.redundant.len(), n_redundant, "{what}");
            assert_eq!(assembly.freedoms, 1, "{what}");
            let ([this_angle, this_rate], phi) = after(&machine);
            // Round-off of lengths of 4 m, in a few operations.
            assert!(phi < 1e-14, "{what}: {phi:e}");
            // 60 steps of some 1e-16 each, and lengths up to 4 m times what was rounded.
            let bound = 1e-12 + 4.0 * size;
            let off = (this_angle - angle).abs().max((this_rate - rate).abs());
            assert!(off < bound, "{what}: {off:e}");
        }
    }
}

#[test]
fn a_tilted_hinge_moves_as_an_exact_one() {
    moves_as_the_exact_one(tilted, &[1e-12, 1e-10, 1e-9, 1e-8, 1e-7]);
}

#[test]
fn a_hinge_that_is_tilted_on_one_body_moves_as_an_exact_one() {
    moves_as_the_exact_one(tilted_on_one_body, &[1e-12, 1e-9, 1e-7]);
}

#[test]
fn a_crank_that_is_too_long_moves_as_an_exact_one() {
    moves_as_the_exact_one(longer, &[1e-12, 1e-9, 1e-8, 1e-6]);
}

/// The warning has the deviation and the tolerance; that of the exact mechanism has neither.
#[test]
fn the_warning_says_how_far_the_equations_deviate() {
    let words = |text: &str| {
        let compiled = compiled(text, Formulation::Body).unwrap();
        let mut warnings = compiled.warnings.iter();
        let warning = warnings.find(|one| one.code == Code::T303).unwrap();
        warning.to_string()
    };
    let exact = words(&tilted(0.0));
    assert!(exact.contains("are redundant: joints"), "{exact}");
    let rounded = words(&tilted(1e-8));
    assert!(
        rounded.contains("are redundant within ") && rounded.contains("e-9 rad: joints"),
        "{rounded}"
    );
    assert!(rounded.contains("at most 1e-6 rad"), "{rounded}");
    let long = words(&longer(1e-7));
    assert!(long.contains("e-7 m: joints"), "{long}");
}

/// Beyond the tolerance the deviating equations count as independent.
#[test]
fn a_mechanism_that_deviates_by_more_is_refused() {
    let refused = |text: &str| compiled(text, Formulation::Body).err().unwrap();
    let locked = refused(&tilted(1e-3));
    assert!(
        locked.contains("leave 3 bodies no degree of freedom"),
        "{locked}"
    );
    assert!(
        locked.contains("joint `C` are almost redundant: they deviate by"),
        "{locked}"
    );
    let open = refused(&tilted_on_one_body(1e-3));
    assert!(open.contains("does not close"), "{open}");
    let open = refused(&longer(1e-3));
    assert!(open.contains("does not close"), "{open}");
}
