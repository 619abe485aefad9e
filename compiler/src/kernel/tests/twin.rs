//! The second opinion: expressions evaluated one by one, dense matrices solved by nalgebra.

use nalgebra::{DMatrix, DVector};

use super::Numbers;
use crate::expr::{Condition, Expr, Node, Symbol};
use crate::kernel::interpret;
use crate::kernel::{Array, Kernel, Memory, Name};
use crate::symbolic::{Equations, SparseRow};

/// Values of all symbols.
#[derive(Clone, Debug)]
pub struct State {
    pub time: f64,
    pub parameters: Vec<f64>,
    pub inputs: Vec<f64>,
    pub q: Vec<f64>,
    pub v: Vec<f64>,
}

impl State {
    pub fn random(equations: &Equations, seed: u64) -> Self {
        let mut numbers = Numbers(seed);
        Self {
            time: numbers.real(0.0, 2.0),
            parameters: (0..3).map(|_| numbers.real(0.5, 2.0)).collect(),
            inputs: numbers.reals(1),
            q: numbers.reals(equations.n_coordinates),
            v: numbers.reals(equations.n_velocities),
        }
    }

    /// The inputs of the functions, with the derived values prepared.
    pub fn memory(&self, kernel: &Kernel) -> Memory {
        let memory = Memory::new()
            .with(Array::Time, &[self.time])
            .with(Array::Parameters, &self.parameters)
            .with(Array::Inputs, &self.inputs)
            .with(Array::Coordinates, &self.q)
            .with(Array::Velocities, &self.v);
        let derived = run(kernel, Name::Prepare, &memory);
        let derived = derived.array(Array::Derived, kernel.sizes.derived);
        memory.with(Array::Derived, &derived)
    }

    pub fn evaluate(&self, equations: &Equations, expr: &Expr) -> f64 {
        evaluate(expr, &|symbol| match symbol {
            Symbol::Time => self.time,
            Symbol::Parameter(i) => self.parameters[i as usize],
            Symbol::Input(i) => self.inputs[i as usize],
            Symbol::Coordinate(i) => self.q[i as usize],
            Symbol::Velocity(i) => self.v[i as usize],
            Symbol::Auxiliary(i) => self.evaluate(equations, &equations.auxiliaries[i as usize]),
            other => panic!("{other:?} has no value"),
        })
    }

    pub fn vector(&self, equations: &Equations, exprs: &[Expr]) -> DVector<f64> {
        let numbers = exprs.iter().map(|expr| self.evaluate(equations, expr));
        DVector::from_iterator(exprs.len(), numbers)
    }

    pub fn matrix(&self, equations: &Equations, rows: &[SparseRow]) -> DMatrix<f64> {
        let mut matrix = DMatrix::zeros(rows.len(), equations.n_velocities);
        for (k, row) in rows.iter().enumerate() {
            for (j, expr) in row {
                matrix[(k, *j as usize)] = self.evaluate(equations, expr);
            }
        }
        matrix
    }
}

pub fn run(kernel: &Kernel, name: Name, memory: &Memory) -> Memory {
    interpret(function(kernel, name), memory, &[])
}

pub fn function(kernel: &Kernel, name: Name) -> &crate::kernel::Function {
    kernel
        .functions
        .iter()
        .find(|function| function.name == name)
        .unwrap()
}

pub fn evaluate(expr: &Expr, symbol: &dyn Fn(Symbol) -> f64) -> f64 {
    let go = |e: &Expr| evaluate(e, symbol);
    match expr.node() {
        Node::Constant(number) => *number,
        Node::Symbol(leaf) => symbol(*leaf),
        Node::Add(a, b) => go(a) + go(b),
        Node::Sub(a, b) => go(a) - go(b),
        Node::Mul(a, b) => go(a) * go(b),
        Node::Div(a, b) => go(a) / go(b),
        Node::Neg(a) => -go(a),
        Node::Power(a, n) => go(a).powi(*n),
        Node::Unary(f, a) => f.apply(go(a)),
        Node::Binary(f, a, b) => f.apply(go(a), go(b)),
        Node::Select(c, a, b) => go(if holds(c, symbol) { a } else { b }),
        Node::Table(..) => panic!("tables are tested on their own"),
    }
}

fn holds(condition: &Condition, symbol: &dyn Fn(Symbol) -> f64) -> bool {
    let go = |e: &Expr| evaluate(e, symbol);
    match condition {
        Condition::Less(a, b) => go(a) < go(b),
        Condition::LessEqual(a, b) => go(a) <= go(b),
        Condition::Equal(a, b) => go(a) == go(b),
        Condition::And(a, b) => holds(a, symbol) && holds(b, symbol),
        Condition::Or(a, b) => holds(a, symbol) || holds(b, symbol),
        Condition::Not(a) => !holds(a, symbol),
    }
}

/// Equal to 1e-12 of the largest entry: some hundred operations on well-conditioned numbers.
pub fn assert_close(what: &str, found: &[f64], wanted: &[f64]) {
    let scale = wanted.iter().fold(1.0_f64, |scale, x| scale.max(x.abs()));
    assert_eq!(found.len(), wanted.len(), "{what}");
    for (index, (x, y)) in found.iter().zip(wanted).enumerate() {
        assert!(
            (x - y).abs() <= 1e-12 * scale,
            "{what}[{index}]: {x} is not {y}"
        );
    }
}
