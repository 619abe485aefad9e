//! One mechanism, several formulations: the same motion and the same reactions.

use bellcrank_compiler::description::{Formulation, Space};
use bellcrank_compiler::diagnostics::{Code, Diagnostics};
use bellcrank_compiler::stages::assembly::{State, moved, numbers, posed, symbols_at, transfer};
use bellcrank_compiler::stages::evaluate::Evaluator;
use bellcrank_compiler::stages::expr::{Expr, Symbol};
use bellcrank_compiler::stages::formulation::{
    ConstraintEquation, Owner, PointForm, StateVariable, System, particle, print_points,
};
use bellcrank_compiler::stages::kernel::{
    Array, Kernel, LoweringSettings, Memory, Name, counts, interpret, lower,
};
use bellcrank_compiler::stages::model::{Body, Extent, JointId, Model};
use bellcrank_compiler::stages::search::{self, Coordinates};
use bellcrank_compiler::stages::symbolic::{Equations, derive};
use bellcrank_compiler::stages::topology::{Topology, analyze, exchanges};
use bellcrank_compiler::{Compiled, Options, Source, compile, outline};
use nalgebra::{DMatrix, DVector, Quaternion, UnitQuaternion, Vector3};

use crate::common::{Random, compiled, models};

/// The results of a formulation at one state.
#[derive(Debug)]
struct Said {
    energies: [f64; 2],
    outputs: Vec<f64>,
    reactions: Vec<f64>,
    accelerations: Vec<f64>,
    bordered: DMatrix<f64>,
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
        _ => least_squares(&bordered, &right),
    };
    // The twists of bodies may be auxiliaries, and with them their accelerations.
    let mut auxiliaries: Vec<f64> = Vec::new();
    let all = |known: &[f64], symbol| match symbol {
        Symbol::Acceleration(i) => solved[i as usize],
        Symbol::Multiplier(k) => solved[n + k as usize],
        Symbol::Auxiliary(i) => known[i as usize],
        other => symbols(other),
    };
    for definition in &equations.auxiliaries {
        let known = |symbol| all(&auxiliaries, symbol);
        let value = Evaluator::new(&model.tables, &known).value(definition);
        auxiliaries.push(value);
    }
    let all = |symbol| all(&auxiliaries, symbol);
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
        accelerations: solved.as_slice()[..n].to_vec(),
        bordered,
        phi: if m == 0 { 0.0 } else { now.phi.amax() },
        phi_dot: if m == 0 {
            0.0
        } else {
            (d * v + now.phi_t).amax()
        },
    }
}

/// The decomposition of a singular matrix is good to some digits only, so the residual is solved again.
fn least_squares(matrix: &DMatrix<f64>, right: &DVector<f64>) -> DVector<f64> {
    let decomposed = matrix.clone().svd(true, true);
    let mut solution = DVector::zeros(matrix.ncols());
    for _ in 0..4 {
        let left = right - matrix * &solution;
        solution += decomposed.solve(&left, 1e-11).unwrap();
    }
    solution
}

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

/// A state with random velocities that the joints allow.
fn set_in_motion(compiled: &Compiled, state: &State, random: &mut Random) -> State {
    let now = numbers(&compiled.model, &compiled.equations, state);
    let d = now.rows.rows(0, now.phi.len()).into_owned();
    let mut v = DVector::from_fn(compiled.equations.n_velocities, |_, _| random.next());
    // The decomposition is good to some digits only, so the residual is removed again.
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

/// The equations of the model in a formulation that follows its tree, and the kernel that solves them.
struct Written {
    way: Coordinates,
    equations: Equations,
    kernel: Kernel,
}

impl Written {
    /// `None` if the model cannot be written so.
    fn new(compiled: &Compiled, way: Coordinates) -> Option<Self> {
        let (model, topology) = (&compiled.model, &compiled.topology);
        let equations = derive(&way.formulate(model, topology)?).unwrap();
        let formulate = |posed: &Model| way.formulate(posed, topology);
        let assembly = transfer(model, &compiled.assembly, &equations, formulate)?;
        let settings = LoweringSettings {
            parameters: model.parameters.len(),
            inputs: model.inputs.len(),
            variables: model.variables.len(),
            extras: Vec::new(),
        };
        let kernel = lower(&equations, &assembly, settings, &Options::default());
        Some(Self {
            way,
            equations,
            kernel,
        })
    }

    /// The same pose and motion in its coordinates.
    fn state(&self, compiled: &Compiled, state: &State) -> State {
        let posed = posed(&compiled.model, state);
        State {
            t: state.t,
            ..start(&self.way.formulate(&posed, &compiled.topology).unwrap())
        }
    }

    fn function(&self, name: Name, memory: &Memory, model: &Model) -> Memory {
        let mut functions = self.kernel.functions.iter();
        let function = functions.find(|function| function.name == name).unwrap();
        interpret(function, memory, &model.tables)
    }

    /// The results of the kernel, and its correction of a violation; `None` if it asks for the dense solve.
    fn solve(&self, model: &Model, state: &State, phi: &[f64]) -> Option<Solved> {
        let parameters: Vec<f64> = model.parameters.iter().map(|p| p.default).collect();
        let inputs: Vec<f64> = model.inputs.iter().map(|u| u.start).collect();
        let variables: Vec<f64> = model.variables.iter().map(|x| x.start).collect();
        let memory = Memory::new()
            .with(Array::Time, &[state.t])
            .with(Array::Parameters, &parameters)
            .with(Array::Inputs, &inputs)
            .with(Array::Variables, &variables)
            .with(Array::Coordinates, &state.q)
            .with(Array::Velocities, &state.v)
            .with(Array::Constraints, phi);
        let sizes = self.kernel.sizes;
        let derived = self.function(Name::Prepare, &memory, model);
        let memory = memory.with(
            Array::Derived,
            &derived.array(Array::Derived, sizes.derived),
        );
        let moved = self.function(Name::Accelerate, &memory, model);
        let n = sizes.velocities;
        let accelerations = moved.array(Array::Accelerations, n);
        let memory = memory
            .with(Array::Factor, &moved.array(Array::Factor, sizes.factor))
            .with(Array::Accelerations, &accelerations)
            .with(
                Array::Multipliers,
                &moved.array(Array::Multipliers, sizes.constraints),
            );
        let told = |name, array, length| self.function(name, &memory, model).array(array, length);
        (moved.scalar(Array::Margin) > 0.0).then(|| Solved {
            correction: told(Name::VelocityCorrection, Array::Velocities, n),
            outputs: told(Name::Outputs, Array::Outputs, sizes.outputs),
            reactions: told(Name::Reactions, Array::Reactions, sizes.reactions),
            accelerations,
        })
    }
}

/// The results of a kernel at a state.
struct Solved {
    accelerations: Vec<f64>,
    correction: Vec<f64>,
    outputs: Vec<f64>,
    reactions: Vec<f64>,
}

/// Every formulation that follows the tree.
const COORDINATES: [Coordinates; 4] = [
    Coordinates::Points(PointForm::Multiplier),
    Coordinates::Points(PointForm::Momentum),
    Coordinates::Points(PointForm::Swing),
    Coordinates::Joint,
];

/// All of them against absolute coordinates, and their kernels against the bordered system. Accelerations
/// show in the reactions and in the outputs. Everything is of the order of the largest force.
pub fn check(compiled: &Compiled, states: &[State]) {
    let model = &compiled.model;
    let bound = bound(model);
    for way in COORDINATES {
        let Some(written) = Written::new(compiled, way) else {
            continue;
        };
        let mut random = Random(0x1234_5678_9abc_def1);
        for state in states {
            let state = set_in_motion(compiled, state, &mut random);
            let redundant = !compiled.assembly.redundant.is_empty();
            let by_body = say(model, &compiled.equations, &state, redundant);
            let state = written.state(compiled, &state);
            let said = say(model, &written.equations, &state, redundant);
            let (phi, phi_dot) = (said.phi, said.phi_dot);
            let body = (by_body.phi, by_body.phi_dot);
            assert!(
                phi < 1e-12 && phi_dot < 1e-11,
                "{way:?} {phi:e} {phi_dot:e} against {body:?}"
            );
            close(&by_body.energies, &said.energies, bound, "energies");
            // Where rows are redundant the reactions are not unique.
            if !redundant {
                close(&by_body.reactions, &said.reactions, bound, "reactions");
                close(&by_body.outputs, &said.outputs, bound, "outputs");
            }
            solves(model, &written, &state, (&said, redundant), &mut random);
        }
    }
}

/// The kernel gives the accelerations of the bordered system, the outputs and reactions that come of its
/// multipliers, and the correction that is smallest in the mass metric.
fn solves(
    model: &Model,
    written: &Written,
    state: &State,
    (said, redundant): (&Said, bool),
    random: &mut Random,
) {
    let (m, bound) = (written.equations.phi.len(), bound(model));
    let v = DVector::from_fn(written.equations.n_velocities, |_, _| random.next());
    let now = numbers(model, &written.equations, state);
    let phi = now.rows.rows(0, m) * v;
    if let Some(solved) = written.solve(model, state, phi.as_slice()) {
        close(
            &said.accelerations,
            &solved.accelerations,
            bound,
            "accelerations",
        );
        if !redundant {
            close(
                &said.outputs,
                &solved.outputs,
                bound,
                "outputs of the kernel",
            );
            close(
                &said.reactions,
                &solved.reactions,
                bound,
                "reactions of the kernel",
            );
        }
        let (mut right, n) = (DVector::zeros(now.mass.nrows() + m), now.mass.nrows());
        right.rows_mut(n, m).copy_from(&-phi);
        let smallest = least_squares(&said.bordered, &right);
        close(
            &smallest.as_slice()[..n],
            &solved.correction,
            bound,
            "correction",
        );
    }
}

/// States from the whole range of the joints, each a random step from the last.
fn wander(compiled: &Compiled, n: usize) -> Vec<State> {
    let (model, equations) = (&compiled.model, &compiled.equations);
    let mut random = Random(0x0dd_ba11);
    let mut states = vec![compiled.assembly.states[0].clone()];
    while states.len() < n {
        let last = states.last().unwrap();
        let kick = set_in_motion(compiled, last, &mut random).v;
        let mut next = moved(model, equations, last, &(0.3 * DVector::from_vec(kick)));
        for _ in 0..20 {
            let now = numbers(model, equations, &next);
            let d = now.rows.rows(0, now.phi.len()).into_owned();
            if now.phi.is_empty() || now.phi.amax() < 1e-15 {
                break;
            }
            let step = d.svd(true, true).solve(&-&now.phi, 1e-9).unwrap();
            next = moved(model, equations, &next, &step);
        }
        let left = numbers(model, equations, &next).phi;
        let closed = left.is_empty() || left.amax() < 1e-13;
        states.push(if closed { next } else { last.clone() });
    }
    states
}

/// 1e-10 of the largest force leaves four digits for the condition of the rows. The shaft of the flyball
/// governor has a hinge near its axis as a point, so that two of its distances in the momentum form are
/// parallel within 0.02, and its reactions differ by 6e-10.
fn bound(model: &Model) -> f64 {
    match model.name.as_str() {
        "FlyballGovernor" => 2e-9,
        _ => 1e-10,
    }
}

fn close(one: &[f64], two: &[f64], bound: f64, what: &str) {
    let scale = one.iter().fold(1.0_f64, |scale, x| scale.max(x.abs()));
    for (a, b) in one.iter().zip(two) {
        assert!(
            (a - b).abs() <= bound * scale,
            "{what}: {one:?} against {two:?}"
        );
    }
}

/// An error in one formulation shows at nearly every state. A state of a large mechanism in space takes half a
/// second, nearly all of it for least squares, so fewer states are enough there.
#[test]
fn every_formulation_says_what_bodies_say_wherever_loops_are_opened() {
    for path in models() {
        println!("{}", path.display());
        let mut compiled = compiled(&path);
        let small = compiled.model.space == Space::Planar || compiled.model.bodies.len() <= 3;
        check(&compiled, &wander(&compiled, if small { 100 } else { 20 }));
        let first = compiled.topology.clone();
        // More loops can be opened in dozens of ways, each of which is derived and lowered anew.
        let cuts = if first.cuts.len() <= 3 {
            &first.cuts[..]
        } else {
            &[]
        };
        for &cut in cuts {
            for topology in exchanges(&compiled.model, &first, cut) {
                compiled.topology = topology;
                check(&compiled, &compiled.assembly.states);
            }
        }
    }
}

/// D((a + b)/2) = (D(a) + D(b))/2 for any a and b: every row is at most quadratic, but those that ask for an
/// angle with its turns, couplings and the threads of screws, and lengths that follow a law. In space the momentum form
/// makes the fourth point of the others, r1 + a r21 + b r41 + c r21 × r41, so there it is the rows of
/// rigid bodies that are; a row of a joint may have two such points in a product. The last body of a chain may
/// take such a point over from its inboard one, and then its own rows have one.
#[test]
fn rows_in_points_are_quadratic() {
    for path in models() {
        let compiled = compiled(&path);
        for form in [PointForm::Multiplier, PointForm::Momentum] {
            let system = particle(&compiled.model, &compiled.topology, form).unwrap();
            let all = form == PointForm::Multiplier || compiled.model.space == Space::Planar;
            let bent = bent(&compiled.model, &system);
            let counts = |row: &ConstraintEquation| {
                matches!(row.owner, Owner::Coupling(_))
                    || ["way along the thread", "length as driven"].contains(&&*row.keeps)
            };
            let rows = system.rows.iter().zip(bent);
            for (row, bent) in rows.filter(|(row, _)| !counts(row)) {
                let asked = all || row.joint().is_none() && has_coordinates(&system, &row.keeps);
                assert!(!asked || bent < 1e-12, "{path:?}: {} {bent:e}", row.keeps);
            }
        }
    }
}

/// True if each point in the words of a constraint equation has coordinates of its own.
fn has_coordinates(system: &System, keeps: &str) -> bool {
    let mut names = keeps.split('`').skip(1).step_by(2);
    names.all(|name| {
        let x = format!("{name}.x");
        system.coordinates.iter().any(|known| known.name == x)
    })
}

/// How far the middle of D at two states is from D in the middle, row by row.
fn bent(model: &Model, system: &System) -> Vec<f64> {
    let equations = derive(system).unwrap();
    let mut random = Random(99);
    let n = system.coordinates.len();
    let mut any = || (0..n).map(|_| random.next()).collect::<Vec<f64>>();
    let (a, b) = (any(), any());
    let middle = a.iter().zip(&b).map(|(a, b)| 0.5 * (a + b)).collect();
    let [at_a, at_b, between] = [a, b, middle].map(|q| {
        let v = vec![0.0; system.velocities.len()];
        let state = State { t: 0.3, q, v };
        let now = numbers(model, &equations, &state);
        now.rows.rows(0, now.phi.len()).into_owned()
    });
    let bent = between - 0.5 * (at_a + at_b);
    bent.row_iter().map(|row| row.amax()).collect()
}

/// A model of the gallery in a formulation, with something in its text replaced.
fn in_formulation(name: &str, formulation: Formulation, replace: [&str; 2]) -> Compiled {
    let text = read(name).replacen(replace[0], replace[1], 1);
    formulated(name, text, formulation)
}

fn read(name: &str) -> String {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../models");
    std::fs::read_to_string(folder.join(name).join("model.toml")).unwrap()
}

fn formulated(name: &str, text: String, formulation: Formulation) -> Compiled {
    let file = format!("{name}.toml");
    let options = Options {
        formulation: Some(formulation),
        ..Options::default()
    };
    compile(&Source::Toml { file, text }, &options).unwrap()
}

const AS_IT_IS: [&str; 2] = ["", ""];

/// Points win for the four-bar, joint coordinates for a crank and slider; both are right, see above.
#[test]
fn auto_keeps_the_cheapest_one_and_says_so() {
    let expect = [("four_bar", "particle/"), ("dead_centre", "joint")];
    for (name, expect) in expect {
        let compiled = in_formulation(name, Formulation::Auto, AS_IT_IS);
        let kept: Vec<_> = compiled.candidates.iter().filter(|one| one.kept).collect();
        let least = compiled.candidates.iter().map(|one| one.step).min();
        assert_eq!(kept.len(), 1);
        assert_eq!(Some(kept[0].step), least);
        assert_eq!(kept[0].formulation, compiled.formulation);
        assert!(compiled.formulation.starts_with(expect), "{name}");
        assert_eq!(kept[0].velocities, compiled.equations.n_velocities);
        let formulations = compiled.candidates.iter().map(|one| &one.formulation[..]);
        let formulations: Vec<_> = formulations.collect();
        for one in ["body", "particle/multiplier", "particle/momentum", "joint"] {
            assert!(formulations.contains(&one), "{name}: {formulations:?}");
        }
        let headline = format!("Formulation `{}`", compiled.formulation);
        assert!(compiled.rust.contains(&headline), "{name}");
        for line in search::markdown(&compiled.candidates).lines() {
            assert!(compiled.rust.contains(line), "{name}: {line}");
        }
    }
}

/// The breadth-first tree opens the loop at C; it is cheaper elsewhere, and the reported cut is the one that is used.
#[test]
fn cheaper_cuts_are_found() {
    for name in ["four_bar", "spatial_four_bar"] {
        let compiled = in_formulation(name, Formulation::Multiplier, AS_IT_IS);
        let first = analyze(&compiled.model).unwrap();
        assert_ne!(first.cuts, compiled.topology.cuts, "{name}");
        let [before, after] = &compiled.candidates[..] else {
            panic!("{name}: {:?}", compiled.candidates);
        };
        assert!(after.step < before.step && after.kept && !before.kept);
        let names = |topology: &Topology| -> Vec<String> {
            let name = |id: &JointId| compiled.model.joints[id.0 as usize].name.clone();
            topology.cuts.iter().map(name).collect()
        };
        assert_eq!(before.cuts, names(&first));
        assert_eq!(after.cuts, names(&compiled.topology));
        let told = format!("with the loop opened at `{}`", after.cuts[0]);
        assert!(compiled.rust.contains(&told), "{name}");
    }
}

#[test]
fn forced_cuts_are_kept() {
    for joint in ["A", "C", "D"] {
        let table = format!("[joints.{joint}]");
        let forced = format!("{table}\ncut = true");
        let replace = [&table[..], &forced];
        let compiled = in_formulation("four_bar", Formulation::Multiplier, replace);
        assert_eq!(compiled.candidates.len(), 1);
        assert_eq!(compiled.candidates[0].cuts, [joint]);
    }
}

/// The head of the generated code, down to the operations of its functions.
#[test]
fn the_header_says_what_was_kept_and_of_what() {
    let compiled = in_formulation("four_bar", Formulation::Auto, AS_IT_IS);
    let lines = compiled.rust.lines().skip(1);
    let head: Vec<_> = lines
        .take_while(|line| !line.contains("| function |"))
        .collect();
    insta::assert_snapshot!(head.join("\n"));
}

/// Without angles in laws and outputs, points need no trigonometry.
#[test]
fn points_need_no_trigonometry() {
    let text = include_str!("../../../models/four_bar/model.toml");
    let (text, _) = text.split_once("[outputs]").unwrap();
    for (form, velocities, rows) in [
        (PointForm::Multiplier, 4, 3),
        (PointForm::Momentum, 6, 5),
        (PointForm::Swing, 2, 1),
    ] {
        let formulation = format!("formulation = '{}'\nspace =", form.word());
        let text = text
            .replace("space =", &formulation)
            .replace("hold = [\"crank.angle\"]", "hold = [\"crank.tip.x\"]");
        let file = "four_bar.toml".to_owned();
        let source = Source::Toml { file, text };
        let rust = compile(&source, &Options::default()).unwrap().rust;
        let headline = format!("Formulation `{}`", form.word());
        assert!(rust.contains(&headline));
        for function in ["sin", "cos", "tan"] {
            assert!(!rust.contains(&format!("Real::{function}")), "{function}");
        }
        let outline = outline(&source, &Options::default()).unwrap();
        for text in [rust, outline] {
            assert!(text.contains(&format!("SVector<f64, {velocities}>")));
            assert!(text.contains(&format!("SVector<f64, {rows}>")));
        }
    }
}

/// Nor does what a step computes, whatever the outputs ask for, where the laws have none.
#[test]
fn steps_need_no_trigonometry() {
    let without = [
        "four_bar",
        "double_four_bar",
        "double_action_press",
        "five_arm_pendulum",
        "flyball_governor",
        "simple_pendulum",
        "rotating_end_pendulum",
        "spatial_four_bar",
        "spatial_slider_crank",
    ];
    let of_a_step = [
        Name::Accelerate,
        Name::Constraints,
        Name::VelocityConstraints,
        Name::PositionCorrection,
        Name::VelocityCorrection,
    ];
    for name in without {
        for formulation in [Formulation::Multiplier, Formulation::Momentum] {
            let compiled = in_formulation(name, formulation, AS_IT_IS);
            for function in &compiled.kernel.functions {
                let counted = counts(&function.instructions);
                let asked = of_a_step.contains(&function.name);
                assert!(!asked || counted.trig == 0, "{name} {function}");
            }
        }
    }
}

/// `emit --stage topology` prints the chosen points.
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
    insta::assert_snapshot!(print_points(
        &compiled.model,
        &compiled.topology,
        PointForm::Multiplier
    ));
}

/// Where three rods meet there is one point, whichever joint is cut, and a joint with ground needs none: two
/// parallelograms have three points and as many rows as rods.
#[test]
fn rods_that_meet_share_a_point() {
    for cuts in [["B1", "B2"], ["A0", "A2"], ["A1", "B2"]] {
        let [first, second] = cuts.map(|cut| format!("[joints.{cut}]\n"));
        let text = read("double_four_bar");
        let text = text.replacen(&first, &format!("{first}cut = true\n"), 1);
        let text = text.replacen(&second, &format!("{second}cut = true\n"), 1);
        let compiled = formulated("double_four_bar", text, Formulation::Multiplier);
        let [figures] = &compiled.candidates[..] else {
            panic!("{cuts:?} were exchanged");
        };
        assert_eq!((figures.velocities, figures.rows), (6, 5), "{cuts:?}");
    }
}

/// A four-bar whose coupler has its mass in `B`; each body is guessed a little off the others.
const LOOSE: &str = "space = 'planar'
    gravity = [0, -9.81]
    parameters = { m = 1, j = 0.5 }
    ground.points.D = [2.5, 0]
    bodies.crank = { mass = 'm', inertia = 0.3, points = { root = [-1, 0], tip = [1, 0] }, position = [0.5, 0.866], angle = '60 deg', angular_velocity = 2 }
    bodies.coupler = { mass = 1, inertia = 'j', points.r = [3, 0], position = [1.2, 1.732], angle = '30 deg' }
    bodies.follower = { mass = 1, inertia = 0.4, points = { root = [-1.5, 0], tip = [1.5, 0] }, position = [3.2, 1.5], angle = '57.5 deg' }
    joints.A = { type = 'revolute', between = ['ground', 'crank.root'], cut = true }
    joints.B = { type = 'revolute', between = ['crank.tip', 'coupler'] }
    joints.C = { type = 'revolute', between = ['coupler.r', 'follower.tip'] }
    joints.D = { type = 'revolute', between = ['ground.D', 'follower.root'] }
    assembly.hold = ['crank.angle']";

/// With other parameters than the default ones a run assembles anew, from the guess. What is held there is
/// what the description says of the crank, whoever the points of the crank are shared with.
#[test]
fn what_is_held_does_not_depend_on_the_points() {
    for formulation in [
        Formulation::Body,
        Formulation::Multiplier,
        Formulation::Momentum,
        Formulation::Swing,
        Formulation::Joint,
        Formulation::Discrete,
    ] {
        let options = Options {
            formulation: Some(formulation),
            ..Options::default()
        };
        let (file, text) = ("loose.toml".to_owned(), LOOSE.to_owned());
        let compiled = compile(&Source::Toml { file, text }, &options).unwrap();
        let function = |name| {
            let mut functions = compiled.kernel.functions.iter();
            functions.find(|function| function.name == name).unwrap()
        };
        let memory = Memory::new().with(Array::Parameters, &[1.1, 0.4]);
        let guess = interpret(function(Name::Guess), &memory, &[]);
        let sizes = compiled.kernel.sizes;
        let memory = memory
            .with(
                Array::Coordinates,
                &guess.array(Array::Coordinates, sizes.coordinates),
            )
            .with(
                Array::Velocities,
                &guess.array(Array::Velocities, sizes.velocities),
            );
        let held = interpret(function(Name::Holds), &memory, &[]);
        let (angle, rate) = (
            held.scalar(Array::HoldValues),
            held.scalar(Array::HoldRates),
        );
        // Assembly ends at round-off of the lengths.
        assert!((angle - 60_f64.to_radians()).abs() < 1e-12, "{angle}");
        assert!((rate - 2.0).abs() < 1e-11, "{rate}");
    }
}

/// The coupler has no inertia about `B`; where the loop is opened at another joint, that is no harm.
#[test]
fn a_form_that_cannot_be_had_names_the_body() {
    let text = LOOSE.replace("inertia = 'j',", "inertia = 0,");
    let cut = ", cut = true";
    let at_c = text
        .replace(cut, "")
        .replace("'follower.tip']", "'follower.tip'], cut = true");
    let found = in_momentum(at_c).err().unwrap();
    let found = found.iter().next().unwrap();
    assert_eq!(found.code, Code::F402);
    assert_eq!(found.path.to_string(), "bodies.coupler");
    assert!(found.message.contains("body `coupler` has none"));
    assert!(in_momentum(text.replace(cut, "")).is_ok());
}

fn in_momentum(text: String) -> Result<Compiled, Diagnostics> {
    let options = Options {
        formulation: Some(Formulation::Momentum),
        ..Options::default()
    };
    let file = "mechanism.toml".to_owned();
    compile(&Source::Toml { file, text }, &options)
}

/// Bodies that are fixed to each other have the same points: each costs the same.
#[test]
fn fixed_bodies_grow_by_the_body() {
    let work = |n: usize| {
        let mut text = "space = 'spatial'
            gravity = [0, 0, -9.81]
            bodies.b0 = { mass = 1, inertia = [0.2, 0.3, 0.4], center = [0.1, 0.2, 0.3] }
            joints.A = { type = 'revolute', between = ['ground', 'b0'], axis = 'y' }"
            .to_owned();
        for k in 1..n {
            let inboard = k - 1;
            text += &format!(
                "
                bodies.b{k} = {{ mass = 1, inertia = [0.2, 0.3, 0.4], points.p = [0.3, 0.1, -0.2], position = [{k}, 0, 0] }}
                joints.J{k} = {{ type = 'fixed', between = ['b{inboard}', 'b{k}.p'] }}"
            );
        }
        let compiled = in_momentum(text).unwrap();
        let mut functions = compiled.kernel.functions.iter();
        let accelerate = functions.find(|function| function.name == Name::Accelerate);
        counts(&accelerate.unwrap().instructions).weighted()
    };
    let [two, four, eight] = [2, 4, 8].map(work);
    assert!(eight - four <= 2 * (four - two), "{two} {four} {eight}");
}
