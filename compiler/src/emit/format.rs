//! Tokens as formatted text.

use proc_macro2::TokenStream;

/// The tokens as a formatted Rust file; an error says where they are no Rust.
pub fn format(tokens: TokenStream) -> Result<String, syn::Error> {
    let file = syn::parse2::<syn::File>(tokens)?;
    Ok(spaced(&prettyplease::unparse(&file)))
}

/// An empty line after every item that ends in a brace of its own.
fn spaced(text: &str) -> String {
    let mut spaced = String::with_capacity(text.len());
    let mut after_brace = false;
    for line in text.lines() {
        let start = line.trim_start();
        let item = ITEMS.iter().any(|item| start.starts_with(item));
        spaced.push_str(if after_brace && item { "\n" } else { "" });
        spaced.push_str(line);
        spaced.push('\n');
        after_brace = start == "}";
    }
    spaced
}

const ITEMS: [&str; 6] = ["///", "#[", "fn ", "pub ", "impl ", "static "];
