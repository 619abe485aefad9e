//! Mechanisms for any number type: a planar one and a spatial one with parameters, the first in single
//! precision, one in its fewest operations, one with a table and laws that branch, and one that goes through singular
//! positions.

use std::path::{Path, PathBuf};
use std::{env, fs};

use bellcrank_compiler::build::{self, Error};
use bellcrank_compiler::description::Formulation;
use bellcrank_compiler::options::{Lanes, Options, Scalar};

fn main() -> Result<(), Error> {
    println!("cargo::rerun-if-changed=models");
    println!("cargo::rerun-if-changed=../../models");
    let any = Options {
        lanes: Lanes::Any,
        ..Options::default()
    };
    let body = Options {
        formulation: Some(Formulation::Body),
        ..any.clone()
    };
    let single = Options {
        scalar: Scalar::F32,
        ..any.clone()
    };
    let swing = Options {
        formulation: Some(Formulation::Swing),
        ..any.clone()
    };
    lanes("models/four_bar.toml", "planar", &any)?;
    lanes("../../models/four_bar/model.toml", "swing", &swing)?;
    lanes("models/slider_crank.toml", "spatial", &body)?;
    lanes("../../models/cam_pendulum/model.toml", "cam", &any)?;
    lanes("../../models/double_four_bar/model.toml", "singular", &body)?;
    lanes("models/four_bar.toml", "single", &single)
}

/// The file's name names the module.
fn lanes(model: &str, name: &str, options: &Options) -> Result<(), Error> {
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let path = out.join(format!("{name}.toml"));
    copy(model.as_ref(), &path).map_err(|reason| Error::Write {
        path: path.clone(),
        reason,
    })?;
    build::compile_with(path, options)
}

/// With the time of the original: cargo would take a newer file for a changed one, in every build.
fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::write(to, fs::read(from)?)?;
    let modified = fs::metadata(from)?.modified()?;
    fs::File::options()
        .write(true)
        .open(to)?
        .set_modified(modified)
}
