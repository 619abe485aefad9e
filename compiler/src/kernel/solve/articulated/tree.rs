//! M and Q of a tree of joint rates, without writing M out.
//!
//! M is full along the tree, so its entries would grow with the square of the length of a chain. M x does not: x as
//! joint rates gives a twist t to each link. The twist gives a wrench I t, and the part of the wrench that reaches a
//! joint is an element of M x. The columns of M are the products with unit vectors.

use super::{open, screw, triple};
use crate::expr::Expr;
use crate::kernel::builder::draft::FunctionDraft;
use crate::kernel::builder::translate::{Lowering, Translation};
use crate::kernel::solve::screw::{self as twist, ScrewValues};
use crate::kernel::{Array, Name, Slot};
use crate::structure::{RigidLink, Tree};
use crate::symbolic::Equations;

/// M x, with x in the place of accelerations.
pub fn mass_times(equations: &Equations, tree: &Tree) -> FunctionDraft {
    let mut draft = FunctionDraft::new(Name::MassTimes);
    let mut translation = Translation::new(&equations.auxiliaries);
    let b = &mut Lowering::new(&mut draft.builder, &mut translation);
    let (mut twists, mut wrenches) = (Vec::<ScrewValues>::new(), Vec::new());
    for link in &tree.links {
        let mut twist = match link.parent {
            Some(parent) => outwards(b, link, &twists[parent]),
            None => [b.zero(); 6],
        };
        for (rate, freedom) in link.moved() {
            let x = b.load(Slot::new(Array::Accelerations, rate as usize));
            let freedom = screw(b, freedom);
            twist = twist::add_scaled(b, &twist, x, &freedom);
        }
        let inertia = open::start(b, link, None).inertia;
        wrenches.push(twist::apply(b, &inertia, &twist));
        twists.push(twist);
    }
    gather(&mut draft, &mut translation, tree, wrenches, |_| &[]);
    draft
}

/// Writes Q: the loads on the links, and the efforts along the joint rates.
pub fn forces<'a>(draft: &mut FunctionDraft, translation: &mut Translation<'a>, tree: &'a Tree) {
    let loads = tree.links.iter().map(|link| &link.load);
    let b = &mut Lowering::new(&mut draft.builder, translation);
    let loads = loads.map(|load| screw(b, load)).collect();
    gather(draft, translation, tree, loads, |link| &link.efforts);
}

/// From the leaves inwards: the wrenches along each degree of freedom, with the effort along it.
fn gather<'a>(
    draft: &mut FunctionDraft,
    translation: &mut Translation<'a>,
    tree: &'a Tree,
    mut wrenches: Vec<ScrewValues>,
    efforts: impl Fn(&'a RigidLink) -> &'a [Expr],
) {
    for (index, link) in tree.links.iter().enumerate().rev() {
        let wrench = wrenches[index];
        for (n, (rate, freedom)) in link.moved().enumerate() {
            let b = &mut Lowering::new(&mut draft.builder, translation);
            let freedom = screw(b, freedom);
            let mut sum = twist::dot(b, &freedom, &wrench);
            if let Some(effort) = efforts(link).get(n) {
                let effort = b.value(effort);
                sum = b.add(sum, effort);
            }
            draft.write(Array::Forces, rate as usize, sum);
        }
        if let Some(parent) = link.parent {
            let b = &mut Lowering::new(&mut draft.builder, translation);
            let felt = inwards(b, link, &wrench);
            wrenches[parent] = twist::add(b, &wrenches[parent], &felt);
        }
    }
}

/// The twist that a link has of its inboard one. One that turns by itself is only taken along.
fn outwards<'a>(
    lowering: &mut Lowering<'_, 'a>,
    link: &'a RigidLink,
    inboard: &ScrewValues,
) -> ScrewValues {
    let Some(turn) = &link.turn else {
        let arm = triple(lowering, &link.arm);
        return twist::outwards(lowering, inboard, &arm);
    };
    let arm = triple(lowering, &turn.arm);
    let (_, linear) = twist::parts(&twist::outwards(lowering, inboard, &arm));
    twist::join([lowering.zero(); 3], linear)
}

/// The wrench as the inboard link feels it: no torque passes to it where the turn is the link's own.
fn inwards<'a>(
    lowering: &mut Lowering<'_, 'a>,
    link: &'a RigidLink,
    wrench: &ScrewValues,
) -> ScrewValues {
    let Some(turn) = &link.turn else {
        let arm = triple(lowering, &link.arm);
        return twist::inwards(lowering, wrench, &arm);
    };
    let arm = triple(lowering, &turn.arm);
    let force = twist::join([lowering.zero(); 3], twist::parts(wrench).1);
    twist::inwards(lowering, &force, &arm)
}
