//! Discrete variables and the list of events. Of a mechanism without them the trait's defaults hold.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::context::Context;
use super::names::identifier;
use super::plan::Plan;
use crate::description::Direction;
use crate::kernel::{Array, Instruction, Name};
use crate::model::{Event, Model};

/// The constants of the trait's implementation, and what reads and sets variables.
pub fn items(context: &Context, model: &Model, plans: &[Plan]) -> TokenStream {
    let (events, variables) = (constants(context, model, plans), methods(context, model));
    quote!(#events #variables)
}

/// The cell of the variables at their start; none if there are no variables.
pub fn cell(context: &Context, model: &Model) -> Option<TokenStream> {
    let start = start(context, model)?;
    Some(quote!(::core::cell::Cell::new(#start)))
}

fn start(context: &Context, model: &Model) -> Option<TokenStream> {
    let runtime = &context.runtime;
    let values = model.variables.iter().map(|one| context.number(one.start));
    let some = !model.variables.is_empty();
    some.then(|| quote!(#runtime::nalgebra::SVector::from([#(#values),*])))
}

fn methods(context: &Context, model: &Model) -> Option<TokenStream> {
    let start = start(context, model)?;
    let names = model.variables.iter().map(|one| &one.name);
    Some(quote! {
        const VARIABLES: &'static [&'static str] = &[#(#names),*];
        fn variables(&self) -> Self::Variables { self.variables.get() }
        fn set_variables(&self, values: &Self::Variables) { self.variables.set(*values); }
        fn start_variables(&self) -> Self::Variables { #start }
    })
}

fn constants(context: &Context, model: &Model, plans: &[Plan]) -> Option<TokenStream> {
    if model.events.is_empty() {
        return None;
    }
    let runtime = &context.runtime;
    let events = model.events.iter().map(|event| one(runtime, event));
    let forces = plans.iter().any(needs_forces);
    Some(quote! {
        const EVENTS: &'static [#runtime::Event] = &[#(#events),*];
        const EVENTS_NEED_FORCES: bool = #forces;
    })
}

fn one(runtime: &TokenStream, event: &Event) -> TokenStream {
    let (name, stops) = (&event.name, event.stop);
    let direction = identifier(match event.direction {
        Direction::Rising => "Rising",
        Direction::Falling => "Falling",
        Direction::Both => "Both",
    });
    let sets = event.sets.iter();
    let sets = sets.map(|(variable, _)| Literal::u32_unsuffixed(*variable));
    quote! {
        #runtime::Event {
            name: #name,
            direction: #runtime::Direction::#direction,
            sets: &[#(#sets),*],
            stops: #stops,
        }
    }
}

/// Whether events ask for accelerations or multipliers.
fn needs_forces(plan: &Plan) -> bool {
    let asks = |instruction: &Instruction| match instruction {
        Instruction::Load(slot) => matches!(slot.array, Array::Accelerations | Array::Multipliers),
        _ => false,
    };
    matches!(plan.name, Name::Events | Name::Transitions) && plan.needed().any(asks)
}
