//! The front end for `build.rs`:
//!
//! ```no_run
//! fn main() -> Result<(), bellcrank_compiler::build::Error> {
//!     bellcrank_compiler::build::compile("models/four_bar.toml")
//! }
//! ```
//!
//! and in the crate `bellcrank::include_mechanism!("four_bar");`.

use std::path::{Path, PathBuf};
use std::{env, fmt, fs, io};

use crate::diagnostics::Diagnostics;
use crate::front_end::{self, plain};
use crate::options::Options;
use crate::output_file;
use crate::source::Source;

/// Reason why a build script stops. `Debug` is as readable as `Display`, because cargo shows the `Debug` text of an
/// error that `main` returns.
#[derive(thiserror::Error)]
pub enum Error {
    /// The description is wrong; the text shows where and why.
    #[error("{0}")]
    Description(String),
    /// The module cannot be written.
    #[error("error[C601]: cannot write {}: {reason}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The reason that the system reports.
        reason: io::Error,
    },
    /// Cargo sets this variable for build scripts.
    #[error("the variable {0} is not set: call this from a build script")]
    NotInBuildScript(&'static str),
}

/// Compiles a description into `OUT_DIR/<stem>.rs`. The path is relative to the crate's folder; a file
/// called `model.toml` takes the name of its folder.
pub fn compile(path: impl AsRef<Path>) -> Result<(), Error> {
    compile_with(path, &Options::default())
}

/// The same, with options.
pub fn compile_with(path: impl AsRef<Path>, options: &Options) -> Result<(), Error> {
    let (path, folder) = (path.as_ref(), variable("CARGO_MANIFEST_DIR")?);
    let out_dir = variable("OUT_DIR")?;
    let out = out_dir.join(front_end::stem(path) + ".rs");
    println!("cargo::rerun-if-changed={}", folder.join(path).display());
    let source = front_end::load(&folder, path).map_err(|found| Error::new(None, &found))?;
    let output = front_end::compile_cached(&source, options);
    let output = output.map_err(|found| Error::new(Some(&source), &found))?;
    for line in plain::render(Some(&source), &output.warnings).lines() {
        println!("cargo::warning={line}");
    }
    let written = fs::create_dir_all(&out_dir);
    let written = written.and_then(|()| output_file::write(&out, output.rust.as_bytes()));
    written.map_err(|reason| Error::Write { path: out, reason })
}

fn variable(name: &'static str) -> Result<PathBuf, Error> {
    let value = env::var_os(name).map(PathBuf::from);
    value.ok_or(Error::NotInBuildScript(name))
}

impl Error {
    fn new(source: Option<&Source>, found: &Diagnostics) -> Self {
        Self::Description(plain::render(source, found))
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the mechanism does not compile\n\n{self}")
    }
}
