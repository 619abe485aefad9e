//! A lift of crossed bars, raised by a cylinder at its foot.

use std::fmt::Write;

use super::Family;

/// N stages of two bars that cross at their middles, a platform with a load on top, rollers on the right.
pub(super) const FAMILY: Family = Family {
    name: "scissor-lift",
    about: "stages of crossed bars under a load, raised by a cylinder",
    counts: "stages",
    sizes: 1..=100,
    write: scissor_lift,
};

/// The cylinder lies along the floor between the foot and the lowest roller. The force that carries the load grows
/// with N, so its stiffness does, too.
const HEAD: &str = "\
space = \"planar\"
gravity = [0, -9.81]

[simulation]
until = \"5 s\"
step = \"1 ms\"

[constants]
stages = {n}
bar = \"1.2 m\"
bar_mass = \"12 kg\"
bar_inertia = \"bar_mass * bar^2 / 12\"
load = \"300 kg\"
start = \"15 deg\"
# The cylinder is a servo: it follows a length that gets shorter over four seconds, without a jolt.
stroke = \"0.4 m\"
lifting = \"4 s\"
stiffness = \"4e6 N/m\"
damping = \"2e5 N*s/m\"

[ground.points]
foot = [0, 0]

[forces.cylinder]
type = \"actuator\"
between = [\"ground.foot\", \"falling1.low\"]
law = \"stages * (stiffness * (length - bar * cos(start) + stroke / 2 * (1 - cos(pi * min(t / lifting, 1)))) + damping * rate)\"

[assembly]
hold = [\"rising1.angle\"]

[outputs]
height = \"platform.y\"
speed = \"platform.vy\"
tilt = \"platform.angle\"
# Zero: the platform goes straight up.
sway = \"platform.x\"
angle = \"rising1.angle\"
length = \"cylinder.length\"
force = \"cylinder.force\"
";

fn scissor_lift(n: usize) -> String {
    let mut text = format!(
        "# A scissor lift of {n} stages: each bar is hinged to its partner in the middle and to the next stage at its ends. A\n\
         # cylinder along the floor pulls the lowest roller in and so lifts the load.\n\
         name = \"ScissorLift{n}\"\n{}",
        HEAD.replace("{n}", &n.to_string())
    );
    (1..=n).for_each(|i| stage(&mut text, i));
    (2..=n).for_each(|i| hinges(&mut text, i));
    foot(&mut text);
    platform(&mut text, n);
    text
}

/// One bar rises to the right and one falls to the right; frames sit at the middle.
fn stage(text: &mut String, i: usize) {
    for (name, sign) in [("rising", ""), ("falling", "-")] {
        let (low, high) = match name {
            "rising" => ("-bar", "bar"),
            _ => ("bar", "-bar"),
        };
        // Writing to a string does not fail.
        let _ = write!(
            text,
            "\n[bodies.{name}{i}]\nmass = \"bar_mass\"\ninertia = \"bar_inertia\"\n\
             points = {{ low = [\"{low} / 2\", 0], high = [\"{high} / 2\", 0] }}\n\
             position = [\"bar / 2 * cos(start)\", \"({i} - 0.5) * bar * sin(start)\"]\nangle = \"{sign}start\"\n"
        );
    }
    let _ = write!(
        text,
        "\n[joints.cross{i}]\ntype = \"revolute\"\nbetween = [\"rising{i}\", \"falling{i}\"]\n"
    );
}

/// Hinges that connect the ends of a stage to those of the stage below.
fn hinges(text: &mut String, i: usize) {
    let below = i - 1;
    let _ = write!(
        text,
        "\n[joints.left{i}]\ntype = \"revolute\"\nbetween = [\"falling{below}.high\", \"rising{i}.low\"]\n\
         \n[joints.right{i}]\ntype = \"revolute\"\nbetween = [\"rising{below}.high\", \"falling{i}.low\"]\n"
    );
}

fn foot(text: &mut String) {
    *text += "\n[joints.foot]\ntype = \"revolute\"\nbetween = [\"ground.foot\", \"rising1.low\"]\n\
              \n[joints.roller]\ntype = \"pin-slot\"\nbetween = [\"ground.foot\", \"falling1.low\"]\naxis = \"x\"\n";
}

fn platform(text: &mut String, n: usize) {
    let _ = write!(
        text,
        "\n[bodies.platform]\nmass = \"load\"\ninertia = \"40 kg*m^2\"\ncenter = [\"0.6 * bar\", 0.3]\n\
         position = [0, \"{n} * bar * sin(start)\"]\n\
         \n[joints.top]\ntype = \"revolute\"\nbetween = [\"falling{n}.high\", \"platform\"]\n\
         \n[joints.rail]\ntype = \"pin-slot\"\nbetween = [\"platform\", \"rising{n}.high\"]\naxis = \"x\"\n"
    );
}
