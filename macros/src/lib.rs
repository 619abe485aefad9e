//! The `mechanism!` macro: a file or tokens in, the generated module out.

use std::env;
use std::path::{Path, PathBuf};

use bellcrank_compiler::description::places::{SourcePlace, place_of};
use bellcrank_compiler::description::tokens::TokenSource;
use bellcrank_compiler::diagnostics::{Diagnostic, Diagnostics};
use bellcrank_compiler::front_end::{self, plain};
use bellcrank_compiler::options::Options;
use bellcrank_compiler::outline;
use bellcrank_compiler::source::Source;
use proc_macro_crate::{FoundCrate, crate_name};
use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::{Error, LitStr};

/// Compiles a mechanism into the type of its name.
///
/// ```text
/// mechanism!("models/four_bar/model.toml");     // a file, relative to the crate's folder
/// mechanism! { name = "Pendulum" … }            // or the same keys inline
/// ```
#[proc_macro]
pub fn mechanism(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let expansion = match syn::parse::<LitStr>(input.clone()) {
        Ok(path) => from_file(&path),
        Err(_) => from_tokens(input.into()),
    };
    expansion.unwrap_or_else(Error::into_compile_error).into()
}

fn from_file(literal: &LitStr) -> Result<TokenStream, Error> {
    let folder = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let (folder, path) = (folder.unwrap_or_default(), PathBuf::from(literal.value()));
    let located = |source: Option<&Source>, found: Diagnostics| {
        errors(&found, |d| (literal.span(), plain::render_one(source, d)))
    };
    let source = front_end::load(&folder, &path).map_err(|found| located(None, found))?;
    let module = expand(&source).map_err(|found| located(Some(&source), found))?;
    let tracked = tracked(&folder.join(path));
    Ok(quote!(#tracked #module))
}

fn from_tokens(tokens: TokenStream) -> Result<TokenStream, Error> {
    let source = Source::Tokens(TokenSource { tokens });
    expand(&source)
        .map_err(|found| errors(&found, |d| (span(&source, d), plain::render_one(None, d))))
}

fn expand(source: &Source) -> Result<TokenStream, Diagnostics> {
    let options = Options {
        runtime: runtime(),
        ..Options::default()
    };
    let rust = if in_editor() {
        outline(source, &options)?
    } else {
        let output = front_end::compile_cached(source, &options)?;
        eprint!("{}", plain::render(Some(source), &output.warnings));
        output.rust
    };
    let parsed = rust.parse::<TokenStream>();
    Ok(parsed.unwrap_or_else(|error| Error::from(error).into_compile_error()))
}

/// The path of the runtime, under whatever name the crate depends on it.
fn runtime() -> String {
    match crate_name("bellcrank") {
        Ok(FoundCrate::Name(name)) => format!("::{name}"),
        Ok(FoundCrate::Itself) | Err(_) => "::bellcrank".to_owned(),
    }
}

/// An editor expands at every key stroke, so it gets types and signatures without algebra.
fn in_editor() -> bool {
    let program = env::current_exe().unwrap_or_default();
    let program = program.file_stem().unwrap_or_default().to_string_lossy();
    env::var_os("RUST_ANALYZER_INTERNALS_DO_NOT_USE").is_some()
        || program.contains("rust-analyzer")
        || program.contains("proc-macro-srv")
}

/// Makes rustc look at the file, so that the crate is built again when it changes.
fn tracked(path: &Path) -> TokenStream {
    let path = path.to_string_lossy();
    quote!(
        const _: &[u8] = ::core::include_bytes!(#path);
    )
}

fn errors(found: &Diagnostics, located: impl Fn(&Diagnostic) -> (Span, String)) -> Error {
    let one = |diagnostic| {
        let (span, text) = located(diagnostic);
        // rustc says `error: ` itself.
        Error::new(span, text.trim_start_matches("error").trim_end())
    };
    let (shown, _) = found.first(plain::SHOWN);
    let all = shown.into_iter().map(one).reduce(|mut all, next| {
        all.combine(next);
        all
    });
    all.unwrap_or_else(|| Error::new(Span::call_site(), "the mechanism does not compile"))
}

fn span(source: &Source, diagnostic: &Diagnostic) -> Span {
    match place_of(source, diagnostic) {
        Some(SourcePlace::Token(span)) => span,
        _ => Span::call_site(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The macro leaves the same module in the crate as the other front ends write, token by token.
    #[test]
    fn the_expansion_is_the_module() {
        let path = "../models/four_bar/model.toml";
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let source = front_end::load(folder, Path::new(path)).unwrap();
        let compiled = bellcrank_compiler::compile(&source, &Options::default()).unwrap();
        let module: TokenStream = compiled.rust.parse().unwrap();
        let tracked = tracked(&folder.join(path));
        let expansion = from_file(&LitStr::new(path, Span::call_site())).unwrap();
        assert_eq!(expansion.to_string(), quote!(#tracked #module).to_string());
    }
}
