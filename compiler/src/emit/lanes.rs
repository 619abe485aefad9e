//! Further items of a mechanism for any number type: the type with one lane, and the types with more.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::context::{EmitContext, general};
use crate::options::Lanes;

/// The name of the type with one lane, and how batches find those with more; nothing if the type has no
/// parameter.
pub fn lanes(context: &EmitContext, name: &Ident) -> Option<TokenStream> {
    if context.lanes == Lanes::One {
        return None;
    }
    let (element, general) = (&context.element, general(name));
    let [batched, width] = [context.item("Batched"), context.item("Width")];
    Some(quote! {
        /// The mechanism with one lane.
        pub type #name = #general<#element>;
        impl<const LANES: usize> #batched<LANES> for #name
        where
            #element: #width<LANES>,
        {
            type Lanes = #general<<#element as #width<LANES>>::Lanes>;
        }
    })
}
