//! Derivatives of the equations. The only module that uses Symbolica.
//!
//! Let y be all coordinates and auxiliaries, and ẏ their rates, which are linear in v:
//!
//! ```text
//! Φ̇ = Φ_y ẏ + Φ_t        D = ∂Φ̇/∂v        γ = −(Φ̇_y ẏ + Φ̇_t)        M = ∂²T/∂v²        Q = Σ effort · ∂flow/∂v
//! ```

mod atoms;
mod derive;
mod instructions;
mod optimise;
mod part;
mod print;
mod relative;
mod rules;
pub mod session;
mod tangents;

pub use optimise::Scheme;
pub use part::EquationPart;
pub use print::print;
#[cfg(test)]
mod tests;

use crate::diagnostics::{Code, Diagnostic, Diagnostics, Path};
use crate::expr::{Expr, Symbol};
use crate::formulation::{Counter, System};
use crate::structure::{BodyInertia, Rotation, Tree, UnitLength};

/// The derived equations of a system.
pub fn derive(system: &System) -> Result<Equations, Diagnostics> {
    if let Some(equations) = derive::underived(system) {
        return Ok(equations);
    }
    let system = system.clone();
    let job = move || derive::derive(&mut atoms::Atoms::new(), &system);
    session::run(job)?.map_err(|what| untranslatable(&what))
}

/// The same with the tangents that implicit integrators need.
pub fn derive_with_tangents(system: &System) -> Result<Equations, Diagnostics> {
    let system = system.clone();
    let job = move || {
        let mut atoms = atoms::Atoms::new();
        let mut equations = derive::derive(&mut atoms, &system)?;
        equations.tangents = Some(tangents::tangents(&mut atoms, &system, &equations)?);
        Ok(equations)
    };
    session::run(job)?.map_err(|what: String| untranslatable(&what))
}

/// The equations as Symbolica's optimiser writes them; `None` where there is something that we do not have.
pub fn optimise(equations: &Equations, scheme: Scheme) -> Result<Option<Equations>, Diagnostics> {
    let equations = equations.clone();
    session::run(move || optimise::optimise(&equations, scheme).ok())
}

/// Derivatives of Φ, for methods that move coordinates one by one; `derive` goes through rates instead.
pub fn gradients(system: &System) -> Result<Gradients, Diagnostics> {
    let system = system.clone();
    session::run(move || derive::gradients(&system))?.map_err(|what| untranslatable(&what))
}

/// D, γ and Φ_t of every constraint equation at one state by Symbolica's own evaluation: the independent witness for
/// the results of `derive` and the kernel.
pub fn witness(
    system: &System,
    symbols: impl Fn(Symbol) -> f64 + Send + 'static,
) -> Result<Vec<Witness>, Diagnostics> {
    let system = system.clone();
    let job = move || {
        let mut atoms = atoms::Atoms::new();
        let columns = relative::Columns::of(&system);
        let mut rows = Vec::new();
        for row in &system.rows {
            let derived = derive::derive_row(&mut atoms, &columns, &system, row)?;
            let mut jacobian = Vec::new();
            for (column, atom) in &derived.jacobian {
                jacobian.push((*column, atoms.evaluate(atom, &symbols)?));
            }
            rows.push(Witness {
                jacobian,
                gamma: atoms.evaluate(&derived.gamma, &symbols)?,
                phi_t: atoms.evaluate(&derived.phi_t, &symbols)?,
            });
        }
        Ok(rows)
    };
    session::run(job)?.map_err(|what: String| untranslatable(&what))
}

/// Values of [`witness`] for one constraint equation.
#[derive(Clone, Debug, PartialEq)]
pub struct Witness {
    /// D
    pub jacobian: Vec<(u32, f64)>,
    /// γ
    pub gamma: f64,
    /// Φ_t
    pub phi_t: f64,
}

fn untranslatable(what: &str) -> Diagnostics {
    Diagnostic::error(
        Code::S503,
        &Path::root(),
        format!("the algebra gave {what}, which Bellcrank cannot translate"),
    )
    .hint("this is a fault of Bellcrank: please report it together with the description")
    .into()
}

/// A sparse row: columns in growing order, structural zeros left out.
pub type SparseRow = Vec<(u32, Expr)>;

/// Partial derivatives by coordinates and auxiliaries.
pub type Gradient = Vec<(Symbol, Expr)>;

/// Derivatives of constraint equations and auxiliaries by coordinates and auxiliaries.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gradients {
    /// Of each Φ.
    pub rows: Vec<Gradient>,
    /// Of each auxiliary, by coordinates and earlier auxiliaries.
    pub auxiliaries: Vec<Gradient>,
}

/// The derived equations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Equations {
    /// Number of coordinates q.
    pub n_coordinates: usize,
    /// Number of velocities v.
    pub n_velocities: usize,
    /// The guess of the coordinates, of parameters only.
    pub guess_coordinates: Vec<Expr>,
    /// The guess of the velocities, of parameters only.
    pub guess_velocities: Vec<Expr>,
    /// Definitions of the auxiliaries, in order.
    pub auxiliaries: Vec<Expr>,
    /// q̇ = T v
    pub rates: Vec<Expr>,
    /// Groups of coordinates that together have unit length: Euler parameters.
    pub unit: Vec<UnitLength>,
    /// Coordinates that are the axes of a body.
    pub rotations: Vec<Rotation>,
    /// Coordinates that count the turns of angles which constraint equations depend on.
    pub counters: Vec<Counter>,
    /// Number of the last holds that are constraint equations kept by springs.
    pub n_compliant: usize,
    /// Φ
    pub phi: Vec<Expr>,
    /// Φ_t
    pub phi_t: Vec<Expr>,
    /// D
    pub jacobian: Vec<SparseRow>,
    /// Φ̇ − Φ_t in terms of twists, where D v takes more to compute; else empty.
    pub phi_rate: Vec<Expr>,
    /// Indices of the constraint equations that keep points of one body in place, in growing order.
    pub inner: Vec<usize>,
    /// γ
    pub gamma: Vec<Expr>,
    /// Tensors in axes that turn, of spatial bodies: the blocks of M there, with an inverse that costs no solve.
    pub inertias: Vec<BodyInertia>,
    /// M, all entries of the symmetric matrix.
    pub mass: Vec<SparseRow>,
    /// Q, gyroscopic terms included.
    pub forces: Vec<Expr>,
    /// Power of the applied forces that no potential accounts for.
    pub power: Expr,
    /// Kinetic energy.
    pub kinetic: Expr,
    /// Potential energy.
    pub potential: Expr,
    /// Values of the holds.
    pub hold_values: Vec<Expr>,
    /// Rates of the holds.
    pub hold_rates: Vec<Expr>,
    /// Derivatives of the holds: ∂rate/∂v.
    pub hold_jacobian: Vec<SparseRow>,
    /// Named outputs, in terms of accelerations and multipliers too.
    pub outputs: Vec<Expr>,
    /// Expressions that events watch, in terms of accelerations and multipliers too.
    pub events: Vec<Expr>,
    /// Values that events set, event after event.
    pub transitions: Vec<Expr>,
    /// Force and torque on the second body of each joint, in terms of multipliers.
    pub reactions: Vec<[Expr; 6]>,
    /// The tree of links, if the equations are solved along it.
    pub tree: Option<Tree>,
    /// Derivatives of Φ, if a method asks for them.
    pub gradients: Option<Gradients>,
    /// Derivatives of M v̇ − Q − Dᵀ λ, if a method asks for them.
    pub tangents: Option<Tangents>,
}

impl Equations {
    /// Whether an output, an event or a value that an event sets depends on multipliers.
    pub fn needs_multipliers(&self) -> bool {
        let mut has: Vec<bool> = Vec::new();
        let asks = |expr: &Expr, has: &[bool]| {
            let mut found = false;
            expr.symbols(&mut |symbol| match symbol {
                Symbol::Multiplier(_) => found = true,
                Symbol::Auxiliary(index) => found |= has.get(index as usize) == Some(&true),
                _ => {}
            });
            found
        };
        for definition in &self.auxiliaries {
            let found = asks(definition, &has);
            has.push(found);
        }
        let all = self.outputs.iter().chain(&self.events);
        all.chain(&self.transitions).any(|one| asks(one, &has))
    }
}

/// Derivatives of M v̇ − Q − Dᵀ λ where v̇ and λ are given.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tangents {
    /// K, along δq = T δs.
    pub stiffness: Vec<SparseRow>,
    /// C, by v.
    pub damping: Vec<SparseRow>,
}
