//! Trees of every joint in the axes of their links against the same in world axes.

use bellcrank_cli::generate::chain::{ChainKind, chain};

use super::Numbers;
use crate::assembly::{Assembly, State};
use crate::formulation::{System, joint};
use crate::kernel::interpret;
use crate::kernel::solve::articulated::{LinkAxes, in_axes};
use crate::kernel::solve::stabilization::Stabilization;
use crate::kernel::{Array, Memory};
use crate::options::Options;
use crate::symbolic::derive;
use crate::topology::analyze;

/// Any angles, orientations, places and rates.
fn anywhere(system: &System, numbers: &mut Numbers) -> State {
    let mut q: Vec<f64> = Vec::new();
    let mut turn = 0.0_f64;
    for variable in &system.coordinates {
        let part = variable.name.rsplit('.').next().unwrap_or_default();
        q.push(match part {
            "cos" | "second_cos" => {
                turn = numbers.real(-3.0, 3.0);
                turn.cos()
            }
            "sin" | "second_sin" => turn.sin(),
            "angle" | "second_angle" => turn,
            _ => numbers.real(-1.5, 1.5),
        });
    }
    for unit in &system.unit {
        let parts = unit.coordinates.map(|i| q[i as usize]);
        let size = parts.iter().map(|x| x * x).sum::<f64>().sqrt();
        for i in unit.coordinates {
            q[i as usize] /= size;
        }
    }
    let v = system
        .velocities
        .iter()
        .map(|_| numbers.real(-1.5, 1.5))
        .collect();
    State { t: 0.0, q, v }
}

/// Accelerations in both axes at some states.
fn check(text: &str) {
    let description = toml::from_str(text).unwrap();
    let (model, _) = crate::model::resolve(&description, "Tree").unwrap();
    let topology = analyze(&model).unwrap();
    let system = joint(&model, &topology).unwrap();
    let equations = derive(&system).unwrap();
    let tree = equations.tree.as_ref().unwrap();
    let mut numbers = Numbers(7);
    let states: Vec<State> = (0..3).map(|_| anywhere(&system, &mut numbers)).collect();
    let parameters = model.parameters.iter().map(|p| p.default);
    let assembly = Assembly {
        states: states.clone(),
        parameters: parameters.collect(),
        ..Assembly::default()
    };
    let solve = |axes: LinkAxes| {
        let built = in_axes(
            &equations,
            tree,
            &assembly,
            &[],
            Stabilization::None,
            &Options::default(),
            axes,
        );
        built.unwrap().0.finish()
    };
    let functions = [LinkAxes::World, LinkAxes::Links].map(solve);
    let n = system.velocities.len();
    for state in &states {
        let memory = Memory::new()
            .with(Array::Time, &[state.t])
            .with(Array::Parameters, &assembly.parameters)
            .with(Array::Coordinates, &state.q)
            .with(Array::Velocities, &state.v);
        let [world, links] = functions.each_ref().map(|function| {
            let moved = interpret(function, &memory, &model.tables);
            moved.array(Array::Accelerations, n)
        });
        let size = world.iter().fold(1.0_f64, |size, x| size.max(x.abs()));
        for (a, b) in world.iter().zip(&links) {
            // A few products of what is added up in another order.
            assert!(
                (a - b).abs() <= 1e-11 * size,
                "{text}\n{world:?}\n{links:?}"
            );
        }
    }
}

/// In a long chain a product of axes in place of a sum would double what rounding leaves, link by link.
#[test]
fn chains() {
    for n in [1, 2, 3, 20, 80] {
        check(&chain(ChainKind::SpatialRevolute, n));
    }
    check(&chain(ChainKind::SpatialSpherical, 3));
}

/// A body on ground that carries others, joined in every way, forwards and backwards, and pulled by a spring.
#[test]
fn every_joint() {
    let kinds = [
        ("revolute", "axis = [0.48, 0.60, 0.64]"),
        ("revolute", "axis = 'z'"),
        ("prismatic", "axis = [0.48, 0.60, 0.64]"),
        ("cylindrical", "axis = [0.6, 0, 0.8]"),
        ("screw", "axis = 'y', lead = 0.3"),
        ("planar", "axis = [0.48, 0.60, 0.64]"),
        ("spherical", ""),
        ("universal", "axis = ['x', 'y']"),
        ("fixed", ""),
    ];
    for inner in kinds {
        for outer in kinds {
            if (inner.0, outer.0) != ("fixed", "fixed") {
                check(&branched(inner, outer, true));
                check(&branched(inner, outer, false));
            }
        }
    }
}

/// One joint on ground and on another branch, another one between.
fn branched(inner: (&str, &str), outer: (&str, &str), forward: bool) -> String {
    let joint = |name: &str, (kind, keys): (&str, &str), [one, two]: [&str; 2], forward: bool| {
        let (first, second) = if forward { (one, two) } else { (two, one) };
        let comma = if keys.is_empty() { "" } else { ", " };
        format!("{name} = {{ type = '{kind}', between = ['{first}', '{second}']{comma}{keys} }}\n")
    };
    let last = ("revolute", "axis = [0.64, 0.48, -0.60]");
    [
        BODIES.to_owned(),
        joint("j0", inner, ["ground", "a"], forward),
        joint("j1", outer, ["a.p", "b"], forward),
        joint("j2", inner, ["a.q", "c"], !forward),
        joint("j3", last, ["b.p", "d"], forward),
    ]
    .concat()
}

const BODIES: &str = "
name = 'Tree'
space = 'spatial'
gravity = [1, 2, -9.81]

[forces.stabilization]
type = 'spring'
between = ['ground', 'b.p']
stiffness = 50
free = 0.3

[bodies.a]
mass = 1.2
center = [0.4, -0.1, 0.2]
inertia = { xx = 0.03, yy = 0.07, zz = 0.08, xy = -0.004, xz = 0.003, yz = 0.002 }
points = { p = [0.9, 0.2, -0.1], q = [0.1, 0.5, 0.3] }

[bodies.b]
mass = 0.7
center = [0.1, 0.2, 0.1]
inertia = { xx = 0.03, yy = 0.05, zz = 0.06, xy = 0.003, xz = 0.004, yz = -0.002 }
position = [0.9, 0.2, -0.1]
points = { p = [0.3, 0.4, 0.2] }

[bodies.c]
mass = 0.9
center = [0.3, 0.1, 0.0]
inertia = { xx = 0.02, yy = 0.05, zz = 0.06, xy = 0.001, xz = 0.002, yz = -0.003 }
position = [0.1, 0.5, 0.3]

[bodies.d]
mass = 0.5
inertia = [0.01, 0.02, 0.025]
position = [1.2, 0.6, 0.1]

[joints]
";

/// A body that flies freely and carries another.
#[test]
fn flying() {
    let text = "name = 'Tree'\nspace = 'spatial'\ngravity = [0, 0, -9.81]\n\
         bodies.a = { free = true, mass = 1.2, inertia = { xx = 0.03, yy = 0.07, zz = 0.08, xy = -0.004, xz = 0.003, yz = 0.002 }, points.p = [0.9, 0.2, -0.1] }\n\
         bodies.b = { mass = 0.7, center = [0.1, 0.2, 0.1], inertia = [0.03, 0.05, 0.06], position = [0.9, 0.2, -0.1] }\n\
         joints.j = { type = 'revolute', between = ['a.p', 'b'], axis = [0.48, 0.60, 0.64] }\n";
    check(text);
}

/// Masses and lengths that are parameters, with axes that are parallel and ones that are not.
#[test]
fn parameters() {
    for axis in ["'y'", "'x'", "[0.48, 0.60, 0.64]"] {
        check(&format!(
            "name = 'Tree'\nspace = 'spatial'\ngravity = [0, 0, -9.81]\n\
             parameters = {{ m = '2 kg', l = '0.7 m' }}\n\
             bodies.a = {{ mass = 'm', inertia = [0.03, 0.05, 0.06], center = ['l / 2', 0, 0], points.p = ['l', 0, 0] }}\n\
             bodies.b = {{ mass = 'm / 2', inertia = [0.03, 0.05, 0.06], position = ['l', 0, 0], points.p = ['l', 0.3, 'l / 3'] }}\n\
             bodies.c = {{ mass = 'm / 3', inertia = [0.03, 0.05, 0.06], center = ['l / 2', 0, 0], position = ['2 * l', 0.3, 'l / 3'] }}\n\
             joints.i = {{ type = 'revolute', between = ['ground', 'a'], axis = 'y' }}\n\
             joints.j = {{ type = 'revolute', between = ['a.p', 'b'], axis = {axis} }}\n\
             joints.k = {{ type = 'revolute', between = ['b.p', 'c'], axis = 'y' }}\n"
        ));
    }
}
