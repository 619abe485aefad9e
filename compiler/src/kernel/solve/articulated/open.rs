//! The demand of a link on its inboard link, and the two eliminations that take it across a joint.

use std::collections::{BTreeMap, BTreeSet};

use super::passage::AxesChange;
use super::triple;
use crate::kernel::Value;
use crate::kernel::builder::instructions::Builder;
use crate::kernel::builder::translate::Lowering;
use crate::kernel::solve::factor::SparseVector;
use crate::kernel::solve::screw::{self as twist, ScrewValues, SpatialInertia};
use crate::structure::{LocalLink, LoopEquation, RigidLink, Tree};

/// f = I t + p − P λ and Pᵀ t + Y λ = y without p and y.
#[derive(Clone)]
pub(super) struct OpenLink {
    pub(super) inertia: SpatialInertia,
    /// The inertia of all outboard bodies as one rigid piece.
    pub(super) whole: SpatialInertia,
    pub(super) columns: BTreeMap<usize, ScrewValues>,
    /// Y by pairs of rows, the smaller one first.
    pub(super) couplings: BTreeMap<(usize, usize), Value>,
}

/// A degree of freedom that was eliminated.
pub(super) struct Freedom {
    pub(super) s: ScrewValues,
    pub(super) u: ScrewValues,
    pub(super) pivot: Value,
    /// The pivot that the degree of freedom would have if all outboard bodies were one rigid piece.
    pub(super) whole: Value,
    pub(super) reciprocal: Value,
    /// sᵀP for each open loop, plus the effect of loops along the joint rate that is not in P.
    pub(super) across: SparseVector,
    /// The row that prescribes its rate, and the reciprocal of its entry in D.
    pub(super) given: Option<(usize, Value)>,
}

/// A loop that was eliminated.
pub(super) struct EliminatedLoop {
    pub(super) row: usize,
    pub(super) column: ScrewValues,
    pub(super) diagonal: Value,
    pub(super) pivot: Value,
    pub(super) reciprocal: Value,
    /// Y_c for the other loops that were open.
    pub(super) others: SparseVector,
}

impl OpenLink {
    pub(super) fn empty(builder: &mut Builder) -> Self {
        Self {
            inertia: [[builder.zero(); 6]; 6],
            whole: [[builder.zero(); 6]; 6],
            columns: BTreeMap::new(),
            couplings: BTreeMap::new(),
        }
    }

    pub(super) fn coupling(&self, a: usize, b: usize) -> Option<Value> {
        self.couplings.get(&(a.min(b), a.max(b))).copied()
    }

    pub(super) fn add_coupling(&mut self, builder: &mut Builder, a: usize, b: usize, value: Value) {
        let key = (a.min(b), a.max(b));
        let old = self.couplings.get(&key).copied();
        let old = old.unwrap_or_else(|| builder.zero());
        let new = builder.add(old, value);
        self.couplings.insert(key, new);
    }

    /// Eliminates a degree of freedom. `beyond` is the effect of multipliers along it that is not an effect on links.
    /// Along a unit vector only that effect remains.
    pub(super) fn free(
        &mut self,
        builder: &mut Builder,
        s: ScrewValues,
        beyond: &SparseVector,
    ) -> Freedom {
        let u = twist::apply(builder, &self.inertia, &s);
        let pivot = twist::dot(builder, &s, &u);
        let whole = twist::apply(builder, &self.whole, &s);
        let whole = twist::dot(builder, &s, &whole);
        let reciprocal = builder.reciprocal(pivot);
        let negative = builder.neg(reciprocal);
        self.inertia = twist::add_square(builder, &self.inertia, negative, &u);
        let none = [builder.zero(); 6];
        for &row in beyond.keys() {
            self.columns.entry(row).or_insert(none);
        }
        let mut across = SparseVector::new();
        let unit = unit_of(builder, &s);
        for (&row, column) in &mut self.columns {
            let along = twist::dot(builder, &s, column);
            let more = beyond.get(&row).copied();
            let more = more.unwrap_or_else(|| builder.zero());
            let along = builder.add(along, more);
            if !builder.is_zero(along) {
                let scaled = builder.mul(along, reciprocal);
                *column = twist::sub_scaled(builder, column, scaled, &u);
                across.insert(row, along);
            }
            if let Some(k) = unit {
                let left = builder.mul(s[k], more);
                column[k] = builder.neg(left);
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
        if let Some(k) = unit {
            self.forget(builder, k);
        }
        Freedom {
            s,
            u,
            pivot,
            whole,
            reciprocal,
            across,
            given: None,
        }
    }

    /// A degree of freedom whose rate a row prescribes. It needs no elimination. `beyond` is the effect of multipliers
    /// of other rows along it that is not an effect on links.
    pub(super) fn give(
        &self,
        builder: &mut Builder,
        s: ScrewValues,
        beyond: &SparseVector,
        (row, entry): (usize, Value),
    ) -> Freedom {
        let u = twist::apply(builder, &self.inertia, &s);
        let pivot = twist::dot(builder, &s, &u);
        let mut across = beyond.clone();
        for (&row, column) in &self.columns {
            let along = twist::dot(builder, &s, column);
            let more = beyond.get(&row).copied();
            let more = more.unwrap_or_else(|| builder.zero());
            across.insert(row, builder.add(along, more));
        }
        let reciprocal = builder.reciprocal(entry);
        Freedom {
            s,
            u,
            pivot,
            whole: pivot,
            reciprocal: builder.zero(),
            across,
            given: Some((row, reciprocal)),
        }
    }

    /// Sets row and column k to exactly zero.
    fn forget(&mut self, builder: &mut Builder, k: usize) {
        let zero = builder.zero();
        for i in 0..6 {
            (self.inertia[i][k], self.inertia[k][i]) = (zero, zero);
        }
    }

    /// Eliminates the loops that meet at `link`, or at ground.
    pub(super) fn close(
        &mut self,
        builder: &mut Builder,
        meets: &BTreeMap<usize, Option<usize>>,
        link: Option<usize>,
    ) -> Vec<EliminatedLoop> {
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

    pub(super) fn close_one(
        &mut self,
        builder: &mut Builder,
        row: usize,
        diagonal: Value,
    ) -> EliminatedLoop {
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
        self.inertia = twist::add_square(builder, &self.inertia, reciprocal, &column);
        let pairs: Vec<(usize, Value)> = others.iter().map(|(&o, &value)| (o, value)).collect();
        for (n, &(other, coupling)) in pairs.iter().enumerate() {
            let scaled = builder.mul(coupling, reciprocal);
            let moved = twist::sub_scaled(builder, &self.columns[&other], scaled, &column);
            self.columns.insert(other, moved);
            for &(second, coupling) in &pairs[..=n] {
                let term = builder.mul(scaled, coupling);
                let term = builder.neg(term);
                self.add_coupling(builder, other, second, term);
            }
        }
        self.couplings.retain(|(a, b), _| *a != row && *b != row);
        EliminatedLoop {
            row,
            column,
            diagonal,
            pivot,
            reciprocal,
            others,
        }
    }

    /// The demand on the inner side of a step.
    pub(super) fn carry(&mut self, builder: &mut Builder, step: &AxesChange) {
        self.inertia = step.inertia_inwards(builder, &self.inertia);
        self.whole = step.inertia_inwards(builder, &self.whole);
        for column in self.columns.values_mut() {
            *column = step.inwards(builder, column);
        }
    }

    /// Adds the demand of an outboard link.
    pub(super) fn absorb(&mut self, builder: &mut Builder, outboard: &Self) {
        for i in 0..6 {
            self.inertia[i] = twist::add(builder, &self.inertia[i], &outboard.inertia[i]);
            self.whole[i] = twist::add(builder, &self.whole[i], &outboard.whole[i]);
        }
        for (&row, column) in &outboard.columns {
            let zero = [builder.zero(); 6];
            let known = self.columns.entry(row).or_insert(zero);
            *known = twist::add(builder, known, column);
        }
        for (&(a, b), &value) in &outboard.couplings {
            self.add_coupling(builder, a, b, value);
        }
    }
}

/// The demand of the link alone.
pub(super) fn start<'a>(
    lowering: &mut Lowering<'_, 'a>,
    link: &'a RigidLink,
    local: Option<&'a LocalLink>,
) -> OpenLink {
    let (mass, first_moment, inertia) = match local {
        Some(local) => (&local.mass, &local.first_moment, &local.inertia),
        None => (&link.mass, &link.first_moment, &link.inertia),
    };
    let mut open = OpenLink::empty(lowering);
    let mass = lowering.value(mass);
    let first = triple(lowering, first_moment);
    let minus = first.map(|x| lowering.neg(x));
    let zero = lowering.zero();
    // H = h̃
    let lever = [
        [zero, minus[2], first[1]],
        [first[2], zero, minus[0]],
        [minus[1], first[0], zero],
    ];
    for (i, lever) in lever.into_iter().enumerate() {
        open.inertia[3 + i][3 + i] = mass;
        for (j, lever) in lever.into_iter().enumerate() {
            open.inertia[i][j] = lowering.value(&inertia[i.max(j)][i.min(j)]);
            open.inertia[i][3 + j] = lever;
            open.inertia[3 + j][i] = lever;
        }
    }
    open.whole = open.inertia;
    open
}

/// The link where the branches of each loop meet: the outermost link from which all ends of the loop and all links with
/// its joint rates hang.
pub(super) fn meeting_points(
    tree: &Tree,
    closing: &[&LoopEquation],
) -> BTreeMap<usize, Option<usize>> {
    let carrier = |rate: &u32| {
        let mut links = tree.links.iter();
        links.find(|link| link.rates.contains(rate))?.parent
    };
    let mut meets = BTreeMap::new();
    for closing in closing {
        let ends = closing.ends.iter().map(|(end, _)| Some(*end));
        let carriers = closing.rates.iter().map(|(rate, _)| carrier(rate));
        let mut paths = ends.chain(carriers).map(|link| path(tree, link));
        let first = paths.next().unwrap_or_default();
        let others = paths.map(|path| path.into_iter().collect::<BTreeSet<usize>>());
        let others: Vec<BTreeSet<usize>> = others.collect();
        let is_common = |link: &usize| others.iter().all(|path| path.contains(link));
        // A row with one end is between that link and ground.
        let meet = match (closing.ends.len(), others.is_empty()) {
            (1, true) => None,
            _ => first.into_iter().find(is_common),
        };
        meets.insert(closing.row, meet);
    }
    meets
}

/// A link and all those inboard of it.
fn path(tree: &Tree, link: Option<usize>) -> Vec<usize> {
    std::iter::successors(link, |&link| tree.links[link].parent).collect()
}

/// k, if s is ± e_k.
pub(super) fn unit_of(builder: &Builder, s: &ScrewValues) -> Option<usize> {
    let k = s.iter().position(|&x| !builder.is_zero(x))?;
    let is_unit = builder.as_constant(s[k])?.abs() == 1.0;
    let rest = s.iter().skip(k + 1).all(|&x| builder.is_zero(x));
    (is_unit && rest).then_some(k)
}
