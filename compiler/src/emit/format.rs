//! Tokens as formatted text.

use proc_macro2::TokenStream;

/// The tokens as a formatted Rust file; an error says where they are no Rust.
pub fn format(tokens: TokenStream) -> Result<String, syn::Error> {
    let file = syn::parse2::<syn::File>(tokens)?;
    Ok(spaced(&prettyplease::unparse(&file)))
}

/// An empty line after every item that ends in a brace of its own, and after imports, types and constants.
fn spaced(text: &str) -> String {
    let mut spaced = String::with_capacity(text.len());
    let mut last = "";
    for line in text.lines() {
        let start = line.trim_start();
        spaced.push_str(if are_apart(last, start) { "\n" } else { "" });
        spaced.push_str(line);
        spaced.push('\n');
        last = start;
    }
    spaced
}

/// Whether an empty line belongs between two lines. The constants of an index stand together.
fn are_apart(last: &str, line: &str) -> bool {
    let starts = |list: &[&str]| list.iter().any(|start| line.starts_with(start));
    match last {
        _ if last == "}" || last.ends_with("{}") => starts(&ITEMS),
        _ if last.starts_with("type ") => line.starts_with("const "),
        _ if last.starts_with("pub const ") => false,
        _ => last.ends_with(';') && starts(&DOCUMENTED),
    }
}

const ITEMS: [&str; 6] = ["///", "#[", "fn ", "pub ", "impl ", "static "];

const DOCUMENTED: [&str; 3] = ["///", "#[", "fn "];
