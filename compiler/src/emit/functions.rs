//! The bodies of the trait's methods, and the pieces of those that are too long for one function.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::chunks::{FunctionPiece, PlacedValue, chunks};
use super::context::EmitContext;
use super::describe::describe;
use super::docs::doc;
use super::expression::{Renderer, Texts};
use super::form::{FunctionForm, form};
use super::names::identifier;
use super::plan::{Statement, StatementPlan};
use super::roll::Rolled;
use super::rounds::{outside, rounds};
use super::signature::{
    Access, ArgumentType, EmittedArgument, arguments, read, results, split_state, written,
};
use crate::kernel::{Array, Instruction, Name, Slot};
use crate::options::Lanes;

/// A function as a method and the pieces that it calls.
#[derive(Clone, Debug, Default)]
pub struct Emitted {
    /// The method of the trait; of `prepare`, the function of the type.
    pub method: TokenStream,
    /// Functions of the type.
    pub pieces: TokenStream,
}

/// Arguments that a function may have before a lint finds them too many.
const ARGUMENTS: usize = 7;

/// Statements of an acceleration up to which it is put where it is called: so few take no longer than what they find
/// takes to be stored and read again.
const INLINED: usize = 250;

/// Missing elements that are set to zero one by one; more are set together.
const SINGLE_ZEROS: usize = 4;

/// The method of a function, and its pieces.
pub fn function(context: &EmitContext, plan: &StatementPlan) -> Emitted {
    match form(plan, context.piece) {
        FunctionForm::Rounds(rolled) => in_rounds(context, plan, &rolled),
        FunctionForm::Pieces(length) => in_pieces(context, plan, 0, length),
        FunctionForm::Apart(plan, n_apart, length) => in_pieces(context, &plan, n_apart, length),
    }
}

fn in_rounds(context: &EmitContext, plan: &StatementPlan, rolled: &Rolled) -> Emitted {
    let texts = context.locals.texts(plan);
    let writer = FunctionWriter::new(context, plan, &texts, 0);
    let (locals, zeros) = (writer.locals(&plan.statements), writer.zeros());
    let values = outside(plan, rolled);
    let named = context
        .locals
        .bindings(&writer.renderer, &mut BTreeSet::new(), values);
    let rounds = rounds(context, plan, rolled, &texts);
    let method = writer.method(quote!(#locals #named #zeros #rounds));
    let reason = "a turn counts in several arrays";
    Emitted {
        method: quote!(#[allow(clippy::needless_range_loop, reason = #reason)] #method),
        pieces: TokenStream::new(),
    }
}

fn in_pieces(
    context: &EmitContext,
    plan: &StatementPlan,
    n_apart: usize,
    length: usize,
) -> Emitted {
    let pieces = chunks(plan, n_apart, length);
    let texts = context.locals.texts(plan);
    let writer = FunctionWriter::new(context, plan, &texts, pieces.n_places);
    let pieces = pieces.list;
    let zeros = writer.zeros();
    if let [_] = pieces.as_slice() {
        let locals = writer.locals(&plan.statements);
        let statements = writer.statements(&plan.statements);
        let body = quote!(#locals #zeros #statements);
        return Emitted {
            method: writer.method(body),
            pieces: TokenStream::new(),
        };
    }
    let given = writer.given(&plan.statements);
    let calls = pieces
        .iter()
        .enumerate()
        .map(|(index, piece)| writer.call(index, piece));
    let live = writer.live();
    let body = quote!(#given #zeros #live #(#calls)*);
    let functions = pieces.iter().enumerate();
    Emitted {
        method: writer.method(body),
        pieces: functions
            .map(|(index, piece)| writer.piece(index, pieces.len(), piece))
            .collect(),
    }
}

struct FunctionWriter<'a> {
    context: &'a EmitContext,
    plan: &'a StatementPlan,
    n_places: usize,
    renderer: Renderer<'a>,
}

impl<'a> FunctionWriter<'a> {
    fn new(
        context: &'a EmitContext,
        plan: &'a StatementPlan,
        texts: &'a Texts,
        n_places: usize,
    ) -> Self {
        Self {
            context,
            plan,
            n_places,
            renderer: Renderer {
                context,
                plan,
                texts,
            },
        }
    }

    fn method(&self, body: TokenStream) -> TokenStream {
        let name = identifier(self.plan.name.method());
        let about = describe(self.context, self.plan);
        let mut used = self.used(&self.plan.statements, true);
        let mass = self.mass();
        if mass.is_some() {
            used.extend(["q", "out"]);
        }
        let all = arguments(self.plan.name);
        let (state, others) = split_state(&all);
        let state = (!state.is_empty()).then(|| self.state(state, &used));
        let others = others
            .iter()
            .filter(|argument| argument.access != Access::Return)
            .map(|argument| {
                let prefix = if used.contains(argument.name) {
                    ""
                } else {
                    "_"
                };
                let name = format_ident!("{prefix}{}", argument.name);
                let kind = match self.plan.name {
                    Name::MassTimes => argument.full(self.context),
                    _ => argument.declared(self.context),
                };
                quote!(#name: #kind)
            });
        let list = state.into_iter().chain(others);
        match all
            .iter()
            .find(|argument| argument.access == Access::Return)
        {
            Some(result) => {
                let (kind, zero) = self.returned(result);
                let body = match used.contains(result.name) {
                    true => quote!(let mut out = #zero; #body out),
                    false => zero,
                };
                quote!(#about fn #name(&self, #(#list),*) -> #kind { #body })
            }
            None if self.plan.name == Name::Prepare => {
                quote!(#about fn #name(#(#list),*) { #body })
            }
            None => {
                let inline = self.inline();
                quote!(#about #inline fn #name(&self, #(#list),*) { #body #mass })
            }
        }
    }

    /// `StateView { t, q, v }: StateView<'_, Self>` with the parts that the function reads.
    fn state(&self, parts: &[EmittedArgument], used: &BTreeSet<&str>) -> TokenStream {
        let view = self.context.item("StateView");
        let read = parts.iter().filter(|part| used.contains(part.name));
        let read: Vec<_> = read.map(|part| identifier(part.name)).collect();
        let rest = (read.len() < parts.len()).then(|| quote!(..));
        let pattern = match read.as_slice() {
            [] => quote!(_),
            read => quote!(#view { #(#read,)* #rest }),
        };
        quote!(#pattern: #view<'_, Self>)
    }

    /// Stages of a step hand their accelerations on in registers, if those are found there.
    fn inline(&self) -> Option<TokenStream> {
        let is_small = self.plan.statements.len() <= INLINED;
        (self.plan.name == Name::Accelerate && is_small).then(|| quote!(#[inline(always)]))
    }

    /// M by its products with unit vectors, where it is not written out.
    fn mass(&self) -> Option<TokenStream> {
        let is_asked = self.plan.name == Name::Dense && self.context.has_mass_times;
        let product = identifier(Name::MassTimes.method());
        is_asked.then(|| quote!(out.fill_mass(|x, product| self.#product(q, x, product));))
    }

    /// The type of the returned value, and the value with everything zero.
    fn returned(&self, result: &EmittedArgument) -> (TokenStream, TokenStream) {
        let real = &self.context.real;
        let ArgumentType::Scalars(kind) = result.kind else {
            return (TokenStream::new(), TokenStream::new());
        };
        let kind = self.context.item(kind);
        let fields = result.arrays.iter().map(|array| {
            let field = written(self.plan.name, *array).field.map(identifier);
            let zero = self.context.number(0.0);
            quote!(#field: #zero)
        });
        let zero = quote!(#kind { #(#fields),* });
        (quote!(#kind<#real>), zero)
    }

    /// One piece as a function of the type.
    fn piece(&self, index: usize, n_pieces: usize, piece: &FunctionPiece) -> TokenStream {
        let statements = piece.of(self.plan);
        let name = self.piece_name(index);
        let text = format!(
            "Piece {} of {n_pieces} of `{}`.",
            index + 1,
            self.plan.name.method()
        );
        let about = doc(&text);
        let list = self
            .piece_arguments(piece)
            .into_iter()
            .map(|one| one.declaration);
        let receiver = self.needs_self(statements).then(|| quote!(&self,));
        let fields = self.fields(statements);
        let entering = self.entering(&piece.entering);
        let leaving = self.leaving(&piece.leaving);
        let statements = self.statements(statements);
        quote! {
            #about
            #[inline(never)]
            fn #name(#receiver #(#list),*) {
                #entering
                #fields
                #statements
                #leaving
            }
        }
    }

    fn call(&self, index: usize, piece: &FunctionPiece) -> TokenStream {
        let statements = piece.of(self.plan);
        let name = self.piece_name(index);
        let list = self
            .piece_arguments(piece)
            .into_iter()
            .map(|one| one.passed);
        let path = if self.needs_self(statements) {
            quote!(self.)
        } else {
            quote!(Self::)
        };
        quote!(#path #name(#(#list),*);)
    }

    fn piece_name(&self, index: usize) -> proc_macro2::Ident {
        format_ident!("{}_{}", self.plan.name.method(), index + 1)
    }

    fn piece_arguments(&self, piece: &FunctionPiece) -> Vec<PieceArgument> {
        let statements = piece.of(self.plan);
        let used = self.used(statements, false);
        let mut list = Vec::new();
        let kind = self.context.array(self.n_places);
        if !piece.leaving.is_empty() {
            let (declared, passed) = (quote!(&mut #kind), quote!(&mut live));
            list.push(PieceArgument::new(quote!(live), declared, passed));
        } else if !piece.entering.is_empty() {
            list.push(PieceArgument::new(
                quote!(live),
                quote!(&#kind),
                quote!(&live),
            ));
        }
        if used.contains("given") {
            let kind = self.context.vector(self.context.sizes.coordinates);
            list.push(PieceArgument::new(
                quote!(given),
                quote!(&#kind),
                quote!(&given),
            ));
        }
        let arguments = arguments(self.plan.name);
        for argument in arguments
            .iter()
            .filter(|argument| used.contains(argument.name))
        {
            let name = identifier(argument.name);
            let passed = match argument.access {
                Access::Return => quote!(&mut #name),
                _ => quote!(#name),
            };
            list.push(PieceArgument::new(
                quote!(#name),
                argument.full(self.context),
                passed,
            ));
        }
        let n_receivers = usize::from(self.needs_self(statements));
        if list.len() + n_receivers > ARGUMENTS {
            bundle(&mut list);
        }
        list
    }

    /// Room for values that pieces leave to later ones.
    fn live(&self) -> Option<TokenStream> {
        let length = proc_macro2::Literal::usize_unsuffixed(self.n_places);
        let zero = self.context.number(0.0);
        (self.n_places > 0).then(|| quote!(let mut live = [#zero; #length];))
    }

    /// `let t1 = live[0];`, with truth values made from numbers again.
    fn entering(&self, values: &[PlacedValue]) -> TokenStream {
        let enter = |(value, place): &PlacedValue| {
            let name = self.renderer.leaf(*value);
            let place = proc_macro2::Literal::usize_unsuffixed(*place);
            let truth =
                self.plan
                    .instruction(*value)
                    .is_truth()
                    .then(|| match self.context.lanes {
                        Lanes::One => quote!(> 0.5),
                        Lanes::Any => quote!(.to_mask()),
                    });
            quote!(let #name = live[#place] #truth;)
        };
        values.iter().map(enter).collect()
    }

    /// `live[0] = t1;`
    fn leaving(&self, values: &[PlacedValue]) -> TokenStream {
        let real = &self.context.real;
        let leave = |(value, place): &PlacedValue| {
            let name = self.renderer.leaf(*value);
            let place = proc_macro2::Literal::usize_unsuffixed(*place);
            match (self.plan.instruction(*value).is_truth(), self.context.lanes) {
                (true, Lanes::One) => quote!(live[#place] = #real::from(#name);),
                (true, Lanes::Any) => quote!(live[#place] = #real::from_mask(#name);),
                (false, _) => quote!(live[#place] = #name;),
            }
        };
        values.iter().map(leave).collect()
    }

    /// Statements, each after the names of what it is the first to read: rustc then makes of them what it makes of
    /// statements without names.
    fn statements(&self, statements: &[Statement]) -> TokenStream {
        let mut bound = BTreeSet::new();
        let statement = |one: &Statement| {
            let leaves = self.plan.leaves_of(*one);
            let named = self
                .context
                .locals
                .bindings(&self.renderer, &mut bound, leaves);
            let statement = self.renderer.statement(*one);
            quote!(#named #statement)
        };
        statements.iter().map(statement).collect()
    }

    fn locals(&self, statements: &[Statement]) -> TokenStream {
        let (given, fields) = (self.given(statements), self.fields(statements));
        quote!(#given #fields)
    }

    /// The copy from which arrays that are written in place are read.
    fn given(&self, statements: &[Statement]) -> Option<TokenStream> {
        self.used(statements, false)
            .contains("given")
            .then(|| quote!(let given = *q;))
    }

    fn fields(&self, statements: &[Statement]) -> TokenStream {
        if self.plan.name == Name::Prepare {
            return TokenStream::new();
        }
        let used = self.used(statements, false);
        let fields = FIELDS.iter().filter(|(local, _)| used.contains(local));
        let fields = fields.map(|(local, field)| {
            let (name, field) = (identifier(local), identifier(field));
            match *local {
                VARIABLES => quote!(let #name = self.#field.get();),
                _ => quote!(let #name = &self.#field;),
            }
        });
        fields.collect()
    }

    fn needs_self(&self, statements: &[Statement]) -> bool {
        let used = self.used(statements, false);
        self.plan.name != Name::Prepare && FIELDS.iter().any(|(local, _)| used.contains(local))
    }

    /// Names of the arguments and locals that statements use, and those that are set to zero.
    fn used(&self, statements: &[Statement], zeros: bool) -> BTreeSet<&'static str> {
        let mut used = BTreeSet::new();
        for statement in statements {
            self.plan.leaves(*statement, &mut |leaf| {
                if let Instruction::Load(slot) = self.plan.instruction(leaf) {
                    used.insert(read(self.plan.name, slot.array).name);
                }
            });
            if let Statement::Write(slot, _) = statement {
                used.insert(written(self.plan.name, slot.array).name);
            }
        }
        if used.contains("given") {
            used.insert(if zeros { "q" } else { "given" });
        }
        if zeros {
            let missing = self.missing().into_iter();
            used.extend(missing.map(|(array, _)| written(self.plan.name, array).name));
        }
        used
    }

    /// Sets the elements that the function does not write to zero.
    fn zeros(&self) -> TokenStream {
        self.missing()
            .into_iter()
            .map(|(array, indices)| self.zero(array, &indices))
            .collect()
    }

    fn zero(&self, array: Array, indices: &[u32]) -> TokenStream {
        let place = written(self.plan.name, array);
        let zero = self.context.number(0.0);
        if indices.len() <= SINGLE_ZEROS {
            let slots = indices.iter().map(|index| Slot {
                array,
                index: *index,
            });
            let slots = slots.map(|slot| self.renderer.slot(place, slot));
            return quote!(#(#slots = #zero;)*);
        }
        let name = identifier(place.name);
        let field = place.field.map(identifier).map(|field| quote!(.#field));
        quote!(#name #field.fill(#zero);)
    }

    /// The elements that are not written, by array. A method that changes its argument in place
    /// leaves them as they are, and what is returned starts with zeros.
    fn missing(&self) -> Vec<(Array, Vec<u32>)> {
        if matches!(self.plan.name, Name::Normalize | Name::Energy) {
            return Vec::new();
        }
        let slot = |statement: &Statement| match statement {
            Statement::Write(slot, _) => Some(*slot),
            _ => None,
        };
        let written: BTreeSet<Slot> = self.plan.statements.iter().filter_map(slot).collect();
        let missing = results(self.plan.name).into_iter().map(|array| {
            let (rows, columns) = self.context.shape(array);
            let indices = 0..(rows * columns) as u32;
            let absent = indices.filter(|index| {
                !written.contains(&Slot {
                    array,
                    index: *index,
                })
            });
            (array, absent.collect::<Vec<_>>())
        });
        missing.filter(|(_, indices)| !indices.is_empty()).collect()
    }
}

/// Locals that stand for fields of the struct.
const FIELDS: [(&str, &str); 4] = [
    ("p", "parameters"),
    ("u", "inputs"),
    (VARIABLES, "variables"),
    ("d", "derived"),
];

/// The local that stands for the contents of a cell.
const VARIABLES: &str = "w";

struct PieceArgument {
    name: TokenStream,
    kind: TokenStream,
    declaration: TokenStream,
    passed: TokenStream,
}

impl PieceArgument {
    fn new(name: TokenStream, kind: TokenStream, passed: TokenStream) -> Self {
        let declaration = quote!(#name: #kind);
        Self {
            name,
            kind,
            declaration,
            passed,
        }
    }
}

/// Passes the last two arguments before the result as one pair.
fn bundle(list: &mut Vec<PieceArgument>) {
    let end = list.len() - 1;
    let pair: Vec<_> = list.drain(end - 2..end).collect();
    let names = pair.iter().map(|one| &one.name);
    let kinds = pair.iter().map(|one| &one.kind);
    let passed = pair.iter().map(|one| &one.passed);
    let bundled = PieceArgument::new(
        quote!((#(#names),*)),
        quote!((#(#kinds),*)),
        quote!((#(#passed),*)),
    );
    list.insert(end - 2, bundled);
}
