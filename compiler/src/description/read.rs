//! Values → [`Description`]: one path for all formats, so that they give the same descriptions and
//! the same errors.

use super::fields::{Fields, PairNames, Read, mismatch, suggestion, table, words};
use super::value::{ParsedValue, ValueKind, tree};
use super::*;
use crate::diagnostics::{Code, Diagnostic, Diagnostics, Path};
use crate::source::Source;

/// Reads a description; reports every unknown key, missing key and wrong kind of value at once.
pub fn read(source: &Source) -> Result<Description, Diagnostics> {
    let tree = tree(source)?;
    let mut found = Diagnostics::new();
    let description = Description::read(&tree, &Path::root(), &mut found);
    if description.as_ref().is_none_or(|d| d.bodies.is_empty()) && is_empty(&tree) {
        let error = Diagnostic::error(Code::D111, &Path::root(), "the mechanism has no body");
        found.push(
            error.hint("add a table `bodies.name` with a `shape`, or with `mass` and `inertia`"),
        );
    }
    match description {
        Some(description) if !found.has_errors() => Ok(description),
        _ => Err(found),
    }
}

/// True if `bodies` is absent or an empty table.
fn is_empty(tree: &ParsedValue) -> bool {
    let ValueKind::Table(entries) = &tree.kind else {
        return false;
    };
    match entries.get("bodies").map(|entry| &entry.value.kind) {
        Some(ValueKind::Table(bodies)) => bodies.is_empty(),
        Some(_) => false,
        None => true,
    }
}

table!(Description {
    name "name" optional,
    space "space" required,
    formulation "formulation" optional,
    gravity "gravity" optional,
    constants "constants" defaulted,
    parameters "parameters" defaulted,
    inputs "inputs" defaulted,
    variables "variables" defaulted,
    expressions "expressions" defaulted,
    tables "tables" defaulted,
    ground "ground" defaulted,
    bodies "bodies" defaulted,
    joints "joints" defaulted,
    couplings "couplings" defaulted,
    forces "forces" defaulted,
    outputs "outputs" defaulted,
    events "events" defaulted,
    assembly "assembly" defaulted,
    simulation "simulation" defaulted,
});

table!(Ground {
    points "points" defaulted,
    axes "axes" defaulted,
});

table!(Body {
    mass "mass" optional,
    inertia "inertia" optional,
    shape "shape" defaulted,
    center "center" optional,
    points "points" defaulted,
    axes "axes" defaulted,
    position "position" optional,
    angle "angle" optional,
    orientation "orientation" optional,
    velocity "velocity" optional,
    angular_velocity "angular_velocity" optional,
    free "free" defaulted,
});

table!(Shape {
    kind "type" required,
    length "length" optional,
    radius "radius" optional,
    size "size" optional,
    corners "corners" optional,
    thickness "thickness" optional,
    at "at" optional,
    between "between" optional,
    axis "axis" optional,
    angle "angle" optional,
    orientation "orientation" optional,
    density "density" optional,
    material "material" optional,
    mass "mass" optional,
});

table!(FullInertia {
    xx "xx" optional,
    yy "yy" optional,
    zz "zz" required,
    xy "xy" optional,
    xz "xz" optional,
    yz "yz" optional,
    about "about" optional,
});

table!(AxisAngle {
    axis "axis" required,
    angle "angle" required,
});

table!(OrientationAxes {
    x "x" optional,
    y "y" optional,
    z "z" optional,
});

table!(Joint {
    kind "type" required,
    between "between" required,
    at "at" optional,
    axis "axis" optional,
    length "length" optional,
    lead "lead" optional,
    angle "angle" optional,
    motion "motion" defaulted,
    stiffness "stiffness" optional,
    damping "damping" optional,
    rotational_stiffness "rotational_stiffness" optional,
    rotational_damping "rotational_damping" optional,
    cut "cut" defaulted,
});

table!(Coupling {
    kind "type" required,
    between "between" required,
    ratio "ratio" optional,
    teeth "teeth" optional,
    radius "radius" optional,
    travel "travel" optional,
    stiffness "stiffness" optional,
    damping "damping" optional,
});

table!(Force {
    kind "type" required,
    on "on" optional,
    between "between" optional,
    joint "joint" optional,
    coordinate "coordinate" optional,
    force "force" optional,
    torque "torque" optional,
    frame "frame" optional,
    law "law" optional,
    stiffness "stiffness" optional,
    damping "damping" optional,
    free "free" optional,
});

table!(Table {
    x "x" required,
    y "y" required,
    interpolation "interpolation" defaulted,
});

table!(Event {
    when "when" required,
    direction "direction" optional,
    set "set" defaulted,
    stop "stop" defaulted,
});

table!(Assembly {
    hold "hold" defaulted,
});

table!(Simulation {
    until "until" optional,
    step "step" optional,
    integrator "integrator" optional,
    stabilizer "stabilizer" optional,
    tolerance "tolerance" optional,
    methods "methods" defaulted,
});

words! {
    Space "`planar` or `spatial`"
    Formulation "`auto`, `particle`, `joint`, `body`, `discrete`, or a form of points, `particle/multiplier`, `particle/momentum` or `particle/swing`"
    ShapeType "a type of shape such as `rod`"
    Material "a material such as `steel`"
    JointType "a type of joint such as `revolute`"
    CouplingType "`gear` or `rack`"
    ForceType "a type of force such as `spring`"
    Frame "`world` or `body`"
    Interpolation "`linear` or `cubic`"
    Direction "`rising`, `falling` or `both`"
    Integrator "an integrator such as `rk4`"
    Stabilizer "a stabilizer such as `direct-correction`"
}

impl Read for Method {
    const WHAT: &'static str = "an integrator or a stabilizer";

    fn read(value: &ParsedValue, at: &Path, found: &mut Diagnostics) -> Option<Self> {
        let ValueKind::Text(text) = &value.kind else {
            return mismatch(value, at, Self::WHAT, found);
        };
        let method = Self::of(text);
        if method.is_none() {
            let message = format!("`{at}` must be {}, not `{text}`", Self::WHAT);
            let error = Diagnostic::error(Code::D104, at, message);
            found.push(error.hint(suggestion(text, &Self::words())));
        }
        method
    }
}

impl Read for Number {
    const WHAT: &'static str = "a number, a quantity or an expression";

    fn read(value: &ParsedValue, at: &Path, found: &mut Diagnostics) -> Option<Self> {
        match &value.kind {
            ValueKind::Number(number) if number.is_finite() => Some(Self::Value(*number)),
            ValueKind::Number(_) => {
                let message = format!("`{at}` is not a finite number");
                found.push(Diagnostic::error(Code::D107, at, message));
                None
            }
            ValueKind::Text(text) => Some(Self::Text(text.clone())),
            _ => mismatch(value, at, Self::WHAT, found),
        }
    }
}

impl PairNames for Number {
    const TWO: &'static str = "a list of two numbers";
}

/// Implements [`Read`] for types that differ by shape: the first shape that fits decides, and the value must then
/// satisfy it.
macro_rules! shapes {
    ($($type:ident $what:literal { $($shape:pat $(if $guard:expr)? => $variant:ident),* $(,)? })*) => {$(
        impl Read for $type {
            const WHAT: &'static str = $what;

            fn read(value: &ParsedValue, at: &Path, found: &mut Diagnostics) -> Option<Self> {
                match &value.kind {
                    $($shape $(if $guard)? => Read::read(value, at, found).map(Self::$variant),)*
                    _ => mismatch(value, at, $what, found),
                }
            }
        }
    )*};
}

shapes! {
    Components "a number or a list of numbers" {
        ValueKind::List(_) => Many,
        ValueKind::Number(_) | ValueKind::Text(_) => One,
    }
    Shapes "a table, or a list of tables" {
        ValueKind::List(_) => Many,
        ValueKind::Table(_) => One,
    }
    Inertia "a number, a list of principal moments or a table" {
        ValueKind::List(_) => Principal,
        ValueKind::Table(_) => Full,
        ValueKind::Number(_) | ValueKind::Text(_) => Planar,
    }
    Orientation "a list of Euler parameters, or a table" {
        ValueKind::List(_) => EulerParameters,
        ValueKind::Table(keys) if keys.contains_key("axis") || keys.contains_key("angle") => AxisAngle,
        ValueKind::Table(_) => Axes,
    }
    AxisRef "the name of an axis, or a list of components" {
        ValueKind::Text(_) => Name,
        ValueKind::List(_) => Components,
    }
    JointAxis "the name of an axis, or a list" {
        ValueKind::Text(_) => Name,
        ValueKind::List(_) => List,
    }
    AxisOrNumber "a number, a text or a list of numbers" {
        ValueKind::List(_) => Components,
        ValueKind::Number(_) | ValueKind::Text(_) => Number,
    }
}

impl Read for Axis {
    const WHAT: &'static str = "a list of components, or `{ through = [point, point] }`";

    fn read(value: &ParsedValue, at: &Path, found: &mut Diagnostics) -> Option<Self> {
        match &value.kind {
            ValueKind::List(_) => Read::read(value, at, found).map(Self::Components),
            ValueKind::Table(_) => {
                let through = Fields::new(value, at, &["through"], found)?.required("through")?;
                Some(Self::Through { through })
            }
            _ => mismatch(value, at, Self::WHAT, found),
        }
    }
}
