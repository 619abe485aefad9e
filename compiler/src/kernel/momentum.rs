//! Accelerations from the momentum of each outboard part of the tree: the unknowns are the motions that
//! joints leave, and the rows that joints and rigid bodies keep need no multipliers.
//!
//! What link b needs from its inboard side is carried from the leaves inwards as a linear function of its
//! twist t and of the multipliers λ of the loops that are still open,
//!
//! ```text
//! f = I t + p − P λ        Pᵀ t + Y λ = y
//! ```
//!
//! where the second line is what the loops ask for. Two eliminations take it across a joint, each of one
//! scalar with a pivot that is positive:
//!
//! ```text
//! a freedom s:       δ = sᵀ I s,   u = I s,    I ← I − u uᵀ/δ,     P ← P − u (sᵀP)/δ,   Y ← Y + (sᵀP)ᵀ(sᵀP)/δ
//! a closed loop c:   δ = Y_cc,     I ← I + P_c P_cᵀ/δ,             P ← P − P_c Y_c/δ,   Y ← Y − Y_cᵀ Y_c/δ
//! ```
//!
//! A loop is eliminated at the link where its two branches meet. The work is the same for each link and each
//! loop, whatever the rest of the mechanism is. The same elimination with Φ or Φ̇ in place of γ, and
//! without loads, is the projection: it is the smallest one in the mass metric.

use std::collections::{BTreeMap, BTreeSet};

use super::build::Builder;
use super::draft::Draft;
use super::dynamics::{power, threshold, write, write_rates};
use super::factor::{Factorization, SparseVector, Symmetric};
use super::interpret::trace;
use super::project::violation;
use super::screw::{self, Inertia, Screw, Triple};
use super::translate::Translation;
use super::{Array, Memory, Name, Value};
use crate::assembly::{Assembly, State};
use crate::expr::{Binary, Expr, Symbol};
use crate::formulation::{self, Link, OwnPoint, Tree};
use crate::model::Vector;
use crate::options::Options;
use crate::symbolic::Equations;

/// Rates, accelerations, multipliers of the closing rows, margin and power, and the steps Δ(Φ) of a
/// projection; the factor is written by the caller. `None` if some freedom has no inertia.
pub fn accelerate(
    equations: &Equations,
    tree: &Tree,
    assembly: &Assembly,
    rows: &[usize],
    options: &Options,
) -> Option<(Draft, SparseVector)> {
    let mut draft = Draft::new(Name::Accelerate);
    let mut translation = Translation::new(&equations.auxiliaries);
    write_rates(&mut draft, &mut translation, equations);
    let b = &mut draft.builder;
    let recursion = Recursion::new(b, &mut translation, equations, tree, rows);

    let mut gamma = SparseVector::new();
    for &k in rows {
        gamma.insert(k, translation.value(b, &equations.gamma[k]));
    }
    let solved = recursion.solve(b, &gamma, Sweep::Motion);
    let power = power(
        b,
        &mut translation,
        equations,
        rows,
        &by_position(rows, &solved.multipliers),
    );
    let traces = traces(b, assembly);
    recursion.has_inertia(&traces).then_some(())?;
    let margin = recursion.margin(b, &traces, threshold(options.scalar));
    let violation = violation(b, rows);
    let wanted = violation.into_iter().map(|(n, phi)| (rows[n], b.neg(phi)));
    let wanted = wanted.collect();
    let steps = recursion.solve(b, &wanted, Sweep::Correction).accelerations;

    write(&mut draft, Array::Accelerations, &solved.accelerations);
    write(&mut draft, Array::Multipliers, &solved.multipliers);
    draft.write(Array::Margin, 0, margin);
    draft.write(Array::Power, 0, power);
    Some((draft, steps))
}

/// Every value of the builder at each assembled state; without what velocities and loads make.
fn traces(builder: &Builder, assembly: &Assembly) -> Vec<Vec<f64>> {
    let at = |state: &State| {
        let memory = Memory::new()
            .with(Array::Parameters, &assembly.parameters)
            .with(Array::Coordinates, &state.q);
        trace(builder.instructions(), &memory, &[])
    };
    assembly.states.iter().map(at).collect()
}

/// Multipliers by their position in `rows` instead of their row.
fn by_position(rows: &[usize], multipliers: &SparseVector) -> SparseVector {
    let position = |row: &usize| rows.binary_search(row).ok();
    let entries = multipliers.iter();
    entries
        .filter_map(|(row, &value)| Some((position(row)?, value)))
        .collect()
}

/// How much the inertia along a freedom may vary between states.
const STEADY: f64 = 1e-9;

/// How small the inertia along a freedom may be against that along others: metres and radians, and parts
/// of all sizes, may be far apart.
const ROUND_OFF: f64 = 1e-14;

/// What is solved for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sweep {
    /// Accelerations under the applied forces.
    Motion,
    /// A correction: no forces, and no velocities.
    Correction,
}

/// What was found.
#[derive(Default)]
struct Solved {
    accelerations: SparseVector,
    multipliers: SparseVector,
}

/// Everything that depends on the state alone.
struct Recursion<'a> {
    equations: &'a Equations,
    tree: &'a Tree,
    /// D, for rows that take part.
    jacobian: BTreeMap<usize, Vec<(usize, Value)>>,
    links: Vec<Eliminated>,
    /// Loops that are closed at ground.
    grounded: Vec<Closed>,
}

/// A link after its elimination.
struct Eliminated {
    arm: Triple,
    closed: Vec<Closed>,
    freedoms: Vec<Freedom>,
    /// Rows of its joint and (G Gᵀ) = L Δ Lᵀ.
    kept: Vec<(usize, Screw)>,
    gram: Factorization,
    /// I and P as its inboard link feels them, about its own reference point.
    passed: Open,
    /// Arms of its own points.
    points: Vec<Triple>,
}

/// A freedom that was eliminated.
struct Freedom {
    s: Screw,
    u: Screw,
    pivot: Value,
    reciprocal: Value,
    /// sᵀP for each open loop.
    across: SparseVector,
}

/// A loop that was eliminated.
struct Closed {
    row: usize,
    column: Screw,
    diagonal: Value,
    pivot: Value,
    reciprocal: Value,
    /// Y_c for the other loops that were open.
    others: SparseVector,
}

/// f = I t + p − P λ and Pᵀ t + Y λ = y without p and y.
#[derive(Clone)]
struct Open {
    inertia: Inertia,
    columns: BTreeMap<usize, Screw>,
    /// Y by pairs of rows, the smaller one first.
    couplings: BTreeMap<(usize, usize), Value>,
}

impl<'a> Recursion<'a> {
    fn new(
        builder: &mut Builder,
        translation: &mut Translation<'a>,
        equations: &'a Equations,
        tree: &'a Tree,
        rows: &[usize],
    ) -> Self {
        let mut this = Self {
            equations,
            tree,
            jacobian: BTreeMap::new(),
            links: Vec::new(),
            grounded: Vec::new(),
        };
        for &k in rows {
            let row = translation.row(builder, &equations.jacobian[k]);
            this.jacobian.insert(k, row);
        }
        let meets = meeting_points(tree, rows);
        let mut open: Vec<Open> = Vec::new();
        for (index, link) in tree.links.iter().enumerate() {
            open.push(start(builder, translation, tree, index, link, rows));
        }
        let mut eliminated: Vec<Option<Eliminated>> = tree.links.iter().map(|_| None).collect();
        let mut ground = Open::empty(builder);
        for (index, link) in tree.links.iter().enumerate().rev() {
            let mut here = open[index].clone();
            let closed = here.close(builder, &meets, Some(index));
            let freedoms = link
                .freedoms
                .iter()
                .map(|freedom| {
                    let s = self::screw(builder, translation, freedom);
                    here.free(builder, s)
                })
                .collect();
            let arm = triple(builder, translation, &link.arm);
            let outer = match link.parent {
                Some(parent) => &mut open[parent],
                None => &mut ground,
            };
            outer.absorb(builder, &here, &arm);
            let kept = kept(builder, translation, link);
            let points = link.points.iter();
            let points = points.map(|point| triple(builder, translation, &point.arm));
            eliminated[index] = Some(Eliminated {
                arm,
                closed,
                freedoms,
                points: points.collect(),
                gram: gram(builder, &kept),
                kept,
                passed: here,
            });
        }
        this.links = eliminated.into_iter().flatten().collect();
        this.grounded = ground.close(builder, &meets, None);
        this
    }

    /// M x + … = loads and D x = γ, for γ by row.
    fn solve(&self, builder: &mut Builder, gamma: &SparseVector, sweep: Sweep) -> Solved {
        let mut translation = Translation::new(&self.equations.auxiliaries);
        if sweep == Sweep::Correction {
            for i in 0..self.equations.n_velocities {
                let zero = builder.zero();
                translation.give(Symbol::Velocity(i as u32), zero);
            }
        }
        let deformation = self.deformation(builder, gamma);
        for i in 0..self.equations.n_velocities {
            let zero = builder.zero();
            let value = deformation.get(&i).copied().unwrap_or(zero);
            translation.give(Symbol::Acceleration(i as u32), value);
        }
        let mut inward = self.inward(builder, &mut translation, gamma, &deformation, sweep);
        self.outward(builder, &mut inward, deformation)
    }

    /// d of the own points, from the root outwards: d = Σ κ u with (U Uᵀ) κ = γ − D d of earlier points.
    fn deformation(&self, builder: &mut Builder, gamma: &SparseVector) -> SparseVector {
        let mut deformation = SparseVector::new();
        for link in &self.tree.links {
            for point in &link.points {
                self.deform(builder, gamma, point, &mut deformation);
            }
        }
        deformation
    }

    fn deform(
        &self,
        builder: &mut Builder,
        gamma: &SparseVector,
        point: &OwnPoint,
        deformation: &mut SparseVector,
    ) {
        let is_own = |j: usize| point.velocities.contains(&(j as u32));
        let left: Vec<Value> = point
            .rows
            .iter()
            .map(|&k| self.left(builder, gamma, k, deformation))
            .collect();
        let mut own = SparseVector::new();
        for (row, weights) in point.rows.iter().zip(&point.gram) {
            let mut kappa = builder.zero();
            for (&weight, &left) in weights.iter().zip(&left) {
                let weight = builder.constant(weight);
                let term = builder.mul(weight, left);
                kappa = builder.add(kappa, term);
            }
            for &(j, u) in self.jacobian[row].iter().filter(|(j, _)| is_own(*j)) {
                super::factor::add_product(builder, &mut own, j, kappa, u);
            }
        }
        deformation.extend(own);
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
        let along = super::factor::dot(builder, &self.jacobian[&row], deformation);
        builder.sub(gamma, along)
    }

    /// From the leaves inwards: what does not depend on twists and multipliers.
    fn inward(
        &self,
        builder: &mut Builder,
        translation: &mut Translation<'a>,
        gamma: &SparseVector,
        deformation: &SparseVector,
        sweep: Sweep,
    ) -> Inward {
        let mut inward = Inward {
            offsets: Vec::new(),
            along: vec![Vec::new(); self.links.len()],
            asked: SparseVector::new(),
            wanted: BTreeMap::new(),
        };
        for closing in &self.tree.closing {
            if self.jacobian.contains_key(&closing.row) {
                let left = self.left(builder, gamma, closing.row, deformation);
                inward.wanted.insert(closing.row, left);
            }
        }
        let mut needed: Vec<Screw> = Vec::new();
        for (link, here) in self.tree.links.iter().zip(&self.links) {
            inward
                .offsets
                .push(self.offset(builder, gamma, here, deformation));
            let drag = screw(builder, translation, &link.drag);
            needed.push(match sweep {
                Sweep::Correction => drag,
                Sweep::Motion => {
                    let load = screw(builder, translation, &link.load);
                    std::array::from_fn(|i| builder.sub(drag[i], load[i]))
                }
            });
        }
        for (index, (link, here)) in self.tree.links.iter().zip(&self.links).enumerate().rev() {
            let mut p = needed[index];
            for closed in &here.closed {
                p = inward.close(builder, closed, p);
            }
            for freedom in &here.freedoms {
                p = inward.free(builder, index, freedom, p);
            }
            let offset = inward.offsets[index];
            let pushed = screw::apply(builder, &here.passed.inertia, &offset);
            p = screw::add(builder, &p, &pushed);
            for (row, column) in &here.passed.columns {
                let moved = screw::dot(builder, column, &offset);
                inward.take(builder, *row, moved);
            }
            if let Some(parent) = link.parent {
                let p = screw::inwards(builder, &p, &here.arm);
                needed[parent] = screw::add(builder, &needed[parent], &p);
            }
        }
        for closed in &self.grounded {
            let zero = [builder.zero(); 6];
            inward.close(builder, closed, zero);
        }
        inward
    }

    /// The smallest twist that the rows of a joint ask for: Gᵀ (G Gᵀ)⁻¹ (γ − D d)
    fn offset(
        &self,
        builder: &mut Builder,
        gamma: &SparseVector,
        here: &Eliminated,
        deformation: &SparseVector,
    ) -> Screw {
        let mut right = SparseVector::new();
        for (n, (row, _)) in here.kept.iter().enumerate() {
            let left = self.left(builder, gamma, *row, deformation);
            if !builder.is_zero(left) {
                right.insert(n, left);
            }
        }
        let mut offset = [builder.zero(); 6];
        for (n, factor) in here.gram.solve(builder, &right) {
            offset = screw::add_scaled(builder, &offset, factor, &here.kept[n].1);
        }
        offset
    }

    /// From the root outwards: multipliers, twists, and the motion of each point.
    fn outward(
        &self,
        builder: &mut Builder,
        inward: &mut Inward,
        deformation: SparseVector,
    ) -> Solved {
        let mut solved = Solved::default();
        let zero = builder.zero();
        for closed in self.grounded.iter().rev() {
            inward.multiplier(builder, closed, &[zero; 6], &mut solved.multipliers);
        }
        let mut twists: Vec<Screw> = Vec::new();
        for (index, (link, here)) in self.tree.links.iter().zip(&self.links).enumerate() {
            let carried = match link.parent {
                Some(parent) => screw::outwards(builder, &twists[parent], &here.arm),
                None => [zero; 6],
            };
            let mut twist = screw::add(builder, &carried, &inward.offsets[index]);
            let along = inward.along[index].iter().rev();
            for (freedom, &along) in here.freedoms.iter().rev().zip(along) {
                let rate = freedom.rate(builder, &twist, along, &solved.multipliers);
                twist = screw::add_scaled(builder, &twist, rate, &freedom.s);
            }
            for closed in here.closed.iter().rev() {
                inward.multiplier(builder, closed, &twist, &mut solved.multipliers);
            }
            for (point, arm) in link.points.iter().zip(&here.points) {
                let moved = screw::outwards(builder, &twist, arm);
                for (i, &j) in point.velocities.iter().enumerate() {
                    let own = deformation.get(&(j as usize)).copied().unwrap_or(zero);
                    let value = builder.add(moved[3 + i], own);
                    solved.accelerations.insert(j as usize, value);
                }
            }
            twists.push(twist);
        }
        solved
    }

    /// True if every freedom has a sound pivot at all states: not lost in the round-off of the largest one,
    /// and about the same everywhere.
    fn has_inertia(&self, traces: &[Vec<f64>]) -> bool {
        let freedoms = || self.links.iter().flat_map(|link| &link.freedoms);
        let at = |trace: &Vec<f64>, freedom: &Freedom| trace[freedom.pivot.0 as usize];
        let sound = |trace: &Vec<f64>| {
            let largest = freedoms().map(|f| at(trace, f)).fold(0.0, f64::max);
            freedoms().all(|freedom| at(trace, freedom) > ROUND_OFF * largest)
        };
        let steady = |freedom: &Freedom| {
            let pivots = traces.iter().map(|trace| at(trace, freedom));
            let (least, most) = pivots.fold((f64::INFINITY, 0.0_f64), |(least, most), pivot| {
                (least.min(pivot), most.max(pivot))
            });
            least > STEADY * most
        };
        traces.iter().all(sound) && freedoms().all(steady)
    }

    /// min over the loops of δ − ε s with s the largest Y_cc at the assembled states; 1 if there are none.
    /// The pivots of freedoms are never smaller than the inertia of their own link.
    fn margin(&self, builder: &mut Builder, traces: &[Vec<f64>], threshold: f64) -> Value {
        let mut least = None;
        let closed = self.links.iter().flat_map(|link| &link.closed);
        for closed in closed.chain(&self.grounded) {
            let sizes = traces.iter().map(|trace| trace[closed.diagonal.0 as usize]);
            let limit = builder.constant(threshold * sizes.fold(0.0, f64::max));
            let above = builder.sub(closed.pivot, limit);
            least = Some(match least {
                None => above,
                Some(least) => builder.binary(Binary::Min, least, above),
            });
        }
        least.unwrap_or_else(|| builder.constant(1.0))
    }
}

/// What the inward sweep leaves for the outward one.
struct Inward {
    /// The twist of each link relative to its inboard one that its joint's rows ask for.
    offsets: Vec<Screw>,
    /// sᵀp of each freedom of each link.
    along: Vec<Vec<Value>>,
    /// y of each loop so far.
    wanted: BTreeMap<usize, Value>,
    /// y of each loop when it was closed.
    asked: SparseVector,
}

impl Inward {
    /// y ← y − x
    fn take(&mut self, builder: &mut Builder, row: usize, x: Value) {
        if let Some(y) = self.wanted.get_mut(&row) {
            *y = builder.sub(*y, x);
        }
    }

    /// p ← p − P_c y_c/δ,  y ← y − Y_c y_c/δ
    fn close(&mut self, builder: &mut Builder, closed: &Closed, p: Screw) -> Screw {
        let y = self.wanted.get(&closed.row).copied();
        let y = y.unwrap_or_else(|| builder.zero());
        self.asked.insert(closed.row, y);
        let scaled = builder.mul(y, closed.reciprocal);
        for (&other, &coupling) in &closed.others {
            let moved = builder.mul(coupling, scaled);
            self.take(builder, other, moved);
        }
        screw::sub_scaled(builder, &p, scaled, &closed.column)
    }

    /// p ← p − u (sᵀp)/δ,  y ← y + (sᵀP)ᵀ (sᵀp)/δ
    fn free(&mut self, builder: &mut Builder, link: usize, freedom: &Freedom, p: Screw) -> Screw {
        let along = screw::dot(builder, &freedom.s, &p);
        self.along[link].push(along);
        let scaled = builder.mul(along, freedom.reciprocal);
        for (&row, &across) in &freedom.across {
            let moved = builder.mul(across, scaled);
            let moved = builder.neg(moved);
            self.take(builder, row, moved);
        }
        let mut p = screw::sub_scaled(builder, &p, scaled, &freedom.u);
        if let Some(k) = unit_of(builder, &freedom.s) {
            p[k] = builder.zero();
        }
        p
    }

    /// λ_c = (y_c − P_cᵀ t − Y_c λ)/δ
    fn multiplier(
        &mut self,
        builder: &mut Builder,
        closed: &Closed,
        twist: &Screw,
        multipliers: &mut SparseVector,
    ) {
        let mut left = self.asked[&closed.row];
        let moved = screw::dot(builder, &closed.column, twist);
        left = builder.sub(left, moved);
        for (other, &coupling) in &closed.others {
            let multiplier = multipliers.get(other).copied();
            let multiplier = multiplier.unwrap_or_else(|| builder.zero());
            let moved = builder.mul(coupling, multiplier);
            left = builder.sub(left, moved);
        }
        let value = builder.mul(left, closed.reciprocal);
        multipliers.insert(closed.row, value);
    }
}

impl Freedom {
    /// a = (−uᵀ t − sᵀp + sᵀP λ)/δ
    fn rate(
        &self,
        builder: &mut Builder,
        twist: &Screw,
        along: Value,
        multipliers: &SparseVector,
    ) -> Value {
        let needed = screw::dot(builder, &self.u, twist);
        let mut sum = builder.add(needed, along);
        for (row, &across) in &self.across {
            let multiplier = multipliers.get(row).copied();
            let multiplier = multiplier.unwrap_or_else(|| builder.zero());
            let pushed = builder.mul(across, multiplier);
            sum = builder.sub(sum, pushed);
        }
        let rate = builder.mul(sum, self.reciprocal);
        builder.neg(rate)
    }
}

impl Open {
    fn empty(builder: &mut Builder) -> Self {
        Self {
            inertia: [[builder.zero(); 6]; 6],
            columns: BTreeMap::new(),
            couplings: BTreeMap::new(),
        }
    }

    fn coupling(&self, a: usize, b: usize) -> Option<Value> {
        self.couplings.get(&(a.min(b), a.max(b))).copied()
    }

    fn add_coupling(&mut self, builder: &mut Builder, a: usize, b: usize, value: Value) {
        let key = (a.min(b), a.max(b));
        let old = self.couplings.get(&key).copied();
        let old = old.unwrap_or_else(|| builder.zero());
        let new = builder.add(old, value);
        self.couplings.insert(key, new);
    }

    /// Eliminates a freedom. Along a unit vector nothing is left at all.
    fn free(&mut self, builder: &mut Builder, s: Screw) -> Freedom {
        let u = screw::apply(builder, &self.inertia, &s);
        let pivot = screw::dot(builder, &s, &u);
        let reciprocal = builder.reciprocal(pivot);
        let negative = builder.neg(reciprocal);
        self.inertia = screw::add_square(builder, &self.inertia, negative, &u);
        let mut across = SparseVector::new();
        for (&row, column) in &mut self.columns {
            let along = screw::dot(builder, &s, column);
            if !builder.is_zero(along) {
                let scaled = builder.mul(along, reciprocal);
                *column = screw::sub_scaled(builder, column, scaled, &u);
                across.insert(row, along);
            }
        }
        let pairs: Vec<(usize, Value)> = across.iter().map(|(&row, &value)| (row, value)).collect();
        for (n, &(row, along)) in pairs.iter().enumerate() {
            let scaled = builder.mul(along, reciprocal);
            for &(other, along) in &pairs[..=n] {
                let term = builder.mul(scaled, along);
                self.add_coupling(builder, row, other, term);
            }
        }
        if let Some(k) = unit_of(builder, &s) {
            self.forget(builder, k);
        }
        Freedom {
            s,
            u,
            pivot,
            reciprocal,
            across,
        }
    }

    /// Row and column k are exactly zero.
    fn forget(&mut self, builder: &mut Builder, k: usize) {
        let zero = builder.zero();
        for i in 0..6 {
            (self.inertia[i][k], self.inertia[k][i]) = (zero, zero);
        }
        for column in self.columns.values_mut() {
            column[k] = zero;
        }
    }

    /// Eliminates the loops that meet at `link`, or at ground.
    fn close(
        &mut self,
        builder: &mut Builder,
        meets: &BTreeMap<usize, Option<usize>>,
        link: Option<usize>,
    ) -> Vec<Closed> {
        let rows: Vec<usize> = self.columns.keys().copied().collect();
        let rows: Vec<usize> = rows.into_iter().filter(|row| meets[row] == link).collect();
        let zero = builder.zero();
        let diagonals: Vec<Value> = rows
            .iter()
            .map(|&row| self.coupling(row, row).unwrap_or(zero))
            .collect();
        let closed = rows.into_iter().zip(diagonals);
        closed
            .map(|(row, diagonal)| self.close_one(builder, row, diagonal))
            .collect()
    }

    fn close_one(&mut self, builder: &mut Builder, row: usize, diagonal: Value) -> Closed {
        let zero = builder.zero();
        let column = self.columns.remove(&row).unwrap_or([zero; 6]);
        let pivot = self.coupling(row, row).unwrap_or(zero);
        let reciprocal = builder.reciprocal(pivot);
        let mut others = SparseVector::new();
        for &other in self.columns.keys() {
            if let Some(coupling) = self.coupling(row, other)
                && !builder.is_zero(coupling)
            {
                others.insert(other, coupling);
            }
        }
        self.inertia = screw::add_square(builder, &self.inertia, reciprocal, &column);
        let pairs: Vec<(usize, Value)> = others.iter().map(|(&o, &value)| (o, value)).collect();
        for (n, &(other, coupling)) in pairs.iter().enumerate() {
            let scaled = builder.mul(coupling, reciprocal);
            let moved = screw::sub_scaled(builder, &self.columns[&other], scaled, &column);
            self.columns.insert(other, moved);
            for &(second, coupling) in &pairs[..=n] {
                let term = builder.mul(scaled, coupling);
                let term = builder.neg(term);
                self.add_coupling(builder, other, second, term);
            }
        }
        self.couplings.retain(|(a, b), _| *a != row && *b != row);
        Closed {
            row,
            column,
            diagonal,
            pivot,
            reciprocal,
            others,
        }
    }

    /// Adds what an outboard link asks for, from the end of its arm.
    fn absorb(&mut self, builder: &mut Builder, outboard: &Self, arm: &Triple) {
        let shifted = screw::inertia_inwards(builder, &outboard.inertia, arm);
        for (row, shifted) in self.inertia.iter_mut().zip(&shifted) {
            *row = screw::add(builder, row, shifted);
        }
        for (&row, column) in &outboard.columns {
            let shifted = screw::inwards(builder, column, arm);
            let zero = [builder.zero(); 6];
            let known = self.columns.entry(row).or_insert(zero);
            *known = screw::add(builder, known, &shifted);
        }
        for (&(a, b), &value) in &outboard.couplings {
            self.add_coupling(builder, a, b, value);
        }
    }
}

/// The link alone, with the ends of loops that are on it.
fn start<'a>(
    builder: &mut Builder,
    translation: &mut Translation<'a>,
    tree: &'a Tree,
    index: usize,
    link: &'a Link,
    rows: &[usize],
) -> Open {
    let mut open = Open::empty(builder);
    let mass = translation.value(builder, &link.mass);
    let first = triple(builder, translation, &link.first_moment);
    let minus = first.map(|x| builder.neg(x));
    let zero = builder.zero();
    // H = h̃
    let lever = [
        [zero, minus[2], first[1]],
        [first[2], zero, minus[0]],
        [minus[1], first[0], zero],
    ];
    for i in 0..3 {
        open.inertia[3 + i][3 + i] = mass;
        for j in 0..3 {
            open.inertia[i][j] = translation.value(builder, &link.inertia[i.max(j)][i.min(j)]);
            open.inertia[i][3 + j] = lever[i][j];
            open.inertia[3 + j][i] = lever[i][j];
        }
    }
    for closing in tree
        .closing
        .iter()
        .filter(|closing| rows.binary_search(&closing.row).is_ok())
    {
        for (_, wrench) in closing.ends.iter().filter(|(end, _)| *end == index) {
            let column = screw(builder, translation, wrench);
            open.columns.insert(closing.row, column);
        }
    }
    open
}

/// Where the branches of each loop meet: the last link that both ends hang on.
fn meeting_points(tree: &Tree, rows: &[usize]) -> BTreeMap<usize, Option<usize>> {
    let mut meets = BTreeMap::new();
    for closing in tree
        .closing
        .iter()
        .filter(|closing| rows.binary_search(&closing.row).is_ok())
    {
        let mut paths = closing.ends.iter().map(|(end, _)| path(tree, *end));
        let first = paths.next().unwrap_or_default();
        // A row with one end is between that link and ground.
        let meet = paths.next().and_then(|second| {
            let second: BTreeSet<usize> = second.into_iter().collect();
            first.into_iter().find(|link| second.contains(link))
        });
        meets.insert(closing.row, meet);
    }
    meets
}

/// A link and all those inboard of it.
fn path(tree: &Tree, link: usize) -> Vec<usize> {
    std::iter::successors(Some(link), |&link| tree.links[link].parent).collect()
}

/// The rows of a link's joint.
fn kept<'a>(
    builder: &mut Builder,
    translation: &mut Translation<'a>,
    link: &'a Link,
) -> Vec<(usize, Screw)> {
    let rows = link.rows.iter();
    rows.map(|(row, wrench)| (*row, screw(builder, translation, wrench)))
        .collect()
}

/// G Gᵀ = L Δ Lᵀ
fn gram(builder: &mut Builder, kept: &[(usize, Screw)]) -> Factorization {
    let row = |builder: &mut Builder, n: usize| -> SparseVector {
        let mut entries = SparseVector::new();
        for m in 0..=n {
            let product = screw::dot(builder, &kept[n].1, &kept[m].1);
            if !builder.is_zero(product) {
                entries.insert(m, product);
            }
        }
        entries
    };
    let rows = (0..kept.len()).map(|n| row(builder, n)).collect();
    Symmetric { rows }.factorize(builder)
}

/// k, if s is the k-th unit vector.
fn unit_of(builder: &Builder, s: &Screw) -> Option<usize> {
    let k = s.iter().position(|&x| !builder.is_zero(x))?;
    let is_unit = builder.as_constant(s[k])?.abs() == 1.0;
    let rest = s.iter().skip(k + 1).all(|&x| builder.is_zero(x));
    (is_unit && rest).then_some(k)
}

fn triple<'a>(
    builder: &mut Builder,
    translation: &mut Translation<'a>,
    vector: &'a Vector,
) -> Triple {
    let value = |e: &'a Expr| translation.value(builder, e);
    vector.each_ref().map(value)
}

fn screw<'a>(
    builder: &mut Builder,
    translation: &mut Translation<'a>,
    screw: &'a formulation::Screw,
) -> Screw {
    let angular = triple(builder, translation, &screw.angular);
    let linear = triple(builder, translation, &screw.linear);
    self::screw::join(angular, linear)
}
