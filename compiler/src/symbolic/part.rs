//! The expressions that a step evaluates, by the part of the equations that they belong to.

use super::{Equations, SparseRow};
use crate::expr::Expr;

/// A part of the equations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is the field of that name")]
pub enum EquationPart {
    Auxiliaries,
    Rates,
    Phi,
    PhiT,
    Jacobian,
    PhiRate,
    Gamma,
    Mass,
    Forces,
    Power,
    Inertias,
    Tree,
}

impl EquationPart {
    /// Every part with its expressions.
    pub fn all(equations: &mut Equations) -> Vec<(Self, Vec<&mut Expr>)> {
        let power = std::slice::from_mut(&mut equations.power);
        let inertias = equations.inertias.iter_mut();
        let inertias = inertias.flat_map(|one| [&mut one.axes, &mut one.tensor]);
        let tree = equations.tree.iter_mut();
        vec![
            (Self::Auxiliaries, list(&mut equations.auxiliaries)),
            (Self::Rates, list(&mut equations.rates)),
            (Self::Phi, list(&mut equations.phi)),
            (Self::PhiT, list(&mut equations.phi_t)),
            (Self::Jacobian, entries(&mut equations.jacobian)),
            (Self::PhiRate, list(&mut equations.phi_rate)),
            (Self::Gamma, list(&mut equations.gamma)),
            (Self::Mass, entries(&mut equations.mass)),
            (Self::Forces, list(&mut equations.forces)),
            (Self::Power, list(power)),
            (Self::Inertias, inertias.flatten().flatten().collect()),
            (
                Self::Tree,
                tree.flat_map(|tree| tree.expressions()).collect(),
            ),
        ]
    }

    /// Takes this part from other equations of the same form.
    pub fn exchange(self, equations: &mut Equations, other: &Equations) {
        let mut other = other.clone();
        let own = self.of(equations).into_iter();
        for (own, other) in own.zip(self.of(&mut other)) {
            own.clone_from(other);
        }
    }

    fn of(self, equations: &mut Equations) -> Vec<&mut Expr> {
        let mut all = Self::all(equations).into_iter();
        let found = all.find(|(part, _)| *part == self);
        found.map(|(_, part)| part).unwrap_or_default()
    }
}

fn list(expressions: &mut [Expr]) -> Vec<&mut Expr> {
    expressions.iter_mut().collect()
}

fn entries(rows: &mut [SparseRow]) -> Vec<&mut Expr> {
    rows.iter_mut().flatten().map(|(_, entry)| entry).collect()
}
