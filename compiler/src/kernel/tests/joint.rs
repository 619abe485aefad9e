//! Chains in joint coordinates, which need no algebra: how they grow.

use crate::assembly::{Assembly, State};
use crate::evaluate::Evaluator;
use crate::formulation::{System, Variable, joint};
use crate::generate::chain::{Kind, chain};
use crate::kernel::{Kernel, Name, Settings, counts, lower};
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
    lower(&equations, &assembly, Settings::default(), &Options::default())
}

#[test]
fn scratch() {
    for kind in Kind::ALL {
        for n in [1, 2, 5, 10, 20] {
            let kernel = lowered(kind, n);
            let mut functions = kernel.functions.iter();
            let f = functions.find(|f| f.name == Name::Accelerate).unwrap();
            let counted = counts(&f.instructions);
            println!("{kind} {n} {:?} {counted}", kernel.solve);
        }
    }
}
