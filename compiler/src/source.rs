//! The input that a front end passes to the compiler: text with its format, or tokens.

use std::io::Read;
use std::path::Path as FilePath;
use std::sync::OnceLock;

use crate::description::tokens::TokenSource;
use crate::diagnostics::{Code, Diagnostic, Diagnostics, Path};

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

/// The name of a description that comes by stdin, in messages and for the type.
pub const STDIN: &str = "stdin";

/// Reads a file, whose extension gives the format. `-` is stdin, which is read once for all callers. For front ends
/// only: the stages do no IO.
pub fn load(path: &FilePath) -> Result<Source, Diagnostics> {
    if path == FilePath::new("-") {
        return stdin();
    }
    let file = path.display().to_string();
    let ending = path.extension().and_then(|ending| ending.to_str());
    let source: fn(String, String) -> Source = match ending {
        Some("toml") => |file, text| Source::Toml { file, text },
        Some("json") => |file, text| Source::Json { file, text },
        _ => return Err(unknown_type(&file)),
    };
    let bytes = std::fs::File::open(path).and_then(bounded);
    let bytes = bytes.map_err(|error| unreadable(&file, &error))?;
    let text = String::from_utf8(bytes).map_err(|error| not_utf8(&file, &error))?;
    Ok(source(file, text))
}

/// Largest size of a description, in bytes: a file may be endless.
const MOST: u64 = 64 << 20;

fn bounded(file: impl Read) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(MOST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST {
        let megabytes = MOST >> 20;
        let why = format!("it has more than {megabytes} MiB, which no description has");
        return Err(std::io::Error::other(why));
    }
    Ok(bytes)
}

/// JSON begins with a brace, which TOML never does.
fn stdin() -> Result<Source, Diagnostics> {
    static TEXT: OnceLock<Result<String, Diagnostics>> = OnceLock::new();
    let file = STDIN.to_owned();
    let text = TEXT.get_or_init(|| {
        let bytes = bounded(std::io::stdin().lock());
        let bytes = bytes.map_err(|error| unreadable(&file, &error))?;
        String::from_utf8(bytes).map_err(|error| not_utf8(&file, &error))
    });
    let text = text.clone()?;
    Ok(match text.trim_start().starts_with('{') {
        true => Source::Json { file, text },
        false => Source::Toml { file, text },
    })
}

impl Source {
    /// The file that it was read from; none for tokens.
    pub fn file(&self) -> Option<&str> {
        match self {
            Source::Toml { file, .. } | Source::Json { file, .. } => Some(file),
            Source::Tokens(_) => None,
        }
    }

    /// The text that byte ranges refer to; `None` for tokens.
    pub fn text(&self) -> Option<&str> {
        match self {
            Source::Toml { text, .. } | Source::Json { text, .. } => Some(text),
            Source::Tokens(_) => None,
        }
    }

    /// The name of the generated type if the description gives none: `four_bar.toml` and
    /// `four_bar/model.toml` both give `FourBar`.
    pub fn type_name(&self) -> Option<String> {
        let file = FilePath::new(self.file()?);
        let stem = match file.file_stem()?.to_str()? {
            "model" => file.parent()?.file_name()?.to_str()?,
            stem => stem,
        };
        let words = stem.split(|c: char| !c.is_alphanumeric());
        Some(words.map(capitalized).collect())
    }
}

fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

fn unknown_type(file: &str) -> Diagnostics {
    let message = format!("`{file}` is neither a `.toml` nor a `.json` file");
    Diagnostic::error(Code::D112, &Path::root(), message).into()
}

fn unreadable(file: &str, error: &std::io::Error) -> Diagnostics {
    let message = format!("cannot read `{file}`: {error}");
    Diagnostic::error(Code::D105, &Path::root(), message).into()
}

fn not_utf8(file: &str, error: &std::string::FromUtf8Error) -> Diagnostics {
    let at = error.utf8_error().valid_up_to();
    let byte = error.as_bytes().get(at).copied().unwrap_or_default();
    let message = format!("`{file}` is not UTF-8: byte {at} is 0x{byte:02x}");
    Diagnostic::error(Code::D106, &Path::root(), message).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(path: &FilePath) -> String {
        match load(path) {
            Ok(_) => "read".to_owned(),
            Err(found) => found.iter().map(|d| d.code.to_string()).collect(),
        }
    }

    #[test]
    fn files_that_cannot_be_read() -> std::io::Result<()> {
        let folder = std::env::temp_dir().join(format!("bellcrank-load-{}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        std::fs::write(folder.join("good.toml"), "space = 'planar'")?;
        std::fs::write(folder.join("bad.json"), b"{\"name\": \"\xff\"}")?;
        assert_eq!(code(&folder.join("good.toml")), "read");
        assert_eq!(code(&folder.join("absent.toml")), "D105");
        assert_eq!(code(&folder.join("bad.json")), "D106");
        assert_eq!(code(&folder.join("model.yaml")), "D112");
        assert_eq!(code(&folder), "D112");
        let Err(found) = load(&folder.join("bad.json")) else {
            return Ok(());
        };
        assert!(found.to_string().contains("byte 10 is 0xff"), "{found}");
        std::fs::remove_dir_all(&folder)
    }

    #[test]
    fn a_file_names_the_type() {
        let check = |file: &str, expect: Option<&str>| {
            let (file, text) = (file.to_owned(), String::new());
            let name = Source::Toml { file, text }.type_name();
            assert_eq!(name.as_deref(), expect);
        };
        check("four_bar.toml", Some("FourBar"));
        check("models/slider-crank/model.toml", Some("SliderCrank"));
        check("model.toml", None);
    }
}
