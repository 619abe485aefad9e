//! The kernel with its memory, evaluated at a state.

use nalgebra::DVector;

use super::Evaluate;
use super::solve::{Dense, smallest};
use crate::kernel::{Array, Memory, Name, Sizes};
use crate::numeric::State;

/// A state of a run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Moment {
    pub(crate) state: State,
    /// Work so far of the forces without a potential.
    pub(crate) work: f64,
}

impl From<State> for Moment {
    fn from(state: State) -> Self {
        Self { state, work: 0.0 }
    }
}

/// The result of one evaluation of the dynamics.
#[derive(Clone)]
pub(super) struct InterpretedEvaluation {
    pub(super) rates: Vec<f64>,
    pub(super) accelerations: Vec<f64>,
    pub(super) multipliers: Vec<f64>,
    pub(super) power: f64,
}

/// The constraint equations, with the data that a run needs of them.
#[derive(Clone, Default)]
pub(crate) struct ConstraintRows {
    /// The joint or coupling of each equation, and the quantity that it keeps.
    pub(crate) names: Vec<[String; 2]>,
    /// Rows of the redundant equations.
    pub(crate) redundant: Vec<usize>,
    /// Rows of the couplings.
    pub(crate) couplings: Vec<usize>,
}

/// The kernel with its memory.
pub(crate) struct Machine<'e, E> {
    evaluate: &'e E,
    pub(super) memory: Memory,
    pub(super) sizes: Sizes,
    /// Length that makes Φ comparable to 1.
    pub(super) size: f64,
    pub(super) rows: ConstraintRows,
    /// True if the last evaluation left a factorisation that the projections can use.
    pub(super) factored: bool,
    /// The evaluation at the last written row, with which the next step begins.
    kept: Option<(State, InterpretedEvaluation)>,
    pub(crate) evaluations: u64,
    pub(crate) dense_evaluations: u64,
}

impl<'e, E: Evaluate> Machine<'e, E> {
    pub(crate) fn new(evaluate: &'e E, sizes: Sizes, size: f64, rows: ConstraintRows) -> Self {
        Self {
            evaluate,
            memory: Memory::default(),
            sizes,
            size,
            rows,
            factored: false,
            kept: None,
            evaluations: 0,
            dense_evaluations: 0,
        }
    }

    /// Sets parameters, inputs and variables, and the values derived from them.
    pub(crate) fn prepare(&mut self, parameters: Vec<f64>, inputs: Vec<f64>, variables: Vec<f64>) {
        self.memory.put(Array::Parameters, parameters);
        self.memory.put(Array::Inputs, inputs);
        self.memory.put(Array::Variables, variables);
        self.call(Name::Prepare);
    }

    /// The guess at the present parameters.
    pub(crate) fn guess(&mut self) -> State {
        self.call(Name::Guess);
        State {
            t: 0.0,
            q: self.take(Array::Coordinates),
            v: self.take(Array::Velocities),
        }
    }

    pub(super) fn call(&mut self, name: Name) {
        self.evaluate.call(name, &mut self.memory);
    }

    /// Calls a function at a state.
    pub(super) fn call_at(&mut self, name: Name, state: &State) {
        self.memory.put(Array::Time, [state.t]);
        self.memory.put(Array::Coordinates, state.q.as_slice());
        self.memory.put(Array::Velocities, state.v.as_slice());
        self.call(name);
    }

    pub(super) fn take(&self, array: Array) -> Vec<f64> {
        self.memory.list(array).to_vec()
    }

    /// The evaluation at a state if its outputs were written, or a new one.
    pub(super) fn begin(&mut self, state: &State) -> Result<InterpretedEvaluation, String> {
        match self.kept.take() {
            Some((kept, evaluation)) if kept == *state => Ok(evaluation),
            _ => self.evaluate(state),
        }
    }

    /// Accelerations by the unrolled solve, or by the dense one if the margin is not positive.
    pub(super) fn evaluate(&mut self, state: &State) -> Result<InterpretedEvaluation, String> {
        self.evaluations += 1;
        self.call_at(Name::Accelerate, state);
        self.factored = self.memory.scalar(Array::Margin) > 0.0;
        let evaluation = match self.factored {
            true => InterpretedEvaluation {
                rates: self.take(Array::Rates),
                accelerations: self.take(Array::Accelerations),
                multipliers: self.take(Array::Multipliers),
                power: self.memory.scalar(Array::Power),
            },
            false => self.evaluate_dense(state)?,
        };
        let numbers = evaluation
            .accelerations
            .iter()
            .chain(&evaluation.multipliers);
        match numbers
            .chain(&evaluation.rates)
            .all(|number| number.is_finite())
        {
            true => Ok(evaluation),
            false => Err(format!("accelerations are not finite at {} s", state.t)),
        }
    }

    /// v̇ = M⁻¹ Q + M⁻¹ Dᵀ λ,  D M⁻¹ Dᵀ λ = γ − D M⁻¹ Q,  and the drivers' power is −λ · Φ_t.
    /// Only native code can find the branch at a singular position.
    fn evaluate_dense(&mut self, state: &State) -> Result<InterpretedEvaluation, String> {
        self.dense_evaluations += 1;
        let dense = Dense::at(self, state);
        let independent = self.sizes.constraints - self.rows.redundant.len();
        let rank = dense.rank();
        if rank < independent {
            return Err(format!(
                "the mechanism is at a singular position at {} s: {rank} of its {independent} constraint equations do not \
                 depend on others; leave out `--interpret`: native code passes such a position, or says why it cannot",
                state.t
            ));
        }
        let (accelerations, multipliers) = dense.accelerate();
        let phi_t = self.memory.list(Array::PhiT);
        let drivers: f64 = multipliers.iter().zip(phi_t).map(|(l, p)| l * p).sum();
        Ok(InterpretedEvaluation {
            rates: self.take(Array::Rates),
            accelerations,
            multipliers,
            power: self.memory.scalar(Array::Power) - drivers,
        })
    }

    /// Kinetic and potential energy.
    pub(crate) fn energy(&mut self, state: &State) -> (f64, f64) {
        self.call_at(Name::Energy, state);
        let memory = &self.memory;
        (
            memory.scalar(Array::Kinetic),
            memory.scalar(Array::Potential),
        )
    }

    /// Named outputs. Costs an evaluation, with which the next step then begins.
    pub(crate) fn outputs(&mut self, state: &State) -> Result<Vec<f64>, String> {
        let evaluation = self.evaluate(state)?;
        self.kept = Some((state.clone(), evaluation.clone()));
        let multipliers = match self.rows.redundant.is_empty() {
            true => evaluation.multipliers.clone(),
            false => self.smallest(state, &evaluation),
        };
        self.memory
            .put(Array::Accelerations, evaluation.accelerations);
        self.memory.put(Array::Multipliers, multipliers);
        self.call_at(Name::Outputs, state);
        Ok(self.take(Array::Outputs))
    }

    /// λ with the smallest reactions, as in `runtime/src/reactions.rs`.
    fn smallest(&mut self, state: &State, evaluation: &InterpretedEvaluation) -> Vec<f64> {
        let rows = self.rows.clone();
        let stresses = Dense::at(self, state).self_stresses(&rows.redundant);
        let given = DVector::from_column_slice(&evaluation.multipliers);
        let mut felt = |multipliers: &DVector<f64>| {
            let accelerations = evaluation.accelerations.as_slice();
            self.memory.put(Array::Accelerations, accelerations);
            self.memory.put(Array::Multipliers, multipliers.as_slice());
            self.call_at(Name::Reactions, state);
            let mut felt = self.take(Array::Reactions);
            felt.extend(rows.couplings.iter().map(|row| multipliers[*row]));
            DVector::from_vec(felt)
        };
        smallest(given, &stresses, &mut felt).as_slice().to_vec()
    }

    /// ‖Φ‖∞ and ‖Φ̇‖∞
    pub(crate) fn violation(&mut self, state: &State) -> (f64, f64) {
        self.call_at(Name::Constraints, state);
        let phi = largest(self.memory.list(Array::Constraints));
        self.call_at(Name::VelocityConstraints, state);
        (phi, largest(self.memory.list(Array::Constraints)))
    }
}

/// The largest absolute value; NaN if one value is NaN.
pub(super) fn largest(values: &[f64]) -> f64 {
    let larger = |a: f64, b: &f64| if b.is_nan() { f64::NAN } else { a.max(b.abs()) };
    values.iter().fold(0.0, larger)
}

/// a ← a + s b
pub(super) fn add(a: &mut [f64], s: f64, b: &[f64]) {
    a.iter_mut().zip(b).for_each(|(a, b)| *a += s * b);
}
