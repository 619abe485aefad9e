//! Which formulation is kept if nothing, or only a part of it, is said.

use bellcrank_compiler::description::{Formulation, Integrator, Method, Stabilizer};
use bellcrank_compiler::stages::kernel::{Name, counts};
use bellcrank_compiler::{Compiled, Options, compile, outline, source};

use crate::common::{compiled_in, model};

fn unsaid(name: &str) -> Compiled {
    compile(&source::load(&model(name)).unwrap(), &Options::default()).unwrap()
}

/// The bytes of `auto`, and so its choice: points in the plane, joint coordinates in space.
#[test]
fn nothing_said_is_auto() {
    for (name, kept) in [
        ("four_bar", "particle/swing"),
        ("spatial_four_bar", "joint"),
        ("simple_pendulum", "particle/multiplier"),
    ] {
        let unsaid = unsaid(name);
        assert_eq!(unsaid.formulation, kept);
        let auto = compiled_in(&model(name), Formulation::Auto);
        assert_eq!(unsaid.rust, auto.rust, "{name}");
    }
}

#[test]
fn points_are_in_the_cheapest_of_their_three_forms() {
    for (name, kept) in [
        ("four_bar", "particle/swing"),
        ("spatial_four_bar", "particle/momentum"),
        ("dead_centre", "particle/multiplier"),
    ] {
        let points = compiled_in(&model(name), Formulation::Particle);
        assert_eq!(points.formulation, kept, "{name}");
        let steps = points.candidates.iter().map(|one| one.step);
        let own = points.candidates.iter().find(|one| one.kept).unwrap();
        assert_eq!(Some(own.step), steps.min(), "{name}");
    }
}

/// An editor cannot wait for the choice, but it gets the number of velocities of the chosen formulation.
#[test]
fn an_editor_sees_the_likeliest_choice() {
    for name in ["four_bar", "spatial_four_bar", "five_arm_pendulum"] {
        let n = unsaid(name).equations.n_velocities;
        let seen = outline(&source::load(&model(name)).unwrap(), &Options::default()).unwrap();
        assert!(
            seen.contains(&format!(" {n} velocities, ")),
            "{name}: {seen}"
        );
    }
}

/// The four-bar in a formulation, for a run with these methods.
fn run_with(formulation: Formulation, methods: &[Method]) -> Compiled {
    let options = Options {
        formulation: Some(formulation),
        methods: methods.to_vec(),
        ..Options::default()
    };
    compile(&source::load(&model("four_bar")).unwrap(), &options).unwrap()
}

/// Weighted operations of a step as it is ranked by.
fn step(compiled: &Compiled) -> usize {
    let mut candidates = compiled.candidates.iter();
    candidates.find(|one| one.kept).unwrap().step
}

/// The same of one call of a function.
fn work(compiled: &Compiled, name: Name) -> usize {
    let mut functions = compiled.kernel.functions.iter();
    let function = functions.find(|function| function.name == name).unwrap();
    counts(&function.instructions).weighted()
}

#[test]
fn a_step_is_counted_with_the_methods_of_the_run() {
    let euler = Integrator::SemiImplicitEuler.into();
    let one = run_with(Formulation::Body, &[euler, Stabilizer::None.into()]);
    let two = run_with(
        Formulation::Body,
        &[Integrator::Rk2.into(), Stabilizer::None.into()],
    );
    assert_eq!(step(&two), 2 * step(&one));
    let pulled = run_with(Formulation::Body, &[euler, Stabilizer::Baumgarte.into()]);
    assert!(step(&pulled) > step(&one));
    assert!(step(&pulled) < 2 * step(&one));
}

/// Backward differences solve twice in each of some five iterations of two steps; a step of RK4 has none of that.
#[test]
fn the_newton_matrix_is_counted() {
    for formulation in [Formulation::Body, Formulation::Multiplier] {
        let explicit = run_with(formulation, &[]);
        let implicit = run_with(formulation, &[Integrator::Bdf.into()]);
        let solves = 5 * work(&implicit, Name::TangentSolve);
        assert!(solves > 0 && step(&implicit) > solves + work(&implicit, Name::Residual));
        assert_ne!(step(&explicit), step(&implicit));
    }
}

/// The formulations that serve the chosen methods are ranked by them, and the cheapest is kept.
#[test]
fn auto_keeps_the_cheapest_for_an_implicit_run() {
    let kept = run_with(Formulation::Auto, &[Integrator::Bdf.into()]);
    for formulation in [
        Formulation::Body,
        Formulation::Multiplier,
        Formulation::Momentum,
    ] {
        let alone = run_with(formulation, &[Integrator::Bdf.into()]);
        assert!(step(&kept) <= step(&alone), "{}", formulation.word());
    }
}
