//! The double four-bar, which passes positions with three degrees of freedom instead of one.

use bellcrank::prelude::*;
use bellcrank_tests::{
    DoubleFourBar, body, double_four_bar as names, gaps, joint, momentum, multiplier, reference,
};

const REFERENCE: &str = include_str!("../../../models/double_four_bar/reference.csv");

type Run<M> = Simulation<M, Rk4<f64>, DirectCorrection>;

fn run<M: Mechanism<Scalar = f64> + Default>(step: f64) -> Run<M> {
    Simulation::new(M::default(), Rk4::new(step), DirectCorrection::default()).unwrap()
}

/// How far the couplers are from level: on another branch that is some tenths of a metre.
fn tilt<M: Mechanism<Scalar = f64>>(run: &Run<M>) -> f64 {
    let outputs = run.outputs().unwrap();
    let [first, second] = [names::output::FIRST_TILT, names::output::SECOND_TILT];
    outputs[first].abs().max(outputs[second].abs())
}

/// Five turns, so ten level positions. What RK4 leaves at 1 ms is 1.5e-9 m and 1.0e-8 m/s in the worst
/// formulation; the tilts are zero in the reference.
#[test]
fn double_four_bar_follows_the_reference_through_level_positions() {
    let mut rows = reference(REFERENCE);
    rows.iter_mut().for_each(|row| row.extend([0.0, 0.0]));
    assert_eq!(rows.last().unwrap()[0], 10.0);
    let step = DoubleFourBar::DEFAULTS.step;
    let all = [
        gaps(DoubleFourBar::default(), step, &rows),
        gaps(body::DoubleFourBar::default(), step, &rows),
        gaps(multiplier::DoubleFourBar::default(), step, &rows),
        gaps(momentum::DoubleFourBar::default(), step, &rows),
        gaps(joint::DoubleFourBar::default(), step, &rows),
    ];
    assert!(all.iter().flatten().all(|gap| *gap < 1e-7), "{all:?}");
}

const STEPS: usize = 700;

/// Violation Φ̇ that passes leave: they go on to 16 round-offs of 2.1 m a second and at most 5.3 m/s, and end below
/// 64 times that if a pass makes no progress.
const ROUND_OFF: f64 = 2e-12;

/// The step with which so many of them end where the links are level, to round-off.
fn step_to_level<M: Mechanism<Scalar = f64> + Default>() -> f64 {
    let above = |step: f64| {
        let mut run = run::<M>(step);
        for _ in 0..STEPS {
            run.step().unwrap();
        }
        run.outputs().unwrap()[names::output::Y] > 0.0
    };
    let (mut early, mut late) = (0.6e-3, 1.2e-3);
    for _ in 0..60 {
        let middle = 0.5 * (early + late);
        *(if above(middle) { &mut early } else { &mut late }) = middle;
    }
    late
}

/// A stage at the level position itself takes the dense solve, which finds three degrees of freedom there: its
/// acceleration is right along the motion, but has parts across it that the next projection takes away. These
/// are h/6 · some g, and with them go 1.5e-6 J.
fn passes_level<M: Mechanism<Scalar = f64> + Default>() {
    let mut run = run::<M>(step_to_level::<M>());
    let energy = run.frame().energy();
    for _ in 0..STEPS + 100 {
        let report = run.step().unwrap();
        assert!(report.phi < 1e-12 && tilt(&run) < 1e-9, "{report:?}");
        assert!(report.phi_dot < ROUND_OFF, "{report:?}");
        assert!((run.frame().energy() - energy).abs() < 1e-5);
    }
    assert!(run.outputs().unwrap()[names::output::Y] < -0.1);
    let dense = run.counts().dense;
    assert!(dense > 0);
}

/// In joint coordinates the rows across the links do not come to depend on others at the level position, they vanish. A
/// solve that compared them with themselves would take what round-off leaves of them for rows, and stop as
/// `Stop::Singular`.
#[test]
fn a_step_may_end_at_the_level_position() {
    passes_level::<body::DoubleFourBar>();
    passes_level::<multiplier::DoubleFourBar>();
    passes_level::<momentum::DoubleFourBar>();
    passes_level::<joint::DoubleFourBar>();
}

/// A thousand seconds, about a thousand level positions. Φ and Φ̇ are round-off, also where a step ends within 1e-5 m
/// of level and accelerations take nearly dependent rows for dependent ones: the projection does not. The tilt reaches
/// 1e-11 m. Steps that end near it make the energy jump, by 2.3e-4 J of 36 J at most, 4e-4 J in all: at the height δ
/// round-off ε of a position is 2 ω² ε/δ³ in an acceleration across the motion. Where a step ends is chance, so there
/// is room for more.
fn stays<M: Mechanism<Scalar = f64> + Default>() {
    let mut run = run::<M>(1e-3);
    let energy = run.frame().energy();
    for _ in 0..1_000_000 {
        let report = run.step().unwrap();
        assert!(
            report.phi < 1e-12 && report.phi_dot < ROUND_OFF,
            "{report:?}"
        );
        assert!(tilt(&run) < 1e-9, "{report:?}");
    }
    let drift = (run.frame().energy() - energy).abs();
    assert!(drift < 5e-3, "{drift:e}");
}

#[test]
fn a_million_steps_stay_parallelograms() {
    stays::<body::DoubleFourBar>();
    stays::<multiplier::DoubleFourBar>();
    stays::<momentum::DoubleFourBar>();
    stays::<joint::DoubleFourBar>();
}

/// Five bodies, seven joints of two rows each; no row is redundant, because at most positions none is.
#[test]
fn double_four_bar_has_two_loops_and_one_freedom() {
    assert_eq!(DoubleFourBar::FREEDOMS, 1);
    assert_eq!(DoubleFourBar::REDUNDANT.len(), 0);
    assert_eq!(body::DoubleFourBar::CONSTRAINTS.len(), 14);
}
