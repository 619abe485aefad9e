//! The gallery through the build helper, and the four-bar once more in single precision.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use bellcrank_compiler::build::{self, Error};
use bellcrank_compiler::options::{Options, Scalar};

fn main() -> Result<(), Error> {
    println!("cargo::rerun-if-changed=../models");
    for folder in fs::read_dir("../models").into_iter().flatten().flatten() {
        let model = folder.path().join("model.toml");
        if model.is_file() {
            build::compile(model)?;
        }
    }
    single("four_bar")
}

/// The file's name names the module, so the same mechanism a second time needs another one.
fn single(model: &str) -> Result<(), Error> {
    let original = format!("../models/{model}/model.toml");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let path = out.join(format!("{model}_single.toml"));
    copy(original.as_ref(), &path).map_err(|reason| Error::Write {
        path: path.clone(),
        reason,
    })?;
    let options = Options {
        scalar: Scalar::F32,
        ..Options::default()
    };
    build::compile_with(path, &options)
}

/// With the time of the original: cargo would take a newer file for a changed one, in every build.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::copy(from, to)?;
    let modified = fs::metadata(from)?.modified()?;
    File::options().write(true).open(to)?.set_modified(modified)
}
