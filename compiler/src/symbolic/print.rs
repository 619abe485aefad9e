//! The text form of the equations, with the names of coordinates and rows.

use std::fmt::Write;

use super::Equations;
use crate::expr::Expr;
use crate::formulation::System;

/// Everything that `derive` found, one equation a line.
pub fn print(system: &System, equations: &Equations) -> String {
    let mut text = String::new();
    for (i, coordinate) in system.coordinates.iter().enumerate() {
        let _ = writeln!(
            text,
            "q{i} is {}, rate {}",
            coordinate.name, equations.rates[i]
        );
    }
    for (i, velocity) in system.velocities.iter().enumerate() {
        let _ = writeln!(text, "v{i} is {}", velocity.name);
    }
    lines(&mut text, "a", &equations.auxiliaries);
    for (i, row) in system.rows.iter().enumerate() {
        let _ = writeln!(text, "phi{i} = {}   # {}", equations.phi[i], row.keeps);
    }
    lines(&mut text, "phi_t", &equations.phi_t);
    sparse(&mut text, "D", &equations.jacobian);
    lines(&mut text, "gamma", &equations.gamma);
    sparse(&mut text, "M", &equations.mass);
    lines(&mut text, "Q", &equations.forces);
    let _ = writeln!(text, "power = {}", equations.power);
    let _ = writeln!(text, "kinetic = {}", equations.kinetic);
    let _ = writeln!(text, "potential = {}", equations.potential);
    lines(&mut text, "output", &equations.outputs);
    lines(&mut text, "event", &equations.events);
    lines(&mut text, "transition", &equations.transitions);
    text
}

fn lines(text: &mut String, name: &str, list: &[Expr]) {
    for (i, expr) in list.iter().enumerate() {
        let _ = writeln!(text, "{name}{i} = {expr}");
    }
}

fn sparse(text: &mut String, name: &str, rows: &[super::SparseRow]) {
    for (i, row) in rows.iter().enumerate() {
        for (j, entry) in row {
            let _ = writeln!(text, "{name}[{i},{j}] = {entry}");
        }
    }
}
