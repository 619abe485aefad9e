//! From expressions to values. A shared expression is translated once, and so is the definition of an
//! auxiliary, when it is first asked for.

use std::ops::{Deref, DerefMut};

use crate::expr::{Condition, Expr, Node, Symbol};
use crate::kernel::builder::instructions::Builder;
use crate::kernel::builder::truth::Truth;
use crate::kernel::{Array, Slot, Value};
use crate::small_keys::SmallKeyMap;
use crate::symbolic::SparseRow;

/// A function's builder together with the expressions that it has translated so far: what lowers expressions to values.
/// It is the builder wherever only values are combined.
pub struct Lowering<'b, 'a> {
    builder: &'b mut Builder,
    translation: &'b mut Translation<'a>,
}

impl<'b, 'a> Lowering<'b, 'a> {
    /// For one function, as long as nothing is written.
    pub fn new(builder: &'b mut Builder, translation: &'b mut Translation<'a>) -> Self {
        Self {
            builder,
            translation,
        }
    }

    /// The value of an expression.
    pub fn value(&mut self, expr: &'a Expr) -> Value {
        self.translation.value(self.builder, expr)
    }

    /// The values of a sparse row, without those that turn out to be zero.
    pub fn row(&mut self, row: &'a SparseRow) -> Vec<(usize, Value)> {
        self.translation.row(self.builder, row)
    }
}

impl Deref for Lowering<'_, '_> {
    type Target = Builder;

    fn deref(&self) -> &Builder {
        self.builder
    }
}

impl DerefMut for Lowering<'_, '_> {
    fn deref_mut(&mut self) -> &mut Builder {
        self.builder
    }
}

/// The expressions that one function has translated so far.
#[derive(Debug)]
pub struct Translation<'a> {
    auxiliaries: &'a [Expr],
    memo: SmallKeyMap<usize, Value>,
    given: SmallKeyMap<Symbol, Value>,
}

impl<'a> Translation<'a> {
    /// Nothing translated yet.
    pub fn new(auxiliaries: &'a [Expr]) -> Self {
        Self {
            auxiliaries,
            memo: SmallKeyMap::default(),
            given: SmallKeyMap::default(),
        }
    }

    /// From now on `symbol` stands for `value`.
    pub fn give(&mut self, symbol: Symbol, value: Value) {
        self.given.insert(symbol, value);
    }

    /// The value of an expression. An explicit stack, since sums and chains can be deep.
    pub fn value(&mut self, builder: &mut Builder, expr: &'a Expr) -> Value {
        let mut stack = vec![expr.clone()];
        while let Some(top) = stack.last().cloned() {
            let depth = stack.len();
            if !self.memo.contains_key(&top.address()) {
                self.push_missing(&top, &mut stack);
            }
            if stack.len() == depth {
                stack.pop();
                if !self.memo.contains_key(&top.address()) {
                    let value = self.build(builder, &top);
                    self.memo.insert(top.address(), value);
                }
            }
        }
        self.memo[&expr.address()]
    }

    /// The values of a sparse row, without those that turn out to be zero.
    pub fn row(&mut self, builder: &mut Builder, row: &'a SparseRow) -> Vec<(usize, Value)> {
        let mut values = Vec::with_capacity(row.len());
        for (column, expr) in row {
            let value = self.value(builder, expr);
            if !builder.is_zero(value) {
                values.push((*column as usize, value));
            }
        }
        values
    }

    /// Pushes the operands that have no value yet, the first one on top.
    fn push_missing(&self, expr: &Expr, stack: &mut Vec<Expr>) {
        let first = stack.len();
        let mut push = |operand: &Expr| {
            if !self.memo.contains_key(&operand.address()) {
                stack.push(operand.clone());
            }
        };
        match expr.node() {
            Node::Constant(_) => {}
            Node::Symbol(symbol) => {
                if let (Symbol::Auxiliary(i), false) = (symbol, self.given.contains_key(symbol)) {
                    push(&self.auxiliaries[*i as usize]);
                }
            }
            Node::Add(a, b)
            | Node::Sub(a, b)
            | Node::Mul(a, b)
            | Node::Div(a, b)
            | Node::Binary(_, a, b) => [a, b].into_iter().for_each(push),
            Node::Neg(a) | Node::Power(a, _) | Node::Unary(_, a) | Node::Table(_, _, a) => push(a),
            Node::Select(condition, a, b) => {
                condition.for_each(&mut push);
                [a, b].into_iter().for_each(push);
            }
        }
        stack[first..].reverse();
    }

    /// The value of an expression whose operands have theirs.
    fn build(&self, builder: &mut Builder, expr: &Expr) -> Value {
        let at = |operand: &Expr| self.memo[&operand.address()];
        match expr.node() {
            Node::Constant(number) => builder.constant(*number),
            Node::Symbol(symbol) => self.symbol(builder, *symbol),
            Node::Add(a, b) => builder.add(at(a), at(b)),
            Node::Sub(a, b) => builder.sub(at(a), at(b)),
            Node::Mul(a, b) => builder.mul(at(a), at(b)),
            Node::Div(a, b) => builder.div(at(a), at(b)),
            Node::Neg(a) => builder.neg(at(a)),
            Node::Power(a, n) => builder.power(at(a), *n),
            Node::Unary(f, a) => builder.unary(*f, at(a)),
            Node::Binary(f, a, b) => builder.binary(*f, at(a), at(b)),
            Node::Select(condition, a, b) => {
                let truth = self.truth(builder, condition);
                builder.select(truth, at(a), at(b))
            }
            Node::Table(table, derivative, a) => builder.table(*table, *derivative, at(a)),
        }
    }

    fn truth(&self, builder: &mut Builder, condition: &Condition) -> Truth {
        let at = |operand: &Expr| self.memo[&operand.address()];
        match condition {
            Condition::Less(a, b) => builder.less(at(a), at(b)),
            Condition::LessEqual(a, b) => builder.less_equal(at(a), at(b)),
            Condition::Equal(a, b) => builder.equal(at(a), at(b)),
            Condition::And(a, b) => {
                let (a, b) = (self.truth(builder, a), self.truth(builder, b));
                builder.and(a, b)
            }
            Condition::Or(a, b) => {
                let (a, b) = (self.truth(builder, a), self.truth(builder, b));
                builder.or(a, b)
            }
            Condition::Not(a) => {
                let a = self.truth(builder, a);
                builder.not(a)
            }
        }
    }

    fn symbol(&self, builder: &mut Builder, symbol: Symbol) -> Value {
        if let Some(&value) = self.given.get(&symbol) {
            return value;
        }
        let (array, index) = match symbol {
            Symbol::Time => (Array::Time, 0),
            Symbol::Parameter(i) => (Array::Parameters, i),
            Symbol::Input(i) => (Array::Inputs, i),
            Symbol::Variable(i) => (Array::Variables, i),
            Symbol::Coordinate(i) => (Array::Coordinates, i),
            Symbol::Velocity(i) => (Array::Velocities, i),
            Symbol::Multiplier(i) => (Array::Multipliers, i),
            Symbol::Acceleration(i) => (Array::Accelerations, i),
            Symbol::Auxiliary(i) => return self.memo[&self.auxiliaries[i as usize].address()],
            Symbol::Measure(_) => unreachable!("`formulate` expresses every measure"),
        };
        builder.load(Slot { array, index })
    }
}
