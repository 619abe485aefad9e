//! Values as expressions, with parentheses only where the order of operations needs them.

use std::collections::BTreeMap;

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::context::EmitContext;
use super::names::identifier;
use super::plan::{Statement, StatementPlan};
use super::signature::{ArrayPlace, read, written};
use super::table;
use crate::expr::Binary;
use crate::kernel::{Array, Instruction, Slot, Value};
use crate::options::Lanes;

/// Binding strength of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Bond {
    Choice,
    Sum,
    Product,
    Sign,
    Atom,
}

/// Values that are called something else than their number says.
pub type Texts = BTreeMap<Value, TokenStream>;

/// Renders the statements of one function.
#[derive(Clone, Copy, Debug)]
pub struct Renderer<'a> {
    /// Settings that every part of the emitter needs.
    pub context: &'a EmitContext,
    /// The function.
    pub plan: &'a StatementPlan,
    /// Texts of values that have no temporary of their own.
    pub texts: &'a Texts,
}

/// An element of an array, in each turn of a round another one.
#[derive(Clone, Copy, Debug)]
pub struct ArrayElement {
    slot: Slot,
    stride: i64,
}

impl ArrayElement {
    /// From a slot on by so many a turn.
    pub fn new(slot: Slot, stride: i64) -> Self {
        Self { slot, stride }
    }

    /// `2 * turn + 5`
    pub fn index(first: usize, stride: i64) -> TokenStream {
        let number = |n: usize| Literal::usize_unsuffixed(n);
        let (first_text, steps) = (number(first), number(stride.unsigned_abs() as usize));
        let moved = match stride.unsigned_abs() {
            1 => quote!(turn),
            _ => quote!(#steps * turn),
        };
        match stride {
            0 => quote!(#first_text),
            1.. if first == 0 => moved,
            1.. => quote!(#moved + #first_text),
            _ => quote!(#first_text - #moved),
        }
    }
}

impl Renderer<'_> {
    /// `let t3 = …;` or `out.rates[2] = …;`
    pub fn statement(&self, statement: Statement) -> TokenStream {
        match statement {
            Statement::Let(value) => {
                let name = self.leaf(value);
                let body = self.body(value).0;
                quote!(let #name = #body;)
            }
            Statement::SinCos(sin, cos) => {
                let names = [self.leaf(sin), self.leaf(cos)];
                let Instruction::Unary(_, angle) = self.plan.instruction(sin) else {
                    return TokenStream::new();
                };
                let body = self.call("sin_cos", &[angle]);
                quote!(let (#(#names),*) = #body;)
            }
            Statement::Write(slot, value) => self.write(ArrayElement::new(slot, 0), value),
        }
    }

    /// `out.rates[2 * turn] = …;`
    pub fn write(&self, element: ArrayElement, value: Value) -> TokenStream {
        let place = self.element(written(self.plan.name, element.slot.array), element);
        let value = self.value(value).0;
        quote!(#place = #value;)
    }

    /// A temporary's name, or whatever else the value is.
    pub fn leaf(&self, value: Value) -> TokenStream {
        match (self.texts.get(&value), self.plan.temporary(value)) {
            (Some(text), _) => text.clone(),
            (None, Some(number)) => {
                let name = identifier(&format!("t{number}"));
                quote!(#name)
            }
            (None, None) => self.body(value).0,
        }
    }

    /// An element of an array, or the scalar.
    pub fn slot(&self, place: ArrayPlace, slot: Slot) -> TokenStream {
        self.element(place, ArrayElement::new(slot, 0))
    }

    /// An element of an array that may be another one in each turn, or the scalar.
    pub fn element(&self, place: ArrayPlace, element: ArrayElement) -> TokenStream {
        let ArrayElement { slot, stride } = element;
        let name = identifier(place.name);
        let field = place.field.map(identifier).map(|field| quote!(.#field));
        let first = slot.index as usize;
        let index = ArrayElement::index(first, stride);
        match slot.array {
            scalar if scalar.is_scalar() => quote!(#name #field),
            Array::Mass | Array::Rows | Array::Stiffness | Array::Damping => {
                let columns = self.context.shape(slot.array).1.max(1);
                let number = |n: usize| Literal::usize_unsuffixed(n);
                let (row, column) = match stride {
                    0 => {
                        let (row, column) = (number(first / columns), number(first % columns));
                        (quote!(#row), quote!(#column))
                    }
                    _ if columns == 1 => (index, quote!(0)),
                    _ => {
                        let columns = number(columns);
                        (quote!((#index) / #columns), quote!((#index) % #columns))
                    }
                };
                quote!(#name #field[(#row, #column)])
            }
            _ => quote!(#name #field[#index]),
        }
    }

    fn value(&self, value: Value) -> (TokenStream, Bond) {
        match self.plan.temporary(value).is_some() || self.texts.contains_key(&value) {
            true => (self.leaf(value), Bond::Atom),
            false => self.body(value),
        }
    }

    fn body(&self, value: Value) -> (TokenStream, Bond) {
        use Instruction::*;
        match self.plan.instruction(value) {
            Constant(number) => {
                let alone = self.context.lanes == Lanes::One;
                let sign = alone && number.is_sign_negative() && !number.is_nan();
                (
                    self.context.number(number),
                    if sign { Bond::Sign } else { Bond::Atom },
                )
            }
            Load(slot) => (
                self.slot(read(self.plan.name, slot.array), slot),
                Bond::Atom,
            ),
            Add(a, b) => self.sum(a, b),
            Sub(a, b) => self.difference(a, b),
            Mul(a, b) => {
                let (a, b) = (self.operand(a, Bond::Product), self.operand(b, Bond::Sign));
                (quote!(#a * #b), Bond::Product)
            }
            Div(a, b) => self.distinct(a, b, [Bond::Product, Bond::Sign], quote!(/), "Div::div"),
            Neg(a) => {
                let a = self.operand(a, Bond::Atom);
                (quote!(-#a), Bond::Sign)
            }
            Unary(function, a) => (self.call(function.word(), &[a]), Bond::Atom),
            Binary(function, a, b) => (self.call(binary(function), &[a, b]), Bond::Atom),
            Table(id, derivative, a) => {
                let at = self.value(a).0;
                (table::lookup(self.context, id, derivative, &at), Bond::Atom)
            }
            Less(a, b) if self.is_wide() => (self.compare("less", a, b), Bond::Atom),
            LessEqual(a, b) if self.is_wide() => (self.compare("less_equal", a, b), Bond::Atom),
            Equal(a, b) if self.is_wide() => (self.compare("equal", a, b), Bond::Atom),
            And(a, b) if self.is_wide() => self.logic(a, b, quote!(&)),
            Or(a, b) if self.is_wide() => self.logic(a, b, quote!(|)),
            Not(a) if self.is_wide() => {
                let a = self.operand(a, Bond::Atom);
                (quote!(!#a), Bond::Sign)
            }
            Select(c, a, b) if self.is_wide() => {
                let real = &self.context.real;
                let (c, a, b) = (self.value(c).0, self.value(a).0, self.value(b).0);
                (quote!(#real::choose(#c, #a, #b)), Bond::Atom)
            }
            Less(a, b) => self.question(a, b, quote!(<), quote!(PartialOrd::lt)),
            LessEqual(a, b) => self.question(a, b, quote!(<=), quote!(PartialOrd::le)),
            Equal(a, b) => self.question(a, b, quote!(==), quote!(PartialEq::eq)),
            And(a, b) => self.logic(a, b, quote!(&&)),
            Or(a, b) => self.logic(a, b, quote!(||)),
            Not(a) => self.not(a),
            Select(c, a, b) => {
                let (c, a, b) = (self.value(c).0, self.value(a).0, self.value(b).0);
                (quote!(if #c { #a } else { #b }), Bond::Choice)
            }
        }
    }

    fn operand(&self, value: Value, least: Bond) -> TokenStream {
        let (tokens, bond) = self.value(value);
        if bond < least {
            quote!((#tokens))
        } else {
            tokens
        }
    }

    /// `a + b`; a + (−b) and (−b) + a are written as a − b, which has the same bits.
    fn sum(&self, a: Value, b: Value) -> (TokenStream, Bond) {
        match (self.inner_negation(a), self.inner_negation(b)) {
            (_, Some(b)) => self.difference(a, b),
            (Some(a), _) => self.difference(b, a),
            _ => match (self.inner_product(a), self.inner_product(b)) {
                (_, Some(product)) => self.fused(product, self.value(a).0),
                (Some(product), _) => self.fused(product, self.value(b).0),
                _ => self.plain_sum(a, b),
            },
        }
    }

    fn plain_sum(&self, a: Value, b: Value) -> (TokenStream, Bond) {
        let left = self.operand(a, Bond::Sum);
        match self.negated(b) {
            Some(b) => (quote!(#left - #b), Bond::Sum),
            None => {
                let right = self.operand(b, Bond::Product);
                (quote!(#left + #right), Bond::Sum)
            }
        }
    }

    /// `a − b`; a − (−b) is written as a + b, which has the same bits.
    fn difference(&self, a: Value, b: Value) -> (TokenStream, Bond) {
        if let Some(b) = self.inner_negation(b) {
            return self.sum(a, b);
        }
        match (self.inner_product(a), self.inner_product(b)) {
            (_, Some([x, y])) => {
                let (x, y) = (self.opposite(x), self.value(y).0);
                self.multiply_add(x, y, self.value(a).0)
            }
            (Some(product), _) => self.fused(product, self.opposite(b)),
            _ => match self.negated(b) {
                Some(b) => {
                    let a = self.operand(a, Bond::Sum);
                    (quote!(#a + #b), Bond::Sum)
                }
                None => self.distinct(a, b, [Bond::Sum, Bond::Product], quote!(-), "Sub::sub"),
            },
        }
    }

    /// A product and the term that is added to it, in one operation where the target has one.
    fn fused(&self, product: [Value; 2], more: TokenStream) -> (TokenStream, Bond) {
        let [x, y] = product.map(|factor| self.value(factor).0);
        self.multiply_add(x, y, more)
    }

    fn multiply_add(
        &self,
        x: TokenStream,
        y: TokenStream,
        more: TokenStream,
    ) -> (TokenStream, Bond) {
        let fused = self.context.item("fused");
        (quote!(#fused(#x, #y, #more)), Bond::Atom)
    }

    /// The factors of a product that has no name.
    fn inner_product(&self, value: Value) -> Option<[Value; 2]> {
        match (self.plan.temporary(value), self.plan.instruction(value)) {
            (None, Instruction::Mul(x, y)) => Some([x, y]),
            _ => None,
        }
    }

    /// The value with the other sign.
    fn opposite(&self, value: Value) -> TokenStream {
        self.negated(value).unwrap_or_else(|| {
            let value = self.operand(value, Bond::Atom);
            quote!(-#value)
        })
    }

    /// The opposite of a value that is written with a minus sign in front.
    fn negated(&self, value: Value) -> Option<TokenStream> {
        match self.plan.instruction(value) {
            Instruction::Constant(number) if number.is_sign_negative() && !number.is_nan() => {
                Some(self.context.number(-number))
            }
            _ => self
                .inner_negation(value)
                .map(|inner| self.operand(inner, Bond::Product)),
        }
    }

    fn inner_negation(&self, value: Value) -> Option<Value> {
        match (self.plan.temporary(value), self.plan.instruction(value)) {
            (None, Instruction::Neg(inner)) => Some(inner),
            _ => None,
        }
    }

    /// An operation that lints take for a slip if both sides are equal: then it is called by name.
    fn distinct(
        &self,
        a: Value,
        b: Value,
        bonds: [Bond; 2],
        operator: TokenStream,
        name: &str,
    ) -> (TokenStream, Bond) {
        let bond = bonds[0];
        let (left, right) = (self.operand(a, bond), self.operand(b, bonds[1]));
        if left.to_string() != right.to_string() {
            return (quote!(#left #operator #right), bond);
        }
        let name: Vec<_> = name.split("::").map(identifier).collect();
        (quote!(::core::ops::#(#name)::*(#left, #right)), Bond::Atom)
    }

    /// True if each of several lanes answers a comparison for itself.
    fn is_wide(&self) -> bool {
        self.context.lanes == Lanes::Any
    }

    /// A comparison that each lane answers for itself.
    fn compare(&self, name: &str, a: Value, b: Value) -> TokenStream {
        let (real, name) = (&self.context.real, identifier(name));
        let (a, b) = (self.value(a).0, self.value(b).0);
        quote!(#real::#name(#a, #b))
    }

    /// A comparison, called by name if both sides are equal, like [`Self::distinct`].
    fn question(
        &self,
        a: Value,
        b: Value,
        operator: TokenStream,
        name: TokenStream,
    ) -> (TokenStream, Bond) {
        let (left, right) = (self.operand(a, Bond::Sum), self.operand(b, Bond::Sum));
        if left.to_string() == right.to_string() {
            return (quote!(::core::cmp::#name(&#left, &#right)), Bond::Atom);
        }
        (quote!(#left #operator #right), Bond::Choice)
    }

    fn logic(&self, a: Value, b: Value, operator: TokenStream) -> (TokenStream, Bond) {
        let (a, b) = (self.operand(a, Bond::Atom), self.operand(b, Bond::Atom));
        (quote!(#a #operator #b), Bond::Choice)
    }

    fn not(&self, a: Value) -> (TokenStream, Bond) {
        match (self.plan.temporary(a), self.plan.instruction(a)) {
            (None, Instruction::Equal(a, b)) => {
                self.question(a, b, quote!(!=), quote!(PartialEq::ne))
            }
            _ => {
                let a = self.operand(a, Bond::Atom);
                (quote!(!#a), Bond::Sign)
            }
        }
    }

    /// `Real::sqrt(…)`: the runtime's function, which an inherent method of the same name cannot replace. If all
    /// arguments are literal numbers, the type is written.
    fn call(&self, function: &str, arguments: &[Value]) -> TokenStream {
        let (real, trait_name) = (&self.context.real, self.context.item("Real"));
        let function = identifier(function);
        let is_typed = arguments.iter().any(|argument| self.is_typed(*argument));
        let arguments = arguments.iter().map(|argument| self.value(*argument).0);
        match is_typed {
            true => quote!(#trait_name::#function(#(#arguments),*)),
            false => quote!(<#real as #trait_name>::#function(#(#arguments),*)),
        }
    }

    /// False for numbers and for values that are computed of them in the same expression.
    fn is_typed(&self, value: Value) -> bool {
        let has_name = self.plan.temporary(value).is_some() || self.texts.contains_key(&value);
        has_name
            || match self.plan.instruction(value) {
                Instruction::Constant(_) => self.is_wide(),
                Instruction::Load(_) => true,
                other => other.operands().any(|operand| self.is_typed(operand)),
            }
    }
}

fn binary(function: Binary) -> &'static str {
    match function {
        Binary::Atan2 => "atan2",
        Binary::Min => "min",
        Binary::Max => "max",
        Binary::Pow => "powf",
        Binary::Mod => "modulo",
    }
}
