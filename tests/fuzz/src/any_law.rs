//! Random laws: the value that the model gives a text, against the value of the tree that the text was written from.
//!
//! The tree is drawn from bytes, so a fuzzer can steer it. It is evaluated by plain Rust here and shares no code with
//! the compiler's reader, its rewrites or its evaluator.

use bellcrank_compiler::description::read;
use bellcrank_compiler::source::Source;
use bellcrank_compiler::stages::evaluate::Evaluator;
use bellcrank_compiler::stages::expr::Symbol;
use bellcrank_compiler::stages::model::resolve;

/// Values of the parameters `a`, `b` and `c`.
pub const PARAMETERS: [f64; 3] = [0.7, -1.3, 2.1];

/// A law drawn from these bytes has the value of its tree, unless that value is not finite or hangs on the last digits.
pub fn any_law(bytes: &[u8]) {
    let law = Law::draw(&mut Bytes(bytes));
    let (expected, uncertainty) = law.value_and_uncertainty();
    let Some(expected) = expected else {
        return;
    };
    let found = value(&law.text());
    let off = (found - expected).abs();
    let allowed = uncertainty + 1e-12 * expected.abs().max(1.0);
    assert!(
        off <= allowed,
        "`{}` is {found} instead of {expected}, {allowed:e} allowed",
        law.text()
    );
}

/// A description with laws as outputs `law0`, `law1`, …
pub fn description(laws: &[String]) -> String {
    let names = ["a", "b", "c"].iter().zip(PARAMETERS);
    let parameters: String = names.map(|(name, x)| format!("{name} = {x}\n")).collect();
    let outputs = laws.iter().enumerate();
    let outputs: String = outputs
        .map(|(i, law)| format!("law{i} = \"{law}\"\n"))
        .collect();
    format!(
        "name = \"Laws\"\nspace = \"planar\"\n\
         [parameters]\n{parameters}\
         [bodies.block]\nmass = 1\ninertia = 1\n\
         [joints.rail]\ntype = \"prismatic\"\nbetween = [\"ground\", \"block\"]\naxis = \"x\"\n\
         [outputs]\n{outputs}"
    )
}

fn value(law: &str) -> f64 {
    let source = Source::Toml {
        file: "law".to_owned(),
        text: description(&[law.to_owned()]),
    };
    let description = read(&source).unwrap_or_else(|found| panic!("`{law}`: {found}"));
    let (model, _) =
        resolve(&description, "Law").unwrap_or_else(|found| panic!("`{law}`: {found}"));
    let symbols = |symbol: Symbol| match symbol {
        Symbol::Parameter(i) => PARAMETERS[i as usize],
        other => panic!("`{law}` asks for {other:?}"),
    };
    Evaluator::new(&model.tables, &symbols).value(&model.outputs[0].value)
}

/// Choices that are read off bytes; all zero once these have run out.
pub struct Bytes<'a>(pub &'a [u8]);

impl Bytes<'_> {
    fn below(&mut self, end: usize) -> usize {
        let Some((first, rest)) = self.0.split_first() else {
            return 0;
        };
        self.0 = rest;
        usize::from(*first) % end
    }
}

/// A law as a tree.
pub enum Law {
    Number(f64),
    Parameter(usize),
    Negative(Box<Law>),
    Binary(char, Box<Law>, Box<Law>),
    Unary(&'static str, Box<Law>),
    Call(&'static str, Box<Law>, Box<Law>),
    If(&'static str, [Box<Law>; 4]),
}

const UNARY: [&str; 16] = [
    "sqrt", "exp", "ln", "log10", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh",
    "tanh", "abs", "sign", "floor",
];
const CALLS: [&str; 5] = ["atan2", "min", "max", "pow", "mod"];
const COMPARISONS: [&str; 6] = ["<", "<=", ">", ">=", "==", "!="];

impl Law {
    /// The first bytes say which node it is, those after them its parts.
    pub fn draw(bytes: &mut Bytes) -> Self {
        Self::draw_to(bytes, 6)
    }

    fn draw_to(bytes: &mut Bytes, depth: usize) -> Self {
        let kind = if depth == 0 {
            bytes.below(2)
        } else {
            bytes.below(9)
        };
        let mut part = || Box::new(Self::draw_to(bytes, depth.saturating_sub(1)));
        match kind {
            0 => Self::Parameter(bytes.below(3)),
            1 => Self::Number(bytes.below(256) as f64 / 16.0),
            2 => Self::Negative(part()),
            3..=5 => {
                let (a, b) = (part(), part());
                Self::Binary(['+', '-', '*', '/', '^'][bytes.below(5)], a, b)
            }
            6 => {
                let a = part();
                Self::Unary(UNARY[bytes.below(UNARY.len())], a)
            }
            7 => {
                let (a, b) = (part(), part());
                Self::Call(CALLS[bytes.below(CALLS.len())], a, b)
            }
            _ => {
                let parts = [part(), part(), part(), part()];
                Self::If(COMPARISONS[bytes.below(COMPARISONS.len())], parts)
            }
        }
    }

    /// As a person writes it: parentheses only where precedence asks for them.
    pub fn text(&self) -> String {
        let inside = |law: &Law, least: u8| match law.precedence() >= least {
            true => law.text(),
            false => format!("({})", law.text()),
        };
        match self {
            Self::Number(x) => format!("{x}"),
            Self::Parameter(i) => ["a", "b", "c"][*i].to_owned(),
            Self::Negative(a) => format!("-{}", inside(a, 3)),
            Self::Binary(sign @ ('+' | '*'), a, b) => {
                let own = self.precedence();
                // a + (b − c) rounds in another order than a + b − c.
                format!("{} {sign} {}", inside(a, own), inside(b, own + 1))
            }
            Self::Binary('^', a, b) => format!("{}^{}", inside(a, 5), inside(b, 4)),
            Self::Binary(sign, a, b) => {
                let own = self.precedence();
                format!("{} {sign} {}", inside(a, own), inside(b, own + 1))
            }
            Self::Unary(name, a) => format!("{name}({})", a.text()),
            Self::Call(name, a, b) => format!("{name}({}, {})", a.text(), b.text()),
            Self::If(sign, [a, b, yes, no]) => format!(
                "if {} {sign} {} then {} else {}",
                inside(a, 1),
                inside(b, 1),
                inside(yes, 1),
                inside(no, 1)
            ),
        }
    }

    /// `if` < `+ -` < `* /` < unary `-` < `^` < numbers, names and calls.
    fn precedence(&self) -> u8 {
        match self {
            Self::If(..) => 0,
            Self::Binary('+' | '-', ..) => 1,
            Self::Binary('*' | '/', ..) => 2,
            Self::Negative(_) => 3,
            Self::Binary(..) => 4,
            Self::Number(_) | Self::Parameter(_) | Self::Unary(..) | Self::Call(..) => 5,
        }
    }

    /// The value, if no part of it is huge or not finite, and by how much it changes with the twelfth digit of the
    /// parameters and numbers: a rewrite may round in another order.
    pub fn value_and_uncertainty(&self) -> (Option<f64>, f64) {
        let at = |shift: f64| self.value(&|x| x * (1.0 + shift) + 1e-3 * shift);
        let value = at(0.0);
        let apart = |shift: f64| match (value, at(shift)) {
            (Some(a), Some(b)) => (a - b).abs(),
            _ => f64::INFINITY,
        };
        (value, [1e-12, -1e-12].map(apart).iter().sum())
    }

    fn value(&self, leaf: &dyn Fn(f64) -> f64) -> Option<f64> {
        let value = match self {
            Self::Number(x) => leaf(*x),
            Self::Parameter(i) => leaf(PARAMETERS[*i]),
            Self::Negative(a) => -a.value(leaf)?,
            Self::Binary(sign, a, b) => operate(*sign, a.value(leaf)?, b.value(leaf)?),
            Self::Unary(name, a) => apply(name, a.value(leaf)?),
            Self::Call(name, a, b) => {
                let (a, b) = (a.value(leaf)?, b.value(leaf)?);
                // A rewrite may change the sign of a zero, which decides between π and −π.
                if *name == "atan2" && a == 0.0 && b <= 0.0 {
                    return None;
                }
                call(name, a, b)
            }
            Self::If(sign, [a, b, yes, no]) => {
                let (a, b) = (a.value(leaf)?, b.value(leaf)?);
                // Both sides are asked for: folding may look at the one that does not count.
                let (yes, no) = (yes.value(leaf)?, no.value(leaf)?);
                if holds(sign, a, b) { yes } else { no }
            }
        };
        (value.abs() < 1e6).then_some(value)
    }
}

fn operate(sign: char, a: f64, b: f64) -> f64 {
    match sign {
        '+' => a + b,
        '-' => a - b,
        '*' => a * b,
        '/' => a / b,
        _ => a.powf(b),
    }
}

fn apply(name: &str, x: f64) -> f64 {
    match name {
        "sqrt" => x.sqrt(),
        "exp" => x.exp(),
        "ln" => x.ln(),
        "log10" => x.log10(),
        "sin" => x.sin(),
        "cos" => x.cos(),
        "tan" => x.tan(),
        "asin" => x.asin(),
        "acos" => x.acos(),
        "atan" => x.atan(),
        "sinh" => x.sinh(),
        "cosh" => x.cosh(),
        "tanh" => x.tanh(),
        "abs" => x.abs(),
        "floor" => x.floor(),
        _ if x == 0.0 => 0.0,
        _ => x.signum(),
    }
}

fn call(name: &str, a: f64, b: f64) -> f64 {
    match name {
        "atan2" => a.atan2(b),
        "min" => a.min(b),
        "max" => a.max(b),
        "pow" => a.powf(b),
        // The remainder that has the sign of the divisor.
        _ => a - b * (a / b).floor(),
    }
}

fn holds(sign: &str, a: f64, b: f64) -> bool {
    match sign {
        "<" => a < b,
        "<=" => a <= b,
        ">" => a > b,
        ">=" => a >= b,
        "==" => a == b,
        _ => a != b,
    }
}
