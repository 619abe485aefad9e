//! Code size of the generated functions, from the symbols of the program.

use std::fs;
use std::path::Path;

use object::{Object as _, ObjectSymbol as _, SymbolKind};
use serde::Serialize;

use super::subject::FUNCTIONS;

/// Bytes of machine code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub(super) struct CodeSizes {
    /// Bytes of the accelerations.
    pub(super) acceleration: u64,
    /// Bytes of all functions that a step calls.
    pub(super) step: u64,
}

/// Code size of the `n`-th mechanism; `None` if the program has no symbol sizes.
pub(super) fn code(program: &Path, n: usize) -> Option<CodeSizes> {
    let bytes = fs::read(program).ok()?;
    let file = object::File::parse(&*bytes).ok()?;
    let mut code = CodeSizes::default();
    for symbol in file.symbols() {
        let Ok(name) = symbol.name() else { continue };
        if symbol.kind() != SymbolKind::Text {
            continue;
        }
        match function(&format!("{:#}", rustc_demangle::demangle(name)), n) {
            Some("accelerate") => code.acceleration += symbol.size(),
            Some(_) => code.step += symbol.size(),
            None => {}
        }
    }
    code.step += code.acceleration;
    (code.acceleration > 0).then_some(code)
}

/// The function of the `n`-th mechanism that a symbol belongs to; pieces of a long function are numbered.
fn function(symbol: &str, n: usize) -> Option<&'static str> {
    let (path, last) = symbol.rsplit_once("::")?;
    let own = ["model", "code"].map(|module| format!("::{module}_{n}"));
    let ends = |path: &str| path.is_empty() || path.starts_with("::") || path.starts_with(" as ");
    let path = path.trim_start_matches('<');
    // A function of the runtime has the mechanism among its parameters, not at its head.
    let head = path.split(['<', ' ']).next()?;
    own.iter()
        .any(|own| {
            head.split_once(own.as_str())
                .is_some_and(|(_, rest)| ends(rest))
        })
        .then_some(())?;
    let stem = last.trim_end_matches(|c: char| c.is_ascii_digit());
    let stem = stem.strip_suffix('_').unwrap_or(stem);
    FUNCTIONS
        .iter()
        .map(|(name, ..)| *name)
        .find(|name| *name == last || *name == stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_one_mechanism_are_told_from_others() {
        let trait_function = "<p::model_1::four_bar::FourBar as bellcrank::Mechanism>::accelerate";
        assert_eq!(function(trait_function, 1), Some("accelerate"));
        assert_eq!(function(trait_function, 0), None);
        let piece = "<p::model_1::four_bar::FourBar>::accelerate_12";
        assert_eq!(function(piece, 1), Some("accelerate"));
        assert_eq!(function("p::code_1::normalize", 1), Some("normalize"));
        assert_eq!(function("p::code_11::normalize", 1), None);
        let runtime = "bellcrank::solve::evaluate::<p::model_1::four_bar::FourBar>";
        assert_eq!(function(runtime, 1), None);
    }
}
