//! Tokens as formatted text.

use proc_macro2::TokenStream;

/// The tokens as a formatted Rust file; an error says where they are no Rust.
pub fn format(tokens: TokenStream) -> Result<String, syn::Error> {
    Ok(prettyplease::unparse(&syn::parse2::<syn::File>(tokens)?))
}
