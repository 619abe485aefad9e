//! Compares several formulations of the same mechanism and keeps the cheapest.
//!
//! Absolute coordinates come first in every case: in them a consistent start is found, and redundancy is reported in the words
//! of the model. Other formulations take their start from there. A candidate is a formulation with its cuts, lowered to its
//! kernel. If there are several, the one with the fewest weighted operations in a step is kept.

mod cost;
mod cuts;
mod discrete;
mod field;
mod figures;
mod growth;
mod refine;

pub use figures::{Figures, aligned, by_model, markdown};
pub use growth::{Grown, by_chain};

use crate::Options;
use crate::assembly::Assembly;
use crate::description::{Formulation, Method};
use crate::diagnostics::{Code, Diagnostic, Diagnostics, Path};
use crate::formulation::{self, Form, System};
use crate::kernel::{self, Extra, Kernel, Name};
use crate::model::{Body, Model};
use crate::options::{extras, methods};
use crate::symbolic::{self, Equations};
use crate::topology::Topology;
use cost::{Methods, work};
use cuts::cuts;
use field::Field;
use refine::refine;

/// A formulation down to its start.
#[derive(Clone)]
pub struct Assembled {
    /// The equations.
    pub system: System,
    /// Their derivatives.
    pub equations: Equations,
    /// The start.
    pub assembly: Assembly,
}

/// One formulation down to its kernel.
pub struct Candidate {
    /// Its name: `body`, `particle/multiplier`.
    pub formulation: &'static str,
    /// The tree and the cuts that its points follow.
    pub topology: Topology,
    /// Equations and start.
    pub assembled: Assembled,
    /// The functions of the generated code.
    pub kernel: Kernel,
    /// The methods that a step is counted with.
    pub methods: Methods,
}

const MULTIPLIER: Way = Way::Points(Form::Multiplier);
const MOMENTUM: Way = Way::Points(Form::Momentum);
const SWING: Way = Way::Points(Form::Swing);

/// A formulation that follows the tree, so that its cuts matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// In points.
    Points(Form),
    /// In joint coordinates.
    Joint,
}

impl Way {
    /// Its word in a description.
    pub fn word(self) -> &'static str {
        match self {
            Self::Points(form) => form.word(),
            Self::Joint => "joint",
        }
    }

    /// Its equations; `None` if it cannot be had.
    pub fn formulate(self, model: &Model, topology: &Topology) -> Option<System> {
        match self {
            Self::Points(form) => formulation::particle(model, topology, form),
            Self::Joint => formulation::joint(model, topology),
        }
    }

    /// True if most constraint equations have no multipliers.
    fn is_recursive(self) -> bool {
        matches!(self, Self::Points(Form::Momentum) | Self::Joint)
    }
}

/// The candidate that was kept, and the figures of all.
pub struct Choice {
    /// The candidate that goes on.
    pub kept: Candidate,
    /// Figures of the candidates: the cheapest one of each formulation, and the one before its cuts were exchanged, if they
    /// were.
    pub figures: Vec<Figures>,
    /// Sentences for the header.
    pub notes: Vec<String>,
    /// The step below which springs for joints are stable, where there are any.
    pub stable_below: Option<f64>,
    /// Warnings. They are reported, and compilation continues.
    pub warnings: Diagnostics,
}

/// The formulation that is asked for, or the cheapest one.
pub fn choose(
    absolute: Assembled,
    model: &Model,
    topology: &Topology,
    options: &Options,
) -> Result<Choice, Diagnostics> {
    let asked = asked(model, options);
    if asked == Formulation::Discrete {
        return springs(&absolute, model, topology, options);
    }
    let whole = Field::whole(asked);
    for way in whole.ways {
        if let Some(method) = unserved(*way, model, options)
            && asked.word() == way.word()
        {
            return Err(refused(*way, method).into());
        }
    }
    let mut field = Field::of(asked, model, topology, options);
    let mut lowered = along(field.ways, &absolute, model, topology, options)?;
    if lowered.candidates.is_empty() && field != whole {
        field = whole;
        lowered = along(field.ways, &absolute, model, topology, options)?;
    }
    let Lowered {
        mut candidates,
        mut figures,
        mut n_lowered,
    } = lowered;
    let mut notes = Vec::new();
    if field.has_body {
        n_lowered += 1;
        let topology = topology.clone();
        let body = Candidate::new("body", model, topology, absolute, options)?;
        figures.push(body.figures(model));
        candidates.push(body);
    }
    let Some(mut kept) = candidates.into_iter().min_by_key(Candidate::cost) else {
        return Err(unavailable(asked, model, topology).into());
    };
    if n_lowered > 1 {
        notes.push(format!(
            "Kept as the cheapest of {n_lowered} that were lowered, by weighted operations in a step."
        ));
    }
    notes.extend(field.note.map(str::to_owned));
    let own = kept.figures(model);
    figures.iter_mut().for_each(|one| one.kept = *one == own);
    notes.extend(refine(&mut kept, model, options)?);
    Ok(Choice {
        warnings: discrete::without_effect(model, kept.formulation),
        kept,
        figures,
        notes,
        stable_below: None,
    })
}

/// The formulation that the caller asks for, else that of the description; `auto` if neither says anything.
fn asked(model: &Model, options: &Options) -> Formulation {
    let asked = options.formulation.or(model.formulation);
    asked.unwrap_or_default()
}

/// The cheapest candidate of each way, and the figures of all.
#[derive(Default)]
struct Lowered {
    candidates: Vec<Candidate>,
    figures: Vec<Figures>,
    n_lowered: usize,
}

/// Lowers those of the ways that serve.
fn along(
    ways: &[Way],
    absolute: &Assembled,
    model: &Model,
    topology: &Topology,
    options: &Options,
) -> Result<Lowered, Diagnostics> {
    let mut lowered = Lowered::default();
    let serves = |way: &&Way| unserved(**way, model, options).is_none();
    for way in ways.iter().filter(serves) {
        let Some(found) = cuts(*way, absolute, model, topology, options)? else {
            continue;
        };
        lowered.n_lowered += found.n_lowered;
        lowered.figures.extend(found.first);
        lowered.figures.push(found.best.figures(model));
        lowered.candidates.push(found.best);
    }
    Ok(lowered)
}

/// Springs for joints, beside nothing else.
fn springs(
    absolute: &Assembled,
    model: &Model,
    topology: &Topology,
    options: &Options,
) -> Result<Choice, Diagnostics> {
    let springs = discrete::discrete(absolute, model, topology, options)?;
    let figures = Figures {
        kept: true,
        ..springs.candidate.figures(model)
    };
    Ok(Choice {
        kept: springs.candidate,
        figures: vec![figures],
        notes: vec![springs.note],
        stable_below: Some(springs.stable_below),
        warnings: springs.warnings,
    })
}

/// The equations, with the derivatives that the methods of a model need, as far as they are for anything.
pub fn derive(system: &System, model: &Model, options: &Options) -> Result<Equations, Diagnostics> {
    let mut equations = match extras(model, options).contains(&Extra::Tangents) {
        true => symbolic::derive_with_tangents(system),
        false => symbolic::derive(system),
    }?;
    if !options.purpose.is_whole() && !equations.needs_multipliers() {
        equations.reactions.clear();
    }
    Ok(equations)
}

/// The equations of the formulation that is asked for, as far as no algebra is needed to know it: what
/// is kept of several, and with which cuts, depends on operations that are not counted yet, so these are
/// those of the likeliest one with the first cuts.
pub fn outline(model: &Model, topology: &Topology, options: &Options) -> System {
    let asked = asked(model, options);
    if asked == Formulation::Discrete {
        return discrete::outline(model);
    }
    let ways = field::likeliest(asked, topology).iter();
    ways.filter(|way| unserved(**way, model, options).is_none())
        .find_map(|way| way.formulate(model, topology))
        .unwrap_or_else(|| formulation::formulate(model))
}

/// The method that a way does not serve, if there is one: rows without multipliers do not give way, and
/// joint coordinates have no tangents.
fn unserved(way: Way, model: &Model, options: &Options) -> Option<Method> {
    let asks = |method: &Method| {
        let extras = method.extras();
        let soft = way.is_recursive() && extras.contains(&Extra::Penalty);
        soft || (way == Way::Joint && extras.contains(&Extra::Tangents))
    };
    methods(model, options).into_iter().find(asks)
}

fn refused(way: Way, method: Method) -> Diagnostic {
    let needs = match method.extras().contains(&Extra::Penalty) {
        true => "rows that give way, and `{}` has no multipliers for most of them",
        false => "derivatives of the equations of motion, which `{}` does not have",
    };
    let needs = needs.replace("{}", way.word());
    let message = format!("`{}` needs {needs}", method.word());
    Diagnostic::error(Code::F402, &Path::new("formulation"), message)
        .hint("write `formulation = \"particle\"` or `formulation = \"body\"`")
}

/// Names the body that is in the way.
fn unavailable(asked: Formulation, model: &Model, topology: &Topology) -> Diagnostic {
    let misplaced = Field::whole(asked).ways.iter().find_map(|way| match way {
        Way::Points(form) => formulation::misplaced(model, topology, *form),
        Way::Joint => None,
    });
    let word = asked.word();
    if asked == Formulation::Joint && formulation::joint(model, topology).is_none() {
        let message = "in joint coordinates M is full, and that of this mechanism is too large to be written out";
        return Diagnostic::error(Code::F402, &Path::new("formulation"), message)
            .hint("write `formulation = \"particle\"`");
    }
    if asked == Formulation::Swing && misplaced.is_none() {
        let message = "no body is hinged to ground in the plane";
        return Diagnostic::error(Code::F402, &Path::new("formulation"), message)
            .hint("write `formulation = \"particle\"`");
    }
    let is_light = |body: &&Body| model.is_massless(body) || model.is_thin(body);
    let light = model.bodies.iter().find(is_light);
    match (misplaced.map(|id| &model.bodies[id.0 as usize]), light) {
        (Some(body), _) => {
            let message = format!(
                "the points of body `{}` cannot be placed: they would lie in one plane",
                body.name
            );
            Diagnostic::error(Code::F402, &body.path, message)
                .hint("write `formulation = \"body\"`")
        }
        (None, Some(body)) => {
            let message = format!(
                "`{word}` needs inertia along every joint, and body `{}` has none {}",
                body.name,
                match model.is_massless(body) {
                    true => "of its own",
                    false => "about some axis",
                }
            );
            Diagnostic::error(Code::F402, &body.path, message).hint(
                "give it inertia, cut another joint with `cut = true`, or write `formulation = \"particle\"`",
            )
        }
        (None, None) => {
            let path = Path::new("formulation");
            let message = "the inertia along some joint is lost in that of other bodies";
            Diagnostic::error(Code::F402, &path, message)
                .hint("cut another joint with `cut = true`, or write `formulation = \"body\"`")
        }
    }
}

impl Candidate {
    /// Lowers the equations, and derives the expressions that only some methods need.
    pub fn new(
        formulation: &'static str,
        model: &Model,
        topology: Topology,
        mut assembled: Assembled,
        options: &Options,
    ) -> Result<Self, Diagnostics> {
        let settings = settings(model, options);
        if settings.extras.contains(&Extra::Standard) {
            let gradients = symbolic::gradients(&assembled.system)?;
            assembled.equations.gradients = Some(gradients);
        }
        let Assembled {
            equations,
            assembly,
            ..
        } = &mut assembled;
        // Where constraint equations are redundant, multipliers are those with the smallest reactions.
        if !options.purpose.is_whole() && assembly.redundant.is_empty() {
            equations.reactions.clear();
        }
        Ok(Self {
            formulation,
            topology,
            kernel: kernel::lower(equations, assembly, settings, options),
            methods: Methods::of(model, options),
            assembled,
        })
    }

    /// Weighted operations of a step.
    pub fn cost(&self) -> usize {
        self.methods.cost(&self.kernel)
    }

    /// Figures of the candidate.
    pub fn figures(&self, model: &Model) -> Figures {
        let name = |id: &crate::model::JointId| model.joints[id.0 as usize].name.clone();
        let cuts = match self.formulation {
            "body" | "discrete" => Vec::new(),
            _ => self.topology.cuts.iter().map(name).collect(),
        };
        Figures {
            formulation: self.formulation.to_owned(),
            cuts,
            coordinates: self.kernel.sizes.coordinates,
            velocities: self.kernel.sizes.velocities,
            rows: self.kernel.sizes.constraints,
            solve: self.kernel.solve,
            acceleration: work(&self.kernel, Name::Accelerate),
            step: self.cost(),
            kept: false,
        }
    }
}

/// Values that the caller may set, and functions that the methods need.
fn settings(model: &Model, options: &Options) -> kernel::Settings {
    kernel::Settings {
        parameters: model.parameters.len(),
        inputs: model.inputs.len(),
        variables: model.variables.len(),
        extras: extras(model, options),
    }
}
