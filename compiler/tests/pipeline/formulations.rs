//! One mechanism, several formulations: the same motion and the same reactions.

use bellcrank_compiler::assembly::{State, numbers, posed, symbols_at};
use bellcrank_compiler::description::Space;
use bellcrank_compiler::evaluate::Evaluator;
use bellcrank_compiler::expr::{Expr, Symbol};
use bellcrank_compiler::formulation::{System, Variable, particle, print_points};
use bellcrank_compiler::model::{Body, Extent, Model};
use bellcrank_compiler::symbolic::{Equations, derive};
use bellcrank_compiler::{Compiled, Options, Source, compile, outline};
use nalgebra::{DMatrix, DVector, Quaternion, UnitQuaternion, Vector3};

use crate::common::{Random, compiled, models};

/// What a formulation says at one state.
#[derive(Debug)]
struct Said {
    energies: [f64; 2],
    outputs: Vec<f64>,
    reactions: Vec<f64>,
    phi: f64,
    phi_dot: f64,
}

/// The bordered system; by least squares where rows are redundant.
fn say(model: &Model, equations: &Equations, state: &State, redundant: bool) -> Said {
    let now = numbers(model, equations, state);
    let (n, m) = (equations.n_velocities, equations.phi.len());
    let symbols = symbols_at(model, equations, state);
    let mut evaluator = Evaluator::new(&model.tables, &symbols);
    let mut bordered = DMatrix::zeros(n + m, n + m);
    let d = now.rows.rows(0, m).into_owned();
    bordered.view_mut((0, 0), (n, n)).copy_from(&now.mass);
    bordered.view_mut((n, 0), (m, n)).copy_from(&d);
    bordered
        .view_mut((0, n), (n, m))
        .copy_from(&(-d.transpose()));
    let right = equations.forces.iter().chain(&equations.gamma);
    let right = DVector::from_iterator(n + m, right.map(|e| evaluator.value(e)));
    let regular = bordered.clone().full_piv_lu();
    let solved = match regular.solve(&right) {
        Some(solved) if !redundant => solved,
        _ => bordered.svd(true, true).solve(&right, 1e-11).unwrap(),
    };
    let all = |symbol| match symbol {
        Symbol::Acceleration(i) => solved[i as usize],
        Symbol::Multiplier(k) => solved[n + k as usize],
        other => symbols(other),
    };
    let mut evaluator = Evaluator::new(&model.tables, &all);
    let mut values = |list: &[Expr]| list.iter().map(|e| evaluator.value(e)).collect::<Vec<_>>();
    let v = DVector::from_column_slice(&state.v);
    Said {
        energies: [
            values(std::slice::from_ref(&equations.kinetic))[0],
            values(std::slice::from_ref(&equations.potential))[0],
        ],
        outputs: values(&equations.outputs),
        reactions: values(equations.reactions.as_flattened()),
        phi: if m == 0 { 0.0 } else { now.phi.amax() },
        phi_dot: if m == 0 {
            0.0
        } else {
            (d * v + now.phi_t).amax()
        },
    }
}

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

/// A state with random velocities that the joints allow.
fn set_in_motion(compiled: &Compiled, state: &State, random: &mut Random) -> State {
    let now = numbers(&compiled.model, &compiled.equations, state);
    let d = now.rows.rows(0, now.phi.len()).into_owned();
    let mut v = DVector::from_fn(compiled.equations.n_velocities, |_, _| random.next());
    // The decomposition is good to some digits only, so what is left is taken away again.
    for _ in 0..if d.nrows() == 0 { 0 } else { 5 } {
        let excess = &d * &v + &now.phi_t;
        v -= d.clone().svd(true, true).solve(&excess, 1e-9).unwrap();
    }
    let mut v = v.as_slice().to_vec();
    for (index, body) in compiled.model.bodies.iter().enumerate() {
        without_idle_turn(compiled.model.space, body, index, state, &mut v);
    }
    State { v, ..state.clone() }
}

/// A rod does not turn about its own axis, and a point mass not at all.
fn without_idle_turn(space: Space, body: &Body, index: usize, state: &State, v: &mut [f64]) {
    match body.extent {
        Extent::Body => {}
        Extent::Point if space == Space::Planar => v[3 * index + 2] = 0.0,
        Extent::Point => v[6 * index + 3..][..3].fill(0.0),
        Extent::Line(axis) => {
            let e = &state.q[7 * index + 3..][..4];
            let turn = UnitQuaternion::from_quaternion(Quaternion::new(e[0], e[1], e[2], e[3]));
            let axis = turn * Vector3::from(axis);
            let spin = Vector3::from_column_slice(&v[6 * index + 3..][..3]);
            let across = spin - axis * axis.dot(&spin);
            v[6 * index + 3..][..3].copy_from_slice(across.as_slice());
        }
    }
}

/// Accelerations show in the reactions and in the outputs. Everything is of the order of the largest
/// force; 1e-10 leaves four digits for the condition of the rows.
pub fn check(compiled: &Compiled) {
    let (model, topology) = (&compiled.model, &compiled.topology);
    let equations = derive(&particle(model, topology).unwrap()).unwrap();
    let mut random = Random(0x1234_5678_9abc_def1);
    for state in &compiled.assembly.states {
        let state = set_in_motion(compiled, state, &mut random);
        let redundant = !compiled.assembly.redundant.is_empty();
        let by_body = say(model, &compiled.equations, &state, redundant);
        let system = particle(&posed(model, &state), topology).unwrap();
        let by_points = say(model, &equations, &start(&system), redundant);
        let (phi, phi_dot) = (by_points.phi, by_points.phi_dot);
        let body = (by_body.phi, by_body.phi_dot);
        assert!(
            phi < 1e-12 && phi_dot < 1e-11,
            "{phi:e} {phi_dot:e} against {body:?}"
        );
        close(&by_body.energies, &by_points.energies, "energies");
        // Where rows are redundant the reactions are not unique.
        if compiled.assembly.redundant.is_empty() {
            close(&by_body.reactions, &by_points.reactions, "reactions");
            close(&by_body.outputs, &by_points.outputs, "outputs");
        }
    }
}

fn close(one: &[f64], two: &[f64], what: &str) {
    let scale = one.iter().fold(1.0_f64, |scale, x| scale.max(x.abs()));
    for (a, b) in one.iter().zip(two) {
        assert!(
            (a - b).abs() <= 1e-10 * scale,
            "{what}: {one:?} against {two:?}"
        );
    }
}

#[test]
fn points_say_what_bodies_say() {
    for path in models() {
        check(&compiled(&path));
    }
}

/// D((a + b)/2) = (D(a) + D(b))/2 for any a and b: every row is at most quadratic.
#[test]
fn rows_in_points_are_quadratic() {
    for path in models() {
        let compiled = compiled(&path);
        let system = particle(&compiled.model, &compiled.topology).unwrap();
        let equations = derive(&system).unwrap();
        let mut random = Random(99);
        let n = system.coordinates.len();
        let mut any = || (0..n).map(|_| random.next()).collect::<Vec<f64>>();
        let (a, b) = (any(), any());
        let middle = a.iter().zip(&b).map(|(a, b)| 0.5 * (a + b)).collect();
        let [at_a, at_b, between] = [a, b, middle].map(|q| {
            let v = vec![0.0; system.velocities.len()];
            let state = State { t: 0.3, q, v };
            let now = numbers(&compiled.model, &equations, &state);
            now.rows.rows(0, now.phi.len()).into_owned()
        });
        let bent = (between - 0.5 * (at_a + at_b)).amax();
        assert!(bent < 1e-12, "{path:?}: {bent:e}");
    }
}

/// Points win for the four-bar, and the header says by how much; both are right, see above.
#[test]
fn auto_keeps_the_cheaper_one_and_says_so() {
    let text = include_str!("../../../models/four_bar/model.toml");
    let text = text.replace("space =", "formulation = 'auto'\nspace =");
    let file = "four_bar.toml".to_owned();
    let compiled = compile(&Source::Toml { file, text }, &Options::default()).unwrap();
    assert_eq!(compiled.formulation[0], "particle");
    assert!(compiled.rust.contains("`auto` kept `particle` with"));
    assert!(compiled.rust.contains("`body` has"));
}

/// Without angles in laws and outputs, points need no trigonometry and no mass matrix at run time.
#[test]
fn points_need_no_trigonometry() {
    let text = include_str!("../../../models/four_bar/model.toml");
    let (text, _) = text.split_once("[outputs]").unwrap();
    let text = text
        .replace("space =", "formulation = 'particle'\nspace =")
        .replace("hold = [\"crank.angle\"]", "hold = [\"crank.tip.x\"]");
    let file = "four_bar.toml".to_owned();
    let source = Source::Toml { file, text };
    let rust = compile(&source, &Options::default()).unwrap().rust;
    assert!(rust.contains("Formulation `particle`"));
    for function in ["sin", "cos", "tan"] {
        assert!(!rust.contains(&format!("Real>::{function}")), "{function}");
    }
    let outline = outline(&source, &Options::default()).unwrap();
    assert!(
        outline.contains("SVector<f64, 4>"),
        "editors see the same types"
    );
    assert!(rust.contains("SVector<f64, 4>"), "four coordinates");
    assert!(rust.contains("SVector<f64, 3>"), "three rows");
}

/// What `emit --stage topology` says in points.
#[test]
fn the_chosen_points_are_told() {
    let text = "space = 'spatial'
        formulation = 'particle'
        bodies.crank = { mass = 1, inertia = [1, 1, 1], points.tip = [2, 0, 0] }
        bodies.rod = { mass = 1, inertia = [0, 1, 1], points = { near = [-1, 0, 0], far = [2, 0, 0] }, position = [3, 0, 0] }
        bodies.ball = { mass = 1, inertia = [0, 0, 0], position = [5, 0, 0] }
        joints.A = { type = 'revolute', between = ['ground', 'crank'], axis = 'z' }
        joints.B = { type = 'spherical', between = ['crank.tip', 'rod.near'] }
        joints.C = { type = 'spherical', between = ['rod.far', 'ball'] }";
    let (file, text) = ("points.toml".to_owned(), text.to_owned());
    let compiled = compile(&Source::Toml { file, text }, &Options::default()).unwrap();
    insta::assert_snapshot!(print_points(&compiled.model, &compiled.topology));
}
