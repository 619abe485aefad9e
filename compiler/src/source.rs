//! What a door hands to the compiler: text with its format, or tokens.

use crate::description::tokens::TokenSource;

/// A description as it was written.
#[derive(Clone, Debug)]
pub enum Source {
    /// Text of a TOML file.
    Toml {
        /// Name for messages, and for the type if the description gives none.
        file: String,
        /// The text.
        text: String,
    },
    /// Text of a JSON file.
    Json {
        /// Name for messages, and for the type if the description gives none.
        file: String,
        /// The text.
        text: String,
    },
    /// Tokens of `mechanism!`.
    Tokens(TokenSource),
}
