//! Functions for stabilizers, interpreted, against dense matrices.

use std::path::PathBuf;

use bellcrank_compiler::description::{Formulation, Integrator, Method, Stabilizer};
use bellcrank_compiler::diagnostics::Code;
use bellcrank_compiler::stages::assembly::{State, at, numbers};
use bellcrank_compiler::stages::kernel::{Array, Memory, Name, Solve, interpret};
use bellcrank_compiler::{Compiled, Options, compile, source};
use nalgebra::{DMatrix, DVector};

use crate::common::{Random, models, random_state};

/// a, b and c: of a size that lets every term of the rows count, and keeps M + DᵀD/c well conditioned.
const GAINS: [f64; 3] = [7.0, 30.0, 2.0];

/// A planar loop, a spatial one, and one whose rows repeat each other.
const MODELS: [&str; 3] = ["four_bar", "spatial_slider_crank", "spatial_four_bar"];

fn path(name: &str) -> PathBuf {
    let mut paths = models().into_iter();
    let found = paths.find(|path| path.parent().is_some_and(|folder| folder.ends_with(name)));
    found.expect("the model is in the gallery")
}

fn with_methods(name: &str, formulation: Formulation, methods: &[Stabilizer]) -> Compiled {
    let options = Options {
        formulation: Some(formulation),
        methods: methods.iter().copied().map(Method::Stabilizer).collect(),
        ..Options::default()
    };
    let source = source::load(&path(name)).unwrap();
    compile(&source, &options).unwrap_or_else(|found| panic!("{name}: {found}"))
}

/// Each model in absolute coordinates and in points, with every function that stabilizers ask for.
fn with_all(check: impl Fn(&Compiled, &State)) {
    let methods = [
        Stabilizer::Baumgarte,
        Stabilizer::Penalty,
        Stabilizer::SuccessiveProjection,
        Stabilizer::StandardProjection,
        Stabilizer::CoordinatePartitioning,
    ];
    for name in MODELS {
        for formulation in [Formulation::Body, Formulation::Multiplier] {
            let compiled = with_methods(name, formulation, &methods);
            let mut random = Random(5);
            for _ in 0..5 {
                check(&compiled, &random_state(&compiled, &mut random));
            }
        }
    }
}

/// M, D over the independent rows, Q, γ, Φ and Φ̇ as dense matrices.
struct Reference {
    rows: Vec<usize>,
    mass: DMatrix<f64>,
    d: DMatrix<f64>,
    forces: DVector<f64>,
    gamma: DVector<f64>,
    phi: DVector<f64>,
    phi_dot: DVector<f64>,
}

impl Reference {
    fn new(compiled: &Compiled, state: &State) -> Self {
        let (model, equations) = (&compiled.model, &compiled.equations);
        let redundant = &compiled.assembly.redundant;
        let rows: Vec<usize> = (0..equations.phi.len())
            .filter(|k| !redundant.contains(&(*k as u32)))
            .collect();
        let now = numbers(model, equations, state);
        let values = |list: &[bellcrank_compiler::stages::expr::Expr]| {
            at(model, equations, state, |e| {
                DVector::from_iterator(list.len(), list.iter().map(|one| e.value(one)))
            })
        };
        let all = now.rows.rows(0, equations.phi.len()).into_owned();
        let v = DVector::from_column_slice(&state.v);
        let phi_dot = &all * v + &now.phi_t;
        Self {
            d: all.select_rows(&rows),
            mass: now.mass,
            forces: values(&equations.forces),
            gamma: values(&equations.gamma).select_rows(&rows),
            phi: now.phi.select_rows(&rows),
            phi_dot: phi_dot.select_rows(&rows),
            rows,
        }
    }

    /// γ − a Φ̇ − b Φ
    fn pulled(&self, [damping, stiffness, _]: [f64; 3]) -> DVector<f64> {
        &self.gamma - damping * &self.phi_dot - stiffness * &self.phi
    }

    /// v̇ and λ of [M −Dᵀ; D c]
    fn solve(&self, compliance: f64, gamma: &DVector<f64>) -> (DVector<f64>, DVector<f64>) {
        let (n, m) = (self.mass.nrows(), self.rows.len());
        let mut matrix = DMatrix::zeros(n + m, n + m);
        matrix.view_mut((0, 0), (n, n)).copy_from(&self.mass);
        matrix
            .view_mut((0, n), (n, m))
            .copy_from(&-self.d.transpose());
        matrix.view_mut((n, 0), (m, n)).copy_from(&self.d);
        matrix.view_mut((n, n), (m, m)).fill_diagonal(compliance);
        let right = DVector::from_iterator(n + m, self.forces.iter().chain(gamma).copied());
        let solved = matrix.full_piv_lu().solve(&right).unwrap();
        (
            solved.rows(0, n).into_owned(),
            solved.rows(n, m).into_owned(),
        )
    }

    /// A violation of all rows, and those of it that are independent.
    fn violation(&self, compiled: &Compiled) -> (Vec<f64>, DVector<f64>) {
        let all: Vec<f64> = (1..=compiled.equations.phi.len())
            .map(|k| 0.1 * (k as f64).sin())
            .collect();
        let kept = self.rows.iter().map(|&k| all[k]);
        let kept = DVector::from_iterator(self.rows.len(), kept);
        (all, kept)
    }
}

fn memory(compiled: &Compiled, state: &State, gains: [f64; 3]) -> Memory {
    let memory = Memory::new()
        .with(Array::Time, &[state.t])
        .with(Array::Parameters, &compiled.assembly.parameters)
        .with(Array::Coordinates, &state.q)
        .with(Array::Velocities, &state.v)
        .with(Array::DampingGain, &gains[..1])
        .with(Array::StiffnessGain, &gains[1..2])
        .with(Array::Compliance, &gains[2..]);
    let derived = run(compiled, Name::Prepare, &memory);
    let derived = derived.array(Array::Derived, compiled.kernel.sizes.derived);
    memory.with(Array::Derived, &derived)
}

fn run(compiled: &Compiled, name: Name, memory: &Memory) -> Memory {
    let mut functions = compiled.kernel.functions.iter();
    let function = functions.find(|function| function.name == name).unwrap();
    interpret(function, memory, &compiled.model.tables)
}

/// To a share of the largest entry.
fn assert_close(what: &str, found: &[f64], wanted: &[f64], share: f64) {
    assert_eq!(found.len(), wanted.len(), "{what}");
    let scale = wanted.iter().fold(1.0_f64, |scale, x| scale.max(x.abs()));
    for (k, (x, y)) in found.iter().zip(wanted).enumerate() {
        assert!(
            (x - y).abs() <= share * scale,
            "{what}[{k}]: {x} is not {y}"
        );
    }
}

/// Some thousand operations, and matrices whose condition is some thousand at these states.
const CLOSE: f64 = 1e-10;

#[test]
fn baumgarte_pulls_rows_back() {
    with_all(|compiled, state| {
        let reference = Reference::new(compiled, state);
        let found = run(
            compiled,
            Name::AccelerateBaumgarte,
            &memory(compiled, state, GAINS),
        );
        assert!(
            found.scalar(Array::Margin) > 0.0,
            "{}",
            compiled.formulation
        );
        let (wanted, _) = reference.solve(0.0, &reference.pulled(GAINS));
        let found = found.array(Array::Accelerations, wanted.len());
        assert_close("v̇", &found, wanted.as_slice(), CLOSE);
    });
}

/// Along a tree bodies are taken for rigid, so states may be off by little only; a stiff gain makes it count.
/// The tolerance of accelerations is the error of the geometry, 1e-9, times the condition of the rows, some hundred.
#[test]
fn baumgarte_pulls_rows_back_along_a_tree() {
    for name in ["four_bar", "spatial_slider_crank"] {
        let compiled = with_methods(name, Formulation::Momentum, &[Stabilizer::Baumgarte]);
        assert_eq!(compiled.kernel.solve, Solve::Momentum);
        let mut random = Random(3);
        for state in &compiled.assembly.states {
            let mut state = state.clone();
            state.q.iter_mut().for_each(|q| *q += 1e-9 * random.next());
            let gains = [7.0, 1e9, 0.0];
            let reference = Reference::new(&compiled, &state);
            let memory = memory(&compiled, &state, gains);
            let found = run(&compiled, Name::AccelerateBaumgarte, &memory);
            let (wanted, _) = reference.solve(0.0, &reference.pulled(gains));
            let (plain, _) = reference.solve(0.0, &reference.gamma);
            assert!((&wanted - plain).amax() > 1e-2, "the violation counts");
            let found = found.array(Array::Accelerations, wanted.len());
            assert_close("v̇", &found, wanted.as_slice(), 1e-6);
        }
    }
}

/// (M + α DᵀD) v̇ = Q + α Dᵀ(γ − a Φ̇ − b Φ), as it is printed.
#[test]
fn soft_rows_are_penalties() {
    with_all(|compiled, state| {
        let reference = Reference::new(compiled, state);
        let found = run(
            compiled,
            Name::AcceleratePenalty,
            &memory(compiled, state, GAINS),
        );
        let (d, alpha) = (&reference.d, 1.0 / GAINS[2]);
        let matrix = &reference.mass + alpha * d.transpose() * d;
        let right = &reference.forces + alpha * d.transpose() * reference.pulled(GAINS);
        let wanted = matrix.full_piv_lu().solve(&right).unwrap();
        let found = found.array(Array::Accelerations, wanted.len());
        assert_close("v̇", &found, wanted.as_slice(), CLOSE);
    });
}

/// Δ = −(M + α DᵀD)⁻¹ α Dᵀ r and Δ = −M⁻¹ Dᵀ y.
#[test]
fn corrections_with_soft_rows_are_penalties() {
    with_all(|compiled, state| {
        let reference = Reference::new(compiled, state);
        let memory = memory(compiled, state, GAINS);
        let factor = run(compiled, Name::AcceleratePenalty, &memory);
        let factor = factor.array(Array::PenaltyFactor, compiled.kernel.sizes.penalty_factor);
        let (phi, kept) = reference.violation(compiled);
        let given = memory
            .with(Array::PenaltyFactor, &factor)
            .with(Array::Constraints, &phi);
        let found = run(compiled, Name::PenaltyCorrection, &given);
        let (d, alpha) = (&reference.d, 1.0 / GAINS[2]);
        let matrix = &reference.mass + alpha * d.transpose() * d;
        let wanted = matrix.full_piv_lu().solve(&(-alpha * d.transpose() * kept));
        let wanted = wanted.unwrap();
        let step = found.array(Array::Velocities, wanted.len());
        assert_close("Δ", &step, wanted.as_slice(), CLOSE);
        let y = DVector::from_vec(found.array(Array::Multipliers, phi.len()));
        let pushed = -d.transpose() * y.select_rows(&reference.rows);
        let moved = &reference.mass * DVector::from_vec(step);
        assert_close("M Δ", moved.as_slice(), pushed.as_slice(), CLOSE);
    });
}

/// Corrected form of the mass-orthogonal projection in y: with δ = −M⁻¹ Dᵀ y,
/// (M + α DᵀD) Δ = −[M δ + Dᵀ(λ + α Φ)] is Δ = −M⁻¹ Dᵀ (S + c)⁻¹ (c (λ − y) + Φ).
#[test]
fn a_mass_orthogonal_pass_is_a_back_substitution() {
    with_all(|compiled, state| {
        let reference = Reference::new(compiled, state);
        let (d, mass, compliance) = (&reference.d, &reference.mass, GAINS[2]);
        let (all, phi) = reference.violation(compiled);
        let (lambda, y) = (phi.map(|x| 3.0 * x + 0.2), phi.map(|x| x * x - 0.1));
        let Some(moved) = mass.clone().full_piv_lu().solve(&(-d.transpose() * &y)) else {
            return;
        };
        let alpha = 1.0 / compliance;
        let matrix = mass + alpha * d.transpose() * d;
        let right = -(mass * moved + d.transpose() * (&lambda + alpha * &phi));
        let wanted = matrix.full_piv_lu().solve(&right).unwrap();

        let mut violation = vec![0.0; all.len()];
        for (n, &k) in reference.rows.iter().enumerate() {
            violation[k] = compliance * (lambda[n] - y[n]) + phi[n];
        }
        let memory = memory(compiled, state, GAINS);
        let factor = run(compiled, Name::AcceleratePenalty, &memory);
        let factor = factor.array(Array::PenaltyFactor, compiled.kernel.sizes.penalty_factor);
        let given = memory
            .with(Array::PenaltyFactor, &factor)
            .with(Array::Constraints, &violation);
        let found = run(compiled, Name::PenaltyCorrection, &given);
        let found = found.array(Array::Velocities, wanted.len());
        assert_close("Δ", &found, wanted.as_slice(), CLOSE);
    });
}

/// −Dᵀ (D Dᵀ)⁻¹ Φ with all rows, and with those inside bodies.
#[test]
fn plain_corrections_are_the_smallest() {
    with_all(|compiled, state| {
        let reference = Reference::new(compiled, state);
        let memory = memory(compiled, state, GAINS);
        let factor = run(compiled, Name::PlainFactor, &memory);
        assert!(factor.scalar(Array::Margin) > 0.0);
        let factor = factor.array(Array::PlainFactor, compiled.kernel.sizes.plain_factor);
        let (phi, kept) = reference.violation(compiled);
        let given = memory
            .with(Array::PlainFactor, &factor)
            .with(Array::Constraints, &phi);
        let check = |name: Name, d: &DMatrix<f64>, phi: &DVector<f64>| {
            let gram = d * d.transpose();
            let solved = gram.full_piv_lu().solve(phi).unwrap();
            let wanted = -d.transpose() * solved;
            let found = run(compiled, name, &given).array(Array::Velocities, wanted.len());
            // D Dᵀ squares the condition of D, which reaches a thousand at states that no loop closes.
            assert_close("Δ", &found, wanted.as_slice(), 1e-8);
        };
        check(Name::PlainCorrection, &reference.d, &kept);
        let inner: Vec<usize> = (0..reference.rows.len())
            .filter(|&n| compiled.system.rows[reference.rows[n]].joint().is_none())
            .collect();
        assert_eq!(inner.is_empty(), compiled.formulation == "body");
        assert_eq!(inner.len(), compiled.kernel.sizes.inner);
        if !inner.is_empty() {
            let (d, phi) = (reference.d.select_rows(&inner), kept.select_rows(&inner));
            check(Name::InnerCorrection, &d, &phi);
        }
    });
}

/// H Δq = −(f, Φ) with Δq in the range of Hᵀ; H by differences, which are off by 1e-9.
#[test]
fn the_standard_correction_is_the_smallest_of_all_coordinates() {
    with_all(|compiled, state| {
        let reference = Reference::new(compiled, state);
        let h = gradient(compiled, state, &reference.rows);
        let norms = norms(compiled, &state.q);
        let memory = memory(compiled, state, GAINS);
        let factor = run(compiled, Name::StandardFactor, &memory);
        assert!(factor.scalar(Array::Margin) > 0.0);
        let factor = factor.array(Array::StandardFactor, compiled.kernel.sizes.standard_factor);
        let (phi, kept) = reference.violation(compiled);
        let given = memory
            .with(Array::StandardFactor, &factor)
            .with(Array::Constraints, &phi);
        let violated = kept.iter().chain(&norms).copied();
        let violated = DVector::from_iterator(h.nrows(), violated);
        let solved = (&h * h.transpose()).full_piv_lu().solve(&violated).unwrap();
        let wanted = -h.transpose() * solved;
        let found = run(compiled, Name::StandardCorrection, &given);
        let found = found.array(Array::Rates, wanted.len());
        // The condition of H Hᵀ, some thousand, times what differences are off by.
        assert_close("Δq", &found, wanted.as_slice(), 1e-6);
    });
}

/// ∂(Φ, f)/∂q by central differences; rows are polynomials of low degree.
fn gradient(compiled: &Compiled, state: &State, rows: &[usize]) -> DMatrix<f64> {
    const STEP: f64 = 1e-5;
    let value = |q: Vec<f64>| {
        let norms = norms(compiled, &q);
        let moved = State { q, ..state.clone() };
        let phi = numbers(&compiled.model, &compiled.equations, &moved).phi;
        let phi = phi.select_rows(rows);
        DVector::from_iterator(phi.len() + norms.len(), phi.iter().chain(&norms).copied())
    };
    let columns: Vec<DVector<f64>> = (0..state.q.len())
        .map(|i| {
            let at = |step: f64| {
                let mut q = state.q.clone();
                q[i] += step;
                value(q)
            };
            (at(STEP) - at(-STEP)) / (2.0 * STEP)
        })
        .collect();
    DMatrix::from_columns(&columns)
}

/// p · p − 1
fn norms(compiled: &Compiled, q: &[f64]) -> Vec<f64> {
    let square = |unit: &bellcrank_compiler::stages::formulation::UnitLength| -> f64 {
        let squares = unit.coordinates.map(|i| q[i as usize].powi(2));
        squares.iter().sum::<f64>() - 1.0
    };
    compiled.equations.unit.iter().map(square).collect()
}

/// Along a tree there are no multipliers that could give way: asked for by name it is refused, else another
/// form is taken.
#[test]
fn soft_rows_are_not_for_trees() {
    let source = source::load(&path("four_bar")).unwrap();
    let options = |formulation| Options {
        formulation,
        methods: vec![Method::Stabilizer(Stabilizer::AugmentedLagrangian)],
        ..Options::default()
    };
    for formulation in [Formulation::Momentum, Formulation::Joint] {
        let refused = compile(&source, &options(Some(formulation))).unwrap_err();
        let text = refused.to_string();
        let code = Code::F402.to_string();
        let words = [&*code, "`augmented-lagrangian`", formulation.word()];
        assert!(words.iter().all(|word| text.contains(word)), "{text}");
        assert!(text.contains("formulation = \"particle\""), "{text}");
    }
    for formulation in [None, Some(Formulation::Particle)] {
        let taken = compile(&source, &options(formulation)).unwrap();
        assert_eq!(taken.formulation, "particle/swing");
    }
}

/// Implicit methods need derivatives that joint coordinates do not have: asked for by name they are refused,
/// and `auto` keeps the cheapest of the others.
#[test]
fn joint_coordinates_have_no_tangents() {
    let source = source::load(&path("four_bar")).unwrap();
    let options = |formulation| Options {
        formulation: Some(formulation),
        methods: vec![Method::Integrator(Integrator::Bdf)],
        ..Options::default()
    };
    let refused = compile(&source, &options(Formulation::Joint)).unwrap_err();
    let text = refused.to_string();
    let code = Code::F402.to_string();
    for word in [&*code, "`bdf`", "derivatives", "formulation = \"body\""] {
        assert!(text.contains(word), "{text}");
    }
    let taken = compile(&source, &options(Formulation::Auto)).unwrap();
    let names: Vec<_> = taken
        .candidates
        .iter()
        .map(|one| &*one.formulation)
        .collect();
    assert!(!names.contains(&"joint"), "{names:?}");
}
