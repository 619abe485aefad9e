//! Expressions as Symbolica's optimiser writes them: by Horner's scheme with the variables in the order of their
//! number, then with common subexpressions and pairs taken out.
//!
//! Nothing is multiplied out for it. That would save some more in a few mechanisms, but (a − b)² as a² − 2ab + b²
//! loses digits where two points are close to each other and far from the origin. Nor are other orders of the
//! variables searched for: a hundred of them take a hundred times as long and hardly ever save another operation.

use symbolica::atom::{Atom, AtomCore};

use super::atoms::Atoms;
use super::instructions::outputs;
use super::{EquationPart, Equations};
use crate::expr::Expr;

/// The form that Horner's scheme is applied to; neither is the better one everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// The sums as they are.
    Sums,
    /// The tree of operations that they become.
    Operations,
}

impl Scheme {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Sums, Self::Operations];
}

/// The equations with what a step evaluates written by a scheme, all of it together; an error names what has no
/// counterpart.
pub fn optimise(equations: &Equations, scheme: Scheme) -> Result<Equations, String> {
    let mut optimised = equations.clone();
    let mut places = computed(&mut optimised);
    let sources: Vec<Expr> = places.iter().map(|place| (*place).clone()).collect();
    for (place, value) in places.iter_mut().zip(expressions(&sources, scheme)?) {
        **place = value;
    }
    Ok(optimised)
}

/// The expressions that may be rewritten.
fn computed(equations: &mut Equations) -> Vec<&mut Expr> {
    let parts = EquationPart::all(equations).into_iter();
    let expressions = parts.flat_map(|(_, part)| part);
    expressions.filter(|expr| expr.is_computed()).collect()
}

/// The same values, with subexpressions that are shared.
pub fn expressions(sources: &[Expr], scheme: Scheme) -> Result<Vec<Expr>, String> {
    let mut atoms = Atoms::with_opaque_leaves();
    let sources: Vec<Atom> = sources.iter().map(|expr| atoms.atom(expr)).collect();
    let (names, leaves) = atoms.leaves();
    let names: Vec<Atom> = names.iter().map(|name| Atom::var(*name)).collect();
    let evaluator = Atom::evaluator_multiple(&sources, &names)
        .cores(1)
        .horner_iterations(1)
        .direct_translation(scheme == Scheme::Sums)
        .build()
        .map_err(|error| error.to_string())?;
    outputs(&evaluator.export_instructions(), leaves, sources.len())
}
