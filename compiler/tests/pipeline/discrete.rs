//! Springs for joints: the forces of rows with these multipliers, in steps that are stable.

use bellcrank_compiler::description::{Formulation, Integrator, JointType, Space, Stabilizer};
use bellcrank_compiler::diagnostics::{Code, Diagnostics};
use bellcrank_compiler::stages::assembly::{State, numbers, stiffest, stiffness};
use bellcrank_compiler::stages::formulation::JointSpring;
use bellcrank_compiler::stages::kernel::{Array, Memory, Name};
use bellcrank_compiler::stages::model::Model;
use bellcrank_compiler::{Compiled, Options, Source, compile};
use nalgebra::{DVector, Quaternion, UnitQuaternion};

use crate::common::{Random, call, call_with, compiled_in, models, random_state};

/// A model with rigid joints, and with the springs that the compiler chose for them.
struct Pair {
    rigid: Compiled,
    soft: Compiled,
    springs: Vec<JointSpring>,
}

fn pairs() -> impl Iterator<Item = Pair> {
    models().into_iter().map(|path| {
        let rigid = compiled_in(&path, Formulation::Body);
        let soft = compiled_in(&path, Formulation::Discrete);
        let (system, equations) = (&rigid.system, &rigid.equations);
        let found = stiffness(&soft.model, system, equations, &rigid.assembly.states);
        let springs = found.unwrap().0.of_rows;
        Pair {
            rigid,
            soft,
            springs,
        }
    })
}

/// Any state of absolute coordinates, with Euler parameters of unit length.
fn any_state(rigid: &Compiled, random: &mut Random) -> State {
    let mut state = random_state(rigid, random);
    for unit in &rigid.equations.unit {
        let p = unit.coordinates.map(|i| state.q[i as usize]);
        let length = p.iter().map(|p| p * p).sum::<f64>().sqrt();
        let scaled = unit.coordinates.iter().zip(p);
        scaled.for_each(|(i, p)| state.q[*i as usize] = p / length);
    }
    state
}

/// The same with axes in place of Euler parameters, and beside angles; what counts turns stands behind the
/// bodies.
fn with_axes(model: &Model, state: &State) -> State {
    let size = match model.space {
        Space::Planar => 3,
        Space::Spatial => 7,
    };
    let (bodies, counters) = state.q.split_at(size * model.bodies.len());
    let mut q: Vec<f64> = match model.space {
        Space::Planar => {
            let body = |q: &[f64]| [q[0], q[1], q[2], q[2].cos(), q[2].sin()];
            bodies.chunks(size).flat_map(body).collect()
        }
        Space::Spatial => {
            let body = |q: &[f64]| {
                let p = Quaternion::new(q[3], q[4], q[5], q[6]);
                let axes = UnitQuaternion::from_quaternion(p).to_rotation_matrix();
                let axes = axes.into_inner().as_slice().to_vec();
                [&q[..3], &axes].concat()
            };
            bodies.chunks(size).flat_map(body).collect()
        }
    };
    q.extend(counters);
    State { q, ..state.clone() }
}

/// λ = −(k Φ + c Φ̇), and ½ k Φ² of all rows but those of drivers.
fn springs_at(pair: &Pair, state: &State) -> (DVector<f64>, f64) {
    let now = numbers(&pair.rigid.model, &pair.rigid.equations, state);
    let m = now.phi.len();
    let phi_dot = now.rows.rows(0, m) * DVector::from_column_slice(&state.v) + &now.phi_t;
    let at = |x| pair.rigid.model.at_defaults(x);
    let mut energy = 0.0;
    let multipliers = (0..m).map(|i| {
        let (k, c) = (at(&pair.springs[i].stiffness), at(&pair.springs[i].damping));
        if !pair.rigid.system.rows[i].driver {
            energy += 0.5 * k * now.phi[i] * now.phi[i];
        }
        -(k * now.phi[i] + c * phi_dot[i])
    });
    (DVector::from_iterator(m, multipliers), energy)
}

/// M v̇ = Q + Dᵀ λ with M, Q, D of the rigid mechanism, and its reactions with these multipliers. Sums of some
/// dozen products, and a tensor whose moments differ by up to a thousand.
#[test]
fn bodies_feel_the_springs() {
    for pair in pairs() {
        let mut random = Random(3);
        for _ in 0..20 {
            let state = any_state(&pair.rigid, &mut random);
            let there = with_axes(&pair.soft.model, &state);
            let (lambda, energy) = springs_at(&pair, &state);
            let n = state.v.len();
            let out = call(&pair.soft, Name::Accelerate, &there);
            let a = DVector::from_vec(out.array(Array::Accelerations, n));
            let now = numbers(&pair.rigid.model, &pair.rigid.equations, &state);
            let free = call(&pair.rigid, Name::Dense, &state).array(Array::Forces, n);
            let pull = now.rows.rows(0, lambda.len()).transpose() * &lambda;
            let forces = DVector::from_vec(free) + pull;
            let expected = now.mass.clone().cholesky().unwrap().solve(&forces);
            let name = &pair.soft.model.name;
            let off = (&a - &expected).amax();
            assert!(off < 1e-11 * (1.0 + expected.amax()), "{name}: {off:e}");

            let given = Memory::new()
                .with(Array::Multipliers, lambda.as_slice())
                .with(Array::Accelerations, a.as_slice());
            let rigid = call_with(&pair.rigid, Name::Reactions, &state, given);
            let soft = call(&pair.soft, Name::Reactions, &there);
            for i in 0..pair.soft.kernel.sizes.reactions {
                let (one, two) = (reaction(&rigid, i), reaction(&soft, i));
                let close = 1e-11 * (1.0 + lambda.amax());
                assert!((one - two).abs() < close, "{name}: {one} {two}");
            }

            let (rigid, soft) = (
                potential(&pair.rigid, &state),
                potential(&pair.soft, &there),
            );
            let off = (soft - rigid - energy).abs();
            assert!(
                off < 1e-11 * (1.0 + energy),
                "{name}: {off:e} of {energy:e}"
            );
        }
    }
}

fn reaction(memory: &Memory, index: usize) -> f64 {
    memory.array(Array::Reactions, index + 1)[index]
}

fn potential(compiled: &Compiled, state: &State) -> f64 {
    call(compiled, Name::Energy, state).scalar(Array::Potential)
}

/// Half of the limit is meant, however the bodies are turned. A joint that slides has other arms in other places,
/// and rows of a distance grow with it, which no motion does; the angles of a universal joint run the faster the more
/// it is bent. So there only the states of the assembly are asked.
#[test]
fn steps_are_stable_in_every_position() {
    for pair in pairs() {
        let stretches = pair.soft.model.joints.iter().any(|joint| {
            use JointType::{Cylindrical, Distance, PinSlot, Planar, Prismatic, Universal};
            let slides = matches!(
                joint.kind,
                Cylindrical | Distance | PinSlot | Planar | Prismatic
            );
            slides || joint.kind == Universal && !joint.motions.is_empty()
        });
        let mut random = Random(5);
        let mut states = pair.rigid.assembly.states.clone();
        if !stretches {
            states.extend((0..20).map(|_| any_state(&pair.rigid, &mut random)));
        }
        let (model, step) = (&pair.soft.model, pair.soft.model.simulation.step);
        let equations = &pair.rigid.equations;
        let at = |state| stiffest(model, equations, &pair.springs, state, step);
        let largest = states.iter().map(at).fold(0.0, f64::max);
        // Not far below either: springs are no softer than they have to be.
        let meant = 0.2..2.0 + 1e-9;
        assert!(meant.contains(&largest), "{}: {largest}", model.name);
    }
}

/// A pendulum of 2 kg with springs for joints, with more keys for its joint.
fn pendulum(more: &str) -> Source {
    let text = format!(
        "space = 'planar'
        bodies.arm = {{ mass = 2, inertia = 0.5, points.top = [-0.5, 0] }}
        joints.pin = {{ type = 'revolute', between = ['ground', 'arm.top']{more} }}"
    );
    let file = "pendulum.toml".to_owned();
    Source::Toml { file, text }
}

fn discrete() -> Options {
    Options {
        formulation: Some(Formulation::Discrete),
        ..Options::default()
    }
}

#[test]
fn tiny_steps_of_one_evaluation_are_the_default() {
    let compiled = compile(&pendulum(""), &discrete()).unwrap();
    let run = &compiled.model.simulation;
    assert_eq!(run.step, 1e-5);
    assert_eq!(run.integrator, Integrator::SemiImplicitEuler);
    assert_eq!(run.stabilizer, Stabilizer::None);
    assert_eq!(compiled.formulation, "discrete");
    assert_eq!(compiled.kernel.sizes.constraints, 0);
    assert_eq!(compiled.kernel.sizes.compliant, 2);
    let rigid = compile(&pendulum(""), &Options::default()).unwrap();
    assert_eq!(rigid.model.simulation.integrator, Integrator::Rk4);
}

/// α = 1/2 + 0.25/0.5 = 1/kg, so the spring of 1e12 N/m vibrates at 1e6 rad/s: 10 rad in a step.
#[test]
fn a_step_that_is_too_large_is_told() {
    let warnings = |more: &str| compile(&pendulum(more), &discrete()).unwrap().warnings;
    insta::assert_snapshot!(warnings(", stiffness = '1e12 N/m'"), @r"
    warning[F406]: with the stiffness and damping of joint `pin`, steps of 1e-5 s are not stable
      at joints.pin.stiffness
      = hint: steps of 1e-6 s are; or leave `stiffness` out
    ");
    assert_eq!(codes(&warnings(", damping = '1e6 N*s/m'")), [Code::F406]);
    let fitting = ", stiffness = '1e8 N/m', damping = '1e3 N*s/m'";
    assert_eq!(codes(&warnings(fitting)), []);
}

#[test]
fn a_rigid_joint_has_no_use_for_a_stiffness() {
    let compiled = compile(&pendulum(", stiffness = 1e6"), &Options::default()).unwrap();
    insta::assert_snapshot!(compiled.warnings, @r#"
    warning[F405]: joint `pin` is rigid in the formulation `particle/swing`: its stiffness and damping are not used
      at joints.pin
      = hint: for a spring or a damper that acts in the joint write `[forces.pin_damper]` with `type = "damper"`, `joint = "pin"` and `damping`, or `type = "spring"` with `stiffness`; for a joint that gives way write `formulation = "discrete"`
    "#);
}

#[test]
fn springs_have_their_own_units_and_signs() {
    let refused = |more: &str| codes(&compile(&pendulum(more), &discrete()).unwrap_err());
    assert_eq!(refused(", stiffness = '1e6 N'"), [Code::D109]);
    assert_eq!(refused(", rotational_stiffness = '1e6 N/m'"), [Code::D109]);
    assert_eq!(refused(", stiffness = 0"), [Code::M212]);
    assert_eq!(refused(", damping = -1"), [Code::M212]);
}

/// A rotation without inertia would be infinitely fast as soon as the spring pulls off its centre.
#[test]
fn springs_need_inertia() {
    let Source::Toml { file, text } = pendulum("") else {
        unreachable!("it is TOML")
    };
    let text = text.replace("inertia = 0.5", "inertia = 0");
    let found = compile(&Source::Toml { file, text }, &discrete()).unwrap_err();
    insta::assert_snapshot!(found, @r#"
    error[F402]: `discrete` needs inertia about every axis, and body `arm` has none about some
      at bodies.arm
      = hint: give it inertia, or write `formulation = "body"`
    "#);
}

fn codes(found: &Diagnostics) -> Vec<Code> {
    found.iter().map(|one| one.code).collect()
}
