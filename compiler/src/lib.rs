//! Bellcrank compiles a description of a mechanism into Rust that simulates exactly that mechanism.
//!
//! [`compile`] is the table of contents, with one line for each stage. A stage collects all errors that it finds, and
//! compilation stops where a stage ends with errors. The stages do no IO and read no environment, with the one
//! exception that `symbolic::session` states.

// The stages, in the order of the line.

/// Reads a description. After this point the input is well formed and every key is known.
pub mod description;

/// Resolves a description. After this point there are no names to look up and no units.
mod model;

/// Finds the spanning tree of the joints. After this point each joint is in the tree or cut.
mod topology;

/// Writes the equations. After this point the coordinates are fixed and ordered.
mod formulation;

/// Takes the derivatives of the equations. The only module that uses Symbolica.
mod symbolic;

/// Finds a consistent start, the redundant constraint equations and the degrees of freedom.
mod assembly;

/// Searches the formulations and cuts for the one whose steps take the fewest operations.
mod search;

/// Lowers the equations to instructions, with the linear solve unrolled.
mod kernel;

/// Writes a verified kernel as Rust. After this point there are only tokens that parse as a Rust file.
mod emit;

// The parts that several stages share.

/// Expressions, in which the stages pass equations to each other.
mod expr;

/// Structure of the equations that solves use: coordinates that turn together, and the tree of links.
mod structure;

/// The kinds of joints: the facts that stages ask for, and the constraint equations.
mod joints;

/// The options of a compilation.
pub mod options;

/// Errors and warnings: which element is wrong, why, and what to do next.
pub mod diagnostics;

/// The value of an expression as a number.
mod evaluate;

/// Numerical methods that assembly, analyses and the interpreted run share.
mod numeric;

/// The order in which assembly and kernel eliminate.
mod ordering;

/// Maps with small keys.
mod small_keys;

// The front ends, and what they share.

/// The front end for `build.rs`.
pub mod build;

/// Compilation as all front ends ask for it: from the cache if it has the result.
pub mod front_end;

/// The text that a front end hands to the compiler.
pub mod source;

/// Results of earlier compilations with the same input.
mod cache;

/// Files that the front ends write: whole, or not at all.
mod output_file;

/// Tables of text with aligned columns.
mod columns;

pub mod stages;

use assembly::Assembly;
use description::{Description, Formulation};
use diagnostics::{Code, Diagnostic, Diagnostics, Path};
use formulation::System;
use kernel::Kernel;
use model::Model;
use options::Extra;
pub use options::{Options, Purpose};
use search::{Assembled, Candidate, CandidateFigures, Choice, Coordinates};
pub use source::Source;
use symbolic::Equations;
use topology::Topology;

/// Everything that the stages made of a description.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The resolved description.
    pub model: Model,
    /// The spanning tree and the cut joints that were kept.
    pub topology: Topology,
    /// The formulation that was kept.
    pub formulation: String,
    /// The formulations that it was chosen from.
    pub candidates: Vec<CandidateFigures>,
    /// The reasons why it was kept.
    pub notes: Vec<String>,
    /// The step below which springs for joints are stable, where there are any.
    pub stable_below: Option<f64>,
    /// The equations in that formulation.
    pub system: System,
    /// Their derivatives.
    pub equations: Equations,
    /// A consistent start and the redundant constraint equations.
    pub assembly: Assembly,
    /// The instructions of the generated functions.
    pub kernel: Kernel,
    /// Formatted Rust, the same bytes in every front end.
    pub rust: String,
    /// Warnings. They are reported, and compilation continues.
    pub warnings: Diagnostics,
}

/// All stages, from text to Rust.
pub fn compile(source: &Source, options: &Options) -> Result<Compiled, Diagnostics> {
    let description = description::read(source)?;
    let (model, mut warnings) = resolve(&description, source, options)?;
    let topology = topology::analyze(&model)?;

    // In absolute coordinates. After this point the start and the redundant constraint equations are known.
    let system = formulation::formulate(&model);
    let equations = derive(&system, &model, options)?;
    let (assembly, redundant) = start(&model, &topology, &system, &equations, options)?;
    warnings.extend(redundant);
    let absolute = Assembled {
        system,
        equations,
        assembly,
    };

    // The same stages in other coordinates and with other cuts. After this point one candidate is kept.
    let request = search::Request {
        asked: search::asked(&model, options),
        model: &model,
        topology: &topology,
        options,
    };
    let derive = |system: &System| derive(system, &model, options);
    let stages = |coordinates: Coordinates, topology: &Topology| {
        let formulate = |model: &Model| coordinates.formulate(model, topology);
        let Some(system) = formulate(&model) else {
            return Ok(None);
        };
        let mut equations = derive(&system)?;
        let start = &absolute.assembly;
        let Some(assembly) = assembly::transfer(&model, start, &equations, formulate) else {
            return Ok(None);
        };
        assembly::guess_from_start(&model, &mut equations, &assembly);
        let assembled = Assembled {
            system,
            equations,
            assembly,
        };
        let candidate = Candidate::lower(
            coordinates.word(),
            &model,
            topology.clone(),
            assembled,
            options,
        );
        Ok(Some(candidate))
    };
    let mut choice = match request.asked {
        Formulation::Discrete => search::springs(&request, &absolute, derive)?,
        _ => search::cheapest(&request, &absolute, &stages)?,
    };
    warnings.extend(choice.warnings.clone());

    // The kept equations, written in other ways. After this point no way that was tried takes fewer operations.
    let note = search::rewrite(&mut choice.kept, options, &|equations, assembly, scope| {
        let settings = search::settings(&model, options, scope);
        kernel::lower(equations, assembly, settings, options)
    })?;
    choice.notes.extend(note);

    let verified = kernel::verify(&choice.kept.kernel).map_err(|broken| unverified(&broken))?;
    let header = header(&description, &model, &choice);
    let rust = rust(&model, &choice, verified, &header, options)?;
    Ok(Compiled::new(model, choice, rust, warnings))
}

/// The equations, with the derivatives that the methods of a model need, as far as somebody reads them.
fn derive(system: &System, model: &Model, options: &Options) -> Result<Equations, Diagnostics> {
    let extras = options::extras(model, options);
    let mut equations = match extras.contains(&Extra::Tangents) {
        true => symbolic::derive_with_tangents(system),
        false => symbolic::derive(system),
    }?;
    if extras.contains(&Extra::Standard) {
        equations.gradients = Some(symbolic::gradients(system)?);
    }
    if !options.purpose.is_whole() && !equations.needs_multipliers() {
        equations.reactions.clear();
    }
    Ok(equations)
}

/// A consistent start, or the guess as it was written where questions are asked about it.
fn start(
    model: &Model,
    topology: &Topology,
    system: &System,
    equations: &Equations,
    options: &Options,
) -> Result<(Assembly, Diagnostics), Diagnostics> {
    match options.purpose {
        Purpose::Motion | Purpose::Program | Purpose::Pictures => {
            assembly::assemble(model, topology, system, equations)
        }
        Purpose::Analysis => assembly::as_guessed(model, system, equations),
    }
}

/// The module; nothing where nobody builds it.
fn rust(
    model: &Model,
    choice: &Choice,
    kernel: kernel::Verified<'_>,
    header: &emit::Header,
    options: &Options,
) -> Result<String, Diagnostics> {
    if options.purpose == Purpose::Analysis {
        return Ok(String::new());
    }
    let start = &choice.kept.assembled;
    let names = names(model, &start.system);
    let module = emit::module(model, &names, &start.assembly, kernel, header, options);
    emit::format(module).map_err(|error| unparsable(&error.to_string()).into())
}

impl Compiled {
    fn new(model: Model, choice: Choice, rust: String, warnings: Diagnostics) -> Self {
        let Choice {
            kept,
            figures,
            notes,
            stable_below,
            ..
        } = choice;
        Self {
            model,
            topology: kept.topology,
            formulation: kept.formulation.to_owned(),
            candidates: figures,
            notes,
            stable_below,
            system: kept.assembled.system,
            equations: kept.assembled.equations,
            assembly: kept.assembled.assembly,
            kernel: kept.kernel,
            rust,
            warnings,
        }
    }
}

/// The stages that need no algebra, for what they find; how many bodies there are.
pub fn examine(source: &Source) -> Result<usize, Diagnostics> {
    let description = description::read(source)?;
    let (model, _) = model::resolve(&description, &default_name(source))?;
    topology::analyze(&model)?;
    Ok(model.bodies.len())
}

/// The errors of a description in which these parameters have other values than their defaults. Laws and lengths that
/// are right at the defaults may be wrong there: a rod of negative length has negative mass.
pub fn examine_values(source: &Source, set: &[(String, f64)]) -> Result<(), Diagnostics> {
    let mut description = description::read(source)?;
    for (name, value) in set {
        if let Some(number) = description.parameters.get_mut(name) {
            *number = description::Number::Value(*value);
        }
    }
    model::resolve(&description, &default_name(source)).map(drop)
}

/// Types and signatures without algebra, for editors that want names at once.
pub fn outline(source: &Source, options: &Options) -> Result<String, Diagnostics> {
    let description = description::read(source)?;
    let (model, _) = resolve(&description, source, options)?;
    let topology = topology::analyze(&model)?;
    let system = search::outline(&model, &topology, options);
    let header = outline_header(&description, &model);
    let module = emit::signatures(&model, &names(&model, &system), &header, options);
    emit::format(module).map_err(|error| unparsable(&error.to_string()).into())
}

/// The model of the formulation that is asked for, on which some defaults depend.
fn resolve(
    description: &Description,
    source: &Source,
    options: &Options,
) -> Result<(Model, Diagnostics), Diagnostics> {
    let asked = Description {
        formulation: options.formulation.or(description.formulation),
        ..description.clone()
    };
    let (mut model, warnings) = model::resolve(&asked, &default_name(source))?;
    match options.purpose {
        Purpose::Motion | Purpose::Program | Purpose::Pictures => model::weighed(&model)?,
        Purpose::Analysis => model::measurable(&model)?,
    }
    match options.purpose {
        Purpose::Motion | Purpose::Program => {}
        Purpose::Pictures => model::add_poses(&mut model),
        Purpose::Analysis => model.watch(),
    }
    Ok((model, warnings))
}

fn default_name(source: &Source) -> String {
    source.type_name().unwrap_or_default()
}

fn names(model: &Model, system: &System) -> emit::Names {
    let variables =
        |list: &[formulation::StateVariable]| list.iter().map(|v| v.name.clone()).collect();
    let row =
        |row: &formulation::ConstraintEquation| format!("{}: {}", row.owner(model).0, row.keeps);
    emit::Names {
        coordinates: variables(&system.coordinates),
        velocities: variables(&system.velocities),
        constraints: system.rows.iter().map(row).collect(),
        couplings: system.couplings().collect(),
        holds: system.holds.iter().map(|hold| hold.name.clone()).collect(),
        n_compliant: system.compliant.len(),
    }
}

fn header(description: &Description, model: &Model, choice: &Choice) -> emit::Header {
    let kept = &choice.kept;
    emit::Header {
        formulation: kept.formulation.to_owned(),
        cuts: kept.figures(model).cuts,
        freedoms: kept.assembled.assembly.freedoms,
        notes: [&[kept.kernel.solve.note().to_owned()], &choice.notes[..]].concat(),
        candidates: match choice.figures.len() {
            1 => String::new(),
            _ => search::markdown(&choice.figures),
        },
        ..outline_header(description, model)
    }
}

fn outline_header(description: &Description, model: &Model) -> emit::Header {
    // The same for TOML, JSON and tokens, because it is taken of what they mean.
    let input = serde_json::to_string(description).unwrap_or_default() + model.name.as_str();
    emit::Header {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        hash: blake3::hash(input.as_bytes()).to_hex()[..16].to_owned(),
        ..emit::Header::default()
    }
}

fn unverified(broken: &[String]) -> Diagnostic {
    Diagnostic::error(
        Code::F403,
        &Path::root(),
        format!("the kernel breaks its own rules: {}", broken.join("; ")),
    )
    .hint("this is a fault of Bellcrank: please report it together with the description")
}

fn unparsable(reason: &str) -> Diagnostic {
    Diagnostic::error(
        Code::F404,
        &Path::root(),
        format!("the generated code does not parse: {reason}"),
    )
    .hint("this is a fault of Bellcrank: please report it together with the description")
}
