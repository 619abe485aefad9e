//! The outward half of a solve. From the root outwards it finds the multipliers of loops, the twist of each link and
//! the accelerations of points.
//!
//! t is the twist of a link: its angular and its linear acceleration. s is a degree of freedom of its joint with the
//! acceleration a, u = I s and δ = sᵀ u. The demands p, P, y and Y come from the inward sweep.

use super::open::{EliminatedLoop, Freedom, unit_of};
use super::passage::{AxesChange, PassedStep};
use super::sweep::{Inward, Solved};
use super::{Eliminated, LinkAxes, Recursion, triple};
use crate::kernel::Value;
use crate::kernel::builder::instructions::Builder;
use crate::kernel::builder::translate::{Lowering, Translation};
use crate::kernel::solve::axial;
use crate::kernel::solve::factor::SparseVector;
use crate::kernel::solve::screw::{self as twist, ScrewValues};
use crate::structure::RigidLink;

impl Recursion<'_> {
    /// Solves for multipliers, twists and accelerations of points, from the root outwards.
    pub(super) fn outward(
        &self,
        builder: &mut Builder,
        inward: &Inward,
        deformation: &SparseVector,
    ) -> Solved {
        let mut outward = Outward {
            recursion: self,
            inward,
            deformation,
            solved: Solved::default(),
        };
        let ground = [builder.zero(); 6];
        outward.close(builder, &self.grounded, &ground);
        let mut twists: Vec<ScrewValues> = Vec::new();
        for (index, (link, here)) in self.tree.links.iter().zip(&self.links).enumerate() {
            let inboard = link.parent.map_or(ground, |parent| twists[parent]);
            let twist = outward.cross(builder, index, inboard);
            outward.turn(builder, index, &twist);
            outward.close(builder, &here.closed, &twist);
            outward.move_points(builder, (link, here), &twist);
            twists.push(twist);
        }
        outward.solved
    }

    /// k, if a degree of freedom is ± e_k and its rate is not prescribed. World axes are left out, because degrees of
    /// freedom are hardly ever unit vectors there.
    fn unit(&self, builder: &Builder, freedom: &Freedom) -> Option<usize> {
        let known = freedom.given.is_some() || self.axes == LinkAxes::World;
        unit_of(builder, &freedom.s).filter(|_| !known)
    }

    /// A twist of a link in world axes.
    fn in_world(&self, builder: &mut Builder, link: usize, twist: &ScrewValues) -> ScrewValues {
        let Some(local) = self.local(link) else {
            return *twist;
        };
        let mut translation = Translation::new(&self.equations.auxiliaries);
        let lowering = &mut Lowering::new(builder, &mut translation);
        let axes = local.axes.each_ref();
        let axes = axes.map(|axis| triple(lowering, axis));
        axial::out_of(builder, &axes, twist)
    }
}

/// The sweep, with the unknowns that it has found so far.
struct Outward<'s, 'a> {
    recursion: &'s Recursion<'a>,
    inward: &'s Inward,
    deformation: &'s SparseVector,
    solved: Solved,
}

impl Outward<'_, '_> {
    /// Takes the twist t from the inboard link to a link: t ← X t for each change of point or axes, t ← t + o for the
    /// constraint equations of the joint, t ← t + s a for each of its degrees of freedom.
    fn cross(&mut self, builder: &mut Builder, index: usize, inboard: ScrewValues) -> ScrewValues {
        let here = &self.recursion.links[index];
        let mut twist = inboard;
        let mut along = self.inward.along[index].iter().rev();
        for step in here.passage.iter().rev() {
            match step {
                PassedStep::Move(step) => {
                    twist = step.outwards(builder, &twist);
                    if let AxesChange::Arm(_) = step {
                        twist = twist::add(builder, &twist, &self.inward.offsets[index]);
                    }
                }
                PassedStep::Free(n, freedom) => {
                    let along = along.next().copied().unwrap_or_else(|| builder.zero());
                    let rate = self.free(builder, freedom, along, &mut twist);
                    if let Some(&j) = self.recursion.tree.links[index].rates.get(*n) {
                        self.solved.accelerations.insert(j as usize, rate);
                    }
                }
            }
        }
        twist
    }

    /// t ← t + s a for one degree of freedom. Returns a.
    fn free(
        &mut self,
        builder: &mut Builder,
        freedom: &Freedom,
        along: Value,
        twist: &mut ScrewValues,
    ) -> Value {
        if let Some(k) = self.recursion.unit(builder, freedom) {
            return self.free_along_unit(builder, freedom, (k, along), twist);
        }
        let rate = match freedom.given {
            Some(row) => self.prescribed(builder, freedom, row, along, twist),
            None => freedom.rate(builder, twist, along, &self.solved.multipliers),
        };
        *twist = twist::add_scaled(builder, twist, rate, &freedom.s);
        rate
    }

    /// For s = ± e_k the component t_k⁺ after the joint does not depend on t_k before it. t_k⁺ is found first, and a =
    /// s_k (t_k⁺ − t_k).
    fn free_along_unit(
        &self,
        builder: &mut Builder,
        freedom: &Freedom,
        (k, along): (usize, Value),
        twist: &mut ScrewValues,
    ) -> Value {
        let after = freedom.after(builder, k, twist, along, &self.solved.multipliers);
        let rate = builder.sub(after, twist[k]);
        twist[k] = after;
        builder.mul(freedom.s[k], rate)
    }

    /// a = y_c/D from the row that prescribes it, and the multiplier of that row, λ_c = (uᵀ t + sᵀp − sᵀP λ + δ a)/D.
    fn prescribed(
        &mut self,
        builder: &mut Builder,
        freedom: &Freedom,
        (row, reciprocal): (usize, Value),
        along: Value,
        twist: &ScrewValues,
    ) -> Value {
        let rate = self.inward.given[&row];
        let taken = freedom.taken(builder, twist, along, &self.solved.multipliers);
        let moving = builder.mul(freedom.pivot, rate);
        let taken = builder.add(taken, moving);
        let multiplier = builder.mul(taken, reciprocal);
        self.solved.multipliers.insert(row, multiplier);
        rate
    }

    /// ω̇ of a body whose angular velocity is among the velocities: the angular part of t, in world axes.
    fn turn(&mut self, builder: &mut Builder, index: usize, twist: &ScrewValues) {
        if let Some(turn) = &self.recursion.tree.links[index].turn {
            let turned = self.recursion.in_world(builder, index, twist);
            for (k, &j) in turn.velocities.iter().enumerate() {
                self.solved.accelerations.insert(j as usize, turned[k]);
            }
        }
    }

    /// The multipliers of the loops that meet at a link with the twist t, in reverse order of elimination: λ_c = (y_c −
    /// P_cᵀ t − Y_c λ)/δ
    fn close(&mut self, builder: &mut Builder, closed: &[EliminatedLoop], twist: &ScrewValues) {
        for closed in closed.iter().rev() {
            let moved = twist::dot(builder, &closed.column, twist);
            let left = builder.sub(self.inward.asked[&closed.row], moved);
            let left = without(builder, left, &closed.others, &self.solved.multipliers);
            let value = builder.mul(left, closed.reciprocal);
            self.solved.multipliers.insert(closed.row, value);
        }
    }

    /// The acceleration of each point of a link that has coordinates: the acceleration of the link at the point, plus
    /// the point's deformation d.
    fn move_points(
        &mut self,
        builder: &mut Builder,
        (link, here): (&RigidLink, &Eliminated),
        twist: &ScrewValues,
    ) {
        let zero = builder.zero();
        for (point, arm) in link.points.iter().zip(&here.points) {
            let moved = twist::outwards(builder, twist, arm);
            for (i, &j) in point.velocities.iter().enumerate() {
                let own = self.deformation.get(&(j as usize)).copied();
                let value = builder.add(moved[3 + i], own.unwrap_or(zero));
                self.solved.accelerations.insert(j as usize, value);
            }
        }
    }
}

impl Freedom {
    /// a = −(uᵀ t + sᵀp − sᵀP λ)/δ
    fn rate(
        &self,
        builder: &mut Builder,
        twist: &ScrewValues,
        along: Value,
        multipliers: &SparseVector,
    ) -> Value {
        let taken = self.taken(builder, twist, along, multipliers);
        let rate = builder.mul(taken, self.reciprocal);
        builder.neg(rate)
    }

    /// The component t_k⁺ after a joint with s = ± e_k: t_k⁺ = ∓ (Σ_i≠k u_i t_i + sᵀp − sᵀP λ)/δ
    fn after(
        &self,
        builder: &mut Builder,
        k: usize,
        twist: &ScrewValues,
        along: Value,
        multipliers: &SparseVector,
    ) -> Value {
        let mut sum = builder.mul(along, self.reciprocal);
        for i in (0..6).filter(|&i| i != k) {
            let weight = builder.mul(self.reciprocal, self.u[i]);
            let term = builder.mul(weight, twist[i]);
            sum = builder.add(sum, term);
        }
        for (row, &across) in &self.across {
            if let Some(&multiplier) = multipliers.get(row) {
                let weight = builder.mul(across, self.reciprocal);
                let term = builder.mul(weight, multiplier);
                sum = builder.sub(sum, term);
            }
        }
        let sum = builder.mul(self.s[k], sum);
        builder.neg(sum)
    }

    /// uᵀ t + sᵀp − sᵀP λ: the effort along the degree of freedom that keeps it at rest.
    fn taken(
        &self,
        builder: &mut Builder,
        twist: &ScrewValues,
        along: Value,
        multipliers: &SparseVector,
    ) -> Value {
        let needed = twist::dot(builder, &self.u, twist);
        let sum = builder.add(needed, along);
        without(builder, sum, &self.across, multipliers)
    }
}

/// x − Σ c λ
fn without(
    builder: &mut Builder,
    x: Value,
    coefficients: &SparseVector,
    multipliers: &SparseVector,
) -> Value {
    coefficients.iter().fold(x, |x, (row, &coefficient)| {
        let multiplier = multipliers.get(row).copied();
        let multiplier = multiplier.unwrap_or_else(|| builder.zero());
        let product = builder.mul(coefficient, multiplier);
        builder.sub(x, product)
    })
}
