//! Stands in for what is written elsewhere. To be replaced at the merge:
//!
//! | here | there |
//! | --- | --- |
//! | `Compiled`, `compile`, `outline` | `lib.rs` |
//! | `set_wait` | `symbolic::session::set_wait` |
//! | `stages` | `Display` of model, topology, equations and kernel; moves into `door.rs` |
#![allow(missing_docs)]

use std::time::Duration;

use crate::assembly::Assembly;
use crate::description::read;
use crate::diagnostics::Diagnostics;
use crate::door::Stages;
use crate::expr::Expr;
use crate::formulation::System;
use crate::kernel::Kernel;
use crate::model::{Model, resolve};
use crate::options::Options;
use crate::source::Source;
use crate::symbolic::Equations;
use crate::topology::Topology;

pub struct Compiled {
    pub model: Model,
    pub topology: Topology,
    pub assembly: Assembly,
    pub system: System,
    pub equations: Equations,
    pub kernel: Kernel,
    pub rust: String,
    pub warnings: Diagnostics,
}

pub fn compile(source: &Source, _options: &Options) -> Result<Compiled, Diagnostics> {
    let description = read(source)?;
    let default_name = source.type_name().unwrap_or_default();
    let (model, warnings) = resolve(&description, &default_name)?;
    let name = model.name.clone();
    Ok(Compiled {
        rust: format!("/// A mechanism.\n#[derive(Default)]\npub struct {name};\n"),
        model,
        topology: Topology::default(),
        assembly: Assembly::default(),
        system: System {
            kinetic: Expr::constant(0.0),
            ..System::default()
        },
        equations: Equations::default(),
        kernel: Kernel::default(),
        warnings,
    })
}

pub fn outline(source: &Source, options: &Options) -> Result<String, Diagnostics> {
    compile(source, options).map(|compiled| compiled.rust)
}

pub fn set_wait(_wait: Duration) {}

pub fn stages(compiled: &Compiled) -> Stages {
    Stages {
        model: compiled.model.to_string(),
        topology: format!("{:#?}\n", compiled.topology),
        equations: format!("{:#?}\n", compiled.equations),
        kernel: compiled.kernel.to_string(),
    }
}
