//! Parameters, inputs, variables, outputs, events and joints by the user's names: accessors and index constants.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::context::EmitContext;
use super::docs::{doc, plain};
use super::names::{Taken, identifier, screaming, snake};
use crate::kernel::Name;
use crate::model::Model;

/// `pub fn length(&self) -> f64` and `pub fn set_length(&mut self, value: f64)` for each parameter, input
/// and variable.
pub fn accessors(context: &EmitContext, model: &Model) -> TokenStream {
    let mut taken = Taken::new(RESERVED);
    let mut tokens = TokenStream::new();
    for (index, parameter) in model.parameters.iter().enumerate() {
        let name = claim(&mut taken, "parameter", &parameter.name);
        let what = format!("Parameter `{}`", plain(&parameter.name));
        let prepare = (context.sizes.derived > 0)
            .then(|| quote!(Self::prepare(&self.parameters, &mut self.derived);));
        tokens.extend(accessor(
            context,
            &name,
            &what,
            [quote!(parameters), quote!(parameters)],
            index,
            prepare,
        ));
    }
    for (index, input) in model.inputs.iter().enumerate() {
        let name = claim(&mut taken, "input", &input.name);
        let what = format!("Input `{}`", plain(&input.name));
        let fields = [quote!(inputs), quote!(inputs)];
        tokens.extend(accessor(context, &name, &what, fields, index, None));
    }
    for (index, variable) in model.variables.iter().enumerate() {
        let name = claim(&mut taken, "variable", &variable.name);
        let what = format!("Variable `{}`", plain(&variable.name));
        let fields = [quote!(variables.get()), quote!(variables.get_mut())];
        tokens.extend(accessor(context, &name, &what, fields, index, None));
    }
    tokens
}

/// `pub mod parameter { pub const LENGTH: usize = 0; }` and the same for inputs, variables, outputs, events
/// and joints; none where there is nothing to index.
pub fn indices(model: &Model) -> TokenStream {
    let parameter =
        |one: &crate::model::Parameter| (one.name.clone(), format!("{:?} by default", one.default));
    let input =
        |one: &crate::model::Input| (one.name.clone(), format!("{:?} at the start", one.start));
    let variable =
        |one: &crate::model::Variable| (one.name.clone(), format!("{:?} at the start", one.start));
    let event = |one: &crate::model::Event| (one.name.clone(), String::new());
    let output = |one: &crate::model::Output| (one.name.clone(), String::new());
    let joint = |one: &crate::model::Joint| (one.name.clone(), String::new());
    [
        constants(
            "parameter",
            "parameters",
            model.parameters.iter().map(parameter).collect(),
        ),
        constants("input", "inputs", model.inputs.iter().map(input).collect()),
        constants(
            "variable",
            "variables",
            model.variables.iter().map(variable).collect(),
        ),
        constants(
            "output",
            "outputs",
            model.outputs.iter().map(output).collect(),
        ),
        constants("event", "events", model.events.iter().map(event).collect()),
        constants(
            "joint",
            "joints; six reactions each",
            model.joints.iter().map(joint).collect(),
        ),
    ]
    .into_iter()
    .collect()
}

/// Names that methods of the type have already, or that lints keep for other purposes.
const RESERVED: [&str; 21] = [
    "new",
    "default",
    "clone",
    "clone_from",
    "eq",
    "ne",
    "fmt",
    "start",
    "guess",
    "parameters",
    "set_parameter",
    "parameter",
    "inputs",
    "inputs_mut",
    "variables",
    "set_variables",
    "start_variables",
    "borrow",
    "as_ref",
    "deref",
    "hash",
];

/// A free name for a getter whose setter is free too. If the plain name has another meaning, the kind of the value is
/// part of the name: `input_energy`.
fn claim(taken: &mut Taken, kind: &str, name: &str) -> String {
    let name = snake(name);
    let method_or_piece = Name::ALL.iter().any(|function| {
        let rest = name.strip_prefix(function.method());
        rest.is_some_and(|rest| {
            rest.trim_start_matches('_')
                .chars()
                .all(|c| c.is_ascii_digit())
        })
    });
    let convention = ["from_", "into_", "to_", "as_", "is_"]
        .iter()
        .any(|start| name.starts_with(start));
    let free = !taken.has(&name) && !taken.has(&format!("set_{name}"));
    let plain = !method_or_piece && !convention && free;
    let name = if plain {
        name
    } else {
        format!("{kind}_{name}")
    };
    taken.claim(&name, |name| vec![format!("set_{name}")])
}

fn accessor(
    context: &EmitContext,
    name: &str,
    what: &str,
    [read, written]: [TokenStream; 2],
    index: usize,
    prepare: Option<TokenStream>,
) -> TokenStream {
    let real = &context.real;
    let [getter, setter] = [identifier(name), identifier(&format!("set_{name}"))];
    let get = doc(&format!("{what}."));
    let set = doc(&format!("Sets {}{}.", what[..1].to_lowercase(), &what[1..]));
    let index = Literal::usize_unsuffixed(index);
    quote! {
        #get
        pub fn #getter(&self) -> #real {
            self.#read[#index]
        }
        #set
        pub fn #setter(&mut self, value: #real) {
            self.#written[#index] = value;
            #prepare
        }
    }
}

fn constants(module: &str, what: &str, items: Vec<(String, String)>) -> TokenStream {
    if items.is_empty() {
        return TokenStream::new();
    }
    let mut taken = Taken::default();
    let constants = items.iter().enumerate().map(|(index, (name, remark))| {
        let identifier = identifier(&taken.claim(&screaming(name), |_| Vec::new()));
        let index = Literal::usize_unsuffixed(index);
        let separator = if remark.is_empty() { "" } else { ", " };
        let doc = doc(&format!("`{}`{separator}{remark}.", plain(name)));
        quote!(#doc pub const #identifier: usize = #index;)
    });
    let module = identifier(module);
    let doc = doc(&format!("Indices of the {what}."));
    quote! {
        #doc
        #[allow(dead_code, reason = "a program need not name everything")]
        pub mod #module { #(#constants)* }
    }
}
