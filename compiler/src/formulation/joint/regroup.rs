//! Moves mass from a hinged link to its inboard link. Mass on the axis of a hinge makes no difference to the motion of
//! the hinge, so it may as well belong to the inboard link: the mass, the first moment along z and the second one. Each
//! link is left with zeros in their place.
//!
//! ```text
//! m = 0        h_z = 0        Q_zz = ½ (J_xx + J_yy − J_zz) = 0
//! ```

use super::super::vector::{add, dot, scale, zero};
use super::super::{LinkStep, LocalLink, Screw};
use crate::expr::{Expr, Symbol};
use crate::model::Vector;

/// Moves masses and moments on the axis, from the leaves inwards, to the link in `parents`.
pub fn regroup(links: &mut [LocalLink], parents: &[Option<usize>]) {
    for index in (0..links.len()).rev() {
        let Some(steps) = constant_steps(&links[index].steps) else {
            continue;
        };
        let moved = steps
            .iter()
            .rev()
            .fold(on_axis(&mut links[index]), |moments, step| {
                moments.inwards(step)
            });
        if let Some(parent) = parents[index] {
            moved.join(&mut links[parent]);
        }
    }
}

/// All steps but the turn, if the joint is a hinge about z.
fn constant_steps(steps: &[LinkStep]) -> Option<Vec<LinkStep>> {
    let [before @ .., LinkStep::Free(_, freedom)] = steps else {
        return None;
    };
    let is_turn =
        |step: &&LinkStep| matches!(step, LinkStep::Turn { about: 2, cos, .. } if !is_fixed(cos));
    let rest: Vec<LinkStep> = before
        .iter()
        .filter(|step| !is_turn(step))
        .cloned()
        .collect();
    let fixed = |step: &LinkStep| match step {
        LinkStep::Turn { cos, sin, .. } => is_fixed(cos) && is_fixed(sin),
        LinkStep::Shift { by, .. } => is_fixed(by),
        LinkStep::Free(..) | LinkStep::Axes(_) => false,
    };
    (is_hinge(freedom) && rest.len() + 1 == before.len() && rest.iter().all(fixed)).then_some(rest)
}

fn is_hinge(freedom: &Screw) -> bool {
    let [x, y, z] = &freedom.angular;
    let others = [x, y].into_iter().chain(&freedom.linear);
    z.as_constant().is_some_and(|z| z.abs() == 1.0) && others.into_iter().all(Expr::is_zero)
}

/// True if an expression is the same in all states.
fn is_fixed(expr: &Expr) -> bool {
    let mut fixed = true;
    expr.symbols(&mut |symbol| fixed &= matches!(symbol, Symbol::Parameter(_)));
    fixed
}

/// Mass and moments.
#[derive(Clone, Debug, Default)]
struct Moments {
    mass: Expr,
    first: Vector,
    inertia: [[Expr; 3]; 3],
}

/// Takes the masses and moments on z from a link.
fn on_axis(link: &mut LocalLink) -> Moments {
    let [[xx, ..], [_, yy, _], [.., zz]] = &link.inertia;
    let second = Expr::constant(0.5) * (xx + yy - zz);
    let mut moved = Moments {
        mass: std::mem::take(&mut link.mass),
        ..Moments::default()
    };
    moved.first[2] = std::mem::take(&mut link.first_moment[2]);
    // The rest is Q_yy and Q_xx, and their sum.
    let [xx, yy] = [xx - &second, yy - &second];
    link.inertia[2][2] = &xx + &yy;
    (link.inertia[0][0], link.inertia[1][1]) = (xx, yy);
    (moved.inertia[0][0], moved.inertia[1][1]) = (second.clone(), second);
    moved
}

impl Moments {
    /// As the inner side of a step sees them.
    fn inwards(self, step: &LinkStep) -> Self {
        match step {
            LinkStep::Turn { about, cos, sin } => self.turned(*about, cos, sin),
            LinkStep::Shift { along, by } => self.shifted(*along, by),
            LinkStep::Free(..) | LinkStep::Axes(_) => self,
        }
    }

    fn turned(self, about: usize, cos: &Expr, sin: &Expr) -> Self {
        let back = |v: &Vector| {
            let (i, j) = ((about + 1) % 3, (about + 2) % 3);
            let mut turned = v.clone();
            turned[i] = cos * &v[i] - sin * &v[j];
            turned[j] = sin * &v[i] + cos * &v[j];
            turned
        };
        let half = transposed(&self.inertia.each_ref().map(back));
        Self {
            mass: self.mass,
            first: back(&self.first),
            inertia: transposed(&half.each_ref().map(back)),
        }
    }

    /// h + m ρ, and J + (2 h·ρ + m ρ·ρ) 1 − h ρᵀ − ρ hᵀ − m ρ ρᵀ
    fn shifted(self, along: usize, by: &Expr) -> Self {
        let mut arm = zero();
        arm[along] = by.clone();
        let first = add(&self.first, &scale(&self.mass, &arm));
        let trace = dot(&self.first, &arm) + dot(&first, &arm);
        let inertia = std::array::from_fn(|i| {
            std::array::from_fn(|j| {
                let rest = &self.inertia[i][j] - (&self.first[i] * &arm[j] + &arm[i] * &first[j]);
                match i == j {
                    true => rest + &trace,
                    false => rest,
                }
            })
        });
        Self {
            mass: self.mass,
            first,
            inertia,
        }
    }

    fn join(&self, link: &mut LocalLink) {
        link.mass = &link.mass + &self.mass;
        link.first_moment = add(&link.first_moment, &self.first);
        for (row, more) in link.inertia.iter_mut().zip(&self.inertia) {
            *row = add(row, more);
        }
    }
}

fn transposed(rows: &[Vector; 3]) -> [Vector; 3] {
    std::array::from_fn(|i| std::array::from_fn(|k| rows[k][i].clone()))
}
