//! Every code of the stages: the smallest change of a good description that brings it, the place that it
//! points to, and the words that a person needs.

use ::toml::{Table, Value};
use bellcrank_compiler::description::places::{SourcePlace, place_of};
use bellcrank_compiler::diagnostics::{Code, Diagnostic, Diagnostics, Example};
use bellcrank_compiler::{Options, Source, compile};

/// A double pendulum.
const PLANAR: &str = r#"
space = "planar"
# top

[ground.points]
pin = [0, 0]

[bodies.crank]
mass = 2
inertia = 0.1
points = { tip = [1, 0] }

[bodies.rod]
mass = 3
inertia = 0.2
points = { end = [1, 0] }
position = [1, 0]

[joints.A]
type = "revolute"
between = ["ground.pin", "crank"]

[joints.B]
type = "revolute"
between = ["crank.tip", "rod"]

# more
"#;

/// A pendulum.
const SPATIAL: &str = r#"
space = "spatial"
# top

[bodies.arm]
mass = 2
inertia = [1, 2, 2]
points = { tip = [1, 0, 0], knob = [1, 0, 0] }

[joints.A]
type = "revolute"
between = ["ground", "arm.tip"]
axis = "z"

# more
"#;

const EMPTY: &str = "space = \"planar\"\n# nothing";

struct Case {
    code: Code,
    base: &'static str,
    /// This text of the base …
    replaced: &'static str,
    /// … becomes this one.
    with: &'static str,
    /// The line of the caret, with the text above it in «».
    place: &'static str,
    /// Words that the message and the hint must contain.
    words: &'static [&'static str],
}

/// One line a case: the change and the place of the caret; then the message.
macro_rules! cases {
    ($($code:ident $base:ident $replaced:literal => $with:literal, $place:literal, $($words:literal),+;)*) => {
        &[$(Case {
            code: Code::$code,
            base: $base,
            replaced: $replaced,
            with: $with,
            place: $place,
            words: &[$($words),+],
        }),*]
    };
}

const CASES: &[Case] = cases! {
    D101 PLANAR "mass = 2" => "mass = ",
        "mass = «»",
        "string";
    D101 PLANAR "mass = 2" => "mass = 2\nmass = 2",
        "«mass» = 2",
        "duplicate key";
    D102 PLANAR "mass = 2" => "mass = 2\nmas = 2",
        "«mas» = 2",
        "`bodies.crank` has no key `mas`", "did you mean `mass`?";
    D102 PLANAR "# top" => "coefficients = 1",
        "«coefficients» = 1",
        "a description has no key `coefficients`", "one of `name`, `space`";
    D103 PLANAR "space = \"planar\"" => "",
        "«»",
        "the description has no `space`", "`planar` or `spatial`";
    D104 PLANAR "mass = 2" => "mass = [2]",
        "mass = «[2]»",
        "`bodies.crank.mass`", "must be a number", "not a list";
    D104 PLANAR "\"revolute\"\nbetween = [\"g" => "\"revolut\"\nbetween = [\"g",
        "type = «\"revolut\"»",
        "`revolut`", "did you mean `revolute`?";
    D107 PLANAR "mass = 2" => "mass = nan",
        "mass = «nan»",
        "`bodies.crank.mass` is not a finite number", "finite";
    D107 PLANAR "mass = 2" => "mass = '1 / 0'",
        "mass = «'1 / 0'»",
        "`bodies.crank.mass` is inf", "division by zero";
    D108 PLANAR "mass = 2" => "mass = '2 kgs'",
        "mass = '2 «kgs»'",
        "`kgs`", "did you mean `kg`?";
    D113 PLANAR "# top" => "outputs.o = '5 t'",
        "outputs.o = '5 «t»'",
        "`t` is time here, and also a unit", "write `5 * t` for time", "a tonne is `1000 kg`";
    D113 PLANAR "# top" => "constants.h = 2\noutputs.o = '0.5 kg*h^2'",
        "outputs.o = '0.5 kg*«h»^2'",
        "`h` is a constant here, and also a unit", "write `… * h`", "`…*(1 h)` for the unit";
    D113 PLANAR "# top" => "outputs.o = 't / 3 N*m'",
        "outputs.o = 't / «3 N*m»'",
        "`/ 3 N*m` could divide by all of it", "write `/ (3 N*m)`";
    D114 PLANAR "position = [1, 0]" => "position = [1, 0]\nangle = 60",
        "angle = «60»",
        "is 60 rad, more than a turn", "did you mean `60 deg`?";
    D109 PLANAR "mass = 2" => "mass = '2 mm'",
        "mass = «'2 mm'»",
        "a length", "a mass is needed", "unit";
    D109 PLANAR "mass = 2" => "mass = '2 kg + 3 mm'",
        "mass = '«2 kg + 3 mm»'",
        "a mass and a length do not go together";
    D109 PLANAR "\"rod\"]\n" => "\"rod\"]\nmotion = { angle = '60 rpm' }\n",
        "motion = { angle = «'60 rpm'» }",
        "an angular rate", "`60 rpm * t`";
    D110 PLANAR "mass = 2" => "mass = '2 * (3'",
        "mass = '2 * (3«»'",
        "`2 * (3`", "`)`";
    D110 PLANAR "inertia = 0.1" => "inertia = '0.1 kg m^2'",
        "inertia = '0.1 kg «m»^2'",
        "expected an operator, found `m`", "`kg*m^2`";
    D110 PLANAR "inertia = 0.1" => "inertia = '0.1 kg m2'",
        "inertia = '0.1 kg «m2»'",
        "expected an operator, found `m2`", "write `kg*m^2`";
    D110 PLANAR "# more" => "[forces.f]\ntype = 'torque'\non = 'crank'\ntorque = '5 N m s/rad * crank.rate'",
        "torque = '5 N «m» s/rad * crank.rate'",
        "write `N*m*s/rad`";
    D110 PLANAR "position = [1, 0]" => "position = ['80,5 mm', 0]",
        "position = ['80«,»5 mm', 0]",
        "decimals stand after a point: write `80.5`";
    D108 PLANAR "position = [1, 0]" => "position = [1, 0]\nangle = '60 degrees'",
        "angle = '60 «degrees»'",
        "unknown unit `degrees`", "did you mean `deg`? Write `60 deg`";
    D108 PLANAR "position = [1, 0]" => "position = ['25 millimetres', 0]",
        "position = ['25 «millimetres»', 0]",
        "Write `25 mm`";
    D108 PLANAR "inertia = 0.1" => "inertia = '0.1 kgm2'",
        "inertia = '0.1 «kgm2»'",
        "Write `0.1 kg*m^2`";
    D104 PLANAR "\"revolute\"\nbetween = [\"g" => "\"hinge\"\nbetween = [\"g",
        "type = «\"hinge\"»",
        "a hinge is called `revolute` here: write `type = \"revolute\"`";
    D104 PLANAR "\"revolute\"\nbetween = [\"g" => "\"slider\"\nbetween = [\"g",
        "type = «\"slider\"»",
        "a slider is called `prismatic` here";
    D104 SPATIAL "\"revolute\"" => "\"ball\"",
        "type = «\"ball\"»",
        "a ball joint is called `spherical` here";
    D102 PLANAR "\"rod\"]\n" => "\"rod\"]\nlimits = [0, 1]\n",
        "«limits» = [0, 1]",
        "`joints.B` has no key `limits`", "joints have no limits", "[forces.B_stop]", "joint = \"B\"", "[events.B_end]";
    D102 PLANAR "\"rod\"]\n" => "\"rod\"]\nmax = 1\n",
        "«max» = 1",
        "joints have no limits";
    D102 PLANAR "\"rod\"]\n" => "\"rod\"]\nfriction = 0.1\n",
        "«friction» = 0.1",
        "joints have no friction", "[forces.B_friction]", "type = \"damper\"";
    D109 PLANAR "\"rod\"]\n" => "\"rod\"]\ndamping = '0.1 N*m*s'\n",
        "damping = «'0.1 N*m*s'»",
        "[forces.B_damper]", "type = \"damper\"", "joint = \"B\"";
    M211 PLANAR "# more" => "[forces.m]\ntype = 'torque'\non = 'crank'\ntorque = 1\n[outputs]\no = 'm.torque'",
        "o = '«m.torque»'",
        "`m` has no quantity `torque`", "write the expression of its `torque` here", "an `actuator` on a joint has `m.force`";
    M211 PLANAR "# more" => "[forces.m]\ntype = 'torque'\non = 'crank'\ntorque = '1 - rate'",
        "torque = '1 - «rate»'",
        "name whose it is: `crank.rate`";
    T308 PLANAR "position = [1, 0]" => "position = [-3, 0]\nangle = '170 deg'",
        "[bodies.«rod»]",
        "closing the joints took bodies far from their guess: `rod` by ", "bellcrank assemble --write", "or 30 deg";
    D111 EMPTY "# nothing" => "",
        "«»space = \"planar\"",
        "no body", "`bodies.name`";
    M201 PLANAR "crank.tip" => "crnk.tip",
        "between = [«\"crnk.tip\"», \"rod\"]",
        "no body is called `crnk`", "did you mean `crank`?";
    M201 PLANAR "crank.tip" => "crank.tap",
        "between = [«\"crank.tap\"», \"rod\"]",
        "`crank` has no point `tap`", "did you mean `tip`?";
    M201 SPATIAL "axis = \"z\"" => "axis = \"w\"",
        "axis = «\"w\"»",
        "`ground` has no axis `w`";
    M201 PLANAR "mass = 2" => "mass = '2 * m'",
        "mass = '2 * «m»'",
        "no constant or parameter is called `m`";
    M201 PLANAR "# more" => "[forces.f]\ntype = 'spring'\njoint = 'C'\nstiffness = 1",
        "joint = «'C'»",
        "no joint is called `C`";
    M201 PLANAR "# more" => "[assembly]\nhold = ['A.angle', 'crank.angel']",
        "hold = ['A.angle', «'crank.angel'»]",
        "`crank` has no quantity `angel`", "did you mean `angle`?";
    M201 PLANAR "# more" => "[assembly]\nhold = ['crank.vx']",
        "hold = [«'crank.vx'»]",
        "`crank.vx` is no position", "its rate is held with it";
    M202 PLANAR "[joints.A]" => "[joints.rod]",
        "[joints.«rod»]",
        "`rod` is already the name of `bodies.rod`", "one space of names";
    M203 PLANAR "[\"crank.tip\", \"rod\"]" => "[\"rod.end\", \"rod\"]",
        "between = «[\"rod.end\", \"rod\"]»",
        "`B` connects `rod` to itself", "did you mean `crank`?";
    M203 PLANAR "# more" => "[forces.f]\ntype = 'spring'\nbetween = ['rod', 'rod.end']\nstiffness = 1",
        "between = «['rod', 'rod.end']»",
        "`f` acts between two points of `rod`", "name two bodies";
    M204 PLANAR "[joints.A]" => "[joints.Crank]",
        "[joints.«Crank»]",
        "`Crank` and `crank` differ only in case", "rename";
    M205 PLANAR "[joints.A]" => "[joints.if]",
        "[joints.«if»]",
        "`if`", "reserved", "`if_1`";
    M205 PLANAR "# more" => "[outputs]\ntime = 1",
        "«time» = 1",
        "the word stands for the time of a run", "`time_1`";
    M232 PLANAR "mass = 2" => "",
        "[bodies.«crank»]",
        "`bodies.crank` has no `mass`, which", "a `shape` with a `material`", "`kinematics` need none";
    M232 PLANAR "inertia = 0.1" => "",
        "[bodies.«crank»]",
        "`bodies.crank` has no `inertia`, which", "in the plane one number", "m L²/12";
    M233 PLANAR "# more" => "[expressions]\nu = 'v + 1'\nv = '2 * u'\n[outputs]\no = 'u'",
        "u = «'v + 1'»",
        "`u` needs itself: `u` → `v` → `u`", "without naming the next";
    M231 PLANAR "mass = 2\ninertia = 0.1" => "shape = { type = \"polygon\", corners = [[0, 0], [2, 1], [2, 0], [0, 2]], mass = 1 }",
        "shape = { type = \"polygon\", corners = «[[0, 0], [2, 1], [2, 0], [0, 2]]», mass = 1 }",
        "cross", "in the order in which they go round";
    M230 PLANAR "# more" => "[outputs]\nphi = 1",
        "«phi» = 1",
        "a column `phi`", "it is called `run.phi`", "rename the output";
    M205 PLANAR "[joints.A]" => "[joints.'left pin']",
        "[joints.«'left pin'»]",
        "contains ` `", "`left_pin`";
    M205 PLANAR "# top" => "name = '4bar'",
        "name = «'4bar'»",
        "`4bar`", "starts with a digit", "`name = \"FourBar\"`";
    M205 PLANAR "[joints.A]" => "[joints.time]",
        "[joints.«time»]",
        "`time`", "reserved";
    M205 PLANAR "# more" => "[parameters]\ntime = 2",
        "«time» = 2",
        "`time`", "reserved";
    M202 PLANAR "# more" => "[parameters]\nk = 1\n[inputs]\nk = 2",
        "«k» = 2",
        "`k` is already the name of `parameters.k`";
    M204 PLANAR "# more" => "[parameters]\nk = 1\nK = 2",
        "«K» = 2",
        "`K` and `k` differ only in case";
    M206 PLANAR "mass = 2" => "mass = -1e-9",
        "mass = «-1e-9»",
        "the mass is -0.000000001", "negative", "write 0";
    M206 PLANAR "mass = 2" => "mass = '-2 kg'",
        "mass = «'-2 kg'»",
        "the mass is -2";
    M206 PLANAR "mass = 2" => "mass = '1 kg - 2 kg'",
        "mass = «'1 kg - 2 kg'»",
        "the mass is -1";
    M207 SPATIAL "[1, 2, 2]" => "[1, 2, 4]",
        "inertia = «[1, 2, 4]»",
        "1, 2 and 4", "none may exceed the sum of the other two";
    M207 SPATIAL "[1, 2, 2]" => "{ xx = 1, yy = 1, zz = 1, about = 'tip' }",
        "«inertia» = { xx = 1, yy = 1, zz = 1, about = 'tip' }",
        "-1, -1 and 1", "none can be negative", "the point that the moments are about";
    M207 PLANAR "inertia = 0.1" => "inertia = -0.1",
        "inertia = «-0.1»",
        "-0.1", "cannot be negative";
    M208 SPATIAL "axis = \"z\"" => "axis = [0, 0, 0]",
        "axis = «[0, 0, 0]»",
        "length zero", "`[1, 0, 0]`";
    M208 SPATIAL "# more" => "[bodies.arm.orientation]\naxis = [0, 0, 0]\nangle = 1",
        "axis = «[0, 0, 0]»",
        "length zero";
    M210 SPATIAL "# more" => "[bodies.arm.axes]\nhinge = { through = ['tip', 'knob'] }",
        "hinge = { through = «['tip', 'knob']» }",
        "`tip` and `knob` are the same point", "two different points";
    M211 PLANAR "# more" => "[outputs]\na = '2 * crnk.angle'",
        "a = '2 * «crnk.angle»'",
        "`crnk`", "did you mean `crank`?";
    M211 PLANAR "# more" => "[forces.f]\ntype = 'torque'\non = 'rod'\ntorque = '3 * efort'\n[inputs]\neffort = 0",
        "torque = '3 * «efort»'",
        "nothing is called `efort`", "did you mean `effort`?";
    M212 PLANAR "# more" => "[simulation]\nstep = '0 ms'",
        "step = «'0 ms'»",
        "`simulation.step` is 0", "above zero";
    M212 PLANAR "# more" => "[joints.C]\ntype = 'distance'\nbetween = ['ground.pin', 'crank']",
        "[joints.«C»]",
        "`joints.C` has no `length`", "its points coincide in the guess", "guess the bodies apart";
    M213 PLANAR "# more" => "[joints.C]\ntype = 'spherical'\nbetween = ['ground', 'rod']",
        "type = «'spherical'»",
        "no spherical joint in the plane", "`revolute`";
    M213 PLANAR "[\"crank.tip\", \"rod\"]" => "[\"crank.tip\", \"rod\"]\nlength = 1",
        "length = «1»",
        "has no use for `length`", "remove `length`";
    M214 SPATIAL "axis = \"z\"" => "",
        "[joints.«A»]",
        "needs an `axis`", "axis = \"z\"";
    M215 PLANAR "tip = [1, 0]" => "tip = [1, 0, 0]",
        "points = { tip = «[1, 0, 0]» }",
        "2 components are needed in the plane, not 3";
    M215 SPATIAL "[1, 2, 2]" => "1",
        "inertia = «1»",
        "three principal moments", "`[xx, yy, zz]`";
    M216 SPATIAL "axis = \"z\"" => "axis = [0, 0, \"one\"]\n[parameters]\none = 1",
        "axis = [0, 0, \"«one»\"]",
        "`one` is a parameter", "move `one` to `constants`";
    M217 PLANAR "# more" => "[joints.B.motion]\ndisplacement = 't'",
        "displacement = «'t'»",
        "the revolute joint `B` has no coordinate `displacement`", "`angle`";
    M218 PLANAR "# more" => "[tables.lift]\nx = [0, 2, 1]\ny = [0, 1, 2]",
        "x = [0, 2, «1»]",
        "`x` of `lift` goes from 2 to 1", "must grow";
    M218 PLANAR "# more" => "[tables.lift]\nx = [0, 1]\ny = [0]",
        "[tables.«lift»]",
        "2 `x` but 1 `y`";
    M219 PLANAR "[\"crank.tip\", \"rod\"]" => "[\"crank.tip\", \"rod\"]\nat = [1, 0]",
        "between = [«\"crank.tip\"», \"rod\"]",
        "`at` and the point of `crank.tip`", "write `crank` alone";
    M220 PLANAR "# more" => "[outputs]\na = '1 + sine(t)'",
        "a = '1 + «sine(t)»'",
        "no function or table `sine`", "did you mean `sin`?";
    M220 PLANAR "# more" => "[outputs]\na = 'sin(t, 1)'",
        "a = '«sin(t, 1)»'",
        "`sin` takes 1 argument, not 2";
    M221 PLANAR "# more" => "[forces.f]\ntype = 'torque'\non = 'rod'\ntorque = '-A.force.x'",
        "torque = '-«A.force.x»'",
        "`A.force.x` is only known once the forces are", "an output may use it";
    M222 SPATIAL "# more" => "[bodies.arm.orientation]\nx = [1, 0, 0]\ny = [0.6, 0.8, 0]",
        "[bodies.arm.«orientation»]",
        "53.1301°", "not 90°";
    M223 PLANAR "# more" => "[forces.f]\ntype = 'spring'\nbetween = ['ground.pin', 'rod.end']\nlaw = '3 * (length - 1)'\n[parameters]\nlength = 2",
        "law = '3 * («length» - 1)'",
        "`length` is a parameter", "a quantity of the element itself", "rename `parameters.length`";
    M224 PLANAR "# more" => "[events.e]\nwhen = '2 * pi'\nstop = true",
        "when = «'2 * pi'»",
        "`events.e.when` does not change", "never crosses zero", "depend on time or on the motion";
    M225 PLANAR "# more" => "[events.e]\nwhen = 'crank.angle > 1'",
        "[events.«e»]",
        "the event `e` neither sets a variable nor stops the run", "`stop = true`";
    M226 PLANAR "# more" => "[variables]\nw = 1",
        "w = «1»",
        "no event sets the variable `w`", "a constant or a parameter";
    M201 PLANAR "# more" => "[variables]\nw = 1\n[events.e]\nwhen = 't > 1'\nset = { w = 2, v = 1 }",
        "set = { w = 2, v = «1» }",
        "no variable is called `v`", "did you mean `w`?";
    M201 PLANAR "# more" => "[events.e]\nwhen = 't > 1'\nset = { crank = 1 }",
        "set = { crank = «1» }",
        "`crank` is a body, not a variable", "`variables.crank = 0`";
    D110 PLANAR "# more" => "[events.e]\nwhen = 't > 1 and crank.x > 0'\nstop = true",
        "when = '«t > 1 and crank.x > 0»'",
        "several conditions have no one crossing", "an event for each";
    D104 PLANAR "# more" => "[events.e]\nwhen = 't - 1'\ndirection = 'up'\nstop = true",
        "direction = «'up'»",
        "`rising`, `falling` or `both`, not `up`", "one of `rising`, `falling`, `both`";
    M201 PLANAR "# more" => "[couplings.mesh]\ntype = 'gear'\nbetween = ['A', 'rod']\nratio = -2",
        "between = ['A', «'rod'»]",
        "`rod` is a body, not a joint";
    M213 PLANAR "# more" => "[couplings.mesh]\ntype = 'gear'\nbetween = ['A', 'B']\nratio = -2\nradius = 0.1",
        "radius = «0.1»",
        "a coupling of type `gear` has no use for this key", "remove `radius`";
    M213 SPATIAL "axis = \"z\"" => "axis = \"z\"\nlead = '4 mm'",
        "lead = «'4 mm'»",
        "a spatial `revolute` joint has no use for `lead`";
    M213 PLANAR "\"revolute\"\nbetween = [\"c" => "\"screw\"\nlead = 0.1\nbetween = [\"c",
        "type = «\"screw\"»",
        "there is no screw joint in the plane", "use `prismatic`";
    M214 PLANAR "# more" => "[couplings.mesh]\ntype = 'gear'\nbetween = ['A', 'B']",
        "[couplings.«mesh»]",
        "needs `ratio` or `teeth`", "teeth = [20, 50]";
    M214 SPATIAL "\"revolute\"" => "\"screw\"",
        "[joints.«A»]",
        "needs a `lead`", "lead = \"4 mm\"";
    M214 SPATIAL "\"revolute\"\nbetween = [\"ground\", \"arm.tip\"]\naxis = \"z\"\n" => "\"universal\"\nbetween = [\"ground\", \"arm.tip\"]\naxis = [\"x\", \"y\"]\n[couplings.mesh]\ntype = 'gear'\nbetween = ['A', 'A.angle']\nratio = 2\n",
        "between = [«'A'», 'A.angle']",
        "`A` has several coordinates", "write `A.angle` or `A.second_angle`";
    M217 PLANAR "# more" => "[couplings.feed]\ntype = 'rack'\nbetween = ['A', 'B']\nradius = 0.1",
        "between = ['A', «'B'»]",
        "the revolute joint `B` has no displacement", "two that turn are a `gear`";
    M217 PLANAR "# more" => "[couplings.feed]\ntype = 'rack'\nbetween = ['A', 'B.angle']\nradius = 0.1",
        "between = ['A', «'B.angle'»]",
        "`B.angle` is no displacement";
    M219 PLANAR "# more" => "[couplings.mesh]\ntype = 'gear'\nbetween = ['A', 'B']\nratio = -2\nteeth = [40, 20]",
        "teeth = «[40, 20]»",
        "`ratio` and `teeth` both say", "remove one of them";
    M228 PLANAR "# more" => "[couplings.mesh]\ntype = 'gear'\nbetween = ['A', 'B']\nratio = 0",
        "ratio = «0»",
        "`couplings.mesh.ratio` is 0", "for the other direction";
    M228 PLANAR "# more" => "[couplings.mesh]\ntype = 'gear'\nbetween = ['A', 'B']\nteeth = [20, 0]",
        "teeth = [20, «0»]",
        "`couplings.mesh.teeth[1]` is 0";
    M228 SPATIAL "\"revolute\"" => "\"screw\"\nlead = '0 mm'",
        "lead = «'0 mm'»",
        "`joints.A.lead` is 0";
    M229 PLANAR "# more" => "[couplings.mesh]\ntype = 'gear'\nbetween = ['A', 'A.angle']\nratio = 2",
        "between = «['A', 'A.angle']»",
        "`mesh` couples `A` with itself", "two coordinates of one";
    T302 PLANAR "# more" => "[couplings.one]\ntype = 'gear'\nbetween = ['A', 'B']\nratio = 2\n[couplings.two]\ntype = 'gear'\nbetween = ['A', 'B']\nratio = 3",
        "[«joints».A]",
        "2 joints and 2 couplings leave 2 bodies no degree of freedom";
    T303 PLANAR "# more" => "[couplings.one]\ntype = 'gear'\nbetween = ['A', 'B']\nratio = 2\n[couplings.two]\ntype = 'gear'\nbetween = ['B', 'A']\nratio = 0.5",
        "[couplings.«two»]",
        "1 constraint equation of coupling `two` is redundant: coupling `one` already implies `ratio`";
    T301 PLANAR "[\"crank.tip\", \"rod\"]" => "[\"crank\", \"ground\"]",
        "[bodies.«rod»]",
        "no chain of joints leads from body `rod` to ground", "`free = true`";
    T302 PLANAR "# more" => "[joints.C]\ntype = 'revolute'\nbetween = ['rod', 'ground']\nat = [2, 1]",
        "[«joints».A]",
        "3 joints leave 2 bodies no degree of freedom", "remove a joint";
    T302 SPATIAL "\"revolute\"\nbetween = [\"ground\", \"arm.tip\"]\naxis = \"z\"" => "'fixed'\nbetween = ['ground', 'arm']",
        "[«joints».A]",
        "1 joint leaves 1 body no degree of freedom";
    T302 PLANAR "\"rod\"]\n" => "\"rod\"]\nmotion = { angle = 't' }\n[joints.C]\ntype = 'fixed'\nbetween = ['crank.tip', 'rod']\n",
        "motion = { angle = «'t'» }",
        "joint `B` is driven", "as many drivers as degrees of freedom";
    T303 PLANAR "# more" => "[joints.C]\ntype = 'revolute'\nbetween = ['ground.pin', 'crank']",
        "[joints.«C»]",
        "2 constraint equations of joint `C` are redundant: joint `A` already implies", "the motion is unique";
    T304 PLANAR "\"rod\"]\n" => "\"rod\"]\ncut = true\n",
        "cut = «true»",
        "joint `B` cannot be cut", "remove `cut = true`";
    T305 PLANAR "# more" => "[joints.C]\ntype = 'distance'\nbetween = ['ground.pin', 'rod.end']\nlength = 5",
        "[joints.«A»]",
        "joint `A` does not close: `x of the point` stays 0.7875 away", "joint `B` does not close: `x of the point` stays 1.3125 away", "joint `C` does not close: `length` stays 0.819 away", "check the lengths";
    T305 PLANAR "\"rod\"]\n" => "\"rod\"]\nmotion = { angle = 't + 1' }\n[joints.C]\ntype = 'fixed'\nbetween = ['crank.tip', 'rod']\n",
        "motion = { angle = «'t + 1'» }",
        "`angle as driven` stays 0.5 away";
    T305 PLANAR "# more" => "[joints.C]\ntype = 'fixed'\nbetween = ['crank.tip', 'rod']\nangle = 0.5\n[assembly]\nhold = ['crank.angle', 'rod.angle']",
        "hold = [«'crank.angle'», 'rod.angle']",
        "`crank.angle` cannot be held", "`rod.angle` cannot be held", "hold fewer coordinates";
    T306 PLANAR "\"rod\"]\n" => "\"rod\"]\nmotion = { angle = '2 * t' }\n[assembly]\nhold = ['B.angle']\n",
        "motion = { angle = «'2 * t'» }",
        "no velocity satisfies `angle as driven` of joint `B`", "the rate of `B.angle`: 1 per second is left", "hold fewer coordinates";
    T307 SPATIAL "inertia = [1, 2, 2]\npoints = { tip = [1, 0, 0]" => "inertia = [2, 2, 0]\npoints = { tip = [0, 0, 1]",
        "[bodies.«arm»]",
        "body `arm` can turn in joint `A` about its z axis", "has no inertia", "give it inertia about that axis", "`fixed`";
    T307 SPATIAL "inertia = [1, 2, 2]\npoints = { tip = [1, 0, 0]" => "inertia = [0, 0, 0]\npoints = { tip = [0, 0, 1]",
        "[bodies.«arm»]",
        "body `arm` can turn in joint `A` about its z axis", "joint `A` is `revolute`";
    T307 SPATIAL "inertia = [1, 2, 2]\npoints = { tip = [1, 0, 0], knob = [1, 0, 0] }\n\n[joints.A]\ntype = \"revolute\"\nbetween = [\"ground\", \"arm.tip\"]\naxis = \"z\"" => "inertia = [0, 2, 2]\npoints = { tip = [1, 0, 0] }\n[joints.A]\ntype = 'spherical'\nbetween = ['ground', 'arm.tip']\n[outputs]\na = 'arm.e0'",
        "[bodies.«arm»]",
        "in joint `A` about its x axis", "asks how it is turned";
    T307 SPATIAL "inertia = [1, 2, 2]\npoints = { tip = [1, 0, 0], knob = [1, 0, 0] }\n\n[joints.A]\ntype = \"revolute\"\nbetween = [\"ground\", \"arm.tip\"]\naxis = \"z\"" => "inertia = [0, 2, 2]\npoints = { tip = [1, 0, 0] }\n[joints.A]\ntype = 'spherical'\nbetween = ['ground', 'arm.tip']\n[forces.f]\ntype = 'torque'\non = 'arm'\ntorque = [0, 0, 1]",
        "[bodies.«arm»]",
        "in joint `A` about its x axis", "`forces.f` is a torque";
    T307 PLANAR "inertia = 0.2" => "inertia = 0",
        "[bodies.«rod»]",
        "body `rod` can turn in joint `B`, and it has no inertia against that", "joint `B` is `revolute`", "needs none";
    F401 PLANAR "# more" => "[forces.f]\ntype = 'torque'\non = 'rod'\ntorque = '1 / t'",
        "torque = «'1 / t'»",
        "the force of `forces.f` is inf at the start", "division by zero";
    F401 PLANAR "# more" => "[forces.f]\ntype = 'spring'\nbetween = ['crank.tip', 'rod']\nstiffness = 1",
        "between = «['crank.tip', 'rod']»",
        "the direction of `forces.f` is NaN", "two points that coincide";
    F401 PLANAR "\"rod\"]\n" => "\"rod\"]\nmotion = { angle = 'ln(t)' }\n",
        "motion = { angle = «'ln(t)'» }",
        "`angle as driven` of joint `B`", "logarithm";
    F401 PLANAR "\"rod\"]\n" => "\"rod\"]\nmotion = { angle = 'sqrt(t)' }\n",
        "motion = { angle = «'sqrt(t)'» }",
        "the rate of `angle as driven` of joint `B`";
    F401 PLANAR "# more" => "[outputs]\na = '1 / crank.x'",
        "a = «'1 / crank.x'»",
        "output `a` is inf at the start";
    F401 PLANAR "# more" => "[events.e]\nwhen = '1 / t'\nstop = true",
        "when = «'1 / t'»",
        "what the event `e` watches is inf at the start";
};

/// Codes that no text brings, or that are not about a description, with the test that brings them, or why
/// there is none.
const ELSEWHERE: &[(Code, &str)] = &[
    (Code::D105, "source.rs: files_that_cannot_be_read"),
    (Code::D106, "source.rs: files_that_cannot_be_read"),
    (Code::D112, "source.rs: files_that_cannot_be_read"),
    (
        Code::M227,
        "model/tests/events.rs: there_are_no_more_events_than_a_report_has_room_for",
    ),
    (
        Code::F402,
        "formulations.rs: a_form_that_cannot_be_had_names_the_body",
    ),
    // A kernel that the verifier refuses is a fault of the compiler: no text brings it.
    (
        Code::F403,
        "none: the rules themselves are tested in kernel/tests/verify.rs",
    ),
    // Every name is an identifier once M205 has passed, and `emit` builds tokens, so no description
    // leads there; it is reported instead of a panic.
    (
        Code::F404,
        "none: a fault of the emitter, which the emitter's own tests exclude",
    ),
    (
        Code::F405,
        "discrete.rs: a_rigid_joint_has_no_use_for_a_stiffness",
    ),
    (Code::F406, "discrete.rs: a_step_that_is_too_large_is_told"),
    (Code::S501, "tests/session.rs: a_foreign_instance_is_told"),
    (
        Code::S502,
        "tests/session.rs: a_lock_that_is_held_too_long_is_told",
    ),
    // A job that panics is a fault of the compiler; the worker lives on.
    (Code::S503, "tests/session.rs: a_job_that_panics_is_told"),
    (Code::C601, "cli/tests/cli.rs"),
    (
        Code::C602,
        "cli/tests/cli.rs: the_words_of_a_cargo_that_fails_are_shown",
    ),
    (
        Code::C603,
        "cli/tests/cli.rs: a_machine_without_cargo_is_told_what_to_do",
    ),
    (Code::C604, "cli/tests/cli.rs: a_run_that_stops_says_why"),
    (Code::C605, "cli/tests/cli.rs"),
    (Code::C606, "../tests/tests/doors/gallery.rs"),
    (Code::C607, "../tests/batch/tests/sweep.rs"),
    (Code::C608, "cli/tests/faults/cache.rs"),
    (Code::M234, "cli/tests/faults/limits.rs"),
    (
        Code::A701,
        "cli/tests/analysis/statics.rs: what_nothing_carries_has_no_rest",
    ),
    (
        Code::C609,
        "cli/tests/cli.rs: a_spring_too_stiff_for_its_step_is_told_with_figures",
    ),
    (
        Code::A702,
        "cli/tests/analysis/kinematics.rs: further_freedoms_have_to_be_held",
    ),
    (
        Code::A703,
        "cli/tests/analysis/kinematics.rs: a_crank_that_cannot_go_round_stops_where_coupler_and_rocker_stretch",
    ),
    (
        Code::A704,
        "cli/tests/analysis/modes.rs: a_state_that_falls_is_told",
    ),
];

#[test]
fn every_code_is_accounted_for() {
    for code in Code::ALL {
        let here = CASES.iter().any(|case| case.code == *code);
        let elsewhere = ELSEWHERE.iter().any(|(listed, _)| listed == code);
        assert!(here != elsewhere, "{code}: {}", code.title());
    }
}

#[test]
fn the_bases_are_good() {
    for base in [PLANAR, SPATIAL] {
        let found = findings(&toml(base));
        assert!(found.is_empty(), "{found}");
    }
}

#[test]
fn all_errors_of_a_stage_are_told_at_once() {
    let description = PLANAR
        .replace("mass = 2", "mas = 2")
        .replace("inertia = 0.2", "inertia = true");
    assert_eq!(codes(&description), ["D102", "D104"]);
    let model = PLANAR
        .replace("mass = 2", "mass = -2")
        .replace("inertia = 0.2", "inertia = '1 mm'")
        .replace("\"crank.tip\"", "\"rod.end\"")
        .replace("# more", "[outputs]\na = 'crnk.x'\nb = 'sine(t)'")
        .replace("# top", "gravity = [0, 0, 1]");
    let model = codes(&model);
    assert_eq!(model, ["M215", "M206", "D109", "M203", "M211", "M220"]);
    let topology = PLANAR
        .replace(
            "\"ground.pin\", \"crank\"]",
            "\"ground.pin\", \"crank\"]\ncut = true",
        )
        .replace(
            "\"crank.tip\", \"rod\"]",
            "\"crank.tip\", \"ground\"]\ncut = true",
        );
    assert_eq!(codes(&topology), ["T301", "T304"]);
    let laws = PLANAR.replace("# more", "[outputs]\na = '1 / crank.x'\nb = '1 / t'");
    assert_eq!(codes(&laws), ["F401", "F401"]);
}

#[test]
fn every_code_has_its_place_and_its_words() {
    let mut wrong = String::new();
    for case in CASES {
        if let Err(found) = case.check() {
            wrong += &format!("--- {}: {:?}\n{found}\n", case.code, case.with);
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// The examples that `explain` and the book show.
#[test]
fn every_example_brings_its_code() {
    let mut wrong = String::new();
    for code in Code::ALL {
        let example = code.example();
        let description = match example {
            Example::Planar(change) => changed(PLANAR, change),
            Example::Spatial(change) => changed(SPATIAL, change),
            Example::Whole(text) => text.to_owned(),
            Example::Situation(_) => continue,
        };
        let found = codes(&description);
        if !found.contains(&code.to_string()) {
            wrong += &format!("--- {code}: {found:?}\n{}\n", example.text());
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// A description with the keys of a change in place of its own. A change that is not well formed follows it.
fn changed(base: &str, change: &str) -> String {
    match change.parse::<Table>() {
        Ok(change) => {
            let mut table: Table = base.parse().unwrap();
            overlay(&mut table, change);
            table.to_string()
        }
        Err(_) => format!("{base}\n{change}"),
    }
}

fn overlay(table: &mut Table, change: Table) {
    for (key, value) in change {
        match (table.get_mut(&key), value) {
            (Some(Value::Table(old)), Value::Table(new)) => overlay(old, new),
            (_, value) => {
                table.insert(key, value);
            }
        }
    }
}

impl Case {
    fn check(&self) -> Result<(), String> {
        assert_eq!(
            self.base.matches(self.replaced).count(),
            1,
            "{}",
            self.replaced
        );
        let source = toml(&self.base.replacen(self.replaced, self.with, 1));
        let found = findings(&source);
        let told: Vec<String> = found
            .iter()
            .map(|finding| format!("{}\n{finding}", marked(&source, finding)))
            .collect();
        let told = told.join("\n");
        let only = found.iter().all(|finding| finding.code == self.code);
        let first = found.iter().next().ok_or("nothing was found")?;
        let words = self.words.iter().all(|word| told.contains(word));
        if only && words && marked(&source, first) == self.place {
            Ok(())
        } else {
            Err(told)
        }
    }
}

fn codes(text: &str) -> Vec<String> {
    let found = findings(&toml(text));
    found
        .iter()
        .map(|finding| finding.code.to_string())
        .collect()
}

fn toml(text: &str) -> Source {
    let (file, text) = ("sample.toml".to_owned(), text.to_owned());
    Source::Toml { file, text }
}

/// Errors, or warnings if there are none.
fn findings(source: &Source) -> Diagnostics {
    match compile(source, &Options::default()) {
        Ok(compiled) => compiled.warnings,
        Err(found) => found,
    }
}

/// The line that a finding points to, with the text above the caret in «».
fn marked(source: &Source, finding: &Diagnostic) -> String {
    let (Some(SourcePlace::Text(range)), Some(text)) = (place_of(source, finding), source.text())
    else {
        return "nowhere".to_owned();
    };
    let start = text[..range.start].rfind('\n').map_or(0, |at| at + 1);
    let end = text[range.start..]
        .find('\n')
        .map_or(text.len(), |at| range.start + at);
    let last = range.end.min(end);
    let (before, above, after) = (
        &text[start..range.start],
        &text[range.start..last],
        &text[last..end],
    );
    format!("{before}«{above}»{after}")
}
