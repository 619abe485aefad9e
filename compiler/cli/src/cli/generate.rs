//! `bellcrank generate`: descriptions of mechanisms that repeat one pattern.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::data;
use crate::diagnostics::{Code, Diagnostic, Diagnostics, Path};
use crate::generate::{FAMILIES, Family};

/// Arguments of `generate`.
#[derive(Clone, Debug, Args)]
pub(super) struct Generate {
    /// The pattern.
    #[arg(value_parser = families())]
    family: &'static Family,
    /// How many times the pattern repeats
    n: usize,
}

/// Prints the description.
pub(super) fn generate(arguments: &Generate) -> Result<(), Diagnostics> {
    let Generate { family, n } = arguments;
    if family.sizes.contains(n) {
        return data(&(family.write)(*n));
    }
    let (least, most) = (family.sizes.start(), family.sizes.end());
    let message = format!(
        "`{}` has no mechanism of {n} {}",
        family.name, family.counts
    );
    let hint = format!("ask for {least} to {most} {}", family.counts);
    let diagnostic = Diagnostic::error(Code::C605, &Path::root(), message);
    Err(diagnostic.hint(hint).into())
}

fn families() -> impl TypedValueParser<Value = &'static Family> {
    let value = |family: &Family| PossibleValue::new(family.name).help(family.about);
    PossibleValuesParser::new(FAMILIES.iter().map(value)).try_map(|name| {
        let family = FAMILIES.iter().find(|family| family.name == name);
        family.ok_or("no such pattern")
    })
}
