//! Derivatives of the residual r = M v̇ − Q − Dᵀ λ at given v̇ and λ: K along δq = T δs, and C by v.
//!
//! An addend f of a row changes by ∂f/∂s_j = Σ_y f_y ∂ẏ/∂v_j over the coordinates and auxiliaries y that it
//! has. The slopes f_y of a row are summed before they meet ∂ẏ/∂v, and a load is differentiated once and
//! not again in each row that it acts in.

use std::collections::{BTreeMap, HashMap};

use symbolica::atom::AtomCore;

use super::atoms::Atoms;
use super::derive::{by_velocity, read_row};
use super::relative::Columns;
use super::{Equations, SparseRow, Tangents};
use crate::expr::{Expr, Symbol};
use crate::formulation::{Load, System};

/// K and C.
pub fn tangents(
    atoms: &mut Atoms,
    system: &System,
    equations: &Equations,
) -> Result<Tangents, String> {
    let mut residual = Residual::new(atoms, system);
    for (i, row) in equations.mass.iter().enumerate() {
        for (j, entry) in row {
            let acceleration = Expr::symbol(Symbol::Acceleration(*j));
            residual.add_product(i, entry, &acceleration)?;
        }
    }
    for (k, row) in equations.jacobian.iter().enumerate() {
        let pull = -Expr::symbol(Symbol::Multiplier(k as u32));
        for (i, entry) in row {
            residual.add_product(*i as usize, entry, &pull)?;
        }
    }
    for (i, force) in system.gyroscopic.iter().enumerate() {
        residual.add_product(i, force, &-Expr::one())?;
    }
    for load in &system.loads {
        residual.add_load(load)?;
    }
    residual.finish()
}

/// Entries of a row by their column, or by what it is differentiated by.
type SparseEntries<K> = BTreeMap<K, Expr>;

/// The residual as far as it was differentiated.
struct Residual<'a> {
    atoms: &'a mut Atoms,
    system: &'a System,
    /// f_y of each row.
    slopes: Vec<SparseEntries<Symbol>>,
    stiffness: Vec<SparseEntries<u32>>,
    damping: Vec<SparseEntries<u32>>,
    /// ∂ẏ/∂v
    rates: HashMap<Symbol, SparseRow>,
}

impl<'a> Residual<'a> {
    fn new(atoms: &'a mut Atoms, system: &'a System) -> Self {
        let n = system.velocities.len();
        Self {
            atoms,
            system,
            slopes: vec![SparseEntries::new(); n],
            stiffness: vec![SparseEntries::new(); n],
            damping: vec![SparseEntries::new(); n],
            rates: HashMap::new(),
        }
    }

    /// r_i ← r_i + f g, where g changes with neither s nor v.
    fn add_product(&mut self, i: usize, f: &Expr, g: &Expr) -> Result<(), String> {
        for (symbol, slope) in self.slopes_of(f)? {
            match symbol {
                Symbol::Velocity(j) => add(&mut self.damping[i], j, slope * g),
                _ => add(&mut self.slopes[i], symbol, slope * g),
            }
        }
        Ok(())
    }

    /// r ← r − effort · ∂flow/∂v
    fn add_load(&mut self, load: &Load) -> Result<(), String> {
        let flow = self.atoms.atom(&load.flow);
        let directions = by_velocity(self.atoms, &Columns::default(), &flow)?;
        let directions = read_row(self.atoms, &directions)?;
        let (mut along, mut by_speed) = (SparseEntries::new(), SparseEntries::new());
        for (symbol, slope) in self.slopes_of(&load.effort)? {
            match symbol {
                Symbol::Velocity(j) => add(&mut by_speed, j, slope),
                _ => self.spread(&mut along, symbol, &slope)?,
            }
        }
        let effort = -&load.effort;
        for (i, direction) in directions {
            let row = i as usize;
            self.add_product(row, &direction, &effort)?;
            for (j, slope) in &along {
                add(&mut self.stiffness[row], *j, -(&direction * slope));
            }
            for (j, slope) in &by_speed {
                add(&mut self.damping[row], *j, -(&direction * slope));
            }
        }
        Ok(())
    }

    /// f_y and f_v of the symbols that occur in f, zeros left out.
    fn slopes_of(&mut self, f: &Expr) -> Result<Vec<(Symbol, Expr)>, String> {
        let atom = self.atoms.atom(f);
        let mut slopes = Vec::new();
        for symbol in self.atoms.leaves_of(&atom) {
            if let Symbol::Coordinate(_) | Symbol::Auxiliary(_) | Symbol::Velocity(_) = symbol {
                let name = self.atoms.name(symbol);
                let slope = self.atoms.expr(&atom.derivative(name))?;
                if !slope.is_zero() {
                    slopes.push((symbol, slope));
                }
            }
        }
        Ok(slopes)
    }

    /// row ← row + f_y ∂ẏ/∂v
    fn spread(
        &mut self,
        row: &mut SparseEntries<u32>,
        symbol: Symbol,
        slope: &Expr,
    ) -> Result<(), String> {
        for (j, rate) in self.rate_of(symbol)? {
            add(row, *j, slope * rate);
        }
        Ok(())
    }

    /// ∂ẏ/∂v
    fn rate_of(&mut self, symbol: Symbol) -> Result<&SparseRow, String> {
        if !self.rates.contains_key(&symbol) {
            let rate = match symbol {
                Symbol::Coordinate(i) => &self.system.rates[i as usize],
                Symbol::Auxiliary(i) => &self.system.auxiliaries[i as usize].rate,
                other => return Err(format!("a rate of {other:?}")),
            };
            let rate = self.atoms.atom(rate);
            let row = by_velocity(self.atoms, &Columns::default(), &rate)?;
            self.rates.insert(symbol, read_row(self.atoms, &row)?);
        }
        Ok(&self.rates[&symbol])
    }

    fn finish(mut self) -> Result<Tangents, String> {
        for (i, slopes) in std::mem::take(&mut self.slopes).into_iter().enumerate() {
            let mut row = std::mem::take(&mut self.stiffness[i]);
            for (symbol, slope) in slopes {
                self.spread(&mut row, symbol, &slope)?;
            }
            self.stiffness[i] = row;
        }
        Ok(Tangents {
            stiffness: sparse(self.stiffness),
            damping: sparse(self.damping),
        })
    }
}

fn add<K: Ord>(entries: &mut SparseEntries<K>, at: K, term: Expr) {
    let entry = entries.entry(at).or_default();
    *entry = &*entry + term;
}

fn sparse(rows: Vec<SparseEntries<u32>>) -> Vec<SparseRow> {
    let row = |row: SparseEntries<u32>| row.into_iter().filter(|(_, e)| !e.is_zero()).collect();
    rows.into_iter().map(row).collect()
}
