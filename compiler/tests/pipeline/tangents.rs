//! Tangents against differences of the residual at random states of every model, and the factor of the Newton
//! matrix against a dense one.

use crate::common::{Random, models, random_state};
use bellcrank_cli::generate::chain::{ChainKind, chain};
use bellcrank_compiler::description::{Formulation, Integrator, Method, Space, read};
use bellcrank_compiler::diagnostics::Diagnostics;
use bellcrank_compiler::stages::assembly::{State, at, numbers};
use bellcrank_compiler::stages::kernel::{Array, Memory, Name, counts, interpret};
use bellcrank_compiler::{Compiled, Options, Source, compile, source};
use nalgebra::{DMatrix, DVector};

const STATES: usize = 10;

/// Differences of order 4 with h = 3e-5 carry about ε/h = 1e-11 of round-off, and h⁴/l⁴ of truncation where
/// a force changes over the length l: 1e-8 for the 3 mm to which a random state shortens a spring.
const H: f64 = 3e-5;
const CLOSE: f64 = 1e-7;
/// Round-off of the differences, for each newton of the largest force: stops and tyres make a million of them.
const NOISE: f64 = 16.0 * f64::EPSILON / H;

/// K and C against differences along each velocity.
#[test]
fn tangents_are_derivatives_of_the_residual() {
    for_each_model(usize::MAX, |name, machine| {
        let mut random = Random(0x2545_f491_4f6c_dd1d);
        for _ in 0..STATES {
            let point = machine.random_point(&mut random);
            let out = machine.call(Name::Tangents, &point, &[]);
            for (array, moves) in [
                (Array::Stiffness, Point::along as Move),
                (Array::Damping, Point::faster),
            ] {
                let noise = NOISE * machine.residual(&point).amax();
                let ours = machine.square(&out, array);
                let differences = machine.differences(&point, moves);
                for (row, (one, other)) in ours.row_iter().zip(differences.row_iter()).enumerate() {
                    let gap = (one - other).amax();
                    let close = CLOSE * (1.0 + other.amax()) + noise;
                    assert!(
                        gap < close,
                        "{name} {array:?} row {row}: {gap:e}\n{one}{other}"
                    );
                }
            }
        }
    });
}

/// x and y against a dense factor, with random weights, at random states where the pivots are safe.
#[test]
fn factor_solves_the_newton_matrix() {
    for_each_model(7, |name, machine| {
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        let mut n_solved = 0;
        for _ in 0..STATES {
            let point = machine.random_point(&mut random);
            let h = 10_f64.powf(-2.5 + 0.5 * random.next());
            let weights = [
                1.0 + random.next() / 2.0,
                h,
                h * h,
                h * (1.0 + random.next()),
            ];
            n_solved += usize::from(machine.check_solve(name, &point, weights, &mut random));
        }
        assert!(n_solved > STATES / 2, "{name}: {n_solved} solved");
    });
}

/// The second step is twice as many links as the first, so it adds twice as much; only the ends and ties in
/// the order of elimination differ: a tenth. Squares would add 3.5 times as much or more.
#[test]
fn chains_grow_by_the_link() {
    let cases = [
        (ChainKind::PlanarRevolute, [5, 10, 20]),
        (ChainKind::SpatialRevolute, [3, 6, 12]),
    ];
    for (kind, lengths) in cases {
        // A body that is hinged to ground swings in the plane only.
        let is_written =
            |form: &Formulation| kind == ChainKind::PlanarRevolute || *form != Formulation::Swing;
        for form in FORMS.into_iter().filter(is_written) {
            let chains = lengths.map(|n| {
                let file = "chain.toml".to_owned();
                let text = chain(kind, n);
                compiled(&Source::Toml { file, text }, form).unwrap()
            });
            for name in [
                Name::Residual,
                Name::Tangents,
                Name::TangentFactor,
                Name::TangentSolve,
            ] {
                let [a, b, c] = chains.each_ref().map(|compiled| work(compiled, name));
                assert!(
                    a < b && b < c && 10 * (c - b) <= 22 * (b - a),
                    "{kind} {form:?} {name:?}: {a}, {b}, {c}"
                );
            }
        }
    }
}

fn work(compiled: &Compiled, name: Name) -> usize {
    let mut functions = compiled.kernel.functions.iter();
    let function = functions.find(|function| function.name == name).unwrap();
    counts(&function.instructions).weighted()
}

const FORMS: [Formulation; 5] = [
    Formulation::Body,
    Formulation::Discrete,
    Formulation::Multiplier,
    Formulation::Momentum,
    Formulation::Swing,
];

fn compiled(source: &Source, form: Formulation) -> Result<Compiled, Diagnostics> {
    let options = Options {
        formulation: Some(form),
        methods: vec![Method::Integrator(Integrator::Bdf)],
        ..Options::default()
    };
    compile(source, &options)
}

/// Bodies of a model of which every form is compiled: with tangents a larger one in space takes half a minute.
const SMALL: usize = 5;

/// Every model of so many bodies, a small one in every form that it can be written in; bodies and multipliers are
/// always there.
fn for_each_model(most: usize, check: impl Fn(&str, &Machine)) {
    for path in models() {
        let source = source::load(&path).unwrap_or_else(|found| panic!("{found}"));
        let description = read(&source).unwrap();
        let forms = match description.bodies.len() {
            n if n > most => &[],
            n if n > SMALL && description.space == Space::Spatial => &FORMS[..1],
            _ => &FORMS[..],
        };
        for &form in forms {
            let name = format!("{} {form:?}", path.display());
            match compiled(&source, form) {
                Ok(compiled) => check(&name, &Machine { compiled }),
                Err(found) => {
                    let may_be_none = [Formulation::Momentum, Formulation::Swing].contains(&form);
                    assert!(may_be_none, "{name}: {found}");
                }
            }
        }
    }
}

/// A state with accelerations and multipliers that need not belong to it.
#[derive(Clone)]
struct Point {
    state: State,
    accelerations: Vec<f64>,
    multipliers: Vec<f64>,
}

/// From a point along a velocity.
type Move = fn(&Point, &Compiled, usize, f64) -> Point;

impl Point {
    /// q + h T e_j; Euler parameters are not normalised, because K holds for any length.
    fn along(&self, compiled: &Compiled, j: usize, h: f64) -> Self {
        let mut unit = self.state.clone();
        unit.v.fill(0.0);
        unit.v[j] = 1.0;
        let rates = at(&compiled.model, &compiled.equations, &unit, |e| {
            let rates = compiled.equations.rates.iter();
            rates.map(|rate| e.value(rate)).collect::<Vec<_>>()
        });
        let mut point = self.clone();
        let moved = point.state.q.iter_mut().zip(rates);
        moved.for_each(|(q, rate)| *q += h * rate);
        point
    }

    /// v + h e_j
    fn faster(&self, _: &Compiled, j: usize, h: f64) -> Self {
        let mut point = self.clone();
        point.state.v[j] += h;
        point
    }
}

struct Machine {
    compiled: Compiled,
}

impl Machine {
    fn n(&self) -> usize {
        self.compiled.equations.n_velocities
    }

    fn random_point(&self, random: &mut Random) -> Point {
        let mut numbers = |n: usize| (0..n).map(|_| 10.0 * random.next()).collect();
        let (accelerations, multipliers) = (
            numbers(self.n()),
            numbers(self.compiled.equations.phi.len()),
        );
        Point {
            state: random_state(&self.compiled, random),
            accelerations,
            multipliers,
        }
    }

    /// ∂r by differences, one column a velocity.
    fn differences(&self, point: &Point, moves: Move) -> DMatrix<f64> {
        let mut columns = DMatrix::zeros(self.n(), self.n());
        for j in 0..self.n() {
            let at = |h: f64| self.residual(&moves(point, &self.compiled, j, h));
            let (near, far) = (at(H) - at(-H), at(2.0 * H) - at(-2.0 * H));
            columns.set_column(j, &((near * 8.0 - far) / (12.0 * H)));
        }
        columns
    }

    fn residual(&self, point: &Point) -> DVector<f64> {
        let out = self.call(Name::Residual, point, &[]);
        DVector::from_vec(out.array(Array::Forces, self.n()))
    }

    fn square(&self, out: &Memory, array: Array) -> DMatrix<f64> {
        let n = self.n();
        DMatrix::from_row_slice(n, n, &out.array(array, n * n))
    }

    /// Whether the pivots are safe; then both solutions agree.
    fn check_solve(
        &self,
        name: &str,
        point: &Point,
        weights: [f64; 4],
        random: &mut Random,
    ) -> bool {
        let arrays = [
            Array::MassWeight,
            Array::DampingWeight,
            Array::StiffnessWeight,
            Array::Compliance,
        ];
        let given: Vec<(Array, Vec<f64>)> = arrays
            .into_iter()
            .zip(weights.map(|weight| vec![weight]))
            .collect();
        let out = self.call(Name::TangentFactor, point, &given);
        let margin = out.scalar(Array::Margin);
        if margin <= 0.0 {
            return false;
        }
        let sizes = &self.compiled.kernel.sizes;
        let factor = out.array(Array::TangentFactor, sizes.tangent_factor);
        let forces: Vec<f64> = (0..self.n()).map(|_| random.next()).collect();
        let phi: Vec<f64> = (0..sizes.constraints).map(|_| random.next()).collect();
        let right = [
            (Array::TangentFactor, factor),
            (Array::Forces, forces.clone()),
            (Array::Constraints, phi.clone()),
        ];
        let out = self.call(Name::TangentSolve, point, &right);
        let ours = [
            out.array(Array::Velocities, self.n()),
            out.array(Array::Multipliers, sizes.constraints),
        ];
        let (matrix, rows) = self.saddle(point, weights);
        let phi: Vec<f64> = rows.iter().map(|&k| phi[k]).collect();
        let right = DVector::from_vec([forces, phi].concat());
        let dense = matrix.clone().lu().solve(&right).unwrap();
        let multipliers = rows.iter().map(|&k| ours[1][k]).collect();
        let ours = DVector::from_vec([ours[0].clone(), multipliers].concat());
        let gap = (&ours - &dense).amax() / (1.0 + dense.amax());
        // A pivot that is `margin` of what stands beside it lets round-off grow by its reciprocal; the condition
        // carries that into the solution. Random states reach 1e5 and 1e-4.
        let condition = || {
            let values = matrix.singular_values();
            values.max() / values.min()
        };
        let close = gap < 1e-10 || gap < f64::EPSILON * condition() / margin;
        assert!(close, "{name}: {gap:e}");
        true
    }

    /// [m M + c C + k K, −Dᵀ; D, ε] over the independent rows.
    fn saddle(&self, point: &Point, weights: [f64; 4]) -> (DMatrix<f64>, Vec<usize>) {
        let Compiled {
            model,
            equations,
            assembly,
            ..
        } = &self.compiled;
        let now = numbers(model, equations, &point.state);
        let redundant = |k: &usize| assembly.redundant.contains(&(*k as u32));
        let rows: Vec<usize> = (0..equations.phi.len()).filter(|k| !redundant(k)).collect();
        let tangents = self.call(Name::Tangents, point, &[]);
        let (n, m) = (self.n(), rows.len());
        let mut matrix = DMatrix::zeros(n + m, n + m);
        let a = now.mass.clone() * weights[0]
            + self.square(&tangents, Array::Damping) * weights[1]
            + self.square(&tangents, Array::Stiffness) * weights[2];
        matrix.view_mut((0, 0), (n, n)).copy_from(&a);
        for (i, &k) in rows.iter().enumerate() {
            for j in 0..n {
                matrix[(n + i, j)] = now.rows[(k, j)];
                matrix[(j, n + i)] = -now.rows[(k, j)];
            }
            matrix[(n + i, n + i)] = weights[3];
        }
        (matrix, rows)
    }

    fn call(&self, name: Name, point: &Point, given: &[(Array, Vec<f64>)]) -> Memory {
        let Compiled { model, kernel, .. } = &self.compiled;
        let parameters: Vec<f64> = model.parameters.iter().map(|p| p.default).collect();
        let inputs: Vec<f64> = model.inputs.iter().map(|u| u.start).collect();
        let variables: Vec<f64> = model.variables.iter().map(|x| x.start).collect();
        let mut functions = kernel.functions.iter();
        let function = functions.find(|f| f.name == name).unwrap();
        let memory = Memory::new().with(Array::Parameters, &parameters);
        let derived = interpret(&kernel.functions[0], &memory, &model.tables);
        let derived = derived.array(Array::Derived, kernel.sizes.derived);
        let memory = memory
            .with(Array::Derived, &derived)
            .with(Array::Inputs, &inputs)
            .with(Array::Variables, &variables)
            .with(Array::Time, &[point.state.t])
            .with(Array::Coordinates, &point.state.q)
            .with(Array::Velocities, &point.state.v)
            .with(Array::Accelerations, &point.accelerations)
            .with(Array::Multipliers, &point.multipliers);
        let add = |memory: Memory, (array, values): &(Array, Vec<f64>)| memory.with(*array, values);
        interpret(function, &given.iter().fold(memory, add), &model.tables)
    }
}
