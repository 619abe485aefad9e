//! Interpolated tables as statics.

use std::collections::BTreeSet;

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::context::EmitContext;
use super::docs::{doc, plain};
use super::names::{Taken, identifier, screaming};
use super::plan::StatementPlan;
use crate::kernel::Instruction;
use crate::model::{Model, Table};
use crate::options::Lanes;

/// A name for each table, from which those of its statics are made.
pub fn names(model: &Model) -> Vec<String> {
    let mut taken = Taken::default();
    let name = |table: &Table| taken.claim(&screaming(&table.name), |_| Vec::new());
    model.tables.iter().map(name).collect()
}

/// The statics of the tables that the functions read.
pub fn statics(context: &EmitContext, model: &Model, plans: &[StatementPlan]) -> TokenStream {
    let used = used(plans);
    let tables = model.tables.iter().enumerate();
    tables
        .filter(|(id, _)| used.contains(&(*id as u32)))
        .map(|(id, table)| one(context, id, table))
        .collect()
}

/// `table(&CAM_X, &CAM_COEFFICIENTS, 0, at)`
pub fn lookup(context: &EmitContext, id: u32, derivative: u8, at: &TokenStream) -> TokenStream {
    let table = context.item("table");
    let [x, coefficients] = identifiers(context, id as usize);
    let derivative = Literal::u8_unsuffixed(derivative);
    match context.lanes {
        Lanes::One => quote!(#table(&#x, &#coefficients, #derivative, #at)),
        Lanes::Any => {
            let real = &context.real;
            quote!(#real::each(#at, |at| #table(&#x, &#coefficients, #derivative, at)))
        }
    }
}

fn one(context: &EmitContext, id: usize, table: &Table) -> TokenStream {
    let element = &context.element;
    let [x, coefficients] = identifiers(context, id);
    let n_intervals = Literal::usize_unsuffixed(table.coefficients.len());
    let n_arguments = Literal::usize_unsuffixed(table.x.len());
    let arguments = table.x.iter().map(|value| context.element(*value));
    let rows = table.coefficients.iter().map(|row| {
        let row = row.iter().map(|value| context.element(*value));
        quote!([#(#row),*])
    });
    let name = plain(&table.name);
    let x_doc = doc(&format!("Arguments of the table `{name}`."));
    let c_doc = doc(&format!(
        "Polynomial coefficients of the table `{name}`, one row an interval."
    ));
    quote! {
        #x_doc
        static #x: [#element; #n_arguments] = [#(#arguments),*];
        #c_doc
        static #coefficients: [[#element; 4]; #n_intervals] = [#(#rows),*];
    }
}

fn identifiers(context: &EmitContext, id: usize) -> [proc_macro2::Ident; 2] {
    // A verified kernel refers to tables of the model only.
    let name = context.tables.get(id).map_or("UNKNOWN", String::as_str);
    [
        identifier(&format!("TABLE_{name}_X")),
        identifier(&format!("TABLE_{name}_COEFFICIENTS")),
    ]
}

fn used(plans: &[StatementPlan]) -> BTreeSet<u32> {
    let table = |instruction: &Instruction| match instruction {
        Instruction::Table(id, ..) => Some(*id),
        _ => None,
    };
    plans
        .iter()
        .flat_map(StatementPlan::needed)
        .filter_map(table)
        .collect()
}
