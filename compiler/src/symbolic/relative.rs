//! From derivatives by the twists of links to derivatives by joint rates, along the tree.
//!
//! Twists are auxiliaries with rates of their own, so that γ comes out right without more. A derivative by a twist is a
//! wrench on that link. Carried inwards, it gives an entry for each degree of freedom that it passes. A link with an
//! angular velocity of its own takes all torque by itself:
//!
//! ```text
//! D_j = s_j · W        W_p = W + (ρ × F, 0)        M_ij = s_i · (I s_j), I of all that is outboard of j
//! ```

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{Equations, SparseRow};
use crate::expr::{Expr, Symbol};
use crate::formulation::System;
use crate::model::Vector;
use crate::structure::{LoopEquation, RigidLink, Screw, Tree};

/// The symbols that are velocities: all velocity symbols, and behind them the twists of links, six each.
#[derive(Debug, Default)]
pub struct Columns {
    twists: HashMap<Symbol, u32>,
    relative: bool,
}

impl Columns {
    /// Those of a system.
    pub fn of(system: &System) -> Self {
        let mut columns = Self::default();
        let Some(tree) = system.tree.as_ref().filter(|tree| tree.relative) else {
            return columns;
        };
        columns.relative = true;
        let first = system.velocities.len();
        for (index, link) in tree.links.iter().enumerate() {
            for (k, component) in components(&link.velocity).into_iter().enumerate() {
                if let crate::expr::Node::Symbol(symbol) = component.node() {
                    let column = first + 6 * index + k;
                    columns.twists.insert(*symbol, column as u32);
                }
            }
        }
        columns
    }

    /// The column of a symbol, if it is a velocity.
    pub fn column(&self, symbol: Symbol) -> Option<u32> {
        match symbol {
            Symbol::Velocity(i) => Some(i),
            other => self.twists.get(&other).copied(),
        }
    }

    /// True if there are twists among them.
    pub fn are_twists(&self) -> bool {
        self.relative
    }
}

/// Puts joint rates in place of twists in D and H, notes what closes loops, and adds M and Q as far as
/// they are of a size to be written out.
pub fn along_tree(equations: &mut Equations, system: &System) {
    let Some(mut tree) = equations.tree.take() else {
        return;
    };
    let n = equations.n_velocities;
    let mut closing = Vec::new();
    for (row, entries) in equations.jacobian.iter_mut().enumerate() {
        let split = Split::new(entries, n);
        let ends: Vec<usize> = split.wrenches.keys().copied().collect();
        // A quantity that a joint keeps between two links does not change if they move together as one.
        let meet = match (ends.as_slice(), system.rows[row].joint()) {
            ([one, two], Some(_)) => rigid_meet(&tree, *one, *two),
            _ => None,
        };
        *entries = split.clone().carried(&tree, meet);
        closing.push(LoopEquation {
            row,
            ends: split.wrenches.into_iter().collect(),
            rates: split.rates.into_iter().collect(),
        });
    }
    tree.closing = closing;
    for entries in &mut equations.hold_jacobian {
        *entries = Split::new(entries, n).carried(&tree, None);
    }
    if tree.has_mass() {
        equations.mass = mass(&tree, n);
        equations.forces = forces(&tree, n);
    }
    equations.tree = Some(tree);
}

/// A constraint equation by joint rates and by links.
#[derive(Clone)]
struct Split {
    rates: BTreeMap<u32, Expr>,
    wrenches: BTreeMap<usize, Screw>,
}

impl Split {
    fn new(row: &SparseRow, n: usize) -> Self {
        let (mut rates, mut wrenches) = (BTreeMap::new(), BTreeMap::<usize, Screw>::new());
        for (column, entry) in row {
            match (*column as usize).checked_sub(n) {
                None => {
                    rates.insert(*column, entry.clone());
                }
                Some(place) => {
                    let wrench = wrenches.entry(place / 6).or_default();
                    let part = match place % 6 < 3 {
                        true => &mut wrench.angular,
                        false => &mut wrench.linear,
                    };
                    part[place % 3] = entry.clone();
                }
            }
        }
        Self { rates, wrenches }
    }

    /// The constraint equation by joint rates, as far inwards as `meet`.
    fn carried(mut self, tree: &Tree, meet: Option<usize>) -> SparseRow {
        while let Some((index, wrench)) = self.wrenches.pop_last() {
            if Some(index) == meet {
                continue;
            }
            let link = &tree.links[index];
            for (rate, freedom) in link.moved() {
                let entry = dot(freedom, &wrench);
                let sum = self.rates.entry(rate).or_default();
                *sum = &*sum + entry;
            }
            if let Some(parent) = link.parent {
                let sum = self.wrenches.entry(parent).or_default();
                *sum = plus(sum, &inwards(&wrench, link));
            }
        }
        let entries = self.rates.into_iter();
        entries.filter(|(_, entry)| !entry.is_zero()).collect()
    }
}

/// The last link that both hang on.
fn meet(tree: &Tree, one: usize, two: usize) -> Option<usize> {
    let path = |link| std::iter::successors(Some(link), |&link: &usize| tree.links[link].parent);
    let others: BTreeSet<usize> = path(two).collect();
    path(one).find(|link| others.contains(link))
}

/// The last link that both hang on, if they move with it as one piece: a link that turns by itself is only taken along.
fn rigid_meet(tree: &Tree, one: usize, two: usize) -> Option<usize> {
    let meet = meet(tree, one, two)?;
    let path = |link| std::iter::successors(Some(link), |&link: &usize| tree.links[link].parent);
    let mut outboard = [one, two]
        .into_iter()
        .flat_map(|end| path(end).take_while(|&link| link != meet));
    outboard
        .all(|link| tree.links[link].turn.is_none())
        .then_some(meet)
}

/// Q_j = effort + s_j · (forces that act outboard)
fn forces(tree: &Tree, n: usize) -> Vec<Expr> {
    let mut forces = vec![Expr::zero(); n];
    let mut acting: Vec<Screw> = tree.links.iter().map(|link| link.load.clone()).collect();
    for (index, link) in tree.links.iter().enumerate().rev() {
        let wrench = acting[index].clone();
        let none = Expr::zero();
        let efforts = link.efforts.iter().chain(std::iter::repeat(&none));
        for ((rate, freedom), effort) in link.moved().zip(efforts) {
            forces[rate as usize] = effort + dot(freedom, &wrench);
        }
        if let Some(parent) = link.parent {
            acting[parent] = plus(&acting[parent], &inwards(&wrench, link));
        }
    }
    forces
}

/// M by the inertia of all that is outboard of each joint.
fn mass(tree: &Tree, n: usize) -> Vec<SparseRow> {
    let mut rows = vec![BTreeMap::<u32, Expr>::new(); n];
    let mut outboard: Vec<Composite> = tree.links.iter().map(Composite::new).collect();
    for (index, link) in tree.links.iter().enumerate().rev() {
        let here = outboard[index].clone();
        for (rate, freedom) in link.moved() {
            let mut wrench = here.times(freedom);
            let mut next = Some(index);
            while let Some(at) = next {
                let link = &tree.links[at];
                for (other, freedom) in link.moved() {
                    let entry = dot(freedom, &wrench);
                    rows[rate as usize].insert(other, entry.clone());
                    rows[other as usize].insert(rate, entry);
                }
                wrench = inwards(&wrench, link);
                next = link.parent;
            }
        }
        if let Some(parent) = link.parent {
            outboard[parent] = outboard[parent].plus(&here.felt(link));
        }
    }
    let row = |row: BTreeMap<u32, Expr>| row.into_iter().filter(|(_, x)| !x.is_zero()).collect();
    rows.into_iter().map(row).collect()
}

/// Mass and moments of a link and all that is outboard of it, as if it were one piece.
#[derive(Clone)]
struct Composite {
    mass: Expr,
    first: Vector,
    inertia: [[Expr; 3]; 3],
}

impl Composite {
    fn new(link: &RigidLink) -> Self {
        Self {
            mass: link.mass.clone(),
            first: link.first_moment.clone(),
            inertia: link.inertia.clone(),
        }
    }

    /// F = m a − h × α,  τ = h × a + I α
    fn times(&self, twist: &Screw) -> Screw {
        let turned = self
            .inertia
            .each_ref()
            .map(|row| product(row, &twist.angular));
        let lever = cross(&self.first, &twist.linear);
        let swing = cross(&self.first, &twist.angular);
        Screw {
            angular: sum(&lever, &turned),
            linear: std::array::from_fn(|i| &self.mass * &twist.linear[i] - &swing[i]),
        }
    }

    fn plus(&self, other: &Self) -> Self {
        Self {
            mass: &self.mass + &other.mass,
            first: sum(&self.first, &other.first),
            inertia: std::array::from_fn(|i| sum(&self.inertia[i], &other.inertia[i])),
        }
    }

    /// As the inboard link feels it: one that turns by itself is a point mass to it.
    fn felt(&self, link: &RigidLink) -> Self {
        match &link.turn {
            None => self.inwards(&link.arm),
            Some(turn) => {
                let point = Self {
                    mass: self.mass.clone(),
                    first: Vector::default(),
                    inertia: <[[Expr; 3]; 3]>::default(),
                };
                point.inwards(&turn.arm)
            }
        }
    }

    /// About the start of an arm: h + m ρ, and I + (2 h·ρ + m ρ·ρ) 1 − h ρᵀ − ρ hᵀ − m ρ ρᵀ
    fn inwards(&self, arm: &Vector) -> Self {
        let moved: Vector = std::array::from_fn(|i| &self.first[i] + &self.mass * &arm[i]);
        let trace = product(&self.first, arm) + product(&moved, arm);
        let entry = |i: usize, j: usize| {
            let pair = &self.first[i] * &arm[j] + &arm[i] * &moved[j];
            let rest = &self.inertia[i][j] - pair;
            match i == j {
                true => rest + &trace,
                false => rest,
            }
        };
        Self {
            mass: self.mass.clone(),
            inertia: std::array::from_fn(|i| std::array::from_fn(|j| entry(i.max(j), i.min(j)))),
            first: moved,
        }
    }
}

fn components(screw: &Screw) -> [&Expr; 6] {
    let ([a, b, c], [d, e, f]) = (&screw.angular, &screw.linear);
    [a, b, c, d, e, f]
}

/// Twist · wrench
fn dot(twist: &Screw, wrench: &Screw) -> Expr {
    product(&twist.angular, &wrench.angular) + product(&twist.linear, &wrench.linear)
}

/// The wrench as the inboard link feels it: no torque passes to it where the turn is the link's own.
fn inwards(wrench: &Screw, link: &RigidLink) -> Screw {
    let force = &wrench.linear;
    Screw {
        angular: match &link.turn {
            None => sum(&wrench.angular, &cross(&link.arm, force)),
            Some(turn) => cross(&turn.arm, force),
        },
        linear: force.clone(),
    }
}

fn plus(a: &Screw, b: &Screw) -> Screw {
    Screw {
        angular: sum(&a.angular, &b.angular),
        linear: sum(&a.linear, &b.linear),
    }
}

fn sum(a: &Vector, b: &Vector) -> Vector {
    std::array::from_fn(|i| &a[i] + &b[i])
}

fn product(a: &Vector, b: &Vector) -> Expr {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

fn cross(a: &Vector, b: &Vector) -> Vector {
    [(1, 2), (2, 0), (0, 1)].map(|(i, j)| &a[i] * &b[j] - &a[j] * &b[i])
}
