//! Numbers out of expressions, at one state.

use crate::expr::{Condition, Expr, Node, Symbol};
use crate::model::Table;
use crate::small_keys::SmallKeyMap;

/// Values of all symbols at one state, and of every shared node that was asked for.
pub struct Evaluator<'a> {
    symbols: &'a dyn Fn(Symbol) -> f64,
    tables: &'a [Table],
    memo: SmallKeyMap<usize, (Expr, f64)>,
}

impl<'a> Evaluator<'a> {
    /// An evaluator at the state that `symbols` describes.
    pub fn new(tables: &'a [Table], symbols: &'a dyn Fn(Symbol) -> f64) -> Self {
        Self {
            symbols,
            tables,
            memo: SmallKeyMap::default(),
        }
    }

    /// The value of an expression.
    pub fn value(&mut self, expr: &Expr) -> f64 {
        match expr.node() {
            Node::Constant(value) => return *value,
            Node::Symbol(symbol) => return (self.symbols)(*symbol),
            _ => {}
        }
        if let Some((_, value)) = self.memo.get(&expr.address()) {
            return *value;
        }
        let value = self.compute(expr);
        // The expression is kept so that its address stays its own.
        self.memo.insert(expr.address(), (expr.clone(), value));
        value
    }

    fn compute(&mut self, expr: &Expr) -> f64 {
        match expr.node() {
            Node::Constant(value) => *value,
            Node::Symbol(symbol) => (self.symbols)(*symbol),
            Node::Add(a, b) => self.value(a) + self.value(b),
            Node::Sub(a, b) => self.value(a) - self.value(b),
            Node::Mul(a, b) => self.value(a) * self.value(b),
            Node::Div(a, b) => self.value(a) / self.value(b),
            Node::Neg(a) => -self.value(a),
            Node::Power(a, n) => self.value(a).powi(*n),
            Node::Unary(f, a) => f.apply(self.value(a)),
            Node::Binary(f, a, b) => f.apply(self.value(a), self.value(b)),
            Node::Select(c, a, b) => {
                if self.holds(c) {
                    self.value(a)
                } else {
                    self.value(b)
                }
            }
            Node::Table(id, n, a) => {
                let x = self.value(a);
                self.tables
                    .get(*id as usize)
                    .map_or(f64::NAN, |table| table.value(*n, x))
            }
        }
    }

    fn holds(&mut self, condition: &Condition) -> bool {
        match condition {
            Condition::Less(a, b) => self.value(a) < self.value(b),
            Condition::LessEqual(a, b) => self.value(a) <= self.value(b),
            Condition::Equal(a, b) => self.value(a) == self.value(b),
            Condition::And(a, b) => self.holds(a) && self.holds(b),
            Condition::Or(a, b) => self.holds(a) || self.holds(b),
            Condition::Not(a) => !self.holds(a),
        }
    }
}
