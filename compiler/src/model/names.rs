//! The space of names.
//!
//! Bodies, joints, couplings, forces, parameters, constants, inputs, variables and tables share one space, so that
//! `crank.angle` means one thing; outputs have their own, so have events, and so have the points and the
//! axes of each body. Names are of letters, digits and `_`; what of them is a keyword of Rust, `emit` respells.

use indexmap::IndexMap;

use super::context::Context;
use super::function::functions;
use super::{BodyId, CouplingId, ElementId, JointId};
use crate::diagnostics::{Code, Diagnostic, Path};

/// The element that a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NamedElement {
    Constant,
    Parameter(u32),
    Input(u32),
    Variable(u32),
    Expression(u32),
    Table(u32),
    Body(BodyId),
    Joint(JointId),
    Coupling(CouplingId),
    Element(ElementId),
}

impl NamedElement {
    /// With its article.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Constant => "a constant",
            Self::Parameter(_) => "a parameter",
            Self::Input(_) => "an input",
            Self::Variable(_) => "a variable",
            Self::Expression(_) => "an expression",
            Self::Table(_) => "a table",
            Self::Body(_) => "a body",
            Self::Joint(_) => "a joint",
            Self::Coupling(_) => "a coupling",
            Self::Element(_) => "a force",
        }
    }

    /// True if the name alone is a number in a law.
    pub fn is_number(self) -> bool {
        use NamedElement::{Constant, Expression, Input, Parameter, Variable};
        matches!(
            self,
            Constant | Parameter(_) | Input(_) | Variable(_) | Expression(_)
        )
    }

    /// The table of the description that it is written in.
    pub fn group(self) -> &'static str {
        match self {
            Self::Constant => "constants",
            Self::Parameter(_) => "parameters",
            Self::Input(_) => "inputs",
            Self::Variable(_) => "variables",
            Self::Expression(_) => "expressions",
            Self::Table(_) => "tables",
            Self::Body(_) => "bodies",
            Self::Joint(_) => "joints",
            Self::Coupling(_) => "couplings",
            Self::Element(_) => "forces",
        }
    }
}

/// Words with a meaning of their own in every law.
const RESERVED: &[&str] = &[
    "ground",
    "t",
    "time",
    "pi",
    "tau",
    "energy",
    "momentum",
    "angular_momentum",
    "if",
    "then",
    "else",
    "and",
    "or",
    "not",
];

/// Words with a meaning in the law of one element, or after the name of another. A number may have such
/// a name, because a law that could mean both is refused (M223); an element may not, because its
/// quantities would read as `angle.angle`.
const LOCAL: &[&str] = &[
    "length",
    "rate",
    "angle",
    "second_angle",
    "displacement",
    "speed",
    "x",
    "y",
    "z",
    "world",
    "center",
    "origin",
];

/// Quantities of a body, which a point of that name would hide.
const QUANTITIES: &[&str] = &[
    "x",
    "y",
    "z",
    "vx",
    "vy",
    "vz",
    "ax",
    "ay",
    "az",
    "wx",
    "wy",
    "wz",
    "e0",
    "e1",
    "e2",
    "e3",
    "angle",
    "rate",
    "angular_acceleration",
    "center",
    "origin",
];

/// Columns that every table of a run has after its outputs. An output of such a name keeps it, and the
/// run's own column becomes `run.NAME`.
const COLUMNS: &[&str] = &["kinetic", "potential", "work", "energy", "phi", "phi_dot"];

/// Fills the space of names; M202, M204, M205.
pub(super) fn declare(cx: &mut Context) {
    let mut seen = IndexMap::new();
    for (name, kind) in all(cx) {
        let path = Path::new(kind.group()).key(name);
        let place = match kind.is_number() {
            true => Use::Number,
            false => Use::Element,
        };
        identifier(cx, name, &path, place);
        if let Some(first) = cx.names.get(name) {
            let first = Path::new(first.group()).key(name);
            let message = format!("`{name}` is already the name of `{first}`");
            cx.report(Diagnostic::error(Code::M202, &path, message).hint(
                "bodies, joints, couplings, forces and named numbers share one space of names",
            ));
        } else {
            differs_in_more_than_case(cx, &mut seen, name, &path);
        }
        // Bodies are what most elements refer to: their meaning holds, so that one error stays one.
        let known = cx.names.entry(name).or_insert(kind);
        if matches!(kind, NamedElement::Body(_)) {
            *known = kind;
        }
    }
    reported(cx, "outputs", cx.description.outputs.keys());
    columns(cx);
    reported(cx, "events", cx.description.events.keys());
    parts(cx);
}

/// Name of the generated type: the one that is written, or made from `default_name`; M205.
pub(super) fn type_name(cx: &mut Context, default_name: &str) -> String {
    let name = match &cx.description.name {
        Some(name) => name.clone(),
        None => camel_case(default_name),
    };
    if let Some(reason) = refusal(&name) {
        let message = format!("`{name}` cannot be the name of a Rust type: {reason}");
        let diagnostic = Diagnostic::error(Code::M205, &Path::new("name"), message);
        cx.report(diagnostic.hint("write a name such as `name = \"FourBar\"`"));
    }
    name
}

fn all<'a>(cx: &Context<'a>) -> Vec<(&'a str, NamedElement)> {
    let d = cx.description;
    let mut list: Vec<(&str, NamedElement)> = Vec::new();
    list.extend(
        d.constants
            .keys()
            .map(|n| (n.as_str(), NamedElement::Constant)),
    );
    let number = |i: usize| u32::try_from(i).unwrap_or(u32::MAX);
    for (i, name) in d.parameters.keys().enumerate() {
        list.push((name, NamedElement::Parameter(number(i))));
    }
    for (i, name) in d.inputs.keys().enumerate() {
        list.push((name, NamedElement::Input(number(i))));
    }
    for (i, name) in d.variables.keys().enumerate() {
        list.push((name, NamedElement::Variable(number(i))));
    }
    for (i, name) in d.expressions.keys().enumerate() {
        list.push((name, NamedElement::Expression(number(i))));
    }
    for (i, name) in d.tables.keys().enumerate() {
        list.push((name, NamedElement::Table(number(i))));
    }
    for (i, name) in d.bodies.keys().enumerate() {
        list.push((name, NamedElement::Body(BodyId(number(i)))));
    }
    for (i, name) in d.joints.keys().enumerate() {
        list.push((name, NamedElement::Joint(JointId(number(i)))));
    }
    for (i, name) in d.couplings.keys().enumerate() {
        list.push((name, NamedElement::Coupling(CouplingId(number(i)))));
    }
    for (i, name) in d.forces.keys().enumerate() {
        list.push((name, NamedElement::Element(ElementId(number(i)))));
    }
    list
}

/// Names that stand in reports of a run and nowhere in the description: a space for each group.
fn reported<'a>(cx: &mut Context, group: &str, names: impl Iterator<Item = &'a String>) {
    let mut seen = IndexMap::new();
    for name in names {
        let path = Path::new(group).key(name);
        identifier(cx, name, &path, Use::Reported);
        differs_in_more_than_case(cx, &mut seen, name, &path);
    }
}

/// Tells of outputs that have the name of a column which every run has.
fn columns(cx: &mut Context) {
    let outputs = cx.description.outputs.keys();
    for name in outputs.filter(|name| COLUMNS.contains(&name.as_str())) {
        let message = format!(
            "every table of a run has a column `{name}`: beside this output it is called `run.{name}`"
        );
        let path = Path::new("outputs").key(name);
        let diagnostic = Diagnostic::warning(Code::M230, &path, message);
        cx.report(diagnostic.hint(format!(
            "rename the output, for example to `{name}_1`, to keep `{name}` for the run"
        )));
    }
}

fn parts(cx: &mut Context) {
    let d = cx.description;
    let ground = (Path::new("ground"), &d.ground.points, &d.ground.axes);
    let bodies = d.bodies.iter().map(|(name, body)| {
        let path = Path::new("bodies").key(name);
        (path, &body.points, &body.axes)
    });
    for (path, points, axes) in std::iter::once(ground).chain(bodies) {
        for name in points.keys() {
            identifier(cx, name, &path.key("points").key(name), Use::Point);
        }
        for name in axes.keys() {
            identifier(cx, name, &path.key("axes").key(name), Use::Axis);
        }
    }
}

#[derive(Clone, Copy)]
enum Use {
    Number,
    Element,
    Reported,
    Point,
    Axis,
}

fn identifier(cx: &mut Context, name: &str, path: &Path, place: Use) {
    let reserved = || RESERVED.contains(&name) || functions().any(|f| f == name);
    let taken = match place {
        Use::Number => reserved(),
        Use::Element => reserved() || LOCAL.contains(&name),
        Use::Reported => matches!(name, "t" | "time"),
        Use::Point => QUANTITIES.contains(&name),
        Use::Axis => matches!(name, "x" | "y" | "z"),
    };
    let reason = match refusal(name) {
        Some(reason) => reason,
        None if taken && matches!(place, Use::Reported) => {
            "the word stands for the time of a run".to_owned()
        }
        None if taken => "the word is reserved".to_owned(),
        None => return,
    };
    let diagnostic = Diagnostic::error(
        Code::M205,
        path,
        format!("`{name}` cannot be a name: {reason}"),
    );
    cx.report(diagnostic.hint(match name.is_empty() {
        true => "give it a name".to_owned(),
        false => format!("for example `{}`", suggestion(name)),
    }));
}

/// Why a word is no name.
fn refusal(name: &str) -> Option<String> {
    let letters = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if name.is_empty() {
        Some("it is empty".to_owned())
    } else if let Some(c) = name.chars().find(|c| !letters(*c)) {
        Some(format!("it contains `{}`", c.escape_default()))
    } else if name.starts_with(|c: char| c.is_ascii_digit()) {
        Some("it starts with a digit".to_owned())
    } else if name.chars().all(|c| c == '_') {
        Some("it has no letter".to_owned())
    } else {
        None
    }
}

fn suggestion(name: &str) -> String {
    let letters = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let plain: String = name.chars().map(letters).collect();
    if refusal(&plain).is_some() && plain.starts_with(|c: char| c.is_ascii_digit()) {
        format!("n{plain}")
    } else if plain != name && refusal(&plain).is_none() {
        plain
    } else {
        format!("{}_1", plain.trim_end_matches('_'))
    }
}

fn differs_in_more_than_case<'a>(
    cx: &mut Context,
    seen: &mut IndexMap<String, &'a str>,
    name: &'a str,
    path: &Path,
) {
    let Some(other) = seen.insert(name.to_lowercase(), name) else {
        return;
    };
    let message = format!("`{name}` and `{other}` differ only in case");
    let diagnostic = Diagnostic::error(Code::M204, path, message);
    cx.report(diagnostic.hint(format!("rename one of them, for example to `{name}_2`")));
}

/// `four_bar`, `four-bar` → `FourBar`
fn camel_case(name: &str) -> String {
    let words = name.split(|c: char| !c.is_alphanumeric());
    words.map(capitalised).collect()
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}
