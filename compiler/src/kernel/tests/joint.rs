//! Chains in joint coordinates, which need no algebra: what a further body costs.

use crate::assembly::{Assembly, State};
use crate::evaluate::Evaluator;
use crate::formulation::{System, Variable, joint};
use crate::generate::chain::{Kind, chain};
use crate::kernel::{Kernel, Name, Settings, Solve, counts, lower};
use crate::options::Options;
use crate::symbolic::derive;
use crate::topology::analyze;

/// The guess of a system, which is consistent in a tree.
fn start(system: &System) -> State {
    let none = |_| f64::NAN;
    let mut evaluator = Evaluator::new(&[], &none);
    let mut values = |list: &[Variable]| list.iter().map(|x| evaluator.value(&x.guess)).collect();
    State {
        t: 0.0,
        q: values(&system.coordinates),
        v: values(&system.velocities),
    }
}

fn lowered(kind: Kind, n: usize) -> Kernel {
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
        Settings::default(),
        &Options::default(),
    )
}

/// Weighted operations of an acceleration.
fn acceleration(kind: Kind, n: usize) -> usize {
    let kernel = lowered(kind, n);
    assert_eq!(kernel.solve, Solve::Momentum);
    assert_eq!(kernel.sizes.constraints, 0);
    let mut functions = kernel.functions.iter();
    let accelerate = functions.find(|function| function.name == Name::Accelerate);
    counts(&accelerate.unwrap().instructions).weighted()
}

/// Three shapes take turns in a chain, so lengths differ by multiples of three. What a body adds is then the same
/// number from the tenth body to the hundredth, up to the three that differ by a constant which happens to fold.
#[test]
fn a_further_body_always_costs_the_same() {
    for (kind, most) in [
        (Kind::PlanarRevolute, 92),
        (Kind::SpatialRevolute, 380),
        (Kind::SpatialSpherical, 463),
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

/// What the runtime falls back to is not written out where it never does: M is full, so it would grow with
/// the square.
#[test]
fn a_tree_has_no_mass_matrix() {
    let dense = |n: usize| {
        let kernel = lowered(Kind::SpatialRevolute, n);
        let mut functions = kernel.functions.into_iter();
        let dense = functions.find(|function| function.name == Name::Dense);
        dense.unwrap().instructions.len()
    };
    assert!(dense(20) <= 4 * dense(5), "{} {}", dense(20), dense(5));
}
