//! What every part of the emitter needs: the scalar type, the way to the runtime, the sizes.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::literal::{number, scalar_name};
use super::names::identifier;
use crate::kernel::{Array, Sizes};
use crate::options::{Options, Scalar};

/// What every part of the emitter needs.
#[derive(Clone, Debug)]
pub struct Context {
    /// The floating-point type.
    pub scalar: Scalar,
    /// Its name.
    pub real: Ident,
    /// Path of the runtime.
    pub runtime: TokenStream,
    /// Lengths of the arrays.
    pub sizes: Sizes,
    /// Statements that a function may have.
    pub piece: usize,
    /// Name of each table's statics.
    pub tables: Vec<String>,
}

impl Context {
    /// What every part needs.
    pub fn new(sizes: Sizes, tables: Vec<String>, options: &Options) -> Self {
        Self {
            scalar: options.scalar,
            real: identifier(scalar_name(options.scalar)),
            runtime: path(&options.runtime),
            sizes,
            piece: options.piece,
            tables,
        }
    }

    /// A number of the scalar type.
    pub fn number(&self, value: f64) -> TokenStream {
        number(value, self.scalar)
    }

    /// The type of a vector.
    pub fn vector(&self, length: usize) -> TokenStream {
        let (runtime, real) = (&self.runtime, &self.real);
        let length = proc_macro2::Literal::usize_unsuffixed(length);
        quote!(#runtime::nalgebra::SVector<#real, #length>)
    }

    /// The type of a matrix.
    pub fn matrix(&self, rows: usize, columns: usize) -> TokenStream {
        let (runtime, real) = (&self.runtime, &self.real);
        let rows = proc_macro2::Literal::usize_unsuffixed(rows);
        let columns = proc_macro2::Literal::usize_unsuffixed(columns);
        quote!(#runtime::nalgebra::SMatrix<#real, #rows, #columns>)
    }

    /// The type of an array.
    pub fn array(&self, length: usize) -> TokenStream {
        let real = &self.real;
        let length = proc_macro2::Literal::usize_unsuffixed(length);
        quote!([#real; #length])
    }

    /// Rows and columns of what an array stands for; scalars and vectors have one column.
    pub fn shape(&self, array: Array) -> (usize, usize) {
        let sizes = &self.sizes;
        match array {
            Array::Mass | Array::Stiffness | Array::Damping => (sizes.velocities, sizes.velocities),
            Array::Rows => (sizes.constraints + sizes.holds, sizes.velocities),
            _ => (sizes.length(array), 1),
        }
    }
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
