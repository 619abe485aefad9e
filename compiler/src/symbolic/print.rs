//! The text form of the equations, with the names of coordinates and rows. A shared subexpression is written as often
//! as it is used, so an entry of M along a chain would take megabytes. A long expression ends with `…` where nobody
//! reads on.

use std::fmt::{self, Write};

use super::Equations;
use crate::expr::Expr;
use crate::formulation::System;

/// Characters of an expression at most.
const LENGTH: usize = 2000;

/// Everything that `derive` found, one equation a line.
pub fn print(system: &System, equations: &Equations) -> String {
    let mut text = String::new();
    for (i, coordinate) in system.coordinates.iter().enumerate() {
        let _ = writeln!(
            text,
            "q{i} is {}, rate {}",
            coordinate.name,
            short(&equations.rates[i])
        );
    }
    for (i, velocity) in system.velocities.iter().enumerate() {
        let _ = writeln!(text, "v{i} is {}", velocity.name);
    }
    lines(&mut text, "a", &equations.auxiliaries);
    for (i, row) in system.rows.iter().enumerate() {
        let _ = writeln!(
            text,
            "phi{i} = {}   # {}",
            short(&equations.phi[i]),
            row.keeps
        );
    }
    lines(&mut text, "phi_t", &equations.phi_t);
    sparse(&mut text, "D", &equations.jacobian);
    lines(&mut text, "gamma", &equations.gamma);
    sparse(&mut text, "M", &equations.mass);
    lines(&mut text, "Q", &equations.forces);
    let _ = writeln!(text, "power = {}", short(&equations.power));
    let _ = writeln!(text, "kinetic = {}", short(&equations.kinetic));
    let _ = writeln!(text, "potential = {}", short(&equations.potential));
    lines(&mut text, "output", &equations.outputs);
    lines(&mut text, "event", &equations.events);
    lines(&mut text, "transition", &equations.transitions);
    text
}

fn lines(text: &mut String, name: &str, list: &[Expr]) {
    for (i, expr) in list.iter().enumerate() {
        let _ = writeln!(text, "{name}{i} = {}", short(expr));
    }
}

fn sparse(text: &mut String, name: &str, rows: &[super::SparseRow]) {
    for (i, row) in rows.iter().enumerate() {
        for (j, entry) in row {
            let _ = writeln!(text, "{name}[{i},{j}] = {}", short(entry));
        }
    }
}

/// The text of an expression up to [`LENGTH`].
fn short(expr: &Expr) -> String {
    let mut text = Bounded(String::new());
    match write!(text, "{expr}") {
        Ok(()) => text.0,
        Err(_) => text.0 + " …",
    }
}

/// A text that ends the writing when it is full.
struct Bounded(String);

impl Write for Bounded {
    fn write_str(&mut self, more: &str) -> fmt::Result {
        match self.0.len() + more.len() > LENGTH {
            true => Err(fmt::Error),
            false => self.0.write_str(more),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::Symbol;

    /// Its text would have 2⁴⁰ leaves.
    #[test]
    fn a_shared_expression_is_cut_off() {
        let mut expr = Expr::symbol(Symbol::Time);
        for _ in 0..40 {
            expr = &expr * &expr + Expr::symbol(Symbol::Coordinate(0));
        }
        let text = short(&expr);
        assert!(text.ends_with(" …") && text.len() <= LENGTH + " …".len());
        assert_eq!(short(&Expr::symbol(Symbol::Time)), "t");
    }
}
