//! The outward half of a solve: multipliers of loops, twists of links and the motion of each point, from the root
//! outwards.
//!
//! t is the twist of a link, its angular and its linear acceleration. s is a degree of freedom of its joint with the
//! acceleration a, u = I s and δ = sᵀ u. The demands p, P, y and Y are those that the inward sweep has found.

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
    /// From the root outwards: multipliers, twists, and the motion of each point.
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

    /// k, if a degree of freedom is ± e_k and its rate is not prescribed. In world axes it hardly ever is.
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

/// The sweep, with all that it has solved for so far.
struct Outward<'s, 'a> {
    recursion: &'s Recursion<'a>,
    inward: &'s Inward,
    deformation: &'s SparseVector,
    solved: Solved,
}

impl Outward<'_, '_> {
    /// t ← X t for each step of the passage between the bodies, t ← t + o for the rows of the joint, and t ← t + s a
    /// for each of its degrees of freedom.
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

    /// t ← t + s a for one degree of freedom; returns a.
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

    /// Along s = ± e_k nothing depends on t_k as it was: t_k⁺ is found by itself, and a = s_k (t_k⁺ − t_k).
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

    /// a = y_c/D, as a row prescribes it, and λ_c = (uᵀ t + sᵀp − sᵀP λ + δ a)/D: the effort of that row.
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

    /// ω̇ of a body that has it among its accelerations: the first half of t, in world axes.
    fn turn(&mut self, builder: &mut Builder, index: usize, twist: &ScrewValues) {
        if let Some(turn) = &self.recursion.tree.links[index].turn {
            let turned = self.recursion.in_world(builder, index, twist);
            for (k, &j) in turn.velocities.iter().enumerate() {
                self.solved.accelerations.insert(j as usize, turned[k]);
            }
        }
    }

    /// The multipliers of the loops that meet at a link with the twist t, the last one that was eliminated first:
    /// λ_c = (y_c − P_cᵀ t − Y_c λ)/δ
    fn close(&mut self, builder: &mut Builder, closed: &[EliminatedLoop], twist: &ScrewValues) {
        for closed in closed.iter().rev() {
            let moved = twist::dot(builder, &closed.column, twist);
            let left = builder.sub(self.inward.asked[&closed.row], moved);
            let left = without(builder, left, &closed.others, &self.solved.multipliers);
            let value = builder.mul(left, closed.reciprocal);
            self.solved.multipliers.insert(closed.row, value);
        }
    }

    /// The acceleration of each own point of a link: that of the link at the point, and the point's deformation d.
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

    /// Along s = ± e_k the rate is what is missing to t_k = ∓ (Σ_i≠k u_i t_i + sᵀp − sᵀP λ)/δ.
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
