//! What the caller may choose. All of it goes into the header of the generated code and into the
//! content key of the caches.

use crate::description::Formulation;

/// Options of one compilation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Options {
    /// Path by which generated code reaches the runtime.
    pub runtime: String,
    /// The floating-point type of the generated code.
    pub scalar: Scalar,
    /// Statements a generated function may have before it is cut into pieces.
    pub piece: usize,
    /// In which coordinates the equations are written, whatever the description says.
    pub formulation: Option<Formulation>,
}

/// The floating-point type of the generated code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Scalar {
    /// Double precision.
    #[default]
    F64,
    /// Single precision.
    F32,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            runtime: "::bellcrank".to_owned(),
            scalar: Scalar::F64,
            piece: 300,
            formulation: None,
        }
    }
}
