//! Zero crossings: the expression that is watched, and the variables that it sets.

use super::Event;
use super::context::{Context, Reported, Resolved, did_you_mean};
use super::law::{ExpressionSite, Scope, lower};
use super::names::NamedElement;
use super::number::{malformed, shallow, typed};
use crate::description::expression::crossing;
use crate::description::{self, Direction, Number};
use crate::diagnostics::{Code, Diagnostic, Path};
use crate::expr::{Expr, Symbol};

/// More would not fit into the set of events that a report has room for.
const MOST: usize = 64;

/// All events; M201, M224 to M227.
pub(super) fn events(cx: &mut Context) -> Resolved<Vec<Event>> {
    let written = &cx.description.events;
    if written.len() > MOST {
        let message = format!("there are {} events, more than {MOST}", written.len());
        let diagnostic = Diagnostic::error(Code::M227, &Path::new("events"), message);
        cx.report(diagnostic.hint("let one event watch several crossings: `min(a, b)`, `a * b`"));
    }
    let events = written.iter();
    let events: Vec<_> = events.map(|(name, event)| one(cx, name, event)).collect();
    unset(cx);
    events.into_iter().collect()
}

fn one(cx: &mut Context, name: &str, written: &description::Event) -> Resolved<Event> {
    let path = Path::new("events").key(name);
    let when = when(cx, &written.when, &path.key("when"));
    let sets: Vec<_> = (written.set.iter())
        .map(|(variable, value)| set(cx, variable, value, &path.key("set").key(variable)))
        .collect();
    if written.set.is_empty() && !written.stop {
        let message = format!("the event `{name}` neither sets a variable nor stops the run");
        let diagnostic = Diagnostic::warning(Code::M225, &path, message);
        cx.report(diagnostic.hint("give it `set = { … }` or `stop = true`"));
    }
    let (when, natural) = when?;
    Ok(Event {
        name: name.to_owned(),
        path,
        when,
        direction: written.direction.unwrap_or(natural),
        sets: sets.into_iter().collect::<Resolved<_>>()?,
        stop: written.stop,
    })
}

/// The expression that crosses zero, and the crossings that count by default. For a comparison these are the crossings
/// that make it true.
fn when(cx: &mut Context, number: &Number, path: &Path) -> Resolved<(Expr, Direction)> {
    let (expr, direction) = match number {
        Number::Value(value) => (Expr::constant(*value), Direction::Both),
        Number::Text(text) => {
            let crossing = cx.known(&Scope::Output, |known| {
                let one = crossing(text, known)?;
                Ok((shallow(one.value)?, one.compared))
            });
            let (tree, compared) = crossing.map_err(|error| malformed(cx, path, text, error))?;
            let value = lower(cx, &tree, &ExpressionSite::new(path, &Scope::Output, text))?;
            let direction = match compared {
                true => Direction::Rising,
                false => Direction::Both,
            };
            (value.expr, direction)
        }
    };
    moves(cx, &expr, path).map(|()| (expr, direction))
}

/// Refuses an expression that only events change. Such an expression jumps when it is set, so it never crosses zero.
fn moves(cx: &mut Context, expr: &Expr, path: &Path) -> Resolved<()> {
    let mut moves = false;
    expr.symbols(&mut |symbol| {
        moves |= !matches!(symbol, Symbol::Parameter(_) | Symbol::Variable(_));
    });
    if moves {
        return Ok(());
    }
    let message = format!("`{path}` does not change between events, so it never crosses zero");
    let diagnostic = Diagnostic::error(Code::M224, path, message);
    Err(cx
        .report(diagnostic.hint("let it depend on time or on the motion: `crank.angle > 10 * pi`")))
}

/// The variable that a name stands for, and its new value, of its dimension.
fn set(cx: &mut Context, name: &str, value: &Number, path: &Path) -> Resolved<(u32, Expr)> {
    let variable = match cx.names.get(name).copied() {
        Some(NamedElement::Variable(variable)) => Ok(variable),
        other => Err(no_variable(cx, name, other, path)),
    };
    let known = variable.and_then(|variable| cx.variables[variable as usize].clone());
    let dimension = known.ok().and_then(|variable| variable.dimension);
    let value = typed(cx, value, path, &Scope::Output, dimension);
    Ok((variable?, value?.expr))
}

fn no_variable(cx: &mut Context, name: &str, other: Option<NamedElement>, path: &Path) -> Reported {
    let message = match other {
        Some(other) => format!("`{name}` is {}, not a variable", other.describe()),
        None => format!("no variable is called `{name}`"),
    };
    let hint = did_you_mean(name, cx.description.variables.keys().map(String::as_str));
    let hint = hint.unwrap_or_else(|| format!("add it to the variables: `variables.{name} = 0`"));
    cx.report(Diagnostic::error(Code::M201, path, message).hint(hint))
}

/// Tells of variables that keep their start for ever.
fn unset(cx: &mut Context) {
    let events = cx.description.events.values();
    let set: Vec<&String> = events.flat_map(|event| event.set.keys()).collect();
    for name in cx.description.variables.keys() {
        if set.contains(&name) {
            continue;
        }
        let message = format!("no event sets the variable `{name}`");
        let path = Path::new("variables").key(name);
        let diagnostic = Diagnostic::warning(Code::M226, &path, message);
        cx.report(diagnostic.hint("let an event `set` it, or make it a constant or a parameter"));
    }
}
