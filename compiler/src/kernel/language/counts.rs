//! Operation counts of a function.

use std::fmt;
use std::ops::AddAssign;

use crate::expr::{Binary, Unary};
use crate::kernel::Instruction;

/// Operations of a function, by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Sums, differences and changes of sign.
    pub add: usize,
    /// Products.
    pub mul: usize,
    /// Quotients.
    pub div: usize,
    /// Square roots.
    pub sqrt: usize,
    /// Trigonometric and other transcendental functions.
    pub trig: usize,
    /// Comparisons, choices, tables and the rest.
    pub other: usize,
}

/// Counts operations; loads and numbers are free.
pub fn counts<'i>(instructions: impl IntoIterator<Item = &'i Instruction>) -> Counts {
    let mut counts = Counts::default();
    for instruction in instructions {
        match instruction {
            Instruction::Constant(_) | Instruction::Load(_) => {}
            Instruction::Add(..) | Instruction::Sub(..) | Instruction::Neg(_) => counts.add += 1,
            Instruction::Mul(..) => counts.mul += 1,
            Instruction::Div(..) => counts.div += 1,
            Instruction::Unary(Unary::Sqrt, _) => counts.sqrt += 1,
            Instruction::Unary(Unary::Abs | Unary::Sign | Unary::Floor, _)
            | Instruction::Binary(Binary::Min | Binary::Max | Binary::Mod, ..) => counts.other += 1,
            Instruction::Unary(..) | Instruction::Binary(..) => counts.trig += 1,
            _ => counts.other += 1,
        }
    }
    counts
}

impl Counts {
    /// Number of operations.
    pub fn operations(&self) -> usize {
        self.add + self.mul + self.div + self.sqrt + self.trig + self.other
    }

    /// The sum in units of one addition, by the throughput of a current processor: a quotient or a
    /// root about 5, a transcendental function about 20.
    pub fn weighted(&self) -> usize {
        self.add + self.mul + 5 * (self.div + self.sqrt) + 20 * self.trig + self.other
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, more: Self) {
        self.add += more.add;
        self.mul += more.mul;
        self.div += more.div;
        self.sqrt += more.sqrt;
        self.trig += more.trig;
        self.other += more.other;
    }
}

impl fmt::Display for Counts {
    /// For example `12 add, 9 mul, 2 div, 2 trig: 25 operations, weighted 71`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds = [
            (self.add, "add"),
            (self.mul, "mul"),
            (self.div, "div"),
            (self.sqrt, "sqrt"),
            (self.trig, "trig"),
            (self.other, "other"),
        ];
        let kinds = kinds.iter().filter(|(count, _)| *count > 0);
        let kinds: Vec<_> = kinds
            .map(|(count, kind)| format!("{count} {kind}"))
            .collect();
        if kinds.is_empty() {
            return f.write_str("no operations");
        }
        let (operations, weighted) = (self.operations(), self.weighted());
        let noun = if operations == 1 {
            "operation"
        } else {
            "operations"
        };
        let kinds = kinds.join(", ");
        write!(f, "{kinds}: {operations} {noun}, weighted {weighted}")
    }
}
