//! Tokens of `mechanism!`.

/// Tokens of `mechanism!`.
#[derive(Clone, Debug)]
pub struct TokenSource {
    /// The tokens between the braces.
    pub tokens: proc_macro2::TokenStream,
}
