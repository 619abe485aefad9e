//! Decides which values of a function become statements, and which stay inside the expression that uses them.
//!
//! A value that is used more than once, or that would make an expression too long to read, is a
//! temporary. Numbers and loads never are. The sine and the cosine of one angle share a statement.
//! A slot is written as soon as its value is known, so that few values stay alive.

use std::collections::BTreeMap;

use super::literal::nearest;
use crate::expr::Unary;
use crate::kernel::{Array, Counts, Function, Instruction, Name, Slot, Value, counts};
use crate::options::Scalar;

/// Leaves that an expression may have.
const LEAVES: usize = 6;

/// A function as statements.
#[derive(Clone, Debug)]
pub struct StatementPlan {
    /// Name of the function.
    pub name: Name,
    /// The instructions without those that `simplify` takes away; indexed by [`Value`].
    pub code: Vec<Instruction>,
    /// Number of uses of each value.
    uses: Vec<u32>,
    /// The number of each temporary.
    pub temporaries: Vec<Option<u32>>,
    /// The statements, in order.
    pub statements: Vec<Statement>,
}

/// One statement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Statement {
    /// Defines a temporary.
    Let(Value),
    /// Defines the sine and the cosine of the same angle.
    SinCos(Value, Value),
    /// Writes an output.
    Write(Slot, Value),
}

impl StatementPlan {
    /// The statements of a function.
    pub fn new(function: &Function, scalar: Scalar) -> Self {
        let (code, outputs) = simplify(function, scalar);
        let pairs = pairs(&code, &uses(&code, &outputs, &BTreeMap::new()));
        let uses = uses(&code, &outputs, &pairs);
        let inside = inside(&code, &uses, &pairs);
        let mut plan = Self {
            name: function.name,
            temporaries: vec![None; code.len()],
            code,
            uses,
            statements: Vec::new(),
        };
        plan.state(&inside, &pairs, &outputs);
        plan
    }

    /// A function without statements, to which [`Self::push`] and [`Self::name`] add.
    pub fn empty(name: Name) -> Self {
        Self {
            name,
            code: Vec::new(),
            uses: Vec::new(),
            temporaries: Vec::new(),
            statements: Vec::new(),
        }
    }

    /// A further instruction.
    pub fn push(&mut self, instruction: Instruction) -> Value {
        self.code.push(instruction);
        self.temporaries.push(None);
        Value(self.code.len() as u32 - 1)
    }

    /// Makes a value the temporary of this number.
    pub fn name(&mut self, value: Value, number: Option<u32>) {
        self.temporaries[value.0 as usize] = number;
    }

    /// True for temporaries, numbers and loads.
    pub fn is_leaf(&self, value: Value) -> bool {
        self.temporary(value).is_some() || is_leaf(self.instruction(value))
    }

    /// The instruction that makes a value.
    pub fn instruction(&self, value: Value) -> Instruction {
        self.code[value.0 as usize]
    }

    /// The operations that the outputs need.
    pub fn counts(&self) -> Counts {
        counts(self.needed())
    }

    /// The instructions that the outputs need.
    pub fn needed(&self) -> impl Iterator<Item = &Instruction> {
        let used = self
            .code
            .iter()
            .zip(&self.uses)
            .filter(|(_, uses)| **uses > 0);
        used.map(|(instruction, _)| instruction)
    }

    /// The number of the temporary, if the value is one.
    pub fn temporary(&self, value: Value) -> Option<u32> {
        self.temporaries[value.0 as usize]
    }

    /// Calls `visit` on every leaf of a statement: temporaries, numbers and loads.
    pub fn leaves(&self, statement: Statement, visit: &mut dyn FnMut(Value)) {
        match statement {
            Statement::Let(value) | Statement::SinCos(value, _) => self.below(value, visit),
            Statement::Write(_, value) => self.descend(value, visit),
        }
    }

    /// The leaves of a statement as a list.
    pub fn leaves_of(&self, statement: Statement) -> Vec<Value> {
        let mut leaves = Vec::new();
        self.leaves(statement, &mut |leaf| leaves.push(leaf));
        leaves
    }

    /// The temporaries that a statement defines.
    pub fn defines(&self, statement: Statement) -> Vec<Value> {
        match statement {
            Statement::Let(value) => vec![value],
            Statement::SinCos(sin, cos) => vec![sin, cos],
            Statement::Write(..) => Vec::new(),
        }
    }

    /// Puts the statements that serve one array only before all others, and returns their number. The number is zero if
    /// their results are used elsewhere too.
    pub fn set_apart(&mut self, array: Array) -> usize {
        let mut is_needed = vec![false; self.code.len()];
        let mut is_apart = vec![false; self.statements.len()];
        for (at, statement) in self.statements.iter().enumerate().rev() {
            let defined = self.defines(*statement);
            is_apart[at] = match statement {
                Statement::Write(slot, _) => slot.array == array,
                _ => defined.iter().any(|value| is_needed[value.0 as usize]),
            };
            if is_apart[at] {
                self.leaves(*statement, &mut |leaf| is_needed[leaf.0 as usize] = true);
            }
        }
        let mut is_shared = false;
        for (statement, _) in self
            .statements
            .iter()
            .zip(&is_apart)
            .filter(|(_, apart)| !**apart)
        {
            self.leaves(*statement, &mut |leaf| {
                is_shared |= self.temporary(leaf).is_some() && is_needed[leaf.0 as usize];
            });
        }
        if is_shared {
            return 0;
        }
        let (apart, others): (Vec<_>, Vec<_>) = self
            .statements
            .iter()
            .zip(is_apart)
            .partition(|(_, is_apart)| *is_apart);
        let n_apart = apart.len();
        let all = apart.into_iter().chain(others);
        self.statements = all.map(|(statement, _)| *statement).collect();
        n_apart
    }

    fn descend(&self, value: Value, visit: &mut dyn FnMut(Value)) {
        if self.is_leaf(value) {
            visit(value);
        } else {
            self.below(value, visit);
        }
    }

    fn below(&self, value: Value, visit: &mut dyn FnMut(Value)) {
        for operand in self.instruction(value).operands() {
            self.descend(operand, visit);
        }
    }

    fn state(&mut self, inside: &[bool], pairs: &Pairs, outputs: &[(Slot, Value)]) {
        let mut writes: BTreeMap<Value, Vec<Slot>> = BTreeMap::new();
        for (slot, value) in outputs {
            writes.entry(*value).or_default().push(*slot);
        }
        let mut number = 0;
        for (index, inside) in inside.iter().enumerate() {
            let value = Value(index as u32);
            if self.uses[index] == 0 || is_leaf(self.code[index]) {
                continue;
            }
            if !inside {
                self.define(value, pairs, &mut number);
            }
            for slot in writes.remove(&value).unwrap_or_default() {
                self.statements.push(Statement::Write(slot, value));
            }
        }
        let rest = outputs
            .iter()
            .filter(|(_, value)| writes.contains_key(value));
        self.statements
            .extend(rest.map(|(slot, value)| Statement::Write(*slot, *value)));
    }

    fn define(&mut self, value: Value, pairs: &Pairs, number: &mut u32) {
        if self.temporary(value).is_some() {
            return;
        }
        let statement = match angle(self.instruction(value)).and_then(|angle| pairs.get(&angle)) {
            Some((sin, cos)) => Statement::SinCos(*sin, *cos),
            None => Statement::Let(value),
        };
        for defined in self.defines(statement) {
            self.temporaries[defined.0 as usize] = Some(*number);
            *number += 1;
        }
        self.statements.push(statement);
    }
}

/// Sine and cosine of the angle that is the key.
type Pairs = BTreeMap<Value, (Value, Value)>;

fn is_leaf(instruction: Instruction) -> bool {
    matches!(instruction, Instruction::Constant(_) | Instruction::Load(_))
}

fn angle(instruction: Instruction) -> Option<Value> {
    match instruction {
        Instruction::Unary(Unary::Sin | Unary::Cos, angle) => Some(angle),
        _ => None,
    }
}

/// Rounds numbers to the scalar type and takes away what has an equal in the function already:
/// −(−a) = a, −(c) = (−c), a ∧ a = a ∨ a = a, and a choice between equals.
fn simplify(function: &Function, scalar: Scalar) -> (Vec<Instruction>, Vec<(Slot, Value)>) {
    use Instruction::*;
    let mut code: Vec<Instruction> = Vec::with_capacity(function.instructions.len());
    let mut same: Vec<Value> = Vec::with_capacity(function.instructions.len());
    for (index, instruction) in function.instructions.iter().enumerate() {
        let mut instruction = instruction.map(|value| same[value.0 as usize]);
        let mut is = Value(index as u32);
        let known = |value: Value| code[value.0 as usize];
        match instruction {
            Constant(number) => instruction = Constant(nearest(number, scalar)),
            Neg(a) => match known(a) {
                Constant(number) => instruction = Constant(-number),
                Neg(inner) => is = inner,
                _ => {}
            },
            And(a, b) | Or(a, b) if a == b => is = a,
            Select(_, a, b) if a == b || is_leaf(known(a)) && known(a) == known(b) => is = a,
            _ => {}
        }
        code.push(instruction);
        same.push(is);
    }
    let stays = |slot: &Slot, value: Value| {
        function.name == Name::Normalize && code[value.0 as usize] == Load(*slot)
    };
    let outputs = function
        .outputs
        .iter()
        .map(|(slot, value)| (*slot, same[value.0 as usize]));
    let outputs = outputs
        .filter(|(slot, value)| !stays(slot, *value))
        .collect();
    (code, outputs)
}

/// Number of uses of each value by the outputs and their operands; a pair of sine and cosine uses its angle once.
fn uses(code: &[Instruction], outputs: &[(Slot, Value)], pairs: &Pairs) -> Vec<u32> {
    let mut uses = vec![0; code.len()];
    for (_, value) in outputs {
        uses[value.0 as usize] += 1;
    }
    for index in (0..code.len()).rev() {
        let pair = angle(code[index]).and_then(|angle| pairs.get(&angle));
        let second = pair.is_some_and(|(sin, cos)| (*sin).max(*cos).0 as usize == index);
        if uses[index] > 0 && !second {
            for operand in code[index].operands() {
                uses[operand.0 as usize] += 1;
            }
        }
    }
    uses
}

fn pairs(code: &[Instruction], uses: &[u32]) -> Pairs {
    let mut found: BTreeMap<Value, [Option<Value>; 2]> = BTreeMap::new();
    for (index, instruction) in code
        .iter()
        .enumerate()
        .filter(|(index, _)| uses[*index] > 0)
    {
        if let Some(angle) = angle(*instruction) {
            let cos = matches!(instruction, Instruction::Unary(Unary::Cos, _));
            found.entry(angle).or_default()[usize::from(cos)] = Some(Value(index as u32));
        }
    }
    let both = |(angle, [sin, cos]): (Value, [Option<Value>; 2])| Some((angle, (sin?, cos?)));
    found.into_iter().filter_map(both).collect()
}

/// The values that stay inside the one expression that uses them.
fn inside(code: &[Instruction], uses: &[u32], pairs: &Pairs) -> Vec<bool> {
    let mut inside = vec![false; code.len()];
    let mut weights = vec![1; code.len()];
    for (index, instruction) in code
        .iter()
        .enumerate()
        .filter(|(index, _)| uses[*index] > 0)
    {
        let mut operands: Vec<Value> = instruction.operands().collect();
        for operand in &operands {
            let at = operand.0 as usize;
            inside[at] &= accepts(*instruction, code[at]);
        }
        let weight = |inside: &[bool], value: &Value| {
            let at = value.0 as usize;
            if inside[at] { weights[at] } else { 1 }
        };
        let total = |inside: &[bool], operands: &[Value]| -> usize {
            operands.iter().map(|value| weight(inside, value)).sum()
        };
        let all = operands.clone();
        operands.sort_by_key(|value| weight(&inside, value));
        while let Some(heaviest) = operands.pop().filter(|_| total(&inside, &all) > LEAVES) {
            inside[heaviest.0 as usize] = false;
        }
        weights[index] = total(&inside, &all).max(1);
        let paired = angle(*instruction).is_some_and(|angle| pairs.contains_key(&angle));
        inside[index] = uses[index] == 1 && !paired && !is_leaf(*instruction);
    }
    inside
}

/// Whether an operand may stand inside an instruction. Functions and choices have their own line;
/// truth values do too, so that no lint proposes another form of the same question, except as what a
/// choice asks.
fn accepts(user: Instruction, operand: Instruction) -> bool {
    use Instruction::*;
    match operand {
        Add(..) | Sub(..) | Mul(..) | Div(..) | Neg(_) => true,
        Less(..) | LessEqual(..) => matches!(user, Select(..)),
        Equal(..) => matches!(user, Select(..) | Not(_)),
        _ => false,
    }
}
