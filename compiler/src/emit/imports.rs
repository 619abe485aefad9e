//! The imports of the generated module. A name is imported where it is first written, so that none is missing and none
//! is unused.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::literal::scalar_name;
use super::names::identifier;
use crate::options::Scalar;

/// The names that were written so far.
#[derive(Clone, Debug)]
pub struct Imports {
    runtime: TokenStream,
    scalar: Scalar,
    /// Name of the mechanism's type, which no import may have.
    own: String,
    names: RefCell<BTreeMap<ImportSource, BTreeSet<&'static str>>>,
    has_near_constants: Cell<bool>,
}

/// The origin of an imported name, in the order of the `use` lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ImportSource {
    /// `core::cell`
    Cells,
    /// Constants of the scalar type, such as π.
    Constants,
    /// The linear algebra that the runtime is built on.
    Algebra,
    /// The runtime.
    Runtime,
}

impl Imports {
    /// Nothing yet, for a mechanism with a type of this name.
    pub fn new(runtime: TokenStream, scalar: Scalar, own: &str) -> Self {
        Self {
            runtime,
            scalar,
            own: own.to_owned(),
            names: RefCell::default(),
            has_near_constants: Cell::new(false),
        }
    }

    /// The name by which the module calls an item. It is the item's own, unless the mechanism has that.
    pub fn name(&self, source: ImportSource, item: &'static str) -> Ident {
        self.names
            .borrow_mut()
            .entry(source)
            .or_default()
            .insert(item);
        self.local(item)
    }

    /// A constant of mathematics, by its name alone if it is of the module's scalar type.
    pub fn constant(&self, scalar: Scalar, item: &'static str) -> TokenStream {
        if scalar == self.scalar {
            let name = self.name(ImportSource::Constants, item);
            return quote!(#name);
        }
        let (path, name) = (constants(scalar), identifier(item));
        quote!(#path::#name)
    }

    /// True for the name of the mechanism's type.
    pub fn is_own(&self, item: &str) -> bool {
        item == self.own
    }

    /// The `use` lines.
    pub fn lines(&self) -> TokenStream {
        let names = self.names.borrow();
        let line = |(source, items): (&ImportSource, &BTreeSet<&'static str>)| {
            let path = self.path(*source);
            let items = items.iter().map(|item| self.item(item));
            quote!(use #path::{#(#items),*};)
        };
        names.iter().map(line).collect()
    }

    /// Takes note of a number that a lint takes for a misspelt constant.
    pub fn note_near_constant(&self) {
        self.has_near_constants.set(true);
    }

    /// Permission for such numbers, if there are any.
    pub fn near_constants(&self) -> Option<TokenStream> {
        let reason = "lengths and angles may come near to constants of mathematics";
        self.has_near_constants
            .get()
            .then(|| quote!(#[allow(clippy::approx_constant, reason = #reason)]))
    }

    fn path(&self, source: ImportSource) -> TokenStream {
        let runtime = &self.runtime;
        match source {
            ImportSource::Cells => quote!(::core::cell),
            ImportSource::Constants => constants(self.scalar),
            ImportSource::Algebra => quote!(#runtime::nalgebra),
            ImportSource::Runtime => quote!(#runtime),
        }
    }

    /// `SVector`, or `Event as ImportedEvent` for a mechanism that is called `Event`.
    fn item(&self, item: &str) -> TokenStream {
        let (name, local) = (identifier(item), self.local(item));
        match name == local {
            true => quote!(#name),
            false => quote!(#name as #local),
        }
    }

    fn local(&self, item: &str) -> Ident {
        match self.is_own(item) {
            true => format_ident!("Imported{item}"),
            false => identifier(item),
        }
    }
}

fn constants(scalar: Scalar) -> TokenStream {
    let scalar = identifier(scalar_name(scalar));
    quote!(::core::#scalar::consts)
}
