//! Accelerations from the momentum of each outboard part of the tree. The unknowns are the motions that joints leave,
//! and the constraint equations of tree joints and rigid bodies need no multipliers.
//!
//! The demand of link b on its inboard side is carried from the leaves inwards as a linear function of its twist t and
//! of the multipliers λ of the loops that are still open,
//!
//! ```text
//! f = I t + p − P λ        Pᵀ t + Y λ = y
//! ```
//!
//! where the second equation is the condition of the open loops. Two eliminations take it across a joint. Each
//! eliminates one scalar, with a positive pivot:
//!
//! ```text
//! a freedom s:       δ = sᵀ I s,   u = I s,    I ← I − u uᵀ/δ,     P ← P − u (sᵀP)/δ,   Y ← Y + (sᵀP)ᵀ(sᵀP)/δ
//! a closed loop c:   δ = Y_cc,     I ← I + P_c P_cᵀ/δ,             P ← P − P_c Y_c/δ,   Y ← Y − Y_cᵀ Y_c/δ
//! ```
//!
//! A degree of freedom whose rate a row prescribes is not eliminated: its rate r goes in as p ← p + u r, and the effort
//! along it is the multiplier. A loop is eliminated at the link where its two branches meet. The work is the same for
//! each link and each loop, whatever the rest of the mechanism is. The same elimination with Φ or Φ̇ in place of γ, and
//! without loads, is the projection: it is the smallest one in the mass metric.
//!
//! These formulas hold in any axes. In world axes an arm leads from link to link. In the axes of the links a few steps
//! do, each along or about one axis, with the degrees of freedom between them.

mod open;
mod outward;
mod passage;
mod sweep;
mod tree;

use std::collections::BTreeMap;

use crate::assembly::Assembly;
use crate::expr::Expr;
use crate::kernel::builder::draft::FunctionDraft;
use crate::kernel::builder::instructions::Builder;
use crate::kernel::builder::translate::{Lowering, Translation};
use crate::kernel::counts;
use crate::kernel::language::interpret::traces;
use crate::kernel::passes::hoist::Prepared;
use crate::kernel::passes::place_signs::place_signs;
use crate::kernel::solve::axial;
use crate::kernel::solve::factor::{Factorization, SparseVector, Symmetric};
use crate::kernel::solve::margin::{Pivot, largest, margin, threshold_of_products};
use crate::kernel::solve::project::{Steps, violation};
use crate::kernel::solve::schur::{power, write, write_rates};
use crate::kernel::solve::screw::{self, ScrewValues, Triple};
use crate::kernel::solve::stabilization::Stabilization;
use crate::kernel::{Array, Value};
use crate::model::Vector;
use crate::options::Options;
use crate::structure::{self, LocalLink, LoopEquation, RigidLink, Tree};
use crate::symbolic::Equations;
use open::{EliminatedLoop, Freedom, OpenLink, meeting_points};
use passage::{AxesChange, PassageStep, PassedStep};
use sweep::LinkSweep;
pub use tree::{forces, mass_times};

/// Smallest inertia along a degree of freedom, as a share of the inertia of all bodies that hang on it. It is far above
/// the round-off of the eliminations, and far below the inertia of light links with heavy loads.
const ROUND_OFF: f64 = 1e-13;

/// Smallest inertia along a degree of freedom that loops determine, as a share of the inertia of the mechanism. Forces
/// that pass it are divided by it.
const LIGHT: f64 = 1e-8;

/// The axes in which links are described.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkAxes {
    /// World axes, for all links.
    World,
    /// Axes that turn with each link, if the formulation has them.
    Links,
}

/// Rates, accelerations, multipliers of the closing equations, margin and power, and the steps Δ(Φ) of a projection.
/// The caller writes the factor. `None` if a degree of freedom has no inertia, or an equation of a tree joint is
/// redundant. In the axes of the links, moments are constant and degrees of freedom are unit vectors, but constraint
/// equations are given in the world. If the formulation has both, both are built, and the one with fewer operations is
/// kept.
pub fn accelerate(
    equations: &Equations,
    tree: &Tree,
    assembly: &Assembly,
    rows: &[usize],
    stabilization: Stabilization,
    options: &Options,
) -> Option<(FunctionDraft, Steps)> {
    keeps_its_rows(tree, rows).then_some(())?;
    let axes = match tree.local.is_empty() {
        true => &[LinkAxes::World][..],
        false => &[LinkAxes::World, LinkAxes::Links],
    };
    let built = axes.iter().filter_map(|axes| {
        in_axes(
            equations,
            tree,
            assembly,
            rows,
            stabilization,
            options,
            *axes,
        )
    });
    built.min_by_key(|(draft, _)| work(draft))
}

/// Weighted operations, without prepared values.
fn work(draft: &FunctionDraft) -> usize {
    let function = Prepared::default().hoist(&draft.clone().finish());
    counts(&place_signs(&function).instructions).weighted()
}

/// The functions in given axes.
pub fn in_axes(
    equations: &Equations,
    tree: &Tree,
    assembly: &Assembly,
    rows: &[usize],
    stabilization: Stabilization,
    options: &Options,
    axes: LinkAxes,
) -> Option<(FunctionDraft, Steps)> {
    let mut draft = FunctionDraft::new(stabilization.name());
    let mut translation = Translation::new(&equations.auxiliaries);
    write_rates(&mut draft, &mut translation, equations);
    let b = &mut Lowering::new(&mut draft.builder, &mut translation);
    let recursion = Recursion::new(b, equations, tree, rows, axes);

    let gamma = stabilization.gamma(b, equations, rows, recursion.jacobian.values());
    let gamma = rows.iter().copied().zip(gamma).collect();
    let solved = recursion.solve(b, &gamma, LinkSweep::Motion);
    let power = power(b, equations, rows, &by_position(rows, &solved.multipliers));
    let traces = traces(b, assembly);
    recursion.has_inertia(&traces).then_some(())?;
    recursion
        .bears_loops(&traces, assembly.size)
        .then_some(())?;
    let margin = recursion.margin(b, &traces, threshold_of_products(options.scalar));
    let violation = violation(b, rows);
    let wanted = violation.into_iter().map(|(n, phi)| (rows[n], b.neg(phi)));
    let wanted = wanted.collect();
    let steps = Steps {
        velocities: recursion
            .solve(b, &wanted, LinkSweep::Correction)
            .accelerations,
        multipliers: SparseVector::new(),
    };

    write(&mut draft, Array::Accelerations, &solved.accelerations);
    write(&mut draft, Array::Multipliers, &solved.multipliers);
    draft.write(Array::Margin, 0, margin);
    draft.write(Array::Power, 0, power);
    Some((draft, steps))
}

/// True if no constraint equation of a tree joint is redundant.
fn keeps_its_rows(tree: &Tree, rows: &[usize]) -> bool {
    let of_points = |link: &'_ RigidLink| -> Vec<usize> {
        let points = link.points.iter();
        points.flat_map(|point| point.rows.clone()).collect()
    };
    let of_joints = |link: &RigidLink| link.rows.iter().map(|(row, _)| *row).collect();
    let links = tree.links.iter();
    let mut kept = links.flat_map(|link| [of_points(link), of_joints(link)].concat());
    kept.all(|row| rows.binary_search(&row).is_ok())
}

/// Multipliers by their position in `rows` instead of their row.
fn by_position(rows: &[usize], multipliers: &SparseVector) -> SparseVector {
    let position = |row: &usize| rows.binary_search(row).ok();
    let entries = multipliers.iter();
    entries
        .filter_map(|(row, &value)| Some((position(row)?, value)))
        .collect()
}

/// Everything that depends on the state alone.
struct Recursion<'a> {
    equations: &'a Equations,
    tree: &'a Tree,
    axes: LinkAxes,
    /// D, for rows that take part.
    jacobian: BTreeMap<usize, Vec<(usize, Value)>>,
    links: Vec<Eliminated>,
    /// Loops that are closed at ground.
    grounded: Vec<EliminatedLoop>,
}

/// A link after its elimination.
struct Eliminated {
    closed: Vec<EliminatedLoop>,
    /// The steps to its inboard link.
    passage: Vec<PassedStep>,
    /// Rows of its joint and (G Gᵀ) = L Δ Lᵀ.
    kept: Vec<(usize, ScrewValues)>,
    gram: Factorization,
    /// I and P that act on its inboard link, about the reference point of this link.
    passed: OpenLink,
    /// Arms of its own points.
    points: Vec<Triple>,
}

impl<'a> Recursion<'a> {
    fn new(
        lowering: &mut Lowering<'_, 'a>,
        equations: &'a Equations,
        tree: &'a Tree,
        rows: &[usize],
        axes: LinkAxes,
    ) -> Self {
        let mut this = Self {
            equations,
            tree,
            axes,
            jacobian: BTreeMap::new(),
            links: Vec::new(),
            grounded: Vec::new(),
        };
        for &k in rows {
            // A loop of joint rates is described by its effect on links.
            let row = match tree.relative {
                true => Vec::new(),
                false => lowering.row(&equations.jacobian[k]),
            };
            this.jacobian.insert(k, row);
        }
        let closing = tree.closing.iter();
        let closing = closing.filter(|closing| this.jacobian.contains_key(&closing.row));
        let (given, closing): (Vec<&LoopEquation>, Vec<&LoopEquation>) =
            closing.partition(|closing| prescribes(closing).is_some());
        let given: BTreeMap<u32, (usize, &Expr)> = given
            .into_iter()
            .filter_map(|closing| {
                let (rate, entry) = prescribes(closing)?;
                Some((rate, (closing.row, entry)))
            })
            .collect();
        let meets = meeting_points(tree, &closing);
        let mut open: Vec<OpenLink> = Vec::new();
        for (index, link) in tree.links.iter().enumerate() {
            open.push(open::start(lowering, link, this.local(index)));
        }
        let mut beyond: BTreeMap<u32, SparseVector> = BTreeMap::new();
        for closing in closing {
            for (end, wrench) in &closing.ends {
                let column = screw(lowering, wrench);
                let column = match this.local(*end) {
                    Some(local) => seen_from(lowering, local, &column),
                    None => column,
                };
                open[*end].columns.insert(closing.row, column);
            }
            for (rate, entry) in &closing.rates {
                let entry = lowering.value(entry);
                beyond.entry(*rate).or_default().insert(closing.row, entry);
            }
        }
        let mut eliminated: Vec<Option<Eliminated>> = tree.links.iter().map(|_| None).collect();
        let mut ground = OpenLink::empty(lowering);
        for (index, link) in tree.links.iter().enumerate().rev() {
            let mut here = open[index].clone();
            let closed = here.close(lowering, &meets, Some(index));
            let steps = passage::inwards(link, this.local(index));
            let mut rates = Rates {
                given: &given,
                beyond: &mut beyond,
            };
            let (passage, passed) = pass(lowering, (link, steps), &mut here, &mut rates);
            let outer = match link.parent {
                Some(parent) => &mut open[parent],
                None => &mut ground,
            };
            outer.absorb(lowering, &here);
            let kept = kept(lowering, link);
            let points = link.points.iter();
            let points = points.map(|point| triple(lowering, &point.arm));
            eliminated[index] = Some(Eliminated {
                closed,
                passage,
                points: points.collect(),
                gram: gram(lowering, &kept),
                kept,
                passed,
            });
        }
        this.links = eliminated.into_iter().flatten().collect();
        this.grounded = ground.close(lowering, &meets, None);
        this
    }

    /// The link in its own axes, if these are used.
    fn local(&self, index: usize) -> Option<&'a LocalLink> {
        match self.axes {
            LinkAxes::World => None,
            LinkAxes::Links => self.tree.local.get(index),
        }
    }

    /// True if every degree of freedom has inertia at all states that is not lost in the round-off of the bodies that
    /// hang on it.
    fn has_inertia(&self, traces: &[Vec<f64>]) -> bool {
        let mut freedoms = self.links.iter().flat_map(Eliminated::freedoms);
        freedoms.all(|freedom| {
            if freedom.given.is_some() {
                return true;
            }
            let sound = |trace: &Vec<f64>| {
                let whole = trace[freedom.whole.0 as usize];
                trace[freedom.pivot.0 as usize] > ROUND_OFF * whole
            };
            traces.iter().all(sound)
        })
    }

    /// True if no degree of freedom that loops determine is light at all states. Forces of the loops are far above
    /// those of a light one, so that its motion would be a difference of nearly equal numbers. Moments count as masses
    /// at the size of the mechanism.
    fn bears_loops(&self, traces: &[Vec<f64>], size: f64) -> bool {
        let all: Vec<&Freedom> = self.links.iter().flat_map(Eliminated::freedoms).collect();
        let mass = |value: Value, freedom: &Freedom, trace: &[f64]| {
            let square = |range: std::ops::Range<usize>| -> f64 {
                let parts = freedom.s[range].iter();
                parts.map(|x| trace[x.0 as usize].powi(2)).sum()
            };
            trace[value.0 as usize] / (square(0..3) * size * size + square(3..6))
        };
        let is_heavy = |freedom: &&Freedom, trace: &Vec<f64>| {
            let largest = all.iter().map(|one| mass(one.whole, one, trace));
            let largest = largest.fold(0.0, f64::max);
            mass(freedom.pivot, freedom, trace) > LIGHT * largest
        };
        let asked = |freedom: &&&Freedom| freedom.given.is_none() && !freedom.across.is_empty();
        let mut crossed = all.iter().filter(asked);
        crossed.all(|freedom| traces.iter().any(|trace| is_heavy(freedom, trace)))
    }

    /// Margin of the pivots of the loops above ε s, with s the largest Y_cc at the assembled states, and of those of
    /// the degrees of freedom of links whose own inertia may vanish, above round-off. The pivot of another degree of
    /// freedom is never smaller than the inertia of its own link.
    fn margin(&self, builder: &mut Builder, traces: &[Vec<f64>], threshold: f64) -> Value {
        let mut asked: Vec<(Value, f64)> = Vec::new();
        let of_loop = |c: &EliminatedLoop| (c.pivot, threshold * largest(traces, c.diagonal));
        for (link, here) in self.tree.links.iter().zip(&self.links) {
            asked.extend(here.closed.iter().map(of_loop));
            let freedoms = here.freedoms().filter(|f| !link.solid && f.given.is_none());
            asked.extend(freedoms.map(|f| (f.pivot, ROUND_OFF * largest(traces, f.whole))));
        }
        asked.extend(self.grounded.iter().map(of_loop));
        let pivot = |(value, limit): (Value, f64)| Pivot {
            value,
            limit: builder.constant(limit),
        };
        let pivots: Vec<Pivot> = asked.into_iter().map(pivot).collect();
        margin(builder, traces, &pivots)
    }
}

impl Eliminated {
    fn freedoms(&self) -> impl Iterator<Item = &Freedom> {
        self.passage.iter().filter_map(|step| match step {
            PassedStep::Free(_, freedom) => Some(freedom),
            PassedStep::Move(_) => None,
        })
    }
}

/// A wrench that is given in the world, converted to the axes of a link and to its reference point there.
fn seen_from<'a>(
    lowering: &mut Lowering<'_, 'a>,
    local: &'a LocalLink,
    wrench: &ScrewValues,
) -> ScrewValues {
    let axes = local.axes.each_ref();
    let axes = axes.map(|axis| triple(lowering, axis));
    let turned = axial::into(lowering, &axes, wrench);
    let offset = triple(lowering, &local.offset);
    let back = offset.map(|x| lowering.neg(x));
    screw::inwards(lowering, &turned, &back)
}

/// Entries of rows along joint rates.
struct Rates<'r, 'a> {
    /// The row that prescribes a rate, with its entry.
    given: &'r BTreeMap<u32, (usize, &'a Expr)>,
    /// Entries of rows along joint rates, in addition to their effect on links.
    beyond: &'r mut BTreeMap<u32, SparseVector>,
}

/// Takes the demand of a link to the inner side of its joint. Returns the steps, and the demand before the first step
/// that is not a degree of freedom.
fn pass<'a>(
    lowering: &mut Lowering<'_, 'a>,
    (link, steps): (&'a RigidLink, Vec<PassageStep<'a>>),
    here: &mut OpenLink,
    rates: &mut Rates<'_, 'a>,
) -> (Vec<PassedStep>, OpenLink) {
    let (mut passage, mut passed) = (Vec::new(), None);
    for step in steps {
        let step = match step {
            PassageStep::Free(n, freedom) => {
                let s = screw(lowering, freedom);
                let rate = link.rates.get(n).copied();
                let freedom = rates.free(lowering, here, (rate, s));
                passage.push(PassedStep::Free(n, freedom));
                continue;
            }
            PassageStep::Arm(arm) => Some(AxesChange::Arm(triple(lowering, arm))),
            PassageStep::Axial(step) => AxesChange::new(lowering, step),
        };
        let Some(step) = step else { continue };
        passed.get_or_insert_with(|| here.clone());
        here.carry(lowering, &step);
        passage.push(PassedStep::Move(step));
    }
    (passage, passed.unwrap_or_else(|| here.clone()))
}

impl<'a> Rates<'_, 'a> {
    /// Eliminates a degree of freedom, or inserts its prescribed rate.
    fn free(
        &mut self,
        lowering: &mut Lowering<'_, 'a>,
        here: &mut OpenLink,
        (rate, s): (Option<u32>, ScrewValues),
    ) -> Freedom {
        let beyond = rate.and_then(|rate| self.beyond.remove(&rate));
        let beyond = beyond.unwrap_or_default();
        if let Some((row, entry)) = rate.and_then(|rate| self.given.get(&rate)) {
            let entry = lowering.value(entry);
            return here.give(lowering, s, &beyond, (*row, entry));
        }
        here.free(lowering, s, &beyond)
    }
}

/// The joint rate that a row prescribes, and its entry in D, if the row has no other entry.
fn prescribes(closing: &LoopEquation) -> Option<(u32, &Expr)> {
    match (closing.ends.as_slice(), closing.rates.as_slice()) {
        ([], [(rate, entry)]) => Some((*rate, entry)),
        _ => None,
    }
}

/// The rows of a link's joint.
fn kept<'a>(lowering: &mut Lowering<'_, 'a>, link: &'a RigidLink) -> Vec<(usize, ScrewValues)> {
    let rows = link.rows.iter();
    rows.map(|(row, wrench)| (*row, screw(lowering, wrench)))
        .collect()
}

/// G Gᵀ = L Δ Lᵀ
fn gram(builder: &mut Builder, kept: &[(usize, ScrewValues)]) -> Factorization {
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

fn triple<'a>(lowering: &mut Lowering<'_, 'a>, vector: &'a Vector) -> Triple {
    let value = |e: &'a Expr| lowering.value(e);
    vector.each_ref().map(value)
}

fn screw<'a>(lowering: &mut Lowering<'_, 'a>, screw: &'a structure::Screw) -> ScrewValues {
    let angular = triple(lowering, &screw.angular);
    let linear = triple(lowering, &screw.linear);
    self::screw::join(angular, linear)
}
