//! Description → [`Model`]: names become ids, numbers become SI, errors are collected to the end.

use super::body::body;
use super::constants::constants;
use super::context::{Context, Reported, Resolved};
use super::coupling::coupling;
use super::dimension::{ACCELERATION, NONE, TIME, Typed};
use super::event::events;
use super::expressions::expressions;
use super::force::element;
use super::hold::holds;
use super::joint::joint;
use super::law::Scope;
use super::number::{constant, evaluate, typed, vector};
use super::place::place;
use super::table::table;
use super::{
    Body, CountedAngle, Coupling, Element, Hold, Input, Joint, JointCoordinate, JointId, Model,
    Output, Parameter, Simulation, Table, Variable, Vector, check, names, shape, thin,
};
use crate::description::expression::Dimension;
use crate::description::{Description, Formulation, Integrator, Number, Stabilizer};
use crate::diagnostics::{Diagnostics, Path};
use crate::expr::{Expr, Symbol};

/// Resolves every reference and unit. `default_name` names the type if the description does not.
pub fn resolve(
    description: &Description,
    default_name: &str,
) -> Result<(Model, Diagnostics), Diagnostics> {
    let mut cx = Context::new(description);
    match model(&mut cx, default_name) {
        Ok(model) => cx.diagnostics.finish(model),
        Err(Reported) => Err(cx.diagnostics),
    }
}

/// Every pass runs, so that one run shows all that is wrong.
fn model(cx: &mut Context, default_name: &str) -> Resolved<Model> {
    check::not_empty(cx);
    check::not_endless(cx)?;
    let name = names::type_name(cx, default_name);
    names::declare(cx);
    constants(cx);
    parameters(cx);
    let inputs = inputs(cx);
    let variables = variables(cx);
    let tables = tables(cx);
    expressions(cx);
    let gravity = gravity(cx);
    let bodies = bodies(cx);
    let joints = joints(cx);
    let couplings = couplings(cx);
    let elements = elements(cx);
    let outputs = outputs(cx);
    let events = events(cx);
    let holds = all_holds(cx);
    let simulation = simulation(cx);
    let parameters: Resolved<Vec<Parameter>> = (cx.parameters.iter())
        .map(|parameter| parameter.clone().map(|(parameter, _)| parameter))
        .collect();
    let mut model = Model {
        name,
        space: cx.description.space,
        formulation: cx.description.formulation,
        gravity: gravity?,
        parameters: parameters?,
        inputs: inputs?,
        variables: variables?,
        tables: tables?,
        bodies: bodies?,
        joints: joints?,
        couplings: couplings?,
        turns: turns(cx),
        oriented: std::mem::take(&mut cx.oriented),
        elements: elements?,
        measures: std::mem::take(&mut cx.measures),
        outputs: outputs?,
        events: events?,
        holds: holds?,
        simulation: simulation?,
    };
    thin::extents(&mut model);
    Ok(model)
}

fn parameters(cx: &mut Context) {
    for (i, (name, number)) in cx.description.parameters.iter().enumerate() {
        let path = Path::new("parameters").key(name);
        let parameter = named(cx, number, &path).map(|(default, dimension)| {
            let symbol = Expr::symbol(Symbol::Parameter(i as u32));
            let name = name.clone();
            let parameter = Parameter {
                name,
                default,
                dimension,
                path,
            };
            (parameter, Typed::new(symbol, dimension))
        });
        cx.parameters.push(parameter);
    }
}

fn inputs(cx: &mut Context) -> Resolved<Vec<Input>> {
    let mut list = Vec::new();
    for (i, (name, number)) in cx.description.inputs.iter().enumerate() {
        let path = Path::new("inputs").key(name);
        let value = named(cx, number, &path);
        let symbol = Expr::symbol(Symbol::Input(i as u32));
        cx.inputs.push(value.map(|(_, d)| Typed::new(symbol, d)));
        let name = name.clone();
        list.push(value.map(|(start, dimension)| Input {
            name,
            start,
            dimension,
            path,
        }));
    }
    list.into_iter().collect()
}

fn variables(cx: &mut Context) -> Resolved<Vec<Variable>> {
    let mut list = Vec::new();
    for (i, (name, number)) in cx.description.variables.iter().enumerate() {
        let path = Path::new("variables").key(name);
        let value = named(cx, number, &path);
        let symbol = Expr::symbol(Symbol::Variable(i as u32));
        cx.variables.push(value.map(|(_, d)| Typed::new(symbol, d)));
        let name = name.clone();
        list.push(value.map(|(start, _)| Variable { name, start, path }));
    }
    list.into_iter().collect()
}

/// Value and dimension of a parameter's default, or of an input's or a variable's start.
fn named(cx: &mut Context, number: &Number, path: &Path) -> Resolved<(f64, Option<Dimension>)> {
    let value = typed(cx, number, path, &Scope::Constant, None)?;
    Ok((evaluate(cx, &value.expr), value.dimension))
}

fn tables(cx: &mut Context) -> Resolved<Vec<Table>> {
    let mut list = Vec::new();
    for (name, written) in &cx.description.tables {
        list.push(table(cx, name, written, &Path::new("tables").key(name)));
    }
    list.into_iter().collect()
}

fn gravity(cx: &mut Context) -> Resolved<Vector> {
    match &cx.description.gravity {
        Some(list) => vector(cx, list, &Path::new("gravity"), ACCELERATION),
        None => Ok(std::array::from_fn(|_| Expr::zero())),
    }
}

fn bodies(cx: &mut Context) -> Resolved<Vec<Body>> {
    cx.ground = shape::ground(cx);
    let mut list = Vec::new();
    for (name, written) in &cx.description.bodies {
        let path = Path::new("bodies").key(name);
        let shape = shape::shape(cx, written, &path);
        list.push(body(cx, name, written, &shape, &path));
        cx.bodies.push(shape);
    }
    list.into_iter().collect()
}

fn joints(cx: &mut Context) -> Resolved<Vec<Joint>> {
    let mut list = Vec::new();
    for (i, (name, written)) in cx.description.joints.iter().enumerate() {
        list.push(joint(cx, name, written, &Path::new("joints").key(name)));
        if written.kind.has_lead() {
            cx.count_turns(JointId(i as u32), JointCoordinate::Angle);
        }
    }
    list.into_iter().collect()
}

fn couplings(cx: &mut Context) -> Resolved<Vec<Coupling>> {
    let path = Path::new("couplings");
    let mut list = Vec::new();
    for (name, written) in &cx.description.couplings {
        list.push(coupling(cx, name, written, &path.key(name)));
    }
    list.into_iter().collect()
}

/// By joint. Planar bodies have angles of their own, which count whole turns.
fn turns(cx: &Context) -> Vec<CountedAngle> {
    let counted = cx.turning.iter().filter(|_| !cx.planar());
    let turns = counted.map(|&(joint, coordinate)| CountedAngle {
        joint,
        coordinate,
        near: 0.0,
    });
    let mut turns: Vec<CountedAngle> = turns.collect();
    turns.sort_by_key(|turns| turns.joint);
    turns
}

/// All places come first, because the law of one element may measure another.
fn elements(cx: &mut Context) -> Resolved<Vec<Element>> {
    let path = Path::new("forces");
    for (name, written) in &cx.description.forces {
        let place = place(cx, name, written, &path.key(name));
        cx.places.push(place);
    }
    let mut list = Vec::new();
    for (i, (name, written)) in cx.description.forces.iter().enumerate() {
        let place = cx.places[i].clone();
        list.push(place.and_then(|place| element(cx, name, written, &place, &path.key(name))));
    }
    list.into_iter().collect()
}

fn outputs(cx: &mut Context) -> Resolved<Vec<Output>> {
    let mut list = Vec::new();
    for (name, number) in &cx.description.outputs {
        let path = Path::new("outputs").key(name);
        let value = typed(cx, number, &path, &Scope::Output, None);
        list.push(value.map(|value| Output {
            name: name.clone(),
            path,
            value: value.expr,
        }));
    }
    list.into_iter().collect()
}

fn all_holds(cx: &mut Context) -> Resolved<Vec<Hold>> {
    let path = Path::new("assembly").key("hold");
    let mut list = Vec::new();
    for (i, name) in cx.description.assembly.hold.iter().enumerate() {
        list.push(holds(cx, name, &path.index(i)));
    }
    let list: Vec<Vec<Hold>> = list.into_iter().collect::<Resolved<_>>()?;
    Ok(list.into_iter().flatten().collect())
}

fn simulation(cx: &mut Context) -> Resolved<Simulation> {
    let written = &cx.description.simulation;
    let path = Path::new("simulation");
    let until = duration(cx, &written.until, 10.0, &path.key("until"));
    let defaults = RunDefaults::of(cx.description.formulation);
    let step = duration(cx, &written.step, defaults.step, &path.key("step"));
    let tolerance = match &written.tolerance {
        None => Ok(1e-6),
        Some(number) => {
            let path = path.key("tolerance");
            let value = constant(cx, number, &path, Some(NONE));
            value.and_then(|value| check::positive(cx, value, &path))
        }
    };
    Ok(Simulation {
        until: until?,
        step: step?,
        integrator: written.integrator.unwrap_or(defaults.integrator),
        stabilizer: written.stabilizer.unwrap_or(defaults.stabilizer),
        tolerance: tolerance?,
        methods: written.methods.clone(),
    })
}

/// Settings of a run if nothing is written.
struct RunDefaults {
    step: f64,
    integrator: Integrator,
    stabilizer: Stabilizer,
}

impl RunDefaults {
    /// Stiff joints want small steps of a method that keeps their energy in bounds, and have no rows that
    /// could drift.
    fn of(formulation: Option<Formulation>) -> Self {
        match formulation {
            Some(Formulation::Discrete) => Self {
                step: 1e-5,
                integrator: Integrator::SemiImplicitEuler,
                stabilizer: Stabilizer::None,
            },
            _ => Self {
                step: 1e-3,
                integrator: Integrator::default(),
                stabilizer: Stabilizer::default(),
            },
        }
    }
}

fn duration(
    cx: &mut Context,
    written: &Option<Number>,
    default: f64,
    path: &Path,
) -> Resolved<f64> {
    match written {
        None => Ok(default),
        Some(number) => {
            let value = constant(cx, number, path, Some(TIME))?;
            check::positive(cx, value, path)
        }
    }
}
