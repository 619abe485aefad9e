//! Every code with its explanation. Codes by stage: D1xx description, M2xx model, T3xx topology and
//! assembly, F4xx formulation, S5xx algebra, C6xx command line, A7xx analyses.

use std::fmt;

macro_rules! codes {
    ($($code:ident $title:literal $text:literal)*) => {
        /// The kind of an error or a warning.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code {
            $(#[doc = $title] $code,)*
        }

        impl Code {
            /// Every code, in order.
            pub const ALL: &[Code] = &[$(Code::$code),*];

            /// The title, a few words.
            pub fn title(self) -> &'static str {
                match self { $(Code::$code => $title,)* }
            }

            /// A paragraph that explains the code and says what to do.
            pub fn text(self) -> &'static str {
                match self { $(Code::$code => $text,)* }
            }
        }

        impl fmt::Display for Code {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self { $(Code::$code => stringify!($code),)* })
            }
        }
    };
}

codes! {
    D101 "the text is not well formed"
    "The file is not valid TOML or JSON, or the tokens of `mechanism!` do not follow its grammar. The caret stands where reading stopped; the cause is there or just before."
    D102 "unknown key"
    "A key that no mechanism has. Nothing that was written is ignored, so a misspelt key stops the compiler instead of silently leaving its default. `bellcrank schema` prints all keys."
    D103 "missing key"
    "A key that this element cannot do without. Nothing is invented in its place."
    D104 "wrong kind of value"
    "A text where a number is needed, a list where a table is needed, and the like."
    D105 "the file cannot be read"
    "The file does not exist or cannot be opened. Paths are relative to the current folder on the command line, and to the crate's folder in `mechanism!` and `build.rs`."
    D106 "the file is not UTF-8"
    "A description is UTF-8 text. The message gives the first byte that is not."
    D107 "number not finite"
    "`nan` and `inf` are no quantities of a mechanism."
    D108 "unknown unit"
    "A suffix that is no unit Bellcrank knows. Units combine with `*`, `/` and `^`: `kg*m^2`, `N/mm`, `rad/s`."
    D109 "wrong dimension"
    "The unit measures something else than the key does: a length in `kg`, an angle in `mm`. Plain numbers are taken in SI units."
    D110 "the expression is not well formed"
    "A law or a number written as an expression does not follow the grammar: arithmetic, functions, `if … then … else …`, dotted names."
    D111 "empty mechanism"
    "There is no body, so nothing can move."
    D112 "unknown file type"
    "A description is a `.toml` or a `.json` file."
    D113 "a unit that could be a name"
    "A name right after a number is a unit, and units that follow with `*` or `/` belong to it: `9.81 m/s^2`, `-20 N*m*s * bob.rate`. Constants, parameters, inputs, variables and the time `t` take precedence over units if there are spaces around the operator: in `0.5 kg * h^2`, `h` is the parameter, and in `5 Nm * t`, `t` is the time. A name that looks like part of a unit, as in `0.5 kg*h^2` or `2 h + x`, is ambiguous. Write `2 * h` or `0.5 kg * h^2` for the name, and `(2 h)` or `0.5 kg*(1 h)^2` for the unit; a quantity that stands alone, as `length = \"2 m\"`, is never refused. Likewise `a / 3 N*m` is written `a / (3 N*m)` or `(a / 3 N) * (1 m)`."
    D114 "a plain angle beyond a turn"
    "Plain numbers are in SI units, so a plain angle is in radians. One of more than 2π is used as it is, but degrees were probably meant. Write `60 deg`, or `60 rad` to confirm radians. Multiples such as `4*pi` give no warning."
    M201 "unknown name"
    "A body, point, axis, joint, force, table or parameter that does not exist. The hint gives the nearest name that does."
    M202 "duplicate name"
    "Bodies, joints, couplings, forces, parameters, constants, inputs, variables and tables share one namespace, so that `crank.angle` means one thing."
    M203 "joint from a body to itself"
    "A joint needs two different bodies, one of which may be `ground`."
    M204 "names that differ only in case"
    "`Crank` and `crank` would give the same name in the generated code."
    M205 "not a name"
    "A name has letters of the English alphabet, digits and `_`, does not start with a digit, and is no word that laws use, such as `ground`, `t` or `if`. Words that mean something to Rust, such as `box` or `self`, are names like others; in generated code they end with `_`."
    M206 "mass not positive"
    "Every body needs a mass above zero. Massless links are joints of type `distance`."
    M207 "impossible inertia"
    "No principal moment of inertia can be negative, and none can exceed the sum of the other two: no distribution of mass has such an inertia. A thin rod has one moment of zero and two equal ones, a point mass has none. Check the units and the reference point."
    M208 "axis of length zero"
    "A direction needs a length. Any other than zero will do: axes are scaled to unit length."
    M210 "coincident points define no axis"
    "An axis through two points needs two different points."
    M211 "unknown name in a law"
    "A law may use time, parameters, constants, inputs, variables, tables, and dotted quantities of bodies, joints and forces."
    M212 "number not positive"
    "Steps, end times, lengths and stiffnesses of joints are above zero; their dampings are not below. A `distance` joint without a `length` keeps the distance of its points in the guess, which must then differ."
    M213 "key does not belong to this type"
    "The key exists, but an element of this type has no use for it."
    M214 "key needed by this type"
    "An element of this type cannot do without this key."
    M215 "wrong number of components"
    "Vectors have two components in the plane and three in space."
    M216 "parameter where a constant is needed"
    "Axes, orientations in space, products of inertia, tables and the `at` of a joint are folded into the code, so they may use constants but no run-time parameters. Lengths, masses and the guess of positions, angles in the plane and velocities may use parameters: they follow them at run time."
    M217 "no such joint coordinate"
    "The joint has no coordinate of that name to drive, to measure or to act on."
    M218 "table not usable"
    "A table needs at least two points, as many `y` as `x`, and `x` that grow."
    M219 "keys that exclude each other"
    "Two keys say the same thing in two ways; which one holds would be a guess."
    M220 "wrong use of a function"
    "The function does not exist or takes another number of arguments."
    M221 "law uses what is not known yet"
    "Forces determine reactions and accelerations, so a force law cannot depend on them; an output can."
    M222 "axes not perpendicular"
    "The two axes that define an orientation must stand at a right angle, to within 10⁻⁶, because the third one follows from them."
    M223 "ambiguous name in a law"
    "The law of a force may use quantities of its own element: `length` and `rate` between two points, `angle`, `displacement` and their rates on a joint. If a constant, parameter or input has the same name, the law could mean either, so it is refused; rename the number. Laws without such a quantity use the number as usual."
    M224 "event that never happens"
    "The expression of an event must depend on time, on the motion or on an input. Parameters, and variables that other events set, change without crossing zero."
    M225 "event without effect"
    "The event sets no variable and does not stop the run. A program can still read from its frames that it happened."
    M226 "variable that no event sets"
    "Only events change a variable. A variable that no event sets keeps its initial value. A constant or a parameter does the same at less cost."
    M227 "too many events"
    "A mechanism can have at most 64 events: a report stores the events of a step as the bits of one 64-bit word."
    M228 "ratio of zero"
    "The ratio, radius or travel of a coupling and the lead of a screw say how much one coordinate moves with another. It must be finite and not zero. The sign gives the direction."
    M229 "coupling of a coordinate with itself"
    "A coupling ties two different joint coordinates together. They may belong to one joint, as the angle and the displacement of a cylindrical one."
    M230 "output with the name of a column"
    "The table of a run begins with `time`, then come the outputs, then `kinetic`, `potential`, `work`, `energy`, `phi` and `phi_dot`. An output may have one of these names, except `time`. The run's own column is then called `run.phi` and the like, so that column names stay unique. An output called `time` is refused."
    M231 "edges of a polygon cross"
    "The corners of a polygon go round its area in either direction, each once. Where edges cross or touch, parts of the area would count with the wrong sign, and mass and inertia would be wrong. Divide the polygon into several shapes."
    M232 "mass missing"
    "A run, statics and vibration need the mass and the moment of inertia of every body: give `mass` and `inertia`, or a `shape` with a `material`. `assemble` and `kinematics` need neither, and `check` says what is missing. Nothing is invented in their place."
    M233 "expression that needs itself"
    "A named expression is expanded where it is used, so it may not lead back to itself. The message names the cycle. State that persists from step to step belongs in a variable, which events set."
    M234 "too many bodies"
    "Compilation time grows with the number of bodies, to minutes for a thousand. Compile parts that do not touch each other as separate mechanisms."
    T301 "body not connected"
    "No chain of joints leads from this body to `ground`. If it is meant to fly freely, write `free = true` on one body of the group."
    T302 "no degree of freedom left"
    "The joints alone already fix every body, so no force can move the mechanism, and there is no motion to simulate. `statics` gives the reactions of such a structure."
    T303 "redundant constraints"
    "Some constraint equations already follow from the others. The motion is unique, but the joints can share the load in many ways: the reactions of smallest norm are reported. If the reactions matter, use joints with more degrees of freedom (spherical, cylindrical). Rounded lengths and directions make redundant equations contradict each other slightly. Equations that deviate by at most 1e-6 rad, or 1e-6 of the mechanism's size, still count as redundant, and the message gives the deviation."
    T304 "cut cannot be forced"
    "Cutting these joints would leave a body without a connection, or the joint closes no loop."
    T305 "assembly does not close"
    "No position near the guess satisfies all joints. The message names the joints that stay open and the size of the gap. Check lengths and the guess."
    T306 "velocities do not agree with the joints"
    "The velocities to hold contradict the joints or each other."
    T307 "motion without inertia"
    "The joints let a body turn about an axis about which it has no inertia, such as a thin rod about its own axis or a point mass about its centre. The forces then do not determine this rotation. Give the body inertia about that axis, or a joint that does not let it turn. A thin rod needs no such inertia if joints, forces, laws and outputs use only points on its axis and the joints are spherical or distance joints. The same holds for a point mass if they use only its centre. The rotation then has no cause and no effect."
    T308 "assembly moved a guess far"
    "Closing the joints took a body further from its guess than a quarter of the mechanism's size, or turned it by more than 30 degrees. The joints often close in several ways. Assembly finds the position nearest to the guess, so a rough guess may give another mechanism than the intended one. `bellcrank view` shows it; `bellcrank assemble --write` prints positions and angles that close. A prescribed motion that does not begin at the guess gives the same warning."
    F401 "law not finite at the start"
    "A force law, a driver or an output has no finite value in the starting state: a division by zero, a root or logarithm of a negative number."
    F402 "not available in this formulation"
    "The mechanism cannot be written in the requested formulation, or that formulation does not serve a requested method. The message says why."
    F403 "kernel breaks its own rules"
    "The verifier refused the code that the compiler made. This is a fault of Bellcrank: please report it with the description."
    F404 "generated code does not parse"
    "This is a fault of Bellcrank: please report it with the description."
    F405 "compliance without effect"
    "Joints give way only in the formulation `discrete`. In the others they are rigid, and a stiffness or damping of a joint is not used."
    F406 "step too large for the stiffness of the joints"
    "Springs that are stiffer than the step allows make the motion grow without bound. The hint gives a step that is stable in every position. Without `stiffness` and `damping` the compiler chooses them for the step."
    S501 "another Symbolica instance is running"
    "Without a licence key Symbolica allows one instance a machine, and this one does not belong to Bellcrank. Bellcrank waited for it for `BELLCRANK_WAIT` seconds. End the other instance, wait longer, or set `SYMBOLICA_LICENSE`."
    S502 "waited too long for Symbolica"
    "Another Bellcrank compilation held the machine-wide lock for longer than the time-out. Try again, or set `SYMBOLICA_LICENSE`, which needs no lock."
    S503 "the algebra session failed"
    "The worker thread ended unexpectedly. This is a fault of Bellcrank: please report it with the description."
    C601 "cannot write"
    "A file or folder could not be written. The message gives the reason that the system reports."
    C602 "building the generated program failed"
    "cargo or rustc refused the generated crate. Their messages are shown. This is a fault of Bellcrank or of the toolchain."
    C603 "cargo not found"
    "`bellcrank run` builds native code with cargo. Install Rust, or use `--interpret`."
    C604 "the simulation stopped"
    "The run ended early. The message gives the reason and the time."
    C605 "not usable on the command line"
    "An argument that does not fit the model or the command."
    C606 "a model is off its bounds"
    "A run of the model deviates from its reference, or from a quantity that it must conserve, by more than its `check.toml` allows, or it cannot be compared. The message names the quantity and the deviation."
    C607 "parts of a sweep do not fit"
    "The folder of a sweep lacks parts, or has parts of another sweep. The message names them. All shares of a sweep need the same model, options and `--out`."
    C608 "cache folder refused"
    "Bellcrank runs programs from the cache, so the folder must belong to the user, and nobody else may write to it. A folder that another user made, or could have written to, is not used. Set `BELLCRANK_CACHE` to a folder of your own."
    C609 "energy was lost or gained"
    "Kinetic and potential energy less the work of drivers and laws are constant in a mechanism. Here the sum changed by more than a twentieth of the energy that moved, so the computed motion is wrong. Most often a spring is too stiff for the step: an explicit method damps such motions or lets them grow. Take `--integrator bdf`, or a smaller step."
    A701 "no equilibrium found"
    "Along some motion the forces do not balance: no force holds the mechanism there, or the springs that could hold it are too far away. Hold a joint with `--hold`, or give a guess that is nearer to the equilibrium."
    A702 "as many drives as degrees of freedom"
    "One joint coordinate is driven, and the others must follow from it. For each further degree of freedom, hold a coordinate with `--hold joint.coordinate=value`. A mechanism without a degree of freedom cannot be driven."
    A703 "the range ends early"
    "The drive reaches a limit position, or the joints no longer close. The results up to there are reported."
    A704 "no equilibrium"
    "A linear system describes small motions about an equilibrium. Where the forces do not balance, it holds only for a short time, until the mechanism has moved away."
}

/// Title and text of a code, by its name in any case.
pub fn explain(name: &str) -> Option<(Code, &'static str, &'static str)> {
    let code = Code::ALL
        .iter()
        .find(|code| code.to_string().eq_ignore_ascii_case(name))?;
    Some((*code, code.title(), code.text()))
}
