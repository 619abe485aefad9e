//! An example for each code. `bellcrank explain` and the chapter of the book on errors print it.

use super::Code;

/// The cause of a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Example {
    /// A change of a double pendulum: bodies `crank` and `rod`, joints `A` and `B`, points `ground.pin`, `crank.tip`
    /// and `rod.end`.
    Planar(&'static str),
    /// A change of a pendulum in space: body `arm` with the points `tip` and `knob`, joint `A`.
    Spatial(&'static str),
    /// A whole description.
    Whole(&'static str),
    /// A situation that no description brings, in words.
    Situation(&'static str),
}

impl Example {
    /// The lines of a description, or the words.
    pub fn text(self) -> &'static str {
        match self {
            Self::Planar(text)
            | Self::Spatial(text)
            | Self::Whole(text)
            | Self::Situation(text) => text,
        }
    }

    /// True if it is part of a description.
    pub fn is_description(self) -> bool {
        !matches!(self, Self::Situation(_))
    }
}

impl Code {
    /// An example.
    pub fn example(self) -> Example {
        use Example::{Planar, Situation, Spatial, Whole};
        match self {
            Code::D101 => Planar(
                "[bodies.crank]
mass =                # the value is missing",
            ),
            Code::D102 => Planar(
                "[bodies.crank]
mas = 2               # write `mass`",
            ),
            Code::D103 => Whole(
                r#"# `space = "planar"` or `space = "spatial"` is missing
[bodies.bob]
mass = 1"#,
            ),
            Code::D104 => Planar(
                r#"[joints.A]
type = "hinge"        # write `revolute`"#,
            ),
            Code::D105 => {
                Situation("`bellcrank check modle.toml`, where the file is called `model.toml`")
            }
            Code::D106 => Situation("a description that an editor saved as UTF-16"),
            Code::D107 => Planar(
                r#"[bodies.crank]
mass = "1 / 0""#,
            ),
            Code::D108 => Planar(
                r#"[bodies.crank]
mass = "2 kgs"        # write `2 kg`"#,
            ),
            Code::D109 => Planar(
                r#"[bodies.crank]
mass = "2 mm"         # a mass needs a unit of mass"#,
            ),
            Code::D110 => Planar(
                r#"[bodies.crank]
inertia = "0.1 kg m^2"   # write `0.1 kg*m^2`"#,
            ),
            Code::D111 => Whole(r#"space = "planar"      # and nothing else"#),
            Code::D112 => Situation("`bellcrank check model.yaml`"),
            Code::D113 => Planar(
                r#"[constants]
h = 2

[outputs]
o = "0.5 kg*h^2"      # write `0.5 kg * h^2` for the constant"#,
            ),
            Code::D114 => Planar(
                "[bodies.crank]
angle = 60            # 60 rad; write `60 deg`",
            ),
            Code::M201 => Planar(
                r#"[joints.B]
between = ["crnk.tip", "rod"]   # the body is called `crank`"#,
            ),
            Code::M202 => Planar(
                "[parameters]
rod = 2               # a body has this name",
            ),
            Code::M203 => Planar(
                r#"[joints.B]
between = ["rod.end", "rod"]"#,
            ),
            Code::M204 => Planar(
                "[parameters]
Crank = 2             # a body is called `crank`",
            ),
            Code::M205 => Planar(
                "[parameters]
time = 2              # laws use this word",
            ),
            Code::M206 => Planar(
                r#"[bodies.crank]
mass = "1 kg - 2 kg""#,
            ),
            Code::M207 => Spatial(
                "[bodies.arm]
inertia = [1, 2, 4]   # 4 exceeds 1 + 2",
            ),
            Code::M208 => Spatial(
                "[joints.A]
axis = [0, 0, 0]",
            ),
            Code::M210 => Spatial(
                r#"[bodies.arm.axes]
hinge = { through = ["tip", "knob"] }   # both points are at [1, 0, 0]"#,
            ),
            Code::M211 => Planar(
                r#"[outputs]
turn = "2 * crnk.angle"   # the body is called `crank`"#,
            ),
            Code::M212 => Planar(
                r#"[simulation]
step = "0 ms""#,
            ),
            Code::M213 => Planar(
                "[joints.B]
length = 1            # a revolute joint has no length",
            ),
            Code::M214 => Spatial(
                r#"[joints.B]
type = "revolute"     # in space it needs an `axis`
between = ["ground", "arm"]"#,
            ),
            Code::M215 => Planar(
                "[bodies.crank]
points = { tip = [1, 0, 0] }   # two components in the plane",
            ),
            Code::M216 => Spatial(
                r#"[parameters]
one = 1               # write it in `[constants]`

[joints.A]
axis = [0, 0, "one"]"#,
            ),
            Code::M217 => Planar(
                r#"[joints.B]
motion = { displacement = "t" }   # a revolute joint has an `angle`"#,
            ),
            Code::M218 => Planar(
                "[tables.lift]
x = [0, 2, 1]         # must grow
y = [0, 1, 2]",
            ),
            Code::M219 => Planar(
                r#"[joints.B]
between = ["crank.tip", "rod"]
at = [1, 0]           # the joint is at `crank.tip` already"#,
            ),
            Code::M220 => Planar(
                r#"[outputs]
a = "1 + sine(t)"     # write `sin(t)`"#,
            ),
            Code::M221 => Planar(
                r#"[forces.f]
type = "torque"
on = "rod"
torque = "-A.force.x" # a reaction follows from the forces"#,
            ),
            Code::M222 => Spatial(
                "[bodies.arm.orientation]
x = [1, 0, 0]
y = [0.6, 0.8, 0]      # 53° from x, not 90°",
            ),
            Code::M223 => Planar(
                r#"[parameters]
length = 2            # rename it

[forces.f]
type = "spring"
between = ["ground.pin", "rod.end"]
law = "3 * (length - 1)""#,
            ),
            Code::M224 => Planar(
                r#"[events.e]
when = "2 * pi"       # never changes
stop = true"#,
            ),
            Code::M225 => Planar(
                r#"[events.e]
when = "crank.angle > 1"   # neither `set` nor `stop`"#,
            ),
            Code::M226 => Planar(
                "[variables]
w = 1                 # no event sets it",
            ),
            Code::M227 => Situation("a description with 65 events"),
            Code::M228 => Planar(
                r#"[couplings.mesh]
type = "gear"
between = ["A", "B"]
ratio = 0"#,
            ),
            Code::M229 => Planar(
                r#"[couplings.mesh]
type = "gear"
between = ["A", "A.angle"]
ratio = 2"#,
            ),
            Code::M230 => Planar(
                r#"[outputs]
phi = "crank.angle"   # the column of the run is then called `run.phi`"#,
            ),
            Code::M231 => Planar(
                r#"[bodies.plate]
shape = { type = "polygon", corners = [[0, 0], [2, 1], [2, 0], [0, 2]], mass = 1 }

[joints.C]
type = "fixed"
between = ["rod.end", "plate"]"#,
            ),
            Code::M232 => Planar(
                r#"[bodies.link]
points = { end = [1, 0] }   # neither `mass` nor `shape`
position = [2, 0]

[joints.C]
type = "revolute"
between = ["rod.end", "link"]"#,
            ),
            Code::M233 => Planar(
                r#"[expressions]
u = "v + 1"
v = "2 * u"           # leads back to `u`

[outputs]
o = "u""#,
            ),
            Code::M234 => Situation("`bellcrank generate four-bars 1001`, which has 2003 bodies"),
            Code::T301 => Planar(
                "[bodies.loose]        # no joint; write `free = true` if it flies
mass = 1
inertia = 1",
            ),
            Code::T302 => Planar(
                r#"[joints.C]            # the triangle cannot move
type = "revolute"
between = ["rod", "ground"]
at = [2, 1]"#,
            ),
            Code::T303 => Planar(
                r#"[joints.C]            # the same as joint `A`
type = "revolute"
between = ["ground.pin", "crank"]"#,
            ),
            Code::T304 => Planar(
                "[joints.B]
cut = true            # `B` closes no loop",
            ),
            Code::T305 => Planar(
                r#"[joints.C]            # the chain is 2 m long
type = "distance"
between = ["ground.pin", "rod.end"]
length = 5"#,
            ),
            Code::T306 => Planar(
                r#"[joints.B]
motion = { angle = "2 * t" }

[assembly]
hold = ["B.angle"]    # at rate 0, but the motor turns it at 2 rad/s"#,
            ),
            Code::T307 => Planar(
                "[bodies.rod]
inertia = 0           # and joint `B` lets it turn",
            ),
            Code::T308 => Planar(
                r#"[bodies.rod]
position = [-3, 0]    # joint `B` is at [1, 0]
angle = "170 deg""#,
            ),
            Code::F401 => Planar(
                r#"[forces.f]
type = "torque"
on = "rod"
torque = "1 / t"      # infinite at the start"#,
            ),
            Code::F402 => Planar(
                r#"formulation = "joint"

[simulation]
integrator = "bdf"    # needs `particle` or `body`"#,
            ),
            Code::F403 => Situation("none: a fault of Bellcrank"),
            Code::F404 => Situation("none: a fault of Bellcrank"),
            Code::F405 => Planar(
                r#"[joints.A]
stiffness = "1e6 N/m" # only `formulation = "discrete"` uses it"#,
            ),
            Code::F406 => Planar(
                r#"formulation = "discrete"

[simulation]
step = "0.1 s"

[joints.A]
stiffness = "1e6 N/m""#,
            ),
            Code::S501 => Situation("another program on the machine uses Symbolica without a key"),
            Code::S502 => {
                Situation("a compilation of another user takes longer than `BELLCRANK_WAIT` says")
            }
            Code::S503 => Situation("none: a fault of Bellcrank"),
            Code::C601 => Situation("`bellcrank run model.toml --out /read-only/run.csv`"),
            Code::C602 => Situation("`bellcrank run model.toml` with a toolchain that is too old"),
            Code::C603 => Situation("`bellcrank run model.toml` on a machine without Rust"),
            Code::C604 => Situation(
                "`bellcrank run model.toml` where the motion reaches a position that locks",
            ),
            Code::C605 => Situation(
                "`bellcrank run model.toml --set sofness=40`, where the parameter is called `softness`",
            ),
            Code::C606 => Situation("`bellcrank gallery` after the mass of a model was changed"),
            Code::C607 => Situation(
                "`bellcrank sweep model.toml --out sweep.csv --merge` before all shares are done",
            ),
            Code::C608 => Situation(
                "`BELLCRANK_CACHE=/tmp/shared bellcrank run model.toml`, where everybody may write to the folder",
            ),
            Code::C609 => {
                Situation("a spring of 10⁹ N/m on 1 kg, simulated by `rk4` with a step of 1 ms")
            }
            Code::A701 => Situation(
                "`bellcrank statics` of a body on a horizontal rail with a constant force along it",
            ),
            Code::A702 => Situation(
                "`bellcrank kinematics` of a double pendulum with `--drive A`; add `--hold B`",
            ),
            Code::A703 => Situation(
                "`bellcrank kinematics models/four_bar/model.toml --drive D`, a joint that cannot go round",
            ),
            Code::A704 => Situation(
                "`bellcrank modes models/four_bar/model.toml --at start`, where the crank is about to fall",
            ),
        }
    }
}
