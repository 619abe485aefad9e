//! The projections with a given factor:
//!
//! ```text
//! Δq = −T W S⁻¹ Φ        Δv = −W S⁻¹ Φ̇
//! ```
//!
//! The factor holds exactly those pivots, entries of L and entries of W that change from state to
//! state; numbers are folded in, and what depends on parameters only is prepared.

use std::collections::HashMap;

use super::build::Builder;
use super::draft::Draft;
use super::dynamics::{Projection, combine, write_rates};
use super::factor::SparseVector;
use super::instruction::Dependence;
use super::translate::Translation;
use super::{Array, Instruction, Name, Slot, Value};
use crate::expr::Symbol;
use crate::symbolic::Equations;

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
    /// Numbers what the projections need: pivots, then L, then W.
    pub fn new(projection: &'a Projection, source: &'a Builder) -> Self {
        let mut factor = Self {
            projection,
            source,
            slots: HashMap::new(),
            values: Vec::new(),
        };
        let schur = &projection.schur;
        let lower = schur.columns.iter().flatten().map(|&(_, value)| value);
        let weights = projection
            .weighted
            .iter()
            .flat_map(|row| row.values().copied());
        for value in schur
            .reciprocals
            .iter()
            .copied()
            .chain(lower)
            .chain(weights)
        {
            factor.keep(value);
        }
        factor
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

    /// Δq = −T W S⁻¹ Φ
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

    /// Δv = −W S⁻¹ Φ̇
    pub fn velocity_correction(&self) -> Draft {
        let mut draft = Draft::new(Name::VelocityCorrection);
        for (j, step) in self.steps(&mut draft.builder) {
            draft.write(Array::Velocities, j, step);
        }
        draft
    }

    /// −W S⁻¹ Φ
    fn steps(&self, builder: &mut Builder) -> SparseVector {
        let copies = self.copy(builder);
        let at = |value: Value| copies[value.0 as usize].expect("every value is kept or copied");
        let schur = self.projection.schur.map(at);
        let of = |row: &SparseVector| row.iter().map(|(&j, &value)| (j, at(value))).collect();
        let weighted: Vec<SparseVector> = self.projection.weighted.iter().map(of).collect();
        let mut phi = SparseVector::new();
        for (n, &k) in self.projection.rows.iter().enumerate() {
            phi.insert(n, builder.load(Slot::new(Array::Constraints, k)));
        }
        let solved = schur.solve(builder, &phi);
        let mut steps = SparseVector::new();
        combine(builder, &mut steps, &weighted, &solved);
        for step in steps.values_mut() {
            *step = builder.neg(*step);
        }
        steps
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
