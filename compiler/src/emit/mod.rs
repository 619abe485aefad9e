//! The kernel as Rust: one module with the struct, its accessors, index constants, and the
//! implementation of the runtime's trait.
//!
//! Nothing here changes the results: an expression of the output has the bits that the kernel's instructions have. The
//! emitted code is clean under `-D warnings` and clippy and depends on nothing in the scope that it is put in. After
//! this point there are only tokens that parse as a Rust file.

/// Cuts long functions into pieces.
pub mod chunks;
mod context;
/// Doc comments of functions.
mod describe;
/// Doc comments and operation counts.
pub mod docs;
mod events;
mod expression;
/// Whole, as loops, or in pieces.
mod form;
mod format;
mod functions;
/// The imports of the generated module.
mod imports;
mod lanes;
mod literal;
/// Names of the values that functions read.
mod locals;
/// Names of the description as identifiers.
pub mod names;
mod params;
/// Decides which values become statements.
pub mod plan;
/// Finds rounds: stretches of statements that repeat.
pub mod roll;
mod rounds;
mod signature;
mod state;
mod table;
#[cfg(test)]
mod tests;

pub use format::format;

use proc_macro2::TokenStream;
use quote::quote;

use crate::assembly::Assembly;
use crate::kernel::{Array, Function, Kernel, Name, Sizes, Solve, Verified};
use crate::model::Model;
use crate::options::{Extra, Options, extras};
use context::EmitContext;
use locals::Locals;
use names::{camel, identifier, snake};
use plan::StatementPlan;

/// Contents of the header of the generated code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// Version of the compiler.
    pub version: String,
    /// Content key of the input.
    pub hash: String,
    /// Name of the formulation and of the form of the solve.
    pub formulation: String,
    /// Names of the joints where loops are opened.
    pub cuts: Vec<String>,
    /// Degrees of freedom.
    pub freedoms: usize,
    /// Further sentences: the reason for this formulation, the folded numbers.
    pub notes: Vec<String>,
    /// The candidates among which the formulation was chosen: a table in Markdown, or nothing.
    pub candidates: String,
}

/// Names of the elements of the arrays that a formulation has made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(
    missing_docs,
    reason = "each names the elements of the array of that name"
)]
pub struct Names {
    pub coordinates: Vec<String>,
    pub velocities: Vec<String>,
    pub constraints: Vec<String>,
    /// Indices of the constraint equations of couplings.
    pub couplings: Vec<usize>,
    pub holds: Vec<String>,
    /// Number of the last holds that are constraint equations kept by springs.
    pub n_compliant: usize,
}

/// Name of the generated type: `four_bar` becomes `FourBar`.
pub fn type_name(model: &Model) -> String {
    camel(&model.name)
}

/// The module of a mechanism.
pub fn module(
    model: &Model,
    names: &Names,
    assembly: &Assembly,
    kernel: Verified,
    header: &Header,
    options: &Options,
) -> TokenStream {
    tokens(model, names, assembly, kernel.kernel(), header, options)
}

fn tokens(
    model: &Model,
    names: &Names,
    assembly: &Assembly,
    kernel: &Kernel,
    header: &Header,
    options: &Options,
) -> TokenStream {
    let mut context = EmitContext::new(
        kernel.sizes,
        Locals::new(model, names),
        &type_name(model),
        options,
    );
    context.tables = table::names(model);
    let plans = plans(kernel, options);
    let writes = |plan: &StatementPlan| plan.name == Name::MassTimes && !plan.statements.is_empty();
    context.has_mass_times = plans.iter().any(writes);
    let about = docs::header(model, names, assembly, &plans, header, options);
    let module = identifier(&snake(&model.name));
    let name = identifier(&type_name(model));
    let state = state::state(&context, model, &name);
    let indices = params::indices(model);
    let tables = table::statics(&context, model, &plans);
    let implementations = implementations(&context, model, names, assembly, &plans);
    let lanes = lanes::lanes(&context, &name);
    let (imports, near_constants) = (context.imports.lines(), context.imports.near_constants());
    quote! {
        #about
        #[allow(clippy::module_inception, reason = "a file may be named after the mechanism in it")]
        #near_constants
        pub mod #module {
            #imports
            #state
            #implementations
            #lanes
            #indices
            #tables
        }
        pub use #module::#name;
    }
}

/// The same items with functions that give zero, for tools that want names and types at once.
pub fn signatures(model: &Model, names: &Names, header: &Header, options: &Options) -> TokenStream {
    let sizes = Sizes {
        coordinates: names.coordinates.len(),
        velocities: names.velocities.len(),
        constraints: names.constraints.len(),
        parameters: model.parameters.len(),
        inputs: model.inputs.len(),
        variables: model.variables.len(),
        events: model.events.len(),
        transitions: model.events.iter().map(|event| event.sets.len()).sum(),
        holds: names.holds.len(),
        outputs: model.outputs.len(),
        reactions: 6 * model.joints.len(),
        ..Sizes::default()
    };
    let assembly = Assembly {
        coordinates: vec![0.0; sizes.coordinates],
        velocities: vec![0.0; sizes.velocities],
        parameters: Vec::new(),
        states: Vec::new(),
        redundant: Vec::new(),
        rounded: false,
        freedoms: header.freedoms,
        shares: Vec::new(),
        size: 1.0,
        samples: Vec::new(),
    };
    let kernel = Kernel {
        functions: Vec::new(),
        extras: extras(model, options),
        sizes,
        solve: Solve::default(),
    };
    tokens(model, names, &assembly, &kernel, header, options)
}

/// One plan for each function that is asked for; a function that the kernel lacks gives zero.
fn plans(kernel: &Kernel, options: &Options) -> Vec<StatementPlan> {
    let plan = |name: &Name| match kernel.functions.iter().find(|one| one.name == *name) {
        Some(function) => StatementPlan::new(function, options.scalar),
        None => {
            let empty = Function {
                name: *name,
                instructions: Vec::new(),
                outputs: Vec::new(),
            };
            StatementPlan::new(&empty, options.scalar)
        }
    };
    Name::asked(&kernel.extras)
        .map(|name| plan(&name))
        .collect()
}

fn implementations(
    context: &EmitContext,
    model: &Model,
    names: &Names,
    assembly: &Assembly,
    plans: &[StatementPlan],
) -> TokenStream {
    let name = context.type_of(&identifier(&type_name(model)));
    let generics = context.generics();
    let (mechanism, default) = (context.item("Mechanism"), context.defaults().1);
    let accessors = params::accessors(context, model);
    let items = state::items(context, model, names, assembly);
    let unrolled = state::unrolled(plans);
    let quiet = state::without_multipliers(plans, assembly);
    let simple = state::methods(context, model, assembly);
    let events = events::constants(context, model, plans);
    let variables = events::methods(context, model);
    let mut functions = TokenStream::new();
    let mut extras: Vec<(Extra, TokenStream)> = Vec::new();
    let mut pieces = TokenStream::new();
    for plan in plans {
        let emitted = functions::function(context, plan);
        match plan.name {
            Name::Prepare if context.sizes.derived == 0 => continue,
            Name::Events if context.sizes.events == 0 => continue,
            Name::Transitions if context.sizes.transitions == 0 => continue,
            Name::MassTimes if !context.has_mass_times => continue,
            Name::Prepare | Name::MassTimes => pieces.extend(emitted.method),
            name => match (name.extra(), extras.last_mut()) {
                (None, _) => functions.extend(emitted.method),
                (Some(extra), Some((last, methods))) if *last == extra => {
                    methods.extend(emitted.method);
                }
                (Some(extra), _) => extras.push((extra, emitted.method)),
            },
        }
        pieces.extend(emitted.pieces);
    }
    let extras = extras.into_iter().map(|(extra, methods)| {
        let (name, kind) = (&name, context.item(extra.trait_name()));
        let types = extra_types(context, extra);
        quote!(impl #generics #kind for #name { #types #methods })
    });
    let pieces = (!pieces.is_empty()).then(|| quote!(impl #generics #name { #pieces }));
    let extras: Vec<_> = extras.collect();
    quote! {
        #[allow(dead_code, reason = "a program need not use every accessor")]
        impl #generics #name {
            /// The mechanism with its default parameters.
            pub fn new() -> Self {
                #default
            }
            #accessors
        }
        impl #generics #mechanism for #name {
            #items
            #unrolled
            #quiet
            #events
            #simple
            #variables
            #functions
        }
        #(#extras)*
        #pieces
    }
}

/// The associated types of an extra's trait.
fn extra_types(context: &EmitContext, extra: Extra) -> TokenStream {
    let vector = |name: &str, array| {
        let (name, kind) = (identifier(name), context.vector(context.shape(array).0));
        quote!(type #name = #kind;)
    };
    match extra {
        Extra::Baumgarte | Extra::Jacobian => TokenStream::new(),
        Extra::Penalty => vector("PenaltyFactor", Array::PenaltyFactor),
        Extra::Plain => {
            let factor = vector("PlainFactor", Array::PlainFactor);
            let inner = proc_macro2::Literal::usize_unsuffixed(context.sizes.inner);
            quote!(#factor const INNER: usize = #inner;)
        }
        Extra::Standard => vector("StandardFactor", Array::StandardFactor),
        Extra::Tangents => {
            let factor = vector("TangentFactor", Array::TangentFactor);
            let n = context.sizes.velocities + context.sizes.constraints;
            let saddle = context.matrix(n, n);
            quote!(#factor type Saddle = #saddle;)
        }
    }
}
