//! The bordered solve against the dense one, and its work against the Schur complement's.

use super::solve::{check_accelerate, check_corrections};
use super::systems::{Numbering, chain, random};
use super::twin::{State, function, run};
use super::{Numbers, SETTINGS, kernel_at, points, verified};
use crate::assembly::Assembly;
use crate::assembly::Sample;
use crate::kernel::counts;
use crate::kernel::lower::lower_chosen;
use crate::kernel::solve::bordered;
use crate::kernel::solve::choose::SolveCandidate;
use crate::kernel::solve::pivots::is_definite;
use crate::kernel::solve::schur;
use crate::kernel::solve::stabilization::Stabilization;
use crate::kernel::{Array, Kernel, Name, Solve};
use crate::options::Options;
use crate::symbolic::{Equations, SparseRow};

fn sample(equations: &Equations, state: &State, reached: bool) -> Sample {
    let row = |row: &SparseRow| {
        let entries = row.iter();
        let entries = entries.map(|(j, x)| (*j, state.evaluate(equations, x)));
        entries.collect()
    };
    Sample {
        mass: equations.mass.iter().map(row).collect(),
        jacobian: equations.jacobian.iter().map(row).collect(),
        reached,
    }
}

/// Random states.
fn samples(equations: &Equations) -> Vec<Sample> {
    let states = (100..124).map(|seed| State::random(equations, seed));
    states
        .map(|state| sample(equations, &state, true))
        .collect()
}

fn independent(equations: &Equations, redundant: &[u32]) -> Vec<usize> {
    (0..equations.phi.len())
        .filter(|k| !redundant.contains(&(*k as u32)))
        .collect()
}

/// Solved in this way whatever it costs.
fn solved(
    equations: &Equations,
    redundant: &[u32],
    samples: &[Sample],
    solve: Solve,
) -> Option<Kernel> {
    let (rows, options) = (independent(equations, redundant), Options::default());
    let assembly = Assembly {
        redundant: redundant.to_vec(),
        samples: samples.to_vec(),
        ..Assembly::default()
    };
    let built = match solve {
        Solve::Bordered => {
            bordered::accelerate(equations, &rows, &assembly, Stabilization::None, &options)?
        }
        _ => schur::accelerate(equations, &assembly, &rows, Stabilization::None, &options),
    };
    let candidate = SolveCandidate::new(equations, solve, built);
    let kernel = lower_chosen(equations, &assembly, candidate, SETTINGS, &options);
    Some(verified(kernel))
}

fn check(equations: &Equations, redundant: &[u32], seed: u64) {
    let samples = samples(equations);
    let kernel = solved(equations, redundant, &samples, Solve::Bordered).unwrap();
    let state = State::random(equations, seed);
    check_accelerate(&kernel, equations, redundant, &state);
    check_corrections(&kernel, equations, redundant, &state);
}

#[test]
fn block_diagonal_mass() {
    for seed in 1..=8 {
        let equations = random(seed, 2 + seed as usize % 4);
        check(&equations, &[equations.phi.len() as u32 - 1], seed);
        check(&equations, &[0], seed);
    }
    check(&chain(7, Numbering::Parameters), &[], 5);
}

#[test]
fn coupled_mass() {
    for seed in 1..=8 {
        check(&points::banded(seed, 4 + seed as usize), &[], seed);
    }
}

#[test]
fn semidefinite_mass() {
    for seed in 1..=8 {
        let equations = points::semidefinite(seed);
        assert!(!is_definite(&samples(&equations)));
        check(&equations, &[], seed);
        // M⁻¹ does not exist, so there is no choice.
        let kernel = kernel_at(&equations, &[], samples(&equations));
        assert_eq!(kernel.solve, Solve::Bordered);
    }
}

/// Without an inverse of M and without a safe pivot everything is left to the runtime.
#[test]
fn no_safe_pivot() {
    let mut equations = points::semidefinite(1);
    equations.mass.iter_mut().for_each(SparseRow::clear);
    equations.mass[0].push((0, super::systems::number(1.0)));
    let kernel = kernel_at(&equations, &[], samples(&equations));
    assert_eq!(kernel.solve, Solve::Dense);
    let state = State::random(&equations, 3);
    let found = run(&kernel, Name::Accelerate, &state.memory(&kernel));
    assert_eq!(found.scalar(Array::Margin), 0.0);
}

#[test]
fn rods_in_point_coordinates() {
    for n in [1, 2, 3, 8, 20] {
        check(&points::rods(n), &[], n as u64);
    }
}

const FUNCTIONS: [Name; 3] = [
    Name::Accelerate,
    Name::PositionCorrection,
    Name::VelocityCorrection,
];

fn cost(kernel: &Kernel) -> usize {
    let total = |name: &Name| counts(&function(kernel, *name).instructions).weighted();
    FUNCTIONS.iter().map(total).sum()
}

/// The work of a link is the same in every chain.
#[test]
fn chains_of_rods_grow_linearly() {
    let sizes = [5, 10, 20, 40, 100];
    let kernels = sizes.map(|n| {
        let equations = points::rods(n);
        kernel_at(&equations, &[], samples(&equations))
    });
    for name in [&FUNCTIONS[..], &[Name::Dense]].concat() {
        let totals = kernels
            .each_ref()
            .map(|kernel| counts(&function(kernel, name).instructions).weighted());
        let slope = |k: usize| (totals[k + 1] - totals[k]) / (sizes[k + 1] - sizes[k]);
        assert!((1..4).all(|k| slope(k) == slope(0)), "{name:?}: {totals:?}");
    }
    let factors = kernels.each_ref().map(|kernel| kernel.sizes.factor);
    assert_eq!(factors[3] - factors[2], 2 * (factors[2] - factors[1]));
    for (n, kernel) in sizes.into_iter().zip(&kernels).take(4) {
        assert_eq!(kernel.solve, Solve::Bordered);
        let schur = solved(&points::rods(n), &[], &[], Solve::Schur).unwrap();
        assert!(cost(kernel) < cost(&schur));
    }
}

/// Level rods do not tell that their gradient along x may vanish; scattered states do.
#[test]
fn level_rods_may_stand_up() {
    let equations = points::rods(6);
    let laid = |angle: f64| {
        let mut state = State::random(&equations, 3);
        for k in 0..6 {
            let length = (k + 1) as f64;
            state.q[2 * k] = length * angle.cos();
            state.q[2 * k + 1] = length * angle.sin();
        }
        state
    };
    let mut known = vec![sample(&equations, &laid(0.0), true)];
    let scattered = (0..24).map(|seed| State::random(&equations, 40 + seed));
    known.extend(scattered.map(|state| sample(&equations, &state, false)));
    let kernel = solved(&equations, &[], &known, Solve::Bordered).unwrap();
    for angle in [0.0, 0.4, std::f64::consts::FRAC_PI_2, 3.0] {
        check_accelerate(&kernel, &equations, &[], &laid(angle));
        check_corrections(&kernel, &equations, &[], &laid(angle));
    }
}

/// A pivot that no sample warned of is told by the margin where it vanishes.
#[test]
fn margin_tells_a_pivot_that_vanishes() {
    let equations = points::carriage();
    let at = |angle: f64| {
        let mut state = State::random(&equations, 1);
        (state.q[0], state.q[1]) = (angle.cos(), angle.sin());
        state
    };
    let known = [0.1, 0.2].map(|angle| sample(&equations, &at(angle), true));
    let kernel = solved(&equations, &[], &known, Solve::Bordered).unwrap();
    let margin = |angle: f64| {
        let memory = at(angle).memory(&kernel);
        run(&kernel, Name::Accelerate, &memory).scalar(Array::Margin)
    };
    check_accelerate(&kernel, &equations, &[], &at(1.0));
    assert!(margin(std::f64::consts::FRAC_PI_2) <= 0.0);
    assert!(margin(std::f64::consts::FRAC_PI_2 - 1e-3) > 0.0);
}

/// The first of the states is a dead point: both rows say the same about the first velocity.
#[test]
fn a_dead_point_does_not_spoil_the_order() {
    let mut equations = points::carriage();
    let (one, zero) = (super::systems::number(1.0), super::systems::number(0.0));
    equations.jacobian.push(vec![(0, one)]);
    equations.phi.push(super::systems::q(0));
    equations.gamma.push(zero.clone());
    equations.phi_t.push(zero);
    let at = |angle: f64| {
        let mut state = State::random(&equations, 1);
        (state.q[0], state.q[1]) = (angle.cos(), angle.sin());
        state
    };
    let known = [0.0, 0.7, 1.0].map(|angle| sample(&equations, &at(angle), true));
    assert!(solved(&equations, &[], &known[..1], Solve::Bordered).is_none());
    let kernel = solved(&equations, &[], &known, Solve::Bordered).unwrap();
    check_accelerate(&kernel, &equations, &[], &at(0.9));
    let memory = at(0.0).memory(&kernel);
    let found = run(&kernel, Name::Accelerate, &memory);
    assert!(found.scalar(Array::Margin) <= 0.0);
}

/// A row that repeats others, left in, has no pivot at any sample.
#[test]
fn dependent_rows_have_no_order() {
    let equations = random(5, 3);
    assert!(solved(&equations, &[], &samples(&equations), Solve::Bordered).is_none());
}

#[test]
fn same_samples_same_kernel() {
    let equations = points::rods(9);
    let first = kernel_at(&equations, &[], samples(&equations));
    let again = kernel_at(&points::rods(9), &[], samples(&equations));
    assert_eq!(first, again);
    assert!(
        first
            .to_string()
            .starts_with("solve Bordered\n\nfunction Prepare")
    );
}

/// Where M does not couple bodies the Schur complement is kept, and both ways are right.
#[test]
fn body_coordinates_keep_the_schur_complement() {
    let mut numbers = Numbers(7);
    for n in [1, 2, 5, 20] {
        let equations = chain(n, Numbering::Constants);
        let samples = samples(&equations);
        let state = State::random(&equations, numbers.whole(1000) as u64);
        for solve in [Solve::Schur, Solve::Bordered] {
            let kernel = solved(&equations, &[], &samples, solve).unwrap();
            check_accelerate(&kernel, &equations, &[], &state);
        }
        assert_eq!(kernel_at(&equations, &[], samples).solve, Solve::Schur);
    }
}
