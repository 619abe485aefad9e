//! Stands in for what is written elsewhere. To be replaced at the merge:
//!
//! | here | there |
//! | --- | --- |
//! | `Compiled`, `compile`, `outline` | `lib.rs` |
//! | `read` | `description::read` |
//! | `Place`, `place_of` | `description::places` |
//! | `load` | `source::load` |
//! | `schema` | `description::schema::schema` |
//! | `set_wait` | `symbolic::session::set_wait` |
//! | `stages` | `Display` of model, topology, equations and kernel; moves into `door.rs` |
#![allow(missing_docs)]

use std::ops::Range;
use std::path::Path as FilePath;
use std::time::Duration;

use crate::assembly::Assembly;
use crate::description::{Description, Integrator, Stabilizer};
use crate::diagnostics::{Code, Diagnostic, Diagnostics, Path};
use crate::door::Stages;
use crate::expr::Expr;
use crate::formulation::System;
use crate::kernel::Kernel;
use crate::model::{Model, Simulation};
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
    let name = description.name.unwrap_or_else(|| "Stub".to_owned());
    Ok(Compiled {
        rust: format!("/// A mechanism.\n#[derive(Default)]\npub struct {name};\n"),
        model: model(name),
        topology: Topology::default(),
        assembly: Assembly::default(),
        system: System {
            kinetic: Expr::constant(0.0),
            ..System::default()
        },
        equations: Equations::default(),
        kernel: Kernel::default(),
        warnings: Diagnostics::new(),
    })
}

pub fn outline(source: &Source, options: &Options) -> Result<String, Diagnostics> {
    compile(source, options).map(|compiled| compiled.rust)
}

fn model(name: String) -> Model {
    let zero = || Expr::constant(0.0);
    Model {
        name,
        space: crate::description::Space::Planar,
        gravity: [zero(), zero(), zero()],
        parameters: Vec::new(),
        inputs: Vec::new(),
        tables: Vec::new(),
        bodies: Vec::new(),
        joints: Vec::new(),
        elements: Vec::new(),
        measures: Vec::new(),
        outputs: Vec::new(),
        holds: Vec::new(),
        simulation: Simulation {
            until: 1.0,
            step: 1e-3,
            integrator: Integrator::Rk4,
            stabilizer: Stabilizer::DirectCorrection,
        },
    }
}

pub fn read(source: &Source) -> Result<Description, Diagnostics> {
    let wrong = |message: String, span: Option<Range<usize>>| Diagnostic {
        span,
        ..Diagnostic::error(Code::D101, &Path::root(), message)
    };
    match source {
        Source::Toml { text, .. } => {
            toml::from_str(text).map_err(|e| wrong(e.message().to_owned(), e.span()).into())
        }
        Source::Json { text, .. } => {
            serde_json::from_str(text).map_err(|e| wrong(e.to_string(), None).into())
        }
        Source::Tokens(_) => Ok(Description {
            name: Some("Stub".to_owned()),
            ..Description::default()
        }),
    }
}

#[allow(dead_code)]
pub enum Place {
    Text(Range<usize>),
    Token(proc_macro2::Span),
}

pub fn place_of(source: &Source, diagnostic: &Diagnostic) -> Option<Place> {
    match source {
        Source::Tokens(_) => Some(Place::Token(proc_macro2::Span::call_site())),
        _ => diagnostic.span.clone().map(Place::Text),
    }
}

pub fn load(path: &FilePath) -> Result<Source, Diagnostics> {
    let file = path.display().to_string();
    let text = std::fs::read_to_string(path).map_err(|e| {
        Diagnostic::error(
            Code::D105,
            &Path::root(),
            format!("cannot read {file}: {e}"),
        )
    })?;
    match path.extension().and_then(|e| e.to_str()) {
        Some("json") => Ok(Source::Json { file, text }),
        _ => Ok(Source::Toml { file, text }),
    }
}

#[allow(dead_code)]
pub fn schema() -> serde_json::Value {
    schemars::schema_for!(Description).to_value()
}

pub fn set_wait(_wait: Duration) {}

pub fn stages(compiled: &Compiled) -> Stages {
    Stages {
        model: format!("{:#?}\n", compiled.model),
        topology: format!("{:#?}\n", compiled.topology),
        equations: format!("{:#?}\n", compiled.equations),
        kernel: format!("{:#?}\n", compiled.kernel),
    }
}

#[cfg(feature = "cli")]
pub(crate) fn interpret(
    _function: &crate::kernel::Function,
    _memory: &mut crate::interpret_run::machine::Memory,
    _tables: &[crate::model::Table],
) {
}
