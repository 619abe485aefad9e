//! Derives D, γ, M and Q from a system.

use symbolica::atom::{Atom, AtomCore};

use super::atoms::Atoms;
use super::relative::{self, Columns};
use super::{Equations, Gradient, Gradients, SparseRow};
use crate::expr::{Expr, Node, Symbol};
use crate::formulation::{ConstraintEquation, Owner, System};

/// A constraint equation and its derivatives, still as atoms.
pub struct RowAtoms {
    /// Φ̇ − Φ_t
    pub rate: Atom,
    /// Φ_t
    pub phi_t: Atom,
    /// D
    pub jacobian: Vec<(u32, Atom)>,
    /// γ
    pub gamma: Atom,
}

/// All equations of a system; an error names the construct that has no counterpart.
pub fn derive(atoms: &mut Atoms, system: &System) -> Result<Equations, String> {
    let mut equations = plain(system);
    let columns = Columns::of(system);
    for row in &system.rows {
        let derived = derive_row(atoms, &columns, system, row)?;
        equations.phi.push(row.phi.clone());
        equations.phi_t.push(atoms.expr(&derived.phi_t)?);
        equations.jacobian.push(read_row(atoms, &derived.jacobian)?);
        equations.gamma.push(atoms.expr(&derived.gamma)?);
        if columns.are_twists() {
            equations.phi_rate.push(atoms.expr(&derived.rate)?);
        }
    }
    for hold in &system.holds {
        let rate = atoms.atom(&hold.rate);
        let row = by_velocity(atoms, &columns, &rate)?;
        equations.hold_jacobian.push(read_row(atoms, &row)?);
    }
    if columns.are_twists() {
        relative::along_tree(&mut equations, system);
        return Ok(equations);
    }
    equations.mass = mass(atoms, system)?;
    for load in &system.loads {
        let flow = atoms.atom(&load.flow);
        for (column, direction) in by_velocity(atoms, &columns, &flow)? {
            let direction = atoms.expr(&direction)?;
            let force = &mut equations.forces[column as usize];
            *force = &*force + &load.effort * direction;
        }
    }
    Ok(equations)
}

/// The equations of a tree of joint rates without constraint equations and holds: there is nothing to differentiate.
pub fn underived(system: &System) -> Option<Equations> {
    let is_alone = system.rows.is_empty() && system.holds.is_empty();
    (is_alone && Columns::of(system).are_twists()).then(|| {
        let mut equations = plain(system);
        relative::along_tree(&mut equations, system);
        equations
    })
}

/// Derivatives of constraint equations and auxiliaries by coordinates and auxiliaries.
pub fn gradients(system: &System) -> Result<Gradients, String> {
    let mut atoms = Atoms::new();
    let mut of = |value: &Expr| gradient(&mut atoms, value);
    let rows: Result<_, String> = system.rows.iter().map(|row| of(&row.phi)).collect();
    let auxiliaries = system.auxiliaries.iter();
    let auxiliaries: Result<_, String> = auxiliaries.map(|one| of(&one.value)).collect();
    Ok(Gradients {
        rows: rows?,
        auxiliaries: auxiliaries?,
    })
}

/// f_y for the coordinates and auxiliaries y in f.
fn gradient(atoms: &mut Atoms, f: &Expr) -> Result<Gradient, String> {
    let f = atoms.atom(f);
    let mut gradient = Gradient::new();
    for symbol in atoms.leaves_of(&f) {
        if let Symbol::Coordinate(_) | Symbol::Auxiliary(_) = symbol {
            let name = atoms.name(symbol);
            gradient.push((symbol, atoms.expr(&f.derivative(name))?));
        }
    }
    Ok(gradient)
}

/// The parts of the equations that need no derivative.
fn plain(system: &System) -> Equations {
    let inner = system.rows.iter().enumerate();
    let inner = inner.filter(|(_, row)| matches!(row.owner, Owner::Body(_)));
    let power = |load: &crate::formulation::Load| (&load.effort - &load.conservative) * &load.flow;
    Equations {
        n_coordinates: system.coordinates.len(),
        n_velocities: system.velocities.len(),
        guess_coordinates: guesses(&system.coordinates),
        guess_velocities: guesses(&system.velocities),
        auxiliaries: system.auxiliaries.iter().map(|a| a.value.clone()).collect(),
        rates: system.rates.clone(),
        unit: system.unit.clone(),
        rotations: system.rotations.clone(),
        counters: system.counters.clone(),
        inertias: system.inertias.clone(),
        n_compliant: system.compliant.len(),
        inner: inner.map(|(k, _)| k).collect(),
        forces: system.gyroscopic.clone(),
        power: system
            .loads
            .iter()
            .filter(|load| load.effort != load.conservative)
            .map(power)
            .sum(),
        outputs: system.outputs.clone(),
        events: system.events.clone(),
        transitions: system.transitions.clone(),
        reactions: system.reactions.clone(),
        tree: system.tree.clone(),
        kinetic: system.kinetic.clone(),
        potential: system.potential.clone(),
        hold_values: system.holds.iter().map(|hold| hold.value.clone()).collect(),
        hold_rates: system.holds.iter().map(|hold| hold.rate.clone()).collect(),
        ..Equations::default()
    }
}

fn guesses(variables: &[crate::formulation::StateVariable]) -> Vec<Expr> {
    variables
        .iter()
        .map(|variable| variable.guess.clone())
        .collect()
}

/// Φ̇ = Φ_y ẏ + Φ_t,  D = ∂Φ̇/∂v,  γ = −(Φ̇_y ẏ + Φ̇_t)
pub fn derive_row(
    atoms: &mut Atoms,
    columns: &Columns,
    system: &System,
    row: &ConstraintEquation,
) -> Result<RowAtoms, String> {
    let phi = atoms.atom(&row.phi);
    let time = atoms.name(Symbol::Time);
    let phi_t = phi.derivative(time);
    let rate = along_rates(atoms, system, &phi);
    let jacobian = by_velocity(atoms, columns, &rate)?;
    let whole = &rate + &phi_t;
    let curvature = along_rates(atoms, system, &whole) + whole.derivative(time);
    Ok(RowAtoms {
        rate,
        phi_t,
        jacobian,
        gamma: -curvature,
    })
}

/// f_y ẏ over all coordinates and auxiliaries y in f.
fn along_rates(atoms: &mut Atoms, system: &System, f: &Atom) -> Atom {
    let mut sum = Atom::num(0);
    for symbol in atoms.leaves_of(f) {
        let rate = match symbol {
            Symbol::Coordinate(i) => &system.rates[i as usize],
            Symbol::Auxiliary(i) => &system.auxiliaries[i as usize].rate,
            _ => continue,
        };
        let rate = atoms.atom(rate);
        let name = atoms.name(symbol);
        sum += f.derivative(name) * rate;
    }
    sum
}

/// ∂f/∂v of an f that is linear in v, by columns in growing order.
pub fn by_velocity(
    atoms: &mut Atoms,
    columns: &Columns,
    f: &Atom,
) -> Result<Vec<(u32, Atom)>, String> {
    let leaves = atoms.leaves_of(f).into_iter();
    let mut found: Vec<(u32, Symbol)> = leaves
        .filter_map(|symbol| Some((columns.column(symbol)?, symbol)))
        .collect();
    found.sort_unstable();
    let mut row = Vec::new();
    for (column, symbol) in found {
        let name = atoms.name(symbol);
        let entry = f.derivative(name);
        if !entry.is_zero() {
            row.push((column, entry));
        }
    }
    Ok(row)
}

/// M = ∂²T/∂v², addend by addend, because the velocities of different bodies do not mix.
fn mass(atoms: &mut Atoms, system: &System) -> Result<Vec<SparseRow>, String> {
    let n = system.velocities.len();
    let columns = Columns::default();
    let mut entries = vec![std::collections::BTreeMap::<u32, Expr>::new(); n];
    let mut addends = Vec::new();
    flatten(&system.kinetic, &mut addends);
    for addend in addends {
        let energy = atoms.atom(&addend);
        for (i, momentum) in by_velocity(atoms, &columns, &energy)? {
            for (j, entry) in by_velocity(atoms, &columns, &momentum)? {
                let entry = atoms.expr(&entry)?;
                let sum = entries[i as usize].entry(j).or_default();
                *sum = &*sum + entry;
            }
        }
    }
    Ok(entries
        .into_iter()
        .map(|row| row.into_iter().collect())
        .collect())
}

fn flatten(expr: &Expr, addends: &mut Vec<Expr>) {
    match expr.node() {
        Node::Add(a, b) => {
            flatten(a, addends);
            flatten(b, addends);
        }
        _ => addends.push(expr.clone()),
    }
}

pub fn read_row(atoms: &Atoms, row: &[(u32, Atom)]) -> Result<SparseRow, String> {
    let read = |(column, atom): &(u32, Atom)| Ok((*column, atoms.expr(atom)?));
    let row: Result<SparseRow, String> = row.iter().map(read).collect();
    Ok(row?.into_iter().filter(|(_, e)| !e.is_zero()).collect())
}
