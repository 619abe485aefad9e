//! The projections with a given factor:
//!
//! ```text
//! Δq = T Δ(Φ)        Δv = Δ(Φ̇)        Δ(Φ) = −W S⁻¹ Φ  or  [ M  Dᵀ ] [ Δ ]   [  0 ]
//!                                                          [ D  0  ] [ · ] = [ −Φ ]
//! ```
//!
//! The factor holds exactly those pivots, entries of L and entries of W that the substitution needs
//! and that change from state to state; numbers are folded in, and what depends on parameters only is
//! prepared.

use std::collections::{HashMap, HashSet};

use super::build::Builder;
use super::draft::Draft;
use super::dynamics::{combine, write_rates};
use super::factor::{Factorization, SparseVector};
use super::instruction::Dependence;
use super::translate::Translation;
use super::{Array, Instruction, Name, Slot, Value};
use crate::expr::Symbol;
use crate::symbolic::Equations;

/// The solved constraint rows, as values of [`Name::Accelerate`].
#[derive(Clone, Debug)]
pub struct Projection {
    /// The independent rows of Φ.
    pub rows: Vec<usize>,
    /// How they are solved.
    pub solver: Solver,
}

/// How the constraint rows are solved.
#[derive(Clone, Debug)]
pub enum Solver {
    /// By the Schur complement.
    Schur {
        /// Wᵀ: for each independent row k, M⁻¹ D_kᵀ.
        weighted: Vec<SparseVector>,
        /// S = L Δ Lᵀ
        schur: Factorization,
    },
    /// By the bordered matrix.
    Bordered {
        /// [M Dᵀ; D 0] = L Δ Lᵀ
        factor: Factorization,
        /// How many of its indices are velocities.
        n_velocities: usize,
    },
}

impl Solver {
    /// What a substitution may use: pivots, then L, then W.
    fn values(&self) -> Vec<Value> {
        let of = |factor: &Factorization| {
            let lower = factor.columns.iter().flatten().map(|&(_, value)| value);
            let pivots = factor.reciprocals.iter().copied();
            pivots.chain(lower).collect::<Vec<_>>()
        };
        match self {
            Self::Schur { weighted, schur } => {
                let mut values = of(schur);
                values.extend(weighted.iter().flat_map(|row| row.values()));
                values
            }
            Self::Bordered { factor, .. } => of(factor),
        }
    }

    /// The same with other values.
    fn map(&self, to: impl Fn(Value) -> Value) -> Self {
        match self {
            Self::Schur { weighted, schur } => {
                let row = |row: &SparseVector| row.iter().map(|(&j, &v)| (j, to(v))).collect();
                Self::Schur {
                    weighted: weighted.iter().map(row).collect(),
                    schur: schur.map(&to),
                }
            }
            Self::Bordered {
                factor,
                n_velocities,
            } => Self::Bordered {
                factor: factor.map(&to),
                n_velocities: *n_velocities,
            },
        }
    }

    /// Δ(Φ)
    fn steps(&self, builder: &mut Builder, phi: &SparseVector) -> SparseVector {
        match self {
            Self::Schur { weighted, schur } => {
                let solved = schur.solve(builder, phi);
                let mut steps = SparseVector::new();
                combine(builder, &mut steps, weighted, &solved);
                for step in steps.values_mut() {
                    *step = builder.neg(*step);
                }
                steps
            }
            Self::Bordered {
                factor,
                n_velocities,
            } => {
                let right = phi
                    .iter()
                    .map(|(&k, &phi)| (n_velocities + k, builder.neg(phi)));
                let right = right.collect();
                let mut solution = factor.solve(builder, &right);
                solution.split_off(n_velocities);
                solution
            }
        }
    }
}

/// Where the values of [`Name::Accelerate`] stand in the factor.
#[derive(Debug)]
pub struct Factor<'a> {
    projection: &'a Projection,
    source: &'a Builder,
    slots: HashMap<Value, usize>,
    /// The values, in the order of their slots.
    pub values: Vec<Value>,
}

impl<'a> Factor<'a> {
    /// Numbers what the projections need.
    pub fn new(projection: &'a Projection, source: &'a Builder) -> Self {
        let mut factor = Self {
            projection,
            source,
            slots: HashMap::new(),
            values: Vec::new(),
        };
        for value in projection.solver.values() {
            factor.keep(value);
        }
        let used = factor.used();
        factor.slots.clear();
        for value in std::mem::take(&mut factor.values) {
            if used.contains(&value) {
                factor.keep(value);
            }
        }
        factor
    }

    /// The values that a correction loads.
    fn used(&self) -> HashSet<Value> {
        let correction = self.velocity_correction().finish();
        let loads = correction.instructions.iter();
        let loads = loads.filter_map(|instruction| match instruction {
            Instruction::Load(slot) if slot.array == Array::Factor => Some(slot.index as usize),
            _ => None,
        });
        loads.map(|slot| self.values[slot]).collect()
    }

    /// x and −x share a slot.
    fn keep(&mut self, value: Value) {
        let value = self.without_sign(value);
        let next = self.values.len();
        if self.source.dependence(value) == Dependence::State
            && *self.slots.entry(value).or_insert(next) == next
        {
            self.values.push(value);
        }
    }

    fn without_sign(&self, value: Value) -> Value {
        match self.source.instruction(value) {
            Instruction::Neg(positive) => positive,
            _ => value,
        }
    }

    /// Δq = T Δ(Φ)
    pub fn position_correction(&self, equations: &Equations) -> Draft {
        let mut draft = Draft::new(Name::PositionCorrection);
        let steps = self.steps(&mut draft.builder);
        let mut translation = Translation::new(&equations.auxiliaries);
        for j in 0..equations.n_velocities {
            let step = steps
                .get(&j)
                .copied()
                .unwrap_or_else(|| draft.builder.zero());
            translation.give(Symbol::Velocity(j as u32), step);
        }
        write_rates(&mut draft, &mut translation, equations);
        draft
    }

    /// Δv = Δ(Φ̇)
    pub fn velocity_correction(&self) -> Draft {
        let mut draft = Draft::new(Name::VelocityCorrection);
        for (j, step) in self.steps(&mut draft.builder) {
            draft.write(Array::Velocities, j, step);
        }
        draft
    }

    /// Δ(Φ)
    fn steps(&self, builder: &mut Builder) -> SparseVector {
        let copies = self.copy(builder);
        let zero = builder.zero();
        // What is not kept is used by nothing.
        let at = |value: Value| copies[value.0 as usize].unwrap_or(zero);
        let solver = self.projection.solver.map(at);
        let mut phi = SparseVector::new();
        for (n, &k) in self.projection.rows.iter().enumerate() {
            phi.insert(n, builder.load(Slot::new(Array::Constraints, k)));
        }
        solver.steps(builder, &phi)
    }

    /// The values that another function can have: loaded from the factor, or computed again if they
    /// are numbers or depend on parameters only.
    fn copy(&self, target: &mut Builder) -> Vec<Option<Value>> {
        let mut copies: Vec<Option<Value>> = Vec::with_capacity(self.source.instructions().len());
        for (index, instruction) in self.source.instructions().iter().enumerate() {
            let value = Value(index as u32);
            let copy = match (instruction, self.slots.get(&value)) {
                (_, Some(&slot)) => Some(target.load(Slot::new(Array::Factor, slot))),
                (Instruction::Neg(positive), None) => {
                    copies[positive.0 as usize].map(|positive| target.neg(positive))
                }
                _ if self.source.dependence(value) < Dependence::State => Some(target.insert(
                    instruction.map(|v| copies[v.0 as usize].expect("operands are copied")),
                )),
                _ => None,
            };
            copies.push(copy);
        }
        copies
    }
}
