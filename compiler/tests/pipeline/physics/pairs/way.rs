//! A mechanism in one formulation, asked by the kernel's interpreter.

use bellcrank_compiler::Compiled;
use bellcrank_compiler::Options;
use bellcrank_compiler::stages::assembly::{State, posed, transfer};
use bellcrank_compiler::stages::evaluate::Evaluator;
use bellcrank_compiler::stages::formulation::{PointForm, StateVariable, System};
use bellcrank_compiler::stages::kernel;
use bellcrank_compiler::stages::kernel::{
    Array, Kernel, LoweringSettings, Memory, Name, interpret, lower,
};
use bellcrank_compiler::stages::model::Model;
use bellcrank_compiler::stages::search::Coordinates;
use bellcrank_compiler::stages::symbolic::derive;
use nalgebra::{DMatrix, DVector};

use super::bordered::smallest;
use super::case::Now;

/// Every formulation that follows the tree.
pub const COORDINATES: [Coordinates; 4] = [
    Coordinates::Points(PointForm::Multiplier),
    Coordinates::Points(PointForm::Momentum),
    Coordinates::Points(PointForm::Swing),
    Coordinates::Joint,
];

/// A kernel with the names of its arrays.
pub struct Asking<'a> {
    pub name: &'static str,
    compiled: &'a Compiled,
    /// Which constraint rows are couplings.
    couplings: Vec<usize>,
    /// `None` for absolute coordinates.
    way: Option<(Coordinates, Kernel)>,
}

/// The results of a formulation at a state.
#[derive(Debug)]
pub struct Told {
    pub outputs: Vec<f64>,
    pub reactions: Vec<f64>,
    /// Kinetic energy, potential energy, and the power of forces without a potential.
    pub energies: Vec<f64>,
    pub holds: Vec<f64>,
    pub hold_rates: Vec<f64>,
    pub events: Vec<f64>,
    pub transitions: Vec<f64>,
    /// The largest of Φ and Φ̇.
    pub violation: f64,
    /// The largest of D v̇ − γ, and of M v̇ − Q − Dᵀ λ where every row has a multiplier.
    pub unbalanced: [f64; 2],
}

impl<'a> Asking<'a> {
    pub fn in_bodies(compiled: &'a Compiled) -> Self {
        Self {
            name: "body",
            compiled,
            couplings: compiled.system.couplings().collect(),
            way: None,
        }
    }

    /// `None` if the mechanism cannot be written so, or not safely.
    pub fn along(compiled: &'a Compiled, way: Coordinates) -> Option<Self> {
        let (model, topology) = (&compiled.model, &compiled.topology);
        let system = way.formulate(model, topology)?;
        let equations = derive(&system).unwrap();
        let formulate = |posed: &Model| way.formulate(posed, topology);
        let assembly = transfer(model, &compiled.assembly, &equations, formulate)?;
        let settings = LoweringSettings {
            parameters: model.parameters.len(),
            inputs: model.inputs.len(),
            variables: model.variables.len(),
            extras: Vec::new(),
        };
        let kernel = lower(&equations, &assembly, settings, &Options::default());
        (kernel.solve != kernel::Solve::Dense).then_some(Self {
            name: way.word(),
            compiled,
            couplings: system.couplings().collect(),
            way: Some((way, kernel)),
        })
    }

    fn kernel(&self) -> &Kernel {
        match &self.way {
            Some((_, kernel)) => kernel,
            None => &self.compiled.kernel,
        }
    }

    /// The same pose and motion in its coordinates.
    fn state(&self, state: &State) -> State {
        let Some((way, _)) = &self.way else {
            return state.clone();
        };
        let posed = posed(&self.compiled.model, state);
        let system = way.formulate(&posed, &self.compiled.topology).unwrap();
        State {
            t: state.t,
            ..guess(&system)
        }
    }

    fn run(&self, name: Name, memory: &Memory) -> Memory {
        let mut functions = self.kernel().functions.iter();
        let function = functions.find(|function| function.name == name).unwrap();
        interpret(function, memory, &self.compiled.model.tables)
    }

    /// Its results at a state of absolute coordinates; `None` if the runtime would take the dense solve.
    pub fn tell(&self, state: &State, now: Now) -> Option<Told> {
        let sizes = self.kernel().sizes;
        let state = self.state(state);
        let memory = Memory::new()
            .with(Array::Time, &[state.t])
            .with(Array::Parameters, &vec![now.scale; sizes.parameters])
            .with(Array::Variables, &vec![now.variable; sizes.variables])
            .with(Array::Coordinates, &state.q)
            .with(Array::Velocities, &state.v);
        let derived = self.run(Name::Prepare, &memory);
        let derived = derived.array(Array::Derived, sizes.derived);
        let memory = memory.with(Array::Derived, &derived);
        let solved = self.run(Name::Accelerate, &memory);
        if solved.scalar(Array::Margin) <= 0.0 {
            return None;
        }
        let accelerations = solved.array(Array::Accelerations, sizes.velocities);
        let multipliers = solved.array(Array::Multipliers, sizes.constraints);
        let memory = memory.with(Array::Accelerations, &accelerations);
        let multipliers = self.smallest(&memory, &multipliers);
        let memory = memory.with(Array::Multipliers, &multipliers);
        let list = |name, array, length| self.run(name, &memory).array(array, length);
        let energy = self.run(Name::Energy, &memory);
        let phi = list(Name::Constraints, Array::Constraints, sizes.constraints);
        let rates = list(
            Name::VelocityConstraints,
            Array::Constraints,
            sizes.constraints,
        );
        let largest = |most: f64, x: &f64| most.max(x.abs());
        Some(Told {
            outputs: list(Name::Outputs, Array::Outputs, sizes.outputs),
            reactions: list(Name::Reactions, Array::Reactions, sizes.reactions),
            energies: vec![
                energy.scalar(Array::Kinetic),
                energy.scalar(Array::Potential),
                solved.scalar(Array::Power),
            ],
            holds: list(Name::Holds, Array::HoldValues, sizes.holds),
            hold_rates: list(Name::Holds, Array::HoldRates, sizes.holds),
            events: list(Name::Events, Array::Events, sizes.events),
            transitions: list(Name::Transitions, Array::Transitions, sizes.transitions),
            violation: phi.iter().chain(&rates).fold(0.0, largest),
            unbalanced: self.unbalanced(&memory, &accelerations, &multipliers),
        })
    }

    /// Multipliers with the smallest reactions, where constraint equations are redundant.
    fn smallest(&self, memory: &Memory, multipliers: &[f64]) -> Vec<f64> {
        let sizes = self.kernel().sizes;
        let (n, m) = (sizes.velocities, sizes.constraints);
        let rows = self.run(Name::Dense, memory);
        let rows = rows.array(Array::Rows, (m + sizes.holds) * n);
        let rows = DMatrix::from_row_slice(m, n, &rows[..m * n]);
        let felt = |multipliers: &DVector<f64>| {
            let memory = memory.clone();
            let memory = memory.with(Array::Multipliers, multipliers.as_slice());
            let felt = self.run(Name::Reactions, &memory);
            let mut felt = felt.array(Array::Reactions, sizes.reactions);
            felt.extend(self.couplings.iter().map(|row| multipliers[*row]));
            DVector::from_vec(felt)
        };
        let given = DVector::from_column_slice(multipliers);
        smallest(&given, &rows, felt).as_slice().to_vec()
    }

    /// Against the equations that the kernel computes without a solve.
    fn unbalanced(&self, memory: &Memory, accelerations: &[f64], multipliers: &[f64]) -> [f64; 2] {
        let sizes = self.kernel().sizes;
        let (n, m) = (sizes.velocities, sizes.constraints);
        let dense = self.run(Name::Dense, memory);
        let rows = dense.array(Array::Rows, (m + sizes.holds) * n);
        let rows = DMatrix::from_row_slice(m + sizes.holds, n, &rows);
        let rows = rows.rows(0, m);
        let vector = |list: &[f64]| DVector::from_column_slice(list);
        let (a, gamma) = (vector(accelerations), vector(&dense.array(Array::Gamma, m)));
        let asked = (rows * &a - gamma).amax_or_zero();
        if self.name == PointForm::Momentum.word() {
            return [asked, 0.0];
        }
        let product = self.run(Name::MassTimes, memory).array(Array::Forces, n);
        let product = match self.has_product() {
            true => vector(&product),
            false => DMatrix::from_row_slice(n, n, &dense.array(Array::Mass, n * n)) * &a,
        };
        let forces = vector(&dense.array(Array::Forces, n));
        let left = product - forces - rows.transpose() * vector(multipliers);
        [asked, left.amax_or_zero()]
    }

    /// True if M is known by its products with vectors.
    fn has_product(&self) -> bool {
        let mut functions = self.kernel().functions.iter();
        functions.any(|one| one.name == Name::MassTimes && !one.outputs.is_empty())
    }
}

/// The largest absolute value of a vector that may be empty.
trait AmaxOrZero {
    fn amax_or_zero(&self) -> f64;
}

impl AmaxOrZero for DVector<f64> {
    fn amax_or_zero(&self) -> f64 {
        self.iter().fold(0.0, |most, x| most.max(x.abs()))
    }
}

fn guess(system: &System) -> State {
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
