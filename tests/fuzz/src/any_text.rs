//! Properties that hold for any text at all; also called by the tests of the reader, with a few texts.

use bellcrank_compiler::description::read;
use bellcrank_compiler::description::tokens::TokenSource;
use bellcrank_compiler::source::Source;
use bellcrank_compiler::stages::model::resolve;
use bellcrank_compiler::stages::topology::analyze;

/// Every format reads the text or reports errors, and so do the stages before the algebra. True if
/// some format had a model in it.
pub fn any_text(text: &str) -> bool {
    let (file, owned) = ("any".to_owned(), text.to_owned());
    let mut sources = vec![
        Source::Toml {
            file: file.clone(),
            text: owned.clone(),
        },
        Source::Json { file, text: owned },
    ];
    if let Ok(tokens) = text.parse() {
        sources.push(Source::Tokens(TokenSource { tokens }));
    }
    let modelled = sources.iter().filter(|source| models(source));
    modelled.count() > 0
}

fn models(source: &Source) -> bool {
    let Ok(description) = read(source) else {
        return false;
    };
    let Ok((model, _)) = resolve(&description, "Any") else {
        return false;
    };
    analyze(&model).is_ok()
}
