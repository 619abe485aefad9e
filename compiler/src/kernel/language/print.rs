//! The text form: a line an instruction, a header a function.

use std::fmt;

use crate::kernel::language::counts::counts;
use crate::kernel::{Function, Instruction, Kernel, Slot, Value};

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "solve {:?}", self.solve)?;
        for function in &self.functions {
            write!(f, "\n{function}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n_values = self.instructions.len();
        let counts = counts(&self.instructions);
        writeln!(f, "function {:?}: {n_values} values, {counts}", self.name)?;
        for (n, instruction) in self.instructions.iter().enumerate() {
            writeln!(f, "  %{n} = {instruction}")?;
        }
        for (slot, value) in &self.outputs {
            writeln!(f, "  {slot} = {value}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Instruction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Constant(number) => write!(f, "{number:?}"),
            Self::Load(slot) => write!(f, "load {slot}"),
            Self::Add(a, b) => write!(f, "add {a} {b}"),
            Self::Sub(a, b) => write!(f, "sub {a} {b}"),
            Self::Mul(a, b) => write!(f, "mul {a} {b}"),
            Self::Div(a, b) => write!(f, "div {a} {b}"),
            Self::Neg(a) => write!(f, "neg {a}"),
            Self::Unary(function, a) => write!(f, "{} {a}", lowercase(function)),
            Self::Binary(function, a, b) => write!(f, "{} {a} {b}", lowercase(function)),
            Self::Table(id, 0, a) => write!(f, "table#{id} {a}"),
            Self::Table(id, derivative, a) => write!(f, "table#{id}.d{derivative} {a}"),
            Self::Less(a, b) => write!(f, "less {a} {b}"),
            Self::LessEqual(a, b) => write!(f, "less_equal {a} {b}"),
            Self::Equal(a, b) => write!(f, "equal {a} {b}"),
            Self::And(a, b) => write!(f, "and {a} {b}"),
            Self::Or(a, b) => write!(f, "or {a} {b}"),
            Self::Not(a) => write!(f, "not {a}"),
            Self::Select(c, a, b) => write!(f, "select {c} {a} {b}"),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "%{}", self.0)
    }
}

impl fmt::Display for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]", lowercase(&self.array), self.index)
    }
}

/// `HoldRates` becomes `hold_rates`.
fn lowercase(name: &impl fmt::Debug) -> String {
    let mut text = String::new();
    for letter in format!("{name:?}").chars() {
        if letter.is_uppercase() && !text.is_empty() {
            text.push('_');
        }
        text.extend(letter.to_lowercase());
    }
    text
}
