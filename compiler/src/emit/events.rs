//! Discrete variables and the list of events. Of a mechanism without them the trait's defaults hold.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::context::EmitContext;
use super::imports::ImportSource;
use super::names::identifier;
use super::plan::StatementPlan;
use crate::description::Direction;
use crate::kernel::{Array, Instruction, Name};
use crate::model::{Event, Model};

/// The constants of the trait's implementation.
pub fn constants(context: &EmitContext, model: &Model, plans: &[StatementPlan]) -> TokenStream {
    let (events, variables) = (events(context, model, plans), variables(model));
    quote!(#events #variables)
}

/// The methods that read and set variables.
pub fn methods(context: &EmitContext, model: &Model) -> Option<TokenStream> {
    let start = start(context, model)?;
    Some(quote! {
        /// Values of the discrete variables, in the order of `VARIABLES`.
        fn variables(&self) -> Self::Variables { self.variables.get() }
        /// Sets the discrete variables.
        fn set_variables(&self, values: &Self::Variables) { self.variables.set(*values); }
        /// Values of the discrete variables at the start.
        fn start_variables(&self) -> Self::Variables { #start }
    })
}

/// The cell of the variables at their start; none if there are no variables.
pub fn cell(context: &EmitContext, model: &Model) -> Option<TokenStream> {
    let start = start(context, model)?;
    let cell = context.imports.name(ImportSource::Cells, "Cell");
    Some(quote!(#cell::new(#start)))
}

fn start(context: &EmitContext, model: &Model) -> Option<TokenStream> {
    let values = model.variables.iter().map(|one| one.start);
    let some = !model.variables.is_empty();
    some.then(|| context.vector_of(values))
}

fn variables(model: &Model) -> Option<TokenStream> {
    let names = model.variables.iter().map(|one| &one.name);
    let some = !model.variables.is_empty();
    some.then(|| quote!(const VARIABLES: &'static [&'static str] = &[#(#names),*];))
}

fn events(context: &EmitContext, model: &Model, plans: &[StatementPlan]) -> Option<TokenStream> {
    if model.events.is_empty() {
        return None;
    }
    let event = context.item("Event");
    let events = model.events.iter().map(|event| one(context, event));
    let forces = plans.iter().any(needs_forces);
    Some(quote! {
        const EVENTS: &'static [#event] = &[#(#events),*];
        const EVENTS_NEED_FORCES: bool = #forces;
    })
}

fn one(context: &EmitContext, event: &Event) -> TokenStream {
    let (name, stops) = (&event.name, event.stop);
    let [kind, directions] = [context.item("Event"), context.item("Direction")];
    let direction = identifier(match event.direction {
        Direction::Rising => "Rising",
        Direction::Falling => "Falling",
        Direction::Both => "Both",
    });
    let sets = event.sets.iter();
    let sets = sets.map(|(variable, _)| Literal::u32_unsuffixed(*variable));
    quote! {
        #kind {
            name: #name,
            direction: #directions::#direction,
            sets: &[#(#sets),*],
            stops: #stops,
        }
    }
}

/// Whether events depend on accelerations or multipliers.
fn needs_forces(plan: &StatementPlan) -> bool {
    let asks = |instruction: &Instruction| match instruction {
        Instruction::Load(slot) => matches!(slot.array, Array::Accelerations | Array::Multipliers),
        _ => false,
    };
    matches!(plan.name, Name::Events | Name::Transitions) && plan.needed().any(asks)
}
