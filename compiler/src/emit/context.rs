//! Settings that every part of the emitter needs: the scalar type, the path of the runtime, the sizes.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::imports::{ImportSource, Imports};
use super::literal::{number, scalar_name};
use super::locals::Locals;
use super::names::identifier;
use crate::kernel::{Array, Sizes};
use crate::options::{Lanes, Options, Scalar};

/// Settings that every part of the emitter needs.
#[derive(Clone, Debug)]
pub struct EmitContext {
    /// The floating-point type.
    pub scalar: Scalar,
    /// Its name.
    pub element: Ident,
    /// The type of a value: the same, or the parameter that stands for several side by side.
    pub real: Ident,
    /// Number of lanes of a value.
    pub lanes: Lanes,
    /// Imports of the module.
    pub imports: Imports,
    /// Local names of the values that functions read.
    pub locals: Locals,
    /// Lengths of the arrays.
    pub sizes: Sizes,
    /// Statements that a function may have which a step does not ask for.
    pub piece: usize,
    /// Name of each table's statics.
    pub tables: Vec<String>,
    /// True if M is known by its products with vectors.
    pub has_mass_times: bool,
}

impl EmitContext {
    /// The settings for these options.
    pub fn new(sizes: Sizes, locals: Locals, name: &str, options: &Options) -> Self {
        let element = identifier(scalar_name(options.scalar));
        Self {
            scalar: options.scalar,
            real: match (options.lanes, name) {
                (Lanes::One, _) => element.clone(),
                // A mechanism may have this name.
                (Lanes::Any, "T") => identifier("N"),
                (Lanes::Any, _) => identifier("T"),
            },
            element,
            lanes: options.lanes,
            imports: Imports::new(path(&options.runtime), options.scalar, name),
            locals,
            sizes,
            piece: options.piece,
            tables: Vec::new(),
            has_mass_times: false,
        }
    }

    /// The trait `Default`, and the default of the mechanism: with their paths, if the mechanism has that name.
    pub fn defaults(&self) -> (TokenStream, TokenStream) {
        match self.imports.is_own("Default") {
            false => (quote!(Default), quote!(Self::default())),
            true => (
                quote!(::core::default::Default),
                quote!(<Self as ::core::default::Default>::default()),
            ),
        }
    }

    /// A number of the scalar type.
    pub fn element(&self, value: f64) -> TokenStream {
        number(value, self.scalar, &self.imports)
    }

    /// A number of double precision, whatever the scalar type.
    pub fn double(&self, value: f64) -> TokenStream {
        number(value, Scalar::F64, &self.imports)
    }

    /// The name of an item of the runtime.
    pub fn item(&self, item: &'static str) -> Ident {
        self.imports.name(ImportSource::Runtime, item)
    }

    /// A value that is this number.
    pub fn number(&self, value: f64) -> TokenStream {
        self.of(self.element(value))
    }

    /// A value that is the number that this expression gives.
    pub fn of(&self, number: TokenStream) -> TokenStream {
        let real = &self.real;
        match self.lanes {
            Lanes::One => number,
            Lanes::Any => quote!(#real::of(#number)),
        }
    }

    /// `<T: Number<f64>>`, or nothing if the type has no parameter.
    pub fn generics(&self) -> Option<TokenStream> {
        let (real, element) = (&self.real, &self.element);
        (self.lanes == Lanes::Any).then(|| {
            let number = self.item("Number");
            quote!(<#real: #number<#element>>)
        })
    }

    /// The type of the mechanism as its implementations name it: `FourBar` or `FourBarOf<T>`.
    pub fn type_of(&self, name: &Ident) -> TokenStream {
        let real = &self.real;
        match self.lanes {
            Lanes::One => quote!(#name),
            Lanes::Any => {
                let general = general(name);
                quote!(#general<#real>)
            }
        }
    }

    /// The type of a vector.
    pub fn vector(&self, length: usize) -> TokenStream {
        let (vector, real) = (
            self.imports.name(ImportSource::Algebra, "SVector"),
            &self.real,
        );
        let length = proc_macro2::Literal::usize_unsuffixed(length);
        quote!(#vector<#real, #length>)
    }

    /// A vector with these elements.
    pub fn vector_of(&self, values: impl Iterator<Item = f64>) -> TokenStream {
        let vector = self.imports.name(ImportSource::Algebra, "SVector");
        let values = values.map(|value| self.number(value));
        quote!(#vector::from([#(#values),*]))
    }

    /// The type of a matrix.
    pub fn matrix(&self, rows: usize, columns: usize) -> TokenStream {
        let (matrix, real) = (
            self.imports.name(ImportSource::Algebra, "SMatrix"),
            &self.real,
        );
        let rows = proc_macro2::Literal::usize_unsuffixed(rows);
        let columns = proc_macro2::Literal::usize_unsuffixed(columns);
        quote!(#matrix<#real, #rows, #columns>)
    }

    /// The type of an array.
    pub fn array(&self, length: usize) -> TokenStream {
        let real = &self.real;
        let length = proc_macro2::Literal::usize_unsuffixed(length);
        quote!([#real; #length])
    }

    /// Rows and columns of an array; scalars and vectors have one column.
    pub fn shape(&self, array: Array) -> (usize, usize) {
        let sizes = &self.sizes;
        match array {
            Array::Mass | Array::Stiffness | Array::Damping => (sizes.velocities, sizes.velocities),
            Array::Rows => (sizes.constraints + sizes.holds, sizes.velocities),
            _ => (sizes.length(array), 1),
        }
    }
}

/// The type of which the mechanism is the one with a single lane: `FourBarOf`.
pub fn general(name: &Ident) -> Ident {
    format_ident!("{name}Of")
}

/// `::bellcrank` or `crate::runtime` as tokens; what no identifier can hold becomes an underscore, as
/// cargo does with names of packages.
fn path(text: &str) -> TokenStream {
    let valid = |c: char| {
        if c.is_alphanumeric() || c == '_' {
            c
        } else {
            '_'
        }
    };
    let segments = text.split("::").filter(|segment| !segment.is_empty());
    let segments = segments.map(|segment| {
        let segment: String = segment.trim().chars().map(valid).collect();
        let starts = segment.starts_with(|c: char| c.is_alphabetic() || c == '_');
        identifier(&if starts {
            segment
        } else {
            format!("_{segment}")
        })
    });
    let leading = text.trim_start().starts_with("::").then(|| quote!(::));
    quote!(#leading #(#segments)::*)
}
