//! One solve with the eliminated degrees of freedom and loops. It finds deformations from the root outwards, then
//! demands of deformations and loads from the leaves inwards. The [outward sweep](super::outward) follows.

use std::collections::BTreeMap;

use super::open::{EliminatedLoop, Freedom, unit_of};
use super::passage::{AxesChange, PassedStep};
use super::{Eliminated, Recursion, screw};
use crate::expr::Symbol;
use crate::kernel::Value;
use crate::kernel::builder::instructions::Builder;
use crate::kernel::builder::translate::{Lowering, Translation};
use crate::kernel::solve::factor::{SparseVector, Symmetric, add_product, dot};
use crate::kernel::solve::screw::{self as twist, ScrewValues};
use crate::structure::OwnPoint;

/// The unknowns of a sweep.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum LinkSweep {
    /// Accelerations under the applied forces.
    Motion,
    /// A correction: no forces, and no velocities.
    Correction,
}

/// The solution.
#[derive(Default)]
pub(super) struct Solved {
    pub(super) accelerations: SparseVector,
    pub(super) multipliers: SparseVector,
}

impl<'a> Recursion<'a> {
    /// M x + … = loads and D x = γ, for γ by row.
    pub(super) fn solve(
        &self,
        builder: &mut Builder,
        gamma: &SparseVector,
        sweep: LinkSweep,
    ) -> Solved {
        let mut translation = Translation::new(&self.equations.auxiliaries);
        if sweep == LinkSweep::Correction {
            for i in 0..self.equations.n_velocities {
                let zero = builder.zero();
                translation.give(Symbol::Velocity(i as u32), zero);
            }
        }
        let deformation = self.deformation(builder, gamma, sweep);
        for i in 0..self.equations.n_velocities {
            let zero = builder.zero();
            let value = deformation.get(&i).copied().unwrap_or(zero);
            translation.give(Symbol::Acceleration(i as u32), value);
        }
        let lowering = &mut Lowering::new(builder, &mut translation);
        let inward = self.inward(lowering, gamma, &deformation, sweep);
        self.outward(builder, &inward, &deformation)
    }

    /// d of the points with coordinates, from the root outwards: d = Σ κ u with (U Uᵀ) κ = γ − D d of earlier points. U
    /// Uᵀ is the same in every pose at which the distances hold. A correction is repeated, so it may use that constant.
    /// An acceleration uses U Uᵀ of the state: with the constant, Φ̈ would be off by some ω² Φ, and Φ would grow.
    fn deformation(
        &self,
        builder: &mut Builder,
        gamma: &SparseVector,
        sweep: LinkSweep,
    ) -> SparseVector {
        let mut deformation = SparseVector::new();
        for link in &self.tree.links {
            for point in &link.points {
                self.deform(builder, gamma, point, sweep, &mut deformation);
            }
        }
        deformation
    }

    fn deform(
        &self,
        builder: &mut Builder,
        gamma: &SparseVector,
        point: &OwnPoint,
        sweep: LinkSweep,
        deformation: &mut SparseVector,
    ) {
        let left: Vec<Value> = point
            .rows
            .iter()
            .map(|&k| self.left(builder, gamma, k, deformation))
            .collect();
        let along: Vec<SparseVector> = point.rows.iter().map(|row| self.own(point, *row)).collect();
        let kappa = match sweep {
            LinkSweep::Correction => weighted(builder, &point.gram, &left),
            LinkSweep::Motion => least(builder, &along, &left),
        };
        let mut own = SparseVector::new();
        for (n, kappa) in kappa {
            for (&j, &u) in &along[n] {
                add_product(builder, &mut own, j, kappa, u);
            }
        }
        deformation.extend(own);
    }

    /// The derivative of a row by the position of a point.
    fn own(&self, point: &OwnPoint, row: usize) -> SparseVector {
        let entries = self.jacobian[&row].iter().copied();
        let is_own = |(j, _): &(usize, Value)| point.velocities.contains(&(*j as u32));
        entries.filter(is_own).collect()
    }

    /// γ_k − D_k d
    fn left(
        &self,
        builder: &mut Builder,
        gamma: &SparseVector,
        row: usize,
        deformation: &SparseVector,
    ) -> Value {
        let gamma = gamma.get(&row).copied().unwrap_or_else(|| builder.zero());
        let along = dot(builder, &self.jacobian[&row], deformation);
        builder.sub(gamma, along)
    }

    /// From the leaves inwards: the terms that do not depend on twists and multipliers.
    fn inward(
        &self,
        lowering: &mut Lowering<'_, 'a>,
        gamma: &SparseVector,
        deformation: &SparseVector,
        sweep: LinkSweep,
    ) -> Inward {
        let mut inward = Inward {
            offsets: Vec::new(),
            along: vec![Vec::new(); self.links.len()],
            asked: SparseVector::new(),
            given: SparseVector::new(),
            wanted: BTreeMap::new(),
        };
        for closing in &self.tree.closing {
            if self.jacobian.contains_key(&closing.row) {
                let left = self.left(lowering, gamma, closing.row, deformation);
                inward.wanted.insert(closing.row, left);
            }
        }
        let mut needed: Vec<ScrewValues> = Vec::new();
        for (index, (link, here)) in self.tree.links.iter().zip(&self.links).enumerate() {
            inward
                .offsets
                .push(self.offset(lowering, gamma, here, deformation));
            let drag = screw(lowering, &link.drag);
            needed.push(match sweep {
                LinkSweep::Correction => drag,
                LinkSweep::Motion => {
                    let load = self.local(index).map_or(&link.load, |local| &local.load);
                    let load = screw(lowering, load);
                    std::array::from_fn(|i| lowering.sub(drag[i], load[i]))
                }
            });
        }
        for (index, (link, here)) in self.tree.links.iter().zip(&self.links).enumerate().rev() {
            let mut p = needed[index];
            for closed in &here.closed {
                p = inward.close(lowering, closed, p);
            }
            for step in &here.passage {
                p = match step {
                    PassedStep::Free(n, freedom) => {
                        let effort = link.efforts.get(*n).filter(|_| sweep == LinkSweep::Motion);
                        let effort = effort.map(|effort| lowering.value(effort));
                        let effort = effort.unwrap_or_else(|| lowering.zero());
                        inward.free(lowering, index, freedom, effort, p)
                    }
                    PassedStep::Move(step @ AxesChange::Arm(_)) => {
                        let p = inward.push(lowering, index, here, p);
                        step.inwards(lowering, &p)
                    }
                    PassedStep::Move(step) => step.inwards(lowering, &p),
                };
            }
            if let Some(parent) = link.parent {
                needed[parent] = twist::add(lowering, &needed[parent], &p);
            }
        }
        for closed in &self.grounded {
            let zero = [lowering.zero(); 6];
            inward.close(lowering, closed, zero);
        }
        inward
    }

    /// The smallest twist that satisfies the rows of a joint: Gᵀ (G Gᵀ)⁻¹ (γ − D d)
    fn offset(
        &self,
        builder: &mut Builder,
        gamma: &SparseVector,
        here: &Eliminated,
        deformation: &SparseVector,
    ) -> ScrewValues {
        let mut right = SparseVector::new();
        for (n, (row, _)) in here.kept.iter().enumerate() {
            let left = self.left(builder, gamma, *row, deformation);
            if !builder.is_zero(left) {
                right.insert(n, left);
            }
        }
        let mut offset = [builder.zero(); 6];
        for (n, factor) in here.gram.solve(builder, &right) {
            offset = twist::add_scaled(builder, &offset, factor, &here.kept[n].1);
        }
        offset
    }
}

/// Results of the inward sweep for the outward one.
pub(super) struct Inward {
    /// The twist of each link relative to its inboard link that satisfies the rows of its joint.
    pub(super) offsets: Vec<ScrewValues>,
    /// sᵀp of each degree of freedom of each link.
    pub(super) along: Vec<Vec<Value>>,
    /// y of each loop so far.
    wanted: BTreeMap<usize, Value>,
    /// y of each loop when it was closed.
    pub(super) asked: SparseVector,
    /// Rates that rows prescribe, by row.
    pub(super) given: SparseVector,
}

impl Inward {
    /// p ← p + I o, y ← y − Pᵀ o, with o the twist that satisfies the rows of the link's joint
    fn push(
        &mut self,
        builder: &mut Builder,
        link: usize,
        here: &Eliminated,
        p: ScrewValues,
    ) -> ScrewValues {
        let offset = self.offsets[link];
        for (row, column) in &here.passed.columns {
            let moved = twist::dot(builder, column, &offset);
            self.take(builder, *row, moved);
        }
        let pushed = twist::apply(builder, &here.passed.inertia, &offset);
        twist::add(builder, &p, &pushed)
    }

    /// y ← y − x
    fn take(&mut self, builder: &mut Builder, row: usize, x: Value) {
        if let Some(y) = self.wanted.get_mut(&row) {
            *y = builder.sub(*y, x);
        }
    }

    /// p ← p − P_c y_c/δ,  y ← y − Y_c y_c/δ
    fn close(
        &mut self,
        builder: &mut Builder,
        closed: &EliminatedLoop,
        p: ScrewValues,
    ) -> ScrewValues {
        let y = self.wanted.get(&closed.row).copied();
        let y = y.unwrap_or_else(|| builder.zero());
        self.asked.insert(closed.row, y);
        let scaled = builder.mul(y, closed.reciprocal);
        for (&other, &coupling) in &closed.others {
            let moved = builder.mul(coupling, scaled);
            self.take(builder, other, moved);
        }
        twist::sub_scaled(builder, &p, scaled, &closed.column)
    }

    /// p ← p − u (sᵀp − τ)/δ,  y ← y + (sᵀP)ᵀ (sᵀp − τ)/δ, with τ the effort along the degree of freedom
    fn free(
        &mut self,
        builder: &mut Builder,
        link: usize,
        freedom: &Freedom,
        effort: Value,
        p: ScrewValues,
    ) -> ScrewValues {
        let along = twist::dot(builder, &freedom.s, &p);
        let along = builder.sub(along, effort);
        self.along[link].push(along);
        if let Some((row, reciprocal)) = freedom.given {
            return self.give(builder, freedom, (row, reciprocal), p);
        }
        let scaled = builder.mul(along, freedom.reciprocal);
        for (&row, &across) in &freedom.across {
            let moved = builder.mul(across, scaled);
            let moved = builder.neg(moved);
            self.take(builder, row, moved);
        }
        let mut p = twist::sub_scaled(builder, &p, scaled, &freedom.u);
        if let Some(k) = unit_of(builder, &freedom.s) {
            p[k] = builder.mul(freedom.s[k], effort);
        }
        p
    }

    /// p ← p + u r,  y ← y − (sᵀP)ᵀ r, with r = y_c/D the rate that a row prescribes
    fn give(
        &mut self,
        builder: &mut Builder,
        freedom: &Freedom,
        (row, reciprocal): (usize, Value),
        p: ScrewValues,
    ) -> ScrewValues {
        let y = self.wanted.get(&row).copied();
        let y = y.unwrap_or_else(|| builder.zero());
        let rate = builder.mul(y, reciprocal);
        self.given.insert(row, rate);
        for (&other, &across) in &freedom.across {
            let moved = builder.mul(across, rate);
            self.take(builder, other, moved);
        }
        twist::add_scaled(builder, &p, rate, &freedom.u)
    }
}

/// W x
fn weighted(builder: &mut Builder, weights: &[Vec<f64>], x: &[Value]) -> SparseVector {
    let mut product = SparseVector::new();
    for (n, weights) in weights.iter().enumerate() {
        let mut sum = builder.zero();
        for (&weight, &x) in weights.iter().zip(x) {
            let weight = builder.constant(weight);
            let term = builder.mul(weight, x);
            sum = builder.add(sum, term);
        }
        product.insert(n, sum);
    }
    product
}

/// (U Uᵀ)⁻¹ x
fn least(builder: &mut Builder, along: &[SparseVector], x: &[Value]) -> SparseVector {
    let mut rows = Vec::new();
    for (n, one) in along.iter().enumerate() {
        let one: Vec<(usize, Value)> = one.iter().map(|(j, u)| (*j, *u)).collect();
        let mut row = SparseVector::new();
        for (m, other) in along[..=n].iter().enumerate() {
            let product = dot(builder, &one, other);
            if !builder.is_zero(product) {
                row.insert(m, product);
            }
        }
        rows.push(row);
    }
    let x = x.iter().copied().enumerate();
    let x = x.filter(|(_, x)| !builder.is_zero(*x)).collect();
    Symmetric { rows }.factorize(builder).solve(builder, &x)
}
