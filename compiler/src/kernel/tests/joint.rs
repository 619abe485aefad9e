//! Chains in joint coordinates, which need no algebra: what a further body costs.

use bellcrank_cli::generate::chain::{ChainKind, chain};

use super::Numbers;
use super::twin::{function, run};
use crate::assembly::{Assembly, State};
use crate::evaluate::Evaluator;
use crate::formulation::{StateVariable, System, joint};
use crate::kernel::counts;
use crate::kernel::{Array, Kernel, LoweringSettings, Memory, Name, Solve, lower};
use crate::options::Options;
use crate::symbolic::derive;
use crate::topology::analyze;

/// The guess of a system, which is consistent in a tree.
fn start(system: &System) -> State {
    let none = |_| f64::NAN;
    let mut evaluator = Evaluator::new(&[], &none);
    let mut values =
        |list: &[StateVariable]| list.iter().map(|x| evaluator.value(&x.guess)).collect();
    State {
        t: 0.0,
        q: values(&system.coordinates),
        v: values(&system.velocities),
    }
}

fn lowered(kind: ChainKind, n: usize) -> Kernel {
    let description = toml::from_str(&chain(kind, n)).unwrap();
    let (model, _) = crate::model::resolve(&description, "Chain").unwrap();
    let topology = analyze(&model).unwrap();
    let system = joint(&model, &topology).unwrap();
    let equations = derive(&system).unwrap();
    let assembly = Assembly {
        states: vec![start(&system)],
        ..Assembly::default()
    };
    lower(
        &equations,
        &assembly,
        LoweringSettings::default(),
        &Options::default(),
    )
}

/// Weighted operations of an acceleration.
fn acceleration(kind: ChainKind, n: usize) -> usize {
    let kernel = lowered(kind, n);
    assert_eq!(kernel.solve, Solve::Momentum);
    assert_eq!(kernel.sizes.constraints, 0);
    counts(&function(&kernel, Name::Accelerate).instructions).weighted()
}

/// Three shapes take turns in a chain, so lengths differ by multiples of three. What a body adds is then the same
/// number from the tenth body to the hundredth, up to the three that differ by a constant which happens to fold.
#[test]
fn a_further_body_always_costs_the_same() {
    for (kind, most) in [
        (ChainKind::PlanarRevolute, 92),
        (ChainKind::SpatialRevolute, 380),
        (ChainKind::SpatialSpherical, 463),
    ] {
        let [ten, forty, hundred] = [10, 40, 100].map(|n| acceleration(kind, n));
        assert!(hundred - forty <= 2 * (forty - ten), "{kind}");
        assert!(
            hundred - ten <= 90 * most,
            "{kind}: {}",
            (hundred - ten) / 90
        );
    }
}

/// M is full along a tree, so it would grow with the square: it is known by its products with vectors instead.
#[test]
fn mass_and_forces_of_a_tree_grow_with_its_length() {
    let size = |name: Name, n: usize| {
        let kernel = lowered(ChainKind::SpatialRevolute, n);
        function(&kernel, name).instructions.len()
    };
    for name in [Name::Dense, Name::MassTimes] {
        let [six, twelve, twentyfour] = [6, 12, 24].map(|n| size(name, n));
        // Some constants happen to fold.
        assert!(twentyfour - twelve <= 2 * (twelve - six) + 10, "{name:?}");
    }
}

/// M v̇ = Q with the accelerations of the solve along the tree, and ½ vᵀ M v is the kinetic energy.
#[test]
fn mass_and_forces_of_a_tree_are_those_of_its_motion() {
    let mut numbers = Numbers(5);
    for kind in [
        ChainKind::PlanarRevolute,
        ChainKind::SpatialRevolute,
        ChainKind::SpatialSpherical,
    ] {
        let kernel = lowered(kind, 5);
        let sizes = kernel.sizes;
        let n = sizes.velocities;
        let (q, v) = (numbers.reals(sizes.coordinates), numbers.reals(n));
        let q = run(
            &kernel,
            Name::Normalize,
            &Memory::new().with(Array::Coordinates, &q),
        );
        let q = q.array(Array::Coordinates, sizes.coordinates);
        let memory = Memory::new()
            .with(Array::Coordinates, &q)
            .with(Array::Velocities, &v);
        let product = |x: &[f64]| {
            let memory = memory.clone().with(Array::Accelerations, x);
            run(&kernel, Name::MassTimes, &memory).array(Array::Forces, n)
        };
        let solved = run(&kernel, Name::Accelerate, &memory);
        let taken = product(&solved.array(Array::Accelerations, n));
        let forces = run(&kernel, Name::Dense, &memory).array(Array::Forces, n);
        let scale = forces.iter().fold(1.0_f64, |most, x| most.max(x.abs()));
        for (taken, force) in taken.iter().zip(&forces) {
            // Some hundred roundings of the largest.
            assert!(
                (taken - force).abs() < 1e-12 * scale,
                "{kind}: {taken} {force}"
            );
        }
        assert!(scale > 1.0, "something acts");
        let moved: f64 = product(&v).iter().zip(&v).map(|(p, v)| p * v / 2.0).sum();
        let kinetic = run(&kernel, Name::Energy, &memory).scalar(Array::Kinetic);
        assert!(
            (moved - kinetic).abs() < 1e-12 * (1.0 + kinetic),
            "{kind}: {moved} {kinetic}"
        );
    }
}
